"""Each function here adds an op, or a few, to a maker.Maker."""

import numpy as np

import ops
import types_of as ty

REAL = ty.FLOATS + ty.TINY
WIDE = ty.FLOATS  # with transcendental functions
NUMBERS = REAL + ty.INTEGERS + ty.COMPLEX
ORDERED = REAL + ty.INTEGERS


def unary(m):
    x = m.some(dtypes=NUMBERS + ("bool",))
    name = m.dtype(x).name
    if name == "bool":
        choices = ("bitwise_not",)
    elif name in ty.INTEGERS:
        choices = ("neg", "bitwise_not", "population_count", "clz", "sign", "abs")
    elif name in ty.COMPLEX:
        choices = ("neg", "conj", "real", "imag", "abs", "exp", "log", "tanh", "sin", "cos", "sqrt",
                   "rsqrt", "expm1", "log1p", "logistic", "sign")
    elif name in ty.TINY:
        choices = ("neg", "abs", "sign", "floor", "ceil", "exp", "tanh", "sqrt", "is_finite")
    else:
        choices = ("exp", "expm1", "log", "log1p", "tanh", "logistic", "sin", "cos", "tan", "sqrt",
                   "rsqrt", "cbrt", "erf", "floor", "ceil", "sign", "abs", "neg", "is_finite",
                   "is_nan", "is_inf", "barrier") + (
                       m.pick(("erf_inv", "lgamma", "erfc", "digamma", "asin", "acos", "atan",
                               "sinh", "cosh", "asinh", "acosh", "atanh")),)
    m.add(m.pick(choices), x)


def rounding(m):
    x = m.some(dtypes=REAL)
    if m.chance(50):
        m.add("round", x, even=m.chance(50))
    else:
        m.add("reduce_precision", x, exponent=m.random.randint(2, 8), mantissa=m.random.randint(
            1, 10))


def arithmetic(m):
    x = m.some(dtypes=NUMBERS)
    choices = ["add", "sub", "mul", "div", "add", "mul"]
    if m.dtype(x).name not in ty.COMPLEX:
        choices += ["max", "min", "rem"]
    m.add(m.pick(choices), x, m.like(x))


def functions_of_two(m):
    x = m.some(dtypes=WIDE)
    m.add(m.pick(("pow", "atan2", "nextafter")), x, m.like(x))


def powers(m):
    x = m.some(dtypes=WIDE + ty.INTEGERS)
    m.add("integer_pow", x, y=m.pick((2, 3, 4, 7) if m.dtype(x).name in ty.INTEGERS else
                                     (-2, -1, 2, 3, 5)))


def bits(m):
    x = m.some(dtypes=ty.INTEGERS)
    m.add(m.pick(("bitwise_and", "bitwise_or", "bitwise_xor", "shift_left", "shift_right_logical",
                  "shift_right_arithmetic")), x, m.like(x))


def rewritten(m):
    x = m.some(dtypes=WIDE)
    kinds = ("x-x+y", "x*0+y", "x/x", "(x+y)-y", "x*y/y", "-(-x)", "0-x", "x+0", "x*1", "x*2/2",
             "max(x,x)", "1/(1/x)", "relu")
    m.add("blend", x, m.like(x), kind=m.pick(kinds))


def compare(m):
    x = m.some(dtypes=NUMBERS)
    kinds = ("eq", "ne") if m.dtype(x).name in ty.COMPLEX else ("eq", "ne", "lt", "le", "gt", "ge")
    m.add(m.pick(kinds), x, m.like(x))


def select(m):
    x = m.some()
    flag = m.like(x, "bool") if m.chance(80) else m.scalar("bool")
    m.add("select", flag, x, m.like(x))


def clamp(m):
    x = m.some(dtypes=ORDERED)
    name = m.dtype(x).name
    m.add("clamp", m.scalar(name), x, m.scalar(name))


def nan_test(m):
    """NaN and infinity tests after reductions and products."""
    x = m.some(dtypes=("float32", "float64", "float16", "bfloat16"), rank=(1, 2, 3))
    if m.chance(50):
        axes = tuple(sorted(m.random.sample(range(len(m.shape(x))), m.random.randint(
            1, len(m.shape(x))))))
        y = m.add("reduce", x, kind=m.pick(("add", "mul", "max", "min", "add")), dims=axes)
    else:
        y = _product(m, x)
    test = m.pick(("is_nan", "is_inf", "is_finite", "finite_or", "select"))
    if test == "finite_or":
        m.add("finite_or", y, value=1)
    elif test == "select":
        m.add("select", m.add("is_nan", y), m.like(y), y)
    else:
        m.add(test, y)


def convert(m):
    x = m.some(dtypes=NUMBERS + ("bool",))
    choices = list(m.types) + [m.pick(ty.FLOATS + ty.INTEGERS + ty.TINY + ("bool",))] + ["float32"]
    if m.dtype(x).name in ty.COMPLEX:
        x = m.add("real", x)
    m.add("convert", x, dtype=m.pick(choices))


def narrow(m):
    """Integers below a byte: XLA's CPU compiler has elementwise ops of them."""
    x = m.some(dtypes=ty.INTEGERS)
    name = m.pick(ty.NARROW)
    a = m.add("convert", x, dtype=name)
    m.values.pop()
    b = m.add(m.pick(("add", "mul", "sub")), a, a)
    m.values.pop()
    m.add("convert", b, dtype=m.pick(("int32", "float32", "int8")))


def bitcast(m):
    x = m.some(dtypes=("float32", "float64", "float16", "bfloat16") + ty.INTEGERS + ty.F8)
    widths = {1: ("int8", "uint8", "float8_e4m3fn"), 2: ("int16", "uint16", "float16", "bfloat16"),
              4: ("int32", "uint32", "float32"), 8: ("int64", "uint64", "float64")}
    itemsize = m.dtype(x).itemsize
    near = [w for w in widths if w in (itemsize, itemsize * 2, itemsize // 2)]
    if m.dtype(x).name in ("float32", "float64", "float16", "bfloat16"):
        x = m.add("finite_or", x, value=1)  # the bits of a NaN are the device's: GPUs have one NaN
    m.add("bitcast", x, dtype=m.pick(widths[m.pick(near)]))


def make_complex(m):
    x = m.some(dtypes=("float32", "float64"))
    m.add("complex", x, m.like(x))


# Shapes.

def reshape(m):
    x = m.some()
    size = int(np.prod(m.shape(x)))
    factors, rest = [], size
    for p in (2, 2, 2, 3, 3, 5, 7, 17, 2):
        if rest and rest % p == 0:
            factors.append(p)
            rest //= p
    factors.append(rest)
    m.random.shuffle(factors)
    dims = []
    for f in factors:
        if dims and m.chance(60):
            dims[-1] *= f
        else:
            dims.append(f)
    if m.chance(30):
        dims.insert(m.random.randint(0, len(dims)), 1)
    m.add("reshape", x, shape=tuple(dims))


def transpose(m):
    x = m.some(rank=(2, 3, 4))
    order = list(range(len(m.shape(x))))
    m.random.shuffle(order)
    m.add("transpose", x, permutation=tuple(order))


def broadcast(m):
    x = m.some(rank=(0, 1, 2, 3))
    dims, places = [], []
    for size in m.shape(x):
        while m.chance(30):
            dims.append(m.pick((1, 2, 3, 5)))
        places.append(len(dims))
        dims.append(size if size != 1 or m.chance(40) else m.pick((1, 3, 4)))
    if not m.shape(x) or m.chance(40):
        dims.append(m.pick((2, 3, 8)))
    m.add("broadcast_in_dim", x, shape=tuple(dims), dims=tuple(places))


def slices(m):
    x = m.some(rank=(1, 2, 3, 4))
    start, limit, strides = [], [], []
    for size in m.shape(x):
        a = m.random.randint(0, max(0, size - 1)) if m.chance(50) else 0
        start.append(a)
        limit.append(m.random.randint(min(a + 1, size), size) if m.chance(50) else size)
        strides.append(m.pick((1, 1, 2, 3)))
    m.add("slice", x, start=tuple(start), limit=tuple(limit), strides=tuple(strides))


def reverse(m):
    x = m.some(rank=(1, 2, 3, 4))
    dims = m.random.sample(range(len(m.shape(x))), m.random.randint(1, len(m.shape(x))))
    m.add("rev", x, dims=tuple(sorted(dims)))


def pad(m):
    x = m.some(rank=(1, 2, 3, 4))
    config = tuple((m.random.randint(-2, 3), m.random.randint(-2, 3), m.pick((0, 0, 0, 1, 2)))
                   if m.chance(70) else (0, 0, 0) for _ in m.shape(x))
    zero = np.zeros((), m.dtype(x)) if m.chance(60) else None
    m.add("pad", x, m.scalar(m.dtype(x).name, zero), config=config)


def concatenate(m):
    x = m.some(rank=(1, 2, 3))
    dim = m.random.randrange(len(m.shape(x)))
    parts = [x]
    for _ in range(m.random.randint(1, 3)):
        if m.chance(30):
            parts.append(x)
            continue
        shape = list(m.shape(x))
        shape[dim] = m.random.randint(1, 5)
        parts.append(m.fresh(tuple(shape), m.dtype(x).name))
    m.random.shuffle(parts)
    m.add("concatenate", *parts, dim=dim)


def _start(m, size, dtype):
    return m.scalar(dtype, np.array(m.random.randint(-2, size + 2)).astype(np.int64)
                    if dtype.startswith("i") else np.array(m.random.randint(0, size + 2)))


def dynamic_slice(m):
    x = m.some(rank=(1, 2, 3))
    dtype = m.pick(("int32", "int32", "uint8", "int64"))
    sizes = tuple(m.random.randint(1, max(1, size)) for size in m.shape(x))
    starts = [_start(m, size, dtype) for size in m.shape(x)]
    m.add("dynamic_slice", x, *starts, sizes=sizes)


def dynamic_update_slice(m):
    x = m.some(rank=(1, 2, 3))
    sizes = tuple(m.random.randint(1, max(1, size)) for size in m.shape(x))
    starts = [_start(m, size, "int32") for size in m.shape(x)]
    m.add("dynamic_update_slice", x, m.fresh(sizes, m.dtype(x).name), *starts)


def iota(m):
    x = m.some(dtypes=WIDE + ty.INTEGERS, rank=(1, 2, 3))
    y = m.add("iota_like", x, dim=m.random.randrange(len(m.shape(x))))
    m.add(m.pick(("add", "mul", "sub")), x, y)


def _indices(m, shape, limits, axis):
    """Index vectors along `axis`, some of them twice, some out of bounds."""
    dtype = m.pick(("int32", "int32", "int32", "int64", "uint32", "int8", "uint8"))
    moved = shape[:axis] + shape[axis + 1:] + (len(limits),)
    columns = []
    for limit in limits:
        few = min(limit, 3) if m.chance(40) else limit
        column = m.generator.integers(0, max(1, few), moved[:-1])
        if m.chance(35):
            out = m.generator.random(moved[:-1]) < 0.3
            column = np.where(out, m.generator.integers(0 if dtype[0] == "u" else -4, limit + 4,
                                                        moved[:-1]), column)
        columns.append(column)
    array = np.stack(columns, -1) if columns else np.zeros(moved)
    array = np.moveaxis(array, -1, axis).astype(ty.named(dtype))
    value = m.fresh(shape, dtype, array)
    m.constants[-1] = m.chance(40)
    return value


def _index_layout(m, rank):
    """Which dimensions of the operand indices are of, which of them in the window are left out."""
    indexed = m.random.sample(range(rank), m.random.randint(1, min(rank, 2)))
    collapsed = sorted(d for d in indexed if m.chance(60))
    return indexed, collapsed


def gather(m):
    x = m.some(rank=(1, 2, 3), accept=lambda s: 0 not in s.shape)
    shape = m.shape(x)
    indexed, collapsed = _index_layout(m, len(shape))
    sizes = tuple(1 if d in collapsed else m.random.randint(1, size) if m.chance(60) or d in indexed
                  else size for d, size in enumerate(shape))
    batch = tuple(m.random.randint(1, 4) for _ in range(m.random.randint(0, 2)))
    window = len(shape) - len(collapsed)
    # JAX's index vectors are in the last dimension; the others of the result in any order.
    rank = len(batch) + window
    offset = tuple(sorted(m.random.sample(range(rank), window)))
    indices = _indices(m, batch + (len(indexed),), [shape[d] for d in indexed], len(batch))
    m.add("gather", x, indices, offset=offset, collapsed=tuple(collapsed), start_map=tuple(indexed),
          batching=(), indices_batching=(), sizes=sizes, mode=m.pick(("clip", "fill", "fill")))


def scatter(m):
    x = m.some(rank=(1, 2, 3), accept=lambda s: 0 not in s.shape, dtypes=NUMBERS)
    shape = m.shape(x)
    indexed, inserted = _index_layout(m, len(shape))
    window_sizes = [m.random.randint(1, size) if m.chance(40) else size
                    for d, size in enumerate(shape) if d not in inserted]
    batch = [m.random.randint(1, 4) for _ in range(m.random.randint(0, 2))]
    rank = len(batch) + len(window_sizes)
    window = tuple(sorted(m.random.sample(range(rank), len(window_sizes))))
    rest, sizes = iter(batch), iter(window_sizes)
    updates = tuple(next(sizes) if d in window else next(rest) for d in range(rank))
    indices = _indices(m, tuple(batch) + (len(indexed),), [shape[d] for d in indexed], len(batch))
    name = m.dtype(x).name
    kinds = ("add", "set", "sub") if name in ty.COMPLEX else (
        "add", "mul", "min", "max", "set", "sub")
    m.add("scatter", x, indices, m.fresh(updates, name), window=window, inserted=tuple(inserted),
          to_operand=tuple(indexed), batching=(), indices_batching=(), how=m.pick(kinds),
          mode=m.pick(("fill", "clip", "fill")))


# Reductions.

def _axes(m, x):
    rank = len(m.shape(x))
    return tuple(sorted(m.random.sample(range(rank), m.random.randint(1, rank))))


def _factors(m, x, kind):
    """x, or for products of complex numbers numbers of a modulus of at most 1: what infinities give
    depends on the order of the factors."""
    return m.add("tame", x) if kind in ("mul", "cumprod") and m.dtype(x).name in ty.COMPLEX else x


def _kinds(name):
    if name in ty.COMPLEX:
        return ("add", "mul")
    if name in ty.INTEGERS:
        return ("add", "mul", "max", "min", "and", "or", "xor")
    return ("and", "or", "xor") if name == "bool" else ("add", "add", "mul", "max", "min")


def reduce(m):
    x = m.some(dtypes=NUMBERS + ("bool",), rank=(1, 2, 3, 4))
    name = m.dtype(x).name
    if name == "bool":
        m.add("reduce", x, kind=m.pick(("and", "or")), dims=_axes(m, x))
        return
    kind = m.pick(_kinds(name))
    x = _factors(m, x, kind)
    # How often an initial value takes part is open, so that it must not matter.
    if m.chance(30) and kind in ("max", "min", "and", "or"):
        m.add("reduce_from", x, m.scalar(name), kind=kind, dims=_axes(m, x))
    else:
        m.add("reduce", x, kind=kind, dims=_axes(m, x))


def reduce_pair(m):
    x = m.some(dtypes=WIDE + ("int32",), rank=(1, 2, 3))
    m.add("reduce_pair", x, m.like(x, m.pick(("int32", "float32"))), dims=_axes(m, x))


def argument(m):
    x = m.some(dtypes=WIDE + ty.INTEGERS, rank=(1, 2, 3), accept=lambda s: 0 not in s.shape)
    m.add(m.pick(("argmax", "argmin")), x, dim=m.random.randrange(len(m.shape(x))),
          dtype=m.pick(("int32", "int64")))


def cumulative(m):
    x = m.some(dtypes=WIDE + ty.INTEGERS, rank=(1, 2, 3))
    kinds = ["cumsum", "cumprod", "cummax", "cummin"]
    if m.dtype(x).name in WIDE:
        kinds.append("cumlogsumexp")
    m.add(m.pick(kinds), x, axis=m.random.randrange(len(m.shape(x))), reverse=m.chance(40))


def reduce_window(m):
    x = m.some(dtypes=NUMBERS, rank=(1, 2, 3, 4))
    rank = len(m.shape(x))
    some = lambda choices: tuple(m.pick(choices) for _ in range(rank))
    padding = tuple((m.random.randint(0, 2), m.random.randint(0, 2)) if m.chance(60) else (0, 0)
                    for _ in range(rank))
    if m.chance(20):
        padding = tuple((m.random.randint(-1, 2), m.random.randint(-1, 2)) for _ in range(rank))
    kinds = [k for k in _kinds(m.dtype(x).name) if k in ("add", "mul", "max", "min")]
    kind = m.pick(kinds)
    m.add("reduce_window", _factors(m, x, kind), kind=kind, dims=some((1, 1, 2, 2, 3)),
          strides=some((1, 1, 2, 3)), padding=padding, base=some((1, 1, 1, 2)),
          window=some((1, 1, 1, 2)))


# Products.

def _product(m, x):
    """dot of x with something."""
    shape = m.shape(x)
    dims = list(range(len(shape)))
    m.random.shuffle(dims)
    contracted = dims[:m.random.randint(0 if m.chance(10) else min(1, len(dims)), min(
        2, len(dims)))]
    batch = [d for d in dims if d not in contracted and m.chance(30)]
    sizes = {("c", i): shape[d] for i, d in enumerate(contracted)}
    sizes |= {("b", i): shape[d] for i, d in enumerate(batch)}
    sizes |= {("f", i): m.random.randint(1, 9) for i in range(m.random.randint(0, 2))}
    order = list(sizes)
    m.random.shuffle(order)
    other_shape = tuple(sizes[key] for key in order)
    fits = [v for v in m.values if m.shape(v) == other_shape and m.dtype(v) == m.dtype(x)]
    y = fits[-1] if fits else m.fresh(other_shape, m.dtype(x).name)
    contract = (tuple(contracted), tuple(order.index(("c", i)) for i in range(len(contracted))))
    batches = (tuple(batch), tuple(order.index(("b", i)) for i in range(len(batch))))
    name = m.dtype(x).name
    wider = None
    if name in ("float16", "bfloat16") + ty.F8 and m.chance(50):
        wider = "float32"
    elif name in ("int8", "uint8", "int16"):
        wider = "int32" if m.chance(60) else None
    if m.chance(50):
        return m.add("dot", x, y, contract=contract, batch=batches, dtype=wider)
    swap = lambda pair: (pair[1], pair[0])
    return m.add("dot", y, x, contract=swap(contract), batch=swap(batches), dtype=wider)


def dot(m):
    _product(m, m.some(dtypes=NUMBERS, rank=(1, 2, 3, 4)))


def conv(m):
    spatial = m.random.choices((0, 1, 2, 3), (1, 4, 6, 1))[0]
    dtypes = ("float32", "float32", "float16", "bfloat16", "float64", "int32", "int8",
              m.pick(ty.F8), m.pick(ty.COMPLEX))
    name = m.pick([t for t in m.types if t in dtypes] + ["float32"])
    groups = m.pick((1, 1, 1, 2, 3))
    batches = 1 if groups > 1 else m.pick((1, 1, 1, 1, 2))
    features = groups * m.random.randint(1, 3)
    outputs = groups * batches * m.random.randint(1, 3)
    batch = batches * m.random.randint(1, 2)
    image = [m.random.randint(1, 7) for _ in range(spatial)]
    window = [m.random.randint(1, 3) for _ in range(spatial)]
    x_sizes = [batch, features] + image
    k_sizes = [outputs, features // groups] + window
    orders = []
    for _ in range(3):
        order = list(range(spatial + 2))
        m.random.shuffle(order)
        orders.append(tuple(order))
    def placed(sizes, spec):
        shape = [0] * len(sizes)
        for size, place in zip(sizes, spec):
            shape[place] = size
        return tuple(shape)
    x_shape = placed(x_sizes, orders[0])
    fits = [v for v in m.values if m.dtype(v).name == name and 0 not in m.shape(v) and
            int(np.prod(m.shape(v))) == int(np.prod(x_shape))]
    if fits:
        x = m.pick(fits)
        if m.shape(x) != x_shape:
            x = m.add("reshape", x, shape=x_shape)
    else:
        earlier = [v for v in m.values if len(m.shape(v)) == spatial + 2 and
                   m.dtype(v).name == name and 0 not in m.shape(v)]
        if earlier and groups == batches == 1:
            x = earlier[-1]
            sizes = [m.shape(x)[place] for place in orders[0]]
            k_sizes[1] = sizes[1]
        else:
            x = m.fresh(x_shape, name)
    k = m.fresh(placed(k_sizes, orders[1]), name)
    some = lambda choices: tuple(m.pick(choices) for _ in range(spatial))
    padding = tuple((m.random.randint(-1, 3), m.random.randint(-1, 3)) if m.chance(60) else (0, 0)
                    for _ in range(spatial))
    wider = {"int8": "int32"}.get(name)
    if name in ("float16", "bfloat16") and m.chance(30):
        wider = "float32"
    m.add("conv", x, k, strides=some((1, 1, 2)), padding=padding, lhs=some((1, 1, 1, 2)),
          rhs=some((1, 1, 1, 2)), numbers=tuple(orders), groups=groups, batches=batches,
          dtype=wider)


# Order.

def sort(m):
    x = m.some(dtypes=WIDE + ty.INTEGERS, rank=(1, 2, 3))
    dim = m.random.randrange(len(m.shape(x)))
    others = [m.like(x, m.pick((m.dtype(x).name, "int32", "float32")))
              for _ in range(m.random.randint(0, 2))]
    m.add("sort", x, *others, dim=dim, keys=m.random.randint(1, 1 + len(others)))


def sort_by(m):
    x = m.some(dtypes=WIDE + ty.INTEGERS, rank=(1, 2))
    dim = m.random.randrange(len(m.shape(x)))
    how = ["gt", "lt", "second"]
    name = m.dtype(x).name
    if name in WIDE:
        how += ["total", "total_gt", "abs"]
    how = m.pick(how)
    others = [m.like(x, m.pick(("int32", "float32"))) for _ in range(m.random.randint(
        1 if how == "second" else 0, 2))]
    m.add("sort_by", x, *others, dim=dim, how=how)


def top_k(m):
    x = m.some(dtypes=WIDE + ty.INTEGERS, rank=(1, 2, 3),
               accept=lambda s: s.shape and s.shape[-1] > 0)
    m.add("top_k", x, k=m.random.randint(1, m.shape(x)[-1]))


# Control.

_KINDS = ("swap", "fibonacci", "half", "rev", "roll", "sum")


def loop(m):
    x = m.some(dtypes=WIDE + ty.INTEGERS, rank=(1, 2, 3), accept=lambda s: 0 not in s.shape)
    m.add("loop", x, m.like(x), count=m.random.randint(0, 5), kind=m.pick(_KINDS))


def loop_while(m):
    x = m.some(dtypes=WIDE + ty.INTEGERS, rank=(1, 2), accept=lambda s: 0 not in s.shape)
    m.add("loop_while", x, m.like(x), m.scalar("float32"), kind=m.pick(_KINDS),
          most=m.random.randint(1, 6))


def loop_update(m):
    x = m.some(dtypes=NUMBERS, rank=(1, 2, 3), accept=lambda s: 0 not in s.shape)
    rows = (m.random.randint(1, 4),) + m.shape(x)[1:]
    m.add("loop_update", x, m.fresh(rows, m.dtype(x).name))


def scan(m):
    x = m.some(dtypes=WIDE + ("int32",), rank=(1, 2, 3))
    name = m.dtype(x).name
    kinds = ("add", "max") if name == "int32" else ("add", "max", "decay")
    m.add("scan", x, m.fresh(m.shape(x)[1:], name), kind=m.pick(kinds), reverse=m.chance(30))


def cond(m):
    x = m.some(dtypes=WIDE + ty.INTEGERS, rank=(1, 2, 3), accept=lambda s: 0 not in s.shape)
    flags = [v for v in m.values if m.shape(v) == () and m.dtype(v) == np.bool_]
    flag = m.pick(flags) if flags and m.chance(60) else m.scalar("bool")
    m.add("cond", flag, x, m.like(x), kind=m.pick(_KINDS))


def switch(m):
    x = m.some(dtypes=WIDE + ty.INTEGERS, rank=(1, 2))
    m.add("switch", m.scalar("int32", np.array(m.random.randint(-1, 4))), x, m.like(x))


# Networks.

def normalise(m):
    x = m.some(dtypes=WIDE, rank=(1, 2, 3), accept=lambda s: 0 not in s.shape)
    kind = m.pick(("softmax", "logsumexp", "layer_norm"))
    if kind == "layer_norm":
        m.add(kind, x)
    else:
        m.add(kind, x, axis=m.random.randrange(len(m.shape(x))))


def attention(m):
    name = m.pick([t for t in m.types if t in ty.FLOATS] or ["float32"])
    b, heads, d = m.random.randint(1, 2), m.random.randint(1, 2), m.pick((2, 4, 8))
    queries, keys = m.pick((1, 3, 5, 8)), m.pick((2, 5, 9, 16))
    q = m.fresh((b, queries, heads, d), name)
    k, v = m.fresh((b, keys, heads, d), name), m.fresh((b, keys, heads, d), name)
    m.add("attention", q, k, v, causal=m.chance(50))


def gradient(m):
    x = m.some(dtypes=WIDE, rank=(1, 2, 3), accept=lambda s: 0 not in s.shape)
    m.add("grad", x, m.like(x), kind=m.pick(ops.GRADIENTS))


def fft(m):
    x = m.some(dtypes=("float32", "float64") + ty.COMPLEX, rank=(1, 2),
               accept=lambda s: 0 not in s.shape)
    m.add("fft", x, kind=m.pick(("fft", "ifft")))


def random_bits(m):
    state = m.fresh((2,), "uint64", m.generator.integers(0, 2**63, (2,), np.uint64))
    m.add("random_bits", state, shape=m.dims(), dtype=m.pick(("uint32", "uint8", "uint64")))


MAKERS = [(unary, 10), (rounding, 2), (arithmetic, 14), (functions_of_two, 2), (powers, 1),
          (bits, 3), (rewritten, 3), (compare, 3), (select, 4), (clamp, 2), (nan_test, 5),
          (convert, 6), (narrow, 1), (bitcast, 2), (make_complex, 1), (reshape, 5), (transpose, 4),
          (broadcast, 5), (slices, 4), (reverse, 3), (pad, 7), (concatenate, 4), (dynamic_slice, 2),
          (dynamic_update_slice, 2), (iota, 1), (gather, 4), (scatter, 4), (reduce, 8),
          (reduce_pair, 1), (argument, 2), (cumulative, 3), (reduce_window, 5), (dot, 6), (conv, 6),
          (sort, 2), (sort_by, 2), (top_k, 1), (loop, 2), (loop_while, 1), (loop_update, 1),
          (scan, 1), (cond, 1), (switch, 1), (normalise, 3), (attention, 2), (gradient, 4),
          (fft, 1), (random_bits, 1)]
