#include "codegen/gpu/ptx/tool_process.h"

#include <fcntl.h>
#include <spawn.h>
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
  for (const std::string& name : files_) unlink(File(name).c_str());
  rmdir(path_.c_str());
}

std::string WorkFolder::File(absl::string_view name) const {
  return absl::StrCat(path_, "/", name);
}

std::string ReadToolFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

absl::Status RunTool(const std::string& program, const std::vector<std::string>& arguments,
                     const std::string& output, int* exit_status) {
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  const std::string name = program.substr(program.rfind('/') + 1);
  if (error != 0) {
    return absl::NotFoundError(
        absl::StrCat("cannot run ", name, " at ", program, ": ", SystemErrorText(error)));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return absl::InternalError(absl::StrCat("lost track of ", name));
  }
  *exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
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
