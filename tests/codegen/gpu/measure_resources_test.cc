#include "codegen/measure_resources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "absl/strings/str_cat.h"
#include "codegen/gpu/ptx/ptxas.h"
#include "codegen/gpu/ptx/tool_process.h"

namespace halyard::lowering {
namespace {

using ::testing::HasSubstr;

// Reads `values` numbers, and then writes them in reverse order, so that all of them are live at
// once. `cap` limits the registers of a thread.
std::string Ptx(int values, int cap) {
  std::string loads, stores;
  for (int i = 0; i < values; ++i) {
    absl::StrAppend(&loads, "\tld.volatile.global.f32 %f", i, ", [%rd2+", 128 * i, "];\n");
    absl::StrAppend(&stores, "\tst.volatile.global.f32 [%rd2+", 128 * i, "], %f", values - 1 - i,
                    ";\n");
  }
  return absl::StrCat(R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry wide(.param .u64 p)
.maxntid 128, 1, 1
)",
                      cap == 0 ? "" : absl::StrCat(".maxnreg ", cap, "\n"), R"({
	.reg .f32 %f<)",
                      values, R"(>;
	.reg .b32 %r<3>;
	.reg .b64 %rd<5>;
	.shared .align 4 .b8 tile[512];
	ld.param.u64 %rd1, [p];
	cvta.to.global.u64 %rd3, %rd1;
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd4, %r1, 4;
	add.s64 %rd2, %rd3, %rd4;
	mov.u32 %r2, tile;
	st.volatile.shared.u32 [%r2], %r1;
)",
                      loads, stores, "\tret;\n}\n");
}

KernelObjectSpec CudaSpec(std::string module) {
  KernelObjectSpec spec;
  spec.kind = runtime::DeviceKind::kCuda;
  spec.modules = {std::move(module)};
  KernelObjectSpec::LaunchSpec launch;
  launch.entry = "wide";
  launch.block[0] = 64;
  launch.block[1] = 2;
  launch.shared_bytes = 1024;
  spec.launches = {launch};
  return spec;
}

class CubinTest : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (*HALYARD_PTXAS == '\0') GTEST_SKIP() << "no ptxas";
  }
  KernelResources Of(const std::string& ptx) {
    absl::StatusOr<gpu::PtxasResult> result = gpu::RunPtxas(HALYARD_PTXAS, ptx, GetParam());
    EXPECT_TRUE(result.ok()) << result.status();
    if (!result.ok()) return {};
    return MeasureResources(CudaSpec(result->cubin), result->kernels);
  }
};
INSTANTIATE_TEST_SUITE_P(Architectures, CubinTest, ::testing::Values(80, 90));

TEST_P(CubinTest, ThereIsRoomForAll) {
  const KernelResources few = Of(Ptx(4, 0)), many = Of(Ptx(96, 0));
  EXPECT_GT(few.registers, 4);
  EXPECT_GT(many.registers, 96);
  EXPECT_LE(many.registers, 128);
  EXPECT_EQ(many.spilled_bytes, 0);
  EXPECT_FALSE(many.spills());
  EXPECT_EQ(many.shared_bytes, 1024 + 512);
  EXPECT_EQ(many.group_threads, 128);
  // An instruction has 16 bytes, and each number needs at least a load and a store.
  EXPECT_GE(many.code_bytes, 2 * 96 * 16);
  EXPECT_LT(few.code_bytes, many.code_bytes);
}

TEST_P(CubinTest, ACapMakesItSpill) {
  const KernelResources capped = Of(Ptx(96, 32));
  EXPECT_GT(capped.registers, 0);
  EXPECT_LE(capped.registers, 32);
  EXPECT_TRUE(capped.spills());
  // Some 70 values are stored and loaded once, 4 bytes each.
  EXPECT_GE(capped.spilled_bytes, 60 * 8);
  EXPECT_GE(capped.stack_bytes, 60 * 4);
}

// The sum has parts: the launch that adds the parts has larger groups and little code.
TEST_P(CubinTest, TheLaunchWithTheMostCodeCounts) {
  std::string small = Ptx(4, 0);
  small.replace(small.find("wide"), 4, "tiny");
  small = small.substr(small.find(".visible"));
  const absl::StatusOr<gpu::PtxasResult> result =
      gpu::RunPtxas(HALYARD_PTXAS, Ptx(96, 32) + small, GetParam());
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(result->kernels.size(), 2u);
  const KernelResources alone = Of(Ptx(96, 32));
  for (const bool first : {false, true}) {
    KernelObjectSpec spec = CudaSpec(result->cubin);
    KernelObjectSpec::LaunchSpec tiny;
    tiny.entry = "tiny";
    tiny.block[0] = 512;
    tiny.shared_bytes = 4096;
    spec.launches.insert(first ? spec.launches.begin() : spec.launches.end(), tiny);
    const KernelResources both = MeasureResources(spec, result->kernels);
    EXPECT_EQ(both.group_threads, 128);
    EXPECT_EQ(both.shared_bytes, alone.shared_bytes);
    EXPECT_EQ(both.registers, alone.registers);
    EXPECT_EQ(both.spilled_bytes, alone.spilled_bytes);
    EXPECT_GT(both.code_bytes, alone.code_bytes);
  }
}

TEST(MeasureResourcesTest, PtxIsNotKnownInside) {
  const KernelResources resources = MeasureResources(CudaSpec(Ptx(4, 0)), {});
  EXPECT_EQ(resources.ToText(), "shared=1024 threads=128");
}

TEST(MeasureResourcesTest, SpirvIsCountedInBytes) {
  KernelObjectSpec spec = CudaSpec(std::string(400, 's'));
  spec.kind = runtime::DeviceKind::kVulkan;
  EXPECT_EQ(MeasureResources(spec, {}).ToText(), "shared=1024 threads=128 code=400");
}

TEST(MeasureResourcesTest, LibraryCallsAndDamagedObjectsAreUnknown) {
  KernelObjectSpec spec;
  spec.kind = runtime::DeviceKind::kCuda;
  spec.launches.resize(1);
  EXPECT_FALSE(MeasureResources(spec, {}).known());
  spec.kind = runtime::DeviceKind::kX86;
  for (const size_t size : {0, 10, 64, 200}) {
    // The head of an ELF64 file whose sections are beyond its end.
    spec.x86_object = std::string("\177ELF\2\1\1", 7) + std::string(193, '\x7f');
    spec.x86_object.resize(size);
    EXPECT_FALSE(MeasureResources(spec, {}).known()) << size;
  }
}

TEST(KernelResourcesTest, TextAndBack) {
  KernelResources all;
  all.registers = 255;
  all.spilled_bytes = 8;
  all.stack_bytes = 4;
  all.shared_bytes = 0;
  all.group_threads = 1024;
  all.code_bytes = 5000;
  EXPECT_EQ(all.ToText(), "registers=255 spills=8 stack=4 shared=0 threads=1024 code=5000");
  KernelResources code;
  code.code_bytes = 3;
  for (const KernelResources& resources : {all, code, KernelResources()}) {
    const auto back = KernelResources::Parse(resources.ToText());
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_EQ(*back, resources);
  }
  for (const char* text : {"registers", "registers=", "registers=-1", "registers=x", "regs=3",
                           "code=1 code=1", "code=99999999999999999999"}) {
    EXPECT_THAT(std::string(KernelResources::Parse(text).status().message()),
                HasSubstr("resources: \""))
        << text;
  }
}

// Its path is stored relative to the programs' folder, and must lead there from here.
TEST(FindPtxas, IsTheOneOfTheBuild) {
  unsetenv("HALYARD_PTXAS");
  const std::string found = gpu::FindPtxas();
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(std::filesystem::canonical(found), std::filesystem::canonical(HALYARD_PTXAS));
}

class ToolProcess : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const char* set = getenv("TMPDIR"); set != nullptr) before_ = set;
    std::string pattern = ::testing::TempDir() + "/tool_process_XXXXXX";
    folder_ = mkdtemp(pattern.data());
    setenv("TMPDIR", folder_.c_str(), 1);
  }
  void TearDown() override {
    before_.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", before_.c_str(), 1);
    std::filesystem::remove_all(folder_);
  }
  static bool Within10Seconds(const std::function<bool()>& holds) {
    for (int i = 0; i < 1000; ++i) {
      if (holds()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  // Runs a script in a shell, and returns its exit status.
  static int Run(const gpu::WorkFolder& folder, const std::string& script) {
    int status = -1;
    const absl::Status run =
        gpu::RunTool(folder, "/bin/sh", {"-c", script}, folder.File("log"), &status);
    EXPECT_TRUE(run.ok()) << run;
    return status;
  }

  std::string before_, folder_;
};

TEST_F(ToolProcess, ItsOutputAndStatusAreKept) {
  const gpu::WorkFolder folder({"log"});
  EXPECT_EQ(Run(folder, "echo out; echo err >&2; exit 3"), 3);
  EXPECT_EQ(gpu::ReadToolFile(folder.File("log")), "out\nerr\n");
  EXPECT_EQ(Run(folder, "kill -9 $$"), 128);
  int status = -1;
  EXPECT_EQ(gpu::RunTool(folder, "/no/such/tool", {}, folder.File("log"), &status).code(),
            absl::StatusCode::kNotFound);
}

// halyard-codegen is killed at its deadline, and when nobody waits for its kernel any more.
TEST_F(ToolProcess, EndsWithItsCallerAndLeavesNothing) {
  const std::string ids = folder_ + "/ids";
  const pid_t caller = fork();
  if (caller == 0) {
    const gpu::WorkFolder folder({"log"});
    Run(folder, "sleep 1000 & echo $$ $! >" + ids + ".new; mv " + ids + ".new " + ids + "; wait");
    _exit(0);
  }
  ASSERT_TRUE(Within10Seconds([&] { return std::filesystem::exists(ids); }));
  pid_t shell = 0, sleeper = 0;
  std::ifstream(ids) >> shell >> sleeper;
  std::filesystem::remove(ids);
  ASSERT_EQ(kill(sleeper, 0), 0);
  kill(caller, SIGKILL);
  waitpid(caller, nullptr, 0);
  // A process that has ended may have to wait until its parent takes notice.
  const auto runs = [](pid_t process) {
    std::ifstream file(absl::StrCat("/proc/", process, "/stat"));
    std::string number, name, state;
    return file >> number >> name >> state && state != "Z";
  };
  EXPECT_TRUE(Within10Seconds([&] { return !runs(shell) && !runs(sleeper); }));
  EXPECT_TRUE(Within10Seconds([&] { return std::filesystem::is_empty(folder_); }));
}

}  // namespace
}  // namespace halyard::lowering
