#!/usr/bin/env python3
"""Makes the fuzzers' corpus: the small programs of tests/data/fixtures, as text and as bytecode, and the
first program of each op of tests/data/check, without its checks.

    tests/fuzz/make_corpus.py
"""
import pathlib
import re
import shutil

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
LARGEST = 3000  # bytes


def main():
    for kind in ("text", "bytecode"):
        shutil.rmtree(HERE / "corpus" / kind, ignore_errors=True)
        (HERE / "corpus" / kind).mkdir(parents=True)
    for kind, pattern in (("text", "*.mlir"), ("bytecode", "*.mlirbc")):
        for path in sorted((TESTS / "data/fixtures").glob(pattern)):
            if path.stat().st_size <= LARGEST:
                shutil.copy(path, HERE / "corpus" / kind / path.stem)
    for path in sorted((TESTS / "data/check").glob("*.mlir")):
        aliases = "".join(re.findall(r"^!.*\n", path.read_text(), re.M))
        functions = re.findall(r"^func\.func.*?^}\n", path.read_text(), re.M | re.S)
        for number, function in enumerate(functions[-1:] if "!q8" in aliases else functions[:1]):
            if function in functions[:number] or len(function) > LARGEST:
                continue
            text = re.sub(r"^  check\..*\n", "", function, flags=re.M)
            kept = aliases if "!" in text else ""
            (HERE / "corpus/text" / f"{path.stem}{number or ''}").write_text(kept + text)


if __name__ == "__main__":
    main()
