// A halyard-codegen that several commands of one user share: it has loaded Halide once, waits on a
// socket, and forks a process for each command that connects. It ends when nobody has needed it for
// some time.
//
// The socket lies in a folder that belongs to the user alone ($XDG_RUNTIME_DIR/halyard, else
// /tmp/halyard-UID). Its name holds a hash of all that decides what the service would do: the
// program, its arguments, the environment that it reads, limits and allowed CPUs. So who differs in
// one of these gets a service of its own, and what a compile gives does not depend on who began it.
#ifndef HALYARD_CODEGEN_SERVICE_SHARED_SERVICE_H_
#define HALYARD_CODEGEN_SERVICE_SHARED_SERVICE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "codegen/service/child_process.h"

namespace halyard::lowering {

// For how many seconds a service that nobody uses stays: `text` as $HALYARD_CODEGEN_SERVICE has it.
// Nothing for null, "" and "0", which mean that services are not shared; kInvalidArgument for what
// is no number of seconds.
absl::StatusOr<std::optional<double>> SharedServiceSeconds(const char* text);

// Connects to the service that runs `path` with these arguments, and starts it where there is none.
// kFailedPrecondition if the folder of sockets is not the user's alone. May be called from several
// threads and processes at once.
absl::StatusOr<ChildProcess> ConnectToSharedService(const std::string& path,
                                                    const std::vector<std::string>& arguments,
                                                    double idle_seconds);

// What the process that serves a connection sends first.
constexpr char kServed = '+';

// Holds a file's lock, as others do who know the file: clients share it while they connect, and who
// starts or ends the service has it alone. kUnavailable if `wait` is false and another has it.
class ServiceLock {
 public:
  static absl::StatusOr<ServiceLock> Take(const std::string& socket_path, bool alone, bool wait);
  ServiceLock(ServiceLock&& other) noexcept;
  ServiceLock& operator=(ServiceLock&&) = delete;
  ~ServiceLock();

 private:
  explicit ServiceLock(int fd) : fd_(fd) {}
  int fd_;
};

// Whether the process at the other end of a local socket is this user's.
bool IsOurs(int socket);

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_SERVICE_SHARED_SERVICE_H_
