// What StableHLO, CHLO and sdy ops look like in text: the hooks that the printer of MLIR needs;
// what they print is what syntax.h's hooks read, and what jaxlib prints.
#ifndef HALYARD_FRONTEND_STABLEHLO_PRINT_SYNTAX_H_
#define HALYARD_FRONTEND_STABLEHLO_PRINT_SYNTAX_H_

#include "absl/types/span.h"
#include "frontend/mlir/print.h"

namespace halyard::stablehlo {

// Built once.
const mlir::PrintSyntax& StableHloPrintSyntax();

// The parts of it.
void AddAttributePrinters(mlir::PrintSyntax& syntax);     // print_attributes.cc
void AddKeywordOpPrinters(mlir::PrintSyntax& syntax);     // print_keyword_ops.cc
void AddStructuredOpPrinters(mlir::PrintSyntax& syntax);  // print_structured_ops.cc
void AddChloPrinters(mlir::PrintSyntax& syntax);          // print_chlo.cc
void AddCheckPrinters(mlir::PrintSyntax& syntax);         // print_check.cc

// `<letters and numbers of #stablehlo.conv>`: `[b, 0, f]x[0, i, o]->[b, 0, f]`. False: the numbers
// cannot be written so.
bool AppendConvolutionDims(const mlir::Attribute& dims, std::string* out);
// `name = value, …`: what stands between '<' and '>' of a structure of StableHLO, fields in order,
// those with their default left out.
void AppendStructFields(const mlir::Attribute& attribute, std::string* out);

// The word of an enumeration; empty if it is none.
absl::string_view WordOf(const mlir::Attribute* attribute);
// ` : T` if all operands and results have that type, else ` : (T, …) -> U`.
void PrintSameOrFunctionType(mlir::Printer& printer, const mlir::Operation& op);
// `[1, 2]`. False: it is no list of integers.
bool PrintInts(mlir::Printer& printer, const mlir::Attribute* attribute);
// `[DEFAULT, HIGH]`. False: it is no list of words.
bool PrintPrecision(mlir::Printer& printer, const mlir::Attribute& attribute);

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_PRINT_SYNTAX_H_
