// Code that the tests of the C API share.
#ifndef HALYARD_TESTS_RUNTIME_C_API_C_API_FIXTURE_H_
#define HALYARD_TESTS_RUNTIME_C_API_C_API_FIXTURE_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <string>

#include "runtime/c_api/halyard_rt.h"
#include "tests/runtime/program_builder.h"
#include "tests/runtime/x86/test_kernels.h"

namespace halyard::testing {

// Checks the code and the text, and frees the status.
inline void ExpectError(hy_status status, int code, const std::string& text) {
  EXPECT_EQ(hy_status_code(status), code) << hy_status_message(status);
  EXPECT_NE(std::string(hy_status_message(status)).find(text), std::string::npos)
      << hy_status_message(status);
  hy_status_free(status);
}

// Returns options of this type with their size.
template <typename Options>
Options WithSize() {
  Options options;
  std::memset(static_cast<void*>(&options), 0, sizeof(options));
  options.struct_size = sizeof(options);
  return options;
}

// out0 = arg0 after rounds that add 0 for as long as it is less than 10.
inline std::string CountToTen() {
  ProgramBuilder b("count_to_ten", 3);
  const auto in = b.Parameter("s32", {}, 4), out = b.Result("s32", {}, 4);
  const auto state = b.Temp(4), next = b.Temp(4),
             predicate = b.Temp(1, halyard::MemorySpace::kHost);
  const int32_t less = b.Kernel(LessThanKernel("hyk_less", 10)),
                add = b.Kernel(IncrementKernel("hyk_add", 0));
  b.Copy(0, in, state);
  b.While(0, predicate, 1, 2);
  b.Copy(0, state, out);
  b.Launch(1, less, {state}, {predicate});
  b.Launch(2, add, {state}, {next});
  b.Copy(2, next, state);
  return b.Write();
}

// out0 = arg0 + `step`, s32[]
inline std::string AddProgram(int32_t step) {
  ProgramBuilder b("add");
  const auto in = b.Parameter("s32", {}, 4), out = b.Result("s32", {}, 4);
  b.Launch(0, b.Kernel(IncrementKernel("hyk_add" + std::to_string(step), step)), {in}, {out});
  return b.Write();
}

class X86Test : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(hy_device_open("x86", 0, 2, &device_), nullptr); }
  void TearDown() override { hy_device_close(device_); }
  hy_program* Load(const std::string& bytes) {
    hy_program* program = nullptr;
    hy_status status = hy_program_load_memory(device_, bytes.data(), bytes.size(), 1, &program);
    EXPECT_EQ(status, nullptr) << hy_status_message(status);
    hy_status_free(status);
    return program;
  }
  hy_device* device_ = nullptr;
};

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_RUNTIME_C_API_C_API_FIXTURE_H_
