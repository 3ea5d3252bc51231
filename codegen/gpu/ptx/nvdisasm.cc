#include "codegen/gpu/ptx/nvdisasm.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "codegen/gpu/ptx/ptxas.h"
#include "codegen/gpu/ptx/tool_process.h"

namespace halyard::lowering::gpu {

std::string FindNvdisasm() {
  if (const char* named = std::getenv("HALYARD_NVDISASM")) return named;
  // Wheels put ptxas at nvidia/cuda_nvcc/bin/ptxas, nvdisasm at nvidia/cuda_nvdisasm/bin/nvdisasm;
  // from CUDA 13 on, both are in nvidia/cu13/bin.
  const std::string ptxas = FindPtxas();
  const std::string folder = ptxas.substr(0, ptxas.rfind('/') + 1);
  if (!folder.empty()) {
    for (const char* place :
         {"nvdisasm", "../../cuda_nvdisasm/bin/nvdisasm", "../../cu13/bin/nvdisasm"}) {
      std::string candidate = folder + place;
      if (access(candidate.c_str(), X_OK) == 0) return candidate;
    }
  }
  return FindInstalledTool("nvdisasm");
}

absl::StatusOr<std::string> Disassemble(absl::string_view cubin) {
  const std::string nvdisasm = FindNvdisasm();
  if (nvdisasm.empty()) {
    return absl::NotFoundError(
        "there is no nvdisasm: install NVIDIA's wheel into Halyard's environment (pip install "
        "nvidia-cuda-nvdisasm), or name one by HALYARD_NVDISASM");
  }
  WorkFolder folder({"kernel.cubin", "sass"});
  if (!folder.ok()) return absl::InternalError("cannot make a folder for nvdisasm in $TMPDIR");
  std::ofstream(folder.File("kernel.cubin"), std::ios::binary) << cubin;
  int exit_status = 0;
  absl::Status run = RunTool(folder, nvdisasm, {"-c", folder.File("kernel.cubin")},
                             folder.File("sass"), &exit_status);
  if (!run.ok()) return run;
  std::string text = ReadToolFile(folder.File("sass"));
  if (exit_status == 0) return text;
  const absl::string_view words = absl::StripTrailingAsciiWhitespace(text).substr(0, 2000);
  // What a shell, or the dynamic linker, exits with that cannot run a program.
  if (exit_status == 126 || exit_status == 127)
    return absl::NotFoundError(absl::StrCat("nvdisasm at ", nvdisasm, " does not run: ", words));
  return absl::InternalError(absl::StrCat("nvdisasm refuses a kernel: ", words));
}

}  // namespace halyard::lowering::gpu
