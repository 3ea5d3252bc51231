#include "frontend/stablehlo/write/nodes.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace halyard::stablehlo {

using mlir::Attribute;
using mlir::AttributeKind;
using mlir::Location;
using mlir::Type;
using mlir::TypeKind;

namespace {

std::vector<std::byte> BytesOf(const hlo::Ints& values) {
  const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
  return {bytes, bytes + values.size() * sizeof(int64_t)};
}

}  // namespace

const Type* Nodes::Scalar(hlo::ElementType type) {
  if (hlo::IsComplex(type)) {
    Type* complex = document_.NewType(TypeKind::kComplex, 0);
    complex->elements = {Scalar(hlo::PartType(type))};
    return complex;
  }
  const bool is_float = hlo::IsFloat(type);
  Type* scalar = document_.NewType(is_float ? TypeKind::kFloat : TypeKind::kInteger, 0);
  scalar->name = std::string(hlo::MlirName(type));
  if (!is_float) scalar->width = hlo::BitWidth(type);
  return scalar;
}

const Type* Nodes::TypeOf(const hlo::Shape& shape) {
  if (shape.IsTuple()) {
    Type* tuple = document_.NewType(TypeKind::kTuple, 0);
    for (const hlo::Shape& element : shape.elements()) tuple->elements.push_back(TypeOf(element));
    return tuple;
  }
  if (shape.IsToken()) {
    Type* token = document_.NewType(TypeKind::kOpaque, 0);
    token->name = "stablehlo.token";
    return token;
  }
  Type* tensor = document_.NewType(TypeKind::kTensor, 0);
  const Type* element = Scalar(shape.element_type());
  if (const hlo::Quantization* quantization = shape.quantization()) {
    Type* quantized = document_.NewType(TypeKind::kQuantized, 0);
    quantized->elements = {element, Scalar(quantization->expressed)};
    quantized->quant = std::make_unique<mlir::QuantParams>();
    quantized->quant->storage_min = quantization->storage_min;
    quantized->quant->storage_max = quantization->storage_max;
    quantized->quant->dimension = quantization->dimension;
    quantized->quant->scales = quantization->scales;
    quantized->quant->zero_points = quantization->zero_points;
    element = quantized;
  }
  tensor->elements = {element};
  std::string bounds;
  for (int64_t i = 0; i < shape.rank(); ++i) {
    tensor->dims.push_back(shape.IsDynamicDim(i) ? mlir::kDynamic : shape.dim(i));
    absl::StrAppend(&bounds, i ? ", " : "",
                    shape.IsBoundedDim(i) ? absl::StrCat(shape.dim(i)) : "?");
  }
  if (!shape.bounded_dims().empty()) {
    Attribute* encoding = New(AttributeKind::kDialect);
    encoding->name = "stablehlo.bounds";
    encoding->text = bounds;
    tensor->encoding = encoding;
  }
  return tensor;
}

const Type* Nodes::FunctionType(std::vector<const Type*> inputs, std::vector<const Type*> results) {
  Type* function = document_.NewType(TypeKind::kFunction, 0);
  function->elements = std::move(inputs);
  function->results = std::move(results);
  return function;
}

const Attribute* Nodes::Unit() { return New(AttributeKind::kUnit); }

const Attribute* Nodes::Bool(bool value) {
  Attribute* made = New(AttributeKind::kBool);
  made->boolean = value;
  return made;
}

const Attribute* Nodes::Int(int64_t value, int width) {
  Attribute* made = New(AttributeKind::kInteger);
  made->type = Scalar(width == 32 ? hlo::ElementType::kS32 : hlo::ElementType::kS64);
  made->integer = value;
  return made;
}

const Attribute* Nodes::F32(double value) {
  Attribute* made = New(AttributeKind::kFloat);
  made->type = Scalar(hlo::ElementType::kF32);
  made->bits = hlo::EncodeFloat(hlo::ElementType::kF32, value);
  made->number = hlo::DecodeFloat(hlo::ElementType::kF32, made->bits);
  return made;
}

const Attribute* Nodes::String(absl::string_view text) {
  Attribute* made = New(AttributeKind::kString);
  made->text = std::string(text);
  return made;
}

const Attribute* Nodes::Symbol(absl::string_view name) {
  Attribute* made = New(AttributeKind::kSymbol);
  made->text = std::string(name);
  return made;
}

const Attribute* Nodes::TypeAttribute(const Type* type) {
  Attribute* made = New(AttributeKind::kType);
  made->type = type;
  return made;
}

const Attribute* Nodes::Array(std::vector<const Attribute*> elements) {
  Attribute* made = New(AttributeKind::kArray);
  made->elements = std::move(elements);
  return made;
}

const Attribute* Nodes::Dictionary(const Fields& fields) {
  Attribute* made = New(AttributeKind::kDictionary);
  for (const auto& [name, value] : fields) made->entries.push_back({std::string(name), value, 0});
  return made;
}

const Attribute* Nodes::DenseOfInts(const hlo::Ints& values, const Type* type) {
  Attribute* made = New(AttributeKind::kDense);
  made->type = type;
  made->data = std::make_shared<mlir::DenseData>();
  made->data->element_type = hlo::ElementType::kS64;
  made->data->count = static_cast<int64_t>(values.size());
  made->data->bytes = BytesOf(values);
  return made;
}

const Attribute* Nodes::Ints(const hlo::Ints& values) {
  Attribute* made = const_cast<Attribute*>(DenseOfInts(values, Scalar(hlo::ElementType::kS64)));
  made->kind = AttributeKind::kDenseArray;
  return made;
}

const Attribute* Nodes::Bools(const std::vector<bool>& values) {
  Attribute* made = New(AttributeKind::kDenseArray);
  made->type = Scalar(hlo::ElementType::kPred);
  made->data = std::make_shared<mlir::DenseData>();
  made->data->element_type = hlo::ElementType::kPred;
  made->data->count = static_cast<int64_t>(values.size());
  for (bool value : values) made->data->bytes.push_back(static_cast<std::byte>(value));
  return made;
}

const Attribute* Nodes::Matrix(const hlo::IntLists& rows, size_t width) {
  for (const hlo::Ints& row : rows) width = std::max(width, row.size());
  hlo::Ints flat;
  for (const hlo::Ints& row : rows) {
    flat.insert(flat.end(), row.begin(), row.end());
    flat.resize(flat.size() + width - row.size(), -1);
  }
  return DenseOfInts(
      flat, TypeOf(hlo::Shape::Array(hlo::ElementType::kS64, {static_cast<int64_t>(rows.size()),
                                                              static_cast<int64_t>(width)})));
}

const Attribute* Nodes::Indices(const hlo::Ints& values) {
  Type* tensor = document_.NewType(TypeKind::kTensor, 0);
  tensor->dims = {static_cast<int64_t>(values.size())};
  tensor->elements = {document_.NewType(TypeKind::kIndex, 0)};
  return DenseOfInts(values, tensor);
}

const Attribute* Nodes::Dense(const hlo::Literal& value) {
  Attribute* made = New(AttributeKind::kDense);
  const hlo::Shape& shape = value.shape();
  made->type = TypeOf(hlo::Shape::Array(shape.element_type(), shape.dims()));
  made->data = std::make_shared<mlir::DenseData>();
  made->data->element_type = shape.element_type();
  made->data->count = shape.NumElements();
  made->data->splat = made->data->count > 1 && value.IsSplat();
  const size_t size =
      made->data->splat ? hlo::StorageBytes(shape.element_type()) : value.bytes().size();
  made->data->bytes.assign(value.bytes().begin(),
                           value.bytes().begin() + static_cast<std::ptrdiff_t>(size));
  return made;
}

const Attribute* Nodes::Enum(absl::string_view name, absl::string_view word) {
  Attribute* made = New(AttributeKind::kDialect);
  made->name = absl::StrCat("stablehlo.", name);
  made->text = std::string(word);
  return made;
}

const Attribute* Nodes::Struct(absl::string_view name, const Fields& fields) {
  Attribute* made = const_cast<Attribute*>(Dictionary(fields));
  made->kind = AttributeKind::kDialect;
  made->name = absl::StrCat("stablehlo.", name);
  return made;
}

// "op name"("file":1:2), one for each name; the places alone where there is no name.
const Location* Nodes::LocationOf(const hlo::Provenance& provenance) {
  std::vector<const Location*> places;
  for (const hlo::SourceLocation& place : provenance.locations) {
    Location* made = document_.NewLocation(Location::Kind::kFile, 0);
    made->text = place.file;
    made->line = place.line;
    made->column = place.column;
    places.push_back(made);
  }
  auto fuse = [&](std::vector<const Location*> parts) -> const Location* {
    if (parts.size() == 1) return parts[0];
    Location* made =
        document_.NewLocation(parts.empty() ? Location::Kind::kUnknown : Location::Kind::kFused, 0);
    made->children = std::move(parts);
    return made;
  };
  const Location* all = fuse(std::move(places));
  std::vector<const Location*> named;
  for (const std::string& name : provenance.op_names) {
    Location* made = document_.NewLocation(Location::Kind::kName, 0);
    made->text = name;
    made->children = {all};
    named.push_back(made);
  }
  return named.empty() ? all : fuse(std::move(named));
}

}  // namespace halyard::stablehlo
