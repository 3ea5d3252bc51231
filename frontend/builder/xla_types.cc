#include "frontend/builder/xla_types.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "frontend/hlo/infer/infer.h"

namespace halyard {
namespace {

Literal FromDouble(PrimitiveType type, double value) {
  return Literal::FromValues<double>(type, {}, {value});
}

// The largest finite value, for types that have no infinity.
Literal Extreme(PrimitiveType type, bool largest) {
  Literal literal(Shape::Scalar(type));
  int bits = hlo::BitWidth(type);
  if (hlo::IsComplex(type)) {
    double value = largest ? HUGE_VAL : -HUGE_VAL;
    literal.SetComplex(0, {value, value});
  } else if (hlo::IsFloat(type)) {
    hlo::FloatFormat format = hlo::FormatOf(type);
    double best = HUGE_VAL;
    if (!format.has_infinity) {
      best = 0;
      for (uint64_t code = 0; code < uint64_t{1} << bits; ++code) {
        double value = hlo::DecodeFloat(type, code);
        if (std::isfinite(value)) best = std::max(best, value);
      }
    }
    double least = format.has_sign ? -best : hlo::DecodeFloat(type, 0);
    literal.SetFloat(0, largest ? best : least);
  } else if (hlo::IsSigned(type)) {
    uint64_t top = uint64_t{1} << (bits - 1);
    literal.SetBits(0, largest ? top - 1 : top);
  } else {
    literal.SetBits(0, largest ? ~uint64_t{0} : 0);
  }
  return literal;
}

}  // namespace

Literal LiteralUtil::Zero(PrimitiveType type) { return FromDouble(type, 0); }
Literal LiteralUtil::One(PrimitiveType type) { return FromDouble(type, 1); }
Literal LiteralUtil::MinValue(PrimitiveType type) { return Extreme(type, false); }
Literal LiteralUtil::MaxValue(PrimitiveType type) { return Extreme(type, true); }

void LiteralUtil::DieOfRaggedLists() {
  std::fprintf(stderr, "literal: nested lists of one level differ in length\n");
  std::abort();
}

PaddingConfig MakeEdgePaddingConfig(absl::Span<const std::pair<int64_t, int64_t>> low_high) {
  PaddingConfig config;
  for (auto [low, high] : low_high) config.push_back({low, high, 0});
  return config;
}

absl::StatusOr<std::vector<std::pair<int64_t, int64_t>>> MakePadding(
    absl::Span<const int64_t> input_dims, absl::Span<const int64_t> window_dims,
    absl::Span<const int64_t> window_strides, Padding padding) {
  if (window_dims.size() != input_dims.size() || window_strides.size() != input_dims.size()) {
    return absl::InvalidArgumentError(
        "padding: input, window and strides differ in the number of dimensions");
  }
  std::vector<std::pair<int64_t, int64_t>> result(input_dims.size(), {0, 0});
  if (padding == Padding::kValid) return result;
  for (size_t i = 0; i < input_dims.size(); ++i) {
    int64_t stride = window_strides[i];
    if (stride <= 0) return absl::InvalidArgumentError("padding: a stride is not positive");
    for (int64_t number : {stride, input_dims[i], window_dims[i]}) {
      if (number > hlo::kMostWindow || number < 0) {
        return absl::InvalidArgumentError(
            absl::StrCat("padding: a number of dimension ", i, " is negative or above 2^60"));
      }
    }
    int64_t outputs = (input_dims[i] + stride - 1) / stride;
    int64_t total = std::max<int64_t>((outputs - 1) * stride + window_dims[i] - input_dims[i], 0);
    result[i] = {total / 2, total - total / 2};
  }
  return result;
}

}  // namespace halyard
