// The memory that a run needs, known before it runs: sums, the largest buffers, and a picture.
#ifndef HALYARD_CLIENT_REPORTS_MEMORY_REPORT_H_
#define HALYARD_CLIENT_REPORTS_MEMORY_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/program/program.h"
#include "runtime/program/program_spec.h"

namespace halyard {

// Bytes that one run needs. Each block counts as devices allocate it: a multiple of 256, and never
// 0.
struct MemoryPlan {
  int64_t arguments = 0, results = 0;
  int64_t donated = 0;  // part of `results`: results that take over arguments that the caller
                        // donates
  int64_t constants = 0;
  int64_t device_arena = 0, host_arena = 0;  // temporaries
  int64_t scratch = 0;                       // scratch memory of kernels
  // On x86, both spaces are the device's memory, constants are used in place in the Program's own
  // bytes, and scratch consists of regions of the threads that run it. Elsewhere, scratch is a
  // block.
  bool is_x86 = false;

  // Bytes of the device's blocks at the peak of a run that is given its arguments and donates none.
  int64_t device_blocks() const;
  // All bytes, in both spaces.
  int64_t total() const;
};
// Before codegen, the objects of kernels are missing, and their scratch is not counted. `threads`
// is the number of threads of the x86 device that runs the program or its host steps.
absl::StatusOr<MemoryPlan> PlanMemory(const runtime::Program& program, int threads);
absl::StatusOr<MemoryPlan> PlanMemory(const ProgramSpec& program, int threads);
// Returns a line such as "memory of a run: 12.3 MB (arguments 4.2 MB, results …)".
std::string MemoryLine(const MemoryPlan& plan);
// Formats bytes as "1.23 MB": powers of 1000, three significant digits.
std::string BytesText(int64_t bytes);

// An allocation as reports show it.
struct BufferReport {
  int32_t allocation = 0;
  std::string name;   // "arg0", "temp7"
  std::string kind;   // "argument", "result", "constant", "temporary"
  std::string what;   // instruction and op_name
  std::string place;  // file:line:col of what writes it, or ""
  MemorySpace space = MemorySpace::kDevice;
  int64_t offset = -1;  // in its space's arena; -1 if it is a block of its own
  int64_t bytes = 0;
  int64_t first = 0, last = 0;        // first and last step, in order of execution, for which it is
                                      // kept
  std::string first_step, last_step;  // their names
};
struct BufferReports {
  std::vector<BufferReport> buffers;  // in the program's order
  int64_t num_steps = 0;
};
BufferReports ReportBuffers(const ProgramSpec& program);

// Returns kResourceExhausted, with the ten largest buffers, their ops and lifetimes, if the program
// needs more than the device has in all.
absl::Status CheckMemory(const ProgramSpec& program);

// Checks again once kernels are compiled, with the memory that they take beside the plan. Also
// fails if their scratch is more than the device allocates in one piece. `threads` is as for
// PlanMemory.
absl::Status CheckMemoryWithScratch(const ProgramSpec& program, int threads);

// Returns an SVG document with steps from left to right and addresses from bottom to top. Each
// buffer is a rectangle with its label where that fits, and always as a tooltip.
std::string MemorySvg(const ProgramSpec& program);

}  // namespace halyard

#endif  // HALYARD_CLIENT_REPORTS_MEMORY_REPORT_H_
