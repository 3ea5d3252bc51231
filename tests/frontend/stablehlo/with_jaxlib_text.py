#!/usr/bin/env python3
"""Holds what `halyard convert` writes to jaxlib's reader, verifier and printer.

Needs an environment with jax, so it is no part of scripts/test:

    PYTHON tests/frontend/stablehlo/with_jaxlib_text.py build/bin/halyard

Programs are those of tests/data/fixtures (.hlo, .hlo.pb, .mlir), tests/data/constraints and tests/data/vectors; each
of the last two is taken through HLO text. jaxlib must accept our StableHLO text in pretty and in
generic form, and print the pretty form as it is. What only Halyard takes is listed below, with the
reason.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir

ROOT = pathlib.Path(__file__).resolve().parents[3]
HLO_TO_MLIR = {
    "pred": "i1", "s2": "i2", "s4": "i4", "s8": "i8", "s16": "i16", "s32": "i32", "s64": "i64",
    "u2": "ui2", "u4": "ui4", "u8": "ui8", "u16": "ui16", "u32": "ui32", "u64": "ui64",
    "c64": "complex<f32>", "c128": "complex<f64>", "f4e2m1fn": "f4E2M1FN",
    "f6e2m3fn": "f6E2M3FN", "f6e3m2fn": "f6E3M2FN", "f8e3m4": "f8E3M4", "f8e4m3": "f8E4M3",
    "f8e4m3fn": "f8E4M3FN", "f8e4m3fnuz": "f8E4M3FNUZ", "f8e4m3b11fnuz": "f8E4M3B11FNUZ",
    "f8e5m2": "f8E5M2", "f8e5m2fnuz": "f8E5M2FNUZ", "f8e8m0fnu": "f8E8M0FNU",
}
# Messages of jaxlib for what it does not take, and why that is right.
KNOWN = [
    ("quant", "jaxlib is built without the quant dialect"),
    ("must be statically shaped 1-dimensional tensor",
     "the specification has no such constraint on the length of a shape operand"),
]


def sections():
  """(name, text) of the programs of tests/data/vectors and tests/data/constraints."""
  for path in sorted((ROOT / "tests/data/vectors").glob("*.mlir")):
    line = 1
    for text in re.split(r"^// -----\n", path.read_text(), flags=re.M):
      types = re.search(r"^// types: (.*)$", text, flags=re.M)
      body = "".join(l + "\n" for l in text.splitlines() if not l.startswith("//"))
      for t in types.group(1).split() if types else [""]:
        yield f"{path.name}:{line} {t}", body.replace("ELT", HLO_TO_MLIR.get(t, t))
      line += text.count("\n") + 1
  for path in sorted((ROOT / "tests/data/constraints").glob("*.mlir")):
    line = 1
    for text in re.split(r"^// -----\n", path.read_text(), flags=re.M):
      body = "".join(l + "\n" for l in text.splitlines() if not l.startswith("//"))
      if body.strip():
        yield f"{path.name}:{line}", body
      line += text.count("\n") + 1


def convert(halyard, path, form, *options):
  done = subprocess.run([halyard, "convert", path, f"--to={form}", *options], capture_output=True,
                        text=True)
  return done.stdout if done.returncode == 0 else None, done.stderr.strip()


def texts_of(halyard, path, through_hlo):
  """Our pretty and generic text of the program, or an error."""
  if through_hlo:
    text, error = convert(halyard, path, "hlo-text")
    if text is None:
      return None, None, error
    path = path[: -len(".mlir")] + ".hlo"
    pathlib.Path(path).write_text(text)
  pretty, error = convert(halyard, path, "stablehlo")
  if pretty is None:
    return None, None, error
  generic, error = convert(halyard, path, "stablehlo", "--generic")
  return pretty, generic, error


def check(name, pretty, generic):
  """What jaxlib says of it; None: it is fine."""
  with jax_mlir.make_ir_context(), ir.Location.unknown():
    try:
      printed = str(ir.Module.parse(pretty))
      again = str(ir.Module.parse(generic))
    except Exception as error:  # pylint: disable=broad-except
      message = str(error)
      for known, _ in KNOWN:
        if known in message:
          return None
      return message
  if again.strip() != printed.strip():
    return "the generic form is another program"
  if printed.strip() == pretty.strip():
    return None
  for want, got in zip(printed.splitlines(), pretty.splitlines()):
    if want != got:
      return f"printed otherwise:\n  jaxlib  {want[:400]}\n  halyard {got[:400]}"
  return "printed otherwise"


def main():
  halyard = sys.argv[1]
  with tempfile.TemporaryDirectory() as folder:
    work = []
    for extension in ("*.hlo", "*.hlo.pb", "*.mlir"):
      for path in sorted((ROOT / "tests/data/fixtures").glob(extension)):
        work.append((path.name, str(path), False))
    for i, (name, text) in enumerate(sections()):
      path = os.path.join(folder, f"{i}.mlir")
      pathlib.Path(path).write_text(text)
      work.append((name, path, True))
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
      made = pool.map(lambda w: texts_of(halyard, w[1], w[2]), work)
      for (name, _, _), (pretty, generic, error) in zip(work, made):
        wrong = error if pretty is None else check(name, pretty, generic)
        if wrong:
          bad += 1
          print(f"{name}: {wrong}")
    print(f"{len(work)} programs, {bad} wrong")
  sys.exit(1 if bad else 0)


if __name__ == "__main__":
  main()
