// Shapes and labelled constraints of reduce, reduce-window, sort and map.
#include "frontend/hlo/infer/infer.h"

namespace halyard::hlo {
namespace {

// N inputs of one shape, then N scalars of the same element types. Gives the inputs' types.
absl::StatusOr<std::vector<ElementType>> FoldInputs(const Instruction& inst,
                                                    absl::string_view counts,
                                                    absl::string_view shapes,
                                                    absl::string_view types) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  size_t n = inst.operands.size() / 2;
  HLO_REQUIRE(n > 0 && inst.operands.size() == 2 * n, counts,
              "needs as many initial values as inputs, has ", inst.operands.size(),
              " operands in all");
  std::vector<ElementType> result;
  for (size_t i = 0; i < n; ++i) {
    const Shape& input = inst.operands[i]->shape;
    const Shape& init = inst.operands[n + i]->shape;
    HLO_REQUIRE(DimsAgree(input, inst.operand(0)->shape), shapes,
                "inputs differ in shape: ", inst.operand(0)->shape.ToString(), " and ",
                input.ToString());
    HLO_REQUIRE(init.rank() == 0, "I2", "initial value ", i, " must be a scalar, is ",
                init.ToString());
    HLO_REQUIRE(init.element_type() == input.element_type(), types, "input ", i, " is ",
                HloName(input.element_type()), " and its initial value ",
                HloName(init.element_type()));
    result.push_back(input.element_type());
  }
  return result;
}

// One array, or a tuple of several.
Shape Results(const std::vector<ElementType>& types, const std::vector<Size>& sizes) {
  if (types.size() == 1) return ArrayOf(types[0], sizes);
  std::vector<Shape> shapes;
  for (ElementType type : types) shapes.push_back(ArrayOf(type, sizes));
  return Shape::Tuple(std::move(shapes));
}

}  // namespace

absl::StatusOr<Shape> InferReduce(const Instruction& inst) {
  auto inputs = FoldInputs(inst, "C3", "C1", "C2");
  if (!inputs.ok()) return inputs.status();
  const Shape& operand = inst.operand(0)->shape;
  const Ints& reduced = inst.GetInts(Attr::kDimensions);
  HLO_RETURN_IF_ERROR(RequireDims("C4", "C5", "dimensions", reduced, operand.rank()));
  auto types = FoldTypes("C6", *inst.called[0], *inputs);
  if (!types.ok()) return types.status();
  std::vector<Size> dims;
  for (int64_t d = 0; d < operand.rank(); ++d) {
    if (!Contains(reduced, d)) dims.push_back(SizeOf(operand, d));
  }
  return Results(*types, dims);
}

absl::StatusOr<Shape> InferReduceWindow(const Instruction& inst) {
  auto inputs = FoldInputs(inst, "C1", "C2", "C3");
  if (!inputs.ok()) return inputs.status();
  const Shape& operand = inst.operand(0)->shape;
  const Window& window = inst.GetWindow();
  HLO_REQUIRE(static_cast<int64_t>(window.dims.size()) == operand.rank(), "C4", "the window has ",
              window.dims.size(), " dimensions, the operand ", operand.ToString());
  std::vector<Size> dims;
  __int128 elements = 1;
  for (size_t i = 0; i < window.dims.size(); ++i) {
    const WindowDim& w = window.dims[i];
    HLO_REQUIRE(w.size > 0, "C5", "window size ", w.size, " is not positive");
    HLO_REQUIRE(w.stride > 0, "C7", "window stride ", w.stride, " is not positive");
    HLO_REQUIRE(w.base_dilation > 0, "C9", "base dilation ", w.base_dilation, " is not positive");
    HLO_REQUIRE(w.window_dilation > 0, "C11", "window dilation ", w.window_dilation,
                " is not positive");
    HLO_REQUIRE(!w.reversal, "I4", "reduce-window has no window reversal");
    HLO_RETURN_IF_ERROR(RequireWindowRange("C15", i, SizeOf(operand, i), w));
    elements *= w.size;
    HLO_REQUIRE(elements <= kMostWindow, "C15", "the window has more than 2^60 elements");
    dims.push_back(NumWindows(SizeOf(operand, i), w));
  }
  auto types = FoldTypes("C13", *inst.called[0], *inputs);
  if (!types.ok()) return types.status();
  return Results(*types, dims);
}

absl::StatusOr<Shape> InferSort(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& first = inst.operand(0)->shape;
  const Ints& attr = inst.GetInts(Attr::kDimensions);
  HLO_REQUIRE(attr.size() == 1, "C4", "dimensions must name one dimension, is ", Listed(attr));
  HLO_REQUIRE(attr[0] >= 0 && attr[0] < first.rank(), "C4", "dimension ", attr[0],
              " is not in [0, ", first.rank(), ")");
  const Computation& body = *inst.called[0];
  size_t n = inst.operands.size();
  HLO_REQUIRE(body.parameters().size() == 2 * n, "C5", "the comparator must have ", 2 * n,
              " parameters, has ", body.num_parameters());
  std::vector<Shape> shapes;
  for (size_t i = 0; i < n; ++i) {
    const Shape& shape = inst.operands[i]->shape;
    HLO_REQUIRE(DimsAgree(shape, first), "C3", "inputs differ in shape: ", first.ToString(),
                " and ", shape.ToString());
    for (size_t p : {2 * i, 2 * i + 1}) {
      const Shape& parameter = body.parameters()[p]->shape;
      HLO_REQUIRE(parameter.IsScalar() && parameter.element_type() == shape.element_type(), "C5",
                  "parameter ", p, " of the comparator must be ", HloName(shape.element_type()),
                  "[], is ", parameter.ToString());
    }
    shapes.push_back(shape.WithDefaultLayout());
  }
  const Shape& result = body.root()->shape;
  HLO_REQUIRE(result.IsScalar() && result.element_type() == ElementType::kPred, "C5",
              "the comparator must give pred[], gives ", result.ToString());
  return n == 1 ? shapes[0] : Shape::Tuple(std::move(shapes));
}

absl::StatusOr<Shape> InferTopK(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& shape = inst.operand(0)->shape;
  HLO_REQUIRE(!IsComplex(shape.element_type()), "I1", "complex numbers have no order, operand is ",
              shape.ToString());
  HLO_REQUIRE(shape.rank() >= 1, "C1", "needs an operand of at least one dimension");
  int64_t k = inst.GetInt(Attr::kK), last = shape.rank() - 1;
  HLO_REQUIRE(k >= 0 && SizeFits({k}, SizeOf(shape, last)), "C2", "k = ", k, " is not in [0, ",
              shape.dim(last), "]");
  HLO_REQUIRE(k <= INT32_MAX && shape.dim(last) <= INT32_MAX, "C3", "s32 cannot index ",
              shape.dim(last), " elements");
  std::vector<Size> dims = SizesOf(shape);
  dims[last] = {k};
  return Shape::Tuple({ArrayOf(shape.element_type(), dims), ArrayOf(ElementType::kS32, dims)});
}

absl::StatusOr<Shape> InferMap(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& first = inst.operand(0)->shape;
  const Ints& dims = inst.GetInts(Attr::kDimensions);
  bool full = static_cast<int64_t>(dims.size()) == first.rank();
  for (size_t i = 0; full && i < dims.size(); ++i) full = dims[i] == static_cast<int64_t>(i);
  HLO_REQUIRE(full, "C3", "dimensions ", Listed(dims), " must be all of ", first.ToString(),
              " in order");
  const Computation& body = *inst.called[0];
  HLO_REQUIRE(body.parameters().size() == inst.operands.size(), "C4", "the computation must have ",
              inst.operands.size(), " parameters, has ", body.num_parameters());
  for (size_t i = 0; i < inst.operands.size(); ++i) {
    const Shape& shape = inst.operands[i]->shape;
    const Shape& parameter = body.parameters()[i]->shape;
    HLO_REQUIRE(DimsAgree(shape, first), "C1", "operands differ in shape: ", first.ToString(),
                " and ", shape.ToString());
    HLO_REQUIRE(parameter.IsScalar() && parameter.element_type() == shape.element_type(), "C4",
                "parameter ", i, " of the computation must be ", HloName(shape.element_type()),
                "[], is ", parameter.ToString());
  }
  HLO_REQUIRE(body.root()->shape.IsScalar(), "C4", "the computation must give a scalar, gives ",
              body.root()->shape.ToString());
  return ArrayOf(body.root()->shape.element_type(), SizesOf(first));
}

}  // namespace halyard::hlo
