"""Convolutions of ResNet-50 and MobileNetV2 with their biases. Kernels are constants."""

from values import Input, Row


def convolution(batch, size, inputs, features, window, stride=1):
    result = (size + 2 * ((window - 1) // 2) - window) // stride + 1

    def build(net, weights, x):
        return net.conv(x, weights.normal(window, window, inputs, features),
                        weights.vector(features), stride)

    return Row((Input((batch, size, size, inputs), image=True),), build,
               flops=2 * batch * result**2 * window**2 * inputs * features)


def depthwise(batch, size, features, stride=1):
    result = (size - 1) // stride + 1

    def build(net, weights, x):
        return net.depthwise(x, weights.normal(3, 3, 1, features, terms=9),
                             weights.vector(features), stride)

    return Row((Input((batch, size, size, features), image=True),), build,
               flops=2 * batch * result**2 * 9 * features)


def name_of(batch, size, inputs, features, window, stride=1):
    return (f"conv{window}x{window}-{size}x{inputs}-{features}" +
            (f"-stride{stride}" if stride > 1 else "") + (f"-batch{batch}" if batch > 1 else ""))


# batch, size, inputs, features, window, stride
RESNET = [(1, 224, 3, 64, 7, 2), (1, 56, 64, 64, 1), (1, 56, 64, 64, 3), (1, 56, 64, 256, 1),
          (1, 56, 256, 64, 1), (1, 56, 128, 128, 3, 2), (1, 56, 256, 512, 1, 2),
          (1, 28, 128, 128, 3), (1, 28, 512, 128, 1), (1, 14, 256, 256, 3), (1, 14, 1024, 256, 1),
          (1, 7, 512, 512, 3), (1, 7, 2048, 512, 1), (8, 56, 64, 64, 3), (8, 14, 1024, 256, 1)]
MOBILENET = [(1, 224, 3, 32, 3, 2), (1, 112, 32, 16, 1), (1, 56, 24, 144, 1), (1, 14, 64, 384, 1),
             (1, 7, 320, 1280, 1)]
# batch, size, features, stride
DEPTHWISE = [(1, 112, 32, 1), (1, 112, 96, 2), (1, 56, 144, 1), (1, 14, 384, 1), (1, 7, 960, 1),
             (8, 56, 144, 1)]

ROWS = {name_of(*sizes): convolution(*sizes) for sizes in RESNET + MOBILENET}
ROWS.update({f"depthwise-{size}x{features}" + (f"-stride{stride}" if stride > 1 else "") +
             (f"-batch{batch}" if batch > 1 else ""): depthwise(batch, size, features, stride)
             for batch, size, features, stride in DEPTHWISE})
SMALL = {"conv7x7-stride2": convolution(1, 13, 3, 8, 7, 2),
         "conv1x1": convolution(2, 6, 5, 7, 1),
         "conv1x1-stride2": convolution(1, 7, 4, 8, 1, 2),
         "conv3x3": convolution(1, 8, 4, 6, 3),
         "conv3x3-stride2": convolution(2, 8, 4, 6, 3, 2),
         "depthwise": depthwise(1, 7, 6),
         "depthwise-stride2": depthwise(1, 8, 6, 2)}
