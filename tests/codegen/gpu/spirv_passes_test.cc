#include "codegen/gpu/spirv_passes.h"

#include <cstring>
#include <string>
#include <vector>

#include "codegen/gpu/spirv_blob.h"
#include "codegen/gpu/spirv_zeros.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/device_info.h"
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
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%a = OpVariable %pointer Uniform
%main = OpFunction %void None %function
%entry = OpLabel
%p = OpInBoundsAccessChain %element %a %c0 %c0
%q = OpInBoundsAccessChain %element %a %c0 %c1
%x = OpLoad %float %p
%y = OpLoad %float %q
)" + body +
         R"(
OpReturn
OpFunctionEnd
)";
}

int Decorations(const std::string& body, bool fuse) {
  const auto passed = AddNoContraction(Assemble(Module(body)), fuse);
  EXPECT_TRUE(passed.ok()) << passed.status();
  const absl::Status valid = ValidateSpirv(*passed);
  EXPECT_TRUE(valid.ok()) << valid;
  const std::string out = *DisassembleSpirv(*passed);
  int count = 0;
  for (size_t at = 0; (at = out.find("NoContraction", at)) != std::string::npos; ++at) ++count;
  return count;
}

TEST(SpirvPassesTest, EveryFloatOperationIsDecorated) {
  const std::string body =
      "%m = OpFMul %float %x %y\n%s = OpFAdd %float %m %x\n%i = OpIAdd %uint %c0 %c1\n"
      "OpStore %q %s\n";
  EXPECT_EQ(Decorations(body, false), 2);
  EXPECT_EQ(Decorations(body, true), 2);  // q is not an accumulator, because x comes from p
}

TEST(SpirvPassesTest, FloatControlsAreWhatTheDevicePromises) {
  const SpirvWords module = Assemble(Module("OpStore %q %x\n"));
  const auto text = [&](uint32_t controls, bool keeps_denormals) {
    const auto passed = AddFloatControls(module, controls, keeps_denormals);
    EXPECT_TRUE(passed.ok()) << passed.status();
    const absl::Status valid = ValidateSpirv(*passed);
    EXPECT_TRUE(valid.ok()) << valid;
    return *DisassembleSpirv(*passed);
  };
  EXPECT_THAT(text(0, false), ::testing::Not(HasSubstr("float_controls")));
  // The guarantees of f16 are useless for a module of f32.
  EXPECT_THAT(text(runtime::kRoundsToEvenF16 | runtime::kKeepsSpecialsF64, false),
              ::testing::Not(HasSubstr("float_controls")));
  std::string out = text(runtime::kRoundsToEvenF32 | runtime::kRoundsToEvenF64, false);
  EXPECT_THAT(out, HasSubstr("OpExtension \"SPV_KHR_float_controls\""));
  EXPECT_THAT(out, HasSubstr("RoundingModeRTE 32"));
  EXPECT_THAT(out, HasSubstr("RoundingModeRTE 64"));
  EXPECT_THAT(out, ::testing::Not(HasSubstr("Preserve")));
  out = text(runtime::kKeepsSpecialsF32, true);
  EXPECT_THAT(out, HasSubstr("SignedZeroInfNanPreserve 32"));
  EXPECT_THAT(out, HasSubstr("DenormPreserve 32"));
  EXPECT_THAT(out, ::testing::Not(HasSubstr("RoundingModeRTE")));
}

TEST(SpirvPassesTest, AccumulatorsStayFree) {
  // q += x·y, through another access chain to the same place, unrolled twice.
  const std::string body =
      "%m = OpFMul %float %x %x\n%s = OpFAdd %float %y %m\n"
      "%m2 = OpFMul %float %x %y\n%s2 = OpFAdd %float %m2 %s\n"
      "%again = OpInBoundsAccessChain %element %a %c0 %c1\nOpStore %again %s2\n"
      "%e = OpFMul %float %s2 %x\n%f = OpFAdd %float %e %x\n";
  EXPECT_EQ(Decorations(body, true), 2);
  EXPECT_EQ(Decorations(body, false), 6);
}

TEST(SpirvPassesTest, ProductsUsedElsewhereKeepTheirRounding) {
  const std::string body =
      "%m = OpFMul %float %x %x\n%s = OpFAdd %float %y %m\nOpStore %q %s\n"
      "OpStore %p %m\n";
  EXPECT_EQ(Decorations(body, true), 1);
}

TEST(SpirvPassesTest, BrokenModulesAreRefused) {
  EXPECT_FALSE(AddNoContraction({0x07230203, 0x10000, 0, 5, 0, 0x00ff0001}, false).ok());
  EXPECT_FALSE(ValidateSpirv({0x07230203, 0x10000, 0, 5, 0}).ok());
  EXPECT_FALSE(DisassembleSpirv(std::vector<uint32_t>{1, 2, 3}).ok());
}

// Adds a literal float zero, as a scalar and as a vector, in a kernel that knows its group's index.
TEST(SpirvZerosTest, LiteralZerosAreComputed) {
  std::string text = Module(
      "%s = OpFAdd %float %x %fzero\n%m = OpFSub %float %s %fzero\n"
      "%n = OpFSub %float %fzero %m\n%v = OpCompositeConstruct %vec %n %n\n"
      "%w = OpFMul %vec %v %vzero\n%o = OpFAdd %float %n %fone\nOpStore %q %o\n");
  const auto replace = [&text](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("\"main\"\nOpExecutionMode", "\"main\" %group\nOpExecutionMode");
  replace("OpDecorate %array", "OpDecorate %group BuiltIn WorkgroupId\nOpDecorate %array");
  replace("%a = OpVariable",
          "%uvec = OpTypeVector %uint 3\n%upointer = OpTypePointer Input %uvec\n"
          "%group = OpVariable %upointer Input\n%vec = OpTypeVector %float 2\n"
          "%fzero = OpConstant %float 0\n%fone = OpConstant %float 1\n"
          "%vzero = OpConstantComposite %vec %fzero %fzero\n%a = OpVariable");
  const auto passed = HideZeros(Assemble(text));
  ASSERT_TRUE(passed.ok()) << passed.status();
  const absl::Status valid = ValidateSpirv(*passed);
  EXPECT_TRUE(valid.ok()) << valid;
  const std::string out = *DisassembleSpirv(*passed);
  EXPECT_THAT(out, HasSubstr("OpShiftRightLogical"));
  // Only the zero of the subtrahend is left, because x - 0 is x.
  size_t uses = 0;
  for (size_t at = 0; (at = out.find("%float_0", at)) != std::string::npos; ++at) ++uses;
  // its definition, two uses in the vector's, and one in the subtraction
  EXPECT_EQ(uses, 4u) << out;
  // There is nothing to hide, so the module stays the same.
  const SpirvWords plain = Assemble(Module("OpStore %q %x\n"));
  EXPECT_EQ(*HideZeros(plain), plain);
}

// A select chooses among zeros as bits or as integers, and the result becomes a float.
TEST(SpirvZerosTest, ZerosOfSelectsThatBecomeFloatsAreComputed) {
  std::string text = Module(
      "%none = OpFOrdLessThan %bool %x %x\n%bits = OpBitcast %uint %fzero\n"
      "%chosen = OpSelect %uint %none %c1 %bits\n%f = OpBitcast %float %chosen\n"
      "%number = OpSelect %uint %none %c1 %czero\n%g = OpConvertUToF %float %number\n"
      "%index = OpSelect %uint %none %c1 %czero\n%i = OpIAdd %uint %index %c1\n"
      "%o = OpFMul %float %f %g\nOpStore %q %o\n");
  const auto replace = [&text](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("\"main\"\nOpExecutionMode", "\"main\" %group\nOpExecutionMode");
  replace("OpDecorate %array", "OpDecorate %group BuiltIn WorkgroupId\nOpDecorate %array");
  replace("%a = OpVariable",
          "%uvec = OpTypeVector %uint 3\n%upointer = OpTypePointer Input %uvec\n"
          "%group = OpVariable %upointer Input\n%bool = OpTypeBool\n"
          "%fzero = OpConstant %float 0\n%czero = OpConstantNull %uint\n%a = OpVariable");
  const auto passed = HideZeros(Assemble(text));
  ASSERT_TRUE(passed.ok()) << passed.status();
  const absl::Status valid = ValidateSpirv(*passed);
  EXPECT_TRUE(valid.ok()) << valid;
  const std::string out = *DisassembleSpirv(*passed);
  const auto uses = [&out](const std::string& name) {
    size_t count = 0;
    for (size_t at = 0; (at = out.find(name, at)) != std::string::npos; ++at) ++count;
    return count;
  };
  EXPECT_EQ(uses("%float_0"), 1u) << out;  // its definition
  // A zero that does not become a float stays.
  EXPECT_EQ(uses(" = OpConstantNull %uint"), 1u) << out;
  EXPECT_NE(out.find("OpShiftRightLogical"), std::string::npos) << out;
}

TEST(SpirvBlobTest, CutBlobsAreRefusedAtEveryWord) {
  std::vector<uint32_t> blob = {1, 4 * 16, 1, 0x00006b, 11, 1,          1,       0x6b, 0, 2,
                                0, 0,      0, 0,        0,  0x07230203, 0x10000, 0,    5, 0};
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
