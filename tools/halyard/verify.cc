// halyard verify: checks programs.
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "client/api/client.h"
#include "client/check/check.h"
#include "tools/halyard/command.h"
#include "tools/halyard/report.h"

namespace halyard::tools {
namespace {

// Checks one program; a test program's checks are part of it.
absl::Status VerifyProgram(const std::string& bytes, const std::string& file) {
  const ProgramFormat format = FormatOf(bytes, file);
  if (format != ProgramFormat::kStableHloText && format != ProgramFormat::kBytecode) {
    return ParseProgram(bytes, file).status();
  }
  absl::StatusOr<std::unique_ptr<check::Program>> program = check::Program::Read(bytes, file);
  return program.ok() ? (*program)->Verify() : program.status();
}

int VerifyFile(const std::string& file) {
  absl::StatusOr<std::string> bytes = ReadFile(file);
  if (!bytes.ok()) return Fail(bytes.status());
  const ProgramFormat format = FormatOf(*bytes, file);
  std::vector<std::string> programs;
  if (format == ProgramFormat::kHloText || format == ProgramFormat::kStableHloText) {
    programs = check::SplitPrograms(*bytes);
  } else {
    programs.push_back(*std::move(bytes));
  }
  int status = kFine;
  for (const std::string& program : programs) {
    if (absl::Status s = VerifyProgram(program, file); !s.ok()) status = Fail(s);
  }
  return status;
}

}  // namespace

void AddVerify(CLI::App& app, Action* action) {
  auto files = std::make_shared<std::vector<std::string>>();
  CLI::App* command =
      app.add_subcommand("verify", "Say what is wrong with programs; nothing if they are right");
  command
      ->add_option("FILE", *files,
                   "HLO text or proto, or StableHLO; several programs of a text are divided by "
                   "`// -----`")
      ->required();
  command->callback([files, action] {
    *action = [files] {
      int status = kFine;
      for (const std::string& file : *files) {
        if (VerifyFile(file) != kFine) status = kWrong;
      }
      return status;
    };
  });
}

}  // namespace halyard::tools
