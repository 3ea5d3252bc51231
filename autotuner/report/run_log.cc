#include "autotuner/report/run_log.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "autotuner/records/parse_json.h"
#include "frontend/files/system_error.h"
#include "nlohmann/json.hpp"

namespace halyard::autotuner {

std::string ToJson(const LoggedTrial& t) {
  nlohmann::ordered_json json;
  json["time"] = t.time;
  json["kernel"] = t.kernel;
  json["name"] = t.name;
  json["uses"] = t.uses;
  json["schedule"] = t.schedule;
  json["outcome"] = std::string(OutcomeName(t.outcome));
  json["error"] = t.error;
  json["seconds"] = t.seconds;
  json["default"] = t.default_seconds;
  json["best"] = t.best_seconds;
  json["confirming"] = t.confirming;
  if (t.resources.known()) json["resources"] = t.resources.ToText();
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

absl::StatusOr<LoggedTrial> LoggedTrialFromJson(absl::string_view line) {
  const auto parsed = ParseJsonObject<nlohmann::json>(line, "the line");
  if (!parsed.ok()) return parsed.status();
  const nlohmann::json& json = *parsed;
  std::string wrong;
  auto text = [&](const char* name) {
    const auto field = json.find(name);
    if (field == json.end() || !field->is_string()) wrong = name;
    return wrong.empty() ? field->get<std::string>() : std::string();
  };
  auto number = [&](const char* name) {
    const auto field = json.find(name);
    if (field == json.end() || !field->is_number()) wrong = name;
    return wrong.empty() ? field->get<double>() : 0.0;
  };
  LoggedTrial t;
  t.time = number("time");
  t.kernel = text("kernel");
  t.name = text("name");
  t.uses = number("uses");
  t.schedule = text("schedule");
  const absl::StatusOr<Outcome> outcome = OutcomeNamed(text("outcome"));
  if (outcome.ok()) t.outcome = *outcome;
  t.error = text("error");
  t.seconds = number("seconds");
  t.default_seconds = number("default");
  t.best_seconds = number("best");
  t.confirming = json.value("confirming", nlohmann::json()) == true;
  if (json.contains("resources")) {
    const auto resources = lowering::KernelResources::Parse(text("resources"));
    if (resources.ok()) t.resources = *resources;
    if (!resources.ok()) wrong = "resources";
  }
  if (!wrong.empty()) return absl::InvalidArgumentError(absl::StrCat("field \"", wrong, "\""));
  if (!outcome.ok()) return outcome.status();
  return t;
}

absl::StatusOr<RunLog> RunLog::OpenFile(const std::string& path) {
  RunLog log;
  log.path_ = path;
  log.file_.reset(fopen(path.c_str(), "ab"));
  if (log.file_ == nullptr)
    return absl::FailedPreconditionError(absl::StrCat(path, ": ", SystemErrorText(errno)));
  return log;
}

void RunLog::Add(LoggedTrial trial) {
  if (file_ != nullptr) {
    if (fprintf(file_.get(), "%s\n", ToJson(trial).c_str()) < 0 || fflush(file_.get()) != 0) {
      status_ = absl::FailedPreconditionError(absl::StrCat("cannot write ", path_, ": ",
                                                           SystemErrorText(errno), "; it has ",
                                                           trials_.size(), " of the run's trials"));
      file_.reset();
    }
  }
  trials_.push_back(std::move(trial));
}

}  // namespace halyard::autotuner
