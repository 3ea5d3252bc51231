"""What NVIDIA's `ncu` counts of kernels, for scripts/gpu_check."""
import csv
import io
import lzma
import re
import time

from gpu_check_core import file_of, tool
import sass_programs

PROFILED = ("bf16 4096^3 NN", "attention 16x2048x128", "f16 conv 28x28, 128 to 128, 3x3",
            "f32 4096^3 NN")
# Lines of `--page details` by section, metric and unit, and what they are called here.
METRICS = {"Duration": "duration", "DRAM Throughput": "DRAM %", "L2 Cache Throughput": "L2 %",
           "L1/TEX Cache Throughput": "L1 %", "SM Busy": "SM busy %",
           "Issue Slots Busy": "issue slots %", "L2 Hit Rate": "L2 hits %",
           "Achieved Occupancy": "occupancy %", "Registers Per Thread": "registers",
           "Dynamic Shared Memory Per Block": "shared memory of a group", "Grid Size": "groups",
           "Waves Per SM": "waves"}


def counters(text):
    """{name: value with its unit} of what `ncu --page details` prints of one kernel."""
    found = {}
    for line in text.splitlines():
        match = re.match(r"^\s{4}(\S.*?)\s{2,}(?:(\S+)\s+)?([\d,.]+)\s*$", line)
        if match and match.group(1) in METRICS:
            unit = match.group(2) or ""
            name = METRICS[match.group(1)]
            plain = unit in ("", "%") or "/thread" in unit
            found.setdefault(name, match.group(3) + ("" if plain else f" {unit}"))
    words = " ".join(text.split())
    pipe = re.search(r"INF (\S[^.]*?) is the (?:highest-utilized|over-utilized) pipeline "
                     r"\(([\d.]+)%\)", words)
    if pipe:
        inner = re.search(r"dominated by its (.{1,40}?) sub-pipeline", words)
        found["pipe %"] = f"{pipe.group(2)} ({inner.group(1) if inner else pipe.group(1)})"
    for what in ("global", "shared"):
        much = re.search(rf"uncoalesced {what} accesses resulting in a total of \d+ excessive "
                         r"\S+ \((\d+)% of", words)
        found[f"excessive {what} %"] = much.group(1) if much else "0"
    return found


def stalls(text):
    """The five commonest reasons for which warps wait, in percent of all samples, from what `ncu
    --page source --csv` prints."""
    rows = list(csv.reader(io.StringIO(text)))
    head = next((i for i, row in enumerate(rows) if "Address" in row and "Source" in row), None)
    if head is None:
        return {}
    names, sums = rows[head], {}
    for row in rows[head + 1:]:
        for name, value in zip(names, row):
            if name.startswith("stall_") and "(" not in name and value.isdigit():
                sums[name[6:]] = sums.get(name[6:], 0) + int(value)
    total = sum(sums.values())
    top = sorted(sums.items(), key=lambda item: -item[1])[:5]
    return {name: round(100 * count / total) for name, count in top if count} if total else {}


def counted(check, target):
    """ncu on a launch of each of four kernels."""
    ncu = tool("ncu")
    if target != "cuda" or ncu is None:
        check.skip(f"counters on {target}", "they are NVIDIA's" if target != "cuda"
                   else "ncu is not here")
        return
    start = time.monotonic()
    by_name = {p.name: p.text for p in sass_programs.programs()}
    failures, texts, passed = [], [], 0
    for number, name in enumerate(PROFILED):
        if check.left() < 90:
            check.skip(f"counters of {name}", "the time was over")
            continue
        report = check.work / f"ncu{number}"
        status, out = check.run(
            [ncu, "--clock-control", "none", "--set", "full", "--launch-skip", "1",
             "--launch-count", "1", "-f", "-o", report, check.bin / "halyard",
             f"--device={check.device}", "run", file_of(check, name, by_name[name]),
             f"--target={target}", "--random-inputs=1", "--repeat=3", "--no-tuning",
             "--no-libraries"], 60)
        report = report.with_suffix(".ncu-rep")
        if status != 0 or not report.exists():
            failures.append(f"{name}: status {status}: {out.strip()[-300:]}")
            continue
        details = check.run([ncu, "-i", report, "--page", "details"], 30)[1]
        source = check.run([ncu, "-i", report, "--page", "source", "--csv"], 30)[1]
        row = {"program": name, **counters(details), "stalls": stalls(source)}
        if "duration" not in row:
            failures.append(f"{name}: ncu says {details.strip()[-300:]}")
            continue
        passed += 1
        texts += [f"===== {name}\n", details, source]
        check.profiles.append(row)
        check.keep(row)
        try:  # all of it, for whoever wants to look closer
            whole = check.out / "gpu_check-ncu.txt.xz"
            whole.write_bytes(lzma.compress("".join(texts).encode(), preset=6))
        except OSError as error:
            check.skip("keeping ncu's whole output", str(error))
    check.part("counters of kernels", target, passed, failures, start)
