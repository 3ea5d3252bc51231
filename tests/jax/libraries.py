#!/usr/bin/env python3
"""Runs the tests that libraries on top of JAX publish (Keras, Flax, Optax) on Halyard.

Files in which a test fails are run on JAX's CPU, too. A test that passes there, or that ends the
process on Halyard, is ours. KNOWN names those for which somebody else is the reason. Keras and Flax
have their tests in their source packages, which are downloaded and checked; Optax installs
its own.
"""

import argparse
import dataclasses
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS_PER_TEST = 300
PASSED, FAILED, NO_TESTS = 0, 1, 5  # exit statuses of pytest


@dataclasses.dataclass
class Library:
    name: str  # and version
    paths: list  # of tests, in its source package or, without one, in the environment
    sha256: str = ""  # of its source package
    devices: int = 1  # that its tests divide arrays over; they ask JAX's CPU for them themselves


LIBRARIES = {library.name.partition("-")[0]: library for library in [
    Library("keras-3.15.1", [f"keras/src/{part}" for part in (
        "ops", "random", "losses", "metrics", "optimizers", "initializers", "regularizers",
        "activations", "layers", "models", "trainers", "callbacks")],
            "92ae7c1dd7f61041953dc2d42253181ee099086f0b58ae36fcf98147a6f08a29"),
    Library("flax-0.12.8", ["tests/linen", "tests/core", "tests/nnx"],
            "1bb438775b967a3f1f42b9c3d4ddf1d2883cd6406589f9cecdc244634036bdc4", devices=4),
    Library("optax", ["optax"]),
]}

# What is found in a test's name, and why it may fail. docs/jax.md says what is left out.
KNOWN = {
    "SummaryTest": "Flax takes FLOPs from lowered.cost_analysis(), for which JAX asks no plugin",
    "ZoomLinesearchTest::test_failure_descent_direction":
        "it does not wait for jax.debug.print, and so leaves out GPUs and TPUs",
    "TestSPMD::test_variable_out_sharding_types0": "it asks for a layout that is not row-major",
}

# Keras' tests import this from a file that its source package lacks.
KERAS_CONFTEST = '''
import keras
import pytest


def skip_if_backend(given_backend, reason):
    return pytest.mark.skipif(keras.backend.backend() == given_backend, reason=reason)
'''


def source_of(library, folder):
    """The folder with the library's source package."""
    source = folder / library.name
    if not source.exists():
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
                        "--no-build-isolation", "--no-binary", ":all:", "--dest", folder,
                        library.name.replace("-", "==")], check=True)
        archive = folder / f"{library.name}.tar.gz"
        if hashlib.sha256(archive.read_bytes()).hexdigest() != library.sha256:
            sys.exit(f"{archive} is not the file that was expected")
        subprocess.run(["tar", "-xzf", archive, "-C", folder], check=True)
    helpers = folder / "helpers"
    helpers.mkdir(exist_ok=True)
    (helpers / "conftest.py").write_text(KERAS_CONFTEST)
    return source


def run(where, paths, platform, log, devices):
    """Returns ({test: outcome}, pytest's exit status or, without a report, None)."""
    report = log.with_suffix(".xml")
    report.unlink(missing_ok=True)
    environment = {
        **os.environ, "JAX_PLATFORMS": platform, "KERAS_BACKEND": "jax",
        "HALYARD_NUM_DEVICES": str(devices),
        "PYTHONPATH": os.pathsep.join([str(ROOT / "python"), str(where.parent / "helpers")])}
    with open(log, "w") as out:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "--import-mode=importlib", "-p", "no:cacheprovider",
             f"--timeout={SECONDS_PER_TEST}", "--tb=short", "-v", f"--junitxml={report}", *paths],
            cwd=where, env=environment, stdout=out, stderr=subprocess.STDOUT)
    if not report.exists():
        return {}, None
    outcomes = {}
    for case in xml.parse(report).iter("testcase"):
        name = f"{case.get('classname')}::{case.get('name')}"
        kinds = {child.tag for child in case}
        outcomes[name] = ("failed" if kinds & {"failure", "error"} else
                          "skipped" if "skipped" in kinds else "passed")
    return outcomes, done.returncode


def files_of(where, paths):
    for path in paths:
        at = where / path
        yield from ([at] if at.is_file() else
                    sorted(p for p in at.rglob("*.py") if re.search(r"(_test|/test_\w+)\.py$", str(p))))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("libraries", nargs="*", help="default: all of " + ", ".join(LIBRARIES))
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/release/libraries",
                        help="for sources and logs")
    parser.add_argument("--only", default="", help="a part of the test files' paths")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    installed = pathlib.Path(next(p for p in sys.path if p.endswith("site-packages")))
    ours = []
    for library in [LIBRARIES[name] for name in options.libraries or LIBRARIES]:
        where = source_of(library, options.folder.resolve()) if library.sha256 else installed
        counts = {"passed": 0, "failed": 0, "skipped": 0}
        for path in files_of(where, library.paths):
            name = str(path.relative_to(where))
            if options.only not in name:
                continue
            log = options.folder / (name.replace("/", ".") + ".log")
            outcomes, status = run(where, [name], "halyard,cpu", log, library.devices)
            for outcome in outcomes.values():
                counts[outcome] += 1
            failed = [test for test, outcome in outcomes.items() if outcome == "failed"]
            if not failed and status in (PASSED, NO_TESTS):
                continue
            # Tests of another machine or version fail there, too.
            theirs, their_status = run(where, [name], "cpu", log.with_suffix(".cpu.log"),
                                       library.devices)
            if status not in (PASSED, FAILED):
                what = "cannot be collected" if their_status == status else "the process ended"
                ours.append(f"{name}: {what} ({log})")
                continue
            for test in failed:
                reason = next((why for part, why in KNOWN.items() if re.search(part, test)), "")
                if theirs.get(test) == "passed" and not reason:
                    ours.append(f"{test} ({log})")
        print(f"{library.name}: " + ", ".join(f"{n} {what}" for what, n in counts.items()),
              flush=True)
    for test in ours:
        print(f"not as on JAX's CPU: {test}")
    sys.exit(1 if ours else 0)


if __name__ == "__main__":
    main()
