#include <algorithm>
#include <limits>
#include <optional>

#include "frontend/hlo/ir/direction.h"
#include "frontend/hlo/ir/op_table.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;
using Wide = __int128;

// Returns the index of the state element that `inst` reads from the parameter, or -1.
int64_t StateIndex(const Instruction* inst) {
  if (inst->opcode != Opcode::kGetTupleElement) return -1;
  if (inst->operand(0)->opcode != Opcode::kParameter) return -1;
  return inst->GetInt(Attr::kIndex);
}

std::optional<Wide> ScalarInt(const Instruction* inst) {
  if (inst->opcode != Opcode::kConstant || !inst->shape.IsScalar() ||
      !hlo::IsInteger(inst->shape.element_type())) {
    return std::nullopt;
  }
  if (hlo::IsUnsigned(inst->shape.element_type())) return Wide{inst->literal.GetUint(0)};
  return Wide{inst->literal.GetInt(0)};
}

// State elements that the body hands on as they are and that start as small constants: the constant
// itself.
void PropagateConstants(Instruction* loop) {
  const Instruction* init = loop->operand(0);
  const Instruction* next = loop->called[1]->root();
  if (init->opcode != Opcode::kTuple || next->opcode != Opcode::kTuple) return;
  for (size_t i = 0; i < init->operands.size(); ++i) {
    const Instruction* value = init->operands[i];
    if (value->opcode != Opcode::kConstant) continue;
    if (StateIndex(next->operands[i]) != static_cast<int64_t>(i)) continue;
    for (Computation* part : loop->called) {
      std::vector<Instruction*> uses;
      for (const auto& inst : part->instructions()) {
        if (StateIndex(inst.get()) == static_cast<int64_t>(i)) uses.push_back(inst.get());
      }
      for (Instruction* use : uses) {
        Instruction* constant = part->AddConstant(value->literal);
        constant->provenance = value->provenance;
        Instruction* passed_on = part == loop->called[1] ? part->root() : nullptr;
        part->ReplaceAllUses(use, constant);
        // The body's result stays the element itself: a loop invariant, which costs no copy.
        if (passed_on != nullptr) passed_on->operands[i] = use;
      }
      part->SortTopologically();
    }
  }
}

// Number of values start, start + step, … for which the comparison holds before it first does not.
std::optional<int64_t> CountTrips(Wide start, Wide step, Wide bound, const std::string& direction,
                                  Wide smallest, Wide largest) {
  auto holds = [&](Wide value) {
    if (direction == "LT") return value < bound;
    if (direction == "LE") return value <= bound;
    if (direction == "GT") return value > bound;
    if (direction == "GE") return value >= bound;
    if (direction == "NE") return value != bound;
    return value == bound;
  };
  if (!holds(start)) return 0;
  if (step == 0) return std::nullopt;
  Wide count;
  if (direction == "EQ") {
    count = 1;
  } else if (direction == "NE") {
    if ((bound - start) % step != 0 || (bound - start) / step < 0) return std::nullopt;
    count = (bound - start) / step;
  } else {
    bool upward = direction == "LT" || direction == "LE";
    if (upward != (step > 0)) return std::nullopt;
    Wide distance = upward ? bound - start : start - bound;
    Wide stride = upward ? step : -step;
    bool inclusive = direction == "LE" || direction == "GE";
    count = inclusive ? distance / stride + 1 : (distance + stride - 1) / stride;
  }
  Wide last = start + count * step;
  if (last < smallest || last > largest) return std::nullopt;  // wraps before it ends
  if (count > std::numeric_limits<int64_t>::max()) return std::nullopt;
  return static_cast<int64_t>(count);
}

std::optional<int64_t> TripCount(const Instruction& loop) {
  const Instruction* init = loop.operand(0);
  const Instruction* test = loop.called[0]->root();
  const Instruction* next = loop.called[1]->root();
  if (init->opcode != Opcode::kTuple || next->opcode != Opcode::kTuple) return std::nullopt;
  if (test->opcode != Opcode::kCompare) return std::nullopt;
  std::string direction = test->GetString(Attr::kDirection);
  const Instruction* variable = test->operand(0);
  const Instruction* limit = test->operand(1);
  if (StateIndex(variable) < 0) {
    std::swap(variable, limit);
    direction = hlo::Mirrored(direction);
  }
  int64_t index = StateIndex(variable);
  std::optional<Wide> bound = ScalarInt(limit);
  if (index < 0 || !bound) return std::nullopt;
  std::optional<Wide> start = ScalarInt(init->operands[index]);
  const Instruction* update = next->operands[index];
  if (!start || update->operands.size() != 2) return std::nullopt;
  const Instruction* left = update->operand(0);
  const Instruction* right = update->operand(1);
  if (update->opcode == Opcode::kAdd && StateIndex(right) == index) std::swap(left, right);
  std::optional<Wide> step = ScalarInt(right);
  if (StateIndex(left) != index || !step) return std::nullopt;
  hlo::ElementType type = variable->shape.element_type();
  int bits = hlo::BitWidth(type);
  Wide smallest = hlo::IsSigned(type) ? -(Wide{1} << (bits - 1)) : 0;
  Wide largest = hlo::IsSigned(type) ? (Wide{1} << (bits - 1)) - 1 : (Wide{1} << bits) - 1;
  if (update->opcode == Opcode::kSubtract) {
    step = -*step;
  } else if (update->opcode != Opcode::kAdd) {
    return std::nullopt;
  }
  return CountTrips(*start, *step, *bound, direction, smallest, largest);
}

}  // namespace

int64_t TripCountOf(const Instruction& loop) {
  const auto& condition = loop.called[0]->instructions();
  const bool acts = std::any_of(condition.begin(), condition.end(),
                                [](const auto& inst) { return hlo::HasSideEffect(*inst); });
  return acts ? -1 : loop.GetInt(Attr::kKnownTripCount, -1);
}

absl::Status AnalyzeLoops(hlo::Module& module) {
  for (hlo::Computation* computation : module.PostOrder()) {
    for (const auto& inst : computation->instructions()) {
      if (inst->opcode != Opcode::kWhile) continue;
      PropagateConstants(inst.get());
      if (std::optional<int64_t> count = TripCount(*inst)) {
        inst->attrs.Set(Attr::kKnownTripCount, *count);
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
