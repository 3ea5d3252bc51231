// Several processes that tune on one machine: what is measured has the machine (or GPU) to itself,
// compiles may overlap with each other.
#ifndef HALYARD_AUTOTUNER_MACHINE_LOCK_H_
#define HALYARD_AUTOTUNER_MACHINE_LOCK_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "lowering/codegen/kernel_compiler.h"
#include "runtime/device_info.h"

namespace halyard::autotuner {

// A lock on a file, which the end of the process releases, whatever ends it. Not thread-safe.
class MachineLock {
 public:
  // In $TMPDIR, else /tmp: one file for each user. kFailedPrecondition: it cannot be made.
  static absl::StatusOr<std::unique_ptr<MachineLock>> Open(const std::string& name);
  ~MachineLock();
  MachineLock(const MachineLock&) = delete;
  MachineLock& operator=(const MachineLock&) = delete;

  // While it lives, nobody else holds the lock, or, `shared`, nobody else has it alone. Inside
  // another Hold of this process it changes nothing. No lock, and one that is not to be had within
  // five minutes, as its holder hangs: not held.
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

// The lock of the device on this machine: of x86 and software devices, that of all CPUs.
std::string MachineLockName(const runtime::DeviceInfo& device, int device_index);

// Compiles with the lock held, shared. Both outlive it.
std::unique_ptr<lowering::KernelCompiler> CompilerBesideOthers(lowering::KernelCompiler* compiler,
                                                               MachineLock* lock);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MACHINE_LOCK_H_
