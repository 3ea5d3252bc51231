#include <zip.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "client/npy.h"
#include "client/npz.h"

namespace halyard {
namespace {

struct CloseArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseEntry {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using Archive = std::unique_ptr<zip_t, CloseArchive>;
using Entry = std::unique_ptr<zip_file_t, CloseEntry>;

constexpr absl::string_view kDtype = ".dtype";

absl::StatusOr<Archive> Open(const std::string& path) {
  int code = 0;
  zip_t* archive = zip_open(path.c_str(), ZIP_RDONLY, &code);
  if (archive != nullptr) return Archive(archive);
  int system_error = errno;
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string why =
      code == ZIP_ER_NOZIP ? "no .npz file, or a truncated one" : zip_error_strerror(&error);
  zip_error_fini(&error);
  std::string message = absl::StrCat(path, ": ", why);
  bool missing = code == ZIP_ER_NOENT || (code == ZIP_ER_OPEN && system_error == ENOENT);
  return missing ? absl::NotFoundError(message) : absl::InvalidArgumentError(message);
}

// One .npy inside the archive.
struct Array {
  std::string name;
  NpyHeader header;
  std::vector<std::byte> data;
};

// Reads exactly `size` bytes.
absl::Status ReadExactly(zip_file_t* file, char* to, int64_t size) {
  while (size > 0) {
    zip_int64_t got = zip_fread(file, to, static_cast<zip_uint64_t>(size));
    if (got < 0) return absl::InvalidArgumentError(zip_file_strerror(file));
    if (got == 0) return absl::InvalidArgumentError("the entry is shorter than its header says");
    to += got;
    size -= got;
  }
  return absl::OkStatus();
}

// The entry's sizes, checked against each other and the archive's, so that no more is allocated
// than a real file can hold.
absl::StatusOr<int64_t> CheckedSize(const zip_stat_t& stat) {
  constexpr zip_uint64_t kNeeded = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
  if ((stat.valid & kNeeded) != kNeeded) return absl::InvalidArgumentError("no size is given");
  if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE) {
    return absl::InvalidArgumentError(
        absl::StrCat("compression method ", stat.comp_method, " is not supported"));
  }
  // Deflate makes at most 1032 bytes of one.
  zip_uint64_t factor = stat.comp_method == ZIP_CM_STORE ? 1 : 1032;
  if (stat.size > uint64_t{1} << 56 || stat.size / factor > stat.comp_size) {
    return absl::InvalidArgumentError("the entry's size is damaged");
  }
  return static_cast<int64_t>(stat.size);
}

absl::Status ReadEntry(zip_t* archive, zip_uint64_t index, int64_t file_size, Array* array) {
  zip_stat_t stat;
  if (zip_stat_index(archive, index, 0, &stat) != 0) {
    return absl::InvalidArgumentError(zip_strerror(archive));
  }
  absl::StatusOr<int64_t> size = CheckedSize(stat);
  if (!size.ok()) return size.status();
  if (static_cast<int64_t>(stat.comp_size) > file_size) {
    return absl::InvalidArgumentError("the entry is larger than the file");
  }
  Entry file(zip_fopen_index(archive, index, 0));
  if (file == nullptr) return absl::InvalidArgumentError(zip_strerror(archive));
  // The longest header that there may be is too much for each small array: first its usual length.
  std::string head(std::min<int64_t>(*size, 128), '\0');
  absl::Status status = ReadExactly(file.get(), head.data(), static_cast<int64_t>(head.size()));
  if (!status.ok()) return status;
  absl::StatusOr<NpyHeader> header = ParseNpyHeader(head);
  if (!header.ok() && static_cast<int64_t>(head.size()) < *size) {
    size_t had = head.size();
    head.resize(std::min<int64_t>(*size, kMaxNpyHeader));
    status = ReadExactly(file.get(), head.data() + had, static_cast<int64_t>(head.size() - had));
    if (!status.ok()) return status;
    header = ParseNpyHeader(head);
  }
  if (!header.ok()) return header.status();
  if (header->data_bytes != *size - header->data_offset) {
    return absl::InvalidArgumentError(absl::StrCat("the array needs ", header->data_bytes,
                                                   " bytes, the entry has ",
                                                   *size - header->data_offset));
  }
  array->header = *std::move(header);
  array->data.resize(array->header.data_bytes);
  absl::string_view rest = absl::string_view(head).substr(array->header.data_offset);
  std::copy(rest.begin(), rest.end(), reinterpret_cast<char*>(array->data.data()));
  status = ReadExactly(file.get(), reinterpret_cast<char*>(array->data.data() + rest.size()),
                       array->header.data_bytes - static_cast<int64_t>(rest.size()));
  if (!status.ok()) return status;
  // The checksum is compared at the end of the entry.
  char end;
  if (zip_fread(file.get(), &end, 1) != 0) {
    return absl::InvalidArgumentError(zip_file_strerror(file.get()));
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> FileSize(const std::string& path) {
  std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (file == nullptr || fseeko(file.get(), 0, SEEK_END) != 0) {
    return absl::NotFoundError(absl::StrCat(path, ": cannot be read"));
  }
  return static_cast<int64_t>(ftello(file.get()));
}

absl::StatusOr<hlo::Literal> ToLiteral(Array array,
                                       const std::map<std::string, std::string>& dtypes) {
  auto dtype = dtypes.find(array.name);
  if (dtype == dtypes.end()) {
    absl::StatusOr<hlo::ElementType> type = NpyElementType(array.header);
    if (!type.ok()) return type.status();
    return NpyToLiteral(array.header, *type, std::move(array.data));
  }
  std::optional<hlo::ElementType> type = hlo::ElementTypeFromNumpyName(dtype->second);
  if (!type) {
    return absl::InvalidArgumentError(
        absl::StrCat("unknown type '", dtype->second, "' in ", array.name, kDtype));
  }
  return NpyToLiteral(array.header, *type, std::move(array.data));
}

}  // namespace

absl::StatusOr<std::map<std::string, hlo::Literal>> ReadNpz(const std::string& path) {
  absl::StatusOr<Archive> archive = Open(path);
  if (!archive.ok()) return archive.status();
  absl::StatusOr<int64_t> file_size = FileSize(path);
  if (!file_size.ok()) return file_size.status();
  auto wrong = [&](absl::string_view entry, absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": ", entry, ": ", what));
  };
  std::vector<Array> arrays;
  std::map<std::string, std::string> dtypes;
  zip_int64_t count = zip_get_num_entries(archive->get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const char* entry = zip_get_name(archive->get(), i, 0);
    if (entry == nullptr) return wrong(absl::StrCat("entry ", i), zip_strerror(archive->get()));
    absl::string_view name = entry;
    if (!absl::ConsumeSuffix(&name, ".npy")) return wrong(entry, "the entry is no .npy array");
    Array array;
    array.name = std::string(name);
    absl::Status status = ReadEntry(archive->get(), i, *file_size, &array);
    if (!status.ok()) return wrong(name, status.message());
    if (absl::ConsumeSuffix(&name, kDtype)) {
      absl::StatusOr<std::string> text = NpyToString(array.header, array.data);
      if (!text.ok()) return wrong(array.name, text.status().message());
      dtypes[std::string(name)] = *std::move(text);
    } else {
      arrays.push_back(std::move(array));
    }
  }
  std::map<std::string, hlo::Literal> literals;
  for (Array& array : arrays) {
    std::string name = array.name;
    if (literals.count(name) > 0) return wrong(name, "the name is there twice");
    absl::StatusOr<hlo::Literal> literal = ToLiteral(std::move(array), dtypes);
    if (!literal.ok()) return wrong(name, literal.status().message());
    literals.emplace(name, *std::move(literal));
  }
  for (const auto& [name, type] : dtypes) {
    if (literals.count(name) == 0)
      return wrong(absl::StrCat(name, kDtype), "there is no such array");
  }
  return literals;
}

}  // namespace halyard
