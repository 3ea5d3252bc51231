// The names that programs written against XlaBuilder expect beside it.
#ifndef HALYARD_FRONTEND_BUILDER_XLA_TYPES_H_
#define HALYARD_FRONTEND_BUILDER_XLA_TYPES_H_

#include <complex>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/attributes.h"
#include "frontend/hlo/literal.h"
#include "frontend/hlo/shape.h"

namespace halyard {

using Shape = hlo::Shape;
using Literal = hlo::Literal;
using PrimitiveType = hlo::ElementType;

inline constexpr PrimitiveType PRED = PrimitiveType::kPred;
inline constexpr PrimitiveType S2 = PrimitiveType::kS2, S4 = PrimitiveType::kS4;
inline constexpr PrimitiveType S8 = PrimitiveType::kS8, S16 = PrimitiveType::kS16;
inline constexpr PrimitiveType S32 = PrimitiveType::kS32, S64 = PrimitiveType::kS64;
inline constexpr PrimitiveType U2 = PrimitiveType::kU2, U4 = PrimitiveType::kU4;
inline constexpr PrimitiveType U8 = PrimitiveType::kU8, U16 = PrimitiveType::kU16;
inline constexpr PrimitiveType U32 = PrimitiveType::kU32, U64 = PrimitiveType::kU64;
inline constexpr PrimitiveType BF16 = PrimitiveType::kBF16, F16 = PrimitiveType::kF16;
inline constexpr PrimitiveType F32 = PrimitiveType::kF32, F64 = PrimitiveType::kF64;
inline constexpr PrimitiveType C64 = PrimitiveType::kC64, C128 = PrimitiveType::kC128;

// The element type of a C++ type: NativeType<float>::kType is F32.
template <typename T>
struct NativeType;
#define HALYARD_NATIVE_TYPE(T, type)             \
  template <>                                    \
  struct NativeType<T> {                         \
    static constexpr PrimitiveType kType = type; \
  };
HALYARD_NATIVE_TYPE(bool, PRED)
HALYARD_NATIVE_TYPE(int8_t, S8)
HALYARD_NATIVE_TYPE(int16_t, S16)
HALYARD_NATIVE_TYPE(int32_t, S32)
HALYARD_NATIVE_TYPE(int64_t, S64)
HALYARD_NATIVE_TYPE(uint8_t, U8)
HALYARD_NATIVE_TYPE(uint16_t, U16)
HALYARD_NATIVE_TYPE(uint32_t, U32)
HALYARD_NATIVE_TYPE(uint64_t, U64)
HALYARD_NATIVE_TYPE(float, F32)
HALYARD_NATIVE_TYPE(double, F64)
HALYARD_NATIVE_TYPE(std::complex<float>, C64)
HALYARD_NATIVE_TYPE(std::complex<double>, C128)
#undef HALYARD_NATIVE_TYPE

struct ShapeUtil {
  static Shape MakeShape(PrimitiveType type, std::vector<int64_t> dims) {
    return Shape::Array(type, std::move(dims));
  }
  static Shape MakeTupleShape(std::vector<Shape> elements) {
    return Shape::Tuple(std::move(elements));
  }
  static Shape MakeTokenShape() { return Shape::Token(); }
};

struct LiteralUtil {
  // Scalars. Min and max of a float type with infinities are the infinities.
  static Literal Zero(PrimitiveType type);
  static Literal One(PrimitiveType type);
  static Literal MinValue(PrimitiveType type);
  static Literal MaxValue(PrimitiveType type);
};

enum class Padding {
  kSame,   // results at stride 1 have the input's size
  kValid,  // no padding
};

// The (low, high) padding per dimension of windows over `input_dims`. kSame puts the odd element
// high.
absl::StatusOr<std::vector<std::pair<int64_t, int64_t>>> MakePadding(
    absl::Span<const int64_t> input_dims, absl::Span<const int64_t> window_dims,
    absl::Span<const int64_t> window_strides, Padding padding);

using PaddingConfig = hlo::PaddingConfig;
using ConvolutionDimensionNumbers = hlo::ConvDims;

// Which dimensions of the operands of DotGeneral are contracted, and which are batch dimensions.
class DotDimensionNumbers {
 public:
  void add_lhs_contracting_dimensions(int64_t d) { lhs_contracting.push_back(d); }
  void add_rhs_contracting_dimensions(int64_t d) { rhs_contracting.push_back(d); }
  void add_lhs_batch_dimensions(int64_t d) { lhs_batch.push_back(d); }
  void add_rhs_batch_dimensions(int64_t d) { rhs_batch.push_back(d); }

  std::vector<int64_t> lhs_contracting, rhs_contracting, lhs_batch, rhs_batch;
};

struct GatherDimensionNumbers {
  std::vector<int64_t> offset_dims, collapsed_slice_dims, start_index_map;
  std::vector<int64_t> operand_batching_dims, start_indices_batching_dims;
  int64_t index_vector_dim = 0;
};

}  // namespace halyard

#endif  // HALYARD_FRONTEND_BUILDER_XLA_TYPES_H_
