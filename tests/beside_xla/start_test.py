"""A run whose workers cannot start says so, and writes down no results."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent


class Start(unittest.TestCase):
    def test_a_copy_without_its_modules_is_no_result(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "beside_xla"
            copy.mkdir()
            for file in HERE.glob("*.py"):
                shutil.copy(file, copy)
            run = subprocess.run(
                [sys.executable, copy / "beside_xla.py", "--seeds=0:2", f"--folder={folder}/runs"],
                stderr=subprocess.PIPE, text=True)
            self.assertEqual(run.returncode, 2)
            self.assertIn("no worker starts", run.stderr)
            self.assertEqual(list((pathlib.Path(folder) / "runs").iterdir()), [])


if __name__ == "__main__":
    unittest.main()
