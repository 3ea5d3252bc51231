#include "autotuner/model/tensor_estimate.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "schedules/space_text.h"

namespace halyard::autotuner {

using schedules::Schedule;

namespace {

// Returns the value of a knob, or 1 if the schedule does not have it.
double KnobOr1(const Schedule& schedule, const char* name) {
  return schedule.Has(name) ? static_cast<double>(std::max<int64_t>(schedule.Get(name), 1)) : 1;
}

// What a group of a template for tensor cores computes.
struct TensorGroup {
  double rows = 0, columns = 0;  // of the result
  double tiles_m = 1, tiles_n = 1, warps = 1;
  double parts = 1;            // groups that share the terms of a result
  double registers = 0;        // that a thread needs for sums, fragments, addresses and counters
  bool by_warpgroups = false;  // wgmma: reads shared memory itself, at twice the rate
};
// Beside sums and fragments, as in schedules/contraction/staged_choice.cc.
constexpr double kOtherRegisters = 36;
std::optional<TensorGroup> TensorGroupOf(const KernelFacts& kernel, const Schedule& schedule) {
  TensorGroup group;
  group.parts = KnobOr1(schedule, "parts") * KnobOr1(schedule, "splits");
  if (schedule.template_name() == schedules::kContractionWgmma.name) {
    group.by_warpgroups = true;
    group.tiles_n = KnobOr1(schedule, "nt");
    group.warps = KnobOr1(schedule, "wm");
    group.rows = 16 * group.warps;
    group.columns = 8 * group.tiles_n;
    group.registers = 4 * group.tiles_n + kOtherRegisters;
    return group;
  }
  if (schedule.Has("mt") && schedule.Has("nt") && schedule.Has("wm") && schedule.Has("wn")) {
    const double warps_m = KnobOr1(schedule, "wm"), warps_n = KnobOr1(schedule, "wn");
    group.tiles_m = KnobOr1(schedule, "mt");
    group.tiles_n = KnobOr1(schedule, "nt");
    group.warps = warps_m * warps_n;
    group.rows = 16 * group.tiles_m * warps_m;
    group.columns = 8 * group.tiles_n * warps_n;
    group.registers =
        4 * group.tiles_m * group.tiles_n + 4 * group.tiles_m + 2 * group.tiles_n + kOtherRegisters;
    return group;
  }
  if (!schedule.Has("tiles_q") || !schedule.Has("warps")) return std::nullopt;
  group.tiles_m = KnobOr1(schedule, "tiles_q");
  group.tiles_n = KnobOr1(schedule, "keys") / 8;
  group.warps = KnobOr1(schedule, "warps");
  group.rows = 16 * group.tiles_m * group.warps;
  group.columns = kernel.last_extent;
  // Weighted values, and the scores of a block of keys.
  group.registers = 4 * group.tiles_m * (group.columns / 8 + group.tiles_n) + kOtherRegisters;
  return group;
}

double EstimateOf(const KernelFacts& kernel, const TensorGroup& group) {
  const runtime::DeviceInfo& device = kernel.device;
  const double units = std::max<double>(device.compute_units, 1);
  const double bandwidth =
      device.memory_bandwidth != 0 ? static_cast<double>(device.memory_bandwidth) : 1e12;
  const double f32 = device.f32_flops != 0 ? static_cast<double>(device.f32_flops) : units * 4e11;
  const double tensor_cores = group.by_warpgroups ? 15 : 8;  // times the rate of f32
  constexpr double kL2 = 2.5;                                // times the bandwidth of memory
  const double groups =
      std::ceil(std::max(1.0, kernel.elements / (group.rows * group.columns))) * group.parts;
  const double waves = std::ceil(groups / units);
  // Rows and columns past the last are computed in vain.
  const double computed =
      std::max(1.0, groups / group.parts * group.rows * group.columns / kernel.elements);
  const double loads = group.by_warpgroups
                           ? 0
                           : (group.tiles_m + group.tiles_n / 2) / (group.tiles_m * group.tiles_n);
  // Few warps hide little of each other's waits.
  const double waits = group.warps >= 8 ? 1.0 : group.warps >= 4 ? 1.05 : 1.4;
  const double compute = kernel.flops * computed / (f32 * tensor_cores) * (1 + loads) * waits *
                         (waves * units / groups);
  const double reads =
      kernel.flops / 2 * kernel.width * (1 / group.rows + 1 / group.columns) / (bandwidth * kL2);
  const double sums = group.parts > 1 ? 8 * kernel.elements * group.parts / bandwidth + 2.5e-6 : 0;
  return std::log(std::max({compute, reads, kernel.bytes / bandwidth, 1e-9}) + sums +
                  groups / units * 1e-7);
}

}  // namespace

std::optional<double> TensorEstimate(const KernelFacts& kernel, const Schedule& schedule) {
  const std::optional<TensorGroup> group = TensorGroupOf(kernel, schedule);
  if (!group.has_value()) return std::nullopt;
  // Registers that a thread lacks are spilled to memory, in every step.
  const int64_t limit = schedule.Has("registers") ? schedule.Get("registers") : 0;
  const double most = limit > 0 ? static_cast<double>(limit) : 255;
  const double spills = std::max(0.0, group->registers / most - 1);
  return EstimateOf(kernel, *group) + 4 * spills;
}

}  // namespace halyard::autotuner
