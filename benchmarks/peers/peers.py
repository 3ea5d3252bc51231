#!/usr/bin/env python3
"""Compares Halyard's speed on networks and kernels with deployed engines, on the same CPU cores.

    scripts/bench peers [--rounds=5] [--cores=0,1] [--engines=onnxruntime,openvino,xla]
                        [--json=FILE] [--without-tuning] [NAME ...]

For every engine, weights are constants of the program, from the same arrays. Each engine runs in a
separate process; in a round, each runs in turn for some tenths of a second. A round's figure is the
median of its runs. A row shows the median of the rounds, and the median of the rounds' ratios
peer / Halyard (above 1: Halyard is faster). Results are compared before anything is timed.

For kernels, the table also shows what share of the machine's copy speed Halyard reaches. The copy
speed is that of the best copying loop for as many bytes as the kernel must read and write, measured
in the same rounds. A kernel that reads more than it writes may exceed 100 %, because loads are
faster than stores. NAME may also be `networks` or `kernels`, for all of them.
"""

import argparse
import json
import math
import multiprocessing
import os
import pathlib
import statistics
import sys
import tempfile
import time
import typing

import numpy as np

import engines
from copy_speed import CopySpeed
from memory_kernels import KERNELS
from networks import NETWORKS, Weights

HERE = pathlib.Path(__file__).parent
LARGEST_DIFFERENCE = 2e-3  # relative to the largest value: engines order the sums differently


class Files(typing.NamedTuple):
    """What an engine gets of a network."""
    name: str
    folder: pathlib.Path

    @property
    def program(self):
        return self.folder / f"{self.name}.mlirbc"

    @property
    def inputs(self):
        return self.folder / f"{self.name}.npz"

    @property
    def onnx(self):
        return self.folder / f"{self.name}.onnx"

    @property
    def value(self):
        return np.load(self.inputs)["arg0"]

    @property
    def function(self):
        if self.name in KERNELS:
            return KERNELS[self.name].function
        from jax_builder import network_function
        return network_function(NETWORKS[self.name][1], Weights)

    def onnx_order(self, value):
        """Returns `value` in the order of the ONNX graph, which only differs for networks."""
        from onnx_builder import onnx_order
        return value if self.name in KERNELS else onnx_order(value)


def write(files):
    import jax
    from jax import export
    from onnx_builder import write_kernel, write_onnx
    kernel = KERNELS.get(files.name)
    shape = kernel.shape if kernel else NETWORKS[files.name][0]
    value = np.random.default_rng(1).standard_normal(shape, np.float32)
    np.savez(files.inputs, arg0=value)
    exported = export.export(jax.jit(files.function), platforms=["cpu"])(value)
    files.program.write_bytes(exported.mlir_module_serialized)
    if kernel:
        write_kernel(kernel, exported.out_avals[0].shape, files.onnx)
    else:
        write_onnx(NETWORKS[files.name][1], shape, Weights(), files.onnx)


def serve(engine, files, threads, pipe):
    """Runs in a separate process. Prepares the engine, then times it for as long as asked."""
    made = engine(files, files.value, threads)
    made.run()
    pipe.send(made.result())
    while (seconds := pipe.recv()) is not None:
        times, end = [], time.perf_counter() + seconds
        while time.perf_counter() < end or len(times) < 3:
            start = time.perf_counter()
            made.run()
            times.append(time.perf_counter() - start)
        pipe.send(statistics.median(times) * 1e3)


class Peer:

    def __init__(self, engine, files, threads):
        context = multiprocessing.get_context("spawn")
        self.name = engine.name
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=serve, args=(engine, files, threads, other))
        self.process.start()
        other.close()
        self.result = self.pipe.recv()

    def milliseconds(self, seconds):
        self.pipe.send(seconds)
        return self.pipe.recv()

    def close(self):
        self.pipe.send(None)
        self.process.join()


def check(name, ours, peer):
    difference = np.abs(ours - peer.result).max() / np.abs(ours).max()
    if not difference <= LARGEST_DIFFERENCE:
        sys.exit(f"peers: {name}: {peer.name}'s result differs by {difference:.2g} of the largest value")
    return float(difference)


def compare(options, name, folder, threads):
    files = Files(name, folder)
    write(files)
    halyard = engines.Halyard(options.halyard, files, options.halyard_options)
    ours = halyard.result()
    halyard.milliseconds(0.1)
    peers = [Peer(engine, files, threads) for engine in options.engines]
    row = {"name": name, "rounds": options.rounds, "threads": threads, "peers": {}}
    for peer in peers:
        row["peers"][peer.name] = {"difference": check(name, ours, peer)}
    copy = None
    if name in KERNELS:
        copy = CopySpeed((KERNELS[name].read or files.value.nbytes) + ours.nbytes, folder)
    times, copies = [], []
    for _ in range(options.rounds):
        times.append((halyard.milliseconds(options.seconds),
                      *(peer.milliseconds(options.seconds) for peer in peers)))
        if copy:
            copies.append(copy.milliseconds(options.seconds / 4))
    row["halyard_ms"] = statistics.median(t[0] for t in times)
    for index, peer in enumerate(peers, 1):
        row["peers"][peer.name].update(ms=statistics.median(t[index] for t in times),
                                       ratio=statistics.median(t[index] / t[0] for t in times))
        peer.close()
    row["ratio_to_best"] = statistics.median(min(t[1:]) / t[0] for t in times)
    if copies:
        row["copy_ms"] = min(copies)
        row["of_copy"] = min(copies) / min(t[0] for t in times)
    for path in (files.program, files.onnx):
        path.unlink()
    return row


def parse():
    groups = {"networks": list(NETWORKS), "kernels": list(KERNELS)}
    every = [*NETWORKS, *KERNELS]
    known = {engine.__name__.lower(): engine for engine in engines.PEERS}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--halyard", default=HERE.parent.parent / "build/release/bin/halyard")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each engine in a round")
    parser.add_argument("--cores", help="default: those that this process may use")
    parser.add_argument("--engines", default=",".join(known), help="default: %(default)s")
    parser.add_argument("--without-tuning", dest="halyard_options", action="store_const",
                        const=["--no-tuning"], default=[])
    parser.add_argument("--json", type=pathlib.Path, help="append a JSON line for each row")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join([*groups, *every]))
    options = parser.parse_args()
    options.names = [n for given in options.names for n in groups.get(given, [given])] or every
    for name, what, all_of in [(n, "network or kernel", every) for n in options.names] + [
            (e, "engine", known) for e in options.engines.split(",")]:
        if name not in all_of:
            parser.error(f"no {what} {name}; there are {', '.join(all_of)}")
    options.engines = [known[name] for name in options.engines.split(",")]
    return options


def main():
    options = parse()
    if options.cores:
        os.sched_setaffinity(0, {int(core) for core in options.cores.split(",")})
    threads = len(os.sched_getaffinity(0))
    names = [engine.name for engine in options.engines]
    print(f"{threads} cores, {options.rounds} rounds of {options.seconds} s for each engine; "
          "times in ms, ratios peer / Halyard")
    print(f"{'program':22} {'Halyard':>9}" + "".join(f" {name:>20}" for name in names) +
          f" {'the best':>9} {'of copy':>8}")
    rows = []
    with tempfile.TemporaryDirectory(prefix="halyard-peers-") as folder:
        for name in options.names:
            row = compare(options, name, pathlib.Path(folder), threads)
            rows.append(row)
            of_copy = f" {row['of_copy']:8.0%}" if "of_copy" in row else ""
            print(f"{name:22} {row['halyard_ms']:9.3f}" + "".join(
                f" {p['ms']:11.3f} {p['ratio']:7.2f}x" for p in row["peers"].values()) +
                f" {row['ratio_to_best']:8.2f}x" + of_copy, flush=True)
            if options.json:
                with options.json.open("a") as file:
                    file.write(json.dumps(row) + "\n")
    for name in names:
        mean = math.exp(statistics.fmean(math.log(r["peers"][name]["ratio"]) for r in rows))
        print(f"geometric mean beside {name}: {mean:.2f}x")


if __name__ == "__main__":
    main()
