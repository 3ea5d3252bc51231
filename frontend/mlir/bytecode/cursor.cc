#include "frontend/mlir/bytecode/cursor.h"

#include <array>
#include <bit>
#include <utility>

#include "absl/strings/str_cat.h"
#include "frontend/mlir/bytecode/format.h"

namespace halyard::mlir {

namespace bytecode {
namespace {

constexpr std::pair<int, absl::string_view> kFloats[] = {
    {3, "bf16"},           {4, "f16"},     {5, "f32"},       {6, "f64"},         {21, "tf32"},
    {22, "f8E5M2"},        {23, "f8E4M3"}, {24, "f8E4M3FN"}, {25, "f8E5M2FNUZ"}, {26, "f8E4M3FNUZ"},
    {27, "f8E4M3B11FNUZ"}, {28, "f8E3M4"}, {29, "f4E2M1FN"}, {30, "f6E2M3FN"},   {31, "f6E3M2FN"},
    {32, "f8E8M0FNU"},
};

}  // namespace

absl::string_view BuiltinFloatName(uint64_t code) {
  for (const auto& [number, name] : kFloats) {
    if (static_cast<uint64_t>(number) == code) return name;
  }
  return "";
}

int BuiltinFloatCode(absl::string_view name) {
  for (const auto& [number, known] : kFloats) {
    if (known == name) return number;
  }
  return -1;
}

}  // namespace bytecode

bool BytecodeErrors::Fail(size_t offset, absl::string_view message) {
  if (status_.ok()) status_ = absl::InvalidArgumentError(source_.ErrorAt(offset, message));
  return false;
}

bool ByteCursor::Byte(uint8_t* value) {
  if (AtEnd()) return Fail("the bytecode ends early");
  *value = static_cast<uint8_t>(data_[at_++]);
  return true;
}

// The number of trailing zeros of the first byte says how many bytes follow it.
bool ByteCursor::VarInt(uint64_t* value) {
  uint8_t first = 0;
  if (!Byte(&first)) return false;
  if (first & 1) {
    *value = first >> 1;
    return true;
  }
  const int more = first == 0 ? 8 : std::countr_zero(first);
  absl::string_view bytes;
  if (!Bytes(more, &bytes)) return false;
  uint64_t rest = 0;
  for (int i = more; i-- > 0;) rest = rest << 8 | static_cast<uint8_t>(bytes[i]);
  *value = more == 8 ? rest : rest << (7 - more) | first >> (more + 1);
  return true;
}

bool ByteCursor::SignedVarInt(int64_t* value) {
  uint64_t bits = 0;
  if (!VarInt(&bits)) return false;
  *value = static_cast<int64_t>(bits >> 1 ^ (0 - (bits & 1)));
  return true;
}

bool ByteCursor::FlaggedVarInt(uint64_t* value, bool* flag) {
  if (!VarInt(value)) return false;
  *flag = *value & 1;
  *value >>= 1;
  return true;
}

bool ByteCursor::Count(uint64_t* count) {
  if (!VarInt(count)) return false;
  if (*count <= remaining()) return true;
  return Fail(absl::StrCat("a list of ", *count, " cannot be in ", remaining(), " bytes"));
}

bool ByteCursor::SignedVarInts(std::vector<int64_t>* values) {
  uint64_t count = 0;
  if (!Count(&count)) return false;
  values->resize(count);
  for (int64_t& value : *values) {
    if (!SignedVarInt(&value)) return false;
  }
  return true;
}

bool ByteCursor::Bytes(uint64_t size, absl::string_view* bytes) {
  if (size > remaining()) return Fail("the bytecode ends early");
  *bytes = data_.substr(at_, size);
  at_ += size;
  return true;
}

bool ByteCursor::Blob(absl::string_view* bytes) {
  uint64_t size = 0;
  return VarInt(&size) && Bytes(size, bytes);
}

bool ByteCursor::CString(absl::string_view* text) {
  const size_t end = data_.find('\0', at_);
  if (end == absl::string_view::npos) return Fail("a string without an end");
  *text = data_.substr(at_, end - at_);
  at_ = end + 1;
  return true;
}

bool ByteCursor::Align(uint64_t alignment) {
  if (!std::has_single_bit(alignment) || alignment > uint64_t{1} << 30) {
    return Fail(absl::StrCat("alignment ", alignment, " is not a power of two"));
  }
  while (offset() % alignment != 0) {
    uint8_t padding = 0;
    if (!Byte(&padding)) return false;
    if (padding != bytecode::kPadding) return Fail("expected padding");
  }
  return true;
}

bool ByteCursor::Bits(int width, uint64_t* bits) {
  if (width > 64) return Fail(absl::StrCat("numbers of ", width, " bits are not supported"));
  if (width <= 8) {
    uint8_t byte = 0;
    if (!Byte(&byte)) return false;
    *bits = byte;
  } else {
    int64_t number = 0;
    if (!SignedVarInt(&number)) return false;
    *bits = static_cast<uint64_t>(number);
  }
  if (width < 64) *bits &= (uint64_t{1} << width) - 1;
  return true;
}

bool ByteCursor::End(absl::string_view what) {
  return AtEnd() || Fail(absl::StrCat(remaining(), " bytes are left over after ", what));
}

}  // namespace halyard::mlir
