"""Times PyTorch on the programs of scripts/sass_programs.py, for scripts/gpu_check.

    python3 scripts/gpu_check_torch.py SPECS.json     {name: spec}

Prints a line of JSON for each, {"name": ..., "ms": ...} or {"name": ..., "error": ...}. Exit status
77: there is no PyTorch with CUDA. A time is the median of ten replays of a CUDA graph with ten
calls, by CUDA's events, so that calling costs nothing; where a graph cannot be made, of ten times
ten calls.
"""
import json
import statistics
import sys

try:
    import torch
    from torch.nn import functional
except ImportError as error:
    print(error)
    sys.exit(77)

TYPES = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32, "tf32": torch.float32,
         "i8": torch.int8, "f8E4M3FN": getattr(torch, "float8_e4m3fn", None)}
CALLS = TURNS = 10


def random(shape, kind):
    if kind == "i8":
        return torch.randint(-4, 4, shape, dtype=torch.int8, device="cuda")
    values = torch.rand(shape, device="cuda") * 2 - 1
    return values.to(TYPES[kind])


def product(s):
    kind, batch = s["kind"], [s["batch"]] if s["batch"] else []
    torch.backends.cuda.matmul.allow_tf32 = kind == "tf32"
    m, n, k = s["m"], s["n"], s["k"]
    a = random(batch + ([m, k] if s["layout"][0] == "N" else [k, m]), kind)
    b = random(batch + ([k, n] if s["layout"][1] == "N" else [n, k]), kind)
    a = a if s["layout"][0] == "N" else a.transpose(-1, -2)
    b = b if s["layout"][1] == "N" else b.transpose(-1, -2)
    if kind == "i8":
        return lambda: torch._int_mm(a, b)
    if kind == "f8E4M3FN":
        one = torch.ones((), device="cuda")
        return lambda: torch._scaled_mm(a, b, scale_a=one, scale_b=one, out_dtype=torch.bfloat16)
    if not s["epilogue"]:
        return lambda: torch.matmul(a, b)
    bias = random([n], kind)
    if s["epilogue"] == "GELU":
        return lambda: functional.gelu(torch.addmm(bias, a, b))
    other = random([m, n], kind)
    return lambda: functional.silu(torch.addmm(bias, a, b)) + other


def convolution(s):
    torch.backends.cudnn.benchmark = True
    x = random([s["batch"], s["channels"], s["size"], s["size"]], s["kind"])
    w = random([s["features"], s["channels"], s["window"], s["window"]], s["kind"])
    x, w = (t.to(memory_format=torch.channels_last) for t in (x, w))
    return lambda: functional.conv2d(x, w, stride=s["stride"], padding=s["window"] // 2)


def attention(s):
    q, k, v = (random([1, s["heads"], length, s["width"]], s["kind"])
               for length in (s["queries"], s["keys"], s["keys"]))
    return lambda: functional.scaled_dot_product_attention(q, k, v, is_causal=s["causal"])


def attention_step(s):
    q, k, v, g = (random([1, s["heads"], length, s["width"]], s["kind"])
                  for length in (s["queries"], s["keys"], s["keys"], s["queries"]))
    factors = [t.requires_grad_() for t in (q, k, v)]

    def step():
        out = functional.scaled_dot_product_attention(*factors, is_causal=s["causal"])
        return torch.autograd.grad(out, factors, g)
    return step


def memory(s):
    x = random(s["shape"], s["kind"])
    if s["op"] == "scatter-add":  # the places that `halyard run --random-inputs` gives, too: few
        places = torch.randint(0, 4, (s["updates"],), device="cuda")
        values = random([s["updates"]], "f32")
        return lambda: x.index_add(0, places, values)
    return {"softmax": lambda: torch.softmax(x, -1), "transpose": lambda: x.t().contiguous(),
            "layer norm": lambda: functional.layer_norm(x, x.shape[-1:]),
            "sums": lambda: x.sum(s.get("dim"))}[s["op"]]


def milliseconds(call):
    for _ in range(3):
        call()
    torch.cuda.synchronize()

    def calls():
        for _ in range(CALLS):
            call()
    try:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            calls()
        replay = graph.replay
    except RuntimeError:
        replay = calls
    replay()
    torch.cuda.synchronize()
    times = []
    for _ in range(TURNS):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        replay()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end) / CALLS)
    return statistics.median(times)


def main():
    if not torch.cuda.is_available():
        print("PyTorch sees no GPU")
        return 77
    makers = {"product": product, "convolution": convolution, "attention": attention,
              "attention step": attention_step}
    with open(sys.argv[1]) as file:
        specs = json.load(file)
    for name, spec in specs.items():
        try:
            row = {"name": name, "ms": milliseconds(makers.get(spec["op"], memory)(spec))}
        except Exception as error:  # whatever PyTorch lacks for one costs no other
            row = {"name": name, "error": str(error).splitlines()[0][:200] if str(error) else
                   type(error).__name__}
        print(json.dumps(row), flush=True)
        torch.cuda.empty_cache()
    return 0


if __name__ == "__main__":
    sys.exit(main())
