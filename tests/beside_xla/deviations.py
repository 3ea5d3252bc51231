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
    "blend": "(x + c) - c, x * c / c, 1 / (1 / x) and their like become x",
    "grad": "x * convert(flag) becomes select(flag, x, 0), which loses infinity times 0; "
            "(2 * d) * s becomes d * (2 * s), which is not infinite where 2 * d is",
}

# (the op that an operand comes from, the op) → what XLA's simplifier makes of the two; explained
# where, of the two, XLA agrees without it.
PAIRS = {
    # The inner start is added to the outer one before it is clamped, so that an inner slice that
    # would be partly out of bounds is read elsewhere. A gather of one slice becomes such a slice.
    (inner, outer): "start_of_slice_of_slice"
    for inner in ("dynamic_slice", "gather") for outer in ("dynamic_slice", "gather")
}
# 1 / (a / b) becomes b / a, which is rounded once.
PAIRS["div", "integer_pow"] = "reciprocal_of_quotient"
# x * convert(flag) becomes select(flag, x, 0), which loses infinity times 0.
PAIRS["convert", "mul"] = "product_with_flag"
# (a - b) + b of complex numbers becomes a, which is not rounded.
PAIRS["sub", "add"] = "difference_plus_subtrahend"
# A reduction of a generator's state, which is a concatenation, loses its initial value.
PAIRS["random_bits", "reduce_from"] = "initial_value_of_state"
# The sum of a row that is all padding becomes a product with its length, and the mean the padding
# itself, which does not overflow.
PAIRS["pad", "layer_norm"] = "mean_of_padding"
# The sum of n equal numbers becomes their product with n, which is complex: of a NaN in one part it
# makes NaN of both.
PAIRS["broadcast_in_dim", "reduce"] = "sum_of_equal_complex_numbers"

# What differs after a node that agrees as nearly as it must; judged by hand.
VERDICTS = {
    # XLA's digamma of 1 is 5 units off, and a transpose of it is compared with fewer.
    322870: "digamma_of_f32",
    # A product of f16 that is a denormal: each order rounds it otherwise, and a square root follows.
    327543: "order_of_products",
}

# Rules of what no specification settles, so that two targets need not compute the same.
OPEN = frozenset(("order_of_products", "padding_times_infinity", "overflow_of_score",
                  "sign_of_nan"))


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
        near = np.isfinite(b) & (np.abs(a - b) <= 16 * float(ty.ml_dtypes.finfo(part).eps) * size)
    tiny = _tiny(part)
    near |= (np.abs(a) < tiny) & (np.abs(b) < tiny)
    # Of complex numbers, the same parts.
    undefined = (np.isnan(a.real) == np.isnan(b.real)) & (np.isnan(a.imag) == np.isnan(b.imag))
    return ~(near | (a == b) | (undefined & np.isnan(a) & np.isnan(b)))


def unequal(xla, ours):
    """A mask of elements that are not equal, however near."""
    if ty.is_float(xla.dtype) or ty.is_complex(xla.dtype):
        wide = np.complex128 if ty.is_complex(xla.dtype) else np.float64
        xla, ours = xla.astype(wide), ours.astype(wide)
        return (xla != ours) & ~(np.isnan(xla) & np.isnan(ours))
    return xla != ours


def explain(node, operands, results, ours, agrees_plain, differs=False, only=None):
    """Names of the deviations that explain all differing elements of a node's results; none if
    nothing differs; None if something is not explained. `agrees_plain`: says whether XLA agrees
    without its simplifier. `differs`: the op alone was found to differ, however little. `only`: says
    which rules, by name, may explain it."""
    masks = [differing(node, xla, our) for xla, our in zip(results, ours)]
    if any(mask.any() for mask in masks):
        return _explain_masks(node, operands, results, ours, masks, agrees_plain, only)
    # Ops that only move values are compared exactly, denormals too. So is arithmetic that is
    # rounded correctly: what the simplifier rounds elsewhere differs in the last place.
    masks = [unequal(xla, our) for xla, our in zip(results, ours)]
    return _explain_masks(node, operands, results, ours, masks,
                          agrees_plain if differs else lambda: False, only) or []


def _explain_masks(node, operands, results, ours, masks, agrees_plain, only):
    names = []
    if node.name in SIMPLIFIED and agrees_plain():
        return [f"simplifier_{node.name}"]
    for xla, our, mask in zip(results, ours, masks):
        if not mask.any():
            continue
        for rule in DEVIATIONS:
            if node.name not in rule.ops or (only and not only(rule.name)):
                continue
            with np.errstate(all="ignore"):
                explained = np.broadcast_to(rule.matches(node, operands, xla, our), mask.shape)
            if (mask & explained).any():
                names.append(rule.name)
                mask = mask & ~explained
        if mask.any():
            return None
    return names


def defined(node, names, results, ours, reference):
    """Whether a target's values are the reference's wherever they are not XLA's: no rule may hide
    what one target computes wrongly. What XLA's simplifier makes is judged without it instead."""
    if OPEN.intersection(names) or any(name.startswith("simplifier_") for name in names):
        return True
    return not any((differing(node, xla, our) & differing(node, ref, our) &
                    ~_of_free_order(node, our, ref)).any()
                   for xla, our, ref in zip(results, ours, reference))


def _of_free_order(node, our, ref):
    """Complex sums with an infinite part: what is added to it may overflow in one order and not in
    another, and of the other part only the rounding is left."""
    if node.name not in SUMS or not ty.is_complex(our.dtype):
        return np.zeros(our.shape, bool)
    return ~np.isfinite(our.astype(np.complex128)) & ~np.isfinite(ref.astype(np.complex128))


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
    """XLA takes denormals for zeros: two give NaN or pi / 2, and a denormal y or y / x the angle of
    a zero, 0 or pi, of either sign. A denormal x has no sign."""
    if ty.is_complex(xla.dtype):
        return False
    tiny = _tiny(xla.dtype)
    y, x = (np.abs(o.astype(np.float64)) < tiny for o in operands)
    of_zero = (xla == 0) | (np.abs(xla) == xla.dtype.type(np.pi))
    quotient = np.abs(operands[0].astype(np.float64) / operands[1].astype(np.float64)) < tiny
    taken = ((y | quotient) & (operands[0] != 0)) | (y & x & (operands[1] != 0))
    of_two = _is_nan(xla) | (np.abs(xla) == xla.dtype.type(np.pi / 2))
    return (y & x & of_two) | (taken & of_zero)


@deviation("reduce", "cumprod", "scatter")
def order_of_products(node, operands, xla, ours):
    """The order of a reduction is free: where some orders leave the range of the type and others do
    not, a product is infinite, 0, or NaN of both."""
    kind = node.params.get("how" if node.name == "scatter" else "kind", "mul")
    if kind != "mul" or ty.is_integer(xla.dtype) or ty.is_complex(xla.dtype):
        return False
    info = ty.ml_dtypes.finfo(xla.dtype)
    factors = operands[0] if node.name != "scatter" else np.concatenate(
        [operands[0].ravel(), operands[2].ravel()])
    sizes = np.log2(np.abs(factors.astype(np.float64)))
    finite = np.where(np.isfinite(sizes), sizes, 0)

    def sums(terms):
        if node.name == "scatter":  # whichever of them meet in an element
            return terms.sum()
        if node.name == "reduce":
            return terms.sum(tuple(node.params["dims"]))
        axis, back = node.params["axis"], node.params.get("reverse", False)
        return np.flip(np.flip(terms, axis).cumsum(axis), axis) if back else terms.cumsum(axis)

    leaves = ((sums(np.maximum(finite, 0)) >= info.maxexp) |
              (sums(np.minimum(finite, 0)) <= info.minexp))
    values = xla.astype(np.float64), ours.astype(np.float64)
    return leaves & np.any([~np.isfinite(v) | (v == 0) for v in values], axis=0)


@deviation("dot", "mul")
def infinity_times_denormal(node, operands, xla, ours):
    """XLA takes denormals for zeros, which makes NaN of their products with infinities."""
    if ty.is_integer(xla.dtype):
        return False
    parts = [p for o in operands for p in ((o.real, o.imag) if ty.is_complex(o.dtype) else (o,))]
    small = [(p != 0) & (np.abs(p.astype(np.float64)) < _tiny(p.dtype)) for p in parts]
    large = [np.isinf(p.astype(np.float64)) for p in parts]
    if node.name == "mul":
        possible = np.any(small, axis=0) & np.any(large, axis=0)
    else:
        possible = any(map(np.any, small)) and any(map(np.any, large))
    return possible & _is_nan(xla) & ~np.isfinite(ours.astype(np.complex128))


@deviation("exp", "expm1")
def exponential_of_infinity(node, operands, xla, ours):
    """C says what the complex exponential of an infinite real and a not finite imaginary part is;
    XLA makes NaN of both parts."""
    if not ty.is_complex(xla.dtype):
        return False
    return _is_nan(xla) & np.isinf(operands[0].real) & ~np.isfinite(operands[0].imag)


@deviation("conv")
def padding_times_infinity(node, operands, xla, ours):
    """Padding is zero. Where it meets NaN or infinity in the kernel, XLA leaves the product out,
    and Halyard need not."""
    if ty.is_integer(xla.dtype):
        return False
    return _is_nan(ours) & (_padding_terms(node, *operands) > 0)


def _padding_terms(node, x, kernel):
    """Per element of a convolution's result: products of padding, or of a hole, with what is not
    finite."""
    lhs, rhs, out = node.params["numbers"]
    kernel = np.transpose(~np.isfinite(kernel.astype(np.complex128)), rhs)
    sizes = [x.shape[d] for d in lhs[2:]]
    rank = len(sizes)
    padding = node.params["padding"]
    dilation, steps = node.params["lhs"] or (1,) * rank, node.params["strides"]
    holes = node.params["rhs"] or (1,) * rank
    widths = [max(0, (n - 1) * d + 1) + low + high
              for n, d, (low, high) in zip(sizes, dilation, padding)]
    zero = np.ones(widths, bool)
    for index in np.ndindex(*sizes):
        place = tuple(i * d + low for i, d, (low, _) in zip(index, dilation, padding))
        if all(0 <= p < w for p, w in zip(place, widths)):
            zero[place] = False
    reach = [(n - 1) * h + 1 for n, h in zip(kernel.shape[2:], holes)]
    counts = [max(0, (w - r) // s + 1) for w, r, s in zip(widths, reach, steps)]
    terms = np.zeros((kernel.shape[0], *counts), int)  # features of the result are the kernel's
    for tap in np.ndindex(*kernel.shape[2:]):
        met = zero[tuple(slice(t * h, t * h + (c - 1) * s + 1 if c else 0, s)
                         for t, h, c, s in zip(tap, holes, counts, steps))]
        bad = kernel[(slice(None), slice(None), *tap)].any(1)
        terms += bad.reshape(-1, *[1] * rank) * met
    return np.moveaxis(terms[None], range(rank + 2), out)


@deviation("conv")
def padding_after_cropping(node, operands, xla, ours):
    """Of a dimension with padding below zero before it and above zero behind it, XLA's library of
    convolutions, which has f16, bf16 and f32 without dilation, reads other elements in the place of
    the padding behind."""
    params, x, kernel = node.params, *operands[:2]
    if xla.dtype.name not in ("float16", "bfloat16", "float32") or any(
            d > 1 for d in (*(params["lhs"] or ()), *(params["rhs"] or ()))):
        return False
    lhs, rhs, out = params["numbers"]
    met = np.zeros(xla.shape, bool)
    for d, ((low, high), step) in enumerate(zip(params["padding"], params["strides"])):
        if low >= 0 or high <= 0:
            continue
        last = np.arange(xla.shape[out[2 + d]]) * step + kernel.shape[rhs[2 + d]] - 1
        shape = [1] * xla.ndim
        shape[out[2 + d]] = -1
        met |= (last >= x.shape[lhs[2 + d]] + low).reshape(shape)
    return met


def _queries_where(node, operands, holds):
    """A mask of attention's results: of queries one of whose scores, of keys that they see, has a
    term for which `holds`, given the factors."""
    q, k = (np.moveaxis(o, 1, 2) for o in operands[:2])  # heads before places
    terms = holds(q[:, :, :, None], k[:, :, None]).any(-1)
    if node.params["causal"]:
        terms &= np.tril(np.ones(terms.shape[-2:], bool))
    return np.moveaxis(terms.any(-1), 1, 2)[..., None]


@deviation("attention")
def overflow_of_score(node, operands, xla, ours):
    """A product may be added without being rounded first. One beyond the greatest number is then
    not infinite, and is not NaN with an infinity of the other sign."""
    def overflows(q, k):
        return np.isinf((q * k).astype(np.float64)) & np.isfinite(
            q.astype(np.float64)) & np.isfinite(k.astype(np.float64))
    return _queries_where(node, operands, overflows) & (_is_nan(xla) | _is_nan(ours))


@deviation("attention")
def score_of_infinity_times_denormal(node, operands, xla, ours):
    """XLA takes denormals for zeros, which makes NaN of their products with infinities."""
    def of_both(q, k):
        (small_q, large_q), (small_k, large_k) = (
            ((x != 0) & (np.abs(x.astype(np.float64)) < _tiny(x.dtype)),
             np.isinf(x.astype(np.float64))) for x in (q, k))
        return (small_q & large_k) | (large_q & small_k)
    return _queries_where(node, operands, of_both) & _is_nan(xla)


@deviation("conv")
def saturated_convolution(node, operands, xla, ours):
    """Of constants XLA's evaluator makes the nearest integer of the type; else integers wrap."""
    if not ty.is_integer(xla.dtype):
        return False
    info = ty.ml_dtypes.iinfo(xla.dtype)
    most = operands[1].size
    for operand in operands:
        most *= np.abs(operand.astype(np.float64)).max(initial=0)
    return (most > float(info.max)) & ((xla == info.min) | (xla == info.max))


@deviation("scatter")
def operand_longer_than_index_type(node, operands, xla, ours):
    """XLA converts the size of a dimension to the type of the indices, which makes it negative
    where it does not fit, and skips all updates."""
    x, indices = operands[:2]
    if indices.dtype == np.bool_:
        return False
    most = int(ty.ml_dtypes.iinfo(indices.dtype).max)
    return any(x.shape[d] - 1 > most for d in node.params["to_operand"]) & (xla == x)


@deviation("abs", "sqrt")
def modulus_of_infinity_and_nan(node, operands, xla, ours):
    """The modulus of a complex number with an infinite part is infinite (C's hypot), whatever the
    other part, and so is the square root's real part; XLA's is NaN if the other part is NaN."""
    x = operands[0]
    return ty.is_complex(x.dtype) & np.isnan(xla.real) & np.isinf(ours.real) & (
        np.isinf(x.real) | np.isinf(x.imag)) & np.isnan(x)


@deviation("sort", "sort_by", "top_k")
def sign_of_nan(node, operands, xla, ours):
    """No specification says which sign a NaN has that arithmetic makes, and the sign decides
    whether it is the greatest or the least."""
    return any(_is_nan(x).any() for x in operands)


@deviation("sqrt")
def root_rounded_twice(node, operands, xla, ours):
    """XLA computes small types in wider ones, in which the value is rounded to the middle of two;
    Halyard's is the nearest one."""
    if xla.dtype.itemsize > 1:
        return False
    with np.errstate(all="ignore"):
        return ours == np.sqrt(operands[0].astype(np.float64)).astype(ours.dtype)


@deviation("digamma")
def digamma_of_f32(node, operands, xla, ours):
    """XLA's value is several units off, and NaN for denormals; Halyard's is the nearest one or the
    next."""
    from scipy import special  # which JAX brings
    exact = special.digamma(operands[0].astype(np.float64))
    eps = float(ty.ml_dtypes.finfo(xla.dtype).eps)
    near = np.abs(ours.astype(np.float64) - exact) <= 2 * eps * np.abs(exact)
    return near | (np.isinf(ours) & (ours == exact.astype(xla.dtype)))


@deviation("round")
def rounded_constants_of_e3m4(node, operands, xla, ours):
    """XLA folds the op on constants of this type to NaN."""
    return (xla.dtype.name == "float8_e3m4") & _is_nan(xla) & np.isfinite(
        operands[0].astype(np.float64))


@deviation("reduce_precision")
def reduced_denormals_of_few_bits(node, operands, xla, ours):
    """XLA reduces what it has widened. A denormal of the type itself is there below the range of as
    many exponent bits, or loses fewer bits, because they are counted from its first one."""
    if xla.dtype.name not in ty.TINY or xla.dtype.name == "float8_e8m0fnu":
        return False
    small = np.abs(operands[0].astype(np.float64)) < _tiny(xla.dtype)
    own = int(xla.dtype.name.split("_e")[1][0])
    return small & ((xla.astype(np.float64) == 0) | (node.params.get("exponent", own) > own))


LEAST_E8M0 = 2.0**-127
OF_E8M0 = ("convert", "abs", "sign", "floor", "ceil", "exp", "tanh", "sqrt", "round",
           "reduce_precision", "add", "sub", "mul", "div", "max", "min", "rem")


@deviation(*OF_E8M0)
def zero_of_e8m0(node, operands, xla, ours):
    """A type without a zero: of zero XLA makes NaN, Halyard the least number, 2^-127. That number
    itself is a denormal of f32, which XLA takes for zero."""
    if xla.dtype.name != "float8_e8m0fnu":
        return False
    least = ours.astype(np.float64) == LEAST_E8M0
    for operand in operands:
        if operand.dtype == xla.dtype:
            least = least | (operand.astype(np.float64) == LEAST_E8M0)
    return _is_nan(xla) & least


@deviation("convert")
def negative_to_e8m0(node, operands, xla, ours):
    """XLA's evaluator shifts the sign of a negative constant into the exponent; there are no
    negative values, so Halyard makes NaN."""
    return (xla.dtype.name == "float8_e8m0fnu") & _is_nan(ours) & (
        operands[0].astype(np.float64) < 0)
