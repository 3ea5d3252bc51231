// What the families of infer/*.cc share, and InferShape.
#include <algorithm>
#include <limits>

#include "absl/strings/str_join.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/values/quantized.h"

namespace halyard::hlo {

absl::Status Violation(absl::string_view constraint, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(constraint, ": ", what));
}

std::string Listed(absl::Span<const int64_t> values) {
  return absl::StrCat("{", absl::StrJoin(values, ","), "}");
}

absl::Status RequireGivenArray(const Instruction& inst, absl::string_view array) {
  HLO_REQUIRE(inst.shape.IsArray(), array, "the result must be an array, is ",
              inst.shape.ToString());
  return absl::OkStatus();
}

absl::Status RequireGivenType(const Instruction& inst, absl::string_view array) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  HLO_RETURN_IF_ERROR(RequireGivenArray(inst, array));
  HLO_REQUIRE(inst.shape.element_type() == inst.operand(0)->shape.element_type(), "C1",
              "element types differ: operand ", inst.operand(0)->shape.ToString(), ", result ",
              inst.shape.ToString());
  return absl::OkStatus();
}

bool Contains(absl::Span<const int64_t> list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

absl::Status RequireVector(const Instruction& inst, size_t i, int64_t count,
                           absl::string_view count_label) {
  const Shape& shape = inst.operands[i]->shape;
  HLO_REQUIRE(shape.rank() == 1 && IsInteger(shape.element_type()), absl::StrCat("I", i + 1),
              "operand ", i, " must be a vector of integers, is ", shape.ToString());
  HLO_REQUIRE(!shape.IsDynamic(), absl::StrCat("I", i + 1), "operand ", i,
              " must be of a known size, is ", shape.ToString());
  HLO_REQUIRE(SizesAgree(SizeOf(shape, 0), {count}), count_label, "operand ", i, " has ",
              shape.dim(0), " elements, must have ", count);
  return absl::OkStatus();
}

std::optional<Ints> ConstantInts(const Instruction& inst, size_t i) {
  const Instruction& operand = *inst.operands[i];
  if (operand.opcode != Opcode::kConstant) return std::nullopt;
  Ints values;
  for (int64_t k = 0; k < operand.shape.NumElements(); ++k) {
    values.push_back(operand.literal.GetInt(k));
  }
  return values;
}

absl::Status RequireBroadcastDims(const Instruction& inst) {
  const Shape& operand = inst.operand(0)->shape;
  const Ints& dims = inst.GetInts(Attr::kDimensions);
  HLO_REQUIRE(static_cast<int64_t>(dims.size()) == operand.rank(), "C2", "dimensions ",
              Listed(dims), " must have one entry per dimension of ", operand.ToString());
  return RequireDims("C3", "C4", "dimensions", dims, inst.shape.rank());
}

absl::Status RequireArrays(const Instruction& inst) {
  for (size_t i = 0; i < inst.operands.size(); ++i) {
    HLO_REQUIRE(inst.operands[i]->shape.IsArray(), absl::StrCat("I", i + 1), "operand ", i,
                " must be an array, is ", inst.operands[i]->shape.ToString());
  }
  return absl::OkStatus();
}

absl::Status RequireDims(absl::string_view range, absl::string_view unique, absl::string_view name,
                         absl::Span<const int64_t> dims, int64_t rank) {
  for (size_t i = 0; i < dims.size(); ++i) {
    HLO_REQUIRE(dims[i] >= 0 && dims[i] < rank, range, name, " ", dims[i], " is not in [0, ", rank,
                ")");
    HLO_REQUIRE(!Contains(dims.subspan(0, i), dims[i]), unique, name, " has ", dims[i], " twice");
  }
  return absl::OkStatus();
}

absl::Status RequireSorted(absl::string_view constraint, absl::string_view name,
                           absl::Span<const int64_t> dims) {
  HLO_REQUIRE(std::is_sorted(dims.begin(), dims.end()), constraint, name, " ", Listed(dims),
              " is not sorted");
  return absl::OkStatus();
}

bool IsPromotable(ElementType from, ElementType to) {
  bool same_class = (IsInteger(from) && IsInteger(to)) || ClassOf(from) == ClassOf(to);
  return same_class && BitWidth(from) <= BitWidth(to);
}

absl::StatusOr<std::vector<ElementType>> FoldTypes(absl::string_view constraint,
                                                   const Computation& body,
                                                   absl::Span<const ElementType> inputs) {
  int64_t n = static_cast<int64_t>(inputs.size());
  HLO_REQUIRE(body.num_parameters() == 2 * n, constraint, "the body must have ", 2 * n,
              " parameters, has ", body.num_parameters());
  const Shape& result = body.root()->shape;
  std::vector<Shape> results = result.IsTuple() ? result.elements() : std::vector<Shape>{result};
  HLO_REQUIRE(static_cast<int64_t>(results.size()) == n && result.IsTuple() == (n > 1), constraint,
              "the body must give ", n == 1 ? "one scalar" : absl::StrCat("a tuple of ", n),
              ", gives ", result.ToString());
  std::vector<ElementType> types;
  for (int64_t i = 0; i < n; ++i) {
    HLO_REQUIRE(results[i].IsScalar(), constraint, "result ", i,
                " of the body must be a scalar, is ", results[i].ToString());
    for (int64_t p : {i, n + i}) {
      const Shape& parameter = body.parameters()[p]->shape;
      HLO_REQUIRE(Shape::SameIgnoringLayout(parameter, results[i]), constraint, "parameter ", p,
                  " of the body is ", parameter.ToString(), " but result ", i, " is ",
                  results[i].ToString());
    }
    HLO_REQUIRE(IsPromotable(inputs[i], results[i].element_type()), constraint, "input ", i,
                " of type ", HloName(inputs[i]), " does not promote to the body's ",
                HloName(results[i].element_type()));
    types.push_back(results[i].element_type());
  }
  return types;
}

namespace {

// The extent of `count` elements with `by` - 1 holes between neighbours.
__int128 DilatedExtent(__int128 count, int64_t by) { return count == 0 ? 0 : (count - 1) * by + 1; }

}  // namespace

absl::Status RequireWindowRange(absl::string_view constraint, int64_t dim, Size size,
                                const WindowDim& w) {
  struct Number {
    absl::string_view name;
    int64_t value;
  };
  for (const Number& number :
       {Number{"size", w.size}, Number{"stride", w.stride}, Number{"low padding", w.pad_low},
        Number{"high padding", w.pad_high}, Number{"base dilation", w.base_dilation},
        Number{"window dilation", w.window_dilation}}) {
    HLO_REQUIRE(number.value <= kMostWindow && number.value >= -kMostWindow, constraint,
                number.name, " ", number.value, " of dimension ", dim,
                " does not fit: at most 2^60");
  }
  const int64_t known = size.size == Shape::kUnbounded ? 0 : size.size;
  const __int128 base = DilatedExtent(known, w.base_dilation);
  HLO_REQUIRE(base <= kMostWindow && DilatedExtent(w.size, w.window_dilation) <= kMostWindow,
              constraint, "dimension ", dim, " has more than 2^60 elements with its dilation");
  return absl::OkStatus();
}

int64_t NumWindows(int64_t size, const WindowDim& w) {
  const __int128 padded = DilatedExtent(size, w.base_dilation) + w.pad_low + w.pad_high;
  const __int128 window = DilatedExtent(w.size, w.window_dilation);
  if (padded <= 0 || window > padded) return 0;
  return static_cast<int64_t>((padded - window) / w.stride + 1);
}

Size NumWindows(Size size, const WindowDim& window) {
  return MapSize(size, [&](int64_t n) { return NumWindows(n, window); });
}

Size SizeOf(const Shape& shape, int64_t dim) { return {shape.dim(dim), shape.IsBoundedDim(dim)}; }

std::vector<Size> SizesOf(const Shape& shape) {
  std::vector<Size> sizes;
  for (int64_t d = 0; d < shape.rank(); ++d) sizes.push_back(SizeOf(shape, d));
  return sizes;
}

bool SizesAgree(Size a, Size b) {
  if (a.size == Shape::kUnbounded || b.size == Shape::kUnbounded) return true;
  if (a.bounded || b.bounded) return a.bounded ? b.bounded || b.size <= a.size : a.size <= b.size;
  return a.size == b.size;
}

Size MoreSpecific(Size a, Size b) {
  if (a.IsDynamic() != b.IsDynamic()) {
    // An array whose size is the bound of another one may be cut to the other one's size
    // (AddStaticForm).
    return a.IsDynamic() == (a.size == b.size) ? a : b;
  }
  if (a.size == Shape::kUnbounded || b.size == Shape::kUnbounded) {
    return a.size == Shape::kUnbounded ? b : a;
  }
  return a.size < b.size ? a : b;
}

bool SizeFits(Size size, Size limit) {
  return size.IsDynamic() || limit.size == Shape::kUnbounded || size.size <= limit.size;
}

Shape WithSizes(const Shape& shape, const std::vector<Size>& sizes) {
  return ArrayOf(shape.element_type(), sizes).WithQuantization(shape.shared_quantization());
}

Shape ArrayOf(ElementType type, const std::vector<Size>& sizes) {
  std::vector<int64_t> dims;
  std::vector<bool> bounded;
  for (const Size& size : sizes) {
    dims.push_back(size.size);
    bounded.push_back(size.bounded);
  }
  return Shape::Array(type, std::move(dims)).WithBoundedDims(std::move(bounded));
}

bool DimsAgree(const Shape& a, const Shape& b) {
  if (a.rank() != b.rank()) return false;
  for (int64_t d = 0; d < a.rank(); ++d) {
    if (!SizesAgree(SizeOf(a, d), SizeOf(b, d))) return false;
  }
  return true;
}

bool ShapesAgree(const Shape& a, const Shape& b) {
  if (a.kind() != b.kind() || a.elements().size() != b.elements().size()) return false;
  if (a.IsArray()) {
    return DimsAgree(a, b) &&
           Shape::SameIgnoringLayout(a, b.WithDims(a.dims()).WithBoundedDims(a.bounded_dims()));
  }
  for (size_t i = 0; i < a.elements().size(); ++i) {
    if (!ShapesAgree(a.elements()[i], b.elements()[i])) return false;
  }
  return true;
}

Shape MoreSpecificShape(const Shape& a, const Shape& b) {
  if (!a.IsDynamic()) return a;
  if (a.IsTuple()) {
    std::vector<Shape> elements;
    for (size_t i = 0; i < a.elements().size(); ++i) {
      elements.push_back(MoreSpecificShape(a.elements()[i], b.elements()[i]));
    }
    return Shape::Tuple(std::move(elements));
  }
  std::vector<Size> sizes;
  for (int64_t d = 0; d < a.rank(); ++d) sizes.push_back(MoreSpecific(SizeOf(a, d), SizeOf(b, d)));
  return WithSizes(a, sizes);
}

namespace {

absl::Status RequireCalled(const Instruction& inst, const OpRow& row) {
  size_t fixed = 0;
  bool list = false;
  for (const CalledName& name : row.called) {
    fixed += name.list ? 0 : 1;
    list = list || name.list;
  }
  HLO_REQUIRE(inst.called.size() == fixed || (list && inst.called.size() >= fixed),
              "called computations", "needs ", fixed, list ? " or more" : "", ", has ",
              inst.called.size());
  for (const Computation* callee : inst.called) {
    HLO_REQUIRE(callee != nullptr && callee->root() != nullptr, "called computations",
                "a called computation has no root");
  }
  return absl::OkStatus();
}

// The result and all its leaves fit in memory arithmetic.
absl::Status RequireSizes(const Shape& shape) {
  for (const Shape& leaf : FlattenShape(shape)) {
    HLO_REQUIRE(!leaf.IsArray() || ByteSizeFits(leaf), "shape", "the size of ", leaf.ToString(),
                " is negative or does not fit 64 bits");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Shape> InferShape(const Instruction& inst) {
  const OpRow& row = RowOf(inst.opcode);
  int operands = static_cast<int>(inst.operands.size());
  bool exact = row.min_operands == row.max_operands;
  HLO_REQUIRE(
      operands >= row.min_operands && (row.max_operands < 0 || operands <= row.max_operands),
      "operands", "needs ", exact ? "" : "at least ", row.min_operands, ", has ", operands);
  for (Attr attr : row.required) {
    HLO_REQUIRE(inst.Has(attr), "attributes", AttrName(attr), " is missing");
  }
  HLO_RETURN_IF_ERROR(RequireCalled(inst, row));
  absl::StatusOr<Shape> shape = IsQuantized(inst) ? InferQuantized(inst) : row.infer(inst);
  if (!shape.ok()) return shape.status();
  HLO_RETURN_IF_ERROR(RequireSizes(*shape));
  return shape;
}

}  // namespace halyard::hlo
