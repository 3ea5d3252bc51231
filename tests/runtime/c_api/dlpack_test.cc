// Buffers of an application's memory, and DLPack.
#include <string>
#include <vector>

#include "runtime/c_api/dlpack_abi.h"
#include "tests/runtime/c_api/c_api_fixture.h"

namespace halyard::testing {
namespace {

namespace dlpack = runtime::dlpack;

// A tensor f32[2,64] of its own memory, which counts how often it was deleted.
template <typename Managed>
struct Tensor {
  Tensor() {
    std::memset(static_cast<void*>(&managed), 0, sizeof(managed));
    managed.tensor.data = data;
    managed.tensor.device = {dlpack::kCpu, 0};
    managed.tensor.rank = 2;
    managed.tensor.type = {dlpack::kFloat, 32, 1};
    managed.tensor.shape = shape;
    managed.manager = this;
    managed.deleter = [](Managed* self) { ++static_cast<Tensor*>(self->manager)->deleted; };
    for (int i = 0; i < 144; ++i) data[i] = static_cast<float>(i);
  }
  Managed managed;
  alignas(64) float data[144];
  int64_t shape[2] = {2, 64}, strides[2] = {64, 1};
  int deleted = 0;
};

// out0 = arg0 * 2 + arg1, f32[2,64]; the layout is arg0's
std::string Model(std::vector<int64_t> layout = {}) {
  ProgramBuilder b("model");
  const auto x = b.Parameter("f32", {2, 64}, 512), y = b.Parameter("f32", {2, 64}, 512);
  const auto out = b.Result("f32", {2, 64}, 512);
  b.spec.parameters[0].minor_to_major = std::move(layout);
  b.Launch(0, b.Kernel(MultiplyAddKernel("hyk_madd", 128, 2.0f)), {x, y}, {out});
  return b.Write();
}

class DlpackTest : public X86Test {
 protected:
  void SetUp() override {
    X86Test::SetUp();
    program_ = Load(Model());
    ASSERT_EQ(hy_program_argument(program_, 0, &argument_), nullptr);
    ASSERT_EQ(hy_program_result(program_, 0, &result_), nullptr);
  }
  void TearDown() override {
    hy_program_free(program_);
    X86Test::TearDown();
  }
  hy_program* program_ = nullptr;
  hy_value argument_, result_;
};

TEST_F(DlpackTest, GoesInAndOutWithoutACopy) {
  Tensor<DLManagedTensor> in;
  Tensor<DLManagedTensorVersioned> versioned;
  versioned.managed.version = {1, 1};
  versioned.managed.flags = dlpack::kReadOnly;
  versioned.managed.tensor.strides = versioned.strides;
  hy_buffer *inputs[2] = {}, *outputs[1] = {};
  ASSERT_EQ(hy_buffer_from_dlpack(device_, &in.managed, &argument_, &inputs[0]), nullptr);
  ASSERT_EQ(hy_buffer_from_dlpack_versioned(device_, &versioned.managed, nullptr, &inputs[1]),
            nullptr);
  hy_memory memory = WithSize<hy_memory>();
  ASSERT_EQ(hy_buffer_memory(inputs[0], &memory), nullptr);
  EXPECT_EQ(memory.handle, reinterpret_cast<uint64_t>(in.data));
  EXPECT_EQ(memory.bytes, 512u);
  EXPECT_EQ(memory.read_only, 0);
  ASSERT_EQ(hy_buffer_memory(inputs[1], &memory), nullptr);
  EXPECT_EQ(memory.read_only, 1);
  ASSERT_EQ(hy_run_buffers(program_, inputs, nullptr, outputs), nullptr);
  DLManagedTensor* out = nullptr;
  ASSERT_EQ(hy_buffer_to_dlpack(outputs[0], &result_, &out), nullptr);
  hy_buffer_free(outputs[0]);  // the tensor keeps the memory
  EXPECT_EQ(out->tensor.rank, 2);
  EXPECT_EQ(out->tensor.shape[1], 64);
  EXPECT_EQ(out->tensor.strides[0], 64);
  EXPECT_EQ(out->tensor.strides[1], 1);
  EXPECT_EQ(out->tensor.device.type, dlpack::kCpu);
  EXPECT_EQ(out->tensor.type.code, dlpack::kFloat);
  EXPECT_EQ(static_cast<float*>(out->tensor.data)[100], 300.0f);
  // It can come back in.
  hy_buffer* again = nullptr;
  ASSERT_EQ(hy_buffer_from_dlpack(device_, out, &argument_, &again), nullptr);
  hy_buffer_free(again);
  EXPECT_EQ(in.deleted, 0);
  hy_buffer_free(inputs[0]);
  hy_buffer_free(inputs[1]);
  EXPECT_EQ(in.deleted, 1);
  EXPECT_EQ(versioned.deleted, 1);
}

TEST_F(DlpackTest, ReadOnlyTensorsAreNoResults) {
  Tensor<DLManagedTensorVersioned> in;
  in.managed.version = {1, 0};
  in.managed.flags = dlpack::kReadOnly;
  hy_buffer *read_only = nullptr, *other = nullptr;
  ASSERT_EQ(hy_buffer_from_dlpack_versioned(device_, &in.managed, nullptr, &read_only), nullptr);
  ASSERT_EQ(hy_buffer_new(device_, 512, &other), nullptr);
  hy_buffer* inputs[] = {other, other};
  ExpectError(hy_run_buffers(program_, inputs, nullptr, &read_only), HY_INVALID_ARGUMENT,
              "is read-only");
  hy_value value = result_;
  DLManagedTensor* plain = nullptr;
  ExpectError(hy_buffer_to_dlpack(read_only, &value, &plain), HY_INVALID_ARGUMENT, "read-only");
  DLManagedTensorVersioned* versioned = nullptr;
  ASSERT_EQ(hy_buffer_to_dlpack_versioned(read_only, &value, &versioned), nullptr);
  EXPECT_EQ(versioned->flags, dlpack::kReadOnly);
  EXPECT_EQ(versioned->version.major, 1u);
  versioned->deleter(versioned);
  hy_buffer_free(read_only);
  hy_buffer_free(other);
  EXPECT_EQ(in.deleted, 1);
}

TEST_F(DlpackTest, DataThatIsNotAlignedIsCopied) {
  Tensor<DLManagedTensor> in;
  in.managed.tensor.byte_offset = 4;
  hy_buffer* buffer = nullptr;
  ASSERT_EQ(hy_buffer_from_dlpack(device_, &in.managed, &argument_, &buffer), nullptr);
  EXPECT_EQ(in.deleted, 1);
  float values[128];
  ASSERT_EQ(hy_buffer_to_host(buffer, values, sizeof(values)), nullptr);
  EXPECT_EQ(values[0], 1.0f);
  hy_buffer_free(buffer);
}

// Whatever does not fit is an error, and the tensor stays with the caller.
TEST_F(DlpackTest, WhatDoesNotFitIsRefused) {
  struct Row {
    const char* text;
    void (*change)(Tensor<DLManagedTensor>* tensor);
  };
  static int64_t column_major[2] = {1, 2}, negative[2] = {-2, 64}, huge[2] = {INT64_MAX, 64};
  const Row rows[] = {
      {"the type 2", [](auto* t) { t->managed.tensor.device.type = dlpack::kCuda; }},
      {"the type 0", [](auto* t) { t->managed.tensor.device.type = 0; }},
      {"code 0, 32 bits", [](auto* t) { t->managed.tensor.type.code = dlpack::kInt; }},
      {"code 2, 64 bits", [](auto* t) { t->managed.tensor.type.bits = 64; }},
      {"not whole bytes", [](auto* t) { t->managed.tensor.type.bits = 4; }},
      {"not whole bytes", [](auto* t) { t->managed.tensor.type.bits = 0; }},
      {"are vectors", [](auto* t) { t->managed.tensor.type.lanes = 4; }},
      {"rank is 1, not 2", [](auto* t) { t->managed.tensor.rank = 1; }},
      {"rank is not 0 to 64", [](auto* t) { t->managed.tensor.rank = -1; }},
      {"rank is not 0 to 64", [](auto* t) { t->managed.tensor.rank = INT32_MAX; }},
      {"dimension 1 is 32, not 64", [](auto* t) { t->shape[1] = 32; }},
      {"negative dimension", [](auto* t) { t->managed.tensor.shape = negative; }},
      {"dimension 0 is 9223372036854775807", [](auto* t) { t->managed.tensor.shape = huge; }},
      {"shape is NULL", [](auto* t) { t->managed.tensor.shape = nullptr; }},
      {"data is NULL", [](auto* t) { t->managed.tensor.data = nullptr; }},
      {"stride of dimension 0 is 1, not 64",
       [](auto* t) { t->managed.tensor.strides = column_major; }},
  };
  for (const Row& row : rows) {
    Tensor<DLManagedTensor> tensor;
    row.change(&tensor);
    hy_buffer* buffer = nullptr;
    ExpectError(hy_buffer_from_dlpack(device_, &tensor.managed, &argument_, &buffer),
                HY_INVALID_ARGUMENT, row.text);
    EXPECT_EQ(buffer, nullptr);
    EXPECT_EQ(tensor.deleted, 0) << row.text;
  }
  Tensor<DLManagedTensorVersioned> later;
  later.managed.version = {2, 0};
  hy_buffer* buffer = nullptr;
  ExpectError(hy_buffer_from_dlpack_versioned(device_, &later.managed, nullptr, &buffer),
              HY_UNIMPLEMENTED, "2.0");
}

// The order of the elements is that of the program.
TEST_F(DlpackTest, StridesFollowTheLayout) {
  hy_program* column_major = Load(Model({0, 1}));
  hy_value value;
  ASSERT_EQ(hy_program_argument(column_major, 0, &value), nullptr);
  Tensor<DLManagedTensor> tensor;
  hy_buffer* buffer = nullptr;
  ExpectError(hy_buffer_from_dlpack(device_, &tensor.managed, &value, &buffer), HY_INVALID_ARGUMENT,
              "stride of dimension 0 is 64, not 1");
  tensor.strides[0] = 1;
  tensor.strides[1] = 2;
  tensor.managed.tensor.strides = tensor.strides;
  ASSERT_EQ(hy_buffer_from_dlpack(device_, &tensor.managed, &value, &buffer), nullptr);
  DLManagedTensor* out = nullptr;
  ASSERT_EQ(hy_buffer_to_dlpack(buffer, &value, &out), nullptr);
  EXPECT_EQ(out->tensor.strides[0], 1);
  EXPECT_EQ(out->tensor.strides[1], 2);
  out->deleter(out);
  hy_buffer_free(buffer);
  EXPECT_EQ(tensor.deleted, 1);
  hy_program_free(column_major);
}

TEST_F(DlpackTest, ExportsOnlyWhatFits) {
  hy_buffer* buffer = nullptr;
  ASSERT_EQ(hy_buffer_new(device_, 512, &buffer), nullptr);
  DLManagedTensor* out = nullptr;
  hy_value value = result_;
  value.element_type = "s4";
  ExpectError(hy_buffer_to_dlpack(buffer, &value, &out), HY_UNIMPLEMENTED, "s4");
  value.element_type = "f64";
  ExpectError(hy_buffer_to_dlpack(buffer, &value, &out), HY_INVALID_ARGUMENT, "size");
  value = result_;
  value.rank = 65;
  ExpectError(hy_buffer_to_dlpack(buffer, &value, &out), HY_INVALID_ARGUMENT, "rank");
  value = result_;
  const int64_t no_order[] = {1, 1};
  value.minor_to_major = no_order;
  ExpectError(hy_buffer_to_dlpack(buffer, &value, &out), HY_INVALID_ARGUMENT, "minor_to_major");
  value = result_;
  value.dims = nullptr;
  ExpectError(hy_buffer_to_dlpack(buffer, &value, &out), HY_INVALID_ARGUMENT, "dims");
  value.element_type = nullptr;
  ExpectError(hy_buffer_to_dlpack(buffer, &value, &out), HY_INVALID_ARGUMENT, "element_type");
  EXPECT_EQ(out, nullptr);
  hy_buffer_free(buffer);
}

// An application's memory as an argument and as a result.
TEST_F(DlpackTest, WrappedMemoryIsUsedInPlace) {
  alignas(64) static float x[128], out[128];
  for (float& value : x) value = 3.0f;
  hy_memory memory = WithSize<hy_memory>();
  memory.handle = reinterpret_cast<uint64_t>(x);
  memory.bytes = sizeof(x);
  hy_buffer *argument = nullptr, *result = nullptr, *wrong = nullptr;
  ASSERT_EQ(hy_buffer_wrap(device_, &memory, &argument), nullptr);
  memory.handle = reinterpret_cast<uint64_t>(out);
  ASSERT_EQ(hy_buffer_wrap(device_, &memory, &result), nullptr);
  hy_buffer* inputs[] = {argument, argument};
  ASSERT_EQ(hy_run_buffers(program_, inputs, nullptr, &result), nullptr);
  EXPECT_EQ(out[127], 9.0f);
  memory.handle += 4;
  ExpectError(hy_buffer_wrap(device_, &memory, &wrong), HY_INVALID_ARGUMENT, "64-aligned");
  memory.handle = 0;
  ExpectError(hy_buffer_wrap(device_, &memory, &wrong), HY_INVALID_ARGUMENT, "handle is 0");
  memory.handle = reinterpret_cast<uint64_t>(out);
  memory.offset = 64;
  ExpectError(hy_buffer_wrap(device_, &memory, &wrong), HY_INVALID_ARGUMENT, "an offset of 64");
  hy_buffer_free(argument);
  hy_buffer_free(result);
}

}  // namespace
}  // namespace halyard::testing
