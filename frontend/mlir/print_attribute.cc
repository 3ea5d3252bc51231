// ToString of attributes.
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/mlir/ast.h"

namespace halyard::mlir {
namespace {

std::string Quoted(absl::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      absl::StrAppend(&out, "\\", std::string(1, c));
    } else if (absl::ascii_isprint(c)) {
      out.push_back(c);
    } else {
      absl::StrAppend(&out, "\\", absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2));
    }
  }
  return out + "\"";
}

std::string Blob(const DenseData& data) {
  absl::string_view bytes(reinterpret_cast<const char*>(data.bytes.data()), data.bytes.size());
  return absl::StrCat("\"0x", absl::BytesToHexString(bytes), "\"");
}

std::string Entries(const std::vector<NamedAttribute>& entries) {
  return absl::StrJoin(entries, ", ", [](std::string* out, const NamedAttribute& entry) {
    absl::StrAppend(out, entry.name);
    if (!entry.value->Is(AttributeKind::kUnit)) absl::StrAppend(out, " = ", ToString(*entry.value));
  });
}

std::string DenseArray(const DenseData& data) {
  const int size = hlo::StorageBytes(data.element_type);
  std::string out;
  for (int64_t i = 0; i < data.count; ++i) {
    uint64_t bits = 0;
    for (int b = size; b-- > 0;) {
      bits = bits << 8 | std::to_integer<uint64_t>(data.bytes[i * size + b]);
    }
    bool negative = hlo::IsSigned(data.element_type) && bits >> (8 * size - 1) != 0;
    int64_t value =
        static_cast<int64_t>(negative && size < 8 ? bits | ~uint64_t{0} << (8 * size) : bits);
    absl::StrAppend(&out, i ? ", " : "");
    if (data.element_type == hlo::ElementType::kPred) {
      absl::StrAppend(&out, bits ? "true" : "false");
    } else if (hlo::IsFloat(data.element_type)) {
      absl::StrAppend(&out, "0x", absl::Hex(bits, static_cast<absl::PadSpec>(2 * size + 1)));
    } else {
      absl::StrAppend(&out, value);
    }
  }
  return out;
}

}  // namespace

std::string ToString(const Attribute& attribute) {
  auto typed = [&] {
    return attribute.type == nullptr ? "" : absl::StrCat(" : ", ToString(*attribute.type));
  };
  switch (attribute.kind) {
    case AttributeKind::kUnit:
      return "unit";
    case AttributeKind::kBool:
      return attribute.boolean ? "true" : "false";
    case AttributeKind::kInteger:
      return absl::StrCat(attribute.integer, typed());
    case AttributeKind::kFloat:
      return absl::StrCat(
          "0x",
          absl::Hex(attribute.bits, static_cast<absl::PadSpec>(
                                        hlo::BitWidth(*ScalarType(*attribute.type)) / 4 + 1)),
          typed());
    case AttributeKind::kString:
      return absl::StrCat(Quoted(attribute.text), typed());
    case AttributeKind::kArray:
      return absl::StrCat("[",
                          absl::StrJoin(attribute.elements, ", ",
                                        [](std::string* out, const Attribute* element) {
                                          absl::StrAppend(out, ToString(*element));
                                        }),
                          "]");
    case AttributeKind::kDictionary:
      return absl::StrCat("{", Entries(attribute.entries), "}");
    case AttributeKind::kDenseArray: {
      std::string values = DenseArray(*attribute.data);
      return absl::StrCat("array<", ToString(*attribute.type), values.empty() ? "" : ": ", values,
                          ">");
    }
    case AttributeKind::kDense:
    case AttributeKind::kDenseResource:
      return absl::StrCat("dense<", Blob(*attribute.data), ">", typed());
    case AttributeKind::kSymbol:
      return absl::StrCat("@", attribute.text);
    case AttributeKind::kType:
      return ToString(*attribute.type);
    case AttributeKind::kLocation:
      return "loc(unknown)";
    case AttributeKind::kDialect:
    case AttributeKind::kOpaque: {
      std::string body = attribute.entries.empty() ? attribute.text : Entries(attribute.entries);
      return absl::StrCat(attribute.Is(AttributeKind::kDialect) ? "#" : "", attribute.name,
                          body.empty() ? "" : absl::StrCat("<", body, ">"));
    }
  }
  return "";
}

}  // namespace halyard::mlir
