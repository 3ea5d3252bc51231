// The names that programs written against XlaBuilder expect beside it.
#ifndef HALYARD_FRONTEND_BUILDER_XLA_TYPES_H_
#define HALYARD_FRONTEND_BUILDER_XLA_TYPES_H_

#include <complex>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/builder/array.h"
#include "frontend/hlo/ir/attributes.h"
#include "frontend/hlo/values/literal.h"
#include "frontend/hlo/values/shape.h"

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
inline constexpr PrimitiveType F4E2M1FN = PrimitiveType::kF4E2M1FN;
inline constexpr PrimitiveType F6E2M3FN = PrimitiveType::kF6E2M3FN;
inline constexpr PrimitiveType F6E3M2FN = PrimitiveType::kF6E3M2FN;
inline constexpr PrimitiveType F8E3M4 = PrimitiveType::kF8E3M4;
inline constexpr PrimitiveType F8E4M3 = PrimitiveType::kF8E4M3;
inline constexpr PrimitiveType F8E4M3FN = PrimitiveType::kF8E4M3FN;
inline constexpr PrimitiveType F8E4M3FNUZ = PrimitiveType::kF8E4M3FNUZ;
inline constexpr PrimitiveType F8E4M3B11FNUZ = PrimitiveType::kF8E4M3B11FNUZ;
inline constexpr PrimitiveType F8E5M2 = PrimitiveType::kF8E5M2;
inline constexpr PrimitiveType F8E5M2FNUZ = PrimitiveType::kF8E5M2FNUZ;
inline constexpr PrimitiveType F8E8M0FNU = PrimitiveType::kF8E8M0FNU;
inline constexpr PrimitiveType BF16 = PrimitiveType::kBF16, F16 = PrimitiveType::kF16;
inline constexpr PrimitiveType F32 = PrimitiveType::kF32, F64 = PrimitiveType::kF64;
inline constexpr PrimitiveType C64 = PrimitiveType::kC64, C128 = PrimitiveType::kC128;

// The element type for a C++ type: NativeType<float>::kType is F32.
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

// The memory order of an array: minor_to_major[0] is the fastest varying dimension.
struct Layout {
  std::vector<int64_t> minor_to_major;
};

struct LayoutUtil {
  static Layout MakeLayout(std::vector<int64_t> minor_to_major) {
    return Layout{std::move(minor_to_major)};
  }
};

struct ShapeUtil {
  static Shape MakeShape(PrimitiveType type, std::vector<int64_t> dims) {
    return Shape::Array(type, std::move(dims));
  }
  static Shape MakeShapeWithLayout(PrimitiveType type, std::vector<int64_t> dims,
                                   std::vector<int64_t> minor_to_major) {
    return Shape::ArrayWithLayout(type, std::move(dims), std::move(minor_to_major));
  }
  static Shape MakeTupleShape(std::vector<Shape> elements) {
    return Shape::Tuple(std::move(elements));
  }
  static Shape MakeTokenShape() { return Shape::Token(); }
  // Compatible ignores layouts. Equal compares them, too.
  static bool Compatible(const Shape& a, const Shape& b) { return Shape::SameIgnoringLayout(a, b); }
  static bool Equal(const Shape& a, const Shape& b) { return a == b; }
};

struct LiteralUtil {
  // Scalars. For a float type with infinities, Min and Max are the infinities.
  static Literal Zero(PrimitiveType type);
  static Literal One(PrimitiveType type);
  static Literal MinValue(PrimitiveType type);
  static Literal MaxValue(PrimitiveType type);

  // Takes host values in row-major order. Their number must be that of `dims`.
  template <typename T>
  static Literal Create(std::vector<int64_t> dims, absl::Span<const T> values);
  template <typename T>
  static Literal CreateR0(T value) {
    return Create<T>({}, absl::Span<const T>(&value, 1));
  }
  template <typename T>
  static Literal CreateR1(absl::Span<const T> values) {
    return Create<T>({static_cast<int64_t>(values.size())}, values);
  }
  template <typename T>
  static Literal CreateR1(std::initializer_list<T> values) {
    return CreateR1<T>(absl::Span<const T>(values.begin(), values.size()));
  }
  // The lists on one level must have the same length. Otherwise this aborts, while ConstantR2…
  // defer the error.
  template <typename T>
  static Literal CreateR2(typename NestedList<T, 2>::Type values) {
    return CreateFromArray<T, 2>(Array<T, 2>(values));
  }
  template <typename T>
  static Literal CreateR3(typename NestedList<T, 3>::Type values) {
    return CreateFromArray<T, 3>(Array<T, 3>(values));
  }
  template <typename T>
  static Literal CreateR4(typename NestedList<T, 4>::Type values) {
    return CreateFromArray<T, 4>(Array<T, 4>(values));
  }
  template <typename T, int kRank>
  static Literal CreateFromArray(const Array<T, kRank>& array) {
    if (!array.rectangular()) DieOfRaggedLists();
    return Create<T>({array.sizes().begin(), array.sizes().end()}, array.values());
  }
  static Literal MakeTuple(std::vector<Literal> elements) {
    return Literal::Tuple(std::move(elements));
  }

 private:
  [[noreturn]] static void DieOfRaggedLists();
};

template <typename T>
Literal LiteralUtil::Create(std::vector<int64_t> dims, absl::Span<const T> values) {
  constexpr PrimitiveType kType = NativeType<T>::kType;
  Literal literal(Shape::Array(kType, std::move(dims)));
  for (size_t i = 0; i < values.size(); ++i) {
    if constexpr (kType == C64 || kType == C128) {
      literal.SetComplex(i, std::complex<double>(values[i].real(), values[i].imag()));
    } else if constexpr (kType == F32 || kType == F64) {
      literal.SetFloat(i, values[i]);
    } else {
      literal.SetInt(i, static_cast<int64_t>(values[i]));
    }
  }
  return literal;
}

enum class Padding {
  kSame,   // with stride 1, results have the input's size
  kValid,  // no padding
};

// Returns the (low, high) padding of each dimension for windows over `input_dims`. If the padding
// is odd, kSame adds the extra element at the high end.
absl::StatusOr<std::vector<std::pair<int64_t, int64_t>>> MakePadding(
    absl::Span<const int64_t> input_dims, absl::Span<const int64_t> window_dims,
    absl::Span<const int64_t> window_strides, Padding padding);

// For each dimension {low, high, interior}: the interior padding comes first, then the edges, which
// may be negative.
using PaddingConfig = hlo::PaddingConfig;
PaddingConfig MakeEdgePaddingConfig(absl::Span<const std::pair<int64_t, int64_t>> low_high);
// How a convolution reads its operands' dimensions; see
// XlaBuilder::CreateDefaultConvDimensionNumbers.
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

// Fields as in the op's specification; index_vector_dim may be the rank of the indices.
struct GatherDimensionNumbers {
  std::vector<int64_t> offset_dims, collapsed_slice_dims, start_index_map;
  std::vector<int64_t> operand_batching_dims, start_indices_batching_dims;
  int64_t index_vector_dim = 0;
};

struct ScatterDimensionNumbers {
  std::vector<int64_t> update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims;
  std::vector<int64_t> input_batching_dims, scatter_indices_batching_dims;
  int64_t index_vector_dim = 0;
};

enum class FftType { FFT, IFFT, RFFT, IRFFT };
enum class RandomAlgorithm { RNG_DEFAULT, RNG_THREE_FRY, RNG_PHILOX };

struct TriangularSolveOptions {
  enum Transpose { NO_TRANSPOSE, TRANSPOSE, ADJOINT };
};

// One end of a Send/Recv pair. A handle belongs to one pair only.
struct ChannelHandle {
  enum Type { DEVICE_TO_DEVICE, DEVICE_TO_HOST, HOST_TO_DEVICE };
  int64_t handle = 0;
  Type type = DEVICE_TO_DEVICE;
};

// The ids of the replicas of each group. Without groups, there is one group of all replicas, in
// order.
using ReplicaGroups = std::vector<std::vector<int64_t>>;

}  // namespace halyard

#endif  // HALYARD_FRONTEND_BUILDER_XLA_TYPES_H_
