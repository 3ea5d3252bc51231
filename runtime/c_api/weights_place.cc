#include "runtime/c_api/weights_place.h"

#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace halyard::runtime {
namespace {

struct Search {
  uintptr_t address;
  char path[PATH_MAX];
};

// Keeps the path of the object that holds the address. The path of the executable is "".
int Visit(dl_phdr_info* info, size_t, void* data) {
  auto* search = static_cast<Search*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || search->address - info->dlpi_addr - part.p_vaddr >= part.p_memsz)
      continue;
    snprintf(search->path, sizeof(search->path), "%s", info->dlpi_name);
    return 1;
  }
  return 0;
}

}  // namespace

Status WeightsPath(const void* linked, const char* name, char* path, size_t size) {
  const char* folder = getenv("HALYARD_WEIGHTS");
  Search search{reinterpret_cast<uintptr_t>(linked), {}};
  if (folder == nullptr || folder[0] == 0) {
    if (dl_iterate_phdr(&Visit, &search) == 0)
      return MakeStatus(Code::kNotFound, "%s: the program lies in no loaded object", name);
    if (search.path[0] == 0) {
      const ssize_t length = readlink("/proc/self/exe", search.path, sizeof(search.path) - 1);
      if (length < 0) {
        return MakeStatus(Code::kNotFound, "%s: cannot tell where the executable is: %s", name,
                          strerror(errno));
      }
      search.path[length] = 0;
    }
    char* slash = strrchr(search.path, '/');
    if (slash == nullptr) {
      strcpy(search.path, ".");
    } else {
      *slash = 0;
    }
    folder = search.path;
  }
  const int length = snprintf(path, size, "%s/%s", folder, name);
  if (length < 0 || static_cast<size_t>(length) >= size)
    return MakeStatus(Code::kInvalidArgument, "%s: the path of its folder is too long", name);
  return Status();
}

}  // namespace halyard::runtime
