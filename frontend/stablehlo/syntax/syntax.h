// The forms of StableHLO and CHLO programs in text: the hooks that the reader of MLIR needs. Every
// pretty form gives the same Operation, attribute by attribute, as the op's generic form.
#ifndef HALYARD_FRONTEND_STABLEHLO_SYNTAX_SYNTAX_H_
#define HALYARD_FRONTEND_STABLEHLO_SYNTAX_SYNTAX_H_

#include "frontend/mlir/parser.h"

namespace halyard::stablehlo {

// Builtin, func, StableHLO and CHLO ops, and #stablehlo attributes. Built once.
const mlir::Syntax& StableHloSyntax();

// The parts of it.
void AddAttributeSyntax(mlir::Syntax& syntax);  // parse_attributes.cc
void AddKeywordOps(mlir::Syntax& syntax);  // parse_keyword_ops.cc: operands, then `name = value`
// parse_structured_ops.cc: while, reduce, convolution, …
void AddStructuredOps(mlir::Syntax& syntax);
void AddShardyOps(mlir::Syntax& syntax);  // parse_shardy_ops.cc
void AddChloOps(mlir::Syntax& syntax);    // parse_chlo.cc

// Parses `(%a, %b, …)` as operands.
bool ParseBracketedOperands(mlir::Parser& parser, mlir::Operation& op);
// Parses `: T` for all operands and results, or `: (T, …) -> U`.
bool ParseSameOrFunctionType(mlir::Parser& parser, mlir::Operation& op);
// Parses `{…} dense<…> : T`, the value of a constant and its type.
bool ParseConstantValue(mlir::Parser& parser, mlir::Operation& op);
// Makes a string.
const mlir::Attribute* MakeString(mlir::Parser& parser, absl::string_view text, size_t offset);
// Makes an integer of type i32.
const mlir::Attribute* MakeInt32(mlir::Parser& parser, int64_t value, size_t offset);
// Parses `[DEFAULT, HIGH]` as an array of #stablehlo<precision …>.
bool ParsePrecisionList(mlir::Parser& parser, const mlir::Attribute** attribute);
// Parses `key = value, …` up to '>' into the entries of a dialect attribute.
bool ParseStructBody(mlir::Parser& parser, mlir::Attribute& attribute);
// Parses `[b, 0, f]x[0, i, o]->[b, 0, f]`, or `raw key = value, …`, as entries that are named like
// those of the raw form.
bool ParseConvolutionDims(mlir::Parser& parser, mlir::Attribute& attribute);

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_SYNTAX_SYNTAX_H_
