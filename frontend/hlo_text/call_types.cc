#include "frontend/hlo_text/call_types.h"

#include <numeric>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "frontend/hlo/ir/custom_call.h"
#include "frontend/hlo_text/cursor.h"
#include "frontend/hlo_text/read_shape.h"

namespace halyard::hlo_text {
namespace {

using hlo::Attr;
using hlo::Shape;

constexpr absl::string_view kEntry = "{halyard.types = \"";

std::vector<Shape> ArraysOf(const Shape& shape) {
  std::vector<Shape> arrays;
  for (const Shape& leaf : hlo::FlattenShape(shape)) {
    if (leaf.IsArray()) arrays.push_back(leaf);
  }
  return arrays;
}

bool ReadIndex(Cursor& cursor, std::vector<int64_t>* index) {
  if (!cursor.Expect('{')) return false;
  if (cursor.TryChar('}')) return true;
  do {
    if (!cursor.Int(&index->emplace_back())) return false;
  } while (cursor.TryChar(','));
  return cursor.Expect('}');
}

// Returns the position of the array at `index` of `shape` among those of ArraysOf, or -1.
int64_t PositionOf(const Shape& shape, const std::vector<int64_t>& index) {
  const Shape* at = &shape;
  int64_t position = 0;
  for (int64_t i : index) {
    if (!at->IsTuple() || i < 0 || i >= static_cast<int64_t>(at->elements().size())) return -1;
    for (int64_t before = 0; before < i; ++before)
      position += static_cast<int64_t>(ArraysOf(at->elements()[before]).size());
    at = &at->elements()[i];
  }
  return at->IsArray() ? position : -1;
}

// `{{0}: (1, {}), {1}: (0, {2})}`
bool ReadAliases(const hlo::Instruction& call, CallTypes* types) {
  Cursor cursor(call.GetString(Attr::kOutputToOperandAliasing), "");
  if (!cursor.Expect('{')) return false;
  if (cursor.TryChar('}')) return cursor.AtEnd();
  do {
    std::vector<int64_t> result, part;
    int64_t operand = 0;
    if (!ReadIndex(cursor, &result) || !cursor.Expect(':') || !cursor.Expect('(') ||
        !cursor.Int(&operand) || (cursor.TryChar(',') && !ReadIndex(cursor, &part)) ||
        !cursor.Expect(')')) {
      return false;
    }
    if (operand < 0 || operand >= static_cast<int64_t>(call.operands.size())) return false;
    const int64_t to = PositionOf(call.shape, result);
    int64_t from = PositionOf(call.operand(operand)->shape, part);
    if (to < 0 || from < 0) return false;
    for (int64_t i = 0; i < operand; ++i)
      from += static_cast<int64_t>(ArraysOf(call.operand(i)->shape).size());
    types->aliases[to] = from;
  } while (cursor.TryChar(','));
  return cursor.Expect('}') && cursor.AtEnd();
}

// `{f32[2,3]{0,1}, f32[]}`: the operands, of the same types with layouts.
bool ReadConstraints(const std::string& text, std::vector<Shape>* operands) {
  Cursor cursor(text, "");
  std::vector<Shape> constrained;
  if (!cursor.Expect('{')) return false;
  if (!cursor.TryChar('}')) {
    do {
      Shape shape;
      if (!ReadShape(cursor, &shape)) return false;
      for (const Shape& array : ArraysOf(shape)) constrained.push_back(array);
    } while (cursor.TryChar(','));
    if (!cursor.Expect('}')) return false;
  }
  if (!cursor.AtEnd() || constrained.size() != operands->size()) return false;
  for (size_t i = 0; i < constrained.size(); ++i) {
    if (!Shape::SameIgnoringLayout(constrained[i], (*operands)[i])) return false;
  }
  *operands = std::move(constrained);
  return true;
}

bool ReadArrays(Cursor& cursor, char end, std::vector<Shape>* arrays, CallTypes* types) {
  while (end == '\0' ? !cursor.AtEnd() : cursor.Peek() != end) {
    if (!arrays->empty() && !cursor.Expect(',')) return false;
    if (!ReadShape(cursor, &arrays->emplace_back()) || !arrays->back().IsArray()) return false;
    if (end != '\0') continue;
    types->aliases.push_back(-1);
    if (cursor.TryChar('@') && !cursor.Int(&types->aliases.back())) return false;
  }
  return true;
}

}  // namespace

bool CallTypes::IsRowMajor() const {
  for (const std::vector<Shape>* arrays : {&operands, &results}) {
    for (const Shape& array : *arrays) {
      if (!array.HasDefaultLayout()) return false;
    }
  }
  return true;
}

bool IsTypedCall(const hlo::Instruction& call) {
  return call.opcode == hlo::Opcode::kCustomCall &&
         call.GetString(Attr::kApiVersion) == "API_VERSION_TYPED_FFI" && !hlo::IsAnnotation(call);
}

absl::StatusOr<CallTypes> TypesOf(const hlo::Instruction& call) {
  CallTypes types;
  for (const hlo::Instruction* operand : call.operands) {
    for (const Shape& array : ArraysOf(operand->shape.WithDefaultLayout()))
      types.operands.push_back(array);
  }
  const bool constrained = call.Has(Attr::kOperandLayoutConstraints);
  types.results = ArraysOf(constrained ? call.shape : call.shape.WithDefaultLayout());
  types.aliases.assign(types.results.size(), -1);
  if (constrained &&
      !ReadConstraints(call.GetString(Attr::kOperandLayoutConstraints), &types.operands)) {
    return absl::InvalidArgumentError(
        "operand_layout_constraints must give each operand's type, with a layout");
  }
  if (call.Has(Attr::kOutputToOperandAliasing) && !ReadAliases(call, &types)) {
    return absl::InvalidArgumentError(
        "output_to_operand_aliasing must name arrays among the results and the operands");
  }
  return types;
}

std::vector<int64_t> MajorToMinor(const Shape& array) {
  std::vector<int64_t> order(array.minor_to_major().rbegin(), array.minor_to_major().rend());
  if (array.HasDefaultLayout()) {
    order.resize(array.rank());
    std::iota(order.begin(), order.end(), 0);
  }
  return order;
}

std::vector<int64_t> InversePermutation(const std::vector<int64_t>& permutation) {
  std::vector<int64_t> inverse(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i) inverse[permutation[i]] = static_cast<int64_t>(i);
  return inverse;
}

Shape InMemory(const Shape& shape) {
  if (shape.IsTuple()) {
    std::vector<Shape> elements;
    for (const Shape& element : shape.elements()) elements.push_back(InMemory(element));
    return Shape::Tuple(std::move(elements));
  }
  if (!shape.IsArray() || shape.HasDefaultLayout()) return shape;
  std::vector<int64_t> dims;
  for (int64_t d : MajorToMinor(shape)) dims.push_back(shape.dim(d));
  return shape.WithDims(std::move(dims));
}

std::string ToString(const CallTypes& types) {
  std::string text;
  for (const Shape& array : types.operands)
    absl::StrAppend(&text, text.empty() ? "" : ",", array.ToString());
  absl::StrAppend(&text, "->");
  for (size_t i = 0; i < types.results.size(); ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ",", types.results[i].ToString());
    if (types.aliases[i] >= 0) absl::StrAppend(&text, "@", types.aliases[i]);
  }
  return text;
}

bool ReadCallTypes(const std::string& text, CallTypes* types) {
  Cursor cursor(text, "");
  if (!ReadArrays(cursor, '-', &types->operands, types) || !cursor.ExpectText("->") ||
      !ReadArrays(cursor, '\0', &types->results, types)) {
    return false;
  }
  for (int64_t operand : types->aliases) {
    if (operand < -1 || operand >= static_cast<int64_t>(types->operands.size())) return false;
  }
  return true;
}

std::string AddTypes(absl::string_view config, const CallTypes& types) {
  if (config.empty()) config = "{}";
  if (!absl::StartsWith(config, "{") || absl::StartsWith(config, kEntry))
    return std::string(config);
  const absl::string_view rest = absl::StripLeadingAsciiWhitespace(config.substr(1));
  return absl::StrCat(kEntry, ToString(types), "\"", absl::StartsWith(rest, "}") ? "" : ", ", rest);
}

std::string TakeTypes(std::string* config) {
  if (!absl::StartsWith(*config, kEntry)) return "";
  const size_t end = config->find('"', kEntry.size());
  if (end == std::string::npos) return "";
  std::string types = config->substr(kEntry.size(), end - kEntry.size());
  absl::string_view rest = absl::string_view(*config).substr(end + 1);
  absl::ConsumePrefix(&rest, ", ");
  *config = absl::StrCat("{", rest);
  if (*config == "{}") config->clear();
  return types;
}

}  // namespace halyard::hlo_text
