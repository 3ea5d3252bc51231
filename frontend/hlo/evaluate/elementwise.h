// EvaluateUnary<F> and EvaluateBinary<F> apply the elementwise ops of scalar_functions.h to whole
// literals.
#ifndef HALYARD_FRONTEND_HLO_EVALUATE_ELEMENTWISE_H_
#define HALYARD_FRONTEND_HLO_EVALUATE_ELEMENTWISE_H_

#include <type_traits>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/values/decoded.h"
#include "frontend/hlo/values/scalar_functions.h"

namespace halyard::hlo {

// Encoders by the type of the function's result. bool is kept as uint64_t, because
// std::vector<bool> is not an array.
inline Literal EncodeValues(const Shape& s, const std::vector<uint64_t>& v) {
  return EncodeInts(s, v);
}
inline Literal EncodeValues(const Shape& s, const std::vector<double>& v) {
  return EncodeFloats(s, v);
}
inline Literal EncodeValues(const Shape& s, const std::vector<Complex128>& v) {
  return EncodeComplexes(s, v);
}

// Returns function(values[i]...) for each i, as a literal of `shape`.
template <typename Function, typename T, typename... Ts>
Literal Elementwise(const Shape& shape, Function function, const std::vector<T>& first,
                    const std::vector<Ts>&... rest) {
  using Result = decltype(function(first[0], rest[0]...));
  using Stored = std::conditional_t<std::is_same_v<Result, bool>, uint64_t, Result>;
  std::vector<Stored> results(first.size());
  for (size_t i = 0; i < results.size(); ++i) results[i] = function(first[i], rest[i]...);
  return EncodeValues(shape, results);
}

// Passes `decode(operand)...` of all operands through F's function for their class.
template <typename F, typename... L>
absl::StatusOr<Literal> ElementwiseByClass(const Instruction& inst, ElementType type,
                                           const L&... operands) {
  const Shape& shape = inst.shape;
  switch (ClassOf(type)) {
    case ElementClass::kFloat:
      if constexpr (requires { F::Float((void(operands), 0.0)...); }) {
        return Elementwise(
            shape, [](auto... x) { return F::Float(x...); }, DecodeFloats(operands)...);
      }
      break;
    case ElementClass::kComplex:
      if constexpr (requires { F::Complex((void(operands), Complex128())...); }) {
        return Elementwise(
            shape, [](auto... x) { return F::Complex(x...); }, DecodeComplexes(operands)...);
      }
      break;
    case ElementClass::kBool:
      if constexpr (requires { F::Bool((void(operands), true)...); }) {
        return Elementwise(
            shape, [](auto... x) { return F::Bool((x != 0)...); }, DecodeInts(operands)...);
      }
      break;
    default:
      if constexpr (requires { F::Int((void(operands), uint64_t{0})..., IntType{}); }) {
        IntType int_type{BitWidth(type), IsSigned(type)};
        return Elementwise(
            shape, [int_type](auto... x) { return F::Int(x..., int_type); },
            DecodeInts(operands)...);
      }
  }
  return absl::InvalidArgumentError(absl::StrCat("the op is not defined on ", HloName(type)));
}

template <typename F>
absl::StatusOr<Literal> EvaluateUnary(Evaluator&, const Instruction& inst,
                                      absl::Span<const Literal> operands) {
  return ElementwiseByClass<F>(inst, operands[0].shape().element_type(), operands[0]);
}

template <typename F>
absl::StatusOr<Literal> EvaluateBinary(Evaluator&, const Instruction& inst,
                                       absl::Span<const Literal> operands) {
  return ElementwiseByClass<F>(inst, operands[0].shape().element_type(), operands[0], operands[1]);
}

// These move the parts of complex numbers, NaNs bit by bit (conversion.cc).
template <>
absl::StatusOr<Literal> EvaluateUnary<scalar::Real>(Evaluator&, const Instruction& inst,
                                                    absl::Span<const Literal> operands);
template <>
absl::StatusOr<Literal> EvaluateUnary<scalar::Imag>(Evaluator&, const Instruction& inst,
                                                    absl::Span<const Literal> operands);
template <>
absl::StatusOr<Literal> EvaluateBinary<scalar::Complex>(Evaluator&, const Instruction& inst,
                                                        absl::Span<const Literal> operands);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_EVALUATE_ELEMENTWISE_H_
