#!/usr/bin/env python3
"""Installs the packages in freshly made minimal systems (Debian 12), and uses them there:

    fresh_system.py BUILD-FOLDER [--base=FOLDER] [--packages=FOLDER]

1. With the compiler's packages, all examples and the application of install_test.py are built, and
   built again when a model has changed.
2. Where only the runtime's package is installed, what was built runs: without Vulkan, with its
   loader alone, and with a driver.
3. Both again from archives that were unpacked in one folder and moved to another.

It needs root, as chroot does, and packages of Debian. --base and --packages name folders in which
an earlier run has left a minimal system or packages, or in which this one is to leave them.
"""

import argparse
import pathlib
import re
import shutil
import sys
import tempfile
import time

import fresh_root

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples"
# What the examples need to be built, besides a compiler and Halyard.
TOOLS = ["make", "gcc", "g++", "cmake", "pkg-config", "python3-numpy", "libpng-dev",
         "libvulkan-dev", "cargo"]
FOLDERS = ["digits", "digits_cmake", "digits_png", "digits_python", "digits_rust", "digits_server",
           "embed_c", "vulkan_share"]


def say(text):
    print(f"[{time.monotonic() - START:5.0f} s] {text}", flush=True)


START = time.monotonic()


def told_right(printed):
    """The share of images that a program says it has told right."""
    right, of = map(int, re.search(r"(\d+) of (\d+) images told right", printed).groups())
    return right / of


def expect(condition, printed):
    if not condition:
        sys.exit(f"unexpected: {printed}")


def make_packages(build, folder):
    if not list(folder.glob("*.deb")):
        folder.mkdir(parents=True, exist_ok=True)
        fresh_root.check("cpack", "--config", build / "CPackConfig.cmake", "-G", "DEB;TGZ", "-B",
                         folder, cwd=folder)
        shutil.rmtree(folder / "_CPack_Packages", ignore_errors=True)
    packages = {}
    for component in ("runtime", "compiler", "client"):
        for suffix in ("deb", "tar.gz"):
            packages[component, suffix], = folder.glob(f"*{component}*.{suffix}")
    return packages


def give_sources(root):
    """The examples, and the application of install_test.py, as projects of their own."""
    (root.folder / "root/examples").mkdir()
    for name in FOLDERS:
        root.give(EXAMPLES / name, f"examples/{name}")
    (root.folder / "root/examples/examples").symlink_to("/root/examples")  # embed_c's ROOT
    for name in ("app", "client"):
        root.give(HERE / name, name)
        project = root.folder / "root" / name
        (project / "project.cmake").rename(project / "CMakeLists.txt")


def build_examples(root, **variables):
    def run(command, folder):
        return root.run(command, folder=f"/root/examples/{folder}", **variables)

    printed = run("make ROOT=.. PYTHON=python3 BUILD=built HALYARD=$(command -v halyard)",
                  "embed_c")
    expect(told_right(printed) > 0.9, printed)
    run("cmake -S . -B build && cmake --build build", "digits_cmake")
    run("python3 ../embed_c/extract.py build", "digits_cmake")
    run("make", "digits_png")
    run("make libdigits.so", "digits_python")
    run("make", "digits_server")
    run("make", "vulkan_share")
    run("cargo build --quiet --offline --locked", "digits_rust")
    root.run("cmake -S . -B built -DMODEL=/root/examples/digits/digits.mlir && "
             "cmake --build built", folder="/root/app", **variables)


def check_rebuilt(root, **variables):
    """The model's answers become the opposite, and the application's with them."""
    model = root.folder / "root/examples/digits/digits.mlir"
    before = model.read_text()
    changed, count = re.subn(
        r"return %18 : tensor<32x10xf32>",
        "%19 = stablehlo.negate %18 : tensor<32x10xf32>\n    return %19 : tensor<32x10xf32>", before)
    expect(count == 1, "digits.mlir does not end as it did")

    def classified():
        printed = root.run("cmake --build build", folder="/root/examples/digits_cmake", **variables)
        share = told_right(root.run("build/classify build/images.f32 build/labels.s32",
                                    folder="/root/examples/digits_cmake"))
        return "Compiling digits" in printed, share

    compiled, share = classified()
    expect(not compiled and share > 0.9, f"an unchanged model: {compiled}, {share}")
    model.write_text(changed)
    compiled, share = classified()
    expect(compiled and share < 0.1, f"a changed model: {compiled}, {share}")
    model.write_text(before)
    compiled, share = classified()
    expect(compiled and share > 0.9, f"the first model again: {compiled}, {share}")


def check_client(root, **variables):
    root.run("cmake -S . -B built && cmake --build built", folder="/root/client", **variables)
    printed = root.run("built/client_app", folder="/root/client", **variables)
    expect(printed.startswith("{12, 24, 36, 48}\n21\n"), printed)


def run_alone(root, **variables):
    """What needs neither Vulkan nor anything else that Debian's smallest system lacks."""
    def run(command, folder, **options):
        return root.run(command, folder=f"/root/{folder}", **options, **variables)

    printed = run("built/digits_c built/images.f32 built/labels.s32 logits", "examples/embed_c")
    expect(told_right(printed) > 0.9, printed)
    printed = run("build/classify build/images.f32 build/labels.s32", "examples/digits_cmake")
    expect(told_right(printed) > 0.9, printed)
    printed = run("(./server s 2 & until [[ -S s ]]; do sleep 0.1; done; ./load s 16 50; kill %1)",
                  "examples/digits_server")
    expect("800 answers right, 0 wrong, 0 missing" in printed, printed)
    printed = run("target/debug/digits_rust 2>/dev/null", "examples/digits_rust")
    expect(printed == "3\n0\n", printed)
    linked = run("built/linked", "app")
    expect(len(linked.splitlines()) == 320, linked)
    for command in ("built/linked_all", "built/linked_so",
                    "built/bundled built/digits_bundle/digits_bundle.hybundle"):
        expect(run(command, "app") == linked, command)
    return linked


def expect_choice(root, chosen, reason, **variables):
    """Which target the application's model takes, and what it says of Vulkan."""
    printed = root.run("app/built/chosen", **variables)
    expect(f"\nchosen: {chosen}\n" in printed and re.search(reason, printed), printed)
    for line in printed.splitlines():
        if line.startswith("vulkan: "):
            say(f"  {line}")


def run_with_more(root, linked):
    """As a user would, who installs what an example's own README names."""
    expect_choice(root, "x86:v2", r"vulkan: libvulkan\.so\.1 not found: install .*libvulkan1")
    printed = root.run("app/built/loaded", fails=True)
    expect("libvulkan.so.1 not found" in printed, printed)
    root.install("libpng16-16", "python3-numpy", "libvulkan1")
    expect(root.run("./read_digit seven.png", folder="/root/examples/digits_png") == "7\n", "png")
    printed = root.run("python3 digits.py ./libdigits.so ../digits/heldout.npz",
                       folder="/root/examples/digits_python")
    expect(told_right(printed) > 0.9, printed)
    expect_choice(root, "x86:v2", r"vulkan: .*driver")
    printed = root.run("./show 7", fails=True, folder="/root/examples/vulkan_share")
    expect("show: " in printed, printed)
    root.install("mesa-vulkan-drivers")
    expect_choice(root, "x86:v2", r"vulkan: llvmpipe .* runs on the CPU")
    expect_choice(root, "vulkan", r"vulkan: chosen", HALYARD_TARGET="vulkan,x86")
    expect_choice(root, "x86:v2", r"vulkan: .*driver", HALYARD_TARGET="vulkan,x86",
                  VK_ICD_FILENAMES="")
    printed = root.run("./show 7", folder="/root/examples/vulkan_share")
    expect("vulkan on llvmpipe" in printed, printed)
    loaded = [float(line) for line in root.run("app/built/loaded").splitlines()]
    expect(all(abs(a - float(b)) <= 2e-3 for a, b in zip(loaded, linked.splitlines(), strict=True)),
           "loaded")


def unpack_and_move(root, packages, *components):
    """A prefix with the archives' files, which has been moved."""
    for component in components:
        root.give(packages[component, "tar.gz"], f"{component}.tar.gz")
        root.run(f"mkdir -p /opt/first && tar -xf {component}.tar.gz -C /opt/first")
    root.run("mkdir -p /srv/elsewhere && mv /opt/first /srv/elsewhere/halyard")
    return "/srv/elsewhere/halyard"


def of_prefix(prefix):
    return {"PATH": f"{prefix}/bin:{fresh_root.PATH}", "CMAKE_PREFIX_PATH": prefix,
            "PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig", "LD_LIBRARY_PATH": f"{prefix}/lib"}


def develop(root, packages, built):
    """Builds everything with the packages, keeps what was built, and does so again when moved."""
    for component in ("runtime", "compiler", "client"):
        root.give(packages[component, "deb"], f"{component}.deb")
    root.install("./runtime.deb", "./compiler.deb")
    say("installed the compiler's package: "
        + root.run("halyard --version").splitlines()[0])
    give_sources(root)
    printed = root.run("halyard compile examples/digits/digits.mlir --target=x86:v3 --emit=shared "
                       "--name=digits -o nowhere", fails=True)
    expect("gcc" in printed or "cc" in printed, printed)
    say("  --emit=shared without a linker: " + printed.strip().splitlines()[-1])
    root.install(*TOOLS)
    printed = root.run("make", fails=True, folder="/root/examples/vulkan_share")
    expect("no usable Vulkan driver" in printed and "vulkan:llvmpipe" in printed, printed)
    root.run("make TARGET=vulkan:llvmpipe && make clean", folder="/root/examples/vulkan_share")
    root.install("mesa-vulkan-drivers")  # for the target "vulkan", the device that is there
    build_examples(root)
    say("built all examples")
    check_rebuilt(root)
    say("a changed model was compiled again")
    # By this path, CMake comes to the packages through the link /lib.
    root.run("cmake -S . -B by_link && cmake --build by_link",
             folder="/root/examples/digits_cmake", PATH=f"/bin:{fresh_root.PATH}")
    for name in ("app", "examples"):
        root.give(root.folder / "root" / name, built / name)
    root.install("./client.deb")
    check_client(root)
    say("built a program with the client's package")
    root.run("apt-get purge -y -qq halyard-runtime halyard-compiler halyard-client && "
             "rm -rf app client examples .cache")
    prefix = unpack_and_move(root, packages, "runtime", "compiler", "client")
    give_sources(root)
    build_examples(root, **of_prefix(prefix))
    check_rebuilt(root, **of_prefix(prefix))
    check_client(root, **of_prefix(prefix))
    run_alone(root, **of_prefix(prefix))
    say(f"built and ran all again from {prefix}")


def use(root, packages, built):
    """Runs what was built where only the runtime is."""
    root.give(packages["runtime", "deb"], "runtime.deb")
    root.install("./runtime.deb")
    for name in ("app", "examples"):
        root.give(built / name, name)
    installed = root.run("dpkg-query -W -f='${Package}\n'").split()
    expect("halyard-runtime" in installed and "halyard-compiler" not in installed, installed)
    linked = run_alone(root)
    say("ran what was built, with the runtime's package alone")
    root.run("apt-get purge -y -qq halyard-runtime")
    prefix = unpack_and_move(root, packages, "runtime")
    expect(run_alone(root, LD_LIBRARY_PATH=f"{prefix}/lib") == linked, "moved")
    say(f"ran it again with the runtime in {prefix}")
    run_with_more(root, linked)
    say("ran the examples that need Python, libpng or Vulkan")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--base", type=pathlib.Path)
    parser.add_argument("--packages", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/var/tmp") as place:
        work = pathlib.Path(place)
        packages = make_packages(options.build.resolve(),
                                 (options.packages or work / "packages").resolve())
        say("made the packages")
        base = (options.base or work / "base").resolve()
        if not (base / "etc/apt").exists():
            fresh_root.make_base(base)
            say("made a minimal system")
        built = work / "built"
        built.mkdir()
        with fresh_root.Root(base) as root:
            develop(root, packages, built)
        with fresh_root.Root(base) as root:
            use(root, packages, built)
    say("passed")


main()
