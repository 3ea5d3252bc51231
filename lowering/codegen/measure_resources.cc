#include "lowering/codegen/measure_resources.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "absl/strings/string_view.h"

namespace halyard::lowering {

namespace {

// Sizes of the sections that are executable; kUnknown: not an ELF64 file. Objects of x86 and cubins
// alike: a cubin has a section of code for each function.
int64_t CodeBytes(absl::string_view file) {
  Elf64_Ehdr head;
  if (file.size() < sizeof(head)) return KernelResources::kUnknown;
  memcpy(&head, file.data(), sizeof(head));
  if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
      head.e_shentsize != sizeof(Elf64_Shdr) || head.e_shoff > file.size() ||
      (file.size() - head.e_shoff) / sizeof(Elf64_Shdr) < head.e_shnum) {
    return KernelResources::kUnknown;
  }
  int64_t bytes = 0;
  for (size_t i = 0; i < head.e_shnum; ++i) {
    Elf64_Shdr section;
    memcpy(&section, file.data() + head.e_shoff + i * sizeof(section), sizeof(section));
    if ((section.sh_flags & SHF_EXECINSTR) != 0) bytes += static_cast<int64_t>(section.sh_size);
  }
  return bytes;
}

void AtLeast(int64_t value, int64_t* most) { *most = std::max(*most, value); }

}  // namespace

KernelResources MeasureResources(const KernelObjectSpec& spec,
                                 absl::Span<const gpu::PtxasKernel> assembled) {
  KernelResources resources;
  if (spec.kind == runtime::DeviceKind::kX86) {
    resources.code_bytes = CodeBytes(spec.x86_object);
    return resources;
  }
  if (spec.modules.empty()) return resources;
  for (const KernelObjectSpec::LaunchSpec& launch : spec.launches) {
    int64_t shared = launch.shared_bytes;
    for (const gpu::PtxasKernel& kernel : assembled) {
      if (kernel.entry == launch.entry) shared += kernel.shared_bytes;
    }
    AtLeast(shared, &resources.shared_bytes);
    AtLeast(int64_t{launch.block[0]} * launch.block[1] * launch.block[2], &resources.group_threads);
  }
  for (const gpu::PtxasKernel& kernel : assembled) {
    AtLeast(kernel.registers, &resources.registers);
    AtLeast(kernel.stack_bytes, &resources.stack_bytes);
    AtLeast(0, &resources.spilled_bytes);
    resources.spilled_bytes += kernel.spill_store_bytes + kernel.spill_load_bytes;
  }
  for (const std::string& module : spec.modules) {
    const int64_t bytes = spec.kind == runtime::DeviceKind::kVulkan
                              ? static_cast<int64_t>(module.size())
                              : CodeBytes(module);
    if (bytes == KernelResources::kUnknown) continue;
    AtLeast(0, &resources.code_bytes);
    resources.code_bytes += bytes;
  }
  return resources;
}

}  // namespace halyard::lowering
