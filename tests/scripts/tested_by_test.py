"""Trees that scripts/tested_by accepts, and those that it does not."""
import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/tested_by"
loader = importlib.machinery.SourceFileLoader("tested_by", str(SCRIPT))
tested_by = importlib.util.module_from_spec(importlib.util.spec_from_loader("tested_by", loader))
loader.exec_module(tested_by)


class TestedBy(unittest.TestCase):
    def check(self, files, table):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in files + ["tests/tested_by.txt"]:
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text("")
            (root / "tests/tested_by.txt").write_text(table)
            names = [name.removesuffix(".cc") for name in files if not name.startswith("tests/")]
            return tested_by.find_tests(root, names, tested_by.rows_of(root))

    def test_a_test_at_the_same_path_needs_no_row(self):
        found, wrong = self.check(["client/a.cc", "tests/client/a_test.cc"], "")
        self.assertEqual(found, {"client/a": ["tests/client/a_test.cc"]})
        self.assertEqual(wrong, [])

    def test_a_file_without_either_is_named(self):
        _, wrong = self.check(["client/a.cc"], "# nothing\n")
        self.assertEqual(len(wrong), 1)
        self.assertIn("client/a.cc", wrong[0])

    def test_the_first_row_counts(self):
        files = ["client/a.cc", "client/b.cc", "tests/x_test.cc", "tests/y_test.cc"]
        found, wrong = self.check(files, "client/b : y\nclient/* : x\n")
        self.assertEqual(found["client/a"], ["tests/x_test.cc"])
        self.assertEqual(found["client/b"], ["tests/y_test.cc"])
        self.assertEqual(wrong, [])

    def test_a_star_stays_in_its_folder(self):
        _, wrong = self.check(["client/in/a.cc", "tests/x_test.cc"], "client/* : x\n")
        self.assertEqual(len(wrong), 2)  # the file has no row, and the row no file

    def test_rows_must_name_tests_and_be_needed(self):
        files = ["client/a.cc", "tests/client/a_test.cc"]
        _, wrong = self.check(files, "client/a : gone\n")
        self.assertEqual(len(wrong), 2)

    def test_a_row_without_tests_is_an_error(self):
        with self.assertRaises(SystemExit):
            self.check(["client/a.cc"], "client/a :\n")


if __name__ == "__main__":
    unittest.main()
