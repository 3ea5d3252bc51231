// Kernels written in C, for candidates that no compiler of ours would make.
#ifndef HALYARD_TESTS_AUTOTUNER_C_KERNEL_H_
#define HALYARD_TESTS_AUTOTUNER_C_KERNEL_H_

#include <string>

#include "autotuner/measure/trial_runner.h"

namespace halyard::testing {

// Returns an x86 kernel object with one f32[256] input, `in`, and output, `out`, whose body is C
// and is compiled here. In scope are hyrt_malloc, a volatile int `sink`, and dig(), which never
// returns.
std::string KernelOf(const std::string& name, const std::string& body);

// Returns the data for a kernel whose result must be twice its input: 0, 1, 2 …
autotuner::TrialData DoubleData();

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_AUTOTUNER_C_KERNEL_H_
