#include "frontend/hlo/call_graph.h"

namespace halyard::hlo {

bool AppendCallOrder(Computation* start, std::unordered_set<const Computation*>* done,
                     std::vector<Computation*>* order) {
  if (!done->insert(start).second) return true;
  // An explicit stack: programs may nest calls as deep as they are long.
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

}  // namespace halyard::hlo
