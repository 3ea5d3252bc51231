#include <unistd.h>
#include <zip.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <set>

#include "absl/strings/str_cat.h"
#include "client/arrays/npy.h"
#include "client/arrays/npz.h"

namespace halyard {
namespace {

// The date is 1980-01-01 in zip's format, so that the same arrays give the same bytes.
constexpr zip_uint16_t kDate = (1 << 5) | 1;

// Adds `entry`, which consists of `head` and `data`. Both are read when the archive is closed.
absl::Status AddEntry(zip_t* archive, const std::string& entry, absl::string_view head,
                      absl::Span<const std::byte> data) {
  zip_buffer_fragment_t parts[2] = {};
  auto set = [](zip_buffer_fragment_t* part, const void* bytes, size_t size) {
    part->data = static_cast<zip_uint8_t*>(const_cast<void*>(bytes));
    part->length = size;
  };
  set(&parts[0], head.data(), head.size());
  set(&parts[1], data.data(), data.size());
  zip_source_t* source =
      zip_source_buffer_fragment(archive, parts, data.empty() ? 1 : 2, /*freep=*/0);
  if (source == nullptr) return absl::InternalError(zip_strerror(archive));
  zip_int64_t index = zip_file_add(archive, entry.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    return absl::InvalidArgumentError(absl::StrCat(entry, ": ", zip_strerror(archive)));
  }
  if (zip_set_file_compression(archive, index, ZIP_CM_STORE, 0) != 0 ||
      zip_file_set_dostime(archive, index, 0, kDate, 0) != 0) {
    return absl::InternalError(zip_strerror(archive));
  }
  return absl::OkStatus();
}

absl::Status Check(const std::vector<std::pair<std::string, hlo::Literal>>& arrays) {
  std::set<std::string> names;
  for (const auto& [name, literal] : arrays) {
    if (!literal.shape().IsArray()) {
      return absl::InvalidArgumentError(
          absl::StrCat(name, ": ", literal.shape().ToString(), " is not an array"));
    }
    if (!names.insert(name).second) {
      return absl::InvalidArgumentError(absl::StrCat(name, ": the name is there twice"));
    }
  }
  return absl::OkStatus();
}

// libzip does not write an archive without entries, which consists of the end record only.
absl::Status WriteEmpty(const std::string& path) {
  constexpr char kEnd[22] = {'P', 'K', 5, 6};
  std::string temporary = absl::StrCat(path, ".", getpid(), ".tmp");
  FILE* file = std::fopen(temporary.c_str(), "wb");
  bool ok = file != nullptr && std::fwrite(kEnd, sizeof(kEnd), 1, file) == 1;
  if (file != nullptr) ok = std::fclose(file) == 0 && ok;
  if (ok && std::rename(temporary.c_str(), path.c_str()) == 0) return absl::OkStatus();
  std::string why = std::strerror(errno);
  if (file != nullptr) std::remove(temporary.c_str());
  return absl::InvalidArgumentError(absl::StrCat(path, ": ", why));
}

}  // namespace

absl::Status WriteNpz(const std::string& path,
                      const std::vector<std::pair<std::string, hlo::Literal>>& arrays) {
  if (absl::Status status = Check(arrays); !status.ok()) return status;
  if (arrays.empty()) return WriteEmpty(path);
  int code = 0;
  // The archive is written to a temporary file beside `path`, which replaces `path` when it is
  // closed.
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  if (archive == nullptr) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    std::string why = zip_error_strerror(&error);
    zip_error_fini(&error);
    return absl::InvalidArgumentError(absl::StrCat(path, ": ", why));
  }
  std::deque<std::string> texts;  // alive until the archive is closed
  std::deque<hlo::Literal> unsigned_bits;
  absl::Status status;
  for (const auto& [name, literal] : arrays) {
    hlo::ElementType type = literal.shape().element_type();
    const hlo::Literal* bits = &literal;
    if (hlo::BitWidth(type) < 8 && hlo::IsSigned(type)) {
      // The sign is not extended, as in ml_dtypes' arrays.
      hlo::Literal& plain = unsigned_bits.emplace_back(literal);
      for (std::byte& byte : plain.mutable_bytes()) {
        byte &= static_cast<std::byte>((1 << hlo::BitWidth(type)) - 1);
      }
      bits = &plain;
    }
    texts.push_back(NpyHeaderFor(literal.shape()));
    status = AddEntry(archive, absl::StrCat(name, ".npy"), texts.back(), bits->bytes());
    if (status.ok() && !IsNumpyType(type)) {
      texts.push_back(NpyString(hlo::NumpyName(type)));
      status = AddEntry(archive, absl::StrCat(name, ".dtype.npy"), texts.back(), {});
    }
    if (!status.ok()) break;
  }
  if (status.ok() && zip_close(archive) == 0) return absl::OkStatus();
  if (status.ok())
    status = absl::InvalidArgumentError(absl::StrCat(path, ": ", zip_strerror(archive)));
  zip_discard(archive);
  return status;
}

}  // namespace halyard
