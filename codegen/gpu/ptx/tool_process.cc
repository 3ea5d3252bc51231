#include "codegen/gpu/ptx/tool_process.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "frontend/files/system_error.h"

extern char** environ;

namespace halyard::lowering::gpu {

WorkFolder::WorkFolder(std::vector<std::string> files) : files_(std::move(files)) {
  const char* base = std::getenv("TMPDIR");
  std::string path =
      absl::StrCat(base == nullptr || base[0] == 0 ? "/tmp" : base, "/halyard-ptxas-XXXXXX");
  if (mkdtemp(path.data()) != nullptr) path_ = path;
}

WorkFolder::~WorkFolder() {
  if (path_.empty()) return;
  for (const std::string& file : Files()) unlink(file.c_str());
  rmdir(path_.c_str());
}

std::string WorkFolder::File(absl::string_view name) const {
  return absl::StrCat(path_, "/", name);
}

std::vector<std::string> WorkFolder::Files() const {
  std::vector<std::string> paths;
  for (const std::string& name : files_) paths.push_back(File(name));
  return paths;
}

std::string ReadToolFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

namespace {

// How a tool ended: the error of starting it, or its status as waitpid has it.
struct ToolEnd {
  int error = 0, status = 0;
};

// A program that is to be started, and the files that it leaves.
class Tool {
 public:
  Tool(const WorkFolder& folder, const std::string& program,
       const std::vector<std::string>& arguments, const std::string& output)
      : program_(program), files_(folder.Files()), folder_(folder.File("")) {
    argv_.push_back(const_cast<char*>(program.c_str()));
    for (const std::string& argument : arguments)
      argv_.push_back(const_cast<char*>(argument.c_str()));
    argv_.push_back(nullptr);
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, output.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_init(&attributes_);
    // Its own processes, such as a compiler's linker, are to end with it.
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes_, 0);
  }
  ~Tool() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  Tool(const Tool&) = delete;
  Tool& operator=(const Tool&) = delete;

  // Forks a guard, which runs the tool, writes a ToolEnd to `report`, and ends.
  pid_t ForkGuard(int report) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    posix_spawnattr_setsigmask(&attributes_, &before);
    const pid_t caller = getpid(), guard = fork();
    if (guard == 0) Guard(caller, report);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return guard;
  }

 private:
  // The caller may be killed at any time: halyard-codegen at its deadline, halyard by its user. The
  // guard outlives it, ends the tool and removes the folder. It was forked from a process with
  // threads, so it only calls what is safe in a signal handler. All signals are blocked in it.
  [[noreturn]] void Guard(pid_t caller, int report) const {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    signal(SIGCHLD, SIG_DFL);
    // Whoever reads the caller's pipes must not wait for the guard.
    if (report > STDERR_FILENO + 1) close_range(STDERR_FILENO + 1, report - 1, 0);
    close_range(report + 1, ~0u, 0);
    ToolEnd end;
    pid_t tool = 0;
    const bool orphan = getppid() != caller;
    if (!orphan) {
      end.error =
          posix_spawn(&tool, program_.c_str(), &actions_, &attributes_, argv_.data(), environ);
    }
    if (orphan || (end.error == 0 && !WaitFor(tool, &end.status))) RemoveFolder();
    [[maybe_unused]] const ssize_t written = write(report, &end, sizeof(end));
    _exit(0);
  }

  // Returns false if the caller ended first.
  static bool WaitFor(pid_t tool, int* status) {
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGCHLD);
    sigaddset(&wanted, SIGTERM);
    bool orphan = false;
    while (waitpid(tool, status, WNOHANG) == 0) {
      if (sigwaitinfo(&wanted, nullptr) != SIGTERM) continue;
      orphan = true;
      kill(-tool, SIGKILL);
    }
    return !orphan;
  }

  void RemoveFolder() const {
    for (const std::string& file : files_) unlink(file.c_str());
    rmdir(folder_.c_str());
  }

  const std::string program_;
  const std::vector<std::string> files_;
  const std::string folder_;
  std::vector<char*> argv_;
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

// Returns false if the guard was killed.
bool ReadEnd(int report, ToolEnd* end) {
  ssize_t got;
  do {
    got = read(report, end, sizeof(*end));
  } while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(sizeof(*end));
}

}  // namespace

absl::Status RunTool(const WorkFolder& folder, const std::string& program,
                     const std::vector<std::string>& arguments, const std::string& output,
                     int* exit_status) {
  const std::string name = program.substr(program.rfind('/') + 1);
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0)
    return absl::ResourceExhaustedError(absl::StrCat("pipe: ", SystemErrorText(errno)));
  Tool tool(folder, program, arguments, output);
  const pid_t guard = tool.ForkGuard(report[1]);
  const int fork_error = errno;
  close(report[1]);
  ToolEnd end;
  const bool told = guard > 0 && ReadEnd(report[0], &end);
  close(report[0]);
  if (guard < 0)
    return absl::ResourceExhaustedError(absl::StrCat("fork: ", SystemErrorText(fork_error)));
  while (waitpid(guard, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (!told) return absl::InternalError(absl::StrCat("lost track of ", name));
  if (end.error != 0) {
    return absl::NotFoundError(
        absl::StrCat("cannot run ", name, " at ", program, ": ", SystemErrorText(end.error)));
  }
  *exit_status = WIFEXITED(end.status) ? WEXITSTATUS(end.status) : 128;
  return absl::OkStatus();
}

std::string FindInstalledTool(absl::string_view name) {
  const char* path = std::getenv("PATH");
  for (absl::string_view folder : absl::StrSplit(path == nullptr ? "" : path, ':')) {
    std::string candidate = absl::StrCat(folder, "/", name);
    if (!folder.empty() && access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  // The toolkit's installers put it here, but not into $PATH.
  std::string toolkit = absl::StrCat("/usr/local/cuda/bin/", name);
  return access(toolkit.c_str(), X_OK) == 0 ? toolkit : "";
}

}  // namespace halyard::lowering::gpu
