// Compiles every distinct kernel that the passes cut from some fixtures, on x86.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "codegen/compile_kernel.h"
#include "frontend/hlo_text/parser.h"
#include "tests/lowering/plan/plan_checks.h"

namespace halyard::lowering {
namespace {

TEST(FixtureKernels, Compile) {
  std::set<std::string> seen;
  for (const char* name : {"argmax", "conv_net", "masking", "newton_while", "pooling",
                           "power_iteration", "softmax", "sort", "transformer12"}) {
    std::filesystem::path path =
        absl::StrCat(HALYARD_SOURCE_DIR, "/tests/data/fixtures/", name, ".hlo");
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    auto module = hlo_text::ParseModule(text.str(), path.string());
    ASSERT_TRUE(module.ok()) << module.status();
    PlanOptions options = X86Options();
    options.device.x86_features = runtime::kX86Sse41 | runtime::kX86Avx | runtime::kX86Avx2 |
                                  runtime::kX86Fma | runtime::kX86F16c;
    options.device.compute_units = 2;
    for (const auto& kernel : PlanOf(**module, options).kernels) {
      if (!seen.insert(kernel.request).second) continue;
      absl::StatusOr<KernelRequest> request = KernelRequest::Parse(kernel.request);
      ASSERT_TRUE(request.ok());
      absl::StatusOr<KernelReply> reply = CompileKernel(*request);
      printf("%s: %s\n", name, kernel.name.c_str());
      EXPECT_TRUE(reply.ok()) << path << ": " << reply.status() << "\n" << request->hlo;
    }
  }
  EXPECT_GT(seen.size(), 30u);
}

}  // namespace
}  // namespace halyard::lowering
