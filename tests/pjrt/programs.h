// Code that tests of programs share: program texts, a platform, and a function in place of
// Python's.
#ifndef HALYARD_TESTS_PJRT_PROGRAMS_H_
#define HALYARD_TESTS_PJRT_PROGRAMS_H_

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tests/pjrt/plugin.h"

namespace halyard::testing {

inline constexpr char kAdd[] = R"(
module @jit_add {
  func.func public @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %x, %y : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
)";

// Adds y to x, in the memory of x.
inline constexpr char kDonates[] = R"(
module @jit_double {
  func.func public @main(%x: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<4xf32>)
      -> tensor<4xf32> {
    %0 = stablehlo.add %x, %y : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
)";

// Calls a function of the test through the interface that the Python side uses.
inline constexpr char kCalls[] = R"(
module @jit_call {
  func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.custom_call @halyard_python_callback(%x)
        {backend_config = "17", has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = stablehlo.add %0, %x : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
)";

// Takes so long that it is still running when Execute returns.
inline constexpr char kLong[] = R"(
module @jit_long {
  func.func public @main(%x: tensor<400x400xf32>) -> tensor<400x400xf32> {
    %i = stablehlo.constant dense<0> : tensor<i32>
    %end = stablehlo.constant dense<40> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %0:2 = stablehlo.while(%n = %i, %v = %x) : tensor<i32>, tensor<400x400xf32>
      cond {
        %c = stablehlo.compare LT, %n, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %m = stablehlo.add %n, %one : tensor<i32>
        %p = stablehlo.dot_general %v, %v, contracting_dims = [1] x [0]
            : (tensor<400x400xf32>, tensor<400x400xf32>) -> tensor<400x400xf32>
        %t = stablehlo.tanh %p : tensor<400x400xf32>
        stablehlo.return %m, %t : tensor<i32>, tensor<400x400xf32>
      }
    return %0#1 : tensor<400x400xf32>
  }
}
)";

// The interface that the Python side of the plugin provides (client/pjrt/python_callback.h). Here
// it calls a function of the test. It must outlive everything that may call it.
struct Door {
  int (*call)(uint64_t, const void* const*, void* const*, char*, uint64_t);
  void (*hold)(uint64_t, int);
  int32_t active, closed;
};
extern Door door;
extern std::atomic<int> held;  // how often programs hold functions

// While `call_waits` is true, calls wait for `call_changed`.
extern std::mutex call_mutex;
extern std::condition_variable call_changed;
extern bool call_waits;

// Takes the error of an entry that was not given `argument`.
void ExpectMissing(PJRT_Error* error, const std::string& argument);

class Programs : public ::testing::Test {
 protected:
  void SetUp() override;
  Array Put(const std::vector<float>& values);
  Loaded Compile(const std::string& text);
  std::unique_ptr<Platform> platform_;
};

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_PJRT_PROGRAMS_H_
