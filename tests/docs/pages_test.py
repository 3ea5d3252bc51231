#!/usr/bin/env python3
"""Compares what pages say with the code: links, files and folders, who includes whom, passes,
schedule templates.

    tests/docs/pages_test.py [--halyard=PATH]     without it, templates are not compared
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = ("runtime", "frontend", "ranks", "lowering", "schedules", "codegen", "autotuner", "client",
         "python", "tools")
SOURCES = (".h", ".cc", ".c", ".py", ".def", ".cmake")
# Halide's own, what `halyard compile`, `cmake --install` and CMake write, and jaxlib's.
ELSEWHERE = {"Halide.h", "NAME.h", "digits.h", "include/halyard_rt.h", "CPackConfig.cmake",
             "xla/ffi/api/c_api.h", "ffi.h"}
MOST_WORDS = 2500
halyard = None


def repository_files():
    """What git would commit, without what is deleted; of an exported tree, everything."""
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard"],
                            capture_output=True, text=True)
    if listed.returncode == 0:
        names = listed.stdout.splitlines()
    else:
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*")
                 if path.relative_to(ROOT).parts[0] not in ("build", ".venv", ".venv-jax", ".git")]
    return {name for name in names if (ROOT / name).is_file()}


FILES = repository_files()
PAGES = sorted(name for name in FILES if name.endswith(".md"))


def text_of(page):
    return (ROOT / page).read_text()


def prose_of(page):
    """The page without its fenced code."""
    return re.sub(r"^```.*?^```", "", text_of(page), flags=re.M | re.S)


def section_of(page, title):
    """What stands below a heading, up to the next one of its level."""
    level = title.split(" ")[0]
    found = re.search(rf"^{re.escape(title)}$(.*?)(?=^{level} |\Z)", text_of(page), re.M | re.S)
    assert found, f"{page} has no section {title}"
    return found[1]


def rows_of(text):
    """The cells of a text's tables, without their heads."""
    rows = [[cell.strip() for cell in line.strip()[1:-1].split("|")]
            for line in text.splitlines() if line.startswith("|")]
    heads = [i - 1 for i, row in enumerate(rows) if set("".join(row)) <= set("-|")]
    return [row for i, row in enumerate(rows) if i not in heads and i - 1 not in heads]


def quoted(text):
    return re.findall(r"`([^`]+)`", text)


def anchors_of(page):
    """The anchors that GitHub makes of headings."""
    heads = re.findall(r"^#+ (.*)$", prose_of(page), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def with_braces(path):
    """`a/{b,c}.h` stands for `a/b.h` and `a/c.h`."""
    found = re.search(r"\{([^{}]*)\}", path)
    if not found:
        return [path]
    return [one for part in found[1].split(",")
            for one in with_braces(path[:found.start()] + part + path[found.end():])]


def exists(path):
    """Whether a file of the repository has the path, or ends with it; `*` stands for any name."""
    if "*" not in path:
        return path in FILES or any(name.endswith("/" + path) for name in FILES)
    pattern = re.compile("(.*/)?" + re.escape(path).replace(r"\*", "[^/]*"))
    return any(pattern.fullmatch(name) for name in FILES)


def code_folders():
    """Folders of the rooms that hold files."""
    return {str(pathlib.PurePath(name).parent) for name in FILES if name.split("/")[0] in ROOMS}


class Links(unittest.TestCase):
    def test_lead_to_files_and_headings(self):
        wrong = []
        for page in PAGES:
            for target in re.findall(r"\]\(([^)\s]+)\)", prose_of(page)):
                if "://" in target:
                    continue
                path, _, anchor = target.partition("#")
                file = (ROOT / page).parent / path if path else ROOT / page
                if not file.exists():
                    wrong.append(f"{page}: {target}: no such file")
                elif anchor and anchor not in anchors_of(file.resolve().relative_to(ROOT)):
                    wrong.append(f"{page}: {target}: no such heading")
        self.assertEqual(wrong, [])

    def test_readme_lists_every_page(self):
        table = section_of("README.md", "## Learn more")
        listed = set(re.findall(r"\]\((docs/[^)#]+\.md)\)", table))
        self.assertEqual(listed, {page for page in PAGES if page.startswith("docs/")})


class Paths(unittest.TestCase):
    def test_of_sources_exist(self):
        wrong = []
        for page in PAGES:
            for name in re.findall(r"[\w./{},*-]+", " ".join(quoted(prose_of(page)))):
                if name.endswith(SOURCES) and name not in ELSEWHERE and name not in SOURCES:
                    wrong += [f"{page}: {path}" for path in with_braces(name) if not exists(path)]
        self.assertEqual(wrong, [])

    def test_have_what_a_backend_touches(self):
        wrong = []
        for place, _ in rows_of(text_of("docs/adding_a_backend.md")):
            names = quoted(place)
            files = [path for name in names if "/" in name for path in with_braces(name)]
            self.assertNotEqual(files, [], place)
            for name in names:
                if "/" not in name:
                    wrong += [f"{path} has no {name}" for path in files
                              if name.strip("()") not in text_of(path)]
        self.assertEqual(wrong, [])


class Architecture(unittest.TestCase):
    PAGE = "docs/architecture.md"

    def folder_rows(self):
        return rows_of(section_of(self.PAGE, "## Folders"))

    def test_is_short_and_has_one_picture(self):
        self.assertLessEqual(len(text_of(self.PAGE).split()), MOST_WORDS)
        self.assertEqual(len(re.findall(r"!\[", text_of(self.PAGE))), 1)

    def test_lists_every_folder(self):
        rows = [row for row in self.folder_rows() if len(row) == 2]
        listed = {folder for row in rows for folder in quoted(row[0])}
        self.assertEqual(listed, code_folders())

    def test_says_who_includes_whom(self):
        rows = [row for row in self.folder_rows() if len(row) == 3]
        said = {quoted(row[0])[0]: set(quoted(row[1])) for row in rows}
        included = {room: set() for room in ROOMS}
        for name in FILES:
            room = name.split("/")[0]
            if room in ROOMS and name.endswith((".h", ".cc", ".c")):
                rooms = re.findall(r'^#include "(\w+)/', (ROOT / name).read_text(), re.M)
                included[room] |= set(rooms) & set(ROOMS) - {room}
        self.assertEqual(said, included)


class Passes(unittest.TestCase):
    def test_are_those_that_run(self):
        listed = [name for row in rows_of(text_of("docs/passes.md")) for name in quoted(row[0])]
        run = re.findall(r'\b[rR]un\(\s*"(\w+)"', text_of("lowering/plan/compile_plan.cc"))
        self.assertCountEqual(listed, run)


class Templates(unittest.TestCase):
    def test_are_those_of_the_registry(self):
        if halyard is None:
            self.skipTest("no --halyard")
        listed = [name for row in rows_of(section_of("docs/kernels.md", "## Schedule"))
                  for name in quoted(row[0])]
        self.assertCountEqual(listed, self.registered())

    def registered(self):
        """The templates that an unknown one's error lists."""
        program = str(ROOT / "examples/digits/digits.mlir")
        show = [halyard, "show", program, "--target=x86", "--stage=schedule", "--no-tuning"]
        shown = subprocess.run(show, capture_output=True, text=True, check=True).stdout
        kernel = shown.splitlines()[0].rpartition(": ")[0]
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as lines:
            lines.write(f"{kernel}: nonsense\n")
            lines.flush()
            refused = subprocess.run(show + [f"--schedules={lines.name}"], capture_output=True,
                                     text=True)
        self.assertEqual(refused.returncode, 1, refused.stderr)
        found = re.search(r"no template nonsense; there are ([\w, ]+)", refused.stderr)
        self.assertIsNotNone(found, refused.stderr)
        return found[1].split(", ")


if __name__ == "__main__":
    arguments = [a for a in sys.argv if not a.startswith("--halyard=")]
    for argument in sys.argv[1:]:
        if argument.startswith("--halyard="):
            halyard = argument.partition("=")[2]
    unittest.main(argv=arguments)
