// A process that compiles one kernel, and may die of it. It is forked before there is a request, so
// that the request does not wait for the fork.
#ifndef HALYARD_CODEGEN_SERVICE_KERNEL_PROCESS_H_
#define HALYARD_CODEGEN_SERVICE_KERNEL_PROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard::lowering {

struct ServiceOptions {
  int jobs = 1;
  double seconds_per_kernel = 120;
  int64_t memory_bytes_per_kernel = int64_t{8}
                                    << 30;  // address space of a child beyond the service's own
};

// The exit status of a process whose thread could not be started.
constexpr int kNoThread = 3;

struct KernelProcess {
  pid_t pid = -1;
  int request_fd = -1;  // takes the request's bytes, and ends with them
  int reply_fd = -1;    // gives one frame
  int error_fd = -1;    // its stderr
};

// How long nobody has asked for anything when a service uses the time to warm up its next process.
constexpr int kIdleMilliseconds = 50;

// Initialises LLVM, so that children that are forked after this need not. Nothing is compiled here:
// a kernel would take longer than all of it saves ten others, and every child starts from a Halide
// that has compiled nothing, so equal requests give equal bytes.
void WarmUp();
// Makes LLVM compile an empty function. This takes as long as a small kernel and saves a tenth of
// that for each child that is forked afterwards, so it is for services that have many requests. It
// gives no name to anything, so children make the same bytes as before.
void WarmUpLlvm();

// Forks a process that waits for a request. It ends with this process, or when request_fd is closed
// without one, and does not keep `streams`, whose end says to the asker that the service is gone.
absl::StatusOr<KernelProcess> ForkKernelProcess(const std::vector<int>& streams,
                                                const ServiceOptions& options);

// Both return false if the process has ended. What WarmUpProcess asks for, a process does once: it
// compiles an empty function. Its memory and its view of the library's code are then mapped, and
// its kernel takes a quarter less time if it is a small one.
bool WarmUpProcess(const KernelProcess& process);
bool SendRequest(const KernelProcess& process, absl::string_view request);

// Returns false if the other side does not read any more.
bool WriteAll(int fd, absl::string_view bytes);

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_SERVICE_KERNEL_PROCESS_H_
