// A helper process of ours on the other end of a socket: halyard-codegen, halyard-rt.
#ifndef HALYARD_LOWERING_CODEGEN_CHILD_PROCESS_H_
#define HALYARD_LOWERING_CODEGEN_CHILD_PROCESS_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard::lowering {

// `asked` if it is not empty, else the environment variable's value, else `name` beside this
// executable or beside the library that holds this code (then also in ../bin, where an installation
// has it). kNotFound says which variable may name it.
absl::StatusOr<std::string> FindHelper(const std::string& asked, const char* variable,
                                       absl::string_view name);

class ChildProcess {
 public:
  // Runs `path` with these arguments. Its standard input is a socket whose other end is socket(),
  // and so is its standard output with `answers_on_stdout`; else that goes nowhere. It is in a
  // process group of its own: Ctrl-C on a terminal is not for it. An exec, never a mere fork.
  static absl::StatusOr<ChildProcess> Start(const std::string& path,
                                            const std::vector<std::string>& arguments,
                                            bool answers_on_stdout);
  ChildProcess() = default;
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();  // End(SIGKILL)

  bool running() const { return pid_ > 0; }
  int socket() const { return socket_; }  // does not block; writing to one that ended is an error
  // Closes the socket and waits, at most `grace` seconds, for it to end by itself; then sends
  // `signal` and waits. What ended it, as waitpid says.
  int End(int signal, double grace = 0);

 private:
  pid_t pid_ = -1;
  int socket_ = -1;
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_CODEGEN_CHILD_PROCESS_H_
