#include "tests/tools/device_machine.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace halyard::testing {

CommandResult Execute(const std::vector<std::string>& command) {
  const CommandResult result = RunProgram(command);
  EXPECT_EQ(result.status, 0) << absl::StrJoin(command, " ") << "\n" << result.err;
  return result;
}

DeviceMachine::DeviceMachine(const std::string& name, const std::string& bundle)
    : folder_(absl::StrCat(TestFolder(), "/", name)) {
  std::filesystem::create_directory(folder_);
  std::filesystem::copy(HALYARD_BIN_DIR "/halyard-rt", folder_);
  std::filesystem::copy(bundle, folder_ + "/bundle");
}

std::vector<std::string> DeviceMachine::Command(std::vector<std::string> environment) const {
  std::vector<std::string> command = {"env", "-i", "-C", folder_};
  command.insert(command.end(), environment.begin(), environment.end());
  for (const char* word : {"./halyard-rt", "measure", "bundle", "-o", "records.jsonl"})
    command.push_back(word);
  return command;
}

}  // namespace halyard::testing
