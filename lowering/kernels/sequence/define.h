// A Sequence is a kernel whose outputs are updated in place, step after step: scatters, window
// writes, substitutions, factorisations, histograms, scans. schedules/ sees its axes and extents.
#ifndef HALYARD_LOWERING_KERNELS_SEQUENCE_DEFINE_H_
#define HALYARD_LOWERING_KERNELS_SEQUENCE_DEFINE_H_

#include <functional>
#include <memory>
#include <vector>

#include "Halide.h"
#include "frontend/hlo/ir/module.h"
#include "lowering/numerics/numerics.h"

namespace halyard::lowering {

// Indices in Halide's order: dimension 0 varies fastest (the last logical dimension).
using Indices = std::vector<Halide::Expr>;

// What one step does: outputs[k](position) = values[k], if `when` holds.
struct SequenceStep {
  Indices position;           // int32, one for each output dimension; clamped to the extents by the
                              // lowering
  std::vector<Value> values;  // one for each output, of its type
  Halide::Expr when;          // undefined: always
};

// Returns the outputs' elements at a position as the steps so far have left them. Positions are
// clamped.
using StateReader = std::function<std::vector<Value>(const Indices& position)>;

// Steps over a domain, one after the other. r[0] varies fastest.
struct SequencePhase {
  std::vector<int64_t> extents;  // r[0] first; the product must not be 0
  // Steps that differ only in r[0] … r[independent - 1] neither write the same element nor read
  // what another one writes. So they may run in any order, or together.
  size_t independent = 0;
  // `at` has the outputs' own Vars. at[d] may be used only where is_axis[d].
  std::function<SequenceStep(const Indices& at, const Indices& r, const StateReader& state)> step;

  // LoweredKernel::BuildSequence sets these: a loop for each extent, and whether steps have
  // conditions.
  std::vector<Halide::RVar> domain;
  bool conditional = false;
};

// A stable counting sort of each line of the outputs, along Halide dimension 0 of two. It has no
// phases, but a template of its own.
struct CountingPass {
  int64_t length = 0, lines = 0, digits = 0;
  // For the element at (position, line): its digit, an int32 in [0, digits), and what moves, in
  // storage form.
  std::function<Halide::Expr(const Indices& at)> digit;
  std::function<std::vector<Halide::Expr>(const Indices& at)> elements;
};

struct Sequence {
  const hlo::Instruction* instruction = nullptr;
  std::vector<hlo::ElementType> types;  // of the outputs

  // For each output dimension (Halide order), whether it is an independent axis: every step is done
  // for all of it, at its own index. The position of a step, and each position at which it reads
  // the state, then has at[d] itself there. Axes run in parallel and in vectors; on a GPU, a thread
  // does all steps.
  std::vector<bool> is_axis;

  // What the outputs hold before the first step. kOperand: output k is operand k of the
  // instruction, updated in place (kernel_form.h, rule 5). kValue: init. kUnset: anything; every
  // element must be written before it is read.
  enum class Start { kOperand, kValue, kUnset };
  Start start = Start::kOperand;
  std::function<std::vector<Value>(const Indices& at)> init;

  std::unique_ptr<CountingPass> counting;  // null if there are phases

  std::vector<SequencePhase> phases;  // one after the other; each sees what the earlier ones wrote

  // If not empty, another form of the same sequence, in which every output dimension is an axis. A
  // place does those of the steps that are its own, in the same order. There are more steps in all,
  // but none depends on another place. In this form, one more extent may be added at the end of the
  // phase's extents, a number of blocks: block r.back() does those of the steps that write its own
  // elements, and blocks are independent of each other. If there is a second phase, it is a further
  // form instead of the first, for GPUs: each place finds out by a few reads which steps are its
  // own, which are neighbours, and the loop over the steps goes through these alone (kStepRange).
  std::vector<SequencePhase> by_place;
  // `ranges`: by the second phase.
  void ChooseByPlace(bool ranges = false);
};

// (step, first, end): whether the step is one of these (codegen/passes/gpu/step_ranges.h).
inline constexpr char kStepRange[] = "halyard_step_range";

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_SEQUENCE_DEFINE_H_
