#include "frontend/hlo/ir/call_graph.h"

#include <unordered_map>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/located_error.h"
#include "frontend/hlo/ir/op_table.h"

namespace halyard::hlo {
namespace {

// Returns whether inlining makes a copy of the computations that the op calls.
bool HasCopiesOfCallees(Opcode opcode) {
  switch (opcode) {
    case Opcode::kCall:
    case Opcode::kFusion:
    case Opcode::kMap:
    case Opcode::kWhile:
    case Opcode::kConditional:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool AppendCallOrder(Computation* start, std::unordered_set<const Computation*>* done,
                     std::vector<Computation*>* order) {
  if (!done->insert(start).second) return true;
  // The stack is explicit, because programs may nest calls as deep as they are long.
  struct Frame {
    Computation* computation;
    size_t instruction = 0;
    size_t callee = 0;
  };
  std::vector<Frame> stack = {{start}};
  std::unordered_set<const Computation*> open = {start};
  while (!stack.empty()) {
    Frame& frame = stack.back();
    const auto& instructions = frame.computation->instructions();
    if (frame.instruction == instructions.size()) {
      order->push_back(frame.computation);
      open.erase(frame.computation);
      stack.pop_back();
      continue;
    }
    const std::vector<Computation*>& called = instructions[frame.instruction]->called;
    if (frame.callee == called.size()) {
      ++frame.instruction;
      frame.callee = 0;
      continue;
    }
    Computation* callee = called[frame.callee++];
    if (open.contains(callee)) return false;
    if (!done->insert(callee).second) continue;
    open.insert(callee);
    stack.push_back({callee});
  }
  return true;
}

absl::Status CheckInlinedSize(const Module& module) {
  std::unordered_map<const Computation*, int64_t> sizes;  // each at most the limit
  for (const Computation* computation : module.PostOrder()) {
    int64_t& size = sizes[computation];
    for (const auto& inst : computation->instructions()) {
      ++size;
      if (HasCopiesOfCallees(inst->opcode)) {
        for (const Computation* callee : inst->called) size += sizes.at(callee);
      }
      if (size <= kMaxInlinedInstructions) continue;
      return LocatedError(
          absl::StatusCode::kResourceExhausted, *inst,
          absl::StrCat("with calls inlined, computation ", computation->name(), " has more than ",
                       kMaxInlinedInstructions, " instructions"));
    }
  }
  return absl::OkStatus();
}

}  // namespace halyard::hlo
