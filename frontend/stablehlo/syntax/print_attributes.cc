// #stablehlo<…>, #stablehlo.name<…>, and which attributes are properties.
#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "frontend/stablehlo/dialect_properties.h"
#include "frontend/stablehlo/op_reader.h"
#include "frontend/stablehlo/syntax/print_stablehlo.h"
#include "frontend/stablehlo/syntax/print_syntax.h"

namespace halyard::stablehlo {
namespace {

using mlir::Attribute;
using mlir::AttributeKind;
using mlir::NamedAttribute;
using mlir::Operation;

// A structure's fields in order; those marked are left out when empty or 0.
struct Field {
  absl::string_view name;
  bool optional = true;
};
struct Struct {
  absl::string_view name;
  std::vector<Field> fields;
};
const std::vector<Struct>& Structs() {
  static const auto* structs = new std::vector<Struct>{
      {"stablehlo.gather",
       {{"offset_dims"},
        {"collapsed_slice_dims"},
        {"operand_batching_dims"},
        {"start_indices_batching_dims"},
        {"start_index_map"},
        {"index_vector_dim"}}},
      {"stablehlo.scatter",
       {{"update_window_dims"},
        {"inserted_window_dims"},
        {"input_batching_dims"},
        {"scatter_indices_batching_dims"},
        {"scatter_dims_to_operand_dims"},
        {"index_vector_dim"}}},
      {"stablehlo.dot",
       {{"lhs_batching_dimensions"},
        {"rhs_batching_dimensions"},
        {"lhs_contracting_dimensions"},
        {"rhs_contracting_dimensions"}}},
      {"chlo.ragged_dot",
       {{"lhs_batching_dimensions"},
        {"rhs_batching_dimensions"},
        {"lhs_contracting_dimensions"},
        {"rhs_contracting_dimensions"},
        {"lhs_ragged_dimensions"},
        {"rhs_group_dimensions"}}},
      {"stablehlo.channel_handle", {{"handle", false}, {"type", false}}},
      {"stablehlo.dot_algorithm",
       {{"lhs_precision_type", false},
        {"rhs_precision_type", false},
        {"accumulation_type", false},
        {"lhs_component_count", false},
        {"rhs_component_count", false},
        {"num_primitive_operations", false},
        {"allow_imprecise_accumulation", false}}},
      {"stablehlo.output_operand_alias",
       {{"output_tuple_indices", false},
        {"operand_index", false},
        {"operand_tuple_indices", false}}},
      {"stablehlo.result_accuracy", {{"atol"}, {"rtol"}, {"ulps"}, {"mode", false}}},
  };
  return *structs;
}

// Those that are written #stablehlo<name VALUE>.
constexpr absl::string_view kEnums[] = {
    "comparison_direction",
    "comparison_type",
    "custom_call_api_version",
    "fft_type",
    "precision",
    "rng_distribution",
    "rng_algorithm",
    "transpose",
};

bool IsDefault(const Attribute& value) {
  if (value.data != nullptr) return value.data->count == 0;
  if (value.Is(AttributeKind::kInteger)) return value.integer == 0;
  if (value.Is(AttributeKind::kFloat)) return value.bits == 0;
  return value.Is(AttributeKind::kArray) && value.elements.empty();
}

void AppendField(const NamedAttribute& entry, std::string* out) {
  absl::StrAppend(out, entry.name, " = ");
  hlo::Ints ints;
  const Attribute& value = *entry.value;
  if (value.data != nullptr && DenseInts(*value.data, &ints)) {
    absl::StrAppend(out, "[", absl::StrJoin(ints, ", "), "]");
  } else if (value.Is(AttributeKind::kInteger) || value.Is(AttributeKind::kFloat)) {
    std::string text;
    mlir::AppendAttribute(value, nullptr, false, &text);
    out->append(text, 0, text.find(" : "));
  } else {
    mlir::AppendAttribute(value, &StableHloPrintSyntax(), true, out);
  }
}

bool AppendStruct(const Attribute& attribute, std::string* out) {
  if (!attribute.text.empty()) return false;
  absl::StrAppend(out, "#", attribute.name, "<");
  AppendStructFields(attribute, out);
  out->push_back('>');
  return true;
}

bool AppendEnum(const Attribute& attribute, std::string* out) {
  if (!attribute.entries.empty() || attribute.text.empty()) return false;
  const size_t dot = attribute.name.find('.');
  absl::StrAppend(out, "#", attribute.name.substr(0, dot), "<", attribute.name.substr(dot + 1), " ",
                  attribute.text, ">");
  return true;
}

// The letters of one list; empty places are '?'.
bool AppendDims(const Attribute& dims, std::pair<absl::string_view, char> first,
                std::pair<absl::string_view, char> second, absl::string_view spatial,
                std::string* out) {
  std::vector<std::pair<int64_t, std::string>> places;
  for (auto [name, letter] : {first, second}) {
    const Attribute* place = mlir::Find(dims.entries, name);
    if (place != nullptr && !place->Is(AttributeKind::kInteger)) return false;
    places.emplace_back(place == nullptr ? 0 : place->integer, std::string(1, letter));
  }
  hlo::Ints numbers;
  const Attribute* list = mlir::Find(dims.entries, spatial);
  if (list != nullptr && (list->data == nullptr || !DenseInts(*list->data, &numbers))) return false;
  for (size_t i = 0; i < numbers.size(); ++i) places.emplace_back(numbers[i], absl::StrCat(i));
  std::sort(places.begin(), places.end());
  int64_t next = 0;
  const char* comma = "[";
  for (const auto& [place, text] : places) {
    if (place < next || place > next + 16) return false;  // twice, or far away
    for (; next < place; ++next) absl::StrAppend(out, std::exchange(comma, ", "), "?");
    absl::StrAppend(out, std::exchange(comma, ", "), text);
    ++next;
  }
  out->push_back(']');
  return true;
}

bool AppendConvolution(const Attribute& attribute, std::string* out) {
  if (!attribute.text.empty()) return false;
  std::string text;
  if (AppendConvolutionDims(attribute, &text)) {
    absl::StrAppend(out, "#stablehlo.conv<", text, ">");
    return true;
  }
  out->append("#stablehlo.conv<raw ");
  const char* comma = "";
  for (const NamedAttribute& entry : attribute.entries) {
    out->append(std::exchange(comma, ", "));
    AppendField(entry, out);
  }
  out->push_back('>');
  return true;
}

// Any other attribute is a discardable one.
bool IsProperty(const Operation& op, absl::string_view attribute) {
  if (const absl::string_view* properties = FindProperties(op.name)) {
    for (absl::string_view name : absl::StrSplit(*properties, ' ')) {
      absl::ConsumeSuffix(&name, "?");
      if (name == attribute) return true;
    }
    return false;
  }
  return mlir::IsBuiltinProperty(op, attribute);
}

constexpr std::pair<absl::string_view, std::array<absl::string_view, 3>> kResultNames[] = {
    {"stablehlo.rng_bit_generator", {"output_state", "output", ""}},
    {"stablehlo.batch_norm_training", {"output", "batch_mean", "batch_var"}},
    {"stablehlo.batch_norm_grad", {"grad_operand", "grad_scale", "grad_offset"}},
    {"chlo.top_k", {"values", "indices", ""}},
};

std::string ResultName(const Operation& op, int64_t index) {
  if (op.name == "stablehlo.constant" || op.name == "chlo.constant") {
    const mlir::Type& type = *op.results[index]->type;
    if (op.name == "chlo.constant" || !type.IsTensor()) return "";
    return type.elements[0]->kind == mlir::TypeKind::kInteger ? "c" : "cst";
  }
  for (const auto& [name, results] : kResultNames) {
    if (op.name == name && index < 3) return std::string(results[index]);
  }
  return "";
}

std::string ArgumentName(const Operation& owner, int64_t) {
  return owner.name == "stablehlo.while" ? "iterArg" : "";
}

}  // namespace

absl::string_view WordOf(const Attribute* attribute) {
  if (attribute == nullptr) return "";
  if (!attribute->Is(AttributeKind::kDialect)) return "";
  const bool word = std::all_of(attribute->text.begin(), attribute->text.end(),
                                [](char c) { return absl::ascii_isalnum(c) || c == '_'; });
  return word ? attribute->text : absl::string_view();
}

void AppendStructFields(const Attribute& attribute, std::string* out) {
  const char* comma = "";
  auto append = [&](const NamedAttribute& entry) {
    out->append(std::exchange(comma, ", "));
    AppendField(entry, out);
  };
  const std::vector<Field>* fields = nullptr;
  for (const Struct& known : Structs()) {
    if (known.name == attribute.name) fields = &known.fields;
  }
  auto known = [&](const NamedAttribute& entry) {
    return fields != nullptr && std::any_of(fields->begin(), fields->end(),
                                            [&](const Field& f) { return f.name == entry.name; });
  };
  if (fields != nullptr) {
    for (const Field& field : *fields) {
      for (const NamedAttribute& entry : attribute.entries) {
        if (entry.name != field.name) continue;
        if (!field.optional || !IsDefault(*entry.value)) append(entry);
      }
    }
  }
  for (const NamedAttribute& entry : attribute.entries) {
    if (!known(entry)) append(entry);
  }
}

bool AppendConvolutionDims(const Attribute& dims, std::string* out) {
  std::string text;
  if (!AppendDims(dims, {"input_batch_dimension", 'b'}, {"input_feature_dimension", 'f'},
                  "input_spatial_dimensions", &text)) {
    return false;
  }
  text.push_back('x');
  if (!AppendDims(dims, {"kernel_input_feature_dimension", 'i'},
                  {"kernel_output_feature_dimension", 'o'}, "kernel_spatial_dimensions", &text)) {
    return false;
  }
  text.append("->");
  if (!AppendDims(dims, {"output_batch_dimension", 'b'}, {"output_feature_dimension", 'f'},
                  "output_spatial_dimensions", &text)) {
    return false;
  }
  out->append(text);
  return true;
}

void AddAttributePrinters(mlir::PrintSyntax& syntax) {
  for (const Struct& known : Structs()) syntax.attributes[std::string(known.name)] = AppendStruct;
  for (absl::string_view name : kEnums) {
    syntax.attributes[absl::StrCat("stablehlo.", name)] = AppendEnum;
    syntax.attributes[absl::StrCat("chlo.", name)] = AppendEnum;
  }
  syntax.attributes["stablehlo.conv"] = AppendConvolution;
}

const mlir::PrintSyntax& StableHloPrintSyntax() {
  static const mlir::PrintSyntax* syntax = [] {
    auto* made = new mlir::PrintSyntax();
    mlir::AddBuiltinPrinters(*made);
    AddAttributePrinters(*made);
    AddKeywordOpPrinters(*made);
    AddStructuredOpPrinters(*made);
    AddChloPrinters(*made);
    AddCheckPrinters(*made);
    made->result_name = ResultName;
    made->argument_name = ArgumentName;
    made->is_property = IsProperty;
    return made;
  }();
  return *syntax;
}

std::string PrintStableHlo(const mlir::Document& document, const mlir::PrintOptions& options) {
  return mlir::PrintMlir(document, StableHloPrintSyntax(), options);
}

}  // namespace halyard::stablehlo
