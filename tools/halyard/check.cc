// halyard check: runs test programs, which state what they must compute.
#include "client/check/check.h"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "client/api/custom_call.h"
#include "tools/halyard/command.h"
#include "tools/halyard/global_options.h"
#include "tools/halyard/report.h"

namespace halyard::tools {
namespace {

struct CheckOptions {
  std::vector<std::string> files, targets = {"auto"}, libraries;
  check::RunSettings settings;
};

struct CheckedTarget {
  std::string name;
  std::unique_ptr<Client> client;
};

class Checker {
 public:
  Checker(std::vector<CheckedTarget> targets, const CheckOptions& options, CompileOptions compile)
      : targets_(std::move(targets)), options_(options), compile_(std::move(compile)) {}

  void File(const std::string& file) {
    const absl::StatusOr<std::string> bytes = ReadFile(file);
    if (!bytes.ok()) return Failed(file, bytes.status());
    switch (FormatOf(*bytes, file)) {
      case ProgramFormat::kBytecode:
        return Program(file, *bytes);
      case ProgramFormat::kHloText:
      case ProgramFormat::kHloProto:
        return Failed(file, absl::InvalidArgumentError(
                                absl::StrCat(file, ": checks are ops of StableHLO programs")));
      default: {
        const std::vector<std::string> programs = check::SplitPrograms(*bytes);
        if (programs.empty()) Failed(file, ParseProgram("", file).status());
        for (const std::string& program : programs) Program(file, program);
      }
    }
  }

  int Finish() const {
    printf("%d passed, %d failed\n", passed_, failed_);
    return failed_ == 0 && passed_ > 0 ? kFine : kWrong;
  }

 private:
  void Program(const std::string& file, const std::string& bytes) {
    absl::StatusOr<std::unique_ptr<check::Program>> program = check::Program::Read(bytes, file);
    if (!program.ok()) return Failed(file, program.status());
    const std::vector<std::string> functions = (*program)->functions();
    std::vector<std::string> reasons(functions.size());
    check::RunSettings settings = options_.settings;
    for (CheckedTarget& target : targets_) {
      const std::vector<absl::Status> outcomes =
          (*program)->Run(*target.client, settings, compile_);
      settings.probes.clear();  // only those of the first target are written
      for (size_t i = 0; i < functions.size(); ++i) {
        if (outcomes[i].ok() || !reasons[i].empty()) continue;
        if (targets_.size() > 1) reasons[i] = absl::StrCat("on ", target.name, ": ");
        absl::StrAppend(&reasons[i], outcomes[i].message());
      }
    }
    for (size_t i = 0; i < functions.size(); ++i) {
      if (reasons[i].empty()) {
        ++passed_;
        printf("PASS %s\n", functions[i].c_str());
      } else {
        Failed(functions[i], absl::InternalError(reasons[i]));
      }
    }
    fflush(stdout);
  }

  // Prints the message on one line, whatever the file put into it.
  void Failed(const std::string& name, const absl::Status& status) {
    ++failed_;
    std::string line = CutLongWords(absl::StrCat("FAIL ", name, ": ", status.message()));
    for (char& c : line) {
      if (absl::ascii_iscntrl(static_cast<unsigned char>(c))) c = ' ';
    }
    puts(line.c_str());
  }

  std::vector<CheckedTarget> targets_;
  const CheckOptions& options_;
  const CompileOptions compile_;
  int passed_ = 0, failed_ = 0;
};

int Check(const CheckOptions& options, const GlobalOptions& global) {
  for (const std::string& library : options.libraries) {
    if (absl::Status s = LoadCustomCalls(library); !s.ok()) return Fail(s);
  }
  std::vector<CheckedTarget> targets;
  for (const std::string& name : options.targets) {
    absl::StatusOr<std::unique_ptr<Client>> client = Client::Create(ClientOptionsFor(global, name));
    if (!client.ok()) return FailTarget(client.status());
    targets.push_back({name, *std::move(client)});
  }
  if (!options.settings.probes.empty()) {
    if (absl::Status s = check::StartProbes(options.settings.probes); !s.ok()) return Fail(s);
  }
  absl::StatusOr<CompileOptions> compile = CompileOptionsFor(global);
  if (!compile.ok()) return Fail(compile.status());
  Checker checker(std::move(targets), options, *std::move(compile));
  for (const std::string& file : options.files) checker.File(file);
  return checker.Finish();
}

}  // namespace

void AddCheck(CLI::App& app, const GlobalOptions& global, Action* action) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand(
      "check", "Run test programs: functions whose check ops say what they must compute");
  command->add_option("FILE", options->files, "StableHLO, programs divided by `// -----`")
      ->required();
  command
      ->add_option("--target", options->targets,
                   "auto, reference, x86, cuda or vulkan, or several with commas between")
      ->delimiter(',')
      ->take_all();
  command->add_option("--data", options->settings.data,
                      "Folder with the arrays of expect_serialized_eq and their index.csv");
  command->add_option("--probes", options->settings.probes,
                      "Folder to write what interpreter.probe sees to, on the first target: .npy "
                      "files and their index.csv");
  command->add_option("--load", options->libraries,
                      "Library with functions that the program calls (custom-call)");
  command->callback([options, &global, action] {
    *action = [options, &global] { return Check(*options, global); };
  });
}

}  // namespace halyard::tools
