"""The parts of scripts/gpu_check that time programs, and count what their kernels do."""
import concurrent.futures
import json
import os
import re
import sys
import time

from gpu_check_core import MOST_HUNG, ROOT, file_of, profile, rounded, say
from gpu_programs import attention_text, chain_text, memory_programs, product_text
import sass_programs

REAL_S = 150  # for the programs of real sizes; those after it are left out
# Dense peaks by NVIDIA's data sheets, in TFLOPS; of memory-bound programs, the measured bandwidth
# of a copy is the peak.
PEAKS = {
    "H100": {"bf16": 989, "f16": 989, "i8": 1979, "f8E4M3FN": 1979, "tf32": 494.7, "f32": 67},
    "H200": {"bf16": 989, "f16": 989, "i8": 1979, "f8E4M3FN": 1979, "tf32": 494.7, "f32": 67},
    "A100": {"bf16": 312, "f16": 312, "i8": 624, "tf32": 156, "f32": 19.5},
    "RTX 4090": {"bf16": 165.2, "f16": 165.2, "i8": 660.6, "f8E4M3FN": 330.3, "tf32": 82.6,
                 "f32": 82.6},
}
OWN = ("--no-libraries", "--no-tuning")
DEFAULT = ("--no-tuning",)
# Programs of the rehearsal.
FEW = ("bf16 4096^3 NN", "f32 4096^3 NT", "f16 conv 14x14, 256 to 256, 3x3",
       "attention 16x2048x128", "softmax 8192x4096", "transpose f32 8192^2")


def flops_of(spec):
    """Floating-point or integer operations of a product, convolution or attention; else 0."""
    if spec["op"] == "product":
        return 2 * max(1, spec["batch"]) * spec["m"] * spec["n"] * spec["k"]
    if spec["op"] == "convolution":
        places = spec["batch"] * (spec["size"] // spec["stride"]) ** 2
        return 2 * places * spec["channels"] * spec["features"] * spec["window"] ** 2
    if spec["op"] in ("attention", "attention step"):
        pairs = spec["queries"] * spec["keys"]
        products = 2 if spec["op"] == "attention" else 7  # with gradients, each computed once
        return 2 * products * spec["heads"] * spec["width"] * (pairs // 2 if spec["causal"] else pairs)
    return 0


def bytes_of(program):
    """Bytes that a program bound by memory has to move; else 0."""
    spec = program.spec
    if spec["op"] == "attention":  # of few queries: keys and values
        return 4 * spec["heads"] * spec["keys"] * spec["width"] if program.streams else 0
    return program.arrays if program.streams else spec.get("bytes", 0)


def share_of_peak(program, ms, device, copy_gb_per_s):
    """(value, unit, share of what the device can do, or None)."""
    moved, flops = bytes_of(program), flops_of(program.spec)
    if moved:
        rate = moved / ms / 1e6
        return rate, "GB/s", rate / copy_gb_per_s if copy_gb_per_s else None
    if not flops:
        return 1 / ms, "1/ms", None
    rate = flops / ms / 1e9
    peaks = next((peaks for name, peaks in PEAKS.items() if name in device), {})
    peak = peaks.get(program.spec["kind"])
    return rate, "TFLOP/s", rate / peak if peak else None


def schedules(check, name, text, target, *arguments):
    """What `halyard show` says of each kernel, as a list of (kernel, schedule)."""
    status, out = check.halyard("show", file_of(check, name, text), f"--target={target}",
                                "--stage=schedule", *arguments, limit=60)
    # Not what it says meanwhile, as in "compiling FILE: ...".
    kernels = r"^([\w.-]+(?: \([^:()]*\))?): (.+)$"
    return re.findall(kernels, out, re.M) if status == 0 else []


def library_files(check, program, target):
    """{variant: (name, text, schedules that have the library compute it)}."""
    if target != "cuda" or program.spec["op"] not in ("product", "convolution"):
        return {}
    name, text, variants = program.name, program.text, {"library": ""}
    if program.spec["op"] == "convolution":  # in the order of weights that cuDNN takes
        spec = {k: v for k, v in program.spec.items() if k != "op"}
        name += " o01i"
        text = sass_programs.convolution(name, weights="o01i", **spec).text
        variants = {f"library algorithm={a}": f" algorithm={a}" for a in (0, 1)}
    kernels = [kernel for kernel, _ in schedules(check, name, text, target, *DEFAULT)]
    files = {}
    for variant, options in variants.items():
        path = check.work / f"{re.sub('[^a-z0-9]+', '_', (name + variant).lower())}.txt"
        path.write_text("".join(f"{kernel}: library{options}\n" for kernel in kernels))
        files[variant] = (name, text, path)
    return files if kernels else {}


def prepare(check, program, target):
    """Compiles all variants of a program, so that their times are all that is left to do. Returns
    {variant: (name, text, arguments)}: the own kernels, the default where it differs, and libraries
    where they take it; whether the default is a library; and why libraries do not take it."""
    variants = {"own": (program.name, program.text, OWN)}
    own = schedules(check, program.name, program.text, target, *OWN)
    default = schedules(check, program.name, program.text, target, *DEFAULT)
    if own != default:
        variants["default"] = (program.name, program.text, DEFAULT)
    by_library = bool(default) and all(s.startswith("library") for _, s in default)
    if not by_library:
        for variant, (name, text, path) in library_files(check, program, target).items():
            variants[variant] = (name, text, (*DEFAULT, f"--schedules={path}"))
    refused = []
    if target == "cuda":
        for variant, (name, text, arguments) in list(variants.items()):
            errors = refused if variant.startswith("library") else []
            table = profile(check, name, text, target, *arguments, repeat=1, errors=errors)
            if table is None and errors is refused:
                del variants[variant]
    return variants, by_library, refused


def real_programs(check, target):
    """Every program of real size: own kernels, as it runs by default, and by a library."""
    start = time.monotonic()
    rehearse = check.options.rehearse
    check.failures = []
    all_programs = [p for p in sass_programs.programs(reduced=rehearse)
                    if not rehearse or p.name in FEW]
    all_programs.sort(key=lambda p: "TN" in p.name)  # last, if the time is over
    with concurrent.futures.ThreadPoolExecutor(check.options.slots) as pool:
        prepared = list(pool.map(lambda p: prepare(check, p, target), all_programs))
    say(f"compiled for {target}: {time.monotonic() - start:.0f} s")
    theirs = torch_times(check, all_programs, target)
    passed = 0
    began = time.monotonic()
    for number, (program, prepared_of) in enumerate(zip(all_programs, prepared)):
        variants, by_library, refused = prepared_of
        if time.monotonic() - began > REAL_S or check.left() < 60:
            check.skip(f"{len(all_programs) - number} programs on {target} from {program.name} on",
                       "the time for it was over")
            break
        tables = {variant: profile(check, name, text, target, *arguments,
                                   repeat=3 if rehearse else 20)
                  for variant, (name, text, arguments) in variants.items()}
        if tables["own"] is not None:
            add_real(check, program, target, tables, by_library, theirs.get(program.name, {}),
                     refused)
            passed += 1
    check.part("speed of real sizes", target, passed, check.failures, start)


def add_real(check, program, target, tables, by_library, theirs, refused=()):
    times = {variant: table["steps_ms"] for variant, table in tables.items() if table}
    own = times["own"]
    value, unit, share = share_of_peak(program, own, tables["own"]["device"],
                                       tables["own"].get("copy_gb_per_s"))
    default = times.get("default", own)
    library = min((ms for variant, ms in times.items() if variant.startswith("library")),
                  default=default if by_library else None)
    row = {"program": program.name, "target": target, "real": True, "ms": round(own, 4),
           "value": round(value, 1), "unit": unit, "share": rounded(share, 3),
           "default_ms": round(default, 4), "library_ms": rounded(library, 4),
           "torch_ms": rounded(theirs.get("ms"), 4)}
    if refused and library is None:
        row["library_error"] = refused[-1][-200:]
    if "error" in theirs:
        row["torch_error"] = theirs["error"]
    row["times_ms"] = {variant: round(ms, 4) for variant, ms in times.items()}
    check.speed.append(row)
    check.keep(row)
    best = min(own, library or own)
    if "4096^3" in program.name and not check.options.rehearse and best < 0.97 * default:
        check.failures.append(
            f"{program.name}: {default:.4f} ms by default, {best:.4f} ms otherwise")


def torch_times(check, all_programs, target):
    """{name: {"ms": ...} or {"error": ...}} by PyTorch, where this Python has it."""
    if target != "cuda":
        return {}
    specs = check.work / "specs.json"
    specs.write_text(json.dumps({p.name: p.spec for p in all_programs}))
    # With its own libraries, not those that are packed.
    status, out = check.run([sys.executable, ROOT / "scripts/gpu_check_torch.py", specs], 75,
                            {"LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", "")})
    rows = [json.loads(line) for line in out.splitlines() if line.startswith('{"name"')]
    if not rows:
        check.skip("PyTorch", f"status {status}: {out.strip()[-200:]}")
    say(f"PyTorch: {sum('ms' in row for row in rows)} of {len(all_programs)} timed")
    return {row.pop("name"): row for row in rows}


def add_speed(check, name, target, ms, value, unit, peer=None, peer_name="", wanted=None):
    row = {"program": name, "target": target, "ms": round(ms, 4), "value": round(value, 1),
           "unit": unit}
    if peer:
        row.update(ratio=round(value / peer, 3), beside=peer_name)
        if wanted:
            row["wanted"] = wanted
            if row["ratio"] < wanted:
                check.failures.append(f"{name}: {row['ratio']} of {peer_name}; {wanted} is wanted")
    check.speed.append(row)
    check.keep(row)


def speed(check, target):
    """Memory-bound programs beside a copy, fused attention beside unfused, and a launch."""
    start = time.monotonic()
    before = len(check.speed)
    rehearse = check.options.rehearse
    check.failures = []
    bodies, t = memory_programs(256 if rehearse else 65536)
    elements = int(t.split("<")[1].split("x")[0]) * 1024
    for name, (result, body) in bodies.items():
        text = f"func.func @main(%a: {t}) -> {result} {{\n{body}}}\n"
        table = profile(check, name, text, target)
        if table is None:
            continue
        moved = 4 * elements * (1 if name == "reduce rows" else 2)
        rate = moved / table["steps_ms"] / 1e6
        add_speed(check, name, target, table["steps_ms"], rate, "GB/s",
                  table["copy_gb_per_s"], "copy bandwidth")
    text = attention_text(*((64, 16, 2) if rehearse else (2048, 128)))
    fused = profile(check, "attention", text, target)
    unfused = profile(check, "attention unfused", text, target, "--no-attention")
    if fused and unfused:
        add_speed(check, "attention bf16", target, fused["steps_ms"], 1 / fused["steps_ms"],
                  "1/ms", 1 / unfused["steps_ms"], "unfused")
    launches(check, target)
    check.part("speed", target, len(check.speed) - before, check.failures, start)


def launches(check, target):
    """What one more kernel costs under replay: a program of 100 kernels less one of 1."""
    times = []
    if check.hung >= MOST_HUNG:
        check.failures.append("launches: not run, as programs before it hung")
        return
    for kernels in (1, 101):
        file = file_of(check, f"chain{kernels}", chain_text(kernels))
        out = check.work / "bench.json"
        if out.exists():
            out.unlink()
        status, said = check.halyard("bench", file, f"--target={target}", "--random-inputs=1",
                                     "--no-fuse", f"--json={out}", limit=50)
        if status != 0:
            check.failures.append(f"launches: {said.strip()[-300:]}")
            return
        times.append(json.loads(out.read_text().splitlines()[-1])["median_ms"])
    check.speed.append({"program": "a kernel more of 100", "target": target,
                        "ms": round(times[1], 4), "value": round((times[1] - times[0]) * 10, 3),
                        "unit": "µs"})
    check.keep(check.speed[-1])


def by_library(check, name, text, target):
    """Milliseconds that cuBLASLt takes for the program, or None."""
    if target != "cuda":
        return None
    if "cublaslt" not in check.libraries:
        check.skip(f"cuBLASLt beside {name}", "the device's machine does not have it")
        return None
    path = check.work / "library.txt"
    path.write_text("".join(f"{kernel}: library\n"
                            for kernel, _ in schedules(check, name, text, target, *DEFAULT)))
    theirs = profile(check, name, text, target, *DEFAULT, f"--schedules={path}")
    return theirs and theirs["steps_ms"]


def tuning(check, target):
    """A product before and after a short run of `halyard tune`, beside cuBLASLt."""
    start = time.monotonic()
    before = len(check.speed)
    check.failures = []
    if check.hung >= MOST_HUNG:
        check.skip(f"tuning on {target}", "programs before it hung")
        return
    n = 256 if check.options.rehearse else 2048
    name, text = f"gemm f32 {n}", product_text(n, "f32", "f32")
    file, database = file_of(check, "tuned", text), f"--db={check.work / 'tuning.sqlite'}"
    default = profile(check, name, text, target, *OWN)
    seconds = 6 if check.options.rehearse else max(20, min(60, check.left() - 45))
    status, out = check.halyard("tune", file, f"--target={target}", f"--minutes={seconds / 60:.2f}",
                                "--no-libraries", "--no-program", "--no-report", database,
                                limit=seconds + 40)
    say("tune: " + "; ".join(re.findall(r"\d+ trials in .*", out)[:1] or [out.strip()[-200:]]))
    tuned = None
    if status != 0:
        check.failures.append(f"tune: {out[-500:]}")
    else:
        tuned = profile(check, name, text, target, "--no-libraries", database)
        # Clocks and other load may have changed meanwhile: the better of before and after.
        again = profile(check, name, text, target, *OWN)
        default = min((t for t in (default, again) if t), key=lambda t: t["steps_ms"], default=None)
    theirs = by_library(check, name, text, target)
    work = 2 * n ** 3 / 1e9
    for label, table, wanted in (("before tuning", default, None), ("tuned", tuned, 0.9)):
        if table is not None:
            add_speed(check, f"{name}, {label}", target, table["steps_ms"],
                      work / table["steps_ms"], "TFLOP/s", theirs and work / theirs, "cuBLASLt",
                      wanted=wanted)
    check.part("short tuning run", target, len(check.speed) - before, check.failures, start)
