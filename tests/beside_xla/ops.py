"""The ops of random programs: functions of JAX arrays and of parameters that are plain Python data,
so that a program is a list of names and parameters. Each gives a tuple of arrays."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import Primitive
from jax.interpreters import mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

import types_of as ty

OPS = {}


def op(function):
    OPS[function.__name__] = function
    return function


def one(name, function):
    OPS[name] = lambda *arrays, **params: (function(*arrays, **params),)


# Elementwise.

for _name in ("exp", "expm1", "log", "log1p", "tanh", "logistic", "sin", "cos", "tan", "sqrt",
              "rsqrt", "cbrt", "erf", "floor", "ceil", "sign", "abs", "neg", "is_finite", "real",
              "imag", "conj", "population_count", "clz", "bitwise_not", "erf_inv", "lgamma", "erfc",
              "digamma", "asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh",
              "add", "sub", "mul", "div", "max", "min", "rem", "pow", "atan2", "nextafter",
              "bitwise_and", "bitwise_or", "bitwise_xor", "shift_left", "shift_right_logical",
              "shift_right_arithmetic", "eq", "ne", "lt", "le", "gt", "ge", "complex", "clamp",
              "select"):
    one(_name, getattr(lax, _name))

one("round", lambda x, even: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN if even
                                       else lax.RoundingMethod.AWAY_FROM_ZERO))
one("integer_pow", lambda x, y: lax.integer_pow(x, y))
one("convert", lambda x, dtype: lax.convert_element_type(x, ty.named(dtype)))
one("bitcast", lambda x, dtype: lax.bitcast_convert_type(x, ty.named(dtype)))
one("reduce_precision", lambda x, exponent, mantissa: lax.reduce_precision(x, exponent, mantissa))
one("is_nan", lambda x: lax.ne(x, x))
one("is_inf", lambda x: lax.eq(lax.abs(x), np.array(np.inf, x.dtype)))
one("finite_or", lambda x, value: jnp.where(jnp.isfinite(x), x, np.array(value, x.dtype)))
one("tame", lambda x: jnp.where((jnp.abs(lax.real(x)) < 0.7) & (jnp.abs(lax.imag(x)) < 0.7), x,
                               np.ones((), x.dtype)))
one("barrier", lambda x: lax.optimization_barrier(x))


def _same(x, y):
    """y with the shape of x, a scalar broadcast."""
    return y if y.shape == x.shape else lax.broadcast_in_dim(y, x.shape, ())


@op
def blend(x, y, kind):
    """What a program may do with two values that only look alike."""
    y = _same(x, y)
    return {"x-x+y": lambda: (lax.add(lax.sub(x, x), y),), "x*0+y": lambda: (lax.add(
        lax.mul(x, jnp.zeros_like(x)), y),), "x/x": lambda: (lax.div(x, x),),
            "(x+y)-y": lambda: (lax.sub(lax.add(x, y), y),),
            "x*y/y": lambda: (lax.div(lax.mul(x, y), y),),
            "-(-x)": lambda: (lax.neg(lax.neg(x)),),
            "0-x": lambda: (lax.sub(jnp.zeros_like(x), x),),
            "x+0": lambda: (lax.add(x, jnp.zeros_like(x)),),
            "x*1": lambda: (lax.mul(x, jnp.ones_like(x)),),
            "x*2/2": lambda: (lax.div(lax.mul(x, jnp.full_like(x, 2)), jnp.full_like(x, 2)),),
            "max(x,x)": lambda: (lax.max(x, x),),
            "1/(1/x)": lambda: (lax.div(jnp.ones_like(x), lax.div(jnp.ones_like(x), x)),),
            "relu": lambda: (lax.max(x, jnp.zeros_like(x)),)}[kind]()


# Shapes.

one("reshape", lambda x, shape: lax.reshape(x, shape))
one("transpose", lambda x, permutation: lax.transpose(x, permutation))
one("broadcast_in_dim", lambda x, shape, dims: lax.broadcast_in_dim(x, shape, dims))
one("slice", lambda x, start, limit, strides: lax.slice(x, start, limit, strides))
one("rev", lambda x, dims: lax.rev(x, dims))
one("pad", lambda x, value, config: lax.pad(x, value, config))
one("concatenate", lambda *xs, dim: lax.concatenate(xs, dim))
one("dynamic_slice", lambda x, *starts, sizes: lax.dynamic_slice(x, starts, sizes))
one("dynamic_update_slice", lambda x, u, *starts: lax.dynamic_update_slice(x, u, starts))
one("iota_like", lambda x, dim: lax.broadcasted_iota(x.dtype, x.shape, dim))

_MODES = {"clip": lax.GatherScatterMode.CLIP, "fill": lax.GatherScatterMode.FILL_OR_DROP,
          "promise": lax.GatherScatterMode.PROMISE_IN_BOUNDS}


@op
def gather(x, indices, offset, collapsed, start_map, batching, indices_batching, sizes, mode):
    numbers = lax.GatherDimensionNumbers(offset, collapsed, start_map, batching, indices_batching)
    return (lax.gather(x, indices, numbers, sizes, mode=_MODES[mode]),)


@op
def scatter(x, indices, updates, window, inserted, to_operand, batching, indices_batching, how,
            mode):
    numbers = lax.ScatterDimensionNumbers(window, inserted, to_operand, batching, indices_batching)
    function = {"add": lax.scatter_add, "sub": lax.scatter_sub, "mul": lax.scatter_mul,
                "min": lax.scatter_min, "max": lax.scatter_max, "set": lax.scatter}[how]
    return (function(x, indices, updates, numbers, mode=_MODES[mode]),)


# Reductions, windows.

def _monoid(kind):
    return {"add": lax.add, "mul": lax.mul, "max": lax.max, "min": lax.min, "and": lax.bitwise_and,
            "or": lax.bitwise_or, "xor": lax.bitwise_xor}[kind]


def _initial(kind, dtype):
    if kind in ("add", "or", "xor"):
        return np.zeros((), dtype)
    if kind == "mul":
        return np.ones((), dtype)
    if kind == "and":
        return ty.highest(dtype) if dtype == np.bool_ else np.array(-1).astype(dtype)
    return ty.lowest(dtype) if kind == "max" else ty.highest(dtype)


@op
def reduce(x, kind, dims):
    return (lax.reduce(x, _initial(kind, x.dtype), _monoid(kind), dims),)


@op
def reduce_from(x, initial, kind, dims):
    return (lax.reduce(x, initial, _monoid(kind), dims),)


@op
def reduce_pair(x, y, dims):
    """A maximum by |x|, with what is in y beside it."""
    def pick(a, b):
        first = lax.ge(lax.abs(a[0]), lax.abs(b[0]))
        return lax.select(first, a[0], b[0]), lax.select(first, a[1], b[1])
    zeros = np.zeros((), x.dtype), np.zeros((), y.dtype)
    return tuple(lax.reduce((x, y), zeros, pick, dims))


one("argmax", lambda x, dim, dtype: lax.argmax(x, dim, ty.named(dtype)))
one("argmin", lambda x, dim, dtype: lax.argmin(x, dim, ty.named(dtype)))
for _name in ("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"):
    one(_name, lambda x, axis, reverse, f=getattr(lax, _name): f(x, axis, reverse))


@op
def reduce_window(x, kind, dims, strides, padding, base, window):
    return (lax.reduce_window(x, _initial(kind, x.dtype), _monoid(kind), dims, strides, padding,
                              base, window),)


# Products.

@op
def dot(x, y, contract, batch, dtype):
    return (lax.dot_general(x, y, (contract, batch),
                            preferred_element_type=None if dtype is None else ty.named(dtype)),)


@op
def conv(x, k, strides, padding, lhs, rhs, numbers, groups, batches, dtype):
    numbers = lax.ConvDimensionNumbers(*numbers)
    return (lax.conv_general_dilated(
        x, k, strides, padding, lhs, rhs, numbers, groups, batches,
        preferred_element_type=None if dtype is None else ty.named(dtype)),)


# Order.

@op
def sort(*xs, dim, keys):
    return tuple(lax.sort(xs, dimension=dim, num_keys=keys))


def _no_nan(x):
    """Comparators that compare NaN as FLOAT are no order."""
    return jnp.where(x != x, jnp.zeros_like(x), x) if ty.is_float(x.dtype) else x


sort_by_p = Primitive("sort_by")
sort_by_p.multiple_results = True


@sort_by_p.def_abstract_eval
def _(*operands, **params):
    return operands


def _lower_sort_by(context, *operands, dim, how):
    types = [ir.RankedTensorType(x.type) for x in operands]
    node = hlo.SortOp(types, operands, dimension=ir.IntegerAttr.get(
        ir.IntegerType.get_signless(64), dim), is_stable=ir.BoolAttr.get(True))
    scalars = [ir.RankedTensorType.get([], t.element_type) for t in types for _ in range(2)]
    block = node.comparator.blocks.append(*scalars)
    dtype = context.avals_in[0].dtype
    with ir.InsertionPoint(block):
        a, b = block.arguments[:2]
        kind = ("FLOAT" if ty.is_float(dtype) else
                "UNSIGNED" if dtype == np.bool_ or dtype.kind == "u" else "SIGNED")
        if how == "abs":
            a, b = hlo.abs(a), hlo.abs(b)
        if how == "total":
            kind = "TOTALORDER"
        direction = {"gt": "GT", "lt": "LT", "abs": "LT", "total": "LT", "total_gt": "GT"}.get(
            how, "GT")
        if how == "total_gt":
            kind = "TOTALORDER"
        less = hlo.compare(a, b, hlo.ComparisonDirectionAttr.get(direction),
                           compare_type=hlo.ComparisonTypeAttr.get(kind))
        if how == "second":  # ties of the first key by the second one, the other way round
            c, d = block.arguments[2:4]
            other = context.avals_in[1].dtype
            kind2 = ("FLOAT" if ty.is_float(other) else
                     "UNSIGNED" if other == np.bool_ or other.kind == "u" else "SIGNED")
            tie = hlo.compare(a, b, hlo.ComparisonDirectionAttr.get("EQ"),
                              compare_type=hlo.ComparisonTypeAttr.get(kind))
            then = hlo.compare(c, d, hlo.ComparisonDirectionAttr.get("LT"),
                               compare_type=hlo.ComparisonTypeAttr.get(kind2))
            less = hlo.or_(less, hlo.and_(tie, then))
        hlo.return_([less])
    return node.results


mlir.register_lowering(sort_by_p, _lower_sort_by)


@op
def sort_by(*xs, dim, how):
    if not how.startswith("total"):
        xs = tuple(_no_nan(x) for x in xs)
    return tuple(sort_by_p.bind(*xs, dim=dim, how=how))


@op
def top_k(x, k):
    return tuple(lax.top_k(x, k))


# Control.

def _step(kind, a, b):
    """Shapes and types stay."""
    half = lambda x: (lax.mul(x, np.array(0.5, x.dtype)) if ty.is_float(x.dtype) else
                      lax.bitwise_xor(x, np.array(1).astype(x.dtype)))
    return {"swap": lambda: (b, a), "fibonacci": lambda: (b, lax.add(half(a), b)),
            "half": lambda: (half(b), a), "rev": lambda: (lax.rev(b, (0,)), a),
            "roll": lambda: (jnp.roll(b, 1, 0), lax.max(a, b)),
            "sum": lambda: (b, lax.add(half(a), lax.broadcast_in_dim(
                lax.reduce(half(b), np.zeros((), b.dtype), lax.add, tuple(range(b.ndim))), b.shape,
                ())))}[kind]()


@op
def loop(a, b, count, kind):
    return tuple(lax.fori_loop(0, count, lambda _, s: tuple(_step(kind, *s)), (a, b)))


@op
def loop_while(a, b, limit, kind, most):
    """At most `most` iterations, or until `limit` is reached by an element."""
    def proceed(s):
        first = lax.reshape(s[1], (s[1].size,))[0]
        return lax.bitwise_and(s[0] < most, lax.lt(first, lax.convert_element_type(limit, a.dtype)))
    end = lax.while_loop(proceed, lambda s: (s[0] + 1, *_step(kind, s[1], s[2])),
                         (np.int32(0), a, b))
    return tuple(end)


@op
def loop_update(x, rows):
    """Writes rows at moving places."""
    def body(i, x):
        row = lax.dynamic_slice_in_dim(rows, i, 1, 0)
        return lax.dynamic_update_slice_in_dim(x, row, (i * 2) % max(x.shape[0], 1), 0)
    return (lax.fori_loop(0, rows.shape[0], body, x),)


@op
def scan(x, start, kind, reverse):
    def body(carry, row):
        following = {"add": lambda: lax.add(carry, row), "max": lambda: lax.max(carry, row),
                     "decay": lambda: lax.add(lax.mul(carry, np.array(0.5, carry.dtype)), row)
                     }[kind]()
        return following, carry
    end, rows = lax.scan(body, start, x, reverse=reverse)
    return end, rows


@op
def cond(flag, a, b, kind):
    return tuple(lax.cond(flag, lambda s: tuple(_step(kind, *s)), lambda s: (s[1], s[0]), (a, b)))


@op
def switch(index, a, b):
    return tuple(lax.switch(index, [lambda s: s, lambda s: (s[1], s[0]),
                                    lambda s: tuple(_step("fibonacci", *s))], (a, b)))


# Networks and gradients.

@op
def softmax(x, axis):
    return (jax.nn.softmax(x, axis),)


@op
def logsumexp(x, axis):
    return (jax.scipy.special.logsumexp(x, axis),)


@op
def layer_norm(x):
    mean = jnp.mean(x, -1, keepdims=True)
    variance = jnp.mean(lax.square(x - mean), -1, keepdims=True)
    return ((x - mean) * lax.rsqrt(variance + np.array(1e-3, x.dtype)),)


def _attend(q, k, v, causal):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) * np.array(q.shape[-1] ** -0.5, q.dtype)
    if causal:
        mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
        scores = jnp.where(mask, scores, np.array(-np.inf, scores.dtype))
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v)


@op
def attention(q, k, v, causal):
    return (_attend(q, k, v, causal),)


def _smooth(kind, x, w):
    """A scalar."""
    rows = x.reshape(-1, x.shape[-1])
    return jnp.sum({
        "tanh": lambda: jnp.tanh(x) * w, "softmax": lambda: jax.nn.softmax(x) * w,
        "norm": lambda: layer_norm(x)[0] * w, "max": lambda: jnp.max(x * w, -1),
        "prod": lambda: jnp.prod(x + w, -1), "cumsum": lambda: lax.cumsum(x * w, x.ndim - 1) * x,
        "cumprod": lambda: jnp.cumprod(x, -1) * w, "sort": lambda: jnp.sort(x * w, -1) * x,
        "take": lambda: jnp.take(x, np.int32([0, 0, -1]), -1) * 3, "dot": lambda: rows @ rows.T,
        "pool": lambda: lax.reduce_window(
            rows, np.array(-np.inf, x.dtype), lax.max, (2, 2), (1, 2), "SAME"),
        "mean_pool": lambda: lax.reduce_window(
            rows * rows, np.zeros((), x.dtype), lax.add, (2, 3), (2, 1), "SAME"),
        "conv": lambda: lax.conv_general_dilated(
            rows[None, None], lax.slice(rows, (0, 0), (1, min(2, rows.shape[1])))[None, None],
            (1, 1), ((0, 1), (1, -1)), rhs_dilation=(1, 2)),
        "log": lambda: jnp.log1p(jnp.abs(x)) * w, "power": lambda: jnp.abs(x) ** 1.5 * w,
        "where": lambda: jnp.where(x > w, x * x, jnp.exp(-x)),
        "scan": lambda: lax.scan(lambda c, r: (jnp.tanh(c + r), c * r), rows[0], rows)[1],
        "norm2": lambda: jnp.sqrt(jnp.sum(x * x, -1)),
        "logsumexp": lambda: jax.scipy.special.logsumexp(x, -1)}[kind]())


GRADIENTS = ("tanh", "softmax", "norm", "max", "prod", "cumsum", "cumprod", "sort", "take", "dot",
             "pool", "mean_pool", "conv", "log", "power", "where", "scan", "norm2", "logsumexp")


@op
def grad(x, w, kind):
    return (jax.grad(lambda a: _smooth(kind, a, w))(x),)


@op
def fft(x, kind):
    """Of what is finite and not large: of the rest each library has its own idea."""
    limit = np.array(1e4, x.real.dtype)
    tame = lambda a: jnp.where(jnp.abs(a) < limit, a, jnp.zeros_like(a))
    if x.dtype.kind == "c":
        x = lax.complex(tame(x.real), tame(x.imag))
        return ({"fft": jnp.fft.fft, "ifft": jnp.fft.ifft}[kind](x),)
    return (jnp.fft.rfft(tame(x)),)


@op
def random_bits(state, shape, dtype):
    return tuple(lax.rng_bit_generator(state, shape, ty.named(dtype)))
