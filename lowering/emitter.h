// Emitter: the value of any instruction of a kernel at any index, as a Halide expression. Expr ops
// are evaluated where they are used; heroes are read from the Funcs that a schedule template
// defined for them.
#ifndef HALYARD_LOWERING_EMITTER_H_
#define HALYARD_LOWERING_EMITTER_H_

#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "lowering/kernel.h"

namespace halyard::lowering {

// An index in logical order: element d belongs to dimension d.
using LogicalIndex = std::vector<Halide::Expr>;

class Emitter {
 public:
  // Scalar value of an array-shaped instruction at `index`. Throws EmitError.
  Value At(const hlo::Instruction* instruction, const LogicalIndex& index);
  // A computation on scalars (reduction bodies, comparators) applied to values; one value per
  // flattened result.
  std::vector<Value> Apply(const hlo::Computation& computation,
                           const std::vector<Value>& arguments);
  // The result leaves of a hero (or of a tuple-shaped sort-pass) at `index`.
  std::vector<Value> LeavesAt(const hlo::Instruction* instruction, const LogicalIndex& index);

  void BindInput(const hlo::Instruction* parameter, const Halide::ImageParam& input) {
    inputs_[parameter] = input;
  }
  // Loads are hidden from Halide's bounds inference (numerics::Opaque): for kernels of one element,
  // where everything would be a known single value.
  void HideLoads() { hide_loads_ = true; }
  void BindHero(const hlo::Instruction* instruction, Hero* hero) { heroes_[instruction] = hero; }
  // From now on the instruction's value is read from `func` (storage form, Halide order).
  void BindStored(const hlo::Instruction* instruction, const Halide::Func& func) {
    stored_[instruction] = func;
    Forget();
  }
  // The same by any other means: `read` gives the value at a logical index; null: no longer.
  void BindReader(const hlo::Instruction* instruction,
                  std::function<Value(const LogicalIndex& index)> read) {
    readers_[instruction] = std::move(read);
    Forget();
  }
  // Drops remembered expressions (after what they read has been redefined).
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
  bool hide_loads_ = false;
};

// The lowering table: how codegen treats each op that is not elementwise. One row per op;
// lowering/ops has the functions.
using ExprLowering = Value (*)(Emitter& emitter, const hlo::Instruction& instruction,
                               const LogicalIndex& index);
// Fills in everything of a Hero but `result`, `read`, `defined` and `axes`.
using FuncLowering = void (*)(Emitter& emitter, const hlo::Instruction& instruction, Hero* hero);
// As ExprLowering, of an op with several results.
using LeavesLowering = std::vector<Value> (*)(Emitter& emitter, const hlo::Instruction& instruction,
                                              const LogicalIndex& index);
// Fills in everything of a Sequence but `instruction` and `types`; is_axis is all false.
using SequenceLowering = void (*)(Emitter& emitter, const hlo::Instruction& instruction,
                                  Sequence* sequence);
struct OpLowering {
  hlo::Opcode opcode;
  ExprLowering expr = nullptr;
  FuncLowering func = nullptr;
  LeavesLowering leaves = nullptr;
  SequenceLowering sequence = nullptr;
};
const OpLowering* LoweringOf(hlo::Opcode opcode);  // null: elementwise (numerics.h), or structure

// lowering/ops/data_movement.cc
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
// lowering/ops/bitcast_convert.cc
Value LowerBitcastConvert(Emitter&, const hlo::Instruction&, const LogicalIndex&);
// lowering/ops/{reduce,contraction,reduce_window}.cc
void LowerReduce(Emitter&, const hlo::Instruction&, Hero*);
void LowerDot(Emitter&, const hlo::Instruction&, Hero*);
void LowerConvolution(Emitter&, const hlo::Instruction&, Hero*);
void LowerReduceWindow(Emitter&, const hlo::Instruction&, Hero*);
// lowering/ops/counting_pass.cc
void LowerCountingPass(Emitter&, const hlo::Instruction&, Sequence*);
// lowering/ops/sort_pass.cc
std::vector<Value> LowerSortPass(Emitter&, const hlo::Instruction&, const LogicalIndex&);
void LowerExchange(Emitter&, const hlo::Instruction&, Exchange*);

// lowering/ops/library_op.cc
std::vector<Value> LowerLibraryOp(Emitter&, const hlo::Instruction&, const LogicalIndex&);

// lowering/ops/fft_pass.cc
void LowerFftPass(Emitter&, const hlo::Instruction&, Transform*);
// lowering/ops/diagonal_blocks.cc
void LowerCholeskyBlock(Emitter&, const hlo::Instruction&, Sequence*);
void LowerTriangularBlock(Emitter&, const hlo::Instruction&, Sequence*);
// lowering/ops/dynamic_update_slice.cc
void LowerDynamicUpdateSlice(Emitter&, const hlo::Instruction&, Sequence*);
// lowering/ops/scatter.cc
void LowerScatter(Emitter&, const hlo::Instruction&, Sequence*);

// `value` as an int32 index clamped to [0, limit], in the value's own signedness.
Halide::Expr ClampedIndex(const Value& value, int64_t limit);
// Select between values of one type (complex: both parts).
Value SelectValue(const Halide::Expr& condition, const Value& on_true, const Value& on_false);
// min/max that folds constants, for int32 index arithmetic.
Halide::Expr ClampInt(const Halide::Expr& index, int64_t low, int64_t high);

// Where element `k` of the window at output position `o` lies in an undilated input dimension of
// `extent` elements.
struct WindowPosition {
  Halide::Expr index;   // within [0, extent)
  Halide::Expr inside;  // false: padding or a dilation hole. Undefined: always inside
};
WindowPosition WindowIndex(const hlo::WindowDim& dim, int64_t extent, const Halide::Expr& o,
                           const Halide::Expr& k);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_EMITTER_H_
