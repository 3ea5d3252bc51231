// Runs a program for the sizes that the caller gives, by the part of its group that serves them.
#ifndef HALYARD_RUNTIME_C_API_SIZED_SIZED_RUN_H_
#define HALYARD_RUNTIME_C_API_SIZED_SIZED_RUN_H_

#include "runtime/execute/executor.h"
#include "runtime/status.h"

namespace halyard::runtime {

// `program` is an entry of a group and has sizes; `sizes` has a value for each of them. Arrays have
// the sizes of the run; so do results. Errors are those of hy_run_sized.
Status RunSizedOnHostMemory(Executable* program, const RunOptions& options, const int64_t* sizes,
                            const void* const* arguments, void* const* results);
// Arguments and results as in hy_run_buffers_sized.
Status RunSizedOnBuffers(Executable* program, const RunOptions& options, const int64_t* sizes,
                         Buffer* const* arguments, Buffer** results);

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_C_API_SIZED_SIZED_RUN_H_
