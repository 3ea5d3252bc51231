"""The programs of docs/gpu_kernels.md at reduced sizes, with the schedules of their real sizes, in the fake
driver's interpreter: they agree with the evaluator, and races, bank conflicts above 2-way and copies that
nobody waits for are errors of the launch.

usage: real_programs_test.py HALYARD SHARD/SHARDS

Every third program of the shard; all with $HALYARD_NIGHTLY or $HALYARD_ALL_CASES.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from sass_programs import PROGRAMS, programs  # noqa: E402

HALYARD = sys.argv[1]
SHARD, SHARDS = map(int, sys.argv[2].split("/"))
DEVICE = "cuda:h200"  # of compute capability 9.0, as the test's environment says of the fake one
# Its real size takes another number of passes, so it has other kernels.
OWN_SCHEDULES = ("scatter-add 10^6 scalars",)
# The evaluator does not round to tf32; the largest of a result is far larger than what that changes.
TOLERANCE = {"tf32": 1e-3}


class RealPrograms(unittest.TestCase):
    def halyard(self, *words):
        done = subprocess.run([HALYARD, *words, "--no-libraries", "--no-tuning"], capture_output=True,
                              text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def run_reduced(self, reduced, real):
        with tempfile.TemporaryDirectory() as folder:
            small, large, schedules = (pathlib.Path(folder, name) for name in ("small.mlir", "large.mlir", "s"))
            small.write_text(reduced.text)
            words = ["run", str(small), "--target=cuda", "--random-inputs=3", "--compare=reference"]
            if real.name not in OWN_SCHEDULES:
                large.write_text(real.text)
                schedules.write_text(self.halyard("show", str(large), "--stage=schedule", f"--target={DEVICE}"))
                self.assertIn(": ", schedules.read_text())
                words.append(f"--schedules={schedules}")
            if tolerance := TOLERANCE.get(real.name.split(" ")[0]):
                words.append(f"--of-largest={tolerance}")
            self.assertIn("agrees with the reference", self.halyard(*words))

    def test_agree_with_the_evaluator(self):
        pairs = list(zip(programs(reduced=True), PROGRAMS, strict=True))[SHARD::SHARDS]
        if not (os.environ.get("HALYARD_NIGHTLY") or os.environ.get("HALYARD_ALL_CASES")):
            pairs = pairs[2 * SHARD % 3::3]  # a product of every type, and one of every other kind
        self.assertTrue(pairs)
        for reduced, real in pairs:
            self.assertEqual(reduced.name, real.name)
            with self.subTest(real.name):
                self.run_reduced(reduced, real)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
