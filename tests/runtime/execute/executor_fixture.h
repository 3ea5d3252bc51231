// Programs for tests of the executor, built by hand.
#ifndef HALYARD_TESTS_RUNTIME_EXECUTE_EXECUTOR_FIXTURE_H_
#define HALYARD_TESTS_RUNTIME_EXECUTE_EXECUTOR_FIXTURE_H_

#include <gtest/gtest.h>
#include <malloc.h>

#include <string>
#include <vector>

#include "runtime/execute/executor.h"
#include "runtime/x86/x86.h"
#include "tests/runtime/program_builder.h"
#include "tests/runtime/x86/test_kernels.h"

namespace halyard::runtime {

using halyard::testing::MultiplyAddKernel;
using halyard::testing::ProgramBuilder;

inline std::string Bytes(const std::vector<float>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
}

class ExecutorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Device* device = nullptr;
    ASSERT_TRUE(x86::OpenDeviceWithThreads(2, &device).ok());
    ASSERT_TRUE(Context::Create(device, nullptr, &context_).ok());
  }
  void TearDown() override { context_->Release(); }

  Status TryMake(const ProgramBuilder& builder, Executable** executable) {
    const std::string bytes = builder.Write();
    Program* program = nullptr;
    Status status =
        Program::Copy({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, &program);
    if (!status.ok()) return status;
    return Executable::Create(context_, program, {}, executable);
  }
  Executable* Make(const ProgramBuilder& builder) {
    Executable* executable = nullptr;
    Status status = TryMake(builder, &executable);
    EXPECT_TRUE(status.ok()) << status.message();
    return executable;
  }
  template <typename T>
  Buffer* Input(const std::vector<T>& values) {
    Buffer* buffer = nullptr;
    EXPECT_TRUE(
        context_->CopyFromHost(values.data(), values.size() * sizeof(T), Space::kDevice, &buffer)
            .ok());
    return buffer;
  }
  template <typename T>
  std::vector<T> Read(Buffer* buffer) {
    std::vector<T> values(buffer->bytes() / sizeof(T));
    EXPECT_TRUE(buffer->CopyToHost(values.data(), 0, buffer->bytes()).ok());
    return values;
  }
  // Runs on one scalar and returns the scalar result.
  int32_t RunScalar(Executable* executable, int32_t value) {
    Buffer* in = Input<int32_t>({value});
    Buffer* out = nullptr;
    Status status = executable->Run({}, &in, 1, &out, 1);
    EXPECT_TRUE(status.ok()) << status.message();
    in->Release();
    if (out == nullptr) return -1;
    const int32_t result = Read<int32_t>(out)[0];
    out->Release();
    return result;
  }

  Context* context_ = nullptr;
};

// out = (a * 2 + b) * 3 + constant
inline ProgramBuilder Chain(int n) {
  ProgramBuilder b("chain");
  const auto a = b.Parameter("f32", {n}, 4 * n), c = b.Parameter("f32", {n}, 4 * n);
  const auto out = b.Result("f32", {n}, 4 * n);
  std::vector<float> constant(n);
  for (int i = 0; i < n; ++i) constant[i] = static_cast<float>(i);
  const auto k = b.Constant(Bytes(constant));
  const auto temp = b.Temp(4 * n);
  b.Launch(0, b.Kernel(MultiplyAddKernel("hyk_first", n, 2.0f)), {a, c}, {temp});
  b.Launch(0, b.Kernel(MultiplyAddKernel("hyk_second", n, 3.0f)), {temp, k}, {out});
  return b;
}

}  // namespace halyard::runtime

#endif  // HALYARD_TESTS_RUNTIME_EXECUTE_EXECUTOR_FIXTURE_H_
