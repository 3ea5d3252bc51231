// fft → fft-pass kernels and what is around them.
//
// A line of n elements, n = r1·r2·…, is one pass for each radix, in place of neither bit reversal
// nor transposes (Stockham; semantics: frontend/hlo/evaluate/fft.cc). Inner dimensions are just a
// larger stride, so all axes are done alike. A prime of up to kMaxMatrix is a product with the
// matrix of the transform; lengths with larger primes, or several such, become a convolution with a
// chirp (Bluestein 1970), done with transforms of a power of two. Real transforms of even length
// are complex ones of half of it. All constants are made in double.
//
// A line that fits a GPU's workgroup or a CPU's core (lowering/kernels/fourier/form.h) is one
// kernel: a pass of radix n. With cuFFT, transforms of contiguous axes whose lengths have small
// factors are unscaled-fft.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "frontend/hlo/evaluate/evaluate.h"
#include "lowering/kernels/fourier/form.h"
#include "lowering/plan/graph_builder.h"
#include "lowering/plan/passes.h"
#include "runtime/device_class.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;
using Complex128 = std::complex<double>;

constexpr int64_t kMaxMatrix = 127;
// Up to this many elements, Mesa's software device is faster with lines in one launch: at 3,000 in
// 0.6 of the time, at 16,384 and 65,536 in 1.05 and 1.1 times that of a launch for each pass.
constexpr int64_t kMostInSoftware = 8192;
// Several cores take a longer line pass by pass, unless each has a line of its own.
constexpr int64_t kMostOnOneCore = 4096;
constexpr int64_t kMaxTable = 4096;
// The primes for which cuFFT has butterflies. It computes larger ones by convolution, as we do.
constexpr int64_t kMaxLibraryPrime = 127;

// e^(sign·2πi·k/n).
Complex128 Root(int64_t k, int64_t n, int sign) {
  double angle = 2 * std::numbers::pi * static_cast<double>(k % n) / static_cast<double>(n);
  return {std::cos(angle), sign * std::sin(angle)};
}

// Splits n into a product of small primes (`smooth`) and a rest.
struct Split {
  int64_t smooth = 1, rest = 1;
  bool rest_is_prime = false;
};

Split SplitLength(int64_t n) {
  Split split;
  split.rest = n;
  for (int64_t p : {2, 3, 5, 7, 11, 13}) {
    while (split.rest % p == 0) {
      split.rest /= p;
      split.smooth *= p;
    }
  }
  split.rest_is_prime = split.rest > 1;
  for (int64_t p = kMaxRadixPrime + 2; p * p <= split.rest; p += 2) {
    if (split.rest % p == 0) split.rest_is_prime = false;
  }
  return split;
}

// Returns whether cuFFT computes transforms of these lengths. It does not if one of our passes
// does.
bool SuitsLibrary(const std::vector<int64_t>& lengths) {
  int64_t points = 1;
  for (int64_t n : lengths) {
    if (n > INT32_MAX) return false;
    points *= n;
    for (int64_t p = 2; p <= kMaxLibraryPrime && n > 1; ++p) {
      while (n % p == 0) n /= p;
    }
    if (n > 1) return false;
  }
  return points > kMaxRadix;
}

class FftExpander {
 public:
  FftExpander(Rewriter* rewriter, const Instruction* fft, bool library,
              const runtime::DeviceInfo& device)
      : graph_(rewriter, fft),
        library_(library),
        device_(device),
        forward_(fft->GetString(Attr::kFftType) == "FFT" ||
                 fft->GetString(Attr::kFftType) == "RFFT"),
        type_(fft->GetString(Attr::kFftType) == "RFFT" ? fft->shape.element_type()
                                                       : fft->operand(0)->shape.element_type()) {}

  Instruction* Run();

 private:
  // x has outer·n·inner elements; the result is [outer, n, inner].
  Instruction* Transform(Instruction* x, int64_t outer, int64_t n, int64_t inner, bool forward);
  Instruction* Pass(Instruction* x, int64_t radix, bool forward);
  // Does all passes of lines in one kernel.
  Instruction* Line(Instruction* x, bool forward);
  bool LinesPay(int64_t outer, int64_t n, int64_t inner) const;
  Instruction* MatrixPass(Instruction* x, bool forward);
  Instruction* Chirp(Instruction* x, bool forward);
  // Transforms all dimensions of x[batch, lengths…] except the first.
  Instruction* ByLibrary(Instruction* x, const std::vector<int64_t>& lengths, const char* type);
  // Transforms axes [first, last) of an array.
  Instruction* TransformAxes(Instruction* x, int64_t first, int64_t last);
  // Go from [rows, n] to [rows, n / 2 + 1] and back.
  Instruction* RealForward(Instruction* x);
  Instruction* RealInverse(Instruction* x, int64_t n);

  struct Parts {
    Instruction *re, *im;
  };
  // Returns x, with NaN in both parts where one is not finite: this makes every element of the line
  // NaN, whatever the algorithm.
  Instruction* Marked(const Parts& x);
  // (x_k ± conj(x_h-k)) / 2 of x[rows, h + 1].
  void Mirror(const Parts& x, Parts* even, Parts* odd);
  // e^(sign·2πi·k/n), k < size, along the last dimension.
  Instruction* Rotations(int64_t size, int64_t n, int sign, const std::vector<int64_t>& dims);
  Parts Multiply(const Parts& a, Instruction* factor);
  Instruction* Half(Instruction* x) {
    return graph_.Add(Opcode::kMultiply,
                      {x, graph_.Splat(x->shape.element_type(), 0.5, x->shape.dims())});
  }

  GraphBuilder graph_;
  bool library_;
  const runtime::DeviceInfo& device_;
  bool forward_;
  ElementType type_;  // complex
};

Instruction* FftExpander::Pass(Instruction* x, int64_t radix, bool forward) {
  const std::vector<int64_t>& dims = x->shape.dims();  // [outer, n, inner]
  int64_t m = dims[1] / radix, n = dims[1], width = m;
  std::vector<Instruction*> operands = {graph_.Reshape(x, {dims[0], radix, m, dims[2]})};
  if (m > 1) {
    if (m > kMaxTable) {
      for (width = 64; width * width < m;) width *= 2;
    }
    int sign = forward ? -1 : 1;
    // A table of one entry would be a splat, which a kernel would have to make.
    operands.push_back(graph_.Table(type_, std::max<int64_t>(2, (m + width - 1) / width),
                                    [&](int64_t i) { return Root(i * width, n, sign); }));
    operands.push_back(graph_.Table(type_, width, [&](int64_t i) { return Root(i, n, sign); }));
  }
  return graph_.Add(Opcode::kFftPass, operands,
                    OneAttr(Attr::kFftType, std::string(forward ? "FFT" : "IFFT")));
}

bool FftExpander::LinesPay(int64_t outer, int64_t n, int64_t inner) const {
  if (device_.software) return outer * n * inner <= kMostInSoftware;
  return runtime::IsGpu(device_) || n <= kMostOnOneCore || outer >= runtime::UnitsOf(device_);
}

Instruction* FftExpander::Line(Instruction* x, bool forward) {
  const std::vector<int64_t>& dims = x->shape.dims();  // [outer, n, inner]
  Instruction* roots = graph_.Table(
      type_, dims[1], [n = dims[1], forward](int64_t i) { return Root(i, n, forward ? -1 : 1); });
  return graph_.Add(Opcode::kFftPass, {graph_.Reshape(x, {dims[0], dims[1], 1, dims[2]}), roots},
                    OneAttr(Attr::kFftType, std::string(forward ? "FFT" : "IFFT")));
}

// Transforms x[outer, p, inner] for a prime p.
Instruction* FftExpander::MatrixPass(Instruction* x, bool forward) {
  int64_t outer = x->shape.dim(0), p = x->shape.dim(1);
  Instruction* matrix = graph_.Table(type_, p * p, [&](int64_t i) {
    Complex128 root = Root((i / p) * (i % p), p, forward ? -1 : 1);
    return forward ? root : root / static_cast<double>(p);
  });
  matrix = graph_.Broadcast(graph_.Reshape(matrix, {p, p}), {outer, p, p}, {1, 2});
  hlo::AttrMap attrs;
  attrs.Set(Attr::kLhsBatchDims, hlo::Ints{0});
  attrs.Set(Attr::kRhsBatchDims, hlo::Ints{0});
  attrs.Set(Attr::kLhsContractingDims, hlo::Ints{2});
  attrs.Set(Attr::kRhsContractingDims, hlo::Ints{1});
  return graph_.Add(Opcode::kDot, {matrix, x}, std::move(attrs));
}

// jk = (j² + k² − (k − j)²) / 2 makes the sum a convolution with a chirp, circular at `size`.
Instruction* FftExpander::Chirp(Instruction* x, bool forward) {
  int64_t n = x->shape.dim(1), size = 1;
  while (size < 2 * n - 1) size *= 2;
  auto chirp = [&](int64_t k) { return Root(k * k % (2 * n), 2 * n, forward ? -1 : 1); };
  hlo::Literal kernel(hlo::Shape::Array(ElementType::kC128, {size}));
  for (int64_t k = 0; k < n; ++k) {
    kernel.SetComplex(k, std::conj(chirp(k)));
    kernel.SetComplex((size - k) % size, std::conj(chirp(k)));
  }
  // The transform of the chirp, computed in double.
  Instruction fft{Opcode::kFft, kernel.shape()};
  fft.attrs.Set(Attr::kFftType, std::string("FFT"));
  fft.attrs.Set(Attr::kFftLength, hlo::Ints{size});
  hlo::Evaluator evaluator;
  hlo::Literal transformed = hlo::EvaluateFft(evaluator, fft, {kernel}).value();

  std::vector<int64_t> dims = x->shape.dims();
  auto scaled = [&](Instruction* value, Instruction* table) {
    return graph_.Add(Opcode::kMultiply,
                      {value, graph_.Broadcast(table, value->shape.dims(), {1})});
  };
  Instruction* y = scaled(x, graph_.Table(type_, n, chirp));
  y = graph_.PadTo(y, {dims[0], size, dims[2]});
  y = Transform(y, dims[0], size, dims[2], true);
  y = scaled(y, graph_.Table(type_, size, [&](int64_t k) { return transformed.GetComplex(k); }));
  y = Transform(y, dims[0], size, dims[2], false);
  y = graph_.Slice(y, 1, 0, n);
  return scaled(y, graph_.Table(type_, n, [&](int64_t k) {
    return forward ? chirp(k) : chirp(k) / static_cast<double>(n);
  }));
}

Instruction* FftExpander::Transform(Instruction* x, int64_t outer, int64_t n, int64_t inner,
                                    bool forward) {
  if (library_ && inner == 1 && SuitsLibrary({n})) {
    x = ByLibrary(graph_.Reshape(x, {outer, n}), {n}, forward ? "FFT" : "IFFT");
    return graph_.Reshape(x, {outer, n, 1});
  }
  x = graph_.Reshape(x, {outer, n, inner});
  Split split = SplitLength(n);
  if (split.rest > 1 && (!split.rest_is_prime || split.rest > kMaxMatrix)) return Chirp(x, forward);
  if (split.rest == 1 && LinesPay(outer, n, inner) &&
      FitsFourierLine(device_, n, inner, hlo::StorageBytes(type_))) {
    return graph_.Reshape(Line(x, forward), {outer, n, inner});
  }
  int64_t left = n, stride = inner;
  for (int64_t radix : FourierRadices(split.smooth)) {
    x = Pass(graph_.Reshape(x, {outer, left, stride}), radix, forward);
    left /= radix;
    stride *= radix;
  }
  if (left > 1) x = MatrixPass(graph_.Reshape(x, {outer, left, stride}), forward);
  return graph_.Reshape(x, {outer, n, inner});
}

Instruction* FftExpander::ByLibrary(Instruction* x, const std::vector<int64_t>& lengths,
                                    const char* type) {
  hlo::AttrMap attrs;
  attrs.Set(Attr::kFftType, std::string(type));
  attrs.Set(Attr::kFftLength, hlo::Ints(lengths.begin(), lengths.end()));
  Instruction* y = graph_.Add(Opcode::kUnscaledFft, {x}, std::move(attrs));
  if (std::string(type) != "IFFT") return y;
  double points = 1;
  for (int64_t n : lengths) points *= static_cast<double>(n);
  auto scaled = [&](Instruction* part) {
    return graph_.Add(Opcode::kMultiply, {part, graph_.Splat(part->shape.element_type(), 1 / points,
                                                             part->shape.dims())});
  };
  return graph_.Complex(scaled(graph_.Real(y)), scaled(graph_.Imag(y)));
}

Instruction* FftExpander::TransformAxes(Instruction* x, int64_t first, int64_t last) {
  const std::vector<int64_t> dims = x->shape.dims();
  for (int64_t axis = last - 1; axis >= first; --axis) {
    int64_t outer = 1, inner = 1;
    for (int64_t d = 0; d < axis; ++d) outer *= dims[d];
    for (size_t d = axis + 1; d < dims.size(); ++d) inner *= dims[d];
    x = Transform(x, outer, dims[axis], inner, forward_);
  }
  return graph_.Reshape(x, dims);
}

void FftExpander::Mirror(const Parts& x, Parts* even, Parts* odd) {
  Parts back = {graph_.Reverse(x.re, {1}), graph_.Reverse(x.im, {1})};
  even->re = Half(graph_.Add(Opcode::kAdd, {x.re, back.re}));
  even->im = Half(graph_.Add(Opcode::kSubtract, {x.im, back.im}));
  odd->re = Half(graph_.Add(Opcode::kSubtract, {x.re, back.re}));
  odd->im = Half(graph_.Add(Opcode::kAdd, {x.im, back.im}));
}

Instruction* FftExpander::Rotations(int64_t size, int64_t n, int sign,
                                    const std::vector<int64_t>& dims) {
  int64_t last = static_cast<int64_t>(dims.size()) - 1;
  if (size <= kMaxTable) {
    return graph_.Broadcast(graph_.Table(type_, size, [&](int64_t k) { return Root(k, n, sign); }),
                            dims, {last});
  }
  // Multiplies two small tables.
  int64_t width = 64;
  while (width * width < size) width *= 2;
  int64_t high = (size + width - 1) / width;
  auto table = [&](int64_t entries, int64_t step, int64_t place) {
    Instruction* t =
        graph_.Table(type_, entries, [&](int64_t i) { return Root(i * step, n, sign); });
    return graph_.Broadcast(t, {high, width}, {place});
  };
  Instruction* all = graph_.Add(Opcode::kMultiply, {table(high, width, 0), table(width, 1, 1)});
  return graph_.Broadcast(graph_.Slice(graph_.Reshape(all, {high * width}), 0, 0, size), dims,
                          {last});
}

FftExpander::Parts FftExpander::Multiply(const Parts& a, Instruction* factor) {
  Instruction *re = graph_.Real(factor), *im = graph_.Imag(factor);
  auto product = [&](Instruction* x, Instruction* y) {
    return graph_.Add(Opcode::kMultiply, {x, y});
  };
  return {graph_.Add(Opcode::kSubtract, {product(a.re, re), product(a.im, im)}),
          graph_.Add(Opcode::kAdd, {product(a.re, im), product(a.im, re)})};
}

Instruction* FftExpander::Marked(const Parts& x) {
  auto add = [&](Instruction* a, Instruction* b) { return graph_.Add(Opcode::kAdd, {a, b}); };
  // This is zero or NaN.
  auto difference = [&](Instruction* a) { return graph_.Add(Opcode::kSubtract, {a, a}); };
  Instruction* mark = add(difference(x.re), difference(x.im));
  return graph_.Complex(add(x.re, mark), add(x.im, mark));
}

Instruction* FftExpander::RealForward(Instruction* x) {
  int64_t rows = x->shape.dim(0), n = x->shape.dim(1), h = n / 2;
  if (n % 2 != 0) {
    Instruction* zeros = graph_.Splat(PartType(type_), 0, x->shape.dims());
    Instruction* y = Transform(Marked({x, zeros}), rows, n, 1, true);
    return graph_.Slice(graph_.Reshape(y, {rows, n}), 1, 0, h + 1);
  }
  Instruction* pairs = Marked({graph_.Slice(x, 1, 0, n, 2), graph_.Slice(x, 1, 1, n, 2)});
  Instruction* z = graph_.Reshape(Transform(pairs, rows, h, 1, true), {rows, h});
  // Adds one more element, the first again.
  z = graph_.Concatenate({z, graph_.Slice(z, 1, 0, 1)}, 1);
  Parts even, odd;
  Mirror({graph_.Real(z), graph_.Imag(z)}, &even, &odd);
  // even + (−i·odd)·e^(−2πi·k/n)
  Parts turned = Multiply({odd.im, graph_.Add(Opcode::kNegate, {odd.re})},
                          Rotations(h + 1, n, -1, z->shape.dims()));
  return graph_.Complex(graph_.Add(Opcode::kAdd, {even.re, turned.re}),
                        graph_.Add(Opcode::kAdd, {even.im, turned.im}));
}

Instruction* FftExpander::RealInverse(Instruction* x, int64_t n) {
  int64_t rows = x->shape.dim(0), h = n / 2;
  // The imaginary parts of the first element and, for an even length, of the last one are ignored.
  Instruction* place = graph_.Iota(ElementType::kS32, x->shape.dims(), 1);
  auto at = [&](int64_t k) {
    return graph_.Compare(
        place, graph_.Splat(ElementType::kS32, static_cast<double>(k), x->shape.dims()), "EQ");
  };
  Instruction* ends = n % 2 != 0 ? at(0) : graph_.Add(Opcode::kOr, {at(0), at(h)});
  Instruction* zeros = graph_.Splat(PartType(type_), 0, x->shape.dims());
  x = Marked({graph_.Real(x), graph_.Select(ends, zeros, graph_.Imag(x))});
  if (n % 2 != 0) {
    Instruction* full = x;
    if (h > 0) {
      Instruction* rest = graph_.Reverse(graph_.Slice(x, 1, 1, h + 1), {1});
      full = graph_.Concatenate({x, graph_.Conjugate(rest)}, 1);
    }
    Instruction* y = graph_.Reshape(Transform(full, rows, n, 1, false), {rows, n});
    return graph_.Real(y);
  }
  Parts even, odd;
  Mirror({graph_.Real(x), graph_.Imag(x)}, &even, &odd);
  // even + i·odd·e^(2πi·k/n)
  Parts turned = Multiply(odd, Rotations(h + 1, n, 1, x->shape.dims()));
  Instruction* z = graph_.Complex(graph_.Add(Opcode::kSubtract, {even.re, turned.im}),
                                  graph_.Add(Opcode::kAdd, {even.im, turned.re}));
  Instruction* y =
      graph_.Reshape(Transform(graph_.Slice(z, 1, 0, h), rows, h, 1, false), {rows, h, 1});
  return graph_.Reshape(graph_.Concatenate({graph_.Real(y), graph_.Imag(y)}, 2), {rows, n});
}

Instruction* FftExpander::Run() {
  const Instruction& fft = graph_.source();
  const std::string& type = fft.GetString(Attr::kFftType);
  const std::vector<int64_t>& dims = fft.shape.dims();
  Instruction* x = fft.operands[0];
  int64_t rank = fft.shape.rank();
  int64_t first = rank - static_cast<int64_t>(fft.GetInts(Attr::kFftLength).size());
  if (fft.shape.NumElements() == 0) return graph_.Splat(fft.shape.element_type(), 0, dims);
  const std::vector<int64_t>& from = x->shape.dims();
  const std::vector<int64_t> lengths(from.begin() + first, from.end());
  if (library_ && type != "IRFFT" && SuitsLibrary(lengths)) {
    int64_t batch = 1;
    for (int64_t d = 0; d < first; ++d) batch *= dims[d];
    std::vector<int64_t> joined = {batch};
    joined.insert(joined.end(), lengths.begin(), lengths.end());
    return graph_.Reshape(ByLibrary(graph_.Reshape(x, joined), lengths, type.c_str()), dims);
  }
  if (type == "FFT" || type == "IFFT") {
    return TransformAxes(Marked({graph_.Real(x), graph_.Imag(x)}), first, rank);
  }
  int64_t rows = fft.shape.NumElements() / dims.back();
  if (type == "RFFT") {
    x = RealForward(graph_.Reshape(x, {rows, x->shape.dims().back()}));
    return TransformAxes(graph_.Reshape(x, dims), first, rank - 1);
  }
  if (first < rank - 1) {
    x = TransformAxes(Marked({graph_.Real(x), graph_.Imag(x)}), first, rank - 1);
  }
  x = RealInverse(graph_.Reshape(x, {rows, x->shape.dims().back()}), dims.back());
  return graph_.Reshape(x, dims);
}

}  // namespace

absl::Status ExpandFft(hlo::Module& module, uint32_t libraries, const runtime::DeviceInfo& device) {
  const bool library = (libraries & runtime::kCufft) != 0;
  return RewriteEach(module, [&](Rewriter& rewriter, Instruction* inst) {
    if (inst->opcode == Opcode::kFft)
      rewriter.Replace(inst, FftExpander(&rewriter, inst, library, device).Run());
    return absl::OkStatus();
  });
}

}  // namespace halyard::lowering
