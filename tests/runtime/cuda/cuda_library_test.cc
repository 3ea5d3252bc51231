// Launches that call a library: products by the fake cuBLASLt, within graphs.
#include <cstdlib>
#include <thread>

#include "tests/fakes/fake_cublaslt.h"
#include "tests/runtime/cuda/cuda_fixture.h"

namespace halyard::runtime::cuda {
namespace {

using halyard::testing::FakeCublasLt;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kM = 5, kN = 3, kK = 4;  // d[m][n] = a[m][k] · b[k][n], row-major
constexpr char kFile[] = HALYARD_FAKE_CUDA_LIBRARIES "/libcublasLt.so.12";

// Describes an f32 product. The library is column-major, so its operand a is our b.
std::string Entry(int bias, int workspace, int algorithm = 0) {
  char text[300];
  snprintf(text, sizeof(text),
           "matmul a=0 b=0 d=0 compute=68 m=%d n=%d k=%d batch=1 ta=0 tb=0 lda=%d ldb=%d ldd=%d "
           "sa=0 sb=0 sd=0 bias=%d relu=0 fast=0 algorithm=%d workspace=%d",
           kN, kM, kK, kN, kK, kN, bias, algorithm, workspace);
  return text;
}

KernelObjectSpec MatmulSpec(const std::string& entry, int bias, int workspace) {
  KernelObjectSpec spec;
  spec.kind = DeviceKind::kCuda;
  spec.name = "hyk_matmul";
  spec.num_inputs = bias != 0 ? 3 : 2;
  spec.num_outputs = 1;
  spec.scratch_bytes = static_cast<uint64_t>(workspace);
  const auto add = [&spec](uint64_t elements) {
    KernelArgument argument;
    argument.type_code = 2;
    argument.type_bits = 32;
    argument.rank = 1;
    argument.bytes = elements * 4;
    argument.extent[0] = static_cast<int32_t>(elements);
    argument.stride[0] = 1;
    spec.arguments.push_back(argument);
  };
  add(kM * kK);
  add(kK * kN);
  if (bias != 0) add(kN);
  add(kM * kN);
  KernelObjectSpec::LaunchSpec launch;
  launch.library = kCublasLt;
  launch.entry = entry;
  const auto pass = [&](LaunchArgument::Kind kind, uint32_t index) {
    LaunchArgument argument;
    argument.kind = kind;
    argument.index = index;
    argument.bytes =
        kind == LaunchArgument::Kind::kScratch ? spec.scratch_bytes : spec.arguments[index].bytes;
    launch.arguments.push_back(argument);
  };
  pass(LaunchArgument::Kind::kBuffer, 1);
  pass(LaunchArgument::Kind::kBuffer, 0);
  pass(LaunchArgument::Kind::kBuffer, spec.num_inputs);
  if (workspace != 0) pass(LaunchArgument::Kind::kScratch, 0);
  if (bias != 0) pass(LaunchArgument::Kind::kBuffer, 2);
  spec.launches = {launch};
  return spec;
}

class CudaLibraryTest : public CudaTest {
 protected:
  void SetUp() override {
    CudaTest::SetUp();
    setenv("HALYARD_CUDA_LIBRARIES", HALYARD_FAKE_CUDA_LIBRARIES, 1);
    file_ = dlopen(kFile, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(file_, nullptr) << dlerror();
    lt_ = reinterpret_cast<FakeCublasLt* (*)()>(dlsym(file_, "HalyardFakeCublasLt"))();
    *lt_ = FakeCublasLt();
  }
  void TearDown() override {
    CudaTest::TearDown();
    EXPECT_THAT(lt_->violations, IsEmpty());
    EXPECT_EQ(lt_->live, 0);
    unsetenv("HALYARD_CUDA_LIBRARIES");
    dlclose(file_);
  }

  // The objects of `Multiply`, which computes d = a · b + bias, then the same into another buffer,
  // then once more with times.
  struct Held {
    Kernel* kernel = nullptr;
    Recording* recording = nullptr;
    Block memory[6], blocks[6];
    Event done;
  };
  Status Multiply(Held* held, int bias, int workspace, std::vector<float>* result) {
    HY_RETURN_IF_ERROR(Open());
    HY_RETURN_IF_ERROR(Load(MatmulSpec(Entry(bias, workspace), bias, workspace), &held->kernel));
    const uint64_t bytes[6] = {kM * kK * 4, kK * kN * 4, kN * 4, kM * kN * 4, kM * kN * 4, 256};
    for (int i = 0; i < 6; ++i) {
      // No better aligned than an application's memory may be.
      Block& memory = held->memory[i];
      HY_RETURN_IF_ERROR(device_->Allocate(16 + bytes[i], Space::kDevice, &memory));
      HY_RETURN_IF_ERROR(device_->Wrap(memory.device_address + 16, 0, bytes[i], &held->blocks[i]));
    }
    std::vector<SliceRef> slices;
    for (uint32_t i : {0u, 1u, 2u, 3u}) {
      if (i == 2 && bias == 0) continue;
      SliceRef slice;
      slice.allocation = i;
      slice.bytes = bytes[i];
      slices.push_back(slice);
    }
    SegmentStep step;
    step.kernel = held->kernel;
    step.slices = slices.data();
    step.num_slices = static_cast<uint32_t>(slices.size());
    step.num_inputs = step.num_slices - 1;
    step.scratch.allocation = 5;
    step.scratch.bytes = static_cast<uint64_t>(workspace);
    Segment segment;
    segment.steps = &step;
    segment.num_steps = 1;
    Binding bindings[6];
    for (int i = 0; i < 6; ++i) bindings[i].block = &held->blocks[i];
    HY_RETURN_IF_ERROR(device_->Record(segment, bindings, 6, &held->recording));
    std::vector<float> inputs[3] = {std::vector<float>(kM * kK), std::vector<float>(kK * kN),
                                    std::vector<float>(kN)};
    for (int i = 0; i < 3; ++i) {
      for (size_t e = 0; e < inputs[i].size(); ++e) {
        inputs[i][e] = static_cast<float>(static_cast<int>(e * 7 + i) % 5 - 2);
      }
      HY_RETURN_IF_ERROR(
          device_->Upload(inputs[i].data(), held->blocks[i], 0, bytes[i], 0, &held->done));
    }
    HY_RETURN_IF_ERROR(device_->Submit(held->recording, bindings, 6, 0, &held->done));
    std::swap(bindings[3].block, bindings[4].block);  // changes the addresses of the node
    HY_RETURN_IF_ERROR(device_->Submit(held->recording, bindings, 6, 0, &held->done));
    StepSpan span;
    HY_RETURN_IF_ERROR(device_->SubmitTimed(held->recording, bindings, 6, 0, &span));
    result->assign(kM * kN, 0.0f);
    HY_RETURN_IF_ERROR(
        device_->Download(held->blocks[4], 0, bytes[4], result->data(), 0, &held->done));
    HY_RETURN_IF_ERROR(device_->Wait(held->done));
    expected_.assign(kM * kN, 0.0f);
    for (int m = 0; m < kM; ++m) {
      for (int n = 0; n < kN; ++n) {
        for (int k = 0; k < kK; ++k) {
          expected_[m * kN + n] += inputs[0][m * kK + k] * inputs[1][k * kN + n];
        }
        if (bias != 0) expected_[m * kN + n] += inputs[2][n];
      }
    }
    return Status();
  }
  void Release(Held* held) {
    if (device_ == nullptr) return;
    (void)device_->Wait(held->done).ok();  // the work may have failed
    if (held->recording != nullptr) device_->FreeRecording(held->recording);
    if (held->kernel != nullptr) device_->FreeKernel(held->kernel);
    for (Block& block : held->blocks) device_->Free(&block);
    for (Block& memory : held->memory) device_->Free(&memory);
    device_->Destroy();
    device_ = nullptr;
  }

  void* file_ = nullptr;
  FakeCublasLt* lt_ = nullptr;
  std::vector<float> expected_;
};

TEST_F(CudaLibraryTest, IsFoundByItsFile) {
  ASSERT_HY_OK(Open());
  EXPECT_EQ(device_->info().libraries, uint32_t{kCublasLt | kCudnn | kCufft | kNccl});
  EXPECT_THAT(lt_->calls, IsEmpty());  // the library is only loaded when it is used
  device_->Destroy();
  device_ = nullptr;
  setenv("HALYARD_CUDA_LIBRARIES", "/nowhere", 1);
  ASSERT_HY_OK(Open());
  EXPECT_EQ(device_->info().libraries, 0u);
  Kernel* kernel = nullptr;
  const Status status = Load(MatmulSpec(Entry(0, 0), 0, 0), &kernel);
  EXPECT_EQ(status.code(), Code::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("--no-libraries"));
  EXPECT_THAT(status.message(), HasSubstr("hyk_matmul"));
}

TEST_F(CudaLibraryTest, ALibraryOfANewerCudaThanTheDriversIsNotTaken) {
  fake_->driver_version = 12040;
  ASSERT_HY_OK(Open());
  EXPECT_EQ(device_->info().libraries, uint32_t{kCublasLt | kCudnn | kCufft | kNccl});  // .so.12
  device_->Destroy();
  device_ = nullptr;
  fake_->driver_version = 13000;  // accepts libraries for older ones
  ASSERT_HY_OK(Open());
  EXPECT_EQ(device_->info().libraries, uint32_t{kCublasLt | kCudnn | kCufft | kNccl});
}

TEST_F(CudaLibraryTest, ProductsRunInsideOfGraphs) {
  for (const int bias : {0, 1}) {
    for (const int workspace : {0, 256}) {
      SCOPED_TRACE(::testing::Message() << bias << " " << workspace);
      *lt_ = FakeCublasLt();
      Reset();
      Held held;
      std::vector<float> result;
      ASSERT_HY_OK(Multiply(&held, bias, workspace, &result));
      EXPECT_EQ(result, expected_);
      EXPECT_EQ(lt_->matmuls, 2);  // recorded, patched; the timed run has the patched addresses
      EXPECT_EQ(Calls("cuGraphExecChildGraphNodeSetParams"), 1);
      EXPECT_EQ(Calls("cuGraphAddChildGraphNode"), 2);
      Release(&held);
    }
  }
}

TEST_F(CudaLibraryTest, CallsAreCapturedOnceForEachSetOfAddresses) {
  Held held;
  std::vector<float> result;
  ASSERT_HY_OK(Multiply(&held, 1, 0, &result));
  EXPECT_EQ(result, expected_);
  EXPECT_EQ(Calls("cuStreamBeginCapture_v2"), 2);  // two sets of addresses, and the second timed
  Release(&held);
}

TEST_F(CudaLibraryTest, EachCallOfTheLibraryMayFail) {
  std::vector<std::string> calls;
  {
    Held held;
    std::vector<float> result;
    ASSERT_HY_OK(Multiply(&held, 1, 0, &result));
    calls = lt_->calls;
    Release(&held);
  }
  ASSERT_GT(calls.size(), 15u);
  for (size_t i = 0; i < calls.size(); ++i) {
    SCOPED_TRACE(calls[i]);
    // Skips Destroy calls: destroying an existing object does not fail, and one that stays would
    // count as live.
    if (calls[i].find("Destroy") != std::string::npos) continue;
    *lt_ = FakeCublasLt();
    Reset();
    lt_->fail_index = static_cast<int>(i);
    lt_->fail_code = 14;
    Held held;
    std::vector<float> result;
    const Status status = Multiply(&held, 1, 0, &result);
    EXPECT_EQ(status.code(), Code::kFailedPrecondition);
    EXPECT_THAT(status.message(), HasSubstr("--no-libraries"));
    Release(&held);
    EXPECT_THAT(fake_->violations, IsEmpty());
    EXPECT_EQ(lt_->live, 0);
  }
}

TEST_F(CudaLibraryTest, EachDriverCallMayFailOnTheWay) {
  size_t release_from = 0;
  std::vector<std::string> calls;
  {
    Held held;
    std::vector<float> result;
    ASSERT_HY_OK(Multiply(&held, 1, 0, &result));
    release_from = fake_->calls.size();
    calls = fake_->calls;
    Release(&held);
  }
  for (size_t i = 0; i < release_from; ++i) {
    SCOPED_TRACE(calls[i] + ", call " + std::to_string(i));
    *lt_ = FakeCublasLt();
    Reset();
    fake_->FailAt(static_cast<int>(i), CUDA_ERROR_UNKNOWN);
    Held held;
    std::vector<float> result;
    const Status status = Multiply(&held, 1, 0, &result);
    if (status.ok()) {
      EXPECT_EQ(result, expected_);
    }
    EXPECT_TRUE(!status.ok() || calls[i] == "cuCtxPopCurrent_v2" || calls[i] == "cuEventQuery" ||
                calls[i] == "cuPointerGetAttributes" ||
                calls[i].find("Destroy") != std::string::npos);
    Release(&held);
    EXPECT_THAT(fake_->violations, IsEmpty());
  }
  lt_->live = 0;  // if the context could not be made current, its handles are lost with it
}

TEST_F(CudaLibraryTest, BadEntriesAreRefused) {
  ASSERT_HY_OK(Open());
  Kernel* kernel = nullptr;
  EXPECT_THAT(Load(MatmulSpec("multiply a=1", 0, 0), &kernel).message(),
              HasSubstr("no routine \"multiply"));
  EXPECT_THAT(Load(MatmulSpec("matmul a=0", 0, 0), &kernel).message(), HasSubstr("does not say b"));
  EXPECT_THAT(Load(MatmulSpec(Entry(1, 0), 0, 0), &kernel).message(),
              HasSubstr("takes 4 arguments, not 3"));
  lt_->proposals = 2;
  const Status status = Load(MatmulSpec(Entry(0, 0, 2), 0, 0), &kernel);
  EXPECT_EQ(status.code(), Code::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("proposes 2 algorithms"));
  KernelObjectSpec spec = MatmulSpec(Entry(0, 0), 0, 0);
  spec.launches[0].library = kCusolver;
  EXPECT_THAT(Load(spec, &kernel).message(), HasSubstr("does not know"));
  spec.launches[0].library = 3;  // no library has this number
  EXPECT_THAT(Load(spec, &kernel).message(), HasSubstr("unknown library"));
}

}  // namespace
}  // namespace halyard::runtime::cuda
