"""What a kernel's machine code says about its speed: docs/gpu_kernels.md documents the formula.

`measure` reads what `halyard show --stage=sass` prints; `estimate` makes a table's cell of it.
"""
import collections
import dataclasses
import math
import re


@dataclasses.dataclass
class Device:
    units: int          # multiprocessors
    clock: float        # Hz, boost
    memory: float       # bytes/s
    l2: float           # bytes per clock, all units
    shared: int         # bytes per unit
    threads: int        # per unit
    reach: float        # what mma.sync can reach of the tensor cores' peak
    mma: dict           # opcode with shape: cycles of a quarter unit's tensor core
    l2_size: int = 0    # bytes


# Sources: docs/gpu_kernels.md, "Figures of the devices".
DEVICES = {
    "a100": Device(108, 1.41e9, 1555e9, 5120, 164 << 10, 2048, 1.0,
                   {"HMMA.16816": 8, "HMMA.1688": 4, "HMMA.1688.F32.TF32": 8, "IMMA.16832": 8},
                   40 << 20),
    "h200": Device(132, 1.755e9, 4800e9, 6260, 228 << 10, 2048, 0.63,
                   {"HMMA.16816": 4, "HMMA.1688": 2, "HMMA.1688.F32.TF32": 4, "IMMA.16832": 4,
                    "QMMA.16832": 4}, 50 << 20),
    "rtx4090": Device(128, 2.52e9, 1008e9, 2048, 100 << 10, 1536, 1.0,
                      {"HMMA.16816": 32, "HMMA.1688": 16, "HMMA.1688.F32.TF32": 32,
                       "IMMA.16832": 16, "QMMA.16832": 32}, 72 << 20),
    # How fast mma.sync is there is published nowhere: no share of products by it.
    "sm_100": Device(148, 1.965e9, 8000e9, 6260, 228 << 10, 2048, 1.0, {}, 126 << 20),
}
WIDTH = {"128": 16, "64": 8, "U16": 2, "S16": 2, "U8": 1, "S8": 1}
MMA = ("HMMA", "IMMA", "QMMA")
# Products of a warpgroup (wgmma, on sm_90a), and the mma.sync of the same types.
WGMMA = {"HGMMA": "HMMA", "IGMMA": "IMMA", "QGMMA": "QMMA"}
STAGED = ("contraction_staged ", "contraction_wgmma ")  # templates whose loops copy stages ahead


@dataclasses.dataclass
class Kernel:
    schedule: str
    resources: dict
    grid: int           # groups of all launches
    shared: int
    loop: list          # opcodes of the hot loop, or of the whole kernel
    loops: bool
    calls: int = 0      # of libraries
    launches: int = 1


def loops_of(sass):
    """The opcodes of each loop's body and of each function."""
    bodies, functions, labels, code = [], [], {}, []
    for line in sass.splitlines():
        if line.startswith(".text."):
            labels, code = {}, []
            functions.append(code)
        elif label := re.match(r"(\.L_x_\d+):", line.strip()):
            labels[label.group(1)] = len(code)
        elif op := re.match(r"\s+/\*[0-9a-f]+\*/\s+(?:@!?U?PT?\d*\s+)?([\w.]+)([^;]*);", line):
            # ptxas puts loads that never happen before copies, to keep them in order.
            code.append("NOP" if op.group(2).startswith(" RZ, [RZ]") else op.group(1))
            target = re.search(r"`\((\.L_x_\d+)\)", op.group(2))
            if op.group(1).startswith("BRA") and target and target.group(1) in labels:
                bodies.append(code[labels[target.group(1)]:])
    return bodies, functions


def bytes_of(op):
    """Of one lane's access to global memory; 0: another instruction."""
    parts = op.split(".")
    if parts[0] not in ("LDG", "STG", "LDGSTS", "ATOMG", "RED"):
        return 0
    return next((WIDTH[p] for p in parts if p in WIDTH), 4)


def products_of(op):
    """(product, count): the opcode of a product by mma.sync, and how many of them a warp's part of the
    instruction stands for: 16 of the 64 rows of a wgmma. Returns 0 of them for other instructions."""
    wide = re.match(r"([HIQ]GMMA)\.64x(\d+)x(\d+)", op)
    if wide:
        name, columns, depth = wide.groups()
        return f"{WGMMA[name]}.168{depth}{op[wide.end():]}", int(columns) // 8
    return op, int(op.split(".")[0] in MMA)


def mma_of(body):
    """How many products a warp computes in these instructions."""
    return sum(products_of(op)[1] for op in body)


def multiplies(schedule):
    """Whether the kernel's template is one of products."""
    return schedule.startswith(("contraction", "attention", "winograd"))


def work(body, schedule):
    """What makes a loop hot: of products, these, else multiply-adds, else bytes."""
    kinds = [op.split(".")[0] for op in body]
    products = (mma_of(body), kinds.count("FFMA") + kinds.count("DFMA"))
    return (products if multiplies(schedule) else (0, 0)) + (sum(map(bytes_of, body)),)


def measure(text):
    """The kernels that `halyard show --stage=sass` printed."""
    kernels = []
    for part in re.split(r"(?m)^(?=// schedule: )", text)[1:]:
        schedule = re.match(r"// schedule: (.*)", part).group(1)
        launches = re.findall(r"// launch \S+ grid=(\d+),(\d+),(\d+) block=\S+ shared=(\d+)", part)
        line = re.search(r"// (registers=.*)", part)  # none of a library's call
        resources = dict(re.findall(r"(\w+)=(\d+)", line.group(1))) if line else {}
        bodies, functions = loops_of(part)
        # A loop that only drains what a hotter one began is shorter; of nests, the innermost.
        bodies.sort(key=lambda body: (tuple(-w for w in work(body, schedule)), len(body)))
        hot = max(functions, key=len, default=[])  # where the loop over a sum's steps is unrolled, too
        if bodies and any(work(bodies[0], schedule)):
            if work(bodies[0], schedule)[0] or not work(hot, schedule)[0]:
                hot = bodies[0]
        kernels.append(Kernel(
            schedule, {k: int(v) for k, v in resources.items()},
            sum(math.prod(map(int, l[:3])) for l in launches),
            max((int(l[3]) for l in launches), default=0), hot, hot in bodies,
            part.count("// library call"), max(1, len(launches))))
    return kernels


def groups_per_unit(kernel, device):
    threads = max(1, kernel.resources.get("threads", 1))
    warps = -(-threads // 32)
    registers = -(-max(1, kernel.resources.get("registers", 1)) // 8) * 8 * 32 * warps
    return max(1, min(32, 65536 // registers, device.threads // (warps * 32),
                      device.shared // (kernel.shared + 1024)))


def warps_per_unit(kernel, device):
    """Of the groups that fit a multiprocessor at once: what hides latency."""
    return groups_per_unit(kernel, device) * -(-max(1, kernel.resources.get("threads", 1)) // 32)


def sharing(kernel):
    """Of bytes that warps load straight from global memory: the part that no other warp of the group
    loads, too."""
    knobs = dict(re.findall(r"(\w+)=(\d+)", kernel.schedule))
    if not kernel.schedule.startswith("contraction_mma "):
        return 1.0
    mt, nt, wm, wn = (int(knobs[k]) for k in ("mt", "nt", "wm", "wn"))
    return (16 * mt * wm + 8 * nt * wn) / (wm * wn * (16 * mt + 8 * nt))


def mma_cycles(op, device):
    """Cycles of a quarter unit's tensor core, at its peak, for a warp's part of the instruction."""
    product, count = products_of(op)
    matches = [shape for shape in device.mma if product.startswith(shape)]
    return count * device.mma[max(matches, key=len)] if matches else None


def by_warpgroup(op):
    return op.split(".")[0] in WGMMA


def reach_of(op, device):
    return 1.0 if by_warpgroup(op) else device.reach


def turns_of_unit(kernel, device):
    """How many groups, one after the other or side by side, the unit with most of them works at:
    groups come in waves that fit the device at once, and those of the last are shared out evenly."""
    resident = groups_per_unit(kernel, device)
    groups = max(1, kernel.grid)
    waves = math.ceil(groups / (device.units * resident))
    last = groups - (waves - 1) * device.units * resident
    return (waves - 1) * resident + math.ceil(last / device.units)


LATENCY_S = 600e-9  # of memory, an assumption


def under_way(kernel, device):
    """Bytes that all groups which fit the device at once wait for: of products in stages, what the
    stages ahead hold; else what a turn of the hot loop loads."""
    groups = min(max(1, kernel.grid), device.units * groups_per_unit(kernel, device))
    stages = re.search(r"\bstages=(\d+)", kernel.schedule)
    if kernel.schedule.startswith(STAGED) and stages:
        return groups * kernel.shared * (int(stages.group(1)) - 1) / int(stages.group(1))
    warps = max(1, kernel.resources.get("threads", 32) // 32)
    return groups * warps * 32 * sum(map(bytes_of, kernel.loop))


def hot_share(kernel, device, streams=False, uneven=False, least=0, multiply_adds=0):
    """(share, limit, unit): of what the hot loop does, the time that its peak would take. `streams`:
    the peak is memory's, also of products. `uneven`: groups come in no waves. `least`: of products
    that memory bounds, the bytes of all arrays, if they are to be counted in place of the loop's, and
    of a kernel with a loop the program's multiply-adds, of which a turn does a part."""
    body = kernel.loop
    issue = len(body) or 1
    products = [op for op in body if products_of(op)[1]]
    warps = max(1, kernel.resources.get("threads", 32) // 32)
    moved = 32 * sum(map(bytes_of, body))
    # Cycles of a quarter unit for one turn of one warp; a unit's other limits are shared by four.
    limits = {"issue": issue, "L2": 4 * moved * sharing(kernel) / (device.l2 / device.units),
              "L1": 4 * moved / 128}
    fused = sum(op.startswith("FFMA") for op in body)
    unit = "peak"
    if products:
        cycles = [mma_cycles(op, device) for op in products]
        if None not in cycles:
            ideal = sum(cycles)
            name = "wgmma" if any(map(by_warpgroup, products)) else "mma.sync"
            limits[name] = sum(c / reach_of(op, device) for c, op in zip(cycles, products))
        elif not streams:
            return None, "unknown product", unit
    elif multiplies(kernel.schedule) and fused * 4 > issue:
        ideal = fused
    else:
        streams = True
    if streams:
        if least:  # what the kernel reads again comes from the L2
            part = (sum(map(multiply_adds_of, products)) / multiply_adds if kernel.loops
                    else 1 / (warps * turns_of_unit(kernel, device) * device.units))
            moved = part * least
        ideal = 4 * moved / (device.memory / device.clock / device.units)
        limits["memory"] = ideal
        unit = "bandwidth"
    limit = max(limits, key=limits.get)
    groups = max(1, kernel.grid)
    if unit == "peak":  # where memory is the limit, waves overlap
        turns = max(1, groups / device.units) if uneven else turns_of_unit(kernel, device)
        limits[limit] *= turns * device.units / groups
    elif multiplies(kernel.schedule):  # too few bytes under way for what memory could give
        limits[limit] /= min(1.0, under_way(kernel, device) / (LATENCY_S * device.memory))
    else:  # the same, by threads
        limits[limit] /= min(1.0, groups * warps / (device.units * 4))
    return ideal / limits[limit] if limits[limit] else None, limit, unit


SHAPES = {"16816": 2048, "1688": 1024, "16832": 4096}  # multiply-adds of a product


def multiply_adds_of(op):
    """Of a warp's part of the instruction."""
    product, count = products_of(op)
    return count * SHAPES[product.split(".")[1]]


def bounded_by_memory(program, kernel, device):
    """Whether the program's arrays take memory longer than its products take tensor cores."""
    op = next((op for op in kernel.loop if products_of(op)[1]), None)
    cycles = mma_cycles(op, device) if op else None
    if not cycles or not program.multiply_adds:
        return False
    peak = multiply_adds_of(op) / cycles * 4 * device.units * device.clock
    return program.arrays / device.memory > program.multiply_adds / (peak * reach_of(op, device))


KINDS = {"mma": (*MMA, *WGMMA), "shared": ("LDSM", "LDS", "STS"), "copies": ("LDGSTS",),
         "waits": ("BAR", "DEPBAR", "LDGDEPBAR", "NOP", "BRA", "WARPSYNC", "ERRBAR", "WARPGROUP",
                   "MEMBAR", "FENCE"),
         "conversions": ("PRMT", "F2F", "F2FP", "FSETP", "FADD", "FMUL", "HADD2", "HMUL2", "HFMA2",
                         "I2F", "I2FP", "F2I")}


def kind_of(op):
    """Of an instruction of a product's loop: one of KINDS, or "integers"."""
    if op.startswith("IMAD.IADD.U32"):  # f32 to tf32, where FSETP found no infinity
        return "conversions"
    name = op.split(".")[0]
    return next((kind for kind, names in KINDS.items() if name in names), "integers")


def hottest(kernels):
    return max(kernels, key=lambda k: (work(k.loop, k.schedule), len(k.loop)))


def loop_kinds(kernels):
    """How many instructions of each kind the hot loop of a staged product has; {}: no such loop. A
    wgmma is one instruction here, however many products it stands for."""
    hot = hottest(kernels) if kernels else None
    if not hot or not hot.loops or not hot.schedule.startswith(STAGED):
        return {}
    return dict(collections.Counter(map(kind_of, hot.loop)))


def estimate(program, kernels, name):
    """A cell: template, registers, occupancy, spills, shared memory, loop, launches, share."""
    device = DEVICES[name]
    if not kernels:
        return "no kernel"
    hot = hottest(kernels)
    kinds = collections.Counter(op.split(".")[0] for op in hot.loop)
    whole = not program.streams and bounded_by_memory(program, hot, device)
    share, limit, unit = hot_share(hot, device, program.streams or whole, program.uneven,
                                   program.arrays if whole else 0, program.multiply_adds)
    parts = [hot.schedule.split(" ")[0], f"{hot.resources.get('registers', '?')} r",
             f"{warps_per_unit(hot, device)} w"]
    if hot.resources.get("spills"):
        parts.append(f"{hot.resources['spills']} B spilled")
    if hot.shared:
        parts.append(f"{hot.shared / 1024:.3g} K")
    products = mma_of(hot.loop)
    what = f"{products} mma" if products else (
        f"{kinds['FFMA']} ffma" if kinds["FFMA"] and multiplies(hot.schedule) else "")
    loop = f"{len(hot.loop)} i" + (f" / {what}" if what else "") + ("" if hot.loops else ", no loop")
    loads = collections.Counter(8 * bytes_of(op) for op in hot.loop
                                if op.split(".")[0] in ("LDG", "LDGSTS"))
    if loads:
        loop += ", loads " + " ".join(f"{n}x{bits}" for bits, n in sorted(loads.items()))
    parts.append(loop)
    if len(kernels) > 1:
        parts.append(f"{len(kernels)} kernels")
    if share is not None:
        parts.append(f"**{100 * share:.0f} %** ({limit})" if unit == "peak"
                     else f"**{100 * share:.0f} %** of bandwidth ({limit})")
    launches = sum(k.launches for k in kernels)
    if launches > len(kernels):
        parts.append(f"{launches} launches")
    if program.moved:
        parts.append(f"**{1e6 * modelled(program, launches, device):.0f} µs** in all")
    return "; ".join(parts)


LAUNCH_S = 2e-6  # of a kernel of a graph, an assumption


def modelled(program, launches, device):
    """Seconds of a program whose kernels only move memory, or what of it stays in L2."""
    rate = device.memory if program.arrays > device.l2_size else device.l2 * device.clock
    return launches * LAUNCH_S + program.moved / rate
