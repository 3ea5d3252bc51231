#include "schedules/registry.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "lowering/kernels/quick_line.h"
#include "runtime/device_class.h"
#include "schedules/quick.h"

namespace halyard::schedules {

namespace {

constexpr const Template* kTemplates[] = {
#define TEMPLATE(...)
#define TEMPLATE_ROW(constant) &constant,
#include "schedules/templates.def"
};

bool IsOf(DeviceClass wanted, const runtime::DeviceInfo& device) {
  switch (wanted) {
    case DeviceClass::kX86:
      return device.kind == runtime::DeviceKind::kX86;
    case DeviceClass::kGpu:
      return runtime::IsGpu(device);
    case DeviceClass::kCuda:
      return device.kind == runtime::DeviceKind::kCuda;
  }
  return false;
}

constexpr char kRegisters[] = "registers";
constexpr char kFinish[] = "finish";  // of reduction

bool CapsRegisters(const Template& candidate, const lowering::LoweredKernel& kernel) {
  return candidate.caps_registers && kernel.device.kind == runtime::DeviceKind::kCuda;
}

Schedule DefaultsOf(const Template& candidate, const lowering::LoweredKernel& kernel) {
  Schedule schedule = candidate.defaults(kernel);
  if (CapsRegisters(candidate, kernel) && !schedule.Has(kRegisters)) schedule.Set(kRegisters, 0);
  return schedule;
}

std::vector<Knob> KnobsOf(const Template& candidate, const lowering::LoweredKernel& kernel) {
  std::vector<Knob> knobs = candidate.space(kernel);
  if (CapsRegisters(candidate, kernel)) knobs.push_back({kRegisters, {0, 32, 64, 96, 128, 168}});
  return knobs;
}

// Returns the template of that name for the device, or null.
const Template* FindTemplate(absl::string_view name, const runtime::DeviceInfo& device) {
  for (const Template* candidate : kTemplates) {
    if (candidate->id.name == name && IsOf(candidate->device, device)) return candidate;
  }
  return nullptr;
}

absl::Status NoTemplate(const std::string& line, const std::string& name) {
  std::vector<std::string> names;
  for (const TemplateId& id : kTemplateIds) {
    if (id.name == name) {
      return absl::InvalidArgumentError(
          absl::StrCat("schedule \"", line, "\": template ", name, " does not fit this kernel"));
    }
    names.push_back(id.name);
  }
  return absl::InvalidArgumentError(absl::StrCat("schedule \"", line, "\": no template ", name,
                                                 "; there are ", absl::StrJoin(names, ", ")));
}

// Checks the line: the template is known and accepts the kernel, and knobs are known, with values
// that are possible for kernel and device. Knobs that it leaves out keep their defaults.
absl::StatusOr<Schedule> CheckLine(const lowering::LoweredKernel& kernel, const std::string& line) {
  absl::StatusOr<Schedule> schedule = Schedule::Parse(line);
  if (!schedule.ok()) return schedule.status();
  const Template* candidate = FindTemplate(schedule->template_name(), kernel.device);
  if (candidate == nullptr || !candidate->Takes(kernel))
    return NoTemplate(line, schedule->template_name());
  const std::vector<Knob> space = KnobsOf(*candidate, kernel);
  for (const auto& [name, value] : schedule->knobs()) {
    auto knob = std::find_if(space.begin(), space.end(),
                             [&n = name](const Knob& k) { return k.name == n; });
    if (knob == space.end()) {
      return absl::InvalidArgumentError(absl::StrCat("schedule \"", line, "\": template ",
                                                     candidate->id.name, " has no knob ", name,
                                                     " here"));
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

bool Template::Takes(const lowering::LoweredKernel& kernel) const {
  return (forms >> kernel.form->index() & 1) != 0 && IsOf(device, kernel.device) &&
         (accepts == nullptr || accepts(kernel));
}

absl::Span<const Template* const> Templates() { return kTemplates; }

absl::StatusOr<std::vector<Schedule>> CandidateSchedules(const lowering::LoweredKernel& kernel,
                                                         const std::string& line) {
  std::vector<Schedule> schedules;
  const bool quick_line = line == lowering::kQuickLine;
  if (quick_line) {
    if (std::optional<Schedule> quick = QuickSchedule(kernel)) schedules.push_back(*quick);
  } else if (!line.empty()) {
    absl::StatusOr<Schedule> schedule = CheckLine(kernel, line);
    if (!schedule.ok()) return schedule.status();
    schedules.push_back(*std::move(schedule));
    return schedules;
  }
  for (const Template* candidate : kTemplates) {
    if (!candidate->IsDefaultFor(kernel)) continue;
    const Schedule defaults = DefaultsOf(*candidate, kernel);
    if (quick_line && schedules.empty()) {
      std::optional<Schedule> small = SmallSchedule(kernel, KnobsOf(*candidate, kernel), defaults);
      if (small.has_value()) schedules.push_back(*small);
    }
    schedules.push_back(defaults);
    // Where its launches cannot be joined after all.
    Schedule two = schedules.back();
    if (two.Has(kFinish) && two.Get(kFinish) != 0) schedules.push_back(two.Set(kFinish, 0));
  }
  return schedules;
}

std::vector<TemplateSpace> SpaceOf(const lowering::LoweredKernel& kernel) {
  std::vector<TemplateSpace> space;
  for (const bool defaults : {true, false}) {
    for (const Template* candidate : kTemplates) {
      if (candidate->for_tests_only || !candidate->Takes(kernel) ||
          candidate->IsDefaultFor(kernel) != defaults)
        continue;
      space.push_back({candidate->id.name, candidate->id.version, KnobsOf(*candidate, kernel),
                       DefaultsOf(*candidate, kernel)});
    }
  }
  return space;
}

void ApplySchedule(lowering::LoweredKernel& kernel, const Schedule& schedule) {
  const Template* found = FindTemplate(schedule.template_name(), kernel.device);
  if (found == nullptr)
    throw lowering::EmitError(absl::StrCat("no template ", schedule.template_name()));
  kernel.max_registers = schedule.Has(kRegisters) ? schedule.Get(kRegisters) : 0;
  found->apply(kernel, schedule);
}

}  // namespace halyard::schedules
