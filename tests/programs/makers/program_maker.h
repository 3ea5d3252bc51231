// What the makers of random ops share: the program so far, and random choices from it.
#ifndef HALYARD_TESTS_PROGRAMS_MAKERS_PROGRAM_MAKER_H_
#define HALYARD_TESTS_PROGRAMS_MAKERS_PROGRAM_MAKER_H_

#include <random>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::testing {

class ProgramMaker {
 public:
  // Ops of more than `most_elements` elements are refused.
  explicit ProgramMaker(uint32_t seed, int64_t most_elements = 20000);

  hlo::Module& module() { return *module_; }
  std::unique_ptr<hlo::Module> Finish();  // some of the last values are the results
  std::unique_ptr<hlo::Module> FinishWith(hlo::Instruction* root);

  // From now on, only ops are added that move elements, choose among them, or make numbers of
  // integers, so that every bit of a result is defined.
  void AllowOnlyMoves() { only_moves_ = true; }

  int Pick(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }
  bool Chance(int percent) { return Pick(100) < percent; }
  template <typename T>
  const T& OneOf(const std::vector<T>& list) {
    return list[Pick(static_cast<int>(list.size()))];
  }

  hlo::ElementType Type();         // any, the common ones more often
  hlo::ElementType FloatType();    // bf16, f16, f32, f64
  hlo::ElementType IntegerType();  // any
  std::vector<int64_t> Dims(int max_rank = 4);
  int64_t Extent() { return Chance(3) ? 0 : 1 + Pick(5); }

  // Returns an array of the program that `fits`, or a new parameter of a random shape of type
  // `otherwise`.
  hlo::Instruction* Array();
  hlo::Instruction* ArrayOf(hlo::ElementType type, int min_rank = 0);
  // Returns an array of this shape: one of the program, a new one, or one made from others by moves
  // (moved.h).
  hlo::Instruction* Like(const hlo::Shape& shape);
  // Returns integers of this shape to index `extent` elements: often constants, and also a little
  // beyond both ends.
  hlo::Instruction* Indices(hlo::ElementType type, const std::vector<int64_t>& dims,
                            int64_t extent);
  std::vector<int64_t> Permutation(int64_t rank);
  hlo::Instruction* Parameter(const hlo::Shape& shape);
  hlo::Instruction* Scalar(hlo::ElementType type, double value);

  // Adds an op with the shape that inference returns, and, if it is an array, adds it to the values
  // to choose from. Returns null if inference refuses it.
  hlo::Instruction* Add(hlo::Opcode opcode, std::vector<hlo::Instruction*> operands,
                        hlo::AttrMap attrs = {}, std::vector<hlo::Computation*> called = {});
  // Adds an op with a given shape, for ops whose result is not implied.
  hlo::Instruction* AddShaped(hlo::Opcode opcode, const hlo::Shape& shape,
                              std::vector<hlo::Instruction*> operands, hlo::AttrMap attrs = {},
                              std::vector<hlo::Computation*> called = {});

  // Return computations on scalars: (a, b) -> op(a, b), and (a, b) -> a `direction` b.
  hlo::Computation* Combiner(hlo::Opcode opcode, hlo::ElementType type);
  hlo::Computation* Comparator(const std::string& direction,
                               absl::Span<const hlo::ElementType> types);
  // Returns the body of a fold over `type`, and sets the value from which the fold starts.
  hlo::Computation* Fold(hlo::ElementType type, hlo::Instruction** init);

  hlo::Computation* entry() { return entry_; }
  const std::vector<hlo::Instruction*>& values() const { return values_; }

 private:
  std::mt19937 random_;
  const int64_t most_elements_;
  bool only_moves_ = false;
  std::unique_ptr<hlo::Module> module_;
  hlo::Computation* entry_;
  std::vector<hlo::Instruction*> values_;  // arrays, in order
  bool moving_ = false;                    // within Moved
};

// Add to any computation: a scalar constant, and a part of a tuple.
hlo::Instruction* AddNumber(hlo::Computation* computation, hlo::ElementType type, double value);
hlo::Instruction* AddPart(hlo::Computation* computation, hlo::Instruction* tuple, int64_t index);

// Returns the least value of an integer type (0), the largest (1), or one beside them (2 and 3).
int64_t EndOf(hlo::ElementType type, int which);

using Maker = hlo::Instruction* (*)(ProgramMaker& maker);
absl::Span<const Maker> ElementwiseMakers();
absl::Span<const Maker> MovementMakers();
absl::Span<const Maker> StructureMakers();

// An attribute map of up to a few attributes.
class Attrs {
 public:
  Attrs& With(hlo::Attr attr, hlo::AttrValue value) {
    map_.Set(attr, std::move(value));
    return *this;
  }
  operator hlo::AttrMap() const { return map_; }

 private:
  hlo::AttrMap map_;
};

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_PROGRAMS_MAKERS_PROGRAM_MAKER_H_
