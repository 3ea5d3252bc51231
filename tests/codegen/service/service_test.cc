// Tests what a failing code generator does to its users: they get a Status that names the kernel,
// and nothing else happens.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "client/devices/device_catalog.h"
#include "codegen/service/kernel_compiler.h"
#include "codegen/service/kernel_process.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {
namespace {

using ::testing::HasSubstr;

constexpr char kGood[] =
    "HloModule m\nENTRY e { a = f32[100] parameter(0) ROOT good = f32[100] add(a, a) }";
constexpr char kBad[] =
    "HloModule m\nENTRY e { a = f32[100] parameter(0) ROOT victim = f32[100] multiply(a, a) }";

// Parallel loops, whose closures hold values by name.
constexpr char kProduct[] =
    "HloModule m\nENTRY e { a = f32[128,96] parameter(0) b = f32[96,160] parameter(1) "
    "d = f32[128,160] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} "
    "ROOT r = f32[128,160] tanh(d) }";

lowering::KernelRequest Request(const char* hlo) {
  lowering::KernelRequest request;
  request.hlo = hlo;
  request.device = InfoNamed("x86");
  return request;
}

lowering::KernelCompilerOptions Options(double seconds = 60, int64_t memory = int64_t{2} << 30) {
  lowering::KernelCompilerOptions options;
  options.codegen_path = std::string(HALYARD_BIN_DIR) + "/halyard-codegen";
  options.jobs = 2;
  options.seconds_per_kernel = seconds;
  options.memory_bytes_per_kernel = memory;
  return options;
}

#ifdef __SANITIZE_ADDRESS__
constexpr char kOverflow[] = "RecurseForever";  // its report ends the process
#else
constexpr char kOverflow[] = "signal 11";
#endif

class Faults : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(Faults, GiveAStatusThatNamesTheKernel) {
  const auto& [kind, message] = GetParam();
  setenv("HALYARD_CODEGEN_FAULT", (std::string(kind) + ":victim").c_str(), 1);
  auto compiler = lowering::KernelCompiler::Create(Options(std::string(kind) == "hang" ? 2 : 60));
  const auto replies = compiler->Compile({Request(kGood), Request(kBad), Request(kGood)});
  unsetenv("HALYARD_CODEGEN_FAULT");
  EXPECT_TRUE(replies[0].ok()) << replies[0].status();
  EXPECT_TRUE(replies[2].ok()) << replies[2].status();
  ASSERT_FALSE(replies[1].ok());
  EXPECT_THAT(std::string(replies[1].status().message()), HasSubstr("victim"));
  EXPECT_THAT(std::string(replies[1].status().message()), HasSubstr(message));
  // The service continues.
  EXPECT_TRUE(compiler->Compile({Request(kGood)})[0].ok());
}

INSTANTIATE_TEST_SUITE_P(All, Faults,
                         ::testing::Values(std::pair{"abort", "signal 6"},
                                           std::pair{"overflow", kOverflow},
                                           std::pair{"hang", "took more than"},
                                           std::pair{"memory", "victim"}),
                         [](const auto& info) { return info.param.first; });

// Calls `visit` with every child of this process (the services that tests started) and its state.
template <typename Visit>
void ForChildren(Visit visit) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const pid_t pid = atoi(entry.path().filename().c_str());
    if (pid <= 0) continue;
    // The line is "pid (name) state parent …". The name may contain anything, so the last
    // parenthesis counts.
    std::ifstream file(entry.path() / "stat");
    const std::string stat((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
    const size_t end = stat.rfind(')');
    int parent = 0;
    char state = 0;
    if (end == std::string::npos || sscanf(stat.c_str() + end + 1, " %c %d", &state, &parent) != 2)
      continue;
    if (parent == getpid()) visit(pid, state);
  }
}

// Returns how many.
int KillChildren() {
  int killed = 0;
  ForChildren([&](pid_t pid, char) { killed += kill(pid, SIGKILL) == 0; });
  return killed;
}

// Waits until the killed processes have ended. They may be zombies.
void WaitForChildren() {
  bool alive = true;
  while (alive) {
    alive = false;
    ForChildren([&](pid_t, char state) { alive |= state != 'Z'; });
  }
}

// Also once it has made many, and has warmed itself up for more.
TEST(Service, EqualRequestsGiveEqualBytes) {
  const std::vector<lowering::KernelRequest> requests(24, Request(kProduct));
  const auto replies = lowering::KernelCompiler::Create(Options())->Compile(requests);
  ASSERT_TRUE(replies[0].ok()) << replies[0].status();
  for (const auto& reply : replies) {
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_EQ(reply->Serialize(), replies[0]->Serialize());
  }
}

// After a while in which nobody asks, the next process has been warmed up.
TEST(Service, WarmProcessesGiveTheSameBytes) {
  for (const char* hlo : {kGood, kProduct}) {
    for (const char* device : {"x86", "vulkan", "cuda"}) {
      lowering::KernelRequest request = Request(hlo);
      if (device == std::string("vulkan")) {
        request.device = *DescribedDevice(runtime::DeviceKind::kVulkan, "mali_g610");
      } else if (device == std::string("cuda")) {
        request.device = *DescribedDevice(runtime::DeviceKind::kCuda, "h200");
      }
      auto compiler = lowering::KernelCompiler::Create(Options());
      const auto cold = compiler->Compile({request});
      ASSERT_TRUE(cold[0].ok()) << cold[0].status();
      usleep(8 * lowering::kIdleMilliseconds * 1000);
      const auto warm = compiler->Compile({request});
      ASSERT_TRUE(warm[0].ok()) << warm[0].status();
      EXPECT_EQ(warm[0]->Serialize(), cold[0]->Serialize()) << device;
    }
  }
}

TEST(Service, KilledServiceIsReplacedAtTheNextCompile) {
  auto compiler = lowering::KernelCompiler::Create(Options());
  ASSERT_TRUE(compiler->Compile({Request(kGood)})[0].ok());
  ASSERT_GE(KillChildren(), 1);
  const auto lost = compiler->Compile({Request(kGood)});
  if (!lost[0].ok()) {
    EXPECT_THAT(std::string(lost[0].status().message()), HasSubstr("halyard-codegen"));
  }
  EXPECT_TRUE(compiler->Compile({Request(kGood)})[0].ok());
}

// If a service was killed while it was idle, no caller gets an error.
TEST(Service, IdleServiceThatWasKilledIsReplaced) {
  auto compiler = lowering::KernelCompiler::Create(Options());
  ASSERT_TRUE(compiler->Compile({Request(kGood)})[0].ok());
  ASSERT_GE(KillChildren(), 1);
  WaitForChildren();
  const auto replies = compiler->Compile({Request(kGood)});
  EXPECT_TRUE(replies[0].ok()) << replies[0].status();
}

// A caller does not wait for another caller's slow kernel.
TEST(Service, CallersDoNotWaitForEachOther) {
  setenv("HALYARD_CODEGEN_FAULT", "hang:victim", 1);
  auto compiler = lowering::KernelCompiler::Create(Options(/*seconds=*/4));
  ASSERT_TRUE(compiler->Compile({Request(kGood)})[0].ok());
  unsetenv("HALYARD_CODEGEN_FAULT");
  std::atomic<bool> begun = false, slow_done = false;
  std::thread slow([&] {
    // The first answer shows that the service works on this call.
    const auto replies =
        compiler->Compile({Request(kGood), Request(kBad)}, [&](size_t) { begun = true; });
    slow_done = true;
    EXPECT_TRUE(replies[0].ok());
    EXPECT_FALSE(replies[1].ok());
  });
  while (!begun) std::this_thread::yield();
  EXPECT_TRUE(compiler->Compile({Request(kGood)})[0].ok());
  EXPECT_FALSE(slow_done);
  slow.join();
}

// However many kernels one caller has, those of another come in between.
TEST(Service, CallersTakeTurns) {
  auto compiler = lowering::KernelCompiler::Create(Options());
  std::atomic<int> answered = 0;
  constexpr int kMany = 60;
  std::thread many([&] {
    const std::vector<lowering::KernelRequest> requests(kMany, Request(kGood));
    for (const auto& reply : compiler->Compile(requests, [&](size_t) { ++answered; }))
      EXPECT_TRUE(reply.ok()) << reply.status();
  });
  while (answered == 0) std::this_thread::yield();
  EXPECT_TRUE(compiler->Compile({Request(kBad)})[0].ok());
  EXPECT_LT(answered, kMany);
  many.join();
}

TEST(Service, AllCallersLearnThatItDied) {
  setenv("HALYARD_CODEGEN_FAULT", "hang:victim", 1);
  auto compiler = lowering::KernelCompiler::Create(Options());
  ASSERT_TRUE(compiler->Compile({Request(kGood)})[0].ok());
  unsetenv("HALYARD_CODEGEN_FAULT");
  std::atomic<int> begun = 0, unavailable = 0;
  std::vector<std::thread> callers;
  for (int i = 0; i < 2; ++i) {
    callers.emplace_back([&] {
      const auto replies =
          compiler->Compile({Request(kGood), Request(kBad)}, [&](size_t) { ++begun; });
      EXPECT_TRUE(replies[0].ok());
      if (absl::IsUnavailable(replies[1].status())) ++unavailable;
    });
  }
  while (begun < 2) std::this_thread::yield();
  EXPECT_GE(KillChildren(), 1);
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(unavailable, 2);
  EXPECT_TRUE(compiler->Compile({Request(kBad)})[0].ok());
}

TEST(Service, MissingProgramIsNamed) {
  lowering::KernelCompilerOptions options;
  options.codegen_path = "/nowhere/halyard-codegen";
  const auto replies = lowering::KernelCompiler::Create(options)->Compile({Request(kGood)});
  EXPECT_THAT(std::string(replies[0].status().message()), HasSubstr("/nowhere/halyard-codegen"));
}

TEST(Service, ThisProcessHoldsNoHalide) {
  ASSERT_TRUE(CompileHlo(kGood, InfoNamed("x86")).ok());
  std::ifstream maps("/proc/self/maps");
  const std::string text((std::istreambuf_iterator<char>(maps)), std::istreambuf_iterator<char>());
  EXPECT_EQ(text.find("libHalide"), std::string::npos);
  EXPECT_EQ(text.find("libMLIR"), std::string::npos);
}

}  // namespace
}  // namespace halyard::testing
