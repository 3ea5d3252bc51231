#include <algorithm>

#include "frontend/hlo/ir/op_table.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

// Marks the elements of the parameter from which `start` is computed. Returns false if the
// parameter is used as a whole.
bool MarkElements(const Computation& computation, const Instruction* start,
                  std::vector<bool>* live) {
  const Instruction* state = computation.parameters()[0];
  std::unordered_map<const Instruction*, bool> seen;
  std::vector<const Instruction*> work = {start};
  while (!work.empty()) {
    const Instruction* inst = work.back();
    work.pop_back();
    if (inst == state) return false;
    if (std::exchange(seen[inst], true)) continue;
    if (inst->opcode == Opcode::kGetTupleElement && inst->operand(0) == state) {
      (*live)[inst->GetInt(Attr::kIndex)] = true;
      continue;
    }
    work.insert(work.end(), inst->operands.begin(), inst->operands.end());
  }
  return true;
}

// Returns false if all elements must be taken as live.
bool FindLive(const Computation& sequence, const Instruction& loop, std::vector<bool>* live) {
  const Computation& body = *loop.called[1];
  if (sequence.root() == &loop || body.root()->opcode != Opcode::kTuple ||
      loop.operand(0)->opcode != Opcode::kTuple) {
    return false;
  }
  for (const auto& inst : sequence.instructions()) {
    if (std::count(inst->operands.begin(), inst->operands.end(), &loop) == 0) continue;
    if (inst->opcode != Opcode::kGetTupleElement) return false;
    (*live)[inst->GetInt(Attr::kIndex)] = true;
  }
  if (!MarkElements(*loop.called[0], loop.called[0]->root(), live)) return false;
  for (const Computation* part : loop.called) {
    for (const auto& inst : part->instructions()) {
      if (hlo::HasSideEffect(*inst) && !MarkElements(*part, inst.get(), live)) return false;
    }
  }
  std::vector<bool> before;
  do {
    before = *live;
    for (size_t i = 0; i < live->size(); ++i) {
      if (before[i] && !MarkElements(body, body.root()->operands[i], live)) return false;
    }
  } while (before != *live);
  return true;
}

void Renumber(const Computation& computation, const Instruction* tuple,
              const std::vector<int64_t>& places) {
  for (const auto& inst : computation.instructions()) {
    if (inst->opcode == Opcode::kGetTupleElement && inst->operand(0) == tuple) {
      inst->attrs.Set(Attr::kIndex, std::max<int64_t>(places[inst->GetInt(Attr::kIndex)], 0));
    }
  }
}

template <typename T>
std::vector<T> Kept(const std::vector<T>& all, const std::vector<bool>& live) {
  std::vector<T> kept;
  for (size_t i = 0; i < all.size(); ++i) {
    if (live[i]) kept.push_back(all[i]);
  }
  return kept;
}

absl::Status Shrink(Computation* sequence, Instruction* loop, const std::vector<bool>& live) {
  std::vector<int64_t> places;
  int64_t next = 0;
  for (bool is_live : live) places.push_back(is_live ? next++ : -1);
  if (loop->Has(Attr::kIndex)) {  // the first element on the host
    int64_t first = loop->GetInt(Attr::kIndex);
    loop->attrs.Set(Attr::kIndex, std::count(live.begin(), live.begin() + first, true));
  }
  Shape state = Shape::Tuple(Kept(loop->shape.elements(), live));
  for (Computation* part : loop->called) {
    Instruction* parameter = part->parameters()[0];
    Renumber(*part, parameter, places);
    parameter->shape = state;
    if (part == loop->called[1]) {
      const Instruction* root = part->root();
      part->set_root(part->Add(Opcode::kTuple, state, Kept(root->operands, live)));
    }
    part->RemoveDead();
  }
  Renumber(*sequence, loop, places);
  Instruction* init = sequence->Add(Opcode::kTuple, state, Kept(loop->operands[0]->operands, live));
  loop->operands[0] = init;
  loop->shape = state;
  sequence->RemoveDead();
  return sequence->SortTopologically() ? absl::OkStatus() : absl::InternalError("cycle");
}

absl::Status Visit(Computation* sequence) {
  std::vector<Instruction*> loops;
  for (const auto& inst : sequence->instructions()) {
    if (inst->opcode != Opcode::kWhile && inst->opcode != Opcode::kConditional) continue;
    for (Computation* callee : inst->called) {
      if (absl::Status s = Visit(callee); !s.ok()) return s;
    }
    if (inst->opcode == Opcode::kWhile) loops.push_back(inst.get());
  }
  // Users first: a loop that only feeds dead state of a later one goes with it.
  std::reverse(loops.begin(), loops.end());
  for (Instruction* loop : loops) {
    // A tuple that Shrink has added may lie where a loop was that it has removed.
    bool gone = std::none_of(
        sequence->instructions().begin(), sequence->instructions().end(),
        [&](const auto& inst) { return inst.get() == loop && inst->opcode == Opcode::kWhile; });
    if (gone || !loop->shape.IsTuple()) continue;
    std::vector<bool> live(loop->shape.elements().size());
    if (!FindLive(*sequence, *loop, &live)) continue;
    if (std::count(live.begin(), live.end(), false) == 0) continue;
    if (absl::Status s = Shrink(sequence, loop, live); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RemoveDeadState(hlo::Module& module) { return Visit(module.entry()); }

}  // namespace halyard::lowering
