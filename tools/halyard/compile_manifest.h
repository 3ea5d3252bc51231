// The manifest of `halyard compile`: NAME.manifest.json, beside the files.
#ifndef HALYARD_TOOLS_HALYARD_COMPILE_MANIFEST_H_
#define HALYARD_TOOLS_HALYARD_COMPILE_MANIFEST_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/aot/aot.h"
#include "client/reports/manifest.h"
#include "tools/halyard/global_options.h"

namespace halyard::tools {

// The command's own options, as texts.
struct ManifestOptions {
  std::string folder, name, file;
  std::string emit, weights, cuda_code, arg_shapes, entries, sizes;
  std::string check;     // path of a manifest that the new one must equal; "": none
  std::string expected;  // that manifest's text
};

// Returns the text of a manifest, or an error that names the file.
absl::StatusOr<std::string> ReadManifest(const std::string& path);

// Writes the manifest, and adds its path to `files`, which holds those of the other files. Returns
// kFailedPrecondition, and writes nothing, if it differs from the one that the options name.
absl::Status WriteManifest(const ManifestOptions& options, const GlobalOptions& global,
                           const CompileOptions& compile, const std::vector<ManifestEntry>& entries,
                           absl::Span<const ProgramSpec> programs,
                           absl::Span<const AotReport> reports, std::vector<std::string>* files);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_COMPILE_MANIFEST_H_
