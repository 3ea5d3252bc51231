#include "lowering/codegen/gpu/spirv_passes.h"

#include <cstring>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lowering/codegen/gpu/spirv_blob.h"
#include "spirv-tools/libspirv.hpp"

namespace halyard::lowering::gpu {
namespace {

using ::testing::HasSubstr;

SpirvWords Assemble(const std::string& text) {
  SpirvWords words;
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_2);
  EXPECT_TRUE(tools.Assemble(text, &words, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS)) << text;
  return words;
}

std::string Module(const std::string& body) {
  return R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %main "main"
OpDecorate %array ArrayStride 4
OpDecorate %block BufferBlock
OpMemberDecorate %block 0 Offset 0
OpDecorate %a DescriptorSet 0
OpDecorate %a Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%array = OpTypeRuntimeArray %float
%block = OpTypeStruct %array
%pointer = OpTypePointer Uniform %block
%element = OpTypePointer Uniform %float
%0 = OpConstant %uint 0
%1 = OpConstant %uint 1
%a = OpVariable %pointer Uniform
%main = OpFunction %void None %function
%entry = OpLabel
%p = OpInBoundsAccessChain %element %a %0 %0
%q = OpInBoundsAccessChain %element %a %0 %1
%x = OpLoad %float %p
%y = OpLoad %float %q
)" + body + R"(
OpReturn
OpFunctionEnd
)";
}

int Decorations(const std::string& body, bool fuse) {
  std::string text = Module(body);
  for (const char* name : {"%0", "%1"}) {
    for (size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += 3) {
      text.replace(at, 2, std::string("%c") + name[1]);
    }
  }
  const auto passed = AddNoContraction(Assemble(text), fuse);
  EXPECT_TRUE(passed.ok()) << passed.status();
  const absl::Status valid = ValidateSpirv(*passed);
  EXPECT_TRUE(valid.ok()) << valid;
  const std::string out = *DisassembleSpirv(*passed);
  int count = 0;
  for (size_t at = 0; (at = out.find("NoContraction", at)) != std::string::npos; ++at) ++count;
  return count;
}

TEST(SpirvPassesTest, EveryFloatOperationIsDecorated) {
  const std::string body = "%m = OpFMul %float %x %y\n%s = OpFAdd %float %m %x\n%i = OpIAdd %uint %0 %1\n"
                           "OpStore %q %s\n";
  EXPECT_EQ(Decorations(body, false), 2);
  EXPECT_EQ(Decorations(body, true), 2);  // q is no accumulator: x comes from p
}

TEST(SpirvPassesTest, AccumulatorsStayFree) {
  // q += x·y, through another access chain of the same place, twice unrolled.
  const std::string body =
      "%m = OpFMul %float %x %x\n%s = OpFAdd %float %y %m\n"
      "%m2 = OpFMul %float %x %y\n%s2 = OpFAdd %float %m2 %s\n"
      "%again = OpInBoundsAccessChain %element %a %0 %1\nOpStore %again %s2\n"
      "%e = OpFMul %float %s2 %x\n%f = OpFAdd %float %e %x\n";
  EXPECT_EQ(Decorations(body, true), 2);
  EXPECT_EQ(Decorations(body, false), 6);
}

TEST(SpirvPassesTest, ProductsUsedElsewhereKeepTheirRounding) {
  const std::string body = "%m = OpFMul %float %x %x\n%s = OpFAdd %float %y %m\nOpStore %q %s\n"
                           "OpStore %p %m\n";
  EXPECT_EQ(Decorations(body, true), 1);
}

TEST(SpirvPassesTest, BrokenModulesAreRefused) {
  EXPECT_FALSE(AddNoContraction({0x07230203, 0x10000, 0, 5, 0, 0x00ff0001}, false).ok());
  EXPECT_FALSE(ValidateSpirv({0x07230203, 0x10000, 0, 5, 0}).ok());
  EXPECT_FALSE(DisassembleSpirv(std::vector<uint32_t>{1, 2, 3}).ok());
}

TEST(SpirvBlobTest, CutBlobsAreRefusedAtEveryWord) {
  std::vector<uint32_t> blob = {1, 4 * 16, 1, 0x00006b, 11, 1, 1, 0x6b, 0, 2, 0, 0, 0, 0, 0,
                                0x07230203, 0x10000, 0, 5, 0};
  const auto parse = [](const std::vector<uint32_t>& words) {
    return ParseSpirvBlob(
        absl::string_view(reinterpret_cast<const char*>(words.data()), words.size() * 4));
  };
  const auto modules = parse(blob);
  ASSERT_TRUE(modules.ok()) << modules.status();
  ASSERT_EQ(modules->size(), 1u);
  EXPECT_EQ((*modules)[0].entry, "k");
  EXPECT_EQ((*modules)[0].num_storage_buffers, 2u);
  EXPECT_EQ((*modules)[0].words.size(), 5u);
  while (!blob.empty()) {
    blob.pop_back();
    EXPECT_EQ(parse(blob).status().code(), absl::StatusCode::kDataLoss) << blob.size();
  }
}

}  // namespace
}  // namespace halyard::lowering::gpu
