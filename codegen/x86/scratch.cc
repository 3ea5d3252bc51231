#include "codegen/x86/scratch.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "lowering/kernels/kernel.h"

namespace halyard::lowering {

namespace {

using namespace Halide::Internal;  // NOLINT: an IRVisitor

// The bytes that the allocator adds to each block, for bookkeeping and alignment.
constexpr uint64_t kBlockOverhead = 256;

class AllocationMeter : public IRVisitor {
 public:
  ScratchNeed need;

 private:
  using IRVisitor::visit;

  void visit(const Allocate* op) override {
    uint64_t bytes = 0;
    const bool on_heap =
        op->memory_type == Halide::MemoryType::Heap || op->memory_type == Halide::MemoryType::Auto;
    const int32_t elements = op->constant_allocation_size();
    // Small constant allocations go on the stack (CodeGen_Posix: at most 16 KiB).
    const bool on_stack =
        elements > 0 &&
        can_allocation_fit_on_stack(static_cast<int64_t>(elements) * op->type.bytes()) &&
        op->memory_type != Halide::MemoryType::Heap;
    if (on_heap && !on_stack && !op->new_expr.defined()) {
      bytes = Bytes(op);
    }
    uint64_t& level = in_task_ ? task_ : caller_;
    level += bytes;
    (in_task_ ? need.task_bytes : need.caller_bytes) =
        std::max(in_task_ ? need.task_bytes : need.caller_bytes, level);
    IRVisitor::visit(op);
    level -= bytes;
  }

  void visit(const For* op) override {
    const Halide::Expr last = op->min + op->extent - 1;
    ScopedBinding<Interval> bind(scope_, op->name,
                                 Interval(bounds_of_expr_in_scope(op->min, scope_).min,
                                          bounds_of_expr_in_scope(last, scope_).max));
    const bool outer_parallel = op->for_type == ForType::Parallel && !in_task_;
    if (outer_parallel) in_task_ = true;
    IRVisitor::visit(op);
    if (outer_parallel) in_task_ = false;
  }

  void visit(const LetStmt* op) override {
    ScopedBinding<Interval> bind(scope_, op->name, BoundsOf(op->value));
    IRVisitor::visit(op);
  }

  // Sizes are made of 32-bit integers; bounds of wide arithmetic can take exponential time. Those
  // of conditions are conditions: nothing else may stand in a select.
  Interval BoundsOf(const Halide::Expr& value) const {
    if (value.type() == Halide::Int(32)) return bounds_of_expr_in_scope(value, scope_);
    if (value.type().is_bool()) return Interval(make_zero(value.type()), make_one(value.type()));
    return Interval::everything();
  }

  uint64_t Bytes(const Allocate* op) const {
    uint64_t elements = 1;
    for (const Halide::Expr& extent : op->extents) {
      const Halide::Expr bound = find_constant_bound(extent, Direction::Upper, scope_);
      const std::optional<int64_t> value = bound.defined() ? as_const_int(bound) : std::nullopt;
      if (!value.has_value()) {
        throw EmitError(absl::StrCat("the kernel's buffer ", op->name,
                                     " has a size that is not known at compile time"));
      }
      elements *= static_cast<uint64_t>(std::max<int64_t>(0, *value));
    }
    return (elements + static_cast<uint64_t>(op->padding)) * op->type.bytes() + kBlockOverhead;
  }

  bool in_task_ = false;
  uint64_t caller_ = 0, task_ = 0;
  Scope<Interval> scope_;
};

}  // namespace

ScratchNeed MeasureScratch(const Halide::Module& module) {
  AllocationMeter meter;
  for (const Halide::Internal::LoweredFunc& function : module.functions())
    function.body.accept(&meter);
  return meter.need;
}

}  // namespace halyard::lowering
