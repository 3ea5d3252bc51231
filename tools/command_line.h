// Command lines of both commands, read with CLI11: what is wrong with one is told on stderr.
#ifndef HALYARD_TOOLS_COMMAND_LINE_H_
#define HALYARD_TOOLS_COMMAND_LINE_H_

#include <functional>
#include <optional>

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace halyard::tools {

// The exit status where there is nothing more to do: 0 after --help and --version, 2 after an
// error.
std::optional<int> ParseCommandLine(CLI::App& app, int argc, char** argv);

// Of numbers, whole or not. Neither takes NaN or infinity.
CLI::Validator AboveZero();
CLI::Validator ZeroOrMore();

// The whole of a main: standard streams that are closed are opened first (standard_streams.h), then
// `run` gives the exit status. Exceptions, and output that could not be written, become a message
// and status 1. A file above `ulimit -f` is an error of the write, not the end of the process.
int RunMain(const char* command, const std::function<int()>& run);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_COMMAND_LINE_H_
