// chlo.ragged_dot: a product of which one of the left operand's dimensions is cut into groups of
// sizes known at run time.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "frontend/stablehlo/convert/convert.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::ElementType;
using hlo::Ints;
using hlo::Opcode;

namespace {

bool Contains(const Ints& list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// [g, …, m] of PRED: whether position i of the last dimension is in group g, where group sizes are
// […, g].
Term GroupMask(Term sizes, int64_t extent) {
  Graph& graph = *sizes.graph;
  const int64_t rank = sizes.rank(), groups = sizes.dim(rank - 1);
  // Ends are sums of the sizes up to each group's own.
  Ints square = sizes.shape().dims();
  square.push_back(groups);  // […, summed, group]
  Ints places(rank);
  for (int64_t i = 0; i < rank; ++i) places[i] = i;
  Term all = Broadcast(ConvertTo(sizes, ElementType::kS64), square, places);
  Term included = graph.Iota(ElementType::kS64, square, rank - 1) <=
                  graph.Iota(ElementType::kS64, square, rank);
  Term zero = graph.Splat(ElementType::kS64, square, 0);
  Term ends = Reduce(Select(included, all, zero), {rank - 1}, Opcode::kAdd, 0);  // […, g]
  Term starts = ends - ConvertTo(sizes, ElementType::kS64);
  Ints dims = {groups};
  Ints to(rank);
  for (int64_t i = 0; i + 1 < rank; ++i) {
    dims.push_back(sizes.dim(i));
    to[i] = i + 1;
  }
  to[rank - 1] = 0;
  dims.push_back(extent);
  Term position = graph.Iota(ElementType::kS64, dims, rank);
  return (Broadcast(starts, dims, to) <= position) & (position < Broadcast(ends, dims, to));
}

// x with one more dimension, its groups, in front; zeros where an element is in another group.
// Dimension i of the mask's rest is dimension places[i] of x.
Term SplitIntoGroups(Term x, Term mask, const Ints& places) {
  Ints dims = x.shape().dims();
  dims.insert(dims.begin(), mask.dim(0));
  Ints own(x.rank()), of_mask = {0};
  for (int64_t i = 0; i < x.rank(); ++i) own[i] = i + 1;
  for (int64_t place : places) of_mask.push_back(place + 1);
  // Places must rise.
  Ints order(of_mask.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
  std::sort(order.begin(), order.end(),
            [&](int64_t a, int64_t b) { return of_mask[a] < of_mask[b]; });
  mask = Transpose(mask, order);
  std::sort(of_mask.begin(), of_mask.end());
  return Select(Broadcast(mask, dims, of_mask), Broadcast(x, dims, own),
                x.graph->Splat(x.type(), dims, 0));
}

}  // namespace

bool Converter::ConvertRaggedDot(const Operation& op, Frame& frame) {
  if (HasDynamicOperand(op, frame)) return EmitStandIn(op, frame, "sizes that are not known");
  Instructions operands;
  const mlir::Attribute* numbers = nullptr;
  OpReader reader(op, errors_);
  if (!ChloOperands(op, frame, 3, &operands) ||
      !reader.Struct("ragged_dot_dimension_numbers", &numbers)) {
    return false;
  }
  DotDims dims;
  Ints ragged, group;
  for (auto [name, list] : {std::pair("lhs_batching_dimensions", &dims.lhs_batch),
                            {"rhs_batching_dimensions", &dims.rhs_batch},
                            {"lhs_contracting_dimensions", &dims.lhs_contracting},
                            {"rhs_contracting_dimensions", &dims.rhs_contracting},
                            {"lhs_ragged_dimensions", &ragged},
                            {"rhs_group_dimensions", &group}}) {
    if (!reader.FieldInts(*numbers, name, list)) return false;
  }
  RaggedDot dot{.dims = dims};
  if (!Precision(op, &dot.attrs)) return false;
  Graph graph(frame.computation);
  Term lhs = graph.Of(operands[0]), rhs = graph.Of(operands[1]), sizes = graph.Of(operands[2]);
  if (ragged.size() != 1 || ragged[0] < 0 || ragged[0] >= lhs.rank()) {
    return Fail(op, "needs one ragged dimension of the left operand");
  }
  for (auto [list, rank] : {std::pair(&dims.lhs_batch, lhs.rank()),
                            {&dims.lhs_contracting, lhs.rank()},
                            {&dims.rhs_batch, rhs.rank()},
                            {&dims.rhs_contracting, rhs.rank()},
                            {&group, rhs.rank()}}) {
    for (int64_t dim : *list) {
      if (dim < 0 || dim >= rank) {
        return Fail(op, absl::StrCat("dimension ", dim, " is not in [0, ", rank, ")"));
      }
    }
  }
  if (dims.lhs_batch.size() != dims.rhs_batch.size() ||
      dims.lhs_contracting.size() != dims.rhs_contracting.size()) {
    return Fail(op, "both operands need as many batch and contracting dimensions");
  }
  if (sizes.rank() < 1 || !hlo::IsInteger(sizes.type())) {
    return Fail(op, "group sizes must be integers, at least a vector");
  }
  Ints square = sizes.shape().dims();
  square.push_back(square.back());
  if (hlo::CheckedByteSize(ElementType::kS64, square) < 0) return Fail(op, "has too many groups");
  std::vector<hlo::Shape> results;
  if (!ResultShapes(op, &results)) return false;
  if (results.size() != 1 || !results[0].IsArray()) return Fail(op, "must give one tensor");
  dot.ragged = ragged[0];
  dot.group = group.empty() ? -1 : group[0];
  dot.type = results[0].element_type();
  return EmitRaggedDot(op, frame, graph, dot, {lhs, rhs, sizes});
}

bool Converter::EmitRaggedDot(const Operation& op, Frame& frame, Graph& graph, const RaggedDot& dot,
                              const std::vector<Term>& operands) {
  Term lhs = operands[0], rhs = operands[1], sizes = operands[2];
  const bool in_batch = Contains(dot.dims.lhs_batch, dot.ragged);
  const bool contracted = Contains(dot.dims.lhs_contracting, dot.ragged);
  if ((dot.group >= 0) == (in_batch || contracted)) {
    return Fail(op,
                "a group dimension of the right operand goes with a ragged dimension that is "
                "neither batch nor contracting, and with no other");
  }
  auto multiply = [&](Term a, Term b, const DotDims& dims) {
    return Dot(a, b, dims, dot.type, dot.attrs);
  };
  // Group sizes: one list for all, or one for each place of the dimensions before the ragged one.
  Ints prefix;
  for (const Ints* dims : {&dot.dims.lhs_batch, &dot.dims.lhs_contracting}) {
    if (dims == &dot.dims.lhs_contracting && !contracted) continue;
    for (int64_t i : *dims) {
      if (i == dot.ragged) break;
      prefix.push_back(i);
    }
  }
  for (int64_t i = 0; i < dot.ragged && !contracted && !in_batch; ++i) {
    if (!Contains(prefix, i) && !Contains(dot.dims.lhs_contracting, i)) prefix.push_back(i);
  }
  if (sizes.rank() == 1) prefix.clear();
  Ints expected;
  for (int64_t i : prefix) expected.push_back(lhs.dim(i));
  Ints leading(sizes.shape().dims().begin(), sizes.shape().dims().end() - 1);
  if (leading != expected) {
    return Fail(op, absl::StrCat("group sizes ", sizes.shape().ToString(),
                                 " do not go with the left operand ", lhs.shape().ToString()));
  }
  // All rows of a batch belong to some group.
  if (in_batch) return FinishGraph(op, frame, graph, {multiply(lhs, rhs, dot.dims)});
  const int64_t groups = sizes.dim(sizes.rank() - 1);
  Term mask = GroupMask(sizes, lhs.dim(dot.ragged));
  Ints places = prefix;
  places.push_back(dot.ragged);
  if (contracted) {
    // [b, m, k], [b, k, n] -> [g, b, m, n]: groups are a batch dimension of both.
    Ints rhs_places;
    for (int64_t place : places) {
      auto at = [&](const Ints& list) {
        return std::find(list.begin(), list.end(), place) - list.begin();
      };
      const size_t batch = at(dot.dims.lhs_batch), inner = at(dot.dims.lhs_contracting);
      rhs_places.push_back(batch < dot.dims.lhs_batch.size() ? dot.dims.rhs_batch[batch]
                                                             : dot.dims.rhs_contracting[inner]);
    }
    for (int64_t place : rhs_places) {
      if (place >= rhs.rank()) return Fail(op, "dimensions of the operands do not match");
    }
    for (size_t i = 0; i < places.size(); ++i) {
      if (lhs.dim(places[i]) != rhs.dim(rhs_places[i])) {
        return Fail(op, "the operands' batch or contracting dimensions differ");
      }
    }
    DotDims split = dot.dims;
    for (Ints* list :
         {&split.lhs_batch, &split.rhs_batch, &split.lhs_contracting, &split.rhs_contracting}) {
      for (int64_t& dim : *list) ++dim;
    }
    split.lhs_batch.insert(split.lhs_batch.begin(), 0);
    split.rhs_batch.insert(split.rhs_batch.begin(), 0);
    return FinishGraph(op, frame, graph,
                       {multiply(SplitIntoGroups(lhs, mask, places),
                                 SplitIntoGroups(rhs, mask, rhs_places), split)});
  }
  // [b, m, k], [g, b, k, n] -> [b, m, n]: every row with every group, of which its own is kept, so
  // that what other groups hold (infinities) does not matter.
  if (rhs.dim(dot.group) != groups) {
    return Fail(
        op, absl::StrCat("the right operand has ", rhs.dim(dot.group), " groups, sizes ", groups));
  }
  Term product = multiply(lhs, rhs, dot.dims);  // [b, m, …g…]
  if (!graph.status().ok()) return Fail(op, graph.status().message());
  // Where the dimensions of lhs and the groups are in the product.
  auto free_before = [](const Ints& batch, const Ints& contracting, int64_t dim) {
    int64_t count = 0;
    for (int64_t i = 0; i < dim; ++i) count += !Contains(batch, i) && !Contains(contracting, i);
    return count;
  };
  const auto batches = static_cast<int64_t>(dot.dims.lhs_batch.size());
  auto place_of = [&](int64_t dim) {
    auto found = std::find(dot.dims.lhs_batch.begin(), dot.dims.lhs_batch.end(), dim);
    if (found != dot.dims.lhs_batch.end()) return found - dot.dims.lhs_batch.begin();
    return batches + free_before(dot.dims.lhs_batch, dot.dims.lhs_contracting, dim);
  };
  const int64_t lhs_free = free_before(dot.dims.lhs_batch, dot.dims.lhs_contracting, lhs.rank());
  const int64_t group_place =
      batches + lhs_free + free_before(dot.dims.rhs_batch, dot.dims.rhs_contracting, dot.group);
  std::vector<std::pair<int64_t, int64_t>> order = {{group_place, 0}};  // place, mask's dimension
  for (size_t i = 0; i < places.size(); ++i) {
    order.emplace_back(place_of(places[i]), static_cast<int64_t>(i) + 1);
  }
  std::sort(order.begin(), order.end());
  Ints permutation, to;
  for (auto [place, dim] : order) {
    to.push_back(place);
    permutation.push_back(dim);
  }
  Term kept = Select(Broadcast(Transpose(mask, permutation), product.shape().dims(), to), product,
                     graph.Splat(product.type(), product.shape().dims(), 0));
  return FinishGraph(op, frame, graph, {Reduce(kept, {group_place}, Opcode::kAdd, 0)});
}

}  // namespace halyard::stablehlo
