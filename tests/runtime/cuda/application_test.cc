// An application's own CUDA context, stream and memory, with the fake driver.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/c_api/dlpack_abi.h"
#include "runtime/c_api/halyard_rt.h"
#include "tests/runtime/cuda/cuda_fixture.h"
#include "tests/runtime/program_builder.h"

namespace halyard::runtime::cuda {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kBytes = kElements * sizeof(float);

// The linker takes the backend out of its archive for this.
Status (*const kOpen)(uint32_t, const Options&, Device**) = &OpenDevice;

void ExpectError(hy_status status, int code, const std::string& text) {
  EXPECT_EQ(hy_status_code(status), code);
  EXPECT_THAT(hy_status_message(status), HasSubstr(text));
  hy_status_free(status);
}

class CudaApplication : public CudaTest {
 protected:
  void SetUp() override {
    ASSERT_NE(kOpen, nullptr);
    CudaTest::SetUp();
    fake_->devices = 2;
    fake_->memory_pools = false;
    setenv("HALYARD_LIBCUDA", HALYARD_FAKE_LIBCUDA, 1);
    ASSERT_EQ(Call<decltype(&::cuInit)>("cuInit")(0), CUDA_SUCCESS);
    for (int i = 0; i < 2; ++i) {
      ASSERT_EQ(
          Call<decltype(&::cuDevicePrimaryCtxRetain)>("cuDevicePrimaryCtxRetain")(&contexts_[i], i),
          CUDA_SUCCESS);
      const Current current(*this, contexts_[i]);
      ASSERT_EQ(Call<decltype(&::cuStreamCreate)>("cuStreamCreate")(&streams_[i], 0), CUDA_SUCCESS);
      ASSERT_EQ(Call<decltype(&::cuMemAlloc)>("cuMemAlloc_v2")(&memory_[i], 2 * kBytes),
                CUDA_SUCCESS);
    }
  }
  void TearDown() override {
    for (int i = 0; i < 2; ++i) {
      {
        const Current current(*this, contexts_[i]);
        Call<decltype(&::cuMemFree)>("cuMemFree_v2")(memory_[i]);
        Call<decltype(&::cuStreamDestroy)>("cuStreamDestroy_v2")(streams_[i]);
      }
      Call<decltype(&::cuDevicePrimaryCtxRelease)>("cuDevicePrimaryCtxRelease_v2")(i);
    }
    unsetenv("HALYARD_LIBCUDA");
    CudaTest::TearDown();
  }
  template <typename Function>
  Function Call(const char* name) const {
    return reinterpret_cast<Function>(dlsym(library_, name));
  }
  // Makes a context current for the application.
  struct Current {
    Current(const CudaApplication& test, CUcontext context) : test(test) {
      test.Call<decltype(&::cuCtxPushCurrent)>("cuCtxPushCurrent_v2")(context);
    }
    ~Current() {
      CUcontext popped;
      test.Call<decltype(&::cuCtxPopCurrent)>("cuCtxPopCurrent_v2")(&popped);
    }
    const CudaApplication& test;
  };

  // Memory of the CPU that copies may use while the application goes on.
  struct Pinned {
    explicit Pinned(const CudaApplication& test) : test(test) {
      const Current current(test, test.contexts_[1]);
      void* memory = nullptr;
      test.Call<decltype(&::cuMemHostAlloc)>("cuMemHostAlloc")(&memory, kBytes, 0);
      data = static_cast<float*>(memory);
    }
    ~Pinned() {
      const Current current(test, test.contexts_[1]);
      test.Call<decltype(&::cuMemFreeHost)>("cuMemFreeHost")(data);
    }
    const CudaApplication& test;
    float* data = nullptr;
  };

  hy_status Open(CUcontext context, CUstream stream, hy_device** device) const {
    hy_cuda_device mine = {sizeof(mine), context, stream};
    hy_device_options options = {};
    options.struct_size = sizeof(options);
    options.kind = "cuda";
    options.cuda = &mine;
    options.threads = 1;
    return hy_device_open_with(&options, device);
  }
  hy_status Wrap(hy_device* device, uint64_t address, uint64_t bytes, hy_buffer** buffer) const {
    hy_memory memory = {};
    memory.struct_size = sizeof(memory);
    memory.handle = address;
    memory.bytes = bytes;
    return hy_buffer_wrap(device, &memory, buffer);
  }

  CUcontext contexts_[2] = {};
  CUstream streams_[2] = {};
  CUdeviceptr memory_[2] = {};
};

// out0 = arg0 + 2
std::string AddTwo() {
  DeviceInfo info;
  EXPECT_TRUE(DescribeDevice(0, Options(), &info).ok());
  halyard::testing::ProgramBuilder b("add_two");
  b.spec.target = "cuda:sm_90";
  b.spec.device = info;
  const auto in = b.Parameter("f32", {kElements}, kBytes),
             out = b.Result("f32", {kElements}, kBytes);
  b.Launch(0, b.Kernel(WriteKernelObject(AddSpec(2.0f))), {in}, {out});
  return b.Write();
}

// The application's copies before and after a run, and the run, are on one stream. The fake runs
// nothing before somebody waits.
TEST_F(CudaApplication, SharesItsStreamAndMemory) {
  hy_device* device = nullptr;
  ASSERT_EQ(Open(contexts_[1], streams_[1], &device), nullptr);
  const std::string bytes = AddTwo();
  hy_program* program = nullptr;
  hy_status status = hy_program_load_memory(device, bytes.data(), bytes.size(), 1, &program);
  ASSERT_EQ(status, nullptr) << hy_status_message(status);
  hy_buffer *argument = nullptr, *result = nullptr;
  ASSERT_EQ(Wrap(device, memory_[1], kBytes, &argument), nullptr);
  ASSERT_EQ(Wrap(device, memory_[1] + kBytes, kBytes, &result), nullptr);
  const Pinned in(*this), out(*this);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < kElements; ++i) in.data[i] = static_cast<float>(round);
    out.data[0] = -1.0f;
    const Current current(*this, contexts_[1]);
    ASSERT_EQ(Call<decltype(&::cuMemcpyHtoDAsync)>("cuMemcpyHtoDAsync_v2")(memory_[1], in.data,
                                                                           kBytes, streams_[1]),
              CUDA_SUCCESS);
    ASSERT_EQ(hy_run_buffers(program, &argument, nullptr, &result), nullptr);
    ASSERT_EQ(Call<decltype(&::cuMemcpyDtoHAsync)>("cuMemcpyDtoHAsync_v2")(
                  out.data, memory_[1] + kBytes, kBytes, streams_[1]),
              CUDA_SUCCESS);
    EXPECT_EQ(out.data[0], -1.0f) << "nobody has waited";
    ASSERT_EQ(Call<decltype(&::cuStreamSynchronize)>("cuStreamSynchronize")(streams_[1]),
              CUDA_SUCCESS);
    EXPECT_EQ(out.data[kElements - 1], static_cast<float>(round) + 2.0f);
  }
  std::vector<float> values(kElements, 40.0f);
  ASSERT_EQ(hy_buffer_write(argument, values.data(), kBytes), nullptr);
  ASSERT_EQ(hy_run_buffers(program, &argument, nullptr, &result), nullptr);
  ASSERT_EQ(hy_buffer_to_host(result, values.data(), kBytes), nullptr);
  EXPECT_EQ(values[3], 42.0f);
  hy_buffer_free(argument);
  hy_buffer_free(result);
  hy_program_free(program);
  hy_device_close(device);
  EXPECT_EQ(Calls("cuDevicePrimaryCtxRetain"), 2) << "the application's own";
}

TEST_F(CudaApplication, WhatDoesNotSuitIsRefused) {
  hy_device* device = nullptr;
  ExpectError(Open(contexts_[0], streams_[1], &device), HY_INVALID_ARGUMENT,
              "the stream belongs to another context");
  ExpectError(Open(contexts_[0], CU_STREAM_PER_THREAD, &device), HY_INVALID_ARGUMENT,
              "another stream in every thread");
  EXPECT_EQ(device, nullptr);
  ASSERT_EQ(Open(contexts_[0], nullptr, &device), nullptr);  // with streams of its own
  hy_buffer* buffer = nullptr;
  ExpectError(Wrap(device, memory_[0] + 4, 16, &buffer), HY_INVALID_ARGUMENT, "multiple of 16");
  ExpectError(Wrap(device, memory_[0], 2 * kBytes + 1, &buffer), HY_INVALID_ARGUMENT,
              "ends before the buffer does");
  ExpectError(Wrap(device, memory_[1], 16, &buffer), HY_INVALID_ARGUMENT, "another context");
  alignas(16) static float host[4];
  ExpectError(Wrap(device, reinterpret_cast<uint64_t>(host), 16, &buffer), HY_INVALID_ARGUMENT,
              "is not device memory");
  EXPECT_EQ(buffer, nullptr);
  hy_device_close(device);
}

// Memory of pools has no context that could tell.
TEST_F(CudaApplication, MemoryOfAnotherGpusPoolIsRefused) {
  fake_->memory_pools = true;
  hy_device* devices[2] = {};
  for (int i = 0; i < 2; ++i) ASSERT_EQ(Open(contexts_[i], streams_[i], &devices[i]), nullptr);
  hy_buffer *mine = nullptr, *buffer = nullptr;
  ASSERT_EQ(hy_buffer_new(devices[1], kBytes, &mine), nullptr);
  hy_memory memory = {};
  memory.struct_size = sizeof(memory);
  ASSERT_EQ(hy_buffer_memory(mine, &memory), nullptr);
  ExpectError(Wrap(devices[0], memory.handle, kBytes, &buffer), HY_INVALID_ARGUMENT, "another GPU");
  EXPECT_EQ(Wrap(devices[1], memory.handle, kBytes, &buffer), nullptr);
  hy_buffer_free(buffer);
  hy_buffer_free(mine);
  for (hy_device* device : devices) hy_device_close(device);
  fake_->memory_pools = false;
}

// The driver refuses to copy what is pinned in part.
TEST_F(CudaApplication, MemoryThatIsPinnedInPartIsStaged) {
  hy_device* device = nullptr;
  ASSERT_EQ(Open(contexts_[1], streams_[1], &device), nullptr);
  const Pinned in(*this), out(*this);
  for (int i = 0; i < kElements; ++i) in.data[i] = static_cast<float>(i);
  for (const Pinned* half : {&in, &out})
    Call<decltype(&HalyardFakePinOnly)>("HalyardFakePinOnly")(half->data, kBytes / 2);
  hy_buffer* buffer = nullptr;
  ASSERT_EQ(Wrap(device, memory_[1], kBytes, &buffer), nullptr);
  ASSERT_EQ(hy_buffer_write(buffer, in.data, kBytes), nullptr);
  ASSERT_EQ(hy_buffer_to_host(buffer, out.data, kBytes), nullptr);
  EXPECT_EQ(out.data[kElements - 1], static_cast<float>(kElements - 1));
  hy_buffer_free(buffer);
  hy_device_close(device);
}

TEST_F(CudaApplication, PassesTensors) {
  hy_device* device = nullptr;
  ASSERT_EQ(Open(contexts_[1], streams_[1], &device), nullptr);
  int64_t shape[1] = {kElements};
  static int deleted;
  deleted = 0;
  DLManagedTensor tensor = {};
  tensor.tensor.data = reinterpret_cast<void*>(memory_[1]);
  tensor.tensor.byte_offset = 16;
  tensor.tensor.device = {dlpack::kCuda, 0};
  tensor.tensor.rank = 1;
  tensor.tensor.type = {dlpack::kFloat, 32, 1};
  tensor.tensor.shape = shape;
  tensor.deleter = [](DLManagedTensor*) { ++deleted; };
  hy_buffer* buffer = nullptr;
  ExpectError(hy_buffer_from_dlpack(device, &tensor, nullptr, &buffer), HY_INVALID_ARGUMENT,
              "on the GPU 0, not 1");
  tensor.tensor.device.id = 1;
  ASSERT_EQ(hy_buffer_from_dlpack(device, &tensor, nullptr, &buffer), nullptr);
  const hy_value value = {"", "f32", 1, shape, nullptr, kBytes};
  DLManagedTensor* out = nullptr;
  ASSERT_EQ(hy_buffer_to_dlpack(buffer, &value, &out), nullptr);
  EXPECT_EQ(out->tensor.data, reinterpret_cast<void*>(memory_[1] + 16));
  EXPECT_EQ(out->tensor.device.type, dlpack::kCuda);
  EXPECT_EQ(out->tensor.device.id, 1);
  hy_buffer_free(buffer);
  EXPECT_EQ(deleted, 0);
  out->deleter(out);
  EXPECT_EQ(deleted, 1);
  hy_device_close(device);
}

}  // namespace
}  // namespace halyard::runtime::cuda
