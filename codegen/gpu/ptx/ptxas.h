// NVIDIA's assembler, from its wheel: PTX to a cubin for one architecture.
#ifndef HALYARD_CODEGEN_GPU_PTX_PTXAS_H_
#define HALYARD_CODEGEN_GPU_PTX_PTXAS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/device_info.h"

namespace halyard::lowering::gpu {

struct PtxasKernel {
  std::string entry;
  int registers = 0;  // of a thread
  int spill_store_bytes = 0, spill_load_bytes = 0;
  int stack_bytes = 0;
  int shared_bytes = 0;  // static
};

struct PtxasResult {
  std::string cubin;
  std::vector<PtxasKernel> kernels;
  std::string words;  // all that it printed
};

// $HALYARD_PTXAS if set (empty: none), else the one that this was built with if it is still there,
// else that of NVIDIA's wheel if Halyard's wheel is installed beside it, else the first in $PATH,
// else the one where CUDA's toolkit is installed by default; "" if there is none.
std::string FindPtxas();

// `ptxas` and what shows that another file lies there now; "" for "".
std::string DescribePtxas(const std::string& ptxas);

// Returns what assembles kernels for devices of that kind in this process, as a part of kernels'
// keys. For CUDA it is the ptxas that this process finds, with its size and date: a kernel is a
// cubin if there is one and PTX if there is none, and a newer ptxas may assemble what an older one
// could not. It is "" for other devices.
std::string AssemblerOf(runtime::DeviceKind kind);

// `capability`: 90 for sm_90. kNotFound: no program at `ptxas`, or one that does not run;
// kUnimplemented: it is too old for the architecture or for the version of PTX; kInternal with
// ptxas's own words when it refuses the text.
absl::StatusOr<PtxasResult> RunPtxas(const std::string& ptxas, absl::string_view ptx,
                                     int capability);

// The same. Where that spills, `ptx` is told to care for one group on a unit only, and assembled
// once more: ptxas spills a few registers if more groups fit a unit then, and the kernel waits for
// memory all the same. What spills less is returned, and left in `ptx`.
absl::StatusOr<PtxasResult> AssembleSparingSpills(const std::string& ptxas, int capability,
                                                  std::string* ptx);

// Of RunPtxas: this ptxas is of no use for this device, whatever the text is.
inline bool IsUnusable(const absl::Status& status) {
  return absl::IsNotFound(status) || absl::IsUnimplemented(status);
}

}  // namespace halyard::lowering::gpu

#endif  // HALYARD_CODEGEN_GPU_PTX_PTXAS_H_
