"""Classifies the held-out images of ../digits, with the network as a shared library.

    python digits.py LIBRARY HELDOUT.npz
"""

import sys

import numpy as np

import halyard_rt

BATCH = 32


def main():
    library, heldout = sys.argv[1:]
    model = halyard_rt.Model(library, "digits")
    with np.load(heldout) as arrays:
        images, labels = arrays["arg0"].reshape(-1, 8, 8, 1), arrays["labels"]
    right = 0
    for first in range(0, len(labels), BATCH):
        batch = np.zeros((BATCH, 8, 8, 1), np.float32)  # the last one is filled up
        count = len(images[first:first + BATCH])
        batch[:count] = images[first:first + BATCH]
        (result,) = model(batch)
        logits = np.from_dlpack(result)
        right += int(np.sum(logits[:count].argmax(axis=1) == labels[first:first + count]))
    print(f"{model.target}: {right} of {len(labels)} images told right")
    try:
        model(np.zeros((BATCH, 8, 8, 1), np.float64))
    except halyard_rt.Error as error:
        print(f"as expected: {error}", file=sys.stderr)
    else:
        sys.exit("an array of another type was taken")


if __name__ == "__main__":
    main()
