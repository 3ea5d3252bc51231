#!/usr/bin/env python3
"""Compares single ops with JAX, case by case. Needs JAX (scripts/setup_jax):

    scripts/compare_ops [--target=x86] [PROGRAM ...]
    scripts/compare_ops --write          all, on x86 and Vulkan; writes docs/against_jax.md (of some
                                         programs, or --only-target: what it says of these)
    scripts/compare_ops --check          the same; exit status 1 if the page says something else
    scripts/compare_ops --check-list     without running: are its cases still these?

The cases of op_cases.py that belong to one program are exported from JAX as one StableHLO module
and run by `halyard run`; what does not compile together is tried case by case. Prints each case
that differs, then the largest error per program; exit status 1 if a case differs.
"""

import argparse
import collections
import concurrent.futures
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import jax

jax.config.update("jax_enable_x64", True)

import ml_dtypes
import numpy as np

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
import against_jax
import op_cases
from stored_arrays import storable, stored_array

Result = collections.namedtuple("Result", "case problem error")


def load(path):
    stored = np.load(path)
    return {name: stored_array(stored, name) for name in stored.files if not name.endswith(".dtype")}


def unit(dtype):
    """Half the spacing of floats just above 1."""
    return float(ml_dtypes.finfo(dtype).eps)


def without_denormals(x):
    """XLA's CPU compiler flushes those of every type but f16, in results too; f8 are computed wide."""
    x = np.asarray(x)
    if x.dtype.kind == "c":
        parts = np.ascontiguousarray(x)[..., None].view(x.real.dtype)
        return without_denormals(parts).view(x.dtype)[..., 0]
    if x.dtype.itemsize < 2 or x.dtype == np.float16 or not op_cases.is_floating(x.dtype):
        return x
    tiny = np.abs(x) < ml_dtypes.finfo(x.dtype).smallest_normal
    return np.where(tiny, np.copysign(np.zeros((), x.dtype), x), x)


def error_of(got, want, tolerance):
    """(what is wrong or None, error in units of the tolerance's kind)"""
    if got.dtype != want.dtype:
        return f"type {got.dtype}, not {want.dtype}", 0.0
    if got.shape != want.shape:
        return f"shape {got.shape}, not {want.shape}", 0.0
    if want.size == 0:
        return None, 0.0
    got, want = without_denormals(got), without_denormals(want)
    floats = want.dtype.kind == "c" or want.dtype.kind == "f" or (
        "float" in want.dtype.name)
    if tolerance is None or not floats:
        if want.dtype.kind == "c":  # part by part
            got, want = (np.ascontiguousarray(x)[..., None].view(x.real.dtype) for x in (got, want))
        raw = f"V{want.dtype.itemsize}"
        same = np.ascontiguousarray(got).view(raw) == np.ascontiguousarray(want).view(raw)
        if floats:
            same |= np.isnan(got) & np.isnan(want)  # any NaN is as good as another
        if np.all(same):
            return None, 0.0
        where = np.unravel_index(np.argmin(same), same.shape)
        return (f"{np.sum(~same)} of {same.size} differ; at {[int(i) for i in where]} "
                f"{got[where]}, not {want[where]}"), np.inf
    part = want.real.dtype if want.dtype.kind == "c" else want.dtype
    wide = np.complex128 if want.dtype.kind == "c" else np.float64
    g, w = got.astype(wide), want.astype(wide)
    finite = np.isfinite(w)
    other = same_specials(g, w)
    if not np.all(other):
        where = np.unravel_index(np.argmin(other), other.shape)
        return (f"infinities or NaNs differ: {np.sum(~other)} of {other.size}; at "
                f"{[int(i) for i in where]} {got[where]}, not {want[where]}"), np.inf
    size = np.abs(np.where(finite, w, 0))
    if isinstance(tolerance, op_cases.Scaled):
        size = np.full_like(size, np.max(size))
    smallest = float(ml_dtypes.finfo(part).smallest_subnormal)
    spacing = np.maximum(2.0 ** np.floor(np.log2(np.maximum(size, 1e-300))) * unit(part), smallest)
    with np.errstate(invalid="ignore"):
        errors = np.abs(np.where(finite, g - w, 0)) / spacing
    worst = float(np.max(errors))
    if worst <= tolerance.count:
        return None, worst
    where = np.unravel_index(np.argmax(errors), errors.shape)
    return f"{worst:.1f} units at {[int(i) for i in where]}: {got[where]}, not {want[where]}", worst


def same_specials(g, w):
    """Where the elements are both finite, or the same infinity, or both NaN; of complex numbers,
    part by part."""
    if w.dtype.kind == "c":
        return same_specials(g.real, w.real) & same_specials(g.imag, w.imag)
    return (np.isfinite(g) & np.isfinite(w)) | (g == w) | (np.isnan(g) & np.isnan(w))


def run(options, cases):
    """The results of the cases, or the text of an error."""
    counts = [len(case.inputs) for case in cases]

    def together(*arrays):
        stream = iter(arrays)
        return [case.function(*itertools.islice(stream, count))
                for case, count in zip(cases, counts)]

    inputs = [array for case in cases for array in case.inputs]
    jitted = jax.jit(together, keep_unused=True)
    try:
        # For the CPU, JAX calls LAPACK by name instead of using the ops.
        platform = "tpu" if cases[0].program.startswith("linalg") else "cpu"
        lowered = jitted.trace(*inputs).lower(lowering_platforms=(platform,))
        wants = [jax.tree_util.tree_leaves(want) for want in jitted(*inputs)]
    except Exception as error:  # not an op that JAX has on the CPU
        return f"JAX: {str(error).splitlines()[0]}"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program, results = folder / "program.mlir", folder / "out.npz"
        program.write_text(lowered.as_text())
        stored = {}
        for i, array in enumerate(inputs):
            stored |= storable(f"arg{i}", array)
        np.savez(folder / "in.npz", **stored)
        command = [options.halyard, "run", program, f"--target={options.target}",
                   f"--inputs={folder / 'in.npz'}", f"--outputs={results}"]
        try:
            process = subprocess.run(command, capture_output=True, text=True, timeout=600)
        except subprocess.TimeoutExpired:
            return "no result after 600 s"
        if process.returncode != 0:
            lines = process.stderr.strip().replace(str(folder), "").splitlines() or ["no message"]
            return f"exit status {process.returncode}: {lines[0]}"
        got = load(results)
    outputs = []
    stream = iter(range(len(got)))
    for case, want in zip(cases, wants):
        problem, error = None, 0.0
        for leaf in want:
            wrong, amount = error_of(got[f"out{next(stream)}"], np.asarray(leaf), case.tolerance)
            problem, error = problem or wrong, max(error, amount)
        outputs.append(Result(case, problem, error))
    return outputs


def check(options, cases):
    results = run(options, cases)
    if isinstance(results, list):
        return results
    if len(cases) == 1:
        return [Result(cases[0], results, np.inf)]
    middle = len(cases) // 2
    return check(options, cases[:middle]) + check(options, cases[middle:])


def full_name(case):
    return case.name + (" (special values)" if case.special else "")


def groups_of(programs):
    groups = collections.defaultdict(list)
    for case in op_cases.CASES:
        if not programs or case.program in programs:
            groups[case.program].append(case)
    return groups


def run_all(options, groups):
    """{program: what came of it}"""
    measured = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = {program: pool.submit(check, options, cases) for program, cases in groups.items()}
        for program, job in jobs.items():
            results = job.result()
            bad = [result for result in results if result.problem]
            for result in bad:
                print(f"FAIL {program}.{full_name(result.case)} on {options.target}: "
                      f"{result.problem}", flush=True)
            good = [r for r in results if r.case.tolerance is not None and not r.problem]
            worst = max(good, key=lambda r: r.error, default=None)
            measured[program] = {"differ": len(bad), "error": round(worst.error, 1) if worst else 0,
                                 "worst": full_name(worst.case) if worst else ""}
            print(f"{'FAIL' if bad else 'PASS'} {program} on {options.target}: "
                  f"{len(results) - len(bad)} of {len(results)}"
                  f"; {measured[program]['error']} {measured[program]['worst']}", flush=True)
    return measured


def cases_measured(groups):
    return {"jax": jax.__version__,
            "left_out": [[list(kinds), programs, names, why]
                         for kinds, programs, names, why in op_cases.LEFT_OUT],
            "cases": {program: [[full_name(case), int(case.tolerance is None), int(case.special)]
                                for case in cases] for program, cases in groups.items()}}


def differences(old, new):
    """What a page says that is not so, or not any more: cases, and how many of them differ. Largest
    errors change with every JAX and compiler by a little."""
    wrong = [] if old["left_out"] == new["left_out"] else ["what is left out has changed"]
    wrong += [f"the cases of {program} have changed" for program in new["cases"]
              if old["cases"].get(program) != new["cases"][program]]
    wrong += [f"{program} is no more" for program in old["cases"] if program not in groups_of([])]
    for target, programs in new.get("targets", {}).items():
        for program, entry in programs.items():
            was = old["targets"].get(target, {}).get(program, {"differ": None})["differ"]
            if entry["differ"] != was:
                wrong.append(f"{program} on {target}: {entry['differ']} differ, not {was}")
    return wrong


def write_page(new):
    """With what was measured before of other programs and targets, where all cases are the same."""
    everything = cases_measured(groups_of([]))
    old = json.loads(against_jax.MEASURED.read_text()) if against_jax.MEASURED.exists() else {}
    kept = old.get("targets", {}) if old.get("cases") == everything["cases"] else {}
    everything["targets"] = {target: {**kept.get(target, {}), **new["targets"].get(target, {})}
                             for target in against_jax.NAMES}
    against_jax.MEASURED.write_text(against_jax.text_of(everything))
    against_jax.PAGE.write_text(against_jax.page(everything))


def check_page(new):
    wrong = differences(json.loads(against_jax.MEASURED.read_text()), new)
    for line in wrong:
        print(f"docs/against_jax.md: {line}: run scripts/compare_ops --write", file=sys.stderr)
    return int(bool(wrong))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--halyard", default=HERE.parent.parent / "build/release/bin/halyard")
    parser.add_argument("--target", default="x86")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only-target", action="store_true",
                        help="with --write and --check: --target alone")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--check-list", action="store_true")
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    groups = groups_of(options.programs)
    measured = cases_measured(groups)
    if options.check_list:
        return check_page(measured)
    if not groups:
        print("no such program", file=sys.stderr)
        return 1
    both = (options.write or options.check) and not options.only_target
    targets = against_jax.NAMES if both else [options.target]
    measured["targets"] = {}
    for options.target in targets:
        measured["targets"][options.target] = run_all(options, groups)
    differ = sum(e["differ"] for t in measured["targets"].values() for e in t.values())
    total = sum(map(len, groups.values()))
    print(f"{total} cases on {', '.join(targets)}; {differ} differ")
    if options.check:
        return check_page(measured) or int(differ > 0)
    if options.write:
        write_page(measured)
    return int(differ > 0)


if __name__ == "__main__":
    sys.exit(main())
