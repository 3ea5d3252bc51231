#include "lowering/kernels/attention/moves.h"

#include <algorithm>
#include <unordered_set>

#include "frontend/hlo/ir/op_table.h"
#include "lowering/kernels/attention/form.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::Instruction;
using hlo::Opcode;

static bool KeepsOrder(const Instruction& reshape) {
  std::vector<int64_t> from = reshape.operand(0)->shape.dims(), to = reshape.shape.dims();
  std::erase(from, 1);
  std::erase(to, 1);
  return from == to;
}

bool IsMove(const Instruction& inst) {
  return inst.opcode == Opcode::kTranspose || (inst.opcode == Opcode::kReshape && KeepsOrder(inst));
}

bool IsFloatConvert(const Instruction& inst) {
  return inst.opcode == Opcode::kConvert && hlo::IsFloat(inst.shape.element_type()) &&
         hlo::IsFloat(inst.operand(0)->shape.element_type());
}

const Instruction* BehindConverts(const Instruction* inst) {
  while (IsFloatConvert(*inst)) inst = inst->operand(0);
  return inst;
}

Instruction* BehindConverts(Instruction* inst) {
  return const_cast<Instruction*>(BehindConverts(static_cast<const Instruction*>(inst)));
}

std::vector<int64_t> MovedPlaces(const Instruction& move, const std::vector<int64_t>& from) {
  std::vector<int64_t> places;
  if (move.opcode == Opcode::kTranspose) {
    for (int64_t d : move.GetInts(Attr::kDimensions)) places.push_back(from[d]);
    return places;
  }
  size_t next = 0;
  const std::vector<int64_t>& dims = move.operand(0)->shape.dims();
  for (int64_t extent : move.shape.dims()) {
    if (extent == 1) {
      places.push_back(AttentionForm::kNone);
      continue;
    }
    while (dims[next] == 1) ++next;
    places.push_back(from[next++]);
  }
  return places;
}

std::vector<int64_t> PlacesBefore(const Instruction& move, const std::vector<int64_t>& after) {
  const hlo::Shape& from = move.operand(0)->shape;
  std::vector<int64_t> before(static_cast<size_t>(from.rank()), AttentionForm::kNone);
  if (move.opcode == Opcode::kTranspose) {
    const hlo::Ints& order = move.GetInts(Attr::kDimensions);
    for (size_t i = 0; i < order.size(); ++i) before[static_cast<size_t>(order[i])] = after[i];
    return before;
  }
  size_t next = 0;
  for (int64_t d = 0; d < from.rank(); ++d) {
    if (from.dim(d) == 1) continue;
    while (move.shape.dim(static_cast<int64_t>(next)) == 1) ++next;
    before[static_cast<size_t>(d)] = after[next++];
  }
  return before;
}

const Instruction* ConstantOfAll(const Instruction& value) {
  const Instruction* inst = &value;
  while (inst->opcode == Opcode::kBroadcast || inst->opcode == Opcode::kConvert)
    inst = inst->operand(0);
  return inst->opcode == Opcode::kConstant && inst->shape.IsScalar() ? inst : nullptr;
}

bool IsSameAlong(const Instruction& value, int64_t dim, int depth) {
  constexpr int kDeepest = 12;  // each op may have three operands
  if (value.shape.dim(dim) == 1) return true;
  if (depth == kDeepest) return false;
  if (value.opcode == Opcode::kBroadcast) {
    const hlo::Ints& to = value.GetInts(Attr::kDimensions);
    const auto found = std::find(to.begin(), to.end(), dim);
    return found == to.end() || IsSameAlong(*value.operand(0), found - to.begin(), depth + 1);
  }
  if (IsMove(value)) {
    std::vector<int64_t> marked(static_cast<size_t>(value.shape.rank()), AttentionForm::kNone);
    marked[static_cast<size_t>(dim)] = 0;
    const std::vector<int64_t> before = PlacesBefore(value, marked);
    const auto found = std::find(before.begin(), before.end(), 0);
    return found != before.end() &&
           IsSameAlong(*value.operand(0), found - before.begin(), depth + 1);
  }
  return hlo::RowOf(value.opcode).elementwise &&
         std::all_of(value.operands.begin(), value.operands.end(), [&](const Instruction* operand) {
           return operand->shape.rank() == 0 || (operand->shape.dims() == value.shape.dims() &&
                                                 IsSameAlong(*operand, dim, depth + 1));
         });
}

bool Reaches(const Instruction& start, absl::FunctionRef<bool(const Instruction&)> found,
             absl::FunctionRef<std::vector<Instruction*>(const Instruction&)> next) {
  std::vector<const Instruction*> work = {&start};
  std::unordered_set<const Instruction*> seen = {&start};
  while (!work.empty()) {
    const Instruction& at = *work.back();
    work.pop_back();
    if (found(at)) return true;
    for (const Instruction* operand : next(at))
      if (seen.insert(operand).second) work.push_back(operand);
  }
  return false;
}

}  // namespace halyard::lowering
