#include "lowering/kernels/reduction/order_body.h"

#include <cmath>
#include <limits>

#include "frontend/hlo/evaluate/batch_body.h"

namespace halyard::lowering {

using hlo::ElementType;
using hlo::Literal;
using hlo::Opcode;

namespace {

// The elements that are tried, three at a time.
constexpr size_t kMaxElements = 40;

bool OnlyOrders(const hlo::Computation& body) {
  for (const auto& inst : body.instructions()) {
    switch (inst->opcode) {
      case Opcode::kParameter:
      case Opcode::kCompare:
      case Opcode::kSelect:
      case Opcode::kAnd:
      case Opcode::kOr:
      case Opcode::kXor:
      case Opcode::kNot:
      case Opcode::kMaximum:
      case Opcode::kMinimum:
      case Opcode::kTuple:
        break;
      default:
        return false;
    }
    // Bitwise ops on integers depend on more than the order of their operands.
    const bool logic = inst->opcode == Opcode::kAnd || inst->opcode == Opcode::kOr ||
                       inst->opcode == Opcode::kXor || inst->opcode == Opcode::kNot;
    if (logic && inst->shape.element_type() != ElementType::kPred) return false;
  }
  return true;
}

// Three elements that differ in order, and those that compare in special ways.
std::vector<double> Samples(ElementType type) {
  if (type == ElementType::kPred) return {0, 1};
  if (!hlo::IsFloat(type)) return {0, 1, 2};
  const double inf = std::numeric_limits<double>::infinity();
  return {-inf, -1, -0.0, 0, 1, inf, std::nan(""), -std::nan("")};
}

// Element-wise all combinations of the parameters' samples: [parameter][element].
std::vector<std::vector<double>> Elements(const std::vector<ElementType>& types) {
  std::vector<std::vector<double>> elements(types.size());
  size_t count = 1;
  for (size_t p = 0; p < types.size(); ++p) {
    const std::vector<double> samples = Samples(types[p]);
    if (count * samples.size() > kMaxElements) return {};
    std::vector<std::vector<double>> next(types.size());
    for (size_t i = 0; i < count; ++i) {
      for (double sample : samples) {
        for (size_t q = 0; q < p; ++q) next[q].push_back(elements[q][i]);
        next[p].push_back(sample);
      }
    }
    elements = std::move(next);
    count *= samples.size();
  }
  return elements;
}

}  // namespace

bool IsAssociativeOrder(const hlo::Computation& body) {
  if (!OnlyOrders(body)) return false;
  const size_t n = body.num_parameters() / 2;
  std::vector<ElementType> types;
  for (size_t p = 0; p < n; ++p) {
    const ElementType type = body.parameters()[p]->shape.element_type();
    if (hlo::IsComplex(type) || body.parameters()[n + p]->shape.element_type() != type)
      return false;
    types.push_back(type);
  }
  const std::vector<std::vector<double>> elements = Elements(types);
  if (elements.empty() || n == 0) return false;
  const int64_t count = static_cast<int64_t>(elements[0].size()), all = count * count * count;
  using Arrays = std::vector<Literal>;
  auto arrays = [&](int64_t divisor) {
    Arrays result;
    for (size_t p = 0; p < n; ++p) {
      Literal literal(hlo::Shape::Array(types[p], {all}));
      for (int64_t i = 0; i < all; ++i) {
        const double value = elements[p][i / divisor % count];
        if (hlo::IsFloat(types[p])) {
          literal.SetFloat(i, value);
        } else {
          literal.SetInt(i, static_cast<int64_t>(value));
        }
      }
      result.push_back(std::move(literal));
    }
    return result;
  };
  const Arrays a = arrays(1), b = arrays(count), c = arrays(count * count);
  hlo::Evaluator evaluator;
  hlo::BatchBody batch(&evaluator, body);
  bool fine = true;
  auto apply = [&](Arrays x, const Arrays& y) {
    x.insert(x.end(), y.begin(), y.end());
    absl::StatusOr<Arrays> result = batch.Run(x, all);
    fine = fine && result.ok() && result->size() == n;
    return fine ? *std::move(result) : Arrays(x.begin(), x.begin() + static_cast<int64_t>(n));
  };
  const Arrays left = apply(apply(a, b), c), right = apply(a, apply(b, c));
  for (size_t p = 0; fine && p < n; ++p) fine = left[p].bytes() == right[p].bytes();
  return fine;
}

}  // namespace halyard::lowering
