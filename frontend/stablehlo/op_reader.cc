#include "frontend/stablehlo/op_reader.h"

#include <cstring>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace halyard::stablehlo {

using mlir::Attribute;
using mlir::AttributeKind;

namespace {

// No list of dimensions, groups or pairs is longer.
constexpr int64_t kMaxListLength = 1 << 20;

}  // namespace

bool Errors::Fail(size_t offset, absl::string_view message) {
  if (!status_.ok()) return false;
  if (owner_.has_value() && source_.PlaceOf(offset).line != source_.PlaceOf(*owner_).line) {
    offset = *owner_;
  }
  return FailExactly(offset, message);
}

bool Errors::FailExactly(size_t offset, absl::string_view message) {
  if (status_.ok()) status_ = absl::InvalidArgumentError(source_.ErrorAt(offset, message));
  return false;
}

bool DenseInts(const mlir::DenseData& data, hlo::Ints* out) {
  hlo::ElementType type = data.element_type;
  if (hlo::IsFloat(type) || hlo::IsComplex(type) || data.count > kMaxListLength) return false;
  const int size = hlo::StorageBytes(type);
  out->resize(data.count);
  for (int64_t i = 0; i < data.count; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, data.bytes.data() + (data.splat ? 0 : i * size), size);
    if (hlo::IsSigned(type) && size < 8) {
      uint64_t sign = uint64_t{1} << (8 * size - 1);
      bits = (bits ^ sign) - sign;
    }
    (*out)[i] = static_cast<int64_t>(bits);
  }
  return true;
}

bool OpReader::Fail(absl::string_view message) {
  return errors_.Fail(op_.offset, absl::StrCat("'", op_.name, "': ", message));
}

bool OpReader::Missing(absl::string_view name) {
  return Fail(absl::StrCat("attribute '", name, "' is missing"));
}

bool OpReader::IntsOf(const Attribute& attribute, absl::string_view name, hlo::Ints* out) {
  out->clear();
  if (attribute.data != nullptr && DenseInts(*attribute.data, out)) return true;
  if (attribute.Is(AttributeKind::kArray)) {
    for (const Attribute* element : attribute.elements) {
      if (!IntOf(*element, name, &out->emplace_back())) return false;
    }
    return true;
  }
  return errors_.Fail(attribute.offset,
                      absl::StrCat("'", op_.name, "': '", name, "' must be a list of integers"));
}

bool OpReader::IntOf(const Attribute& attribute, absl::string_view name, int64_t* out) {
  if (attribute.Is(AttributeKind::kInteger)) {
    *out = attribute.integer;
    return true;
  }
  if (attribute.Is(AttributeKind::kBool)) {
    *out = attribute.boolean;
    return true;
  }
  hlo::Ints values;  // tensors of one element are seen too
  if (attribute.data != nullptr && DenseInts(*attribute.data, &values) && values.size() == 1) {
    *out = values[0];
    return true;
  }
  return errors_.Fail(attribute.offset,
                      absl::StrCat("'", op_.name, "': '", name, "' must be an integer"));
}

bool OpReader::Ints(absl::string_view name, hlo::Ints* out) {
  const Attribute* attribute = op_.Attr(name);
  return attribute == nullptr ? Missing(name) : IntsOf(*attribute, name, out);
}

bool OpReader::Int(absl::string_view name, int64_t* out) {
  const Attribute* attribute = op_.Attr(name);
  return attribute == nullptr ? Missing(name) : IntOf(*attribute, name, out);
}

bool OpReader::IntsOr(absl::string_view name, int64_t count, int64_t fallback, hlo::Ints* out) {
  const Attribute* attribute = op_.Attr(name);
  if (attribute != nullptr) return IntsOf(*attribute, name, out);
  out->assign(count, fallback);
  return true;
}

bool OpReader::IntOr(absl::string_view name, int64_t fallback, int64_t* out) {
  const Attribute* attribute = op_.Attr(name);
  if (attribute != nullptr) return IntOf(*attribute, name, out);
  *out = fallback;
  return true;
}

bool OpReader::Float(absl::string_view name, double* out) {
  const Attribute* attribute = op_.Attr(name);
  if (attribute == nullptr) return Missing(name);
  if (!attribute->Is(AttributeKind::kFloat)) {
    return errors_.Fail(attribute->offset,
                        absl::StrCat("'", op_.name, "': '", name, "' must be a float"));
  }
  *out = attribute->number;
  return true;
}

bool OpReader::String(absl::string_view name, std::string* out) {
  const Attribute* attribute = op_.Attr(name);
  if (attribute == nullptr) return Missing(name);
  if (!attribute->Is(AttributeKind::kString)) {
    return errors_.Fail(attribute->offset,
                        absl::StrCat("'", op_.name, "': '", name, "' must be a string"));
  }
  *out = attribute->text;
  return true;
}

// The enumeration may be of any dialect: MHLO's and CHLO's have the names of StableHLO's.
bool OpReader::WordOf(const Attribute& attribute, absl::string_view name,
                      absl::string_view enumeration, std::string* out) {
  const bool named = attribute.Is(AttributeKind::kDialect) &&
                     absl::EndsWith(attribute.name, absl::StrCat(".", enumeration));
  if (!named && !attribute.Is(AttributeKind::kString)) {
    return errors_.Fail(
        attribute.offset,
        absl::StrCat("'", op_.name, "': '", name, "' must be a #stablehlo<", enumeration, " …>"));
  }
  *out = attribute.text;
  return true;
}

bool OpReader::Word(absl::string_view name, absl::string_view enumeration, std::string* out) {
  const Attribute* attribute = op_.Attr(name);
  return attribute == nullptr ? Missing(name) : WordOf(*attribute, name, enumeration, out);
}

bool OpReader::StringOr(absl::string_view name, absl::string_view fallback, std::string* out) {
  if (op_.Attr(name) != nullptr) return String(name, out);
  *out = std::string(fallback);
  return true;
}

bool OpReader::WordOr(absl::string_view name, absl::string_view enumeration,
                      absl::string_view fallback, std::string* out) {
  if (op_.Attr(name) != nullptr) return Word(name, enumeration, out);
  *out = std::string(fallback);
  return true;
}

bool OpReader::Flag(absl::string_view name, bool* out) {
  const Attribute* attribute = op_.Attr(name);
  int64_t value = 0;
  if (attribute != nullptr && attribute->Is(AttributeKind::kUnit)) {
    value = 1;
  } else if (attribute != nullptr && !IntOf(*attribute, name, &value)) {
    return false;
  }
  *out = value != 0;
  return true;
}

bool OpReader::Pairs(absl::string_view constraint, absl::string_view name, int64_t count,
                     std::vector<std::pair<int64_t, int64_t>>* out) {
  hlo::Ints flat;
  if (!IntsOr(name, 2 * count, 0, &flat)) return false;
  if (static_cast<int64_t>(flat.size()) != 2 * count) {
    return Fail(absl::StrCat(constraint, ": '", name, "' must hold ", count, " pairs"));
  }
  out->clear();
  for (int64_t i = 0; i < count; ++i) out->emplace_back(flat[2 * i], flat[2 * i + 1]);
  return true;
}

bool OpReader::Struct(absl::string_view name, const Attribute** out) {
  *out = op_.Attr(name);
  if (*out == nullptr) return Missing(name);
  if ((*out)->Is(AttributeKind::kDialect) && (*out)->text.empty()) return true;
  return errors_.Fail((*out)->offset, absl::StrCat("'", op_.name, "': '", name,
                                                   "' must be a #stablehlo attribute"));
}

bool OpReader::FieldInts(const Attribute& record, absl::string_view name, hlo::Ints* out) {
  const Attribute* field = mlir::Find(record.entries, name);
  out->clear();
  return field == nullptr || IntsOf(*field, name, out);
}

bool OpReader::FieldInt(const Attribute& record, absl::string_view name, int64_t* out) {
  const Attribute* field = mlir::Find(record.entries, name);
  *out = 0;
  return field == nullptr || IntOf(*field, name, out);
}

}  // namespace halyard::stablehlo
