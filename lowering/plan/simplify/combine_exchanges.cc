// Makes one exchange of several that do not depend on each other.
#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/processes/communication.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

// The most bytes that one exchange brings. Larger ones gain nothing, as the copies take their time,
// and all arrays of an exchange are in memory at once.
constexpr int64_t kMostBytes = 1 << 20;

bool HasOrder(const Instruction& inst) {
  return hlo::HasSideEffect(inst) || inst.opcode == Opcode::kWhile ||
         inst.opcode == Opcode::kConditional;
}

// How many exchanges are on the longest way to the instruction, with itself. Two of the same number
// do not depend on each other. What has an effect, and may have to do with the host, keeps its
// order: it counts as depending on what had an effect before.
std::unordered_map<const Instruction*, int64_t> Levels(const std::vector<Instruction*>& order) {
  std::unordered_map<const Instruction*, int64_t> levels;
  int64_t last_effect = 0;
  for (const Instruction* inst : order) {
    int64_t level = 0;
    for (const Instruction* operand : inst->operands) level = std::max(level, levels[operand]);
    if (HasOrder(*inst)) last_effect = level = std::max(level, last_effect);
    levels[inst] = level + (inst->opcode == Opcode::kExchange ? 1 : 0);
  }
  return levels;
}

int64_t OperandBytes(const Instruction& inst) {
  int64_t bytes = 0;
  for (const Instruction* operand : inst.operands) bytes += operand->shape.ByteSize();
  return bytes;
}

// Replaces exchanges of one array each by one exchange of all.
void Combine(Rewriter& rewriter, const std::vector<Instruction*>& exchanges) {
  std::vector<Instruction*> operands;
  std::vector<Shape> shapes;
  for (const Instruction* inst : exchanges) {
    operands.push_back(inst->operands[0]);
    shapes.push_back(inst->shape);
  }
  Instruction* all = rewriter.Add(*exchanges[0], Opcode::kExchange, Shape::Tuple(std::move(shapes)),
                                  std::move(operands), exchanges[0]->attrs);
  for (size_t i = 0; i < exchanges.size(); ++i) {
    if (i > 0) all->provenance.Unite(exchanges[i]->provenance);
    rewriter.Replace(exchanges[i],
                     rewriter.AddGetTupleElement(*exchanges[i], all, static_cast<int64_t>(i)));
  }
}

absl::Status CombineIn(hlo::Computation* computation) {
  Rewriter rewriter(computation);
  const std::vector<Instruction*> order = rewriter.Snapshot();
  const auto levels = Levels(order);
  std::map<std::tuple<int64_t, std::string, hlo::IntLists>, std::vector<Instruction*>> open;
  for (Instruction* inst : order) {
    if (inst->opcode != Opcode::kExchange || inst->operands.size() != 1) continue;
    absl::StatusOr<hlo::ExchangeKind> kind = hlo::ExchangeKindOf(*inst);
    if (!kind.ok()) return kind.status();
    // Pairs of processes are too different to be worth it, and broadcasts are rare.
    if (*kind != hlo::ExchangeKind::kGather && *kind != hlo::ExchangeKind::kAllToAll) continue;
    if (OperandBytes(*inst) > kMostBytes) continue;
    std::vector<Instruction*>& like = open[{levels.at(inst), inst->GetString(Attr::kKind),
                                            inst->GetIntLists(Attr::kReplicaGroups)}];
    int64_t bytes = OperandBytes(*inst);
    for (const Instruction* other : like) bytes += OperandBytes(*other);
    if (bytes > kMostBytes) {
      if (like.size() > 1) Combine(rewriter, like);
      like.clear();
    }
    like.push_back(inst);
  }
  for (const auto& [key, like] : open) {
    if (like.size() > 1) Combine(rewriter, like);
  }
  return rewriter.changed() ? rewriter.Finish() : absl::OkStatus();
}

}  // namespace

absl::Status CombineExchanges(hlo::Module& module) {
  for (const auto& computation : module.computations()) {
    if (absl::Status s = CombineIn(computation.get()); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
