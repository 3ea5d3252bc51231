"""Runs programs on Halyard's targets, through the process tests/beside_xla/run_programs.cc."""

import os
import pathlib
import queue
import subprocess
import tempfile
import threading

import programs
import types_of as ty

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PATIENCE = 240  # seconds for an answer


def _read(stream, lines):
    """Lines of an answer wait here, so that one can wait for them with a limit."""
    with stream:
        for line in stream:
            lines.put(line)
    lines.put("")  # the end


class Runner:
    def __init__(self, build):
        self.build = build
        self.folder = tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm")
                                                  else None)
        self.process = None

    def _start(self):
        environment = dict(
            os.environ, HALYARD_CODEGEN=str(self.build / "bin/halyard-codegen"),
            HALYARD_LIBCUDA=str(self.build / "lib/fake_libcuda.so"), HALYARD_FAKE_CUDA="interpret",
            HALYARD_PTXAS="")
        self.process = subprocess.Popen(
            [self.build / "bin/run_programs"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, bufsize=1, env=environment)
        self.lines = queue.SimpleQueue()
        threading.Thread(target=_read, args=(self.process.stdout, self.lines), daemon=True).start()

    def close(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def _ask(self, *words):
        """Lines of the answer, as pairs; the last one says how it ended."""
        if self.process is None:
            self._start()
        try:
            self.process.stdin.write("\t".join(map(str, words)) + "\n")
            self.process.stdin.flush()
        except OSError:
            pass
        lines = []
        while True:
            try:
                line = self.lines.get(timeout=PATIENCE)
            except queue.Empty:
                line = None
            if not line:
                self.close()
                lines.append(("error", f"no answer after {PATIENCE} s" if line is None else
                              "the process died"))
                return lines
            word, _, text = line.rstrip("\n").partition("\t")
            if word == "done":
                return lines
            lines.append((word, text))

    def compare(self, text, inputs, wanted, targets):
        """Target → (same, differs or error; what)."""
        stem = pathlib.Path(self.folder.name) / "program"
        stem.with_suffix(".mlir").write_text(text)
        ty.save(f"{stem}.in.npz", "arg", inputs)
        ty.save(f"{stem}.out.npz", "out", wanted)
        verdicts, target = {}, None
        left = list(targets)
        while left:
            for word, what in self._ask("compare", stem, *left):
                if word == "start":
                    target = what
                else:
                    verdicts[target or left[0]] = (word, what)
            left = [t for t in left if t not in verdicts]
        return verdicts

    def evaluate(self, text, inputs, target):
        """The target's results, or None."""
        stem = pathlib.Path(self.folder.name) / "program"
        stem.with_suffix(".mlir").write_text(text)
        ty.save(f"{stem}.in.npz", "arg", inputs)
        results = f"{stem}.values.npz"
        if [word for word, _ in self._ask("evaluate", stem, target, results)] != ["same"]:
            return None
        return ty.load(results, "out")


def judge(runner, program, targets, plain=False):
    """(verdicts by target, XLA's results)"""
    lowered = programs.lower(program)
    wanted = programs.run(program, lowered, plain)
    text = lowered.as_text()
    return runner.compare(text, program.arguments(), wanted, targets), wanted
