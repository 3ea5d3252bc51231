"""Compares the engines on one row: each in a process of its own, results first, then in rounds."""

import multiprocessing
import statistics
import time

import numpy as np

from engines import Files, Halyard
from machine_speed import CopySpeed, FmaSpeed
from registry import group_of
from values import Gap, Weights, save


def write(files):
    """Writes the row's inputs, its StableHLO and its ONNX graph, or why there is no graph."""
    import jax
    from jax import export
    import jax_builder
    row, random = files.row, np.random.default_rng(1)
    values = [given.value(random) for given in row.inputs]
    save(files.inputs, row, values)
    described = [jax.ShapeDtypeStruct(given.shape, jax_builder.TYPES[given.type])
                 for given in row.inputs]
    function = jax_builder.row_function(row, Weights())
    exported = export.export(jax.jit(function), platforms=["cpu"])(*described)
    files.program.write_bytes(exported.mlir_module_serialized)
    try:
        import onnx_graph
        onnx_graph.write(row, Weights(), files.onnx)
    except ImportError as missing:
        files.onnx.with_suffix(".gap").write_text(f"there is no package to write ONNX: {missing}")
    except Gap as gap:
        files.onnx.with_suffix(".gap").write_text(str(gap))


def sentence(error):
    """Returns the message of an exception in one line."""
    text = " ".join(str(error).split()) or type(error).__name__
    return (text if isinstance(error, Gap) else f"{type(error).__name__}: {text}")[:400]


def serve_write(files, pipe):
    try:
        pipe.send((write(files), None))
    except Exception as error:  # pylint: disable=broad-except
        pipe.send((None, sentence(error)))


def serve(engine, files, threads, pipe):
    """Prepares the engine and sends its results, then times it for as long as asked."""
    try:
        begin = time.perf_counter()
        made = engine(files, threads)
        made.run()
        prepared = time.perf_counter() - begin
        pipe.send(((made.results(), {"prepare_s": prepared, **getattr(made, "about", {})}), None))
    except Exception as error:  # whatever an engine says is why the row has a gap
        pipe.send((None, sentence(error)))
        return
    while (seconds := pipe.recv()) is not None:
        times, end = [], time.perf_counter() + seconds
        while time.perf_counter() < end or len(times) < 3:
            start = time.perf_counter()
            made.run()
            times.append(time.perf_counter() - start)
        pipe.send(statistics.median(times) * 1e3)


class Worker:
    """A process that answers through a pipe."""

    def __init__(self, what, limit, *arguments):
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=what, args=(*arguments, other), daemon=True)
        self.process.start()
        other.close()
        try:
            if not self.pipe.poll(limit):
                raise Gap(f"it was not ready after {limit:.0f} s")
            self.answer, gap = self.pipe.recv()
        except EOFError:
            self.process.join()
            gap = f"its process ended with exit status {self.process.exitcode}"
        except Gap as late:
            gap = str(late)
        if gap:
            self.kill()
            raise Gap(gap)

    def kill(self):
        self.process.kill()
        self.process.join()

    def milliseconds(self, seconds):
        self.pipe.send(seconds)
        try:
            return self.pipe.recv()
        except EOFError:
            raise Gap("its process ended while it was timed") from None

    def close(self):
        try:
            self.pipe.send(None)
        except OSError:  # it has ended
            pass
        self.process.join(20)
        self.kill()


def difference(row, ours, theirs):
    """Returns by what the results differ at most, relative to the largest value of each; for random
    numbers, their means and deviations. Raises Gap if they have other shapes."""
    if len(ours) != len(theirs):
        raise Gap(f"it has {len(theirs)} results where Halyard has {len(ours)}")
    worst = 0.0
    for a, b in zip(ours, theirs):
        if a.shape != b.shape:
            raise Gap(f"it has a result of shape {b.shape} where Halyard's is {a.shape}")
        a, b = (x.astype(np.complex128 if np.iscomplexobj(x) else np.float64) for x in (a, b))
        if row.distribution:
            a, b = (np.array([x.mean(), x.std()]) for x in (a, b))
        scale = np.abs(a).max(initial=0) or 1
        worst = max(worst, float(np.nan_to_num(np.abs(a - b), nan=np.inf).max(initial=0) / scale))
    return worst


def require_same(row, ours, theirs):
    """Returns the difference of the results, or raises Gap if it is larger than the row allows."""
    differs = difference(row, ours, theirs)
    if not differs <= row.tolerance:
        raise Gap(f"its result differs by {differs:.2g} of the largest value, where "
                  f"{row.tolerance:g} is allowed")
    return differs


def start_peers(options, files, ours, threads):
    """Returns the engines that do the row rightly, and what the row says of each engine."""
    peers, said = [], {}
    for engine in options.engines:
        try:
            if reason := files.row.gaps.get(engine.name) or options.missing.get(engine.name):
                raise Gap(reason)
            peer = Worker(serve, options.limit, engine, files, threads)
        except Gap as gap:
            said[engine.name] = {"gap": str(gap)}
            continue
        results, about = peer.answer
        try:
            differs = require_same(files.row, ours, results)
        except Gap as gap:
            said[engine.name] = {"gap": str(gap), "wrong": True}
            peer.close()
            continue
        peer.name, peer.answer = engine.name, None
        peers.append(peer)
        said[engine.name] = {"difference": differs, **about}
    return peers, said


def time_rounds(options, contestants):
    """Returns name -> times of the rounds, in ms. Who begins changes with every round. One that
    fails has a sentence instead."""
    times, order, failed = {name: [] for name in contestants}, list(contestants), {}
    for _ in range(options.rounds):
        for name in [name for name in order if name not in failed]:
            try:
                times[name].append(contestants[name].milliseconds(options.seconds))
            except Gap as gap:
                failed[name] = str(gap)
        order = order[1:] + order[:1]
    return {name: failed.get(name, values) for name, values in times.items()}


def ratio(theirs, ours):
    return statistics.median(a / b for a, b in zip(theirs, ours))


def ratios(row, times, names, key):
    """Adds the ratios beside Halyard's times `key` to what the row says of each engine."""
    ours, suffix = times[key], "" if key == "Halyard" else "_tuned"
    row[f"halyard{suffix}_ms"] = statistics.median(ours)
    timed = [name for name in names if isinstance(times[name], list)]
    for name in timed:
        row["peers"][name].update({"ms": statistics.median(times[name]),
                                   f"ratio{suffix}": ratio(times[name], ours)})
    if timed:
        best = [min(values) for values in zip(*(times[name] for name in timed))]
        row[f"ratio_to_best{suffix}"] = ratio(best, ours)


def limits_of(row, group, results, folder):
    """Returns what bounds a row on this machine: a copy of its bytes, or its operations of f32."""
    limits = {}
    if row.memory_bound:
        limits["copy"] = CopySpeed(row.bytes_read() + sum(x.nbytes for x in results), folder)
    if group in ("products", "convolutions") and row.inputs[0].type == "f32":
        limits["peak"] = FmaSpeed(row.flops, folder)
    return {name: limit for name, limit in limits.items() if name == "copy" or limit.known}


def compare(options, name, folder, threads):
    """Returns what the table and the JSON line say of a row."""
    files = Files(name, folder)
    row = {"name": name, "group": group_of(name), "rounds": options.rounds, "threads": threads,
           "peers": {}}
    try:
        Worker(serve_write, options.limit, files).close()
        contestants = {"Halyard": Halyard(options.halyard, files, *options.halyard_options)}
        ours = contestants["Halyard"].results()
        if options.tuned:
            contestants["Halyard tuned"] = Halyard(options.halyard, files, database=options.tuned)
            require_same(files.row, ours, contestants["Halyard tuned"].results())
    except Gap as gap:
        return {**row, "gap": str(gap)}
    peers, row["peers"] = start_peers(options, files, ours, threads)
    contestants.update({peer.name: peer for peer in peers})
    contestants.update(limits_of(files.row, row["group"], ours, folder))
    times = time_rounds(options, contestants)
    for peer in peers:
        peer.close()
        if isinstance(times[peer.name], str):
            row["peers"][peer.name] = {"gap": times[peer.name]}
    for key in ("Halyard", "Halyard tuned"):
        if isinstance(times.get(key), str):
            return {**row, "gap": f"{key}: {times[key]}"}
        if key in times:
            ratios(row, times, [peer.name for peer in peers], key)
    row["halyard"] = contestants["Halyard"].about
    for limit in ("copy", "peak"):
        if limit in times:
            row[f"{limit}_ms"] = min(times[limit])
            row[f"of_{limit}"] = min(times[limit]) / min(times["Halyard"])
    if files.row.flops:
        row["gflops"] = files.row.flops / row["halyard_ms"] / 1e6
    for path in folder.glob(f"{name}.*"):
        path.unlink()
    return row
