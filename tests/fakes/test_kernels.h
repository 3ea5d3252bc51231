// Small Halide pipelines compiled to kernel objects for any backend. Tests of backends and of
// codegen run them.
#ifndef HALYARD_TESTS_FAKES_TEST_KERNELS_H_
#define HALYARD_TESTS_FAKES_TEST_KERNELS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/device_info.h"
#include "runtime/program/program_spec.h"

namespace halyard::testing {

struct TestKernelOptions {
  bool fuse_multiply_accumulate = false;
  std::string ptxas;                // CUDA: empty leaves PTX
  std::string* assembly = nullptr;  // gets PTX or SPIR-V text
};

// Arrays are f32 [n] unless stated otherwise. Inputs come before outputs, and dimension 0 varies
// fastest. This one: out = 2.5 a + b
absl::StatusOr<KernelObjectSpec> ScaleAdd(int n, const runtime::DeviceInfo& device,
                                          const TestKernelOptions& options = {});
// out = a + 1
absl::StatusOr<KernelObjectSpec> Increment(int n, const runtime::DeviceInfo& device,
                                           const TestKernelOptions& options = {});
// u8: out = 255 - a
absl::StatusOr<KernelObjectSpec> InvertBytes(int n, const runtime::DeviceInfo& device,
                                             const TestKernelOptions& options = {});
// t = a·a is stored, u = t(x) + t(n-1-x) is stored, out = u - 2 t. This has three launches, and two
// scratch buffers that are live together.
absl::StatusOr<KernelObjectSpec> Stages(int n, const runtime::DeviceInfo& device,
                                        const TestKernelOptions& options = {});
// a [n, rows], out [rows]: sums of rows. On GPUs, 32 threads of a group compute them through shared
// memory.
absl::StatusOr<KernelObjectSpec> RowSums(int n, int rows, const runtime::DeviceInfo& device,
                                         const TestKernelOptions& options = {});
// a [x, y, z], out [z, y, x]: out(z, y, x) = a(x, y, z) + 100. A 3-D grid of 3-D groups.
absl::StatusOr<KernelObjectSpec> Transpose3(int x, int y, int z, const runtime::DeviceInfo& device,
                                            const TestKernelOptions& options = {});
// a, out [n, rows]: out(x, y) = a(x, y) + y. On GPUs, y is a loop of the stub: there is a launch
// for each, with scalars.
absl::StatusOr<KernelObjectSpec> ScalarRows(int n, int rows, const runtime::DeviceInfo& device,
                                            const TestKernelOptions& options = {});
// out = ((a + 1e8) - 1e8) + (a·b + a), with every operation rounded on its own.
absl::StatusOr<KernelObjectSpec> StrictArithmetic(int n, const runtime::DeviceInfo& device,
                                                  const TestKernelOptions& options = {});
// a [k, m], b [n, k], out [n, m] = a·b · 0.5 + 3, with accumulators in registers and an epilogue.
absl::StatusOr<KernelObjectSpec> MatMul(int m, int n, int k, const runtime::DeviceInfo& device,
                                        const TestKernelOptions& options = {});
// out = a·a + a in a type: bits of 8, 16, 32, 64; code as in halide_type_t (0 int, 1 uint, 2
// float).
absl::StatusOr<KernelObjectSpec> Arithmetic(int code, int bits, int n,
                                            const runtime::DeviceInfo& device,
                                            const TestKernelOptions& options = {});
// One strict operation, `operation` in [0, kSpecialOperations), of a kind that optimisers like to
// fold. See SpecialOperation.
inline constexpr int kSpecialOperations = 13;
absl::StatusOr<KernelObjectSpec> Special(int operation, int n, const runtime::DeviceInfo& device,
                                         const TestKernelOptions& options = {});
// Computes the same on the CPU, by IEEE's rules.
float SpecialOperation(int operation, float a);

// A part is left on the host, so no launch list can be made.
absl::StatusOr<KernelObjectSpec> HostStage(int n, const runtime::DeviceInfo& device,
                                           const TestKernelOptions& options = {});

// Descriptions of devices that need not be present.
runtime::DeviceInfo CudaDescription(int32_t capability);

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_FAKES_TEST_KERNELS_H_
