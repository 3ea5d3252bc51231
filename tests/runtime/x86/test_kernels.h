// Kernels that Halide compiles, for tests of the code that runs them.
#ifndef HALYARD_TESTS_RUNTIME_X86_TEST_KERNELS_H_
#define HALYARD_TESTS_RUNTIME_X86_TEST_KERNELS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace Halide {
class Func;
class ImageParam;
}  // namespace Halide

namespace halyard::testing {

// Returns an x86 (baseline) kernel object named `name` that computes `function`, with static
// extents. All buffers are dense, and dimension 0 is the innermost. `input_extents` belong to
// `inputs`.
std::string MakeKernel(const std::string& name, Halide::Func function,
                       std::vector<Halide::ImageParam> inputs,
                       const std::vector<std::vector<int32_t>>& input_extents,
                       const std::vector<int32_t>& output_extents, uint64_t scratch_bytes = 0,
                       uint64_t scratch_bytes_per_task = 0);

// out[x] = in0[x] * scale + in1[x], f32[n]. The loop over blocks of 64 is parallel if n is a
// multiple of 64.
std::string MultiplyAddKernel(const std::string& name, int32_t n, float scale);
// out[x] = in0[x] < 0 ? -x : x, f32[n], in vectors of 8. Writes beyond the end of its result unless
// n is a multiple of 8.
std::string RoundedUpKernel(const std::string& name, int32_t n);
// out = (in0 < limit) as one byte; s32 scalar.
std::string LessThanKernel(const std::string& name, int32_t limit);
// out = in0 + step; s32 scalar.
std::string IncrementKernel(const std::string& name, int32_t step);

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_RUNTIME_X86_TEST_KERNELS_H_
