// The pretty forms of the sdy ops that partitioners leave in exported programs.
#include <memory>
#include <string>

#include "frontend/stablehlo/syntax/syntax.h"

namespace halyard::stablehlo {
namespace {

using mlir::Attribute;
using mlir::AttributeKind;
using mlir::Operation;
using mlir::Parser;

// Parses `<…>` as #name<…>, without looking into it.
bool ParseShardyBody(Parser& parser, Operation& op, absl::string_view attribute_name,
                     absl::string_view name) {
  size_t offset = parser.token().offset;
  Attribute* attribute = parser.document().NewAttribute(AttributeKind::kDialect, offset);
  absl::string_view body;
  if (!parser.Expect('<') || !parser.SkipBalanced('>', &body) || !parser.Expect('>')) return false;
  attribute->name = std::string(name);
  attribute->text = std::string(body);
  return parser.Add(&op.attributes, attribute_name, attribute, offset);
}

// sdy.mesh @mesh = <…>: how devices are arranged. A program for one device does not need it.
bool ParseMesh(Parser& parser, Operation& op) {
  const Attribute* name = nullptr;
  size_t offset = parser.token().offset;
  return parser.ParseSymbol(&name) &&
         parser.Add(&op.attributes, "sym_name", MakeString(parser, name->text, offset), offset) &&
         parser.Expect('=') && ParseShardyBody(parser, op, "mesh", "sdy.mesh") &&
         parser.ParseOptionalDictionary(&op.attributes);
}

// sdy.sharding_constraint %x <…> : T
bool ParseShardingConstraint(Parser& parser, Operation& op) {
  return parser.ParseOperand(&op.operands.emplace_back()) &&
         ParseShardyBody(parser, op, "sharding", "sdy.sharding") &&
         parser.ParseOptionalDictionary(&op.attributes) && ParseSameOrFunctionType(parser, op);
}

// Parses `[…]` or `{…}` as the text of #name<…>.
bool ParseShardyList(Parser& parser, Operation& op, absl::string_view attribute_name, char open,
                     char close, absl::string_view name) {
  const size_t offset = parser.token().offset;
  Attribute* attribute = parser.document().NewAttribute(AttributeKind::kDialect, offset);
  absl::string_view body;
  if (!parser.ExpectKeyword(attribute_name) || !parser.Expect('=') || !parser.Expect(open) ||
      !parser.SkipBalanced(close, &body) || !parser.Expect(close)) {
    return false;
  }
  attribute->name = std::string(name);
  attribute->text = std::string(1, open) + std::string(body) + close;
  return parser.Add(&op.attributes, attribute_name, attribute, offset);
}

// sdy.manual_computation(%x) in_shardings=[<…>] out_shardings=[<…>] manual_axes={"x"}
//     (%p: t) { … } : (T) -> T
bool ParseManualComputation(Parser& parser, Operation& op) {
  if (!parser.Expect('(')) return false;
  if (!parser.Is(')') && !parser.ParseOperands(&op.operands)) return false;
  auto block = std::make_unique<mlir::Block>();
  return parser.Expect(')') &&
         ParseShardyList(parser, op, "in_shardings", '[', ']', "sdy.sharding_per_value") &&
         ParseShardyList(parser, op, "out_shardings", '[', ']', "sdy.sharding_per_value") &&
         ParseShardyList(parser, op, "manual_axes", '{', '}', "sdy.manual_axes") &&
         parser.ParseBlockArguments(block.get()) &&
         parser.ParseRegion(&op.regions.emplace_back(), std::move(block)) &&
         parser.ParseOptionalDictionary(&op.attributes) && parser.Expect(':') &&
         parser.ParseOpFunctionType(op);
}

}  // namespace

void AddShardyOps(mlir::Syntax& syntax) {
  syntax.ops["sdy.manual_computation"] = ParseManualComputation;
  syntax.ops["sdy.mesh"] = ParseMesh;
  syntax.ops["sdy.return"] = mlir::ParseReturn;
  syntax.ops["sdy.sharding_constraint"] = ParseShardingConstraint;
}

}  // namespace halyard::stablehlo
