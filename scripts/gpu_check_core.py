"""What all parts of scripts/gpu_check share: the run, its time, its results and its tools."""
import contextlib
import json
import os
import pathlib
import re
import shutil
import sys
import threading
import time

import supervised

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT_S = 480
LEAST_S = 20  # no part is begun with less time left


def say(text):
    supervised.tell(f"gpu_check: {text}")


class Check:
    """What is run, what came of it, and how much time is left."""

    def __init__(self, options, binaries, environment):
        self.options = options
        self.bin = binaries
        self.files = ROOT  # with what is read of the repository; elsewhere what was packed of it
        self.environment = environment
        self.start = time.monotonic()
        self.supervisor = supervised.Supervisor()
        self.facts = {}
        self.journal = None  # none: nothing is written
        self.parts = []  # {part, target, passed, failed, seconds, failures}
        self.speed = []  # rows of the table
        self.profiles = []  # of kernels: {program, ...counters}
        self.skipped = []  # {what, why}
        self.failures = []  # of the part that times now, where it is made of several functions
        self.hung = 0  # programs that were stopped, one after the other, where times are measured
        self.device = 0  # of several of the target
        self.libraries = ""  # those of NVIDIA that the device has
        self.slots = None  # how many commands may run at a time; none: any number
        self.lock = threading.RLock()
        self.work = supervised.work_folder("halyard-gpu-check-")

    @property
    def out(self):
        """The folder that results go to."""
        return self.journal.path.parent if self.journal is not None else self.work

    def left(self):
        return LIMIT_S - (time.monotonic() - self.start)

    def run(self, command, limit=120, more=None):
        """(exit status, output); 124 where the time was over. Nothing is started once it is.
        `more`: variables of the environment."""
        with self.slots or contextlib.nullcontext():
            if self.left() < 1:
                return 124, f"not started: {LIMIT_S} s were over"
            environment = dict(self.environment, **more) if more else self.environment
            return self.supervisor.run(command, max(1, min(limit, self.left())), ROOT, environment)

    def keep(self, event=None):
        """Writes what there is so far; then `event`, a dictionary, also to standard output."""
        if self.journal is not None:
            with self.lock:
                self.journal.write(
                    {"gpu": self.facts, "seconds": round(time.monotonic() - self.start, 1),
                     "parts": self.parts, "speed": self.speed, "profiles": self.profiles,
                     "not_run": self.skipped, "left_behind": self.supervisor.left_behind},
                    {".md": table_of(self, self.facts)})
        if event is not None:
            supervised.tell(json.dumps(event), sys.stdout)

    def halyard(self, *arguments, limit=120):
        return self.run([self.bin / "halyard", f"--device={self.device}", *arguments], limit)

    def part(self, name, target, passed, failures, start):
        seconds = round(time.monotonic() - start, 1)
        if passed == 0 and not failures:
            failures = ["nothing was run"]
        row = {"part": name, "target": target, "passed": passed, "failed": len(failures),
               "seconds": seconds, "failures": failures[:50]}
        with self.lock:
            self.parts.append(row)
        self.keep({k: v for k, v in row.items() if k != "failures"})
        say(f"{name} on {target}: {passed} passed, {len(failures)} failed, {seconds} s")

    def skip(self, what, why):
        with self.lock:
            self.skipped.append({"what": what, "why": why})
        self.keep()
        say(f"{what}: not run: {why}")


def file_of(check, name, text):
    """Writes a program; names of programs give different files."""
    path = check.work / f"{re.sub('[^a-z0-9]+', '_', name.lower())}.mlir"
    path.write_text(text)
    return path


MOST_HUNG = 3  # in a row: then the device itself is taken to hang


def profile(check, name, text, target, *arguments, repeat=20, limit=50, errors=None):
    """The kernels' table of a program, or None; then `errors` (the part's, if None) say why."""
    errors = check.failures if errors is None else errors
    if check.hung >= MOST_HUNG:
        errors.append(f"{name}: not run, as {check.hung} programs before it hung")
        return None
    file = file_of(check, name, text)
    out = check.work / f"profile{threading.get_ident()}.json"
    with contextlib.suppress(OSError):
        out.unlink()
    status, said = check.halyard("run", file, f"--target={target}", "--random-inputs=1",
                                 f"--repeat={repeat}", f"--profile-json={out}", *arguments,
                                 limit=limit)
    check.hung = check.hung + 1 if status == 124 else 0
    if status != 0 or not out.exists():
        errors.append(f"{name}: {said.strip()[-300:]}")
        return None
    return json.loads(out.read_text())


def tool(name):
    """Path of one of NVIDIA's tools, or None."""
    return shutil.which(name) or shutil.which(f"/usr/local/cuda/bin/{name}")


def rounded(value, digits):
    return None if value is None else round(value, digits)


def cell(value, percent=False):
    if value is None:
        return ""
    return f"{100 * value:.0f} %" if percent else str(value)


def real_table(rows):
    lines = ["",
             "| program | target | own ms | rate | share | default ms | library ms | torch ms |",
             "|---|---|---|---|---|---|---|---|"]
    return lines + [
        f"| {r['program']} | {r['target']} | {r['ms']} | {r['value']} {r['unit']} | "
        f"{cell(r.get('share'), True)} | {cell(r.get('default_ms'))} | "
        f"{cell(r.get('library_ms'))} | {cell(r.get('torch_ms'))} |" for r in rows]


def profile_table(rows):
    names = sorted({name for row in rows for name in row if name not in ("program", "stalls")})
    lines = ["", "| counter | " + " | ".join(row["program"] for row in rows) + " |",
             "|---|" + "---|" * len(rows)]
    lines += [f"| {name} | " + " | ".join(str(row.get(name, "")) for row in rows) + " |"
              for name in names]
    stalls = (", ".join(f"{k} {v} %" for k, v in row.get("stalls", {}).items()) for row in rows)
    return lines + ["| stalls | " + " | ".join(stalls) + " |"]


def table_of(check, facts):
    lines = [f"# gpu_check: {facts.get('name', 'no NVIDIA GPU')}", ""]
    if "driver_version" in facts:
        lines += [f"Driver {facts['driver_version']}; SM clock {facts['clocks.sm']} (at most "
                  f"{facts['clocks.max.sm']}), memory clock {facts['clocks.mem']}, "
                  f"{facts['memory.total']}, power limit {facts['power.limit']}; ptxas: "
                  f"{facts['ptxas']}.", ""]
    lines += ["| part | target | passed | failed | seconds |", "|---|---|---|---|---|"]
    lines += [f"| {p['part']} | {p['target']} | {p['passed']} | {p['failed']} | {p['seconds']} |"
              for p in check.parts]
    real = [r for r in check.speed if r.get("real")]
    if real:
        lines += real_table(real)
    lines += ["", "| program | target | ms | | ratio | beside | wanted |",
              "|---|---|---|---|---|---|---|"]
    lines += [f"| {r['program']} | {r['target']} | {r['ms']} | {r['value']} {r['unit']} | "
              f"{r.get('ratio', '')} | {r.get('beside', '')} | {r.get('wanted', '')} |"
              for r in check.speed if not r.get("real")]
    if check.profiles:
        lines += profile_table(check.profiles)
    lines += ["", *(f"Not run: {s['what']}: {s['why']}" for s in check.skipped)]
    for p in check.parts:
        lines += [f"FAILED {p['part']} on {p['target']}: {f}" for f in p["failures"]]
    return "\n".join(lines) + "\n"


def tests_of(program, out, status, may_skip=False):
    """(passed, failures) of what a program of GoogleTest printed. `may_skip`: cases that say
    what the device lacks are no failures."""
    passed = len(re.findall(r"^\[       OK \]", out, re.M))
    failed = set(re.findall(r"^\[  FAILED  \] (\S+?),? (?:where|\()", out, re.M))
    failures = [f"{program}: {name}: {first_failure(out)}" for name in sorted(failed)]
    if status == 0 and not re.search(r"^\[ RUN      \]", out, re.M):
        failures.append(f"{program}: no such test")
    if status != 0 and not failed:
        failures.append(f"{program}: status {status}: {out[-500:]}")
    skipped = [] if may_skip else re.findall(r"^\[  SKIPPED \] (\S+\.\S+)", out, re.M)
    return passed, failures + [f"{program}: {name} was skipped" for name in sorted(set(skipped))]


def first_failure(out):
    found = re.search(r"Failure\n(.*?)(?=\n\[|\Z)", out, re.S)
    return found.group(1)[:600] if found else ""


def environment_of(cache, folder=None):
    """Of the commands. `folder`: of what was packed, if that runs."""
    environment = dict(os.environ, HALYARD_CACHE_DIR=str(cache), HALYARD_TEST_GPU="1",
                       HALYARD_SOURCE_DIR=str(folder or ROOT))
    cache.mkdir(mode=0o700, exist_ok=True)
    if folder is not None:
        environment["LD_LIBRARY_PATH"] = f"{folder / 'lib'}:{os.environ.get('LD_LIBRARY_PATH', '')}"
        environment["HALYARD_PTXAS"] = tool("ptxas") or ""  # "": the driver compiles PTX
        environment["HALYARD_CODEGEN"] = str(folder / "bin/halyard-codegen")
        environment["HALYARD_RT"] = str(folder / "bin/halyard-rt")
    return environment
