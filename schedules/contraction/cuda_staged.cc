// contraction_staged: products and convolutions (as contraction_mma) by tensor cores, whose factors
// travel through shared memory in stages: a group copies each element once, asynchronously and 16
// bytes at a time, some steps ahead; warps read fragments with ldmatrix (staged_builder.h).
//
// For factors that are copied as they are in memory, in pieces of 16 bytes that lie and begin
// together.

#include <algorithm>

#include "schedules/contraction/staged_builder.h"
#include "schedules/contraction/staged_choice.h"
#include "schedules/contraction/template.h"
#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using lowering::LoweredKernel;
using lowering::StagedShape;

namespace {

bool Accepts(const LoweredKernel& kernel) {
  Staging staging;
  StagedChoice best;
  return FindStaging(kernel, &staging) && FindBestStaging(kernel, staging, StagedBy::kWarps, &best);
}

bool Prefers(const LoweredKernel& kernel) {
  Staging staging;
  return FindStaging(kernel, &staging) && IsWorthStaging(kernel, staging);
}

Schedule Defaults(const LoweredKernel& kernel) {
  Staging staging;
  StagedChoice best;
  FindStaging(kernel, &staging);
  FindBestStaging(kernel, staging, StagedBy::kWarps, &best);
  const StagedShape& s = best.shape;
  return Schedule(kContractionStaged.name)
      .Set("mt", s.mt)
      .Set("nt", s.nt)
      .Set("wm", s.warps_m)
      .Set("wn", s.warps_n)
      .Set("stages", s.stages)
      .Set("row", s.row_bytes)
      .Set("raster", 8)
      .Set("parts", best.parts);
}

std::vector<Knob> Space(const LoweredKernel& kernel) {
  const Schedule defaults = Defaults(kernel);
  return {{"mt", {1, 2, 3, 4}},
          {"nt", {2, 4, 8}},
          {"wm", {1, 2, 4, 8}},
          {"wn", Choices({1, 2, 4}, 4, defaults.Get("wn"))},
          {"stages", {2, 3, 4, 5}},
          {"row", {64, 128}},
          {"raster", Choices({1, 2, 4, 8, 16}, 16, 8)},
          {"parts", Choices(PowersOfTwo(1, 64), 64, defaults.Get("parts"))}};
}

void Apply(LoweredKernel& kernel, const Schedule& schedule) {
  Staging staging;
  FindStaging(kernel, &staging);
  const StagedShape shape =
      ShapeOfStaging(staging, {schedule.Get("mt"), schedule.Get("nt"), schedule.Get("wm"),
                               schedule.Get("wn"), schedule.Get("stages"), schedule.Get("row")});
  BuildStaged(kernel, staging, {shape, schedule.Get("parts")}, schedule.Get("raster"));
}

}  // namespace

const Template kContractionStagedOnCuda = {.id = kContractionStaged,
                                           .forms = SetOfForms<lowering::SingleFold>(),
                                           .device = DeviceClass::kCuda,
                                           .accepts = Accepts,
                                           .defaults = Defaults,
                                           .space = Space,
                                           .apply = Apply,
                                           .prefers = Prefers,
                                           .caps_registers = true};

}  // namespace halyard::schedules
