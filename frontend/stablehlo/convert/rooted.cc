// Collectives with a root, and asynchronous ones.
#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/processes/communication.h"
#include "frontend/stablehlo/convert/convert.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::ElementType;
using hlo::GroupStrategy;
using hlo::Instruction;
using hlo::IntLists;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;

namespace {

constexpr std::array<absl::string_view, 8> kMayBeAsynchronous = {"stablehlo.all_gather",
                                                                 "stablehlo.all_reduce",
                                                                 "stablehlo.all_to_all",
                                                                 "stablehlo.collective_permute",
                                                                 "stablehlo.collective_reduce",
                                                                 "stablehlo.reduce_scatter",
                                                                 "stablehlo.slice",
                                                                 "stablehlo.collective_broadcast"};

size_t LargestGroup(const IntLists& groups) {
  size_t size = 0;
  for (const Ints& group : groups) size = std::max(size, group.size());
  return size;
}

// Member `first` of each group comes first; groups without such a member are left out.
IntLists WithFirst(const IntLists& groups, size_t first) {
  IntLists turned;
  for (Ints group : groups) {
    if (first >= group.size()) continue;
    std::rotate(group.begin(), group.begin() + static_cast<int64_t>(first), group.end());
    turned.push_back(std::move(group));
  }
  return turned;
}

Term Broadcasted(Term operand, const AttrMap& attrs) {
  return operand.graph->Add(Opcode::kCollectiveBroadcast, {operand}, attrs);
}

// Returns the place of `id` among the members of its group, or -1 if it is in none.
Term PlaceOf(Term id, const IntLists& groups) {
  Term place = Like(ConvertTo(id, ElementType::kS32), -1);
  for (const Ints& group : groups) {
    for (size_t i = 0; i < group.size(); ++i) {
      place = Select(id == Like(id, static_cast<double>(group[i])),
                     Like(place, static_cast<double>(i)), place);
    }
  }
  return place;
}

// Which member of its group a process is, a scalar of s32. Whatever the grid's size is, which is
// not known here.
Term OwnPlace(Graph& graph, const Instruction& reduced) {
  const IntLists& groups = reduced.GetIntLists(Attr::kReplicaGroups);
  const Term replica = ConvertTo(graph.Add(Opcode::kReplicaId, {}), ElementType::kS32);
  switch (hlo::StrategyOf(reduced)) {
    case GroupStrategy::kCrossReplicaAndPartition: {
      // All partitions of the first replica, then those of the next: partitions are the outer ones.
      const Term partition = ConvertTo(graph.Add(Opcode::kPartitionId, {}), ElementType::kS32);
      const double members = static_cast<double>(LargestGroup(groups));
      const Term place = PlaceOf(replica, groups);
      return Select(place < 0, place, partition * members + place);
    }
    case GroupStrategy::kFlattenedIds: {
      // What an id means depends on the grid. Every member contributes the numbers 0, 1, …, and
      // each member is left with that of its place.
      hlo::Computation* body = graph.computation()->module()->AddComputation("place_body");
      Instruction* a = body->AddParameter(0, Shape::Scalar(ElementType::kS32));
      Instruction* b = body->AddParameter(1, Shape::Scalar(ElementType::kS32));
      body->set_root(body->Add(Opcode::kMaximum, a->shape, {a, b}));
      AttrMap attrs = reduced.attrs;
      attrs.Set(Attr::kDimensions, Ints{0});
      const int64_t members = static_cast<int64_t>(LargestGroup(groups));
      const Term places = graph.Iota(ElementType::kS32, {members}, 0);
      return Reshape(graph.Add(Opcode::kReduceScatter, {places}, std::move(attrs), {body}), {});
    }
    default:
      return PlaceOf(replica, groups);
  }
}

// Element `i` of a vector, as s32.
Term RootOf(Term roots, int64_t i) {
  return Reshape(ConvertTo(Slice(roots, 0, i, i + 1), ElementType::kS32), {});
}

}  // namespace

// Operands of a collective with a root: data, and with has_dynamic_root a vector of roots, one for
// each, that say which member of a group it is; otherwise it is the first.
bool Converter::RootedOperands(const Operation& op, Frame& frame, Instructions* data,
                               Instruction** roots) {
  bool dynamic = false;
  *roots = nullptr;
  if (!OpReader(op, errors_).Flag("has_dynamic_root", &dynamic) || !Operands(op, frame, data)) {
    return false;
  }
  if (dynamic && data->size() < 2) {
    return Fail(op, "I1: needs data and their roots, as it has a dynamic root");
  }
  if (data->empty()) return Fail(op, "I1: needs data");
  if (dynamic) {
    *roots = data->back();
    data->pop_back();
    const Shape& shape = (*roots)->shape;
    if (!shape.IsArray() || shape.element_type() != ElementType::kS32 || shape.rank() != 1 ||
        shape.dim(0) != static_cast<int64_t>(data->size())) {
      return Fail(op, absl::StrCat("I2: the roots must be s32[", data->size(), "], are ",
                                   shape.ToString()));
    }
  }
  if (op.results.size() != data->size()) {
    return Fail(op, absl::StrCat("needs a result for each of ", data->size(), " arrays, has ",
                                 op.results.size()));
  }
  for (const Instruction* array : *data) {
    if (!array->shape.IsArray()) {
      return Fail(op, absl::StrCat("I1: data must be arrays, one is ", array->shape.ToString()));
    }
  }
  return true;
}

bool Converter::ConvertCollectiveBroadcast(const Operation& op, Frame& frame) {
  AttrMap attrs;
  Instructions data;
  Instruction* roots = nullptr;
  if (!GroupsAttribute(op, "replica_groups", Attr::kReplicaGroups, &attrs) ||
      !ChannelAttributes(op, &attrs) || !RootedOperands(op, frame, &data, &roots)) {
    return false;
  }
  std::vector<Shape> shapes;
  if (!ResultShapes(op, &shapes)) return false;
  for (size_t k = 0; k < data.size(); ++k) {
    if (hlo::ShapesAgree(shapes[k], data[k]->shape)) continue;
    return Fail(op, absl::StrCat("C3: result ", k, " must be ", data[k]->shape.ToString(), ", is ",
                                 shapes[k].ToString()));
  }
  Graph graph(frame.computation);
  std::vector<Term> results;
  for (size_t k = 0; k < data.size(); ++k) {
    const Term array = graph.Of(data[k]);
    Term result = Broadcasted(array, attrs);
    const IntLists* groups = std::get_if<IntLists>(attrs.Find(Attr::kReplicaGroups));
    for (size_t root = 1; roots != nullptr && groups != nullptr && root < LargestGroup(*groups);
         ++root) {
      AttrMap turned = attrs;
      turned.Set(Attr::kReplicaGroups, WithFirst(*groups, root));
      result = Select(RootOf(graph.Of(roots), static_cast<int64_t>(k)) == static_cast<double>(root),
                      Broadcasted(array, turned), result);
    }
    results.push_back(result);
  }
  return FinishGraph(op, frame, graph, results);
}

// An all-reduce whose result only the root keeps.
bool Converter::ConvertCollectiveReduce(const Operation& op, Frame& frame) {
  AttrMap attrs;
  Instructions data;
  Instruction* roots = nullptr;
  bool global = false;
  hlo::Computation* body = nullptr;
  if (!GroupsAttribute(op, "replica_groups", Attr::kReplicaGroups, &attrs) ||
      !ChannelAttributes(op, &attrs) ||
      !OpReader(op, errors_).Flag("use_global_device_ids", &global) ||
      !RootedOperands(op, frame, &data, &roots)) {
    return false;
  }
  if (global) attrs.Set(Attr::kUseGlobalDeviceIds, true);
  if (op.regions.size() != 1) return Fail(op, "must have one region");
  if (!RefuseCaptures(op) || !ConvertBody(op, {}, {}, &body)) return false;
  Graph graph(frame.computation);
  std::vector<Term> results;
  for (size_t k = 0; k < data.size(); ++k) {
    const Term sum = graph.Add(Opcode::kAllReduce, {graph.Of(data[k])}, attrs, {body});
    if (!graph.status().ok()) break;
    const Term root = roots == nullptr ? graph.SplatInt(ElementType::kS32, {}, 0)
                                       : RootOf(graph.Of(roots), static_cast<int64_t>(k));
    const Term is_root = OwnPlace(graph, *sum.inst) == root;
    results.push_back(Select(is_root, sum, Like(sum, 0)));
  }
  return FinishGraph(op, frame, graph, results);
}

// The operation inside runs at once, and its results are the future.
bool Converter::ConvertAsyncStart(const Operation& op, Frame& frame) {
  const mlir::Block* block = nullptr;
  if (op.regions.size() != 1) return Fail(op, "must have one region");
  if (!OneBlock(op, op.regions[0], &block)) return false;
  if (block->operations.size() != 2) {
    return Fail(op, "the region must hold one operation and a return");
  }
  const Operation& inner = *block->operations[0];
  if (std::count(kMayBeAsynchronous.begin(), kMayBeAsynchronous.end(), inner.name) == 0) {
    return Fail(
        op, absl::StrCat("the region must hold a collective or a slice, holds '", inner.name, "'"));
  }
  if (block->arguments.size() != op.operands.size()) {
    return Fail(op, absl::StrCat("has ", op.operands.size(), " operands, its region takes ",
                                 block->arguments.size()));
  }
  Frame body;
  body.computation = frame.computation;
  for (size_t i = 0; i < block->arguments.size(); ++i) {
    const Value& argument = *block->arguments[i];
    if (!mlir::SameType(*argument.type, *op.operands[i]->type)) {
      return Fail(op, absl::StrCat("operand ", i, " has type ", ToString(*op.operands[i]->type),
                                   ", the region takes ", ToString(*argument.type)));
    }
    if (!Operand(op, *op.operands[i], frame, &body.values[&argument])) return false;
  }
  Instructions results;
  if (!ConvertBlock(op, *block, body, &results)) return false;
  std::vector<Shape> futures;
  if (!ResultShapes(op, &futures)) return false;
  std::vector<Shape> shapes;
  for (const Instruction* result : results) shapes.push_back(result->shape);
  Shape given = Shape::Tuple(std::move(shapes));
  if (futures.size() != 1 || !Shape::SameIgnoringLayout(futures[0], given)) {
    return Fail(op, absl::StrCat("the result must be a future of ", given.ToString()));
  }
  frame.values[op.results[0].get()] =
      frame.computation->Add(Opcode::kTuple, std::move(given), std::move(results));
  return true;
}

bool Converter::ConvertAsyncDone(const Operation& op, Frame& frame) {
  Instructions operands;
  std::vector<Shape> shapes;
  if (!Operands(op, frame, &operands) || !ResultShapes(op, &shapes)) return false;
  if (operands.size() != 1 || op.operands[0]->type->kind != mlir::TypeKind::kFuture) {
    return Fail(op, "I1: needs one future");
  }
  const std::vector<Shape>& parts = operands[0]->shape.elements();
  bool same = parts.size() == shapes.size();
  for (size_t i = 0; same && i < parts.size(); ++i) {
    same = Shape::SameIgnoringLayout(parts[i], shapes[i]);
  }
  if (!same) return Fail(op, "the results must be what the future is of");
  for (size_t i = 0; i < parts.size(); ++i) {
    frame.values[op.results[i].get()] = Element(frame, operands[0], static_cast<int64_t>(i));
  }
  return true;
}

}  // namespace halyard::stablehlo
