// JAX's approximate top k: the first elements along one dimension, in the order of a comparator.
// Any recall is allowed, so all are found, by a sort.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/stablehlo/convert/convert.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::ElementType;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;

namespace {

constexpr absl::string_view kDynamicTarget = "stablehlo.dynamic_approx_top_k";  // k is an operand

// The call's operands: arrays, an initial value for each, k, and the sizes of results.
struct Call {
  int64_t dim = 0;
  std::vector<Term> arrays;
  std::vector<Term> k;      // one, or none if the results' sizes are others
  std::vector<Term> sizes;  // of each result, or none
};

// Returns what is wrong with the operands, or an empty text.
std::string Read(const mlir::Operation& op, const std::vector<Term>& operands, bool dynamic,
                 const std::vector<Shape>& results, Call* call) {
  const size_t count = results.size();
  const mlir::Attribute* shapes = op.Attr("indices_of_shape_operands");
  const size_t others = 2 * count + (dynamic ? 1 : 0);
  const mlir::Attribute* dim = BackendConfig(op, "reduction_dim");
  if (count == 0 || dim == nullptr || operands.size() != others + (shapes == nullptr ? 0 : count)) {
    return absl::StrCat("needs arrays, an initial value for each, ", dynamic ? "k, " : "",
                        "reduction_dim and one comparator");
  }
  call->arrays.assign(operands.begin(), operands.begin() + static_cast<int64_t>(count));
  call->sizes.assign(operands.begin() + static_cast<int64_t>(others), operands.end());
  if (dynamic) call->k = {operands[2 * count]};
  for (const Term& term : operands) {
    if (!term.shape().IsArray()) return "takes tensors";
  }
  for (const Term& k : call->k) {
    if (!k.shape().IsScalar() || !hlo::IsInteger(k.type())) {
      return absl::StrCat("k must be an integer, is ", k.shape().ToString());
    }
  }
  const int64_t rank = call->arrays[0].rank();
  for (const Term& sizes : call->sizes) {
    if (!hlo::IsInteger(sizes.type()) ||
        !hlo::ShapesAgree(sizes.shape(), Shape::Array(sizes.type(), {rank}))) {
      return absl::StrCat("a result's sizes must be ", rank, " integers, are ",
                          sizes.shape().ToString());
    }
  }
  // Without it, there are more results than k: as many as the recall asks for.
  const mlir::Attribute* aggregate = BackendConfig(op, "aggregate_to_topk");
  if (aggregate != nullptr && !aggregate->boolean && !call->sizes.empty()) call->k.clear();
  call->dim = dim->integer < 0 ? dim->integer + rank : dim->integer;
  if (call->dim < 0 || call->dim >= rank) {
    return absl::StrCat("there is no dimension ", dim->integer);
  }
  for (size_t i = 0; i < count; ++i) {
    const Shape& array = call->arrays[i].shape();
    if (!results[i].IsArray() || results[i].rank() != rank || array.rank() != rank ||
        (!array.IsDynamicDim(call->dim) && !results[i].IsDynamicDim(call->dim) &&
         results[i].dim(call->dim) > array.dim(call->dim))) {
      return "results do not go with the operands";
    }
  }
  return "";
}

// The first elements of `sorted`: as many as the sizes of the result or k say.
Term First(Term sorted, const Call& call, size_t result, const Shape& stated) {
  Graph& graph = *sorted.graph;
  const int64_t rank = stated.rank();
  if (!stated.IsDynamic() && !sorted.shape().IsDynamic() && call.k.empty()) {
    return Slice(sorted, call.dim, 0, stated.dim(call.dim));
  }
  const Shape one = Shape::Array(ElementType::kS32, {1});
  std::vector<Term> limits;
  for (int64_t d = 0; d < rank; ++d) {
    if (d == call.dim && !call.k.empty()) {
      limits.push_back(Reshape(ConvertTo(call.k[0], ElementType::kS32), {1}));
    } else if (!stated.IsDynamicDim(d)) {
      limits.push_back(graph.SplatInt(ElementType::kS32, {1}, stated.dim(d)));
    } else if (d == call.dim && !call.sizes.empty()) {
      Term size = ConvertTo(Slice(call.sizes[result], 0, d, d + 1), ElementType::kS32);
      limits.push_back(size);
    } else {
      AttrMap attrs;
      attrs.Set(Attr::kDimensions, Ints{d});
      Term size = graph.Add(Opcode::kGetDimensionSize, Shape::Scalar(ElementType::kS32), {sorted},
                            std::move(attrs));
      limits.push_back(Reshape(size, {1}));
    }
  }
  AttrMap attrs;
  attrs.Set(Attr::kDimensions, Ints{0});
  Term limit = rank == 1 ? limits[0] : graph.Add(Opcode::kConcatenate, limits, std::move(attrs));
  Term start = graph.SplatInt(ElementType::kS32, {rank}, 0);
  Term stride = graph.SplatInt(ElementType::kS32, {rank}, 1);
  return graph.Add(Opcode::kRealDynamicSlice, stated, {sorted, start, limit, stride});
}

}  // namespace

bool Converter::ConvertApproxTopK(const Operation& op, Frame& frame) {
  Instructions operands;
  std::vector<Shape> shapes;
  std::string target;
  if (!OpReader(op, errors_).String("call_target_name", &target) ||
      !Operands(op, frame, &operands) || !ResultShapes(op, &shapes)) {
    return false;
  }
  Graph graph(frame.computation);
  std::vector<Term> terms;
  for (hlo::Instruction* operand : operands) terms.push_back(graph.Of(operand));
  Call call;
  const std::string wrong = Read(op, terms, target == kDynamicTarget, shapes, &call);
  if (!wrong.empty()) return Fail(op, wrong);
  const mlir::Attribute* list = op.Attr("called_computations");
  if (list == nullptr || list->elements.size() != 1) return Fail(op, "needs one comparator");
  auto found = functions_.find(list->elements[0]->text);
  if (found == functions_.end()) {
    return errors_.Fail(list->offset, "called_computations must name functions");
  }
  hlo::Computation* comparator = nullptr;
  if (!ConvertFunction(op, *found->second, &comparator)) return false;
  AttrMap attrs;
  attrs.Set(Attr::kDimensions, Ints{call.dim});
  attrs.Set(Attr::kIsStable, true);
  Term sorted = graph.Add(Opcode::kSort, call.arrays, std::move(attrs), {comparator});
  if (!graph.status().ok()) return Fail(op, graph.status().message());
  std::vector<Term> results;
  for (size_t i = 0; i < shapes.size(); ++i) {
    Term part = shapes.size() == 1 ? sorted : graph.Element(sorted, static_cast<int64_t>(i));
    results.push_back(First(part, call, i, shapes[i]));
  }
  return FinishGraph(op, frame, graph, results);
}

}  // namespace halyard::stablehlo
