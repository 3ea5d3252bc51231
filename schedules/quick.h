// The schedules of --O0, whose kernels are compiled in the least time. CandidateSchedules
// (registry.h) puts them before a kernel's defaults if the line is kQuickLine.
#ifndef HALYARD_SCHEDULES_QUICK_H_
#define HALYARD_SCHEDULES_QUICK_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "lowering/kernels/kernel.h"
#include "schedules/schedule.h"
#include "schedules/space_text.h"

namespace halyard::schedules {

// Beyond this, the values that `plain` keeps between its loops may be too many for a device on
// which the default schedule needs no memory for them.
inline constexpr int64_t kMaxQuickBytes = int64_t{64} << 20;
// One sum of more terms would lose accuracy that the partial sums of other templates keep.
inline constexpr int64_t kMaxQuickTerms = 65536;

// Returns the line of `plain` that makes the least code, if the kernel is then compiled sooner than
// by its default: on CPUs all that `plain` takes, without vectors; on GPUs products and
// convolutions that no library computes, because the defaults of other kernels are as short.
// Returns nothing if the kernel needs more than the limits above.
std::optional<Schedule> QuickSchedule(const lowering::LoweredKernel& kernel);

// The same for CPU kernels of which QuickSchedule says nothing: the default line with the smallest
// vectors and tiles among its template's `knobs`. Returns nothing for reductions and products,
// whose partial sums the default has for a reason (kMaxQuickTerms).
std::optional<Schedule> SmallSchedule(const lowering::LoweredKernel& kernel,
                                      const std::vector<Knob>& knobs, const Schedule& defaults);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_QUICK_H_
