#include "codegen/gpu/ptx/ptxas.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "codegen/gpu/ptx/tool_process.h"
#include "frontend/files/own_folders.h"

namespace halyard::lowering::gpu {
namespace {

// The -v report.
std::vector<PtxasKernel> ParseReport(const std::string& log) {
  std::vector<PtxasKernel> kernels;
  for (absl::string_view line : absl::StrSplit(log, '\n')) {
    const std::string text(line);
    const size_t entry = text.find("Compiling entry function '");
    if (entry != std::string::npos) {
      const size_t begin = text.find('\'', entry) + 1;
      kernels.emplace_back();
      kernels.back().entry = text.substr(begin, text.find('\'', begin) - begin);
    }
    if (kernels.empty()) continue;
    PtxasKernel& kernel = kernels.back();
    std::sscanf(text.c_str(), " %d bytes stack frame, %d bytes spill stores, %d bytes spill loads",
                &kernel.stack_bytes, &kernel.spill_store_bytes, &kernel.spill_load_bytes);
    const size_t used = text.find("Used ");
    if (used != std::string::npos) {
      std::sscanf(text.c_str() + used, "Used %d registers", &kernel.registers);
      const size_t smem = text.find(" bytes smem");
      if (smem != std::string::npos) {
        kernel.shared_bytes = std::atoi(text.c_str() + text.rfind(' ', smem - 1));
      }
    }
  }
  return kernels;
}

// Why ptxas gave up, in its own words.
absl::Status Refusal(const std::string& ptxas, int capability, int exit_status,
                     absl::string_view words) {
  words = absl::StripTrailingAsciiWhitespace(words.substr(0, 2000));
  // What a shell, or the dynamic linker, exits with that cannot run a program.
  if (exit_status == 126 || exit_status == 127) {
    return absl::NotFoundError(absl::StrCat("ptxas at ", ptxas, " does not run: ", words));
  }
  if (absl::StrContains(words, "is not defined for option 'gpu-name'")) {
    return absl::UnimplementedError(
        absl::StrCat("ptxas at ", ptxas, " does not know sm_", capability, ": ", words));
  }
  if (absl::StrContains(words, "Unsupported .version")) {
    return absl::UnimplementedError(
        absl::StrCat("ptxas at ", ptxas, " is too old for the kernels' PTX: ", words));
  }
  return absl::InternalError(
      absl::StrCat("ptxas refuses a kernel for sm_", capability, ": ", words));
}

int64_t SpilledBytes(const PtxasResult& result) {
  int64_t bytes = 0;
  for (const PtxasKernel& kernel : result.kernels)
    bytes += kernel.spill_store_bytes + kernel.spill_load_bytes;
  return bytes;
}

}  // namespace

std::string FindPtxas() {
  if (const char* named = std::getenv("HALYARD_PTXAS")) return named;
  for (const std::string& folder : OwnFolders()) {
    for (const char* beside : {HALYARD_BUILD_PTXAS, "../../nvidia/cuda_nvcc/bin/ptxas"}) {
      const std::string path = absl::StrCat(folder, "/", beside);
      if (access(path.c_str(), X_OK) == 0) return path;
    }
  }
  return FindInstalledTool("ptxas");
}

std::string DescribePtxas(const std::string& ptxas) {
  if (ptxas.empty()) return "";
  struct stat file;
  if (stat(ptxas.c_str(), &file) != 0) return absl::StrCat(ptxas, " (absent)");
  return absl::StrCat(ptxas, " (", file.st_size, " bytes of ", file.st_mtim.tv_sec, ".",
                      file.st_mtim.tv_nsec, ")");
}

std::string AssemblerOf(runtime::DeviceKind kind) {
  return kind == runtime::DeviceKind::kCuda ? DescribePtxas(FindPtxas()) : "";
}

absl::StatusOr<PtxasResult> RunPtxas(const std::string& ptxas, absl::string_view ptx,
                                     int capability) {
  if (access(ptxas.c_str(), X_OK) != 0) {
    return absl::NotFoundError(absl::StrCat("no ptxas at '", ptxas, "'"));
  }
  WorkFolder folder({"kernel.ptx", "kernel.cubin", "log"});
  if (!folder.ok()) return absl::InternalError("cannot make a folder for ptxas in $TMPDIR");
  std::ofstream(folder.File("kernel.ptx"), std::ios::binary) << ptx;
  // Of an architecture alone ("sm_90a"), the text's own target has instructions that others lack.
  const char* alone =
      absl::StrContains(ptx, absl::StrCat(".target sm_", capability, "a")) ? "a" : "";
  int exit_status = 0;
  absl::Status spawned = RunTool(folder, ptxas,
                                 {"-v", absl::StrCat("-arch=sm_", capability, alone), "-o",
                                  folder.File("kernel.cubin"), folder.File("kernel.ptx")},
                                 folder.File("log"), &exit_status);
  if (!spawned.ok()) return spawned;
  const std::string log = ReadToolFile(folder.File("log"));
  if (exit_status != 0) {
    return Refusal(ptxas, capability, exit_status,
                   absl::StrReplaceAll(log, {{folder.File(""), ""}}));
  }
  PtxasResult result;
  result.cubin = ReadToolFile(folder.File("kernel.cubin"));
  if (result.cubin.empty()) {
    return absl::NotFoundError(absl::StrCat("the program at ", ptxas, " writes no cubin"));
  }
  result.kernels = ParseReport(log);
  result.words = log;
  return result;
}

absl::StatusOr<PtxasResult> AssembleSparingSpills(const std::string& ptxas, int capability,
                                                  std::string* ptx) {
  absl::StatusOr<PtxasResult> result = RunPtxas(ptxas, *ptx, capability);
  if (!result.ok() || SpilledBytes(*result) == 0) return result;
  // .maxntid is a line of its own, before the entry's body (ptx_passes.h).
  std::string alone = absl::StrReplaceAll(*ptx, {{"\n.maxntid", "\n.minnctapersm 1\n.maxntid"}});
  absl::StatusOr<PtxasResult> other = RunPtxas(ptxas, alone, capability);
  if (!other.ok() || SpilledBytes(*other) >= SpilledBytes(*result)) return result;
  *ptx = std::move(alone);
  return other;
}

}  // namespace halyard::lowering::gpu
