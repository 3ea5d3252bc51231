"""The parts of scripts/gpu_check that say whether results are right."""
import concurrent.futures
import os
import re
import sys
import threading
import time

from gpu_check_core import ROOT, file_of, tests_of, tool
import gpu_check_core as core
from gpu_check_pack import SUITE
import sass_programs


def conformance(check, target):
    """tests/backend on the GPU itself ($HALYARD_TEST_GPU)."""
    start = time.monotonic()
    passed, failures = 0, []
    for program in SUITE:
        status, out = check.run([check.bin / program, "--gtest_filter=*" + (
            target if program == "backend_executable_test" else f"{target.capitalize()}*")], 90)
        ran, wrong = tests_of(program, out, status, may_skip=True)
        passed += ran
        failures += wrong
    check.part("conformance", target, passed, failures, start)


def programs(check, target):
    """tests/data/check: a function per op and kind of type, with the results that it must have."""
    start = time.monotonic()
    files = sorted((check.files / "tests/data/check").glob("*.mlir"))
    if check.options.rehearse:
        files = files[:6]
    passed, failures = 0, []
    with concurrent.futures.ThreadPoolExecutor(check.options.jobs) as pool:
        runs = pool.map(lambda f: (f, check.halyard("check", f, f"--target={target}")), files)
        for file, (status, out) in runs:
            passed += len(re.findall(r"^PASS ", out, re.M))
            failed = re.findall(r"^FAIL (.*)", out, re.M)
            failures += [f"{file.name}: {line}" for line in failed]
            if status != 0 and not failed:
                failures.append(f"{file.name}: {out[-300:]}")
    check.part("test programs", target, passed, failures, start)


# Families that compute nothing inexact: their results are the evaluator's, bit for bit.
EXACT = {"arg_max", "conv_s8", "data_movement", "gather", "gemm_s8", "integers", "max_pool",
         "max_pool_gradient", "sort", "sort_pairs", "top_k", "transpose", "transpose_4d",
         "update_slice"}


def tolerance_of(name, text):
    """Of a program's results, relative to the largest of each: by the type that they are rounded
    to, and what is computed in it (docs/numerics.md)."""
    if name in EXACT:
        return 0
    if name == "lstm":  # twenty steps, each of which enlarges the errors of the one before
        return 1e-2
    if "TF32_TF32_F32" in text or "tf32" in text:  # factors of 11 bits
        return 2**-9
    signature = re.search(r"func\.func public @main\((.*)", text).group(1)
    types = set(re.findall(r"tensor<(?:\d+x)*(\w+)", signature.rsplit("->", 1)[1]))
    inside = set(re.findall(r"-> tensor<(?:\d+x)*(bf16|f16)>", text))
    for kind in ("bf16", "f16"):
        if kind in types or kind in inside:
            return {"bf16": 4 * 2**-7, "f16": 4 * 2**-10}[kind]
    return 1e-12 if types == {"f64"} else 1e-4


def triangular_inputs(numpy, path):
    """A matrix whose inverse is about as large as itself: of one that is random throughout, it
    is beyond f32."""
    random = numpy.random.default_rng(1)
    matrix = random.uniform(-1, 1, (256, 256)) / 256 + numpy.eye(256)
    numpy.savez(path, arg0=matrix.astype("f4"),
                arg1=random.uniform(-1, 1, (256, 64)).astype("f4"))


INPUTS = {"triangular_solve": triangular_inputs}  # of families; others have random ones


def inputs_of(check, name):
    """The option that gives a family its inputs, or None where they cannot be made."""
    if name not in INPUTS:
        return "--random-inputs=1"
    try:
        import numpy
    except ImportError:
        return None
    path = check.work / f"{name}.npz"
    INPUTS[name](numpy, path)
    return f"--inputs={path}"


def families(check, target):
    start = time.monotonic()
    files = sorted((check.files / "tests/data/families").glob("*.mlir"))
    if check.options.rehearse:
        few = ("arg_max", "gather", "update_slice", "cumulative_sum", "triangular_solve")
        files = [f for f in files if f.stem in few]
    passed, failures = 0, []

    def one(file):
        inputs = inputs_of(check, file.stem)
        if inputs is None:
            return file, None, "Python has no numpy"
        tolerance = tolerance_of(file.stem, file.read_text())
        return (file, *check.halyard("run", file, f"--target={target}", inputs,
                                     "--compare=reference", f"--of-largest={tolerance}", limit=150))

    with concurrent.futures.ThreadPoolExecutor(check.options.jobs) as pool:
        for file, status, out in pool.map(one, files):
            if status == 0:
                passed += 1
            elif status is None:
                check.skip(f"{file.stem} on {target}", out)
            elif "does not have f64" in out:
                check.skip(f"{file.stem} on {target}", "the device has no f64")
            else:
                failures.append(f"{file.stem}: {out[-300:]}")
    check.part("families beside the evaluator", target, passed, failures, start)


def examples(check, target):
    start = time.monotonic()
    try:
        import numpy  # noqa: F401
    except ImportError:
        check.skip(f"example models on {target}", "Python has no numpy")
        return
    failures = []
    command = check.bin / "halyard"
    if check.device:
        command = check.work / "halyard"
        command.write_text(f'#!/bin/sh\nexec "{check.bin}/halyard" --device={check.device} "$@"\n')
        command.chmod(0o755)
    commands = {
        "digits": ["examples/digits/demo.py", f"--targets={target}"],
        "transformer": ["examples/transformer/check.py", f"--target={target}"],
    }
    for name, (script, *arguments) in commands.items():
        status, out = check.run([sys.executable, check.files / script,
                                 f"--halyard={command}", *arguments])
        if status != 0:
            failures.append(f"{name}: {out[-300:]}")
    check.part("example models", target, len(commands) - len(failures), failures, start)


def random_programs(check, target):
    """Programs made at random beside the evaluator, each process others."""
    start = time.monotonic()
    each = 2 if check.options.rehearse else 30
    processes = 1 if check.options.rehearse else max(1, min(7, (os.cpu_count() or 2) // 2))
    first = 15000 if check.options.rehearse else int(time.time()) % 10**6 * 10

    def one(number):
        seed = first + 1000 * number
        return seed, check.run([check.bin / "programs_differential_test",
                                f"--gtest_filter=*/{target}"], 150,
                               {"HALYARD_RANDOM_PROGRAMS": str(each),
                                "HALYARD_RANDOM_SEED": str(seed)})

    passed, failures = 0, []
    with concurrent.futures.ThreadPoolExecutor(processes) as pool:
        for seed, (status, out) in pool.map(one, range(processes)):
            ran, wrong = tests_of(f"HALYARD_RANDOM_SEED={seed} programs_differential_test", out,
                                  status)
            passed += ran * each
            failures += wrong
    check.part("random programs beside the evaluator", target, passed, failures, start)


def test_part(part, program, limit=150):
    """A part that is a test program's cases of the target."""
    def run(check, target):
        start = time.monotonic()
        few = {"HALYARD_RANDOM_PROGRAMS": "3"} if check.options.rehearse else None
        status, out = check.run([check.bin / program, f"--gtest_filter=*/{target}"], limit, few)
        passed, failures = tests_of(program, out, status)
        check.part(part, target, passed, failures, start)
    run.__name__ = part
    return run


stored_xla = test_part("stored XLA programs", "beside_xla_test")
metamorphic = test_part("programs rewritten in ways that change nothing",
                        "programs_metamorphic_test")
special_values = test_part("special values", "programs_special_values_test")

# Attention, products of every type, and what synchronises or goes through memory in its own way.
SANITIZED = ("bf16 4096^3 NN", "s8 4096^3 NN", "f8 4096^3 NN", "f32 4096^3 NN",
             "bf16 256x256x65536 NT", "bf16 16x4096^2 NN", "f16 conv 14x14, 256 to 256, 3x3",
             "attention 16x2048x128", "attention 16x2048x128, causal", "attention 16x16x8192x128",
             "softmax 8192x4096", "scatter-add 10^6 scalars")
CLEAN = {"memcheck": "ERROR SUMMARY: 0 errors", "racecheck": "RACECHECK SUMMARY: 0 hazards"}


def sanitized(check, target):
    """compute-sanitizer on programs of small sizes."""
    command = tool("compute-sanitizer")
    if target != "cuda" or command is None:
        check.skip(f"compute-sanitizer on {target}", "it is NVIDIA's" if target != "cuda"
                   else "compute-sanitizer is not here")
        return
    start = time.monotonic()
    by_name = {p.name: p.text for p in sass_programs.programs(reduced=True)}

    def one(job):
        name, kind = job
        file = file_of(check, f"sanitized {name}", by_name[name])
        line = [command, f"--tool={kind}", "--print-limit=5", check.bin / "halyard",
                f"--device={check.device}", "run", file, f"--target={target}",
                "--random-inputs=1", "--no-libraries", "--no-tuning"]
        result = check.run(line, 100)
        # The tool lost its program's exit status, 3 times of 24 beside other work (2025.3).
        if "couldn't find exit code" in result[1]:
            result = check.run(line, 100)
        return job, result

    passed, failures = 0, []
    jobs = [(name, kind) for kind in CLEAN for name in SANITIZED]
    with concurrent.futures.ThreadPoolExecutor(check.options.jobs) as pool:
        for (name, kind), (status, out) in pool.map(one, jobs):
            if status == 0 and CLEAN[kind] in out:
                passed += 1
            else:
                said = re.findall(r"^=========(?! +Host Frame| *$) *(.*)", out, re.M)[1:6]
                failures.append(f"{kind} {name}: status {status}: {'; '.join(said) or out[-300:]}")
    check.part("compute-sanitizer", target, passed, failures, start)


NO_JAX = 77  # scripts/gpu_check_jax.py: there is no JAX


def jax(check, target):
    """JAX through the plugin, where this Python has it."""
    start = time.monotonic()
    status, out = check.run(
        [sys.executable, ROOT / "scripts/gpu_check_jax.py"], 120,
        {"PYTHONPATH": str(check.files / "python"), "JAX_PLATFORMS": "halyard",
         "HALYARD_TARGET": target,
         "HALYARD_LIBRARY": str(check.bin.parent / "lib/libhalyard.so")})
    if status == NO_JAX:
        check.skip(f"JAX on {target}", out.strip()[-200:])
        return
    passed = len(re.findall(r"^PASS ", out, re.M))
    failures = re.findall(r"^FAIL (.*)", out, re.M)
    if status != 0 and not failures:
        failures.append(out[-600:])
    check.part("JAX through the plugin", target, passed, failures, start)


def run_part(check, part, target, least=None):
    """One part; what goes wrong in it costs no other."""
    if check.left() < (core.LEAST_S if least is None else least):
        check.skip(f"{part.__name__} on {target}", f"{core.LIMIT_S} s were over")
        return
    start = time.monotonic()
    try:
        part(check, target)
    except (OSError, ValueError, KeyError, IndexError, AttributeError, TypeError) as error:
        # A full disk, or output that is none: a program that was stopped.
        check.part(part.__name__, target, 0, [f"{type(error).__name__}: {error}"], start)


def together(check, parts, target):
    """Parts that need processors rather than the GPU, at a time; nothing is timed meanwhile."""
    check.slots = threading.BoundedSemaphore(max(2, check.options.slots))
    try:
        with concurrent.futures.ThreadPoolExecutor(len(parts)) as pool:
            list(pool.map(lambda part: run_part(check, part, target), parts))
    finally:
        check.slots = None
