// KernelRequest::schedule of --O0.
#ifndef HALYARD_LOWERING_KERNELS_QUICK_LINE_H_
#define HALYARD_LOWERING_KERNELS_QUICK_LINE_H_

namespace halyard::lowering {

// A schedule line that every kernel takes. It stands for the schedule that is compiled in the least
// time, however slow the kernel is then (schedules/quick.h).
inline constexpr char kQuickLine[] = "quick";

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_QUICK_LINE_H_
