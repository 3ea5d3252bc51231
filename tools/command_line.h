// Reads the command lines of both commands with CLI11, and reports errors in them on stderr.
#ifndef HALYARD_TOOLS_COMMAND_LINE_H_
#define HALYARD_TOOLS_COMMAND_LINE_H_

#include <functional>
#include <optional>

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace halyard::tools {

// Returns the exit status if there is nothing more to do: 0 after --help and --version, 2 after an
// error.
std::optional<int> ParseCommandLine(CLI::App& app, int argc, char** argv);

// Check numbers, whole or not. Both reject NaN and infinity.
CLI::Validator AboveZero();
CLI::Validator ZeroOrMore();

// Everything that a main does. It first opens standard streams that are closed
// (standard_streams.h); then `run` gives the exit status. Exceptions, and output that could not be
// written, become a message and status 1. A file that would be larger than `ulimit -f` is an error
// of the write, and does not end the process.
int RunMain(const char* command, const std::function<int()>& run);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_COMMAND_LINE_H_
