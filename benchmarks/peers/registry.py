"""All rows of the comparison, by group."""

from rows import (convolutions, memory_kernels, networks, other_kernels, products, quantized,
                  training)

MODULES = {"products": products, "convolutions": convolutions, "memory": memory_kernels,
           "other": other_kernels, "networks": networks, "training": training,
           "quantized": quantized}
GROUPS = {group: list(module.ROWS) for group, module in MODULES.items()}
GROUPS["kernels"] = [name for group in ("products", "convolutions", "memory", "other")
                     for name in GROUPS[group]]
GROUPS["models"] = [name for group in ("networks", "training", "quantized")
                    for name in GROUPS[group]]
ROWS = {name: row for module in MODULES.values() for name, row in module.ROWS.items()}
# Rows of the same programs in small sizes, for tests.
SMALL = {f"{group}-{name}": row for group, module in MODULES.items()
         for name, row in module.SMALL.items()}


def group_of(name):
    return next(group for group, module in MODULES.items() if name in module.ROWS)
