// Shape inference and constraints: one function per row of ops.def, by family in infer_*.cc. Each
// gives the result's shape (default layouts), or an error that begins with the label of the
// violated constraint in the op's specification: "C3: …", or "I1: …" for an operand of a kind that
// the op does not take. Arity, required attributes and the number of called computations have been
// checked by InferShape before.
#ifndef HALYARD_FRONTEND_HLO_INFER_H_
#define HALYARD_FRONTEND_HLO_INFER_H_

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "frontend/hlo/module.h"

namespace halyard::hlo {

#define HLO_OP(enumerator, hlo, stablehlo, min, max, infer, ...) \
  absl::StatusOr<Shape> infer(const Instruction& inst);
#include "frontend/hlo/ops.def"
#undef HLO_OP

// For infer_*.cc.
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

// Every operand is an array.
absl::Status RequireArrays(const Instruction& inst);
// Each of `dims` is in [0, rank) (else `range`), none twice (else `unique`). `name` for messages.
absl::Status RequireDims(absl::string_view range, absl::string_view unique, absl::string_view name,
                         absl::Span<const int64_t> dims, int64_t rank);
absl::Status RequireSorted(absl::string_view constraint, absl::string_view name,
                           absl::Span<const int64_t> dims);
bool Contains(absl::Span<const int64_t> list, int64_t value);

// R-PROMO of the requirements: same class and no narrower.
bool IsPromotable(ElementType from, ElementType to);

// A body that folds n inputs: (E0..En-1, E0..En-1) -> (E0..En-1), all scalars, into which `inputs`
// can be promoted. Gives E0..En-1.
absl::StatusOr<std::vector<ElementType>> FoldTypes(absl::string_view constraint,
                                                   const Computation& body,
                                                   absl::Span<const ElementType> inputs);

// Dynamic sizes (Shape::IsDynamicDim). Sizes agree if a run may find them equal: a size that is not
// known yet with any that is within its bound.
struct Size {
  int64_t size = 0;      // or the bound, or Shape::kUnbounded
  bool bounded = false;  // `size` is a bound
  bool IsDynamic() const { return bounded || size == Shape::kUnbounded; }
};
Size SizeOf(const Shape& shape, int64_t dim);
std::vector<Size> SizesOf(const Shape& shape);
bool SizesAgree(Size a, Size b);
// The one of two sizes that agree which says more.
Size MoreSpecific(Size a, Size b);
// `size` may be at most `limit`, in some run.
bool SizeFits(Size size, Size limit);
// A size that is computed from another: dynamic if that is, of what `f` makes of its bound.
template <typename F>
Size MapSize(Size size, F f) {
  if (size.size == Shape::kUnbounded) return size;
  return {f(size.size), size.bounded};
}
// An array with these sizes and the element type of `shape`, and its quantization.
Shape WithSizes(const Shape& shape, const std::vector<Size>& sizes);
Shape ArrayOf(ElementType type, const std::vector<Size>& sizes);
bool DimsAgree(const Shape& a, const Shape& b);
// Like Shape::SameIgnoringLayout, but for sizes, which have to agree.
bool ShapesAgree(const Shape& a, const Shape& b);
// Of shapes that agree, the one that says most of each size; `a`'s element types.
Shape MoreSpecificShape(const Shape& a, const Shape& b);

// The label of the constraint that the recorded result breaks, which is not the inferred one; "O1"
// and so on for results of a kind that the op does not give.
std::string ResultConstraint(const Instruction& inst, const Shape& inferred);

// Window and padding numbers have at most this magnitude, and so have sizes with their dilation: sums
// and products of them along a dimension then fit 64 bits, wherever they are computed.
inline constexpr int64_t kMostWindow = int64_t{1} << 60;
// `constraint`: of the window, or the padding, of dimension `dim` over an operand of `size` there.
absl::Status RequireWindowRange(absl::string_view constraint, int64_t dim, Size size,
                                const WindowDim& window);
// R-CONV-SHAPE: windows of `window`, within that range, over a dimension of `size` elements.
int64_t NumWindows(int64_t size, const WindowDim& window);
Size NumWindows(Size size, const WindowDim& window);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_INFER_H_
