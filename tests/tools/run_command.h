// Runs the built `halyard` in a process of its own.
#ifndef HALYARD_TESTS_TOOLS_RUN_COMMAND_H_
#define HALYARD_TESTS_TOOLS_RUN_COMMAND_H_

#include <string>
#include <vector>

namespace halyard::testing {

struct CommandResult {
  int status = -1;       // exit status; 128 + signal if it was killed
  std::string out, err;  // err: without reports of progress, which depend on the machine's speed
};

CommandResult RunProgram(const std::vector<std::string>& command);
// Runs a command with these standard streams closed. The others are as in RunProgram.
CommandResult RunWithout(const std::vector<int>& closed, const std::vector<std::string>& command);
// Runs `halyard ARGUMENT…`.
CommandResult RunHalyard(std::vector<std::string> arguments);
// Runs `gcc ARGUMENT…`, which links with a library that `halyard compile` has made: with the
// sanitizers of this build, since the library's runtime needs them, too.
CommandResult RunGcc(std::vector<std::string> arguments);

// Sanitizers take all of the address space themselves and keep names of source files.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// Returns a folder of this process's own, which is removed at exit.
const std::string& TestFolder();
// Writes TestFolder()/name and returns its path.
std::string WriteTestFile(const std::string& name, const std::string& bytes);
std::string ReadTestFile(const std::string& path);

// Runs `halyard check` on a program, which it first writes to WriteTestFile(name, text).
CommandResult Check(const std::string& name, const std::string& text,
                    std::vector<std::string> options = {"--target=reference"});

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_TOOLS_RUN_COMMAND_H_
