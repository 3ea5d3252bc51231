"""StableHLO text of the programs that scripts/gpu_check times."""


# Returns the products to time, with the library's schedule and with ours: name of the type, extent,
# type of the operands, and type of the result.
def product_rows(rehearse):
    sizes = [256] if rehearse else [1024, 2048, 4096, 8192]
    rows = [("f32", n, "f32", "f32") for n in sizes]
    if not rehearse:
        rows += [("bf16", n, "bf16", "f32") for n in (4096, 8192)]
    return rows


def product_text(n, dtype, out):
    t, o = f"tensor<{n}x{n}x{dtype}>", f"tensor<{n}x{n}x{out}>"
    return (f"func.func @main(%a: {t}, %b: {t}) -> {o} {{\n"
            f"  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({t}, {t}) -> {o}\n"
            f"  return %0 : {o}\n}}\n")


# Returns the convolutions with 3x3 windows to time: name of the type, images, their extent, their
# features before and after, and type.
def convolution_rows(rehearse):
    sizes = [(1, 8, 16)] if rehearse else [(32, 56, 64), (32, 14, 256)]
    types = ["f32"] if rehearse else ["f32", "bf16"]
    return [(dtype, *size, dtype) for dtype in types for size in sizes]


# The layout is one that cuDNN supports.
def convolution_text(n, size, features, dtype):
    t = f"tensor<{n}x{size}x{size}x{features}x{dtype}>"
    w = f"tensor<{features}x3x3x{features}x{dtype}>"
    return (f"func.func @main(%a: {t}, %w: {w}) -> {t} {{\n"
            f"  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, 1, f]x[o, 0, 1, i]->"
            f"[b, 0, 1, f], window = {{stride = [1, 1], pad = [[1, 1], [1, 1]]}} "
            f"{{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({t}, {w}) -> {t}\n"
            f"  return %0 : {t}\n}}\n")


# Returns programs that are bound by memory. The bytes read and written follow from each program.
def memory_programs(rows):
    t, s = f"tensor<{rows}x1024xf32>", f"tensor<{rows}xf32>"
    zero = "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    reduce = (f"  %r = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = "
              f"[1] : ({t}, tensor<f32>) -> {s}\n")
    wide = f"  %w = stablehlo.broadcast_in_dim %r, dims = [0] : ({s}) -> {t}\n"
    return {
        "elementwise chain": (t, f"  %0 = stablehlo.abs %a : {t}\n  %1 = stablehlo.sqrt %0 : {t}\n"
                                 f"  %2 = stablehlo.multiply %1, %a : {t}\n"
                                 f"  %3 = stablehlo.add %2, %0 : {t}\n  return %3 : {t}\n"),
        "reduce rows": (s, zero + reduce + f"  return %r : {s}\n"),
        "softmax": (t, "  %m0 = stablehlo.constant dense<0xFF800000> : tensor<f32>\n"
                       "  %m = stablehlo.reduce(%a init: %m0) applies stablehlo.maximum across "
                       f"dimensions = [1] : ({t}, tensor<f32>) -> {s}\n"
                       f"  %mw = stablehlo.broadcast_in_dim %m, dims = [0] : ({s}) -> {t}\n"
                       f"  %d = stablehlo.subtract %a, %mw : {t}\n"
                       f"  %e = stablehlo.exponential %d : {t}\n" + zero +
                       reduce.replace("%a", "%e") + wide +
                       f"  %q = stablehlo.divide %e, %w : {t}\n  return %q : {t}\n"),
        "layer norm": (t, zero + reduce + wide +
                       f"  %c = stablehlo.constant dense<9.765625e-04> : {t}\n"
                       f"  %mean = stablehlo.multiply %w, %c : {t}\n"
                       f"  %d = stablehlo.subtract %a, %mean : {t}\n"
                       f"  %sq = stablehlo.multiply %d, %d : {t}\n" +
                       reduce.replace("%r ", "%v ").replace("%a", "%sq") +
                       wide.replace("%w", "%vw").replace("%r", "%v") +
                       f"  %var = stablehlo.multiply %vw, %c : {t}\n"
                       f"  %k = stablehlo.constant dense<1.0e-05> : {t}\n"
                       f"  %ve = stablehlo.add %var, %k : {t}\n"
                       f"  %rs = stablehlo.rsqrt %ve : {t}\n"
                       f"  %y = stablehlo.multiply %d, %rs : {t}\n  return %y : {t}\n"),
        "transpose": (f"tensor<1024x{rows}xf32>",
                      f"  %0 = stablehlo.transpose %a, dims = [1, 0] : ({t}) -> "
                      f"tensor<1024x{rows}xf32>\n  return %0 : tensor<1024x{rows}xf32>\n"),
    }, t


def attention_text(s, d, heads=8):
    q, p = f"tensor<{heads}x{s}x{d}xbf16>", f"tensor<{heads}x{s}x{s}xf32>"
    r = f"tensor<{heads}x{s}xf32>"
    return (f"func.func @main(%q: {q}, %k: {q}, %v: {q}) -> {q} {{\n"
            f"  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = "
            f"[2] x [2] : ({q}, {q}) -> {p}\n"
            f"  %c = stablehlo.constant dense<{d ** -0.5:.8e}> : {p}\n"
            f"  %t = stablehlo.multiply %s, %c : {p}\n"
            f"  %m0 = stablehlo.constant dense<0xFF800000> : tensor<f32>\n"
            f"  %m = stablehlo.reduce(%t init: %m0) applies stablehlo.maximum across dimensions = "
            f"[2] : ({p}, tensor<f32>) -> {r}\n"
            f"  %mw = stablehlo.broadcast_in_dim %m, dims = [0, 1] : ({r}) -> {p}\n"
            f"  %e0 = stablehlo.subtract %t, %mw : {p}\n"
            f"  %e = stablehlo.exponential %e0 : {p}\n"
            f"  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
            f"  %l = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [2] : "
            f"({p}, tensor<f32>) -> {r}\n"
            f"  %lw = stablehlo.broadcast_in_dim %l, dims = [0, 1] : ({r}) -> {p}\n"
            f"  %w = stablehlo.divide %e, %lw : {p}\n"
            f"  %h = stablehlo.convert %w : ({p}) -> {p.replace('f32', 'bf16')}\n"
            f"  %o = stablehlo.dot_general %h, %v, batching_dims = [0] x [0], contracting_dims = "
            f"[2] x [1] : ({p.replace('f32', 'bf16')}, {q}) -> {q}\n"
            f"  return %o : {q}\n}}\n")


def chain_text(kernels):
    t = "tensor<1024xf32>"
    lines = [f"func.func @main(%v0: {t}) -> {t} {{"]
    lines += [f"  %v{i + 1} = stablehlo.add %v{i}, %v{i} : {t}" for i in range(kernels)]
    return "\n".join([*lines, f"  return %v{kernels} : {t}", "}", ""])
