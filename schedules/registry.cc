#include "schedules/registry.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace halyard::schedules {

namespace {

const Template kTemplates[] = {
    kSequenceTemplate,
    kLibraryTemplate,
    kCountingTemplate,
    kTransformTemplate,
    kAttentionTemplate,
    kElementwiseTemplate,
    kRowTemplate,
    kContractionMmaTemplate,
    kContractionTemplate,
    kReductionTemplate,
    kScanTemplate,
    kWindowTemplate,
    kContractionMmaLanesTemplate,
    kPlainTemplate,
};

}  // namespace

absl::Span<const Template> AllTemplates() { return kTemplates; }

const Template& DefaultTemplate(const lowering::LoweredKernel& kernel) {
  for (const Template& candidate : AllTemplates()) {
    if (candidate.IsDefaultFor(kernel)) return candidate;
  }
  return kPlainTemplate;
}

absl::StatusOr<Schedule> ResolveSchedule(const lowering::LoweredKernel& kernel,
                                         const std::string& line) {
  if (line.empty()) return DefaultTemplate(kernel).defaults(kernel);
  absl::StatusOr<Schedule> schedule = Schedule::Parse(line);
  if (!schedule.ok()) return schedule.status();
  for (const Template& candidate : AllTemplates()) {
    if (candidate.name != schedule->template_name()) continue;
    if (!candidate.accepts(kernel)) {
      return absl::InvalidArgumentError(absl::StrCat("schedule \"", line, "\": template ",
                                                     candidate.name, " does not fit this kernel"));
    }
    const std::vector<Knob> space = candidate.space(kernel);
    for (const auto& [name, value] : schedule->knobs()) {
      auto knob = std::find_if(space.begin(), space.end(),
                               [&n = name](const Knob& k) { return k.name == n; });
      if (knob == space.end()) {
        return absl::InvalidArgumentError(absl::StrCat(
            "schedule \"", line, "\": template ", candidate.name, " has no knob ", name, " here"));
      }
      if (std::find(knob->choices.begin(), knob->choices.end(), value) == knob->choices.end()) {
        return absl::InvalidArgumentError(
            absl::StrCat("schedule \"", line, "\": ", name, "=", value,
                         " is not possible here; choices: ", absl::StrJoin(knob->choices, ", ")));
      }
    }
    // Knobs that the line leaves out keep their defaults.
    Schedule full = candidate.defaults(kernel);
    for (const auto& [name, value] : schedule->knobs()) full.Set(name, value);
    return full;
  }
  std::vector<std::string> names;
  for (const Template& candidate : AllTemplates()) names.push_back(candidate.name);
  return absl::InvalidArgumentError(absl::StrCat("schedule \"", line, "\": no template ",
                                                 schedule->template_name(), "; there are ",
                                                 absl::StrJoin(names, ", ")));
}

absl::StatusOr<std::vector<Schedule>> CandidateSchedules(const lowering::LoweredKernel& kernel,
                                                         const std::string& line) {
  std::vector<Schedule> schedules;
  if (!line.empty()) {
    absl::StatusOr<Schedule> schedule = ResolveSchedule(kernel, line);
    if (!schedule.ok()) return schedule.status();
    schedules.push_back(*std::move(schedule));
    return schedules;
  }
  for (const Template& candidate : AllTemplates()) {
    if (candidate.IsDefaultFor(kernel)) schedules.push_back(candidate.defaults(kernel));
  }
  return schedules;
}

void ApplySchedule(lowering::LoweredKernel& kernel, const Schedule& schedule) {
  for (const Template& candidate : AllTemplates()) {
    if (candidate.name == schedule.template_name()) return candidate.apply(kernel, schedule);
  }
  throw lowering::EmitError(absl::StrCat("no template ", schedule.template_name()));
}

}  // namespace halyard::schedules
