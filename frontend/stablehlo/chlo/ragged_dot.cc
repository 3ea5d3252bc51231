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

// Returns x with one more dimension in front, its groups, and zeros where an element is in another
// group. Dimension i of the rest of the mask is dimension places[i] of x.
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

// Returns x where the mask holds, and 0 elsewhere. `places` are pairs of a dimension of x and one
// of the mask.
Term KeepWhere(Term mask, std::vector<std::pair<int64_t, int64_t>> places, Term x) {
  std::sort(places.begin(), places.end());
  Ints permutation, to;
  for (auto [place, dim] : places) {
    to.push_back(place);
    permutation.push_back(dim);
  }
  return Select(Broadcast(Transpose(mask, permutation), x.shape().dims(), to), x,
                x.graph->Splat(x.type(), x.shape().dims(), 0));
}

// Returns the dimensions of the left operand that group sizes may depend on.
Ints DimsBeforeRagged(const DotDims& dims, int64_t ragged) {
  const bool in_batch = Contains(dims.lhs_batch, ragged);
  const bool contracted = Contains(dims.lhs_contracting, ragged);
  Ints prefix;
  for (const Ints* list : {&dims.lhs_batch, &dims.lhs_contracting}) {
    if (list == &dims.lhs_contracting && !contracted) continue;
    for (int64_t i : *list) {
      if (i == ragged) break;
      prefix.push_back(i);
    }
  }
  for (int64_t i = 0; i < ragged && !contracted && !in_batch; ++i) {
    if (!Contains(prefix, i) && !Contains(dims.lhs_contracting, i)) prefix.push_back(i);
  }
  return prefix;
}

// The dimensions of the right operand that go with batch or contracting ones of the left.
Ints RhsPlaces(const DotDims& dims, const Ints& places) {
  Ints rhs_places;
  for (int64_t place : places) {
    auto at = [&](const Ints& list) {
      return std::find(list.begin(), list.end(), place) - list.begin();
    };
    const size_t batch = at(dims.lhs_batch), inner = at(dims.lhs_contracting);
    rhs_places.push_back(batch < dims.lhs_batch.size() ? dims.rhs_batch[batch]
                                                       : dims.rhs_contracting[inner]);
  }
  return rhs_places;
}

// The dimension numbers of operands that have groups as their first dimension, which is a batch
// dimension.
DotDims WithGroups(DotDims dims) {
  for (Ints* list :
       {&dims.lhs_batch, &dims.rhs_batch, &dims.lhs_contracting, &dims.rhs_contracting}) {
    for (int64_t& dim : *list) ++dim;
  }
  dims.lhs_batch.insert(dims.lhs_batch.begin(), 0);
  dims.rhs_batch.insert(dims.rhs_batch.begin(), 0);
  return dims;
}

// Where the dimensions of the operands are in a product.
class ProductPlaces {
 public:
  ProductPlaces(const DotDims& dims, int64_t lhs_rank)
      : dims_(dims), batches_(static_cast<int64_t>(dims.lhs_batch.size())), lhs_rank_(lhs_rank) {}

  int64_t OfLhs(int64_t dim) const {
    auto found = std::find(dims_.lhs_batch.begin(), dims_.lhs_batch.end(), dim);
    if (found != dims_.lhs_batch.end()) return found - dims_.lhs_batch.begin();
    return batches_ + FreeBefore(dims_.lhs_batch, dims_.lhs_contracting, dim);
  }
  // `dim` is neither a batch nor a contracting dimension.
  int64_t OfRhs(int64_t dim) const {
    return batches_ + FreeBefore(dims_.lhs_batch, dims_.lhs_contracting, lhs_rank_) +
           FreeBefore(dims_.rhs_batch, dims_.rhs_contracting, dim);
  }

 private:
  static int64_t FreeBefore(const Ints& batch, const Ints& contracting, int64_t dim) {
    int64_t count = 0;
    for (int64_t i = 0; i < dim; ++i) count += !Contains(batch, i) && !Contains(contracting, i);
    return count;
  }

  const DotDims& dims_;
  const int64_t batches_, lhs_rank_;
};

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
  Ints places = sizes.rank() == 1 ? Ints() : DimsBeforeRagged(dot.dims, dot.ragged);
  Ints expected;
  for (int64_t i : places) expected.push_back(lhs.dim(i));
  Ints leading(sizes.shape().dims().begin(), sizes.shape().dims().end() - 1);
  if (leading != expected) {
    return Fail(op, absl::StrCat("group sizes ", sizes.shape().ToString(),
                                 " do not go with the left operand ", lhs.shape().ToString()));
  }
  const auto multiply = [&](Term a, Term b, const DotDims& dims) {
    return Dot(a, b, dims, dot.type, dot.attrs);
  };
  // All rows of a batch belong to some group.
  if (in_batch) return FinishGraph(op, frame, graph, {multiply(lhs, rhs, dot.dims)});
  const int64_t groups = sizes.dim(sizes.rank() - 1);
  Term mask = GroupMask(sizes, lhs.dim(dot.ragged));
  places.push_back(dot.ragged);
  if (contracted) {
    // [b, m, k], [b, k, n] -> [g, b, m, n]: groups are a batch dimension of both.
    const Ints rhs_places = RhsPlaces(dot.dims, places);
    for (size_t i = 0; i < places.size(); ++i) {
      if (rhs_places[i] >= rhs.rank()) return Fail(op, "dimensions of the operands do not match");
    }
    for (size_t i = 0; i < places.size(); ++i) {
      if (lhs.dim(places[i]) != rhs.dim(rhs_places[i]))
        return Fail(op, "the operands' batch or contracting dimensions differ");
    }
    return FinishGraph(op, frame, graph,
                       {multiply(SplitIntoGroups(lhs, mask, places),
                                 SplitIntoGroups(rhs, mask, rhs_places), WithGroups(dot.dims))});
  }
  // [b, m, k], [g, b, k, n] -> [b, m, n]: every row with every group, of which its own is kept, so
  // that what other groups hold (infinities) does not matter.
  if (rhs.dim(dot.group) != groups) {
    return Fail(
        op, absl::StrCat("the right operand has ", rhs.dim(dot.group), " groups, sizes ", groups));
  }
  Term product = multiply(lhs, rhs, dot.dims);  // [b, m, …g…]
  if (!graph.status().ok()) return Fail(op, graph.status().message());
  const ProductPlaces where(dot.dims, lhs.rank());
  const int64_t group_place = where.OfRhs(dot.group);
  std::vector<std::pair<int64_t, int64_t>> mask_places = {{group_place, 0}};
  for (size_t i = 0; i < places.size(); ++i)
    mask_places.emplace_back(where.OfLhs(places[i]), static_cast<int64_t>(i) + 1);
  Term kept = KeepWhere(mask, std::move(mask_places), product);
  return FinishGraph(op, frame, graph, {Reduce(kept, {group_place}, Opcode::kAdd, 0)});
}

}  // namespace halyard::stablehlo
