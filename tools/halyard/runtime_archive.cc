#include "tools/halyard/runtime_archive.h"

// The build defines HALYARD_RUNTIME_ARCHIVE as the name of the file.
asm(".pushsection .rodata, \"a\", @progbits\n"
    ".balign 16\n"
    ".local halyard_runtime_archive_begin\n"
    ".local halyard_runtime_archive_end\n"
    "halyard_runtime_archive_begin:\n"
    ".incbin \"" HALYARD_RUNTIME_ARCHIVE
    "\"\n"
    "halyard_runtime_archive_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
extern const char halyard_runtime_archive_begin[] __attribute__((visibility("hidden")));
extern const char halyard_runtime_archive_end[] __attribute__((visibility("hidden")));
}

namespace halyard::tools {

absl::string_view RuntimeArchive() {
  return {halyard_runtime_archive_begin,
          static_cast<size_t>(halyard_runtime_archive_end - halyard_runtime_archive_begin)};
}

}  // namespace halyard::tools
