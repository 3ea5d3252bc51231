"""Training steps. Parameters are arguments, and the new ones are results."""

import numpy as np

from values import Input, Row

RATE = 0.05
NO_ONNX = {name: "plain ONNX has no operators of training" for name in ("ONNX Runtime", "OpenVINO")}


def step(net, loss, parameters):
    """Returns the parameters after a step of gradient descent."""
    gradients = net.gradients(loss, parameters)
    rate = np.float32(RATE)
    return tuple(net.subtract(p, net.multiply(g, rate)) for p, g in zip(parameters, gradients))


def mlp(batch, *sizes):
    """A perceptron with ReLU, which learns to predict zeros."""
    def build(net, weights, x, *parameters):
        def loss(*parameters):
            y = x
            for index in range(0, len(parameters), 2):
                y = net.dense(y, parameters[index], parameters[index + 1])
                y = net.relu(y) if index + 2 < len(parameters) else y
            return net.mean_square(y)

        return step(net, loss, parameters)

    layers = list(zip(sizes, sizes[1:]))
    inputs = [Input((batch, sizes[0]))]
    for terms, features in layers:
        inputs += [Input((terms, features), scale=(2 / terms)**0.5), Input((features,), scale=0.1)]
    return Row(tuple(inputs), build, gaps=NO_ONNX,
               flops=6 * batch * sum(terms * features for terms, features in layers))


def conv_net(batch, size, channels, features, classes):
    """Two strided 3x3 convolutions with ReLU and a dense layer, with the loss of a classifier."""
    def build(net, weights, x, labels, *parameters):
        def loss(kernel1, bias1, kernel2, bias2, dense, bias):
            y = net.relu(net.conv(x, kernel1, bias1, 2))
            y = net.relu(net.conv(y, kernel2, bias2, 2))
            return net.cross_entropy(net.dense(net.mean_of_image(y), dense, bias), labels)

        return step(net, loss, parameters)

    kernels = [(3, 3, channels, features), (3, 3, features, 2 * features), (2 * features, classes)]
    inputs = [Input((batch, size, size, channels), image=True),
              Input((batch, classes), scale=1 / classes)]
    for shape in kernels:
        inputs += [Input(shape, scale=(2 / np.prod(shape[:-1]))**0.5), Input(shape[-1:], scale=0.1)]
    return Row(tuple(inputs), build, gaps=NO_ONNX)


ROWS = {
    "train-mlp": mlp(128, 784, 1024, 1024, 10),
    "train-conv": conv_net(32, 64, 3, 32, 10),
}
SMALL = {
    "train-mlp": mlp(3, 4, 5, 2),
    "train-conv": conv_net(2, 6, 2, 3, 3),
}
