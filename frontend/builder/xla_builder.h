// XlaBuilder builds HLO by calls, with one method for each op. Names, argument orders and
// broadcasting are those of XLA's client API. xla_ops.h has free functions of the same names.
//
// Errors are deferred: a method with a wrong argument returns an invalid XlaOp, everything built on
// that is invalid, too, and Build reports the first error.
//
// Shapes are inferred. Sizes count elements along each dimension, and dimension 0 is the slowest in
// memory unless a layout says otherwise. Lists with one entry for each dimension are in the order
// of the dimensions.
#ifndef HALYARD_FRONTEND_BUILDER_XLA_BUILDER_H_
#define HALYARD_FRONTEND_BUILDER_XLA_BUILDER_H_

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "frontend/builder/xla_types.h"
#include "frontend/hlo/ir/module.h"

namespace halyard {

class XlaBuilder;

// A value under construction: a handle into its builder. The builder must still exist. The handle
// may be used until the builder builds.
class XlaOp {
 public:
  XlaOp() = default;
  bool valid() const { return instruction_ != nullptr; }
  XlaBuilder* builder() const { return builder_; }

 private:
  friend class XlaBuilder;
  XlaOp(XlaBuilder* builder, hlo::Instruction* instruction, int generation)
      : builder_(builder), instruction_(instruction), generation_(generation) {}

  XlaBuilder* builder_ = nullptr;
  hlo::Instruction* instruction_ = nullptr;
  int generation_ = 0;  // how often the builder had built before
};

// A finished graph: a module whose entry is the computation. Copies share it.
class XlaComputation {
 public:
  XlaComputation() = default;
  explicit XlaComputation(std::shared_ptr<const hlo::Module> module) : module_(std::move(module)) {}
  bool IsNull() const { return module_ == nullptr; }
  const hlo::Module& module() const { return *module_; }
  const std::shared_ptr<const hlo::Module>& shared_module() const { return module_; }

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
  // If enabled, aborts at the first error, with its message, instead of deferring it.
  void set_die_immediately_on_error(bool enabled) { die_immediately_ = enabled; }
  // Sets the source place and op name that the next instructions get.
  void SetOpMetadata(hlo::Provenance metadata) { metadata_ = std::move(metadata); }
  void ClearOpMetadata() { metadata_ = {}; }

  // Returns a builder for a computation that ops of this builder call.
  std::unique_ptr<XlaBuilder> CreateSubBuilder(absl::string_view computation_name);
  // Sets the op that Build returns; otherwise this is the last op. Ops that are added afterwards
  // have no effect (even those with side effects are dropped), unless this is called again.
  // Parameters stay parameters.
  absl::Status SetReturnValue(XlaOp op);
  // Returns the verified graph, or the first error. Afterwards, the builder is empty, but a first
  // error stays. Infeeds must be totally ordered: each must depend on the one before, by data or by
  // its token.
  absl::StatusOr<XlaComputation> Build();
  absl::StatusOr<XlaComputation> Build(XlaOp root);
  // For sub-builders: passes an error on to the parent, and returns a null computation then.
  XlaComputation BuildAndNoteError();
  absl::Status first_error() const { return first_error_; }
  // Records an error found outside the builder. Returns an invalid op.
  XlaOp ReportError(const absl::Status& error);
  // Sets the size of the process grid for which the program is; 1 × 1 if not called.
  void SetProcessGrid(int64_t num_replicas, int64_t num_partitions);

  absl::StatusOr<Shape> GetShape(XlaOp op) const;
  // Returns the op itself if its shape is `expected`, apart from layouts. Otherwise, and if the op
  // has no shape, aborts with a message.
  XlaOp CheckShape(XlaOp op, const Shape& expected) const;
  void CheckSameShape(XlaOp lhs, XlaOp rhs) const;  // aborts if they differ
  // Returns the value of an op that depends on no parameter, without building. It must be an op of
  // this builder, with no Build in between. Random numbers count as constants, and may differ from
  // call to call. For arrays, `output_layout` is the layout of the result's shape (values stay
  // row-major).
  absl::StatusOr<Literal> ComputeConstant(XlaOp op, const Layout* output_layout = nullptr) const;
  absl::StatusOr<bool> IsConstant(XlaOp op) const;

  XlaOp Parameter(int64_t number, const Shape& shape, const std::string& name = "");
  XlaOp ConstantLiteral(const Literal& literal);
  template <typename T>
  XlaOp ConstantR0(T value) {
    return ConstantLiteral(LiteralUtil::CreateR0<T>(value));
  }
  template <typename T>
  XlaOp ConstantR1(absl::Span<const T> values) {
    return ConstantLiteral(LiteralUtil::CreateR1<T>(values));
  }
  template <typename T>
  XlaOp ConstantR1(std::initializer_list<T> values) {
    return ConstantR1<T>(absl::Span<const T>(values.begin(), values.size()));
  }
  template <typename T>
  XlaOp ConstantR1(int64_t length, T value) {
    return Broadcast(ConstantR0<T>(value), {length});
  }
  // Makes a constant of nested lists. It is an error if lists on one level differ in length.
  template <typename T>
  XlaOp ConstantR2(std::initializer_list<std::initializer_list<T>> values) {
    return ConstantFromArray<T, 2>(Array<T, 2>(values));
  }
  template <typename T>
  XlaOp ConstantR3(typename NestedList<T, 3>::Type values) {
    return ConstantFromArray<T, 3>(Array<T, 3>(values));
  }
  template <typename T>
  XlaOp ConstantR4(typename NestedList<T, 4>::Type values) {
    return ConstantFromArray<T, 4>(Array<T, 4>(values));
  }
  template <typename T>
  XlaOp ConstantR2FromArray2D(const Array2D<T>& values) {
    return ConstantFromArray<T, 2>(values);
  }
  template <typename T>
  XlaOp ConstantR3FromArray3D(const Array3D<T>& values) {
    return ConstantFromArray<T, 3>(values);
  }
  template <typename T>
  XlaOp ConstantR4FromArray4D(const Array4D<T>& values) {
    return ConstantFromArray<T, 4>(values);
  }
  template <typename T, int kRank>
  XlaOp ConstantFromArray(const Array<T, kRank>& values) {
    if (!values.rectangular()) return Error("constant", "nested lists differ in length");
    return ConstantLiteral(LiteralUtil::CreateFromArray(values));
  }

  // Elementwise ops. broadcast_dimensions[i] is the dimension of the operand of higher rank that
  // dimension i of the other one matches; see broadcasting.h.
#define HALYARD_UNARY(Name) XlaOp Name(XlaOp operand);
#define HALYARD_BINARY(Name) \
  XlaOp Name(XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> broadcast_dimensions = {});
#include "frontend/builder/xla_elementwise.def"
#undef HALYARD_UNARY
#undef HALYARD_BINARY
  XlaOp Sgn(XlaOp operand) { return Sign(operand); }
  // Powers of f32 with the exponents 0.5, 2 and -1.
  XlaOp SqrtF32(XlaOp operand);
  XlaOp SquareF32(XlaOp operand);
  XlaOp ReciprocalF32(XlaOp operand);
  XlaOp ConvertElementType(XlaOp operand, PrimitiveType type);
  XlaOp BitcastConvertType(XlaOp operand, PrimitiveType type);
  XlaOp ReducePrecision(XlaOp operand, int exponent_bits, int mantissa_bits);
  // `pred` is a scalar or has the operands' shape. Tuples are chosen as a whole, by a scalar.
  XlaOp Select(XlaOp pred, XlaOp on_true, XlaOp on_false);
  XlaOp Clamp(XlaOp min, XlaOp operand, XlaOp max);  // min and max are scalars or have the
                                                     // operand's shape
  // The computation takes one element of each operand, and then the static operands as a whole. If
  // some static operands are not scalars, elements are computed one after the other.
  XlaOp Map(absl::Span<const XlaOp> operands, const XlaComputation& computation,
            absl::Span<const int64_t> dimensions = {},
            absl::Span<const XlaOp> static_operands = {});

  // Shape and data movement.
  XlaOp Iota(const Shape& shape, int64_t iota_dimension);
  XlaOp Iota(PrimitiveType type, int64_t size);
  XlaOp Broadcast(XlaOp operand, absl::Span<const int64_t> sizes);  // new dimensions on the left
  XlaOp BroadcastInDim(XlaOp operand, absl::Span<const int64_t> out_dim_size,
                       absl::Span<const int64_t> broadcast_dimensions);
  XlaOp Reshape(XlaOp operand, absl::Span<const int64_t> new_sizes);
  // Reads the operand in the order `dimensions` (major to minor), then reshapes it.
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
  XlaOp Concatenate(absl::Span<const XlaOp> operands, int64_t dimension) {
    return ConcatInDim(operands, dimension);
  }
  XlaOp Pad(XlaOp operand, XlaOp padding_value, const PaddingConfig& padding_config);
  XlaOp DynamicSlice(XlaOp operand, absl::Span<const XlaOp> start_indices,
                     absl::Span<const int64_t> size_indices);
  XlaOp DynamicUpdateSlice(XlaOp operand, XlaOp update, absl::Span<const XlaOp> start_indices);
  XlaOp Gather(XlaOp operand, XlaOp start_indices, const GatherDimensionNumbers& numbers,
               absl::Span<const int64_t> slice_sizes, bool indices_are_sorted = false,
               bool unique_indices = false);  // unique_indices has no effect on a gather
  // The computation takes the current value(s), then the update(s). Several inputs give a tuple.
  XlaOp Scatter(XlaOp input, XlaOp scatter_indices, XlaOp updates,
                const XlaComputation& update_computation, const ScatterDimensionNumbers& numbers,
                bool indices_are_sorted = false, bool unique_indices = false);
  XlaOp Scatter(absl::Span<const XlaOp> inputs, XlaOp scatter_indices,
                absl::Span<const XlaOp> updates, const XlaComputation& update_computation,
                const ScatterDimensionNumbers& numbers, bool indices_are_sorted = false,
                bool unique_indices = false);
  // Takes slices of the operand along `dim` by `index`. The first batch_dims dimensions go
  // together.
  XlaOp TorchIndexSelect(XlaOp operand, XlaOp index, int64_t dim, int64_t batch_dims = 0);
  XlaOp GetDimensionSize(XlaOp operand, int64_t dimension);  // s32[]
  // Whatever reads the operand ignores elements from `size` (s32[]) on. The shape stays.
  XlaOp SetDimensionSize(XlaOp operand, XlaOp size, int64_t dimension);

  // Contractions. Dot takes matrices and vectors, and contracts the last dimension of lhs with the
  // first of rhs. Two scalars are multiplied.
  XlaOp Dot(XlaOp lhs, XlaOp rhs);
  XlaOp DotGeneral(XlaOp lhs, XlaOp rhs, const DotDimensionNumbers& numbers);
  XlaOp DotGeneral(XlaOp lhs, XlaOp rhs, const DotDimensionNumbers& numbers,
                   PrimitiveType result_type);
  // Takes NumPy's subscripts, with one letter for each dimension: "ab,bc->ac". If a letter occurs
  // twice in an operand, this takes a diagonal. Without "->", the result has the letters that occur
  // once, in alphabetical order.
  XlaOp Einsum(XlaOp lhs, XlaOp rhs, const std::string& einsum_config);
  XlaOp Einsum(XlaOp operand, const std::string& einsum_config);  // "ab->a" sums b
  static constexpr int64_t kConvBatchDimension = 0;
  static constexpr int64_t kConvFeatureDimension = 1;
  static constexpr int64_t kConvFirstSpatialDimension = 2;
  static constexpr int64_t kConvSecondSpatialDimension = 3;
  static constexpr int64_t kConvKernelOutputDimension = 0;
  static constexpr int64_t kConvKernelInputDimension = 1;
  static constexpr int64_t kConvKernelFirstSpatialDimension = 2;
  static constexpr int64_t kConvKernelSecondSpatialDimension = 3;
  // The input is batch, feature, spatial…; the kernel is output feature, input feature, spatial….
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
  XlaOp ConvWithGeneralPadding(XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> window_strides,
                               Pairs padding, absl::Span<const int64_t> lhs_dilation,
                               absl::Span<const int64_t> rhs_dilation,
                               int64_t feature_group_count = 1, int64_t batch_group_count = 1);
  XlaOp ConvWithGeneralDimensions(XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> window_strides,
                                  Padding padding, const ConvolutionDimensionNumbers& numbers,
                                  int64_t feature_group_count = 1, int64_t batch_group_count = 1);
  XlaOp ConvGeneral(XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> window_strides, Pairs padding,
                    const ConvolutionDimensionNumbers& numbers, int64_t feature_group_count = 1,
                    int64_t batch_group_count = 1);
  // Dilations are 1 if the list is empty.
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
  XlaOp ReduceWindow(absl::Span<const XlaOp> operands, absl::Span<const XlaOp> init_values,
                     const XlaComputation& computation, absl::Span<const int64_t> window_dimensions,
                     absl::Span<const int64_t> window_strides, Padding padding) {
    return ReduceWindow(operands, init_values, computation, window_dimensions, window_strides, {},
                        {}, padding);
  }
  XlaOp ReduceWindow(absl::Span<const XlaOp> operands, absl::Span<const XlaOp> init_values,
                     const XlaComputation& computation, absl::Span<const int64_t> window_dimensions,
                     absl::Span<const int64_t> window_strides,
                     absl::Span<const int64_t> base_dilations,
                     absl::Span<const int64_t> window_dilations, Padding padding);
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
  XlaOp SelectAndScatter(XlaOp operand, const XlaComputation& select,
                         absl::Span<const int64_t> window_dimensions,
                         absl::Span<const int64_t> window_strides, Padding padding, XlaOp source,
                         XlaOp init_value, const XlaComputation& scatter);
  XlaOp SelectAndScatterWithGeneralPadding(XlaOp operand, const XlaComputation& select,
                                           absl::Span<const int64_t> window_dimensions,
                                           absl::Span<const int64_t> window_strides, Pairs padding,
                                           XlaOp source, XlaOp init_value,
                                           const XlaComputation& scatter);
  XlaOp Sort(XlaOp operand, int64_t dimension = -1);  // ascending, in the total order of floats
  // A negative dimension counts from the end. The comparator takes a pair of elements of each
  // operand, (a0, b0, a1, b1, …), and returns whether a comes before b.
  XlaOp Sort(XlaOp operand, const XlaComputation& comparator, int64_t dimension = -1,
             bool is_stable = false);
  XlaOp Sort(absl::Span<const XlaOp> operands, const XlaComputation& comparator,
             int64_t dimension = -1, bool is_stable = false);
  // Returns (values, s32 indices) of the k largest (or smallest) along the last dimension, best
  // first. Of equal values, the one with the lower index comes first.
  XlaOp TopK(XlaOp operand, int64_t k, bool largest = true);
  // The comparator returns whether its first argument comes before its second. greater-than is
  // `largest`.
  XlaOp TopK(XlaOp operand, int64_t k, const XlaComputation& comparator);

  // Normalisation over all dimensions except feature_index. scale, offset, mean and variance are
  // vectors of its size. Training returns (output, mean, variance), and Grad returns the gradients
  // of (operand, scale, offset).
  XlaOp BatchNormTraining(XlaOp operand, XlaOp scale, XlaOp offset, float epsilon,
                          int64_t feature_index);
  XlaOp BatchNormInference(XlaOp operand, XlaOp scale, XlaOp offset, XlaOp mean, XlaOp variance,
                           float epsilon, int64_t feature_index);
  XlaOp BatchNormGrad(XlaOp operand, XlaOp scale, XlaOp mean, XlaOp variance, XlaOp grad_output,
                      float epsilon, int64_t feature_index);

  // Linear algebra and transforms, over the last two dimensions; Fft is over the last
  // fft_length.size() dimensions.
  XlaOp Fft(XlaOp operand, FftType fft_type, absl::Span<const int64_t> fft_length);
  XlaOp Cholesky(XlaOp a, bool lower = true);
  XlaOp TriangularSolve(XlaOp a, XlaOp b, bool left_side, bool lower, bool unit_diagonal,
                        TriangularSolveOptions::Transpose transpose_a);

  // Random numbers. Uniform: in [a, b). Bernoulli: u32, which is 1 with probability `mean` (f32[]).
  XlaOp RngUniform(XlaOp a, XlaOp b, const Shape& shape);
  XlaOp RngNormal(XlaOp mu, XlaOp sigma, const Shape& shape);
  XlaOp RngBernoulli(XlaOp mean, const Shape& shape);
  // Returns (next state, bits of `shape`). initial_state is u64[2], or for Philox also u64[3].
  XlaOp RngBitGenerator(RandomAlgorithm algorithm, XlaOp initial_state, const Shape& shape);

  // Structure and control flow.
  XlaOp Tuple(absl::Span<const XlaOp> elements);
  XlaOp GetTupleElement(XlaOp tuple, int64_t index);
  XlaOp Call(const XlaComputation& computation, absl::Span<const XlaOp> operands);
  XlaOp While(const XlaComputation& condition, const XlaComputation& body, XlaOp init);
  XlaOp Conditional(XlaOp pred, XlaOp true_operand, const XlaComputation& true_computation,
                    XlaOp false_operand, const XlaComputation& false_computation);
  XlaOp Conditional(XlaOp branch_index, absl::Span<const XlaComputation* const> branches,
                    absl::Span<const XlaOp> branch_operands);
  // A call that may be expanded, whose meaning `name` ("namespace.name") states. `attributes` is a
  // printed dictionary, "{n = 1 : i32}".
  XlaOp CompositeCall(const XlaComputation& computation, absl::Span<const XlaOp> operands,
                      const std::string& name, const std::optional<std::string>& attributes = {},
                      std::optional<int64_t> version = {});
  XlaOp CustomCall(const std::string& target, absl::Span<const XlaOp> operands, const Shape& shape,
                   const std::string& backend_config = "", bool has_side_effect = false);
  XlaOp CustomCallOp(const std::string& target, absl::Span<const XlaOp> operands,
                     const Shape& shape) {
    return CustomCall(target, operands, shape);
  }
  // Makes the program print the operand's value, after the tag, whenever it runs.
  void Trace(const std::string& tag, XlaOp operand);
  XlaOp OptimizationBarrier(XlaOp operand);
  XlaOp CreateToken() { return AfterAll({}); }
  XlaOp AfterAll(absl::Span<const XlaOp> tokens);

  // Communication. Infeed reads the next item of the queue; with the shape of an empty tuple, it
  // reads nothing. The WithToken forms return (data, token) or a token.
  XlaOp Infeed(const Shape& shape, const std::string& config = "");
  XlaOp InfeedWithToken(XlaOp token, const Shape& shape, const std::string& config = "");
  void Outfeed(XlaOp operand, const Shape& shape_with_layout, const std::string& config = "");
  XlaOp OutfeedWithToken(XlaOp operand, XlaOp token, const Shape& shape_with_layout,
                         const std::string& config = "");
  void Send(XlaOp operand, const ChannelHandle& handle);
  XlaOp SendWithToken(XlaOp operand, XlaOp token, const ChannelHandle& handle);
  XlaOp Recv(const Shape& shape, const ChannelHandle& handle);
  XlaOp RecvWithToken(XlaOp token, const Shape& shape, const ChannelHandle& handle);
  // The halves of the above. They return a context (data, u32[], token) that only their Done op may
  // take. RecvDone returns (data, token), and SendDone a token.
  XlaOp CreateRecv(const Shape& shape, XlaOp token, const ChannelHandle& handle);
  XlaOp CreateRecvDone(XlaOp recv, const ChannelHandle& handle);
  XlaOp CreateSend(XlaOp operand, XlaOp token, const ChannelHandle& handle);
  XlaOp CreateSendDone(XlaOp send, const ChannelHandle& handle);

  XlaOp ReplicaId();    // u32[]
  XlaOp PartitionId();  // u32[]
  // Collectives among the processes of a group. A tuple is treated element by element. shard_count
  // is the number of processes in a group.
  XlaOp AllGather(XlaOp operand, int64_t all_gather_dimension, int64_t shard_count,
                  const ReplicaGroups& replica_groups = {}, std::optional<int64_t> channel_id = {},
                  bool use_global_device_ids = false);
  XlaOp AllReduce(XlaOp operand, const XlaComputation& computation,
                  const ReplicaGroups& replica_groups = {}, std::optional<int64_t> channel_id = {},
                  bool use_global_device_ids = false);
  XlaOp CrossReplicaSum(XlaOp operand, const ReplicaGroups& replica_groups = {});
  XlaOp ReduceScatter(XlaOp operand, const XlaComputation& computation, int64_t scatter_dimension,
                      int64_t shard_count, const ReplicaGroups& replica_groups = {},
                      std::optional<int64_t> channel_id = {}, bool use_global_device_ids = false);
  XlaOp AllToAll(XlaOp operand, int64_t split_dimension, int64_t concat_dimension,
                 int64_t split_count, const ReplicaGroups& replica_groups = {},
                 std::optional<int64_t> channel_id = {});
  XlaOp CollectivePermute(XlaOp operand, Pairs source_target_pairs,
                          std::optional<int64_t> channel_id = {});
  XlaOp CollectiveBroadcast(XlaOp operand, const ReplicaGroups& replica_groups,
                            std::optional<int64_t> channel_id = {});

  // Returns the builder of the first operand that has one. If none has one, returns a builder whose
  // ops are all invalid.
  static XlaBuilder* BuilderOf(std::initializer_list<XlaOp> operands);
  static XlaBuilder* BuilderOf(absl::Span<const XlaOp> operands);

 protected:
  XlaBuilder(absl::string_view computation_name, XlaBuilder* parent);
  XlaBuilder* parent() const { return parent_; }

 private:
  // Adds an instruction whose shape is inferred (`given` is the recorded shape of ops that need
  // one).
  XlaOp AddOp(hlo::Opcode opcode, absl::Span<const XlaOp> operands, hlo::AttrMap attrs = {},
              absl::Span<const XlaComputation* const> called = {}, Shape given = {});
  // Returns whether the operands can be used. Records an error for invalid operands and for those
  // of other builders.
  bool Usable(hlo::Opcode opcode, absl::Span<const XlaOp> operands);
  XlaOp Error(absl::string_view op, absl::string_view what);
  XlaOp Error(hlo::Opcode opcode, absl::string_view what);
  XlaOp AddUnary(hlo::Opcode opcode, XlaOp operand) { return AddOp(opcode, {operand}); }
  XlaOp Invalid() { return XlaOp(this, nullptr, generation_); }
  XlaOp OpOf(hlo::Instruction* instruction) { return XlaOp(this, instruction, generation_); }
  // Adopts what frontend/hlo/ir/sugar.h has added since there were `before` instructions. The last
  // of them is the result.
  XlaOp Adopt(size_t before, const absl::StatusOr<hlo::Instruction*>& result, absl::string_view op);
  XlaOp AddRng(const char* distribution, XlaOp a, XlaOp b, const Shape& shape);
  XlaOp MapOneByOne(absl::Span<const XlaOp> operands, const XlaComputation& computation,
                    absl::Span<const XlaOp> static_operands);
  // Returns the elements of a tuple, or an array itself.
  std::vector<XlaOp> Leaves(XlaOp operand);
  // Returns the results of `op` over `leaves` grouped like `like`: an array, or a tuple, even of
  // one element.
  XlaOp Regrouped(XlaOp op, XlaOp like);
  XlaOp AddBinary(hlo::Opcode opcode, XlaOp lhs, XlaOp rhs,
                  absl::Span<const int64_t> broadcast_dimensions, hlo::AttrMap attrs = {});
  XlaOp AddCompare(const char* direction, const char* type, XlaOp lhs, XlaOp rhs,
                   absl::Span<const int64_t> broadcast_dimensions);
  // Makes the operand's dimension i dimension map[i] of an array of `dims`, and repeats it where
  // its own size is 1.
  XlaOp Expand(XlaOp operand, const std::vector<int64_t>& dims, const std::vector<int64_t>& map);
  // Returns a copy of the computation in this module, which is made once.
  hlo::Computation* Import(const XlaComputation& computation);
  const Shape& ShapeOf(XlaOp op) const { return op.instruction_->shape; }
  bool Owns(XlaOp op) const {
    return op.builder_ == this && op.generation_ == generation_ && op.valid();
  }
  void Reset();
  // Removes the ops added after SetReturnValue.
  void DropUnreturned();
  absl::Status CheckInfeedOrder() const;

  std::string name_;
  XlaBuilder* parent_ = nullptr;
  bool die_immediately_ = false;
  bool orphan_ = false;  // see BuilderOf
  int generation_ = 0;
  int64_t num_replicas_ = 1, num_partitions_ = 1;
  absl::Status first_error_;
  hlo::Provenance metadata_;
  std::unique_ptr<hlo::Module> module_;
  hlo::Computation* entry_ = nullptr;
  hlo::Instruction* last_ = nullptr;
  hlo::Instruction* return_value_ = nullptr;
  size_t returned_size_ = 0;  // number of instructions when it was set
  std::unordered_map<const hlo::Module*, hlo::Computation*> imported_;
  std::vector<XlaComputation> kept_;  // keeps the keys of imported_ alive
};

}  // namespace halyard

#endif  // HALYARD_FRONTEND_BUILDER_XLA_BUILDER_H_
