"""Commands that cannot hold up their caller, and results that survive it (scripts/gpu_check)."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

GRACE_S = 5  # for a group that was killed to be gone; longer: it is left behind
OUTPUT_BYTES = 8 << 20  # of a command, that are kept: its last ones


def tell(text, stream=None):
    """Prints a line, if anybody listens: what is told may go to a disk that is full."""
    try:
        print(text, file=stream or sys.stderr, flush=True)
    except (OSError, ValueError):
        pass


class Output:
    """Reads a pipe in a thread of its own: a process that is left behind may keep it open."""

    def __init__(self, pipe):
        self.pipe = pipe
        self.pieces, self.size = [], 0
        self.lock = threading.Lock()
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        while True:
            try:
                piece = os.read(self.pipe.fileno(), 1 << 16)
            except (OSError, ValueError):
                piece = b""
            if not piece:
                self.pipe.close()
                return
            with self.lock:
                self.pieces.append(piece)
                self.size += len(piece)
                while self.size - len(self.pieces[0]) > OUTPUT_BYTES:
                    self.size -= len(self.pieces.pop(0))

    def text(self, wait):
        self.thread.join(wait)
        with self.lock:
            return b"".join(self.pieces).decode(errors="replace")


class Supervisor:
    """Runs commands, each in a process group of its own."""

    def __init__(self):
        self.groups = set()
        self.left_behind = []  # (process number, command)
        self.lock = threading.Lock()

    def kill(self, group):
        try:
            os.killpg(group, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass

    def kill_all(self):
        with self.lock:
            groups = list(self.groups)
        for group in groups:
            self.kill(group)

    def run(self, command, limit, cwd=None, environment=None):
        """(exit status, output); 124: stopped after `limit` seconds; 126: it could not be started.
        Returns in time even if the process cannot be killed, as in a driver that hangs."""
        command = [str(c) for c in command]
        try:
            process = subprocess.Popen(command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       start_new_session=True)
        except OSError as error:
            return 126, f"{command[0]}: {error}"
        with self.lock:
            self.groups.add(process.pid)
        outputs = [Output(process.stdout), Output(process.stderr)]
        try:
            status, why = self.wait(process, command, limit)
        finally:
            # What it started and left: it may hold the device.
            self.kill(process.pid)
            with self.lock:
                self.groups.discard(process.pid)
        # A process that fled from the group may hold the pipe for ever.
        return status, "".join(output.text(1) for output in outputs) + why

    def wait(self, process, command, limit):
        try:
            return process.wait(limit), ""
        except subprocess.TimeoutExpired:
            pass
        self.kill(process.pid)
        try:
            process.wait(GRACE_S)
            return 124, f"\nstopped after {limit:.0f} s"
        except subprocess.TimeoutExpired:
            with self.lock:
                self.left_behind.append((process.pid, " ".join(command)))
            return 124, (f"\nstopped after {limit:.0f} s; process {process.pid} cannot be killed "
                         "and is left behind")


class Journal:
    """The results so far, as one JSON file, which is whole at every moment: each state is written
    beside it and takes its name. If a place has no room, the next one is used."""

    def __init__(self, path, spare=()):
        self.places = [pathlib.Path(path), *(pathlib.Path(s) for s in spare)]
        self.path = self.places[0]
        self.complaints = []
        self.lock = threading.RLock()

    def write(self, state, more=None):
        """Returns where it is now, or None if no place took it. `more`: texts by suffix."""
        text = json.dumps(state, indent=1) + "\n"
        with self.lock:
            for place in self.places:
                try:
                    replace(place, text)
                    for suffix, other in (more or {}).items():
                        replace(place.with_suffix(suffix), other)
                    self.path = place
                    return place
                except OSError as error:
                    complaint = f"{place}: {error.strerror or error}"
                    if complaint not in self.complaints:
                        self.complaints.append(complaint)
                        tell(f"results cannot be written to {complaint}")
        return None


def replace(path, text):
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(part, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError:
        try:
            part.unlink()
        except OSError:
            pass
        raise


def spare_places(name):
    """Where results go if the disk is full: to memory, and to the other temporary folder."""
    folders = ["/dev/shm", tempfile.gettempdir(), str(pathlib.Path.home())]
    return [pathlib.Path(folder) / name for folder in folders if os.path.isdir(folder)]


def work_folder(prefix):
    """A new folder, in memory if the disk is full."""
    try:
        return pathlib.Path(tempfile.mkdtemp(prefix=prefix))
    except OSError:
        return pathlib.Path(tempfile.mkdtemp(prefix=prefix, dir="/dev/shm"))


def on_signals(do):
    """Calls `do(signal number)` where the process would end by a signal that it can catch."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda got, frame: do(got))


def rehearse(seconds=1):
    """Whether this machine lets go of what hangs: a command that ignores signals and has a child
    outside of its group. Returns what is wrong, or ""."""
    script = "trap '' TERM INT; setsid sleep 20 & sleep 20"
    start = time.monotonic()
    status, out = Supervisor().run(["sh", "-c", script], seconds)
    took = time.monotonic() - start
    if status != 124 or "stopped after" not in out:
        return f"a command that hangs ended with {status}: {out}"
    return "" if took < seconds + GRACE_S + 5 else f"it took {took:.0f} s to let go of it"
