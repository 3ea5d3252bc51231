#include "frontend/stablehlo/vhlo/ops.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "frontend/stablehlo/vhlo/op_rows.h"

namespace halyard::stablehlo {
namespace {

constexpr std::pair<absl::string_view, Form> kForms[] = {
    {"ints", Form::kInts},
    {"empty", Form::kIntsOrEmpty},
    {"ones", Form::kIntsOrOnes},
    {"falses", Form::kBoolsOrFalse},
    {"pairs", Form::kPairsOrZeros},
    {"bool", Form::kBool},
    {"int", Form::kInt},
    {"int32", Form::kInt32},
    {"minusone", Form::kIntOrMinusOne},
    {"string", Form::kString},
    {"text", Form::kText},
    {"config", Form::kConfig},
    {"list", Form::kList},
    {"dictionary", Form::kDictionary},
    {"pairlist", Form::kPairList},
    {"precision", Form::kPrecision},
    {"comparison", Form::kComparisonType},
    {"api", Form::kApiVersion},
    {"accuracy", Form::kAccuracy},
    {"unit", Form::kUnit},
    {"channel", Form::kChannel},
    {"channelid", Form::kChannelId},
    {"channeltype", Form::kChannelType},
    {"symbol", Form::kSymbol},
    {"symbols", Form::kSymbols},
    {"field", Form::kFieldInts},
    {"fieldint", Form::kFieldInt},
    {"algorithm", Form::kAlgorithm},
};

Form FormOf(absl::string_view word) {
  for (const auto& [name, form] : kForms) {
    if (name == word) return form;
  }
  return Form::kAny;
}

// "dot_general_v2" → "stablehlo.dot_general".
std::string TargetOf(absl::string_view name) {
  const absl::string_view base = name.substr(0, name.rfind("_v"));
  const bool function = base == "func" || base == "call";
  return absl::StrCat(function ? "func." : "stablehlo.", base);
}

VhloOp MakeOp(const VhloRow& row) {
  VhloOp op{row.name, TargetOf(row.name), row.first, row.last, {}};
  for (absl::string_view text : absl::StrSplit(row.attributes, ' ', absl::SkipEmpty())) {
    const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(text, ':');
    op.attributes.push_back({std::string(parts.first), FormOf(parts.second)});
  }
  std::sort(op.attributes.begin(), op.attributes.end(),
            [](const VhloAttribute& a, const VhloAttribute& b) { return a.name < b.name; });
  return op;
}

struct Tables {
  std::vector<VhloOp> ops;
  absl::flat_hash_map<std::string, const VhloOp*> by_name;
  absl::flat_hash_map<std::string, std::vector<const VhloOp*>> by_target;

  Tables() {
    for (const VhloRow& row : kVhloRows) ops.push_back(MakeOp(row));
    for (const VhloOp& op : ops) {
      by_name[op.name] = &op;
      by_target[op.target].push_back(&op);
    }
    by_target["func.return"] = by_target["stablehlo.return"];
  }
};

const Tables& TheTables() {
  static const Tables* tables = new Tables;
  return *tables;
}

struct TypeRow {
  uint8_t code;
  absl::string_view name;
};

constexpr TypeRow kTypes[] = {
    {0, "i1"},
    {2, "bf16"},
    {3, "f16"},
    {4, "f32"},
    {5, "f64"},
    {6, "f8E4M3FN"},
    {7, "f8E5M2"},
    {9, "index"},
    {10, "i4"},
    {11, "i8"},
    {12, "i16"},
    {13, "i32"},
    {14, "i64"},
    {15, "ui4"},
    {16, "ui8"},
    {17, "ui16"},
    {18, "ui32"},
    {19, "ui64"},
    {22, "stablehlo.token"},
    {27, "f8E4M3FNUZ"},
    {28, "f8E5M2FNUZ"},
    {29, "f8E4M3B11FNUZ"},
    {31, "i2"},
    {32, "ui2"},
    {34, "tf32"},
    {35, "f8E4M3"},
    {36, "f8E3M4"},
    {37, "f4E2M1FN"},
    {38, "f6E2M3FN"},
    {39, "f6E3M2FN"},
    {40, "f8E8M0FNU"},
};

}  // namespace

const VhloOp* FindVhloOp(absl::string_view name) {
  const auto& ops = TheTables().by_name;
  auto found = ops.find(std::string(name));
  return found == ops.end() ? nullptr : found->second;
}

const std::vector<const VhloOp*>& VhloRows(absl::string_view target) {
  static const auto* none = new std::vector<const VhloOp*>;
  const auto& ops = TheTables().by_target;
  auto found = ops.find(std::string(target));
  return found == ops.end() ? *none : found->second;
}

const VhloOp* FindVhloOp(absl::string_view target, const Version& version) {
  // Patches of a version are that version: 1.9.1 is before 1.10.0.
  const Version minor{version.major, version.minor, 0};
  for (const VhloOp* op : VhloRows(target)) {
    if (op->first <= minor && minor <= op->last) return op;
  }
  return nullptr;
}

const std::vector<VhloOp>& VhloOps() { return TheTables().ops; }

FieldOwner OwnerOfFields(absl::string_view target) {
  if (target == "stablehlo.convolution" || target == "stablehlo.dynamic_conv") {
    return {"dimension_numbers", "stablehlo.conv"};
  }
  if (target == "stablehlo.gather" || target == "stablehlo.dynamic_gather") {
    return {"dimension_numbers", "stablehlo.gather"};
  }
  if (target == "stablehlo.scatter") return {"scatter_dimension_numbers", "stablehlo.scatter"};
  if (target == "stablehlo.dot_general") return {"dot_dimension_numbers", "stablehlo.dot"};
  return {};
}

Version AttributeSince(uint64_t code) {
  if (code == kVhloAccuracyMode || code == kVhloAccuracy) return {1, 9, 0};
  if (code >= kVhloSubAxisInfo) return {1, 16, 0};
  return kOldestVersion;
}

Version TypeSince(uint64_t code) {
  switch (code) {
    case 27:  // f8E4M3FNUZ, f8E5M2FNUZ
    case 28:
      return {0, 10, 0};
    case 29:  // f8E4M3B11FNUZ
      return {0, 11, 0};
    case kVhloQuantizedPerAxisType:
      return {0, 18, 0};
    case 31:  // i2, ui2
    case 32:
      return {1, 2, 0};
    case kVhloNoneType:
    case 34:  // tf32
      return {1, 6, 0};
    case 35:  // f8E4M3, f8E3M4
    case 36:
      return {1, 7, 0};
    case 37:  // f4, f6, f8E8M0FNU
    case 38:
    case 39:
    case 40:
      return {1, 8, 0};
    case kVhloBufferType:
      return {1, 13, 0};
    case kVhloFutureType:
      return {1, 15, 0};
  }
  return kOldestVersion;
}

absl::string_view VhloTypeName(uint64_t code) {
  for (const TypeRow& row : kTypes) {
    if (row.code == code) return row.name;
  }
  return "";
}

int VhloTypeCodeOf(absl::string_view name) {
  for (const TypeRow& row : kTypes) {
    if (row.name == name) return row.code;
  }
  return -1;
}

const std::vector<VhloEnum>& VhloEnums() {
  static const auto* enums = new std::vector<VhloEnum>{
      {kVhloComparisonDirection,
       2,
       "stablehlo.comparison_direction",
       {"EQ", "NE", "GE", "GT", "LE", "LT"}},
      {kVhloComparisonType,
       3,
       "stablehlo.comparison_type",
       {"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED", "WEAKORDER"}},
      {kVhloFftType, 6, "stablehlo.fft_type", {"FFT", "IFFT", "RFFT", "IRFFT"}},
      {kVhloPrecision, 8, "stablehlo.precision", {"DEFAULT", "HIGH", "HIGHEST"}},
      {kVhloRngAlgorithm, 9, "stablehlo.rng_algorithm", {"DEFAULT", "THREE_FRY", "PHILOX"}},
      {kVhloRngDistribution, 10, "stablehlo.rng_distribution", {"", "UNIFORM", "NORMAL"}},
      {kVhloTranspose,
       12,
       "stablehlo.transpose",
       {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}},
      {kVhloAccuracyMode,
       16,
       "stablehlo.result_accuracy_mode",
       {"DEFAULT", "HIGHEST", "TOLERANCE"}},
  };
  return *enums;
}

const VhloEnum* FindVhloEnum(absl::string_view name) {
  for (const VhloEnum& row : VhloEnums()) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

int NumberOfWord(const VhloEnum& row, absl::string_view word) {
  for (size_t i = 0; i < row.words.size(); ++i) {
    if (!word.empty() && row.words[i] == word) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace halyard::stablehlo
