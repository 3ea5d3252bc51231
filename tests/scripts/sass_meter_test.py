"""The estimate of scripts/sass_meter.py, on listings made up for it."""
import dataclasses
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from sass_meter import (DEVICES, estimate, groups_per_unit, hot_share, loop_kinds,  # noqa: E402
                        measure, modelled)
from sass_programs import PROGRAMS  # noqa: E402

HEAD = """// fusion (dot)
// schedule: {schedule}
// registers={registers} spills={spills} stack=0 shared={shared} threads=128 code=4096
// launch k grid={grid},1,1 block=4,8,4 shared={shared}
//--------------------- .text.k --------------------------
.text.k:
        /*0000*/                   MOV R1, c[0x0][0x28] ;
"""


def listing(body, schedule="contraction_staged mt=4 nt=8 wm=2 wn=2", registers=168, spills=0,
            shared=81920, grid=1024):
    lines = [HEAD.format(schedule=schedule, registers=registers, spills=spills, shared=shared, grid=grid),
             ".L_x_0:\n"]
    lines += [f"        /*{16 * (i + 1):04x}*/                   {op} R2, R3 ;\n" for i, op in enumerate(body)]
    lines.append("        /*ffe0*/              @P0 BRA `(.L_x_0) ;\n        /*fff0*/                   EXIT ;\n")
    return "".join(lines)


STAGED = ["HMMA.16816.F32.BF16"] * 64 + ["LDSM.16.M88.4"] * 16 + ["LDGSTS.E.BYPASS.128"] * 8 + ["IADD3"] * 33


class SassMeter(unittest.TestCase):
    def test_loop_and_head(self):
        (kernel,) = measure(listing(STAGED))
        self.assertEqual(len(kernel.loop), 122)
        self.assertTrue(kernel.loops)
        self.assertEqual(kernel.grid, 1024)
        self.assertEqual(kernel.resources["registers"], 168)

    def test_the_loop_of_products_is_the_hot_one(self):
        other = "".join(f"        /*{4 * i:04x}*/ FADD R1, R2 ;\n" for i in range(500))
        text = listing(STAGED).replace(".L_x_0:\n", ".L_x_1:\n" + other + "        /*9999*/ @P1 BRA `(.L_x_1) ;\n"
                                       ".L_x_0:\n", 1)
        self.assertEqual(len(measure(text)[0].loop), 122)

    def test_a_loop_of_the_epilogue_alone_is_not(self):
        before = "".join(f"        /*{16 * i:04x}*/ HMMA.16816.F32.BF16 R1, R2 ;\n" for i in range(128))
        text = listing(["FMUL"] * 50).replace(".L_x_0:\n", before + ".L_x_0:\n", 1)
        (kernel,) = measure(text)
        self.assertFalse(kernel.loops)
        self.assertGreater(len(kernel.loop), 178)

    def test_limits(self):
        for body, device, limit, low, high in (
                (STAGED, "a100", "mma.sync", 0.8, 1.0),
                (STAGED, "h200", "L2", 0.5, 0.63),
                (STAGED, "rtx4090", "mma.sync", 0.8, 1.0),
                (STAGED + ["MOV"] * 500, "h200", "issue", 0.3, 0.45)):
            share, what, unit = hot_share(measure(listing(body))[0], DEVICES[device])
            self.assertEqual((what, unit), (limit, "peak"), device)
            self.assertTrue(low <= share <= high, f"{device}: {share}")

    def test_a_program_that_only_moves_memory(self):
        program = next(p for p in PROGRAMS if p.name == "scatter-add 10^6 scalars")
        text = listing(["LDG.E"] * 4, schedule="sequence threads=64 places=2 blocks=1") * 3
        kernels = measure(text)
        self.assertEqual(sum(k.launches for k in kernels), 3)
        in_l2 = modelled(program, 3, DEVICES["a100"])
        self.assertAlmostEqual(in_l2, 3 * 2e-6 + program.moved / (5120 * 1.41e9))
        self.assertIn(f"**{1e6 * in_l2:.0f} µs** in all", estimate(program, kernels, "a100"))
        large = dataclasses.replace(program, arrays=1e9)
        self.assertAlmostEqual(modelled(large, 3, DEVICES["a100"]), 3 * 2e-6 + program.moved / 1555e9)

    def test_bytes_under_way(self):
        body = ["LDGSTS.E.BYPASS.128"] * 3 + ["HMMA.16816.F32.BF16"] * 4
        share = {}
        for grid in (33, 66, 1320):
            (kernel,) = measure(listing(body, schedule="contraction_staged mt=1 nt=2 stages=4",
                                        shared=16384, grid=grid))
            share[grid], limit, unit = hot_share(kernel, DEVICES["h200"], streams=True)
            self.assertEqual(unit, "bandwidth")
        self.assertAlmostEqual(share[33], 33 * 12288 / (600e-9 * 4800e9))
        self.assertAlmostEqual(share[66], 2 * share[33])
        self.assertEqual(share[1320], 1.0)

    def test_waves(self):
        device = DEVICES["a100"]
        resident = groups_per_unit(measure(listing(STAGED))[0], device)
        self.assertGreater(resident, 1)

        def share(grid, **more):
            return hot_share(measure(listing(STAGED, grid=grid))[0], device, **more)[0]

        full = share(device.units * resident)
        self.assertAlmostEqual(share(device.units), full)  # a group on each unit
        self.assertAlmostEqual(share(device.units // 2), full / 2)
        # One group more than fit at once: a unit works at one more than the others.
        at_once = device.units * resident
        self.assertAlmostEqual(share(at_once + 1), full * (at_once + 1) / (at_once + device.units))
        self.assertAlmostEqual(share(at_once + 1, uneven=True), full)
        self.assertAlmostEqual(share(device.units // 2, uneven=True), full / 2)

    def test_arrays_that_take_longer_than_the_products(self):
        device = DEVICES["h200"]
        program = next(p for p in PROGRAMS if p.name.endswith("1x1"))
        whole = ["LDGSTS.E.BYPASS.128"] * 8 + ["HMMA.16816.F32"] * 128 + ["STG.E.128"] * 16
        text = listing(whole, grid=1568).replace("@P0 BRA", "@P0 NOP")
        self.assertIn("of bandwidth (memory)", estimate(program, measure(text), "h200"))
        # The same bytes of a program with more products do not bound it.
        more = dataclasses.replace(program, multiply_adds=16 * program.multiply_adds)
        self.assertNotIn("bandwidth", estimate(more, measure(text), "h200"))
        # What is read again comes from the L2, and only the arrays count.
        kernel = measure(text)[0]
        share = hot_share(kernel, device, streams=True, least=program.arrays)
        half = hot_share(kernel, device, streams=True, least=program.arrays / 1e6)
        self.assertEqual(share[1:], ("memory", "bandwidth"))
        self.assertLess(half[0], share[0] / 1e3)

    def test_a_loop_that_reads_its_arrays_again(self):
        program = next(p for p in PROGRAMS if p.name.startswith("bf16 256x256x65536"))
        share = {}
        for copies in (4, 20, 80):
            body = ["LDGSTS.E.BYPASS.128"] * copies + ["HMMA.16816.F32.BF16"] * 96
            (kernel,) = measure(listing(body, schedule="contraction_staged mt=3 nt=4 stages=4", grid=132))
            share[copies], limit, unit = hot_share(kernel, DEVICES["a100"], streams=True, least=program.arrays,
                                                   multiply_adds=program.multiply_adds)
            self.assertEqual(unit, "bandwidth")
            self.assertEqual(limit, "L2" if copies == 80 else "memory")
        self.assertEqual(share[4], share[20])
        self.assertLess(share[80], share[20] / 2)

    def test_kinds_of_a_loop(self):
        body = STAGED + ["PRMT", "FSETP.GEU.AND", "IMAD.IADD.U32", "IMAD.IADD", "BAR.SYNC"]
        kinds = loop_kinds(measure(listing(body)))
        self.assertEqual(kinds, {"mma": 64, "shared": 16, "copies": 8, "conversions": 3,
                                 "integers": 34, "waits": 2})
        self.assertEqual(loop_kinds(measure(listing(body, schedule="contraction_mma mt=4 nt=8 wm=2 wn=2"))), {})
        # ptxas keeps copies in order by loads that never happen.
        text = listing(body).replace("BAR.SYNC R2, R3", "@!PT LDS RZ, [RZ]")
        self.assertEqual(loop_kinds(measure(text))["shared"], 16)

    def test_memory(self):
        body = ["LDG.E.128.CONSTANT"] * 4 + ["STG.E.128"] * 4 + ["FADD"] * 20
        share, limit, unit = hot_share(measure(listing(body, schedule="elementwise", grid=100000))[0],
                                       DEVICES["h200"])
        self.assertEqual((limit, unit), ("memory", "bandwidth"))
        self.assertEqual(share, 1)
        slow = hot_share(measure(listing(["LDG.E.U8"] + ["FADD"] * 200, schedule="elementwise",
                                         grid=100000))[0], DEVICES["h200"])
        self.assertEqual(slow[1], "issue")
        self.assertLess(slow[0], 0.1)

    def test_cells(self):
        cell = estimate(PROGRAMS[0], measure(listing(STAGED, spills=8)), "a100")
        for part in ("contraction_staged; 168 r; 8 w; 8 B spilled; 80 K; 122 i / 64 mma, loads 8x128", "(mma.sync)"):
            self.assertIn(part, cell)

    def test_a_device_whose_products_have_no_published_rate(self):
        cell = estimate(PROGRAMS[0], measure(listing(STAGED)), "sm_100")
        self.assertTrue(cell.endswith("122 i / 64 mma, loads 8x128"), cell)
        few = dataclasses.replace(PROGRAMS[0], streams=True)
        self.assertRegex(estimate(few, measure(listing(STAGED)), "sm_100"), r"\*\*\d+ %\*\* of bandwidth \(")

    def test_programs_have_names_of_their_own(self):
        names = [program.name for program in PROGRAMS]
        self.assertEqual(len(names), len(set(names)))


unittest.main()
