// The manifest of an ahead-of-time compile, NAME.manifest.json: what the files were made of, and
// what they are. Equal compiles have equal manifests. There is no path and no time in it.
#ifndef HALYARD_CLIENT_REPORTS_MANIFEST_H_
#define HALYARD_CLIENT_REPORTS_MANIFEST_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "client/aot/aot.h"
#include "runtime/program/program_spec.h"

namespace halyard {

struct ManifestInputs {
  std::string program;  // path of the program's file, whose last part and hash are stated
  // Options that change what is compiled, by name, as texts.
  std::vector<std::pair<std::string, std::string>> options;
  std::string tuning_state;  // TunedSchedules::state(), or "" if no database is used
};

// A function of the library.
struct ManifestEntry {
  std::string name;
  size_t program = 0;  // the number of a program whose arguments and results it has
};

// Returns JSON text, in which lines end with \n. `reports` are those of `programs`. Reads the
// program's file. `files` are paths of the written files, which are read, too.
absl::StatusOr<std::string> MakeManifest(absl::Span<const ManifestEntry> entries,
                                         const ManifestInputs& inputs,
                                         absl::Span<const ProgramSpec> programs,
                                         absl::Span<const AotReport> reports,
                                         absl::Span<const std::string> files);

// Returns kInvalidArgument, which names the file, if `text` is no manifest.
absl::Status CheckIsManifest(const std::string& path, absl::string_view text);

// Returns kFailedPrecondition, which names what differs first, unless `made` equals the manifest
// `expected`, whose file is `path`. The state of the tuning database may differ if it gave the same
// schedules. kInvalidArgument if `expected` is no manifest.
absl::Status CheckManifest(const std::string& path, absl::string_view expected,
                           absl::string_view made);

}  // namespace halyard

#endif  // HALYARD_CLIENT_REPORTS_MANIFEST_H_
