"""scripts/supervised.py: commands that hang are let go of, and results survive what ends the run."""
import json
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))
import supervised  # noqa: E402


class Commands(unittest.TestCase):
    def setUp(self):
        self.supervisor = supervised.Supervisor()

    def test_output_and_status(self):
        status, out = self.supervisor.run(["sh", "-c", "echo one; echo two >&2; exit 3"], 10)
        self.assertEqual((status, out), (3, "one\ntwo\n"))

    def test_a_command_that_is_not_there(self):
        status, out = self.supervisor.run(["/no/such/command"], 10)
        self.assertEqual(status, 126)
        self.assertIn("/no/such/command", out)

    def test_much_output_is_cut_from_the_front(self):
        code = "import sys; sys.stdout.write('x' * (20 << 20) + 'end')"
        status, out = self.supervisor.run([sys.executable, "-c", code], 60)
        self.assertEqual(status, 0)
        self.assertTrue(out.endswith("end"))
        self.assertLess(len(out), 10 << 20)

    def test_a_group_that_ignores_signals_is_killed(self):
        self.assertEqual(supervised.rehearse(), "")

    def test_children_end_with_their_command(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "pid")
            self.supervisor.run(["sh", "-c", f"sleep 60 & echo $! > {file}"], 10)
            child = int(file.read_text())
            for _ in range(100):
                stat = pathlib.Path(f"/proc/{child}/stat")
                if not stat.exists() or ") Z" in stat.read_text():
                    return
                time.sleep(0.05)
            self.fail("the child goes on")

    def test_what_cannot_be_killed_is_left_behind(self):
        # As a process that waits in a driver: no signal reaches it.
        self.supervisor.kill = lambda group: None
        grace, supervised.GRACE_S = supervised.GRACE_S, 0.2
        try:
            start = time.monotonic()
            status, out = self.supervisor.run(["sleep", "30"], 0.3)
        finally:
            supervised.GRACE_S = grace
        self.assertLess(time.monotonic() - start, 10)
        self.assertEqual(status, 124)
        self.assertIn("left behind", out)
        (pid, command), = self.supervisor.left_behind
        self.assertEqual(command, "sleep 30")
        os.kill(pid, signal.SIGKILL)


WRITER = """
import sys
sys.path.insert(0, {scripts!r})
import supervised
journal = supervised.Journal({path!r})
rows = []
for number in range(100000):
    rows.append({{"row": number, "text": "x" * 200}})
    journal.write(rows[-200:], {{".md": "row %d\\n" % number}})
    print(number, flush=True)
"""


class Results(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name, "results/out.json")

    def tearDown(self):
        self.folder.cleanup()

    def test_a_kill_at_any_moment_leaves_the_last_state_whole(self):
        code = WRITER.format(scripts=str(SCRIPTS), path=str(self.path))
        for _ in range(8):
            writer = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
            writer.stdout.readline()
            time.sleep(random.random() * 0.2)
            writer.kill()
            said = [int(line) for line in writer.stdout.read().split()]
            writer.wait()
            writer.stdout.close()
            rows = json.loads(self.path.read_text())
            self.assertGreaterEqual(rows[-1]["row"], max(said, default=0))
            self.assertRegex(self.path.with_suffix(".md").read_text(), r"^row \d+\n$")

    def test_a_place_without_room_is_left_for_another(self):
        spare = pathlib.Path(self.folder.name, "spare/out.json")
        journal = supervised.Journal(self.path, [spare])
        self.assertEqual(journal.write({"rows": 1}), self.path)
        # No file may be longer: what a full disk does to a write.
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4, before[1]))
        try:
            self.assertIsNone(journal.write({"rows": 2}))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        self.assertEqual(json.loads(self.path.read_text()), {"rows": 1})
        self.assertEqual(len(journal.complaints), 2)
        self.assertEqual(sorted(p.name for p in self.path.parent.iterdir()), ["out.json"])
        # A file where a folder should be.
        journal = supervised.Journal(pathlib.Path(self.path, "under/out.json"), [spare])
        self.assertEqual(journal.write({"rows": 3}), spare)
        self.assertEqual(json.loads(spare.read_text()), {"rows": 3})


if __name__ == "__main__":
    unittest.main()
