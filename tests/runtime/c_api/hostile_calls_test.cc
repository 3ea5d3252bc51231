// Calls every function of the C API with arguments that an application should not pass: NULL, 0,
// the largest number, unknown names, overlapping memory, invalid values. A call that ends its
// process fails the test, so each call of the table is made in its own process.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "runtime/c_api/halyard_rt.h"
#include "tests/runtime/c_api/in_child.h"
#include "tests/runtime/program_builder.h"
#include "tests/runtime/x86/test_kernels.h"

namespace {

using halyard::testing::CodeInChild;
using halyard::testing::IncrementKernel;
using halyard::testing::ProgramBuilder;

// out0 = arg0 + 5, which is s32; out1 = arg1, which is pred[4]
std::string Model() {
  ProgramBuilder b("model");
  const auto x = b.Parameter("s32", {}, 4), flags = b.Parameter("pred", {4}, 4);
  (void)flags;
  const auto out = b.Result("s32", {}, 4), next = b.Result("s32", {}, 4);
  b.Launch(0, b.Kernel(IncrementKernel("hyk_inc", 5)), {x}, {out});
  b.Launch(0, b.Kernel(IncrementKernel("hyk_inc2", 6)), {x}, {next});
  return b.Write();
}

// A program with one argument and one result, both without elements.
std::string EmptyArrays() {
  ProgramBuilder b("empty_arrays");
  b.Parameter("s32", {0}, 0);
  b.Result("s32", {0}, 0);
  return b.Write();
}

class HostileCalls : public ::testing::Test {
 protected:
  void SetUp() override {
    model_ = Model();
    ASSERT_EQ(hy_device_open("x86", 0, 2, &device_), nullptr);
    ASSERT_EQ(hy_program_load_memory(device_, model_.data(), model_.size(), 1, &program_), nullptr);
    empty_ = EmptyArrays();
    ASSERT_EQ(hy_program_load_memory(device_, empty_.data(), empty_.size(), 1, &empty_program_),
              nullptr);
    ASSERT_EQ(hy_buffer_new(device_, 4, &buffer_), nullptr);
  }
  void TearDown() override {
    hy_buffer_free(buffer_);
    hy_program_free(empty_program_);
    hy_program_free(program_);
    hy_device_close(device_);
  }

  std::string model_, empty_;
  hy_device* device_ = nullptr;
  hy_program *program_ = nullptr, *empty_program_ = nullptr;
  hy_buffer* buffer_ = nullptr;
};

TEST_F(HostileCalls, AreErrors) {
  hy_device* device = nullptr;
  hy_program* program = nullptr;
  hy_buffer* buffer = nullptr;
  hy_value value;
  hy_size size;
  int64_t sizes[4] = {INT64_MAX, INT64_MIN, 0, 1};
  alignas(64) int32_t number = 1;
  alignas(64) int32_t out[2][16];
  alignas(64) uint8_t flags[4] = {0, 1, 0, 1}, sevens[4] = {0, 1, 7, 0};
  const void* arguments[] = {&number, flags};
  const void* wrong_flag[] = {&number, sevens};
  const void* no_argument[] = {nullptr, flags};
  void* results[] = {out[0], out[1]};
  void* one_result[] = {out[0], out[0]};
  void* result_over_argument[] = {out[0], &number};
  void* no_result[] = {out[0], nullptr};
  void* overlapping[] = {out[0], reinterpret_cast<uint8_t*>(out[0]) + 2};
  void* no_elements[] = {nullptr};
  hy_buffer *argument_buffers[] = {buffer_, buffer_}, *no_buffers[] = {nullptr, nullptr},
            *same[] = {buffer_, nullptr};
  hy_buffer *first = nullptr, *twice[2];
  ASSERT_EQ(hy_buffer_new(device_, 4, &first), nullptr);
  twice[0] = twice[1] = first;
  const hy_linked_program no_bytes = {nullptr, model_.size(), nullptr, 0, nullptr};
  const hy_linked_program no_kernels = {model_.data(), model_.size(), nullptr, UINT64_MAX};
  const auto call = [](void*, const void**) {};
  hy_cancel request = {0};
  hy_cancel_request(&request);
  const hy_run_options size_0 = {}, size_7 = {7, nullptr, nullptr},
                       size_max = {SIZE_MAX, nullptr, nullptr},
                       cancelled = {sizeof(hy_run_options), &request, nullptr};
  // The struct of a version that has a field more.
  struct LaterOptions {
    hy_run_options known;
    uint64_t more;
  };
  const LaterOptions later = {{sizeof(LaterOptions), nullptr, nullptr}, 0},
                     later_set = {{sizeof(LaterOptions), nullptr, nullptr}, 1};

  struct Row {
    const char* name;
    int code;
    std::function<hy_status()> call;
  };
  const int invalid = HY_INVALID_ARGUMENT;
  const std::vector<Row> rows = {
      {"open NULL", invalid, [&] { return hy_device_open(nullptr, 0, 0, &device); }},
      {"open to NULL", invalid, [&] { return hy_device_open("x86", 0, 0, nullptr); }},
      {"open \"\"", invalid, [&] { return hy_device_open("", 0, 0, &device); }},
      {"open max", HY_NOT_FOUND, [&] { return hy_device_open("x86", INT32_MAX, 0, &device); }},
      {"open min", invalid, [&] { return hy_device_open("x86", INT32_MIN, 0, &device); }},
      {"max threads", invalid, [&] { return hy_device_open("x86", 0, INT32_MAX, &device); }},
      {"min threads", invalid, [&] { return hy_device_open("x86", 0, INT32_MIN, &device); }},
      {"entry of NULL", invalid, [&] { return hy_program_entry(nullptr, "e", &program); }},
      {"entry NULL", invalid, [&] { return hy_program_entry(program_, nullptr, &program); }},
      {"entry to NULL", invalid, [&] { return hy_program_entry(program_, "e", nullptr); }},
      {"no entry", HY_NOT_FOUND, [&] { return hy_program_entry(program_, "e", &program); }},
      {"size of NULL", invalid, [&] { return hy_program_size(nullptr, 0, &size); }},
      {"size to NULL", invalid, [&] { return hy_program_size(program_, 0, nullptr); }},
      {"no size", invalid, [&] { return hy_program_size(program_, 0, &size); }},
      {"size min", invalid, [&] { return hy_program_size(program_, INT32_MIN, &size); }},
      {"dims of NULL", invalid,
       [&] { return hy_program_argument_dims(nullptr, 0, nullptr, &sizes[0]); }},
      {"dims to NULL", invalid,
       [&] { return hy_program_argument_dims(program_, 0, nullptr, nullptr); }},
      {"dims of argument max", invalid,
       [&] { return hy_program_argument_dims(program_, INT32_MAX, nullptr, &sizes[0]); }},
      {"dims of result min", invalid,
       [&] { return hy_program_result_dims(program_, INT32_MIN, nullptr, &sizes[0]); }},
      {"run sized NULL", invalid,
       [&] { return hy_run_sized(nullptr, nullptr, sizes, arguments, results); }},
      {"run sized of a program without sizes", HY_OK,
       [&] { return hy_run_sized(program_, nullptr, nullptr, arguments, results); }},
      {"run buffers sized NULL", invalid,
       [&] { return hy_run_buffers_sized(nullptr, nullptr, sizes, same, &buffer); }},
      {"register at NULL", invalid,
       [&] { return hy_device_register_custom_call(nullptr, "f", call); }},
      {"register name NULL", invalid,
       [&] { return hy_device_register_custom_call(device_, nullptr, call); }},
      {"register NULL", invalid,
       [&] { return hy_device_register_custom_call(device_, "f", nullptr); }},
      {"file at NULL", invalid, [&] { return hy_program_load_file(nullptr, "/x", &program); }},
      {"file NULL", invalid, [&] { return hy_program_load_file(device_, nullptr, &program); }},
      {"file to NULL", invalid, [&] { return hy_program_load_file(device_, "/x", nullptr); }},
      {"file /dev/null", HY_DATA_LOSS,
       [&] { return hy_program_load_file(device_, "/dev/null", &program); }},
      {"memory at NULL", invalid,
       [&] { return hy_program_load_memory(nullptr, model_.data(), 1, 0, &program); }},
      {"memory NULL", invalid,
       [&] { return hy_program_load_memory(device_, nullptr, 1000, 0, &program); }},
      {"memory to NULL", invalid,
       [&] { return hy_program_load_memory(device_, model_.data(), 1, 0, nullptr); }},
      {"memory of 0", HY_DATA_LOSS,
       [&] { return hy_program_load_memory(device_, model_.data(), 0, 7, &program); }},
      {"verify NULL", invalid, [&] { return hy_program_verify(nullptr); }},
      {"weights at NULL", invalid,
       [&] { return hy_program_load_linked_weights(nullptr, &no_bytes, "/x", &program); }},
      {"weights of NULL", invalid,
       [&] { return hy_program_load_linked_weights(device_, nullptr, "/x", &program); }},
      {"weights NULL", invalid,
       [&] { return hy_program_load_linked_weights(device_, &no_bytes, nullptr, &program); }},
      {"weights to NULL", invalid,
       [&] { return hy_program_load_linked_weights(device_, &no_bytes, "/x", nullptr); }},
      {"linked at NULL", invalid,
       [&] { return hy_program_load_linked(nullptr, &no_bytes, &program); }},
      {"linked NULL", invalid, [&] { return hy_program_load_linked(device_, nullptr, &program); }},
      {"linked to NULL", invalid,
       [&] { return hy_program_load_linked(device_, &no_bytes, nullptr); }},
      {"linked no bytes", invalid,
       [&] { return hy_program_load_linked(device_, &no_bytes, &program); }},
      {"linked no kernels", invalid,
       [&] { return hy_program_load_linked(device_, &no_kernels, &program); }},
      {"argument of NULL", invalid, [&] { return hy_program_argument(nullptr, 0, &value); }},
      {"argument to NULL", invalid, [&] { return hy_program_argument(program_, 0, nullptr); }},
      {"argument max", invalid, [&] { return hy_program_argument(program_, INT32_MAX, &value); }},
      {"argument min", invalid, [&] { return hy_program_argument(program_, INT32_MIN, &value); }},
      {"result of NULL", invalid, [&] { return hy_program_result(nullptr, 0, &value); }},
      {"result to NULL", invalid, [&] { return hy_program_result(program_, 0, nullptr); }},
      {"result max", invalid, [&] { return hy_program_result(program_, INT32_MAX, &value); }},
      {"result min", invalid, [&] { return hy_program_result(program_, INT32_MIN, &value); }},
      {"run NULL", invalid, [&] { return hy_run(nullptr, arguments, results); }},
      {"run on NULL", invalid, [&] { return hy_run(program_, nullptr, results); }},
      {"run to NULL", invalid, [&] { return hy_run(program_, arguments, nullptr); }},
      {"run on one NULL", invalid, [&] { return hy_run(program_, no_argument, results); }},
      {"run to one NULL", invalid, [&] { return hy_run(program_, arguments, no_result); }},
      {"two results in one", invalid, [&] { return hy_run(program_, arguments, one_result); }},
      {"results overlap", invalid, [&] { return hy_run(program_, arguments, overlapping); }},
      {"result over argument", invalid,
       [&] { return hy_run(program_, arguments, result_over_argument); }},
      {"pred of 7", invalid, [&] { return hy_run(program_, wrong_flag, results); }},
      {"run", HY_OK, [&] { return hy_run(program_, arguments, results); }},
      {"run empty on NULL", invalid, [&] { return hy_run(empty_program_, nullptr, no_elements); }},
      {"run empty to NULL", invalid, [&] { return hy_run(empty_program_, no_elements, nullptr); }},
      {"run empty", HY_OK, [&] { return hy_run(empty_program_, no_elements, no_elements); }},
      {"new at NULL", invalid, [&] { return hy_buffer_new(nullptr, 1, &buffer); }},
      {"new to NULL", invalid, [&] { return hy_buffer_new(device_, 1, nullptr); }},
      {"new max", HY_RESOURCE_EXHAUSTED,
       [&] { return hy_buffer_new(device_, UINT64_MAX, &buffer); }},
      {"new INT64_MAX", HY_RESOURCE_EXHAUSTED,
       [&] { return hy_buffer_new(device_, INT64_MAX, &buffer); }},
      {"new nearly max", HY_RESOURCE_EXHAUSTED,
       [&] { return hy_buffer_new(device_, UINT64_MAX - 300, &buffer); }},
      {"new of 0", HY_OK, [&] { return hy_buffer_new(device_, 0, &buffer); }},
      {"from host at NULL", invalid,
       [&] { return hy_buffer_from_host(nullptr, &number, 4, &buffer); }},
      {"from host NULL", invalid,
       [&] { return hy_buffer_from_host(device_, nullptr, 4, &buffer); }},
      {"from host to NULL", invalid,
       [&] { return hy_buffer_from_host(device_, &number, 4, nullptr); }},
      {"from host max", HY_RESOURCE_EXHAUSTED,
       [&] { return hy_buffer_from_host(device_, &number, UINT64_MAX, &buffer); }},
      {"to host of NULL", invalid, [&] { return hy_buffer_to_host(nullptr, &number, 4); }},
      {"to host NULL", invalid, [&] { return hy_buffer_to_host(buffer_, nullptr, 4); }},
      {"to host max", invalid, [&] { return hy_buffer_to_host(buffer_, &number, UINT64_MAX); }},
      {"write to NULL", invalid, [&] { return hy_buffer_write(nullptr, &number, 4); }},
      {"write NULL", invalid, [&] { return hy_buffer_write(buffer_, nullptr, 4); }},
      {"write max", invalid, [&] { return hy_buffer_write(buffer_, &number, UINT64_MAX); }},
      {"wait for NULL", invalid, [&] { return hy_buffer_wait(nullptr); }},
      {"cancel NULL", HY_OK,
       [&] {
         hy_cancel_request(nullptr);
         return hy_run_with(program_, nullptr, arguments, results);
       }},
      {"run with options of 0", invalid,
       [&] { return hy_run_with(program_, &size_0, arguments, results); }},
      {"run with options of max", invalid,
       [&] { return hy_run_with(program_, &size_max, arguments, results); }},
      {"run with options of 7", invalid,
       [&] { return hy_run_with(program_, &size_7, arguments, results); }},
      {"run with later options", HY_OK,
       [&] { return hy_run_with(program_, &later.known, arguments, results); }},
      {"run with later options that are set", invalid,
       [&] { return hy_run_with(program_, &later_set.known, arguments, results); }},
      {"run with NULL", invalid,
       [&] { return hy_run_with(nullptr, &later.known, arguments, results); }},
      {"run cancelled", HY_ABORTED,
       [&] { return hy_run_with(program_, &cancelled, arguments, results); }},
      {"run buffers cancelled", HY_ABORTED,
       [&] {
         return hy_run_buffers_with(program_, &cancelled, argument_buffers, nullptr, no_buffers);
       }},
      {"run buffers with options of 0", invalid,
       [&] {
         return hy_run_buffers_with(program_, &size_0, argument_buffers, nullptr, no_buffers);
       }},
      {"run buffers NULL", invalid,
       [&] { return hy_run_buffers(nullptr, argument_buffers, nullptr, no_buffers); }},
      {"run buffers on NULL", invalid,
       [&] { return hy_run_buffers(program_, nullptr, nullptr, no_buffers); }},
      {"run buffers on NULLs", invalid,
       [&] { return hy_run_buffers(program_, no_buffers, nullptr, no_buffers); }},
      {"run buffers to NULL", invalid,
       [&] { return hy_run_buffers(program_, argument_buffers, nullptr, nullptr); }},
      {"run buffers to an argument", invalid,
       [&] { return hy_run_buffers(program_, argument_buffers, nullptr, same); }},
      {"run buffers to one twice", invalid,
       [&] { return hy_run_buffers(program_, argument_buffers, nullptr, twice); }},
      {"run buffers", HY_OK,
       [&] { return hy_run_buffers(program_, argument_buffers, nullptr, no_buffers); }},
  };
  for (const Row& row : rows) EXPECT_EQ(CodeInChild(row.call), row.code) << row.name;
  hy_buffer_free(first);
}

// Functions that do not return a status.
TEST_F(HostileCalls, OfNothingGiveNothing) {
  EXPECT_EQ(CodeInChild([&]() -> hy_status {
              bool right = hy_status_code(nullptr) == HY_OK && *hy_status_message(nullptr) == '\0';
              right &= *hy_device_name(nullptr) == '\0' && hy_device_threads(nullptr) == 0;
              right &= *hy_program_name(nullptr) == '\0';
              right &= hy_program_num_arguments(nullptr) == 0;
              right &= hy_program_num_results(nullptr) == 0;
              right &= hy_program_temporary_bytes(nullptr) == 0;
              right &= hy_buffer_bytes(nullptr) == 0 && hy_buffer_is_ready(nullptr) == 0;
              hy_status_free(nullptr);
              hy_device_close(nullptr);
              hy_device_set_cache_limit(nullptr, UINT64_MAX);
              hy_device_set_cache_limit(device_, UINT64_MAX);
              hy_device_set_cache_limit(device_, 0);
              hy_program_free(nullptr);
              hy_buffer_free(nullptr);
              if (!right) _exit(101);
              return nullptr;
            }),
            HY_OK);
}

// A child process has none of its parent's threads. It runs a program that its parent opened, opens
// devices of its own, and closes both.
TEST_F(HostileCalls, AfterAFork) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    int32_t number = 1, out[2] = {};
    uint8_t flags[4] = {};
    const void* arguments[] = {&number, flags};
    void* results[] = {&out[0], &out[1]};
    if (hy_run(program_, arguments, results) != nullptr || out[0] != 6) _exit(1);
    hy_buffer_free(buffer_);
    hy_program_free(program_);
    hy_device_close(device_);
    hy_device* device = nullptr;
    if (hy_device_open("x86", 0, 2, &device) != nullptr) _exit(2);
    hy_program* program = nullptr;
    if (hy_program_load_memory(device, model_.data(), model_.size(), 1, &program) != nullptr)
      _exit(3);
    if (hy_run(program, arguments, results) != nullptr || out[1] != 7) _exit(4);
    hy_program_free(program);
    hy_device_close(device);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
