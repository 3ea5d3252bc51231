"""The estimate of scripts/sass_meter.py, on listings made up for it."""
import dataclasses
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from sass_meter import (DEVICES, bounded_by_memory, estimate, groups_per_unit,  # noqa: E402
                        hot_share, loop_kinds, measure, mma_cycles, mma_of, modelled, under_way)
from sass_programs import PROGRAMS  # noqa: E402

HEAD = """// fusion (dot)
// schedule: {schedule}
// registers={registers} spills={spills} stack=0 shared={shared} threads={threads} code=4096
// launch k grid={grid},1,1 block=4,8,4 shared={shared}
//--------------------- .text.k --------------------------
.text.k:
        /*0000*/                   MOV R1, c[0x0][0x28] ;
"""


def listing(body, schedule="contraction_staged mt=4 nt=8 wm=2 wn=2", registers=168, spills=0,
            shared=81920, grid=1024, threads=128):
    lines = [HEAD.format(schedule=schedule, registers=registers, spills=spills, shared=shared, grid=grid,
                         threads=threads),
             ".L_x_0:\n"]
    lines += [f"        /*{16 * (i + 1):04x}*/                   {op} R2, R3 ;\n" for i, op in enumerate(body)]
    lines.append("        /*ffe0*/              @P0 BRA `(.L_x_0) ;\n        /*fff0*/                   EXIT ;\n")
    return "".join(lines)


STAGED = ["HMMA.16816.F32.BF16"] * 64 + ["LDSM.16.M88.4"] * 16 + ["LDGSTS.E.BYPASS.128"] * 8 + ["IADD3"] * 33

# A step of 128 x 256 x 64 of bf16 by two warpgroups, as ptxas writes it for sm_90a.
WARPGROUPS = (["DEPBAR.LE", "MEMBAR.ALL.CTA", "FENCE.VIEW.ASYNC.S", "BAR.SYNC.DEFER_BLOCKING"]
              + ["LDGSTS.E.BYPASS.128"] * 12 + ["LDGDEPBAR", "WARPGROUP.ARRIVE"] + ["R2UR"] * 8
              + ["HGMMA.64x256x16.F32.BF16"] * 4 + ["WARPGROUP.DEPBAR.LE"] + ["IMAD.X"] * 68)


def warpgroups(body=WARPGROUPS, grid=512, **more):
    settings = {"schedule": "contraction_wgmma nt=32 wm=8 stages=4 raster=8 parts=1", "registers": 165,
                "shared": 4 * 49152, "threads": 256, **more}
    return listing(body, grid=grid, **settings)


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
                (STAGED, "h200", "mma.sync", 0.6, 0.63),
                (STAGED + ["LDGSTS.E.BYPASS.128"] * 4, "h200", "L2", 0.4, 0.63),
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

    def test_products_of_warpgroups(self):
        h200 = DEVICES["h200"]
        for op, products, cycles in (
                ("HGMMA.64x256x16.F32.BF16", 32, 128), ("HGMMA.64x256x16.F32", 32, 128),
                ("HGMMA.64x8x16.F16", 1, 4), ("HGMMA.64x200x16.F32.BF16", 25, 100),
                ("HGMMA.64x256x8.F32.TF32", 32, 128), ("IGMMA.64x256x32.S8.S8", 32, 128),
                ("IGMMA.64x96x32.U8.S8.SAT", 12, 48), ("QGMMA.64x256x32.F32.E4M3.E4M3", 32, 128),
                ("QGMMA.64x128x32.F32.E5M2.E4M3", 16, 64), ("HMMA.16816.F32.BF16", 1, 4),
                ("IMMA.16832.S8.S8", 1, 4)):
            self.assertEqual((mma_of([op]), mma_cycles(op, h200)), (products, cycles), op)
        for op in ("WARPGROUP.ARRIVE", "WARPGROUP.DEPBAR.LE", "LDSM.16.M88.4", "FFMA", "R2UR"):
            self.assertEqual((mma_of([op]), mma_cycles(op, h200)), (0, None), op)
        self.assertEqual(mma_of(["HGMMA.64x256x16.F32.BF16", "HMMA.16816.F32.BF16", "BRA"]), 33)
        self.assertIsNone(mma_cycles("HGMMA.64x256x16.F32.BF16", DEVICES["sm_100"]))

    def test_the_loop_of_warpgroups(self):
        text = warpgroups()
        # With the operands that ptxas writes.
        real = text.replace("BF16 R2, R3", "BF16 R24, gdesc[UR12], R24, gsb0").replace(
            "DEPBAR.LE R2, R3", "DEPBAR.LE gsb0, 0x1").replace(
            "                   IMAD.X", "             @!P0 IMAD.X").replace("R2UR R2", "R2UR UR12")
        self.assertNotEqual(real, text)
        for code in (text, real):
            (kernel,) = measure(code)
            self.assertTrue(kernel.loops)
            self.assertEqual((len(kernel.loop), mma_of(kernel.loop)), (100, 128))

    def test_the_wider_products_make_a_loop_hot(self):
        narrow = "".join(f"        /*{16 * i:04x}*/ HGMMA.64x8x16.F32.BF16 R24, gdesc[UR8], R24 ;\n"
                         for i in range(20))
        text = warpgroups().replace(".L_x_0:\n", ".L_x_1:\n" + narrow + "        /*9999*/ @P1 BRA `(.L_x_1) ;\n"
                                    ".L_x_0:\n", 1)
        (kernel,) = measure(text)
        self.assertEqual(mma_of(kernel.loop), 128)

    def test_limits_of_warpgroups(self):
        tile = ["LDGSTS.E.BYPASS.128"] * 6  # a factor stays where it is
        products = ["HGMMA.64x256x16.F32.BF16"] * 4
        grid = 4 * 132
        # Without the 63 % of mma.sync, for as many products.
        self.assertEqual(hot_share(measure(warpgroups(tile + products, grid))[0], DEVICES["h200"]),
                         (1.0, "wgmma", "peak"))
        alike = warpgroups(tile + ["HMMA.16816.F32.BF16"] * 128, grid)
        share, limit, _ = hot_share(measure(alike)[0], DEVICES["h200"])
        self.assertEqual(limit, "mma.sync")
        self.assertAlmostEqual(share, 0.63)
        # 8-bit types: as many cycles for as many bytes.
        for op in ("IGMMA.64x256x32.S8.S8", "QGMMA.64x256x32.F32.E4M3.E4M3"):
            self.assertEqual(hot_share(measure(warpgroups(tile + [op] * 4, grid))[0], DEVICES["h200"]),
                             (1.0, "wgmma", "peak"))
        share, limit, _ = hot_share(measure(warpgroups(tile + products + ["FADD"] * 1014, grid))[0],
                                    DEVICES["h200"])
        self.assertEqual(limit, "issue")
        self.assertAlmostEqual(share, 512 / 1025)
        # Every warp loads its part of both factors, and four warps share a unit's part of the L2.
        share, limit, _ = hot_share(measure(warpgroups(grid=grid))[0], DEVICES["h200"])
        self.assertEqual(limit, "L2")
        self.assertAlmostEqual(share, 512 / (4 * 12 * 512 / (6260 / 132)))
        # 512 groups on 132 units: some units work at four.
        fewer = hot_share(measure(warpgroups(grid=512))[0], DEVICES["h200"])[0]
        self.assertAlmostEqual(fewer, share * 512 / (4 * 132))

    def test_products_of_both_kinds(self):
        body = ["HGMMA.64x256x16.F32.BF16"] * 2 + ["HMMA.16816.F32.BF16"] * 64
        share, limit, _ = hot_share(measure(warpgroups(body, 132))[0], DEVICES["h200"])
        self.assertEqual(limit, "wgmma")
        self.assertAlmostEqual(share, 512 / (256 + 256 / 0.63))

    def test_stages_of_warpgroups_are_under_way(self):
        device = DEVICES["h200"]
        self.assertEqual(under_way(measure(warpgroups(grid=33))[0], device), 33 * 3 * 49152)
        self.assertEqual(under_way(measure(warpgroups(grid=512))[0], device), 132 * 3 * 49152)
        share, limit, unit = hot_share(measure(warpgroups(grid=8))[0], device, streams=True)
        self.assertEqual((limit, unit), ("memory", "bandwidth"))
        self.assertAlmostEqual(share, 8 * 3 * 49152 / (600e-9 * 4800e9))

    def test_arrays_beside_products_of_warpgroups(self):
        device = DEVICES["h200"]
        (kernel,) = measure(warpgroups())
        (other,) = measure(warpgroups(["HMMA.16816.F32.BF16"] * 128))
        peak = 512 * 4 * 132 * 1.755e9  # multiply-adds a second
        for seconds, by_wgmma, by_mma_sync in ((0.9e-3, False, False), (1.1e-3, True, False), (1.7e-3, True, True)):
            program = dataclasses.replace(PROGRAMS[0], multiply_adds=1e-3 * peak, arrays=seconds * device.memory)
            self.assertEqual(bounded_by_memory(program, kernel, device), by_wgmma)
            self.assertEqual(bounded_by_memory(program, other, device), by_mma_sync)
        # A turn does as large a part of the program as by the products that it stands for.
        least = dict(streams=True, least=program.arrays, multiply_adds=program.multiply_adds)
        self.assertAlmostEqual(hot_share(kernel, device, **least)[0], 1.0)
        one, many = (hot_share(measure(warpgroups(["LDGSTS.E.BYPASS.128"] * 80 + ops))[0], device, **least)
                     for ops in (["HGMMA.64x256x16.F32"], ["HMMA.16816.F32"] * 32))
        self.assertEqual(one, many)
        self.assertLess(one[0], 1.0)

    def test_kinds_of_a_loop_of_warpgroups(self):
        kinds = loop_kinds(measure(warpgroups()))
        self.assertEqual(kinds, {"mma": 4, "copies": 12, "integers": 76, "waits": 8})

    def test_cells_of_warpgroups(self):
        cell = estimate(PROGRAMS[0], measure(warpgroups()), "h200")
        self.assertEqual(cell, "contraction_wgmma; 165 r; 8 w; 192 K; 100 i / 128 mma, loads 12x128; **96 %** (L2)")
        few = warpgroups(["LDGSTS.E.BYPASS.128"] * 6 + ["QGMMA.64x256x32.F32.E4M3.E4M3"] * 4)
        self.assertIn("11 i / 128 mma, loads 6x128; **97 %** (wgmma)", estimate(PROGRAMS[0], measure(few), "h200"))
        # A part of the sum for each of several groups, which a second kernel joins.
        parts = warpgroups(schedule="contraction_wgmma nt=32 wm=8 stages=4 raster=8 parts=4")
        joined = listing(["LDG.E.128"] * 4 + ["FADD"] * 16, schedule="contraction_wgmma join")
        self.assertIn("100 i / 128 mma, loads 12x128; 2 kernels", estimate(PROGRAMS[0], measure(parts + joined), "h200"))

    def test_programs_have_names_of_their_own(self):
        names = [program.name for program in PROGRAMS]
        self.assertEqual(len(names), len(set(names)))


unittest.main()
