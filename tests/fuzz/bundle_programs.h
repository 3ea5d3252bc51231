// Bundles that tests damage.
#ifndef HALYARD_TESTS_FUZZ_BUNDLE_PROGRAMS_H_
#define HALYARD_TESTS_FUZZ_BUNDLE_PROGRAMS_H_

#include <string>
#include <vector>

namespace halyard {

// Returns a bundle for x86:v1, x86:v2, cuda:sm_80 and vulkan, and one for cuda:sm_80 and x86:v1 of
// a program with loops, a branch, copies, kernels and the custom call "copy_all". `code` is the
// object file of bundle_kernels.c, or "" for kernels that are linked into the application. CUDA's
// kernels are PTX, and those of Vulkan cannot be loaded.
std::vector<std::string> DamageableBundles(const std::string& code);

// Returns a bundle for x86:v1, x86:v2 and cuda:sm_80 whose catalogue has an entry of one size, one
// of two, which has dimensions in a table, and one without; and a bundle for x86:v1 of the first
// alone.
std::vector<std::string> DamageableCatalogues(const std::string& code);

}  // namespace halyard

#endif  // HALYARD_TESTS_FUZZ_BUNDLE_PROGRAMS_H_
