// Reads and writes static libraries (`ar` archives in GNU's form, with the symbol index that
// linkers need).
#ifndef HALYARD_RUNTIME_ARCHIVE_AR_H_
#define HALYARD_RUNTIME_ARCHIVE_AR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard {

struct ArchiveMember {
  std::string name;  // "status.cc.o"
  std::string data;  // an ELF64 object
};

// Returns the objects of an archive, without index and name tables. Returns kInvalidArgument for a
// malformed or a thin archive.
absl::StatusOr<std::vector<ArchiveMember>> ReadArchive(absl::string_view archive);

// Returns the bytes of an archive. The same members always give the same bytes, because times and
// owners are 0. Members may share a name. The index has numbers of 64 bits (/SYM64/) if a member
// begins behind `largest_offset`; tests pass another one. Returns kInvalidArgument for a member
// that is not an ELF64 object, and for one over 9.9 GB, which archives cannot hold.
absl::StatusOr<std::string> WriteArchive(const std::vector<ArchiveMember>& members,
                                         uint64_t largest_offset = UINT32_MAX);

}  // namespace halyard

#endif  // HALYARD_RUNTIME_ARCHIVE_AR_H_
