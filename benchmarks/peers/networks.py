"""Networks with random weights, written once in terms of the layers of a builder.

Each builder makes the same network for different engines: jax_builder.py as a function that JAX
exports, onnx_builder.py as an ONNX graph. Both get the same arrays, from a generator with a fixed
seed. Images are NHWC here and kernels are HWIO. A builder converts them to the order of its
engines.
"""

import numpy as np


class Weights:
    """The arrays of a network, in the order in which its layers ask for them."""

    def __init__(self, seed=0):
        self.random = np.random.default_rng(seed)

    def normal(self, *shape, terms=None):
        """Returns weights scaled so that a layer's output is about as large as its input."""
        terms = terms or int(np.prod(shape[:-1]))
        return self.random.standard_normal(shape, np.float32) * np.float32((2 / terms)**0.5)

    def vector(self, size):
        return self.random.standard_normal(size, np.float32) * np.float32(0.1)


def resnet(net, x, weights, blocks, bottleneck):
    """He et al., arXiv:1512.03385, with strides on the 3x3 windows and batch norms folded."""

    def conv(x, size, features, stride=1, add=None, relu=True):
        inputs = net.channels(x)
        y = net.conv(x, weights.normal(size, size, inputs, features), weights.vector(features),
                     stride)
        if add is not None:
            y = net.add(y, add)
        return net.relu(y) if relu else y

    x = net.max_pool(conv(x, 7, 64, 2), 3, 2)
    for stage, count in enumerate(blocks):
        width = 64 << stage
        features = width * (4 if bottleneck else 1)
        for block in range(count):
            stride = 2 if stage and not block else 1
            project = stride > 1 or net.channels(x) != features
            short = conv(x, 1, features, stride, relu=False) if project else x
            if bottleneck:
                y = conv(conv(x, 1, width), 3, width, stride)
                x = conv(y, 1, features, add=short)
            else:
                x = conv(conv(x, 3, width, stride), 3, features, add=short)
    return net.dense(net.mean_of_image(x), weights.normal(net.channels(x), 1000),
                     weights.vector(1000))


def mobilenet_v2(net, x, weights):
    """Sandler et al., arXiv:1801.04381."""

    def conv(x, size, features, stride=1, relu6=True):
        y = net.conv(x, weights.normal(size, size, net.channels(x), features),
                     weights.vector(features), stride)
        return net.relu6(y) if relu6 else y

    x = conv(x, 3, 32, 2)
    for expand, features, count, stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2),
                                            (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2),
                                            (6, 320, 1, 1)):
        for block in range(count):
            inputs = net.channels(x)
            y = conv(x, 1, inputs * expand) if expand > 1 else x
            wide = net.channels(y)
            y = net.relu6(net.depthwise(y, weights.normal(3, 3, 1, wide, terms=9),
                                        weights.vector(wide), stride if block == 0 else 1))
            y = conv(y, 1, features, relu6=False)
            x = net.add(x, y) if block > 0 else y
    x = net.mean_of_image(conv(x, 1, 1280))
    return net.dense(x, weights.normal(1280, 1000), weights.vector(1000))


def encoder_layer(net, x, weights, heads, causal=False, norm_first=False):
    """A layer of a transformer (Vaswani et al., arXiv:1706.03762)."""
    width = net.channels(x)

    def norm(x):
        return net.layer_norm(x, 1 + weights.vector(width), weights.vector(width))

    def dense(x, features):
        return net.dense(x, weights.normal(net.channels(x), features), weights.vector(features))

    def attention(x):
        q, k, v = (dense(x, width) for _ in range(3))
        return dense(net.attention(q, k, v, heads, causal), width)

    def feed_forward(x):
        return dense(net.gelu(dense(x, 4 * width)), width)

    if norm_first:
        x = net.add(x, attention(norm(x)))
        return net.add(x, feed_forward(norm(x)))
    x = norm(net.add(x, attention(x)))
    return norm(net.add(x, feed_forward(x)))


def transformer(net, x, weights, layers, heads, causal=False, norm_first=False):
    for _ in range(layers):
        x = encoder_layer(net, x, weights, heads, causal, norm_first)
    return x


def vit(net, x, weights):
    """ViT-B/16 (Dosovitskiy et al., arXiv:2010.11929), without its class token."""
    patches = net.conv(x, weights.normal(16, 16, 3, 768), weights.vector(768), 16, same=False)
    x = net.add(net.rows_of_image(patches), weights.normal(1, 196, 768, terms=1000))
    x = transformer(net, x, weights, 12, 12, norm_first=True)
    return net.dense(net.mean_of_rows(x), weights.normal(768, 1000), weights.vector(1000))


# name -> (shape of the input, the network)
NETWORKS = {
    "resnet18-1": ((1, 224, 224, 3), lambda n, x, w: resnet(n, x, w, (2, 2, 2, 2), False)),
    "resnet18-8": ((8, 224, 224, 3), lambda n, x, w: resnet(n, x, w, (2, 2, 2, 2), False)),
    "resnet50-1": ((1, 224, 224, 3), lambda n, x, w: resnet(n, x, w, (3, 4, 6, 3), True)),
    "resnet50-8": ((8, 224, 224, 3), lambda n, x, w: resnet(n, x, w, (3, 4, 6, 3), True)),
    "mobilenetv2-1": ((1, 224, 224, 3), mobilenet_v2),
    "mobilenetv2-8": ((8, 224, 224, 3), mobilenet_v2),
    "bert-base-1": ((1, 128, 768), lambda n, x, w: transformer(n, x, w, 12, 12)),
    "bert-base-8": ((8, 128, 768), lambda n, x, w: transformer(n, x, w, 12, 12)),
    "vit-b16-1": ((1, 224, 224, 3), vit),
    "gpt2-prompt": ((1, 128, 768), lambda n, x, w: transformer(n, x, w, 12, 12, True, True)),
}
