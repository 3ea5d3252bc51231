// Dimensions of all values of a kernel fall into classes: what an op reads and writes at one index
// belongs to one class. Two classes become one dimension if one always comes right after the other,
// in every value that has either. A class of extent 1 disappears. Ops whose attributes name a
// dimension (a window, a padding, an iota) pin it.
// collapse_classes.cc finds the classes, and collapse.cc rebuilds the kernel.
#ifndef HALYARD_LOWERING_PLAN_SIMPLIFY_COLLAPSER_H_
#define HALYARD_LOWERING_PLAN_SIMPLIFY_COLLAPSER_H_

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "frontend/hlo/ir/module.h"

namespace halyard::lowering {

inline const std::vector<int64_t>& DimsOf(const hlo::Instruction& inst) {
  return inst.shape.IsTuple() ? inst.shape.elements().front().dims() : inst.shape.dims();
}

class Collapser {
 public:
  explicit Collapser(hlo::Computation* kernel) : kernel_(kernel) {}
  hlo::Computation* Run();

 private:
  struct Class {
    int64_t extent = 1;
    bool no_merge = false, no_drop = false;
    int next = kUnknown, previous = kUnknown;
  };
  static constexpr int kUnknown = -3, kNone = -2, kSeveral = -1;

  int Find(int c) const {
    while (parent_[c] != c) c = parent_[c];
    return c;
  }
  int At(const hlo::Instruction* inst, int64_t dim) const { return Find(ids_.at(inst)[dim]); }
  void Union(const hlo::Instruction* a, int64_t i, const hlo::Instruction* b, int64_t k) {
    parent_[At(a, i)] = At(b, k);
  }
  void Pin(const hlo::Instruction* inst, int64_t dim) { pinned_.push_back(ids_.at(inst)[dim]); }
  void Keep(const hlo::Instruction* inst, int64_t dim) { kept_.push_back(ids_.at(inst)[dim]); }
  void PinAll(const hlo::Instruction* inst) {
    for (size_t d = 0; d < DimsOf(*inst).size(); ++d) Pin(inst, static_cast<int64_t>(d));
  }

  void Relate(const hlo::Instruction& inst);
  void RelateReduce(const hlo::Instruction& reduce);
  void RelateDot(const hlo::Instruction& dot);
  void RelateDegenerateReshape(const hlo::Instruction& reshape);
  void RelateExceptFor(const hlo::Instruction& inst, const std::vector<bool>& affected);
  void Classify();
  void MergeClasses();

  // New dimensions of a value: the class that leads each.
  std::vector<int> Leaders(const hlo::Instruction* inst) const;
  int64_t NewDim(const hlo::Instruction* inst, int64_t dim) const;  // -1: dropped
  std::vector<int64_t> NewDims(const hlo::Instruction* inst) const;
  hlo::Ints MapDims(const hlo::Instruction* inst, const hlo::Ints& dims) const;
  hlo::Shape NewShape(const hlo::Instruction* inst) const;
  hlo::Instruction* Rebuild(const hlo::Instruction& inst, hlo::Computation* to);
  void FixAttributes(const hlo::Instruction& inst, hlo::AttrMap* attrs) const;

  const hlo::Instruction* first_reduce_ = nullptr;
  hlo::Computation* kernel_;
  std::map<const hlo::Instruction*, std::vector<int>> ids_;
  std::vector<int> parent_;
  std::vector<int> pinned_, kept_;
  std::map<int, Class> classes_;
  std::map<int, int> leader_;  // class → the first class of its merged dimension; absent: dropped
  std::unordered_map<const hlo::Instruction*, hlo::Instruction*> copies_;
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_SIMPLIFY_COLLAPSER_H_
