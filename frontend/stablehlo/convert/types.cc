// Types: the shapes that they are, and which operations take which.
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "frontend/hlo/values/quantized.h"
#include "frontend/stablehlo/convert/convert.h"

namespace halyard::stablehlo {

using hlo::Shape;
using mlir::Attribute;
using mlir::Type;
using mlir::TypeKind;

namespace {

// Reads a quantized element type, with defaults for what it leaves out.
std::shared_ptr<const hlo::Quantization> QuantizationOf(const Type& element) {
  auto quantization = std::make_shared<hlo::Quantization>();
  std::optional<hlo::ElementType> storage = mlir::ScalarType(*element.elements[0]);
  std::optional<hlo::ElementType> expressed = mlir::ScalarType(*element.elements[1]);
  // tf32 is not the type of a value. It is not a float type here, so that the check refuses it.
  quantization->expressed = expressed.value_or(hlo::ElementType::kPred);
  const mlir::QuantParams& quant = *element.quant;
  bool integer = storage.has_value() && hlo::IsInteger(*storage);
  quantization->storage_min = quant.storage_min.value_or(integer ? hlo::MinValue(*storage) : 0);
  quantization->storage_max = quant.storage_max.value_or(integer ? hlo::MaxValue(*storage) : 0);
  quantization->dimension = quant.dimension;
  quantization->scales = quant.scales;
  quantization->zero_points = quant.zero_points;
  if (expressed.has_value()) hlo::RoundScales(quantization.get());
  return quantization;
}

// What a type is, or holds, that only some operations take.
struct Special {
  bool buffer = false, future = false, unranked = false;
  bool signed_storage = false;  // !quant.uniform<si8:…>, which means what i8 does
  bool Any() const { return buffer || future || unranked || signed_storage; }
};

void Look(const Type& type, Special* special) {
  special->buffer = special->buffer || type.kind == TypeKind::kMemRef;
  special->future = special->future || type.kind == TypeKind::kFuture;
  special->unranked = special->unranked || type.kind == TypeKind::kUnranked;
  const Type* held = type.IsTensor() ? type.elements[0] : nullptr;
  special->signed_storage =
      special->signed_storage || (held != nullptr && held->kind == TypeKind::kQuantized &&
                                  absl::StartsWith(held->elements[0]->name, "si"));
  if (type.kind != TypeKind::kTuple) return;
  for (const Type* element : type.elements) Look(*element, special);
}

bool MayBe(absl::string_view op, const Type& type, bool is_result) {
  Special special;
  Look(type, &special);
  if (!special.Any() || op == "func.call") return true;
  const bool tuple = type.kind == TypeKind::kTuple;
  if (op == "stablehlo.custom_call") return !(tuple && special.future);
  if (special.signed_storage) return false;
  if (special.future) {
    return !tuple && op == (is_result ? "stablehlo.async_start" : "stablehlo.async_done");
  }
  if (special.unranked) {
    return !tuple && absl::StartsWith(op, "chlo.") && op != "chlo.broadcast_select" &&
           op != "chlo.scan" && op != "chlo.ragged_dot";
  }
  if (op == "stablehlo.composite") return tuple;
  return op == "stablehlo.while" || op == "stablehlo.tuple" || op == "stablehlo.get_tuple_element";
}

// The type, and what its printed form does not show.
std::string Described(const Type& type) {
  Special special;
  Look(type, &special);
  return absl::StrCat(ToString(type),
                      special.signed_storage ? " with a storage type of si8 or the like" : "");
}

}  // namespace

bool Converter::CheckTypes(const Operation& op) {
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const Type& type = *op.operands[i]->type;
    if (MayBe(op.name, type, false)) continue;
    return Fail(op, absl::StrCat("I", i + 1, ": operand ", i, " cannot be ", Described(type)));
  }
  for (size_t i = 0; i < op.results.size(); ++i) {
    const Type& type = *op.results[i]->type;
    if (MayBe(op.name, type, true)) continue;
    return Fail(op, absl::StrCat("O", i + 1, ": result ", i, " cannot be ", Described(type)));
  }
  return true;
}

// Stands for a value that nothing looks into, so that the rest of the program can be verified.
bool Converter::StandIn(const Type& type, absl::string_view what, Shape* shape) {
  CannotRun(type.offset, what);
  *shape = Shape::Tuple({});
  return true;
}

namespace {

// `#stablehlo.bounds<3, ?>` has an entry for each dimension; `?` is a static one. Other encodings
// say how a tensor is stored, which does not concern its values.
bool ReadBounds(const Type& type, Shape* shape, std::string* wrong) {
  const Attribute& encoding = *type.encoding;
  if (!encoding.Is(mlir::AttributeKind::kDialect) || encoding.name != "stablehlo.bounds") {
    return true;
  }
  std::vector<absl::string_view> entries;
  if (!absl::StripAsciiWhitespace(encoding.text).empty()) {
    entries = absl::StrSplit(encoding.text, ',');
  }
  if (static_cast<int64_t>(entries.size()) != shape->rank()) {
    *wrong =
        absl::StrCat("there are ", entries.size(), " bounds for ", shape->rank(), " dimensions");
    return false;
  }
  std::vector<int64_t> dims = shape->dims();
  std::vector<bool> bounded(dims.size(), false);
  for (size_t i = 0; i < entries.size(); ++i) {
    const absl::string_view entry = absl::StripAsciiWhitespace(entries[i]);
    if (entry == "?") continue;
    int64_t bound = 0;
    if (!absl::SimpleAtoi(entry, &bound) || bound < 0) {
      *wrong = "a bound is no size";
      return false;
    }
    if (dims[i] != mlir::kDynamic) {
      *wrong = "a dimension of known size has a bound";
      return false;
    }
    dims[i] = bound;
    bounded[i] = true;
  }
  *shape = shape->WithDims(std::move(dims)).WithBoundedDims(std::move(bounded));
  return true;
}

}  // namespace

bool Converter::TensorShapeOf(const Type& type, Shape* shape, bool any) {
  auto fail = [&](absl::string_view message) { return errors_.Fail(type.offset, message); };
  const Type& element = *type.elements[0];
  std::optional<hlo::ElementType> scalar = mlir::ScalarType(element);
  if (!scalar.has_value()) {
    const std::string message = absl::StrCat("unsupported element type: ", ToString(type));
    return any ? StandIn(type, message, shape) : fail(message);
  }
  *shape = Shape::Array(*scalar, type.dims);  // mlir::kDynamic is Shape::kUnbounded
  std::string wrong;
  if (type.encoding != nullptr && !ReadBounds(type, shape, &wrong)) {
    return errors_.Fail(type.encoding->offset, absl::StrCat(wrong, ": ", ToString(type)));
  }
  if (!hlo::ByteSizeFits(*shape)) {
    return fail(absl::StrCat("the size of ", ToString(type), " does not fit in 64 bits"));
  }
  if (element.kind == TypeKind::kQuantized) {
    *shape = shape->WithQuantization(QuantizationOf(element));
    absl::Status valid = hlo::CheckQuantizedShape(*shape);
    if (!valid.ok()) return fail(absl::StrCat(valid.message(), ": ", ToString(type)));
  }
  return true;
}

bool Converter::ShapeOf(const Type& type, Shape* shape, bool any) {
  switch (type.kind) {
    case TypeKind::kTensor:
    case TypeKind::kMemRef:  // a buffer is the array that it holds
      return TensorShapeOf(type, shape, any);
    case TypeKind::kTuple:
    case TypeKind::kFuture: {  // what an asynchronous operation will give, all of it
      std::vector<Shape> elements(type.elements.size());
      for (size_t i = 0; i < elements.size(); ++i) {
        if (!ShapeOf(*type.elements[i], &elements[i], any)) return false;
      }
      *shape = Shape::Tuple(std::move(elements));
      return true;
    }
    case TypeKind::kUnranked:
      return StandIn(type, absl::StrCat(ToString(type), " has no rank, so that it cannot be run"),
                     shape);
    case TypeKind::kOpaque:
      if (absl::EndsWith(type.name, "token")) {
        *shape = Shape::Token();
        return true;
      }
      any = any && !absl::StartsWith(type.name, "stablehlo");
      break;
    default:
      break;
  }
  const std::string message =
      absl::StrCat(ToString(type), " is not a type of values: expected a tensor, tuple or token");
  return any ? StandIn(type, message, shape) : errors_.Fail(type.offset, message);
}

bool Converter::ResultShapes(const Operation& op, std::vector<Shape>* shapes, bool any) {
  shapes->resize(op.results.size());
  for (size_t i = 0; i < op.results.size(); ++i) {
    if (!ShapeOf(*op.results[i]->type, &(*shapes)[i], any)) return false;
  }
  return true;
}

}  // namespace halyard::stablehlo
