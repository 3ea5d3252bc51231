#include "codegen/measure_resources.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace halyard::lowering {

namespace {

using LaunchSpec = KernelObjectSpec::LaunchSpec;

// The sections of an ELF64 file; every offset and size is checked.
class Sections {
 public:
  explicit Sections(absl::string_view file) : file_(file) {
    if (file.size() < sizeof(head_)) return;
    memcpy(&head_, file.data(), sizeof(head_));
    valid_ = memcmp(head_.e_ident, ELFMAG, SELFMAG) == 0 && head_.e_ident[EI_CLASS] == ELFCLASS64 &&
             head_.e_shentsize == sizeof(Elf64_Shdr) && head_.e_shoff <= file.size() &&
             (file.size() - head_.e_shoff) / sizeof(Elf64_Shdr) >= head_.e_shnum;
    if (!valid_ || head_.e_shstrndx >= head_.e_shnum) return;
    const Elf64_Shdr names = At(head_.e_shstrndx);
    if (names.sh_offset <= file.size() && names.sh_size <= file.size() - names.sh_offset)
      names_ = file.substr(names.sh_offset, names.sh_size);
  }

  // Measures all kernels that are executable, or only `only` if it is not empty. kUnknown: the file
  // is of another kind.
  int64_t CodeBytes(absl::string_view only = "") const {
    if (!valid_) return KernelResources::kUnknown;
    int64_t bytes = 0;
    for (size_t i = 0; i < head_.e_shnum; ++i) {
      const Elf64_Shdr section = At(i);
      if ((section.sh_flags & SHF_EXECINSTR) == 0) continue;
      if (only.empty() || NameOf(section) == only) bytes += static_cast<int64_t>(section.sh_size);
    }
    return bytes;
  }

 private:
  Elf64_Shdr At(size_t i) const {
    Elf64_Shdr section;
    memcpy(&section, file_.data() + head_.e_shoff + i * sizeof(section), sizeof(section));
    return section;
  }
  absl::string_view NameOf(const Elf64_Shdr& section) const {
    const absl::string_view name = names_.substr(std::min<size_t>(section.sh_name, names_.size()));
    return name.substr(0, name.find('\0'));
  }

  const absl::string_view file_;
  Elf64_Ehdr head_ = {};
  bool valid_ = false;
  absl::string_view names_;
};

// A cubin has a code section for each function.
int64_t CodeBytesOf(const LaunchSpec& launch, const KernelObjectSpec& spec) {
  if (launch.module >= spec.modules.size()) return KernelResources::kUnknown;
  const std::string& module = spec.modules[launch.module];
  if (spec.kind == runtime::DeviceKind::kVulkan) return static_cast<int64_t>(module.size());
  return Sections(module).CodeBytes(absl::StrCat(".text.", launch.entry));
}

// The first of those with the most code; of PTX, whose size is not known, the first of all.
const LaunchSpec& MainLaunch(const KernelObjectSpec& spec) {
  return *std::max_element(spec.launches.begin(), spec.launches.end(),
                           [&spec](const LaunchSpec& a, const LaunchSpec& b) {
                             return CodeBytesOf(a, spec) < CodeBytesOf(b, spec);
                           });
}

}  // namespace

KernelResources MeasureResources(const KernelObjectSpec& spec,
                                 absl::Span<const gpu::PtxasKernel> assembled) {
  KernelResources resources;
  if (spec.kind == runtime::DeviceKind::kX86) {
    resources.code_bytes = Sections(spec.x86_object).CodeBytes();
    return resources;
  }
  if (spec.modules.empty() || spec.launches.empty()) return resources;
  const LaunchSpec& launch = MainLaunch(spec);
  resources.shared_bytes = launch.shared_bytes;
  resources.group_threads = int64_t{launch.block[0]} * launch.block[1] * launch.block[2];
  for (const gpu::PtxasKernel& kernel : assembled) {
    resources.spilled_bytes = std::max<int64_t>(resources.spilled_bytes, 0) +
                              kernel.spill_store_bytes + kernel.spill_load_bytes;
    if (kernel.entry != launch.entry) continue;
    resources.registers = kernel.registers;
    resources.stack_bytes = kernel.stack_bytes;
    resources.shared_bytes += kernel.shared_bytes;
  }
  for (const std::string& module : spec.modules) {
    const int64_t bytes = spec.kind == runtime::DeviceKind::kVulkan
                              ? static_cast<int64_t>(module.size())
                              : Sections(module).CodeBytes();
    if (bytes == KernelResources::kUnknown) continue;
    resources.code_bytes = std::max<int64_t>(resources.code_bytes, 0) + bytes;
  }
  return resources;
}

}  // namespace halyard::lowering
