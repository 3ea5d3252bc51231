// Command lines of both commands, read with CLI11: what is wrong with one is told on stderr.
#ifndef HALYARD_TOOLS_COMMAND_LINE_H_
#define HALYARD_TOOLS_COMMAND_LINE_H_

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

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_COMMAND_LINE_H_
