// `halyard-rt run`, `bench` and `info`: program files and bundles on the devices of this machine,
// as an application runs them.
#ifndef HALYARD_TOOLS_PROGRAM_COMMANDS_H_
#define HALYARD_TOOLS_PROGRAM_COMMANDS_H_

#include <functional>

namespace CLI {
class App;
}

namespace halyard::tools {

// Adds the commands, which set `*action`. `device` and `threads` are options of the whole command;
// they must outlive `app`.
void AddProgramCommands(CLI::App& app, const int& device, const int& threads,
                        std::function<int()>* action);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_PROGRAM_COMMANDS_H_
