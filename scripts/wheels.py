#!/usr/bin/env python3
"""Makes the wheels halyard-compiler and jax-halyard of a build: wheels.py BUILD-FOLDER DIST-FOLDER.

The first holds programs. auditwheel puts the Debian libraries that they need beside them, and finds
out for which systems the wheel is. libHalide stays in its own wheel, which pip installs beside this
one: halyard-codegen has a run path to it. scripts/wheels calls this.
"""

import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAMS = ("bin/halyard", "bin/halyard-codegen", "bin/halyard-rt", "lib/libhalyard.so")
HALIDE_PATH = "$ORIGIN/../../halide/lib64"  # from site-packages/halyard_compiler/bin
# Every system that the wheel is for has these.
OF_THE_SYSTEM = {"libc6", "libgcc-s1", "libstdc++6", "zlib1g"}
ABOUT = """Metadata-Version: 2.1
Name: {name}
Version: {version}
Summary: {summary}
License: Apache-2.0
Requires-Python: >=3.11
{requires}
Description-Content-Type: text/markdown

{description}
"""


def run(*command):
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout


def version():
    return re.search(r"project\(Halyard VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def pinned(package):
    """package==version, as the build was made with."""
    text = (ROOT / "scripts/requirements.txt").read_text()
    return re.search(rf"^{package}==[^ ]+", text, re.M)[0]


def put(folder, name, content):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def copy_programs(build, package):
    for name in PROGRAMS:
        target = package / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(build / name, target)
        run("strip", "--strip-unneeded", str(target))
        if name == "bin/halyard-codegen":
            run("patchelf", "--set-rpath", HALIDE_PATH, str(target))
        else:
            run("patchelf", "--remove-rpath", str(target))
        if str(ROOT).encode() in target.read_bytes():
            sys.exit(f"wheels: {name} holds a path of this checkout")


def add_licenses(package, info):
    """Copyright files of the Debian packages whose libraries auditwheel will add."""
    libraries = set()
    for name in PROGRAMS:
        for line in run("ldd", str(package / name)).splitlines():
            found = re.search(r"=> (/\S+)", line)
            if found and "libHalide" not in line:
                libraries.add(found[1])
    packages = set()
    for library in libraries:
        # dpkg knows the place before or after /lib became a link to /usr/lib.
        for path in (library, os.path.realpath(library), library.removeprefix("/usr")):
            owner = subprocess.run(["dpkg-query", "-S", path], text=True, capture_output=True)
            if owner.returncode == 0:
                packages.add(owner.stdout.split(":")[0])
                break
        else:
            sys.exit(f"wheels: {library} is of no Debian package, so its license is not known")
    for name in sorted(packages - OF_THE_SYSTEM):
        put(info, f"licenses/{name}", pathlib.Path(f"/usr/share/doc/{name}/copyright").read_bytes())


def describe(info, name, summary, requires, description, tag, scripts):
    put(info, "METADATA", ABOUT.format(name=name, version=version(), summary=summary,
                                       requires="\n".join(requires), description=description))
    put(info, "WHEEL", "Wheel-Version: 1.0\nGenerator: scripts/wheels\n"
        f"Root-Is-Purelib: {'true' if tag.endswith('any') else 'false'}\nTag: {tag}\n")
    put(info, "entry_points.txt", scripts)
    put(info, "licenses/LICENSE", (ROOT / "LICENSE").read_bytes())


def pack(folder, path, info):
    """A wheel of `folder`: entries have one date, so that equal contents are equal files."""
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        def write(name, content, mode):
            entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)

        for file in sorted(p for p in folder.rglob("*") if p.is_file()):
            content = file.read_bytes()
            name = str(file.relative_to(folder))
            write(name, content, 0o755 if os.access(file, os.X_OK) else 0o644)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
            record.append(f"{name},sha256={digest},{len(content)}")
        record.append(f"{info}/RECORD,,")
        write(f"{info}/RECORD", "\n".join(record) + "\n", 0o644)


def compiler_wheel(build, dist, work):
    tree = work / "compiler"
    info = f"halyard_compiler-{version()}.dist-info"
    package = tree / "halyard_compiler"
    for source in sorted((ROOT / "python/halyard_compiler").glob("*.py")):
        put(package, source.name, source.read_bytes())
    copy_programs(build, package)
    describe(
        tree / info, "halyard-compiler", "Compiles HLO and StableHLO programs with Halide",
        [f"Requires-Dist: {pinned('halide')}", "Provides-Extra: cuda",
         f"Requires-Dist: {pinned('nvidia-cuda-nvcc-cu12')}; extra == 'cuda'"],
        "The commands `halyard` and `halyard-rt`, the code generator and `libhalyard.so`, the plugin "
        "that jax-halyard gives to JAX. The extra `cuda` brings the assembler that kernels for "
        "NVIDIA's GPUs are compiled with ahead of time; without it the driver compiles them.",
        "py3-none-linux_x86_64",
        "[console_scripts]\nhalyard = halyard_compiler.commands:halyard\n"
        "halyard-rt = halyard_compiler.commands:halyard_rt\n")
    add_licenses(package, tree / info)
    plain = work / f"halyard_compiler-{version()}-py3-none-linux_x86_64.whl"
    pack(tree, plain, info)
    print(run("auditwheel", "repair", "--exclude", "libHalide.so", "--wheel-dir", str(dist),
              str(plain)), end="")


def jax_wheel(dist, work):
    tree = work / "jax"
    info = f"jax_halyard-{version()}.dist-info"
    for source in sorted((ROOT / "python/jax_plugins/halyard").glob("*.py")):
        put(tree / "jax_plugins/halyard", source.name, source.read_bytes())
    describe(
        tree / info, "jax-halyard", "Runs JAX programs with Halyard on x86, Vulkan and CUDA",
        [f"Requires-Dist: halyard-compiler=={version()}", "Requires-Dist: jax>=0.10.2",
         "Provides-Extra: cuda",
         f"Requires-Dist: halyard-compiler[cuda]=={version()}; extra == 'cuda'"],
        "`JAX_PLATFORMS=halyard python train.py` runs a JAX program on Halyard.",
        "py3-none-any", "[jax_plugins]\nhalyard = jax_plugins.halyard\n")
    pack(tree, dist / f"jax_halyard-{version()}-py3-none-any.whl", info)


def main():
    build, dist = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    dist.mkdir(exist_ok=True)
    for pattern in ("halyard_compiler-*.whl", "jax_halyard-*.whl"):
        for old in dist.glob(pattern):
            old.unlink()
    os.environ.setdefault("SOURCE_DATE_EPOCH", "1767225600")  # pack()'s date, for auditwheel
    with tempfile.TemporaryDirectory() as work:
        compiler_wheel(build, dist, pathlib.Path(work))
        jax_wheel(dist, pathlib.Path(work))
    for wheel in sorted(dist.glob("*.whl")):
        print(f"wheels: {wheel} ({wheel.stat().st_size / 1e6:.1f} MB)")


main()
