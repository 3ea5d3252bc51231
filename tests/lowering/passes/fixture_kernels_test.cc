// What the passes cut, codegen compiles: every distinct kernel of the fixtures, on x86.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "frontend/hlo_text/parser.h"
#include "lowering/codegen/compile_kernel.h"
#include "tests/lowering/passes/plan_checks.h"

namespace halyard::lowering {
namespace {

TEST(FixtureKernels, Compile) {
  std::set<std::string> seen;
  std::string folder = std::string(HALYARD_SOURCE_DIR) + "/tests/fixtures";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".hlo") continue;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    auto module = hlo_text::ParseModule(text.str(), entry.path().string());
    if (!module.ok()) continue;  // other tests' matter
    PlanOptions options = X86Options();
    options.device.x86_features = runtime::kX86Sse41 | runtime::kX86Avx | runtime::kX86Avx2 |
                                  runtime::kX86Fma | runtime::kX86F16c;
    options.device.compute_units = 2;
    for (const auto& kernel : PlanOf(**module, options).kernels) {
      if (!seen.insert(kernel.request).second) continue;
      absl::StatusOr<KernelRequest> request = KernelRequest::Parse(kernel.request);
      ASSERT_TRUE(request.ok());
      absl::StatusOr<KernelReply> reply = CompileKernel(*request);
      EXPECT_TRUE(reply.ok()) << entry.path() << ": " << reply.status() << "\n" << request->hlo;
    }
  }
  EXPECT_GT(seen.size(), 50u);
}

}  // namespace
}  // namespace halyard::lowering
