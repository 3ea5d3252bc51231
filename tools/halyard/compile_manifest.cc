#include "tools/halyard/compile_manifest.h"

#include "absl/strings/str_cat.h"
#include "autotuner/records/parse_json.h"
#include "client/tuning/tuned_schedules.h"
#include "frontend/files/sha256.h"
#include "tools/halyard/report.h"
#include "tools/output_file.h"

namespace halyard::tools {
namespace {

std::string YesNo(bool value) { return value ? "yes" : "no"; }

// Returns what the manifest says of the options and of the database.
absl::StatusOr<ManifestInputs> InputsOf(const ManifestOptions& options, const GlobalOptions& global,
                                        const CompileOptions& compile) {
  const auto hash = [](const std::string& text) { return text.empty() ? "" : Sha256Of(text); };
  ManifestInputs inputs;
  inputs.program = options.file;
  inputs.options = {{"emit", options.emit},
                    {"weights", options.weights},
                    {"cuda-code", options.cuda_code},
                    {"arg-shapes", options.arg_shapes},
                    {"entry", options.entries},
                    {"dim", options.sizes},
                    {"schedules", hash(compile.schedules)},
                    {"choices", hash(compile.choices)},
                    {"threads", absl::StrCat(global.client.threads)},
                    {"libraries", YesNo(global.client.use_libraries)},
                    {"attention", YesNo(compile.attention)},
                    {"quick", YesNo(compile.quick)},
                    {"without", compile.without}};
  if (!global.client.use_tuning || compile.quick) return inputs;
  absl::StatusOr<TunedSchedules> tuned =
      TunedSchedules::OpenForCompile(global.client.tuning_database, global.client.locked);
  if (!tuned.ok()) return tuned.status();
  inputs.tuning_state = tuned->state();
  return inputs;
}

}  // namespace

absl::StatusOr<std::string> ReadManifest(const std::string& path) {
  std::string text;
  if (absl::Status s = ReadTextFile(path, &text); !s.ok()) return s;
  if (absl::Status s = CheckIsManifest(path, text); !s.ok()) return s;
  const absl::Status flat = autotuner::ParseJsonObject<nlohmann::json>(text, path).status();
  if (!flat.ok()) return flat;
  return text;
}

absl::Status WriteManifest(const ManifestOptions& options, const GlobalOptions& global,
                           const CompileOptions& compile, const std::vector<ManifestEntry>& entries,
                           absl::Span<const ProgramSpec> programs,
                           absl::Span<const AotReport> reports, std::vector<std::string>* files) {
  absl::StatusOr<ManifestInputs> inputs = InputsOf(options, global, compile);
  if (!inputs.ok()) return inputs.status();
  absl::StatusOr<std::string> made = MakeManifest(entries, *inputs, programs, reports, *files);
  if (!made.ok()) return made.status();
  if (!options.check.empty()) {
    if (absl::Status s = CheckManifest(options.check, options.expected, *made); !s.ok()) return s;
  }
  files->push_back(absl::StrCat(options.folder, "/", options.name, ".manifest.json"));
  return WriteFile(files->back(), *made);
}

}  // namespace halyard::tools
