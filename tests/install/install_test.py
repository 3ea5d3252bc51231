#!/usr/bin/env python3
"""Installs a build's components, moves them, and builds an application with what is there:

    install_test.py BUILD-FOLDER

It knows nothing of this checkout but the model. Its programs hold the model in all forms and give
the same logits, also where only the runtime is installed; a changed model is compiled again and an
unchanged one is not; the runtime is found alone, and what is not there is an error that names it;
pkg-config finds the runtime; a C++17 program uses the client; the runtime's package needs the C
library alone.
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


def logits(command, environment):
    return [float(line) for line in run(*command, env=environment).splitlines()]


def same(wanted, got, name):
    assert len(wanted) == len(got), name
    assert all(abs(a - b) <= 2e-3 for a, b in zip(wanted, got)), (name, wanted, got)


def build_app(prefix, runtime, work, environment):
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
    linked = logits([work / "built/linked"], environment)
    assert len(linked) == 320 and any(linked), linked
    bundle = work / "built/digits_bundle/digits_bundle.hybundle"
    programs = [["loaded"], ["linked_all"], ["linked_so"], ["bundled", bundle]]
    for name, *arguments in programs:
        same(linked, logits([work / "built" / name, *arguments], environment), name)
    assert (work / "built/digits_all.weights").exists()
    # The programs and their files alone, with the runtime at another place.
    moved, away = work / "moved", work / "away"
    moved.mkdir()
    away.mkdir()
    for file in ("linked", "linked_all", "digits_all.weights", "linked_so",
                 "digits_so/libdigits_so.so", "bundled", "digits_bundle/digits_bundle.hybundle"):
        shutil.copy(work / "built" / file, moved)
    for folder in (work / "built", prefix):
        folder.rename(away / folder.name)
    libraries = environment | {"LD_LIBRARY_PATH": f"{runtime / 'lib'}:{moved}"}
    for name, *arguments in [["linked"], *programs[1:]]:
        arguments = [moved / argument.name for argument in arguments]
        same(linked, logits([moved / name, *arguments], libraries), name)
    for folder in (work / "built", prefix):
        (away / folder.name).rename(folder)
    needed = run("readelf", "-d", work / "built/bundled")
    assert "libhalyard_rt.so.0.1" in needed and "stdc++" not in needed, needed

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
    for name in ("halyard-rt", "halyard-rt-cuda", "halyard-rt-vulkan", "halyard-rt-shared"):
        flags = run("pkg-config", "--cflags", "--libs", name, env=environment).split()
        program = work / name
        source = work / "version.c"
        source.write_text('#include <halyard_rt.h>\n#include <stdio.h>\nint main(void) { hy_device* '
                          'd = NULL; puts(hy_version()); return hy_device_open("x86", 0, 1, &d) '
                          '!= NULL; }\n')
        run("gcc", source, "-o", program, *flags)
        libraries = environment | {"LD_LIBRARY_PATH": str(prefix / "lib")}
        assert run(program, env=libraries) == "0.1.0\n"
        symbols = run("nm", program)
        for backend in ("cuda", "vulkan"):
            opens = f"_ZN7halyard7runtime{len(backend)}{backend}10OpenDevice"
            defined = re.search(rf" [Tt] {opens}", symbols) is not None
            assert defined == name.endswith(backend), (name, backend, defined)


def check_shared_runtime(prefix):
    """It shows what its header declares, and needs the C library alone."""
    library = prefix / "lib/libhalyard_rt.so"
    header = (prefix / "include/halyard_rt.h").read_text()
    declared = set(re.findall(r"\b(hy_\w+)\(", re.sub(r"/\*.*?\*/", "", header, flags=re.S)))
    shown = {line.split()[-1] for line in run("nm", "-D", "--defined-only", library).splitlines()}
    assert shown == declared, shown ^ declared
    dynamic = run("readelf", "-d", library)
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", dynamic))
    assert needed <= {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}, needed
    assert "SONAME" in dynamic and "[libhalyard_rt.so.0.1]" in dynamic, dynamic
    assert "RPATH" not in dynamic and "RUNPATH" not in dynamic, dynamic


def check_client(prefix, work, environment):
    source = work / "client"
    shutil.copytree(HERE / "client", source)
    (source / "project.cmake").rename(source / "CMakeLists.txt")
    run("cmake", "-S", source, "-B", source / "built", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", source / "built")
    app = source / "built/client_app"
    alone = run(app, env=environment | {"PATH": "/usr/bin:/bin"}, fails=True)
    assert "halyard-codegen is neither beside this program nor in $PATH" in alone, alone
    path = f"{prefix / 'bin'}:{environment['PATH']}"
    lines = run(app, env=environment | {"PATH": path}).splitlines()
    assert lines[0] == "{12, 24, 36, 48}" and lines[1] == "21", lines
    assert lines[2].startswith("broken.hlo:1"), lines
    for header in (prefix / "include/halyard").rglob("*"):
        includes = re.findall('#include "([^"]*)"', header.read_text()) if header.is_file() else []
        for include in includes:
            assert include.startswith("absl/") or (prefix / "include" / include).exists(), include


def check_package(build, work):
    """A minimal system has what the runtime's package needs."""
    folder = work / "packages"
    run("cpack", "--config", build / "CPackConfig.cmake", "-G", "DEB", "-B", folder, "-D",
        "CPACK_COMPONENTS_ALL=runtime")
    package, = folder.glob("*.deb")
    depends = run("dpkg-deb", "-f", package, "Depends").strip()
    assert re.fullmatch(r"libc6 \(>= [0-9.]+\)", depends), depends
    files = run("dpkg-deb", "-c", package)
    for file in ("lib/libhalyard_rt.so.0.1", "lib/libhalyard_rt.a", "include/halyard_rt.h"):
        assert f"./usr/{file}" in files, files
    control = run("dpkg-deb", "-I", package)
    assert "shlibs" in control and "postinst" in control, control  # this runs ldconfig


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        environment = dict(os.environ, HALYARD_CACHE_DIR=str(work / "cache"))
        runtime = install(build, work, "runtime")
        both = install(build, work, "runtime", "compiler", "client")
        build_app(both, runtime, work, environment)
        check_shared_runtime(runtime)
        find(runtime, work, "runtime", fails=False)
        assert "component compiler is not installed" in find(runtime, work, "compiler", fails=True)
        assert "component client is not installed" in find(runtime, work, "client", fails=True)
        assert "no component server" in find(runtime, work, "server", fails=True)
        check_client(both, work, environment)
        if shutil.which("dpkg-deb") and shutil.which("dpkg-shlibdeps"):
            check_package(build, work)
        if shutil.which("pkg-config"):
            check_package_config(runtime, work, environment)
        compiler = install(build, work, "compiler")
        assert "halyard 0.1.0" in run(compiler / "bin/halyard", "--version").lower()
        dynamic = run("readelf", "-d", compiler / "bin/halyard-codegen")
        assert re.findall(r"R.*PATH.*\[(.*)\]", dynamic) == ["$ORIGIN/../lib/halyard"], dynamic
        checkout = str(HERE.parents[1]).encode()
        for file in both.rglob("*"):
            if file.is_file() and file.name != "libHalide.so" and checkout in file.read_bytes():
                sys.exit(f"{file} holds a path of the checkout")
    print("install_test: passed")


main()
