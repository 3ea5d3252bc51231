"""scripts/rooms fails on what it is there to find."""
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/rooms"
loader = importlib.machinery.SourceFileLoader("rooms", str(SCRIPT))
rooms = importlib.util.module_from_spec(importlib.util.spec_from_loader("rooms", loader))
loader.exec_module(rooms)


class Rooms(unittest.TestCase):
    def run_on(self, files, *options):
        """(exit status, standard output, standard error) for a tree of `files`."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                status = rooms.main([f"--root={folder}", *options])
        return status, out.getvalue(), err.getvalue()

    def test_includes_of_earlier_rooms_are_counted(self):
        status, out, err = self.run_on({
            "runtime/status.h": "",
            "client/api/client.cc": '#include "runtime/status.h"\n#include <vector>\n'})
        self.assertEqual((status, err), (0, ""))
        self.assertRegex(out, r"client +runtime 1\n")

    def test_an_upward_arrow_is_an_error(self):
        status, _, err = self.run_on({
            "runtime/status.h": '#include "codegen/frame.h"\n', "codegen/frame.h": ""})
        self.assertEqual(status, 1)
        self.assertEqual(err, "runtime/status.h: includes codegen/frame.h: runtime may not depend on "
                              "codegen\n")

    def test_a_circle_is_named(self):
        status, _, err = self.run_on({
            "lowering/kernels/a.h": '#include "schedules/b.h"\n',
            "schedules/b.h": '#include "lowering/kernels/a.h"\n'})
        self.assertEqual(status, 1)
        self.assertIn("a circle: lowering/kernels → schedules → lowering/kernels\n", err)

    def test_a_room_in_a_room_is_one_of_its_own(self):
        status, _, err = self.run_on({
            "runtime/status.h": '#include "runtime/execute/context.h"\n',
            "runtime/execute/context.h": ""})
        self.assertEqual(status, 1)
        self.assertIn("runtime may not depend on runtime/execute", err)

    def test_a_crowded_folder_is_an_error(self):
        most = {f"schedules/scan/f{n}.cc": "" for n in range(rooms.MOST_FILES)}
        self.assertEqual(self.run_on(most)[0], 0)
        status, _, err = self.run_on(most | {"schedules/scan/more.h": ""})
        self.assertEqual(status, 1)
        self.assertEqual(err, "schedules/scan: 26 files of code at its top level, more than 25\n")

    def test_a_file_in_no_room_is_an_error(self):
        status, _, err = self.run_on({"lowering/a.h": "", "schedules/b.h": ""})
        self.assertEqual((status, err), (1, "lowering/a.h: in no room\n"))

    def test_no_sources_are_no_success(self):
        self.assertEqual(self.run_on({"README.md": ""})[0], 1)

    def test_long_functions_are_listed(self):
        def function(lines):
            return "int F(int a,\n      int b) {\n" + "  ++a;\n" * (lines - 3) + "}\n"
        text = "namespace x {\n" + function(80) + function(81) + "}  // namespace x\n"
        status, out, _ = self.run_on({"runtime/a.cc": text}, "--functions")
        self.assertEqual(status, 0)
        self.assertIn("runtime/a.cc:82: a function of 81 lines\n", out)
        self.assertEqual(out.count("a function of"), 1)


if __name__ == "__main__":
    unittest.main()
