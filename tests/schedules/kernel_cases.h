// Small kernels of every form.
#ifndef HALYARD_TESTS_SCHEDULES_KERNEL_CASES_H_
#define HALYARD_TESTS_SCHEDULES_KERNEL_CASES_H_

namespace halyard::testing {

struct KernelCase {
  const char* name;
  const char* hlo;
  double tolerance = 1e-5;
};

#define SUM "sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }\n"
#define MAX "max { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] maximum(a, b) }\n"

inline const KernelCase kKernelCases[] = {
    {"scalar", "HloModule m\nENTRY e { a = f32[] parameter(0) ROOT r = f32[] add(a, a) }"},
    {"add",
     "HloModule m\nENTRY e { a = f32[1000] parameter(0) b = f32[1000] parameter(1) ROOT r = "
     "f32[1000] add(a, b) }"},
    {"odd_rows",
     "HloModule m\nENTRY e { a = f32[7,13,3] parameter(0) ROOT r = f32[7,13,3] multiply(a, a) }"},
    {"large_chain",
     "HloModule m\nENTRY e { a = f32[300000] parameter(0) t = f32[300000] tanh(a) u = f32[300000] "
     "multiply(t, a) "
     "ROOT r = f32[300000] exponential(u) }"},
    {"two_outputs",
     "HloModule m\nENTRY e { a = f32[33,65] parameter(0) n = f32[33,65] negate(a) c = pred[33,65] "
     "compare(a, n), direction=LT "
     "ROOT r = (f32[33,65], pred[33,65]) tuple(n, c) }"},
    {"broadcast",
     "HloModule m\nENTRY e { a = f32[65] parameter(0) b = f32[33,65] parameter(1) c = f32[33,65] "
     "broadcast(a), dimensions={1} "
     "ROOT r = f32[33,65] add(b, c) }"},
    {"transpose",
     "HloModule m\nENTRY e { a = f32[70,130] parameter(0) ROOT r = f32[130,70] transpose(a), "
     "dimensions={1,0} }"},
    {"transpose3",
     "HloModule m\nENTRY e { a = f32[5,34,66] parameter(0) ROOT r = f32[66,5,34] transpose(a), "
     "dimensions={2,0,1} }"},
    {"reshape",
     "HloModule m\nENTRY e { a = f32[6,20] parameter(0) b = f32[3,40] reshape(a) c = f32[3,2,20] "
     "reshape(b) ROOT r = f32[3,2,20] negate(c) }"},
    {"slice_pad",
     "HloModule m\nENTRY e { a = f32[20,30] parameter(0) z = f32[] constant(1.5) s = f32[5,14] "
     "slice(a), slice={[1:20:4], [2:30:2]} "
     "ROOT r = f32[9,16] pad(s, z), padding=1_-1_1x0_2 }"},
    {"reverse_concat",
     "HloModule m\nENTRY e { a = f32[4,9] parameter(0) b = f32[3,9] parameter(1) c = f32[7,9] "
     "concatenate(a, b), dimensions={0} "
     "ROOT r = f32[7,9] reverse(c), dimensions={1} }"},
    {"iota_select",
     "HloModule m\nENTRY e { a = s32[17,40] parameter(0) i = s32[17,40] iota(), iota_dimension=1 c "
     "= pred[17,40] compare(i, a), direction=GE "
     "ROOT r = s32[17,40] select(c, i, a) }"},
    {"pred_in",
     "HloModule m\nENTRY e { a = pred[99] parameter(0) b = pred[99] parameter(1) ROOT r = pred[99] "
     "and(a, b) }"},
    {"bf16",
     "HloModule m\nENTRY e { a = bf16[130] parameter(0) b = bf16[130] parameter(1) m = bf16[130] "
     "multiply(a, b) ROOT r = bf16[130] add(m, a) }",
     0},
    {"f16",
     "HloModule m\nENTRY e { a = f16[130] parameter(0) b = f16[130] parameter(1) m = f16[130] "
     "multiply(a, b) ROOT r = f16[130] add(m, a) }",
     0},
    {"f64",
     "HloModule m\nENTRY e { a = f64[130] parameter(0) m = f64[130] multiply(a, a) ROOT r = "
     "f64[130] exponential(m) }",
     1e-13},
    {"s64",
     "HloModule m\nENTRY e { a = s64[130] parameter(0) b = s64[130] parameter(1) ROOT r = s64[130] "
     "divide(a, b) }",
     0},
    {"u8",
     "HloModule m\nENTRY e { a = u8[130] parameter(0) b = u8[130] parameter(1) ROOT r = u8[130] "
     "subtract(a, b) }",
     0},
    {"complex",
     "HloModule m\nENTRY e { a = c64[37] parameter(0) b = c64[37] parameter(1) ROOT r = c64[37] "
     "multiply(a, b) }"},
    {"dynamic_slice",
     "HloModule m\nENTRY e { a = f32[10,20] parameter(0) i = s32[] parameter(1) j = s32[] "
     "parameter(2) "
     "ROOT r = f32[4,7] dynamic-slice(a, i, j), dynamic_slice_sizes={4,7} }"},
    {"gather",
     "HloModule m\nENTRY e { a = f32[10,20] parameter(0) i = s32[5,1] parameter(1) "
     "ROOT r = f32[5,20] gather(a, i), offset_dims={1}, collapsed_slice_dims={0}, "
     "start_index_map={0}, index_vector_dim=1, slice_sizes={1,20} }"},
    {"reduce_rows",
     "HloModule m\n" SUM "ENTRY e { a = f32[37,1000] parameter(0) z = f32[] constant(0.5) ROOT r = "
     "f32[37] reduce(a, z), dimensions={1}, to_apply=sum }",
     1e-4},
    {"reduce_rows_short",
     "HloModule m\n" MAX "ENTRY e { a = f32[37,5] parameter(0) z = f32[] constant(-inf) ROOT r = "
     "f32[37] reduce(a, z), dimensions={1}, to_apply=max }"},
    {"reduce_columns",
     "HloModule m\n" SUM "ENTRY e { a = f32[200,130] parameter(0) z = f32[] constant(0) ROOT r = "
     "f32[130] reduce(a, z), dimensions={0}, to_apply=sum }",
     1e-4},
    {"reduce_columns_tall",
     "HloModule m\n" SUM "ENTRY e { a = f32[40000,8] parameter(0) z = f32[] constant(0) ROOT r = "
     "f32[8] reduce(a, z), dimensions={0}, to_apply=sum }",
     1e-3},
    {"reduce_all",
     "HloModule m\n" SUM "ENTRY e { a = f32[500,700] parameter(0) z = f32[] constant(0) ROOT r = "
     "f32[] reduce(a, z), dimensions={0,1}, to_apply=sum }",
     1e-3},
    {"reduce_middle",
     "HloModule m\n" SUM "ENTRY e { a = f32[5,60,33] parameter(0) z = f32[] constant(0) s = "
     "f32[5,33] reduce(a, z), dimensions={1}, to_apply=sum "
     "ROOT r = f32[5,33] exponential(s) }",
     1e-4},
    {"reduce_outer_inner",
     "HloModule m\n" SUM "ENTRY e { a = f32[50,6,33] parameter(0) z = f32[] constant(0) ROOT s = "
     "f32[6] reduce(a, z), dimensions={0,2}, to_apply=sum }",
     1e-4},
    {"reduce_fused",
     "HloModule m\n" SUM
     "ENTRY e { a = f32[40,300] parameter(0) q = f32[40,300] multiply(a, a) z = f32[] constant(0) "
     "s = f32[40] reduce(q, z), dimensions={1}, to_apply=sum "
     "c = f32[] constant(300) b = f32[40] broadcast(c), dimensions={} ROOT r = f32[40] divide(s, "
     "b) }",
     1e-4},
    {"reduce_constant",
     "HloModule m\n" SUM
     "ENTRY e { a = f32[] parameter(0) b = f32[8,70] broadcast(a), dimensions={} z = f32[] "
     "constant(0) ROOT r = f32[8] reduce(b, z), dimensions={1}, to_apply=sum }",
     1e-4},
    {"reduce_constant_all",
     "HloModule m\n" SUM
     "ENTRY e { a = f32[] parameter(0) b = f32[8,5] broadcast(a), dimensions={} z = f32[] "
     "constant(0) ROOT r = f32[] reduce(b, z), dimensions={0,1}, to_apply=sum }",
     1e-4},
    {"dot_constant",
     "HloModule m\nENTRY e { a = f32[] parameter(0) b = f32[20,30] broadcast(a), dimensions={} c = "
     "f32[30,40] broadcast(a), dimensions={} ROOT r = f32[20,40] dot(b, c), "
     "lhs_contracting_dims={1}, rhs_contracting_dims={0} }",
     1e-4},
    {"pool_constant",
     "HloModule m\n" SUM "ENTRY e { a = f32[] parameter(0) b = f32[8,40] broadcast(a), "
     "dimensions={} z = f32[] constant(0) ROOT p = f32[4,40] reduce-window(b, "
     "z), window={size=2x1 stride=2x1}, to_apply=sum }",
     1e-4},
    {"argmax",
     "HloModule m\nbody { v0 = f32[] parameter(0) i0 = s32[] parameter(1) v1 = f32[] parameter(2) "
     "i1 = s32[] parameter(3) "
     "c = pred[] compare(v0, v1), direction=GE v = f32[] select(c, v0, v1) i = s32[] select(c, i0, "
     "i1) ROOT t = (f32[], s32[]) tuple(v, i) }\n"
     "ENTRY e { a = f32[12,70] parameter(0) i = s32[12,70] iota(), iota_dimension=1 z = f32[] "
     "constant(-inf) zi = s32[] constant(0) "
     "ROOT r = (f32[12], s32[12]) reduce(a, i, z, zi), dimensions={1}, to_apply=body }"},
    {"reduce_odd_body",
     "HloModule m\nbody { a = f32[] parameter(0) b = f32[] parameter(1) h = f32[] constant(0.5) m "
     "= f32[] multiply(a, h) ROOT s = f32[] add(m, b) }\n"
     "ENTRY e { a = f32[12,70] parameter(0) z = f32[] constant(0) ROOT r = f32[12] reduce(a, z), "
     "dimensions={1}, to_apply=body }"},
    {"softmax",
     "HloModule m\n" SUM MAX
     "ENTRY e { a = f32[50,300] parameter(0) n = f32[] constant(-inf) z = f32[] constant(0) m = "
     "f32[50] reduce(a, n), dimensions={1}, to_apply=max "
     "mb = f32[50,300] broadcast(m), dimensions={0} d = f32[50,300] subtract(a, mb) x = "
     "f32[50,300] exponential(d) s = f32[50] reduce(x, z), dimensions={1}, to_apply=sum "
     "sb = f32[50,300] broadcast(s), dimensions={0} ROOT r = f32[50,300] divide(x, sb) }"},
    {"softmax_small_rows",
     "HloModule m\n" SUM MAX
     "ENTRY e { a = f32[2,3,10] parameter(0) n = f32[] constant(-inf) z = f32[] constant(0) m = "
     "f32[2,3] reduce(a, n), dimensions={2}, to_apply=max "
     "mb = f32[2,3,10] broadcast(m), dimensions={0,1} d = f32[2,3,10] subtract(a, mb) x = "
     "f32[2,3,10] exponential(d) s = f32[2,3] reduce(x, z), dimensions={2}, to_apply=sum "
     "sb = f32[2,3,10] broadcast(s), dimensions={0,1} ROOT r = f32[2,3,10] divide(x, sb) }"},
    {"log_sum_exp",
     "HloModule m\n" SUM MAX
     "ENTRY e { a = f32[50,300] parameter(0) n = f32[] constant(-inf) z = f32[] constant(0) m = "
     "f32[50] reduce(a, n), dimensions={1}, to_apply=max "
     "mb = f32[50,300] broadcast(m), dimensions={0} d = f32[50,300] subtract(a, mb) x = "
     "f32[50,300] exponential(d) s = f32[50] reduce(x, z), dimensions={1}, to_apply=sum "
     "l = f32[50] log(s) ROOT r = f32[50] add(l, m) }"},
    {"dot",
     "HloModule m\nENTRY e { a = f32[100,70] parameter(0) b = f32[70,90] parameter(1) ROOT r = "
     "f32[100,90] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }",
     1e-4},
    {"dot_exact_tiles",
     "HloModule m\nENTRY e { a = f32[64,64] parameter(0) b = f32[64,96] parameter(1) ROOT r = "
     "f32[64,96] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }",
     1e-4},
    {"dot_transposed",
     "HloModule m\nENTRY e { a = f32[70,33] parameter(0) b = f32[90,70] parameter(1) ROOT r = "
     "f32[33,90] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={1} }",
     1e-4},
    {"dot_batch",
     "HloModule m\nENTRY e { a = f32[3,4,20,30] parameter(0) b = f32[3,4,30,25] parameter(1) "
     "ROOT r = f32[3,4,20,25] dot(a, b), lhs_batch_dims={0,1}, rhs_batch_dims={0,1}, "
     "lhs_contracting_dims={3}, rhs_contracting_dims={2} }",
     1e-4},
    {"dot_small_n",
     "HloModule m\nENTRY e { a = f32[32,50] parameter(0) b = f32[50,10] parameter(1) ROOT r = "
     "f32[32,10] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }",
     1e-4},
    {"dot_tiny_n",
     "HloModule m\nENTRY e { a = f32[5,50] parameter(0) b = f32[50,3] parameter(1) ROOT r = "
     "f32[5,3] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }",
     1e-4},
    {"matrix_vector",
     "HloModule m\nENTRY e { a = f32[100,70] parameter(0) b = f32[70] parameter(1) ROOT r = "
     "f32[100] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }",
     1e-4},
    {"vector_matrix",
     "HloModule m\nENTRY e { a = f32[70] parameter(0) b = f32[70,100] parameter(1) ROOT r = "
     "f32[100] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0} }",
     1e-4},
    {"inner_product",
     "HloModule m\nENTRY e { a = f32[700] parameter(0) b = f32[700] parameter(1) ROOT r = f32[] "
     "dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0} }",
     1e-4},
    {"outer_product",
     "HloModule m\nENTRY e { a = f32[30] parameter(0) b = f32[40] parameter(1) ROOT r = f32[30,40] "
     "dot(a, b) }",
     1e-4},
    {"dot_bias_relu",
     "HloModule m\nENTRY e { a = f32[50,70] parameter(0) b = f32[70,90] parameter(1) c = f32[90] "
     "parameter(2) d = f32[50,90] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} "
     "e1 = f32[50,90] broadcast(c), dimensions={1} s = f32[50,90] add(d, e1) z = f32[] constant(0) "
     "zb = f32[50,90] broadcast(z), dimensions={} ROOT r = f32[50,90] maximum(s, zb) }",
     1e-4},
    {"dot_integers",
     "HloModule m\nENTRY e { a = s8[50,70] parameter(0) b = s8[70,90] parameter(1) ROOT d = "
     "s32[50,90] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }",
     0},
    {"dot_bf16",
     "HloModule m\nENTRY e { a = bf16[50,70] parameter(0) b = bf16[70,90] parameter(1) ROOT d = "
     "f32[50,90] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }",
     1e-4},
    {"dot_bf16_alone",
     "HloModule m\nENTRY e { a = bf16[50,70] parameter(0) b = bf16[70,90] parameter(1) ROOT d = "
     "bf16[50,90] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }",
     1e-2},
    {"dot_f16_rounded_before_use",
     "HloModule m\nENTRY e { a = f16[5,70] parameter(0) b = f16[70,9] parameter(1) d = "
     "f16[5,9] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} ROOT w = f32[5,9] "
     "convert(d) }",
     1e-3},
    {"dot_transposed_result",
     "HloModule m\nENTRY e { a = f32[20,70] parameter(0) b = f32[70,30] parameter(1) d = "
     "f32[20,30] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} "
     "ROOT t = f32[30,20] transpose(d), dimensions={1,0} }",
     1e-4},
    {"conv",
     "HloModule m\nENTRY e { a = f32[2,14,15,8] parameter(0) w = f32[3,3,8,20] parameter(1) ROOT c "
     "= f32[2,14,15,20] convolution(a, w), window={size=3x3 pad=1_1x1_1}, "
     "dim_labels=b01f_01io->b01f }",
     1e-4},
    {"conv_strided",
     "HloModule m\nENTRY e { a = f32[2,15,15,3] parameter(0) w = f32[3,3,3,32] parameter(1) ROOT c "
     "= f32[2,7,7,32] convolution(a, w), window={size=3x3 stride=2x2}, dim_labels=b01f_01io->b01f "
     "}",
     1e-4},
    {"conv_nchw",
     "HloModule m\nENTRY e { a = f32[2,8,14,15] parameter(0) w = f32[20,8,3,3] parameter(1) ROOT c "
     "= f32[2,20,14,15] convolution(a, w), window={size=3x3 pad=1_1x1_1}, "
     "dim_labels=bf01_oi01->bf01 }",
     1e-4},
    {"conv_dilated",
     "HloModule m\nENTRY e { a = f32[1,8,9,4] parameter(0) w = f32[2,3,4,6] parameter(1) ROOT c = "
     "f32[1,16,14,6] convolution(a, w), window={size=2x3 pad=1_1x1_0 lhs_dilate=2x2 rhs_dilate=1x2 "
     "rhs_reversal=1x0}, dim_labels=b01f_01io->b01f }",
     1e-4},
    {"conv_groups",
     "HloModule m\nENTRY e { a = f32[1,9,9,8] parameter(0) w = f32[3,3,2,12] parameter(1) ROOT c = "
     "f32[1,9,9,12] convolution(a, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, "
     "feature_group_count=4 }",
     1e-4},
    {"conv_depthwise",
     "HloModule m\nENTRY e { a = f32[1,9,9,40] parameter(0) w = f32[3,3,1,40] parameter(1) ROOT c "
     "= f32[1,9,9,40] convolution(a, w), window={size=3x3 pad=1_1x1_1}, "
     "dim_labels=b01f_01io->b01f, feature_group_count=40 }",
     1e-4},
    {"max_pool",
     "HloModule m\n" MAX
     "ENTRY e { a = f32[2,8,8,20] parameter(0) n = f32[] constant(-inf) ROOT p = f32[2,4,4,20] "
     "reduce-window(a, n), window={size=1x2x2x1 stride=1x2x2x1}, to_apply=max }"},
    {"cumulative",
     "HloModule m\n" SUM
     "ENTRY e { a = f32[5,20] parameter(0) z = f32[] constant(0) ROOT p = f32[5,20] "
     "reduce-window(a, z), window={size=1x20 pad=0_0x19_0}, to_apply=sum }",
     1e-4},
    {"window_dilated",
     "HloModule m\n" SUM
     "ENTRY e { a = f32[3,2] parameter(0) z = f32[] constant(0) ROOT p = f32[2,2] reduce-window(a, "
     "z), window={size=2x1 stride=4x1 pad=2_1x0_0 lhs_dilate=2x1 rhs_dilate=3x1}, to_apply=sum }"},
    {"zero_reduced",
     "HloModule m\n" SUM "ENTRY e { a = f32[5,0] parameter(0) z = f32[] constant(2.5) ROOT p = "
     "f32[5] reduce(a, z), dimensions={1}, to_apply=sum }"},
    {"dot_empty_k",
     "HloModule m\nENTRY e { a = f32[5,0] parameter(0) b = f32[0,6] parameter(1) ROOT r = f32[5,6] "
     "dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }"},
};

#undef SUM
#undef MAX

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_SCHEDULES_KERNEL_CASES_H_
