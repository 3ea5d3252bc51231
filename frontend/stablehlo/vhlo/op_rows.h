// The rows of VHLO's ops, after the public definition of the dialect (VhloOps.td): the name, the
// first and last version, and attributes as "name:form" (see kForms in ops.cc). Only
// ops.cc includes this.
#ifndef HALYARD_FRONTEND_STABLEHLO_VHLO_OP_ROWS_H_
#define HALYARD_FRONTEND_STABLEHLO_VHLO_OP_ROWS_H_

#include "frontend/stablehlo/vhlo/version.h"

namespace halyard::stablehlo {

struct VhloRow {
  const char* name;
  Version first;
  Version last;
  const char* attributes;
};

inline constexpr Version kFirst{0, 9, 0};
inline constexpr Version kNow{999999, 0, 0};

#define HALYARD_CONVOLUTION_ATTRIBUTES                                              \
  "window_strides:ones lhs_dilation:ones rhs_dilation:ones window_reversal:falses " \
  "input_batch_dimension:fieldint input_feature_dimension:fieldint "                \
  "input_spatial_dimensions:field kernel_input_feature_dimension:fieldint "         \
  "kernel_output_feature_dimension:fieldint kernel_spatial_dimensions:field "       \
  "output_batch_dimension:fieldint output_feature_dimension:fieldint "              \
  "output_spatial_dimensions:field feature_group_count batch_group_count "          \
  "precision_config:precision"
#define HALYARD_CUSTOM_CALL_ATTRIBUTES                                           \
  "call_target_name has_side_effect:bool backend_config:config api_version:api " \
  "called_computations:symbols operand_layouts:list result_layouts:list "        \
  "output_operand_aliases:list"
#define HALYARD_DOT_ATTRIBUTES                                         \
  "lhs_batching_dimensions:field rhs_batching_dimensions:field "       \
  "lhs_contracting_dimensions:field rhs_contracting_dimensions:field " \
  "precision_config:precision"

inline constexpr VhloRow kVhloRows[] = {
    {"abs_v1", kFirst, kNow, ""},
    {"add_v1", kFirst, kNow, ""},
    {"after_all_v1", kFirst, kNow, ""},
    {"all_gather_v1",
     kFirst,
     {1, 4, 0},
     "all_gather_dim replica_groups channel_id:channel use_global_device_ids:unit"},
    {"all_gather_v2",
     {1, 5, 0},
     kNow,
     "all_gather_dim replica_groups channel_id:channel use_global_device_ids:unit"},
    {"all_reduce_v1",
     kFirst,
     {1, 4, 0},
     "replica_groups channel_id:channel use_global_device_ids:unit"},
    {"all_reduce_v2",
     {1, 5, 0},
     kNow,
     "replica_groups channel_id:channel use_global_device_ids:unit"},
    {"all_to_all_v1",
     kFirst,
     {1, 4, 0},
     "split_dimension concat_dimension split_count replica_groups channel_id:channel"},
    {"all_to_all_v2",
     {1, 5, 0},
     kNow,
     "split_dimension concat_dimension split_count replica_groups channel_id:channel"},
    {"and_v1", kFirst, kNow, ""},
    {"async_done_v1", {1, 15, 0}, kNow, ""},
    {"async_start_v1", {1, 15, 0}, kNow, ""},
    {"atan2_v1", kFirst, kNow, ""},
    {"batch_norm_grad_v1", kFirst, kNow, "epsilon feature_index"},
    {"batch_norm_inference_v1", kFirst, kNow, "epsilon feature_index"},
    {"batch_norm_training_v1", kFirst, kNow, "epsilon feature_index"},
    {"bitcast_convert_v1", kFirst, kNow, ""},
    {"broadcast_in_dim_v1", kFirst, kNow, "broadcast_dimensions:ints"},
    {"broadcast_v1", kFirst, kNow, "broadcast_sizes:ints"},
    {"call_v1", kFirst, kNow, "callee:symbol"},
    {"case_v1", kFirst, kNow, ""},
    {"cbrt_v1", kFirst, {1, 9, 0}, ""},
    {"cbrt_v2", {1, 10, 0}, kNow, "result_accuracy:accuracy"},
    {"ceil_v1", kFirst, kNow, ""},
    {"cholesky_v1", kFirst, kNow, "lower:bool"},
    {"clamp_v1", kFirst, kNow, ""},
    {"collective_broadcast_v1", {0, 16, 0}, {1, 19, 0}, "replica_groups channel_id:channel"},
    {"collective_broadcast_v2",
     {1, 20, 0},
     kNow,
     "replica_groups channel_id:channel has_dynamic_root:unit"},
    {"collective_permute_v1", kFirst, kNow, "source_target_pairs channel_id:channel"},
    {"collective_reduce_v1",
     {1, 19, 0},
     kNow,
     "replica_groups channel_id:channel use_global_device_ids:unit has_dynamic_root:unit"},
    {"compare_v1", kFirst, kNow, "comparison_direction compare_type:comparison"},
    {"complex_v1", kFirst, kNow, ""},
    {"composite_v1",
     {0, 19, 0},
     {1, 13, 0},
     "name composite_attributes:dictionary decomposition:symbol version:int32"},
    {"composite_v2",
     {1, 14, 0},
     kNow,
     "name composite_attributes:dictionary decomposition:symbol version:int32"},
    {"concatenate_v1", kFirst, kNow, "dimension"},
    {"constant_v1", kFirst, kNow, "value"},
    {"convert_v1", kFirst, kNow, ""},
    {"convolution_v1", kFirst, kNow, "padding:pairs " HALYARD_CONVOLUTION_ATTRIBUTES},
    {"cosine_v1", kFirst, {1, 9, 0}, ""},
    {"cosine_v2", {1, 10, 0}, kNow, "result_accuracy:accuracy"},
    {"count_leading_zeros_v1", kFirst, kNow, ""},
    {"create_token_v1", kFirst, kNow, ""},
    {"cross-replica-sum_v1", kFirst, kNow, "replica_groups"},
    {"custom_call_v1", kFirst, {1, 17, 0}, HALYARD_CUSTOM_CALL_ATTRIBUTES},
    {"custom_call_v2", {1, 18, 0}, kNow, HALYARD_CUSTOM_CALL_ATTRIBUTES " result_tilings:list"},
    {"divide_v1", kFirst, kNow, ""},
    {"dot_general_v1", kFirst, {1, 5, 0}, HALYARD_DOT_ATTRIBUTES},
    {"dot_general_v2",
     {1, 6, 0},
     kNow,
     HALYARD_DOT_ATTRIBUTES
     " lhs_precision_type:algorithm rhs_precision_type:algorithm accumulation_type:algorithm "
     "lhs_component_count:algorithm rhs_component_count:algorithm "
     "num_primitive_operations:algorithm allow_imprecise_accumulation:algorithm"},
    {"dot_v1", kFirst, kNow, "precision_config:precision"},
    {"dynamic_broadcast_in_dim_v1", kFirst, kNow,
     "broadcast_dimensions:ints known_expanding_dimensions:empty "
     "known_nonexpanding_dimensions:empty"},
    {"dynamic_conv_v1", kFirst, {0, 19, 0}, "padding:pairs " HALYARD_CONVOLUTION_ATTRIBUTES},
    {"dynamic_conv_v2", {0, 20, 0}, kNow, HALYARD_CONVOLUTION_ATTRIBUTES},
    {"dynamic_gather_v1",
     kFirst,
     {1, 0, 0},
     "offset_dims:field collapsed_slice_dims:field start_index_map:field "
     "index_vector_dim:fieldint indices_are_sorted:bool"},
    {"dynamic_gather_v2",
     {1, 1, 0},
     kNow,
     "offset_dims:field collapsed_slice_dims:field operand_batching_dims:field "
     "start_indices_batching_dims:field start_index_map:field index_vector_dim:fieldint "
     "indices_are_sorted:bool"},
    {"dynamic_iota_v1", kFirst, kNow, "iota_dimension"},
    {"dynamic_pad_v1", kFirst, kNow, ""},
    {"dynamic_reshape_v1", kFirst, kNow, ""},
    {"dynamic_slice_v1", kFirst, kNow, "slice_sizes:ints"},
    {"dynamic_update_slice_v1", kFirst, kNow, ""},
    {"einsum_v1", kFirst, kNow, "einsum_config"},
    {"exp2_v1", {1, 22, 0}, kNow, "result_accuracy:accuracy"},
    {"exponential_minus_one_v1", kFirst, {1, 9, 0}, ""},
    {"exponential_minus_one_v2", {1, 10, 0}, kNow, "result_accuracy:accuracy"},
    {"exponential_v1", kFirst, {1, 8, 0}, ""},
    {"exponential_v2", {1, 9, 0}, kNow, "result_accuracy:accuracy"},
    {"fft_v1", kFirst, kNow, "fft_type fft_length:ints"},
    {"floor_v1", kFirst, kNow, ""},
    {"func_v1", kFirst, kNow,
     "sym_name function_type sym_visibility:string arg_attrs:list res_attrs:list"},
    {"gather_v1",
     kFirst,
     {1, 0, 0},
     "offset_dims:field collapsed_slice_dims:field start_index_map:field "
     "index_vector_dim:fieldint slice_sizes:ints indices_are_sorted:bool"},
    {"gather_v2",
     {1, 1, 0},
     kNow,
     "offset_dims:field collapsed_slice_dims:field operand_batching_dims:field "
     "start_indices_batching_dims:field start_index_map:field index_vector_dim:fieldint "
     "slice_sizes:ints indices_are_sorted:bool"},
    {"get_dimension_size_v1", kFirst, kNow, "dimension"},
    {"get_tuple_element_v1", kFirst, kNow, "index"},
    {"if_v1", kFirst, kNow, ""},
    {"imag_v1", kFirst, kNow, ""},
    {"infeed_v1", kFirst, kNow, "infeed_config:text layout:list"},
    {"iota_v1", kFirst, kNow, "iota_dimension"},
    {"is_finite_v1", kFirst, kNow, ""},
    {"log2_v1", {1, 22, 0}, kNow, "result_accuracy:accuracy"},
    {"log_plus_one_v1", kFirst, {1, 9, 0}, ""},
    {"log_plus_one_v2", {1, 10, 0}, kNow, "result_accuracy:accuracy"},
    {"log_v1", kFirst, {1, 9, 0}, ""},
    {"log_v2", {1, 10, 0}, kNow, "result_accuracy:accuracy"},
    {"logistic_v1", kFirst, {1, 9, 0}, ""},
    {"logistic_v2", {1, 10, 0}, kNow, "result_accuracy:accuracy"},
    {"map_v1", kFirst, kNow, "dimensions:ints"},
    {"maximum_v1", kFirst, kNow, ""},
    {"minimum_v1", kFirst, kNow, ""},
    {"multiply_v1", kFirst, kNow, ""},
    {"negate_v1", kFirst, kNow, ""},
    {"not_v1", kFirst, kNow, ""},
    {"optimization_barrier_v1", kFirst, kNow, ""},
    {"or_v1", kFirst, kNow, ""},
    {"outfeed_v1", kFirst, kNow, "outfeed_config:text"},
    {"pad_v1", kFirst, kNow, "edge_padding_low:ints edge_padding_high:ints interior_padding:ints"},
    {"partition_id_v1", kFirst, kNow, ""},
    {"popcnt_v1", kFirst, kNow, ""},
    {"power_v1", kFirst, kNow, ""},
    {"real_dynamic_slice_v1", kFirst, kNow, ""},
    {"real_v1", kFirst, kNow, ""},
    {"recv_v1",
     kFirst,
     {1, 11, 0},
     "channel_id:channelid channel_type:channeltype is_host_transfer:bool"},
    {"recv_v2",
     {1, 12, 0},
     kNow,
     "channel_id:channelid channel_type:channeltype is_host_transfer:bool "
     "source_target_pairs:pairlist"},
    {"reduce_precision_v1", kFirst, kNow, "exponent_bits mantissa_bits"},
    {"reduce_scatter_v1", kFirst, kNow,
     "scatter_dimension replica_groups channel_id:channel use_global_device_ids:unit"},
    {"reduce_v1", kFirst, kNow, "dimensions:ints"},
    {"reduce_window_v1", kFirst, kNow,
     "window_dimensions:ints window_strides:ones base_dilations:ones window_dilations:ones "
     "padding:pairs"},
    {"remainder_v1", kFirst, kNow, ""},
    {"replica_id_v1", kFirst, kNow, ""},
    {"reshape_v1", kFirst, kNow, ""},
    {"return_v1", kFirst, kNow, ""},
    {"reverse_v1", kFirst, kNow, "dimensions:ints"},
    {"rng_bit_generator_v1", kFirst, kNow, "rng_algorithm"},
    {"rng_v1", kFirst, kNow, "rng_distribution"},
    {"round_nearest_afz_v1", kFirst, kNow, ""},
    {"round_nearest_even_v1", kFirst, kNow, ""},
    {"rsqrt_v1", kFirst, {1, 9, 0}, ""},
    {"rsqrt_v2", {1, 10, 0}, kNow, "result_accuracy:accuracy"},
    {"scatter_v1",
     kFirst,
     {1, 0, 0},
     "update_window_dims:field inserted_window_dims:field scatter_dims_to_operand_dims:field "
     "index_vector_dim:fieldint indices_are_sorted:bool unique_indices:bool"},
    {"scatter_v2",
     {1, 1, 0},
     kNow,
     "update_window_dims:field inserted_window_dims:field input_batching_dims:field "
     "scatter_indices_batching_dims:field scatter_dims_to_operand_dims:field "
     "index_vector_dim:fieldint indices_are_sorted:bool unique_indices:bool"},
    {"select_and_scatter_v1", kFirst, kNow,
     "window_dimensions:ints window_strides:ones padding:pairs"},
    {"select_v1", kFirst, kNow, ""},
    {"send_v1",
     kFirst,
     {1, 11, 0},
     "channel_id:channelid channel_type:channeltype is_host_transfer:bool"},
    {"send_v2",
     {1, 12, 0},
     kNow,
     "channel_id:channelid channel_type:channeltype is_host_transfer:bool "
     "source_target_pairs:pairlist"},
    {"set_dimension_size_v1", kFirst, kNow, "dimension"},
    {"shift_left_v1", kFirst, kNow, ""},
    {"shift_right_arithmetic_v1", kFirst, kNow, ""},
    {"shift_right_logical_v1", kFirst, kNow, ""},
    {"sign_v1", kFirst, kNow, ""},
    {"sine_v1", kFirst, {1, 9, 0}, ""},
    {"sine_v2", {1, 10, 0}, kNow, "result_accuracy:accuracy"},
    {"slice_v1", kFirst, kNow, "start_indices:ints limit_indices:ints strides:ints"},
    {"sort_v1", kFirst, kNow, "dimension:minusone is_stable:bool"},
    {"sqrt_v1", kFirst, {1, 9, 0}, ""},
    {"sqrt_v2", {1, 10, 0}, kNow, "result_accuracy:accuracy"},
    {"subtract_v1", kFirst, kNow, ""},
    {"tan_v1", {1, 4, 0}, {1, 9, 0}, ""},
    {"tan_v2", {1, 10, 0}, kNow, "result_accuracy:accuracy"},
    {"tanh_v1", kFirst, {1, 9, 0}, ""},
    {"tanh_v2", {1, 10, 0}, kNow, "result_accuracy:accuracy"},
    {"torch_index_select_v1", kFirst, kNow, "dim batch_dims"},
    {"transpose_v1", kFirst, kNow, "permutation:ints"},
    {"triangular_solve_v1", kFirst, kNow, "left_side lower unit_diagonal transpose_a"},
    {"tuple_v1", kFirst, kNow, ""},
    {"unary_einsum_v1", kFirst, kNow, "einsum_config"},
    {"uniform_dequantize_v1", kFirst, kNow, ""},
    {"uniform_quantize_v1", kFirst, kNow, ""},
    {"while_v1", kFirst, kNow, ""},
    {"xor_v1", kFirst, kNow, ""},
};

#undef HALYARD_CONVOLUTION_ATTRIBUTES
#undef HALYARD_CUSTOM_CALL_ATTRIBUTES
#undef HALYARD_DOT_ATTRIBUTES

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_VHLO_OP_ROWS_H_
