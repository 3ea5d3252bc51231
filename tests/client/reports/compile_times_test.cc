#include "client/reports/compile_times.h"

#include <gtest/gtest.h>

namespace halyard {
namespace {

void AddEvent(Profile& profile, ProfileEvent::Kind kind, const char* name, int64_t begin_ms,
              int64_t end_ms) {
  ProfileEvent event;
  event.kind = kind;
  event.name = name;
  event.begin_ns = begin_ms * 1000000;
  event.end_ns = end_ms * 1000000;
  profile.Add(event);
}

TEST(CompileTimes, PhasesAreIndentedAndKernelsAreSorted) {
  using Kind = ProfileEvent::Kind;
  Profile profile;
  AddEvent(profile, Kind::kCompile, "parse", 0, 1);
  AddEvent(profile, Kind::kCompile, "simplify", 1, 3);
  AddEvent(profile, Kind::kCompile, "fuse_kernels", 3, 7);
  AddEvent(profile, Kind::kCompile, "simplify", 7, 8);
  AddEvent(profile, Kind::kCompile, "plan", 1, 8);
  AddEvent(profile, Kind::kCodegen, "k0", 8, 10);
  AddEvent(profile, Kind::kCodegen, "k1", 8, 20);
  AddEvent(profile, Kind::kCodegen, "k2", 10, 13);
  AddEvent(profile, Kind::kCompile, "codegen", 8, 20);
  AddEvent(profile, Kind::kRun, "m", 20, 90);
  EXPECT_EQ(CompileTimesText(profile, 2),
            "       ms  phase\n"
            "     1.00  parse\n"
            "     7.00  plan\n"
            "     3.00    simplify (2 times)\n"
            "     4.00    fuse_kernels\n"
            "    12.00  codegen\n"
            "       ms  kernel (3 compiled, the longest 2)\n"
            "    12.00  k1\n"
            "     3.00  k2\n");
}

TEST(CompileTimes, AWarmCacheCompilesNothing) {
  EXPECT_EQ(CompileTimesText(Profile()), "       ms  phase\n       ms  kernel (0 compiled)\n");
}

}  // namespace
}  // namespace halyard
