// Sequence: a kernel whose outputs are updated in place, step after step: scatters, window writes,
// substitutions, factorisations, histograms, scans. What schedules/ sees of it: axes and extents.
#ifndef HALYARD_LOWERING_SEQUENCE_H_
#define HALYARD_LOWERING_SEQUENCE_H_

#include <functional>
#include <memory>
#include <vector>

#include "Halide.h"
#include "frontend/hlo/module.h"
#include "lowering/numerics.h"

namespace halyard::lowering {

// Indices in Halide's order: dimension 0 varies fastest (the last logical dimension).
using Indices = std::vector<Halide::Expr>;

// What one step does: outputs[k](position) = values[k], if `when` holds.
struct SequenceStep {
  Indices position;           // int32, one per output dimension; clamped to the extents for you
  std::vector<Value> values;  // one per output, of its type
  Halide::Expr when;          // undefined: always
};

// The outputs' elements at a position as the steps so far have left them. Positions are clamped.
using StateReader = std::function<std::vector<Value>(const Indices& position)>;

// Steps over a domain in order, r[0] fastest, one after the other.
struct SequencePhase {
  std::vector<int64_t> extents;  // r[0] first; the product must not be 0
  // Steps that differ in r[0] … r[independent - 1] only neither write the same element nor read
  // what another writes: they may run in any order, or together.
  size_t independent = 0;
  // `at` has the outputs' own Vars; at[d] is of use where is_axis[d] only.
  std::function<SequenceStep(const Indices& at, const Indices& r, const StateReader& state)> step;

  // Set by LoweredKernel::BuildSequence: a loop for each extent; whether steps have conditions.
  std::vector<Halide::RVar> domain;
  bool conditional = false;
};

// A stable counting sort of each line of the outputs, along Halide dimension 0 of two; it has no
// phases but a template of its own.
struct CountingPass {
  int64_t length = 0, lines = 0, digits = 0;
  // Of the element at (position, line): int32 in [0, digits), and what moves, in storage form.
  std::function<Halide::Expr(const Indices& at)> digit;
  std::function<std::vector<Halide::Expr>(const Indices& at)> elements;
};

struct Sequence {
  const hlo::Instruction* instruction = nullptr;
  std::vector<hlo::ElementType> types;  // of the outputs

  // Per output dimension (Halide order), whether it is an independent axis: every step is done for
  // all of it, at its own index. A step's position, and each position it reads the state at, then
  // has at[d] itself there. Axes run in parallel and in vectors; a thread of a GPU does all steps.
  std::vector<bool> is_axis;

  // What the outputs hold before the first step. kOperand: output k is operand k of the
  // instruction, updated in place (kernel_form.h rule 5). kValue: init. kUnset: anything; every
  // element must be written before it is read.
  enum class Start { kOperand, kValue, kUnset };
  Start start = Start::kOperand;
  std::function<std::vector<Value>(const Indices& at)> init;

  std::unique_ptr<CountingPass> counting;  // null: phases

  std::vector<SequencePhase> phases;  // one after the other; each sees what those before it wrote

  // Another form of the same, if not empty: every output dimension is an axis, and of the steps a
  // place does those that are its own, in the same order. More steps in all, none of which depends
  // on another place. Then, too, one more extent may be added at the end of the phase's, a number of
  // blocks: block r.back() does those of the steps that write its own elements, and blocks are
  // independent of each other.
  std::vector<SequencePhase> by_place;
  void ChooseByPlace();
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_SEQUENCE_H_
