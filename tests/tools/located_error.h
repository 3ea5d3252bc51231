// Checks the form of the commands' errors.
#ifndef HALYARD_TESTS_TOOLS_LOCATED_ERROR_H_
#define HALYARD_TESTS_TOOLS_LOCATED_ERROR_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "tests/tools/run_command.h"

namespace halyard {

using testing::CommandResult;
using ::testing::HasSubstr;

// Expects a message on stderr that contains `parts` and only one "error:".
inline void ExpectError(const CommandResult& result, int status,
                        const std::vector<std::string>& parts) {
  EXPECT_EQ(result.status, status) << result.err;
  for (const std::string& part : parts) EXPECT_THAT(result.err, HasSubstr(part));
  const size_t first = result.err.find("error:");
  ASSERT_NE(first, std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("error:", first + 1), std::string::npos) << result.err;
}

}  // namespace halyard

#endif  // HALYARD_TESTS_TOOLS_LOCATED_ERROR_H_
