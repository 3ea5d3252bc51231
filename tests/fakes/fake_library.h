// The code that the fakes of vendor libraries share. It counts calls and can make them fail, tells
// objects apart by their kind, records wrong use, and puts work into the fake driver's streams.
#ifndef HALYARD_TESTS_FAKES_FAKE_LIBRARY_H_
#define HALYARD_TESTS_FAKES_FAKE_LIBRARY_H_

#include <cuda.h>
#include <dlfcn.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace halyard::testing {

// `Fake` is the state that tests see: calls, violations, live, fail_index. `Object` begins with
// `char kind`. kWrongUse and kNotLaunched are status codes of the library.
template <typename Fake, typename Object, int kWrongUse, int kNotLaunched>
struct FakeLibrary {
  std::recursive_mutex mutex;
  Fake fake;
  // Work stays here until the process ends, because graphs may refer to it.
  std::vector<std::unique_ptr<std::function<void()>>> work;

  // Returns `code` if this call is to fail, else 0.
  int Enter(const char* name, int code) {
    const int index = static_cast<int>(fake.calls.size());
    fake.calls.push_back(name);
    return index == fake.fail_index ? code : 0;
  }
  int Violation(const std::string& text) {
    fake.violations.push_back(text);
    return kWrongUse;
  }
  int Make(void** made, char kind) {
    *made = new Object{kind};
    ++fake.live;
    return 0;
  }
  int Destroy(void* object, char kind) {
    auto* dead = static_cast<Object*>(object);
    if (dead == nullptr || dead->kind != kind) return Violation("destroys something else");
    dead->kind = 0;
    delete dead;
    --fake.live;
    return 0;
  }
  // Launches work into the fake driver's stream, as the library would launch a kernel.
  int Launch(CUstream stream, std::function<void()> run) {
    work.push_back(std::make_unique<std::function<void()>>(std::move(run)));
    void* driver = dlopen(HALYARD_FAKE_LIBCUDA, RTLD_NOW | RTLD_NOLOAD);
    if (driver == nullptr) return Violation("no fake driver");
    auto* launch = reinterpret_cast<decltype(&cuLaunchHostFunc)>(dlsym(driver, "cuLaunchHostFunc"));
    const CUresult launched = launch(stream, RunWork, work.back().get());
    dlclose(driver);
    return launched == CUDA_SUCCESS ? 0 : kNotLaunched;
  }

 private:
  static void CUDA_CB RunWork(void* work) { (*static_cast<std::function<void()>*>(work))(); }
};

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_FAKES_FAKE_LIBRARY_H_
