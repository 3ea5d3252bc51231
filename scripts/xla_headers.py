#!/usr/bin/env python3
"""Puts headers of XLA's C APIs into FOLDER/xla; scripts/setup calls it with .venv/include.

They are Apache-2.0, and come from wheels that are large: only the parts that hold the headers are
fetched, with pip's own means and settings. Where that does not work, pip downloads the whole wheel.
With --check, says which are missing, and exits with 1 if any is.
"""

import collections
import hashlib
import pathlib
import subprocess
import sys
import tempfile
import zipfile

PYTHON = (3, 11)  # wheels for any Python hold the same headers
Header = collections.namedtuple("Header", "package version member path sha256")
HEADERS = (
    Header("tensorflow-cpu", "2.21.0", "tensorflow/include/xla/pjrt/c/pjrt_c_api.h",
           "xla/pjrt/c/pjrt_c_api.h",
           "b5cdbd8289178466b9e695985fe065fe57c9b57f816c8e02b5f6bcf61c7aec4b"),
    Header("tensorflow-cpu", "2.21.0", "tensorflow/include/xla/pjrt/c/pjrt_c_api_ffi_extension.h",
           "xla/pjrt/c/pjrt_c_api_ffi_extension.h", "2e7d1ced9764e06dff50c8c6a2b2c3b1024614f1a44d3405007992bab8ede6cd"),
    # That of the JAX whose functions are called; TensorFlow's is older.
    Header("jaxlib", "0.10.2", "jaxlib/include/xla/ffi/api/c_api.h", "xla/ffi/api/c_api.h",
           "85fc385c2d3a6b539a05b9cf4c3535aa24b4b41040f9e111c1f2c11b0e2fa539"),
)


def right(header, text):
    return hashlib.sha256(text).hexdigest() == header.sha256


def fetch_part(header):
    """Range requests; pip's internals, which another pip may not have."""
    from pip._internal.commands.download import DownloadCommand
    from pip._internal.models.target_python import TargetPython
    from pip._internal.network.lazy_wheel import LazyZipOverHTTP

    command = DownloadCommand("download", "")
    options, _ = command.parse_args(["--only-binary=:all:", "--quiet", f"{header.package}=={header.version}"])
    with command.main_context():
        session = command.get_default_session(options)
        finder = command._build_package_finder(
            options=options, session=session, target_python=TargetPython(py_version_info=PYTHON))
        wheels = finder.find_best_candidate(header.package).iter_applicable()
        link = next(w.link for w in wheels if str(w.version) == header.version)
        with zipfile.ZipFile(LazyZipOverHTTP(link.url_without_fragment, session)) as wheel:
            return wheel.read(header.member)


def fetch_whole(header):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
             "--only-binary=:all:", "--python-version", "%d.%d" % PYTHON, "-d", folder,
             f"{header.package}=={header.version}"], check=True)
        (path,) = pathlib.Path(folder).glob("*.whl")
        with zipfile.ZipFile(path) as wheel:
            return wheel.read(header.member)


def main():
    check = "--check" in sys.argv
    folder = pathlib.Path([a for a in sys.argv[1:] if a != "--check"][0])
    missing = False
    for header in HEADERS:
        path = folder / header.path
        if path.exists() and right(header, path.read_bytes()):
            continue
        if check:
            print(f"setup: missing {path}", file=sys.stderr)
            missing = True
            continue
        print(f"setup: fetching {path}", file=sys.stderr)
        try:
            text = fetch_part(header)
        except Exception as error:  # whatever another pip, or a proxy without ranges, makes of it
            print(f"setup: fetching all of {header.package} for one header ({error!r})",
                  file=sys.stderr)
            text = fetch_whole(header)
        if not right(header, text):
            sys.exit(f"setup: {header.member} of {header.package} {header.version} is not the file "
                     "that is expected")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    sys.exit(1 if missing else 0)


main()
