"""scripts/formatting names what is not formatted, and formats it."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "scripts/formatting"
BAD, GOOD = "int  f( ) {return 1;}\n", "int f() { return 1; }\n"


class FormattingTest(unittest.TestCase):
    def run_on(self, path, *options):
        return subprocess.run([sys.executable, SCRIPT, *options, path], capture_output=True,
                              text=True)

    def test_names_and_fixes(self):
        # In the tree, where .clang-format is found.
        with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:
            path = pathlib.Path(folder) / "bad.cc"
            path.write_text(BAD)
            checked = self.run_on(path)
            self.assertEqual(checked.returncode, 1, checked.stderr)
            self.assertIn("bad.cc: not as clang-format leaves it", checked.stdout)
            self.assertEqual(path.read_text(), BAD)
            self.assertEqual(self.run_on(path, "--fix").returncode, 0)
            self.assertEqual(path.read_text(), GOOD)
            self.assertEqual(self.run_on(path).returncode, 0)


if __name__ == "__main__":
    unittest.main()
