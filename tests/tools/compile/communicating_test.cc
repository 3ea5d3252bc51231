// Libraries of programs that communicate: a C application feeds one of them, and runs another as
// several processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using testing::CommandResult;
using testing::ReadTestFile;
using testing::RunGcc;
using testing::RunHalyard;
using testing::RunProgram;
using testing::TestFolder;
using testing::WriteTestFile;

// Compiles the program, links it with the application, and returns what this prints.
std::string BuiltAndRun(const std::string& name, const std::string& program,
                        const std::string& application) {
  const std::string folder = TestFolder() + "/" + name;
  const CommandResult compiled = RunHalyard({"compile", WriteTestFile(name + ".hlo", program),
                                             "--target=x86:v2", "-o", folder, "--name=" + name});
  EXPECT_EQ(compiled.status, 0) << compiled.err;
  const std::string binary = folder + "/app";
  const CommandResult built =
      RunGcc({"-std=c11", "-pedantic", "-Wall", "-Wextra", "-Werror", "-I" + folder,
              WriteTestFile(name + ".c", application), folder + "/lib" + name + ".a", "-lpthread",
              "-lm", "-ldl", "-o", binary});
  EXPECT_EQ(built.status, 0) << built.err;
  const CommandResult run = RunProgram({binary});
  EXPECT_EQ(run.status, 0) << run.err;
  return run.out;
}

TEST(Compile, AnApplicationFeedsAProgramThatRuns) {
  EXPECT_EQ(BuiltAndRun("fed", R"(HloModule fed
ENTRY e {
  x = f32[2] parameter(0)
  t = token[] after-all()
  f = ((f32[2]), token[]) infeed(t)
  d = (f32[2]) get-tuple-element(f), index=0
  y = f32[2] get-tuple-element(d), index=0
  u = token[] get-tuple-element(f), index=1
  z = f32[2] multiply(x, y)
  o = token[] outfeed(z, u), outfeed_shape=f32[2]
  ROOT r = f32[2] add(x, y)
})",
                        R"(#include <stdio.h>
#include "fed.h"
int main(void) {
  fed_model* model;
  hy_host* host;
  hy_item* item;
  float x[2] = {2, 3}, y[2] = {10, 20}, out[2];
  hy_array array;
  const void* own_arguments[1];
  void* own_results[1];
  const void* const* arguments[1];
  void* const* results[1];
  hy_status status = fed_create(1, &model);
  if (status == NULL) status = fed_run(model, x, out);
  puts(hy_status_message(status));
  hy_status_free(status);
  array.data = y;
  array.bytes = sizeof(y);
  own_arguments[0] = x;
  own_results[0] = out;
  arguments[0] = own_arguments;
  results[0] = own_results;
  status = hy_host_new(4, &host);
  if (status == NULL) status = hy_host_push(host, HY_INFEED, 0, "f32[2]", &array, 1);
  if (status == NULL) status = hy_run_grid(model, NULL, &host, arguments, results);
  if (status == NULL) status = hy_host_pop(host, HY_OUTFEED, 0, &item);
  if (status != NULL) {
    puts(hy_status_message(status));
    return 1;
  }
  array = hy_item_array(item, 0);
  printf("%g %g; %s: %g %g\n", out[0], out[1], hy_item_shapes(item), ((float*)array.data)[0],
         ((float*)array.data)[1]);
  hy_item_free(item);
  hy_host_free(host);
  fed_destroy(model);
  return 0;
}
)"),
            "fed communicates: its 1 x 1 processes must be run together, as a grid\n"
            "12 23; f32[2]: 20 60\n");
}

TEST(Compile, AnApplicationRunsSeveralProcesses) {
  EXPECT_EQ(BuiltAndRun("summed", R"(HloModule summed, replica_count=3
add { a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = s32[] add(a, b) }
ENTRY e {
  x = s32[] parameter(0)
  ROOT y = s32[] all-reduce(x), replica_groups={}, to_apply=add
})",
                        R"(#include <stdio.h>
#include "summed.h"
int main(void) {
  summed_model* model;
  int32_t x[3] = {1, 20, 300}, y[3];
  const void* own_arguments[3];
  void* own_results[3];
  const void* const* arguments[3];
  void* const* results[3];
  int p;
  hy_status status = summed_create(1, &model);
  for (p = 0; p < 3; ++p) {
    own_arguments[p] = &x[p];
    own_results[p] = &y[p];
    arguments[p] = &own_arguments[p];
    results[p] = &own_results[p];
  }
  if (status == NULL) status = hy_run_grid(model, NULL, NULL, arguments, results);
  if (status != NULL) {
    puts(hy_status_message(status));
    return 1;
  }
  printf("%d: %d %d %d\n", hy_program_num_replicas(model), y[0], y[1], y[2]);
  summed_destroy(model);
  return 0;
}
)"),
            "3: 321 321 321\n");
}

}  // namespace
}  // namespace halyard
