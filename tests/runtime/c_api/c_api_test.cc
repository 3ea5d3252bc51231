#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/runtime/c_api/c_api_fixture.h"

namespace {

using halyard::testing::CountToTen;
using halyard::testing::ExpectError;
using halyard::testing::IncrementKernel;
using halyard::testing::MultiplyAddKernel;
using halyard::testing::ProgramBuilder;

constexpr int kN = 128;

// out0 = arg0 * 2 + arg1; out1 = arg2 + 5, which may use arg2's memory
std::string Model() {
  ProgramBuilder b("model");
  const auto x = b.Parameter("f32", {2, kN / 2}, 4 * kN), y = b.Parameter("f32", {kN}, 4 * kN),
             z = b.Parameter("s32", {}, 4, 1);
  const auto out = b.Result("f32", {kN}, 4 * kN), next = b.Result("s32", {}, 4);
  b.spec.results[0].minor_to_major = {0};
  b.Launch(0, b.Kernel(MultiplyAddKernel("hyk_madd", kN, 2.0f)), {x, y}, {out});
  b.Launch(0, b.Kernel(IncrementKernel("hyk_inc", 5)), {z}, {next});
  b.Temp(1000);
  return b.Write();
}

class CApiTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(hy_device_open("x86", 0, 2, &device_), nullptr);
    const std::string bytes = Model();
    ASSERT_EQ(hy_program_load_memory(device_, bytes.data(), bytes.size(), 1, &program_), nullptr);
  }
  void TearDown() override {
    hy_program_free(program_);
    hy_device_close(device_);
  }
  hy_device* device_ = nullptr;
  hy_program* program_ = nullptr;
};

// Every code of the header is kept; every other becomes HY_INTERNAL.
TEST_F(CApiTest, StatusesKeepTheirCodes) {
  std::ifstream header(HALYARD_SOURCE_DIR "/runtime/c_api/halyard_rt.h");
  std::set<int> codes;
  for (std::string line; std::getline(header, line);) {
    if (line == "int hy_status_code(hy_status status);") break;
    int code = 0;
    char end = 0;
    if (sscanf(line.c_str(), "  HY_%*[A-Z_] = %d%c", &code, &end) > 0) codes.insert(code);
  }
  EXPECT_EQ(codes.size(), 12u);
  for (int code = -1; code < 32; ++code) {
    const hy_status status = hy_status_new(code, "why");
    EXPECT_EQ(hy_status_code(status), codes.count(code) != 0 ? code : HY_INTERNAL);
    EXPECT_STREQ(hy_status_message(status), code == HY_OK ? "" : "why");
    hy_status_free(status);
  }
}

TEST_F(CApiTest, TellsWhatIsThere) {
  EXPECT_STREQ(hy_version(), "0.1.0");
  EXPECT_EQ(hy_status_code(nullptr), HY_OK);
  EXPECT_STREQ(hy_status_message(nullptr), "");
  hy_status_free(nullptr);
  EXPECT_EQ(hy_device_threads(device_), 2);
  EXPECT_EQ(std::string(hy_device_name(device_)).rfind("x86-64-v", 0), 0u);
  EXPECT_STREQ(hy_program_name(program_), "model");
  EXPECT_EQ(hy_program_num_arguments(program_), 3);
  EXPECT_EQ(hy_program_num_results(program_), 2);
  EXPECT_EQ(hy_program_temporary_bytes(program_), 1024u);
  hy_value value;
  ASSERT_EQ(hy_program_argument(program_, 0, &value), nullptr);
  EXPECT_STREQ(value.name, "arg0");
  EXPECT_STREQ(value.element_type, "f32");
  EXPECT_EQ(value.rank, 2);
  EXPECT_EQ(value.dims[1], kN / 2);
  EXPECT_EQ(value.minor_to_major, nullptr);
  EXPECT_EQ(value.bytes, 4u * kN);
  ASSERT_EQ(hy_program_result(program_, 0, &value), nullptr);
  ASSERT_NE(value.minor_to_major, nullptr);
  ExpectError(hy_program_argument(program_, 3, &value), HY_INVALID_ARGUMENT, "argument 3 of 3");
  ExpectError(hy_program_result(program_, -1, &value), HY_INVALID_ARGUMENT, "result -1");
}

// Tests every combination of arrays that are used in place and arrays that are copied.
TEST_F(CApiTest, RunsOnArraysOfAnyAlignment) {
  alignas(64) static float x[kN + 1], y[kN + 1], out[kN + 1];
  for (int shift = 0; shift < 8; ++shift) {
    float *a = x + (shift & 1), *b = y + (shift >> 1 & 1), *c = out + (shift >> 2);
    for (int i = 0; i < kN; ++i) {
      a[i] = static_cast<float>(i);
      b[i] = static_cast<float>(shift);
    }
    int32_t z = shift, next = 0;
    const void* arguments[] = {a, b, &z};
    void* results[] = {c, &next};
    ASSERT_EQ(hy_run(program_, arguments, results), nullptr);
    for (int i = 0; i < kN; ++i) ASSERT_EQ(c[i], 2.0f * i + shift);
    EXPECT_EQ(next, shift + 5);
  }
  const void* missing[] = {x, nullptr, x};
  void* results[] = {out, out};
  ExpectError(hy_run(program_, missing, results), HY_INVALID_ARGUMENT, "argument 1 (arg1) is NULL");
}

TEST_F(CApiTest, BuffersFeedFurtherRuns) {
  std::vector<float> ones(kN, 1.0f), read(kN);
  int32_t number = 10;
  hy_buffer* arguments[3] = {};
  ASSERT_EQ(hy_buffer_from_host(device_, ones.data(), 4 * kN, &arguments[0]), nullptr);
  ASSERT_EQ(hy_buffer_from_host(device_, ones.data(), 4 * kN, &arguments[1]), nullptr);
  ASSERT_EQ(hy_buffer_new(device_, 4, &arguments[2]), nullptr);
  ASSERT_EQ(hy_buffer_write(arguments[2], &number, 4), nullptr);
  const unsigned char donate[3] = {0, 0, 1};
  for (int i = 0; i < 3; ++i) {
    hy_buffer* results[2] = {};
    ASSERT_EQ(hy_run_buffers(program_, arguments, donate, results), nullptr);
    hy_buffer_free(arguments[0]);
    hy_buffer_free(arguments[2]);
    arguments[0] = results[0];
    arguments[2] = results[1];
  }
  ASSERT_EQ(hy_buffer_wait(arguments[0]), nullptr);
  EXPECT_EQ(hy_buffer_is_ready(arguments[0]), 1);
  EXPECT_EQ(hy_buffer_bytes(arguments[0]), 4u * kN);
  ASSERT_EQ(hy_buffer_to_host(arguments[0], read.data(), 4 * kN), nullptr);
  EXPECT_EQ(read[7], 15.0f);  // ((1 * 2 + 1) * 2 + 1) * 2 + 1
  ASSERT_EQ(hy_buffer_to_host(arguments[2], &number, 4), nullptr);
  EXPECT_EQ(number, 25);
  ExpectError(hy_buffer_to_host(arguments[2], read.data(), 5), HY_INVALID_ARGUMENT, "5 bytes");
  for (hy_buffer* buffer : arguments) hy_buffer_free(buffer);
  hy_buffer_free(nullptr);
}

TEST_F(CApiTest, ErrorsSayWhy) {
  hy_device* device = nullptr;
  ExpectError(hy_device_open("tpu", 0, 0, &device), HY_INVALID_ARGUMENT, "tpu");
  ExpectError(hy_device_open("x86", 3, 0, &device), HY_NOT_FOUND, "3");
  ExpectError(hy_device_open("x86", 0, -1, &device), HY_INVALID_ARGUMENT, "negative");
  ExpectError(hy_device_open("cuda", 0, 0, &device), HY_UNAVAILABLE, "cuda");
  EXPECT_EQ(device, nullptr);
  hy_program* program = nullptr;
  ExpectError(hy_program_load_file(device_, "/nowhere/model", &program), HY_NOT_FOUND,
              "/nowhere/model");
  std::string bytes = Model();
  bytes[100] ^= 1;
  ExpectError(hy_program_load_memory(device_, bytes.data(), bytes.size(), 0, &program),
              HY_DATA_LOSS, "program file");
  ExpectError(hy_program_load_memory(device_, nullptr, 0, 0, &program), HY_DATA_LOSS, "shorter");
  EXPECT_EQ(program, nullptr);
}

TEST_F(CApiTest, AnEndlessLoopEndsWhenItIsCancelled) {
  const std::string bytes = CountToTen();
  hy_program* program = nullptr;
  ASSERT_EQ(hy_program_load_memory(device_, bytes.data(), bytes.size(), 1, &program), nullptr);
  alignas(64) int32_t in = 3, out = 0;
  const void* arguments[] = {&in};
  void* results[] = {&out};
  hy_cancel cancel = {0};
  const hy_run_options options = {sizeof(options), &cancel, nullptr};
  for (const bool buffers : {false, true}) {
    cancel.requested = 0;
    std::thread another([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      hy_cancel_request(&cancel);
    });
    if (buffers) {
      hy_buffer *argument = nullptr, *result = nullptr;
      ASSERT_EQ(hy_buffer_from_host(device_, &in, 4, &argument), nullptr);
      ExpectError(hy_run_buffers_with(program, &options, &argument, nullptr, &result), HY_ABORTED,
                  "count_to_ten: the run was cancelled");
      EXPECT_EQ(result, nullptr);
      hy_buffer_free(argument);
    } else {
      ExpectError(hy_run_with(program, &options, arguments, results), HY_ABORTED,
                  "count_to_ten: the run was cancelled");
    }
    another.join();
  }
  // The program can be run again.
  in = 10;
  cancel.requested = 0;
  ASSERT_EQ(hy_run_with(program, &options, arguments, results), nullptr);
  EXPECT_EQ(out, 10);
  hy_program_free(program);
}

// Loading a program does not read the constants.
TEST_F(CApiTest, VerifiesConstantsOnRequest) {
  ProgramBuilder b("copy");
  const auto out = b.Result("s32", {}, 4);
  b.Copy(0, b.Constant(std::string("\1\2\3\4", 4)), out);
  std::string bytes = b.Write();
  for (const bool damaged : {false, true}) {
    if (damaged) bytes[bytes.size() - 256] ^= 1;
    hy_program* program = nullptr;
    ASSERT_EQ(hy_program_load_memory(device_, bytes.data(), bytes.size(), 1, &program), nullptr);
    int32_t value = 0;
    void* results[] = {&value};
    ASSERT_EQ(hy_run(program, nullptr, results), nullptr);
    EXPECT_EQ(value, damaged ? 0x04030200 : 0x04030201);
    if (damaged) {
      ExpectError(hy_program_verify(program), HY_DATA_LOSS, "checksum of a constant");
    } else {
      EXPECT_EQ(hy_program_verify(program), nullptr);
    }
    hy_program_free(program);
  }
  ExpectError(hy_program_verify(nullptr), HY_INVALID_ARGUMENT, "program is NULL");
}

TEST_F(CApiTest, LoadsFilesAndOutlivesHandles) {
  const std::string path = ::testing::TempDir() + "/c_api_test.hyp";
  std::ofstream(path, std::ios::binary) << Model();
  hy_device* device = nullptr;
  hy_program* program = nullptr;
  hy_buffer* buffer = nullptr;
  ASSERT_EQ(hy_device_open("x86", 0, 1, &device), nullptr);
  ASSERT_EQ(hy_program_load_file(device, path.c_str(), &program), nullptr);
  remove(path.c_str());
  ASSERT_EQ(hy_buffer_new(device, 100, &buffer), nullptr);
  hy_device_close(device);  // program and buffer keep it alive
  float x[kN] = {1.0f}, y[kN] = {2.0f}, out[kN];
  int32_t z = 1, next = 0;
  const void* arguments[] = {x, y, &z};
  void* results[] = {out, &next};
  ASSERT_EQ(hy_run(program, arguments, results), nullptr);
  EXPECT_EQ(out[0], 4.0f);
  hy_program_free(program);
  hy_buffer_free(buffer);
  hy_program_free(nullptr);
  hy_device_close(nullptr);
}

TEST_F(CApiTest, CustomCalls) {
  ProgramBuilder b("call");
  const auto in = b.Parameter("s32", {}, 4), out = b.Result("s32", {}, 4);
  b.Call(0, "square", {in}, {out});
  const std::string bytes = b.Write();
  hy_program* program = nullptr;
  ExpectError(hy_program_load_memory(device_, bytes.data(), bytes.size(), 1, &program),
              HY_NOT_FOUND, "square");
  ASSERT_EQ(hy_device_register_custom_call(device_, "square",
                                           [](void* result, const void** operands) {
                                             const int32_t value =
                                                 *static_cast<const int32_t*>(operands[0]);
                                             *static_cast<int32_t*>(result) = value * value;
                                           }),
            nullptr);
  ASSERT_EQ(hy_program_load_memory(device_, bytes.data(), bytes.size(), 1, &program), nullptr);
  int32_t value = 12, square = 0;
  const void* arguments[] = {&value};
  void* results[] = {&square};
  ASSERT_EQ(hy_run(program, arguments, results), nullptr);
  EXPECT_EQ(square, 144);
  hy_program_free(program);
}

TEST_F(CApiTest, EightThreadsAtOnce) {
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      std::vector<float> x(kN, static_cast<float>(t)), y(kN, 1.0f), out(kN);
      int32_t z = t, next = 0;
      for (int round = 0; round < 100; ++round) {
        const void* arguments[] = {x.data(), y.data(), &z};
        void* results[] = {out.data(), &next};
        if (hy_run(program_, arguments, results) != nullptr || out[kN - 1] != 2.0f * t + 1.0f ||
            next != t + 5)
          return;
      }
      ++right;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 8);
}

}  // namespace
