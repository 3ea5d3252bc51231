// Lets a test control the fake cuDNN (fake_cudnn.cc), a shared library that exports the names of
// the real one. It really convolves, in the fake driver's memory, when the stream's work runs. It
// records wrong use as a violation.
#ifndef HALYARD_TESTS_FAKES_FAKE_CUDNN_H_
#define HALYARD_TESTS_FAKES_FAKE_CUDNN_H_

#include <cstddef>
#include <string>
#include <vector>

namespace halyard::testing {

struct FakeCudnn {
  size_t workspace_bytes = 64;  // workspace that an algorithm asks for
  // The call with the number `fail_index`, counted as in `calls`, fails.
  int fail_index = -1;

  // These record what happened.
  std::vector<std::string> calls;
  std::vector<std::string> violations;
  int live = 0;  // handles and descriptors that exist
  int convolutions = 0;
};

}  // namespace halyard::testing

extern "C" halyard::testing::FakeCudnn* HalyardFakeCudnn();

#endif  // HALYARD_TESTS_FAKES_FAKE_CUDNN_H_
