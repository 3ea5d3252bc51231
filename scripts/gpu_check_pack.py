"""What is carried to a machine with a GPU: programs, their libraries, and the files of the
repository that scripts/gpu_check reads."""
import os
import pathlib
import re
import shutil
import subprocess
import tarfile

from gpu_check_core import ROOT, say

BUILD = ROOT / "build/release"
PACK = ROOT / "build/gpu_check.tar.xz"
FOLDER = ROOT / "build/gpu_check"
PAYLOAD_MIB = 64
MARGIN_MIB = 2
# The C library and what belongs to it come from the machine.
SYSTEM = re.compile(r"^(linux-vdso|ld-linux|libc\.|libm\.|libdl\.|librt\.|libpthread\.)")

# The commands, the conformance suite, and the tests that compare with the evaluator or with XLA.
SUITE = [f"backend_{part}_test" for part in ("memory", "launch", "limits", "executable")]
TESTS = ["programs_differential_test", "programs_metamorphic_test", "programs_special_values_test",
         "beside_xla_test"]
PROGRAMS = ["bin/halyard", "bin/halyard-codegen", "bin/halyard-rt",
            *(f"test_bin/{name}" for name in [*SUITE, *TESTS])]
PLUGIN = "lib/libhalyard.so"
# Of the repository.
CARRIED = ["scripts", "benchmarks/gpu_programs.py", "examples/digits", "examples/transformer",
           "python", "tests/beside_xla/sample", "tests/data/check", "tests/data/families",
           "tests/data/fixtures", "tests/data/programs", "tests/data/vectors"]


def libraries_of(program):
    """Paths of the shared libraries that a program loads."""
    out = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    found = re.findall(r"^\s*(\S+) => (/\S+)", out, re.M)
    return {name: path for name, path in found if not SYSTEM.match(name)}


def tracked(*paths):
    listed = subprocess.run(["git", "ls-files", "-z", "--", *paths], cwd=ROOT, check=True,
                            capture_output=True).stdout
    files = [ROOT / os.fsdecode(f) for f in listed.split(b"\0") if f]
    return [f for f in files if f.is_file()]


def mib(paths):
    return sum(p.stat().st_size for p in paths) / 2**20


def fill(folder):
    """Copies all that is carried into the folder."""
    for name in ("bin", "lib"):
        (folder / name).mkdir(parents=True)
    for program in [*(BUILD / p for p in PROGRAMS), BUILD / PLUGIN]:
        shutil.copy(program, folder / ("lib" if program.suffix == ".so" else "bin"))
        for name, path in libraries_of(program).items():
            shutil.copy(path, folder / "lib" / name)
    for path in [*(folder / "bin").iterdir(), *(folder / "lib").iterdir()]:
        subprocess.run(["strip", "--strip-unneeded", path], check=False, stderr=subprocess.DEVNULL)
    for path in tracked(*CARRIED):
        copy = folder / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)


def pack():
    missing = [str(BUILD / p) for p in [*PROGRAMS, PLUGIN] if not (BUILD / p).exists()]
    if missing:
        say(f"not built: {', '.join(missing)}; run `scripts/build release all` first")
        return 1
    shutil.rmtree(FOLDER, ignore_errors=True)
    fill(FOLDER)
    say("compressing (some minutes)")
    PACK.unlink(missing_ok=True)
    subprocess.run(["tar", "-C", FOLDER, "-cf", PACK.with_suffix(""), "."], check=True)
    # The filter makes calls' relative addresses absolute; the dictionary holds all of libHalide.
    subprocess.run(["xz", "--x86", "--lzma2=preset=9e,dict=192MiB", "--force",
                    PACK.with_suffix("")], check=True)
    rows = sorted(((p.stat().st_size, p.relative_to(FOLDER)) for p in FOLDER.rglob("*")
                   if p.is_file()), reverse=True)
    for size, path in rows[:8]:
        print(f"{size / 2**20:8.1f} MiB  {path}")
    print(f"{sum(size for size, _ in rows[8:]) / 2**20:8.1f} MiB  {max(0, len(rows) - 8)} more")
    shutil.rmtree(FOLDER)
    return report(mib([PACK]), mib(tracked()))


def report(packed, tree):
    """Says how to carry the pack; returns the exit status."""
    most = PAYLOAD_MIB - MARGIN_MIB
    name = PACK.relative_to(ROOT)
    print(f"payload: {packed:.1f} MiB, {name}, which is all that has to be carried; "
          f"{packed + tree:.1f} MiB beside the whole checkout (at most {PAYLOAD_MIB})")
    if packed > most:
        say(f"the payload is too large: more than {most} MiB")
        return 1
    if packed + tree > most:
        print("beside the whole checkout it is too large. Where the checkout travels too, leave in "
              "it what is needed, and restore it afterwards:\n"
              "    git sparse-checkout set --no-cone /scripts/ /benchmarks/gpu_programs.py\n"
              "    git sparse-checkout disable")
    print("there, in a checkout (all of it, or the two above):\n"
          "    scripts/gpu_check --json=$OUT/gpu_check.json\n"
          "or with the file alone:\n"
          f"    mkdir /tmp/check && tar -C /tmp/check -xf {PACK.name} && "
          "/tmp/check/scripts/gpu_check --json=$OUT/gpu_check.json")
    return 0


def unpacked():
    """The folder with `bin` and `lib`, or None."""
    if (ROOT / "bin/halyard").exists() and (ROOT / "lib").is_dir():
        return ROOT  # this script itself was in the pack
    if not PACK.exists():
        say(f"{PACK} is not there: scripts/gpu_check --pack makes it where Halyard is built")
        return None
    if not FOLDER.exists() or FOLDER.stat().st_mtime < PACK.stat().st_mtime:
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        say("unpacking")
        if shutil.which("xz"):  # three times as fast as Python
            subprocess.run(["tar", "-C", FOLDER, "-xf", PACK], check=True)
        else:
            with tarfile.open(PACK) as archive:
                archive.extractall(FOLDER)
        os.utime(FOLDER)
    return FOLDER


def link_built(folder):
    """For rehearsals: the commands and tests in one folder, as they are packed."""
    (folder / "bin").mkdir()
    (folder / "lib").mkdir()
    for program in PROGRAMS:
        (folder / "bin" / pathlib.Path(program).name).symlink_to(BUILD / program)
    (folder / "lib" / pathlib.Path(PLUGIN).name).symlink_to(BUILD / PLUGIN)
    return folder / "bin"
