#include "autotuner/records/record.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "autotuner/records/parse_json.h"
#include "nlohmann/json.hpp"
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace halyard::autotuner {

namespace {

constexpr absl::string_view kOutcomes[] = {"good",  "wrong result",  "compile error", "timeout",
                                           "crash", "out of memory", "unfit"};
static_assert(std::size(kOutcomes) == static_cast<size_t>(kLastOutcome) + 1);

}  // namespace

absl::string_view OutcomeName(Outcome outcome) { return kOutcomes[static_cast<int>(outcome)]; }

absl::StatusOr<Outcome> OutcomeNamed(absl::string_view name) {
  for (size_t i = 0; i < std::size(kOutcomes); ++i) {
    if (kOutcomes[i] == name) return static_cast<Outcome>(i);
  }
  return absl::InvalidArgumentError(absl::StrCat("no outcome is called \"", name, "\""));
}

std::string KernelFingerprint(absl::string_view kernel) {
  const XXH128_hash_t hash = XXH3_128bits(kernel.data(), kernel.size());
  return absl::StrCat(absl::Hex(hash.high64, absl::kZeroPad16),
                      absl::Hex(hash.low64, absl::kZeroPad16));
}

std::string ToJson(const Record& r) {
  nlohmann::ordered_json json;
  json["kernel"] = r.kernel;
  json["device"] = r.device;
  json["schedule"] = r.schedule;
  json["version"] = r.version;
  json["outcome"] = std::string(OutcomeName(r.outcome));
  json["error"] = r.error;
  json["seconds"] = r.seconds;
  json["spread"] = r.spread;
  json["rounds"] = r.rounds;
  json["difference"] = r.difference;
  json["created"] = r.created;
  json["machine"] = r.machine;
  if (r.resources.known()) json["resources"] = r.resources.ToText();
  // Text that is not UTF-8 (a kernel's error may quote any bytes) is replaced; nothing throws.
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

absl::StatusOr<Record> FromJson(absl::string_view line) {
  const auto parsed = ParseJsonObject<nlohmann::json>(line, "the line");
  if (!parsed.ok()) return parsed.status();
  const nlohmann::json& json = *parsed;
  Record record;
  std::string wrong, outcome;
  auto text = [&](const char* name, std::string* value) {
    if (json.contains(name) && json[name].is_string()) {
      *value = json[name].get<std::string>();
    } else if (wrong.empty()) {
      wrong = absl::StrCat("\"", name, "\" is missing or not a string");
    }
  };
  auto number = [&](const char* name, double* value) {
    if (json.contains(name) && json[name].is_number()) {
      json[name].get_to(*value);
      if (std::isfinite(*value) && *value >= 0) return;
    }
    if (wrong.empty())
      wrong = absl::StrCat("\"", name, "\" is missing or not a number of 0 or more");
  };
  auto count = [&](const char* name, auto* value) {
    using Count = std::remove_pointer_t<decltype(value)>;
    // A number that the type does not hold must not be converted to it.
    if (json.contains(name) && json[name].is_number_unsigned() &&
        json[name].get<uint64_t>() <= static_cast<uint64_t>(std::numeric_limits<Count>::max())) {
      json[name].get_to(*value);
      return;
    }
    if (wrong.empty())
      wrong = absl::StrCat("\"", name, "\" is missing or not a whole number of 0 or more");
  };
  text("kernel", &record.kernel);
  text("device", &record.device);
  text("schedule", &record.schedule);
  text("version", &record.version);
  text("outcome", &outcome);
  text("error", &record.error);
  number("seconds", &record.seconds);
  number("spread", &record.spread);
  count("rounds", &record.rounds);
  number("difference", &record.difference);
  count("created", &record.created);
  text("machine", &record.machine);
  if (json.contains("resources")) {
    std::string resources;
    text("resources", &resources);
    const auto used = lowering::KernelResources::Parse(resources);
    if (used.ok()) record.resources = *used;
    if (!used.ok() && wrong.empty()) wrong = std::string(used.status().message());
  }
  if (!wrong.empty()) return absl::InvalidArgumentError(wrong);
  absl::StatusOr<Outcome> named = OutcomeNamed(outcome);
  if (!named.ok()) return named.status();
  record.outcome = *named;
  if (record.kernel.empty() || record.schedule.empty())
    return absl::InvalidArgumentError("\"kernel\" or \"schedule\" is empty");
  if (record.outcome == Outcome::kGood && record.seconds <= 0)
    return absl::InvalidArgumentError("\"seconds\" of a good record is 0");
  return record;
}

uint64_t ChecksumOf(const Record& record) {
  const std::string text = ToJson(record);
  return XXH3_64bits(text.data(), text.size());
}

}  // namespace halyard::autotuner
