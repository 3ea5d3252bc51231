#include "codegen/passes/gpu/launch_limits.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"

namespace halyard::lowering {

using Halide::Internal::Allocate;
using Halide::Internal::For;
using Halide::Internal::ForType;
using Halide::Internal::Stmt;
using runtime::DeviceInfo;

namespace {

// The loops and the shared memory of one launch: the outermost GPU loop and everything inside.
class MeasureLaunch : public Halide::Internal::IRVisitor {
 public:
  uint64_t grid[3] = {1, 1, 1}, group[3] = {1, 1, 1};
  uint64_t shared_bytes = 0;

 private:
  using IRVisitor::visit;

  void visit(const For* loop) override {
    uint64_t* sizes = loop->for_type == ForType::GPUBlock    ? grid
                      : loop->for_type == ForType::GPUThread ? group
                                                             : nullptr;
    if (sizes != nullptr) {
      const auto extent = Halide::Internal::as_const_int(loop->extent);
      if (!extent) throw LimitError(absl::StrCat(loop->name, " has no constant extent"));
      const int axis = Halide::Internal::ends_with(loop->name, "_id_y")   ? 1
                       : Halide::Internal::ends_with(loop->name, "_id_z") ? 2
                                                                          : 0;
      sizes[axis] = std::max(sizes[axis], static_cast<uint64_t>(*extent));
    }
    IRVisitor::visit(loop);
  }

  // Halide has joined what may share memory by now: allocations of one launch add up.
  void visit(const Allocate* allocate) override {
    if (allocate->memory_type == Halide::MemoryType::GPUShared) {
      shared_bytes += static_cast<uint64_t>(allocate->constant_allocation_size()) *
                      static_cast<uint64_t>(allocate->type.bytes());
    }
    IRVisitor::visit(allocate);
  }
};

void Check(const std::string& launch, const char* what, uint64_t need, uint64_t limit,
           const DeviceInfo& device) {
  if (limit == 0 || need <= limit) return;
  throw LimitError(absl::StrCat("launch ", launch, " needs ", need, " ", what, "; ", device.name,
                                " has ", limit));
}

class FindLaunches : public Halide::Internal::IRVisitor {
 public:
  explicit FindLaunches(const DeviceInfo& device) : device_(device) {}

 private:
  using IRVisitor::visit;

  void visit(const For* loop) override {
    if (loop->for_type != ForType::GPUBlock && loop->for_type != ForType::GPUThread) {
      return IRVisitor::visit(loop);
    }
    MeasureLaunch launch;
    Stmt(loop).accept(&launch);
    const char* const groups[] = {"workgroups in x", "workgroups in y", "workgroups in z"};
    const char* const threads[] = {"threads in x", "threads in y", "threads in z"};
    for (int d = 0; d < 3; ++d) {
      Check(loop->name, groups[d], launch.grid[d], device_.max_grid[d], device_);
      Check(loop->name, threads[d], launch.group[d], device_.max_group[d], device_);
    }
    Check(loop->name, "threads of a workgroup", launch.group[0] * launch.group[1] * launch.group[2],
          device_.max_threads_per_group, device_);
    Check(loop->name, "bytes of shared memory", launch.shared_bytes, device_.max_shared_bytes,
          device_);
  }

  const DeviceInfo& device_;
};

// Returns "" if the device has the type.
const char* MissingType(Halide::Type type, const DeviceInfo& device) {
  if (type.is_float()) {
    if (type.bits() == 64 && !device.has_f64) return "f64";
    if (type.bits() == 16 && !device.has_f16) return "f16";
    return "";
  }
  if (type.bits() == 64 && !device.has_i64) return "64-bit integers";
  if (type.bits() == 16 && !device.has_i16) return "16-bit integers";
  if (type.bits() == 8 && !device.has_i8) return "8-bit integers";
  return "";
}

}  // namespace

Stmt CheckLaunchLimits::mutate(const Stmt& stmt) {
  FindLaunches find(device_);
  stmt.accept(&find);
  return stmt;
}

Stmt CheckIntegers::mutate(const Stmt& stmt) {
  return device_.has_i64 ? stmt : IRMutator::mutate(stmt);
}

Halide::Expr CheckIntegers::mutate(const Halide::Expr& e) {
  if (on_gpu_ && e.defined() && e.type().is_int_or_uint() && e.type().bits() == 64) {
    throw EmitError(absl::StrCat(device_.name,
                                 " does not have 64-bit integers, which this kernel computes with "
                                 "on the way to its results; use another target"));
  }
  return IRMutator::mutate(e);
}

Stmt CheckIntegers::visit(const For* loop) {
  const bool outside = on_gpu_;
  on_gpu_ |= loop->for_type == ForType::GPUBlock || loop->for_type == ForType::GPUThread;
  Stmt result = IRMutator::visit(loop);
  on_gpu_ = outside;
  return result;
}

void CheckTypes(const LoweredKernel& kernel) {
  if (kernel.device.kind != runtime::DeviceKind::kVulkan) return;
  for (const auto& instruction : kernel.module->entry()->instructions()) {
    if (!instruction->shape.IsArray()) continue;
    const hlo::ElementType type = instruction->shape.element_type();
    const char* missing = MissingType(StorageType(type), kernel.device);
    if (missing[0] == 0) continue;
    const absl::string_view name = hlo::HloName(type);
    throw EmitError(absl::StrCat(kernel.device.name, " does not have ", missing,
                                 name == missing ? "" : absl::StrCat(", which ", name, " needs"),
                                 "; convert the program to other types, or use another target"));
  }
}

}  // namespace halyard::lowering
