#include "schedules/space_text.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace halyard::schedules {

namespace {

absl::Status Wrong(int number, absl::string_view line) {
  return absl::InvalidArgumentError(
      absl::StrCat("space of a kernel, line ", number, ": `", line, "`"));
}

bool ParseTemplate(absl::string_view words, TemplateSpace* space) {
  const std::vector<std::string> parts = absl::StrSplit(words, ' ');
  if (parts.size() != 2 || !absl::SimpleAtoi(parts[1], &space->version)) return false;
  space->name = parts[0];
  return true;
}

bool ParseKnob(absl::string_view words, Knob* knob) {
  const std::vector<std::string> parts = absl::StrSplit(words, ' ');
  if (parts.size() < 2) return false;
  knob->name = parts[0];
  for (size_t i = 1; i < parts.size(); ++i) {
    int64_t choice;
    if (!absl::SimpleAtoi(parts[i], &choice)) return false;
    knob->choices.push_back(choice);
  }
  return true;
}

}  // namespace

int TemplateVersion(absl::string_view name) {
  for (const TemplateId& id : kTemplateIds) {
    if (id.name == name) return id.version;
  }
  return 1;
}

std::string SpaceText(const std::vector<TemplateSpace>& space) {
  std::string text;
  for (const TemplateSpace& one : space) {
    absl::StrAppend(&text, "template ", one.name, " ", one.version, "\ndefault ",
                    one.defaults.ToString(), "\n");
    for (const Knob& knob : one.knobs)
      absl::StrAppend(&text, "knob ", knob.name, " ", absl::StrJoin(knob.choices, " "), "\n");
  }
  return text;
}

absl::StatusOr<std::vector<TemplateSpace>> ParseSpace(absl::string_view text) {
  std::vector<TemplateSpace> space;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    absl::string_view words = line;
    if (line.empty()) continue;
    if (absl::ConsumePrefix(&words, "template ")) {
      space.emplace_back();
      if (!ParseTemplate(words, &space.back())) return Wrong(number, line);
    } else if (!space.empty() && absl::ConsumePrefix(&words, "default ")) {
      absl::StatusOr<Schedule> schedule = Schedule::Parse(words);
      if (!schedule.ok()) return schedule.status();
      space.back().defaults = *std::move(schedule);
    } else if (!space.empty() && absl::ConsumePrefix(&words, "knob ")) {
      space.back().knobs.emplace_back();
      if (!ParseKnob(words, &space.back().knobs.back())) return Wrong(number, line);
    } else {
      return Wrong(number, line);
    }
  }
  return space;
}

}  // namespace halyard::schedules
