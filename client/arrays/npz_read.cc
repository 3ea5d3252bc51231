#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "client/arrays/npy.h"
#include "client/arrays/npz.h"
#include "frontend/files/read_file.h"

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

absl::StatusOr<Archive> Open(const std::string& path, int64_t* file_size) {
  const absl::StatusOr<int> fd = OpenRegularFile(path);
  if (!fd.ok()) return fd.status();
  struct stat about = {};
  *file_size = fstat(*fd, &about) == 0 ? static_cast<int64_t>(about.st_size) : 0;
  int code = 0;
  zip_t* archive = zip_fdopen(*fd, 0, &code);
  if (archive != nullptr) return Archive(archive);
  close(*fd);
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string why =
      code == ZIP_ER_NOZIP ? "no .npz file, or a truncated one" : zip_error_strerror(&error);
  zip_error_fini(&error);
  return absl::InvalidArgumentError(absl::StrCat(path, ": ", why));
}

// One .npy inside the archive. It is opened once for its header, and again for its data.
struct Array {
  std::string name;
  zip_uint64_t entry = 0;
  int64_t size = 0;
  NpyHeader header;
  hlo::ElementType type = hlo::ElementType::kF32;
};

// Reads exactly `size` bytes, in pieces, because libzip passes the size on to zlib, which counts in
// 32 bits.
absl::Status ReadExactly(zip_file_t* file, char* to, int64_t size) {
  constexpr int64_t kPiece = int64_t{1} << 30;
  while (size > 0) {
    zip_int64_t got = zip_fread(file, to, static_cast<zip_uint64_t>(std::min(size, kPiece)));
    if (got < 0) return absl::InvalidArgumentError(zip_file_strerror(file));
    if (got == 0) return absl::InvalidArgumentError("the entry is shorter than its header says");
    to += got;
    size -= got;
  }
  return absl::OkStatus();
}

// Returns the entry's sizes, checked against each other and the archive's, so that no more is
// allocated than a real file can hold.
absl::StatusOr<int64_t> CheckedSize(const zip_stat_t& stat) {
  constexpr zip_uint64_t kNeeded = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
  if ((stat.valid & kNeeded) != kNeeded) return absl::InvalidArgumentError("no size is given");
  if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE) {
    return absl::InvalidArgumentError(
        absl::StrCat("compression method ", stat.comp_method, " is not supported"));
  }
  // Deflate expands one byte to at most 1032.
  zip_uint64_t factor = stat.comp_method == ZIP_CM_STORE ? 1 : 1032;
  if (stat.size > uint64_t{1} << 56 || stat.size / factor > stat.comp_size) {
    return absl::InvalidArgumentError("the entry's size is damaged");
  }
  return static_cast<int64_t>(stat.size);
}

absl::StatusOr<Entry> OpenEntry(zip_t* archive, zip_uint64_t index) {
  Entry file(zip_fopen_index(archive, index, 0));
  if (file == nullptr) return absl::InvalidArgumentError(zip_strerror(archive));
  return file;
}

// Reads up to `most` bytes from the entry's beginning.
absl::StatusOr<std::string> ReadHead(zip_t* archive, const Array& array, int64_t most) {
  absl::StatusOr<Entry> file = OpenEntry(archive, array.entry);
  if (!file.ok()) return file.status();
  std::string head(static_cast<size_t>(std::min(array.size, most)), '\0');
  absl::Status status = ReadExactly(file->get(), head.data(), static_cast<int64_t>(head.size()));
  if (!status.ok()) return status;
  return head;
}

// Reads everything about an entry except its values.
absl::Status ReadHeader(zip_t* archive, int64_t file_size, Array* array) {
  zip_stat_t stat;
  if (zip_stat_index(archive, array->entry, 0, &stat) != 0) {
    return absl::InvalidArgumentError(zip_strerror(archive));
  }
  absl::StatusOr<int64_t> size = CheckedSize(stat);
  if (!size.ok()) return size.status();
  if (static_cast<int64_t>(stat.comp_size) > file_size) {
    return absl::InvalidArgumentError("the entry is larger than the file");
  }
  array->size = *size;
  // Reading the longest possible header of each small array would take too long, so the usual
  // length is tried first.
  constexpr int64_t kUsualHeader = 128;
  absl::StatusOr<std::string> head = ReadHead(archive, *array, kUsualHeader);
  if (!head.ok()) return head.status();
  absl::StatusOr<NpyHeader> header = ParseNpyHeader(*head);
  if (!header.ok() && array->size > kUsualHeader) {
    head = ReadHead(archive, *array, kMaxNpyHeader);
    if (!head.ok()) return head.status();
    header = ParseNpyHeader(*head);
  }
  if (!header.ok()) return header.status();
  if (header->data_bytes != array->size - header->data_offset) {
    return absl::InvalidArgumentError(absl::StrCat("the array needs ", header->data_bytes,
                                                   " bytes, the entry has ",
                                                   array->size - header->data_offset));
  }
  array->header = *std::move(header);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::byte>> ReadValues(zip_t* archive, const Array& array) {
  const int64_t memory = PhysicalMemoryBytes();
  if (array.header.data_bytes > memory) {
    return absl::ResourceExhaustedError(absl::StrCat("it unpacks to ", array.header.data_bytes,
                                                     " bytes; this machine has ", memory));
  }
  absl::StatusOr<Entry> file = OpenEntry(archive, array.entry);
  if (!file.ok()) return file.status();
  std::string head(static_cast<size_t>(array.header.data_offset), '\0');
  absl::Status status = ReadExactly(file->get(), head.data(), array.header.data_offset);
  if (!status.ok()) return status;
  std::vector<std::byte> data(static_cast<size_t>(array.header.data_bytes));
  status = ReadExactly(file->get(), reinterpret_cast<char*>(data.data()), array.header.data_bytes);
  if (!status.ok()) return status;
  // The checksum is compared at the end of the entry.
  char end;
  if (zip_fread(file->get(), &end, 1) != 0) {
    return absl::InvalidArgumentError(zip_file_strerror(file->get()));
  }
  return data;
}

// Reads a NAME.dtype entry, a string that names the type of the array NAME.
absl::StatusOr<std::string> ReadDtype(zip_t* archive, const Array& array) {
  constexpr int64_t kLongestName = 1024;
  if (array.header.data_bytes > kLongestName)
    return absl::InvalidArgumentError("it is not the name of a type");
  absl::StatusOr<std::vector<std::byte>> data = ReadValues(archive, array);
  if (!data.ok()) return data.status();
  return NpyToString(array.header, *data);
}

absl::StatusOr<hlo::ElementType> TypeOf(const Array& array,
                                        const std::map<std::string, std::string>& dtypes) {
  auto dtype = dtypes.find(array.name);
  if (dtype == dtypes.end()) return NpyElementType(array.header);
  std::optional<hlo::ElementType> type = hlo::ElementTypeFromNumpyName(dtype->second);
  if (type) return *type;
  return absl::InvalidArgumentError(
      absl::StrCat("unknown type '", dtype->second, "' in ", array.name, kDtype));
}

// Returns `status` with the file and the entry before its message.
absl::Status In(const std::string& path, absl::string_view entry, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(path, ": ", entry, ": ", status.message()));
}
absl::Status In(const std::string& path, absl::string_view entry, absl::string_view what) {
  return In(path, entry, absl::InvalidArgumentError(what));
}

// Returns all arrays with their headers and types, in the file's order.
absl::StatusOr<std::vector<Array>> ReadHeaders(const std::string& path, zip_t* archive,
                                               int64_t file_size) {
  std::vector<Array> arrays;
  std::map<std::string, std::string> dtypes;
  const zip_int64_t count = zip_get_num_entries(archive, 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const char* entry = zip_get_name(archive, static_cast<zip_uint64_t>(i), 0);
    if (entry == nullptr) return In(path, absl::StrCat("entry ", i), zip_strerror(archive));
    absl::string_view name = entry;
    if (!absl::ConsumeSuffix(&name, ".npy")) return In(path, entry, "the entry is no .npy array");
    Array array;
    array.name = std::string(name);
    array.entry = static_cast<zip_uint64_t>(i);
    if (absl::Status s = ReadHeader(archive, file_size, &array); !s.ok()) return In(path, name, s);
    if (!absl::ConsumeSuffix(&name, kDtype)) {
      arrays.push_back(std::move(array));
      continue;
    }
    absl::StatusOr<std::string> text = ReadDtype(archive, array);
    if (!text.ok()) return In(path, array.name, text.status());
    dtypes[std::string(name)] = *std::move(text);
  }
  std::set<std::string> names;
  for (Array& array : arrays) {
    if (!names.insert(array.name).second) return In(path, array.name, "the name is there twice");
    absl::StatusOr<hlo::ElementType> type = TypeOf(array, dtypes);
    if (!type.ok()) return In(path, array.name, type.status());
    array.type = *type;
  }
  for (const auto& [name, text] : dtypes) {
    if (!names.contains(name))
      return In(path, absl::StrCat(name, kDtype), "there is no such array");
  }
  return arrays;
}

}  // namespace

absl::StatusOr<std::map<std::string, hlo::Literal>> ReadNpz(const std::string& path) {
  return ReadNpz(path, [](const std::string&, const hlo::Shape&) { return true; });
}

absl::StatusOr<std::map<std::string, hlo::Literal>> ReadNpz(const std::string& path,
                                                            const WantedArrays& wanted) {
  int64_t file_size = 0;
  absl::StatusOr<Archive> archive = Open(path, &file_size);
  if (!archive.ok()) return archive.status();
  absl::StatusOr<std::vector<Array>> arrays = ReadHeaders(path, archive->get(), file_size);
  if (!arrays.ok()) return arrays.status();
  std::vector<const Array*> unpacked;
  for (const Array& array : *arrays) {
    absl::StatusOr<bool> want =
        wanted(array.name, hlo::Shape::Array(array.type, array.header.dims));
    if (!want.ok()) return want.status();
    if (*want) unpacked.push_back(&array);
  }
  std::map<std::string, hlo::Literal> literals;
  for (const Array* array : unpacked) {
    absl::StatusOr<std::vector<std::byte>> data = ReadValues(archive->get(), *array);
    if (!data.ok()) return In(path, array->name, data.status());
    absl::StatusOr<hlo::Literal> literal =
        NpyToLiteral(array->header, array->type, *std::move(data));
    if (!literal.ok()) return In(path, array->name, literal.status());
    literals.emplace(array->name, *std::move(literal));
  }
  return literals;
}

}  // namespace halyard
