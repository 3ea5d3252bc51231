"""What scripts/gpu_check makes of what it is told: the devices that it takes, and what counts as
failed. The whole of it is rehearsed by `scripts/gpu_check --rehearse`."""
import argparse
import importlib.machinery
import importlib.util
import pathlib
import sys
import time
import unittest

sys.dont_write_bytecode = True
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/gpu_check"
loader = importlib.machinery.SourceFileLoader("gpu_check", str(SCRIPT))
gpu_check = importlib.util.module_from_spec(importlib.util.spec_from_loader("gpu_check", loader))
loader.exec_module(gpu_check)

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
    check = gpu_check.Check(argparse.Namespace(rehearse=True, jobs=1), pathlib.Path("bin"), {})
    check.work.rmdir()
    check.run = lambda command, limit=120: answers.pop(0)
    return check


class Devices(unittest.TestCase):
    def test_a_software_device_hides_no_hardware(self):
        self.assertEqual(gpu_check.targets_here(DEVICES), [("cuda", 0), ("vulkan", 1)])

    def test_rehearsals_take_the_software_device(self):
        self.assertEqual(gpu_check.targets_here(DEVICES, software=True), [("vulkan", 0)])


class Failures(unittest.TestCase):
    def test_a_filter_that_matches_nothing_fails(self):
        check = check_with([(0, "[==========] 0 tests ran.\n")] * len(gpu_check.SUITE))
        gpu_check.conformance(check, "vulkan")
        self.assertEqual(check.parts[0]["failed"], len(gpu_check.SUITE))

    def test_tests_that_pass_are_counted(self):
        out = "[ RUN      ] A.B/VulkanGpu\n[       OK ] A.B/VulkanGpu (1 ms)\n"
        check = check_with([(0, out)] * len(gpu_check.SUITE))
        gpu_check.conformance(check, "vulkan")
        self.assertEqual((check.parts[0]["passed"], check.parts[0]["failed"]),
                         (len(gpu_check.SUITE), 0))

    def test_a_part_without_anything_fails(self):
        check = check_with([])
        check.part("test programs", "cuda", 0, [], time.monotonic())
        self.assertEqual(check.parts[0]["failed"], 1)

    def test_what_cannot_be_timed_fails(self):
        check = check_with([(1, "halyard: error: no room")] * 100)
        check.work.mkdir()
        try:
            gpu_check.speed(check, "vulkan")
            gpu_check.tuning(check, "vulkan")
        finally:
            gpu_check.shutil.rmtree(check.work)
        for part in check.parts:
            self.assertGreater(part["failed"], 0, part)
            self.assertEqual(part["passed"], 0, part)
        self.assertEqual(check.skipped, [])


if __name__ == "__main__":
    unittest.main()
