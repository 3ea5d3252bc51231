// Attributes of instructions: named values. The name determines the kind, and so how the attribute
// is parsed and printed.
#ifndef HALYARD_FRONTEND_HLO_IR_ATTRIBUTES_H_
#define HALYARD_FRONTEND_HLO_IR_ATTRIBUTES_H_

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"

namespace halyard::hlo {

// One dimension of a window, as in HLO text `window={size=3x3 stride=2x2 pad=1_1x1_1 lhs_dilate=1x1
// rhs_dilate=1x1 rhs_reversal=0x0}`. Paddings may be negative. base_dilation is `lhs_dilate` there,
// and window_dilation is `rhs_dilate`.
struct WindowDim {
  int64_t size = 1;
  int64_t stride = 1;
  int64_t pad_low = 0;
  int64_t pad_high = 0;
  int64_t base_dilation = 1;
  int64_t window_dilation = 1;
  bool reversal = false;
  bool operator==(const WindowDim& o) const {
    return std::tie(size, stride, pad_low, pad_high, base_dilation, window_dilation, reversal) ==
           std::tie(o.size, o.stride, o.pad_low, o.pad_high, o.base_dilation, o.window_dilation,
                    o.reversal);
  }
};
struct Window {
  std::vector<WindowDim> dims;
  bool operator==(const Window& o) const { return dims == o.dims; }
};

// `pad`: `padding=low_high[_interior]x…`.
struct PaddingDim {
  int64_t low = 0, high = 0, interior = 0;
  bool operator==(const PaddingDim& o) const {
    return std::tie(low, high, interior) == std::tie(o.low, o.high, o.interior);
  }
};
using PaddingConfig = std::vector<PaddingDim>;

// `slice={[start:limit:stride], …}`.
struct SliceDim {
  int64_t start = 0, limit = 0, stride = 1;
  bool operator==(const SliceDim& o) const {
    return std::tie(start, limit, stride) == std::tie(o.start, o.limit, o.stride);
  }
};
using SliceDims = std::vector<SliceDim>;

// `dim_labels=b01f_01io->b01f`.
struct ConvDims {
  int64_t input_batch = 0, input_feature = 1;
  std::vector<int64_t> input_spatial;
  int64_t kernel_output_feature = 0, kernel_input_feature = 1;
  std::vector<int64_t> kernel_spatial;
  int64_t output_batch = 0, output_feature = 1;
  std::vector<int64_t> output_spatial;
  bool operator==(const ConvDims& o) const {
    return std::tie(input_batch, input_feature, input_spatial, kernel_output_feature,
                    kernel_input_feature, kernel_spatial, output_batch, output_feature,
                    output_spatial) == std::tie(o.input_batch, o.input_feature, o.input_spatial,
                                                o.kernel_output_feature, o.kernel_input_feature,
                                                o.kernel_spatial, o.output_batch, o.output_feature,
                                                o.output_spatial);
  }
};

using Ints = std::vector<int64_t>;
using IntLists = std::vector<std::vector<int64_t>>;
using Words = std::vector<std::string>;

// The kinds. kWord: a bare identifier (`direction=LT`). kString: a quoted string. kWords:
// `{highest,default}`. kRaw: text that is kept as it is, with balanced braces (sharding,
// frontend_attributes).
enum class AttrKind : uint8_t {
  kBool,
  kInt,
  kFloat,
  kWord,
  kString,
  kInts,
  kIntLists,
  kWords,
  kWindow,
  kPadding,
  kSlice,
  kConvDims,
  kRaw
};
using AttrValue = std::variant<bool, int64_t, double, std::string, Ints, IntLists, Words, Window,
                               PaddingConfig, SliceDims, ConvDims>;

// Every attribute name of the IR: the enumerator, the name in HLO text, and the kind.
#define HALYARD_ATTRIBUTES(V)                                             \
  V(kDimensions, "dimensions", kInts)                                     \
  V(kIotaDimension, "iota_dimension", kInt)                               \
  V(kPermutation, "permutation", kInts)                                   \
  V(kSlice, "slice", kSlice)                                              \
  V(kPadding, "padding", kPadding)                                        \
  V(kWindow, "window", kWindow)                                           \
  V(kDimLabels, "dim_labels", kConvDims)                                  \
  V(kFeatureGroupCount, "feature_group_count", kInt)                      \
  V(kBatchGroupCount, "batch_group_count", kInt)                          \
  V(kLhsBatchDims, "lhs_batch_dims", kInts)                               \
  V(kRhsBatchDims, "rhs_batch_dims", kInts)                               \
  V(kLhsContractingDims, "lhs_contracting_dims", kInts)                   \
  V(kRhsContractingDims, "rhs_contracting_dims", kInts)                   \
  V(kOperandPrecision, "operand_precision", kWords)                       \
  V(kAlgorithm, "algorithm", kWord)                                       \
  V(kDirection, "direction", kWord)                                       \
  V(kType, "type", kWord)                                                 \
  V(kExponentBits, "exponent_bits", kInt)                                 \
  V(kMantissaBits, "mantissa_bits", kInt)                                 \
  V(kIndex, "index", kInt)                                                \
  V(kDimension, "dimension", kInt)                                        \
  V(kIsStable, "is_stable", kBool)                                        \
  V(kDynamicSliceSizes, "dynamic_slice_sizes", kInts)                     \
  V(kKnownExpandingDimensions, "known_expanding_dimensions", kInts)       \
  V(kKnownNonexpandingDimensions, "known_nonexpanding_dimensions", kInts) \
  V(kOffsetDims, "offset_dims", kInts)                                    \
  V(kCollapsedSliceDims, "collapsed_slice_dims", kInts)                   \
  V(kStartIndexMap, "start_index_map", kInts)                             \
  V(kOperandBatchingDims, "operand_batching_dims", kInts)                 \
  V(kStartIndicesBatchingDims, "start_indices_batching_dims", kInts)      \
  V(kIndexVectorDim, "index_vector_dim", kInt)                            \
  V(kSliceSizes, "slice_sizes", kInts)                                    \
  V(kIndicesAreSorted, "indices_are_sorted", kBool)                       \
  V(kUniqueIndices, "unique_indices", kBool)                              \
  V(kUpdateWindowDims, "update_window_dims", kInts)                       \
  V(kInsertedWindowDims, "inserted_window_dims", kInts)                   \
  V(kInputBatchingDims, "input_batching_dims", kInts)                     \
  V(kScatterIndicesBatchingDims, "scatter_indices_batching_dims", kInts)  \
  V(kScatterDimsToOperandDims, "scatter_dims_to_operand_dims", kInts)     \
  V(kK, "k", kInt)                                                        \
  V(kLargest, "largest", kBool)                                           \
  V(kFftType, "fft_type", kWord)                                          \
  V(kFftLength, "fft_length", kInts)                                      \
  V(kLower, "lower", kBool)                                               \
  V(kLeftSide, "left_side", kBool)                                        \
  V(kUnitDiagonal, "unit_diagonal", kBool)                                \
  V(kTransposeA, "transpose_a", kWord)                                    \
  V(kEpsilon, "epsilon", kFloat)                                          \
  V(kFeatureIndex, "feature_index", kInt)                                 \
  V(kDistribution, "distribution", kWord)                                 \
  V(kReplicaGroups, "replica_groups", kIntLists)                          \
  V(kChannelId, "channel_id", kInt)                                       \
  V(kUseGlobalDeviceIds, "use_global_device_ids", kBool)                  \
  V(kSplitDimension, "split_dimension", kInt)                             \
  V(kConcatDimension, "concat_dimension", kInt)                           \
  V(kSplitCount, "split_count", kInt)                                     \
  V(kSourceTargetPairs, "source_target_pairs", kIntLists)                 \
  V(kInfeedConfig, "infeed_config", kString)                              \
  V(kOutfeedConfig, "outfeed_config", kString)                            \
  V(kChannelType, "channel_type", kWord)                                  \
  V(kIsHostTransfer, "is_host_transfer", kBool)                           \
  V(kKnownTripCount, "known_trip_count", kInt)                            \
  V(kKind, "kind", kWord)                                                 \
  V(kCustomCallTarget, "custom_call_target", kString)                     \
  V(kBackendConfig, "backend_config", kRaw)                               \
  V(kApiVersion, "api_version", kWord)                                    \
  V(kHasSideEffect, "custom_call_has_side_effect", kBool)                 \
  V(kOperandLayoutConstraints, "operand_layout_constraints", kRaw)        \
  V(kOutputToOperandAliasing, "output_to_operand_aliasing", kRaw)         \
  V(kSchedule, "schedule", kWord)                                         \
  V(kFrontendAttributes, "frontend_attributes", kRaw)                     \
  V(kIsComposite, "is_composite", kBool)                                  \
  V(kSharding, "sharding", kRaw)

enum class Attr : uint8_t {
#define HALYARD_ENUMERATOR(name, text, kind) name,
  HALYARD_ATTRIBUTES(HALYARD_ENUMERATOR)
#undef HALYARD_ENUMERATOR
};
AttrKind KindOf(Attr attr);
absl::string_view AttrName(Attr attr);

// A small map, sorted by Attr, so that two equal sets compare and print as equal.
class AttrMap {
 public:
  const AttrValue* Find(Attr attr) const;
  void Set(Attr attr, AttrValue value);
  void Erase(Attr attr);
  const std::vector<std::pair<Attr, AttrValue>>& entries() const { return entries_; }
  bool operator==(const AttrMap& o) const { return entries_ == o.entries_; }

 private:
  std::vector<std::pair<Attr, AttrValue>> entries_;
};

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_IR_ATTRIBUTES_H_
