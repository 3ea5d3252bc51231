// Programs of every family of ops, compiled for described devices: what each device lacks is said,
// CUDA kernels are assembled, and none of the default schedules spills registers but for those that
// spills.txt gives reasons for. The same programs run on this machine's Vulkan device, beside x86;
// all of them with $HALYARD_NIGHTLY.
//
//   families_test [--gtest_filter='*sm_90*']     results: families-DEVICE.tsv in $HALYARD_RESULTS
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "autotuner/rules/output_rule.h"
#include "autotuner/rules/rounding_rules.h"
#include "client/api/client.h"
#include "client/api/program_compiler.h"
#include "client/devices/device_catalog.h"
#include "codegen/gpu/ptx/ptxas.h"
#include "codegen/service/kernel_compiler.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lowering/kernels/kernel_request.h"
#include "runtime/kernel_object.h"
#include "schedules/space_text.h"
#include "tests/sample.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard {
namespace {

using runtime::DeviceKind;
using ::testing::HasSubstr;

constexpr char kFolder[] = HALYARD_SOURCE_DIR "/tests/data/families";

std::vector<std::filesystem::path> Programs() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".mlir") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  EXPECT_GT(paths.size(), 50u) << "where are they?";
  return paths;
}

// Reads lines "program reason…". '#' begins a comment.
std::map<std::string, std::string> KnownSpills() {
  std::map<std::string, std::string> known;
  std::ifstream in(absl::StrCat(kFolder, "/spills.txt"));
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    known[line.substr(0, line.find(' '))] = line.substr(line.find(' ') + 1);
  }
  return known;
}

std::vector<std::string> Devices() {
  if (std::getenv("HALYARD_NIGHTLY") == nullptr) {
    return {"cuda:sm_80", "vulkan:a770", "x86:v3"};
  }
  std::vector<std::string> devices = {"x86:v2", "x86:v3", "x86:v4"};
  for (DeviceKind kind : {DeviceKind::kCuda, DeviceKind::kVulkan}) {
    for (const std::string& name : DescribedDeviceNames(kind)) {
      devices.push_back(absl::StrCat(kind == DeviceKind::kCuda ? "cuda:" : "vulkan:", name));
    }
  }
  return devices;
}

// Differ from another program in a type alone, which other families have: only scripts/nightly
// compiles them for described devices.
bool IsOfAnotherType(absl::string_view name) {
  if (testing::AllCases()) return false;
  for (const char* of_type : {"attention_f16", "conv_f16", "conv_1x1_bf16", "elementwise_bf16",
                              "gemm_f16", "softmax_bf16", "sort"}) {
    if (name == of_type) return true;
  }
  return false;
}

struct Use {
  int kernels = 0, registers = 0, spilled_bytes = 0, shared_bytes = 0;
  bool has_mma = false;
};

// Code that was made for an architecture also runs on newer ones. These take turns with the
// programs without $HALYARD_ALL_CASES (tests/sample.h).
std::vector<int> Architectures(int capability, size_t program) {
  std::vector<int> architectures = {capability};
  if (capability != 80) return architectures;
  if (testing::AllCases() || program % 2 == 0) architectures.push_back(90);
  if (testing::AllCases() || program % 2 == 1) architectures.push_back(100);
  return architectures;
}

// Returns the most that a launch of the kernel asks for.
int SharedBytes(const std::string& object) {
  runtime::KernelObjectView view;
  const runtime::Status status = runtime::ParseKernelObject(
      {reinterpret_cast<const uint8_t*>(object.data()), object.size()}, &view);
  EXPECT_TRUE(status.ok()) << status.message();
  int most = 0;
  for (uint32_t i = 0; status.ok() && i < view.num_launches; ++i) {
    most = std::max(most, static_cast<int>(view.launch(i).shared_bytes));
  }
  return most;
}

// Adds what ptxas reports about the kernels of the program of this number.
void Measure(const ProgramCompiler& compiler, const ProgramSpec& program, size_t number, Use* use) {
  const std::string ptxas = lowering::gpu::FindPtxas();
  ASSERT_FALSE(ptxas.empty()) << "no ptxas";
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    if (program.kernels[k].space == MemorySpace::kHost) continue;
    const std::string& ptx = compiler.replies[k].dump.assembly;
    ++use->kernels;
    use->shared_bytes = std::max(use->shared_bytes, SharedBytes(program.kernels[k].object));
    use->has_mma |= absl::StrContains(ptx, "mma.sync") || absl::StrContains(ptx, "wgmma.");
    for (int architecture : Architectures(program.device.cuda_capability, number)) {
      const auto assembled = lowering::gpu::RunPtxas(ptxas, ptx, architecture);
      ASSERT_TRUE(assembled.ok()) << program.kernels[k].name << ", sm_" << architecture << ": "
                                  << assembled.status();
      for (const lowering::gpu::PtxasKernel& kernel : assembled->kernels) {
        use->registers = std::max(use->registers, kernel.registers);
        // Arrays that a thread indexes with computed values (a sort's counters) are in local
        // memory, too, by design.
        use->spilled_bytes += kernel.spill_store_bytes + kernel.spill_load_bytes;
      }
    }
  }
}

// Returns whether tensor cores compute the program's products, from sm_80 on.
bool WantsMma(absl::string_view name) {
  for (const char* family : {"gemm_", "conv_", "attention_"}) {
    if (!absl::StartsWith(name, family)) continue;
    for (const char* type : {"f16", "bf16", "tf32", "s8"}) {
      if (absl::EndsWith(name, absl::StrCat("_", type))) return true;
    }
  }
  return false;
}

class Families : public ::testing::TestWithParam<std::string> {};

TEST_P(Families, CompileWithoutSpills) {
  const absl::StatusOr<Target> target = ParseTarget(GetParam());
  ASSERT_TRUE(target.ok()) << target.status();
  const std::map<std::string, std::string> known = KnownSpills();
  ASSERT_LE(known.size(), 3u);
  std::ofstream results;
  if (const char* folder = std::getenv("HALYARD_RESULTS_DIR")) {
    results.open(
        absl::StrCat(folder, "/families-", absl::StrReplaceAll(GetParam(), {{":", "-"}}), ".tsv"));
  }
  size_t number = 0;
  for (const std::filesystem::path& path : Programs()) {
    const std::string name = path.stem().string();
    SCOPED_TRACE(name);
    if (IsOfAnotherType(name)) continue;
    const auto module = ReadProgramFile(path.string());
    ASSERT_TRUE(module.ok()) << module.status();
    ProgramCompiler compiler;
    compiler.want_dump = target->device.kind == DeviceKind::kCuda;
    const absl::StatusOr<ProgramSpec> program = compiler.Compile(**module, *target);
    if (absl::EndsWith(name, "_f64") && !target->device.has_f64) {
      EXPECT_THAT(std::string(program.status().message()), HasSubstr("does not have f64"));
      continue;
    }
    ASSERT_TRUE(program.ok()) << program.status();
    if (target->device.kind != DeviceKind::kCuda) continue;
    Use use;
    Measure(compiler, *program, number++, &use);
    if (HasFatalFailure()) return;
    if (known.count(name) == 0) {
      EXPECT_EQ(use.spilled_bytes, 0);
    }
    if (target->device.cuda_capability >= 80 && WantsMma(name)) {
      EXPECT_TRUE(use.has_mma);
    }
    results << name << "\t" << use.kernels << "\t" << use.registers << "\t" << use.shared_bytes
            << "\t" << use.spilled_bytes << "\t" << (use.has_mma ? "mma" : "") << "\n";
  }
}

// The schedule from which a search starts is in its space.
TEST_P(Families, SpacesHoldTheirDefaults) {
  const absl::StatusOr<Target> target = ParseTarget(GetParam());
  ASSERT_TRUE(target.ok()) << target.status();
  const auto service = lowering::KernelCompiler::Create({});
  int64_t choices = 0;
  for (const std::filesystem::path& path : Programs()) {
    SCOPED_TRACE(path.stem().string());
    if (absl::EndsWith(path.stem().string(), "_f64") && !target->device.has_f64) continue;
    const auto module = ReadProgramFile(path.string());
    ASSERT_TRUE(module.ok()) << module.status();
    const absl::StatusOr<ProgramSpec> program = ProgramCompiler().Plan(**module, *target);
    ASSERT_TRUE(program.ok()) << program.status();
    std::vector<lowering::KernelRequest> requests;
    for (const ProgramSpec::Kernel& kernel : program->kernels) {
      requests.push_back(*lowering::KernelRequest::Parse(kernel.request));
      requests.back().describe = true;
    }
    for (const auto& reply : service->Compile(requests)) {
      ASSERT_TRUE(reply.ok()) << reply.status();
      const auto space = schedules::ParseSpace(reply->space);
      ASSERT_TRUE(space.ok()) << space.status();
      ASSERT_FALSE(space->empty());
      for (const schedules::TemplateSpace& one : *space) {
        EXPECT_EQ(one.defaults.knobs().size(), one.knobs.size()) << one.defaults.ToString();
        for (const schedules::Knob& knob : one.knobs) {
          ASSERT_TRUE(one.defaults.Has(knob.name)) << one.name << ": " << knob.name;
          EXPECT_THAT(knob.choices, ::testing::Contains(one.defaults.Get(knob.name)))
              << one.defaults.ToString() << ": " << knob.name;
          choices += static_cast<int64_t>(knob.choices.size()) - 1;
        }
      }
    }
  }
  EXPECT_GT(choices, 500);
}

INSTANTIATE_TEST_SUITE_P(Devices, Families, ::testing::ValuesIn(Devices()), [](const auto& info) {
  return absl::StrReplaceAll(info.param, {{":", "_"}});
});

// Each of these takes seconds on a software device, so only scripts/nightly runs them.
const std::set<std::string>& SlowRuns() {
  static const auto* slow = new std::set<std::string>{
      "attention_bf16",     "attention_f16", "attention_f32", "cholesky",         "conv_f16",
      "gemm_bias_gelu_f16", "gemm_f16",      "gemm_long_k",   "gemm_ragged_bf16", "random",
      "reduce_all"};
  return *slow;
}

std::vector<std::string> RunPrograms() {
  std::vector<std::string> names;
  for (const std::filesystem::path& path : Programs()) {
    if (std::getenv("HALYARD_NIGHTLY") == nullptr && SlowRuns().count(path.stem().string()) != 0) {
      continue;
    }
    names.push_back(path.stem().string());
  }
  return names;
}

// Makes the diagonal large, so that square matrices are well conditioned, and their lower triangles
// are those of positive definite ones.
void RaiseDiagonal(hlo::Literal* literal) {
  const hlo::Shape& shape = literal->shape();
  if (shape.rank() != 2 || shape.dim(0) != shape.dim(1)) return;
  for (int64_t i = 0; i < shape.dim(0); ++i) {
    literal->SetFloat(i * shape.dim(1) + i, 4.0 * static_cast<double>(shape.dim(0)));
  }
}

// A recurrence with large weights amplifies small differences.
void Scale(double factor, hlo::Literal* literal) {
  if (!hlo::IsFloat(literal->shape().element_type())) return;
  for (int64_t i = 0; i < literal->shape().NumElements(); ++i) {
    literal->SetFloat(i, factor * literal->GetFloat(i));
  }
}

// Returns "" if the results are within the rules of their types (autotuner/rules/rounding_rules.h)
// and are not all zeros, which would say nothing.
std::string WhatIsWrong(const hlo::Module& module, const std::vector<hlo::Literal>& got,
                        const std::vector<hlo::Literal>& want) {
  std::vector<autotuner::OutputRule> rules = autotuner::ProgramRulesOf(module);
  if (want.empty() || got.size() != want.size() || rules.size() != want.size())
    return absl::StrCat(got.size(), " results, not ", rules.size());
  for (size_t i = 0; i < want.size(); ++i) {
    const hlo::Literal& one = want[i];
    auto bytes = [](const hlo::Literal& literal) {
      return absl::string_view(reinterpret_cast<const char*>(literal.bytes().data()),
                               literal.bytes().size());
    };
    rules[i].scale = autotuner::LargestOf(bytes(one), rules[i].type);
    if (bytes(one).find_first_not_of('\0') == absl::string_view::npos &&
        one.shape().element_type() != hlo::ElementType::kPred) {
      return absl::StrCat("result ", i, " is all zeros");
    }
    double difference = 0;
    const std::string wrong =
        autotuner::CompareOutput(bytes(got[i]), bytes(one), rules[i], &difference);
    if (!wrong.empty()) return absl::StrCat("result ", i, ": ", wrong);
  }
  return "";
}

class FamilyRuns : public ::testing::TestWithParam<std::string> {};

TEST_P(FamilyRuns, OnVulkanAsOnX86) {
  const auto module = ReadProgramFile(absl::StrCat(kFolder, "/", GetParam(), ".mlir"));
  ASSERT_TRUE(module.ok()) << module.status();
  std::vector<hlo::Literal> inputs = testing::RandomInputs(**module, 1);
  if (GetParam() == "cholesky" || GetParam() == "triangular_solve") RaiseDiagonal(&inputs[0]);
  if (GetParam() == "lstm") {
    for (hlo::Literal& input : inputs) Scale(1.0 / 32, &input);
  }
  std::vector<std::vector<hlo::Literal>> results;
  for (const char* target : {"x86", "vulkan"}) {
    const auto client = Client::Create({.target = target, .guard_results = true});
    ASSERT_TRUE(client.ok()) << client.status();
    if (absl::EndsWith(GetParam(), "_f64") && target == absl::string_view("vulkan") &&
        !(*client)->target().device.has_f64) {
      GTEST_SKIP() << "the device has no f64";
    }
    const auto executable = (*client)->Compile(**module);
    ASSERT_TRUE(executable.ok()) << executable.status();
    auto outputs = (*executable)->RunLiterals(inputs);
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    results.push_back(*std::move(outputs));
  }
  EXPECT_EQ(WhatIsWrong(**module, results[1], results[0]), "");
}

// Tests that the comparison above can fail: zeros are not a softmax, and a product must have all
// rows.
TEST(WhatIsWrong, SeesWhatAHundredthOfOneDoesNot) {
  const auto module = ReadProgramFile(absl::StrCat(kFolder, "/softmax.mlir"));
  ASSERT_TRUE(module.ok()) << module.status();
  const hlo::Shape& shape = (*module)->entry()->root()->shape;
  hlo::Literal want(shape), got(shape);
  for (int64_t i = 0; i < shape.NumElements(); ++i)
    want.SetFloat(i, (1 + static_cast<double>(i % 7)) / 4096);
  EXPECT_EQ(WhatIsWrong(**module, {want}, {want}), "");
  EXPECT_NE(WhatIsWrong(**module, {got}, {want}), "");
  EXPECT_NE(WhatIsWrong(**module, {want}, {got}), "") << "all zeros are wanted";
  got = want;
  got.SetFloat(5, 1.01 * want.GetFloat(5));
  EXPECT_NE(WhatIsWrong(**module, {got}, {want}), "");
  EXPECT_NE(WhatIsWrong(**module, {}, {}), "");
}

INSTANTIATE_TEST_SUITE_P(Programs, FamilyRuns, ::testing::ValuesIn(RunPrograms()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace halyard
