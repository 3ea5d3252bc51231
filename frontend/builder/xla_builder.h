// XlaBuilder: building HLO by calls, one method per op. Names, argument orders and broadcasting are
// those of XLA's client API; free functions of the same names are in xla_ops.h.
//
// Errors are deferred: a method that is given something wrong returns an invalid XlaOp, what is
// built on that is invalid too, and Build reports the first error.
#ifndef HALYARD_FRONTEND_BUILDER_XLA_BUILDER_H_
#define HALYARD_FRONTEND_BUILDER_XLA_BUILDER_H_

#include <initializer_list>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "frontend/builder/xla_types.h"
#include "frontend/hlo/module.h"

namespace halyard {

class XlaBuilder;

// A value under construction: a handle into its builder, valid until Build.
class XlaOp {
 public:
  XlaOp() = default;
  bool valid() const { return instruction_ != nullptr; }
  XlaBuilder* builder() const { return builder_; }

 private:
  friend class XlaBuilder;
  XlaOp(XlaBuilder* builder, hlo::Instruction* instruction)
      : builder_(builder), instruction_(instruction) {}

  XlaBuilder* builder_ = nullptr;
  hlo::Instruction* instruction_ = nullptr;
};

// A finished graph: a module whose entry is the computation. Copies share it.
class XlaComputation {
 public:
  XlaComputation() = default;
  explicit XlaComputation(std::shared_ptr<const hlo::Module> module) : module_(std::move(module)) {}
  bool IsNull() const { return module_ == nullptr; }
  const hlo::Module& module() const { return *module_; }

 private:
  friend class XlaBuilder;
  std::shared_ptr<const hlo::Module> module_;
};

class XlaBuilder {
 public:
  explicit XlaBuilder(absl::string_view computation_name);
  ~XlaBuilder();
  XlaBuilder(const XlaBuilder&) = delete;
  XlaBuilder& operator=(const XlaBuilder&) = delete;

  const std::string& name() const { return name_; }
  // Aborts at the first error, with its message, instead of deferring it.
  void set_die_immediately_on_error(bool enabled) { die_immediately_ = enabled; }
  // Source place and op name that the next instructions get.
  void SetOpMetadata(hlo::Provenance metadata) { metadata_ = std::move(metadata); }
  void ClearOpMetadata() { metadata_ = {}; }

  // A builder for a computation that this one's ops call.
  std::unique_ptr<XlaBuilder> CreateSubBuilder(absl::string_view computation_name);
  // What Build returns: otherwise it is the last op.
  absl::Status SetReturnValue(XlaOp op);
  // The verified graph, or the first error. The builder is empty afterwards.
  absl::StatusOr<XlaComputation> Build();
  absl::StatusOr<XlaComputation> Build(XlaOp root);
  // For sub-builders: an error goes to the parent, and a null computation is returned.
  XlaComputation BuildAndNoteError();
  absl::Status first_error() const { return first_error_; }
  // Notes an error found outside of the builder; gives an invalid op.
  XlaOp ReportError(const absl::Status& error);

  absl::StatusOr<Shape> GetShape(XlaOp op) const;
  // The op itself if its shape is `expected` (layouts apart), else a noted error.
  XlaOp CheckShape(XlaOp op, const Shape& expected);
  // The value of an op that depends on no parameter, without building.
  absl::StatusOr<Literal> ComputeConstant(XlaOp op) const;
  absl::StatusOr<bool> IsConstant(XlaOp op) const;

  XlaOp Parameter(int64_t number, const Shape& shape, const std::string& name = "");
  XlaOp ConstantLiteral(const Literal& literal);
  template <typename T>
  XlaOp ConstantR0(T value) {
    return ConstantLiteral(MakeLiteral<T>({}, absl::Span<const T>(&value, 1)));
  }
  template <typename T>
  XlaOp ConstantR1(absl::Span<const T> values) {
    return ConstantLiteral(MakeLiteral<T>({static_cast<int64_t>(values.size())}, values));
  }
  template <typename T>
  XlaOp ConstantR1(std::initializer_list<T> values) {
    return ConstantR1<T>(absl::Span<const T>(values.begin(), values.size()));
  }
  template <typename T>
  XlaOp ConstantR1(int64_t length, T value) {
    return Broadcast(ConstantR0<T>(value), {length});
  }
  // Rows of equal length.
  template <typename T>
  XlaOp ConstantR2(std::initializer_list<std::initializer_list<T>> rows);

  // Elementwise. broadcast_dimensions[i] is the dimension of the operand of higher rank that
  // dimension i of the other one matches; see broadcasting.h.
#define HALYARD_UNARY(Name) XlaOp Name(XlaOp operand);
#define HALYARD_BINARY(Name) \
  XlaOp Name(XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> broadcast_dimensions = {});
#include "frontend/builder/xla_elementwise.def"
#undef HALYARD_UNARY
#undef HALYARD_BINARY
  XlaOp Sgn(XlaOp operand) { return Sign(operand); }
  XlaOp SqrtF32(XlaOp operand);
  XlaOp SquareF32(XlaOp operand);
  XlaOp ReciprocalF32(XlaOp operand);
  XlaOp ConvertElementType(XlaOp operand, PrimitiveType type);
  XlaOp BitcastConvertType(XlaOp operand, PrimitiveType type);
  XlaOp ReducePrecision(XlaOp operand, int exponent_bits, int mantissa_bits);
  XlaOp Select(XlaOp pred, XlaOp on_true, XlaOp on_false);
  XlaOp Clamp(XlaOp min, XlaOp operand, XlaOp max);
  XlaOp Map(absl::Span<const XlaOp> operands, const XlaComputation& computation,
            absl::Span<const int64_t> dimensions = {});

  // Shape and data movement.
  XlaOp Iota(const Shape& shape, int64_t iota_dimension);
  XlaOp Iota(PrimitiveType type, int64_t size);
  XlaOp Broadcast(XlaOp operand, absl::Span<const int64_t> sizes);  // new dimensions on the left
  XlaOp BroadcastInDim(XlaOp operand, absl::Span<const int64_t> out_dim_size,
                       absl::Span<const int64_t> broadcast_dimensions);
  XlaOp Reshape(XlaOp operand, absl::Span<const int64_t> new_sizes);
  // Read in the order `dimensions` (major to minor), then reshaped.
  XlaOp Reshape(XlaOp operand, absl::Span<const int64_t> dimensions,
                absl::Span<const int64_t> new_sizes);
  XlaOp Collapse(XlaOp operand, absl::Span<const int64_t> dimensions);  // consecutive, ascending
  XlaOp Transpose(XlaOp operand, absl::Span<const int64_t> permutation);
  XlaOp Trans(XlaOp operand);  // rank 2
  XlaOp Rev(XlaOp operand, absl::Span<const int64_t> dimensions);
  // Strides are 1 if not given.
  XlaOp Slice(XlaOp operand, absl::Span<const int64_t> start, absl::Span<const int64_t> limit,
              absl::Span<const int64_t> strides = {});
  XlaOp ConcatInDim(absl::Span<const XlaOp> operands, int64_t dimension);
  XlaOp Pad(XlaOp operand, XlaOp padding_value, const PaddingConfig& padding_config);
  XlaOp DynamicSlice(XlaOp operand, absl::Span<const XlaOp> start_indices,
                     absl::Span<const int64_t> size_indices);
  XlaOp DynamicUpdateSlice(XlaOp operand, XlaOp update, absl::Span<const XlaOp> start_indices);
  XlaOp Gather(XlaOp operand, XlaOp start_indices, const GatherDimensionNumbers& numbers,
               absl::Span<const int64_t> slice_sizes, bool indices_are_sorted = false);

  // Contractions. Dot: matrices and vectors, the last dimension of lhs with the first of rhs.
  XlaOp Dot(XlaOp lhs, XlaOp rhs);
  XlaOp DotGeneral(XlaOp lhs, XlaOp rhs, const DotDimensionNumbers& numbers);
  XlaOp DotGeneral(XlaOp lhs, XlaOp rhs, const DotDimensionNumbers& numbers,
                   PrimitiveType result_type);
  static constexpr int64_t kConvBatchDimension = 0;
  static constexpr int64_t kConvFeatureDimension = 1;
  static constexpr int64_t kConvFirstSpatialDimension = 2;
  static constexpr int64_t kConvSecondSpatialDimension = 3;
  static constexpr int64_t kConvKernelOutputDimension = 0;
  static constexpr int64_t kConvKernelInputDimension = 1;
  static constexpr int64_t kConvKernelFirstSpatialDimension = 2;
  static constexpr int64_t kConvKernelSecondSpatialDimension = 3;
  // Batch, feature, spatial…; kernel: output feature, input feature, spatial….
  static ConvolutionDimensionNumbers CreateDefaultConvDimensionNumbers(int64_t spatial = 2);
  static absl::StatusOr<ConvolutionDimensionNumbers> CreateConvDimensionNumbers(
      int64_t batch, int64_t feature, int64_t first_spatial, int64_t second_spatial,
      int64_t kernel_output_feature, int64_t kernel_input_feature, int64_t kernel_first_spatial,
      int64_t kernel_second_spatial);
  using Pairs = absl::Span<const std::pair<int64_t, int64_t>>;  // (low, high) per dimension
  XlaOp Conv(XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> window_strides, Padding padding,
             int64_t feature_group_count = 1, int64_t batch_group_count = 1);
  XlaOp ConvWithGeneralPadding(XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> window_strides,
                               Pairs padding, int64_t feature_group_count = 1,
                               int64_t batch_group_count = 1);
  XlaOp ConvWithGeneralDimensions(XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> window_strides,
                                  Padding padding, const ConvolutionDimensionNumbers& numbers,
                                  int64_t feature_group_count = 1, int64_t batch_group_count = 1);
  XlaOp ConvGeneral(XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> window_strides, Pairs padding,
                    const ConvolutionDimensionNumbers& numbers, int64_t feature_group_count = 1,
                    int64_t batch_group_count = 1);
  // Dilations are 1 where the list is empty.
  XlaOp ConvGeneralDilated(XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> window_strides,
                           Pairs padding, absl::Span<const int64_t> lhs_dilation,
                           absl::Span<const int64_t> rhs_dilation,
                           const ConvolutionDimensionNumbers& numbers,
                           int64_t feature_group_count = 1, int64_t batch_group_count = 1);

  // Reductions and sorting. Several operands give a tuple.
  XlaOp Reduce(XlaOp operand, XlaOp init_value, const XlaComputation& computation,
               absl::Span<const int64_t> dimensions);
  XlaOp Reduce(absl::Span<const XlaOp> operands, absl::Span<const XlaOp> init_values,
               const XlaComputation& computation, absl::Span<const int64_t> dimensions);
  XlaOp ReduceAll(XlaOp operand, XlaOp init_value, const XlaComputation& computation);
  XlaOp ReduceWindow(XlaOp operand, XlaOp init_value, const XlaComputation& computation,
                     absl::Span<const int64_t> window_dimensions,
                     absl::Span<const int64_t> window_strides, Padding padding);
  XlaOp ReduceWindowWithGeneralPadding(absl::Span<const XlaOp> operands,
                                       absl::Span<const XlaOp> init_values,
                                       const XlaComputation& computation,
                                       absl::Span<const int64_t> window_dimensions,
                                       absl::Span<const int64_t> window_strides,
                                       absl::Span<const int64_t> base_dilations,
                                       absl::Span<const int64_t> window_dilations, Pairs padding);
  XlaOp ReduceWindowWithGeneralPadding(XlaOp operand, XlaOp init_value,
                                       const XlaComputation& computation,
                                       absl::Span<const int64_t> window_dimensions,
                                       absl::Span<const int64_t> window_strides, Pairs padding);
  XlaOp Sort(XlaOp operand);  // ascending along the last dimension
  // A negative dimension counts from the end.
  XlaOp Sort(absl::Span<const XlaOp> operands, const XlaComputation& comparator,
             int64_t dimension = -1, bool is_stable = false);

  // Structure and control flow.
  XlaOp Tuple(absl::Span<const XlaOp> elements);
  XlaOp GetTupleElement(XlaOp tuple, int64_t index);
  XlaOp Call(const XlaComputation& computation, absl::Span<const XlaOp> operands);
  XlaOp While(const XlaComputation& condition, const XlaComputation& body, XlaOp init);
  XlaOp Conditional(XlaOp pred, XlaOp true_operand, const XlaComputation& true_computation,
                    XlaOp false_operand, const XlaComputation& false_computation);
  XlaOp Conditional(XlaOp branch_index, absl::Span<const XlaComputation* const> branches,
                    absl::Span<const XlaOp> branch_operands);
  XlaOp CustomCall(const std::string& target, absl::Span<const XlaOp> operands, const Shape& shape,
                   const std::string& backend_config = "", bool has_side_effect = false);
  XlaOp OptimizationBarrier(XlaOp operand);
  XlaOp AfterAll(absl::Span<const XlaOp> tokens);

 private:
  // The literal of host values of one of the types of NativeType.
  template <typename T>
  static Literal MakeLiteral(std::vector<int64_t> dims, absl::Span<const T> values);

  // Adds an instruction whose shape is inferred (`given`: the recorded shape of ops that need one).
  XlaOp AddOp(hlo::Opcode opcode, absl::Span<const XlaOp> operands, hlo::AttrMap attrs = {},
              absl::Span<const XlaComputation* const> called = {}, Shape given = {});
  // One for each operand; notes an error for invalid ones and those of other builders.
  bool Usable(hlo::Opcode opcode, absl::Span<const XlaOp> operands);
  XlaOp Error(absl::string_view op, absl::string_view what);
  XlaOp Error(hlo::Opcode opcode, absl::string_view what);
  XlaOp AddUnary(hlo::Opcode opcode, XlaOp operand) { return AddOp(opcode, {operand}); }
  XlaOp AddBinary(hlo::Opcode opcode, XlaOp lhs, XlaOp rhs,
                  absl::Span<const int64_t> broadcast_dimensions, hlo::AttrMap attrs = {});
  XlaOp AddCompare(const char* direction, const char* type, XlaOp lhs, XlaOp rhs,
                   absl::Span<const int64_t> broadcast_dimensions);
  // The operand's dimension i becomes dimension map[i] of an array of `dims`, repeated where its
  // own size is 1.
  XlaOp Expand(XlaOp operand, const std::vector<int64_t>& dims, const std::vector<int64_t>& map);
  // A copy of the computation in this module, made once.
  hlo::Computation* Import(const XlaComputation& computation);
  const Shape& ShapeOf(XlaOp op) const { return op.instruction_->shape; }
  void Reset();

  std::string name_;
  XlaBuilder* parent_ = nullptr;
  bool die_immediately_ = false;
  absl::Status first_error_;
  hlo::Provenance metadata_;
  std::unique_ptr<hlo::Module> module_;
  hlo::Computation* entry_ = nullptr;
  hlo::Instruction* last_ = nullptr;
  hlo::Instruction* return_value_ = nullptr;
  std::unordered_map<const hlo::Module*, hlo::Computation*> imported_;
  std::vector<XlaComputation> kept_;  // so that the keys of imported_ stay alive
};

using ComputationBuilder = XlaBuilder;

template <typename T>
Literal XlaBuilder::MakeLiteral(std::vector<int64_t> dims, absl::Span<const T> values) {
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

template <typename T>
XlaOp XlaBuilder::ConstantR2(std::initializer_list<std::initializer_list<T>> rows) {
  std::vector<T> values;
  size_t columns = rows.size() == 0 ? 0 : rows.begin()->size();
  for (const auto& row : rows) {
    if (row.size() != columns) return Error("constant", "rows differ in length");
    values.insert(values.end(), row.begin(), row.end());
  }
  return ConstantLiteral(
      MakeLiteral<T>({static_cast<int64_t>(rows.size()), static_cast<int64_t>(columns)}, values));
}

}  // namespace halyard

#endif  // HALYARD_FRONTEND_BUILDER_XLA_BUILDER_H_
