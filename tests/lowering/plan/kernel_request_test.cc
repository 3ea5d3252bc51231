#include "lowering/kernels/kernel_request.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "codegen/gpu/ptx/ptxas.h"
#include "lowering/kernels/kernel_form.h"
#include "tests/lowering/plan/plan_checks.h"

namespace halyard::lowering {
namespace {

KernelRequest Example() {
  KernelRequest request;
  request.hlo = "HloModule k\n\nENTRY …\n";
  request.device.kind = runtime::DeviceKind::kVulkan;
  strcpy(request.device.name, "a \"device\"\nof two lines");
  request.device.memory_bytes = uint64_t{141} << 30;
  request.device.max_group[1] = 1024;
  request.device.has_f64 = true;
  request.schedule = "row tile=8\tlanes=4";
  request.aliases = {{0, 2}, {1, 0}};
  request.dump = true;
  return request;
}

TEST(KernelRequest, ParseIsTheInverseOfSerialize) {
  KernelRequest request = Example();
  auto parsed = KernelRequest::Parse(request.Serialize());
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->Serialize(), request.Serialize());
  EXPECT_EQ(parsed->hlo, request.hlo);
  EXPECT_STREQ(parsed->device.name, request.device.name);
  EXPECT_EQ(parsed->device.memory_bytes, request.device.memory_bytes);
  EXPECT_EQ(parsed->device.max_group[1], 1024u);
  EXPECT_TRUE(parsed->device.has_f64);
  EXPECT_EQ(parsed->schedule, request.schedule);
  EXPECT_EQ(parsed->aliases, request.aliases);
  EXPECT_TRUE(parsed->dump);
}

TEST(KernelRequest, DamagedBytesAreErrors) {
  std::string bytes = Example().Serialize();
  size_t header = bytes.find("HloModule");
  for (size_t length = 0; length < header; ++length) {
    EXPECT_FALSE(KernelRequest::Parse(bytes.substr(0, length)).ok()) << length;
  }
  EXPECT_FALSE(KernelRequest::Parse("").ok());
}

TEST(KernelRequest, KeysLeaveOutWhatDoesNotMatter) {
  KernelRequest a = Example(), b = Example();
  strcpy(b.device.name, "another");
  b.device.memory_bytes = 1;
  b.dump = false;
  EXPECT_EQ(a.KernelKey(), b.KernelKey());
  EXPECT_EQ(a.ObjectKey(""), b.ObjectKey(""));
  b.schedule = "row tile=16";
  EXPECT_EQ(a.KernelKey(), b.KernelKey());
  EXPECT_NE(a.ObjectKey(""), b.ObjectKey(""));
  for (auto change :
       {+[](KernelRequest& r) { r.hlo += " "; }, +[](KernelRequest& r) { r.aliases.pop_back(); },
        +[](KernelRequest& r) { r.device.max_shared_bytes = 7; }}) {
    KernelRequest c = Example();
    change(c);
    EXPECT_NE(a.KernelKey(), c.KernelKey());
  }
}

std::string KeyHere(const KernelRequest& request) {
  return request.ObjectKey(gpu::AssemblerOf(request.device.kind));
}

// What a cache holds must not depend on what was available when it was filled.
TEST(KernelRequest, KeysOfCudaKernelsNameTheAssembler) {
  KernelRequest cuda = Example(), other = Example();
  cuda.device.kind = runtime::DeviceKind::kCuda;
  other.device.kind = runtime::DeviceKind::kVulkan;
  const char* before = getenv("HALYARD_PTXAS");
  const std::string saved = before == nullptr ? "" : before;
  setenv("HALYARD_PTXAS", "/some/ptxas", 1);
  const std::string with = KeyHere(cuda), other_with = KeyHere(other);
  setenv("HALYARD_PTXAS", "", 1);
  EXPECT_NE(KeyHere(cuda), with);
  EXPECT_EQ(KeyHere(other), other_with);
  // Another file has the same path.
  const std::string ptxas = ::testing::TempDir() + "/key_ptxas";
  setenv("HALYARD_PTXAS", ptxas.c_str(), 1);
  std::ofstream(ptxas) << "old";
  const std::string old = KeyHere(cuda);
  EXPECT_EQ(KeyHere(cuda), old);
  std::ofstream(ptxas) << "newer";
  EXPECT_NE(KeyHere(cuda), old);
  unlink(ptxas.c_str());
  EXPECT_NE(KeyHere(cuda), old);
  if (before == nullptr) {
    unsetenv("HALYARD_PTXAS");
  } else {
    setenv("HALYARD_PTXAS", saved.c_str(), 1);
  }
}

TEST(KernelReply, ParseIsTheInverseOfSerialize) {
  KernelReply reply;
  reply.object = std::string("\0\n\xff binary", 10);
  reply.schedule = "plain";
  reply.resources.registers = 40;
  reply.warning = "two\nlines";
  reply.dump.stmt = "for (…)\n";
  auto parsed = KernelReply::Parse(reply.Serialize());
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->object, reply.object);
  EXPECT_EQ(parsed->schedule, reply.schedule);
  EXPECT_EQ(parsed->resources, reply.resources);
  EXPECT_EQ(parsed->warning, reply.warning);
  EXPECT_EQ(parsed->dump.stmt, reply.dump.stmt);
  EXPECT_FALSE(KernelReply::Parse(reply.Serialize().substr(0, 60)).ok());
}

absl::Status FormOfText(const char* entry) {
  return VerifyKernelForm(*Parse(std::string("HloModule k\nENTRY k {\n") + entry + "\n}")->entry());
}

TEST(KernelForm, RulesAreChecked) {
  EXPECT_TRUE(FormOfText("x = f32[4] parameter(0)\n ROOT y = f32[4] tanh(x)").ok());
  EXPECT_FALSE(FormOfText(R"(x = f32[4,4] parameter(0)
    a = f32[4,4] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
    ROOT b = f32[4,4] dot(a, x), lhs_contracting_dims={1}, rhs_contracting_dims={0})")
                   .ok());
  EXPECT_FALSE(FormOfText(R"(x = f32[4,4] parameter(0)
    t = f32[4,4] tanh(x)
    ROOT b = f32[4,4] dot(t, x), lhs_contracting_dims={1}, rhs_contracting_dims={0})")
                   .ok());
  EXPECT_FALSE(FormOfText(R"(x = f32[4,4] parameter(0)
    y = f32[4,4] tanh(x)
    z = f32[16] parameter(1)
    w = f32[16] negate(z)
    ROOT b = (f32[4,4], f32[16]) tuple(y, w))")
                   .ok());
  EXPECT_FALSE(FormOfText(R"(x = f32[4] parameter(0)
    u = f32[2] parameter(1)
    i = s32[] constant(1)
    y = f32[4] negate(x)
    ROOT b = f32[4] dynamic-update-slice(y, u, i))")
                   .ok());
}

}  // namespace
}  // namespace halyard::lowering
