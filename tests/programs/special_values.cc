#include "tests/programs/special_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "absl/strings/str_cat.h"

namespace halyard::testing {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Opcode;

bool HasFloats(const Literal& literal) {
  return literal.shape().IsArray() && (hlo::IsFloat(literal.shape().element_type()) ||
                                       hlo::IsComplex(literal.shape().element_type()));
}

// Returns whether the program adds or multiplies many elements in an order that is free.
bool SumsInSomeOrder(const hlo::Module& module) {
  for (const auto& computation : module.computations()) {
    for (const auto& inst : computation->instructions()) {
      switch (inst->opcode) {
        case Opcode::kDot:
        case Opcode::kConvolution:
        case Opcode::kReduce:
        case Opcode::kReduceWindow:
        case Opcode::kSelectAndScatter:
        case Opcode::kScatter:
        case Opcode::kFft:
        case Opcode::kCholesky:
        case Opcode::kTriangularSolve:
        case Opcode::kBatchNormInference:
        case Opcode::kBatchNormTraining:
        case Opcode::kBatchNormGrad:
          return true;
        default:
          break;
      }
    }
  }
  return false;
}

// Returns numbers that stand for everything that is special about a type.
std::vector<double> SpecialsOf(ElementType type, bool ends, bool denormals) {
  const hlo::FloatFormat format = hlo::FormatOf(type);
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> values = {nan, infinity, -infinity, 0.0, -0.0, -nan, 1.0, -1.0};
  // The largest number that is still finite when it is rounded to the type.
  double largest = std::numeric_limits<double>::max();
  if (type != ElementType::kF64) {
    largest = std::ldexp(1.0, 1 << format.exponent_bits);
    const auto finite = [&](double x) {
      return std::isfinite(x) && hlo::DecodeFloat(type, hlo::EncodeFloat(type, x)) == x;
    };
    for (int e = 1 << format.exponent_bits; !finite(largest) && e > 0; --e) {
      largest = std::ldexp(2.0 - std::ldexp(1.0, -format.mantissa_bits), e - 1);
    }
  }
  const double smallest = std::ldexp(1.0, 1 - format.bias);  // the smallest normal number
  if (ends) {
    values.insert(values.end(), {largest, -largest, smallest, -smallest, largest / 2});
  } else {
    const double large = std::ldexp(1.0, static_cast<int>(std::log2(largest) / 2) - 8);
    if (large > 1) values.insert(values.end(), {large, -large, 1 / large});
  }
  if (denormals && format.has_zero) {
    const double least = std::ldexp(smallest, -format.mantissa_bits);
    values.insert(values.end(), {least, -least, smallest - least});
  }
  return values;
}

class Injector {
 public:
  Injector(bool ends, const SpecialOptions& options) : ends_(ends), options_(options) {}

  // Makes `share` of each 12 elements special.
  Literal Of(const Literal& literal, uint32_t share) {
    Literal result = literal;
    const ElementType type = literal.shape().element_type();
    const ElementType part = hlo::PartType(type);
    const bool denormals = options_.denormals || part != ElementType::kF32;
    const std::vector<double> specials = SpecialsOf(part, ends_, denormals);
    const auto draw = [&] { return specials[random_() % specials.size()]; };
    for (int64_t i = 0; i < literal.shape().NumElements(); ++i) {
      if (random_() % 12 >= share) continue;
      if (!hlo::IsComplex(type)) {
        result.SetFloat(i, draw());
        continue;
      }
      std::complex<double> value = literal.GetComplex(i);
      const uint32_t which = random_() % 3;
      if (which != 0) value.real(draw());
      if (which != 1) value.imag(draw());
      result.SetComplex(i, value);
    }
    return result;
  }

  void Seed(uint32_t seed) { random_.seed(seed); }

 private:
  const bool ends_;
  const SpecialOptions options_;
  std::mt19937 random_;
};

}  // namespace

std::vector<SpecialArguments> WithSpecialValues(const hlo::Module& module,
                                                const std::vector<Literal>& arguments,
                                                const SpecialOptions& options) {
  std::vector<size_t> floats;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (HasFloats(arguments[i])) floats.push_back(i);
  }
  std::vector<SpecialArguments> made;
  if (floats.empty()) return made;
  Injector injector(!SumsInSomeOrder(module), options);
  const auto add = [&](std::string what, const std::vector<size_t>& places, uint32_t share) {
    injector.Seed(options.seed * 1000 + static_cast<uint32_t>(made.size()));
    SpecialArguments& all = made.emplace_back(SpecialArguments{std::move(what), arguments});
    for (size_t place : places) all.arguments[place] = injector.Of(arguments[place], share);
  };
  add("every element", floats, 12);
  add("a third of the elements", floats, 4);
  add("one in twelve", floats, 1);
  // If there are few arguments, each is made special alone; if there are many, three of them are
  // enough.
  for (size_t i = 0; floats.size() > 1 && i < std::min<size_t>(floats.size(), 3); ++i) {
    add(absl::StrCat("argument ", floats[i]), {floats[i]}, 6);
  }
  return made;
}

}  // namespace halyard::testing
