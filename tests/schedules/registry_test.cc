// Tests the table of templates.
#include "schedules/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "lowering/kernels/kernel.h"

namespace halyard::schedules {
namespace {

using lowering::KernelRequest;
using lowering::LoweredKernel;

// A product that tensor cores can do.
constexpr char kProduct[] = R"(HloModule product
ENTRY e {
  a = f16[64,64] parameter(0)
  b = f16[64,64] parameter(1)
  ROOT d = f32[64,64] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)";

LoweredKernel Lower(const std::string& hlo) {
  KernelRequest request;
  request.hlo = hlo;
  request.device.kind = runtime::DeviceKind::kX86;
  request.device.x86_features = runtime::kX86Sse41 | runtime::kX86Avx | runtime::kX86Avx2;
  request.device.compute_units = 2;
  return lowering::LowerKernel(request);
}

TEST(Registry, EveryNameHasRowsOnOneDeviceOnce) {
  std::set<std::string> names, ids;
  std::set<std::pair<std::string, bool>> seen;  // of x86, of GPUs
  for (const Template* row : Templates()) {
    names.insert(row->id.name);
    EXPECT_TRUE(seen.emplace(row->id.name, row->device == DeviceClass::kX86).second)
        << row->id.name;
    EXPECT_EQ(TemplateVersion(row->id.name), row->id.version) << row->id.name;
    EXPECT_NE(row->forms, 0u) << row->id.name;
  }
  for (const TemplateId& id : kTemplateIds) EXPECT_TRUE(ids.insert(id.name).second) << id.name;
  EXPECT_EQ(names, ids);
}

TEST(Registry, ASearchSeesNoTemplateThatIsForTestsOnly) {
  const LoweredKernel kernel = Lower(kProduct);
  std::set<std::string> searched, for_tests;
  for (const TemplateSpace& space : SpaceOf(kernel)) searched.insert(space.name);
  EXPECT_TRUE(searched.contains(kContraction.name));
  EXPECT_TRUE(searched.contains(kPlain.name));
  for (const Template* row : Templates()) {
    if (!row->for_tests_only) continue;
    for_tests.insert(row->id.name);
    EXPECT_FALSE(searched.contains(row->id.name));
    EXPECT_FALSE(row->IsDefaultFor(kernel));
  }
  EXPECT_EQ(for_tests, (std::set<std::string>{"attention_mma_lanes", "contraction_mma_lanes"}));
  // A schedule line can name it.
  const auto line = CandidateSchedules(kernel, "contraction_mma_lanes");
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_EQ(line->front().template_name(), "contraction_mma_lanes");
}

TEST(Registry, ATemplateTakesOnlyItsFormsAndDevices) {
  const LoweredKernel kernel = Lower(kProduct);
  for (const char* name : {"elementwise", "row", "sequence", "exchange", "attention"}) {
    const auto line = CandidateSchedules(kernel, name);
    EXPECT_THAT(std::string(line.status().message()),
                ::testing::HasSubstr("does not fit this kernel"))
        << name;
  }
  // It has a row for CUDA alone.
  EXPECT_THAT(std::string(CandidateSchedules(kernel, "contraction_mma").status().message()),
              ::testing::HasSubstr("does not fit this kernel"));
  EXPECT_THAT(std::string(CandidateSchedules(kernel, "nothing").status().message()),
              ::testing::HasSubstr("no template nothing; there are sequence, "));
}

}  // namespace
}  // namespace halyard::schedules
