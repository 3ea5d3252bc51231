// contraction_wgmma: as contraction_staged, on Hopper (sm_90), where warpgroups multiply by wgmma:
// the tensor cores read both factors from shared memory, as copies have left them, while the warps
// start the next copies. bf16 and f16 in any order; s8 and u8 along k.

#include "schedules/contraction/staged_builder.h"
#include "schedules/contraction/staged_choice.h"
#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using lowering::LoweredKernel;

namespace {

bool Accepts(const LoweredKernel& kernel) {
  Staging staging;
  StagedChoice best;
  return kernel.device.cuda_capability == 90 && FindStaging(kernel, &staging) &&
         FindBestStaging(kernel, staging, StagedBy::kWarpgroups, &best);
}

bool Prefers(const LoweredKernel& kernel) {
  Staging staging;
  return FindStaging(kernel, &staging) && IsWorthStaging(kernel, staging) &&
         PrefersWarpgroups(kernel, staging);
}

Schedule Defaults(const LoweredKernel& kernel) {
  Staging staging;
  StagedChoice best;
  FindStaging(kernel, &staging);
  FindBestStaging(kernel, staging, StagedBy::kWarpgroups, &best);
  return Schedule(kContractionWgmma.name)
      .Set("nt", best.shape.nt)
      .Set("wm", best.shape.warps_m)
      .Set("stages", best.shape.stages)
      .Set("raster", 8)
      .Set("parts", best.parts);
}

std::vector<Knob> Space(const LoweredKernel& kernel) {
  const Schedule defaults = Defaults(kernel);
  return {{"nt", {8, 16, 32}},
          {"wm", {4, 8, 16}},
          {"stages", {3, 4, 5, 6}},
          {"raster", Choices({1, 2, 4, 8, 16}, 16, 8)},
          {"parts", Choices(PowersOfTwo(1, 64), 64, defaults.Get("parts"))}};
}

void Apply(LoweredKernel& kernel, const Schedule& schedule) {
  Staging staging;
  FindStaging(kernel, &staging);
  BuildStaged(
      kernel, staging,
      {ShapeOfWgmma(staging, {schedule.Get("nt"), schedule.Get("wm"), schedule.Get("stages")}),
       schedule.Get("parts")},
      schedule.Get("raster"));
}

}  // namespace

const Template kContractionWgmmaOnCuda = {.id = kContractionWgmma,
                                          .forms = SetOfForms<lowering::SingleFold>(),
                                          .device = DeviceClass::kCuda,
                                          .accepts = Accepts,
                                          .defaults = Defaults,
                                          .space = Space,
                                          .apply = Apply,
                                          .prefers = Prefers,
                                          .caps_registers = true};

}  // namespace halyard::schedules
