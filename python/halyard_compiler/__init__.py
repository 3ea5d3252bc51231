"""Halyard's commands, code generator and libhalyard.so, as the wheel halyard-compiler installs them.

In a checkout this package holds no binaries: they are in build/release there.
"""

import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent
