// Collectives, infeed and outfeed, send and receive. What the size of the grid decides is in
// communication.cc.
#include "frontend/hlo/processes/communication.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/processes/transfer_pairs.h"

namespace halyard::hlo {
namespace {

// Checks that no id is in two groups or twice in one. `covers`: the ids must be all numbers from 0
// on.
absl::Status RequireUnique(absl::string_view unique, absl::string_view range,
                           const Instruction& inst, bool covers = true) {
  std::vector<int64_t> ids;
  for (const Ints& group : inst.GetIntLists(Attr::kReplicaGroups)) {
    HLO_REQUIRE(!group.empty(), "replica_groups", "a group has no member");
    ids.insert(ids.end(), group.begin(), group.end());
  }
  std::sort(ids.begin(), ids.end());
  HLO_REQUIRE(ids.empty() || ids[0] >= 0, range, "replica_groups has ", ids[0]);
  auto twice = std::adjacent_find(ids.begin(), ids.end());
  HLO_REQUIRE(twice == ids.end(), unique, "replica_groups has ", *twice, " twice");
  if (ids.empty()) return absl::OkStatus();
  HLO_REQUIRE(!covers || ids.back() < static_cast<int64_t>(ids.size()), range,
              "replica_groups has ", ids.back(), " and ", ids.size(), " ids in all");
  return absl::OkStatus();
}

absl::Status RequireChannel(absl::string_view label, const Instruction& inst) {
  HLO_REQUIRE(!inst.GetBool(Attr::kUseGlobalDeviceIds) || inst.GetInt(Attr::kChannelId) > 0, label,
              "use_global_device_ids needs a channel_id above 0, has ",
              inst.GetInt(Attr::kChannelId));
  return absl::OkStatus();
}

// The labels of the constraints on pairs.
struct PairLabels {
  absl::string_view columns, sources, targets, range;
};

// Checks that each process is at most once a source and at most once a target.
absl::Status RequirePairs(const IntLists& pairs, const PairLabels& labels) {
  std::unordered_set<int64_t> sources, targets;
  for (const Ints& pair : pairs) {
    HLO_REQUIRE(pair.size() == 2, labels.columns, "source_target_pairs must be pairs, has ",
                Listed(pair));
    HLO_REQUIRE(sources.insert(pair[0]).second, labels.sources, pair[0], " is a source twice");
    HLO_REQUIRE(targets.insert(pair[1]).second, labels.targets, pair[1], " is a target twice");
    HLO_REQUIRE(pair[0] >= 0 && pair[1] >= 0, labels.range, "source_target_pairs has ",
                Listed(pair));
  }
  return absl::OkStatus();
}

// Of a send or recv, which may have pairs.
absl::Status RequireTransferPairs(const Instruction& inst) {
  constexpr absl::string_view kLabel = "source_target_pairs";
  const absl::StatusOr<std::optional<IntLists>> pairs = TransferPairsOf(inst);
  HLO_REQUIRE(pairs.ok(), kLabel, pairs.status().message());
  return RequirePairs(pairs->value_or(IntLists()), {kLabel, kLabel, kLabel, kLabel});
}

// The one dimension along which the op works.
absl::StatusOr<int64_t> RequireDimension(absl::string_view label, const Instruction& inst) {
  const Ints& dims = inst.GetInts(Attr::kDimensions);
  HLO_REQUIRE(dims.size() == 1, "attributes", "dimensions must name one dimension, names ",
              dims.size());
  for (const Instruction* operand : inst.operands) {
    HLO_REQUIRE(dims[0] >= 0 && dims[0] < operand->shape.rank(), label, "dimension ", dims[0],
                " is not in [0, ", operand->shape.rank(), ")");
  }
  return dims[0];
}

// Returns a single result as it is, and several as a tuple.
Shape Packed(std::vector<Shape> shapes) {
  return shapes.size() == 1 ? std::move(shapes[0]) : Shape::Tuple(std::move(shapes));
}

// Returns the recorded result, with an array for each operand. It tells the size of the groups if
// the attributes do not. Empty if nothing is recorded.
absl::StatusOr<std::vector<Shape>> Recorded(absl::string_view label, const Instruction& inst) {
  const Shape& shape = inst.shape;
  if (shape.IsTuple() && shape.elements().empty()) return std::vector<Shape>();
  std::vector<Shape> shapes = shape.IsTuple() ? shape.elements() : std::vector<Shape>{shape};
  bool arrays =
      std::all_of(shapes.begin(), shapes.end(), [](const Shape& s) { return s.IsArray(); });
  HLO_REQUIRE(
      arrays && shapes.size() == inst.operands.size() && shape.IsTuple() == (shapes.size() > 1),
      label, "the result must be ", inst.operands.size() == 1 ? "an array" : "a tuple of ",
      inst.operands.size() == 1 ? "" : absl::StrCat(inst.operands.size(), " arrays"), ", is ",
      shape.ToString());
  return shapes;
}

// The type that the combiner works in; operands are converted to it.
absl::StatusOr<ElementType> CombinerType(absl::string_view label, const Instruction& inst) {
  ElementType type = ElementType::kF32;
  for (const Instruction* operand : inst.operands) {
    absl::StatusOr<std::vector<ElementType>> types =
        FoldTypes(label, *inst.called[0], {operand->shape.element_type()});
    if (!types.ok()) return types.status();
    type = (*types)[0];
  }
  return type;
}

absl::Status RequireHostType(const Instruction& inst, absl::string_view host_type) {
  const std::string& type = inst.GetString(Attr::kChannelType);
  if (type.empty()) return absl::OkStatus();
  bool host = inst.GetBool(Attr::kIsHostTransfer);
  absl::string_view want = host ? host_type : "DEVICE_TO_DEVICE";
  HLO_REQUIRE(type == want, "C1", "channel_type must be ", want, " when is_host_transfer is ",
              host ? "true" : "false", ", is ", type);
  return absl::OkStatus();
}

bool IsData(const Shape& shape) {
  if (!shape.IsTuple()) return shape.IsArray();
  return std::all_of(shape.elements().begin(), shape.elements().end(),
                     [](const Shape& s) { return s.IsArray(); });
}

// send-done and recv-done go with a send or recv of the same channel.
absl::Status RequireStarted(const Instruction& inst, Opcode start) {
  const Instruction& by = *inst.operand(0);
  HLO_REQUIRE(by.opcode == start, "I1", "the operand must be what a ",
              start == Opcode::kSend ? "send" : "recv", " gives");
  for (Attr attr : {Attr::kChannelId, Attr::kIsHostTransfer}) {
    HLO_REQUIRE(!inst.Has(attr) ||
                    *inst.attrs.Find(attr) ==
                        (by.Has(attr) ? *by.attrs.Find(attr)
                                      : AttrValue(attr == Attr::kChannelId ? AttrValue(int64_t{0})
                                                                           : AttrValue(false))),
                "channel", AttrName(attr), " is not that of ", by.name);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Shape> InferAllGather(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  absl::StatusOr<int64_t> dim = RequireDimension("C1", inst);
  if (!dim.ok()) return dim.status();
  HLO_RETURN_IF_ERROR(RequireUnique("C2", "C4", inst));
  HLO_RETURN_IF_ERROR(RequireChannel("C5", inst));
  int64_t size = GroupSizeSaid(inst);
  HLO_REQUIRE(size >= 0, "C6", "the groups must be of one size");
  absl::StatusOr<std::vector<Shape>> recorded = Recorded("C6", inst);
  if (!recorded.ok()) return recorded.status();
  HLO_REQUIRE(!recorded->empty() || size > 0, "C6", "the result's shape is not given");
  std::vector<Shape> results;
  for (size_t i = 0; i < inst.operands.size(); ++i) {
    const Shape& operand = inst.operand(static_cast<int64_t>(i))->shape;
    std::vector<Size> sizes = SizesOf(operand);
    int64_t& gathered = sizes[*dim].size;
    if (sizes[*dim].IsDynamic()) {
      sizes[*dim] = {Shape::kUnbounded};
      results.push_back(WithSizes(operand, sizes));
      continue;
    }
    // If the grid decides the size, the recorded size must be a possible one.
    int64_t said = recorded->empty() || (*recorded)[i].rank() != operand.rank()
                       ? -1
                       : (*recorded)[i].dim(*dim);
    bool possible = gathered == 0 ? said == 0 : said > 0 && said % gathered == 0;
    gathered = size > 0 ? gathered * size : possible ? said : gathered;
    results.push_back(WithSizes(operand, sizes));
  }
  return Packed(std::move(results));
}

absl::StatusOr<Shape> InferAllReduce(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  HLO_RETURN_IF_ERROR(RequireUnique("C1", "C3", inst));
  HLO_RETURN_IF_ERROR(RequireChannel("C4", inst));
  absl::StatusOr<ElementType> type = CombinerType("C5", inst);
  if (!type.ok()) return type.status();
  std::vector<Shape> results;
  for (const Instruction* operand : inst.operands) {
    results.push_back(operand->shape.WithElementType(*type).WithDefaultLayout());
  }
  return Packed(std::move(results));
}

absl::StatusOr<Shape> InferReduceScatter(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  absl::StatusOr<int64_t> dim = RequireDimension("C2", inst);
  if (!dim.ok()) return dim.status();
  HLO_RETURN_IF_ERROR(RequireUnique("C3", "C5", inst));
  HLO_RETURN_IF_ERROR(RequireChannel("C6", inst));
  absl::StatusOr<ElementType> type = CombinerType("C7", inst);
  if (!type.ok()) return type.status();
  int64_t size = GroupSizeSaid(inst);
  HLO_REQUIRE(size >= 0, "C8", "the groups must be of one size");
  absl::StatusOr<std::vector<Shape>> recorded = Recorded("C8", inst);
  if (!recorded.ok()) return recorded.status();
  HLO_REQUIRE(!recorded->empty() || size > 0, "C8", "the result's shape is not given");
  std::vector<Shape> results;
  for (size_t i = 0; i < inst.operands.size(); ++i) {
    const Shape& operand = inst.operand(static_cast<int64_t>(i))->shape;
    std::vector<Size> sizes = SizesOf(operand);
    int64_t& scattered = sizes[*dim].size;
    if (sizes[*dim].IsDynamic()) {
      sizes[*dim] = {Shape::kUnbounded};
      results.push_back(ArrayOf(*type, sizes));
      continue;
    }
    HLO_REQUIRE(size == 0 || scattered % size == 0, "C1", "dimension ", *dim, " of ",
                operand.ToString(), " cannot be split into ", size, " equal blocks");
    int64_t said = recorded->empty() || (*recorded)[i].rank() != operand.rank()
                       ? -1
                       : (*recorded)[i].dim(*dim);
    HLO_REQUIRE(said != 0 || scattered == 0, "C8", "dimension ", *dim,
                " of the result has no elements");
    bool possible = scattered == 0 ? said == 0 : said > 0 && scattered % said == 0;
    scattered = size > 0 ? scattered / size : possible ? said : scattered;
    results.push_back(ArrayOf(*type, sizes));
  }
  return Packed(std::move(results));
}

namespace {

// split_dimension, concat_dimension, split_count: any number of operands, each on its own.
absl::StatusOr<std::vector<Shape>> SplitAndConcatenated(const Instruction& inst) {
  HLO_REQUIRE(inst.Has(Attr::kConcatDimension) && inst.Has(Attr::kSplitCount), "attributes",
              "concat_dimension or split_count is missing");
  int64_t split = inst.GetInt(Attr::kSplitDimension), concat = inst.GetInt(Attr::kConcatDimension);
  int64_t count = inst.GetInt(Attr::kSplitCount);
  HLO_REQUIRE(count > 0, "C4", "split_count must be positive, is ", count);
  std::vector<Shape> results;
  for (const Instruction* operand : inst.operands) {
    std::vector<Size> sizes = SizesOf(operand->shape);
    int64_t rank = operand->shape.rank();
    HLO_REQUIRE(split >= 0 && split < rank, "C1", "split_dimension ", split, " is not in [0, ",
                rank, ")");
    HLO_REQUIRE(concat >= 0 && concat < rank, "C3", "concat_dimension ", concat, " is not in [0, ",
                rank, ")");
    HLO_REQUIRE(sizes[split].IsDynamic() || sizes[split].size % count == 0, "C2", "dimension ",
                split, " of ", operand->shape.ToString(), " cannot be split into ", count,
                " equal blocks");
    sizes[split] = MapSize(sizes[split], [&](int64_t n) { return n / count; });
    sizes[concat] = MapSize(sizes[concat], [&](int64_t n) { return n * count; });
    results.push_back(WithSizes(operand->shape, sizes));
  }
  return results;
}

}  // namespace

// StableHLO's form, or with `dimensions` XLA's on one array (split and concatenated along the same
// dimension), or without either XLA's on a list: operand i goes to member i.
absl::StatusOr<Shape> InferAllToAll(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  HLO_RETURN_IF_ERROR(RequireUnique("C5", "C7", inst));
  int64_t size = GroupSizeSaid(inst);
  HLO_REQUIRE(size >= 0, "C8", "the groups must be of one size");
  std::vector<Shape> results;
  if (inst.Has(Attr::kSplitDimension)) {
    absl::StatusOr<std::vector<Shape>> split = SplitAndConcatenated(inst);
    if (!split.ok()) return split.status();
    int64_t count = inst.GetInt(Attr::kSplitCount);
    HLO_REQUIRE(size == 0 || size == count, "C8", "split_count is ", count, ", the groups have ",
                size, " members");
    return Packed(*std::move(split));
  }
  for (const Instruction* operand : inst.operands) {
    results.push_back(operand->shape.WithDefaultLayout());
  }
  if (inst.Has(Attr::kDimensions)) {
    HLO_REQUIRE(inst.operands.size() == 1, "operands", "needs 1 beside dimensions, has ",
                inst.operands.size());
    absl::StatusOr<int64_t> dim = RequireDimension("C1", inst);
    if (!dim.ok()) return dim.status();
    const bool dynamic = results[0].IsDynamicDim(*dim);
    HLO_REQUIRE(size == 0 || dynamic || results[0].dim(*dim) % size == 0, "C2", "dimension ", *dim,
                " of ", results[0].ToString(), " cannot be split into ", size, " equal blocks");
    return results[0];
  }
  int64_t count = static_cast<int64_t>(results.size());
  HLO_REQUIRE(size == 0 || size == count, "C8", "has ", count, " operands, the groups have ", size,
              " members");
  for (const Shape& shape : results) {
    HLO_REQUIRE(Shape::SameIgnoringLayout(shape, results[0]), "C9",
                "the operands must be of one shape, are ", results[0].ToString(), " and ",
                shape.ToString());
  }
  return Shape::Tuple(std::move(results));
}

absl::StatusOr<Shape> InferCollectivePermute(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  HLO_RETURN_IF_ERROR(
      RequirePairs(inst.GetIntLists(Attr::kSourceTargetPairs), {"C1", "C2", "C3", "C4"}));
  return inst.operand(0)->shape.WithDefaultLayout();
}

absl::StatusOr<Shape> InferCollectiveBroadcast(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  HLO_RETURN_IF_ERROR(RequireUnique("C1", "C2", inst, false));
  return inst.operand(0)->shape.WithDefaultLayout();
}

// What ops become that the verifier has accepted, so only what shapes depend on is looked at.
absl::StatusOr<Shape> InferExchange(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  absl::StatusOr<ExchangeKind> kind = ExchangeKindOf(inst);
  if (!kind.ok()) return kind.status();
  const IntLists& groups = inst.GetIntLists(Attr::kReplicaGroups);
  if (*kind != ExchangeKind::kPermute) HLO_RETURN_IF_ERROR(RequireUnique("C1", "C2", inst, false));
  std::vector<Shape> results;
  for (const Instruction* operand : inst.operands) {
    std::vector<int64_t> dims = operand->shape.dims();
    int64_t most = 1;
    for (const Ints& group : groups) {
      HLO_REQUIRE(*kind != ExchangeKind::kPermute || group.size() == 2, "C3", "a pair has ",
                  group.size(), " processes");
      most = std::max(most, static_cast<int64_t>(group.size()));
      HLO_REQUIRE(*kind != ExchangeKind::kAllToAll ||
                      (!dims.empty() && dims[0] == static_cast<int64_t>(group.size())),
                  "C4", "needs a block for each member of a group");
    }
    if (*kind == ExchangeKind::kGather) dims.insert(dims.begin(), most);
    results.push_back(operand->shape.WithDims(std::move(dims)).WithDefaultLayout());
  }
  return results.size() == 1 ? results[0] : Shape::Tuple(std::move(results));
}

absl::StatusOr<Shape> InferReplicaId(const Instruction&) {
  return Shape::Scalar(ElementType::kU32);
}

absl::StatusOr<Shape> InferPartitionId(const Instruction&) {
  return Shape::Scalar(ElementType::kU32);
}

// (data, token), where data is an array or a tuple of arrays; an empty tuple reads nothing.
absl::StatusOr<Shape> InferInfeed(const Instruction& inst) {
  HLO_REQUIRE(inst.operands.empty() || inst.operand(0)->shape.IsToken(), "I1",
              "the operand must be a token, is ", inst.operand(0)->shape.ToString());
  HLO_REQUIRE(inst.shape.IsTuple() && inst.shape.elements().size() == 2, "C1",
              "the result must be data and a token, is ", inst.shape.ToString());
  const Shape& data = inst.shape.elements()[0];
  HLO_REQUIRE(IsData(data), "C2", "the data must be an array or a tuple of arrays, is ",
              data.ToString());
  HLO_REQUIRE(inst.shape.elements()[1].IsToken(), "C3", "the last result must be a token, is ",
              inst.shape.elements()[1].ToString());
  return inst.shape.WithDefaultLayout();
}

absl::StatusOr<Shape> InferOutfeed(const Instruction& inst) {
  const Instruction& token = *inst.operands.back();
  for (size_t i = 0; i + 1 < inst.operands.size(); ++i) {
    const Shape& data = inst.operands[i]->shape;
    HLO_REQUIRE(IsData(data), "I1", "operand ", i, " must be an array or a tuple of arrays, is ",
                data.ToString());
  }
  HLO_REQUIRE(token.shape.IsToken(), "I2", "the last operand must be a token, is ",
              token.shape.ToString());
  return Shape::Token();
}

absl::StatusOr<Shape> InferSend(const Instruction& inst) {
  const Shape& data = inst.operand(0)->shape;
  HLO_REQUIRE(IsData(data), "I1", "operand 0 must be an array or a tuple of arrays, is ",
              data.ToString());
  HLO_REQUIRE(inst.operand(1)->shape.IsToken(), "I2", "operand 1 must be a token, is ",
              inst.operand(1)->shape.ToString());
  HLO_RETURN_IF_ERROR(RequireHostType(inst, "DEVICE_TO_HOST"));
  HLO_RETURN_IF_ERROR(RequireTransferPairs(inst));
  return Shape::Tuple({data.WithDefaultLayout(), Shape::Scalar(ElementType::kU32), Shape::Token()});
}

absl::StatusOr<Shape> InferRecv(const Instruction& inst) {
  HLO_REQUIRE(inst.operands.empty() || inst.operand(0)->shape.IsToken(), "I1",
              "the operand must be a token, is ", inst.operand(0)->shape.ToString());
  HLO_RETURN_IF_ERROR(RequireHostType(inst, "HOST_TO_DEVICE"));
  HLO_RETURN_IF_ERROR(RequireTransferPairs(inst));
  const Shape& shape = inst.shape;
  HLO_REQUIRE(shape.IsTuple() && shape.elements().size() == 3, "C2",
              "the result must be data, u32[] and a token, is ", shape.ToString());
  HLO_REQUIRE(IsData(shape.elements()[0]), "C3",
              "the data must be an array or a tuple of arrays, is ",
              shape.elements()[0].ToString());
  HLO_REQUIRE(shape.elements()[2].IsToken(), "C4", "the last result must be a token, is ",
              shape.elements()[2].ToString());
  return Shape::Tuple(
      {shape.elements()[0].WithDefaultLayout(), Shape::Scalar(ElementType::kU32), Shape::Token()});
}

absl::StatusOr<Shape> InferSendDone(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireStarted(inst, Opcode::kSend));
  return Shape::Token();
}

absl::StatusOr<Shape> InferRecvDone(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireStarted(inst, Opcode::kRecv));
  return Shape::Tuple({inst.operand(0)->shape.elements()[0].WithDefaultLayout(), Shape::Token()});
}

}  // namespace halyard::hlo
