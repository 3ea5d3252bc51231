// What the subcommands of `halyard` share. Each has a file, and main.cc registers it.
#ifndef HALYARD_TOOLS_HALYARD_COMMAND_H_
#define HALYARD_TOOLS_HALYARD_COMMAND_H_

#include <functional>

namespace CLI {
class App;
}

namespace halyard::tools {

// Exit statuses.
inline constexpr int kFine = 0;
inline constexpr int kWrong = 1;  // the program or the data, with a message on stderr
inline constexpr int kUsage = 2;

struct GlobalOptions;  // global_options.h

// Runs the given subcommand once all options are parsed, and returns the exit status.
using Action = std::function<int()>;

// Each adds its subcommand to `app`. The subcommand sets `*action` when it is used. `global` must
// outlive it.
void AddRun(CLI::App& app, const GlobalOptions& global, Action* action);
void AddBench(CLI::App& app, const GlobalOptions& global, Action* action);
void AddCheck(CLI::App& app, const GlobalOptions& global, Action* action);
void AddVerify(CLI::App& app, Action* action);
void AddCompile(CLI::App& app, const GlobalOptions& global, Action* action);
void AddConvert(CLI::App& app, Action* action);
void AddShow(CLI::App& app, const GlobalOptions& global, Action* action);
void AddTune(CLI::App& app, const GlobalOptions& global, Action* action);
void AddDb(CLI::App& app, const GlobalOptions& global, Action* action);
void AddDevices(CLI::App& app, const GlobalOptions& global, Action* action);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_COMMAND_H_
