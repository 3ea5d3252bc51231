// How a test controls the fake cuFFT (fake_cufft.cc), a shared library with the names of the real
// one. It really transforms, in the fake driver's memory, when the stream's work runs. It records
// wrong use as a violation.
#ifndef HALYARD_TESTS_FAKES_FAKE_CUFFT_H_
#define HALYARD_TESTS_FAKES_FAKE_CUFFT_H_

#include <cstddef>
#include <string>
#include <vector>

namespace halyard::testing {

struct FakeCufft {
  size_t workspace_bytes = 16;  // that a plan asks for, for each of its batch
  // Of all calls, as in `calls`, the one with the number `fail_index` fails with this cufftResult.
  int fail_index = -1;
  int fail_code = 5;

  // What happened.
  std::vector<std::string> calls;
  std::vector<std::string> violations;
  int live = 0;  // plans
  int transforms = 0;
};

}  // namespace halyard::testing

extern "C" halyard::testing::FakeCufft* HalyardFakeCufft();

#endif  // HALYARD_TESTS_FAKES_FAKE_CUFFT_H_
