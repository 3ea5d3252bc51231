// Tests halyard run --load, --replicas and --partitions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using testing::CommandResult;
using ::testing::HasSubstr;
using testing::RunHalyard;
using testing::RunProgram;
using testing::TestFolder;
using testing::WriteTestFile;

const std::string kLibrary = HALYARD_CUSTOM_CALL_LIBRARY;

TEST(Load, TheExampleOnEveryTarget) {
  const std::string file = WriteTestFile("myfunc.hlo", R"(HloModule m
ENTRY e {
  x = f32[2] constant({1, 2})
  y = f32[2,3] constant({{10, 20, 30}, {40, 50, 60}})
  z = f32[3,3] custom-call(x, y), custom_call_target="myfunc"
  s = f32[1,1] slice(z), slice={[0:1], [0:1]}
  r = f32[] reshape(s)
  ROOT t = (f32[], f32[]) custom-call(r), custom_call_target="minus_and_plus"
}
)");
  for (const std::string target : {"reference", "x86", "vulkan"}) {
    const CommandResult result =
        RunHalyard({"run", file, "--target=" + target, "--load=" + kLibrary});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.out, "out0: f32[] 41\nout1: f32[] 43\n") << target;
    // The cache now contains the program, but not the functions.
    const CommandResult without = RunHalyard({"run", file, "--target=" + target});
    EXPECT_EQ(without.status, 1) << target;
    EXPECT_EQ(without.out, "");
    EXPECT_THAT(without.err, HasSubstr("myfunc.hlo:5:3: error: custom-call z: there is no function "
                                       "'myfunc'"));
  }
  const CommandResult compared =
      RunHalyard({"run", file, "--target=x86", "--load=" + kLibrary, "--compare=reference"});
  EXPECT_EQ(compared.status, 0) << compared.err;
}

TEST(Load, WhatIsNotThereIsReportedBeforeKernelsAreCompiled) {
  // No cache has this kernel, and nothing could compile it.
  const std::string file = WriteTestFile("early.hlo", R"(HloModule m
ENTRY e {
  x = f32[7] parameter(0)
  y = f32[7] multiply(x, x)
  z = f32[7] custom-call(y), custom_call_target="nobody"
  ROOT r = f32[7] add(z, z)
}
)");
  const std::string cache = TestFolder() + "/empty_cache";
  const CommandResult result =
      RunProgram({"env", "HALYARD_CODEGEN=/nonexistent", "HALYARD_CACHE_DIR=" + cache,
                  HALYARD_BIN_DIR "/halyard", "run", file, "--target=x86", "--random-inputs=1"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("early.hlo:5:3: error: custom-call z: there is no function "
                                    "'nobody'"));
}

// The library's own symbols count, and not those of the libraries that it needs: libz's symbols are
// its own, and libc's are not. A variable is not a function.
TEST(Load, OnlyTheLibrarysOwnFunctions) {
  const std::string symbols[] = {"abort", "exit", "free", "stdout", "a_variable", "myfunc\\000x"};
  for (const std::string& symbol : symbols) {
    const std::string file =
        WriteTestFile("libc.hlo",
                      "HloModule m\nENTRY e {\n  x = f32[2] constant({1, 2})\n"
                      "  ROOT z = f32[2] custom-call(x), custom_call_target=\"" +
                          symbol + "\"\n}\n");
    for (const std::string target : {"reference", "x86"}) {
      const CommandResult result =
          RunHalyard({"run", file, "--target=" + target, "--load=" + kLibrary});
      EXPECT_EQ(result.status, 1) << symbol << " " << target;
      EXPECT_THAT(result.err, HasSubstr("libc.hlo:4:8: error: custom-call z: there is no function"))
          << symbol << " " << target;
    }
  }
}

TEST(Load, NoSuchLibrary) {
  const std::string file =
      WriteTestFile("none.hlo", "HloModule m\nENTRY e { ROOT c = s32[] constant(1) }\n");
  const CommandResult result = RunHalyard({"run", file, "--load=no_such_library.so"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("cannot load no_such_library.so"));
}

TEST(Grid, ResultsOfEveryProcess) {
  const std::string file = WriteTestFile("grid.hlo", R"(HloModule grid
add { a = u32[] parameter(0) b = u32[] parameter(1) ROOT r = u32[] add(a, b) }
ENTRY e {
  id = u32[] replica-id()
  one = u32[] constant(1)
  rank = u32[] add(id, one)
  t = token[] after-all()
  o = token[] outfeed(rank, t), outfeed_shape=u32[]
  ROOT sum = u32[] all-reduce(rank), replica_groups={}, to_apply=add
}
)");
  for (const char* target : {"--target=reference", "--target=x86", "--target=vulkan"}) {
    const CommandResult result = RunHalyard({"run", file, target, "--replicas=3"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.out,
              "process (0, 0)\nout0: u32[] 6\noutfeed0: u32[] 1\n"
              "process (1, 0)\nout0: u32[] 6\noutfeed0: u32[] 2\n"
              "process (2, 0)\nout0: u32[] 6\noutfeed0: u32[] 3\n");
  }
}

}  // namespace
}  // namespace halyard
