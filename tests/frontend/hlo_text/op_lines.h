// One instruction of every op that needs more than operands and a type, for tests of texts and
// messages.
#ifndef HALYARD_TESTS_FRONTEND_HLO_TEXT_OP_LINES_H_
#define HALYARD_TESTS_FRONTEND_HLO_TEXT_OP_LINES_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "tests/frontend/hlo_text/sample_programs.h"

namespace halyard::hlo_text {

inline constexpr absl::string_view kOpComputations = R"(
%add_f32 (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum = f32[] add(%a, %b)
}
%less (c: f32[], d: f32[]) -> pred[] {
  %c = f32[] parameter(0)
  %d = f32[] parameter(1)
  ROOT %lt = pred[] compare(%c, %d), direction=LT
}
%twice (e: f32[4]) -> f32[4] {
  %e = f32[4] parameter(0)
  ROOT %two = f32[4] add(%e, %e)
}
%state_less (s: (s32[], f32[4])) -> pred[] {
  %s = (s32[], f32[4]) parameter(0)
  %n = s32[] get-tuple-element(%s), index=0
  ROOT %more = pred[] compare(%n, %n), direction=LT
}
%state_same (same: (s32[], f32[4])) -> (s32[], f32[4]) {
  ROOT %same = (s32[], f32[4]) parameter(0)
}
%greater (ga: f32[], gb: f32[]) -> pred[] {
  %ga = f32[] parameter(0)
  %gb = f32[] parameter(1)
  ROOT %gt = pred[] compare(%ga, %gb), direction=GE
}
%less_by (la: f32[], lb: f32[], ra: s32[], rb: s32[]) -> pred[] {
  %la = f32[] parameter(0)
  %lb = f32[] parameter(1)
  %ra = s32[] parameter(2)
  %rb = s32[] parameter(3)
  ROOT %before = pred[] compare(%la, %lb), direction=LT
}
%digit (g: f32[]) -> s32[] {
  %g = f32[] parameter(0)
  ROOT %digit_of = s32[] convert(%g)
}
)";

inline constexpr absl::string_view kOpParameters = R"(
  %x = f32[4] parameter(0)
  %m = f32[4,6] parameter(1)
  %k = f32[6,5] parameter(2)
  %image = f32[2,8,8,4] parameter(3)
  %filter = f32[3,3,2,6] parameter(4)
  %scalar = f32[] parameter(5)
  %i = s32[] parameter(6)
  %p = pred[] parameter(7)
  %state = (s32[], f32[4]) parameter(8)
  %t = token[] parameter(9)
  %indices = s32[3,1] parameter(10)
  %pred4 = pred[4] parameter(11)
  %masks = s32[3] parameter(12)
  %updates = f32[3,6] parameter(13)
  %square = f32[4,4] parameter(14)
  %complex = c64[4,8] parameter(15)
  %key = u64[2] parameter(16)
  %blocks = f32[2,3,3] parameter(17)
  %sums = f32[2,3] parameter(20)
  %ranks = s32[4] parameter(21)
  %columns = f32[2,3,5] parameter(18)
  %waves = c64[2,6,1,3] parameter(19)
  %pads = s32[2,2] parameter(22)
  %sent = (f32[4], u32[], token[]) send(%x, %t), channel_id=3, is_host_transfer=true
  %received = (f32[4], u32[], token[]) recv(%t), channel_id=4
)";

// One line for each op that needs more than operands and a type: the text after `%r = `.
inline constexpr absl::string_view kOpLines[] = {
    "f32[] parameter(23)",
    "f32[2,2] constant({ {1, -0}, {nan, 1e-40} })",
    "(f32[4], s32[]) tuple(%x, %i)",
    "f32[4] get-tuple-element(%state), index=1",
    "f32[4] call(%x), to_apply=%twice, is_composite=true, "
    "frontend_attributes={composite.name=\"a.b\"}",
    "f32[4] fusion(%x), kind=kLoop, calls=%twice",
    "(s32[], f32[4]) while(%state), condition=%state_less, body=%state_same",
    "(s32[], f32[4]) while(%state), condition=%state_less, body=%state_same, "
    "backend_config={\"known_trip_count\":{\"n\":\"12\"}}",
    "f32[4] conditional(%p, %x, %x), true_computation=%twice, false_computation=%twice",
    "f32[4] conditional(%i, %x, %x, %x), branch_computations={%twice, %twice, %twice}",
    "(f32[4], f32[]) custom-call(%x, %scalar), custom_call_target=\"a\\n\\\"b\\\\\", "
    "custom_call_has_side_effect=true, api_version=API_VERSION_STATUS_RETURNING, "
    "called_computations={%twice, %less}, backend_config=\"x y {\"",
    "f32[4] custom-call(), custom_call_target=\"none\", backend_config={a = {b = \"}\"}}",
    "f32[4] opt-barrier(%x)",
    "token[] after-all(%t, %t)",
    "token[] after-all()",
    "f32[4,6]{0,1} copy(%m)",
    "bf16[4] convert(%x)",
    "s32[4] bitcast-convert(%x)",
    "f32[4] reduce-precision(%x), exponent_bits=5, mantissa_bits=10",
    "f32[4] clamp(%scalar, %x, %scalar)",
    "pred[4] compare(%x, %x), direction=GE, type=TOTALORDER",
    "f32[4] select(%pred4, %x, %x)",
    "c64[4] complex(%x, %x)",
    "s32[3,4] iota(), iota_dimension=1",
    "f32[4,7] broadcast(%x), dimensions={0}",
    "f32[7] broadcast(%scalar), dimensions={}",
    "f32[2,12] reshape(%m)",
    "f32[24] bitcast(%m)",
    "f32[6,4] transpose(%m), dimensions={1,0}",
    "f32[6,4]{0,1} transpose(%m), dimensions={1,0}",
    "f32[4,6] reverse(%m), dimensions={0,1}",
    "f32[2,2] slice(%m), slice={[1:3], [0:6:3]}",
    "f32[8,6] concatenate(%m, %m), dimensions={0}",
    "f32[8,5] pad(%m, %scalar), padding=0_1_1x-1_0_0",
    "f32[5,6] pad(%m, %scalar), padding=0_1x0_0",
    "f32[] pad(%scalar, %scalar), padding=",
    "f32[2,3] dynamic-slice(%m, %i, %i), dynamic_slice_sizes={2,3}",
    "f32[4,6] dynamic-update-slice(%m, %m, %i, %i)",
    "f32[3,6] gather(%m, %indices), offset_dims={1}, collapsed_slice_dims={0}, "
    "start_index_map={0}, "
    "index_vector_dim=1, slice_sizes={1,6}, indices_are_sorted=true",
    "f32[4,5] dot(%m, %k), lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
    "operand_precision={highest,default}",
    "f32[4,6,6] dot(%m, %m), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={}, "
    "rhs_contracting_dims={}, algorithm=dot_f32_f32_f32",
    "f32[2,16,8,6] convolution(%image, %filter), window={size=3x3 pad=2_1x0_2 lhs_dilate=2x1 "
    "rhs_reversal=1x0}, dim_labels=b01f_01io->b01f, feature_group_count=2",
    "f32[2,8,8,6] convolution(%image, %filter), window={size=3x3 pad=1_1x2_2 rhs_dilate=1x2}, "
    "dim_labels=b01f_01io->b01f, feature_group_count=2, operand_precision={high,high}",
    "f32[4] reduce(%m, %scalar), dimensions={1}, to_apply=%add_f32",
    "f32[2,3] reduce-window(%m, %scalar), window={size=2x2 stride=2x2}, to_apply=%add_f32",
    "f32[2,6] reduce-window(%m, %scalar), window={size=3x1 pad=-1_1x0_0}, to_apply=%add_f32",
    "f32[4,6] sort(%m), dimensions={1}, is_stable=true, to_apply=%less",
    "f32[4] sort-pass(%x, %masks), k=4, to_apply=%less",
    "f32[4] map(%x, %x), dimensions={0}, to_apply=%add_f32",
    "f32[4] custom-call(%x), custom_call_target=\"t\", api_version=API_VERSION_TYPED_FFI, "
    "operand_layout_constraints={f32[4]{0}}, output_to_operand_aliasing={{}: (0, {})}, "
    "schedule=SCHEDULE_LATEST, backend_config={\"a\": 1}",
    "(f32[4], f32[4]) custom-call(%state, %m), custom_call_target=\"t\", "
    "operand_layout_constraints={(s32[], f32[4]{0}), f32[4,6]{0,1}}, "
    "output_to_operand_aliasing={{0}: (0, {1}), {1}: (1, {})}",
    "f32[4] custom-call(%x), custom_call_target=\"t\", api_version=API_VERSION_UNSPECIFIED",
    "f32[4] fusion(%x), kind=kCustom, output_to_operand_aliasing={{}: (0, {})}, calls=%twice",
    "f32[3,6] gather(%m, %indices), offset_dims={1}, collapsed_slice_dims={0}, "
    "start_index_map={0}, index_vector_dim=1, slice_sizes={1,6}",
    "f32[4,6] scatter(%m, %indices, %updates), update_window_dims={1}, inserted_window_dims={0}, "
    "scatter_dims_to_operand_dims={0}, index_vector_dim=1, indices_are_sorted=true, "
    "unique_indices=true, to_apply=%add_f32",
    "f32[4,6] select-and-scatter(%m, %sums, %scalar), window={size=2x2 stride=2x2}, "
    "select=%greater, scatter=%add_f32",
    "(f32[4,3], s32[4,3]) topk(%m), k=3, largest=true",
    "(f32[4,3], s32[4,3]) topk(%m), k=3, largest=false",
    "c64[4,8] fft(%complex), fft_type=IFFT, fft_length={4,8}",
    "f32[4,14] fft(%complex), fft_type=IRFFT, fft_length={14}",
    "f32[4,4] cholesky(%square), lower=true",
    "f32[4,4] cholesky(%square)",
    "f32[4,4] triangular-solve(%square, %square), lower=true, left_side=true, "
    "unit_diagonal=true, transpose_a=ADJOINT",
    "f32[4,4] triangular-solve(%square, %square), transpose_a=NO_TRANSPOSE",
    "f32[4,6] batch-norm-inference(%m, %x, %x, %x, %x), epsilon=0.001, feature_index=0",
    "(f32[4,6], f32[4], f32[4]) batch-norm-training(%m, %x, %x), epsilon=1e-05, feature_index=0",
    "(f32[4,6], f32[4], f32[4]) batch-norm-grad(%m, %x, %x, %x, %m), epsilon=0.1, "
    "feature_index=0",
    "f32[4] rng(%scalar, %scalar), distribution=rng_uniform",
    "f32[4] rng(%scalar, %scalar), distribution=rng_normal",
    "(u64[2], u32[4]) rng-bit-generator(%key), algorithm=rng_three_fry",
    "(u64[2], u32[4]) rng-bit-generator(%key), algorithm=rng_philox",
    "(u64[2], u32[4]) rng-bit-generator(%key), algorithm=rng_default",
    "s32[] get-dimension-size(%m), dimensions={1}",
    "f32[<=4,6] set-dimension-size(%m, %i), dimensions={0}",
    "f32[?,3] dynamic-reshape(%m, %i, %i)",
    "f32[?,?] dynamic-broadcast-in-dim(%x, %key), dimensions={1}, known_expanding_dimensions={}, "
    "known_nonexpanding_dimensions={0}",
    "f32[?,?] dynamic-iota(%key), iota_dimension=1",
    "f32[?,?] dynamic-pad(%m, %scalar, %key, %key, %key)",
    "f32[?,?] real-dynamic-slice(%m, %key, %key, %key)",
    "f32[3,?] dynamic-gather(%m, %indices, %key), offset_dims={1}, collapsed_slice_dims={0}, "
    "start_index_map={0}, index_vector_dim=1",
    "f32[2,?,?,6] dynamic-conv(%image, %filter, %pads), window={size=3x3}, "
    "dim_labels=b01f_01io->b01f, "
    "feature_group_count=2",
    "f32[8] all-gather(%x), dimensions={0}, replica_groups={{0,1}}, channel_id=1, "
    "use_global_device_ids=true",
    "f32[4] all-reduce(%x), replica_groups={}, to_apply=%add_f32",
    "f32[4] all-reduce(%x), replica_groups={{0,2},{1,3}}, to_apply=%add_f32",
    "f32[4] all-reduce(%x), replica_groups=[2,4]<=[4,2]T(1,0), channel_id=7, "
    "use_global_device_ids=true, to_apply=%add_f32",
    "f32[2] reduce-scatter(%x), dimensions={0}, replica_groups={{0,1}}, to_apply=%add_f32",
    "f32[4] all-to-all(%x), dimensions={0}, replica_groups={{0,1}}, channel_id=2",
    "(f32[4], f32[4]) all-to-all(%x, %x), replica_groups={{0,1}}",
    "f32[2,12] all-to-all(%m), split_dimension=0, concat_dimension=1, split_count=2, "
    "replica_groups={{0,1}}",
    "f32[4] collective-permute(%x), source_target_pairs={{0,1},{1,0}}, channel_id=3",
    "f32[4] collective-broadcast(%x), replica_groups={{0,1}}",
    "u32[] replica-id()",
    "u32[] partition-id()",
    "((f32[4], s32[]), token[]) infeed(%t), infeed_config=\"a\\\"b\"",
    "token[] outfeed(%x, %t), outfeed_config=\"c\\000d\"",
    "(f32[4], u32[], token[]) send(%x, %t), channel_id=5",
    "token[] send-done(%sent), channel_id=3, is_host_transfer=true",
    "(f32[4], u32[], token[]) recv(%t), channel_id=6, is_host_transfer=true",
    "(f32[4], token[]) recv-done(%received), channel_id=4",
    "f32[4] sine(%x), sharding={devices=[2,4]<=[8] last_tile_dim_replicate}",
    "f32[4] sine(%x), sharding={devices=[2,2,2]<=[2,4]T(1,0) last_tile_dims={manual, replicated}}",
    "f32[4] sine(%x), sharding={devices=[4]3,2,1,0 shard_like 3}",
    "f32[4] sine(%x), sharding={maximal device=3}",
    "f32[4] sine(%x), sharding={replicated metadata={op_name=\"a}\"}}",
    "(f32[4], f32[4]) tuple(%x, %x), sharding={{manual}, {unreduced shard_as 4}}",
    "f32[4] sine(%x), frontend_attributes={a.b=\"1 \\\"\",c={n = 2 : i64}}",
    "f32[4] sine(%x), metadata={op_name=\"jit(f)/sin\" source_file=\"a b.py\" source_line=7 "
    "source_column=9}",
    "f32[2,4] exchange(%x), kind=gather, replica_groups={{0,1},{3,2}}",
    "f32[4] counting-pass(%x), k=16, to_apply=%digit",
    "c64[2,1,6,3] fft-pass(%waves), fft_type=FFT",
    "c64[2,6,1,3] unscaled-fft(%waves), fft_type=IFFT, fft_length={1,3}",
    "u64[2] threefry-block(%key, %key)",
    "u64[2] philox-block(%key, %key, %key, %key)",
    "f32[2,3,3] cholesky-block(%blocks)",
    "f32[2,3,5] triangular-block(%columns, %blocks)",
};

// Returns a program whose result is the instruction `line` of kOpLines.
inline std::string OneOp(absl::string_view line) {
  return Program(absl::StrCat(kOpParameters, "  ROOT %r = ", line, "\n"), kOpComputations);
}

}  // namespace halyard::hlo_text

#endif  // HALYARD_TESTS_FRONTEND_HLO_TEXT_OP_LINES_H_
