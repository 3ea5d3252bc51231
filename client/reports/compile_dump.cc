#include "client/reports/compile_dump.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "frontend/files/system_error.h"
#include "frontend/hlo_text/printer.h"

namespace halyard {

static absl::Status WriteText(const std::string& path, absl::string_view text) {
  FILE* file = fopen(path.c_str(), "wb");
  if (file == nullptr)
    return absl::InvalidArgumentError(absl::StrCat(path, ": ", SystemErrorText(errno)));
  const bool good = fwrite(text.data(), 1, text.size(), file) == text.size();
  if (fclose(file) != 0 || !good)
    return absl::DataLossError(absl::StrCat(path, ": could not be written"));
  return absl::OkStatus();
}

absl::StatusOr<CompileDump> CompileDump::Create(const std::string& folder) {
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error)
    return absl::InvalidArgumentError(absl::StrCat("--dump=", folder, ": ", error.message()));
  CompileDump dump;
  dump.folder_ = folder;
  return dump;
}

void CompileDump::Pass(const char* name, const hlo::Module& module) {
  char file[256];
  snprintf(file, sizeof(file), "%02d_%s.hlo", next_++, name);
  Note(WriteText(absl::StrCat(folder_, "/", file), hlo_text::Print(module)));
}

void CompileDump::Kernel(size_t index, const lowering::KernelReply& reply,
                         runtime::DeviceKind kind) {
  char base[64];
  snprintf(base, sizeof(base), "/kernel_%03zu", index);
  const char* assembly = kind == runtime::DeviceKind::kCuda     ? ".ptx"
                         : kind == runtime::DeviceKind::kVulkan ? ".spirv"
                                                                : ".asm";
  const std::pair<const char*, const std::string*> parts[] = {
      {".hlo", &reply.dump.hlo},       {".algorithm", &reply.dump.algorithm},
      {".schedule", &reply.schedule},  {".calls", &reply.dump.schedule},
      {".stmt", &reply.dump.stmt},     {".ll", &reply.dump.llvm},
      {assembly, &reply.dump.assembly}};
  for (const auto& [extension, text] : parts)
    Note(WriteText(absl::StrCat(folder_, base, extension), *text));
}

void CompileDump::Note(const absl::Status& status) {
  if (status_.ok()) status_ = status;
}

}  // namespace halyard
