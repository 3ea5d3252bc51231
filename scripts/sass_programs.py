"""Programs of real sizes, as StableHLO, for scripts/kernels_table."""
import dataclasses
import math


@dataclasses.dataclass
class Program:
    name: str
    text: str
    streams: bool = False  # each byte is used by few products: memory is what bounds it
    uneven: bool = False   # groups take different times, the longest first: there are no waves
    moved: float = 0       # bytes that all kernels of a program move that does nothing else
    arrays: float = 0      # bytes of the arrays that they go through
    multiply_adds: float = 0  # of a product or convolution
    spec: dict = dataclasses.field(default_factory=dict)  # what it computes, for other libraries


def tensor(dims, kind):
    return "tensor<" + "".join(f"{d}x" for d in dims) + kind + ">"


def function(arguments, result, lines, value):
    """Of one result, or of as many types and values as the tuples have."""
    names = ", ".join(f"%{name}: {kind}" for name, kind in arguments)
    body = "".join(f"  {line}\n" for line in lines)
    types, values = result, f"%{value}"
    if isinstance(result, tuple):
        types, values = ", ".join(result), ", ".join(f"%{v}" for v in value)
    return Program("", f"func.func @main({names}) -> ({types}) {{\n{body}  return {values} : {types}\n}}\n")


def dot_line(name, a, b, a_type, b_type, out, contract, batch=(), algorithm=""):
    batching = f"batching_dims = {list(batch)} x {list(batch)}, " if batch else ""
    return (f"%{name} = stablehlo.dot_general %{a}, %{b}, {batching}contracting_dims = "
            f"[{contract[0]}] x [{contract[1]}]{algorithm} : ({a_type}, {b_type}) -> {out}")


TF32 = (", algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, "
        "accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, "
        "num_primitive_operations = 1, allow_imprecise_accumulation = false>")


BYTES = {"f32": 4, "i32": 4, "bf16": 2, "f16": 2, "i8": 1, "f8E4M3FN": 1}


def product(name, kind, result, m, n, k, layout, batch=0, algorithm="", epilogue=""):
    b = [batch] if batch else []
    lhs = b + ([m, k] if layout[0] == "N" else [k, m])
    rhs = b + ([k, n] if layout[1] == "N" else [n, k])
    first = 1 if batch else 0
    contract = (first + (1 if layout[0] == "N" else 0), first + (0 if layout[1] == "N" else 1))
    a_type, b_type, out = tensor(lhs, kind), tensor(rhs, kind), tensor(b + [m, n], result)
    arguments = [("a", a_type), ("b", b_type)]
    lines = [dot_line("d", "a", "b", a_type, b_type, out, contract, [0] if batch else (), algorithm)]
    value = "d"
    if epilogue == "GELU":  # bias, GELU
        arguments += [("s", tensor([n], result))]
        lines += [f"%sb = stablehlo.broadcast_in_dim %s, dims = [1] : ({tensor([n], result)}) -> {out}",
                  f"%t = stablehlo.add %d, %sb : {out}",
                  f"%r = stablehlo.constant dense<0.70703125> : {out}",
                  f"%one = stablehlo.constant dense<1.0> : {out}",
                  f"%half = stablehlo.constant dense<0.5> : {out}",
                  f"%x = stablehlo.multiply %t, %r : {out}", f"%e = chlo.erf %x : {out} -> {out}",
                  f"%p = stablehlo.add %e, %one : {out}", f"%h = stablehlo.multiply %t, %half : {out}",
                  f"%v = stablehlo.multiply %h, %p : {out}"]
        value = "v"
    elif epilogue:  # bias, SiLU, residual
        arguments += [("s", tensor([n], result)), ("r", out)]
        lines += [f"%sb = stablehlo.broadcast_in_dim %s, dims = [1] : ({tensor([n], result)}) -> {out}",
                  f"%t = stablehlo.add %d, %sb : {out}", f"%l = stablehlo.logistic %t : {out}",
                  f"%u = stablehlo.multiply %t, %l : {out}", f"%v = stablehlo.add %u, %r : {out}"]
        value = "v"
    made = function(arguments, out, lines, value)
    made.name = name
    made.multiply_adds = float(max(1, batch) * m * n * k)
    made.arrays = float(max(1, batch) * ((m * k + k * n) * BYTES[kind] + m * n * BYTES[result]))
    if epilogue == "SiLU":
        made.arrays += m * n * BYTES[result]
    made.spec = {"op": "product", "kind": "tf32" if algorithm else kind, "m": m, "n": n, "k": k,
                 "layout": layout, "batch": batch, "epilogue": epilogue}
    return made


def convolution(name, kind, size, channels, features, window, stride=1, batch=32, weights="01io"):
    """`weights`: the order of their dimensions; cuDNN takes o01i."""
    out_size = size // stride
    extents = {"0": window, "1": window, "i": channels, "o": features}
    x, w = tensor([batch, size, size, channels], kind), tensor([extents[d] for d in weights], kind)
    out = tensor([batch, out_size, out_size, features], kind)
    low = (window - 1) // 2
    high = (out_size - 1) * stride + window - size - low
    line = (f"%d = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[{', '.join(weights)}]->[b, 0, 1, f], "
            f"window = {{stride = [{stride}, {stride}], pad = [[{low}, {high}], [{low}, {high}]]}} "
            f"{{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({x}, {w}) -> {out}")
    made = function([("x", x), ("w", w)], out, [line], "d")
    made.name = name
    places = batch * out_size * out_size
    made.multiply_adds = float(places * features * channels * window * window)
    made.arrays = float(BYTES[kind] * (batch * size * size * channels + places * features
                                       + window * window * channels * features))
    made.spec = {"op": "convolution", "kind": kind, "size": size, "channels": channels,
                 "features": features, "window": window, "stride": stride, "batch": batch}
    return made


def reduce_line(name, operand, operand_type, out, dim, op, initial):
    return [f"%{name}0 = stablehlo.constant dense<{initial}> : tensor<f32>",
            f"%{name} = stablehlo.reduce(%{operand} init: %{name}0) applies stablehlo.{op} across "
            f"dimensions = [{dim}] : ({operand_type}, tensor<f32>) -> {out}"]


def softmax_lines(x, shape, dim, name):
    kept = shape[:dim] + shape[dim + 1:]
    full, row = tensor(shape, "f32"), tensor(kept, "f32")
    dims = [d for d in range(len(shape)) if d != dim]
    spread = f"dims = {dims} : ({row}) -> {full}"
    return (reduce_line("mx", x, full, row, dim, "maximum", "0xFF800000")
            + [f"%mb = stablehlo.broadcast_in_dim %mx, {spread}",
               f"%sh = stablehlo.subtract %{x}, %mb : {full}", f"%ex = stablehlo.exponential %sh : {full}"]
            + reduce_line("sm", "ex", full, row, dim, "add", "0.0")
            + [f"%sb = stablehlo.broadcast_in_dim %sm, {spread}",
               f"%{name} = stablehlo.divide %ex, %sb : {full}"])


def softmax(name, shape):
    full = tensor(shape, "f32")
    made = function([("x", full)], full, softmax_lines("x", shape, len(shape) - 1, "y"), "y")
    made.name = name
    made.spec = {"op": "softmax", "kind": "f32", "shape": shape, "bytes": 8 * math.prod(shape)}
    return made


def attention_lines(heads, queries, keys, width, kind, causal):
    """The result `o`, and what comes before it."""
    q, kv = tensor([heads, queries, width], kind), tensor([heads, keys, width], kind)
    scores = tensor([heads, queries, keys], "f32")
    lines = [f"%s0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] "
             f": ({q}, {kv}) -> {scores}"]
    lines += [f"%scale = stablehlo.constant dense<{width ** -0.5}> : {scores}",
              f"%sc = stablehlo.multiply %s0, %scale : {scores}"]
    value = "sc"
    if causal:
        row = tensor([queries, keys], "i32")
        lines += [f"%i = stablehlo.iota dim = 0 : {row}", f"%j = stablehlo.iota dim = 1 : {row}",
                  f"%c = stablehlo.compare GE, %i, %j : ({row}, {row}) -> {tensor([queries, keys], 'i1')}",
                  f"%cb = stablehlo.broadcast_in_dim %c, dims = [1, 2] : ({tensor([queries, keys], 'i1')}) -> "
                  f"{tensor([heads, queries, keys], 'i1')}",
                  f"%low = stablehlo.constant dense<-1.0e30> : {scores}",
                  f"%s1 = stablehlo.select %cb, %sc, %low : {tensor([heads, queries, keys], 'i1')}, {scores}"]
        value = "s1"
    lines += softmax_lines(value, [heads, queries, keys], 2, "p")
    narrow = tensor([heads, queries, keys], kind)
    return lines + [
        f"%pn = stablehlo.convert %p : ({scores}) -> {narrow}",
        f"%o = stablehlo.dot_general %pn, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] "
        f": ({narrow}, {kv}) -> {q}"]


def attention(name, heads, queries, keys, width, kind="bf16", causal=False):
    q, kv = tensor([heads, queries, width], kind), tensor([heads, keys, width], kind)
    lines = attention_lines(heads, queries, keys, width, kind, causal)
    made = function([("q", q), ("k", kv), ("v", kv)], q, lines, "o")
    made.name = name
    made.spec = {"op": "attention", "kind": kind, "heads": heads, "queries": queries, "keys": keys,
                 "width": width, "causal": causal}
    return made


def attention_step(name, heads, queries, keys, width, kind="bf16", causal=False):
    """The result and its gradients, as JAX writes jax.vjp of jax.nn.dot_product_attention."""
    q, kv = tensor([heads, queries, width], kind), tensor([heads, keys, width], kind)
    scores, narrow = tensor([heads, queries, keys], "f32"), tensor([heads, queries, keys], kind)
    row = tensor([heads, queries], "f32")

    def gradient(name, factor, other, dim, shape):
        other_type = q if other in ("q", "g") else kv
        return (f"%{name} = stablehlo.dot_general %{factor}, %{other}, batching_dims = [0] x [0], "
                f"contracting_dims = [{dim}] x [1] : ({narrow}, {other_type}) -> {shape}")

    lines = attention_lines(heads, queries, keys, width, kind, causal) + [
        f"%dp0 = stablehlo.dot_general %g, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2] "
        f": ({q}, {kv}) -> {narrow}",
        f"%dp = stablehlo.convert %dp0 : ({narrow}) -> {scores}",
        f"%one = stablehlo.constant dense<1.0> : {row}", f"%smsm = stablehlo.multiply %sm, %sm : {row}",
        f"%r = stablehlo.divide %one, %smsm : {row}",
        f"%rb = stablehlo.broadcast_in_dim %r, dims = [0, 1] : ({row}) -> {scores}",
        f"%t0 = stablehlo.multiply %dp, %rb : {scores}", f"%t1 = stablehlo.multiply %t0, %ex : {scores}",
        *reduce_line("u", "t1", scores, row, 2, "add", "0.0"), f"%un = stablehlo.negate %u : {row}",
        f"%ub = stablehlo.broadcast_in_dim %un, dims = [0, 1] : ({row}) -> {scores}",
        f"%d0 = stablehlo.divide %dp, %sb : {scores}", f"%d1 = stablehlo.add %d0, %ub : {scores}",
        f"%d2 = stablehlo.multiply %d1, %ex : {scores}"]
    if causal:
        lines += [f"%none = stablehlo.constant dense<0.0> : {scores}",
                  f"%d3 = stablehlo.select %cb, %d2, %none : {tensor([heads, queries, keys], 'i1')}, {scores}"]
    lines += [f"%d4 = stablehlo.multiply %{'d3' if causal else 'd2'}, %scale : {scores}",
              f"%d = stablehlo.convert %d4 : ({scores}) -> {narrow}", gradient("dq", "d", "k", 2, q),
              gradient("dk", "d", "q", 1, kv), gradient("dv", "pn", "g", 1, kv)]
    made = function([("q", q), ("k", kv), ("v", kv), ("g", q)], (q, q, kv, kv), lines,
                    ("o", "dq", "dk", "dv"))
    made.name = name
    made.spec = {"op": "attention step", "kind": kind, "heads": heads, "queries": queries,
                 "keys": keys, "width": width, "causal": causal}
    return made


def layer_norm(name, rows, width):
    full, row = tensor([rows, width], "f32"), tensor([rows], "f32")
    spread = f"dims = [0] : ({row}) -> {full}"
    lines = (reduce_line("sum", "x", full, row, 1, "add", "0.0")
             + [f"%w = stablehlo.constant dense<{float(width)}> : {row}",
                f"%mean = stablehlo.divide %sum, %w : {row}",
                f"%meanb = stablehlo.broadcast_in_dim %mean, {spread}",
                f"%c = stablehlo.subtract %x, %meanb : {full}", f"%sq = stablehlo.multiply %c, %c : {full}"]
             + reduce_line("var", "sq", full, row, 1, "add", "0.0")
             + [f"%v = stablehlo.divide %var, %w : {row}", f"%e = stablehlo.constant dense<1.0e-5> : {row}",
                f"%ve = stablehlo.add %v, %e : {row}", f"%r = stablehlo.rsqrt %ve : {row}",
                f"%rb = stablehlo.broadcast_in_dim %r, {spread}", f"%y = stablehlo.multiply %c, %rb : {full}"])
    made = function([("x", full)], full, lines, "y")
    made.name = name
    made.spec = {"op": "layer norm", "kind": "f32", "shape": [rows, width], "bytes": 8 * rows * width}
    return made


def reduction(name, rows, columns, dim):
    full, out = tensor([rows, columns], "f32"), tensor([rows if dim == 1 else columns], "f32")
    made = function([("x", full)], out, reduce_line("y", "x", full, out, dim, "add", "0.0"), "y")
    made.name = name
    made.spec = {"op": "sums", "kind": "f32", "shape": [rows, columns], "dim": dim,
                 "bytes": 4 * (rows * columns + (rows if dim == 1 else columns))}
    return made


def transpose(name, kind, rows, columns):
    x, y = tensor([rows, columns], kind), tensor([columns, rows], kind)
    made = function([("x", x)], y, [f"%y = stablehlo.transpose %x, dims = [1, 0] : ({x}) -> {y}"], "y")
    made.name = name
    made.spec = {"op": "transpose", "kind": kind, "shape": [rows, columns],
                 "bytes": 2 * BYTES[kind] * rows * columns}
    return made


def scatter_add(name, size, updates):
    x, i, u = tensor([size], "f32"), tensor([updates, 1], "i32"), tensor([updates], "f32")
    lines = [f'%y = "stablehlo.scatter"(%x, %i, %u) ({{', "^bb0(%a: tensor<f32>, %b: tensor<f32>):",
             "  %s = stablehlo.add %a, %b : tensor<f32>", "  stablehlo.return %s : tensor<f32>",
             "}) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], "
             f"scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}} : ({x}, {i}, {u}) -> {x}"]
    made = function([("x", x), ("i", i), ("u", u)], x, lines, "y")
    made.name = name
    # A pass over 4 bits of the places reads places and values, writes counters of blocks of 16
    # elements, sums them up, reads places and values again and writes them: 36 bytes of each.
    # Sums of chunks of 128 read both again, and index vectors are written: 20 bytes. (What is done
    # with the sums is a hundredth of that.) Then the result's elements read what is theirs.
    whole = 128 if updates <= 128 * 512 else 128 * 128  # chunks, and chunks of chunks, are whole
    padded = math.ceil(updates / whole) * whole
    passes = math.ceil(math.log2(size + 1) / 4)
    made.moved = (36.0 * passes + 20.0 + 12.0) * padded + 12.0 * size
    made.arrays = 24.0 * updates + 8.0 * size
    made.spec = {"op": "scatter-add", "kind": "f32", "shape": [size], "updates": updates}
    return made


def programs(reduced=False):
    """The programs; `reduced`: of sizes that an interpreter runs in a second, with the same remainders."""
    def n(size):
        return 128 + size % 64 if reduced and size > 128 else size

    def dot(name, kind, result, rows, columns, k, layout, batch=0, **more):
        if reduced:
            long = rows <= 32 or k > 16384  # sums that several groups or many threads share
            turns = layout == "NN" and k > 1024  # several turns of a loop of four steps, and several groups
            # A pipeline's steps are bytes, so that fewer terms of i8 are too few for one.
            k = min(k, 4096) if long else 576 if turns else n(k) * (2 if kind == "i8" else 1)
            rows, batch = 320 if turns and rows > 1024 else n(rows), min(batch, 2)
            columns = n(columns)
        return product(name, kind, result, rows, columns, k, layout, batch, **more)

    def conv(name, size, channels, features, window, stride=1):
        if reduced:
            return convolution(name, "f16", 8 + size % 4, min(channels, 64), min(features, 64), window,
                               stride, batch=7)
        return convolution(name, "f16", size, channels, features, window, stride)

    def attend(name, heads, queries, keys, width, make=attention, **more):
        if reduced:  # smaller ones are no kernel of their own
            heads, queries, keys = 2, min(queries, 256), 256 if queries > 16 else 2048
        return make(name, heads, queries, keys, width, **more)

    rows = 8 if reduced else 8192
    scattered = 20000 if reduced else 1000000
    all_programs = (
        [dot(f"{kind} 4096^3 {layout}", mlir, result, 4096, 4096, 4096, layout, algorithm=algorithm)
         for kind, mlir, result, algorithm in (
             ("bf16", "bf16", "f32", ""), ("f16", "f16", "f16", ""), ("s8", "i8", "i32", ""),
             ("f8", "f8E4M3FN", "f32", ""), ("tf32", "f32", "f32", TF32), ("f32", "f32", "f32", ""))
         for layout in ("NN", "NT", "TN")]
        + [dot("bf16 8192^2x4096 NN", "bf16", "bf16", 8192, 8192, 4096, "NN"),
           dot("bf16 8192^2x4096 NT", "bf16", "bf16", 8192, 8192, 4096, "NT"),
           dot("bf16 8192x4096^2 NN, bias, SiLU, residual", "bf16", "bf16", 8192, 4096, 4096, "NN",
               epilogue="SiLU"),
           dot("bf16 8192x4096x1024 NN, bias, GELU", "bf16", "bf16", 8192, 4096, 1024, "NN",
               epilogue="GELU"),
           dot("bf16 64 of 1024x1024x128 NT", "bf16", "f32", 1024, 1024, 128, "NT", batch=64),
           dot("bf16 1000x3000x520 NN", "bf16", "bf16", 1000, 3000, 520, "NN"),
           dot("bf16 256x256x65536 NT", "bf16", "f32", 256, 256, 65536, "NT"),
           dot("bf16 16x4096^2 NN", "bf16", "bf16", 16, 4096, 4096, "NN"),
           dot("bf16 gemv 4096^2", "bf16", "bf16", 1, 4096, 4096, "NN"),
           dot("bf16 gemv 4096^2 NT", "bf16", "bf16", 1, 4096, 4096, "NT"),
           dot("f32 gemv 4096^2 NT", "f32", "f32", 1, 4096, 4096, "NT"),
           dot("bf16 8x4096^2 NN", "bf16", "bf16", 8, 4096, 4096, "NN"),
           dot("bf16 8x4096^2 NT", "bf16", "bf16", 8, 4096, 4096, "NT"),
           dot("s8 4x4096^2 NT", "i8", "i32", 4, 4096, 4096, "NT"),
           dot("bf16 32x4096^2 NN", "bf16", "bf16", 32, 4096, 4096, "NN")]
        + [conv("f16 conv 56x56, 64 to 64, 3x3", 56, 64, 64, 3),
           conv("f16 conv 28x28, 128 to 128, 3x3", 28, 128, 128, 3),
           conv("f16 conv 14x14, 256 to 256, 3x3", 14, 256, 256, 3),
           conv("f16 conv 56x56, 64 to 256, 1x1", 56, 64, 256, 1),
           conv("f16 conv 56x56, 128 to 128, 3x3, stride 2", 56, 128, 128, 3, stride=2)]
        + [attend("attention 16x2048x128", 16, 2048, 2048, 128),
           attend("attention 16x2048x128, causal", 16, 2048, 2048, 128, causal=True),
           attend("attention 16x16x8192x128", 16, 16, 8192, 128),
           attend("attention step 16x2048x128", 16, 2048, 2048, 128, make=attention_step),
           attend("attention step 16x2048x128, causal", 16, 2048, 2048, 128, make=attention_step,
                  causal=True)]
        + [layer_norm("layer norm 8192x4096", rows, 4096), softmax("softmax 8192x4096", [rows, 4096]),
           transpose("transpose f32 8192^2", "f32", n(8192), n(8192)),
           transpose("transpose bf16 8192^2", "bf16", n(8192), n(8192)),
           reduction("row sums 8192^2", rows, 8192, 1),
           reduction("column sums 8192^2", n(8192), n(8192), 0),
           scatter_add("scatter-add 10^6 scalars", scattered, scattered)])
    for program in all_programs:
        program.streams = "x4096^2 N" in program.name and "8192x" not in program.name or (
            "gemv" in program.name or program.name == "attention 16x16x8192x128")
        program.uneven = program.name.endswith("causal")
    return all_programs


PROGRAMS = programs()
