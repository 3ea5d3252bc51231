// Tests every subcommand with every global option: the option has its effect, or is an error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using testing::CommandResult;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RunHalyard;
using testing::TestFolder;
using testing::WriteTestFile;

const std::string& Program() {
  static const std::string file =
      WriteTestFile("add.mlir",
                    "func.func @main() {\n"
                    "  %0 = stablehlo.iota dim = 0 : tensor<4xf32>\n"
                    "  %1 = stablehlo.add %0, %0 : tensor<4xf32>\n"
                    "  check.expect_eq_const %1, dense<[0.0, 2.0, 4.0, 6.0]> : tensor<4xf32>\n"
                    "  func.return\n}\n");
  return file;
}

const std::string& Plain() {
  static const std::string file =
      WriteTestFile("plain.mlir",
                    "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                    "  %0 = stablehlo.add %x, %x : tensor<4xf32>\n"
                    "  func.return %0 : tensor<4xf32>\n}\n");
  return file;
}

// What shows that an option was used: the exit status, and words on stderr.
struct Effect {
  std::string option;  // with its value
  int status;
  std::string words;
};

const std::map<std::string, Effect>& Effects() {
  static const std::map<std::string, Effect> effects = {
      // The error names the command that tunes the kernel as it is compiled here.
      {"threads", {"--threads=3", 1, "--threads=3"}},
      {"no-libraries", {"--no-libraries", 1, "--no-libraries"}},
      {"no-attention", {"--no-attention", 1, "--no-attention"}},
      {"locked", {"--locked", 1, "schedules are locked"}},
      {"device", {"--device=99", 2, "--device=99"}},
      {"without", {"--without=nonsense", 1, "nonsense"}},
      {"db", {"--db=" + TestFolder(), 0, "is a folder"}},
      {"no-tuning", {"--no-tuning", 0, ""}},
      {"O0", {"--O0", 0, ""}},
      {"dump", {"--dump=/dev/null/folder", 1, "/dev/null/folder"}},
  };
  return effects;
}

std::set<std::string> All() {
  std::set<std::string> all;
  for (const auto& [name, effect] : Effects()) all.insert(name);
  return all;
}

std::set<std::string> Without(std::set<std::string> options, const std::set<std::string>& gone) {
  for (const std::string& option : gone) options.erase(option);
  return options;
}

struct Command {
  std::string form;
  std::vector<std::string> arguments;
  std::set<std::string> used;
  bool compiles = true;  // whether it compiles kernels, by schedules
};

std::vector<Command> Commands() {
  const std::string out = TestFolder() + "/out";
  const std::set<std::string> planned = Without(All(), {"dump"});
  return {
      {"run", {"run", Plain(), "--target=x86", "--random-inputs=1"}, All()},
      {"run --replicas",
       {"run", Plain(), "--target=x86", "--random-inputs=1", "--replicas=2"},
       All()},
      {"run --target=reference",
       {"run", Plain(), "--target=reference", "--random-inputs=1", "--replicas=2"},
       {}},
      {"bench", {"bench", Plain(), "--target=x86", "--repeat=1"}, planned},
      {"check", {"check", Program(), "--target=x86"}, All()},
      {"compile", {"compile", Plain(), "--target=x86", "-o", out, "--name=plain"}, All()},
      {"show", {"show", Plain(), "--target=x86", "--stage=schedule"}, All()},
      {"show --stage=optimized",
       {"show", Plain(), "--target=x86", "--stage=optimized"},
       planned,
       false},
      {"show --stage=choices",
       {"show", Plain(), "--target=x86", "--stage=choices"},
       planned,
       false},
      {"show --stage=hlo", {"show", Plain(), "--stage=hlo"}, {}},
      {"tune",
       {"tune", Plain(), "--target=x86", "--kernel=nothing", "--no-report"},
       Without(planned, {"locked", "no-tuning", "O0"}),
       false},
      {"measure", {"measure", out + ".bundle", "-o", out + ".jsonl"}, {"threads", "device"}, false},
      {"db", {"db", "verify"}, {"db"}, false},
      {"verify", {"verify", Plain()}, {}},
      {"convert", {"convert", Plain()}, {}},
      {"devices", {"devices"}, {}},
      {"devices --describe", {"devices", "--describe=x86"}, {"device"}, false},
  };
}

TEST(Options, OfASubcommandThatDoesNotUseThemAreErrors) {
  for (const Command& command : Commands()) {
    for (const auto& [name, effect] : Effects()) {
      if (command.used.contains(name)) continue;
      std::vector<std::string> arguments = command.arguments;
      arguments.push_back(effect.option);
      const CommandResult result = RunHalyard(arguments);
      EXPECT_EQ(result.status, 1) << command.form << " " << effect.option;
      EXPECT_EQ(result.out, "");
      EXPECT_THAT(result.err,
                  HasSubstr("`halyard " + command.form + "` does not use --" + name + "\n"));
    }
  }
}

TEST(Options, AreAcceptedByASubcommandThatUsesThem) {
  for (const Command& command : Commands()) {
    for (const std::string& name : command.used) {
      std::vector<std::string> arguments = {Effects().at(name).option};
      arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
      EXPECT_THAT(RunHalyard(arguments).err, Not(HasSubstr("does not use")))
          << command.form << " --" << name;
    }
  }
}

TEST(Options, HaveTheirEffectOnEverySubcommandThatCompiles) {
  const std::string none = "--db=" + TestFolder() + "/none.sqlite";
  for (const Command& command : Commands()) {
    if (!command.compiles) continue;
    for (const std::string& name : command.used) {
      const Effect& effect = Effects().at(name);
      std::vector<std::string> arguments = command.arguments;
      arguments.push_back(effect.option);
      if (name == "device") {  // there is only one CPU
        for (std::string& argument : arguments) {
          if (argument == "--target=x86") argument = "--target=vulkan";
        }
      }
      if (name == "locked" || name == "threads" || name.starts_with("no-l") ||
          name.starts_with("no-a")) {
        arguments.push_back(none);
        if (name != "locked") arguments.push_back("--locked");
      }
      const bool reads_none = name == "no-tuning" || name == "O0";
      if (reads_none) arguments.push_back("--db=" + TestFolder());
      const CommandResult result = RunHalyard(arguments);
      // A failed check, or a missing row of bench, gives status 1, whatever the reason.
      if (name != "device" || command.form != "bench")
        EXPECT_EQ(result.status, effect.status)
            << command.form << " " << effect.option << result.err;
      EXPECT_THAT(result.err + result.out, HasSubstr(effect.words)) << command.form;
      if (reads_none) EXPECT_EQ(result.err, "") << command.form;
    }
  }
}

}  // namespace
}  // namespace halyard
