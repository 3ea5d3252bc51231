"""The rows of `scripts/bench peers`: each program at a small size, as JAX exported it, agrees with
NumPy on Halyard; every builder has every layer; what fails becomes a gap; results can be continued
and shown.

usage: peers_rows_test.py HALYARD

Every fourth program, and the quantized ones; all with $HALYARD_NIGHTLY or $HALYARD_ALL_CASES.
"""
import ast
import contextlib
import html.parser
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import types
import unittest

import numpy as np

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
PEERS = ROOT / "benchmarks/peers"
FIXTURES = ROOT / "tests/data/peers"
sys.path.insert(0, str(PEERS))
import compare  # noqa: E402
import machine  # noqa: E402
import page  # noqa: E402
import peers  # noqa: E402
import registry  # noqa: E402
import report  # noqa: E402
from check_small import tolerance  # noqa: E402
from numpy_builder import reference  # noqa: E402
from values import Gap, Input, Row, Weights, bf16_bits, from_bf16_bits, load, save  # noqa: E402

HALYARD = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/bin/halyard"


def layers_of(file, name):
    """Returns the methods of a class and its bases, without importing what its file imports."""
    tree = ast.parse((PEERS / file).read_text())
    (found,) = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name]
    layers = {}
    for base in found.bases:
        layers |= layers_of({"ArrayBuilder": "array_builder.py"}[base.id], base.id)
    return layers | {node.name: [a.arg for a in node.args.args]
                     for node in found.body if isinstance(node, ast.FunctionDef)}


def sample():
    names = list(registry.SMALL)
    if os.environ.get("HALYARD_NIGHTLY") or os.environ.get("HALYARD_ALL_CASES"):
        return names
    return [name for index, name in enumerate(names)
            if index % 4 == 0 or name.startswith("quantized-resnet")]


class Rows(unittest.TestCase):
    def test_halyard_agrees_with_numpy(self):
        for name in sample():
            row, random = registry.SMALL[name], np.random.default_rng(1)
            values = [given.value(random) for given in row.inputs]
            expected = reference(row, Weights(), values)
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                inputs, outputs = (pathlib.Path(folder, file) for file in ("in.npz", "out.npz"))
                save(inputs, row, values)
                done = subprocess.run([HALYARD, "run", FIXTURES / f"{name}.mlir", "--target=x86",
                                       f"--inputs={inputs}", f"--outputs={outputs}"],
                                      capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 0, done.stderr)
                differs = compare.difference(row, expected, load(outputs, "out"))
                # Few random numbers have about the mean and the deviation of many.
                self.assertLessEqual(differs, 0.1 if row.distribution else tolerance(row))

    def test_every_small_row_has_its_program(self):
        self.assertEqual({path.stem for path in FIXTURES.glob("*.mlir")}, set(registry.SMALL))

    def test_names_differ_and_the_issue_s_rows_are_there(self):
        self.assertEqual(len(registry.ROWS), sum(len(m.ROWS) for m in registry.MODULES.values()))
        for kind in ("f32", "bf16", "f16", "s8"):
            for size in ("128", "256", "512", "1024", "2048", "4096", "tall", "thin-1",
                         "batched-12"):
                self.assertIn(f"dot-{kind}-{size}", registry.ROWS)
        for name in ("resnet18", "resnet50", "mobilenetv2", "bert-base", "resnet50-int8"):
            self.assertTrue({f"{name}-1", f"{name}-8"} <= set(registry.ROWS), name)

    def test_builders_have_the_layers_of_the_reference(self):
        wanted = layers_of("numpy_builder.py", "NumpyBuilder")
        for file, name in (("jax_builder.py", "JaxBuilder"), ("onnx_builder.py", "OnnxBuilder"),
                           ("torch_builder.py", "TorchBuilder")):
            layers = layers_of(file, name)
            for layer, arguments in wanted.items():
                # One is the reference's own. The others are losses, and ONNX has no gradients.
                if layer == "sigmoid" or (name == "OnnxBuilder" and
                                          layer in ("cross_entropy", "mean_square")):
                    continue
                with self.subTest(f"{name}.{layer}"):
                    self.assertEqual(layers.get(layer), arguments)

    def test_weights_are_the_same_again(self):
        weights = Weights()
        first = [weights.normal(3, 4), weights.vector(4, 1), *weights.quantized(3, 4)]
        weights.rewind()
        again = [weights.normal(3, 4), weights.vector(4, 1), *weights.quantized(3, 4)]
        self.assertTrue(all(a is b for a, b in zip(first, again)))
        other = [Weights().normal(3, 4)]
        np.testing.assert_array_equal(first[0], other[0])
        self.assertLessEqual(np.abs(first[2]).max(), 63)

    def test_types_of_inputs(self):
        value = np.array([1, 1 + 2**-9, 1 + 3 * 2**-9, -3e38, 0], np.float32)
        np.testing.assert_array_equal(from_bf16_bits(bf16_bits(value))[:3],
                                      np.array([1, 1, 1 + 2**-7], np.float32))
        row = Row((Input((2, 3), "bf16"), Input((5,), "s32", 5), Input((4,), "c64")), None)
        values = [given.value(np.random.default_rng(1)) for given in row.inputs]
        self.assertEqual(sorted(values[1]), list(range(5)))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "in.npz")
            save(path, row, values)
            for a, b in zip(values, load(path), strict=True):
                np.testing.assert_array_equal(a, b)
        self.assertEqual(row.bytes_read(), 12 + 20 + 32)


class Refuses:
    """An engine that cannot do a row."""
    name = "refuses"

    def __init__(self, files, threads):
        raise Gap("it has no such operator")


class Dies:
    name = "dies"

    def __init__(self, files, threads):
        os._exit(3)


class Sleeps:
    name = "sleeps"

    def __init__(self, files, threads):
        time.sleep(60)


class Answers:
    name = "answers"

    def __init__(self, files, threads):
        self.count = 0

    def run(self):
        self.count += 1

    def results(self):
        return [np.array([self.count, 2.0])]


class Contestant:
    def __init__(self, *times):
        self.times = list(times)

    def milliseconds(self, seconds):
        if not self.times:
            raise Gap("its process ended")
        return self.times.pop(0)


class Comparison(unittest.TestCase):
    def test_engines_that_fail_have_gaps(self):
        row = Row((), None, gaps={"ruled out": "it has no such program"})
        ruled_out = types.SimpleNamespace(name="ruled out")
        options = types.SimpleNamespace(engines=[ruled_out, Refuses, Dies, Answers], limit=60,
                                        missing={})
        files = types.SimpleNamespace(row=row)
        working, said = compare.start_peers(options, files, [np.array([1.0, 2.0])], 1)
        self.assertEqual(said["ruled out"]["gap"], "it has no such program")
        self.assertEqual(said["refuses"]["gap"], "it has no such operator")
        self.assertEqual(said["dies"]["gap"], "its process ended with exit status 3")
        self.assertEqual(said["answers"]["difference"], 0)
        self.assertGreater(working[0].milliseconds(0.001), 0)
        working[0].close()
        options.engines = [Answers]
        working, said = compare.start_peers(options, files, [np.array([1.0, 3.0])], 1)
        self.assertTrue(said["answers"]["wrong"])
        self.assertIn("differs by 0.33", said["answers"]["gap"])
        options.engines, options.limit = [Sleeps], 0.5
        _, said = compare.start_peers(options, files, [], 1)
        self.assertIn("it was not ready after", said["sleeps"]["gap"])

    def test_differences(self):
        row, one = Row((), None), np.ones(3)
        self.assertEqual(compare.difference(row, [one, 2 * one], [one, 2 * one]), 0)
        self.assertEqual(compare.difference(row, [one], [one * np.nan]), np.inf)
        self.assertAlmostEqual(compare.difference(row, [one * 1j], [one * 2j]), 1)
        with self.assertRaisesRegex(Gap, "shape"):
            compare.difference(row, [one], [np.ones(4)])
        with self.assertRaisesRegex(Gap, "2 results"):
            compare.difference(row, [one], [one, one])

    def test_rounds_and_ratios(self):
        options = types.SimpleNamespace(rounds=3, seconds=0)
        times = compare.time_rounds(options, {
            "Halyard": Contestant(1, 2, 4), "a": Contestant(2, 2, 4), "b": Contestant(3, 8, 6),
            "fails": Contestant(1)})
        self.assertEqual(times["fails"], "its process ended")
        row = {"peers": {"a": {}, "b": {}, "fails": {}}}
        compare.ratios(row, times, ["a", "b", "fails"], "Halyard")
        self.assertEqual((row["halyard_ms"], row["ratio_to_best"]), (2, 1))
        self.assertEqual((row["peers"]["b"]["ratio"], row["peers"]["fails"]), (3, {}))


ROW = {"name": "dot", "group": "products", "halyard_ms": 2.0, "ratio_to_best": 0.9, "gflops": 5.0,
       "of_copy": 0.7, "halyard": {"compile_s": 0.5},
       "peers": {"IREE": {"ms": 1.8, "ratio": 0.9, "difference": 0, "compile_s": 4},
                 "PyTorch": {"gap": "no <such> operator"}}}
BROKEN = {"name": "sort", "group": "other", "gap": "`halyard run`: no", "peers": {}}


class Tags(html.parser.HTMLParser):
    """Finds tags that are not closed."""
    VOID = {"meta"}

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            raise AssertionError(f"</{tag}> closes {self.open[-1:]}")


class Reports(unittest.TestCase):
    def test_a_file_can_be_continued(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "new/r.json")
            report.append(path, {"run": {"cpu": "x"}})
            report.append(path, ROW)
            report.append(path, {**ROW, "halyard_ms": 3.0})
            with path.open("a") as file:
                file.write('{"name": "cut o')
            runs, rows = report.read(path)
            self.assertEqual((len(runs), [row["halyard_ms"] for row in rows]), (1, [3.0]))
            report.append(path, BROKEN)
            self.assertEqual([row["name"] for row in report.read(path)[1]], ["dot", "sort"])
        self.assertEqual(report.read(path), ([], []))

    def test_table(self):
        line = report.line(ROW, ["IREE", "PyTorch"])
        self.assertIn("0.90x", line)
        self.assertIn("70%", line)
        self.assertIn("`halyard run`: no", report.line(BROKEN, ["IREE"]))
        self.assertEqual(report.gaps([ROW, BROKEN]), ["dot: PyTorch: no <such> operator"])
        self.assertEqual(report.compile_times([ROW, BROKEN], ["IREE", "PyTorch"]),
                         ["cold compiles of 1 rows: Halyard 0.5 s, IREE 4.0 s"])
        self.assertEqual(report.means([ROW, BROKEN], ["IREE", "PyTorch"]),
                         ["geometric mean beside IREE: 0.90x (1 rows)",
                          "geometric mean beside the best of each row: 0.90x"])

    def test_page(self):
        run = {"run": machine.facts(HALYARD, list(peers.ENGINES.values())), "rounds": 1}
        facts = {**run["run"], "rounds": 3, "seconds": 0.5}
        text = page.html([facts], [ROW, BROKEN, {**ROW, "name": "tuned", "halyard_tuned_ms": 1.0,
                                                 "ratio_to_best_tuned": 1.8}])
        tags = Tags()
        tags.feed(text)
        self.assertLessEqual(set(tags.open), {"html", "li", "p"})
        for part in ("dot: PyTorch: no &lt;such&gt; operator", facts["cpu"], "1.80×", "<svg"):
            self.assertIn(part, text)
        self.assertNotIn("<script", text)
        self.assertNotIn("http", text)

    def test_facts(self):
        facts = machine.facts(HALYARD, list(peers.ENGINES.values()))
        self.assertEqual(facts["cores"], sorted(os.sched_getaffinity(0)))
        self.assertEqual(set(facts["versions"]), {e.name for e in peers.ENGINES.values()})
        self.assertIn("halyard", facts["halyard"])


class Options(unittest.TestCase):
    def refused(self, *arguments):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(SystemExit) as exit_:
            peers.parse(arguments)
        self.assertEqual(exit_.exception.code, 2)
        return said.getvalue()

    def test_choosing_rows(self):
        self.assertEqual(peers.parse([]).names, list(registry.ROWS))
        self.assertEqual(peers.parse(["dot-bf16-*8", "sort-1m", "dot-bf16-128"]).names,
                         ["dot-bf16-128", "dot-bf16-2048", "dot-bf16-thin-8", "sort-1m"])
        self.assertEqual(peers.parse(["training"]).names, registry.GROUPS["training"])
        self.assertEqual([e.name for e in peers.parse(["--engines=iree,torch*"]).engines],
                         ["IREE", "PyTorch", "PyTorch compiled"])
        self.assertIn("no row dot-f64-128", self.refused("dot-f64-128"))
        self.assertIn("no engine tvm", self.refused("--engines=tvm"))
        self.assertIn("need --json", self.refused("--continue"))
        self.assertIn("above 0", self.refused("--rounds=0"))
        self.assertIn("there is no", self.refused("--tuned=/nowhere"))

    def test_list(self):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            peers.list_rows()
        lines = said.getvalue().splitlines()
        self.assertEqual(len(lines), len(registry.ROWS))
        self.assertIn("f32[128,128]", lines[0])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
