"""The engines that run a network. Each is prepared once, and then runs with its buffers in place.

`engine.run()` returns when the result is ready; `engine.result()` copies it out. All engines
compute in f32. OpenVINO would otherwise use bf16 if the CPU supports it.
"""

import pathlib
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from halyard_bench import bench


class OnnxRuntime:
    name = "ONNX Runtime"

    def __init__(self, files, value, threads):
        import onnxruntime
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        self.session = onnxruntime.InferenceSession(str(files.onnx), options,
                                                    providers=["CPUExecutionProvider"])
        self.binding = self.session.io_binding()
        self.input = onnxruntime.OrtValue.ortvalue_from_numpy(files.onnx_order(value))
        self.binding.bind_ortvalue_input("x", self.input)
        output = self.session.get_outputs()[0]
        self.output = onnxruntime.OrtValue.ortvalue_from_shape_and_type(output.shape, np.float32)
        self.binding.bind_ortvalue_output(output.name, self.output)

    def run(self):
        self.session.run_with_iobinding(self.binding)

    def result(self):
        return self.output.numpy()


class OpenVino:
    name = "OpenVINO"

    def __init__(self, files, value, threads):
        import openvino
        self.value = np.ascontiguousarray(files.onnx_order(value))
        model = openvino.Core().compile_model(str(files.onnx), "CPU", {
            "INFERENCE_PRECISION_HINT": "f32", "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_NUM_THREADS": str(threads), "NUM_STREAMS": "1"})
        self.request = model.create_infer_request()
        self.request.set_input_tensor(openvino.Tensor(self.value, shared_memory=True))

    def run(self):
        self.request.infer()

    def result(self):
        return self.request.get_output_tensor().data.copy()


class Xla:
    name = "XLA:CPU"

    def __init__(self, files, value, threads):
        import jax
        self.value = jax.device_put(value)
        self.run_on = jax.jit(files.function).lower(self.value).compile()

    def run(self):
        self.output = self.run_on(self.value).block_until_ready()

    def result(self):
        return np.asarray(self.output)


PEERS = (OnnxRuntime, OpenVino, Xla)


class Halyard:
    """Times runs with `halyard bench`, in a separate process, also with buffers in place."""
    name = "Halyard"

    def __init__(self, command, files, extra):
        self.halyard, self.program = command, files.program
        self.options = ["--target=x86", f"--inputs={files.inputs}", *extra]
        self.report = files.folder / "bench.json"
        self.results = files.folder / "result.npz"

    def result(self):
        subprocess.run([self.halyard, "run", self.program, *self.options,
                        f"--outputs={self.results}"], stdout=subprocess.DEVNULL, check=True)
        return next(iter(np.load(self.results).values()))

    def milliseconds(self, seconds):
        row = bench(self.halyard, self.program, self.report, *self.options,
                    f"--min-time={seconds}")
        return row["median_ms"]
