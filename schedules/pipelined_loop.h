// How a schedule asks codegen for a loop whose copies to shared memory run a step ahead.
#ifndef HALYARD_SCHEDULES_PIPELINED_LOOP_H_
#define HALYARD_SCHEDULES_PIPELINED_LOOP_H_

namespace halyard::schedules {

// The loop's names, with shared memory for one step or for two;
// codegen/passes/gpu/pipelined_loops.h says what becomes of it.
inline constexpr char kPipelinedLoop[] = "pipelined";
inline constexpr char kTwoSlotLoop[] = "pipelined_slots";

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_PIPELINED_LOOP_H_
