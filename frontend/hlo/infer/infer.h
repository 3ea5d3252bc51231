// Shape inference and constraints. There is one function for each row of ops.def, by family in
// infer/*.cc. Each returns the result's shape (with default layouts), or an error that begins with
// the label of the violated constraint in the op's specification: "C3: …", or "I1: …" for an
// operand of a kind that the op does not take. Before, InferShape has checked arity, required
// attributes and the number of called computations.
#ifndef HALYARD_FRONTEND_HLO_INFER_INFER_H_
#define HALYARD_FRONTEND_HLO_INFER_INFER_H_

#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo {

#define HLO_OP(enumerator, hlo, stablehlo, min, max, infer, ...) \
  absl::StatusOr<Shape> infer(const Instruction& inst);
#include "frontend/hlo/ir/ops.def"
#undef HLO_OP

// For infer/*.cc.
absl::Status Violation(absl::string_view constraint, absl::string_view what);

#define HLO_REQUIRE(condition, constraint, ...)                                                \
  do {                                                                                         \
    if (!(condition)) return ::halyard::hlo::Violation(constraint, absl::StrCat(__VA_ARGS__)); \
  } while (false)
#define HLO_RETURN_IF_ERROR(expression)                                              \
  do {                                                                               \
    if (absl::Status hlo_status = (expression); !hlo_status.ok()) return hlo_status; \
  } while (false)

// "2,3" for messages.
std::string Listed(absl::Span<const int64_t> values);

// Checks that every operand is an array.
absl::Status RequireArrays(const Instruction& inst);
// Checks that the stated result is an array (constraint `array`).
absl::Status RequireGivenArray(const Instruction& inst, absl::string_view array);
// Checks that the operands and the stated result are arrays (constraint `array`), and that the
// result has the element type of the first operand.
absl::Status RequireGivenType(const Instruction& inst, absl::string_view array);
// Checks that each of `dims` is in [0, rank) (constraint `range`) and that none occurs twice
// (constraint `unique`). `name` is for messages.
absl::Status RequireDims(absl::string_view range, absl::string_view unique, absl::string_view name,
                         absl::Span<const int64_t> dims, int64_t rank);
absl::Status RequireSorted(absl::string_view constraint, absl::string_view name,
                           absl::Span<const int64_t> dims);
bool Contains(absl::Span<const int64_t> list, int64_t value);
// Checks that operand `i` is a vector of `count` integers (constraint `count_label`).
absl::Status RequireVector(const Instruction& inst, size_t i, int64_t count,
                           absl::string_view count_label);
// Returns the values of operand `i`, a vector, if it is a constant.
std::optional<std::vector<int64_t>> ConstantInts(const Instruction& inst, size_t i);
// For broadcasts: checks which dimensions of the result those of the operand become.
absl::Status RequireBroadcastDims(const Instruction& inst);

// R-PROMO of the requirements: the same class, and not narrower.
bool IsPromotable(ElementType from, ElementType to);

// Checks a body that folds n inputs: (E0..En-1, E0..En-1) -> (E0..En-1), all scalars, to which
// `inputs` can be promoted. Returns E0..En-1.
absl::StatusOr<std::vector<ElementType>> FoldTypes(absl::string_view constraint,
                                                   const Computation& body,
                                                   absl::Span<const ElementType> inputs);

// Dynamic sizes (Shape::IsDynamicDim). Two sizes agree if a run may find them equal: a size that is
// not known yet agrees with any size within its bound.
struct Size {
  int64_t size = 0;      // or the bound, or Shape::kUnbounded
  bool bounded = false;  // whether `size` is a bound
  bool IsDynamic() const { return bounded || size == Shape::kUnbounded; }
};
Size SizeOf(const Shape& shape, int64_t dim);
std::vector<Size> SizesOf(const Shape& shape);
bool SizesAgree(Size a, Size b);
// Of two sizes that agree, returns the one that says more.
Size MoreSpecific(Size a, Size b);
// Returns whether `size` may be at most `limit` in some run.
bool SizeFits(Size size, Size limit);
// Returns a size that is computed from another one. It is dynamic if the other is, and `f` computes
// it from the bound.
template <typename F>
Size MapSize(Size size, F f) {
  if (size.size == Shape::kUnbounded) return size;
  return {f(size.size), size.bounded};
}
// Returns an array with these sizes and the element type and quantization of `shape`.
Shape WithSizes(const Shape& shape, const std::vector<Size>& sizes);
Shape ArrayOf(ElementType type, const std::vector<Size>& sizes);
bool DimsAgree(const Shape& a, const Shape& b);
// Like Shape::SameIgnoringLayout, but sizes only have to agree.
bool ShapesAgree(const Shape& a, const Shape& b);
// For shapes that agree, returns the shape that says most about each size, with the element types
// of `a`.
Shape MoreSpecificShape(const Shape& a, const Shape& b);

// Returns the label of the constraint that the recorded result breaks, because it is not the
// inferred one; "O1" and so on for results of a kind that the op does not give.
std::string ResultConstraint(const Instruction& inst, const Shape& inferred);

// The largest magnitude of window and padding numbers, and of sizes with their dilation. Sums and
// products of them along a dimension then fit 64 bits, wherever they are computed.
inline constexpr int64_t kMostWindow = int64_t{1} << 60;
// `constraint` is that of the window or the padding of dimension `dim` over an operand with `size`
// elements there.
absl::Status RequireWindowRange(absl::string_view constraint, int64_t dim, Size size,
                                const WindowDim& window);
// R-CONV-SHAPE: returns the number of windows of `window`, within that range, over a dimension of
// `size` elements.
int64_t NumWindows(int64_t size, const WindowDim& window);
Size NumWindows(Size size, const WindowDim& window);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_INFER_INFER_H_
