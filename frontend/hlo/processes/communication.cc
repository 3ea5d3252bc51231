#include "frontend/hlo/processes/communication.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_set>

#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/processes/transfer_pairs.h"

namespace halyard::hlo {
namespace {

// Returns how many ids a strategy has, and what an id stands for.
int64_t NumIds(GroupStrategy strategy, const GridShape& grid) {
  switch (strategy) {
    case GroupStrategy::kCrossReplica:
    case GroupStrategy::kCrossReplicaAndPartition:
      return grid.replicas;
    case GroupStrategy::kCrossPartition:
      return grid.partitions;
    case GroupStrategy::kFlattenedIds:
      return grid.size();
  }
  return 0;
}

absl::string_view IdName(GroupStrategy strategy) {
  switch (strategy) {
    case GroupStrategy::kCrossReplica:
    case GroupStrategy::kCrossReplicaAndPartition:
      return "replica";
    case GroupStrategy::kCrossPartition:
      return "partition";
    case GroupStrategy::kFlattenedIds:
      return "process";
  }
  return "";
}

// "2 replicas", "3 x 2 processes": the product of the last may be too large to be said.
std::string IdsText(GroupStrategy strategy, const GridShape& grid) {
  if (strategy == GroupStrategy::kFlattenedIds)
    return absl::StrCat(grid.replicas, " x ", grid.partitions, " processes");
  return absl::StrCat(NumIds(strategy, grid), " ", IdName(strategy), "s");
}

// The labels of the constraints that depend on the grid: every id is in a group, ids are in range,
// the size of a group.
struct Labels {
  const char* covered;  // null: not needed
  const char* range;
  const char* size;
};

Labels LabelsOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAllGather:
      return {"C3", "C4", "C6"};
    case Opcode::kAllReduce:
      return {"C2", "C3", nullptr};
    case Opcode::kReduceScatter:
      return {"C4", "C5", "C8"};
    case Opcode::kAllToAll:
      return {"C6", "C7", "C8"};
    case Opcode::kCollectivePermute:
      return {nullptr, "C4", nullptr};
    case Opcode::kSend:
    case Opcode::kRecv:
      return {nullptr, "source_target_pairs", nullptr};
    default:  // collective-broadcast
      return {nullptr, "C2", nullptr};
  }
}

bool IsTransferStart(Opcode opcode) { return opcode == Opcode::kSend || opcode == Opcode::kRecv; }

// Whether the lists of ids are pairs of a source and a target.
bool HasPairs(Opcode opcode) {
  return opcode == Opcode::kCollectivePermute || IsTransferStart(opcode);
}

IntLists ListsOf(const Instruction& inst) {
  if (!HasPairs(inst.opcode)) return inst.GetIntLists(Attr::kReplicaGroups);
  if (!IsTransferStart(inst.opcode)) return inst.GetIntLists(Attr::kSourceTargetPairs);
  const absl::StatusOr<std::optional<IntLists>> pairs = TransferPairsOf(inst);
  return pairs.ok() ? pairs->value_or(IntLists()) : IntLists();
}

// Of a number that SaturatingProduct may have returned.
std::string CountText(int64_t count) {
  const bool known = count < std::numeric_limits<int64_t>::max();
  return known ? absl::StrCat(count) : "too many";
}

// For all-gather and reduce-scatter: the long side is `size` times the short one. (For all-to-all,
// the number of blocks is the size.)
absl::Status CheckSize(const Instruction& inst, int64_t size) {
  const char* label = LabelsOf(inst.opcode).size;
  if (inst.opcode == Opcode::kAllToAll) {
    bool listed = inst.Has(Attr::kSplitDimension) || inst.Has(Attr::kDimensions);
    int64_t count = inst.Has(Attr::kSplitCount) ? inst.GetInt(Attr::kSplitCount)
                    : listed                    ? size
                                                : static_cast<int64_t>(inst.operands.size());
    HLO_REQUIRE(count == size, label, "makes ", count, " blocks for groups of ", CountText(size),
                " processes");
    if (!inst.Has(Attr::kDimensions)) return absl::OkStatus();
    int64_t dim = inst.operand(0)->shape.dim(inst.GetInts(Attr::kDimensions)[0]);
    HLO_REQUIRE(dim % size == 0, "C2", "a dimension of ", dim, " cannot be split into ", size,
                " equal blocks");
    return absl::OkStatus();
  }
  int64_t dim = inst.GetInts(Attr::kDimensions)[0];
  std::vector<Shape> results = FlattenShape(inst.shape);
  for (size_t i = 0; i < inst.operands.size(); ++i) {
    int64_t operand = inst.operand(static_cast<int64_t>(i))->shape.dim(dim);
    bool gather = inst.opcode == Opcode::kAllGather;
    int64_t want = gather ? SaturatingProduct(operand, size) : operand / size;
    HLO_REQUIRE(gather || operand % size == 0, "C1", "a dimension of ", operand,
                " cannot be split into ", size, " equal blocks");
    HLO_REQUIRE(results[i].dim(dim) == want, label, "dimension ", dim, " of the result is ",
                results[i].dim(dim), ", must be ", CountText(want), " for groups of ",
                CountText(size), " processes");
  }
  return absl::OkStatus();
}

}  // namespace

std::string ProcessId::ToString() const { return absl::StrCat("(", replica, ", ", partition, ")"); }

absl::Status CheckGrid(const GridShape& grid) {
  if (grid.replicas >= 1 && grid.partitions >= 1 && grid.replicas <= kMaxProcesses &&
      grid.partitions <= kMaxProcesses / grid.replicas) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("the program is for ", grid.replicas, " replicas x ", grid.partitions,
                   " partitions; 1 to ", kMaxProcesses, " processes are possible"));
}

bool IsCommunication(Opcode opcode) {
  const OpKind kind = RowOf(opcode).kind;
  return kind == OpKind::kCollective || kind == OpKind::kProcessId || kind == OpKind::kTransfer;
}

bool IsCollective(Opcode opcode) { return RowOf(opcode).kind == OpKind::kCollective; }

absl::StatusOr<ExchangeKind> ExchangeKindOf(const Instruction& exchange) {
  const std::string& kind = exchange.GetString(Attr::kKind);
  if (kind == "gather") return ExchangeKind::kGather;
  if (kind == "all-to-all") return ExchangeKind::kAllToAll;
  if (kind == "permute") return ExchangeKind::kPermute;
  if (kind == "broadcast") return ExchangeKind::kBroadcast;
  return absl::InvalidArgumentError(absl::StrCat("unknown kind of exchange: ", kind));
}

GroupStrategy StrategyOf(const Instruction& collective) {
  if (collective.opcode == Opcode::kExchange) return GroupStrategy::kFlattenedIds;
  if (collective.GetInt(Attr::kChannelId) <= 0) return GroupStrategy::kCrossReplica;
  switch (collective.opcode) {
    case Opcode::kAllToAll:
    case Opcode::kCollectivePermute:
    case Opcode::kCollectiveBroadcast:
    case Opcode::kSend:
    case Opcode::kRecv:
      return GroupStrategy::kCrossPartition;
    default:
      return collective.GetBool(Attr::kUseGlobalDeviceIds)
                 ? GroupStrategy::kFlattenedIds
                 : GroupStrategy::kCrossReplicaAndPartition;
  }
}

int64_t GroupSizeSaid(const Instruction& collective) {
  const IntLists& groups = collective.GetIntLists(Attr::kReplicaGroups);
  if (groups.empty()) return 0;
  size_t size = groups[0].size();
  for (const Ints& group : groups) {
    if (group.size() != size) return -1;
  }
  // Each replica stands for all its partitions.
  bool several = StrategyOf(collective) == GroupStrategy::kCrossReplicaAndPartition;
  return several ? 0 : static_cast<int64_t>(size);
}

absl::Status CheckCommunication(const Instruction& inst, const GridShape& grid) {
  if (!IsCollective(inst.opcode) && !IsTransferStart(inst.opcode)) return absl::OkStatus();
  GroupStrategy strategy = StrategyOf(inst);
  const int64_t count = NumIds(strategy, grid);
  const Labels labels = LabelsOf(inst.opcode);
  // Pairs cover what they like, and the groups of an exchange are checked by its inference.
  const IntLists groups = ListsOf(inst);
  int64_t ids = 0;
  for (const Ints& group : groups) {
    ids += static_cast<int64_t>(group.size());
    for (int64_t id : group) {
      HLO_REQUIRE(id >= 0 && id < count, labels.range, IdName(strategy), " ", id, " is not in [0, ",
                  count, "): the program runs as ", grid.replicas, " replicas x ", grid.partitions,
                  " partitions");
    }
  }
  if (HasPairs(inst.opcode)) return absl::OkStatus();
  // Inference has checked that the ids differ, so if there are as many as processes, they are all
  // of them.
  HLO_REQUIRE(labels.covered == nullptr || groups.empty() || ids == count, labels.covered,
              "replica_groups has ", ids, " ids, the program has ", IdsText(strategy, grid));
  if (labels.size == nullptr) return absl::OkStatus();
  int64_t size = groups.empty() ? count : static_cast<int64_t>(groups[0].size());
  if (strategy == GroupStrategy::kCrossReplicaAndPartition) {
    size = SaturatingProduct(size, grid.partitions);
  }
  return CheckSize(inst, size);
}

std::vector<ProcessGroup> GroupsOf(const Instruction& collective, const GridShape& grid) {
  GroupStrategy strategy = StrategyOf(collective);
  IntLists lists = ListsOf(collective);
  if (lists.empty() && !HasPairs(collective.opcode) && collective.opcode != Opcode::kExchange) {
    lists.emplace_back(NumIds(strategy, grid));
    std::iota(lists[0].begin(), lists[0].end(), 0);
  }
  std::vector<ProcessGroup> groups;
  for (const Ints& ids : lists) {
    // Makes one group, or one like it for each process of the other axis.
    int64_t copies = strategy == GroupStrategy::kCrossReplica     ? grid.partitions
                     : strategy == GroupStrategy::kCrossPartition ? grid.replicas
                                                                  : 1;
    for (int64_t copy = 0; copy < copies; ++copy) {
      ProcessGroup& group = groups.emplace_back();
      switch (strategy) {
        case GroupStrategy::kCrossReplica:
          for (int64_t id : ids) group.push_back({id, copy});
          break;
        case GroupStrategy::kCrossPartition:
          for (int64_t id : ids) group.push_back({copy, id});
          break;
        case GroupStrategy::kCrossReplicaAndPartition:
          for (int64_t partition = 0; partition < grid.partitions; ++partition) {
            for (int64_t id : ids) group.push_back({id, partition});
          }
          break;
        case GroupStrategy::kFlattenedIds:
          for (int64_t id : ids) group.push_back(grid.At(id));
          break;
      }
    }
  }
  return groups;
}

void ReceiveLate(std::vector<const Instruction*>* order) {
  const auto waits = [](const Instruction* inst) { return inst->opcode == Opcode::kRecvDone; };
  if (std::none_of(order->begin(), order->end(), waits)) return;
  std::vector<const Instruction*> left = std::move(*order);
  order->clear();
  while (!left.empty()) {
    // What needs a wait that is left has to be left, too.
    std::unordered_set<const Instruction*> later;
    std::vector<const Instruction*> kept;
    const Instruction* first = nullptr;
    for (const Instruction* inst : left) {
      const bool needs = std::any_of(inst->operands.begin(), inst->operands.end(),
                                     [&](const Instruction* o) { return later.contains(o); });
      if (!needs && !waits(inst)) {
        order->push_back(inst);
        continue;
      }
      later.insert(inst);
      if (first == nullptr && !needs) {
        first = inst;
      } else {
        kept.push_back(inst);
      }
    }
    if (first != nullptr) order->push_back(first);
    left = std::move(kept);
  }
}

}  // namespace halyard::hlo
