// Spellings of types.
#include <optional>

#include "absl/strings/str_cat.h"
#include "frontend/mlir/print.h"
#include "frontend/mlir/print_number.h"

namespace halyard::mlir {
namespace {

void AppendList(const std::vector<const Type*>& types, const PrintSyntax* syntax,
                std::string* out) {
  const char* comma = "";
  for (const Type* type : types) {
    out->append(std::exchange(comma, ", "));
    AppendType(*type, syntax, out);
  }
}

// Whether the storage range is all that the type has.
bool IsWholeRange(const Type& storage, const QuantParams& quant) {
  const int width = storage.width;
  if (width < 1 || width > 32) return false;
  const bool is_unsigned = storage.name[0] == 'u';
  const int64_t count = int64_t{1} << width;
  return *quant.storage_min == (is_unsigned ? 0 : -count / 2) &&
         *quant.storage_max == (is_unsigned ? count - 1 : count / 2 - 1);
}

void AppendQuantized(const Type& type, const PrintSyntax* syntax, std::string* out) {
  const QuantParams& quant = *type.quant;
  const Type& storage = *type.elements[0];
  absl::string_view name = storage.name;
  if (name.substr(0, 2) == "ui" || name.substr(0, 2) == "si") {
    absl::StrAppend(out, "!quant.uniform<", name[0] == 'u' ? "u" : "i", name.substr(2));
  } else {
    absl::StrAppend(out, "!quant.uniform<", name);
  }
  if (quant.storage_min.has_value() && quant.storage_max.has_value() &&
      !IsWholeRange(storage, quant)) {
    absl::StrAppend(out, "<", *quant.storage_min, ":", *quant.storage_max, ">");
  }
  out->push_back(':');
  AppendType(*type.elements[1], syntax, out);
  if (quant.dimension) absl::StrAppend(out, ":", *quant.dimension);
  out->append(quant.dimension ? ", {" : ", ");
  for (size_t i = 0; i < quant.scales.size(); ++i) {
    absl::StrAppend(out, i ? "," : "", FormatScale(quant.scales[i]));
    if (quant.zero_points[i] != 0) absl::StrAppend(out, ":", quant.zero_points[i]);
  }
  out->append(quant.dimension ? "}>" : ">");
}

void AppendShaped(const Type& type, const PrintSyntax* syntax, std::string* out) {
  out->append(type.IsTensor() ? "tensor<" : "memref<");
  for (int64_t dim : type.dims) {
    if (dim == kDynamic) {
      out->append("?x");
    } else {
      absl::StrAppend(out, dim, "x");
    }
  }
  AppendType(*type.elements[0], syntax, out);
  if (type.encoding != nullptr) {
    out->append(", ");
    AppendAttribute(*type.encoding, syntax, false, out);
  }
  if (!type.text.empty()) absl::StrAppend(out, ", ", type.text);
  out->push_back('>');
}

}  // namespace

void AppendType(const Type& type, const PrintSyntax* syntax, std::string* out) {
  switch (type.kind) {
    case TypeKind::kInteger:
    case TypeKind::kFloat:
      out->append(type.name);
      return;
    case TypeKind::kIndex:
      out->append("index");
      return;
    case TypeKind::kNone:
      out->append("none");
      return;
    case TypeKind::kComplex:
    case TypeKind::kTuple:
    case TypeKind::kFuture:
      out->append(type.kind == TypeKind::kTuple    ? "tuple<"
                  : type.kind == TypeKind::kFuture ? "!stablehlo.future<"
                                                   : "complex<");
      AppendList(type.elements, syntax, out);
      out->push_back('>');
      return;
    case TypeKind::kUnranked:
      out->append("tensor<*x");
      AppendType(*type.elements[0], syntax, out);
      out->push_back('>');
      return;
    case TypeKind::kTensor:
    case TypeKind::kMemRef:
      return AppendShaped(type, syntax, out);
    case TypeKind::kFunction: {
      out->push_back('(');
      AppendList(type.elements, syntax, out);
      out->append(") -> ");
      const bool bare = type.results.size() == 1 && type.results[0]->kind != TypeKind::kFunction;
      if (!bare) out->push_back('(');
      AppendList(type.results, syntax, out);
      if (!bare) out->push_back(')');
      return;
    }
    case TypeKind::kQuantized:
      return AppendQuantized(type, syntax, out);
    case TypeKind::kOpaque:
      absl::StrAppend(out, "!", type.name);
      if (!type.text.empty()) absl::StrAppend(out, "<", type.text, ">");
      return;
  }
}

std::string ToString(const Type& type) {
  std::string out;
  AppendType(type, nullptr, &out);
  return out;
}

}  // namespace halyard::mlir
