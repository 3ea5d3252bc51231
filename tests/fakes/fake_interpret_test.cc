// Tests the fake driver as an interpreter: from PTX text to results, and what breaks a context.
#include <cuda.h>
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/fake_libcuda.h"

namespace halyard::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// p[thread] += 1
constexpr char kText[] =
    ".version 7.1\n.target sm_86\n.address_size 64\n.visible .entry add(\n\t.param .u64 p\n)\n{\n"
    "\t.reg .b32 %r<3>;\n\t.reg .b64 %d<3>;\n\tld.param.b64 %d0, [p];\n\tmov.u32 %r0, %tid.x;\n"
    "\tmul.wide.u32 %d1, %r0, 4;\n\tadd.s64 %d1, %d0, %d1;\n\tld.global.b32 %r1, [%d1];\n"
    "\tadd.s32 %r1, %r1, 1;\n\tst.global.b32 [%d1], %r1;\n\tret;\n}\n";

#define HY_STRING_OF(x) #x
#define HY_STRING(x) HY_STRING_OF(x)
#define CALL(name, ...) reinterpret_cast<decltype(&::name)>(Find(HY_STRING(name)))(__VA_ARGS__)

class FakeInterpret : public ::testing::Test {
 protected:
  void SetUp() override {
    library_ = dlopen(HALYARD_FAKE_LIBCUDA, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << dlerror();
    reinterpret_cast<void (*)()>(Find("HalyardResetFakeCuda"))();
    fake_ = reinterpret_cast<FakeCuda* (*)()>(Find("HalyardFakeCuda"))();
    fake_->interpret = true;
    ASSERT_EQ(CALL(cuInit, 0), CUDA_SUCCESS);
    ASSERT_EQ(CALL(cuDevicePrimaryCtxRetain, &context_, 0), CUDA_SUCCESS);
    ASSERT_EQ(CALL(cuCtxPushCurrent, context_), CUDA_SUCCESS);
    ASSERT_EQ(CALL(cuMemHostAlloc, &memory_, 64, 0), CUDA_SUCCESS);
    for (int i = 0; i < 16; ++i) words()[i] = static_cast<uint32_t>(i);
    ASSERT_EQ(CALL(cuStreamCreate, &stream_, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  }
  void TearDown() override {
    CUcontext popped;
    CALL(cuCtxPopCurrent, &popped);
    CALL(cuDevicePrimaryCtxRelease, 0);  // memory still allocated counts as a leak
    dlclose(library_);
  }

  void* Find(const char* name) {
    void* found = dlsym(library_, name);
    EXPECT_NE(found, nullptr) << name;
    return found;
  }
  uint32_t* words() { return static_cast<uint32_t*>(memory_); }

  CUresult Load(const char* text, std::string* log) {
    char buffer[512] = {};
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {buffer, reinterpret_cast<void*>(sizeof(buffer))};
    CUmodule module = nullptr;
    const CUresult result = CALL(cuModuleLoadDataEx, &module, text, 2, options, values);
    *log = buffer;
    return result == CUDA_SUCCESS ? CALL(cuModuleGetFunction, &function_, module, "add") : result;
  }

  // Runs the kernel twice, on the first `threads` words.
  CUresult RunTwice(bool ordered, unsigned threads) {
    CUgraph graph = nullptr;
    EXPECT_EQ(CALL(cuGraphCreate, &graph, 0), CUDA_SUCCESS);
    void* parameters[] = {&memory_};
    CUDA_KERNEL_NODE_PARAMS node = {};
    node.func = function_;
    node.gridDimX = node.gridDimY = node.gridDimZ = node.blockDimY = node.blockDimZ = 1;
    node.blockDimX = threads;
    node.kernelParams = parameters;
    CUgraphNode first = nullptr, second = nullptr;
    EXPECT_EQ(CALL(cuGraphAddKernelNode, &first, graph, nullptr, 0, &node), CUDA_SUCCESS);
    EXPECT_EQ(CALL(cuGraphAddKernelNode, &second, graph, &first, ordered, &node), CUDA_SUCCESS);
    CUgraphExec executable = nullptr;
    EXPECT_EQ(CALL(cuGraphInstantiate, &executable, graph, 0), CUDA_SUCCESS);
    EXPECT_EQ(CALL(cuGraphLaunch, executable, stream_), CUDA_SUCCESS);
    return CALL(cuStreamSynchronize, stream_);
  }

  void* library_ = nullptr;
  FakeCuda* fake_ = nullptr;
  CUcontext context_ = nullptr;
  CUstream stream_ = nullptr;
  CUfunction function_ = nullptr;
  void* memory_ = nullptr;
};

TEST_F(FakeInterpret, RunsKernels) {
  std::string log;
  ASSERT_EQ(Load(kText, &log), CUDA_SUCCESS) << log;
  EXPECT_EQ(RunTwice(true, 3), CUDA_SUCCESS);
  EXPECT_THAT(std::vector<uint32_t>(words(), words() + 4), ElementsAre(2, 3, 4, 3));
  EXPECT_THAT(fake_->violations, IsEmpty());
}

TEST_F(FakeInterpret, NodesThatNothingOrders) {
  std::string log;
  ASSERT_EQ(Load(kText, &log), CUDA_SUCCESS) << log;
  EXPECT_EQ(RunTwice(false, 3), CUDA_ERROR_LAUNCH_FAILED);
  ASSERT_FALSE(fake_->violations.empty());
  EXPECT_THAT(fake_->violations[0], HasSubstr("does not order its node 0 (add) and node 1 (add)"));
}

TEST_F(FakeInterpret, BrokenContextsStayBroken) {
  std::string log;
  ASSERT_EQ(Load(kText, &log), CUDA_SUCCESS) << log;
  EXPECT_EQ(RunTwice(true, 17), CUDA_ERROR_ILLEGAL_ADDRESS);
  ASSERT_FALSE(fake_->violations.empty());
  EXPECT_THAT(fake_->violations[0], HasSubstr("thread (16, 0, 0), line 14: global memory"));
  EXPECT_THAT(fake_->violations[0], HasSubstr("[ld.global.b32 %r1, [%d1];]"));
  EXPECT_EQ(CALL(cuStreamSynchronize, stream_), CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(FakeInterpret, TextThatIsNotKnown) {
  std::string text = kText, log;
  text.replace(text.find("add.s32"), 7, "sum.s32");
  EXPECT_EQ(Load(text.c_str(), &log), CUDA_ERROR_INVALID_PTX);
  EXPECT_THAT(log, HasSubstr("line 15: unknown instruction: sum.s32"));
  text = kText;
  text.replace(text.find("add.s32 %r1, %r1"), 16, "add.s32 %r1, %r2");
  EXPECT_EQ(Load(text.c_str(), &log), CUDA_ERROR_INVALID_PTX);
  EXPECT_THAT(log, HasSubstr("add reads %r2, which nothing writes"));
  // Bits that nothing looks at may be carried and masked.
  text = kText;
  text.insert(text.find("\tret;"), "\tmov.b64 %d2, {%r1, %r2};\n\tand.b32 %r1, %r2, 0;\n");
  EXPECT_EQ(Load(text.c_str(), &log), CUDA_SUCCESS) << log;
  EXPECT_EQ(Load("\177ELF and so on", &log), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_THAT(log, HasSubstr("HALYARD_PTXAS"));
}

TEST_F(FakeInterpret, TargetsOfOneCapability) {
  for (const bool interpret : {true, false}) {
    fake_->interpret = interpret;
    std::string text = kText, log;
    text.replace(text.find("sm_86"), 5, "sm_90a");
    fake_->capability = 90;
    EXPECT_EQ(Load(text.c_str(), &log), CUDA_SUCCESS) << log;
    for (const int capability : {86, 100}) {
      fake_->capability = capability;
      EXPECT_EQ(Load(text.c_str(), &log), CUDA_ERROR_INVALID_PTX);
      EXPECT_THAT(log, HasSubstr(".target sm_90a does not run on sm_"));
      EXPECT_EQ(Load(kText, &log), CUDA_SUCCESS) << log;
    }
  }
}

}  // namespace
}  // namespace halyard::testing
