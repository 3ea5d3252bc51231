"""Matrix products. The second factor of a plain product is a constant, as a layer's weights are;
batched products have two arguments, as attention has."""

from values import Input, Row

# Relative to the largest value. IREE adds up bf16 in bf16 where a product has one row. f16's is two
# of its roundings: engines that multiply in bf16 or add up in f16 are at least 2.6e-3 off.
TOLERANCES = {"f32": 1e-4, "bf16": 5e-2, "f16": 1e-3, "s8": 0}


def product(kind, rows, terms, columns):
    def build(net, weights, x):
        y = weights.small_integers(terms, columns) if kind == "s8" else weights.normal(
            terms, columns, kind=kind)
        return net.dot(x, net.constant(y, kind))

    return Row((Input((rows, terms), kind),), build, flops=2 * rows * terms * columns,
               tolerance=TOLERANCES[kind])


def of_arguments(kind, *sizes):
    """A product of two arguments; `sizes` are those of the batch, rows, terms and columns."""
    *batch, rows, terms, columns = sizes
    flops = 2.0
    for size in sizes:
        flops *= size
    return Row((Input((*batch, rows, terms), kind), Input((*batch, terms, columns), kind)),
               lambda net, weights, x, y: net.dot(x, y), flops=flops, tolerance=TOLERANCES[kind])


def linear(kind, rows, terms, columns):
    """A layer whose weights are an argument that lies along the sum, as PyTorch keeps them."""
    return Row((Input((rows, terms), kind), Input((columns, terms), kind)),
               lambda net, weights, x, y: net.dot(x, net.transpose(y, (1, 0))),
               flops=2 * rows * terms * columns, tolerance=TOLERANCES[kind])


def of_weights_as_arguments(kind):
    return {f"dot-{kind}-1024-arguments": of_arguments(kind, 1024, 1024, 1024),
            **{f"dot-{kind}-linear-{rows}": linear(kind, rows, 4096, 4096) for rows in (1, 8, 64)}}


def rows_of(kind):
    square = {f"dot-{kind}-{size}": product(kind, size, size, size)
              for size in (128, 256, 512, 1024, 2048, 4096)}
    return {
        **square,
        f"dot-{kind}-tall": product(kind, 16384, 512, 64),
        f"dot-{kind}-wide": product(kind, 64, 512, 16384),
        f"dot-{kind}-deep": product(kind, 64, 65536, 64),
        f"dot-{kind}-thin-1": product(kind, 1, 4096, 4096),
        f"dot-{kind}-thin-8": product(kind, 8, 4096, 4096),
        f"dot-{kind}-batched-12": of_arguments(kind, 12, 128, 64, 128),
        f"dot-{kind}-batched-96": of_arguments(kind, 96, 128, 128, 128),
        **(of_weights_as_arguments(kind) if kind == "f32" else {}),
    }


ROWS = {name: row for kind in TOLERANCES for name, row in rows_of(kind).items()}
SMALL = {name: row for kind in TOLERANCES for name, row in (
    (f"dot-{kind}", product(kind, 8, 24, 16)), (f"dot-{kind}-thin", product(kind, 1, 24, 16)),
    (f"dot-{kind}-batched", of_arguments(kind, 3, 4, 8, 5)))}
SMALL["dot-f32-linear"] = linear("f32", 3, 24, 5)
