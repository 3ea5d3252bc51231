#include "lowering/plan/steps/communication_step.h"

#include "absl/strings/str_join.h"
#include "frontend/hlo/ir/located_error.h"
#include "lowering/plan/rewriter.h"
#include "runtime/collectives/grid.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;
using Step = ProgramSpec::Step;

void AddShapes(const Shape& shape, std::vector<std::string>* shapes) {
  for (const Shape& leaf : hlo::FlattenShape(shape)) {
    if (!leaf.IsToken()) shapes->push_back(leaf.ToString());
  }
}

runtime::ExchangePattern PatternOf(hlo::ExchangeKind kind) {
  switch (kind) {
    case hlo::ExchangeKind::kGather:
      return runtime::ExchangePattern::kGather;
    case hlo::ExchangeKind::kAllToAll:
      return runtime::ExchangePattern::kAllToAll;
    case hlo::ExchangeKind::kPermute:
      return runtime::ExchangePattern::kPermute;
    case hlo::ExchangeKind::kBroadcast:
      return runtime::ExchangePattern::kBroadcast;
  }
  return runtime::ExchangePattern::kGather;
}

absl::StatusOr<Step> ExchangeStep(const Instruction& inst, const hlo::GridShape& grid, Step step) {
  absl::StatusOr<hlo::ExchangeKind> kind = hlo::ExchangeKindOf(inst);
  if (!kind.ok()) return kind.status();
  const std::vector<hlo::ProcessGroup> groups = hlo::GroupsOf(inst, grid);
  step.kind = Step::Kind::kExchange;
  step.numbers = {static_cast<int64_t>(PatternOf(*kind)), static_cast<int64_t>(groups.size())};
  for (const hlo::ProcessGroup& group : groups)
    step.numbers.push_back(static_cast<int64_t>(group.size()));
  for (const hlo::ProcessGroup& group : groups) {
    for (hlo::ProcessId id : group) step.numbers.push_back(grid.IndexOf(id));
  }
  return step;
}

absl::StatusOr<Step> TransferStep(const Instruction& transfer, Step::Kind kind, Step step) {
  step.kind = kind;
  step.numbers = {transfer.GetInt(Attr::kChannelId), transfer.GetBool(Attr::kIsHostTransfer)};
  return step;
}

}  // namespace

absl::StatusOr<Step> CommunicationStep(const Instruction& inst, const hlo::GridShape& grid) {
  Step step;
  step.label = hlo::Named(inst);
  std::vector<std::string> shapes;
  for (const Instruction* operand : inst.operands) {
    if (inst.opcode != Opcode::kRecvDone) AddShapes(operand->shape, &shapes);
  }
  if (inst.opcode == Opcode::kInfeed || inst.opcode == Opcode::kRecvDone)
    AddShapes(inst.shape, &shapes);
  step.target = absl::StrJoin(shapes, ", ");
  switch (inst.opcode) {
    case Opcode::kReplicaId:
    case Opcode::kPartitionId:
      step.kind = Step::Kind::kProcessId;
      step.numbers = {inst.opcode == Opcode::kPartitionId};
      return step;
    case Opcode::kExchange:
      return ExchangeStep(inst, grid, std::move(step));
    case Opcode::kSend:
      return TransferStep(inst, Step::Kind::kSend, std::move(step));
    case Opcode::kRecvDone:
      return TransferStep(*inst.operand(0), Step::Kind::kReceive, std::move(step));
    case Opcode::kInfeed:
      step.kind = Step::Kind::kInfeed;
      return step;
    case Opcode::kOutfeed:
      step.kind = Step::Kind::kOutfeed;
      return step;
    default:
      return LocatedError(absl::StatusCode::kUnimplemented, inst, "this op cannot be compiled yet");
  }
}

}  // namespace halyard::lowering
