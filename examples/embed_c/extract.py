"""Writes the held-out images and labels of ../digits as plain binary files, for C programs."""

import pathlib
import sys

import numpy as np


def main() -> None:
    source = pathlib.Path(__file__).resolve().parent.parent / "digits" / "heldout.npz"
    target = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    with np.load(source) as arrays:
        (target / "images.f32").write_bytes(arrays["arg0"].astype("<f4").tobytes())
        (target / "labels.s32").write_bytes(arrays["labels"].astype("<i4").tobytes())


if __name__ == "__main__":
    main()
