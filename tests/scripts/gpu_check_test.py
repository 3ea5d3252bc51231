"""What scripts/gpu_check makes of what it is told: the devices that it takes, and what counts as
failed. The whole of it is rehearsed by `scripts/gpu_check --rehearse`."""
import argparse
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/gpu_check"
loader = importlib.machinery.SourceFileLoader("gpu_check", str(SCRIPT))
gpu_check = importlib.util.module_from_spec(importlib.util.spec_from_loader("gpu_check", loader))
loader.exec_module(gpu_check)
import gpu_check_core as core  # noqa: E402
import gpu_check_pack as packing  # noqa: E402
import gpu_check_parts as parts  # noqa: E402
import gpu_check_profile as counting  # noqa: E402
import gpu_check_speed as timing  # noqa: E402
import sass_programs  # noqa: E402

DEVICES = """Devices here, as --target takes them:

cuda  NVIDIA H200
    architecture           sm_90
vulkan  llvmpipe
    software               runs on the CPU
    group                  1024 threads
vulkan --device=1  NVIDIA H200
    group                  1024 threads
x86  x86-64-v4
    CPUs                   2
"""


def check_with(answers):
    """A Check whose commands are answered from the list."""
    check = gpu_check.Check(argparse.Namespace(rehearse=True, jobs=1, slots=2), pathlib.Path("bin"), {})
    check.work.rmdir()
    check.run = lambda command, limit=120, more=None: answers.pop(0)
    return check


class Devices(unittest.TestCase):
    def test_a_software_device_hides_no_hardware(self):
        self.assertEqual(gpu_check.targets_here(DEVICES), [("cuda", 0), ("vulkan", 1)])

    def test_rehearsals_take_the_software_device(self):
        self.assertEqual(gpu_check.targets_here(DEVICES, software=True), [("vulkan", 0)])


class Failures(unittest.TestCase):
    def test_a_filter_that_matches_nothing_fails(self):
        check = check_with([(0, "[==========] 0 tests ran.\n")] * len(parts.SUITE))
        parts.conformance(check, "vulkan")
        self.assertEqual(check.parts[0]["failed"], len(parts.SUITE))

    def test_tests_that_pass_are_counted(self):
        out = "[ RUN      ] A.B/VulkanGpu\n[       OK ] A.B/VulkanGpu (1 ms)\n"
        check = check_with([(0, out)] * len(parts.SUITE))
        parts.conformance(check, "vulkan")
        self.assertEqual((check.parts[0]["passed"], check.parts[0]["failed"]),
                         (len(parts.SUITE), 0))

    def test_a_part_without_anything_fails(self):
        check = check_with([])
        check.part("test programs", "cuda", 0, [], time.monotonic())
        self.assertEqual(check.parts[0]["failed"], 1)

    def test_what_cannot_be_timed_fails(self):
        check = check_with([(1, "halyard: error: no room")] * 100)
        check.work.mkdir()
        try:
            timing.real_programs(check, "vulkan")
            timing.speed(check, "vulkan")
            timing.tuning(check, "vulkan")
        finally:
            gpu_check.shutil.rmtree(check.work)
        for part in check.parts:
            self.assertGreater(part["failed"], 0, part)
            self.assertEqual(part["passed"], 0, part)
        self.assertEqual(check.skipped, [])

    def test_a_test_that_was_skipped_fails_unless_it_may(self):
        out = "[ RUN      ] A.B/cuda\n[  SKIPPED ] A.B/cuda (1 ms)\n"
        self.assertEqual(core.tests_of("t", out, 0), (0, ["t: A.B/cuda was skipped"]))
        self.assertEqual(core.tests_of("t", out, 0, may_skip=True), (0, []))

    def test_a_test_that_fails_is_named_with_its_reason(self):
        out = ("[ RUN      ] A.B/cuda\nx.cc:1: Failure\nit is 2\n\n[  FAILED  ] A.B/cuda, where GetParam() "
               "= 1 (2 ms)\n[  FAILED  ] A.B/cuda, where GetParam() = 1\n 1 FAILED TEST\n")
        self.assertEqual(core.tests_of("t", out, 1), (0, ["t: A.B/cuda: it is 2\n"]))


STUB = """#!/usr/bin/env python3
import signal, sys, time
words = sys.argv[1:]
if "devices" in words:
    print("vulkan  llvmpipe\\n    software               runs on the CPU\\n")
elif "check" in words:
    print("PASS one\\nPASS two")
elif "HANG" == {mode!r} and ("run" in words or "bench" in words or "tune" in words):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(60)
else:
    print("[ RUN      ] A.B/VulkanGpu\\n[       OK ] A.B/VulkanGpu (1 ms)")
    sys.exit({status})
"""
DRIVER = """
import importlib.machinery, importlib.util, pathlib, sys
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("gpu_check", {script!r})
gpu_check = importlib.util.module_from_spec(importlib.util.spec_from_loader("gpu_check", loader))
loader.exec_module(gpu_check)
gpu_check.gpu_check_pack.BUILD = pathlib.Path({build!r})
gpu_check.core.LIMIT_S = {limit}
gpu_check.core.LEAST_S = 6
sys.argv = ["gpu_check", "--rehearse", "--json", {out!r}]
{before}
sys.exit(gpu_check.main())
"""


class Rehearsals(unittest.TestCase):
    """The whole script beside commands that answer at once, or hang."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.out = pathlib.Path(self.folder.name, "out/gpu_check-test.json")

    def tearDown(self):
        self.folder.cleanup()

    def start(self, mode="", limit=40, before="", status=0):
        build = pathlib.Path(self.folder.name, "build")
        for program in [*packing.PROGRAMS, packing.PLUGIN]:
            path = build / program
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(STUB.format(mode=mode, status=status))
            path.chmod(0o755)
        code = DRIVER.format(script=str(SCRIPT), build=str(build), limit=limit, out=str(self.out),
                             before=before)
        return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def parts(self):
        return {p["part"]: p for p in json.loads(self.out.read_text())["parts"]}

    def test_commands_that_hang_cost_no_result(self):
        began = time.monotonic()
        check = self.start(mode="HANG", limit=16)
        out, err = check.communicate(timeout=100)
        self.assertEqual(check.returncode, 1, err)
        self.assertLess(time.monotonic() - began, 60)
        parts = self.parts()
        self.assertGreater(parts["conformance"]["passed"], 0)
        self.assertEqual(parts["conformance"]["failed"], 0, err)
        self.assertEqual(parts["letting go of what hangs"]["failed"], 0)
        self.assertGreater(parts["speed"]["failed"], 0)
        self.assertIn('{"part": "conformance"', out)

    def test_a_device_that_hangs_leaves_time_for_what_needs_none(self):
        before = "gpu_check.core.profile.__kwdefaults__['limit'] = 1"
        check = self.start(mode="HANG", limit=100, before=before)
        for line in check.stdout:
            if '"part": "test programs"' in line:
                break
        check.kill()
        check.communicate(timeout=30)
        parts = self.parts()
        self.assertIn("programs before it hung", parts["speed"]["failures"][-2])
        self.assertGreater(parts["test programs"]["passed"], 0)

    def test_children_that_cannot_be_killed_are_left_behind(self):
        # As processes that wait in a driver: no signal reaches them.
        before = ("import supervised\nsupervised.GRACE_S = 0.2\n"
                  "supervised.Supervisor.kill = lambda self, group: None")
        check = self.start(mode="HANG", limit=16, before=before)
        out, err = check.communicate(timeout=100)
        left_behind = json.loads(self.out.read_text())["left_behind"]
        for pid, _ in left_behind:
            os.kill(pid, signal.SIGKILL)
        self.assertEqual(check.returncode, 1, err)
        self.assertTrue(left_behind)
        parts = self.parts()
        self.assertGreater(parts["conformance"]["passed"], 0)
        self.assertGreater(parts["speed"]["failed"], 0)
        self.assertIn('{"part": "conformance"', out)

    def test_a_kill_leaves_what_was_measured(self):
        for number in (signal.SIGKILL, signal.SIGTERM):
            check = self.start(mode="HANG", limit=60)
            for line in check.stdout:
                if '"part": "conformance"' in line:
                    break
            check.send_signal(number)
            check.communicate(timeout=30)
            self.assertEqual(check.returncode, -9 if number == signal.SIGKILL else 143)
            self.assertGreater(self.parts()["conformance"]["passed"], 0)
            self.assertIn("conformance", self.out.with_suffix(".md").read_text())
            self.out.unlink()

    def test_a_full_disk_stops_nothing(self):
        # No file may be longer than this: every write behind it fails.
        before = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))"
        check = self.start(before=before, status=1)
        out, err = check.communicate(timeout=100)
        self.assertEqual(check.returncode, 1, err)
        self.assertIn("File too large", err)
        for part in ("conformance", "test programs", "speed", "short tuning run"):
            self.assertIn(f'"part": "{part}"', out, err)
        json.loads(self.out.read_text())  # the last state that had room


class Ratios(unittest.TestCase):
    def row(self, value, peer, wanted):
        check = check_with([])
        timing.add_speed(check, "gemm", "cuda", 1.0, value, "TFLOP/s", peer, "cuBLASLt", wanted)
        return check

    def test_below_what_is_wanted_fails(self):
        check = self.row(96, 100, 0.97)
        self.assertEqual(check.failures, ["gemm: 0.96 of cuBLASLt; 0.97 is wanted"])
        check.part("speed", "cuda", 1, check.failures, time.monotonic())
        self.assertEqual(gpu_check.exit_status(check), 1)

    def test_what_is_wanted_passes(self):
        check = self.row(97, 100, 0.97)
        self.assertEqual(check.failures, [])
        check.part("speed", "cuda", 1, check.failures, time.monotonic())
        self.assertEqual(gpu_check.exit_status(check), 0)

    def test_nothing_was_run_is_no_success(self):
        self.assertEqual(gpu_check.exit_status(check_with([])), 1)


DETAILS = """    Section: GPU Speed Of Light Throughput
    Duration                         us       376.03
    L2 Cache Throughput               %        81.64
    Grid Size                                                   1,512
    Registers Per Thread             register/thread             210
    INF   Shared is the highest-utilized pipeline (57.9%) based on elapsed cycles in the workload. It's
          dominated by its Tensor (FP) sub-pipeline.
    OPT   This kernel has uncoalesced shared accesses resulting in a total of 26724288 excessive wavefronts (37% of the
          total 73156544 wavefronts).
"""
SOURCE = """"Kernel Name","k",
"Address","Source","stall_wait","stall_math","stall_wait (Not Issued)"
"0x0","MOV R1, R2","30","10","99"
"0x10","EXIT","30","0","99"
"""


class Counters(unittest.TestCase):
    def test_are_read_from_what_ncu_prints(self):
        self.assertEqual(counting.counters(DETAILS),
                         {"duration": "376.03 us", "L2 %": "81.64", "groups": "1,512",
                          "registers": "210", "pipe %": "57.9 (Tensor (FP))",
                          "excessive global %": "0", "excessive shared %": "37"})
        self.assertEqual(counting.stalls(SOURCE), {"wait": 86, "math": 14})

    def test_nothing_is_read_from_nothing(self):
        self.assertNotIn("duration", counting.counters("ncu: no such report"))
        self.assertEqual(counting.stalls("ncu: no such report"), {})


class RealSizes(unittest.TestCase):
    PROGRAMS = {p.name: p for p in sass_programs.programs()}

    def test_every_program_has_a_rate(self):
        for program in self.PROGRAMS.values():
            value, unit, share = timing.share_of_peak(program, 1.0, "NVIDIA H100 80GB HBM3", 2900.0)
            self.assertGreater(value, 0, program.name)
            self.assertEqual(share is None, program.name.startswith("scatter-add"), program.name)

    def test_shares(self):
        def share(name, ms, device="NVIDIA H100 80GB HBM3"):
            return timing.share_of_peak(self.PROGRAMS[name], ms, device, 3000.0)[2]
        self.assertAlmostEqual(share("bf16 4096^3 NN", 0.1927), 0.721, 3)
        self.assertAlmostEqual(share("f8 4096^3 NT", 0.1153), 0.602, 3)
        self.assertAlmostEqual(share("softmax 8192x4096", 0.1), 0.895, 3)
        self.assertIsNone(share("bf16 4096^3 NN", 0.1927, "a card of next year"))

    def row(self, times, by_library=False):
        check = check_with([])
        check.options.rehearse = False
        tables = {k: {"steps_ms": ms, "device": "NVIDIA H100", "copy_gb_per_s": 2900}
                  for k, ms in times.items()}
        timing.add_real(check, self.PROGRAMS["bf16 4096^3 NN"], "cuda", tables, by_library, {"ms": 0.2})
        return check

    def test_the_default_may_be_the_library(self):
        check = self.row({"own": 0.4, "default": 0.19}, by_library=True)
        row = check.speed[0]
        self.assertEqual((row["ms"], row["default_ms"], row["library_ms"], row["torch_ms"]),
                         (0.4, 0.19, 0.19, 0.2))
        self.assertEqual(check.failures, [])
        self.assertIn("| bf16 4096^3 NN | cuda | 0.4 |", core.table_of(check, {}))

    def test_schedules_are_told_from_what_is_said_meanwhile(self):
        check = check_with([(0, "# comment\nfusion (dot, add): contraction_staged mt=4\nfusion.1: elementwise\n"
                                "compiling /work/a.mlir: 1 s\ncompiling a.mlir: 3 of 4 kernels, 2 s\n")])
        check.work.mkdir()
        try:
            self.assertEqual(timing.schedules(check, "p", "text", "cuda"),
                             [("fusion (dot, add)", "contraction_staged mt=4"), ("fusion.1", "elementwise")])
        finally:
            gpu_check.shutil.rmtree(check.work)

    def test_a_default_that_is_not_the_best_fails(self):
        check = self.row({"own": 0.4, "library algorithm=0": 0.3, "library algorithm=1": 0.2})
        self.assertEqual(check.speed[0]["library_ms"], 0.2)
        self.assertEqual(check.failures, ["bf16 4096^3 NN: 0.4000 ms by default, 0.2000 ms otherwise"])


class Packing(unittest.TestCase):
    def test_what_is_carried_is_in_the_repository(self):
        for path in packing.CARRIED:
            self.assertTrue((SCRIPT.parent.parent / path).exists(), path)
        # Nothing else of it is read there.
        for path in ("tests/data/check", "tests/data/families", "tests/data/programs/special_values.txt",
                     "benchmarks/gpu_programs.py", "examples/digits/demo.py"):
            self.assertTrue(any(path.startswith(carried) for carried in packing.CARRIED), path)

    def test_only_what_cannot_be_carried_is_refused(self):
        self.assertEqual(packing.report(packing.PAYLOAD_MIB - packing.MARGIN_MIB, 20), 0)
        self.assertEqual(packing.report(packing.PAYLOAD_MIB - packing.MARGIN_MIB + 0.1, 0), 1)


class Tolerances(unittest.TestCase):
    FAMILIES = sorted((SCRIPT.parent.parent / "tests/data/families").glob("*.mlir"))

    def test_are_by_type(self):
        self.assertGreater(len(self.FAMILIES), 50)
        by_name = {f.stem: parts.tolerance_of(f.stem, f.read_text()) for f in self.FAMILIES}
        self.assertLessEqual(parts.EXACT, set(by_name))
        for name in parts.EXACT:
            self.assertEqual(by_name[name], 0)
        wanted = {"softmax": 1e-4, "gemm_f32": 1e-4, "gemm_bf16": 1e-4, "gemm_f16": 1e-4,
                  "gemm_f64": 1e-12, "elementwise_f64": 1e-12, "softmax_bf16": 2**-5,
                  "gemm_bias_gelu_f16": 2**-8, "attention_f16": 2**-8, "attention_bf16": 2**-5,
                  "gemm_tf32": 2**-9, "fft": 1e-4, "complex": 1e-4}
        self.assertEqual({name: by_name[name] for name in wanted}, wanted)
        self.assertLessEqual(max(by_name.values()), 2**-5)


if __name__ == "__main__":
    unittest.main()
