// halyard verify: whether programs are right.
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "client/client.h"
#include "tools/halyard/command.h"
#include "tools/halyard/report.h"

namespace halyard::tools {

void AddVerify(CLI::App& app, const GlobalOptions& global, Action* action) {
  auto files = std::make_shared<std::vector<std::string>>();
  CLI::App* command =
      app.add_subcommand("verify", "Say what is wrong with programs; nothing if they are right");
  command->add_option("FILE", *files, "HLO text or proto, or StableHLO text")->required();
  command->callback([files, action] {
    *action = [files] {
      int status = kFine;
      for (const std::string& file : *files) {
        absl::StatusOr<std::unique_ptr<hlo::Module>> module = ReadProgramFile(file);
        if (!module.ok()) status = Fail(module.status());
      }
      return status;
    };
  });
}

}  // namespace halyard::tools
