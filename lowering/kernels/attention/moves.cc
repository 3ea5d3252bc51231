#include "lowering/kernels/attention/moves.h"

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

const Instruction* BehindConverts(const Instruction* inst) {
  while (inst->opcode == Opcode::kConvert) inst = inst->operand(0);
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

}  // namespace halyard::lowering
