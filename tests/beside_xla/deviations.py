"""Where XLA is known to compute something else than Halyard, and why it may: docs/numerics.md,
"Beside XLA". A rule says of which op, and of which elements: those whose operands or values it
accepts. A program that differs otherwise is a finding."""

import collections

import numpy as np

import types_of as ty

Deviation = collections.namedtuple("Deviation", "name ops matches")
DEVIATIONS = []

# Ops that XLA's algebraic simplifier rewrites; explained where, of the op alone, XLA agrees without
# it (programs.PLAIN).
SIMPLIFIED = {
    "div": "by a constant: multiplied by its reciprocal, though that is rounded",
    "blend": "(x + c) - c, x * c / c and their like become x",
    "grad": "x * convert(flag) becomes select(flag, x, 0), which loses infinity times 0",
}

# (the op that a first operand comes from, the op) → what XLA's simplifier makes of the two; explained
# where, of the two, XLA agrees without it.
PAIRS = {
    # The inner start is added to the outer one before it is clamped, so that an inner slice that
    # would be partly out of bounds is read elsewhere. A gather of one slice becomes such a slice.
    (inner, outer): "start_of_slice_of_slice"
    for inner in ("dynamic_slice", "gather") for outer in ("dynamic_slice", "gather")
}


def deviation(*names):
    """`matches`: given a node, its operands, XLA's and our array, a mask of the elements that it
    explains."""
    def add(function):
        DEVIATIONS.append(Deviation(function.__name__, names, function))
        return function
    return add


SUMS = ("dot", "conv")  # whose elements may be much smaller than their terms


def _tiny(dtype):
    """The smallest normal number."""
    return float(ty.ml_dtypes.finfo(dtype).tiny)


def differing(node, xla, ours):
    """A mask of elements that are not the same, or nearly."""
    if not (ty.is_float(xla.dtype) or ty.is_complex(xla.dtype)):
        return xla != ours
    wide = np.complex128 if ty.is_complex(xla.dtype) else np.float64
    a, b = xla.astype(wide), ours.astype(wide)
    part = xla.real.dtype if ty.is_complex(xla.dtype) else xla.dtype
    with np.errstate(all="ignore"):
        size = np.abs(b)
        if node.name in SUMS and np.isfinite(size).any():
            size = np.maximum(size, size[np.isfinite(size)].max())
        near = np.abs(a - b) <= 16 * float(ty.ml_dtypes.finfo(part).eps) * size
    tiny = _tiny(part)
    near |= (np.abs(a) < tiny) & (np.abs(b) < tiny)
    return ~(near | (a == b) | (np.isnan(a) & np.isnan(b)))


def unequal(xla, ours):
    """A mask of elements that are not equal, however near."""
    if ty.is_float(xla.dtype) or ty.is_complex(xla.dtype):
        wide = np.complex128 if ty.is_complex(xla.dtype) else np.float64
        xla, ours = xla.astype(wide), ours.astype(wide)
        return (xla != ours) & ~(np.isnan(xla) & np.isnan(ours))
    return xla != ours


def explain(node, operands, results, ours, agrees_plain):
    """Names of the deviations that explain all differing elements of a node's results, or None.
    `agrees_plain`: says whether XLA agrees without its simplifier."""
    names = []
    if node.name in SIMPLIFIED and agrees_plain():
        return [f"simplifier_{node.name}"]
    masks = [differing(node, xla, our) for xla, our in zip(results, ours)]
    if not any(mask.any() for mask in masks):
        # Ops that only move values are compared exactly, denormals too.
        masks = [unequal(xla, our) for xla, our in zip(results, ours)]
    for xla, our, mask in zip(results, ours, masks):
        if not mask.any():
            continue
        for rule in DEVIATIONS:
            if node.name not in rule.ops:
                continue
            with np.errstate(all="ignore"):
                explained = np.broadcast_to(rule.matches(node, operands, xla, our), mask.shape)
            if (mask & explained).any():
                names.append(rule.name)
                mask = mask & ~explained
        if mask.any():
            return None
    return names or None


def _not_finite(array):
    return not ty.is_integer(array.dtype) and array.dtype != np.bool_ and not np.isfinite(
        array.astype(np.complex128 if ty.is_complex(array.dtype) else np.float64)).all()


def _has_denormals(array):
    """Of the types in which XLA takes them for zeros."""
    if array.dtype.name not in ("float32", "float64", "bfloat16"):
        return False
    wide = np.abs(array.astype(np.float64))
    return bool(((wide > 0) & (wide < _tiny(array.dtype))).any())


@deviation("reduce_from", "reduce_pair")
def initial_value_of_one_element(node, operands, xla, ours):
    """A reduction along dimensions of one element: XLA's simplifier leaves out the initial value,
    as if it were the operation's identity."""
    return all(operands[0].shape[d] == 1 for d in node.params["dims"])


@deviation("sort", "sort_by", "top_k", "argmax", "argmin")
def order_of_denormals(node, operands, xla, ours):
    """XLA's comparisons take denormals for zeros, of which the first one comes first."""
    return any(_has_denormals(x) for x in operands)


@deviation("conv")
def grouped_convolution(node, operands, xla, ours):
    """XLA makes one convolution of several groups, with zeros for what belongs to other groups:
    times infinity or NaN, these are NaN."""
    return ((node.params["groups"] > 1 or node.params["batches"] > 1) and
            any(map(_not_finite, operands))) & _is_nan(xla)


@deviation("dot", "conv")
def complex_sum_times_one(node, operands, xla, ours):
    """XLA's library of products multiplies complex sums by a complex 1: of infinite ones both parts
    become NaN."""
    if not ty.is_complex(xla.dtype):
        return False
    return _is_nan(xla) & ~np.isfinite(ours.astype(np.complex128))


def _is_nan(array):
    return np.isnan(array) if array.dtype.kind in "fc" else np.isnan(array.astype(np.float64))


@deviation("scatter")
def window_partly_out_of_bounds(node, operands, xla, ours):
    """StableHLO skips each element that is out of bounds, XLA the whole window that it is in."""
    x, indices, updates = operands
    params = node.params
    kept = [d for d in range(x.ndim) if d not in params["inserted"]]
    sizes = [1] * x.ndim
    for d, place in zip(kept, params["window"]):
        sizes[d] = updates.shape[place]
    covered = np.zeros(x.shape, bool)
    for vector in indices.reshape(-1, indices.shape[-1]).astype(object):
        start = [0] * x.ndim
        for d, i in zip(params["to_operand"], vector):
            start[d] = i
        if all(0 <= a and a + size <= n for a, size, n in zip(start, sizes, x.shape)):
            continue
        covered[tuple(slice(max(a, 0), max(a + size, 0)) for a, size in zip(start, sizes))] = True
    return covered


@deviation("clz")
def leading_zeros_of_negative_constants(node, operands, xla, ours):
    """XLA folds the op on constants of 8 and 16 bits with their sign extended, and takes the
    difference in size off: -48 for an int16 of -1."""
    return (xla.astype(np.int64) < 0) & (operands[0].astype(np.int64) < 0)


@deviation("atan2")
def arctangent_of_denormals(node, operands, xla, ours):
    """XLA takes denormals for zeros, and makes NaN of two of them."""
    if ty.is_complex(xla.dtype):
        return False
    tiny = _tiny(xla.dtype)
    y, x = (np.abs(o.astype(np.float64)) < tiny for o in operands)
    return y & x & _is_nan(xla)


@deviation("convert")
def zero_of_e8m0(node, operands, xla, ours):
    """A type without a zero: of zero XLA makes NaN, Halyard the least number, 2^-127."""
    return (xla.dtype.name == "float8_e8m0fnu") & _is_nan(xla) & (
        np.abs(operands[0].astype(np.float64)) < 2.0**-127)
