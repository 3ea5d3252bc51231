#include "lowering/plan/steps/exchange_order.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace halyard::lowering {
namespace {

using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;
using Step = ProgramSpec::Step;

class Orderer {
 public:
  Orderer(const Computation& computation, const std::vector<const Instruction*>& order)
      : computation_(computation), given_(order), users_(computation.Users()) {
    FindLate();
    for (const Instruction* inst : given_) {
      // An operand may be there twice, and counts as often as the users count it.
      missing_[inst] = static_cast<int64_t>(inst->operands.size());
    }
  }

  std::vector<const Instruction*> Run() {
    for (const Instruction* inst : given_) {
      if (!late_.contains(inst) && inst != computation_.root()) Emit(inst);
    }
    for (const Instruction* inst : given_) Emit(inst);
    return std::move(order_);
  }

 private:
  // Finds what is late: of what needs the result of an exchange, other exchanges, kernels that read
  // it, kernels that only lead to what is late, and aliases.
  void FindLate() {
    // Values that need the result of an exchange, that are one, and kernels that read one.
    std::unordered_set<const Instruction*> needs, results, readers;
    for (const Instruction* inst : given_) {
      if (inst->opcode == Opcode::kExchange) results.insert(inst);
      for (const Instruction* operand : inst->operands) {
        const bool is_result = results.contains(operand);
        if (is_result || needs.contains(operand)) needs.insert(inst);
        if (is_result && IsAlias(inst->opcode)) results.insert(inst);
        if (is_result && inst->opcode == Opcode::kFusion) readers.insert(inst);
      }
    }
    for (auto at = given_.rbegin(); at != given_.rend(); ++at) {
      const Instruction* inst = *at;
      if (!needs.contains(inst) || inst == computation_.root()) continue;
      bool late =
          inst->opcode == Opcode::kExchange || IsAlias(inst->opcode) || readers.contains(inst);
      if (!late && inst->opcode == Opcode::kFusion) {
        const auto& users = users_.at(inst);
        late = std::all_of(users.begin(), users.end(),
                           [&](const Instruction* user) { return late_.contains(user); });
      }
      if (late) late_.insert(inst);
    }
  }

  // Emits an instruction after the operands that are still missing. The stack is explicit, because
  // chains are as long as programs.
  void Emit(const Instruction* inst) {
    std::vector<std::pair<const Instruction*, size_t>> stack = {{inst, 0}};
    while (!stack.empty()) {
      auto& [top, next] = stack.back();
      if (done_.contains(top)) {
        stack.pop_back();
      } else if (next < top->operands.size()) {
        const Instruction* operand = top->operands[next++];
        stack.push_back({operand, 0});
      } else {
        const Instruction* ready = top;
        stack.pop_back();
        Put(ready);
      }
    }
  }

  // Puts an instruction at the end of the order, and then the exchanges that may begin.
  void Put(const Instruction* inst) {
    std::vector<const Instruction*> ready = {inst};
    for (size_t i = 0; i < ready.size(); ++i) {
      order_.push_back(ready[i]);
      done_.insert(ready[i]);
      const auto users = users_.find(ready[i]);
      if (users == users_.end()) continue;
      for (const Instruction* user : users->second) {
        int64_t& missing = missing_[user];
        missing -= std::count(user->operands.begin(), user->operands.end(), ready[i]);
        const bool early = user->opcode == Opcode::kExchange || IsAlias(user->opcode);
        if (early && missing == 0 && !late_.contains(user) && user != computation_.root())
          ready.push_back(user);
      }
    }
  }

  const Computation& computation_;
  const std::vector<const Instruction*>& given_;
  const std::unordered_map<const Instruction*, std::vector<Instruction*>> users_;
  std::unordered_set<const Instruction*> late_, done_;
  std::unordered_map<const Instruction*, int64_t> missing_;  // operands
  std::vector<const Instruction*> order_;
};

}  // namespace

bool IsAlias(Opcode opcode) {
  return opcode == Opcode::kTuple || opcode == Opcode::kGetTupleElement ||
         opcode == Opcode::kReshape || opcode == Opcode::kOptimizationBarrier;
}

void OrderExchanges(const Computation& computation, std::vector<const Instruction*>* order) {
  const bool any = std::any_of(order->begin(), order->end(), [](const Instruction* inst) {
    return inst->opcode == Opcode::kExchange;
  });
  if (any) *order = Orderer(computation, *order).Run();
}

void JoinExchanges(ProgramSpec* spec) {
  for (ProgramSpec::Sequence& sequence : spec->sequences) {
    std::vector<Step> steps;
    std::vector<int64_t> numbers;  // of the exchanges that begin, among those that are left
    int64_t left = 0;
    for (size_t i = 0; i < sequence.steps.size(); ++i) {
      Step& step = sequence.steps[i];
      if (step.kind == Step::Kind::kExchangeEnd) step.numbers[0] = numbers[step.numbers[0]];
      if (step.kind != Step::Kind::kExchangeBegin) {
        steps.push_back(std::move(step));
        continue;
      }
      const bool at_once = i + 1 < sequence.steps.size() &&
                           sequence.steps[i + 1].kind == Step::Kind::kExchangeEnd &&
                           sequence.steps[i + 1].numbers[0] == static_cast<int64_t>(numbers.size());
      numbers.push_back(at_once ? -1 : left++);
      if (at_once) {
        Step& whole = sequence.steps[++i];
        whole.kind = Step::Kind::kExchange;
        whole.numbers = std::move(step.numbers);
        steps.push_back(std::move(whole));
      } else {
        steps.push_back(std::move(step));
      }
    }
    sequence.steps = std::move(steps);
  }
}

}  // namespace halyard::lowering
