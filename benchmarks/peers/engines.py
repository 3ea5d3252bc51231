"""The engines that run a row. Each is prepared once, and then runs with its buffers in place.

`engine.about`, if it is there, says how long it compiled and what memory its program needs.
`engine.run()` returns when the results are ready; `engine.results()` copies them out. An engine
that cannot do a row raises an exception, whose message is the reason. All compute f32 in f32:
OpenVINO would otherwise use bf16 if the CPU supports it.
"""

import json
import os
import pathlib
import subprocess
import sys
import time
import typing

import numpy as np

from registry import ROWS, SMALL
from values import Gap, Weights, bf16_bits, from_bf16_bits, load

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from halyard_bench import bench  # noqa: E402


class Files(typing.NamedTuple):
    """What an engine gets of a row."""
    name: str
    folder: pathlib.Path

    @property
    def row(self):
        return ROWS.get(self.name) or SMALL[self.name]

    @property
    def program(self):
        return self.folder / f"{self.name}.mlirbc"

    @property
    def inputs(self):
        return self.folder / f"{self.name}.npz"

    @property
    def onnx(self):
        return self.folder / f"{self.name}.onnx"

    def values(self):
        return load(self.inputs)

    def graph_inputs(self):
        """Returns the inputs as the ONNX graph takes them, bf16 as its bits."""
        from onnx_graph import to_graph
        return [bf16_bits(value) if given.type == "bf16" else value for given, value in zip(
            self.row.inputs, map(to_graph, self.row.inputs, self.values()))]

    def graph_results(self, values):
        from onnx_graph import from_graph
        about = json.loads(self.onnx.with_suffix(".json").read_text())
        return [from_graph(result, value) for result, value in zip(about, values)]

    def allow_unused(self, index):
        """Only generators of random numbers may lose an input: their keys."""
        if not self.row.distribution:
            raise Gap(f"its graph has lost input {index}")

    def require_onnx(self):
        if not self.onnx.exists():
            raise Gap(self.onnx.with_suffix(".gap").read_text())


class OnnxRuntime:
    name = "ONNX Runtime"
    module = "onnxruntime"

    def __init__(self, files, threads):
        files.require_onnx()
        import onnxruntime
        from onnx_builder import TYPES
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(str(files.onnx), options,
                                                    providers=["CPUExecutionProvider"])
        self.files, self.binding = files, self.session.io_binding()
        self.inputs = [onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(
            value, TYPES[given.type])
            for given, value in zip(files.row.inputs, files.graph_inputs())]
        known = {given.name for given in self.session.get_inputs()}
        for index, value in enumerate(self.inputs):
            if f"x{index}" in known:
                self.binding.bind_ortvalue_input(f"x{index}", value)
            else:
                files.allow_unused(index)
        self.outputs = []
        for output in self.session.get_outputs():
            kind = {"float": np.float32, "float16": np.float16, "int32": np.int32,
                    "int64": np.int64}.get(output.type[len("tensor("):-1])
            if kind is None:
                raise Gap(f"results of {output.type} have no NumPy array to be bound to")
            self.outputs.append(onnxruntime.OrtValue.ortvalue_from_shape_and_type(
                output.shape, kind))
            self.binding.bind_ortvalue_output(output.name, self.outputs[-1])

    def run(self):
        self.session.run_with_iobinding(self.binding)

    def results(self):
        return self.files.graph_results([output.numpy() for output in self.outputs])


class OpenVino:
    name = "OpenVINO"
    module = "openvino"

    def __init__(self, files, threads):
        files.require_onnx()
        import openvino
        self.files, self.values = files, files.graph_inputs()
        precision = {"bf16": "bf16", "f16": "f16"}.get(files.row.inputs[0].type, "f32")
        model = openvino.Core().compile_model(str(files.onnx), "CPU", {
            "INFERENCE_PRECISION_HINT": precision, "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_NUM_THREADS": str(threads), "NUM_STREAMS": "1"})
        self.request = model.create_infer_request()
        names = [given.get_names() for given in model.inputs]
        for index, (given, value) in enumerate(zip(files.row.inputs, self.values)):
            places = [place for place, known in enumerate(names) if f"x{index}" in known]
            if not places:
                files.allow_unused(index)
                continue
            tensor = openvino.Tensor(value, shared_memory=True)
            if given.type == "bf16":
                tensor = openvino.Tensor(value, value.shape, openvino.Type.bf16)
            self.request.set_input_tensor(places[0], tensor)
        self.outputs = [(index, output.get_element_type() == openvino.Type.bf16)
                        for index, output in enumerate(model.outputs)]

    def run(self):
        self.request.infer()

    def results(self):
        values = []
        for index, is_bf16 in self.outputs:
            value = self.request.get_output_tensor(index).data
            values.append(from_bf16_bits(value.view(np.uint16)) if is_bf16 else value.copy())
        return self.files.graph_results(values)


class Xla:
    name = "XLA:CPU"
    module = "jax"

    def __init__(self, files, threads):
        import jax
        import jax_builder
        self.inputs = [jax.device_put(value.astype(jax_builder.TYPES[given.type]))
                       for given, value in zip(files.row.inputs, files.values())]
        function = jax_builder.row_function(files.row, Weights())
        begin = time.perf_counter()
        self.compiled = jax.jit(function).lower(*self.inputs).compile()
        memory = self.compiled.memory_analysis()
        self.about = {"compile_s": time.perf_counter() - begin,
                      "temporary_bytes": memory.temp_size_in_bytes,
                      "output_bytes": memory.output_size_in_bytes}
        self.wait = jax.block_until_ready

    def run(self):
        self.outputs = self.wait(self.compiled(*self.inputs))

    def results(self):
        outputs = self.outputs if isinstance(self.outputs, (tuple, list)) else [self.outputs]
        return [np.asarray(output.astype("float32") if output.dtype.name == "bfloat16" else output)
                for output in outputs]


class Halyard:
    """Times runs with `halyard bench`, in a separate process, also with buffers in place."""

    def __init__(self, command, files, *extra, database=None):
        self.halyard, self.files = command, files
        self.options = ["--target=x86", f"--inputs={files.inputs}", *extra]
        self.environment = {**os.environ, "HALYARD_TUNING_DB": str(database)} if database else None
        self.report = files.folder / "bench.json"

    def results(self):
        path = self.files.folder / "result.npz"
        process = subprocess.run([self.halyard, "run", self.files.program, *self.options,
                                  f"--outputs={path}"], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True, env=self.environment)
        if process.returncode != 0:
            raise Gap(f"`halyard run`: {process.stderr.strip()}")
        results = load(path, "out")
        path.unlink()
        return results

    def milliseconds(self, seconds):
        try:
            row = bench(self.halyard, self.files.program, self.report, *self.options,
                        f"--min-time={seconds}", environment=self.environment)
        except SystemExit as failed:
            raise Gap(str(failed)) from None
        self.about = {"compile_s": row["compile_cold_ms"] / 1e3, "load_ms": row["load_warm_ms"],
                      "arena_bytes": row["arena_bytes"]}
        return row["median_ms"]
