"""Holds the vectors against list.txt: exit status 1 if one of the list is missing."""
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent


def main():
    ids = set()
    for path in FOLDER.glob("*.mlir"):
        ids |= set(re.findall(r"^// vector: (.*)$", path.read_text(), re.M))
    present = reasons = 0
    missing = []
    for line in (FOLDER / "list.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        if match := re.fullmatch(r"(.+?) - (\S.*)", line):
            reasons += 1
        elif line.split(" = ")[-1] in ids:
            present += 1
        else:
            missing.append(line)
    print(f"{present} vectors of the documents, {reasons} elsewhere or later with their reasons; "
          f"{len(ids)} vectors in all")
    for line in missing:
        print("missing:", line)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
