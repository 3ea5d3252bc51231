// NVIDIA's disassembler: a cubin's machine code as text (SASS).
#ifndef HALYARD_CODEGEN_GPU_PTX_NVDISASM_H_
#define HALYARD_CODEGEN_GPU_PTX_NVDISASM_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard::lowering::gpu {

// $HALYARD_NVDISASM if set (empty: none), else the one of the wheel `nvidia-cuda-nvdisasm` beside
// ptxas's, or in ptxas's own folder, else the first in $PATH, else the one where CUDA's toolkit is
// installed by default; "" if there is none.
std::string FindNvdisasm();

// kNotFound: there is no nvdisasm, or it does not run, with what to do about it; kInternal with its
// own words when it refuses the cubin.
absl::StatusOr<std::string> Disassemble(absl::string_view cubin);

}  // namespace halyard::lowering::gpu

#endif  // HALYARD_CODEGEN_GPU_PTX_NVDISASM_H_
