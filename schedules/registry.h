// Schedule templates: each turns a LoweredKernel and a Schedule's knobs into Halide scheduling
// calls. One file per template.
#ifndef HALYARD_SCHEDULES_REGISTRY_H_
#define HALYARD_SCHEDULES_REGISTRY_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "lowering/kernels/kernel.h"
#include "schedules/schedule.h"
#include "schedules/space_text.h"

namespace halyard::schedules {

using lowering::SetOfForms;

enum class DeviceClass : uint8_t { kX86, kGpu, kCuda };

// The forms whose outputs are computed from heroes, or from inputs alone.
inline constexpr uint32_t kPlainForms =
    lowering::SetOfForms<lowering::Elementwise, lowering::SingleFold, lowering::Rows,
                         lowering::AttentionForm>();

// All that is known of a template on one class of devices.
struct Template {
  TemplateId id;
  uint32_t forms;      // of the kernels that it takes (SetOfForms)
  DeviceClass device;  // of the kernel
  // Whether the template fits a kernel of these forms on such a device; null: all of them.
  bool (*accepts)(const lowering::LoweredKernel& kernel) = nullptr;
  // The default line, from the kernel's extents and the device's limits.
  Schedule (*defaults)(const lowering::LoweredKernel& kernel);
  std::vector<Knob> (*space)(const lowering::LoweredKernel& kernel);
  // Defines the heroes, builds the output, schedules. Knobs are checked already.
  void (*apply)(lowering::LoweredKernel& kernel, const Schedule& schedule);
  // Whether it is a default for a kernel that it accepts; null: for all.
  bool (*prefers)(const lowering::LoweredKernel& kernel) = nullptr;
  // It is no default for any kernel: a search finds it, or a line names it.
  bool by_name_only = false;
  // Nor does a search find it.
  bool for_tests_only = false;
  // Threads hold large tiles: on CUDA there is a knob `registers`, the most that a thread may have
  // (0: as many as its group leaves room for). Fewer let more groups share a unit.
  bool caps_registers = false;

  bool Takes(const lowering::LoweredKernel& kernel) const;
  bool IsDefaultFor(const lowering::LoweredKernel& kernel) const {
    return !by_name_only && !for_tests_only && Takes(kernel) &&
           (prefers == nullptr || prefers(kernel));
  }
};

// Every row, in order of preference.
absl::Span<const Template* const> Templates();

// What to try in turn, where a device may not have room for the first: `line` alone, checked
// (template known and accepting, knobs known, values possible for kernel and device), or the
// defaults of every template for the kernel, in order of preference. Never empty: for each form and
// class of devices there is a row that takes all kernels, except for forms that no kernel has
// there.
absl::StatusOr<std::vector<Schedule>> CandidateSchedules(const lowering::LoweredKernel& kernel,
                                                         const std::string& line);
// What a search looks through: every template that accepts the kernel and is not for tests only,
// the defaults in their order of preference, then those that are used by name.
std::vector<TemplateSpace> SpaceOf(const lowering::LoweredKernel& kernel);
void ApplySchedule(lowering::LoweredKernel& kernel, const Schedule& schedule);

#define TEMPLATE(...)
#define TEMPLATE_ROW(constant) extern const Template constant;
#include "schedules/templates.def"

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_REGISTRY_H_
