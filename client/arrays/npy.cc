#include "client/arrays/npy.h"

#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/hlo/values/stored_byte.h"

namespace halyard {
namespace {

using hlo::ElementClass;
using hlo::ElementType;

constexpr absl::string_view kMagic = "\x93NUMPY";
constexpr int64_t kAlignment = 64;
constexpr size_t kMaxRank = 64;  // NumPy's limit

absl::Status Wrong(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("wrong .npy header: ", what));
}

// Reads the header's text, a Python dictionary: {'descr': '<f4', 'fortran_order': False, 'shape':
// (3, 4), }
class DictReader {
 public:
  explicit DictReader(absl::string_view text) : text_(text) {}

  absl::Status Read(NpyHeader* header) {
    if (!Take('{')) return Wrong("no dictionary");
    bool descr = false, order = false, shape = false;
    while (!Take('}')) {
      std::optional<absl::string_view> key = String();
      if (!key || !Take(':')) return Wrong("no key");
      absl::Status status;
      if (*key == "descr" && !std::exchange(descr, true)) {
        status = ReadDescr(header);
      } else if (*key == "fortran_order" && !std::exchange(order, true)) {
        status = ReadBool(&header->fortran_order);
      } else if (*key == "shape" && !std::exchange(shape, true)) {
        status = ReadDims(&header->dims);
      } else {
        status = Wrong(absl::StrCat("key '", *key, "'"));
      }
      if (!status.ok()) return status;
      if (!Take(',') && !Peek('}')) return Wrong("no ',' after a value");
    }
    if (!descr || !order || !shape) return Wrong("descr, fortran_order or shape is missing");
    return absl::OkStatus();
  }

 private:
  void SkipSpace() { text_ = absl::StripLeadingAsciiWhitespace(text_); }
  bool Peek(char c) {
    SkipSpace();
    return !text_.empty() && text_[0] == c;
  }
  bool Take(char c) {
    if (!Peek(c)) return false;
    text_.remove_prefix(1);
    return true;
  }

  std::optional<absl::string_view> String() {
    if (!Peek('\'') && !Peek('"')) return std::nullopt;
    size_t end = text_.find(text_[0], 1);
    if (end == absl::string_view::npos) return std::nullopt;
    absl::string_view value = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return value;
  }

  std::optional<int64_t> Int() {
    SkipSpace();
    int64_t value = 0;
    auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc()) return std::nullopt;
    text_.remove_prefix(end - text_.data());
    if (absl::StartsWith(text_, "L")) text_.remove_prefix(1);  // a long integer of Python 2
    return value;
  }

  absl::Status ReadBool(bool* value) {
    SkipSpace();
    for (absl::string_view word : {"True", "False"}) {
      if (!absl::StartsWith(text_, word)) continue;
      text_.remove_prefix(word.size());
      *value = word == "True";
      return absl::OkStatus();
    }
    return Wrong("fortran_order is no bool");
  }

  absl::Status ReadDims(std::vector<int64_t>* dims) {
    if (!Take('(')) return Wrong("shape is no tuple");
    while (!Take(')')) {
      std::optional<int64_t> dim = Int();
      if (!dim || *dim < 0 || dims->size() == kMaxRank) return Wrong("shape");
      dims->push_back(*dim);
      if (!Take(',') && !Peek(')')) return Wrong("shape");
    }
    return absl::OkStatus();
  }

  // Reads a type such as '<f4': byte order, kind, and size in bytes (for U, in characters of four
  // bytes).
  absl::Status ReadDescr(NpyHeader* header) {
    if (Peek('[')) return absl::InvalidArgumentError("structured arrays are not supported");
    std::optional<absl::string_view> descr = String();
    if (!descr || descr->size() < 2) return Wrong("descr");
    char order = (*descr)[0];
    header->kind = (*descr)[1];
    if (header->kind == 'O') return absl::InvalidArgumentError("object arrays are not supported");
    if (order == '>') {
      return absl::InvalidArgumentError(absl::StrCat(
          "type '", *descr, "' is big-endian; only little-endian arrays are supported"));
    }
    absl::string_view size = descr->substr(2);
    auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), header->item_bytes);
    bool number = error == std::errc() && end == size.data() + size.size();
    if (!absl::StrContains("<|=", absl::string_view(&order, 1)) || !number ||
        header->item_bytes < 0 || header->item_bytes > (1 << 20)) {
      return absl::InvalidArgumentError(absl::StrCat("type '", *descr, "' is not supported"));
    }
    if (header->kind == 'U') header->item_bytes *= 4;
    return absl::OkStatus();
  }

  absl::string_view text_;
};

absl::Status SetDataBytes(NpyHeader* header) {
  int64_t bytes = header->item_bytes;
  bool empty = bytes == 0;
  for (int64_t dim : header->dims) empty = empty || dim == 0;
  for (int64_t dim : header->dims) {
    if (!empty && bytes > std::numeric_limits<int64_t>::max() / dim) {
      return absl::InvalidArgumentError("the array's size does not fit 64 bits");
    }
    bytes *= empty ? 1 : dim;
  }
  header->data_bytes = empty ? 0 : bytes;
  return absl::OkStatus();
}

std::string Header(absl::string_view descr, absl::Span<const int64_t> dims) {
  std::string text = absl::StrCat("{'descr': '", descr, "', 'fortran_order': False, 'shape': (",
                                  absl::StrJoin(dims, ", "), dims.size() == 1 ? "," : "", "), }");
  // The length has two bytes in version 1.0, which is enough: a header has at most 64 dimensions of
  // 20 digits.
  size_t prefix = kMagic.size() + 4;
  text.append(kAlignment - 1 - (prefix + text.size()) % kAlignment, ' ');
  text.push_back('\n');
  std::string out(kMagic);
  out.append({1, 0, static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)});
  return out + text;
}

// Reorders column-major elements to row-major.
std::vector<std::byte> ToRowMajor(const NpyHeader& header, absl::Span<const std::byte> from) {
  std::vector<std::byte> to(from.size());
  int64_t rank = static_cast<int64_t>(header.dims.size());
  std::vector<int64_t> index(rank, 0), strides(rank);
  int64_t stride = header.item_bytes;
  for (int64_t d = 0; d < rank; ++d) {
    strides[d] = stride;
    stride *= header.dims[d];
  }
  int64_t source = 0;
  for (int64_t at = 0; at < header.data_bytes; at += header.item_bytes) {
    std::memcpy(to.data() + at, from.data() + source, header.item_bytes);
    for (int64_t d = rank - 1; d >= 0; --d) {
      source += strides[d];
      if (++index[d] < header.dims[d]) break;
      source -= strides[d] * header.dims[d];
      index[d] = 0;
    }
  }
  return to;
}

// Converts the bytes of a type narrower than a byte to a literal's form. Returns false if one of
// them is not a value of the type.
bool NormaliseNarrow(ElementType type, absl::Span<std::byte> data) {
  const int mask = (1 << hlo::BitWidth(type)) - 1;
  for (std::byte& byte : data) {
    const auto value = static_cast<uint8_t>(byte);
    const uint8_t stored = hlo::StoredByte(type, value);
    if (type != ElementType::kPred && value > mask && value != stored) return false;
    byte = static_cast<std::byte>(stored);
  }
  return true;
}

}  // namespace

absl::StatusOr<NpyHeader> ParseNpyHeader(absl::string_view bytes) {
  if (!absl::StartsWith(bytes, kMagic)) return absl::InvalidArgumentError("no .npy array");
  if (bytes.size() < kMagic.size() + 6) return Wrong("truncated");
  auto byte = [&](size_t i) { return int64_t{static_cast<uint8_t>(bytes[i])}; };
  int64_t version = byte(6);
  if (version < 1 || version > 3) return Wrong(absl::StrCat("version ", version));
  int64_t start = version == 1 ? 10 : 12;
  int64_t length = byte(8) | byte(9) << 8;
  if (version > 1) length |= byte(10) << 16 | byte(11) << 24;
  if (length > kMaxNpyHeader - start) return Wrong(absl::StrCat("length ", length));
  if (start + length > static_cast<int64_t>(bytes.size())) return Wrong("truncated");
  NpyHeader header;
  absl::Status status = DictReader(bytes.substr(start, length)).Read(&header);
  if (status.ok()) status = SetDataBytes(&header);
  if (!status.ok()) return status;
  header.data_offset = start + length;
  return header;
}

absl::StatusOr<ElementType> NpyElementType(const NpyHeader& header) {
  struct Row {
    char kind;
    int64_t bytes;
    ElementType type;
  };
  constexpr Row kRows[] = {
      {'b', 1, ElementType::kPred}, {'i', 1, ElementType::kS8},   {'i', 2, ElementType::kS16},
      {'i', 4, ElementType::kS32},  {'i', 8, ElementType::kS64},  {'u', 1, ElementType::kU8},
      {'u', 2, ElementType::kU16},  {'u', 4, ElementType::kU32},  {'u', 8, ElementType::kU64},
      {'f', 2, ElementType::kF16},  {'f', 4, ElementType::kF32},  {'f', 8, ElementType::kF64},
      {'c', 8, ElementType::kC64},  {'c', 16, ElementType::kC128}};
  for (const Row& row : kRows) {
    if (row.kind == header.kind && row.bytes == header.item_bytes) return row.type;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("NumPy type '", absl::string_view(&header.kind, 1), header.item_bytes,
                   "' is not an element type; types that NumPy lacks need a NAME.dtype entry"));
}

absl::StatusOr<hlo::Literal> NpyToLiteral(const NpyHeader& header, ElementType type,
                                          std::vector<std::byte> data) {
  absl::StatusOr<ElementType> own = NpyElementType(header);
  // Types that NumPy lacks are stored as bits. ml_dtypes writes such arrays as V, and as f1.
  bool bits = absl::StrContains("uiV", absl::string_view(&header.kind, 1)) ||
              (header.kind == 'f' && header.item_bytes == 1);
  if (header.item_bytes != hlo::StorageBytes(type) || (!bits && (!own.ok() || *own != type))) {
    return absl::InvalidArgumentError(
        absl::StrCat("NumPy type '", absl::string_view(&header.kind, 1), header.item_bytes,
                     "' cannot hold ", hlo::NumpyName(type)));
  }
  if (header.fortran_order && header.dims.size() > 1) data = ToRowMajor(header, data);
  if (hlo::BitWidth(type) < 8 && !NormaliseNarrow(type, absl::MakeSpan(data))) {
    return absl::InvalidArgumentError(
        absl::StrCat("a byte is no value of type ", hlo::NumpyName(type)));
  }
  return hlo::Literal::FromBytes(hlo::Shape::Array(type, header.dims), std::move(data));
}

bool IsNumpyType(ElementType type) {
  if (hlo::IsFloat(type)) {
    return type == ElementType::kF16 || type == ElementType::kF32 || type == ElementType::kF64;
  }
  return type == ElementType::kPred || hlo::BitWidth(type) >= 8;
}

std::string NpyHeaderFor(const hlo::Shape& array) {
  ElementType type = array.element_type();
  int bytes = hlo::StorageBytes(type);
  char kind = 'u';
  if (IsNumpyType(type)) {
    switch (hlo::ClassOf(type)) {
      case ElementClass::kBool:
        kind = 'b';
        break;
      case ElementClass::kSigned:
        kind = 'i';
        break;
      case ElementClass::kUnsigned:
        kind = 'u';
        break;
      case ElementClass::kFloat:
        kind = 'f';
        break;
      case ElementClass::kComplex:
        kind = 'c';
        break;
    }
  }
  return Header(absl::StrCat(bytes == 1 ? "|" : "<", absl::string_view(&kind, 1), bytes),
                array.dims());
}

std::string NpyString(absl::string_view text) {
  std::string out = Header(absl::StrCat("<U", text.size()), {});
  for (char c : text) out.append({c, 0, 0, 0});  // UTF-32
  return out;
}

absl::StatusOr<std::string> NpyToString(const NpyHeader& header, absl::Span<const std::byte> data) {
  if ((header.kind != 'U' && header.kind != 'S') || header.data_bytes != header.item_bytes) {
    return absl::InvalidArgumentError("expected one string");
  }
  std::string text;
  size_t width = header.kind == 'U' ? 4 : 1;
  for (size_t i = 0; i + width <= data.size(); i += width) {
    uint32_t c = 0;
    std::memcpy(&c, data.data() + i, width);
    if (c == 0) break;
    if (c > 126) return absl::InvalidArgumentError("the string is not ASCII");
    text.push_back(static_cast<char>(c));
  }
  return text;
}

}  // namespace halyard
