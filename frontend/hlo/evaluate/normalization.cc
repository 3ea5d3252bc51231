// Batch normalisation, in double: the formulas of the specification, feature by feature.
#include <cmath>

#include "frontend/hlo/evaluate/evaluate.h"
#include "frontend/hlo/values/decoded.h"

namespace halyard::hlo {
namespace {

// Element e of the operand has feature (e / inner) % features.
struct Features {
  explicit Features(const Instruction& inst) {
    const Shape& operand = inst.operand(0)->shape;
    const int64_t dim = inst.GetInt(Attr::kFeatureIndex);
    count = operand.dim(dim);
    for (int64_t d = dim + 1; d < operand.rank(); ++d) inner *= operand.dim(d);
    size = operand.NumElements();
    each = count == 0 ? 0 : static_cast<double>(size / count);
    epsilon = static_cast<float>(inst.GetFloat(Attr::kEpsilon));
  }
  int64_t Of(int64_t element) const { return element / inner % count; }
  // Sums for each feature.
  template <typename Term>
  std::vector<double> Sum(Term term) const {
    std::vector<double> sums(count);
    for (int64_t e = 0; e < size; ++e) sums[Of(e)] += term(e, Of(e));
    return sums;
  }
  template <typename Term>
  std::vector<double> Mean(Term term) const {
    std::vector<double> means = Sum(term);
    for (double& mean : means) mean /= each;
    return means;
  }
  template <typename Value>
  std::vector<double> Each(Value value) const {
    std::vector<double> values(size);
    for (int64_t e = 0; e < size; ++e) values[e] = value(e, Of(e));
    return values;
  }

  int64_t count, inner = 1, size;
  double each;  // elements per feature
  double epsilon;
};

std::vector<double> Normalize(const Features& features, const std::vector<double>& x,
                              const std::vector<double>& scale, const std::vector<double>& offset,
                              const std::vector<double>& mean,
                              const std::vector<double>& variance) {
  return features.Each([&](int64_t e, int64_t f) {
    return scale[f] * ((x[e] - mean[f]) / std::sqrt(variance[f] + features.epsilon)) + offset[f];
  });
}

}  // namespace

absl::StatusOr<Literal> EvaluateBatchNormInference(Evaluator&, const Instruction& inst,
                                                   absl::Span<const Literal> operands) {
  return EncodeFloats(inst.shape, Normalize(Features(inst), DecodeFloats(operands[0]),
                                            DecodeFloats(operands[1]), DecodeFloats(operands[2]),
                                            DecodeFloats(operands[3]), DecodeFloats(operands[4])));
}

absl::StatusOr<Literal> EvaluateBatchNormTraining(Evaluator&, const Instruction& inst,
                                                  absl::Span<const Literal> operands) {
  const Features features(inst);
  const std::vector<double> x = DecodeFloats(operands[0]);
  const std::vector<double> mean = features.Mean([&](int64_t e, int64_t) { return x[e]; });
  const std::vector<double> variance =
      features.Mean([&](int64_t e, int64_t f) { return (x[e] - mean[f]) * (x[e] - mean[f]); });
  const std::vector<Shape>& shapes = inst.shape.elements();
  return Literal::Tuple(
      {EncodeFloats(shapes[0], Normalize(features, x, DecodeFloats(operands[1]),
                                         DecodeFloats(operands[2]), mean, variance)),
       EncodeFloats(shapes[1], mean), EncodeFloats(shapes[2], variance)});
}

absl::StatusOr<Literal> EvaluateBatchNormGrad(Evaluator&, const Instruction& inst,
                                              absl::Span<const Literal> operands) {
  const Features features(inst);
  const std::vector<double> x = DecodeFloats(operands[0]), scale = DecodeFloats(operands[1]),
                            mean = DecodeFloats(operands[2]), variance = DecodeFloats(operands[3]),
                            grad = DecodeFloats(operands[4]);
  const std::vector<double> grad_sum = features.Sum([&](int64_t e, int64_t) { return grad[e]; });
  const std::vector<double> centered_sum =
      features.Sum([&](int64_t e, int64_t f) { return grad[e] * (x[e] - mean[f]); });
  const std::vector<double> grad_operand = features.Each([&](int64_t e, int64_t f) {
    const double spread = variance[f] + features.epsilon;
    const double inside =
        grad[e] * features.each - grad_sum[f] - centered_sum[f] * (x[e] - mean[f]) / spread;
    return scale[f] / std::sqrt(spread) / features.each * inside;
  });
  const std::vector<double> grad_scale = features.Sum([&](int64_t e, int64_t f) {
    return grad[e] * ((x[e] - mean[f]) / std::sqrt(variance[f] + features.epsilon));
  });
  const std::vector<Shape>& shapes = inst.shape.elements();
  return Literal::Tuple({EncodeFloats(shapes[0], grad_operand), EncodeFloats(shapes[1], grad_scale),
                         EncodeFloats(shapes[2], grad_sum)});
}

}  // namespace halyard::hlo
