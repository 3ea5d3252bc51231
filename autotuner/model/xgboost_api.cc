#include "autotuner/model/xgboost_api.h"

#include <dlfcn.h>

#include <string>

#include "absl/strings/str_cat.h"

namespace halyard::autotuner {

namespace {

struct Loaded {
  XgboostApi api;
  std::string error;
};

Loaded Load() {
  Loaded loaded;
  void* library = nullptr;
  for (const char* name : {"libxgboost.so.0", "libxgboost.so", HALYARD_XGBOOST_PATH}) {
    if (library == nullptr) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
  if (library == nullptr) {
    loaded.error = absl::StrCat("libxgboost.so: ", dlerror());
    return loaded;
  }
#define HALYARD_LOAD(name)                                                              \
  loaded.api.name = reinterpret_cast<decltype(loaded.api.name)>(dlsym(library, #name)); \
  if (loaded.api.name == nullptr) loaded.error = absl::StrCat("libxgboost.so has no ", #name);
  HALYARD_XGBOOST_FUNCTIONS(HALYARD_LOAD)
#undef HALYARD_LOAD
  return loaded;
}

}  // namespace

absl::Status LoadXgboost(const XgboostApi** api) {
  static const Loaded* loaded = new Loaded(Load());
  *api = &loaded->api;
  return loaded->error.empty() ? absl::OkStatus() : absl::NotFoundError(loaded->error);
}

}  // namespace halyard::autotuner
