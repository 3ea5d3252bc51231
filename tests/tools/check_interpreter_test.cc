// Tests halyard check on programs with ops of StableHLO's interpreter dialect.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using testing::Check;
using testing::CommandResult;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using testing::ReadTestFile;
using testing::RunHalyard;
using testing::TestFolder;
using testing::WriteTestFile;

// Sums 1, 2, 3 in a loop, and probes each sum.
constexpr char kLoop[] = R"(
func.func private @start() -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  return %zero : tensor<i32>
}
func.func @loop() {
  %zero = call @start() : () -> tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %end:2 = stablehlo.while(%i = %zero, %sum = %zero) : tensor<i32>, tensor<i32>
  cond {
    %more = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %new = stablehlo.add %sum, %next : tensor<i32>
    %seen = interpreter.probe %new, probe_id = "sums" : tensor<i32>
    stablehlo.return %next, %seen : tensor<i32>, tensor<i32>
  }
  %unused = "interpreter.probe"(%end#1) {probe_id = "last/sum"} : (tensor<i32>) -> tensor<i32>
  check.expect_serialized_eq %one, probe_id = "sums" : tensor<i32>
  check.expect_serialized_eq %three, probe_id = "sums", iter = 1 : tensor<i32>
  check.expect_serialized_eq %end#1, probe_id = "sums", iter = LAST : tensor<i32>
  check.expect_serialized_eq %end#1, probe_id = "last/sum" : tensor<i32>
  return
}
func.func @other() {
  %half = stablehlo.constant dense<[0.5, 1.0]> : tensor<2xbf16>
  %sum = stablehlo.add %half, %half : tensor<2xbf16>
  %seen = interpreter.probe %sum, probe_id = "sums" : tensor<2xbf16>
  check.expect_serialized_eq %seen, probe_id = "sums" : tensor<2xbf16>
  check.expect_eq_const %seen, dense<[1.0, 2.0]> : tensor<2xbf16>
  return
}
)";

TEST(Probe, IsReadBackOnEveryTarget) {
  for (const char* target : {"reference", "x86", "vulkan", "reference,x86"}) {
    const CommandResult result = Check("loop.mlir", absl::StrReplaceAll(kLoop, {{"LAST", "2"}}),
                                       {absl::StrCat("--target=", target)});
    EXPECT_EQ(result.status, 0) << target << ": " << result.out << result.err;
    EXPECT_EQ(result.out, "PASS loop\nPASS other\n2 passed, 0 failed\n") << target;
  }
}

TEST(Probe, IsNotWhatItWasNot) {
  const CommandResult late = Check("late.mlir", absl::StrReplaceAll(kLoop, {{"LAST", "3"}}));
  EXPECT_EQ(late.status, 1);
  EXPECT_THAT(late.out, HasSubstr("late.mlir:23:3: check.expect_serialized_eq: probe sums saw 3 "
                                  "values, of which number 3 (from 0) is wanted"));
  const CommandResult wrong = Check("wrong.mlir", absl::StrReplaceAll(kLoop, {{"LAST", "0"}}));
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.out, HasSubstr("element [] is 6, expected 1"));
}

TEST(Probe, IsWritten) {
  const std::string folder = TestFolder() + "/probes";
  const std::string text = absl::StrReplaceAll(kLoop, {{"LAST", "2"}});
  for (int times = 0; times < 2; ++times) {  // the second run starts anew
    const CommandResult result = Check("loop.mlir", absl::StrCat(text, "// -----\n", text),
                                       {"--target=reference,x86", "--probes=" + folder});
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    std::string index;
    for (int i = 0; i < 2; ++i) {
      int n = 5 * i;
      for (const char* probe : {"sums,tensor<i32>", "sums,tensor<i32>", "sums,tensor<i32>",
                                "last/sum,tensor<i32>", "sums,tensor<2xbf16>"}) {
        absl::StrAppend(&index, probe, ",probe", ++n, ".npy\n");
      }
    }
    EXPECT_EQ(ReadTestFile(folder + "/index.csv"), index);
  }
  // Another run can be compared with what was written.
  const CommandResult again = Check("again.mlir", R"(
func.func @again() {
  %six = stablehlo.constant dense<6> : tensor<i32>
  check.expect_serialized_eq %six, probe_id = "sums", iter = 2 : tensor<i32>
  return
}
)",
                                    {"--target=reference", "--data=" + folder});
  EXPECT_EQ(again.status, 0) << again.out;
  EXPECT_EQ(Check("loop.mlir", text, {"--probes=/proc/none"}).status, 1);
}

TEST(Probe, MustBeRight) {
  const auto error = [](const std::string& op) {
    return Check("bad.mlir", absl::StrCat("func.func @f(){\n%x = stablehlo.constant dense<1.0> : "
                                          "tensor<f32>\n",
                                          op, "\nreturn\n}\n"))
        .out;
  };
  EXPECT_THAT(error("%y = interpreter.probe %x : tensor<f32>"),
              HasSubstr("bad.mlir:3:27: error: "));
  EXPECT_THAT(error("%y = interpreter.probe %x, probe_id = \"\" : tensor<f32>"),
              HasSubstr("bad.mlir:3:6: error: 'interpreter.probe': probe_id must be"));
  EXPECT_THAT(error("%y = interpreter.probe %x, probe_id = \"a\\0Ab\" : tensor<f32>"),
              HasSubstr("probe_id must be"));
  EXPECT_THAT(error("%y = \"interpreter.probe\"(%x) {probe_id = \"a\"} : (tensor<f32>) -> "
                    "tensor<i32>"),
              HasSubstr("takes tensor<f32> but gives tensor<i32>"));
  EXPECT_THAT(error("%y = \"interpreter.probe\"() {probe_id = \"a\"} : () -> tensor<i32>"),
              HasSubstr("takes one value and gives one"));
  EXPECT_THAT(error("%y = interpreter.print %x : tensor<f32>"),
              HasSubstr("bad.mlir:3:6: error: unknown operation 'interpreter.print'"));
}

// Four processes of two functions: a ring in each row of the grid, and a sum over all replicas.
constexpr char kGrid[] = R"(
module @grid {
  func.func @first(%x: tensor<2xf32>, %k: tensor<i32>) -> (tensor<2xf32>, tensor<ui32>) {
    %y = call @ring(%x) : (tensor<2xf32>) -> tensor<2xf32>
    %id = stablehlo.replica_id : tensor<ui32>
    return %y, %id : tensor<2xf32>, tensor<ui32>
  }
  func.func private @ring(%x: tensor<2xf32>) -> tensor<2xf32> {
    %y = "stablehlo.collective_permute"(%x) {
      source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>
    } : (tensor<2xf32>) -> tensor<2xf32>
    return %y : tensor<2xf32>
  }
  func.func @main() -> tensor<2xf32> {
    %k = stablehlo.constant dense<3> : tensor<i32>
    %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %b = stablehlo.add %a, %a : tensor<2xf32>
    %c = stablehlo.add %b, %b : tensor<2xf32>
    %d = stablehlo.add %c, %c : tensor<2xf32>
    %r:8 = "interpreter.run_parallel"(%a, %k, %b, %k, %c, %k, %d, %k) {
      programs = [[@first, @first], [@first, @first]]
    } : (tensor<2xf32>, tensor<i32>, tensor<2xf32>, tensor<i32>,
         tensor<2xf32>, tensor<i32>, tensor<2xf32>, tensor<i32>)
      -> (tensor<2xf32>, tensor<ui32>, tensor<2xf32>, tensor<ui32>,
          tensor<2xf32>, tensor<ui32>, tensor<2xf32>, tensor<ui32>)
    check.expect_eq %r#0, %b : tensor<2xf32>
    check.expect_eq %r#2, %a : tensor<2xf32>
    check.expect_eq %r#4, %d : tensor<2xf32>
    check.expect_eq_const %r#6, dense<[LAST, 8.0]> : tensor<2xf32>
    check.expect_eq_const %r#3, dense<0> : tensor<ui32>
    check.expect_eq_const %r#5, dense<1> : tensor<ui32>
    %sum = stablehlo.add %r#0, %r#2 : tensor<2xf32>
    check.expect_eq_const %sum, dense<[3.0, 6.0]> : tensor<2xf32>
    return %sum : tensor<2xf32>
  }
}
)";

TEST(RunParallel, RunsAGridOnTheReference) {
  const std::string right = absl::StrReplaceAll(kGrid, {{"LAST", "4.0"}});
  const CommandResult result = Check("grid.mlir", right);
  EXPECT_EQ(result.out, "PASS main\n1 passed, 0 failed\n") << result.err;
  EXPECT_EQ(result.status, 0);
  const CommandResult wrong = Check("grid.mlir", absl::StrReplaceAll(kGrid, {{"LAST", "5.0"}}));
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.out, HasSubstr("grid.mlir:30:5: check.expect_eq_const: element [0] is 4, "
                                   "expected 5"));
  EXPECT_EQ(RunHalyard({"verify", WriteTestFile("grid.mlir", right)}).status, 0);
  const CommandResult other = Check("grid.mlir", right, {"--target=x86"});
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.out, ContainsRegex("FAIL main: [^\n]*grid.mlir:21:12: error: "
                                       "'interpreter.run_parallel' runs several processes, and "
                                       "x86 runs one: use --target=reference"));
}

// Different functions meet on channels, with tokens among their arguments and results.
TEST(RunParallel, RunsDifferentFunctions) {
  const CommandResult result = Check("channel.mlir", R"(
module @channel {
  func.func @give(%x: tensor<3xi16>, %t: !stablehlo.token) -> !stablehlo.token {
    %y = stablehlo.add %x, %x : tensor<3xi16>
    %seen = interpreter.probe %y, probe_id = "given" : tensor<3xi16>
    %u = "stablehlo.send"(%seen, %t) {
      channel_handle = #stablehlo.channel_handle<handle = 7, type = 2>, is_host_transfer = true
    } : (tensor<3xi16>, !stablehlo.token) -> !stablehlo.token
    return %u : !stablehlo.token
  }
  func.func @take(%t: !stablehlo.token) -> (!stablehlo.token, tensor<3xi16>) {
    %x, %u = "stablehlo.recv"(%t) {
      channel_handle = #stablehlo.channel_handle<handle = 7, type = 3>, is_host_transfer = true
    } : (!stablehlo.token) -> (tensor<3xi16>, !stablehlo.token)
    return %u, %x : !stablehlo.token, tensor<3xi16>
  }
  func.func @main() {
    %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi16>
    %t = stablehlo.after_all : !stablehlo.token
    %r:3 = "interpreter.run_parallel"(%t, %x, %t) {programs = [[@take, @give]]}
      : (!stablehlo.token, tensor<3xi16>, !stablehlo.token)
      -> (!stablehlo.token, tensor<3xi16>, !stablehlo.token)
    check.expect_eq_const %r#1, dense<[2, 4, 6]> : tensor<3xi16>
    check.expect_serialized_eq %r#1, probe_id = "given" : tensor<3xi16>
    return
  }
}
)");
  EXPECT_EQ(result.out, "PASS main\n1 passed, 0 failed\n") << result.err;
}

TEST(RunParallel, FeedsOneProcess) {
  constexpr char kFed[] = R"(
func.func @take(%t: !stablehlo.token) -> (tensor<2xi32>, tensor<f64>) {
  %x:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  %y:2 = "stablehlo.infeed"(%x#1) : (!stablehlo.token) -> (tensor<f64>, !stablehlo.token)
  return %x#0, %y#0 : tensor<2xi32>, tensor<f64>
}
func.func @two() -> tensor<2xi32> {
  %x = stablehlo.iota dim = 0 : tensor<2xi32>
  return %x : tensor<2xi32>
}
func.func @pi() -> tensor<f64> {
  %x = stablehlo.constant dense<3.14> : tensor<f64>
  return %x : tensor<f64>
}
func.func @main() {
  %t = stablehlo.after_all : !stablehlo.token
  %r:2 = "interpreter.run_parallel"(%t) {infeed = [FEED], programs = [[@take]]}
    : (!stablehlo.token) -> (tensor<2xi32>, tensor<f64>)
  check.expect_eq_const %r#0, dense<[0, 1]> : tensor<2xi32>
  check.expect_eq_const %r#1, dense<3.14> : tensor<f64>
  return
}
)";
  const auto feed = [&](const char* functions) {
    return Check("fed.mlir", absl::StrReplaceAll(kFed, {{"FEED", functions}})).out;
  };
  EXPECT_EQ(feed("@two, @pi"), "PASS main\n1 passed, 0 failed\n");
  EXPECT_THAT(feed("@two"), HasSubstr("the infeed is empty"));
  EXPECT_THAT(feed("@two, @take"), HasSubstr("@take must take nothing and give one tensor"));
  EXPECT_THAT(feed("@two, @e"), HasSubstr("fed.mlir:17:10: error: 'interpreter.run_parallel': "
                                          "there is no function @e"));
  EXPECT_THAT(feed(""), HasSubstr("'infeed' must be a list of functions, or left out"));
}

TEST(RunParallel, MustBeRight) {
  const auto run = [](const char* attributes, const char* operands = "(%x)",
                      const char* types = "(tensor<i32>) -> tensor<i32>") {
    return Check("bad.mlir",
                 absl::StrCat(R"(
func.func @f(%x: tensor<i32>) -> tensor<i32> {
  return %x : tensor<i32>
}
func.func @bad(%x: tensor<i32>) -> tensor<i32> {
  %y = "interpreter.run_parallel"(%x) {programs = [[@none]]} : (tensor<i32>) -> tensor<i32>
  return %y : tensor<i32>
}
func.func @main() {
  %x = stablehlo.constant dense<1> : tensor<i32>
  %r = "interpreter.run_parallel")",
                              operands, " {", attributes, "} : ", types, "\n  return\n}\n"))
        .out;
  };
  EXPECT_THAT(run("programs = [[@f]]"), HasSubstr("PASS main"));
  EXPECT_THAT(run("programs = [[@g]]"), HasSubstr("bad.mlir:11:8: error: "
                                                  "'interpreter.run_parallel': there is no "
                                                  "function @g"));
  EXPECT_THAT(run("programs = [[@bad]]"),
              HasSubstr("bad.mlir:6:8: error: 'interpreter.run_parallel': there is no "
                        "function @none"));
  EXPECT_THAT(run("programs = [[@main]]"), HasSubstr("calls itself"));
  for (const char* programs : {"", "programs = []", "programs = [[]]", "programs = [@f]",
                               "programs = 1", "programs = [[1]]"}) {
    EXPECT_THAT(run(programs), HasSubstr("'programs' must hold a list of functions for each"));
  }
  EXPECT_THAT(run("programs = [[@f], [@f, @f]]"),
              HasSubstr("the first replica has 1 programs, another 2"));
  EXPECT_THAT(run("programs = [[@f, @f]]"), HasSubstr("the operands are not the arguments"));
  EXPECT_THAT(run("programs = [[@f]]", "(%x, %x)", "(tensor<i32>, tensor<i32>) -> tensor<i32>"),
              HasSubstr("the operands are not the arguments"));
  EXPECT_THAT(run("programs = [[@f]]", "(%x)", "(tensor<i32>) -> tensor<ui32>"),
              HasSubstr("the results are not those"));
  EXPECT_THAT(run("programs = [[@f], [@f]], infeed = [@f]"), HasSubstr("'infeed' of several"));
}

// Collectives that never meet end, and say why.
TEST(RunParallel, ReportsDeadlocks) {
  const CommandResult result = Check("stuck.mlir", R"(
func.func @waits(%x: tensor<i32>) -> tensor<i32> {
  %t = stablehlo.after_all : !stablehlo.token
  %y, %u = "stablehlo.recv"(%t) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>
  } : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  return %y : tensor<i32>
}
func.func @main() {
  %x = stablehlo.constant dense<1> : tensor<i32>
  %r = "interpreter.run_parallel"(%x) {programs = [[@waits]]} : (tensor<i32>) -> tensor<i32>
  return
}
)");
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("deadlock: process (0, 0) waits at recv"));
}

}  // namespace
}  // namespace halyard
