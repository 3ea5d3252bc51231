// Pretty forms of the check ops of test programs.
#include "absl/strings/str_cat.h"
#include "frontend/mlir/print_number.h"
#include "frontend/stablehlo/syntax/print_syntax.h"

namespace halyard::stablehlo {
namespace {

using mlir::Attribute;
using mlir::AttributeKind;
using mlir::Operation;
using mlir::Printer;

// `, name = 3` or `, name = 1.000000e-01`, if the op says so.
bool PrintNumber(Printer& printer, const Operation& op, absl::string_view attribute,
                 absl::string_view name) {
  const Attribute* value = op.Attr(attribute);
  if (value == nullptr) return true;
  printer.Text(absl::StrCat(", ", name, " = "));
  if (value->Is(AttributeKind::kInteger)) {
    if (value->type != nullptr && value->type->name == "ui64") {
      printer.Text(absl::StrCat(static_cast<uint64_t>(value->integer)));
    } else {
      printer.Number(value->integer);
    }
  } else if (value->Is(AttributeKind::kFloat)) {
    printer.Text(mlir::FormatFloat(hlo::ElementType::kF64,
                                   hlo::EncodeFloat(hlo::ElementType::kF64, value->number)));
  } else {
    return false;
  }
  return true;
}

// check.expect_eq %a, %b : T, with a tolerance, or with a constant in place of %b.
bool PrintExpectation(Printer& printer, const Operation& op) {
  constexpr absl::string_view kElided[] = {"tolerance", "value"};
  const Attribute* value = op.Attr("value");
  const size_t operands = value == nullptr ? 2 : 1;
  if (op.operands.size() != operands || !op.results.empty()) return false;
  for (const mlir::Value* operand : op.operands) {
    if (!mlir::SameType(*operand->type, *op.operands[0]->type)) return false;
  }
  printer.Text(" ");
  printer.OperandNames(op.operands);
  if (value != nullptr) {
    if (value->data == nullptr) return false;
    printer.Text(", ");
    printer.AttributeOf(*value);
    if (!PrintNumber(printer, op, "tolerance", "tolerance")) return false;
    printer.Dictionary(op, kElided);
    return true;
  }
  if (!PrintNumber(printer, op, "tolerance", "tolerance")) return false;
  printer.Dictionary(op, kElided);
  printer.Text(" : ");
  printer.TypeOf(*op.operands[0]->type);
  return true;
}

// check.expect_close %a, %b, max_ulp_difference = 3 : T, U
bool PrintClose(Printer& printer, const Operation& op) {
  constexpr absl::string_view kElided[] = {"max_ulp_difference", "min_ulp_difference"};
  if (op.operands.size() != 2 || !op.results.empty()) return false;
  printer.Text(" ");
  printer.OperandNames(op.operands);
  for (absl::string_view name : kElided) {
    if (!PrintNumber(printer, op, name, name)) return false;
  }
  printer.Text(" :");
  printer.Dictionary(op, kElided);
  printer.Text(" ");
  printer.TypesOf(op.operands);
  return true;
}

// check.expect_serialized_eq %a, probe_id = "p", iter = 1 : T
// interpreter.probe %a, probe_id = "p" : T
bool PrintProbed(Printer& printer, const Operation& op) {
  constexpr absl::string_view kElided[] = {"iteration", "probe_id"};
  const Attribute* probe = op.Attr("probe_id");
  const size_t results = op.name == "interpreter.probe" ? 1 : 0;
  if (op.operands.size() != 1 || op.results.size() != results || probe == nullptr ||
      !probe->Is(AttributeKind::kString)) {
    return false;
  }
  for (const auto& result : op.results) {
    if (!mlir::SameType(*op.operands[0]->type, *result->type)) return false;
  }
  printer.Text(" ");
  printer.OperandNames(op.operands);
  printer.Text(", probe_id = ");
  printer.AttributeOf(*probe);
  if (!PrintNumber(printer, op, "iteration", "iter")) return false;
  printer.Dictionary(op, kElided);
  printer.Text(" : ");
  printer.TypeOf(*op.operands[0]->type);
  return true;
}

}  // namespace

void AddCheckPrinters(mlir::PrintSyntax& syntax) {
  for (const char* name : {"check.expect_eq", "check.expect_eq_const", "check.expect_almost_eq",
                           "check.expect_almost_eq_const"}) {
    syntax.ops[name] = PrintExpectation;
  }
  syntax.ops["check.expect_close"] = PrintClose;
  syntax.ops["check.expect_serialized_eq"] = PrintProbed;
  syntax.ops["interpreter.probe"] = PrintProbed;
}

}  // namespace halyard::stablehlo
