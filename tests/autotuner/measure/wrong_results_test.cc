// Tests what the oracle says of results that are slightly wrong, and of right ones that are
// computed in another way, for every kind of type.
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "autotuner/measure/oracle.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace halyard::autotuner {
namespace {

using hlo::ElementType;
constexpr int64_t kRows = 16, kColumns = 24;

struct Product {
  const char* type;    // of the factors
  const char* result;  // sums are formed in f32 (f64, s32)
  int64_t terms;
};

void PrintTo(const Product& p, std::ostream* out) { *out << p.type << "_" << p.result; }

double At(absl::string_view bytes, ElementType type, int64_t i) {
  const size_t width = static_cast<size_t>(hlo::StorageBytes(type));
  uint64_t bits = 0;
  memcpy(&bits, bytes.data() + static_cast<size_t>(i) * width, width);
  if (hlo::IsFloat(type)) return hlo::DecodeFloat(type, bits);
  const int unused = 64 - hlo::BitWidth(type);
  return static_cast<double>(static_cast<int64_t>(bits << unused) >> unused);
}

void Set(std::string* bytes, ElementType type, int64_t i, double value) {
  const size_t width = static_cast<size_t>(hlo::StorageBytes(type));
  const uint64_t bits = hlo::IsFloat(type) ? hlo::EncodeFloat(type, value)
                                           : static_cast<uint64_t>(static_cast<int64_t>(value));
  memcpy(bytes->data() + static_cast<size_t>(i) * width, &bits, width);
}

class WrongResults : public ::testing::TestWithParam<Product> {
 protected:
  WrongResults()
      : type_(*hlo::ElementTypeFromHloName(GetParam().type)),
        result_(*hlo::ElementTypeFromHloName(GetParam().result)),
        terms_(GetParam().terms) {
    // The evaluator takes longer than the tests, so it runs once for all tests of a type.
    static auto* made = new std::map<std::string, TrialData>;
    const std::string text =
        absl::StrCat("HloModule k\n\nENTRY e {\n  a = ", GetParam().type, "[", kRows, ",", terms_,
                     "] parameter(0)\n  b = ", GetParam().type, "[", terms_, ",", kColumns,
                     "] parameter(1)\n  ROOT d = ", GetParam().result, "[", kRows, ",", kColumns,
                     "] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n");
    if (made->count(text) == 0) {
      lowering::KernelRequest request;
      request.hlo = text;
      absl::StatusOr<TrialData> data = MakeTrialData(request);
      EXPECT_TRUE(data.ok()) << data.status();
      if (data.ok()) (*made)[text] = *std::move(data);
    }
    data_ = (*made)[text];
  }

  // Returns one element, adding term after term in the order of `place`. T is the type of the sums.
  template <typename T>
  double Sum(const TrialCase& one, int64_t row, int64_t column, int64_t without,
             const std::function<int64_t(int64_t)>& place) const {
    T sum = 0;
    for (int64_t t = 0; t < terms_; ++t) {
      const int64_t k = place(t);
      if (k == without) continue;
      const T a = static_cast<T>(At(one.inputs[0], type_, row * terms_ + k));
      const T b = static_cast<T>(At(one.inputs[1], type_, k * kColumns + column));
      sum = std::fma(a, b, sum);
    }
    return static_cast<double>(sum);
  }
  double Sum(
      const TrialCase& one, int64_t row, int64_t column, int64_t without = -1,
      const std::function<int64_t(int64_t)>& place = [](int64_t t) { return t; }) const {
    const bool wide = result_ == ElementType::kF64 || !hlo::IsFloat(result_);
    return wide ? Sum<double>(one, row, column, without, place)
                : Sum<float>(one, row, column, without, place);
  }

  // Returns what the oracle says of the outputs, one for each case, or "" if they count as right.
  std::string Check(const std::vector<std::string>& outputs) const {
    for (size_t c = 0; c < data_.cases.size(); ++c) {
      double difference = 0;
      const TrialCase& one = data_.cases[c];
      const std::string wrong =
          CompareOutput(outputs[c], one.expected[0], one.rules[0], &difference);
      if (!wrong.empty()) return absl::StrCat(one.name, ": ", wrong);
    }
    return "";
  }
  std::vector<std::string> Expected() const {
    std::vector<std::string> outputs;
    for (const TrialCase& one : data_.cases) outputs.push_back(one.expected[0]);
    return outputs;
  }

  const ElementType type_, result_;
  const int64_t terms_;
  TrialData data_;
};

TEST_P(WrongResults, OtherOrdersAreRight) {
  const std::function<int64_t(int64_t)> orders[] = {
      [](int64_t t) { return t; },
      [this](int64_t t) { return terms_ - 1 - t; },
      [this](int64_t t) { return t % 8 * (terms_ / 8) + t / 8; },
  };
  for (const auto& order : orders) {
    std::vector<std::string> outputs = Expected();
    for (size_t c = 0; c < outputs.size(); ++c) {
      for (int64_t i = 0; i < kRows * kColumns; ++i)
        Set(&outputs[c], result_, i, Sum(data_.cases[c], i / kColumns, i % kColumns, -1, order));
    }
    EXPECT_EQ(Check(outputs), "");
  }
}

// Drops one term of one element, wherever it is, if that changes the rounded result at all.
TEST_P(WrongResults, ADroppedTermIsSeen) {
  int visible = 0, tried = 0;
  for (int64_t i = 0; i < kRows * kColumns; i += 7) {
    const int64_t row = i / kColumns, column = i % kColumns, without = (i * 37) % terms_;
    std::vector<std::string> outputs = Expected();
    for (size_t c = 0; c < outputs.size(); ++c)
      Set(&outputs[c], result_, i, Sum(data_.cases[c], row, column, without));
    ++tried;
    const TrialCase& whole = data_.cases[1];
    if (outputs[1] == whole.expected[0]) continue;
    ++visible;
    EXPECT_NE(Check(outputs), "") << "term " << without << " of element " << i;
  }
  EXPECT_GT(visible, hlo::BitWidth(result_) > 8 ? tried * 9 / 10 : tried / 4);
}

TEST_P(WrongResults, ASwappedLaneIsSeen) {
  const int64_t width = hlo::StorageBytes(result_);
  for (int64_t i = 0; i + 1 < kRows * kColumns; i += 5) {
    std::vector<std::string> outputs = Expected();
    for (std::string& bytes : outputs) {
      for (int64_t b = 0; b < width; ++b) {
        std::swap(bytes[static_cast<size_t>(i * width + b)],
                  bytes[static_cast<size_t>((i + 1) * width + b)]);
      }
    }
    if (outputs == Expected()) continue;
    EXPECT_NE(Check(outputs), "") << i;
  }
}

TEST_P(WrongResults, ALostNaNOrInfinityIsSeen) {
  if (!hlo::IsFloat(result_)) return;
  const TrialCase& special = data_.cases[2];
  int nans = 0, infinities = 0;
  for (int64_t i = 0; i < kRows * kColumns; ++i) {
    const double value = At(special.expected[0], result_, i);
    if (std::isfinite(value)) continue;
    (std::isnan(value) ? nans : infinities) += 1;
    for (double lost : {0.0, 1.0, 448.0}) {
      std::vector<std::string> outputs = Expected();
      Set(&outputs[2], result_, i, lost);
      EXPECT_NE(Check(outputs), "") << value << " became " << lost;
    }
  }
  EXPECT_GT(nans, 0);
  EXPECT_LT(nans, kRows * kColumns) << "nothing else is compared";
  if (hlo::FormatOf(type_).has_infinity && hlo::FormatOf(result_).has_infinity) {
    EXPECT_GT(infinities, 0);
  }
}

TEST_P(WrongResults, AnElementThatIsOffByOneIsSeenInIntegers) {
  if (hlo::IsFloat(result_)) return;
  for (size_t c = 0; c < 3; ++c) {
    std::vector<std::string> outputs = Expected();
    Set(&outputs[c], result_, 5, At(outputs[c], result_, 5) + 1);
    EXPECT_NE(Check(outputs), "");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Types, WrongResults,
    ::testing::Values(Product{"f16", "f16", 1024}, Product{"f16", "f32", 4096},
                      Product{"bf16", "bf16", 1024}, Product{"bf16", "f32", 4096},
                      Product{"f32", "f32", 4096}, Product{"f64", "f64", 4096},
                      Product{"f8e4m3fn", "f8e4m3fn", 32}, Product{"f8e5m2", "f8e5m2", 32},
                      Product{"f8e4m3fn", "f32", 1024}, Product{"f8e5m2", "bf16", 1024},
                      Product{"s8", "s32", 1024}, Product{"s32", "s32", 64}),
    ::testing::PrintToStringParamName());

}  // namespace
}  // namespace halyard::autotuner
