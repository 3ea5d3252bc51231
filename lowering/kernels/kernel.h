// LoweredKernel: one kernel as Halide algorithm, before a schedule. What schedules/ sees: heroes,
// axes and extents, never ops.
#ifndef HALYARD_LOWERING_KERNELS_KERNEL_H_
#define HALYARD_LOWERING_KERNELS_KERNEL_H_

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "Halide.h"
#include "lowering/kernels/attention/form.h"
#include "lowering/kernels/fourier/define.h"
#include "lowering/kernels/kernel_form.h"
#include "lowering/kernels/kernel_request.h"
#include "lowering/kernels/sequence/define.h"
#include "lowering/kernels/sort/define.h"
#include "lowering/numerics/numerics.h"

namespace halyard::lowering {

// Thrown inside codegen only, caught at its border beside Halide's own errors
// (codegen/compile_kernel.cc).
struct EmitError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Likewise, for arrays that are too large for kernels.
struct SizeError : EmitError {
  using EmitError::EmitError;
};

// Likewise, for a schedule that asks for more than the device has, or whose knobs do not go
// together for this kernel: the next default is tried, where it was one. what() names the need and
// the limit.
struct LimitError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Axis {
  Halide::Var var;
  int64_t extent = 1;
};

// The part of a kernel that has a structure of its own. All of them are folds: result(axes) = init
// folded with term(axes, r) over the reduction domain r, r[0] fastest.
struct Hero {
  enum class Kind { kReduction, kContraction, kConvolution, kWindow };
  Kind kind = Kind::kReduction;
  const hlo::Instruction* instruction = nullptr;
  std::vector<Axis> axes;               // of the result
  std::vector<int64_t> reduce_extents;  // r[0] first
  std::vector<hlo::ElementType> types;  // of the accumulators (several: variadic)

  std::function<std::vector<Value>()> init;
  // What one step folds in: the operands' elements; of contractions the two factors, {lhs, rhs}.
  std::function<std::vector<Value>(const Indices& axes, const Indices& r)> term;
  std::function<std::vector<Value>(const std::vector<Value>& acc, const std::vector<Value>& term)>
      combine;
  // Joins two partial results (combine itself, unless a term is not a value of the fold's types).
  std::function<std::vector<Value>(const std::vector<Value>& a, const std::vector<Value>& b)> merge;
  // Set when combine is one commutative, associative op: then partial results may be formed in any
  // order and start from these.
  std::vector<Value> identity;
  // Combine is associative, if not commutative: pieces of neighbouring elements may be folded on
  // their own, from their first element, and joined in order. True where there is an identity.
  bool associative = false;

  // The fastest dimension of the operand, or of both factors of a dot, is reduced, by r[0].
  bool inner_reduced = false;
  // Contractions: which axes each factor depends on; axes that both depend on are batch-like.
  std::vector<bool> lhs_axes, rhs_axes;
  // Elements between neighbours along each axis in the left and right factor's operand, 0 where it
  // does not depend on the axis.
  std::vector<int64_t> lhs_strides, rhs_strides;
  // Convolutions whose left factor has padding or holes: it is an affine read of a padded input,
  // which a template may store. padded_read gives the position in it for (axes, r); padded_value
  // the element there.
  std::vector<int64_t> padded_extents;  // empty: nothing to pad. Halide order
  std::function<Indices(const Indices& axes, const Indices& r)> padded_read;
  std::function<Value(const Indices& position)> padded_value;

  // What a result is, if the accumulator is not a value that only has to be rounded.
  std::function<Value(const Value& accumulator)> finish;

  // Set by the template that schedules the hero: the Func whose element (axes) is the result, in
  // storage form, a Tuple for several. `read`, if set, replaces the plain call (tiled forms).
  Halide::Func result;
  std::function<std::vector<Halide::Expr>(const Indices& axes)> read;
  bool IsContraction() const { return kind == Kind::kContraction || kind == Kind::kConvolution; }
};

// An unreduced value of a row fusion that is costly and used more than once: stored once per row.
struct RowValue {
  const hlo::Instruction* instruction = nullptr;
  Halide::Func func;
  std::vector<Axis> axes;
};

// What kind of structure a kernel has, with what only kernels of that kind have.
struct Elementwise {};  // no hero
struct SingleFold {};   // one hero
struct Rows {};         // heroes are reductions of one row each; see kernel_form.h rule 1
struct LibraryOp {};    // the root is an op that only a library computes
// AttentionForm: the heroes are scores, max, sum and product, in the order of the kernel's text.
// Sequence (a kernel that updates its outputs step after step), Transform (one pass of a Fourier
// transform) and Exchange (passes of a sorting network over blocks) have no hero.
using KernelForm = std::variant<Elementwise, SingleFold, Rows, AttentionForm, Sequence, Transform,
                                Exchange, LibraryOp>;

// 1 << KernelForm::index() of a form.
template <typename Form, typename... All>
constexpr uint32_t BitOfForm(std::type_identity<std::variant<All...>>) {
  uint32_t bit = 1;
  static_cast<void>(((std::is_same_v<Form, All> || (bit <<= 1, false)) || ...));
  return bit;
}
// A set of forms, as their bits.
template <typename... Forms>
constexpr uint32_t SetOfForms() {
  return (BitOfForm<Forms>(std::type_identity<KernelForm>()) | ...);
}

class Emitter;

// A serial loop inside of a GPU's workgroups of which each needs the steps first … end - 1 only.
// Codegen cuts it (codegen/passes/gpu/cut_loops.h): the bounds of an RDom are the same for all
// groups.
struct CutLoop {
  std::string loop;  // the variable's name
  // (first, end) by the group's index along x; first < end, and both within the loop.
  std::function<std::pair<Halide::Expr, Halide::Expr>(const Halide::Expr& group)> steps;
};

// Two launches of a GPU that are one: the last group of the first one to be done does the work of
// the second. Codegen joins them (codegen/passes/gpu/last_group.h). The loops over groups of both
// have one dimension. Group g of `first` does part g / groups, and what group g % groups of
// `second` reads of `first` is what its `parts` groups have stored. Both have the same threads.
struct LastGroup {
  std::string first, second;  // names of the Funcs
  int64_t groups = 1;         // of the second
  int64_t parts = 1;
};

struct LoweredKernel {
  LoweredKernel();
  ~LoweredKernel();
  LoweredKernel(LoweredKernel&&) noexcept;

  std::unique_ptr<hlo::Module> module;
  runtime::DeviceInfo device;
  Halide::Target target;
  std::vector<Halide::ImageParam> inputs;
  std::vector<std::unique_ptr<Hero>> heroes;  // in dependency order
  std::vector<Axis> axes;                     // of the outputs, fastest first
  int64_t num_outputs = 0;
  // The outputs are complex: in memory they have a fastest dimension of two parts. Where there is a
  // hero, whose axes are the outputs', its loop is inside all others, written out, and no axis.
  // Without one it is axes[0], once the output is built.
  bool complex_outputs = false;
  bool in_place = false;     // an output aliases an input: no element may be computed twice
  bool packs_words = false;  // a template used PackWord (fragments.h)
  std::optional<CutLoop> cut_loop;
  std::optional<LastGroup> last_group;
  int64_t max_registers = 0;  // CUDA, of a thread: the schedule's limit; 0: none
  int64_t op_count = 0;       // scalar ops per output element, a rough cost
  // Inputs' fastest dimensions in terms of output axes, where that is not axis 0: a transpose reads
  // along this axis.
  int transposed_axis = -1;
  // The hero's value is read at exactly the outputs' own indices, so that it may be computed inside
  // the outputs' tiles.
  bool direct_epilogue = false;

  // Never null. It stays where it is when the kernel is moved: closures point into it.
  std::unique_ptr<KernelForm> form = std::make_unique<KernelForm>();
  // The kernel must have this form: templates say which they take (schedules/registry.h).
  template <typename Form>
  Form& As() {
    return std::get<Form>(*form);
  }
  template <typename Form>
  const Form& As() const {
    return std::get<Form>(*form);
  }

  std::unique_ptr<Emitter> emitter;

  // Template side, in this order: define every hero (DefineHero or one's own structure), then
  // BuildOutput. Plain form: result(axes) = init; result(axes) = combine(result, term) over an
  // RDom.
  void DefineHero(Hero& hero);
  Halide::RDom domain_of(const Hero& hero) const;
  // Row values, defined as pure Funcs over (axes of the unreduced shape); call after the heroes
  // they depend on: BuildRow does heroes and row values of a row fusion in order, `define` called
  // for each hero.
  std::vector<RowValue> row_values;
  void BuildRow(const std::function<void(Hero&)>& define,
                const std::function<void(RowValue&)>& row_value);
  // The output Func (a Tuple if several), with bounds set. `part_is_axis`: of complex outputs, see
  // complex_outputs.
  Halide::Func output;
  void BuildOutput(bool part_is_axis);
  void BuildOutput() { BuildOutput(heroes.empty()); }
  // The outputs' elements at an index, in storage form: for templates that define `output`
  // themselves. Not of complex outputs.
  std::vector<Halide::Expr> OutputsAt(const Indices& index) const;
  // The same for a sequence: the output Func with one update definition for each phase. Complex
  // outputs have a fastest dimension of two parts, of which `part` is the update's loop: the
  // template vectorizes it, since both parts of a step see the state before it.
  void BuildSequence();
  // The same for a transform: the output Func, and those that it reads.
  void BuildTransform();
  // Of a line, in passes of these radices.
  void BuildFourierLine(const std::vector<int64_t>& radices);
  void BuildExchange();
  bool has_parts = false;
  std::vector<Halide::RVar> parts;  // per phase, if has_parts

  // One step of a fold over `r`: `after`, in a form that names every variable of r, without which
  // Halide would not loop over it (a term need not depend on its place: the sum of a constant).
  static std::vector<Value> OverDomain(const Indices& r, const std::vector<Value>& before,
                                       std::vector<Value> after);
  // Storage-form elements of the hero's fold.
  std::vector<Halide::Expr> ToStorageExprs(const std::vector<Value>& values) const;
  std::vector<Value> FromStorageExprs(const std::vector<hlo::ElementType>& types,
                                      const std::vector<Halide::Expr>& exprs) const;
  // The outputs' dimensions in memory, once built: `axes`, and the parts of complex ones before
  // them.
  std::vector<Axis> OutputDims() const;
  // Fixes the bounds of the outputs; Build… do so, and a template that defines `output` itself
  // must.
  void SetOutputBounds();

 private:
  void DefinePhase(SequencePhase& phase);
};

Indices VarsOf(const std::vector<Axis>& axes);
// The elements of a call of `func`: one, or a Tuple's.
std::vector<Halide::Expr> CallElements(const Halide::Func& func, const Indices& args);

// Parses, verifies the form, and emits. Throws EmitError.
LoweredKernel LowerKernel(const KernelRequest& request);

// The Halide target of a device
// ("x86-64-linux-avx512_skylake-…-no_runtime-no_asserts-no_bounds_query").
Halide::Target HalideTarget(const runtime::DeviceInfo& device);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_KERNEL_H_
