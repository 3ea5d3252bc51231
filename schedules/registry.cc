#include "schedules/registry.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "lowering/kernel_form.h"
#include "schedules/contraction_staged.h"

namespace halyard::schedules {

bool Template::Takes(const lowering::LoweredKernel& kernel) const {
  const bool only_library = lowering::IsLibraryOp(kernel.module->entry()->root()->opcode);
  const bool allowed = only_library ? std::string(name) == kLibrary
                                    : kernel.exchange == nullptr || std::string(name) == kExchange;
  return allowed && accepts(kernel);
}

namespace {

const Template kTemplates[] = {
    kSequenceTemplate,
    kLibraryTemplate,
    kCountingTemplate,
    kTransformTemplate,
    kFourierLineTemplate,
    kAttentionMmaTemplate,
    kExchangeTemplate,
    kAttentionTemplate,
    kElementwiseTemplate,
    kRowTemplate,
    kContractionStagedTemplate,
    kContractionMmaTemplate,
    kContractionTemplate,
    kReductionTemplate,
    kScanTemplate,
    kWindowTemplate,
    kContractionMmaLanesTemplate,
    kAttentionMmaLanesTemplate,
    kPlainTemplate,
    kWinogradTemplate,
    kAdamsTemplate,
    kLiTemplate,
    kMullapudiTemplate,
    kAndersonTemplate,
};

constexpr char kRegisters[] = "registers";

bool CapsRegisters(const Template& candidate, const lowering::LoweredKernel& kernel) {
  return candidate.caps_registers && kernel.device.kind == runtime::DeviceKind::kCuda;
}

Schedule DefaultsOf(const Template& candidate, const lowering::LoweredKernel& kernel) {
  Schedule schedule = candidate.defaults(kernel);
  if (CapsRegisters(candidate, kernel)) schedule.Set(kRegisters, 0);
  return schedule;
}

std::vector<Knob> KnobsOf(const Template& candidate, const lowering::LoweredKernel& kernel) {
  std::vector<Knob> knobs = candidate.space(kernel);
  if (CapsRegisters(candidate, kernel)) knobs.push_back({kRegisters, {0, 32, 64, 96, 128, 168}});
  return knobs;
}

// Null: there is none of that name.
const Template* FindTemplate(absl::string_view name) {
  for (const Template& candidate : kTemplates) {
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

// The line, checked: template known and accepting, knobs known, values possible for kernel and
// device. Knobs that it leaves out keep their defaults.
absl::StatusOr<Schedule> CheckLine(const lowering::LoweredKernel& kernel, const std::string& line) {
  absl::StatusOr<Schedule> schedule = Schedule::Parse(line);
  if (!schedule.ok()) return schedule.status();
  const Template* candidate = FindTemplate(schedule->template_name());
  if (candidate == nullptr) {
    std::vector<std::string> names;
    for (const Template& one : kTemplates) names.push_back(one.name);
    return absl::InvalidArgumentError(absl::StrCat("schedule \"", line, "\": no template ",
                                                   schedule->template_name(), "; there are ",
                                                   absl::StrJoin(names, ", ")));
  }
  if (!candidate->Takes(kernel)) {
    return absl::InvalidArgumentError(absl::StrCat("schedule \"", line, "\": template ",
                                                   candidate->name, " does not fit this kernel"));
  }
  const std::vector<Knob> space = KnobsOf(*candidate, kernel);
  for (const auto& [name, value] : schedule->knobs()) {
    auto knob = std::find_if(space.begin(), space.end(),
                             [&n = name](const Knob& k) { return k.name == n; });
    if (knob == space.end()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "schedule \"", line, "\": template ", candidate->name, " has no knob ", name, " here"));
    }
    if (std::find(knob->choices.begin(), knob->choices.end(), value) == knob->choices.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("schedule \"", line, "\": ", name, "=", value,
                       " is not possible here; choices: ", absl::StrJoin(knob->choices, ", ")));
    }
  }
  Schedule full = DefaultsOf(*candidate, kernel);
  for (const auto& [name, value] : schedule->knobs()) full.Set(name, value);
  return full;
}

}  // namespace

absl::StatusOr<std::vector<Schedule>> CandidateSchedules(const lowering::LoweredKernel& kernel,
                                                         const std::string& line) {
  std::vector<Schedule> schedules;
  if (!line.empty()) {
    absl::StatusOr<Schedule> schedule = CheckLine(kernel, line);
    if (!schedule.ok()) return schedule.status();
    schedules.push_back(*std::move(schedule));
    return schedules;
  }
  for (const Template& candidate : kTemplates) {
    if (candidate.IsDefaultFor(kernel)) schedules.push_back(DefaultsOf(candidate, kernel));
  }
  return schedules;
}

std::vector<TemplateSpace> SpaceOf(const lowering::LoweredKernel& kernel) {
  std::vector<TemplateSpace> space;
  for (const bool defaults : {true, false}) {
    for (const Template& candidate : kTemplates) {
      if (!candidate.Takes(kernel) || candidate.IsDefaultFor(kernel) != defaults) continue;
      space.push_back({candidate.name, TemplateVersion(candidate.name), KnobsOf(candidate, kernel),
                       DefaultsOf(candidate, kernel)});
    }
  }
  return space;
}

void ApplySchedule(lowering::LoweredKernel& kernel, const Schedule& schedule) {
  const Template* found = FindTemplate(schedule.template_name());
  if (found == nullptr)
    throw lowering::EmitError(absl::StrCat("no template ", schedule.template_name()));
  kernel.max_registers = schedule.Has(kRegisters) ? schedule.Get(kRegisters) : 0;
  found->apply(kernel, schedule);
}

}  // namespace halyard::schedules
