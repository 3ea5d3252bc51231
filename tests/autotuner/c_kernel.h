// Kernels written in C, for candidates that no compiler of ours would make.
#ifndef HALYARD_TESTS_AUTOTUNER_C_KERNEL_H_
#define HALYARD_TESTS_AUTOTUNER_C_KERNEL_H_

#include <string>

namespace halyard::testing {

// An x86 kernel object of one f32[256] input, `in`, and output, `out`, whose body is C, compiled
// here. In scope are hyrt_malloc, a volatile int `sink`, and dig(), which never returns.
std::string KernelOf(const std::string& name, const std::string& body);

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_AUTOTUNER_C_KERNEL_H_
