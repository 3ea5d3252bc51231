// Ops written as `name %a, %b, key = value, … {attributes} : types`, and those with operands alone.
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "frontend/stablehlo/syntax/keyword_ops.h"
#include "frontend/stablehlo/syntax/syntax.h"

namespace halyard::stablehlo {
namespace {

using mlir::Attribute;
using mlir::Operation;
using mlir::Parser;
using mlir::Tok;
using mlir::Type;

using Kind = KeywordKind;

const Keyword* FindKeyword(absl::string_view op, absl::string_view key) {
  for (const Keyword& keyword : kKeywords) {
    if (keyword.op == op && keyword.key == key) return &keyword;
  }
  return nullptr;
}

// e8m10
bool ParseFormat(Parser& parser, Operation& op, size_t offset) {
  std::string word;
  if (!parser.ParseName(&word)) return false;
  std::vector<std::string> parts = absl::StrSplit(word, 'm');
  int32_t exponent = 0;
  int32_t mantissa = 0;
  if (parts.size() != 2 || !absl::StartsWith(parts[0], "e") ||
      !absl::SimpleAtoi(parts[0].substr(1), &exponent) || !absl::SimpleAtoi(parts[1], &mantissa)) {
    return parser.Fail(offset, "expected a format like e8m10");
  }
  for (auto [name, bits] : {std::pair("exponent_bits", exponent), {"mantissa_bits", mantissa}}) {
    if (!parser.Add(&op.attributes, name, MakeInt32(parser, bits, offset), offset)) return false;
  }
  return true;
}

// `[0] x [1]` into the entries of #stablehlo.dot, which it makes if there is none yet.
bool ParseDimPair(Parser& parser, Operation& op, absl::string_view which, size_t offset) {
  const Attribute* lhs = nullptr;
  const Attribute* rhs = nullptr;
  if (!parser.ParseInt64Array(&lhs) || !parser.ExpectKeyword("x") ||
      !parser.ParseInt64Array(&rhs)) {
    return false;
  }
  Attribute* dims = const_cast<Attribute*>(op.Attr("dot_dimension_numbers"));
  if (dims == nullptr) {
    dims = parser.document().NewAttribute(mlir::AttributeKind::kDialect, offset);
    dims->name = "stablehlo.dot";
    if (!parser.Add(&op.attributes, "dot_dimension_numbers", dims, offset)) return false;
  }
  return parser.Add(&dims->entries, absl::StrCat("lhs_", which, "_dimensions"), lhs, offset) &&
         parser.Add(&dims->entries, absl::StrCat("rhs_", which, "_dimensions"), rhs, offset);
}

bool ParseAlgorithm(Parser& parser, Operation& op, size_t offset) {
  Attribute* algorithm = parser.document().NewAttribute(mlir::AttributeKind::kDialect, offset);
  algorithm->name = "stablehlo.dot_algorithm";
  return parser.Expect('<') && ParseStructBody(parser, *algorithm) && parser.Expect('>') &&
         parser.Add(&op.attributes, "algorithm", algorithm, offset);
}

bool ParseBool(Parser& parser, const Attribute** value) {
  if (!parser.IsKeyword("true") && !parser.IsKeyword("false")) {
    return parser.FailHere("expected 'true' or 'false'");
  }
  return parser.ParseAttribute(value);
}

bool ParseKeywordValue(Parser& parser, Operation& op, const Keyword& keyword) {
  size_t offset = parser.token().offset;
  const Attribute* value = nullptr;
  switch (keyword.kind) {
    case Kind::kInts:
      if (!parser.ParseInt64Array(&value)) return false;
      break;
    case Kind::kInt: {
      int64_t number = 0;
      if (!parser.ParseInteger(&number)) return false;
      value = parser.MakeInteger(number, offset);
      break;
    }
    case Kind::kBool:
      if (!ParseBool(parser, &value)) return false;
      break;
    case Kind::kString: {
      Attribute* string = parser.document().NewAttribute(mlir::AttributeKind::kString, offset);
      if (!parser.ParseString(&string->text)) return false;
      value = string;
      break;
    }
    case Kind::kPrecision:
      if (!ParsePrecisionList(parser, &value)) return false;
      break;
    case Kind::kEnum: {
      std::string word;
      if (!parser.ParseName(&word)) return false;
      value = parser.MakeEnum(keyword.enum_name, word, offset);
      break;
    }
    case Kind::kFormat:
      return ParseFormat(parser, op, offset);
    case Kind::kDimPair:
      return ParseDimPair(parser, op, keyword.attr, offset);
    case Kind::kAlgorithm:
      return ParseAlgorithm(parser, op, offset);
  }
  return parser.Add(&op.attributes, keyword.attr, value, offset);
}

// Operands, then keywords; either may be missing.
bool ParseOperandsAndKeywords(Parser& parser, Operation& op, absl::string_view op_name) {
  if (parser.Is(':') || parser.Is('{')) return true;
  bool keywords = false;
  do {
    if (parser.Is(Tok::kPercentId) && !keywords) {
      if (!parser.ParseOperand(&op.operands.emplace_back())) return false;
      continue;
    }
    // `dynamic_slice %x, , sizes = []`: a list of no indices keeps its comma.
    if (parser.Is(',') && !keywords && op.operands.size() == 1) continue;
    keywords = true;
    if (!parser.Is(Tok::kBareId)) return parser.FailHere("expected an operand or 'name ='");
    const Keyword* keyword = FindKeyword(op_name, parser.token().text);
    if (keyword == nullptr) {
      return parser.FailHere(absl::StrCat("'", op.name, "' has no such argument"));
    }
    parser.Advance();
    if (!parser.Expect('=') || !ParseKeywordValue(parser, op, *keyword)) return false;
  } while (parser.Try(','));
  return true;
}

bool ParseKeywordOp(Parser& parser, Operation& op) {
  absl::string_view op_name = absl::string_view(op.name).substr(op.name.find('.') + 1);
  return ParseOperandsAndKeywords(parser, op, op_name) &&
         parser.ParseOptionalDictionary(&op.attributes) && ParseSameOrFunctionType(parser, op);
}

// complex: one type is the result's.
bool ParseComplex(Parser& parser, Operation& op) {
  if (!parser.ParseOperands(&op.operands) || !parser.ParseOptionalDictionary(&op.attributes) ||
      !parser.Expect(':')) {
    return false;
  }
  if (parser.Is('(')) return parser.ParseOpFunctionType(op);
  const Type* type = nullptr;
  if (!parser.ParseType(&type)) return false;
  parser.SetResultTypes(op, {type});
  return true;
}

// compare LT, %a, %b[, TOTALORDER]
bool ParseCompare(Parser& parser, Operation& op) {
  size_t offset = parser.token().offset;
  std::string word;
  if (!parser.ParseName(&word) || !parser.Expect(',')) return false;
  const Attribute* direction = parser.MakeEnum("stablehlo.comparison_direction", word, offset);
  if (!parser.Add(&op.attributes, "comparison_direction", direction, offset)) return false;
  if (!parser.ParseOperand(&op.operands.emplace_back()) || !parser.Expect(',') ||
      !parser.ParseOperand(&op.operands.emplace_back())) {
    return false;
  }
  if (parser.Try(',')) {
    offset = parser.token().offset;
    if (!parser.ParseName(&word)) return false;
    const Attribute* type = parser.MakeEnum("stablehlo.comparison_type", word, offset);
    if (!parser.Add(&op.attributes, "compare_type", type, offset)) return false;
  }
  return parser.ParseOptionalDictionary(&op.attributes) && ParseSameOrFunctionType(parser, op);
}

// select %p, %a, %b : tensor<i1>, T
bool ParseSelect(Parser& parser, Operation& op) {
  if (!parser.ParseOperands(&op.operands) || !parser.ParseOptionalDictionary(&op.attributes) ||
      !parser.Expect(':')) {
    return false;
  }
  if (parser.Is('(')) return parser.ParseOpFunctionType(op);
  size_t offset = parser.token().offset;
  std::vector<const Type*> types;
  if (!parser.ParseTypeList(&types)) return false;
  if (types.size() == 1) types.push_back(types[0]);
  if (types.size() != 2)
    return parser.Fail(offset, "expected two types: the predicate's and the values'");
  parser.SetResultTypes(op, {types[1]});
  types.push_back(types[1]);
  return parser.CheckOperandTypes(op, types, offset);
}

// slice %x [start:limit:stride, …]
bool ParseSlice(Parser& parser, Operation& op) {
  if (!parser.ParseOperand(&op.operands.emplace_back())) return false;
  size_t offset = parser.token().offset;
  std::vector<int64_t> start, limit, strides;
  bool read = parser.ParseList('[', ']', [&] {
    strides.push_back(1);
    return parser.ParseInteger(&start.emplace_back()) && parser.Expect(':') &&
           parser.ParseInteger(&limit.emplace_back()) &&
           (!parser.Try(':') || parser.ParseInteger(&strides.back()));
  });
  return read &&
         parser.Add(&op.attributes, "start_indices", parser.MakeInt64Array(start, offset),
                    offset) &&
         parser.Add(&op.attributes, "limit_indices", parser.MakeInt64Array(limit, offset),
                    offset) &&
         parser.Add(&op.attributes, "strides", parser.MakeInt64Array(strides, offset), offset) &&
         parser.ParseOptionalDictionary(&op.attributes) && ParseSameOrFunctionType(parser, op);
}

}  // namespace

const Attribute* MakeInt32(Parser& parser, int64_t value, size_t offset) {
  Attribute* made = parser.document().NewAttribute(mlir::AttributeKind::kInteger, offset);
  Type* type = parser.document().NewType(mlir::TypeKind::kInteger, offset);
  type->name = "i32";
  type->width = 32;
  made->type = type;
  made->integer = value;
  return made;
}

bool ParseSameOrFunctionType(Parser& parser, Operation& op) {
  if (!parser.Expect(':')) return false;
  if (parser.Is('(')) return parser.ParseOpFunctionType(op);
  size_t offset = parser.token().offset;
  const Type* type = nullptr;
  if (!parser.ParseType(&type)) return false;
  parser.SetResultTypes(op, {type});
  return parser.CheckOperandTypes(op, std::vector<const Type*>(op.operands.size(), type), offset);
}

void AddKeywordOps(mlir::Syntax& syntax) {
  for (const Keyword& keyword : kKeywords) {
    syntax.ops[absl::StrCat("stablehlo.", keyword.op)] = ParseKeywordOp;
  }
  for (absl::string_view name : kPlainOps) {
    syntax.ops[absl::StrCat("stablehlo.", name)] = ParseKeywordOp;
  }
  syntax.ops["stablehlo.complex"] = ParseComplex;
  syntax.ops["stablehlo.compare"] = ParseCompare;
  syntax.ops["stablehlo.select"] = ParseSelect;
  syntax.ops["stablehlo.slice"] = ParseSlice;
}

}  // namespace halyard::stablehlo
