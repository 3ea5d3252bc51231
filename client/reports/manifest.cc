#include "client/reports/manifest.h"

#include "absl/strings/str_cat.h"
#include "frontend/files/sha256.h"
#include "lowering/kernels/kernel_request.h"
#include "nlohmann/json.hpp"
#include "plan_source_hash.h"
#include "runtime/version.h"

namespace halyard {
namespace {

using Json = nlohmann::ordered_json;

std::string FileName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

absl::StatusOr<Json> FileEntry(const std::string& path) {
  absl::StatusOr<FileDigest> digest = DigestOfFile(path);
  if (!digest.ok()) return digest.status();
  Json entry;
  entry["name"] = FileName(path);
  entry["bytes"] = digest->bytes;
  entry["sha256"] = digest->sha256;
  return entry;
}

Json Values(const std::vector<ProgramSpec::Value>& values) {
  Json list = Json::array();
  for (const ProgramSpec::Value& value : values) {
    Json entry;
    entry["name"] = value.name;
    entry["type"] = value.element_type;
    entry["dims"] = value.dims;
    list.push_back(std::move(entry));
  }
  return list;
}

Json TargetEntry(const ProgramSpec& program, const AotReport& report) {
  Json entry;
  entry["target"] = program.target;
  entry["program"] = program.name;
  entry["device"] = program.device.name;
  entry["kernel_bytes"] = report.kernel_bytes;
  entry["constant_bytes"] = report.constant_bytes;
  entry["temporary_bytes"] = report.arena_bytes;
  Json kernels = Json::array();
  for (const AotReport::Schedule& schedule : report.schedules) {
    Json kernel;
    kernel["name"] = schedule.kernel;
    kernel["schedule"] = schedule.line;
    kernel["tuned"] = schedule.tuned;
    kernels.push_back(std::move(kernel));
  }
  entry["kernels"] = std::move(kernels);
  return entry;
}

// Texts of programs need not be UTF-8.
std::string Text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

// Finds the first difference, in the order of `made`; `*where` becomes its place.
bool Differ(const Json& expected, const Json& made, std::string* where) {
  if (expected.type() == made.type() && made.is_object()) {
    for (const auto& [key, value] : made.items()) {
      std::string place = where->empty() ? key : absl::StrCat(*where, ".", key);
      if (place == "tuning") continue;
      if (expected.contains(key) && !Differ(expected[key], value, &place)) continue;
      *where = place;
      return true;
    }
    for (const auto& [key, value] : expected.items()) {
      if (made.contains(key)) continue;
      *where = where->empty() ? key : absl::StrCat(*where, ".", key);
      return true;
    }
    return false;
  }
  if (made.is_array() && expected.is_array() && made.size() == expected.size()) {
    for (size_t i = 0; i < made.size(); ++i) {
      std::string place = absl::StrCat(*where, "[", i, "]");
      if (!Differ(expected[i], made[i], &place)) continue;
      *where = place;
      return true;
    }
    return false;
  }
  return expected != made;
}

// Returns what the manifest says at a place that Differ found: "", or ", which was 1 and is 2".
std::string Change(const Json& expected, const Json& made, std::string place) {
  for (size_t at = place.find_first_of(".["); at != std::string::npos;
       at = place.find_first_of(".[", at + 1)) {
    if (place[at] == '[') place.erase(place.find(']', at), 1);
    place[at] = '/';
  }
  const Json::json_pointer pointer("/" + place);
  const auto text = [&](const Json& json) {
    if (!json.contains(pointer)) return std::string("absent");
    const std::string value = Text(json[pointer], -1);
    return value.size() <= 200 ? value : absl::StrCat(value.substr(0, 200), "...");
  };
  return absl::StrCat("it says ", text(expected), ", and this compile ", text(made));
}

absl::Status ParseManifest(const std::string& path, absl::string_view text, Json* manifest) {
  *manifest = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (manifest->is_object() && manifest->contains("halyard") && manifest->contains("files"))
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(path, ": this is no manifest"));
}

}  // namespace

absl::StatusOr<std::string> MakeManifest(absl::Span<const ManifestEntry> entries,
                                         const ManifestInputs& inputs,
                                         absl::Span<const ProgramSpec> programs,
                                         absl::Span<const AotReport> reports,
                                         absl::Span<const std::string> files) {
  Json manifest;
  manifest["halyard"] = HALYARD_VERSION_TEXT;
  manifest["format"] = HALYARD_PROGRAM_FORMAT;
  manifest["sources"] = HALYARD_PLAN_SOURCE_HASH;
  manifest["halide"] = std::string(lowering::HalideVersion());
  absl::StatusOr<Json> program = FileEntry(inputs.program);
  if (!program.ok()) return program.status();
  manifest["program"] = *std::move(program);
  Json options = Json::object();
  for (const auto& [option, value] : inputs.options) options[option] = value;
  manifest["options"] = std::move(options);
  manifest["tuning"] = inputs.tuning_state.empty() ? Json() : Json(inputs.tuning_state);
  Json list = Json::array();
  for (const ManifestEntry& each : entries) {
    Json entry;
    entry["name"] = each.name;
    entry["arguments"] = Values(programs[each.program].parameters);
    entry["results"] = Values(programs[each.program].results);
    list.push_back(std::move(entry));
  }
  manifest["entries"] = std::move(list);
  Json targets = Json::array();
  for (size_t i = 0; i < programs.size(); ++i)
    targets.push_back(TargetEntry(programs[i], reports[i]));
  manifest["targets"] = std::move(targets);
  Json written = Json::array();
  for (const std::string& path : files) {
    absl::StatusOr<Json> file = FileEntry(path);
    if (!file.ok()) return file.status();
    written.push_back(*std::move(file));
  }
  manifest["files"] = std::move(written);
  return Text(manifest, 1) + "\n";
}

absl::Status CheckIsManifest(const std::string& path, absl::string_view text) {
  Json manifest;
  return ParseManifest(path, text, &manifest);
}

absl::Status CheckManifest(const std::string& path, absl::string_view expected,
                           absl::string_view made) {
  Json before;
  if (absl::Status s = ParseManifest(path, expected, &before); !s.ok()) return s;
  const Json now = Json::parse(made, nullptr, /*allow_exceptions=*/false);
  std::string where;
  if (!Differ(before, now, &where)) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(path, ": ", where, " differs: ", Change(before, now, where)));
}

}  // namespace halyard
