#include "autotuner/records/record_text.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "autotuner/records/parse_json.h"
#include "nlohmann/json.hpp"

namespace halyard::autotuner {

namespace {

using Json = nlohmann::ordered_json;

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string TextOf(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

// Returns whether the version names the template of the schedule. Choices have no template.
bool VersionFits(const Record& record) {
  const absl::string_view version = record.version, schedule = record.schedule;
  const absl::string_view of = version.substr(0, version.find(' '));
  return of == "choices" || of == schedule.substr(0, schedule.find(' '));
}

}  // namespace

void RecordTextWriter::Append(const Record& record, std::string* lines) {
  const std::string id = KernelFingerprint(record.kernel);
  if (written_.insert(id).second) {
    Json kernel;
    kernel["id"] = id;
    kernel["kernel"] = record.kernel;
    absl::StrAppend(lines, Dump(kernel), "\n");
  }
  const Json whole = Json::parse(ToJson(record));
  Json json;
  json["id"] = id;
  for (const auto& [name, value] : whole.items()) {
    if (name != "kernel") json[name] = value;
  }
  absl::StrAppend(lines, Dump(json), "\n");
}

absl::StatusOr<std::vector<Record>> ReadRecordText(absl::string_view lines,
                                                   absl::string_view file) {
  std::vector<Record> records;
  std::map<std::string, std::string> kernels;  // by fingerprint
  int number = 0;
  for (absl::string_view line : absl::StrSplit(lines, '\n')) {
    ++number;
    if (line.empty()) continue;
    auto wrong = [&](absl::string_view what) {
      return absl::InvalidArgumentError(absl::StrCat(file, ":", number, ":1: error: ", what));
    };
    absl::StatusOr<Json> parsed = ParseJsonObject<Json>(line, "the line");
    if (!parsed.ok()) return wrong(parsed.status().message());
    Json& json = *parsed;
    if (const std::string id = TextOf(json, "id"); !id.empty()) {
      if (json.contains("kernel")) {
        const std::string text = TextOf(json, "kernel");
        if (KernelFingerprint(text) != id)
          return wrong(absl::StrCat("\"id\" ", id, " is not the kernel's fingerprint"));
        kernels[id] = text;
        continue;
      }
      const auto kernel = kernels.find(id);
      if (kernel == kernels.end())
        return wrong(absl::StrCat("no line before has the kernel of \"id\" ", id));
      json["kernel"] = kernel->second;
      json.erase("id");
    }
    absl::StatusOr<Record> record = FromJson(Dump(json));
    if (!record.ok()) return wrong(record.status().message());
    if (record->device.empty()) return wrong("\"device\" is empty");
    if (!VersionFits(*record)) {
      return wrong(absl::StrCat("\"schedule\" \"", record->schedule, "\" is not of \"version\" \"",
                                record->version, "\""));
    }
    records.push_back(*std::move(record));
  }
  return records;
}

}  // namespace halyard::autotuner
