#!/usr/bin/env python3
"""Random programs, made and run by JAX (scripts/setup_jax), compared with what Halyard computes.

    tests/beside_xla/beside_xla.py --targets=x86,reference --seeds=0:1000 [--jobs=2]

Each seed is a program of 3 to 25 ops. FOLDER/results-TARGETS.jsonl gets a line for each; seeds that
it names already are not run again, so that a run can be stopped and taken up. What differs is made
smaller and written to FOLDER/found/SEED: the program, its inputs, XLA's results and a report. What
deviations.py explains is counted. Exit status 1 if any program differs.
"""

import argparse
import collections
import json
import pathlib
import queue
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PROGRAMS_PER_WORKER = 400  # JAX's memory grows
LEAST_COMPARED = 0.85  # of the programs: the others XLA does not compile


def parse(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--targets", default="x86,reference")
    parser.add_argument("--seeds", default="0:1000", help="FIRST:LAST, LAST not among them")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=1e9, help="no new programs after that")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/release/beside_xla")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--again", action="store_true", help="run again what differed")
    return parser.parse_args(arguments)


class NotStarted(Exception):
    """A worker ends before any program: what is wrong is no program's fault, and no result."""


class Worker:
    """A process that runs seeds, one at a time: XLA aborts now and then."""

    def __init__(self, options):
        self.options, self.process, self.count = options, None, 0

    def run(self, seed):
        if self.process is None or self.count >= PROGRAMS_PER_WORKER:
            self.close()
            self.start()
        self.count += 1
        self.process.stdin.write(f"{seed}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            self.close()
            return {"seed": seed, "status": "xla aborts"}
        return json.loads(line)

    def start(self):
        command = [sys.executable, __file__, "--worker", f"--targets={self.options.targets}",
                   f"--build={self.options.build}", f"--folder={self.options.folder}"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.count = 0
        if self.process.stdout.readline() != "ready\n":
            self.close()
            raise NotStarted(f"no worker starts; to see why: {' '.join(command)} < /dev/null")

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()
            self.process = None


def main():
    options = parse()
    if options.worker:
        sys.path.insert(0, str(HERE))
        import check
        return check.serve(options)
    options.folder.mkdir(parents=True, exist_ok=True)
    record = options.folder / f"results-{options.targets.replace(',', '-')}.jsonl"
    done = {}
    if record.exists():
        for line in record.read_text().splitlines():
            outcome = json.loads(line)
            done[outcome["seed"]] = outcome
    first, last = map(int, options.seeds.split(":"))
    seeds = queue.SimpleQueue()
    count = 0
    for seed in range(first, last):
        again = options.again and done.get(seed, {}).get("status") == "differs"
        if seed not in done or again:
            seeds.put(seed)
            count += 1
    lock, start = threading.Lock(), time.monotonic()
    ran, trouble = 0, None

    def work():
        nonlocal ran, trouble
        worker = Worker(options)
        while time.monotonic() - start < 60 * options.minutes:
            try:
                seed = seeds.get_nowait()
            except queue.Empty:
                break
            try:
                outcome = worker.run(seed)
            except NotStarted as error:
                trouble = error
                break
            with lock, record.open("a") as file:
                ran += 1
                done[seed] = outcome
                file.write(json.dumps(outcome) + "\n")
                if outcome["status"] == "differs":
                    print(f"seed {seed}: {outcome['what']}", flush=True)
        worker.close()

    threads = [threading.Thread(target=work) for _ in range(options.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if trouble:
        print(trouble, file=sys.stderr)
        return 2
    minutes = (time.monotonic() - start) / 60
    chosen = [o for seed, o in done.items() if first <= seed < last]
    return report(options, chosen, ran, minutes)


def report(options, outcomes, ran, minutes):
    statuses = collections.Counter(o["status"] for o in outcomes)
    rules = collections.Counter(rule for o in outcomes for rule in o.get("rules", ()))
    for rule, count in rules.most_common():
        print(f"explained by {rule}: {count}")
    print(f"{options.targets}: " + ", ".join(f"{n} {s}" for s, n in sorted(statuses.items())) +
          f"; {ran} run now, {ran / max(minutes, 1e-9):.0f} a minute")
    compared = statuses["same"] + statuses["explained"]
    if compared < LEAST_COMPARED * len(outcomes):
        print("too few programs were compared")
    return 1 if statuses["differs"] or compared < LEAST_COMPARED * max(1, len(outcomes)) else 0


if __name__ == "__main__":
    sys.exit(main())
