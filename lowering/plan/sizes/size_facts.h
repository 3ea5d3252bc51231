// What of a program follows from its sizes. A program of variable sizes is made static for each of
// the sizes that it is to serve. These modules are alike but for dimensions, and for attributes and
// constants that follow from sizes.
#ifndef HALYARD_LOWERING_PLAN_SIZES_SIZE_FACTS_H_
#define HALYARD_LOWERING_PLAN_SIZES_SIZE_FACTS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "absl/status/statusor.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::lowering {

// Sizes [low, high] of each variable, and their combinations. The last variable changes fastest.
struct SizeBox {
  std::vector<std::string> names;
  std::vector<int64_t> low, high;

  int64_t Count() const;
  std::vector<int64_t> At(int64_t index) const;  // the last one is `high`
  // Returns how far apart the combinations are in which variable `i` differs by 1.
  int64_t Stride(size_t i) const;
  std::string Text(int64_t index) const;  // "batch=3, length=7"
};

// An integer for each combination of sizes.
using SizeFunction = std::vector<int64_t>;
bool IsConstant(const SizeFunction& function);

// Makes the static module for one combination of sizes.
using MakeStatic =
    std::function<absl::StatusOr<std::unique_ptr<hlo::Module>>(const std::vector<int64_t>& sizes)>;

class SizeFacts {
 public:
  // `largest` is the module for the largest sizes; `make` makes the others in the same way. Returns
  // kUnimplemented, with the instruction's place, where they differ in more than sizes, or where a
  // size is smaller for the largest sizes than for others.
  static absl::StatusOr<SizeFacts> Compare(const hlo::Module& largest, const SizeBox& box,
                                           const MakeStatic& make);

  const SizeBox& box() const { return box_; }
  // Returns the sizes of a dimension of an array, or null if there is only one. Equal functions
  // have the same address. The first form is for elements of tuples, too.
  const SizeFunction* Size(const hlo::Instruction* inst, size_t leaf, int64_t dim) const;
  const SizeFunction* Size(const hlo::Instruction* array, int64_t dim) const {
    return Size(array, 0, dim);
  }
  // As above, with a function of its own for a dimension of one size.
  SizeFunction SizesOf(const hlo::Instruction* array, int64_t dim) const;
  bool HasVaryingShape(const hlo::Instruction* inst) const;
  // Whether something of the computation, or of those that it calls, varies.
  bool Varies(const hlo::Computation& computation) const;
  // The attributes or the constant of each combination, or null if they are always those of `inst`.
  const std::vector<hlo::AttrMap>* Attributes(const hlo::Instruction* inst) const;
  const std::vector<hlo::Literal>* Literals(const hlo::Instruction* inst) const;

 private:
  struct Fact {
    std::vector<std::vector<const SizeFunction*>> sizes;  // by leaf and dimension, or empty
    std::vector<std::vector<SizeFunction>> collected;     // likewise, while modules are compared
    std::vector<hlo::AttrMap> attrs;
    std::vector<hlo::Literal> literals;
  };
  absl::Status CompareModule(const hlo::Module& largest, const hlo::Module& other, int64_t index);
  absl::Status CompareComputation(const hlo::Computation& largest, const hlo::Computation& other,
                                  int64_t index);
  absl::Status CompareInstruction(const hlo::Instruction& largest, const hlo::Instruction& other,
                                  int64_t index);
  absl::Status CompareShapes(const hlo::Instruction& largest, const hlo::Instruction& other,
                             int64_t index);
  absl::Status CompareAttributes(const hlo::Instruction& largest, const hlo::Instruction& other,
                                 int64_t index);
  absl::Status Intern();
  absl::Status Differs(const hlo::Instruction& inst, int64_t index, const std::string& what) const;

  SizeBox box_;
  std::unordered_map<const hlo::Instruction*, Fact> facts_;
  std::map<SizeFunction, std::unique_ptr<SizeFunction>> functions_;
  // Of the module that is being compared.
  std::unordered_map<const hlo::Instruction*, const hlo::Instruction*> partners_;
  std::unordered_set<const hlo::Computation*> compared_;
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_SIZES_SIZE_FACTS_H_
