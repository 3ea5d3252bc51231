#!/usr/bin/env python3
"""Builds and runs the examples of programs that embed models, with an installed Halyard and nothing
else of this checkout:

    examples_test.py BUILD-FOLDER [EXAMPLE ...]

What an example needs and this machine lacks is printed, and the example skipped.
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples"


class Skipped(Exception):
    pass


def run(*command, fails=False, **options):
    done = subprocess.run([str(c) for c in command], text=True, capture_output=True, **options)
    if (done.returncode != 0) != fails:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n"
                 f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return done.stdout


def need(*tools):
    for tool in tools:
        if shutil.which(tool) is None:
            raise Skipped(f"{tool} is not installed")


def need_package(name):
    need("pkg-config")
    if subprocess.run(["pkg-config", "--exists", name]).returncode != 0:
        raise Skipped(f"the development files of {name} are not installed")


def embed_c(folder, environment):
    printed = run("make", "ROOT=..", f"PYTHON={sys.executable}", "BUILD=built",
                  f"HALYARD={shutil.which('halyard', path=environment['PATH'])}", cwd=folder,
                  env=environment)
    right, of = map(int, re.search(r"(\d+) of (\d+) images told right", printed).groups())
    assert right > 0.9 * of, printed


def digits_png(folder, environment):
    need_package("libpng")
    run("make", cwd=folder, env=environment)
    assert run("./read_digit", "seven.png", cwd=folder) == "7\n"
    run("./read_digit", "Makefile", cwd=folder, fails=True)
    run("./read_digit", "nowhere.png", cwd=folder, fails=True)


def digits_server(folder, environment):
    # The server must leave nothing behind, and neither must what it links.
    run("make", "CFLAGS=-O1 -g -Wall -Wextra -Werror -fsanitize=address,undefined", cwd=folder,
        env=environment)
    socket = folder / "s"
    with subprocess.Popen(["./server", "s", "2"], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True) as server:
        assert "2 workers" in server.stdout.readline()
        for clients, images in ((1, 20), (64, 20), (16, 50)):
            printed = run("./load", "s", clients, images, cwd=folder)
            assert f"{clients * images} answers right, 0 wrong, 0 missing" in printed, printed
        # Clients that come and go without a word, and one that asks half a question.
        for message in (b"", b"", b"half"):
            run(sys.executable, "-c", "import socket, sys; s = socket.socket(socket.AF_UNIX); "
                f"s.connect('s'); s.sendall({message!r})", cwd=folder)
        server.send_signal(signal.SIGTERM)
        rest = server.communicate(timeout=60)[0]
    assert server.returncode == 0 and rest == "", rest
    assert not socket.exists()


def digits_rust(folder, environment):
    need("cargo")
    printed = run("cargo", "run", "--quiet", "--offline", "--locked", cwd=folder,
                  env=environment | {"CARGO_HOME": str(folder / "cargo_home")})
    assert printed == "3\n0\n", printed


def digits_cmake(folder, environment):
    run("cmake", "-S", folder, "-B", folder / "build", env=environment)
    run("cmake", "--build", folder / "build", env=environment)
    run(sys.executable, folder.parent / "embed_c/extract.py", folder / "build")
    printed = run("build/classify", "build/images.f32", "build/labels.s32", cwd=folder)
    right, of = map(int, re.search(r"(\d+) of (\d+) images told right", printed).groups())
    assert right > 0.9 * of, printed
    run("build/classify", cwd=folder, fails=True)


def digits_python(folder, environment):
    printed = run("make", f"PYTHON={sys.executable}", cwd=folder, env=environment)
    right, of = map(int, re.search(r"(\d+) of (\d+) images told right", printed).groups())
    assert right > 0.9 * of, printed
    # Results stay valid when the model is gone, and arguments are not copied.
    run(sys.executable, "-c", """
import gc, sys, numpy as np, halyard_rt
model = halyard_rt.Model("./libdigits.so", "digits")
memory = np.zeros(32 * 64 + 16, np.float32)
skipped = -(memory.ctypes.data // 4) % 16
images = memory[skipped:skipped + 32 * 64].reshape(32, 8, 8, 1)
images[:] = 0.5
before = sys.getrefcount(images)
(result,) = model(images)
assert sys.getrefcount(images) == before, "the argument is still held"
logits = np.from_dlpack(result)
copied = logits.copy()
del model, result
gc.collect()
assert logits.shape == (32, 10) and (logits == copied).all() and logits.any()
for array in (np.zeros((32, 8, 8), np.float32), np.zeros((32, 8, 8, 1), np.int32)):
    try:
        halyard_rt.Model("./libdigits.so", "digits")(array)
    except halyard_rt.Error as error:
        assert error.code == 3, error
    else:
        raise SystemExit("taken")
""", cwd=folder)


def vulkan_share(folder, environment):
    need_package("vulkan")
    run("make", "CFLAGS=-O1 -g -Wall -Wextra -Werror", cwd=folder, env=environment)
    if not any(line.startswith("vulkan") and len(line.split()) > 1
               for line in run("halyard", "devices", env=environment).splitlines()):
        raise Skipped("there is no Vulkan device")
    for frames in (1, 7):
        printed = run("./show", frames, cwd=folder, env=environment)
        # What picture.mlir draws at that time, and what means.spvasm makes of it.
        mean_sum = 0
        for top in range(0, 128, 8):
            for left in range(0, 256, 4):
                block = [(((x - 128) ** 2 + (2 * (y - 64)) ** 2) // 64 - 8 * (frames - 1)) % 256
                         for y in range(top, top + 8) for x in range(left, left + 4)]
                mean_sum += sum(block) // 32
        assert f"sum of the means: {mean_sum}\n" in printed, (printed, mean_sum)
        assert "\nvulkan on " in printed, printed


TESTS = [embed_c, digits_cmake, digits_python, vulkan_share, digits_png, digits_server, digits_rust]


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    names = sys.argv[2:]
    with tempfile.TemporaryDirectory() as place:
        work = pathlib.Path(place)
        for component in ("runtime", "compiler"):
            run("cmake", "--install", build, "--prefix", work / "first", "--component", component)
        prefix = work / "halyard"
        (work / "first").rename(prefix)
        # Nothing but what they hold themselves, and the network.
        for test in TESTS:
            shutil.copytree(EXAMPLES / test.__name__, work / "examples" / test.__name__)
        (work / "examples/examples").symlink_to(work / "examples")  # what embed_c calls ROOT
        shutil.copytree(EXAMPLES / "digits", work / "examples/digits")
        environment = dict(os.environ, PATH=f"{prefix / 'bin'}:{os.environ['PATH']}",
                           CMAKE_PREFIX_PATH=str(prefix),
                           PKG_CONFIG_PATH=str(prefix / "lib/pkgconfig"))
        ran = 0
        for test in TESTS:
            if names and test.__name__ not in names:
                continue
            start = time.monotonic()
            try:
                test(work / "examples" / test.__name__, environment)
            except Skipped as reason:
                print(f"SKIPPED {test.__name__}: {reason}", flush=True)
                continue
            print(f"PASS {test.__name__} ({time.monotonic() - start:.1f} s)", flush=True)
            ran += 1
    if ran == 0:
        sys.exit("no example was run")


if __name__ == "__main__":
    main()
