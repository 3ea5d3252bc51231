// Lets a test control the fake cuFFT (fake_cufft.cc), a shared library that exports the names of
// the real one. It really transforms, in the fake driver's memory, when the stream's work runs. It
// records wrong use as a violation.
#ifndef HALYARD_TESTS_FAKES_FAKE_CUFFT_H_
#define HALYARD_TESTS_FAKES_FAKE_CUFFT_H_

#include <cstddef>
#include <string>
#include <vector>

namespace halyard::testing {

struct FakeCufft {
  size_t workspace_bytes = 16;  // workspace per batch that a plan asks for
  // The call with the number `fail_index`, counted as in `calls`, fails with this cufftResult.
  int fail_index = -1;
  int fail_code = 5;

  // These record what happened.
  std::vector<std::string> calls;
  std::vector<std::string> violations;
  int live = 0;  // plans that exist
  int transforms = 0;
};

}  // namespace halyard::testing

extern "C" halyard::testing::FakeCufft* HalyardFakeCufft();

#endif  // HALYARD_TESTS_FAKES_FAKE_CUFFT_H_
