// dot and convolution, on raw values decoded once: f64 for floats, wrapping 64 bits for integers,
// AND/OR for PRED.
#include <Eigen/Core>

#include "frontend/hlo/evaluate/evaluate.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/values/complex_functions.h"
#include "frontend/hlo/values/decoded.h"
#include "frontend/hlo/values/strided.h"

namespace halyard::hlo {
namespace {

// Multiplies complex numbers by the formula alone; the operator of the language also looks for
// infinities.
template <typename T>
T Times(T a, T b) {
  return a * b;
}
Complex128 Times(Complex128 a, Complex128 b) { return complex_functions::Multiply(a, b); }

template <typename T>
using Matrix = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
template <typename T>
using MutableMatrix = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

// sums [m, n] = x [m, k] · y [k, n]; sums are zeros before.
template <typename T>
void Multiply(const T* x, const T* y, int64_t m, int64_t k, int64_t n, T* sums) {
  MutableMatrix<T>(sums, m, n).noalias() = Matrix<T>(x, m, k) * Matrix<T>(y, k, n);
}
// Eigen multiplies complex sums by a complex 1, which turns infinities into NaN.
void Multiply(const Complex128* x, const Complex128* y, int64_t m, int64_t k, int64_t n,
              Complex128* sums) {
  for (int64_t r = 0; r < m; ++r) {
    for (int64_t t = 0; t < k; ++t) {
      for (int64_t c = 0; c < n; ++c) sums[r * n + c] += Times(x[r * k + t], y[t * n + c]);
    }
  }
}

// Calls run(decode) with the decoder of the operands' class.
template <typename Run>
Literal ByClass(ElementType type, Run run) {
  switch (ClassOf(type)) {
    case ElementClass::kFloat:
      return run(DecodeFloats);
    case ElementClass::kComplex:
      return run(DecodeComplexes);
    default:
      return run(DecodeInts);
  }
}

// Converts the sums to the type of the result, whose class may differ from that of the operands.
Literal EncodeSums(const Shape& shape, ElementType, const std::vector<double>& sums) {
  if (IsFloat(shape.element_type())) return EncodeFloats(shape, sums);
  Literal wide = EncodeFloats(shape.WithElementType(ElementType::kF64), sums);
  return ConvertLiteral(wide, shape.element_type());
}
Literal EncodeSums(const Shape& shape, ElementType, const std::vector<Complex128>& sums) {
  return EncodeComplexes(shape, sums);
}
Literal EncodeSums(const Shape& shape, ElementType operand_type,
                   const std::vector<uint64_t>& sums) {
  // A sum of products of booleans is nonzero where the OR of ANDs is true.
  if (IsInteger(shape.element_type()) || shape.element_type() == ElementType::kPred) {
    return EncodeInts(shape, sums);
  }
  ElementType wide = IsSigned(operand_type) ? ElementType::kS64 : ElementType::kU64;
  return ConvertLiteral(EncodeInts(shape.WithElementType(wide), sums), shape.element_type());
}

// Returns `literal` with its dimensions in the order of the three lists, one list after the other.
Literal Arranged(const Literal& literal, const Ints& first, const Ints& second, const Ints& third) {
  Ints order = first;
  order.insert(order.end(), second.begin(), second.end());
  order.insert(order.end(), third.begin(), third.end());
  return TransposeLiteral(literal, order);
}

Ints FreeDims(int64_t rank, const Ints& batch, const Ints& contracting) {
  Ints dims;
  for (int64_t d = 0; d < rank; ++d) {
    if (!Contains(batch, d) && !Contains(contracting, d)) dims.push_back(d);
  }
  return dims;
}

int64_t Product(const Shape& shape, const Ints& dims) {
  int64_t product = 1;
  for (int64_t d : dims) product *= shape.dim(d);
  return product;
}

}  // namespace

absl::StatusOr<Literal> EvaluateDot(Evaluator&, const Instruction& inst,
                                    absl::Span<const Literal> operands) {
  const Shape& lhs = operands[0].shape();
  const Shape& rhs = operands[1].shape();
  const Ints& lhs_batch = inst.GetInts(Attr::kLhsBatchDims);
  const Ints& rhs_batch = inst.GetInts(Attr::kRhsBatchDims);
  const Ints& lhs_contracting = inst.GetInts(Attr::kLhsContractingDims);
  const Ints& rhs_contracting = inst.GetInts(Attr::kRhsContractingDims);
  Ints lhs_free = FreeDims(lhs.rank(), lhs_batch, lhs_contracting);
  Ints rhs_free = FreeDims(rhs.rank(), rhs_batch, rhs_contracting);
  int64_t batches = Product(lhs, lhs_batch), k = Product(lhs, lhs_contracting);
  int64_t m = Product(lhs, lhs_free), n = Product(rhs, rhs_free);
  // [batch, m, k] × [batch, k, n]
  Literal a = Arranged(operands[0], lhs_batch, lhs_free, lhs_contracting);
  Literal b = Arranged(operands[1], rhs_batch, rhs_contracting, rhs_free);
  return ByClass(lhs.element_type(), [&](auto decode) {
    auto x = decode(a);
    auto y = decode(b);
    using T = typename decltype(x)::value_type;
    std::vector<T> sums(batches * m * n);
    for (int64_t i = 0; i < batches; ++i) {
      if (m == 0 || n == 0 || k == 0) break;
      if (lhs_contracting.empty()) {  // products, not sums from 0: -0 stays
        for (int64_t r = 0; r < m; ++r) {
          for (int64_t c = 0; c < n; ++c)
            sums[(i * m + r) * n + c] = Times(x[i * m + r], y[i * n + c]);
        }
        continue;
      }
      Multiply(x.data() + i * m * k, y.data() + i * k * n, m, k, n, sums.data() + i * m * n);
    }
    return EncodeSums(inst.shape, lhs.element_type(), sums);
  });
}

namespace {

// For one spatial dimension: input position of output `o` and kernel tap `k`, or -1 if there is
// none.
int64_t InputPosition(const WindowDim& w, int64_t input_size, int64_t o, int64_t k) {
  int64_t tap = w.reversal ? w.size - 1 - k : k;
  int64_t dilated = o * w.stride + tap * w.window_dilation - w.pad_low;
  if (dilated < 0 || dilated % w.base_dilation != 0) return -1;
  int64_t position = dilated / w.base_dilation;
  return position < input_size ? position : -1;
}

// Steps to the next index of `dims` in row-major order. Returns false after the last one.
bool Next(const Ints& dims, Ints* index) {
  for (int64_t d = static_cast<int64_t>(dims.size()) - 1; d >= 0; --d) {
    if (++(*index)[d] < dims[d]) return true;
    (*index)[d] = 0;
  }
  return false;
}

// A convolution with its arrays brought to fixed orders: input [batch, spatial…, feature], kernel
// [spatial…, output feature, input feature], result [batch, spatial…, feature].
struct ConvPlan {
  Ints in, kernel, out;  // spatial sizes
  int64_t in_batch, in_features, out_batch, out_features, kernel_in;
  int64_t feature_groups, batch_groups;
  bool multiply_padding;  // see Evaluator
  const Window* window;

  // acc[out_features] += the products at one output place of one batch entry.
  template <typename T>
  void Accumulate(const std::vector<T>& x, const std::vector<T>& weights, int64_t batch,
                  const Ints& place, T* acc) const {
    Ints tap(kernel.size(), 0);
    int64_t tap_number = 0;
    do {
      int64_t row = 0;
      bool inside = true;
      for (size_t d = 0; d < in.size() && inside; ++d) {
        int64_t p = InputPosition(window->dims[d], in[d], place[d], tap[d]);
        inside = p >= 0;
        row = row * in[d] + p;
      }
      if (inside) {
        AccumulateTap(x, weights, batch, row, tap_number, acc);
      } else if (multiply_padding) {
        AccumulateZeros(weights, tap_number, acc);
      }
      ++tap_number;
    } while (Next(kernel, &tap));
  }

  // Padding and holes count as ordinary zeros: their product with NaN or infinity is NaN.
  template <typename T>
  void AccumulateZeros(const std::vector<T>& weights, int64_t tap, T* acc) const {
    const T* ws = weights.data() + tap * out_features * kernel_in;
    for (int64_t o = 0; o < out_features; ++o) {
      for (int64_t i = 0; i < kernel_in; ++i) acc[o] += Times(T(), *ws++);
    }
  }

  template <typename T>
  void AccumulateTap(const std::vector<T>& x, const std::vector<T>& weights, int64_t batch,
                     int64_t row, int64_t tap, T* acc) const {
    int64_t spatial = 1;
    for (int64_t d : in) spatial *= d;
    for (int64_t o = 0; o < out_features; ++o) {
      // A feature group has its own slice of the input features, and a batch group its own slice of
      // the batch.
      int64_t feature = o / (out_features / feature_groups) * kernel_in;
      int64_t entry = batch + o / (out_features / batch_groups) * out_batch;
      const T* xs = x.data() + (entry * spatial + row) * in_features + feature;
      const T* ws = weights.data() + (tap * out_features + o) * kernel_in;
      T sum = T();
      for (int64_t i = 0; i < kernel_in; ++i) sum += Times(xs[i], ws[i]);
      acc[o] += sum;
    }
  }
};

ConvPlan MakePlan(const Instruction& inst, const Shape& lhs, const Shape& rhs) {
  const ConvDims& d = inst.GetConvDims();
  ConvPlan plan;
  for (int64_t i : d.input_spatial) plan.in.push_back(lhs.dim(i));
  for (int64_t i : d.kernel_spatial) plan.kernel.push_back(rhs.dim(i));
  for (int64_t i : d.output_spatial) plan.out.push_back(inst.shape.dim(i));
  plan.in_batch = lhs.dim(d.input_batch);
  plan.in_features = lhs.dim(d.input_feature);
  plan.out_batch = inst.shape.dim(d.output_batch);
  plan.out_features = rhs.dim(d.kernel_output_feature);
  plan.kernel_in = rhs.dim(d.kernel_input_feature);
  plan.feature_groups = inst.GetInt(Attr::kFeatureGroupCount, 1);
  plan.batch_groups = inst.GetInt(Attr::kBatchGroupCount, 1);
  plan.window = &inst.GetWindow();
  return plan;
}

}  // namespace

absl::StatusOr<Literal> EvaluateConvolution(Evaluator& evaluator, const Instruction& inst,
                                            absl::Span<const Literal> operands) {
  const ConvDims& d = inst.GetConvDims();
  const Shape& lhs = operands[0].shape();
  const Shape& rhs = operands[1].shape();
  ConvPlan plan = MakePlan(inst, lhs, rhs);
  plan.multiply_padding = evaluator.multiply_padding;
  Literal input = Arranged(operands[0], {d.input_batch}, d.input_spatial, {d.input_feature});
  Literal kernel =
      Arranged(operands[1], d.kernel_spatial, {d.kernel_output_feature}, {d.kernel_input_feature});
  // Where each dimension of the plain result goes.
  Ints out_order = {d.output_batch};
  out_order.insert(out_order.end(), d.output_spatial.begin(), d.output_spatial.end());
  out_order.push_back(d.output_feature);
  Ints out_dims, inverse(out_order.size());
  for (size_t i = 0; i < out_order.size(); ++i) {
    out_dims.push_back(inst.shape.dim(out_order[i]));
    inverse[out_order[i]] = static_cast<int64_t>(i);
  }
  Shape plain = inst.shape.WithDims(std::move(out_dims));
  Literal result = ByClass(lhs.element_type(), [&](auto decode) {
    auto x = decode(input);
    auto weights = decode(kernel);
    using T = typename decltype(x)::value_type;
    std::vector<T> sums(plain.NumElements(), T());
    // No taps, or nothing to write: all zeros.
    if (sums.empty() || weights.empty()) return EncodeSums(plain, lhs.element_type(), sums);
    T* acc = sums.data();
    for (int64_t batch = 0; batch < plan.out_batch; ++batch) {
      Ints place(plan.out.size(), 0);
      do {
        plan.Accumulate(x, weights, batch, place, acc);
        acc += plan.out_features;
      } while (Next(plan.out, &place));
    }
    return EncodeSums(plain, lhs.element_type(), sums);
  });
  return TransposeLiteral(result, inverse);
}

}  // namespace halyard::hlo
