// Lets a test control the fake cuBLASLt (fake_cublaslt.cc), a shared library that exports the names
// of the real one. It really multiplies, in the fake driver's memory, when the stream's work runs.
// It records wrong use as a violation.
#ifndef HALYARD_TESTS_FAKES_FAKE_CUBLASLT_H_
#define HALYARD_TESTS_FAKES_FAKE_CUBLASLT_H_

#include <string>
#include <vector>

namespace halyard::testing {

struct FakeCublasLt {
  int proposals = 3;  // algorithms that it proposes for every product
  // The call with the number `fail_index`, counted as in `calls`, fails with `fail_code`.
  int fail_index = -1, fail_code = 0;

  // These record what happened.
  std::vector<std::string> calls;
  std::vector<std::string> violations;
  int live = 0;  // handles, descriptors, layouts and preferences that exist
  int matmuls = 0;
};

}  // namespace halyard::testing

extern "C" halyard::testing::FakeCublasLt* HalyardFakeCublasLt();

#endif  // HALYARD_TESTS_FAKES_FAKE_CUBLASLT_H_
