// Programs for tests of queued runs.
#ifndef HALYARD_TESTS_RUNTIME_EXECUTE_ASYNC_FIXTURE_H_
#define HALYARD_TESTS_RUNTIME_EXECUTE_ASYNC_FIXTURE_H_

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>

#include "runtime/execute/executor.h"
#include "runtime/x86/x86.h"
#include "tests/runtime/fake_gpu.h"
#include "tests/runtime/program_builder.h"
#include "tests/runtime/x86/test_kernels.h"

namespace halyard::runtime {

using halyard::testing::FakeGpu;
using halyard::testing::ProgramBuilder;

// Custom calls wait at the gate until it is opened.
class Gate {
 public:
  void Open() {
    std::lock_guard<std::mutex> lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void Pass() {
    std::unique_lock<std::mutex> lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
    --waiting_;
  }
  // Returns whether `count` calls wait here at the same time within 20 seconds.
  bool SeesWaiting(int count) {
    std::unique_lock<std::mutex> lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return waiting_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  int waiting_ = 0;
};

class AsyncTest : public ::testing::Test {
 protected:
  void Open(Device* device, Device* host) {
    ASSERT_TRUE(Context::Create(device, host, &context_).ok());
    CustomCall pass, fail;
    pass.user = &gate_;
    pass.full = [](void* gate, const void* const* in, void* const* out, const char*, uint64_t,
                   char*, uint64_t) {
      static_cast<Gate*>(gate)->Pass();
      *static_cast<int32_t*>(out[0]) = *static_cast<const int32_t*>(in[0]) + 1;
      return 0;
    };
    fail.full = [](void*, const void* const*, void* const*, const char*, uint64_t, char* error,
                   uint64_t bytes) {
      snprintf(error, bytes, "out of luck");
      return 7;
    };
    ASSERT_TRUE(context_->RegisterCustomCall("pass", pass).ok());
    ASSERT_TRUE(context_->RegisterCustomCall("fail", fail).ok());
  }
  void OpenX86() {
    Device* device = nullptr;
    ASSERT_TRUE(x86::OpenDeviceWithThreads(2, &device).ok());
    Open(device, nullptr);
  }
  void OpenGpu() {
    gpu_ = new FakeGpu();
    Device* host = nullptr;
    ASSERT_TRUE(x86::OpenDeviceWithThreads(1, &host).ok());
    Open(gpu_, host);
  }
  void TearDown() override {
    gate_.Open();
    context_->Release();
    EXPECT_EQ(FakeGpu::live_devices(), 0) << "someone still holds the context";
  }
  Executable* Make(ProgramBuilder& builder) {
    if (gpu_ != nullptr) builder.spec.device.kind = DeviceKind::kVulkan;
    const std::string bytes = builder.Write();
    Program* program = nullptr;
    Status status =
        Program::Copy({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, &program);
    EXPECT_TRUE(status.ok()) << status.message();
    Executable* executable = nullptr;
    status = Executable::Create(context_, program, {}, &executable);
    EXPECT_TRUE(status.ok()) << status.message();
    return executable;
  }
  // out = target(in) for one s32 in host memory. On the fake GPU, the argument and the result are
  // in device memory.
  Executable* MakeCall(const std::string& target, int64_t donated_to = -1) {
    ProgramBuilder b("program_" + target);
    const auto in = b.Parameter("s32", {}, 4, donated_to), out = b.Result("s32", {}, 4);
    if (gpu_ == nullptr) {
      b.Call(0, target, {in}, {out});
    } else {
      const auto host_in = b.Temp(4, MemorySpace::kHost), host_out = b.Temp(4, MemorySpace::kHost);
      b.Copy(0, in, host_in);
      b.Call(0, target, {host_in}, {host_out});
      b.Copy(0, host_out, out);
    }
    return Make(b);
  }
  Buffer* Input(int32_t value) {
    Buffer* buffer = nullptr;
    EXPECT_TRUE(context_->CopyFromHost(&value, 4, Space::kDevice, &buffer).ok());
    return buffer;
  }
  static int32_t Read(const Buffer* buffer) {
    int32_t value = -1;
    Status status = buffer->CopyToHost(&value, 0, 4);
    EXPECT_TRUE(status.ok()) << status.message();
    return value;
  }
  Buffer* Start(Executable* executable, Buffer* input, uint32_t stream = 0, bool donate = false) {
    RunOptions options;
    options.asynchronous = true;
    options.stream = stream;
    options.donate = &donate;
    Buffer* out = nullptr;
    Status status = executable->Run(options, &input, 1, &out, 1);
    EXPECT_TRUE(status.ok()) << status.message();
    return out;
  }

  // Queues 100 runs, each with the result of the previous one, none of which can start yet.
  void Chain(bool donate) {
    Executable* executable = MakeCall("pass", 0);
    Buffer* buffer = Input(5);
    for (int i = 0; i < 100; ++i) {
      Buffer* next = Start(executable, buffer, 0, donate);
      EXPECT_EQ(buffer->is_donated(), donate);
      buffer->Release();
      buffer = next;
      EXPECT_FALSE(buffer->IsReady());
    }
    gate_.Open();
    EXPECT_EQ(Read(buffer), 105);
    EXPECT_TRUE(buffer->IsReady());
    buffer->Release();
    executable->Release();
  }

  Gate gate_;
  FakeGpu* gpu_ = nullptr;
  Context* context_ = nullptr;
};

}  // namespace halyard::runtime

#endif  // HALYARD_TESTS_RUNTIME_EXECUTE_ASYNC_FIXTURE_H_
