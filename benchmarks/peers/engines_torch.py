"""PyTorch with oneDNN: eager, and compiled by TorchInductor with constants frozen.

Both run a graph of the row's operators that was traced once, so that the builder takes no time.
"""

import logging

import numpy as np

from values import Weights


class Eager:
    name = "PyTorch"
    module = "torch"

    def __init__(self, files, threads):
        from torch_without_cuda import import_torch
        torch = import_torch()
        torch.set_num_threads(threads)
        torch.set_grad_enabled(False)
        from torch.fx.experimental.proxy_tensor import make_fx
        from torch_builder import TYPES, row_function
        self.inputs = [torch.from_numpy(np.ascontiguousarray(value)).to(TYPES[given.type])
                       for given, value in zip(files.row.inputs, files.values())]
        function = row_function(files.row, Weights())
        function(*self.inputs)  # makes the constants
        graph = make_fx(function)(*self.inputs)
        for name, value in list(vars(graph).items()):
            if isinstance(value, torch.Tensor):  # a constant: what may be frozen is a buffer
                delattr(graph, name)
                graph.register_buffer(name, value)
        self.call = self.made(torch, graph.eval())

    def made(self, torch, graph):
        return graph

    def run(self):
        self.outputs = self.call(*self.inputs)

    def results(self):
        outputs = self.outputs if isinstance(self.outputs, (tuple, list)) else [self.outputs]
        return [(o.float() if o.dtype.is_floating_point and o.itemsize < 4 else o).numpy()
                for o in outputs]


class Compiled(Eager):
    name = "PyTorch compiled"

    def made(self, torch, graph):
        for name in ("flop_counter", "cpp_extension"):  # they miss Triton and CUDA
            logging.getLogger(f"torch.utils.{name}").setLevel(logging.ERROR)
        import torch._inductor.config
        torch._inductor.config.freezing = True
        return torch.compile(graph, dynamic=False)
