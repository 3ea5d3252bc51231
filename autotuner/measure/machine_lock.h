// Lets several processes tune on one machine: a measurement has the machine (or GPU) to itself,
// while compiles may overlap with each other.
#ifndef HALYARD_AUTOTUNER_MEASURE_MACHINE_LOCK_H_
#define HALYARD_AUTOTUNER_MEASURE_MACHINE_LOCK_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "codegen/service/kernel_compiler.h"
#include "runtime/device_info.h"

namespace halyard::autotuner {

// A lock on a file, which is released when the process ends for whatever reason. Not thread-safe.
class MachineLock {
 public:
  // Opens a file in $TMPDIR, or in /tmp if that is not set. Each user has a file of their own.
  // Returns kFailedPrecondition if it cannot be made.
  static absl::StatusOr<std::unique_ptr<MachineLock>> Open(const std::string& name);
  ~MachineLock();
  MachineLock(const MachineLock&) = delete;
  MachineLock& operator=(const MachineLock&) = delete;

  // While it exists, nobody else holds the lock, or, if `shared`, nobody else holds it alone.
  // Inside another Hold of the same lock, it changes nothing. It does nothing if `lock` is null. It
  // gives up after five minutes, because the holder must be hanging, and the process then goes on
  // without the lock.
  class Hold {
   public:
    Hold(MachineLock* lock, bool shared);
    ~Hold();
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    MachineLock* const lock_;
  };

 private:
  explicit MachineLock(int file) : file_(file) {}
  const int file_;
  int depth_ = 0;
};

// Returns the name of the device's lock on this machine. All devices that run on the CPU, x86 and
// software devices, have the same name.
std::string MachineLockName(const runtime::DeviceInfo& device, int device_index);

// Returns a compiler that holds the lock, shared, while `compiler` compiles. Both arguments must
// outlive it.
std::unique_ptr<lowering::KernelCompiler> CompilerBesideOthers(lowering::KernelCompiler* compiler,
                                                               MachineLock* lock);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MEASURE_MACHINE_LOCK_H_
