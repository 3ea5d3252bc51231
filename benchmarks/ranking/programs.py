#!/usr/bin/env python3
"""Writes small programs as HLO text, on which the cost model of x86 is trained and judged.

Each program is about one kernel. There are many families of kernels, with three sizes each
(ranking.cc).

    benchmarks/ranking/programs.py FOLDER
"""

import pathlib
import sys

ADD = """add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT r = f32[] add(x, y)
}
"""
MAX = """max {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT r = f32[] maximum(x, y)
}
"""


def gemm(m, n, k, lhs="{1}", rhs="{0}", kind="f32", out="f32", epilogue=""):
    a = f"{m},{k}" if lhs == "{1}" else f"{k},{m}"
    b = f"{k},{n}" if rhs == "{0}" else f"{n},{k}"
    root = "" if epilogue else "ROOT "
    return f"""ENTRY e {{
  a = {kind}[{a}] parameter(0)
  b = {kind}[{b}] parameter(1)
  {root}d = {out}[{m},{n}] dot(a, b), lhs_contracting_dims={lhs}, rhs_contracting_dims={rhs}
{epilogue}}}"""


def bias_relu(m, n, k):
    return gemm(m, n, k, epilogue=f"""  c = f32[{n}] parameter(2)
  cb = f32[{m},{n}] broadcast(c), dimensions={{1}}
  s = f32[{m},{n}] add(d, cb)
  z = f32[] constant(0)
  zb = f32[{m},{n}] broadcast(z), dimensions={{}}
  ROOT r = f32[{m},{n}] maximum(s, zb)
""")


def batched(b, m, n, k):
    return f"""ENTRY e {{
  a = f32[{b},{m},{k}] parameter(0)
  c = f32[{b},{k},{n}] parameter(1)
  ROOT d = f32[{b},{m},{n}] dot(a, c), lhs_batch_dims={{0}}, rhs_batch_dims={{0}}, lhs_contracting_dims={{2}}, rhs_contracting_dims={{1}}
}}"""


def conv(size, channels, features, window, groups=1, stride=1):
    pad = window // 2
    out = (size + 2 * pad - window) // stride + 1
    strides = f" stride={stride}x{stride}" if stride > 1 else ""
    groups_text = f", feature_group_count={groups}" if groups > 1 else ""
    return f"""ENTRY e {{
  a = f32[1,{size},{size},{channels}] parameter(0)
  w = f32[{window},{window},{channels // groups},{features}] parameter(1)
  ROOT c = f32[1,{out},{out},{features}] convolution(a, w), window={{size={window}x{window}{strides} pad={pad}_{pad}x{pad}_{pad}}}, dim_labels=b01f_01io->b01f{groups_text}
}}"""


def softmax(m, n):
    return MAX + ADD + f"""ENTRY e {{
  a = f32[{m},{n}] parameter(0)
  lowest = f32[] constant(-inf)
  t = f32[{m}] reduce(a, lowest), dimensions={{1}}, to_apply=max
  tb = f32[{m},{n}] broadcast(t), dimensions={{0}}
  d = f32[{m},{n}] subtract(a, tb)
  x = f32[{m},{n}] exponential(d)
  zero = f32[] constant(0)
  s = f32[{m}] reduce(x, zero), dimensions={{1}}, to_apply=add
  sb = f32[{m},{n}] broadcast(s), dimensions={{0}}
  ROOT r = f32[{m},{n}] divide(x, sb)
}}"""


def layer_norm(m, n):
    return ADD + f"""ENTRY e {{
  a = f32[{m},{n}] parameter(0)
  g = f32[{n}] parameter(1)
  zero = f32[] constant(0)
  scale = f32[] constant({1 / n})
  scale_m = f32[{m}] broadcast(scale), dimensions={{}}
  s = f32[{m}] reduce(a, zero), dimensions={{1}}, to_apply=add
  mean = f32[{m}] multiply(s, scale_m)
  mean_b = f32[{m},{n}] broadcast(mean), dimensions={{0}}
  d = f32[{m},{n}] subtract(a, mean_b)
  q = f32[{m},{n}] multiply(d, d)
  v = f32[{m}] reduce(q, zero), dimensions={{1}}, to_apply=add
  w = f32[{m}] multiply(v, scale_m)
  i = f32[{m}] rsqrt(w)
  ib = f32[{m},{n}] broadcast(i), dimensions={{0}}
  x = f32[{m},{n}] multiply(d, ib)
  gb = f32[{m},{n}] broadcast(g), dimensions={{1}}
  ROOT r = f32[{m},{n}] multiply(x, gb)
}}"""


def rms_norm(m, n):
    return ADD + f"""ENTRY e {{
  a = f32[{m},{n}] parameter(0)
  g = f32[{n}] parameter(1)
  zero = f32[] constant(0)
  scale = f32[] constant({1 / n})
  scale_m = f32[{m}] broadcast(scale), dimensions={{}}
  q = f32[{m},{n}] multiply(a, a)
  v = f32[{m}] reduce(q, zero), dimensions={{1}}, to_apply=add
  w = f32[{m}] multiply(v, scale_m)
  i = f32[{m}] rsqrt(w)
  ib = f32[{m},{n}] broadcast(i), dimensions={{0}}
  x = f32[{m},{n}] multiply(a, ib)
  gb = f32[{m},{n}] broadcast(g), dimensions={{1}}
  ROOT r = f32[{m},{n}] multiply(x, gb)
}}"""


def reduce(m, n, over, kind="add", start="0"):
    out = {"0": f"[{n}]", "1": f"[{m}]", "0,1": "[]"}[over]
    return (ADD if kind == "add" else MAX) + f"""ENTRY e {{
  a = f32[{m},{n}] parameter(0)
  start = f32[] constant({start})
  ROOT r = f32{out} reduce(a, start), dimensions={{{over}}}, to_apply={kind}
}}"""


def squared_sum_of_middle(b, m, n):
    return ADD + f"""ENTRY e {{
  a = f32[{b},{m},{n}] parameter(0)
  zero = f32[] constant(0)
  q = f32[{b},{m},{n}] multiply(a, a)
  ROOT r = f32[{b},{n}] reduce(q, zero), dimensions={{1}}, to_apply=add
}}"""


def transpose(dims, order, kind="f32"):
    out = ",".join(str(dims[i]) for i in order)
    return f"""ENTRY e {{
  a = {kind}[{",".join(map(str, dims))}] parameter(0)
  ROOT t = {kind}[{out}] transpose(a), dimensions={{{",".join(map(str, order))}}}
}}"""


def chain(m, n, costly):
    ops = "  x2 = TYPE tanh(x1)\n  x3 = TYPE exponential(x2)\n" if costly else \
        "  x2 = TYPE multiply(x1, a)\n  x3 = TYPE subtract(x2, b)\n"
    text = f"""ENTRY e {{
  a = TYPE parameter(0)
  b = TYPE parameter(1)
  x1 = TYPE add(a, b)
{ops}  ROOT r = TYPE maximum(x3, a)
}}"""
    return text.replace("TYPE ", f"f32[{m},{n}] ")


def bias_sigmoid(m, n):
    return f"""ENTRY e {{
  a = TYPE parameter(0)
  b = f32[{n}] parameter(1)
  bb = TYPE broadcast(b), dimensions={{1}}
  x = TYPE add(a, bb)
  s = TYPE logistic(x)
  ROOT r = TYPE multiply(x, s)
}}""".replace("TYPE ", f"f32[{m},{n}] ")


def add_transposed(m, n):
    return f"""ENTRY e {{
  a = f32[{n},{m}] parameter(0)
  b = f32[{m},{n}] parameter(1)
  t = f32[{m},{n}] transpose(a), dimensions={{1,0}}
  ROOT r = f32[{m},{n}] add(t, b)
}}"""


def pool(size, channels):
    return MAX + f"""ENTRY e {{
  a = f32[1,{size},{size},{channels}] parameter(0)
  lowest = f32[] constant(-inf)
  ROOT r = f32[1,{size // 2},{size // 2},{channels}] reduce-window(a, lowest), window={{size=1x2x2x1 stride=1x2x2x1}}, to_apply=max
}}"""


FAMILIES = {
    "gemm": [gemm(128, 128, 128), gemm(512, 256, 384), gemm(64, 1024, 512)],
    "gemm_transposed": [gemm(128, 192, 256, rhs="{1}"), gemm(384, 384, 384, rhs="{1}"),
                        gemm(32, 512, 512, rhs="{1}")],
    "gemm_bias_relu": [bias_relu(64, 256, 784), bias_relu(256, 256, 256), bias_relu(512, 128, 64)],
    "gemm_s8": [gemm(256, 256, 256, kind="s8", out="s32"), gemm(128, 512, 384, kind="s8", out="s32"),
                gemm(512, 128, 256, kind="s8", out="s32")],
    "matrix_vector": [gemm(1, 1024, 1024), gemm(1, 512, 2048), gemm(1, 4096, 256)],
    "batched_gemm": [batched(8, 64, 64, 64), batched(16, 32, 128, 64), batched(4, 128, 128, 96)],
    "conv_3x3": [conv(28, 64, 64, 3), conv(14, 128, 128, 3), conv(56, 16, 32, 3)],
    "conv_1x1": [conv(28, 64, 128, 1), conv(14, 256, 256, 1), conv(56, 32, 64, 1)],
    "conv_strided": [conv(56, 32, 64, 3, stride=2), conv(28, 64, 64, 3, stride=2),
                     conv(112, 3, 32, 7, stride=2)],
    "depthwise": [conv(56, 64, 64, 3, 64), conv(28, 128, 128, 3, 128), conv(112, 32, 32, 3, 32)],
    "softmax": [softmax(512, 512), softmax(2048, 128), softmax(64, 4096)],
    "layer_norm": [layer_norm(512, 512), layer_norm(2048, 256), layer_norm(128, 2048)],
    "rms_norm": [rms_norm(512, 768), rms_norm(4096, 128), rms_norm(96, 3072)],
    "reduce_rows": [reduce(1024, 1024, "1"), reduce(8192, 128, "1"), reduce(64, 16384, "1")],
    "reduce_columns": [reduce(1024, 1024, "0"), reduce(16384, 64, "0"), reduce(128, 8192, "0")],
    "reduce_all": [reduce(1024, 1024, "0,1"), reduce(512, 256, "0,1"), reduce(4096, 512, "0,1")],
    "maximum_of_rows": [reduce(768, 1024, "1", "max", "-inf"), reduce(6000, 200, "1", "max", "-inf"),
                        reduce(48, 20000, "1", "max", "-inf")],
    "squares_of_middle": [squared_sum_of_middle(16, 196, 256), squared_sum_of_middle(4, 784, 128),
                          squared_sum_of_middle(64, 49, 512)],
    "add_transposed": [add_transposed(768, 768), add_transposed(256, 2048),
                       add_transposed(1000, 400)],
    "transpose": [transpose([1024, 1024], [1, 0]), transpose([512, 2048], [1, 0]),
                  transpose([300, 700], [1, 0])],
    "transpose_4d": [transpose([8, 56, 56, 32], [0, 3, 1, 2]), transpose([4, 64, 28, 28], [0, 2, 3, 1]),
                     transpose([16, 12, 128, 64], [0, 2, 1, 3])],
    "elementwise": [chain(1024, 1024, False), chain(256, 512, False), chain(3000, 300, False)],
    "elementwise_costly": [chain(1024, 512, True), chain(128, 512, True), chain(3000, 100, True)],
    "bias_sigmoid": [bias_sigmoid(512, 1024), bias_sigmoid(4096, 96), bias_sigmoid(100, 3000)],
    "max_pool": [pool(112, 64), pool(56, 128), pool(28, 256)],
}


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for family, programs in FAMILIES.items():
        for number, text in enumerate(programs):
            name = f"{family}.{number}"
            (folder / f"{name}.hlo").write_text(f"HloModule {family}_{number}\n{text}\n")


if __name__ == "__main__":
    main()
