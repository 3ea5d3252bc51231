// Pretty forms of CHLO ops.
#include "absl/strings/str_cat.h"
#include "frontend/stablehlo/syntax/keyword_ops.h"
#include "frontend/stablehlo/syntax/syntax.h"

namespace halyard::stablehlo {
namespace {

using mlir::Attribute;
using mlir::Operation;
using mlir::Parser;
using mlir::Tok;
using mlir::Type;

// `T, T -> U`, without brackets.
bool ParseElementwise(Parser& parser, Operation& op) {
  if (!parser.ParseOperands(&op.operands) || !parser.ParseOptionalDictionary(&op.attributes) ||
      !parser.Expect(':')) {
    return false;
  }
  size_t offset = parser.token().offset;
  std::vector<const Type*> inputs;
  std::vector<const Type*> results;
  if (parser.Is('(')) return parser.ParseOpFunctionType(op);
  if (!parser.ParseTypeList(&inputs)) return false;
  if (parser.Try(Tok::kArrow)) {
    if (!parser.ParseFunctionResults(&results)) return false;
  } else {
    results = {inputs[0]};
    inputs.assign(op.operands.size(), results[0]);
  }
  parser.SetResultTypes(op, results);
  return parser.CheckOperandTypes(op, inputs, offset);
}

bool ParseBroadcasting(Parser& parser, Operation& op) {
  return parser.ParseOperands(&op.operands) && parser.ParseOptionalDictionary(&op.attributes) &&
         parser.Expect(':') && parser.ParseOpFunctionType(op);
}

// chlo.top_k(%x, k = 3) : T -> (T, U)
bool ParseTopK(Parser& parser, Operation& op) {
  int64_t k = 0;
  if (!parser.Expect('(') || !parser.ParseOperand(&op.operands.emplace_back()) ||
      !parser.Expect(',') || !parser.ExpectKeyword("k") || !parser.Expect('=')) {
    return false;
  }
  size_t offset = parser.token().offset;
  if (!parser.ParseInteger(&k) || !parser.Expect(')') ||
      !parser.Add(&op.attributes, "k", parser.MakeInteger(k, offset), offset) ||
      !parser.ParseOptionalDictionary(&op.attributes) || !parser.Expect(':')) {
    return false;
  }
  offset = parser.token().offset;
  std::vector<const Type*> inputs;
  std::vector<const Type*> results;
  if (!parser.ParseFunctionResults(&inputs) || !parser.Expect(Tok::kArrow, "'->'") ||
      !parser.ParseFunctionResults(&results)) {
    return false;
  }
  parser.SetResultTypes(op, results);
  return parser.CheckOperandTypes(op, inputs, offset);
}

bool ParseNumber(Parser& parser, Operation& op, absl::string_view name) {
  size_t offset = parser.token().offset;
  int64_t value = 0;
  return parser.Expect('=') && parser.ParseInteger(&value) &&
         parser.Add(&op.attributes, name, parser.MakeInteger(value, offset), offset);
}

// chlo.scan(%x) inits (%c) dimension=0 [scan_dim_size=4] [attributes {…}] {…} : (T, U) -> (V, U)
bool ParseScan(Parser& parser, Operation& op) {
  size_t offset = parser.token().offset;
  if (!ParseBracketedOperands(parser, op)) return false;
  const auto inputs = static_cast<int64_t>(op.operands.size());
  if (!parser.ExpectKeyword("inits") || !ParseBracketedOperands(parser, op)) return false;
  const int64_t inits = static_cast<int64_t>(op.operands.size()) - inputs;
  if (!parser.Add(&op.attributes, "operandSegmentSizes",
                  parser.MakeInt64Array({inputs, inits}, offset), offset) ||
      !parser.ExpectKeyword("dimension") || !ParseNumber(parser, op, "dimension")) {
    return false;
  }
  if (parser.TryKeyword("scan_dim_size") && !ParseNumber(parser, op, "scan_dim_size")) {
    return false;
  }
  if (parser.TryKeyword("attributes") && !parser.ParseAttributeDictionary(&op.attributes)) {
    return false;
  }
  if (!parser.ParseRegion(&op.regions.emplace_back()) || !parser.Expect(':') ||
      !parser.ParseOpFunctionType(op)) {
    return false;
  }
  const int64_t outputs = static_cast<int64_t>(op.results.size()) - inits;
  if (outputs < 0) return parser.Fail(offset, "has fewer results than initial values");
  return parser.Add(&op.attributes, "resultSegmentSizes",
                    parser.MakeInt64Array({outputs, inits}, offset), offset);
}

}  // namespace

void AddChloOps(mlir::Syntax& syntax) {
  for (absl::string_view name : kChloElementwise) {
    syntax.ops[absl::StrCat("chlo.", name)] = ParseElementwise;
  }
  for (absl::string_view name : kChloBroadcasting) {
    syntax.ops[absl::StrCat("chlo.broadcast_", name)] = ParseBroadcasting;
  }
  syntax.ops["chlo.constant"] = ParseConstantValue;
  syntax.ops["chlo.scan"] = ParseScan;
  syntax.ops["chlo.top_k"] = ParseTopK;
}

}  // namespace halyard::stablehlo
