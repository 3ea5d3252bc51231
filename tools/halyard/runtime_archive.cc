#include "tools/halyard/runtime_archive.h"

// The build defines HALYARD_RUNTIME_ARCHIVE and the like as the names of the files.
#define EMBED(symbol, file)                                                 \
  asm(".pushsection .rodata, \"a\", @progbits\n"                            \
      ".balign 16\n"                                                        \
      ".local " #symbol                                                     \
      "_begin\n"                                                            \
      ".local " #symbol "_end\n" #symbol                                    \
      "_begin:\n"                                                           \
      ".incbin \"" file "\"\n" #symbol                                      \
      "_end:\n"                                                             \
      ".byte 0\n"                                                           \
      ".popsection\n");                                                     \
  extern "C" {                                                              \
  extern const char symbol##_begin[] __attribute__((visibility("hidden"))); \
  extern const char symbol##_end[] __attribute__((visibility("hidden")));   \
  }

EMBED(halyard_runtime_archive, HALYARD_RUNTIME_ARCHIVE)
EMBED(halyard_runtime_gpu_archive, HALYARD_RUNTIME_GPU_ARCHIVE)
EMBED(halyard_runtime_cuda_archive, HALYARD_RUNTIME_CUDA_ARCHIVE)
EMBED(halyard_runtime_vulkan_archive, HALYARD_RUNTIME_VULKAN_ARCHIVE)

namespace halyard::tools {
namespace {

absl::string_view Between(const char* begin, const char* end) {
  return {begin, static_cast<size_t>(end - begin)};
}

}  // namespace

RuntimeArchives EmbeddedRuntime() {
  return {
      .runtime = Between(halyard_runtime_archive_begin, halyard_runtime_archive_end),
      .gpu = Between(halyard_runtime_gpu_archive_begin, halyard_runtime_gpu_archive_end),
      .cuda = Between(halyard_runtime_cuda_archive_begin, halyard_runtime_cuda_archive_end),
      .vulkan = Between(halyard_runtime_vulkan_archive_begin, halyard_runtime_vulkan_archive_end)};
}

}  // namespace halyard::tools
