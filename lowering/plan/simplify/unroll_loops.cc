// Unrolls short loops over large arrays, such as the rounds of JAX's Threefry: fusion then makes
// few kernels of all iterations, where each one would read its state from memory and write it back.
#include <algorithm>

#include "frontend/hlo/ir/op_table.h"
#include "lowering/kernels/kernel_form.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Instruction;
using hlo::Opcode;

constexpr int64_t kMostTrips = 8;
constexpr size_t kMostInstructions = 512;    // of all iterations; they take time to compile
constexpr int64_t kLeastElements = 1 << 14;  // of the largest array of the state

// Ops that fuse with others, and the structure between them.
bool Fuses(const Instruction& inst) {
  switch (inst.opcode) {
    case Opcode::kParameter:
    case Opcode::kConstant:
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
      return true;
    default:
      return FormOf(inst.opcode) == OpForm::kExpr && !hlo::HasSideEffect(inst);
  }
}

bool IsWorthUnrolling(const Instruction& inst) {
  if (inst.opcode != Opcode::kWhile) return false;
  const int64_t trips = TripCountOf(inst);
  if (trips < 1 || trips > kMostTrips) return false;
  const auto& body = inst.called[1]->instructions();
  if (body.size() * static_cast<size_t>(trips) > kMostInstructions) return false;
  const std::vector<hlo::Shape> state = hlo::FlattenShape(inst.shape);
  return std::any_of(state.begin(), state.end(),
                     [](const hlo::Shape& shape) {
                       return shape.IsArray() && shape.NumElements() >= kLeastElements;
                     }) &&
         std::all_of(body.begin(), body.end(), [](const auto& op) { return Fuses(*op); });
}

}  // namespace

absl::Status UnrollLoops(hlo::Module& module, bool* changed) {
  *changed = false;
  // Bodies come first, so that a loop whose inner loops were unrolled may be, too.
  for (hlo::Computation* computation : module.PostOrder()) {
    Rewriter rewriter(computation);
    for (Instruction* inst : rewriter.Snapshot()) {
      rewriter.ResolveOperands(inst);
      if (!IsWorthUnrolling(*inst)) continue;
      Instruction* state = inst->operands[0];
      for (int64_t trip = TripCountOf(*inst); trip > 0; --trip)
        state = InlineInto(*inst->called[1], {state}, computation, inst);
      rewriter.Replace(inst, state);
      *changed = true;
    }
    if (!rewriter.changed()) continue;
    if (absl::Status s = rewriter.Finish(); !s.ok()) return s;
  }
  if (!*changed) return absl::OkStatus();
  module.RemoveUnreachableComputations();
  return FlattenTuples(module);
}

}  // namespace halyard::lowering
