#include "tests/tools/run_command.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace halyard::testing {

std::string ReadTestFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

const std::string& TestFolder() {
  struct Folder {
    Folder() : path((std::filesystem::temp_directory_path() / "halyard-tools-XXXXXX").string()) {
      if (mkdtemp(path.data()) == nullptr) abort();
    }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
    std::string path;
  };
  static const Folder folder;
  return folder.path;
}

std::string WriteTestFile(const std::string& name, const std::string& bytes) {
  const std::string path = TestFolder() + "/" + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

namespace {

// Lines such as "compiling m.hlo for x86: 12 s" only say that the machine is slow.
std::string WithoutProgress(const std::string& text) {
  std::istringstream lines(text);
  std::string kept, line;
  while (std::getline(lines, line)) {
    const bool last = lines.eof();  // without a newline
    if (line.starts_with("compiling ") && line.ends_with(" s")) continue;
    kept += line + (last ? "" : "\n");
  }
  return kept;
}

}  // namespace

CommandResult RunProgram(const std::vector<std::string>& command) {
  return RunWithout({}, command);
}

CommandResult RunWithout(const std::vector<int>& closed, const std::vector<std::string>& command) {
  const std::string out = TestFolder() + "/stdout", err = TestFolder() + "/stderr";
  std::vector<char*> argv;
  for (const std::string& argument : command) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
    dup2(open(out.c_str(), flags, 0600), STDOUT_FILENO);
    dup2(open(err.c_str(), flags, 0600), STDERR_FILENO);
    dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
    // Descriptors that this process has inherited (ctest leaves some open) would count for the
    // command, and take the places of those that it opens.
    close_range(STDERR_FILENO + 1, ~0u, 0);
    for (const int stream : closed) close(stream);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CommandResult result;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = ReadTestFile(out);
  result.err = WithoutProgress(ReadTestFile(err));
  return result;
}

CommandResult RunHalyard(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), HALYARD_BIN_DIR "/halyard");
  return RunProgram(arguments);
}

CommandResult RunGcc(std::vector<std::string> arguments) {
  std::vector<std::string> command = {"gcc"};
#if defined(__SANITIZE_ADDRESS__)
  command.push_back("-fsanitize=address,undefined");
#elif defined(__SANITIZE_THREAD__)
  command.push_back("-fsanitize=thread");
#endif
  command.insert(command.end(), arguments.begin(), arguments.end());
  return RunProgram(command);
}

CommandResult Check(const std::string& name, const std::string& text,
                    std::vector<std::string> options) {
  options.insert(options.begin(), {"check", WriteTestFile(name, text)});
  return RunHalyard(options);
}

}  // namespace halyard::testing
