// How a test controls the fake cuBLASLt (fake_cublaslt.cc), a shared library with the names of the
// real one. It really multiplies, in the fake driver's memory, when the stream's work runs. It
// records wrong use as a violation.
#ifndef HALYARD_TESTS_FAKES_FAKE_CUBLASLT_H_
#define HALYARD_TESTS_FAKES_FAKE_CUBLASLT_H_

#include <string>
#include <vector>

namespace halyard::testing {

struct FakeCublasLt {
  int proposals = 3;  // algorithms for any product
  // Of all calls, as in `calls`, the one with the number `fail_index` fails with `fail_code`.
  int fail_index = -1, fail_code = 0;

  // What happened.
  std::vector<std::string> calls;
  std::vector<std::string> violations;
  int live = 0;  // handles, descriptors, layouts, preferences
  int matmuls = 0;
};

}  // namespace halyard::testing

extern "C" halyard::testing::FakeCublasLt* HalyardFakeCublasLt();

#endif  // HALYARD_TESTS_FAKES_FAKE_CUBLASLT_H_
