// The KernelCompiler turns KernelRequest bytes into KernelObject bytes or a Status, in other
// processes.
//
// halyard-codegen is exec'd (and never a fork of this process). It loads Halide once and forks once
// for each kernel, up to `jobs` at a time, each with a time and a memory limit. So an abort, a
// stack overflow or an endless compile of Halide becomes a Status that names the kernel. This
// library contains no Halide and no LLVM.
//
// With $HALYARD_CODEGEN_SERVICE = SECONDS, the halyard-codegen is one that commands of one user
// share, and that stays for so long after the last has used it (shared_service.h): a command does
// not wait for Halide to load.
#ifndef HALYARD_CODEGEN_SERVICE_KERNEL_COMPILER_H_
#define HALYARD_CODEGEN_SERVICE_KERNEL_COMPILER_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "lowering/kernels/kernel_request.h"

namespace halyard::lowering {

inline constexpr char kCompileSecondsVariable[] = "HALYARD_COMPILE_SECONDS";

struct KernelCompilerOptions {
  std::string
      codegen_path;  // "": $HALYARD_CODEGEN, else halyard-codegen beside this executable or library
  int jobs = 0;      // 0 stands for the number of CPUs
  // 0 stands for $HALYARD_COMPILE_SECONDS, else 120. A kernel that takes longer gets
  // kDeadlineExceeded.
  double seconds_per_kernel = 0;
  int64_t memory_bytes_per_kernel = int64_t{8} << 30;
};

class KernelCompiler {
 public:
  // Starts the service only at the first Start or Compile.
  static std::unique_ptr<KernelCompiler> Create(KernelCompilerOptions options);
  virtual ~KernelCompiler() = default;

  // Starts the service if it does not run. If that fails, Compile would answer every request with
  // the error, which is no kernel's. Thread-safe.
  virtual absl::Status Start() { return absl::OkStatus(); }

  // Returns one answer for each request, in order. For progress, `done` is called (from this
  // thread) as each is finished. Thread-safe: the service works on the requests of all callers, and
  // takes them from each in turn. If the service dies, unanswered requests of the calls that it had
  // begun get its Status, and the next call starts a new service.
  virtual std::vector<absl::StatusOr<KernelReply>> Compile(
      absl::Span<const KernelRequest> requests,
      const std::function<void(size_t index)>& done = nullptr) = 0;
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_SERVICE_KERNEL_COMPILER_H_
