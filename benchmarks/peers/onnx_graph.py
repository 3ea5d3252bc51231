"""Writes a row as an ONNX graph."""

import json

import numpy as np
import onnx
from onnx import helper

from onnx_builder import OPSET, TYPES, OnnxBuilder


def graph_shape(shape, image, kind):
    if image:
        shape = (shape[0], shape[3], *shape[1:3])
    return (*shape, 2) if kind == "c64" else shape


def to_graph(given, value):
    """Returns an input as the graph takes it."""
    if given.image:
        value = value.transpose(0, 3, 1, 2)
    value = np.ascontiguousarray(value)
    return value.view(np.float32).reshape(*value.shape, 2) if given.type == "c64" else value


def from_graph(result, value):
    """Returns a result of the graph in the order of other engines."""
    if result["image"]:
        return np.asarray(value).transpose(0, 2, 3, 1)
    if result["kind"] == "c64":
        # OpenVINO's results of DFT may have one more dimension of 1.
        return np.ascontiguousarray(value).view(np.complex64).reshape(result["shape"])
    return np.asarray(value)


def write(row, weights, path):
    """Writes the graph, and beside it what its results are."""
    builder, inputs = OnnxBuilder(), []
    for index, given in enumerate(row.inputs):
        name = f"x{index}"
        inputs.append(helper.make_tensor_value_info(
            name, TYPES[given.type], graph_shape(given.shape, given.image, given.type)))
        builder.shapes[name], builder.kinds[name] = given.shape, given.type
        if given.image:
            builder.images.add(name)
    results = row.build(builder, weights.rewind(), *(value.name for value in inputs))
    results = list(results) if isinstance(results, (tuple, list)) else [results]
    about = [{"name": name, "image": name in builder.images, "kind": builder.kinds[name],
              "shape": builder.shapes[name]} for name in results]
    outputs = [helper.make_tensor_value_info(
        result["name"], TYPES[result["kind"]],
        graph_shape(builder.shapes[result["name"]], result["image"], result["kind"]))
        for result in about]
    graph = helper.make_graph(builder.nodes, path.stem, inputs, outputs, builder.arrays)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)
    onnx.checker.check_model(model)
    onnx.save(model, path)
    path.with_suffix(".json").write_text(json.dumps(about))
