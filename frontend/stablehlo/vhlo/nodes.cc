#include "frontend/stablehlo/vhlo/nodes.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "frontend/stablehlo/op_reader.h"

namespace halyard::stablehlo {

using mlir::Attribute;
using mlir::AttributeKind;
using mlir::Document;

namespace {

Attribute* MakeArray(Document& document, hlo::ElementType type, const mlir::Type* element,
                     int64_t count, size_t offset) {
  Attribute* attribute = document.NewAttribute(AttributeKind::kDenseArray, offset);
  attribute->type = element;
  attribute->data = std::make_shared<mlir::DenseData>();
  attribute->data->element_type = type;
  attribute->data->count = count;
  return attribute;
}

}  // namespace

const mlir::Type* MakeIntegerType(Document& document, absl::string_view name, int width,
                                  size_t offset) {
  mlir::Type* type = document.NewType(mlir::TypeKind::kInteger, offset);
  type->name = std::string(name);
  type->width = width;
  return type;
}

const Attribute* MakeInteger(Document& document, int64_t value, size_t offset, int width) {
  Attribute* attribute = document.NewAttribute(AttributeKind::kInteger, offset);
  attribute->type = MakeIntegerType(document, absl::StrCat("i", width), width, offset);
  attribute->integer = value;
  return attribute;
}

const Attribute* MakeInts(Document& document, const std::vector<int64_t>& values, size_t offset) {
  Attribute* attribute =
      MakeArray(document, hlo::ElementType::kS64, MakeIntegerType(document, "i64", 64, offset),
                static_cast<int64_t>(values.size()), offset);
  const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
  attribute->data->bytes.assign(bytes, bytes + values.size() * sizeof(int64_t));
  return attribute;
}

const Attribute* MakeBools(Document& document, const std::vector<int64_t>& values, size_t offset) {
  Attribute* attribute =
      MakeArray(document, hlo::ElementType::kPred, MakeIntegerType(document, "i1", 1, offset),
                static_cast<int64_t>(values.size()), offset);
  for (int64_t value : values) {
    attribute->data->bytes.push_back(static_cast<std::byte>(value != 0));
  }
  return attribute;
}

const Attribute* MakeWord(Document& document, absl::string_view name, absl::string_view word,
                          size_t offset) {
  Attribute* attribute = MakeStruct(document, name, offset);
  attribute->text = std::string(word);
  return attribute;
}

Attribute* MakeStruct(Document& document, absl::string_view name, size_t offset) {
  Attribute* attribute = document.NewAttribute(AttributeKind::kDialect, offset);
  attribute->name = std::string(name);
  return attribute;
}

const Attribute* MakeSymbol(Document& document, absl::string_view name, size_t offset) {
  Attribute* attribute = document.NewAttribute(AttributeKind::kSymbol, offset);
  attribute->text = std::string(name);
  return attribute;
}

bool IntsOf(const Attribute& attribute, std::vector<int64_t>* values) {
  const bool elements =
      attribute.Is(AttributeKind::kDense) || attribute.Is(AttributeKind::kDenseArray);
  return elements && attribute.data != nullptr && DenseInts(*attribute.data, values);
}

bool IsSplat(const Attribute& attribute, int64_t value) {
  std::vector<int64_t> values;
  return IntsOf(attribute, &values) && !values.empty() &&
         std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == value; });
}

}  // namespace halyard::stablehlo
