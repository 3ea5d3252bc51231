#!/usr/bin/env python3
"""Tries the wheels of dist/ in an environment of their own, outside the checkout.

    tests/jax/wheel_test.py [--dist=FOLDER] [--target=x86]

Installs both, trains the small transformer of tests/jax/programs beside JAX's CPU, trains it again
with no compiler at hand, and once more after the cache was deleted. Needs the package registry, and
wheels that scripts/wheels has made.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
"""


def only(dist, pattern):
    found = sorted(dist.glob(pattern))
    if len(found) != 1:
        sys.exit(f"wheel_test: {len(found)} files {dist}/{pattern}: run scripts/wheels")
    return found[0]


class Environment:
    """A virtual environment in `folder`, in which nothing names the checkout."""

    def __init__(self, folder, target):
        self.folder = folder
        self.cache = folder / "cache"
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("HALYARD_", "JAX_", "PYTHON", "LD_"))}
        self.variables = {**kept, "HALYARD_TARGET": target, "HALYARD_CACHE_DIR": str(self.cache),
                          "HALYARD_TUNING_DB": str(folder / "no_tuning.sqlite")}

    def run(self, what, *command, **variables):
        done = subprocess.run([str(c) for c in command], cwd=self.folder, text=True,
                              capture_output=True, env={**self.variables, **variables})
        if done.returncode != 0:
            sys.exit(f"wheel_test: {what}: exit status {done.returncode}\n"
                     f"{done.stdout[-3000:]}{done.stderr[-3000:]}")
        print(f"wheel_test: {what}", *done.stdout.splitlines(), sep="\n  ", flush=True)
        return done.stdout


def install(environment, dist):
    python = environment.folder / "venv/bin/python"
    environment.run("new environment", sys.executable, "-m", "venv", environment.folder / "venv")
    jax = re.search(r"^jax==[^ ]+", (ROOT / "scripts/requirements-jax.txt").read_text(), re.M)[0]
    start = time.time()
    environment.run("installing", python, "-m", "pip", "install", "--quiet",
                    "--disable-pip-version-check", "--only-binary", ":all:", jax,
                    only(dist, "halyard_compiler-*.whl"), only(dist, "jax_halyard-*.whl"))
    print(f"wheel_test: installed in {time.time() - start:.0f} s", flush=True)
    return python


def check_exports(environment, python):
    code = "import halyard_compiler; print(halyard_compiler.FOLDER)"
    package = pathlib.Path(environment.run("package", python, "-c", code).strip())
    if environment.folder not in package.parents:
        sys.exit(f"wheel_test: the package is {package}, which is not in the new environment")
    listed = environment.run("exported symbols", "nm", "-D", "--defined-only",
                             package / "lib/libhalyard.so")
    names = [line.split()[-1] for line in listed.splitlines()]
    if names != ["GetPjrtApi"]:
        sys.exit(f"wheel_test: libhalyard.so exports {names}, not GetPjrtApi alone")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dist", type=pathlib.Path, default=ROOT / "dist")
    parser.add_argument("--target", default="x86")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        environment = Environment(folder, options.target)
        (folder / "programs").mkdir()
        shutil.copy(ROOT / "tests/jax/run_programs.py", folder)
        shutil.copy(ROOT / "tests/jax/programs/transformer.py", folder / "programs")
        (folder / "double.mlir").write_text(PROGRAM)
        python = install(environment, options.dist.resolve())
        check_exports(environment, python)
        commands = folder / "venv/bin"
        environment.run("the command runs a program", commands / "halyard", "run", "double.mlir",
                        f"--target={options.target}", "--random-inputs=1", "--compare=reference")
        environment.run("the command makes a library", commands / "halyard", "compile",
                        "double.mlir", "--target=x86:v3", "-o", folder / "out", "--name=double")
        train = (python, folder / "run_programs.py", "transformer")
        environment.run("training", *train)
        environment.run("training again, without a compiler", *train, HALYARD_CODEGEN="/bin/false")
        shutil.rmtree(environment.cache)
        environment.run("training again, after the cache was deleted", *train)
    print("wheel_test: passed")


main()
