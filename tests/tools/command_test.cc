// Tests what the command does with right programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "client/arrays/npz.h"
#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using ::testing::AllOf;
using testing::CommandResult;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RunGcc;
using testing::RunHalyard;
using testing::RunProgram;
using ::testing::StartsWith;
using testing::TestFolder;
using testing::WriteTestFile;

const std::string kFixtures = HALYARD_SOURCE_DIR "/tests/data/fixtures/";

CommandResult RunWell(const std::vector<std::string>& arguments) {
  CommandResult result = RunHalyard(arguments);
  EXPECT_EQ(result.status, 0) << ::testing::PrintToString(arguments) << result.err;
  return result;
}

TEST(Command, VersionAndHelp) {
  EXPECT_THAT(RunWell({"--version"}).out, StartsWith("halyard "));
  const std::string help = RunWell({"--help"}).out;
  for (const char* name : {"run", "bench", "show", "devices", "verify", "compile"}) {
    EXPECT_THAT(help, HasSubstr(name));
    EXPECT_THAT(RunWell({name, "--help"}).out, HasSubstr(name));
  }
}

TEST(Verify, SaysNothingOfRightPrograms) {
  const CommandResult result =
      RunWell({"verify", kFixtures + "mlp.mlir", kFixtures + "mlp.hlo", kFixtures + "sort.mlir"});
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "");
}

TEST(Run, ResultsAreAsExpectedOnEveryTarget) {
  for (const char* target : {"reference", "x86", "vulkan"}) {
    for (const char* extension : {".mlir", ".hlo"}) {
      const CommandResult result = RunWell(
          {"run", kFixtures + "mlp" + extension, std::string("--target=") + target,
           "--inputs=" + kFixtures + "mlp.in.npz", "--expect=" + kFixtures + "mlp.out.npz"});
      EXPECT_THAT(result.out, HasSubstr("out0: as expected, largest difference"));
    }
  }
}

TEST(Run, WritesResultsThatAreReadAgain) {
  const std::string out = TestFolder() + "/out.npz";
  const std::vector<std::string> run = {"run", kFixtures + "bf16_dense.mlir", "--target=x86",
                                        "--random-inputs=7"};
  auto with = [&run](std::vector<std::string> more) {
    more.insert(more.begin(), run.begin(), run.end());
    return RunWell(more);
  };
  EXPECT_EQ(with({"--outputs=" + out}).out, "");
  auto written = ReadNpz(out);
  ASSERT_TRUE(written.ok()) << written.status();
  EXPECT_TRUE(written->contains("out0"));
  // The same seed gives the same arguments, and the same arguments the same bits.
  EXPECT_THAT(with({"--expect=" + out, "--rtol=0", "--atol=0"}).out,
              HasSubstr("largest difference 0 "));
  EXPECT_THAT(with({"--repeat=3"}).out, HasSubstr("3 runs, the same results each time"));
  const CommandResult other = RunHalyard({"run", kFixtures + "bf16_dense.mlir", "--target=x86",
                                          "--random-inputs=8", "--expect=" + out});
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.out, HasSubstr("NOT as expected"));
}

TEST(Run, PrintsResultsShortly) {
  const std::string file = WriteTestFile(
      "iota.mlir",
      "func.func @main() -> (tensor<20xi32>, tensor<f32>, tensor<2x2xi1>) {\n"
      "  %0 = stablehlo.iota dim = 0 : tensor<20xi32>\n"
      "  %1 = stablehlo.constant dense<1.5> : tensor<f32>\n"
      "  %2 = stablehlo.constant dense<[[true, false], [false, true]]> : tensor<2x2xi1>\n"
      "  return %0, %1, %2 : tensor<20xi32>, tensor<f32>, tensor<2x2xi1>\n}\n");
  for (const char* target : {"reference", "x86"}) {
    EXPECT_EQ(RunWell({"run", file, std::string("--target=") + target}).out,
              "out0: s32[20] {0, 1, 2, 3, 4, 5, 6, 7, ...}\nout1: f32[] 1.5\n"
              "out2: pred[2,2] {true, false, false, true}\n");
  }
}

TEST(Run, AgreesWithTheReference) {
  for (const char* name : {"mlp", "newton_while", "reductions"}) {
    const CommandResult result =
        RunWell({"run", kFixtures + name + ".mlir", "--target=x86", "--compare=reference",
                 "--inputs=" + kFixtures + name + ".in.npz"});
    EXPECT_THAT(result.out, HasSubstr("out0: agrees with the reference"));
  }
}

// No computation in f32 can meet this tolerance. The error names the first op that rounds, and
// neither the exact ops before it nor the result in which the difference shows.
TEST(Run, NamesTheFirstInstructionThatDiffers) {
  const std::string file =
      WriteTestFile("late.mlir",
                    "func.func @main(%x: tensor<100xf32>) -> tensor<100xf32> {\n"
                    "  %0 = stablehlo.negate %x : tensor<100xf32>\n"
                    "  %1 = stablehlo.add %0, %0 : tensor<100xf32>\n"
                    "  %2 = stablehlo.tanh %1 : tensor<100xf32>\n"
                    "  %3 = stablehlo.multiply %2, %2 : tensor<100xf32>\n"
                    "  return %3 : tensor<100xf32>\n}\n");
  const CommandResult result = RunHalyard({"run", file, "--target=x86", "--random-inputs=1",
                                           "--compare=reference", "--rtol=0", "--atol=0"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("out0: DIFFERS from the reference"));
  EXPECT_THAT(result.err, AllOf(HasSubstr("the first instruction that differs is"),
                                HasSubstr("tanh("), HasSubstr("late.mlir:4:")));
}

// Zeros are within a hundredth of a softmax in absolute terms, but not relative to its largest
// element.
TEST(Run, TolerancesOfTheLargestSeeSmallResults) {
  const std::string file =
      WriteTestFile("small.mlir",
                    "func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi32>) {\n"
                    "  %0 = stablehlo.convert %x : (tensor<3xf32>) -> tensor<3xi32>\n"
                    "  return %x, %0 : tensor<3xf32>, tensor<3xi32>\n}\n");
  auto array = [](std::vector<double> values) {
    return hlo::Literal::FromValues<double>(hlo::ElementType::kF32, {3}, values);
  };
  const hlo::Literal integers =
      hlo::Literal::FromValues<int64_t>(hlo::ElementType::kS32, {3}, std::vector<int64_t>{0, 0, 0});
  const std::string in = TestFolder() + "/small.in.npz", out = TestFolder() + "/small.out.npz";
  auto run = [&](std::vector<double> values, std::vector<double> wanted,
                 std::vector<std::string> more) {
    EXPECT_TRUE(WriteNpz(in, {{"arg0", array(values)}}).ok());
    EXPECT_TRUE(WriteNpz(out, {{"out0", array(wanted)}, {"out1", integers}}).ok());
    more.insert(more.begin(),
                {"run", file, "--target=reference", "--inputs=" + in, "--expect=" + out});
    return RunHalyard(more).status;
  };
  EXPECT_EQ(run({0, 0, 0}, {1e-3, 2e-3, 5e-3}, {"--rtol=1e-2", "--atol=1e-2"}), 0);
  EXPECT_EQ(run({0, 0, 0}, {1e-3, 2e-3, 5e-3}, {"--of-largest=1e-2"}), 1);
  EXPECT_EQ(run({1e-3, 2e-3, 5.02e-3}, {1e-3, 2e-3, 5e-3}, {"--of-largest=1e-2"}), 0);
  EXPECT_EQ(run({1.00001e-3, 2e-3, 5e-3}, {1e-3, 2e-3, 5e-3}, {"--of-largest=0"}), 1);
  EXPECT_EQ(run({1, 0, 200}, {1, 0, 200}, {"--of-largest=1"}), 1) << "the integers differ";
}

TEST(Bench, WritesALineForEachFileAndTarget) {
  const std::string json = TestFolder() + "/bench.json";
  const CommandResult result =
      RunWell({"bench", kFixtures + "mlp.mlir", kFixtures + "softmax.hlo", "--target=x86,reference",
               "--min-time=0.01", "--json=" + json});
  EXPECT_THAT(result.out, AllOf(HasSubstr("mlp.mlir"), HasSubstr("median")));
  const std::vector<std::string> lines =
      absl::StrSplit(testing::ReadTestFile(json), '\n', absl::SkipEmpty());
  ASSERT_EQ(lines.size(), 4u);
  for (const std::string& line : lines) {
    for (const char* field :
         {"file", "target", "device", "compile_cold_ms", "load_warm_ms", "first_run_ms",
          "median_ms", "min_ms", "p90_ms", "runs", "arena_bytes"}) {
      EXPECT_THAT(line, HasSubstr(std::string("\"") + field + "\":"));
    }
  }
  EXPECT_THAT(lines[2], AllOf(HasSubstr("softmax.hlo"), HasSubstr("\"target\":\"x86\"")));
  RunWell({"bench", kFixtures + "mlp.mlir", "--target=reference", "--repeat=5", "--json=" + json});
  const std::string all = testing::ReadTestFile(json);
  EXPECT_THAT(all.substr(all.rfind('{')), HasSubstr("\"runs\":5,"));
}

TEST(Bench, LeavesNoFolderIfItIsStopped) {
  const std::string folder = TestFolder() + "/stopped";
  std::filesystem::create_directory(folder);
  // The program is in the cache when the runs begin.
  const CommandResult result = testing::RunProgram(
      {"bash", "-c",
       "export TMPDIR='" + folder + "'; " HALYARD_BIN_DIR "/halyard bench " + kFixtures +
           "mlp.mlir --target=x86 --min-time=1000 & "
           "for i in {1..6000}; do ls \"$TMPDIR\"/halyard-bench-*/*.program >/dev/null 2>&1 && "
           "break; sleep 0.02; done; kill -TERM $!; wait $!"});
  EXPECT_EQ(result.status, 128 + SIGTERM) << result.err;
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(Devices, ListsWhatIsThereAndWhatIsNot) {
  const std::string out = RunWell({"devices"}).out;
  EXPECT_THAT(out, AllOf(HasSubstr("\nx86  "), HasSubstr("\nreference  "), HasSubstr("cuda:sm_90"),
                         HasSubstr("x86:v3"), HasSubstr("features")));
}

// Tests that users of Halide can read a template's schedule as calls.
TEST(Show, SchedulesAreHalideCalls) {
  const std::string file = WriteTestFile(
      "calls.hlo",
      "HloModule m\nENTRY e {\n  a = f32[64,96] parameter(0)\n  b = f32[96,128] parameter(1)\n"
      "  ROOT d = f32[64,128] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n");
  const std::string x86 = RunWell({"show", file, "--stage=halide", "--target=x86:v3"}).out;
  EXPECT_THAT(
      x86, AllOf(HasSubstr("// schedule: contraction tile_n="), HasSubstr("\nout\n    .split("),
                 HasSubstr(".compute_at(out, "), HasSubstr("acc.update(0)\n"),
                 HasSubstr(".reorder("), HasSubstr("    .vectorize("), HasSubstr("    .parallel("),
                 Not(HasSubstr("store_root"))));
  const std::string cuda = RunWell({"show", file, "--stage=halide", "--target=cuda:sm_80"}).out;
  EXPECT_THAT(cuda, AllOf(HasSubstr(".store_in(MemoryType::GPUShared)"),
                          HasSubstr("    .gpu_threads(nth, mth)\n    .gpu_blocks(nb, mb);\n")));
}

TEST(Show, EveryStage) {
  auto show = [](const std::string& stage, const std::string& target,
                 const std::string& format = "text") {
    return RunWell({"show", kFixtures + "newton_while.mlir", "--stage=" + stage,
                    "--target=" + target, "--format=" + format})
        .out;
  };
  EXPECT_THAT(show("hlo", "x86"), StartsWith("HloModule"));
  EXPECT_THAT(show("optimized", "x86"), HasSubstr("fusion("));
  EXPECT_THAT(show("kernels", "x86"), AllOf(HasSubstr("HloModule"), HasSubstr("// 1 step: ")));
  EXPECT_THAT(show("halide", "x86"), HasSubstr("out(axis0)"));
  EXPECT_THAT(show("schedule", "x86"), HasSubstr("elementwise"));
  EXPECT_THAT(show("stmt", "x86"), HasSubstr("produce out"));
  EXPECT_THAT(show("asm", "x86"), HasSubstr("retq"));
  EXPECT_THAT(show("ptx", "cuda:sm_80"), HasSubstr(".visible .entry"));
  EXPECT_THAT(show("spirv", "vulkan"), HasSubstr("OpEntryPoint GLCompute"));
  EXPECT_THAT(show("memory", "x86"), AllOf(HasSubstr("arg0"), HasSubstr("arena on the device: ")));
  EXPECT_THAT(show("program", "x86"), AllOf(HasSubstr("while"), HasSubstr("condition:")));
  for (const char* stage : {"hlo", "optimized", "program"}) {
    EXPECT_THAT(show(stage, "x86", "dot"), AllOf(StartsWith("digraph"), HasSubstr("->")));
  }
  EXPECT_THAT(show("program", "x86", "html"),
              AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("-&gt;")));
}

TEST(Show, OptimizedIsAProgramWithTheSameResults) {
  const std::string file = WriteTestFile(
      "optimized.hlo",
      RunWell({"show", kFixtures + "mlp.mlir", "--stage=optimized", "--target=x86"}).out);
  RunWell({"run", file, "--target=reference", "--inputs=" + kFixtures + "mlp.in.npz",
           "--expect=" + kFixtures + "mlp.out.npz"});
}

// What `show --stage=schedule` prints can be edited and passed back.
TEST(Show, ScheduleIsEditable) {
  const std::string file = kFixtures + "mlp.mlir";
  std::string text = RunWell({"show", file, "--stage=schedule", "--target=x86"}).out;
  const size_t knob = text.find("tile_m=8");
  ASSERT_NE(knob, std::string::npos) << text;
  text.replace(knob, 8, "tile_m=4");
  const std::string schedules = WriteTestFile("edited", text);
  const std::string again =
      RunWell({"show", file, "--stage=schedule", "--target=x86", "--schedules=" + schedules}).out;
  EXPECT_THAT(again, HasSubstr("tile_m=4"));
  RunWell({"run", file, "--target=x86", "--schedules=" + schedules,
           "--inputs=" + kFixtures + "mlp.in.npz", "--expect=" + kFixtures + "mlp.out.npz"});
}

TEST(Quick, ReachesTheSchedulesAndKeepsTheResults) {
  const std::string file = kFixtures + "mlp.mlir";
  for (const char* target : {"x86", "vulkan", "cuda:sm_80"}) {
    const std::vector<std::string> show = {"show", file, "--stage=schedule",
                                           std::string("--target=") + target};
    std::vector<std::string> quick = show;
    quick.emplace_back("--O0");
    EXPECT_THAT(RunWell(show).out, Not(HasSubstr(": plain "))) << target;
    EXPECT_THAT(RunWell(quick).out, HasSubstr(": plain ")) << target;
  }
  for (const char* target : {"x86", "vulkan"}) {
    const CommandResult result =
        RunWell({"run", file, std::string("--target=") + target, "--O0",
                 "--inputs=" + kFixtures + "mlp.in.npz", "--expect=" + kFixtures + "mlp.out.npz"});
    EXPECT_THAT(result.out, HasSubstr("out0: as expected, largest difference"));
  }
}

TEST(Quick, IsAnErrorBesideOtherSchedules) {
  const std::string file = kFixtures + "mlp.mlir";
  const std::string schedules = WriteTestFile("schedules", "# none\n");
  for (std::vector<std::string> command : std::vector<std::vector<std::string>>{
           {"run", file}, {"bench", file}, {"show", file, "--stage=schedule"}}) {
    command.insert(command.end(), {"--target=x86", "--O0", "--schedules=" + schedules});
    const CommandResult result = RunHalyard(command);
    EXPECT_EQ(result.status, 1) << command[0];
    EXPECT_THAT(result.err + result.out, HasSubstr("--schedules cannot name others")) << command[0];
  }
  const CommandResult result = RunHalyard({"run", file, "--target=x86", "--O0", "--locked"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("--locked excludes --O0"));
}

TEST(Run, ProfilesAsATraceAndATable) {
  const std::string trace = TestFolder() + "/trace.json", table = TestFolder() + "/table.json";
  for (const char* target : {"x86", "vulkan"}) {
    const CommandResult result =
        RunWell({"run", kFixtures + "mlp.mlir", std::string("--target=") + target,
                 "--inputs=" + kFixtures + "mlp.in.npz", "--expect=" + kFixtures + "mlp.out.npz",
                 "--profile=" + trace, "--profile-table", "--profile-json=" + table});
    for (const char* part : {"kernel", "share", "of copy", "of peak",
                             "mlp.mlir:", "(the fastest of 4)", "memory of a run: "})
      EXPECT_THAT(result.out, HasSubstr(part));
    EXPECT_THAT(testing::ReadTestFile(trace), HasSubstr("\"traceEvents\""));
    EXPECT_THAT(testing::ReadTestFile(table), HasSubstr("\"copy_gb_per_s\""));
  }
  EXPECT_EQ(RunHalyard({"run", kFixtures + "mlp.mlir", "--target=reference", "--random-inputs=1",
                        "--profile-table"})
                .status,
            1);
}

TEST(Show, DrawsTheMemoryPlan) {
  const std::string file = kFixtures + "mlp.mlir";
  const std::string svg =
      RunWell({"show", file, "--stage=memory", "--target=x86", "--format=svg"}).out;
  EXPECT_THAT(svg, StartsWith("<svg "));
  const std::string html =
      RunWell({"show", file, "--stage=memory", "--target=x86", "--format=html"}).out;
  for (const char* part : {"<!DOCTYPE html>", "<svg ", "memory of a run: ", "</html>"})
    EXPECT_THAT(html, HasSubstr(part));
  EXPECT_EQ(RunHalyard({"show", file, "--stage=hlo", "--format=svg"}).status, 2);
}

TEST(Show, EndsQuietlyWhenItsReaderDoes) {
  const CommandResult result =
      RunProgram({"bash", "-c",
                  "set -o pipefail; " HALYARD_BIN_DIR "/halyard show " HALYARD_SOURCE_DIR
                  "/tests/data/fixtures/transformer12.mlir --stage=hlo | head -n 1"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, StartsWith("HloModule"));
  EXPECT_EQ(result.err, "");
}

TEST(Dump, HoldsPassesAndKernels) {
  const std::string folder = TestFolder() + "/dump";
  RunWell({"run", kFixtures + "mlp.mlir", "--target=x86", "--random-inputs=1", "--dump=" + folder});
  EXPECT_THAT(testing::ReadTestFile(folder + "/04_inline_calls.hlo"), StartsWith("HloModule"));
  for (const char* part : {"hlo", "algorithm", "schedule", "stmt", "asm"}) {
    EXPECT_NE(testing::ReadTestFile(folder + "/kernel_000." + part), "") << part;
  }
}

// Machine code comes from nvdisasm, which may be missing.
TEST(Show, SassNeedsADisassembler) {
  const std::string fixture = kFixtures + "mlp.mlir";
  const std::string tool = WriteTestFile("nvdisasm", "#!/bin/sh\necho \"disassembled $1\"\n");
  ASSERT_EQ(chmod(tool.c_str(), 0700), 0);
  auto show = [&](const std::string& nvdisasm, const std::string& target) {
    return RunProgram({"env", "HALYARD_NVDISASM=" + nvdisasm, HALYARD_BIN_DIR "/halyard", "show",
                       fixture, "--stage=sass", "--target=" + target, "--no-libraries"});
  };
  const CommandResult good = show(tool, "cuda:sm_90");
  ASSERT_EQ(good.status, 0) << good.err;
  EXPECT_THAT(good.out, AllOf(HasSubstr("disassembled -c"), HasSubstr("// schedule: "),
                              HasSubstr("// registers="), HasSubstr("// launch ")));
  const CommandResult none = show("", "cuda:sm_90");
  EXPECT_EQ(none.status, 1);
  EXPECT_THAT(none.err, AllOf(HasSubstr("there is no nvdisasm"), HasSubstr("HALYARD_NVDISASM")));
  const CommandResult absent = show("/nowhere/nvdisasm", "cuda:sm_90");
  EXPECT_EQ(absent.status, 1);
  EXPECT_THAT(absent.err, HasSubstr("/nowhere/nvdisasm"));
  const CommandResult x86 = show(tool, "x86");
  EXPECT_EQ(x86.status, 1);
  EXPECT_THAT(x86.err, HasSubstr("no kernel of the program runs on CUDA"));
}

// If ptxas does not know the device, or is missing, the driver compiles the kernels.
TEST(Compile, CudaNeedsNoPtxas) {
  const std::string folder = TestFolder() + "/jit", fixture = kFixtures + "mlp.mlir";
  const std::string old = WriteTestFile(
      "ptxas",
      "#!/bin/sh\necho \"ptxas fatal : Value 'sm_90' is not defined for option 'gpu-name'\"\n"
      "exit 255\n");
  ASSERT_EQ(chmod(old.c_str(), 0700), 0);
  for (const std::string& ptxas : {std::string(), old}) {
    const std::vector<std::string> command = {"env",
                                              "HALYARD_PTXAS=" + ptxas,
                                              HALYARD_BIN_DIR "/halyard",
                                              "compile",
                                              fixture,
                                              "--target=cuda:sm_90",
                                              "-o",
                                              folder,
                                              "--name=jit",
                                              "--no-tuning"};
    const CommandResult result = RunProgram(command);
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, ::testing::ContainsRegex("cuda:sm_90 .* - +-\n"));
    EXPECT_THAT(testing::ReadTestFile(folder + "/jit.cuda-sm_90.hyprog"),
                HasSubstr(".visible .entry"));
    const std::string words = old + " does not know sm_90";
    const size_t first = result.err.find(words);
    EXPECT_EQ(first == std::string::npos, ptxas.empty()) << result.err;
    if (ptxas.empty()) continue;
    EXPECT_EQ(result.err.find(words, first + 1), std::string::npos) << "more than once";
    EXPECT_THAT(result.err, HasSubstr("the driver will compile the kernels"));
  }
}

// A C program that gcc alone has built has the same results as `halyard run`, bit by bit.
TEST(Compile, ACProgramHasTheSameResults) {
  const std::string folder = TestFolder() + "/aot", out = TestFolder() + "/aot.npz";
  const std::string program = WriteTestFile(
      "aot.mlir",
      "func.func @main(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {\n"
      "  %w = stablehlo.iota dim = 0 : tensor<16x16xf32>\n"
      "  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, "
      "tensor<16x16xf32>) -> tensor<8x16xf32>\n"
      "  %1 = stablehlo.tanh %0 : tensor<8x16xf32>\n  return %1 : tensor<8x16xf32>\n}\n");
  const std::string table =
      RunWell({"compile", program, "--target=x86,vulkan,cuda:sm_90", "-o", folder, "--name=net"})
          .out;
  EXPECT_THAT(table, AllOf(HasSubstr("registers"), HasSubstr("libnet.a"),
                           HasSubstr("net.vulkan.hyprog"), HasSubstr("net.cuda-sm_90.hyprog")));
  EXPECT_NE(testing::ReadTestFile(folder + "/net.vulkan.hyprog"), "");
  const std::string main = WriteTestFile(
      "main.c",
      "#include <stdio.h>\n#include \"net.h\"\n"
      "int main(void) {\n  static float x[128], y[128];\n  net_model* net;\n  int i;\n"
      "  for (i = 0; i < 128; ++i) x[i] = (float)(i % 7 - 3) / 16.0f;\n"
      "  if (net_create(0, &net) != NULL || net_run(net, x, y) != NULL) return 1;\n"
      "  net_destroy(net);\n  fwrite(y, sizeof(float), 128, stdout);\n  return 0;\n}\n");
  const CommandResult built =
      RunGcc({"-std=c99", "-Wall", "-Werror", "-I" + folder, main, folder + "/libnet.a", "-o",
              folder + "/net", "-lm", "-lpthread"});
  ASSERT_EQ(built.status, 0) << built.err;
  const CommandResult answer = RunProgram({folder + "/net"});
  ASSERT_EQ(answer.status, 0);
  ASSERT_EQ(answer.out.size(), 128 * sizeof(float));

  hlo::Literal x(hlo::Shape::Array(hlo::ElementType::kF32, {8, 16}));
  for (int64_t i = 0; i < 128; ++i) x.SetFloat(i, static_cast<double>(i % 7 - 3) / 16);
  ASSERT_TRUE(WriteNpz(TestFolder() + "/x.npz", {{"arg0", x}}).ok());
  RunWell(
      {"run", program, "--target=x86", "--inputs=" + TestFolder() + "/x.npz", "--outputs=" + out});
  auto results = ReadNpz(out);
  ASSERT_TRUE(results.ok());
  const auto bytes = results->at("out0").bytes();
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), answer.out);
}

TEST(Compile, ProgramsAreOneFileForEachTarget) {
  const std::string folder = TestFolder() + "/bundle";
  const std::string out = RunWell({"compile", kFixtures + "mlp.mlir", "--target=x86:v2,x86:v3",
                                   "-o", folder, "--name=mlp", "--emit=programs"})
                              .out;
  EXPECT_THAT(out, AllOf(HasSubstr("mlp.x86-v2.hyprog"), HasSubstr("mlp.x86-v3.hyprog")));
  EXPECT_NE(testing::ReadTestFile(folder + "/mlp.x86-v3.hyprog"), "");
}

}  // namespace
}  // namespace halyard
