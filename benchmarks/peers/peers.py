#!/usr/bin/env python3
"""Compares Halyard's speed on networks with engines that people deploy, on the same CPU cores.

    scripts/bench peers [--rounds=5] [--cores=0,1] [--engines=onnxruntime,openvino,xla]
                        [--json=FILE] [--without-tuning] [NAME ...]

Weights are constants of the program for every engine, from the same arrays. Each engine lives in a
process of its own; a round gives each in turn some tenths of a second. A round's figure is the
median of its runs; a row shows the median of the rounds, and the median of the rounds' ratios
peer / Halyard (above 1: Halyard is faster). Results are compared before anything is timed.
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
from networks import NETWORKS, Weights

HERE = pathlib.Path(__file__).parent
LARGEST_DIFFERENCE = 2e-3  # of the largest value: dozens of layers in f32, in other orders


class Files(typing.NamedTuple):
    """What an engine is given of a network."""
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
        from jax_builder import network_function
        return network_function(NETWORKS[self.name][1], Weights)

    @staticmethod
    def onnx_order(value):
        from onnx_builder import onnx_order
        return onnx_order(value)


def write(files):
    import jax
    from jax import export
    from onnx_builder import write_onnx
    shape, network = NETWORKS[files.name]
    value = np.random.default_rng(1).standard_normal(shape, np.float32)
    np.savez(files.inputs, arg0=value)
    exported = export.export(jax.jit(files.function), platforms=["cpu"])(value)
    files.program.write_bytes(exported.mlir_module_serialized)
    write_onnx(network, shape, Weights(), files.onnx)


def serve(engine, files, threads, pipe):
    """In a process of its own: makes the engine ready, then times it for each number of seconds."""
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
    times = [(halyard.milliseconds(options.seconds),
              *(peer.milliseconds(options.seconds) for peer in peers))
             for _ in range(options.rounds)]
    row["halyard_ms"] = statistics.median(t[0] for t in times)
    for index, peer in enumerate(peers, 1):
        row["peers"][peer.name].update(ms=statistics.median(t[index] for t in times),
                                       ratio=statistics.median(t[index] / t[0] for t in times))
        peer.close()
    row["ratio_to_best"] = statistics.median(min(t[1:]) / t[0] for t in times)
    for path in (files.program, files.onnx):
        path.unlink()
    return row


def parse():
    known = {engine.__name__.lower(): engine for engine in engines.PEERS}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--halyard", default=HERE.parent.parent / "build/release/bin/halyard")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each engine in a round")
    parser.add_argument("--cores", help="default: those that this process may use")
    parser.add_argument("--engines", default=",".join(known), help="default: %(default)s")
    parser.add_argument("--without-tuning", dest="halyard_options", action="store_const",
                        const=["--no-tuning"], default=[])
    parser.add_argument("--json", type=pathlib.Path, help="append a JSON line for each network")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NETWORKS))
    options = parser.parse_args()
    for name, what, all_of in [(n, "network", NETWORKS) for n in options.names] + [
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
    print(f"{'network':14} {'Halyard':>9}" + "".join(f" {name:>20}" for name in names) +
          f" {'the best':>9}")
    rows = []
    with tempfile.TemporaryDirectory(prefix="halyard-peers-") as folder:
        for name in options.names or NETWORKS:
            row = compare(options, name, pathlib.Path(folder), threads)
            rows.append(row)
            print(f"{name:14} {row['halyard_ms']:9.2f}" + "".join(
                f" {p['ms']:11.2f} {p['ratio']:7.2f}x" for p in row["peers"].values()) +
                f" {row['ratio_to_best']:8.2f}x", flush=True)
            if options.json:
                with options.json.open("a") as file:
                    file.write(json.dumps(row) + "\n")
    for name in names:
        mean = math.exp(statistics.fmean(math.log(r["peers"][name]["ratio"]) for r in rows))
        print(f"geometric mean beside {name}: {mean:.2f}x")


if __name__ == "__main__":
    main()
