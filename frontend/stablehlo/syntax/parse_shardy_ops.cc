// The pretty forms of the sdy ops that partitioners leave in exported programs.
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

}  // namespace

void AddShardyOps(mlir::Syntax& syntax) {
  syntax.ops["sdy.mesh"] = ParseMesh;
  syntax.ops["sdy.sharding_constraint"] = ParseShardingConstraint;
}

}  // namespace halyard::stablehlo
