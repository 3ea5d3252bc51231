#!/usr/bin/env python3
"""Makes the fuzzers' corpus: the small programs of tests/data/fixtures, as text and as bytecode, and the
first program of each op of tests/data/check, without its checks. CMake runs it (preset fuzz).

    tests/fuzz/make_corpus.py FOLDER
"""
import pathlib
import re
import shutil
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
LARGEST = 3000  # bytes


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    corpus = pathlib.Path(sys.argv[1])
    for kind in ("text", "bytecode"):
        shutil.rmtree(corpus / kind, ignore_errors=True)
        (corpus / kind).mkdir(parents=True)
    for kind, pattern in (("text", "*.mlir"), ("bytecode", "*.mlirbc")):
        for path in sorted((TESTS / "data/fixtures").glob(pattern)):
            if path.stat().st_size <= LARGEST:
                shutil.copy(path, corpus / kind / path.stem)
    for path in sorted((TESTS / "data/check").glob("*.mlir")):
        aliases = "".join(re.findall(r"^!.*\n", path.read_text(), re.M))
        functions = re.findall(r"^func\.func.*?^}\n", path.read_text(), re.M | re.S)
        for number, function in enumerate(functions[-1:] if "!q8" in aliases else functions[:1]):
            if function in functions[:number] or len(function) > LARGEST:
                continue
            text = re.sub(r"^  check\..*\n", "", function, flags=re.M)
            kept = aliases if "!" in text else ""
            (corpus / "text" / f"{path.stem}{number or ''}").write_text(kept + text)


if __name__ == "__main__":
    main()
