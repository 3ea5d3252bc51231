// A helper process of ours on the other end of a socket, such as halyard-codegen or halyard-rt.
#ifndef HALYARD_CODEGEN_SERVICE_CHILD_PROCESS_H_
#define HALYARD_CODEGEN_SERVICE_CHILD_PROCESS_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard::lowering {

// Returns `asked` if it is not empty, else the environment variable's value, else the path of
// `name` beside this executable or beside the library that holds this code, or in the folder ../bin
// from there, where an installation has it; else what $PATH finds. kNotFound says which variable
// may name it.
absl::StatusOr<std::string> FindHelper(const std::string& asked, const char* variable,
                                       absl::string_view name);

class ChildProcess {
 public:
  // Runs `path` with these arguments. Its standard input is a socket whose other end is socket().
  // With `answers_on_stdout`, so is its standard output; otherwise that goes nowhere. The process
  // has a process group of its own, so Ctrl-C on a terminal does not reach it. It is always exec'd,
  // and never a mere fork.
  static absl::StatusOr<ChildProcess> Start(const std::string& path,
                                            const std::vector<std::string>& arguments,
                                            bool answers_on_stdout);
  // A helper that somebody else has started, at the other end of a connected socket.
  static ChildProcess Connected(int socket);
  ChildProcess() = default;
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();  // calls End(SIGKILL)

  bool running() const { return socket_ >= 0; }
  // Does not block. Writing to a process that has ended is an error.
  int socket() const { return socket_; }
  // Closes the socket and waits for at most `grace` seconds until the process ends by itself. Then
  // sends `signal` and waits. Returns what ended it, as waitpid reports it. Of a helper that
  // somebody else has started, only closes the socket.
  int End(int signal, double grace = 0);

 private:
  pid_t pid_ = -1;
  int socket_ = -1;
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_SERVICE_CHILD_PROCESS_H_
