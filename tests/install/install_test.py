#!/usr/bin/env python3
"""Installs a build's components, moves them, and builds an application with what is there:

    install_test.py BUILD-FOLDER

It knows nothing of this checkout but the model. Both of its programs give the same logits; a
changed model is compiled again and an unchanged one is not; the runtime is found alone, and what is
not there is an error that names it; pkg-config finds the runtime.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MODEL = HERE.parents[1] / "examples/digits/digits.mlir"


def run(*command, fails=False, **options):
    done = subprocess.run([str(c) for c in command], text=True, capture_output=True, **options)
    if (done.returncode != 0) != fails:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return done.stdout + done.stderr


def install(build, work, *components):
    """A prefix with the components, moved after it was made."""
    first, prefix = work / "first", work / "-".join(("prefix",) + components)
    for component in components:
        run("cmake", "--install", build, "--prefix", first, "--component", component)
    first.rename(prefix)
    return prefix


def logits(program, environment):
    return [float(line) for line in run(program, env=environment).splitlines()]


def build_app(prefix, work, environment):
    model = work / "model.mlir"
    shutil.copy(MODEL, model)
    app = work / "app"
    shutil.copytree(HERE / "app", app)
    # By its own name it would be one of Halyard's tests.
    (app / "project.cmake").rename(app / "CMakeLists.txt")
    run("cmake", "-S", app, "-B", work / "built", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DMODEL={model}", env=environment)
    again = ["cmake", "--build", work / "built"]
    run(*again, env=environment)
    linked = logits(work / "built/linked", environment)
    loaded = logits(work / "built/loaded", environment)
    assert len(linked) == 320 and any(linked), linked
    assert all(abs(a - b) <= 2e-3 for a, b in zip(linked, loaded)), (linked, loaded)

    assert "Compiling digits" not in run(*again, env=environment)
    os.utime(model)
    assert "Compiling digits" in run(*again, env=environment)
    model.write_text(model.read_text().replace("stablehlo.", "stablehlo_"))
    error = run(*again, env=environment, fails=True)
    assert "model.mlir:" in error, error


def find(prefix, work, components, fails):
    """What CMake says where a project asks for the components."""
    source = work / "find"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir()
    (source / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(Find LANGUAGES C)\n"
        f"find_package(Halyard REQUIRED COMPONENTS {components})\n")
    return run("cmake", "-S", source, "-B", source / "built", f"-DCMAKE_PREFIX_PATH={prefix}",
               fails=fails)


def check_package_config(prefix, work, environment):
    environment = environment | {"PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig")}
    for name in ("halyard-rt", "halyard-rt-cuda", "halyard-rt-vulkan"):
        flags = run("pkg-config", "--cflags", "--libs", name, env=environment).split()
        program = work / name
        source = work / "version.c"
        source.write_text('#include <halyard_rt.h>\n#include <stdio.h>\nint main(void) { hy_device* '
                          'd = NULL; puts(hy_version()); return hy_device_open("x86", 0, 1, &d) '
                          '!= NULL; }\n')
        run("gcc", source, "-o", program, *flags)
        assert run(program) == "0.1.0\n"
        symbols = run("nm", program)
        for backend in ("cuda", "vulkan"):
            opens = f"_ZN7halyard7runtime{len(backend)}{backend}10OpenDevice"
            defined = re.search(rf" [Tt] {opens}", symbols) is not None
            assert defined == name.endswith(backend), (name, backend, defined)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        environment = dict(os.environ, HALYARD_CACHE_DIR=str(work / "cache"))
        both = install(build, work, "runtime", "compiler")
        build_app(both, work, environment)
        runtime = install(build, work, "runtime")
        find(runtime, work, "runtime", fails=False)
        assert "component compiler is not installed" in find(runtime, work, "compiler", fails=True)
        assert "no component client" in find(runtime, work, "client", fails=True)
        if shutil.which("pkg-config"):
            check_package_config(runtime, work, environment)
        compiler = install(build, work, "compiler")
        assert "halyard 0.1.0" in run(compiler / "bin/halyard", "--version").lower()
        checkout = str(HERE.parents[1]).encode()
        for file in both.rglob("*"):
            if file.is_file() and file.name != "libHalide.so" and checkout in file.read_bytes():
                sys.exit(f"{file} holds a path of the checkout")
    print("install_test: passed")


main()
