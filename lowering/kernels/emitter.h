// The Emitter gives the value of any instruction of a kernel at any index, as a Halide expression.
// It evaluates Expr ops where they are used, and reads heroes from the Funcs that a schedule
// template has defined for them.
#ifndef HALYARD_LOWERING_KERNELS_EMITTER_H_
#define HALYARD_LOWERING_KERNELS_EMITTER_H_

#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "lowering/kernels/kernel.h"

namespace halyard::lowering {

// An index in logical order: element d belongs to dimension d.
using LogicalIndex = std::vector<Halide::Expr>;

class Emitter {
 public:
  // Returns the scalar value of an array-shaped instruction at `index`. Throws EmitError.
  Value At(const hlo::Instruction* instruction, const LogicalIndex& index);
  // Applies a computation on scalars (a reduction body or a comparator) to values. Returns one
  // value for each flattened result.
  std::vector<Value> Apply(const hlo::Computation& computation,
                           const std::vector<Value>& arguments);
  // Returns the result leaves of a hero (or of a tuple-shaped sort-pass) at `index`.
  std::vector<Value> LeavesAt(const hlo::Instruction* instruction, const LogicalIndex& index);

  void BindInput(const hlo::Instruction* parameter, const Halide::ImageParam& input) {
    inputs_[parameter] = input;
  }
  // Hides loads from Halide's bounds inference (numerics::Opaque): all of them, or those at
  // constant indices. What is made of nothing else would be a known single value.
  enum class Hidden { kNone, kAtConstants, kAll };
  void HideLoads(Hidden hidden) { hidden_ = hidden; }
  void BindHero(const hlo::Instruction* instruction, Hero* hero) { heroes_[instruction] = hero; }
  // From now on, reads the instruction's value from `func` (storage form, Halide order).
  void BindStored(const hlo::Instruction* instruction, const Halide::Func& func) {
    stored_[instruction] = func;
    Forget();
  }
  // Does the same by any other means: `read` returns the value at a logical index. Null ends this.
  void BindReader(const hlo::Instruction* instruction,
                  std::function<Value(const LogicalIndex& index)> read) {
    readers_[instruction] = std::move(read);
    Forget();
  }
  // Drops remembered expressions, because what they read has been redefined.
  void Forget() { memo_.clear(); }

  static Indices ToHalide(const LogicalIndex& index) {
    return Indices(index.rbegin(), index.rend());
  }
  static LogicalIndex ToLogical(const Indices& index) {
    return LogicalIndex(index.rbegin(), index.rend());
  }

 private:
  Value Load(const Halide::ImageParam& input, hlo::ElementType type, const LogicalIndex& index);
  Value Compute(const hlo::Instruction* instruction, const LogicalIndex& index);

  struct Remembered {
    LogicalIndex index;  // keeps the nodes alive, so that their addresses stay unique
    Value value;
  };
  using Key = std::pair<const hlo::Instruction*, std::vector<const void*>>;
  std::map<Key, Remembered> memo_;
  std::unordered_map<const hlo::Instruction*, Halide::ImageParam> inputs_;
  std::unordered_map<const hlo::Instruction*, Hero*> heroes_;
  std::unordered_map<const hlo::Instruction*, Halide::Func> stored_;
  std::unordered_map<const hlo::Instruction*, std::function<Value(const LogicalIndex&)>> readers_;
  Hidden hidden_ = Hidden::kNone;
};

// The lowering table: how codegen treats each op that is not elementwise. There is one row for each
// op, and lowering/kernels has the functions.
using ExprLowering = Value (*)(Emitter& emitter, const hlo::Instruction& instruction,
                               const LogicalIndex& index);
// Sets all fields of a Hero except `result`, `read`, `defined` and `axes`.
using FuncLowering = void (*)(Emitter& emitter, const hlo::Instruction& instruction, Hero* hero);
// Like ExprLowering, for an op with several results.
using LeavesLowering = std::vector<Value> (*)(Emitter& emitter, const hlo::Instruction& instruction,
                                              const LogicalIndex& index);
// Sets all fields of a Sequence except `instruction` and `types`. `is_axis` is all false at first.
using SequenceLowering = void (*)(Emitter& emitter, const hlo::Instruction& instruction,
                                  Sequence* sequence);
struct OpLowering {
  hlo::Opcode opcode;
  ExprLowering expr = nullptr;
  FuncLowering func = nullptr;
  LeavesLowering leaves = nullptr;
  SequenceLowering sequence = nullptr;
};
const OpLowering* LoweringOf(hlo::Opcode opcode);  // null for elementwise ops (numerics.h) and
                                                   // structure

// lowering/kernels/elementwise/data_movement.cc
Value LowerBroadcast(Emitter&, const hlo::Instruction&, const LogicalIndex&);
Value LowerReshape(Emitter&, const hlo::Instruction&, const LogicalIndex&);
Value LowerTranspose(Emitter&, const hlo::Instruction&, const LogicalIndex&);
Value LowerReverse(Emitter&, const hlo::Instruction&, const LogicalIndex&);
Value LowerSlice(Emitter&, const hlo::Instruction&, const LogicalIndex&);
Value LowerConcatenate(Emitter&, const hlo::Instruction&, const LogicalIndex&);
Value LowerPad(Emitter&, const hlo::Instruction&, const LogicalIndex&);
Value LowerIota(Emitter&, const hlo::Instruction&, const LogicalIndex&);
Value LowerConstant(Emitter&, const hlo::Instruction&, const LogicalIndex&);
Value LowerDynamicSlice(Emitter&, const hlo::Instruction&, const LogicalIndex&);
Value LowerGather(Emitter&, const hlo::Instruction&, const LogicalIndex&);
Value LowerIdentity(Emitter&, const hlo::Instruction&, const LogicalIndex&);
// lowering/kernels/elementwise/bitcast_convert.cc
Value LowerBitcastConvert(Emitter&, const hlo::Instruction&, const LogicalIndex&);
// lowering/kernels/{reduction,contraction,window}/define.cc
void LowerReduce(Emitter&, const hlo::Instruction&, Hero*);
// Where the target compares integers in fewer instructions, has a reduction that finds the greatest
// or least float fold integers of the same order.
void FoldKeys(Hero*);
void LowerDot(Emitter&, const hlo::Instruction&, Hero*);
void LowerConvolution(Emitter&, const hlo::Instruction&, Hero*);
void LowerReduceWindow(Emitter&, const hlo::Instruction&, Hero*);
// lowering/kernels/sort/counting.cc
void LowerCountingPass(Emitter&, const hlo::Instruction&, Sequence*);
// lowering/kernels/sort/network.cc
std::vector<Value> LowerSortPass(Emitter&, const hlo::Instruction&, const LogicalIndex&);
void LowerExchange(Emitter&, const hlo::Instruction&, Exchange*);

// lowering/kernels/library/define.cc
std::vector<Value> LowerLibraryOp(Emitter&, const hlo::Instruction&, const LogicalIndex&);

// lowering/kernels/fourier/butterflies.cc
void LowerFftPass(Emitter&, const hlo::Instruction&, Transform*);
// lowering/kernels/sequence/diagonal_blocks.cc
void LowerCholeskyBlock(Emitter&, const hlo::Instruction&, Sequence*);
void LowerTriangularBlock(Emitter&, const hlo::Instruction&, Sequence*);
// lowering/kernels/sequence/dynamic_update_slice.cc
void LowerDynamicUpdateSlice(Emitter&, const hlo::Instruction&, Sequence*);
// lowering/kernels/sequence/scatter.cc
void LowerScatter(Emitter&, const hlo::Instruction&, Sequence*);

// Returns `value` as an int32 index clamped to [0, limit], according to the signedness of its type.
Halide::Expr ClampedIndex(const Value& value, int64_t limit);
// Selects between values of one type (for complex values, both parts).
Value SelectValue(const Halide::Expr& condition, const Value& on_true, const Value& on_false);
// Clamps an int32 index and folds constants.
Halide::Expr ClampInt(const Halide::Expr& index, int64_t low, int64_t high);

// The place, in an undilated input dimension of `extent` elements, of element `k` of the window at
// output position `o`.
struct WindowPosition {
  Halide::Expr index;   // within [0, extent)
  Halide::Expr inside;  // false for padding or a hole of dilation; undefined if always inside
};
WindowPosition WindowIndex(const hlo::WindowDim& dim, int64_t extent, const Halide::Expr& o,
                           const Halide::Expr& k);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_EMITTER_H_
