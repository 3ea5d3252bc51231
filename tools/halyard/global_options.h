// The options that every subcommand takes, before its name or after it.
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

  // For each option, the subcommands that use it. A form of a subcommand that uses other options is
  // listed under a name such as "show --stage=hlo".
  std::vector<std::pair<const CLI::Option*, std::set<std::string>>> users;
};

// Adds the options, which are listed nowhere else. `*options` must outlive `app`.
void AddGlobalOptions(CLI::App& app, GlobalOptions* options);
// Call this after parsing. The error names the subcommand and the first given option that it does
// not use.
absl::Status CheckGlobalOptions(const CLI::App& app, const GlobalOptions& options);

// The options by which subcommands that compile a program describe how to compile it.
struct ProgramOptions {
  std::string arg_shapes;          // text
  std::string choices, schedules;  // files
};
void AddArgShapes(CLI::App& command, ProgramOptions* options);
// Adds --arg-shapes (AddArgShapes), --choices and --schedules.
void AddProgramOptions(CLI::App& command, ProgramOptions* options);

ClientOptions ClientOptionsFor(const GlobalOptions& global, const std::string& target);
// Reads the files that the options name; `program` is the program's file.
absl::StatusOr<CompileOptions> CompileOptionsFor(const GlobalOptions& global,
                                                 const ProgramOptions& program = {});

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_GLOBAL_OPTIONS_H_
