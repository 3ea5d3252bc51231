"""Networks of int8: ResNet-50 and BERT with quantized activations and weights, and a decoder whose
weights alone are of int8 or int4. Scales are fixed, because the weights are random."""

import functools

from rows.networks import CACHES, RESNET50, decoder_step
from values import Input, Row

# The scale of activations that may be negative, and of those that may not: both up to 8.
SIGNED, UNSIGNED = 2.0**-4, 2.0**-5


def resnet(net, weights, x, blocks, bottleneck=True, first=64, classes=1000):
    """ResNet with bottlenecks. Whatever is between two layers is quantized."""

    def conv(x, inputs, size, features, stride=1, relu=True):
        y = net.quantized_conv(x, weights.quantized(size, size, inputs, features),
                               weights.vector(features), stride)
        return net.quantize(net.relu(y), UNSIGNED, True) if relu else net.quantize(y, SIGNED)

    x = net.quantized_max_pool(conv(net.quantize(x, SIGNED), 3, 7, first, 2), 3, 2)
    inputs = first
    for stage, count in enumerate(blocks):
        width = first << stage
        for block in range(count):
            stride = 2 if stage and not block else 1
            short = x if block else conv(x, inputs, 1, 4 * width, stride, relu=False)
            y = conv(conv(x, inputs, 1, width), width, 3, width, stride)
            y = conv(y, width, 1, 4 * width, relu=False)
            x = net.quantize(net.relu(net.add(net.dequantize(y), net.dequantize(short))), UNSIGNED,
                             True)
            inputs = 4 * width
    x = net.quantize(net.mean_of_image(net.dequantize(x)), UNSIGNED, True)
    return net.quantized_dense(x, weights.quantized(inputs, classes), weights.vector(classes))


def bert(net, weights, x, layers, heads):
    """A transformer with layer norms after its layers. Attention and norms are of f32."""
    width = net.channels(x)

    def norm(x):
        return net.layer_norm(x, weights.vector(width, 1), weights.vector(width))

    def dense(x, inputs, features):
        return net.quantized_dense(x, weights.quantized(inputs, features), weights.vector(features))

    for _ in range(layers):
        given = net.quantize(x, SIGNED)
        q, k, v = (dense(given, width, width) for _ in range(3))
        y = net.quantize(net.attention(q, k, v, heads, False), SIGNED)
        x = norm(net.add(x, dense(y, width, width)))
        y = net.quantize(net.gelu(dense(net.quantize(x, SIGNED), width, 4 * width)), SIGNED)
        x = norm(net.add(x, dense(y, 4 * width, width)))
    return x


def decode(net, weights, x, *caches, heads, bits):
    def dense(x, features):
        if bits == 4:
            return net.dense_of_int4_weights(x, weights.in_blocks(net.channels(x), features),
                                             weights.vector(features))
        return net.dense_of_small_weights(x, weights.quantized(net.channels(x), features),
                                          weights.vector(features))

    return decoder_step(net, weights, x, caches, heads, dense)


def row(inputs, network, **options):
    # A difference in the last bit of a sum may move an activation by a whole step of int8.
    return Row(inputs, functools.partial(network, **options), tolerance=0.1)


def decode_row(bits, width, caches, heads):
    # ONNX Runtime also rounds activations for such products.
    return Row((Input((1, 1, width)), *map(Input, caches)),
               functools.partial(decode, heads=heads, bits=bits), tolerance=0.05)


def image(batch, size):
    return (Input((batch, size, size, 3), image=True),)


ROWS = {
    "resnet50-int8-1": row(image(1, 224), resnet, **RESNET50),
    "resnet50-int8-8": row(image(8, 224), resnet, **RESNET50),
    "bert-base-int8-1": row((Input((1, 128, 768)),), bert, layers=12, heads=12),
    "bert-base-int8-8": row((Input((8, 128, 768)),), bert, layers=12, heads=12),
    "gpt2-decode-int8-weights": decode_row(8, 768, CACHES, 12),
    "gpt2-decode-int4-weights": decode_row(4, 768, CACHES, 12),
}
SMALL = {
    "resnet-int8": row(image(1, 16), resnet, blocks=(1, 1), first=4, classes=5),
    "bert-int8": row((Input((1, 6, 16)),), bert, layers=1, heads=2),
    "decode-int8-weights": decode_row(8, 16, ((1, 2, 5, 8),) * 4, 2),
    "decode-int4-weights": decode_row(4, 32, ((1, 2, 5, 16),) * 2, 2),
}
