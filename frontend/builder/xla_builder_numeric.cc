// Normalisation, linear algebra, transforms and random numbers.
#include "absl/strings/str_cat.h"
#include "frontend/builder/xla_builder.h"

namespace halyard {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Ints;
using hlo::Opcode;

namespace {

AttrMap Normalisation(float epsilon, int64_t feature_index) {
  AttrMap attrs;
  attrs.Set(Attr::kEpsilon, static_cast<double>(epsilon));
  attrs.Set(Attr::kFeatureIndex, feature_index);
  return attrs;
}

}  // namespace

XlaOp XlaBuilder::BatchNormTraining(XlaOp operand, XlaOp scale, XlaOp offset, float epsilon,
                                    int64_t feature_index) {
  return AddOp(Opcode::kBatchNormTraining, {operand, scale, offset},
               Normalisation(epsilon, feature_index));
}

XlaOp XlaBuilder::BatchNormInference(XlaOp operand, XlaOp scale, XlaOp offset, XlaOp mean,
                                     XlaOp variance, float epsilon, int64_t feature_index) {
  return AddOp(Opcode::kBatchNormInference, {operand, scale, offset, mean, variance},
               Normalisation(epsilon, feature_index));
}

XlaOp XlaBuilder::BatchNormGrad(XlaOp operand, XlaOp scale, XlaOp mean, XlaOp variance,
                                XlaOp grad_output, float epsilon, int64_t feature_index) {
  return AddOp(Opcode::kBatchNormGrad, {operand, scale, mean, variance, grad_output},
               Normalisation(epsilon, feature_index));
}

XlaOp XlaBuilder::Fft(XlaOp operand, FftType fft_type, absl::Span<const int64_t> fft_length) {
  static constexpr const char* kNames[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
  AttrMap attrs;
  attrs.Set(Attr::kFftType, std::string(kNames[static_cast<int>(fft_type)]));
  attrs.Set(Attr::kFftLength, Ints(fft_length.begin(), fft_length.end()));
  return AddOp(Opcode::kFft, {operand}, std::move(attrs));
}

XlaOp XlaBuilder::Cholesky(XlaOp a, bool lower) {
  AttrMap attrs;
  if (lower) attrs.Set(Attr::kLower, true);
  return AddOp(Opcode::kCholesky, {a}, std::move(attrs));
}

XlaOp XlaBuilder::TriangularSolve(XlaOp a, XlaOp b, bool left_side, bool lower, bool unit_diagonal,
                                  TriangularSolveOptions::Transpose transpose_a) {
  static constexpr const char* kNames[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
  AttrMap attrs;
  if (left_side) attrs.Set(Attr::kLeftSide, true);
  if (lower) attrs.Set(Attr::kLower, true);
  if (unit_diagonal) attrs.Set(Attr::kUnitDiagonal, true);
  attrs.Set(Attr::kTransposeA, std::string(kNames[transpose_a]));
  return AddOp(Opcode::kTriangularSolve, {a, b}, std::move(attrs));
}

XlaOp XlaBuilder::AddRng(const char* distribution, XlaOp a, XlaOp b, const Shape& shape) {
  AttrMap attrs;
  attrs.Set(Attr::kDistribution, std::string(distribution));
  return AddOp(Opcode::kRng, {a, b}, std::move(attrs), {}, shape);
}

XlaOp XlaBuilder::RngUniform(XlaOp a, XlaOp b, const Shape& shape) {
  return AddRng("rng_uniform", a, b, shape);
}

XlaOp XlaBuilder::RngNormal(XlaOp mu, XlaOp sigma, const Shape& shape) {
  return AddRng("rng_normal", mu, sigma, shape);
}

XlaOp XlaBuilder::RngBernoulli(XlaOp mean, const Shape& shape) {
  if (!Usable(Opcode::kRng, {mean})) return Invalid();
  if (!ShapeOf(mean).IsScalar() || ShapeOf(mean).element_type() != F32) {
    return Error(Opcode::kRng, absl::StrCat("the mean of a Bernoulli distribution is f32[], not ",
                                            ShapeOf(mean).ToString()));
  }
  if (!shape.IsArray() || shape.element_type() != U32) {
    return Error(Opcode::kRng, absl::StrCat("Bernoulli numbers are u32, not ", shape.ToString()));
  }
  XlaOp uniform =
      RngUniform(ConstantR0<float>(0), ConstantR0<float>(1), shape.WithElementType(F32));
  return ConvertElementType(Lt(uniform, mean), U32);
}

XlaOp XlaBuilder::RngBitGenerator(RandomAlgorithm algorithm, XlaOp initial_state,
                                  const Shape& shape) {
  static constexpr const char* kNames[] = {"rng_default", "rng_three_fry", "rng_philox"};
  if (!Usable(Opcode::kRngBitGenerator, {initial_state})) return Invalid();
  AttrMap attrs;
  attrs.Set(Attr::kAlgorithm, std::string(kNames[static_cast<int>(algorithm)]));
  return AddOp(Opcode::kRngBitGenerator, {initial_state}, std::move(attrs), {},
               Shape::Tuple({ShapeOf(initial_state), shape}));
}

}  // namespace halyard
