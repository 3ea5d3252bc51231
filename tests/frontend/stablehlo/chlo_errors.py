#!/usr/bin/env python3
"""Measures the errors of CHLO's functions against mpmath and writes the table into docs/numerics.md.

    chlo_errors.py --halyard=build/release/bin/halyard [--targets=x86,vulkan] [OP ...]

Needs numpy and mpmath. With ops named, prints their rows instead.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from mpmath import mp, mpc, mpf

ROOT = pathlib.Path(__file__).resolve().parents[3]
BEGIN, END = "<!-- chlo errors: begin -->\n", "<!-- chlo errors: end -->\n"
mp.prec = 160


def erf_inv(x):
    if abs(x) == 1:
        return mp.sign(x) * mp.inf
    if abs(x) < mpf("0.9"):
        return mp.erfinv(x)
    c, y = 1 - abs(x), mp.sqrt(-mp.log(1 - abs(x)))
    for _ in range(200):
        step = (mp.erfc(y) - c) * mp.sqrt(mp.pi) / 2 * mp.exp(y * y)
        y += max(min(step, mpf("0.25")), mpf("-0.25"))
        if abs(step) < mpf(2) ** -120:
            break
    return mp.sign(x) * y


def i1e(x):
    return mp.besseli(1, x) * mp.exp(-abs(x))


def lgamma(x):
    return mp.loggamma(x).real if x > 0 else mp.log(abs(mp.gamma(x))) if x > -150 else (
        mp.log(mp.pi / abs(x * mp.sin(mp.pi * x))) - mp.loggamma(-x).real)


def logarithmic(lo, hi, count, rng):
    return np.exp(rng.uniform(np.log(lo), np.log(hi), count))


def signed(values, rng):
    return values * rng.choice([-1.0, 1.0], values.shape)


def around(lo, hi, tiny=1e-30):
    """Half of the arguments evenly in [lo, hi], half of any size there."""
    def sample(count, rng):
        even = rng.uniform(lo, hi, count // 2)
        sizes = logarithmic(tiny, max(abs(lo), abs(hi)), count - count // 2, rng)
        sizes = signed(sizes, rng) if lo < 0 < hi else sizes * (1 if hi > 0 else -1)
        return np.concatenate([even, np.clip(sizes, lo, hi)])
    return sample


def near_one(count, rng):
    return 1 + logarithmic(1e-7, 1e30, count, rng)


def near_ends(count, rng):
    close = 1 - logarithmic(1e-16, 1, count // 2, rng)
    return signed(np.concatenate([close, rng.uniform(0, 1, count - count // 2)]), rng)


def between_poles(lo, hi):
    def sample(count, rng):
        return np.floor(rng.uniform(lo, hi, count)) + rng.uniform(0.02, 0.98, count)
    return sample


# name, what it says of the arguments, samples for each operand, function, scale below which errors are absolute
REAL = [
    ("acos", "[-1, 1]", [near_ends], mp.acos, 0),
    ("acosh", "[1, 1e30]", [near_one], mp.acosh, 0),
    ("asin", "[-1, 1]", [near_ends], mp.asin, 0),
    ("asinh", "all", [around(-1e30, 1e30)], mp.asinh, 0),
    ("atan", "all", [around(-1e3, 1e3)], mp.atan, 0),
    ("atanh", "(-1, 1)", [near_ends], mp.atanh, 0),
    ("bessel_i1e", "all", [around(-100, 100)], i1e, 0),
    ("cosh", "[-88, 88]", [around(-88, 88)], mp.cosh, 0),
    ("digamma", "(0, 1e10]", [around(1e-5, 40, 1e-10)], mp.digamma, 0),
    ("digamma", "(-100, 0), of max(1, value)", [between_poles(-100, 0)], mp.digamma, 1),
    ("erf", "all", [around(-6, 6)], mp.erf, 0),
    ("erf_inv", "(-1, 1)", [near_ends], erf_inv, 0),
    ("erfc", "[-6, 9]", [around(-6, 9)], mp.erfc, 0),
    ("lgamma", "(0, 1e30]", [around(1e-5, 60, 1e-30)], lgamma, 0),
    ("lgamma", "(-100, 0), of max(1, value)", [between_poles(-100, 0)], lgamma, 1),
    ("sinh", "[-88, 88]", [around(-88, 88)], mp.sinh, 0),
    ("tan", "all", [around(-1e4, 1e4)], mp.tan, 0),
    ("zeta", "x in (1, 20], q in (0, 20]", [around(1.05, 20, 1), around(1e-2, 20, 1e-2)], mp.zeta, 0),
    ("polygamma", "n in 1 … 10, x in (0, 50]",
     [lambda count, rng: np.floor(rng.uniform(1, 11, count)), around(0.05, 50, 1e-2)],
     lambda n, x: mp.psi(int(n), x), 0),
]
COMPLEX = [("acos", mp.acos), ("acosh", mp.acosh), ("asin", mp.asin), ("asinh", mp.asinh), ("atan", mp.atan),
           ("atanh", mp.atanh), ("cosh", mp.cosh), ("sinh", mp.sinh), ("square", lambda z: z * z)]
TYPES = {"f32": (np.float32, "f32", 24, -126), "f64": (np.float64, "f64", 53, -1022), "bf16": (None, "bf16", 8, -126),
         "f16": (np.float16, "f16", 11, -14)}


def to_bf16(values):
    bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def from_bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def run(halyard, target, program, arrays, kinds):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "p.mlir").write_text(program)
        stored = {}
        for i, (array, kind) in enumerate(zip(arrays, kinds)):
            stored[f"arg{i}"] = array
            if kind == "bf16":
                stored[f"arg{i}.dtype"] = np.array("bfloat16")
        np.savez(folder / "in.npz", **stored)
        command = [halyard, "run", folder / "p.mlir", f"--target={target}", f"--inputs={folder / 'in.npz'}",
                   f"--outputs={folder / 'out.npz'}"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        out = np.load(folder / "out.npz")
        return {name: out[name] for name in out.files}


def ulps(got, want, bits, smallest, scale):
    """|got - want| in units of the last place of want, or of `scale` where that is larger."""
    if mp.isnan(want):
        return 0.0 if np.isnan(got) else float("inf")
    size = max(abs(want), mpf(scale))
    if mp.isinf(want):
        return 0.0 if got == float(want) else float("inf")
    exponent = max(int(mp.floor(mp.log(size, 2))) if size else smallest, smallest)
    if not np.isfinite(got):
        return 0.0 if exponent >= -smallest + 1 else float("inf")
    return float(abs(mpf(float(got)) - want) / mpf(2) ** (exponent - bits + 1))


def measure_real(options, target, op, samples, function, scale, kind, count):
    dtype, mlir, bits, smallest = TYPES[kind]
    rng = np.random.default_rng(7)
    arrays = []
    for sample in samples:
        values = sample(count, rng)
        arrays.append(to_bf16(values) if kind == "bf16" else values.astype(dtype))
    n = len(arrays[0])
    tensor = f"tensor<{n}x{mlir}>"
    names = ", ".join(f"%x{i}" for i in range(len(arrays)))
    program = (f"func.func @main({', '.join(f'%x{i}: {tensor}' for i in range(len(arrays)))}) -> {tensor} {{\n"
               f"  %r = \"chlo.{op}\"({names}) : ({', '.join([tensor] * len(arrays))}) -> {tensor}\n"
               f"  return %r : {tensor}\n}}\n")
    out = run(options.halyard, target, program, arrays, [kind] * len(arrays))
    got = next(v for k, v in out.items() if not k.endswith(".dtype"))
    if kind == "bf16":
        got, arrays = from_bf16(got), [from_bf16(a) for a in arrays]
    largest = mpf(2) ** (-smallest + 1)
    worst, place = 0.0, None
    for i in range(n):
        point = [float(a[i]) for a in arrays]
        try:
            want = function(*[mpf(p) for p in point])
        except (ValueError, ZeroDivisionError):
            continue
        want = mp.nan if isinstance(want, mpc) and want.imag != 0 else mp.re(want)
        if not mp.isnan(want) and (abs(want) >= largest or abs(want) < mpf(2) ** smallest):
            continue  # over- and underflow: the device's denormals are its own
        error = ulps(float(got[i]), want, bits, smallest, scale)
        if error > worst:
            worst, place = error, point
    return worst, place


def measure_complex(options, target, op, function, kind, count):
    """In units of rounding of the modulus."""
    part, mlir, bits = {"c64": (np.float32, "complex<f32>", 24), "c128": (np.float64, "complex<f64>", 53)}[kind]
    rng = np.random.default_rng(11)
    sizes = lambda: signed(logarithmic(1e-4, 50, count, rng), rng).astype(part)
    re, im = sizes(), sizes()
    array = (re + 1j * im).astype(np.complex64 if kind == "c64" else np.complex128)
    tensor = f"tensor<{count}x{mlir}>"
    program = (f"func.func @main(%x: {tensor}) -> {tensor} {{\n  %r = \"chlo.{op}\"(%x) : ({tensor}) -> {tensor}\n"
               f"  return %r : {tensor}\n}}\n")
    out = run(options.halyard, target, program, [array], [kind])
    got = next(iter(out.values()))
    worst, place = 0.0, None
    for z, r in zip(array, got):
        want = function(mpc(float(z.real), float(z.imag)))
        error = float(abs(mpc(float(r.real), float(r.imag)) - want) / abs(want) * mpf(2) ** (bits - 1))
        if not error <= worst:
            worst, place = error, z
    return worst, place


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--halyard", required=True)
    parser.add_argument("--targets", default="x86,vulkan")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--kinds", default="f32,f64,bf16,f16,complex")
    parser.add_argument("--dry", action="store_true", help="print the table only")
    parser.add_argument("ops", nargs="*")
    options = parser.parse_args()
    targets, kinds = options.targets.split(","), options.kinds.split(",")
    lines = ["| op | arguments | " + " | ".join(f"{k} {t}" for k in ("f32", "f64") for t in targets) + " | bf16 | f16 |",
             "|---|---|" + "---|" * (2 * len(targets) + 2)]
    for op, domain, samples, function, scale in REAL:
        if options.ops and op not in options.ops:
            continue
        cells = []
        for kind in ("f32", "f64", "bf16", "f16"):
            for target in targets if kind in ("f32", "f64") else targets[:1]:
                if kind not in kinds:
                    cells.append("–")
                    continue
                worst, place = measure_real(options, target, op, samples, function, scale, kind, options.count)
                cells.append(f"{worst:.2f}")
                print(op, domain, kind, target, f"{worst:.3f} ulp at {place}", flush=True)
        lines.append(f"| {op} | {domain} | " + " | ".join(cells) + " |")
    if "complex" in kinds:
        lines += ["", "Complex numbers, parts of 1e-4 to 50, in ulp of the result's modulus:", "",
                  "| op | " + " | ".join(f"{k} {t}" for k in ("c64", "c128") for t in targets) + " |",
                  "|---|" + "---|" * (2 * len(targets))]
        for op, function in COMPLEX:
            if options.ops and op not in options.ops:
                continue
            cells = []
            for kind in ("c64", "c128"):
                for target in targets:
                    worst, place = measure_complex(options, target, op, function, kind, options.count)
                    cells.append(f"{worst:.2f}")
                    print(op, kind, target, f"{worst:.3f} at {place}", flush=True)
            lines.append(f"| {op} | " + " | ".join(cells) + " |")
    if options.dry or options.ops:
        print("\n".join(lines))
        return 0
    page = ROOT / "docs/numerics.md"
    before, rest = page.read_text().split(BEGIN)
    page.write_text(before + BEGIN + "\n".join(lines) + "\n" + END + rest.split(END)[1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
