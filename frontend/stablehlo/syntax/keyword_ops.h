// The pretty forms that consist of operands and `key = value` pairs, for the reader and the
// printer.
#ifndef HALYARD_FRONTEND_STABLEHLO_SYNTAX_KEYWORD_OPS_H_
#define HALYARD_FRONTEND_STABLEHLO_SYNTAX_KEYWORD_OPS_H_

#include "absl/strings/string_view.h"

namespace halyard::stablehlo {

enum class KeywordKind {
  kInts,
  kInt,
  kBool,
  kString,
  kPrecision,
  kEnum,
  kFormat,
  kDimPair,
  kAlgorithm
};

struct Keyword {
  absl::string_view op;    // without "stablehlo."
  absl::string_view key;   // in the pretty form
  absl::string_view attr;  // in the generic form
  KeywordKind kind;
  absl::string_view enum_name = "";
};

inline constexpr Keyword kKeywords[] = {
    {"broadcast", "sizes", "broadcast_sizes", KeywordKind::kInts},
    {"broadcast_in_dim", "dims", "broadcast_dimensions", KeywordKind::kInts},
    {"cholesky", "lower", "lower", KeywordKind::kBool},
    {"concatenate", "dim", "dimension", KeywordKind::kInt},
    {"dot", "precision", "precision_config", KeywordKind::kPrecision},
    {"dot_general", "batching_dims", "batching", KeywordKind::kDimPair},
    {"dot_general", "contracting_dims", "contracting", KeywordKind::kDimPair},
    {"dot_general", "precision", "precision_config", KeywordKind::kPrecision},
    {"dot_general", "algorithm", "algorithm", KeywordKind::kAlgorithm},
    {"dynamic_broadcast_in_dim", "dims", "broadcast_dimensions", KeywordKind::kInts},
    {"dynamic_iota", "dim", "iota_dimension", KeywordKind::kInt},
    {"dynamic_slice", "sizes", "slice_sizes", KeywordKind::kInts},
    {"einsum", "config", "einsum_config", KeywordKind::kString},
    {"fft", "type", "fft_type", KeywordKind::kEnum, "stablehlo.fft_type"},
    {"fft", "length", "fft_length", KeywordKind::kInts},
    {"get_dimension_size", "dim", "dimension", KeywordKind::kInt},
    {"iota", "dim", "iota_dimension", KeywordKind::kInt},
    {"pad", "low", "edge_padding_low", KeywordKind::kInts},
    {"pad", "high", "edge_padding_high", KeywordKind::kInts},
    {"pad", "interior", "interior_padding", KeywordKind::kInts},
    {"reduce_precision", "format", "exponent_bits", KeywordKind::kFormat},
    {"reverse", "dims", "dimensions", KeywordKind::kInts},
    {"rng", "distribution", "rng_distribution", KeywordKind::kEnum, "stablehlo.rng_distribution"},
    {"rng_bit_generator", "algorithm", "rng_algorithm", KeywordKind::kEnum,
     "stablehlo.rng_algorithm"},
    {"set_dimension_size", "dim", "dimension", KeywordKind::kInt},
    {"transpose", "dims", "permutation", KeywordKind::kInts},
    {"unary_einsum", "config", "einsum_config", KeywordKind::kString},
};

// Ops that have only operands.
inline constexpr absl::string_view kPlainOps[] = {
    "abs",
    "add",
    "after_all",
    "and",
    "atan2",
    "bitcast_convert",
    "cbrt",
    "ceil",
    "clamp",
    "convert",
    "cosine",
    "count_leading_zeros",
    "create_token",
    "divide",
    "dynamic_pad",
    "dynamic_reshape",
    "dynamic_update_slice",
    "exp2",
    "exponential",
    "exponential_minus_one",
    "floor",
    "imag",
    "is_finite",
    "log",
    "log2",
    "log_plus_one",
    "logistic",
    "maximum",
    "minimum",
    "multiply",
    "negate",
    "not",
    "or",
    "partition_id",
    "popcnt",
    "power",
    "real",
    "real_dynamic_slice",
    "remainder",
    "replica_id",
    "reshape",
    "round_nearest_afz",
    "round_nearest_even",
    "rsqrt",
    "shift_left",
    "shift_right_arithmetic",
    "shift_right_logical",
    "sign",
    "sine",
    "sqrt",
    "subtract",
    "tan",
    "tanh",
    "uniform_dequantize",
    "uniform_quantize",
    "xor",
};

// StableHLO's ops without a pretty form.
inline constexpr absl::string_view kGenericOps[] = {
    "all_gather",
    "all_reduce",
    "all_to_all",
    "batch_norm_grad",
    "batch_norm_inference",
    "batch_norm_training",
    "case",
    "collective_broadcast",
    "collective_permute",
    "cross-replica-sum",
    "dynamic_conv",
    "dynamic_gather",
    "gather",
    "if",
    "infeed",
    "map",
    "outfeed",
    "recv",
    "reduce_scatter",
    "reduce_window",
    "scatter",
    "select_and_scatter",
    "send",
    "sort",
    "torch_index_select",
    "triangular_solve",
};

// `chlo.erf %x : T -> T`; binary ops have `: T, T -> T`.
inline constexpr absl::string_view kChloElementwise[] = {
#define CHLO_UNARY(name, ...) name,
#define CHLO_BINARY(name) name,
#define CHLO_BROADCASTING(name)
#include "frontend/stablehlo/chlo/ops.def"
};

// `chlo.broadcast_add %x, %y {broadcast_dimensions = …} : (T, U) -> V`
inline constexpr absl::string_view kChloBroadcasting[] = {
#define CHLO_UNARY(...)
#define CHLO_BINARY(name)
#define CHLO_BROADCASTING(name) name,
#include "frontend/stablehlo/chlo/ops.def"
};

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_SYNTAX_KEYWORD_OPS_H_
