// `measure BUNDLE -o FILE`, of halyard and of halyard-rt.
#ifndef HALYARD_TOOLS_MEASURE_COMMAND_H_
#define HALYARD_TOOLS_MEASURE_COMMAND_H_

#include <cstdint>
#include <functional>
#include <string>

#include "runtime/backend.h"

namespace CLI {
class App;
}

namespace halyard::tools {

// A device of this machine: of kind "x86", "cuda" or "vulkan"; `threads` of x86, 0: all CPUs.
runtime::Status OpenRuntimeDevice(const std::string& kind, uint32_t index, uint32_t threads,
                                  runtime::Device** device);

// Adds the subcommand, which sets `*action` when it is used. `device` and `threads`, of the whole
// command, outlive it.
void AddMeasureCommand(CLI::App& app, const int& device, const int& threads,
                       std::function<int()>* action);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_MEASURE_COMMAND_H_
