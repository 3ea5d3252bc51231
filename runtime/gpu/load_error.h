// Explains why a driver's library cannot be loaded.
#ifndef HALYARD_RUNTIME_GPU_LOAD_ERROR_H_
#define HALYARD_RUNTIME_GPU_LOAD_ERROR_H_

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "runtime/status.h"

namespace halyard::runtime::gpu {

// Call this right after dlopen(name) has failed. `install` is what installs the library. A file
// that exists but is damaged, or that needs another file, is not "not found"; then the linker's own
// words say what it lacks.
inline Status DoesNotLoad(const char* name, const char* install) {
  const char* why = dlerror();
  if (why == nullptr) why = "";
  const bool missing =
      strncmp(why, name, strlen(name)) == 0 && strstr(why, strerror(ENOENT)) != nullptr;
  return missing
             ? MakeStatus(Code::kNotFound, "%s not found: install %s", name, install)
             : MakeStatus(Code::kNotFound, "%s does not load (%s): install %s", name, why, install);
}

}  // namespace halyard::runtime::gpu

#endif  // HALYARD_RUNTIME_GPU_LOAD_ERROR_H_
