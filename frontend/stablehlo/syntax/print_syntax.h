// The forms of StableHLO, CHLO and sdy ops in text: the hooks that the printer of MLIR needs. The
// hooks of syntax.h read what these print, which is what jaxlib prints.
#ifndef HALYARD_FRONTEND_STABLEHLO_SYNTAX_PRINT_SYNTAX_H_
#define HALYARD_FRONTEND_STABLEHLO_SYNTAX_PRINT_SYNTAX_H_

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

// Appends `<letters and numbers of #stablehlo.conv>`: `[b, 0, f]x[0, i, o]->[b, 0, f]`. Returns
// false if the numbers cannot be written so.
bool AppendConvolutionDims(const mlir::Attribute& dims, std::string* out);
// Appends `name = value, …`, which stands between '<' and '>' of a structure of StableHLO. Fields
// are in order, and those that have their default are left out.
void AppendStructFields(const mlir::Attribute& attribute, std::string* out);

// Returns the word of an enumeration, or an empty text if it is not one.
absl::string_view WordOf(const mlir::Attribute* attribute);
// Prints ` : T` if all operands and results have that type, else ` : (T, …) -> U`.
void PrintSameOrFunctionType(mlir::Printer& printer, const mlir::Operation& op);
// Prints `[1, 2]`. Returns false if it is not a list of integers.
bool PrintInts(mlir::Printer& printer, const mlir::Attribute* attribute);
// Prints `[DEFAULT, HIGH]`. Returns false if it is not a list of words.
bool PrintPrecision(mlir::Printer& printer, const mlir::Attribute& attribute);

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_SYNTAX_PRINT_SYNTAX_H_
