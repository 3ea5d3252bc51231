// Ops printed as `name %a, %b, key = value, … {attributes} : types`, and those with operands alone.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "frontend/stablehlo/op_reader.h"
#include "frontend/stablehlo/syntax/keyword_ops.h"
#include "frontend/stablehlo/syntax/print_syntax.h"

namespace halyard::stablehlo {
namespace {

using mlir::Attribute;
using mlir::AttributeKind;
using mlir::Operation;
using mlir::Printer;

// Ops that always say the types of operands and results, even if they are the same.
constexpr absl::string_view kFunctionTyped[] = {
    "bitcast_convert",
    "broadcast",
    "broadcast_in_dim",
    "concatenate",
    "dot",
    "dot_general",
    "dynamic_broadcast_in_dim",
    "dynamic_iota",
    "dynamic_pad",
    "dynamic_reshape",
    "dynamic_slice",
    "dynamic_update_slice",
    "einsum",
    "fft",
    "get_dimension_size",
    "pad",
    "real_dynamic_slice",
    "reshape",
    "rng",
    "rng_bit_generator",
    "set_dimension_size",
    "transpose",
    "unary_einsum",
};

bool Contains(absl::Span<const absl::string_view> names, absl::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// #stablehlo.result_accuracy<mode = …DEFAULT>, which goes without saying.
bool IsDefaultAccuracy(const Attribute& accuracy) {
  const Attribute* mode = mlir::Find(accuracy.entries, "mode");
  return mode != nullptr && mode->text == "DEFAULT" && accuracy.entries.size() == 1;
}

// What `key = value` prints; the attributes it stands for join `elided`.
class KeywordPrinter {
 public:
  KeywordPrinter(Printer& printer, const Operation& op) : printer_(printer), op_(op) {
    comma_ = op.operands.empty() ? " " : ", ";
  }

  // False: the generic form must be used.
  bool Print(const Keyword& keyword) {
    switch (keyword.kind) {
      case KeywordKind::kFormat:
        return PrintFormat(keyword);
      case KeywordKind::kDimPair:
        return PrintDimPair(keyword);
      default:
        break;
    }
    const Attribute* value = op_.Attr(keyword.attr);
    const bool optional = keyword.kind == KeywordKind::kPrecision ||
                          keyword.kind == KeywordKind::kBool ||
                          keyword.kind == KeywordKind::kAlgorithm;
    if (value == nullptr) return optional;
    elided_.push_back(keyword.attr);
    if (keyword.kind == KeywordKind::kBool && value->Is(AttributeKind::kBool) && !value->boolean) {
      return true;
    }
    Key(keyword.key);
    return PrintValue(keyword, *value);
  }

  const std::vector<absl::string_view>& elided() const { return elided_; }
  void Elide(absl::string_view name) { elided_.push_back(name); }

 private:
  void Key(absl::string_view key) {
    printer_.Text(comma_);
    comma_ = ", ";
    printer_.Text(key);
    printer_.Text(" = ");
  }

  bool PrintValue(const Keyword& keyword, const Attribute& value) {
    switch (keyword.kind) {
      case KeywordKind::kInts:
        return PrintInts(printer_, &value);
      case KeywordKind::kInt:
        if (!value.Is(AttributeKind::kInteger)) return false;
        printer_.Number(value.integer);
        return true;
      case KeywordKind::kBool:
        if (!value.Is(AttributeKind::kBool)) return false;
        printer_.Text("true");
        return true;
      case KeywordKind::kString:
        if (!value.Is(AttributeKind::kString)) return false;
        printer_.AttributeOf(value);
        return true;
      case KeywordKind::kPrecision:
        return PrintPrecision(printer_, value);
      case KeywordKind::kEnum:
        if (value.name != keyword.enum_name || WordOf(&value).empty()) return false;
        printer_.Text(value.text);
        return true;
      case KeywordKind::kAlgorithm: {
        if (!value.Is(AttributeKind::kDialect) || !value.text.empty()) return false;
        std::string fields;
        AppendStructFields(value, &fields);
        printer_.Text(absl::StrCat("<", fields, ">"));
        return true;
      }
      default:
        return false;
    }
  }

  // e8m10
  bool PrintFormat(const Keyword& keyword) {
    const Attribute* exponent = op_.Attr("exponent_bits");
    const Attribute* mantissa = op_.Attr("mantissa_bits");
    if (exponent == nullptr || mantissa == nullptr || !exponent->Is(AttributeKind::kInteger) ||
        !mantissa->Is(AttributeKind::kInteger) || exponent->integer < 0 || mantissa->integer < 0) {
      return false;
    }
    Key(keyword.key);
    printer_.Text(absl::StrCat("e", exponent->integer, "m", mantissa->integer));
    elided_.push_back("exponent_bits");
    elided_.push_back("mantissa_bits");
    return true;
  }

  // `[0] x [1]`; batching_dims are left out when there are none.
  bool PrintDimPair(const Keyword& keyword) {
    const Attribute* dims = op_.Attr("dot_dimension_numbers");
    if (dims == nullptr || !dims->Is(AttributeKind::kDialect) || !dims->text.empty()) return false;
    elided_.push_back("dot_dimension_numbers");
    auto field = [&](absl::string_view side) {
      return mlir::Find(dims->entries, absl::StrCat(side, "_", keyword.attr, "_dimensions"));
    };
    const Attribute* lhs = field("lhs");
    const Attribute* rhs = field("rhs");
    auto empty = [](const Attribute* list) {
      return list == nullptr || (list->data != nullptr && list->data->count == 0);
    };
    if (keyword.attr == "batching" && empty(lhs) && empty(rhs)) return true;
    Key(keyword.key);
    auto print = [&](const Attribute* list) {
      if (list != nullptr) return PrintInts(printer_, list);
      printer_.Text("[]");
      return true;
    };
    if (!print(lhs)) return false;
    printer_.Text(" x ");
    return print(rhs);
  }

  Printer& printer_;
  const Operation& op_;
  absl::string_view comma_;
  std::vector<absl::string_view> elided_;
};

bool PrintKeywordOp(Printer& printer, const Operation& op) {
  if (!op.regions.empty() || op.results.empty()) return false;
  absl::string_view name = op.name;
  absl::ConsumePrefix(&name, "stablehlo.");
  // jaxlib prints `%x, , sizes = []`, which it does not read.
  if (name == "dynamic_slice" && op.operands.size() == 1) return false;
  KeywordPrinter keywords(printer, op);
  if (!op.operands.empty()) {
    printer.Text(" ");
    printer.OperandNames(op.operands);
  } else if (name == "after_all") {
    printer.Text(" ");
  }
  for (const Keyword& keyword : kKeywords) {
    if (keyword.op == name && !keywords.Print(keyword)) return false;
  }
  const Attribute* accuracy = op.Attr("result_accuracy");
  if (accuracy != nullptr && IsDefaultAccuracy(*accuracy)) keywords.Elide("result_accuracy");
  printer.Dictionary(op, keywords.elided());
  if (!Contains(kFunctionTyped, name)) {
    PrintSameOrFunctionType(printer, op);
    return true;
  }
  printer.Text(" : ");
  printer.FunctionType(op);
  return true;
}

// The word if it is one of the enumeration `name`.
absl::string_view EnumOf(const Attribute* attribute, absl::string_view name) {
  const bool known = attribute != nullptr && attribute->name == absl::StrCat("stablehlo.", name);
  return known ? WordOf(attribute) : "";
}

// compare LT, %a, %b[, TOTALORDER]
bool PrintCompare(Printer& printer, const Operation& op) {
  absl::string_view direction = EnumOf(op.Attr("comparison_direction"), "comparison_direction");
  if (direction.empty() || op.operands.size() != 2) return false;
  printer.Text(absl::StrCat(" ", direction, ", "));
  printer.OperandNames(op.operands);
  if (const Attribute* type = op.Attr("compare_type")) {
    if (EnumOf(type, "comparison_type").empty()) return false;
    printer.Text(absl::StrCat(", ", WordOf(type)));
  }
  constexpr absl::string_view kElided[] = {"compare_type", "comparison_direction"};
  printer.Dictionary(op, kElided);
  printer.Text(" : ");
  printer.FunctionType(op);
  return true;
}

// select %p, %a, %b : tensor<i1>, T
bool PrintSelect(Printer& printer, const Operation& op) {
  if (op.operands.size() != 3 || op.results.size() != 1) return false;
  printer.Text(" ");
  printer.OperandNames(op.operands);
  printer.Dictionary(op, {});
  printer.Text(" : ");
  const mlir::Type& type = *op.results[0]->type;
  if (!mlir::SameType(*op.operands[1]->type, type) ||
      !mlir::SameType(*op.operands[2]->type, type)) {
    printer.FunctionType(op);
    return true;
  }
  printer.TypeOf(*op.operands[0]->type);
  printer.Text(", ");
  printer.TypeOf(type);
  return true;
}

// complex %a, %b : T, where T is the result's type
bool PrintComplex(Printer& printer, const Operation& op) {
  if (op.operands.size() != 2 || op.results.size() != 1) return false;
  printer.Text(" ");
  printer.OperandNames(op.operands);
  printer.Dictionary(op, {});
  printer.Text(" : ");
  const mlir::Type& result = *op.results[0]->type;
  bool implied = result.IsTensor() && result.elements[0]->kind == mlir::TypeKind::kComplex;
  for (const mlir::Value* operand : op.operands) {
    const mlir::Type& type = *operand->type;
    implied = implied && type.IsTensor() && type.dims == result.dims && type.encoding == nullptr &&
              result.encoding == nullptr &&
              mlir::SameType(*type.elements[0], *result.elements[0]->elements[0]);
  }
  if (implied) {
    printer.TypeOf(result);
  } else {
    printer.FunctionType(op);
  }
  return true;
}

// slice %x [start:limit:stride, …]
bool PrintSlice(Printer& printer, const Operation& op) {
  hlo::Ints bounds[3];
  constexpr absl::string_view kNames[] = {"start_indices", "limit_indices", "strides"};
  if (op.operands.size() != 1) return false;
  for (int i = 0; i < 3; ++i) {
    const Attribute* list = op.Attr(kNames[i]);
    if (list == nullptr || list->data == nullptr || !DenseInts(*list->data, &bounds[i]) ||
        bounds[i].size() != bounds[0].size()) {
      return false;
    }
  }
  printer.Text(" ");
  printer.OperandNames(op.operands);
  printer.Text(" [");
  for (size_t i = 0; i < bounds[0].size(); ++i) {
    printer.Text(absl::StrCat(i ? ", " : "", bounds[0][i], ":", bounds[1][i]));
    if (bounds[2][i] != 1) printer.Text(absl::StrCat(":", bounds[2][i]));
  }
  printer.Text("]");
  printer.Dictionary(op, kNames);
  printer.Text(" : ");
  printer.FunctionType(op);
  return true;
}

}  // namespace

void PrintSameOrFunctionType(Printer& printer, const Operation& op) {
  printer.Text(" : ");
  bool same = op.results.size() == 1;
  for (const mlir::Value* operand : op.operands) {
    same = same && mlir::SameType(*operand->type, *op.results[0]->type);
  }
  if (same) {
    printer.TypeOf(*op.results[0]->type);
  } else {
    printer.FunctionType(op);
  }
}

bool PrintInts(Printer& printer, const Attribute* attribute) {
  hlo::Ints ints;
  if (attribute == nullptr || attribute->data == nullptr || !DenseInts(*attribute->data, &ints) ||
      attribute->data->element_type != hlo::ElementType::kS64) {
    return false;
  }
  printer.Text("[");
  for (size_t i = 0; i < ints.size(); ++i) {
    if (i > 0) printer.Text(", ");
    printer.Number(ints[i]);
  }
  printer.Text("]");
  return true;
}

bool PrintPrecision(Printer& printer, const Attribute& attribute) {
  if (!attribute.Is(AttributeKind::kArray)) return false;
  printer.Text("[");
  const char* comma = "";
  for (const Attribute* word : attribute.elements) {
    if (word->name != "stablehlo.precision" || WordOf(word).empty()) return false;
    printer.Text(std::exchange(comma, ", "));
    printer.Text(word->text);
  }
  printer.Text("]");
  return true;
}

void AddKeywordOpPrinters(mlir::PrintSyntax& syntax) {
  for (const Keyword& keyword : kKeywords) {
    syntax.ops[absl::StrCat("stablehlo.", keyword.op)] = PrintKeywordOp;
  }
  for (absl::string_view name : kPlainOps) {
    syntax.ops[absl::StrCat("stablehlo.", name)] = PrintKeywordOp;
  }
  syntax.ops["stablehlo.complex"] = PrintComplex;
  syntax.ops["stablehlo.compare"] = PrintCompare;
  syntax.ops["stablehlo.select"] = PrintSelect;
  syntax.ops["stablehlo.slice"] = PrintSlice;
}

}  // namespace halyard::stablehlo
