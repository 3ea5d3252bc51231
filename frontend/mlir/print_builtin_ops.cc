// Pretty forms of module, func.func, func.call and func.return.
#include <algorithm>
#include <array>

#include "frontend/mlir/print.h"

namespace halyard::mlir {
namespace {

struct Properties {
  absl::string_view op;
  std::array<absl::string_view, 6> names;
};
constexpr Properties kOpProperties[] = {
    {"builtin.module", {"sym_name", "sym_visibility"}},
    {"func.func",
     {"arg_attrs", "function_type", "no_inline", "res_attrs", "sym_name", "sym_visibility"}},
    {"func.call", {"arg_attrs", "callee", "no_inline", "res_attrs"}},
};

bool PrintName(Printer& printer, const Operation& op) {
  const Attribute* name = op.Attr("sym_name");
  if (name == nullptr || !name->Is(AttributeKind::kString)) return false;
  std::string text;
  AppendSymbol(name->text, &text);
  printer.Text(text);
  return true;
}

bool PrintModule(Printer& printer, const Operation& op) {
  if (op.regions.size() != 1 || !op.operands.empty() || !op.results.empty()) return false;
  printer.Text(" ");
  if (op.Attr("sym_name") != nullptr) {
    if (!PrintName(printer, op)) return false;
    constexpr absl::string_view kElided[] = {"sym_name"};
    printer.Dictionary(op, kElided, "attributes");
    printer.Text(" ");
  } else {
    const size_t attributes = op.attributes.size();
    if (attributes > 0) {
      printer.Text("attributes");
      printer.Dictionary(op.attributes);
      printer.Text(" ");
    }
  }
  printer.RegionOf(op, op.regions[0], true);
  return true;
}

// The i-th of arg_attrs or res_attrs, or null. Returns false if the attribute is malformed.
bool DictionaryOf(const Attribute* all, size_t i, size_t count, const Attribute** dictionary) {
  *dictionary = nullptr;
  if (all == nullptr) return true;
  if (!all->Is(AttributeKind::kArray) || all->elements.size() != count) return false;
  *dictionary = all->elements[i];
  return (*dictionary)->Is(AttributeKind::kDictionary);
}

bool PrintArguments(Printer& printer, const Operation& op, const Type& type) {
  const Block* entry = op.regions[0].blocks.empty() ? nullptr : op.regions[0].blocks[0].get();
  const size_t count = type.elements.size();
  if (entry != nullptr && entry->arguments.size() != count) return false;
  printer.Text("(");
  for (size_t i = 0; i < count; ++i) {
    const Attribute* dictionary = nullptr;
    if (!DictionaryOf(op.Attr("arg_attrs"), i, count, &dictionary)) return false;
    if (i > 0) printer.Text(", ");
    if (entry != nullptr) {
      if (!SameType(*entry->arguments[i]->type, *type.elements[i])) return false;
      printer.OperandName(entry->arguments[i].get());
      printer.Text(": ");
    }
    printer.TypeOf(*type.elements[i]);
    if (dictionary != nullptr) printer.Dictionary(dictionary->entries);
    if (entry != nullptr) printer.TrailingLocation(entry->arguments[i]->location);
  }
  printer.Text(")");
  return true;
}

bool PrintResultTypes(Printer& printer, const Operation& op, const Type& type) {
  const size_t count = type.results.size();
  if (count == 0) return true;
  bool bare = count == 1 && type.results[0]->kind != TypeKind::kFunction;
  for (size_t i = 0; i < count; ++i) {
    const Attribute* dictionary = nullptr;
    if (!DictionaryOf(op.Attr("res_attrs"), i, count, &dictionary)) return false;
    if (dictionary != nullptr && !dictionary->entries.empty()) bare = false;
  }
  printer.Text(bare ? " -> " : " -> (");
  for (size_t i = 0; i < count; ++i) {
    const Attribute* dictionary = nullptr;
    DictionaryOf(op.Attr("res_attrs"), i, count, &dictionary);
    if (i > 0) printer.Text(", ");
    printer.TypeOf(*type.results[i]);
    if (dictionary != nullptr) printer.Dictionary(dictionary->entries);
  }
  if (!bare) printer.Text(")");
  return true;
}

bool PrintFunction(Printer& printer, const Operation& op) {
  const Attribute* type = op.Attr("function_type");
  if (op.regions.size() != 1 || type == nullptr || type->type == nullptr ||
      type->type->kind != TypeKind::kFunction) {
    return false;
  }
  printer.Text(" ");
  if (const Attribute* visibility = op.Attr("sym_visibility")) {
    const std::string& word = visibility->text;
    if (word != "private" && word != "public" && word != "nested") return false;
    printer.Text(visibility->text);
    printer.Text(" ");
  }
  if (!PrintName(printer, op) || !PrintArguments(printer, op, *type->type) ||
      !PrintResultTypes(printer, op, *type->type)) {
    return false;
  }
  constexpr absl::string_view kElided[] = {"arg_attrs", "function_type", "res_attrs", "sym_name",
                                           "sym_visibility"};
  printer.Dictionary(op, kElided, "attributes");
  if (op.regions[0].blocks.empty()) return true;
  printer.Text(" ");
  printer.RegionOf(op, op.regions[0], false);
  return true;
}

bool PrintCall(Printer& printer, const Operation& op) {
  const Attribute* callee = op.Attr("callee");
  if (callee == nullptr || !callee->Is(AttributeKind::kSymbol)) return false;
  printer.Text(" ");
  printer.AttributeOf(*callee);
  printer.Text("(");
  printer.OperandNames(op.operands);
  printer.Text(")");
  constexpr absl::string_view kElided[] = {"callee"};
  printer.Dictionary(op, kElided);
  printer.Text(" : ");
  printer.FunctionType(op);
  return true;
}

bool PrintReturn(Printer& printer, const Operation& op) {
  if (!op.results.empty() || !op.regions.empty()) return false;
  printer.Dictionary(op.attributes);
  if (op.operands.empty()) return true;
  printer.Text(" ");
  printer.OperandNames(op.operands);
  printer.Text(" : ");
  printer.TypesOf(op.operands);
  return true;
}

}  // namespace

bool IsBuiltinProperty(const Operation& op, absl::string_view attribute) {
  for (const Properties& row : kOpProperties) {
    if (row.op == op.name) {
      return std::find(row.names.begin(), row.names.end(), attribute) != row.names.end();
    }
  }
  return false;
}

void AddBuiltinPrinters(PrintSyntax& syntax) {
  syntax.ops["builtin.module"] = PrintModule;
  syntax.ops["func.func"] = PrintFunction;
  syntax.ops["func.call"] = PrintCall;
  syntax.ops["func.return"] = PrintReturn;
}

}  // namespace halyard::mlir
