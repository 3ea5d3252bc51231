// Small Halide pipelines compiled to kernel objects for any backend, which tests of backends and of
// codegen run.
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
  std::string ptxas;                // CUDA: if empty, the code stays PTX
  std::string* assembly = nullptr;  // receives PTX or SPIR-V text
};

// Arrays are f32 [n] unless stated otherwise. Inputs come before outputs, and dimension 0 varies
// fastest. This kernel computes out = 2.5 a + b.
absl::StatusOr<KernelObjectSpec> ScaleAdd(int n, const runtime::DeviceInfo& device,
                                          const TestKernelOptions& options = {});
// out = a + 1
absl::StatusOr<KernelObjectSpec> Increment(int n, const runtime::DeviceInfo& device,
                                           const TestKernelOptions& options = {});
// u8: out = 255 - a
absl::StatusOr<KernelObjectSpec> InvertBytes(int n, const runtime::DeviceInfo& device,
                                             const TestKernelOptions& options = {});
// Stores t = a·a, then u = t(x) + t(n-1-x), then out = u - 2 t. This takes three launches, and two
// scratch buffers that are live at the same time.
absl::StatusOr<KernelObjectSpec> Stages(int n, const runtime::DeviceInfo& device,
                                        const TestKernelOptions& options = {});
// a [n, rows], out [rows]: sums each row. On GPUs, the 32 threads of a group compute a sum through
// shared memory.
absl::StatusOr<KernelObjectSpec> RowSums(int n, int rows, const runtime::DeviceInfo& device,
                                         const TestKernelOptions& options = {});
// a [x, y, z], out [z, y, x]: out(z, y, x) = a(x, y, z) + 100, as a 3-D grid of 3-D groups.
absl::StatusOr<KernelObjectSpec> Transpose3(int x, int y, int z, const runtime::DeviceInfo& device,
                                            const TestKernelOptions& options = {});
// a, out [n, rows]: out(x, y) = a(x, y) + y. On GPUs, y is a loop of the stub, which makes a launch
// with scalars for each y.
absl::StatusOr<KernelObjectSpec> ScalarRows(int n, int rows, const runtime::DeviceInfo& device,
                                            const TestKernelOptions& options = {});
// out = ((a + 1e8) - 1e8) + (a·b + a), with every operation rounded separately.
absl::StatusOr<KernelObjectSpec> StrictArithmetic(int n, const runtime::DeviceInfo& device,
                                                  const TestKernelOptions& options = {});
// a [k, m], b [n, k], out [n, m] = a·b · 0.5 + 3, with accumulators in registers and an epilogue.
absl::StatusOr<KernelObjectSpec> MatMul(int m, int n, int k, const runtime::DeviceInfo& device,
                                        const TestKernelOptions& options = {});
// out = a·a + a, in the type with `bits` (8, 16, 32 or 64) and `code` as in halide_type_t (0 int, 1
// uint, 2 float).
absl::StatusOr<KernelObjectSpec> Arithmetic(int code, int bits, int n,
                                            const runtime::DeviceInfo& device,
                                            const TestKernelOptions& options = {});
// Computes one strict operation, `operation` in [0, kSpecialOperations), of a kind that optimizers
// tend to fold. See SpecialOperation.
inline constexpr int kSpecialOperations = 13;
absl::StatusOr<KernelObjectSpec> Special(int operation, int n, const runtime::DeviceInfo& device,
                                         const TestKernelOptions& options = {});
// Computes the same on the CPU, by the rules of IEEE 754.
float SpecialOperation(int operation, float a);

// Leaves a stage on the host, so that no launch list can be made.
absl::StatusOr<KernelObjectSpec> HostStage(int n, const runtime::DeviceInfo& device,
                                           const TestKernelOptions& options = {});

// Returns the description of a device that need not be present.
runtime::DeviceInfo CudaDescription(int32_t capability);

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_FAKES_TEST_KERNELS_H_
