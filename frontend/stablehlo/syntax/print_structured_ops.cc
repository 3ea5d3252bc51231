// Pretty forms with a grammar of their own: constant, tuples, calls, convolution, reduce, while,
// and sdy's.
#include <algorithm>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "frontend/stablehlo/op_reader.h"
#include "frontend/stablehlo/syntax/print_syntax.h"

namespace halyard::stablehlo {
namespace {

using mlir::Attribute;
using mlir::AttributeKind;
using mlir::Operation;
using mlir::Printer;
using mlir::Value;

// constant dense<…> : T; of quantized types constant() <{value = …}> : () -> T
bool PrintConstant(Printer& printer, const Operation& op) {
  const Attribute* value = op.Attr("value");
  if (value == nullptr || value->type == nullptr || !op.operands.empty() ||
      op.results.size() != 1) {
    return false;
  }
  constexpr absl::string_view kElided[] = {"value"};
  if (!mlir::SameType(*value->type, *op.results[0]->type)) {
    printer.Text("() <{value = ");
    printer.AttributeOf(*value);
    printer.Text("}>");
    printer.Dictionary(op, kElided);
    printer.Text(" : ");
    printer.FunctionType(op);
    return true;
  }
  printer.Dictionary(op, kElided);
  printer.Text(" ");
  printer.AttributeOf(*value);
  return true;
}

// tuple %a, %b : tuple<T, U>
bool PrintTuple(Printer& printer, const Operation& op) {
  if (op.results.size() != 1) return false;
  const mlir::Type& type = *op.results[0]->type;
  if (type.kind != mlir::TypeKind::kTuple || type.elements.size() != op.operands.size()) {
    return false;
  }
  for (size_t i = 0; i < op.operands.size(); ++i) {
    if (!mlir::SameType(*op.operands[i]->type, *type.elements[i])) return false;
  }
  printer.Text(" ");
  printer.OperandNames(op.operands);
  printer.Dictionary(op, {});
  printer.Text(" : ");
  printer.TypeOf(type);
  return true;
}

// get_tuple_element %t[0] : (tuple<…>) -> T
bool PrintGetTupleElement(Printer& printer, const Operation& op) {
  const Attribute* index = op.Attr("index");
  if (index == nullptr || !index->Is(AttributeKind::kInteger) || op.operands.size() != 1) {
    return false;
  }
  printer.Text(" ");
  printer.OperandNames(op.operands);
  printer.Text(absl::StrCat("[", index->integer, "]"));
  constexpr absl::string_view kElided[] = {"index"};
  printer.Dictionary(op, kElided);
  printer.Text(" : ");
  printer.FunctionType(op);
  return true;
}

// optimization_barrier %a, %b : T, U
bool PrintBarrier(Printer& printer, const Operation& op) {
  bool same = !op.operands.empty() && op.results.size() == op.operands.size();
  for (size_t i = 0; same && i < op.operands.size(); ++i) {
    same = mlir::SameType(*op.operands[i]->type, *op.results[i]->type);
  }
  if (!same) return false;
  printer.Text(" ");
  printer.OperandNames(op.operands);
  printer.Dictionary(op, {});
  printer.Text(" : ");
  printer.TypesOf(op.operands);
  return true;
}

bool IsDefaultOfCustomCall(const mlir::NamedAttribute& entry) {
  const Attribute& value = *entry.value;
  if (entry.name == "api_version") return value.Is(AttributeKind::kInteger) && value.integer == 1;
  if (entry.name == "has_side_effect") return value.Is(AttributeKind::kBool) && !value.boolean;
  return entry.name == "called_computations" && value.Is(AttributeKind::kArray) &&
         value.elements.empty();
}

// custom_call @target(%a) {…} : (T) -> U
bool PrintCustomCall(Printer& printer, const Operation& op) {
  const Attribute* target = op.Attr("call_target_name");
  if (target == nullptr || !target->Is(AttributeKind::kString) || !op.regions.empty()) return false;
  std::string symbol;
  mlir::AppendSymbol(target->text, &symbol);
  printer.Text(absl::StrCat(" ", symbol, "("));
  printer.OperandNames(op.operands);
  printer.Text(")");
  std::vector<absl::string_view> elided = {"call_target_name"};
  for (const mlir::NamedAttribute& entry : op.attributes) {
    if (IsDefaultOfCustomCall(entry)) elided.push_back(entry.name);
  }
  printer.Dictionary(op, elided);
  printer.Text(" : ");
  printer.FunctionType(op);
  return true;
}

// composite "ns.op" %a, %b {decomposition = @f} : (T) -> U
bool PrintComposite(Printer& printer, const Operation& op) {
  const Attribute* name = op.Attr("name");
  if (name == nullptr || !name->Is(AttributeKind::kString) || !op.regions.empty()) return false;
  printer.Text(" ");
  printer.AttributeOf(*name);
  printer.Text(" ");
  printer.OperandNames(op.operands);
  std::vector<absl::string_view> elided = {"name"};
  const Attribute* fields = op.Attr("composite_attributes");
  if (fields != nullptr && fields->Is(AttributeKind::kDictionary) && fields->entries.empty()) {
    elided.push_back("composite_attributes");
  }
  const Attribute* version = op.Attr("version");
  if (version != nullptr && version->Is(AttributeKind::kInteger) && version->integer == 0) {
    elided.push_back("version");
  }
  printer.Dictionary(op, elided);
  printer.Text(" : ");
  printer.FunctionType(op);
  return true;
}

// `[[0, 1], …]` of an N×2 tensor.
bool PrintPadding(Printer& printer, const Attribute& padding) {
  hlo::Ints values;
  if (padding.data == nullptr || padding.type == nullptr || padding.type->dims.size() != 2 ||
      padding.type->dims[1] != 2 || !DenseInts(*padding.data, &values)) {
    return false;
  }
  printer.Text("[");
  for (size_t i = 0; i + 1 < values.size(); i += 2) {
    printer.Text(absl::StrCat(i ? ", " : "", "[", values[i], ", ", values[i + 1], "]"));
  }
  printer.Text("]");
  return true;
}

// `[true, false]`
bool PrintBools(Printer& printer, const Attribute& bools) {
  hlo::Ints values;
  if (bools.data == nullptr || !DenseInts(*bools.data, &values)) return false;
  printer.Text("[");
  for (size_t i = 0; i < values.size(); ++i) {
    printer.Text(absl::StrCat(i ? ", " : "", values[i] ? "true" : "false"));
  }
  printer.Text("]");
  return true;
}

constexpr std::pair<absl::string_view, absl::string_view> kWindow[] = {
    {"stride", "window_strides"},   {"pad", "padding"},
    {"lhs_dilate", "lhs_dilation"}, {"rhs_dilate", "rhs_dilation"},
    {"reverse", "window_reversal"},
};

// convolution(%a, %b) dim_numbers = […]x[…]->[…], window = {…} {…} : (T, T) -> U
bool PrintConvolution(Printer& printer, const Operation& op) {
  const Attribute* dims = op.Attr("dimension_numbers");
  std::string text;
  if (dims == nullptr || !dims->Is(AttributeKind::kDialect) || !dims->text.empty() ||
      !AppendConvolutionDims(*dims, &text)) {
    return false;
  }
  printer.Text("(");
  printer.OperandNames(op.operands);
  printer.Text(absl::StrCat(") dim_numbers = ", text, ", window = {"));
  std::vector<absl::string_view> elided = {"dimension_numbers"};
  const char* comma = "";
  for (auto [key, name] : kWindow) {
    const Attribute* value = op.Attr(name);
    if (value == nullptr) continue;
    elided.push_back(name);
    printer.Text(absl::StrCat(std::exchange(comma, ", "), key, " = "));
    if (!(key == "pad"       ? PrintPadding(printer, *value)
          : key == "reverse" ? PrintBools(printer, *value)
                             : PrintInts(printer, value))) {
      return false;
    }
  }
  printer.Text("}");
  printer.Dictionary(op, elided);
  printer.Text(" : ");
  printer.FunctionType(op);
  return true;
}

// Bodies of one of these ops on both arguments, in order, are printed as `applies stablehlo.add`.
constexpr absl::string_view kApplied[] = {
    "stablehlo.add",      "stablehlo.and", "stablehlo.maximum", "stablehlo.minimum",
    "stablehlo.multiply", "stablehlo.or",  "stablehlo.xor",
};

// The op that the body applies, or null.
const Operation* AppliedOp(const Operation& op) {
  const mlir::Block& block = *op.regions[0].blocks[0];
  if (op.operands.size() != 2 || block.operations.size() != 2 || block.arguments.size() != 2) {
    return nullptr;
  }
  const Operation& inner = *block.operations[0];
  const Operation& end = *block.operations[1];
  const mlir::Type& type = *block.arguments[0]->type;
  const bool both = inner.operands.size() == 2 && inner.results.size() == 1 &&
                    inner.operands[0] == block.arguments[0].get() &&
                    inner.operands[1] == block.arguments[1].get();
  if (!both ||
      std::find(std::begin(kApplied), std::end(kApplied), inner.name) == std::end(kApplied))
    return nullptr;
  if (end.name != "stablehlo.return" || end.operands.size() != 1 ||
      end.operands[0] != inner.results[0].get()) {
    return nullptr;
  }
  // What `applies` is read as: everything of the initial value's type, without attributes.
  const mlir::Type& input = *op.operands[0]->type;
  const bool scalars = type.IsTensor() && type.dims.empty() && input.IsTensor() &&
                       mlir::SameType(*type.elements[0], *input.elements[0]) &&
                       mlir::SameType(*block.arguments[1]->type, type) &&
                       mlir::SameType(*inner.results[0]->type, type);
  return scalars && inner.attributes.empty() && end.attributes.empty() ? &inner : nullptr;
}

// ` reducer(%acc: T, %value: T) (%acc: U, %value: U)  {…}`
void PrintReducer(Printer& printer, const Operation& op, size_t inputs) {
  const auto& arguments = op.regions[0].blocks[0]->arguments;
  printer.NewLine();
  printer.Text(printer.Indentation());
  printer.Text(" reducer");
  for (size_t i = 0; i < inputs; ++i) {
    printer.Text("(");
    printer.ArgumentOf(*arguments[i]);
    printer.Text(", ");
    printer.ArgumentOf(*arguments[i + inputs]);
    printer.Text(") ");
  }
  printer.Text(" ");
  printer.RegionOf(op, op.regions[0], false);
}

// reduce(%x init: %c), (%y init: %d) [applies stablehlo.add] across dimensions = [1] {…} : (T, T)
// -> U [reducer…]
bool PrintReduce(Printer& printer, const Operation& op) {
  const size_t inputs = op.operands.size() / 2;
  if (inputs == 0 || op.operands.size() % 2 != 0 || op.regions.size() != 1 ||
      op.regions[0].blocks.size() != 1 ||
      op.regions[0].blocks[0]->arguments.size() != op.operands.size() ||
      op.regions[0].blocks[0]->operations.empty()) {
    return false;
  }
  for (size_t i = 0; i < inputs; ++i) {
    printer.Text(i > 0 ? ", (" : "(");
    printer.OperandName(op.operands[i]);
    printer.Text(" init: ");
    printer.OperandName(op.operands[i + inputs]);
    printer.Text(")");
  }
  const Operation* applied = AppliedOp(op);
  if (applied != nullptr) printer.Text(absl::StrCat(" applies ", applied->name));
  printer.Text(" across dimensions = ");
  if (!PrintInts(printer, op.Attr("dimensions"))) return false;
  constexpr absl::string_view kElided[] = {"dimensions"};
  printer.Dictionary(op, kElided);
  printer.Text(" : ");
  printer.FunctionType(op);
  if (applied == nullptr) PrintReducer(printer, op, inputs);
  return true;
}

// while(%i = %c0, %n = %c1) : T, U [attributes {…}] cond {…} do {…}
bool PrintWhile(Printer& printer, const Operation& op) {
  if (op.regions.size() != 2 || op.results.size() != op.operands.size()) return false;
  for (const mlir::Region& region : op.regions) {
    if (region.blocks.size() != 1) return false;
    const auto& arguments = region.blocks[0]->arguments;
    if (arguments.size() != op.operands.size() || region.blocks[0]->operations.empty())
      return false;
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (!mlir::SameType(*arguments[i]->type, *op.operands[i]->type) ||
          !mlir::SameType(*op.results[i]->type, *op.operands[i]->type)) {
        return false;
      }
    }
  }
  // Both regions' arguments have one name in this form: the second's is that of the first.
  printer.Text("(");
  for (size_t i = 0; i < op.operands.size(); ++i) {
    if (i > 0) printer.Text(", ");
    printer.OperandName(op.regions[0].blocks[0]->arguments[i].get());
    printer.Text(" = ");
    printer.OperandName(op.operands[i]);
  }
  printer.Text(")");
  if (!op.operands.empty()) {
    printer.Text(" : ");
    printer.TypesOf(op.operands);
  }
  printer.Dictionary(op, {}, "attributes");
  printer.NewLine();
  printer.Text(printer.Indentation());
  printer.Text("cond ");
  printer.RegionOf(op, op.regions[0], false);
  printer.Text(" do ");
  printer.RegionOf(op, op.regions[1], false);
  return true;
}

bool PrintReturn(Printer& printer, const Operation& op) {
  if (!op.results.empty() || !op.regions.empty()) return false;
  printer.Text(" ");
  printer.OperandNames(op.operands);
  printer.Dictionary(op.attributes);
  if (op.operands.empty()) return true;
  printer.Text(" : ");
  printer.TypesOf(op.operands);
  return true;
}

// The text between the brackets of #sdy.mesh<…> or #sdy.sharding<…>.
bool PrintShardyBody(Printer& printer, const Attribute* attribute, absl::string_view name) {
  if (attribute == nullptr || !attribute->Is(AttributeKind::kDialect) || attribute->name != name) {
    return false;
  }
  printer.Text(absl::StrCat("<", attribute->text, ">"));
  return true;
}

// sdy.mesh @mesh = <["a"=2]>
bool PrintMesh(Printer& printer, const Operation& op) {
  const Attribute* name = op.Attr("sym_name");
  if (name == nullptr || !name->Is(AttributeKind::kString)) return false;
  std::string symbol;
  mlir::AppendSymbol(name->text, &symbol);
  printer.Text(absl::StrCat(" ", symbol, " = "));
  if (!PrintShardyBody(printer, op.Attr("mesh"), "sdy.mesh")) return false;
  constexpr absl::string_view kElided[] = {"mesh", "sym_name"};
  printer.Dictionary(op, kElided);
  return true;
}

// sdy.sharding_constraint %x <@mesh, […]> : T
bool PrintShardingConstraint(Printer& printer, const Operation& op) {
  if (op.operands.size() != 1 || op.results.size() != 1) return false;
  printer.Text(" ");
  printer.OperandNames(op.operands);
  printer.Text(" ");
  if (!PrintShardyBody(printer, op.Attr("sharding"), "sdy.sharding")) return false;
  constexpr absl::string_view kElided[] = {"sharding"};
  printer.Dictionary(op, kElided);
  PrintSameOrFunctionType(printer, op);
  return true;
}

}  // namespace

void AddStructuredOpPrinters(mlir::PrintSyntax& syntax) {
  syntax.ops["stablehlo.constant"] = PrintConstant;
  syntax.ops["stablehlo.convolution"] = PrintConvolution;
  syntax.ops["stablehlo.custom_call"] = PrintCustomCall;
  syntax.ops["stablehlo.composite"] = PrintComposite;
  syntax.ops["stablehlo.get_tuple_element"] = PrintGetTupleElement;
  syntax.ops["stablehlo.optimization_barrier"] = PrintBarrier;
  syntax.ops["stablehlo.reduce"] = PrintReduce;
  syntax.ops["stablehlo.return"] = PrintReturn;
  syntax.ops["stablehlo.tuple"] = PrintTuple;
  syntax.ops["stablehlo.while"] = PrintWhile;
  syntax.ops["sdy.mesh"] = PrintMesh;
  syntax.ops["sdy.sharding_constraint"] = PrintShardingConstraint;
}

}  // namespace halyard::stablehlo
