// The fake driver's way to the PTX interpreter.
#ifndef HALYARD_TESTS_FAKES_FAKE_INTERPRET_H_
#define HALYARD_TESTS_FAKES_FAKE_INTERPRET_H_

#include <cuda.h>

#include "tests/fakes/fake_driver.h"

namespace halyard::testing::fake_driver {

// Decodes a module's text; `log`, of `log_bytes`, gets what is wrong with it (may be null).
CUresult Decode(CUmod_st* module, char* log, size_t log_bytes);
// Runs a kernel now.
void Interpret(const FakeLaunch& launch);

}  // namespace halyard::testing::fake_driver

#endif  // HALYARD_TESTS_FAKES_FAKE_INTERPRET_H_
