"""The commands `halyard` and `halyard-rt`: each replaces this process with the program in bin/."""

import os
import sys

from halyard_compiler import FOLDER


def _run(name):
    program = FOLDER / "bin" / name
    try:
        os.execv(program, [name, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"{name}: cannot start {program}: {error.strerror}")


def halyard():
    _run("halyard")


def halyard_rt():
    _run("halyard-rt")
