// Arrays passed in and out through the C API: every type, strides, shared memory, lifetimes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "tests/pjrt/plugin.h"
#include "tests/pjrt/programs.h"

namespace halyard::testing {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A layout of the host, which refers to the list.
PJRT_Buffer_MemoryLayout Strided(const std::vector<int64_t>& byte_strides) {
  auto layout = PJRT_NEW(PJRT_Buffer_MemoryLayout);
  layout.type = PJRT_Buffer_MemoryLayout_Type_Strides;
  layout.strides.byte_strides = byte_strides.data();
  layout.strides.num_byte_strides = byte_strides.size();
  return layout;
}

// Arguments for an array of four floats, without them.
PJRT_Client_BufferFromHostBuffer_Args FourFloats(const Platform& platform) {
  static const float values[4] = {1, 2, 3, 4};
  static const int64_t size = 4;
  auto args = PJRT_NEW(PJRT_Client_BufferFromHostBuffer_Args);
  args.client = platform.get();
  args.data = values;
  args.type = PJRT_Buffer_Type_F32;
  args.dims = &size;
  args.num_dims = 1;
  return args;
}

class Arrays : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = Platform::Create();
    ASSERT_TRUE(made.ok()) << made.status();
    platform_ = *std::move(made);
  }
  template <typename T>
  Array Put(const std::vector<T>& values, PJRT_Buffer_Type type, std::vector<int64_t> dims,
            std::vector<int64_t> strides = {}) {
    auto array = platform_->FromHost({values.data(), type, std::move(dims), std::move(strides),
                                      PJRT_HostBufferSemantics_kImmutableOnlyDuringCall});
    EXPECT_TRUE(array.ok()) << array.status();
    return *std::move(array);
  }
  bool OnCpu(const Array& array) {
    auto args = PJRT_NEW(PJRT_Buffer_IsOnCpu_Args);
    args.buffer = array.get();
    EXPECT_TRUE(Take(Api().PJRT_Buffer_IsOnCpu(&args)).ok());
    return args.is_on_cpu;
  }
  std::unique_ptr<Platform> platform_;
};

TEST_F(Arrays, ComeBackAsTheyWent) {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  const Array array = Put(values, PJRT_Buffer_Type_F32, {2, 3});
  EXPECT_THAT(array.Dims(), ElementsAre(2, 3));
  EXPECT_EQ(array.Type(), PJRT_Buffer_Type_F32);
  EXPECT_TRUE(array.Ready().Await().ok());
  EXPECT_THAT(*array.Values<float>(), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_F(Arrays, OfEveryType) {
  for (int type = PJRT_Buffer_Type_PRED; type <= PJRT_Buffer_Type_F4E2M1FN; ++type) {
    if (type == PJRT_Buffer_Type_TOKEN) continue;
    const std::vector<uint8_t> bytes(32, 1);
    const Array array = Put(bytes, static_cast<PJRT_Buffer_Type>(type), {2});
    EXPECT_EQ(array.Type(), type);
    auto size = PJRT_NEW(PJRT_Buffer_OnDeviceSizeInBytes_Args);
    size.buffer = array.get();
    ASSERT_TRUE(Take(Api().PJRT_Buffer_OnDeviceSizeInBytes(&size)).ok());
    std::vector<uint8_t> back(size.on_device_size_in_bytes);
    ASSERT_TRUE(array.ToHost(back.data(), back.size()).ok());
    EXPECT_EQ(back, std::vector<uint8_t>(back.size(), 1)) << type;
  }
}

// NumPy's int4 and int2 have zeros above their bits, or the sign: kernels get the sign.
TEST_F(Arrays, OfFewBitsAreSignExtended) {
  const std::vector<uint8_t> values = {0x0e, 0xfe, 0x07, 0x08};
  const std::vector<uint8_t> four = {0xfe, 0xfe, 0x07, 0xf8}, two = {0xfe, 0xfe, 0xff, 0x00};
  auto bytes = [](const Array& array) {
    std::vector<uint8_t> back(4);
    EXPECT_TRUE(array.ToHost(back.data(), back.size()).ok());
    return back;
  };
  EXPECT_EQ(bytes(Put(values, PJRT_Buffer_Type_S4, {4})), four);
  EXPECT_EQ(bytes(Put(values, PJRT_Buffer_Type_S2, {4})), two);
  EXPECT_EQ(bytes(Put(values, PJRT_Buffer_Type_U4, {4})),
            (std::vector<uint8_t>{0x0e, 0x0e, 0x07, 0x08}));
  EXPECT_EQ(bytes(Put(values, PJRT_Buffer_Type_S4, {2, 2}, {1, 2})),
            (std::vector<uint8_t>{0xfe, 0x07, 0xfe, 0xf8}));
  for (auto semantics :
       {PJRT_HostBufferSemantics_kImmutableZeroCopy, PJRT_HostBufferSemantics_kMutableZeroCopy}) {
    std::vector<Event> done;
    auto array =
        platform_->FromHost({values.data(), PJRT_Buffer_Type_S4, {4}, {}, semantics}, &done);
    ASSERT_TRUE(array.ok()) << array.status();
    EXPECT_TRUE(done[0].IsReady());
    EXPECT_EQ(bytes(*array), four);
  }
}

TEST_F(Arrays, OfUnknownTypesAreRefused) {
  const float value = 1;
  const auto array = platform_->FromHost({&value, 99, {}});
  EXPECT_EQ(array.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(array.status().message(), HasSubstr("99"));
}

TEST_F(Arrays, WithStrides) {
  const std::vector<int32_t> values = {0, 1, 2, 3, 4, 5};
  // Transposed, backwards, and every second element.
  EXPECT_THAT(*Put(values, PJRT_Buffer_Type_S32, {3, 2}, {4, 12}).Values<int32_t>(),
              ElementsAre(0, 3, 1, 4, 2, 5));
  auto backwards = platform_->FromHost({values.data() + 5, PJRT_Buffer_Type_S32, {6}, {-4}});
  EXPECT_THAT(*backwards->Values<int32_t>(), ElementsAre(5, 4, 3, 2, 1, 0));
  EXPECT_THAT(*Put(values, PJRT_Buffer_Type_S32, {3}, {8}).Values<int32_t>(), ElementsAre(0, 2, 4));
  // The stride of a dimension of size 1 has no meaning.
  EXPECT_THAT(*Put(values, PJRT_Buffer_Type_S32, {1, 3}, {99, 4}).Values<int32_t>(),
              ElementsAre(0, 1, 2));
  EXPECT_THAT(*Put(values, PJRT_Buffer_Type_S32, {2, 1, 2}, {12, INT64_MAX, 8}).Values<int32_t>(),
              ElementsAre(0, 2, 3, 5));
  // NumPy's broadcasts have strides of 0.
  EXPECT_THAT(*Put(values, PJRT_Buffer_Type_S32, {2, 3}, {0, 4}).Values<int32_t>(),
              ElementsAre(0, 1, 2, 0, 1, 2));
}

TEST_F(Arrays, WithStridesBeyondAllMemory) {
  const int32_t value = 0;
  const auto code = [&](std::vector<int64_t> dims, std::vector<int64_t> strides) {
    return platform_->FromHost({&value, PJRT_Buffer_Type_S32, std::move(dims), std::move(strides)})
        .status()
        .code();
  };
  EXPECT_EQ(code({3}, {INT64_MAX}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({3}, {INT64_MIN}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({2, 3}, {INT64_MIN, 4}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({2, 2, 2}, {INT64_MAX / 2, INT64_MAX / 2, 4}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({1, 1}, {INT64_MIN, INT64_MAX}), absl::StatusCode::kOk);
  EXPECT_EQ(code({0, 3}, {INT64_MIN, INT64_MAX}), absl::StatusCode::kOk);
}

TEST_F(Arrays, LeaveWithStridesThatFit) {
  const Array array = Put(std::vector<int32_t>{0, 1, 2, 3, 4, 5}, PJRT_Buffer_Type_S32, {2, 3});
  std::vector<int32_t> memory(2048, -1);
  const auto code = [&](const Array& from, std::vector<int64_t> strides, size_t bytes) {
    auto layout = Strided(strides);
    return from.ToHost(memory.data() + 1024, bytes, &layout).code();
  };
  EXPECT_EQ(code(array, {16, 4}, 27), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(array, {4000, 4}, 24), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(array, {-12, 4}, 24), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(array, {12, -4}, 4096), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(array, {INT64_MAX, 4}, 24), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(array, {INT64_MIN, 4}, 24), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(array, {INT64_MAX / 2, INT64_MAX / 2}, 24), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(memory, Each(-1));
  EXPECT_EQ(code(array, {16, 4}, 28), absl::StatusCode::kOk);
  EXPECT_THAT(std::vector<int32_t>(memory.begin() + 1023, memory.begin() + 1032),
              ElementsAre(-1, 0, 1, 2, -1, 3, 4, 5, -1));
  // Strides without a second element have no meaning.
  const Array row = Put(std::vector<int32_t>{6, 7, 8}, PJRT_Buffer_Type_S32, {1, 3});
  EXPECT_EQ(code(row, {INT64_MIN, 4}, 12), absl::StatusCode::kOk);
  EXPECT_EQ(memory[1026], 8);
  const Array none = Put(std::vector<int32_t>{}, PJRT_Buffer_Type_S32, {0, 3});
  EXPECT_EQ(code(none, {INT64_MIN, INT64_MAX}, 0), absl::StatusCode::kOk);
}

TEST_F(Arrays, SayWhatADestinationNeeds) {
  const Array array = Put(std::vector<int32_t>{0, 1, 2, 3, 4, 5}, PJRT_Buffer_Type_S32, {2, 3});
  auto args = PJRT_NEW(PJRT_Buffer_ToHostBuffer_Args);
  args.src = array.get();
  ASSERT_TRUE(Take(Api().PJRT_Buffer_ToHostBuffer(&args)).ok());
  EXPECT_EQ(args.dst_size, 24u);
  const std::vector<int64_t> strides = {16, 4};
  auto layout = Strided(strides);
  args.host_layout = &layout;
  ASSERT_TRUE(Take(Api().PJRT_Buffer_ToHostBuffer(&args)).ok());
  EXPECT_EQ(args.dst_size, 28u);
}

TEST_F(Arrays, InLayoutsThatAreMissing) {
  auto layout = Strided({});
  layout.strides.num_byte_strides = 1;
  auto args = FourFloats(*platform_);
  args.device_layout = &layout;
  ExpectMissing(Api().PJRT_Client_BufferFromHostBuffer(&args), "layout->strides.byte_strides");
  const Array array = Put(std::vector<float>{1, 2, 3, 4}, PJRT_Buffer_Type_F32, {4});
  float back[4] = {};
  EXPECT_EQ(array.ToHost(back, sizeof back, &layout).code(), absl::StatusCode::kInvalidArgument);
  layout = PJRT_NEW(PJRT_Buffer_MemoryLayout);
  layout.tiled.minor_to_major_size = 1;
  ExpectMissing(Api().PJRT_Client_BufferFromHostBuffer(&args), "tiled.minor_to_major");
  EXPECT_EQ(array.ToHost(back, sizeof back, &layout).code(), absl::StatusCode::kInvalidArgument);
  const int64_t order = 0;
  layout.tiled.minor_to_major = &order;
  const std::underlying_type_t<PJRT_Buffer_MemoryLayout_Type> unknown = 2;
  std::memcpy(&layout.type, &unknown, sizeof unknown);
  EXPECT_THAT(array.ToHost(back, sizeof back, &layout).message(),
              HasSubstr("there is no layout of number 2"));
}

TEST_F(Arrays, WithoutTheirListsAreErrors) {
  auto args = FourFloats(*platform_);
  args.num_byte_strides = 1;
  ExpectMissing(Api().PJRT_Client_BufferFromHostBuffer(&args), "args.byte_strides");
  args.dims = nullptr;
  ExpectMissing(Api().PJRT_Client_BufferFromHostBuffer(&args), "dims");
  auto empty = PJRT_NEW(PJRT_Client_CreateUninitializedBuffer_Args);
  empty.client = platform_->get();
  empty.shape_element_type = PJRT_Buffer_Type_F32;
  empty.shape_num_dims = 1;
  ExpectMissing(Api().PJRT_Client_CreateUninitializedBuffer(&empty), "dims");
  auto error = PJRT_NEW(PJRT_Client_CreateErrorBuffer_Args);
  error.client = platform_->get();
  error.error_code = PJRT_Error_Code_ABORTED;
  error.error_message_size = 4;
  ExpectMissing(Api().PJRT_Client_CreateErrorBuffer(&error), "args.error_message");
  error.error_message_size = 0;
  error.shape_element_type = PJRT_Buffer_Type_F32;
  error.shape_num_dims = 1;
  ExpectMissing(Api().PJRT_Client_CreateErrorBuffer(&error), "dims");
}

TEST_F(Arrays, LeaveInAnyLayout) {
  const std::vector<int32_t> values = {0, 1, 2, 3, 4, 5};
  const Array array = Put(values, PJRT_Buffer_Type_S32, {2, 3});
  const int64_t order[] = {0, 1};
  auto layout = PJRT_NEW(PJRT_Buffer_MemoryLayout);
  layout.type = PJRT_Buffer_MemoryLayout_Type_Tiled;
  layout.tiled.minor_to_major = order;
  layout.tiled.minor_to_major_size = 2;
  std::vector<int32_t> columns(6);
  ASSERT_TRUE(array.ToHost(columns.data(), 24, &layout).ok());
  EXPECT_THAT(columns, ElementsAre(0, 3, 1, 4, 2, 5));
  const int64_t wrong[] = {0, 0};
  layout.tiled.minor_to_major = wrong;
  EXPECT_EQ(array.ToHost(columns.data(), 24, &layout).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(array.ToHost(columns.data(), 23).code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(Arrays, WithoutElements) {
  auto array = platform_->FromHost({nullptr, PJRT_Buffer_Type_F32, {0, 3}, {12, 4}});
  ASSERT_TRUE(array.ok()) << array.status();
  EXPECT_THAT(array->Dims(), ElementsAre(0, 3));
  EXPECT_TRUE(array->Values<float>()->empty());
}

TEST_F(Arrays, ShareAlignedMemoryUntilTheyGo) {
  alignas(64) static float memory[16];
  std::iota(memory, memory + 16, 0.0f);
  std::vector<Event> done;
  {
    auto array = platform_->FromHost({memory, PJRT_Buffer_Type_F32, {16}}, &done);
    ASSERT_TRUE(array.ok()) << array.status();
    EXPECT_EQ(done[0].IsReady(), !OnCpu(*array));
    EXPECT_THAT((*array->Values<float>())[3], 3.0f);
  }
  EXPECT_TRUE(done[0].IsReady());
  EXPECT_TRUE(done[0].Await().ok());
}

TEST_F(Arrays, DeletedOnesAreErrors) {
  const Array array = Put(std::vector<float>{1}, PJRT_Buffer_Type_F32, {});
  auto args = PJRT_NEW(PJRT_Buffer_Delete_Args);
  args.buffer = array.get();
  EXPECT_TRUE(Take(Api().PJRT_Buffer_Delete(&args)).ok());
  EXPECT_TRUE(array.IsDeleted());
  EXPECT_EQ(array.Values<float>().status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(array.Ready().Await().code(), absl::StatusCode::kFailedPrecondition);
}

// numpy reads the memory of an array on the CPU in place, and holds a reference to it meanwhile.
TEST_F(Arrays, ExternalReferencesKeepTheMemory) {
  const Array array = Put(std::vector<float>{1, 2, 3}, PJRT_Buffer_Type_F32, {3});
  if (!OnCpu(array)) GTEST_SKIP() << "the memory is not the CPU's";
  auto more = PJRT_NEW(PJRT_Buffer_IncreaseExternalReferenceCount_Args);
  more.buffer = array.get();
  ASSERT_TRUE(Take(Api().PJRT_Buffer_IncreaseExternalReferenceCount(&more)).ok());
  auto pointer = PJRT_NEW(PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args);
  pointer.buffer = array.get();
  ASSERT_TRUE(Take(Api().PJRT_Buffer_OpaqueDeviceMemoryDataPointer(&pointer)).ok());
  auto gone = PJRT_NEW(PJRT_Buffer_Delete_Args);
  gone.buffer = array.get();
  ASSERT_TRUE(Take(Api().PJRT_Buffer_Delete(&gone)).ok());
  // If the memory were freed, this array would reuse it.
  const Array other = Put(std::vector<float>{7, 8, 9}, PJRT_Buffer_Type_F32, {3});
  EXPECT_EQ(static_cast<float*>(pointer.device_memory_ptr)[1], 2.0f);
  auto less = PJRT_NEW(PJRT_Buffer_DecreaseExternalReferenceCount_Args);
  less.buffer = array.get();
  EXPECT_TRUE(Take(Api().PJRT_Buffer_DecreaseExternalReferenceCount(&less)).ok());
  EXPECT_EQ(Take(Api().PJRT_Buffer_DecreaseExternalReferenceCount(&less)).code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(Arrays, CopiesAreIndependent) {
  auto array = std::make_unique<Array>(Put(std::vector<float>{1, 2}, PJRT_Buffer_Type_F32, {2}));
  auto args = PJRT_NEW(PJRT_Buffer_CopyToMemory_Args);
  args.buffer = array->get();
  args.dst_memory = platform_->memory();
  ASSERT_TRUE(Take(Api().PJRT_Buffer_CopyToMemory(&args)).ok());
  const Array copy(args.dst_buffer);
  array = nullptr;
  EXPECT_THAT(*copy.Values<float>(), ElementsAre(1, 2));
}

TEST_F(Arrays, CopiesNeedAPlace) {
  const Array array = Put(std::vector<float>{1, 2}, PJRT_Buffer_Type_F32, {2});
  auto to_memory = PJRT_NEW(PJRT_Buffer_CopyToMemory_Args);
  to_memory.buffer = array.get();
  ExpectMissing(Api().PJRT_Buffer_CopyToMemory(&to_memory), "args.dst_memory");
  auto to_device = PJRT_NEW(PJRT_Buffer_CopyToDevice_Args);
  to_device.buffer = array.get();
  ExpectMissing(Api().PJRT_Buffer_CopyToDevice(&to_device), "args.dst_device");
}

// jaxlib releases the memory itself if there is no view.
TEST_F(Arrays, ViewsReleaseMemoryOnlyOnceTheyExist) {
  if (!OnCpu(Put(std::vector<float>{1}, PJRT_Buffer_Type_F32, {})))
    GTEST_SKIP() << "the memory is not the CPU's";
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers end the process if it asks for so much memory";
#endif
  alignas(64) static float memory[4] = {1, 2, 3, 4};
  int64_t size = 2;
  int released = 0;
  auto args = PJRT_NEW(PJRT_Client_CreateViewOfDeviceBuffer_Args);
  args.client = platform_->get();
  args.device_buffer_ptr = memory + 1;  // is copied, because it is not aligned
  args.element_type = PJRT_Buffer_Type_F32;
  args.dims = &size;
  args.num_dims = 1;
  args.on_delete_callback = [](void*, void* count) { ++*static_cast<int*>(count); };
  args.on_delete_callback_arg = &released;
  ASSERT_TRUE(Take(Api().PJRT_Client_CreateViewOfDeviceBuffer(&args)).ok());
  const Array view(args.buffer);
  EXPECT_EQ(released, 1);
  EXPECT_THAT(*view.Values<float>(), ElementsAre(2, 3));
  size = int64_t{1} << 59;
  EXPECT_EQ(Take(Api().PJRT_Client_CreateViewOfDeviceBuffer(&args)).code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(released, 1);
}

TEST_F(Arrays, PartsAreCopiedRaw) {
  const Array array = Put(std::vector<float>{1, 2, 3, 4}, PJRT_Buffer_Type_F32, {4});
  float two[2] = {};
  auto args = PJRT_NEW(PJRT_Buffer_CopyRawToHost_Args);
  args.buffer = array.get();
  args.dst = two;
  args.offset = 8;
  args.transfer_size = 8;
  ASSERT_TRUE(Take(Api().PJRT_Buffer_CopyRawToHost(&args)).ok());
  EXPECT_TRUE(Event(args.event).Await().ok());
  EXPECT_THAT(two, ElementsAre(3, 4));
  args.offset = 12;
  EXPECT_EQ(Take(Api().PJRT_Buffer_CopyRawToHost(&args)).code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace halyard::testing
