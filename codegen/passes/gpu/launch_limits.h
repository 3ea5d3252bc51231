// Checks a GPU kernel's loops against the device before any device code is made of them.
#ifndef HALYARD_CODEGEN_PASSES_GPU_LAUNCH_LIMITS_H_
#define HALYARD_CODEGEN_PASSES_GPU_LAUNCH_LIMITS_H_

#include <string>

#include "Halide.h"
#include "lowering/kernels/kernel.h"
#include "runtime/device_info.h"

namespace halyard::lowering {

// A lowering pass that changes nothing. It throws LimitError at the first launch whose grid,
// workgroup or shared memory exceeds the device. It runs before Halide makes device code of the
// loops.
class CheckLaunchLimits : public Halide::Internal::IRMutator {
 public:
  explicit CheckLaunchLimits(const runtime::DeviceInfo& device) : device_(device) {}
  using IRMutator::mutate;
  Halide::Internal::Stmt mutate(const Halide::Internal::Stmt& stmt) override;

 private:
  const runtime::DeviceInfo& device_;
};

// A lowering pass that changes nothing. It throws EmitError where a GPU loop computes with 64-bit
// integers that the device lacks, whatever types the program has.
class CheckIntegers : public Halide::Internal::IRMutator {
 public:
  explicit CheckIntegers(const runtime::DeviceInfo& device) : device_(device) {}
  Halide::Internal::Stmt mutate(const Halide::Internal::Stmt& stmt) override;
  Halide::Expr mutate(const Halide::Expr& e) override;

 private:
  using IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::For* loop) override;

  const runtime::DeviceInfo& device_;
  bool on_gpu_ = false;
};

// Throws EmitError if the kernel computes with, or stores, types that the device lacks.
void CheckTypes(const LoweredKernel& kernel);

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_GPU_LAUNCH_LIMITS_H_
