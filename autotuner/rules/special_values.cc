#include "autotuner/rules/special_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "autotuner/rules/terms.h"
#include "lowering/kernels/attention/form.h"
#include "lowering/kernels/attention/mask.h"
#include "lowering/kernels/contraction/packed_factor.h"

namespace halyard::autotuner {

using hlo::ElementType;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;

namespace {

constexpr int64_t kLeastElements = 8;

double Bit(ElementType type, int exponent) {
  return std::ldexp(
      1.0, std::max(exponent, 1 - hlo::FormatOf(type).bias - hlo::FormatOf(type).mantissa_bits));
}

// Returns a large number whose sums and products with ordinary numbers neither overflow nor cancel.
double LargeOf(ElementType type) { return std::ldexp(1.0, hlo::FormatOf(type).bias * 2 / 5); }

std::vector<double> ValuesOf(const Specials& specials, ElementType type) {
  const hlo::FloatFormat format = hlo::FormatOf(type);
  std::vector<double> values = {-0.0};
  if (specials.not_finite) {
    if (format.nan != hlo::FloatFormat::Nan::kNone) values.push_back(std::nan(""));
    if (format.has_infinity) {
      values.push_back(std::numeric_limits<double>::infinity());
      values.push_back(-std::numeric_limits<double>::infinity());
    }
  }
  const int least = 1 - format.bias;  // exponent of the smallest normal number
  if (specials.denormals && format.has_zero) {
    values.push_back(Bit(type, least - format.mantissa_bits));
    values.push_back(-Bit(type, least - 1));
  }
  if (specials.extremes) {
    const double above = std::ldexp(1.0, format.bias);
    values.push_back(above);  // about half of the type's largest
    values.push_back(-above);
    if (specials.denormals) values.push_back(Bit(type, least));
  }
  return values;
}

void AddToFloats(const Specials& specials, bool large, std::mt19937_64* random, Literal* literal) {
  const ElementType type = literal->shape().element_type(), part = hlo::PartType(type);
  std::vector<double> values = ValuesOf(specials, part);
  const int64_t count = literal->shape().NumElements();
  const int64_t most = std::clamp<int64_t>(count / 64, 2, 24);
  // A small array has no room for all values. Which ones it gets changes from array to array.
  std::shuffle(values.begin(), values.end(), *random);
  auto place = [&] { return static_cast<int64_t>((*random)() % static_cast<uint64_t>(count)); };
  auto set = [&](double value) {
    const int64_t i = place();
    if (type == part) return literal->SetFloat(i, value);
    const std::complex<double> old = literal->GetComplex(i);
    literal->SetComplex(i, (*random)() % 2 != 0 ? std::complex<double>(value, old.imag())
                                                : std::complex<double>(old.real(), value));
  };
  for (int64_t i = 0; i < most; ++i) set(values[static_cast<size_t>(i) % values.size()]);
  if (large && specials.one_large && hlo::BitWidth(part) >= 16) set(LargeOf(part));
}

void AddToIntegers(std::mt19937_64* random, Literal* literal) {
  const ElementType type = literal->shape().element_type();
  const int bits = hlo::BitWidth(type);
  const int64_t top = static_cast<int64_t>(uint64_t{1} << (bits - 1));
  const int64_t count = literal->shape().NumElements();
  for (int64_t value :
       {top, static_cast<int64_t>(static_cast<uint64_t>(top) - 1), int64_t{-1}, int64_t{0}}) {
    literal->SetInt(static_cast<int64_t>((*random)() % static_cast<uint64_t>(count)), value);
  }
}

bool HasConvolution(const hlo::Module& module) {
  for (const auto& computation : module.computations()) {
    for (const auto& inst : computation->instructions()) {
      if (inst->opcode == Opcode::kConvolution) return true;
    }
  }
  return false;
}

// Returns whether integers or PRED are computed from a convolution's result. If that is NaN instead
// of a number, they and what they select may be anything.
bool DecidesByConvolutions(const hlo::Module& module) {
  if (!HasConvolution(module)) return false;
  for (const auto& computation : module.computations()) {
    std::set<const Instruction*> behind;
    for (const auto& inst : computation->instructions()) {
      bool depends = inst->opcode == Opcode::kConvolution;
      // The arguments of a computation may come from a convolution.
      depends |= inst->opcode == Opcode::kParameter && computation.get() != module.entry();
      for (const Instruction* operand : inst->operands) {
        if (behind.count(operand) == 0) continue;
        depends = true;
        if (IsFloating(operand->shape) && inst->shape.IsArray() && !IsFloating(inst->shape))
          return true;
      }
      if (depends) behind.insert(inst.get());
    }
  }
  return false;
}

// Returns whether more is computed from the result of an attention. The attention may give NaN for
// an infinity, and the reverse, so what is computed from it may then be anything.
bool ComputesWithAttention(const hlo::Module& module) {
  if (lowering::AttentionOfKernel(*module.entry()).has_value()) return false;
  for (const auto& computation : module.computations()) {
    for (const auto& inst : computation->instructions()) {
      if (inst->opcode == Opcode::kDot && lowering::FindAttention(*inst).has_value()) return true;
    }
  }
  return false;
}

// Returns whether there is attention that does not read what a mask hides (docs/numerics.md), so
// that NaN there has no effect.
bool LeavesKeysOut(const hlo::Module& module, const runtime::DeviceInfo& device) {
  if (device.kind != runtime::DeviceKind::kCuda) return false;
  if (const auto form = lowering::AttentionOfKernel(*module.entry()); form.has_value())
    return lowering::MaskHidesKeys(*form);
  for (const auto& computation : module.computations()) {
    for (const auto& inst : computation->instructions()) {
      if (inst->opcode != Opcode::kDot) continue;
      const std::optional<lowering::AttentionForm> form = lowering::FindAttention(*inst);
      if (form.has_value() && lowering::MaskHidesKeys(*form)) return true;
    }
  }
  return false;
}

// Only some targets follow a dot's algorithm. Those that do may turn denormal factors into zeros
// and, for f16, large factors into infinities.
void LimitForAlgorithm(const Instruction& dot, bool* large, Specials* specials) {
  const FactorRounding rounding = FactorRoundingOf(dot);
  if (rounding != FactorRounding::kNone) specials->denormals = false;
  if (rounding == FactorRounding::kF16) *large = false;
}

// Returns whether an x86 CPU may compute the product by vdpbf16ps, which treats denormals as zeros.
bool MultipliesBf16(const Instruction& product, const runtime::DeviceInfo& device) {
  if (!lowering::MultipliesWords(device)) return false;
  return std::any_of(product.operands.begin(), product.operands.end(), [](const Instruction* f) {
    while (f->shape.IsArray() && f->shape.element_type() != ElementType::kBF16 &&
           f->operands.size() == 1) {
      f = f->operand(0);  // through conversions and ops that move elements
    }
    return f->shape.IsArray() && f->shape.element_type() == ElementType::kBF16;
  });
}

}  // namespace

Specials SpecialsFor(const hlo::Module& module, const runtime::DeviceInfo& device) {
  Specials specials;
  specials.denormals = device.keeps_denormals;
  if (DecidesByConvolutions(module) || ComputesWithAttention(module) ||
      LeavesKeysOut(module, device))
    specials.not_finite = false;
  bool large = true;
  for (const auto& computation : module.computations()) {
    for (const auto& inst : computation->instructions()) {
      switch (inst->opcode) {
        case Opcode::kFft:
        case Opcode::kFftPass:
        case Opcode::kUnscaledFft:
        case Opcode::kCholesky:
        case Opcode::kCholeskyBlock:
        case Opcode::kTriangularSolve:
        case Opcode::kTriangularBlock:
          specials.not_finite = specials.extremes = specials.signed_zeros = false;
          break;
        case Opcode::kConvolution:
          specials.nan_for_number = true;
          specials.extremes = specials.signed_zeros = false;
          break;
        case Opcode::kDot:
          // Tensor cores add zeros to the sum, even if it is a single product.
          specials.signed_zeros = false;
          LimitForAlgorithm(*inst, &large, &specials);
          break;
        case Opcode::kCountingPass:
        case Opcode::kSortPass:
          specials.integers = false;
          break;
        default:
          break;
      }
      const bool product = inst->opcode == Opcode::kDot || inst->opcode == Opcode::kConvolution;
      if (product && MultipliesBf16(*inst, device)) specials.denormals = false;
      if (device.kind == runtime::DeviceKind::kCuda && MultipliesEightBitFloats(*inst))
        specials.short_sums = true;
      if (!IsFloating(inst->shape)) continue;
      if (TermsOf(*inst) > 1) {
        if (specials.extremes) specials.one_large = true;
        specials.signed_zeros = false;
      }
      // Complex operations may be done in another order, and functions are inexact, so zeros may
      // differ in sign.
      if (hlo::IsComplex(inst->shape.element_type()) || IsInexact(inst->opcode))
        specials.signed_zeros = false;
    }
  }
  if (specials.nan_for_number || !specials.extremes) specials.one_large = false;
  if (specials.one_large) specials.extremes = false;
  specials.one_large = specials.one_large && large;
  return specials;
}

void AddSpecials(const Specials& specials, bool large, std::mt19937_64* random, Literal* literal) {
  const hlo::Shape& shape = literal->shape();
  if (shape.NumElements() < kLeastElements || shape.element_type() == ElementType::kPred) return;
  if (IsFloating(shape)) {
    AddToFloats(specials, large, random, literal);
  } else if (specials.integers) {
    AddToIntegers(random, literal);
  }
}

}  // namespace halyard::autotuner
