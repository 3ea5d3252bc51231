// Schedule templates: each turns a LoweredKernel and a Schedule's knobs into Halide scheduling
// calls. One file per template.
#ifndef HALYARD_SCHEDULES_REGISTRY_H_
#define HALYARD_SCHEDULES_REGISTRY_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "lowering/kernel.h"
#include "schedules/schedule.h"
#include "schedules/space_text.h"

namespace halyard::schedules {

struct Template {
  const char* name;
  // Whether the template fits the kernel's heroes and the device.
  bool (*accepts)(const lowering::LoweredKernel& kernel);
  // The default line, from the kernel's extents and the device's limits.
  Schedule (*defaults)(const lowering::LoweredKernel& kernel);
  std::vector<Knob> (*space)(const lowering::LoweredKernel& kernel);
  // Defines the heroes, builds the output, schedules. Knobs are checked already.
  void (*apply)(lowering::LoweredKernel& kernel, const Schedule& schedule);
  // Whether it is a default for a kernel that it accepts; null: for all. Others are used by name.
  bool (*prefers)(const lowering::LoweredKernel& kernel) = nullptr;
  // Threads hold large tiles: on CUDA there is a knob `registers`, the most that a thread may have
  // (0: as many as its group leaves room for). Fewer let more groups share a unit.
  bool caps_registers = false;

  // Library ops have no other template than `library`, passes of a network over blocks none but
  // `exchange`.
  bool Takes(const lowering::LoweredKernel& kernel) const;
  bool IsDefaultFor(const lowering::LoweredKernel& kernel) const {
    return Takes(kernel) && (prefers == nullptr || prefers(kernel));
  }
};

// The template whose kernels are made without Halide.
inline constexpr char kLibrary[] = "library";
inline constexpr char kExchange[] = "exchange";

// What to try in turn, where a device may not have room for the first: `line` alone, checked
// (template known and accepting, knobs known, values possible for kernel and device), or the
// defaults of every template for the kernel, in the order of preference of registry.cc's table.
// Never empty: the first row of it takes every sequence, the second every library op,
// kPlainTemplate every other kernel.
absl::StatusOr<std::vector<Schedule>> CandidateSchedules(const lowering::LoweredKernel& kernel,
                                                         const std::string& line);
// Every template that accepts the kernel: the defaults in their order of preference, then those
// that are used by name.
std::vector<TemplateSpace> SpaceOf(const lowering::LoweredKernel& kernel);
void ApplySchedule(lowering::LoweredKernel& kernel, const Schedule& schedule);

extern const Template kSequenceTemplate;
extern const Template kCountingTemplate;
extern const Template kTransformTemplate;
extern const Template kFourierLineTemplate;
extern const Template kAttentionMmaTemplate;
extern const Template kAttentionMmaLanesTemplate;
extern const Template kExchangeTemplate;
extern const Template kAttentionTemplate;
extern const Template kElementwiseTemplate;
extern const Template kReductionTemplate;
extern const Template kRowTemplate;
extern const Template kContractionTemplate;
extern const Template kContractionMmaTemplate;
extern const Template kContractionMmaLanesTemplate;
extern const Template kLibraryTemplate;
extern const Template kScanTemplate;
extern const Template kWindowTemplate;
extern const Template kWinogradTemplate;
extern const Template kPlainTemplate;
// Halide's own autoschedulers.
extern const Template kAdamsTemplate;
extern const Template kLiTemplate;
extern const Template kMullapudiTemplate;
extern const Template kAndersonTemplate;

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_REGISTRY_H_
