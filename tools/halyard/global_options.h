// The options of every subcommand, given before it or after it.
#ifndef HALYARD_TOOLS_HALYARD_GLOBAL_OPTIONS_H_
#define HALYARD_TOOLS_HALYARD_GLOBAL_OPTIONS_H_

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "client/api/client.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace halyard::tools {

struct GlobalOptions {
  // What the options set; ClientOptionsFor and CompileOptionsFor add what a subcommand knows.
  ClientOptions client;
  CompileOptions compile;

  // For each option, the subcommands that use it. A form of a subcommand that uses other options
  // has a name of its own, such as "show --stage=hlo".
  std::vector<std::pair<const CLI::Option*, std::set<std::string>>> users;
};

// The only place that lists the options. `*options` outlives `app`.
void AddGlobalOptions(CLI::App& app, GlobalOptions* options);
// After parsing: an error that names the subcommand and the first option given that it does not
// use.
absl::Status CheckGlobalOptions(const CLI::App& app, const GlobalOptions& options);

// The options with which subcommands that compile a program describe how.
struct ProgramOptions {
  std::string arg_shapes;          // text
  std::string choices, schedules;  // files
};
void AddArgShapes(CLI::App& command, ProgramOptions* options);
// AddArgShapes, --choices and --schedules.
void AddProgramOptions(CLI::App& command, ProgramOptions* options);

ClientOptions ClientOptionsFor(const GlobalOptions& global, const std::string& target);
// Reads the files that `program` names.
absl::StatusOr<CompileOptions> CompileOptionsFor(const GlobalOptions& global,
                                                 const ProgramOptions& program = {});

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_GLOBAL_OPTIONS_H_
