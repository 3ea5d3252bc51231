// compare, select, clamp.
#include "frontend/hlo/evaluate/elementwise.h"
#include "frontend/hlo/evaluate/evaluate.h"
#include "frontend/hlo/ir/sort_order.h"

namespace halyard::hlo {
namespace {

// By direction, from "equal" and "less" alone: NE is not EQ, but GE is not "not LT" when there are
// NaNs.
template <typename T, typename Equal, typename Less>
std::vector<uint64_t> CompareAll(const std::vector<T>& a, const std::vector<T>& b,
                                 const std::string& direction, Equal equal, Less less) {
  std::vector<uint64_t> results(a.size());
  auto fill = [&](auto holds) {
    for (size_t i = 0; i < results.size(); ++i) results[i] = holds(a[i], b[i]);
  };
  if (direction == "EQ") fill([&](T x, T y) { return equal(x, y); });
  if (direction == "NE") fill([&](T x, T y) { return !equal(x, y); });
  if (direction == "LT") fill([&](T x, T y) { return less(x, y); });
  if (direction == "GT") fill([&](T x, T y) { return less(y, x); });
  if (direction == "LE") fill([&](T x, T y) { return less(x, y) || equal(x, y); });
  if (direction == "GE") fill([&](T x, T y) { return less(y, x) || equal(x, y); });
  return results;
}

}  // namespace

absl::StatusOr<Literal> EvaluateCompare(Evaluator&, const Instruction& inst,
                                        absl::Span<const Literal> operands) {
  const std::string& direction = inst.GetString(Attr::kDirection);
  const Literal& a = operands[0];
  const Literal& b = operands[1];
  ElementType type = a.shape().element_type();
  auto run = [&](const auto& x, const auto& y) {
    return CompareAll(
        x, y, direction, [](auto p, auto q) { return p == q; },
        [](auto p, auto q) { return p < q; });
  };
  std::vector<uint64_t> results;
  if (IsComplex(type)) {
    results = CompareAll(
        DecodeComplexes(a), DecodeComplexes(b), direction, [](auto p, auto q) { return p == q; },
        [](Complex128 p, Complex128 q) { return scalar::Less(p, q); });
  } else if (IsFloat(type) && inst.GetString(Attr::kType) == "TOTALORDER") {
    results = run(OrderedBits(a, /*total_order=*/true), OrderedBits(b, /*total_order=*/true));
  } else if (IsFloat(type)) {
    results = run(DecodeFloats(a), DecodeFloats(b));
  } else if (IsSigned(type)) {
    std::vector<uint64_t> x = DecodeInts(a), y = DecodeInts(b);
    results =
        run(std::vector<int64_t>(x.begin(), x.end()), std::vector<int64_t>(y.begin(), y.end()));
  } else {
    results = run(DecodeInts(a), DecodeInts(b));
  }
  return EncodeInts(inst.shape, results);
}

absl::StatusOr<Literal> EvaluateSelect(Evaluator&, const Instruction& inst,
                                       absl::Span<const Literal> operands) {
  const Literal& pred = operands[0];
  if (pred.shape().rank() == 0) return operands[pred.GetInt(0) ? 1 : 2];
  Literal result = operands[1];
  size_t width = StorageBytes(result.shape().element_type());
  absl::Span<std::byte> out = result.mutable_bytes();
  absl::Span<const std::byte> on_false = operands[2].bytes();
  absl::Span<const std::byte> flags = pred.bytes();
  for (size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] == std::byte{0}) {
      std::copy_n(on_false.data() + i * width, width, out.data() + i * width);
    }
  }
  return result;
}

namespace {

struct ClampFunction {
  static double Float(double lo, double x, double hi) {
    return scalar::Minimum::Float(scalar::Maximum::Float(x, lo), hi);
  }
  static Complex128 Complex(Complex128 lo, Complex128 x, Complex128 hi) {
    return scalar::Minimum::Complex(scalar::Maximum::Complex(x, lo), hi);
  }
  static uint64_t Int(uint64_t lo, uint64_t x, uint64_t hi, IntType t) {
    return scalar::Minimum::Int(scalar::Maximum::Int(x, lo, t), hi, t);
  }
  static bool Bool(bool lo, bool x, bool hi) { return (x || lo) && hi; }
};

}  // namespace

absl::StatusOr<Literal> EvaluateClamp(Evaluator&, const Instruction& inst,
                                      absl::Span<const Literal> operands) {
  const Literal& x = operands[1];
  auto bound = [&](const Literal& literal) {
    return literal.shape().rank() == 0 ? Literal::Splat(x.shape(), literal) : literal;
  };
  return ElementwiseByClass<ClampFunction>(inst, x.shape().element_type(), bound(operands[0]), x,
                                           bound(operands[2]));
}

}  // namespace halyard::hlo
