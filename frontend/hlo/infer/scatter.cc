// Shapes and labelled constraints of scatter and select-and-scatter.
#include "frontend/hlo/infer/infer.h"

namespace halyard::hlo {
namespace {

// Inputs, one array of indices, as many updates. Gives the inputs' types.
absl::StatusOr<std::vector<ElementType>> ScatterInputs(const Instruction& inst) {
  size_t n = inst.operands.size() / 2;
  HLO_REQUIRE(n > 0 && inst.operands.size() == 2 * n + 1, "C5",
              "needs as many updates as inputs, and one array of indices, has ",
              inst.operands.size(), " operands in all");
  const Shape& input = inst.operand(0)->shape;
  const Shape& update = inst.operand(n + 1)->shape;
  std::vector<ElementType> types;
  for (size_t i = 0; i < n; ++i) {
    const Shape& input_i = inst.operand(i)->shape;
    const Shape& update_i = inst.operand(n + 1 + i)->shape;
    HLO_REQUIRE(DimsAgree(input_i, input), "C1", "inputs differ in shape: ", input.ToString(),
                " and ", input_i.ToString());
    HLO_REQUIRE(DimsAgree(update_i, update), "C3", "updates differ in shape: ", update.ToString(),
                " and ", update_i.ToString());
    HLO_REQUIRE(update_i.element_type() == input_i.element_type(), "C6", "input ", i, " is ",
                input_i.ToString(), " and its update ", update_i.ToString());
    types.push_back(input_i.element_type());
  }
  return types;
}

// The lists of dimension numbers, by themselves.
absl::Status RequireScatterDims(const Instruction& inst, const Shape& input, const Shape& indices,
                                const Shape& update) {
  const Ints& window = inst.GetInts(Attr::kUpdateWindowDims);
  const Ints& inserted = inst.GetInts(Attr::kInsertedWindowDims);
  const Ints& batching = inst.GetInts(Attr::kInputBatchingDims);
  const Ints& indices_batching = inst.GetInts(Attr::kScatterIndicesBatchingDims);
  const Ints& map = inst.GetInts(Attr::kScatterDimsToOperandDims);
  int64_t ivd = inst.GetInt(Attr::kIndexVectorDim);
  HLO_RETURN_IF_ERROR(RequireDims("C8", "C7", "update_window_dims", window, update.rank()));
  HLO_RETURN_IF_ERROR(RequireSorted("C7", "update_window_dims", window));
  HLO_RETURN_IF_ERROR(RequireDims("C11", "C9", "inserted_window_dims", inserted, input.rank()));
  HLO_RETURN_IF_ERROR(RequireSorted("C10", "inserted_window_dims", inserted));
  HLO_RETURN_IF_ERROR(RequireDims("C13", "C9", "input_batching_dims", batching, input.rank()));
  HLO_RETURN_IF_ERROR(RequireSorted("C12", "input_batching_dims", batching));
  HLO_RETURN_IF_ERROR(
      RequireDims("C15", "C14", "scatter_indices_batching_dims", indices_batching, indices.rank()));
  HLO_RETURN_IF_ERROR(RequireDims("C21", "C20", "scatter_dims_to_operand_dims", map, input.rank()));
  for (int64_t d : batching) {
    HLO_REQUIRE(!Contains(inserted, d), "C9", "dimension ", d,
                " is both inserted and a batching dimension");
    HLO_REQUIRE(!Contains(map, d), "C20", "dimension ", d,
                " is both indexed and a batching dimension");
  }
  HLO_REQUIRE(!Contains(indices_batching, ivd), "C16",
              "index_vector_dim is a batching dimension of the indices");
  HLO_REQUIRE(batching.size() == indices_batching.size(), "C17",
              "input and indices have different numbers of batching dimensions");
  for (size_t i = 0; i < batching.size(); ++i) {
    HLO_REQUIRE(SizesAgree(SizeOf(input, batching[i]), SizeOf(indices, indices_batching[i])), "C18",
                "batching dimensions ", batching[i], " and ", indices_batching[i],
                " have different sizes");
  }
  return absl::OkStatus();
}

// The updates have the indices' dimensions but the index vector's, and window dimensions no larger
// than the input's.
absl::Status RequireUpdateShape(const Instruction& inst, const Shape& input, const Shape& indices,
                                const Shape& update) {
  const Ints& window = inst.GetInts(Attr::kUpdateWindowDims);
  int64_t ivd = inst.GetInt(Attr::kIndexVectorDim);
  std::vector<Size> scatter_sizes, limits;
  for (int64_t d = 0; d < indices.rank(); ++d) {
    if (d != ivd) scatter_sizes.push_back(SizeOf(indices, d));
  }
  for (int64_t d = 0; d < input.rank(); ++d) {
    bool dropped = Contains(inst.GetInts(Attr::kInsertedWindowDims), d) ||
                   Contains(inst.GetInts(Attr::kInputBatchingDims), d);
    if (!dropped) limits.push_back(SizeOf(input, d));
  }
  HLO_REQUIRE(update.rank() == static_cast<int64_t>(scatter_sizes.size() + window.size()), "C4",
              "the updates ", update.ToString(), " must have the ", scatter_sizes.size(),
              " scatter dimensions of the indices ", indices.ToString(), " and ", window.size(),
              " window dimensions");
  size_t next_window = 0, next_scatter = 0;
  for (int64_t d = 0; d < update.rank(); ++d) {
    if (Contains(window, d)) {
      const Size limit = limits[next_window++];
      HLO_REQUIRE(SizeFits(SizeOf(update, d), limit), "C4", "window dimension ", d,
                  " of the updates ", update.ToString(), " is larger than the input's ",
                  limit.size);
    } else {
      const Size size = scatter_sizes[next_scatter++];
      HLO_REQUIRE(SizesAgree(SizeOf(update, d), size), "C4", "scatter dimension ", d,
                  " of the updates ", update.ToString(), " must be ", size.size,
                  " as in the indices ", indices.ToString());
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Shape> InferScatter(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  auto inputs = ScatterInputs(inst);
  if (!inputs.ok()) return inputs.status();
  const size_t n = inputs->size();
  const Shape& input = inst.operand(0)->shape;
  const Shape& indices = inst.operand(n)->shape;
  const Shape& update = inst.operand(n + 1)->shape;
  HLO_REQUIRE(IsInteger(indices.element_type()), "I2", "scatter indices must be integers, are ",
              indices.ToString());
  const size_t known = inst.GetInts(Attr::kUpdateWindowDims).size() +
                       inst.GetInts(Attr::kInsertedWindowDims).size() +
                       inst.GetInts(Attr::kInputBatchingDims).size();
  HLO_REQUIRE(input.rank() == static_cast<int64_t>(known), "C2",
              "window, inserted and batching dimensions do not make up the rank of ",
              input.ToString());
  int64_t ivd = inst.GetInt(Attr::kIndexVectorDim);
  HLO_REQUIRE(ivd >= 0 && ivd <= indices.rank(), "C22", "index_vector_dim ", ivd, " is not in [0, ",
              indices.rank(), "]");
  const Ints& map = inst.GetInts(Attr::kScatterDimsToOperandDims);
  const Size index_size = ivd < indices.rank() ? SizeOf(indices, ivd) : Size{1};
  HLO_REQUIRE(SizesAgree({static_cast<int64_t>(map.size())}, index_size), "C19",
              "scatter_dims_to_operand_dims ", Listed(map),
              " must have as many entries as an index vector: ", index_size.size);
  HLO_RETURN_IF_ERROR(RequireScatterDims(inst, input, indices, update));
  HLO_RETURN_IF_ERROR(RequireUpdateShape(inst, input, indices, update));
  auto types = FoldTypes("C23", *inst.called[0], *inputs);
  if (!types.ok()) return types.status();
  if (n == 1) return ArrayOf((*types)[0], SizesOf(input));
  std::vector<Shape> shapes;
  for (ElementType type : *types) shapes.push_back(ArrayOf(type, SizesOf(input)));
  return Shape::Tuple(std::move(shapes));
}

absl::StatusOr<Shape> InferSelectAndScatter(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& operand = inst.operand(0)->shape;
  const Shape& source = inst.operand(1)->shape;
  const Shape& init = inst.operand(2)->shape;
  HLO_REQUIRE(source.element_type() == operand.element_type(), "C1",
              "element types differ: ", operand.ToString(), " and ", source.ToString());
  const Window& window = inst.GetWindow();
  HLO_REQUIRE(static_cast<int64_t>(window.dims.size()) == operand.rank(), "C4", "the window has ",
              window.dims.size(), " dimensions, the operand ", operand.ToString());
  std::vector<Size> windows;
  for (size_t i = 0; i < window.dims.size(); ++i) {
    const WindowDim& w = window.dims[i];
    HLO_REQUIRE(w.size > 0, "C5", "window size ", w.size, " is not positive");
    HLO_REQUIRE(w.stride > 0, "C7", "window stride ", w.stride, " is not positive");
    HLO_REQUIRE(w.base_dilation == 1 && w.window_dilation == 1 && !w.reversal, "I4",
                "select-and-scatter has no dilation and no window reversal");
    HLO_RETURN_IF_ERROR(RequireWindowRange("C2", i, SizeOf(operand, i), w));
    windows.push_back(NumWindows(SizeOf(operand, i), w));
  }
  const Shape wanted = ArrayOf(source.element_type(), windows);
  HLO_REQUIRE(DimsAgree(source, wanted), "C2", "the source ", source.ToString(),
              " must have one element per window: ", Listed(wanted.dims()));
  HLO_REQUIRE(init.rank() == 0, "I3", "the initial value must be a scalar, is ", init.ToString());
  HLO_REQUIRE(init.element_type() == operand.element_type(), "C3", "the operand is ",
              operand.ToString(), " and the initial value ", init.ToString());
  const Computation& select = *inst.called[0];
  HLO_REQUIRE(select.num_parameters() == 2, "C9", "select must have 2 parameters, has ",
              select.num_parameters());
  for (const Instruction* parameter : select.parameters()) {
    HLO_REQUIRE(
        parameter->shape.IsScalar() && parameter->shape.element_type() == operand.element_type(),
        "C9", "parameters of select must be ", HloName(operand.element_type()), "[], one is ",
        parameter->shape.ToString());
  }
  const Shape& chosen = select.root()->shape;
  HLO_REQUIRE(chosen.IsScalar() && chosen.element_type() == ElementType::kPred, "C9",
              "select must give pred[], gives ", chosen.ToString());
  auto types = FoldTypes("C10", *inst.called[1], {operand.element_type()});
  if (!types.ok()) return types.status();
  return ArrayOf((*types)[0], SizesOf(operand));
}

}  // namespace halyard::hlo
