#!/usr/bin/env python3
"""JAX's own test cases (jax._src.internal_test_util.test_harnesses) on Halyard beside JAX's CPU.

A case counts if JAX's CPU runs it. It agrees if results are equal for integers and booleans, and
within a tolerance for the type otherwise: 1e-5 for f32, 1e-13 for f64, JAX's own for narrower ones.
Where several results are right (factors of a matrix, places of equal values), what they must have
in common is compared. Cases run in a process of their own; after one that dies, another one goes on.
"""

import argparse
import collections
import json
import os
import subprocess
import sys
import time

EVERY_QUICK = 25
# Of types of which JAX's own default allows no more than an operation's last bit.
TOLERANCES = {"float32": 1e-5, "float64": 1e-13}
# Groups whose results have columns or rows of a sign (complex: a phase) that is anyone's choice.
FREE_SIGNS = {"eig", "qr", "hessenberg", "tridiagonal", "schur", "householder_product"}


def cases():
    from jax._src.internal_test_util import test_harnesses
    return test_harnesses.all_harnesses


def adjoint(matrix):
    import numpy as np
    return np.conj(np.swapaxes(matrix, -1, -2))


def invariants(group, results, arguments, params=None):
    """What all right results have in common, if that is not the results themselves."""
    import numpy as np
    if group == "sort" and params is not None:
        if not params["is_stable"] and len(results) > 1:
            # Rows of equal keys may have any order: the keys, and then all rows, sorted.
            axis, keys = params["dimension"], params["num_keys"]
            lines = [np.moveaxis(result, axis, -1) for result in results]
            order = np.lexsort(lines[::-1], axis=-1)
            return results[:keys] + [np.take_along_axis(line, order, -1) for line in lines]
    if group == "cholesky":  # the other triangle is anyone's choice
        factor = np.tril(results[0])
        return [factor @ adjoint(factor)]
    if group == "eigh":
        vectors, values = results
        return [values, (vectors * values[..., None, :]) @ adjoint(vectors),
                adjoint(vectors) @ vectors]
    if group == "svd" and len(results) == 3:
        values, u, v = results
        count = values.shape[-1]
        return [values, (u[..., :count] * values[..., None, :]) @ v[..., :count, :],
                adjoint(u) @ u, v @ adjoint(v)]
    if group == "approx_top_k":
        values, places = results
        sets = np.array([len(set(line)) for line in places.reshape(-1, places.shape[-1])])
        return [values, np.take_along_axis(np.asarray(arguments[0]), places, -1), sets]
    return results


def compare(name, got, want, free_signs):
    import jax
    import numpy as np
    from jax._src import test_util
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape or got.dtype != want.dtype:
        return f"{name} is {got.dtype}{list(got.shape)}, not {want.dtype}{list(want.shape)}"
    if not jax.numpy.issubdtype(want.dtype, jax.numpy.inexact):
        if np.array_equal(got, want):
            return ""
        return f"{name}: {np.sum(got != want)} of {want.size} elements differ"
    part = np.dtype(want.real.dtype if np.iscomplexobj(want) else want.dtype)
    tolerance = TOLERANCES.get(part.name) or test_util.tolerance(want.dtype)
    wide = np.complex128 if np.iscomplexobj(want) else np.float64
    got, want = got.astype(wide), want.astype(wide)
    if free_signs:
        got, want = np.abs(got), np.abs(want)
    finite = np.abs(want[np.isfinite(want)])
    scale = max(1.0, float(finite.max())) if finite.size else 1.0
    if np.allclose(got, want, rtol=tolerance, atol=tolerance * scale, equal_nan=True):
        return ""
    with np.errstate(invalid="ignore"):
        return f"{name}: largest difference {np.nanmax(np.abs(got - want)):.3g} of {scale:.3g}"


def run_case(harness):
    """(outcome, detail): "agree", "differ", "error", or "skip" where JAX's CPU has no answer."""
    import jax
    import numpy as np
    cpu = jax.devices("cpu")[0]
    ours = jax.devices("halyard")[0]

    def run(device):
        with jax.default_device(device):
            arguments = harness.dyn_args_maker(np.random.RandomState(0))
            return arguments, jax.tree.map(np.asarray, jax.jit(harness.dyn_fun)(*arguments))

    if not harness.filter("cpu"):
        return "skip", "JAX does not implement it on the CPU"
    try:
        arguments, want = run(cpu)
    except Exception as error:
        return "skip", f"JAX's CPU: {type(error).__name__}"
    try:
        _, got = run(ours)
    except Exception as error:
        return "error", f"{type(error).__name__}: {error}"[:600]
    want, got = jax.tree.leaves(want), jax.tree.leaves(got)
    if len(got) != len(want):
        return "differ", f"{len(got)} results, not {len(want)}"
    for g, w in zip(got, want):  # also where only a part of them is compared below
        if g.shape != w.shape or g.dtype != w.dtype:
            return "differ", f"{g.dtype}{list(g.shape)}, not {w.dtype}{list(w.shape)}"
    got = invariants(harness.group_name, got, arguments, harness.params)
    want = invariants(harness.group_name, want, arguments, harness.params)
    for i, (g, w) in enumerate(zip(got, want)):
        if jax.dtypes.issubdtype(getattr(w, "dtype", None), jax.dtypes.prng_key):
            g, w = jax.random.key_data(g), jax.random.key_data(w)
        difference = compare(f"result {i}", g, w, harness.group_name in FREE_SIGNS)
        if difference:
            return "differ", difference
    return "agree", ""


def type_name(harness):
    import numpy as np
    return np.dtype(harness.dtype).name if harness.dtype is not None else ""


def worker(numbers):
    """Writes a line when a case begins and one when it ends."""
    import signal
    import jax
    harnesses = cases()

    def too_long(*_):
        raise TimeoutError("took longer than two minutes")

    signal.signal(signal.SIGALRM, too_long)
    for number in numbers:
        harness = harnesses[number]
        print(json.dumps({"begin": number, "name": harness.fullname,
                          "group": harness.group_name, "type": type_name(harness)}), flush=True)
        start = time.time()
        signal.alarm(120)
        try:
            outcome, detail = run_case(harness)
        except TimeoutError as error:
            outcome, detail = "error", str(error)
        signal.alarm(0)
        print(json.dumps({"number": number, "name": harness.fullname, "group": harness.group_name,
                          "type": type_name(harness), "outcome": outcome, "detail": detail,
                          "seconds": round(time.time() - start, 2)}), flush=True)
        jax.clear_caches()


def run_all(numbers, report, log):
    """Starts workers until every case has an outcome. `log` is given each outcome as it comes."""
    results = []

    def keep(result):
        results.append(result)
        if log is not None:
            print(json.dumps(result), file=log, flush=True)

    while numbers:
        command = [sys.executable, os.path.abspath(__file__), "--worker"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL if report is None else report,
                                   text=True)
        process.stdin.write(json.dumps(numbers))
        process.stdin.close()
        running = None
        for line in process.stdout:
            if not line.startswith("{"):
                continue
            message = json.loads(line)
            if "begin" in message:
                running = message
                continue
            keep(message)
            running = None
            if message["outcome"] in ("differ", "error"):
                print(f"{message['outcome']}: {message['name']}: {message['detail'][:300]}",
                      flush=True)
        process.wait()
        done = {r["number"] for r in results}
        if running is not None:
            print(f"died: {running['name']}", flush=True)
            keep({"number": running["begin"], "name": running["name"],
                  "group": running["group"], "type": running["type"], "outcome": "error",
                  "detail": f"the process died ({process.returncode})", "seconds": 0})
            done.add(running["begin"])
        elif process.returncode != 0:
            sys.exit(f"harness.py: the worker failed with {process.returncode}")
        numbers = [n for n in numbers if n not in done]
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help=f"not only every {EVERY_QUICK}th case")
    parser.add_argument("--x64", action="store_true", help="with 64-bit types: other, more cases")
    parser.add_argument("--every", type=int, help="every Nth case")
    parser.add_argument("--group", help="only cases of this group")
    parser.add_argument("--json", help="the outcomes, case by case, into this file")
    parser.add_argument("--log", help="a line per case into this file; cases that it holds already "
                        "are not run again, so that a run that was stopped goes on")
    parser.add_argument("--floor", type=float, help="fail below this share of cases that agree")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        worker(json.load(sys.stdin))
        return
    if options.x64:
        os.environ["JAX_ENABLE_X64"] = "1"  # of the workers, too
    step = options.every or (1 if options.all else EVERY_QUICK)
    harnesses = cases()
    numbers = [n for n in range(len(harnesses))
               if not options.group or harnesses[n].group_name == options.group]
    start = time.time()
    results = []
    if options.log and os.path.exists(options.log):
        with open(options.log) as file:
            results = [json.loads(line) for line in file if line.endswith("\n")]
    done = {result["number"] for result in results}
    with open(options.log or os.devnull, "a") as log:
        results += run_all([n for n in numbers[::step] if n not in done], sys.stderr, log)
    counts = collections.Counter(r["outcome"] for r in results)
    counted = len(results) - counts["skip"]
    share = counts["agree"] / counted if counted else 0
    print(f"{counts['agree']} of {counted} cases agree with JAX's CPU ({100 * share:.1f} %); "
          f"{counts['differ']} differ, {counts['error']} fail, {counts['skip']} have no answer of "
          f"JAX's CPU; {time.time() - start:.0f} s")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(results, file, indent=0)
    if not counted or (options.floor is not None and share < options.floor):
        sys.exit(1)


if __name__ == "__main__":
    main()
