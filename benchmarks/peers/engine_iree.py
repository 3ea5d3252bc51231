"""IREE, for the host's CPU (llvm-cpu)."""

import os
import pathlib
import subprocess
import sys
import time

import numpy as np

from values import Gap

FLAGS = ["--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu",
         "--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3"]


def first_error(text):
    """Returns the first message, without the place in the source, or the last line of all."""
    lines = text.strip().splitlines() or ["no message"]
    errors = [line.partition("error: ")[2] for line in lines if "error: " in line]
    return (errors or lines[-1:])[0]


class Iree:
    name = "IREE"
    module = "iree.runtime"

    def __init__(self, files, threads):
        module = files.folder / f"{files.name}.vmfb"
        tool = pathlib.Path(sys.prefix) / "bin/iree-compile"
        begin = time.perf_counter()
        process = subprocess.run([tool, *FLAGS, files.program, "-o", module], capture_output=True,
                                 text=True)
        if process.returncode != 0:
            raise Gap(f"iree-compile: {first_error(process.stderr)}")
        self.about = {"compile_s": time.perf_counter() - begin}
        from iree import runtime
        import ml_dtypes
        cores = ",".join(map(str, sorted(os.sched_getaffinity(0))[:threads]))
        runtime.flags.parse_flags(f"--task_topology_cpu_ids={cores}")
        config = runtime.Config("local-task")
        self.context = runtime.SystemContext(config=config)
        loaded = runtime.VmModule.mmap(config.vm_instance, str(module))
        self.context.add_vm_module(loaded)
        self.function = loaded.lookup_function("main")
        values = [value.astype(ml_dtypes.bfloat16) if given.type == "bf16" else value
                  for given, value in zip(files.row.inputs, files.values())]
        self.inputs = runtime.VmVariantList(len(values))
        self.arrays = [runtime.asdevicearray(config.device, value) for value in values]
        for array in self.arrays:
            self.inputs.push_ref(array._buffer_view)
        self.runtime, self.device = runtime, config.device
        self.outputs = runtime.VmVariantList(4)

    def run(self):
        self.outputs = self.runtime.VmVariantList(4)
        self.context.vm_context.invoke(self.function, self.inputs, self.outputs)

    def results(self):
        views = [self.outputs.get_as_object(index, self.runtime.HalBufferView)
                 for index in range(len(self.outputs))]
        arrays = [self.runtime.DeviceArray(self.device, view, implicit_host_transfer=True).to_host()
                  for view in views]
        return [a.astype(np.float32) if a.dtype.name == "bfloat16" else a for a in arrays]
