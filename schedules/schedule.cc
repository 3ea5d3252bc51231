#include "schedules/schedule.h"

#include <cstdlib>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace halyard::schedules {

absl::StatusOr<Schedule> Schedule::Parse(absl::string_view line) {
  std::vector<absl::string_view> words =
      absl::StrSplit(line, absl::ByAnyChar(" \t\r\n"), absl::SkipEmpty());
  if (words.empty())
    return absl::InvalidArgumentError(
        "a schedule line is a template's name and knob=value pairs; this one is empty");
  Schedule schedule{std::string(words[0])};
  for (size_t i = 1; i < words.size(); ++i) {
    const std::vector<absl::string_view> parts = absl::StrSplit(words[i], '=');
    int64_t value = 0;
    if (parts.size() != 2 || parts[0].empty() || !absl::SimpleAtoi(parts[1], &value)) {
      return absl::InvalidArgumentError(
          absl::StrCat("schedule \"", line, "\": `", words[i], "` is not knob=integer"));
    }
    if (schedule.Has(parts[0])) {
      return absl::InvalidArgumentError(
          absl::StrCat("schedule \"", line, "\": knob ", parts[0], " is given twice"));
    }
    schedule.Set(parts[0], value);
  }
  return schedule;
}

std::string Schedule::ToString() const {
  std::string line = template_name_;
  for (const auto& [knob, value] : knobs_) absl::StrAppend(&line, " ", knob, "=", value);
  return line;
}

bool Schedule::Has(absl::string_view knob) const {
  for (const auto& entry : knobs_) {
    if (entry.first == knob) return true;
  }
  return false;
}

int64_t Schedule::Get(absl::string_view knob) const {
  for (const auto& entry : knobs_) {
    if (entry.first == knob) return entry.second;
  }
  abort();
}

Schedule& Schedule::Set(absl::string_view knob, int64_t value) {
  for (auto& entry : knobs_) {
    if (entry.first == knob) {
      entry.second = value;
      return *this;
    }
  }
  knobs_.emplace_back(std::string(knob), value);
  return *this;
}

}  // namespace halyard::schedules
