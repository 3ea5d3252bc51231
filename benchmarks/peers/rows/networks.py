"""Networks with random weights, written once in terms of the layers of a builder.

Each builder makes the same network for different engines: jax_builder.py as a function that JAX
exports, onnx_builder.py as an ONNX graph, torch_builder.py as a function of PyTorch, and
numpy_builder.py for tests. All get the same arrays, from a generator with a fixed seed. Images are
NHWC here and kernels are HWIO. A builder converts them to the order of its engines.
"""

import functools

from values import Input, Row


def resnet(net, weights, x, blocks, bottleneck, first=64, classes=1000):
    """He et al., arXiv:1512.03385, with strides on the 3x3 windows and batch norms folded."""

    def conv(x, size, features, stride=1, add=None, relu=True):
        inputs = net.channels(x)
        y = net.conv(x, weights.normal(size, size, inputs, features), weights.vector(features),
                     stride)
        if add is not None:
            y = net.add(y, add)
        return net.relu(y) if relu else y

    x = net.max_pool(conv(x, 7, first, 2), 3, 2)
    for stage, count in enumerate(blocks):
        width = first << stage
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
    return net.dense(net.mean_of_image(x), weights.normal(net.channels(x), classes),
                     weights.vector(classes))


MOBILENET_V2 = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
                (6, 160, 3, 2), (6, 320, 1, 1))  # expansion, features, blocks, stride


def mobilenet_v2(net, weights, x, stages=MOBILENET_V2, first=32, last=1280, classes=1000):
    """Sandler et al., arXiv:1801.04381."""

    def conv(x, size, features, stride=1, relu6=True):
        y = net.conv(x, weights.normal(size, size, net.channels(x), features),
                     weights.vector(features), stride)
        return net.relu6(y) if relu6 else y

    x = conv(x, 3, first, 2)
    for expand, features, count, stride in stages:
        for block in range(count):
            inputs = net.channels(x)
            y = conv(x, 1, inputs * expand) if expand > 1 else x
            wide = net.channels(y)
            y = net.relu6(net.depthwise(y, weights.normal(3, 3, 1, wide, terms=9),
                                        weights.vector(wide), stride if block == 0 else 1))
            y = conv(y, 1, features, relu6=False)
            x = net.add(x, y) if block > 0 else y
    x = net.mean_of_image(conv(x, 1, last))
    return net.dense(x, weights.normal(last, classes), weights.vector(classes))


def encoder_layer(net, weights, x, heads, causal=False, norm_first=False):
    """A layer of a transformer (Vaswani et al., arXiv:1706.03762)."""
    width = net.channels(x)

    def norm(x):
        return net.layer_norm(x, weights.vector(width, 1), weights.vector(width))

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


def transformer(net, weights, x, layers, heads, causal=False, norm_first=False):
    for _ in range(layers):
        x = encoder_layer(net, weights, x, heads, causal, norm_first)
    return x


def vit(net, weights, x, patch=16, width=768, layers=12, heads=12, classes=1000):
    """ViT-B/16 (Dosovitskiy et al., arXiv:2010.11929), without its class token."""
    patches = net.rows_of_image(net.conv(x, weights.normal(patch, patch, 3, width),
                                         weights.vector(width), patch, same=False))
    positions = net.constant(weights.normal(1, net.shape(patches)[1], width, terms=1000))
    x = transformer(net, weights, net.add(patches, positions), layers, heads, norm_first=True)
    return net.dense(net.mean_of_rows(x), weights.normal(width, classes), weights.vector(classes))


def decoder_step(net, weights, x, caches, heads, dense):
    """One token through layers like GPT-2's, with the keys and values of the tokens before it:
    `caches` has the keys and then the values of each layer.

    `dense(x, features)` adds a dense layer. Returns the token's row, its keys and its values.
    """
    new_keys, new_values = [], []
    width = net.channels(x)

    def norm(x):
        return net.layer_norm(x, weights.vector(width, 1), weights.vector(width))

    for keys, values in zip(caches[::2], caches[1::2]):
        y = norm(x)
        q, k, v = (dense(y, width) for _ in range(3))
        y = net.cached_attention(q, keys, values, k, v, heads)
        x = net.add(x, dense(y, width))
        x = net.add(x, dense(net.gelu(dense(norm(x), 4 * width)), width))
        new_keys.append(k)
        new_values.append(v)
    return x, net.concat(new_keys, 1), net.concat(new_values, 1)


def decode(net, weights, x, *caches, heads):
    def dense(x, features):
        return net.dense(x, weights.normal(net.channels(x), features), weights.vector(features))

    return decoder_step(net, weights, x, caches, heads, dense)


def unet_block(net, weights, x, groups=32):
    """A residual block of a diffusion model's U-Net (Ho et al., arXiv:2006.11239), its time
    embedding folded into biases."""
    features, y = net.channels(x), x
    for _ in range(2):
        y = net.silu(net.group_norm(y, groups, weights.vector(features, 1),
                                    weights.vector(features)))
        y = net.conv(y, weights.normal(3, 3, features, features), weights.vector(features), 1)
    return net.add(x, y)


def lstm(net, weights, x, size=512, layers=2):
    for _ in range(layers):
        inputs = net.channels(x)
        x = net.lstm(x, weights.normal(inputs, 4 * size, terms=4 * inputs),
                     weights.normal(size, 4 * size, terms=4 * size), weights.vector(4 * size))
    return x


def row(shape, network, *others, tolerance=2e-3, **options):
    """Returns the row of a network of an image (of rank 4), or of rows, and of `others`."""
    inputs = (Input(shape, image=len(shape) == 4), *(Input(other) for other in others))
    return Row(inputs, functools.partial(network, **options), tolerance=tolerance)


RESNET18 = {"blocks": (2, 2, 2, 2), "bottleneck": False}
RESNET50 = {"blocks": (3, 4, 6, 3), "bottleneck": True}
BERT = {"layers": 12, "heads": 12}
GPT2 = {**BERT, "causal": True, "norm_first": True}
CACHES = ((1, 12, 511, 64),) * 24  # batch, heads, tokens, size of a head; of 12 layers

ROWS = {
    **{f"{name}-{batch}": row((batch, 224, 224, 3), network, **options)
       for name, network, options in (("resnet18", resnet, RESNET18),
                                      ("resnet50", resnet, RESNET50),
                                      ("mobilenetv2", mobilenet_v2, {}))
       for batch in (1, 8)},
    "bert-base-1": row((1, 128, 768), transformer, **BERT),
    "bert-base-8": row((8, 128, 768), transformer, **BERT),
    "vit-b16-1": row((1, 224, 224, 3), vit),
    "gpt2-prompt": row((1, 128, 768), transformer, **GPT2),
    "gpt2-decode": row((1, 1, 768), decode, *CACHES, heads=12),
    "unet-block": row((1, 64, 64, 320), unet_block),
    "lstm-64x8x512": row((64, 8, 512), lstm),
}
SMALL = {
    "resnet-basic": row((1, 32, 32, 3), resnet, blocks=(1, 1), bottleneck=False, first=4,
                        classes=5),
    "resnet-bottleneck": row((2, 16, 16, 3), resnet, blocks=(1, 1), bottleneck=True, first=4,
                             classes=5),
    "mobilenetv2": row((1, 16, 16, 3), mobilenet_v2, first=4, last=16, classes=5,
                       stages=((1, 4, 1, 1), (3, 6, 2, 2))),
    "bert": row((2, 6, 16), transformer, layers=1, heads=2),
    "gpt2-prompt": row((1, 6, 16), transformer, layers=1, heads=2, causal=True, norm_first=True),
    "vit": row((1, 8, 8, 3), vit, patch=4, width=16, layers=1, heads=2, classes=5),
    "gpt2-decode": row((1, 1, 16), decode, *((1, 2, 5, 8),) * 4, heads=2),
    "unet-block": row((1, 6, 6, 8), unet_block, groups=2),
    "lstm": row((5, 2, 6), lstm, size=4, layers=2),
}
