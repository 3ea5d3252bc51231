// Pretty forms of CHLO ops.
#include "absl/strings/str_cat.h"
#include "frontend/stablehlo/syntax/keyword_ops.h"
#include "frontend/stablehlo/syntax/print_syntax.h"

namespace halyard::stablehlo {
namespace {

using mlir::Attribute;
using mlir::AttributeKind;
using mlir::Operation;
using mlir::Printer;

// `chlo.zeta %x, %q : T, T -> T`
bool PrintElementwise(Printer& printer, const Operation& op) {
  if (op.operands.empty() || op.results.size() != 1 || !op.regions.empty()) return false;
  printer.Text(" ");
  printer.OperandNames(op.operands);
  printer.Dictionary(op, {});
  printer.Text(" : ");
  printer.TypesOf(op.operands);
  printer.Text(" -> ");
  printer.TypeOf(*op.results[0]->type);
  return true;
}

// `chlo.broadcast_add %x, %y : (T, U) -> V`
bool PrintBroadcasting(Printer& printer, const Operation& op) {
  if (op.operands.empty() || op.results.size() != 1 || !op.regions.empty()) return false;
  printer.Text(" ");
  printer.OperandNames(op.operands);
  printer.Dictionary(op, {});
  printer.Text(" : ");
  printer.FunctionType(op);
  return true;
}

bool PrintChloConstant(Printer& printer, const Operation& op) {
  const Attribute* value = op.Attr("value");
  if (value == nullptr || value->type == nullptr || op.results.size() != 1 ||
      !mlir::SameType(*value->type, *op.results[0]->type)) {
    return false;
  }
  constexpr absl::string_view kElided[] = {"value"};
  printer.Dictionary(op, kElided);
  printer.Text(" ");
  printer.AttributeOf(*value);
  return true;
}

// chlo.top_k(%x, k = 3) : T -> (T, U)
bool PrintTopK(Printer& printer, const Operation& op) {
  const Attribute* k = op.Attr("k");
  if (k == nullptr || !k->Is(AttributeKind::kInteger) || op.operands.size() != 1 ||
      op.results.size() != 2) {
    return false;
  }
  printer.Text("(");
  printer.OperandNames(op.operands);
  printer.Text(absl::StrCat(", k = ", k->integer, ")"));
  constexpr absl::string_view kElided[] = {"k"};
  printer.Dictionary(op, kElided);
  printer.Text(" : ");
  printer.TypeOf(*op.operands[0]->type);
  printer.Text(" -> (");
  printer.TypesOf(op.results);
  printer.Text(")");
  return true;
}

}  // namespace

void AddChloPrinters(mlir::PrintSyntax& syntax) {
  for (absl::string_view name : kChloElementwise) {
    syntax.ops[absl::StrCat("chlo.", name)] = PrintElementwise;
  }
  for (absl::string_view name : kChloBroadcasting) {
    syntax.ops[absl::StrCat("chlo.broadcast_", name)] = PrintBroadcasting;
  }
  syntax.ops["chlo.constant"] = PrintChloConstant;
  syntax.ops["chlo.top_k"] = PrintTopK;
}

}  // namespace halyard::stablehlo
