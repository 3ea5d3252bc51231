// `measure BUNDLE -o FILE`, which halyard and halyard-rt share.
#ifndef HALYARD_TOOLS_MEASURE_COMMAND_H_
#define HALYARD_TOOLS_MEASURE_COMMAND_H_

#include <functional>

namespace CLI {
class App;
}

namespace halyard::tools {

// Adds the subcommand, which sets `*action` when it is used. `device` and `threads` are options of
// the whole command, and must outlive it.
void AddMeasureCommand(CLI::App& app, const int& device, const int& threads,
                       std::function<int()>* action);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_MEASURE_COMMAND_H_
