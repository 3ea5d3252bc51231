"""What the builders share about int8: activations have one scale, weights one for each feature.

An activation's scale is a power of two, so that all engines round alike. The value zero is 0 in
s8, or -128 for what is never negative (`unsigned`), which so has all 256 steps.
"""

import numpy as np


def zero_of(unsigned):
    return -128 if unsigned else 0


def whole_bias(bias, scales, scale):
    """Returns a bias in units of the sums, as s32."""
    return np.rint(bias / (scales * np.float32(scale))).astype(np.int32)


def correction(weights, zero):
    """Returns what the sums lack because zero is not 0: -zero times the sum of the weights."""
    return (-zero * weights.astype(np.int32).sum(tuple(range(weights.ndim - 1)))).astype(np.int32)
