#!/usr/bin/env python3
"""Programs that earlier versions of JAX have exported for CPUs, on Halyard.

They are JAX's own (jax._src.internal_test_util.export_back_compat_test_data), with their inputs and
what they gave. Where several results are right, what those have in common is compared.
"""

import argparse
import importlib
import pkgutil
import re
import sys

from harness import FREE_SIGNS, adjoint, compare, invariants

# By the start of a module's name: what harness.py calls the function. The rest is compared as is.
GROUPS = {"cpu_cholesky": "cholesky", "cpu_eigh": "eigh", "cpu_svd": "svd", "cpu_qr": "qr",
          "cpu_eig_": "eig", "cpu_schur": "schur", "cpu_hessenberg": "hessenberg",
          "cpu_tridiagonal_lapack": "tridiagonal"}


def entries(nest, path):
    if isinstance(nest, dict) and "testdata_version" in nest:
        yield path, nest
    elif isinstance(nest, dict):
        for key, value in nest.items():
            yield from entries(value, f"{path}.{key}")
    elif isinstance(nest, list):
        for i, value in enumerate(nest):
            yield from entries(value, f"{path}.{i}")


def programs():
    """(name, entry) of all programs for one CPU."""
    from jax._src.internal_test_util import export_back_compat_test_data as folder
    for module in pkgutil.iter_modules(folder.__path__):
        if module.ispkg:
            continue
        data = importlib.import_module(f"{folder.__name__}.{module.name}")
        for name in vars(data):
            if name.startswith("data_") or name in ("data", "_data"):
                for path, entry in entries(getattr(data, name), f"{module.name}.{name}"):
                    if entry["platform"] == "cpu" and entry.get("nr_devices", 1) == 1:
                        yield path, entry


def symbolic_shapes(entry):
    """Shapes as the program takes them: `4, d0` of tensor<4x?xf32>."""
    text = re.search(r"func\.func public @main\((.*?)\) -> ", entry["mlir_module_text"], re.S)[1]
    count = 0
    for dims in re.findall(r"%arg\d+: tensor<((?:[0-9?]+x)*)", text):
        sizes = []
        for size in dims.split("x")[:-1]:
            sizes.append(f"d{count}" if size == "?" else size)
            count += size == "?"
        yield ", ".join(sizes)


def exported(entry):
    import jax
    from jax import export
    from jax._src import core
    from jax._src.export import _export
    in_tree = jax.tree.structure((tuple(entry["inputs"]), {}))
    scope = export.SymbolicScope()
    avals = [core.ShapedArray(export.symbolic_shape(shape, scope=scope), array.dtype)
             for shape, array in zip(symbolic_shapes(entry), entry["inputs"], strict=True)]
    outputs, out_tree = jax.tree.flatten(tuple(entry["expected_outputs"]))
    return _export.Exported(
        fun_name="run", in_tree=in_tree, in_avals=tuple(avals), out_tree=out_tree,
        out_avals=tuple(core.ShapedArray(a.shape, a.dtype) for a in outputs),
        _has_named_shardings=True, _in_named_shardings=(None,) * len(avals),
        _out_named_shardings=(None,) * len(outputs), in_shardings_hlo=(None,) * len(avals),
        out_shardings_hlo=(None,) * len(outputs), platforms=("cpu",), ordered_effects=(),
        unordered_effects=(),
        disabled_safety_checks=(export.DisabledSafetyCheck.platform(),
                                *(export.DisabledSafetyCheck.custom_call(t)
                                  for t in entry["custom_call_targets"])),
        mlir_module_serialized=entry["mlir_module_serialized"],
        calling_convention_version=entry["xla_call_module_version"], nr_devices=1,
        module_kept_var_idx=tuple(range(len(avals))), uses_global_constants=False,
        _get_vjp=lambda _: None)


def in_common(group, results, arguments):
    """As invariants(), of what these programs give."""
    import numpy as np
    if group == "svd" and results[0].ndim > results[1].ndim:  # u, values, v
        results = [results[1], results[0], results[2]]
    if group == "eig":  # what is left of the equations of left and right vectors, which is nothing
        values, left, right = results
        # JAX makes the matrices in the program.
        matrix = np.arange(right.size, dtype=right.real.dtype).reshape(right.shape)
        return [np.sort_complex(values), matrix @ right - right * values[..., None, :],
                adjoint(left) @ matrix - values[..., :, None] * adjoint(left)]
    if group == "schur":
        triangular, basis = results
        return [basis @ triangular @ adjoint(basis), adjoint(basis) @ basis]
    return invariants(group, results, arguments)


def differences(path, entry):
    import jax
    import numpy as np
    group = next((g for start, g in GROUPS.items() if path.startswith(start)), "")
    program = exported(entry)
    with jax.default_device(jax.devices("halyard")[0]):
        got = [np.asarray(r) for r in jax.tree.leaves(jax.jit(program.call)(*entry["inputs"]))]
    want = [np.asarray(r) for r in jax.tree.leaves(tuple(entry["expected_outputs"]))]
    if len(got) != len(want):
        return f"{len(got)} results, not {len(want)}"
    got, want = (in_common(group, r, entry["inputs"]) for r in (got, want))
    found = [compare(f"result {i}", g, w, group in FREE_SIGNS)
             for i, (g, w) in enumerate(zip(got, want))]
    return "; ".join(text for text in found if text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of programs' names; default: all")
    options = parser.parse_args()
    import jax
    jax.config.update("jax_enable_x64", True)
    count = failed = 0
    for path, entry in programs():
        if options.names and not any(name in path for name in options.names):
            continue
        count += 1
        try:
            found = differences(path, entry)
        except Exception as error:
            found = f"{type(error).__name__}: {error}"[:500]
        if found:
            print(f"{path}: {found}", flush=True)
            failed += 1
    print(f"{count - failed} of {count} programs of earlier versions of JAX agree")
    sys.exit(1 if failed or not count else 0)


main()
