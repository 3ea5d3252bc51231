#include "codegen/passes/shared_padding.h"

#include <algorithm>
#include <string>

namespace halyard::lowering {

namespace ir = Halide::Internal;

namespace {

// The sizes in bytes of the elements that are stored in one allocation.
class ElementSizes : public ir::IRVisitor {
 public:
  explicit ElementSizes(const std::string& name) : name_(name) {}
  int least = 0, most = 0;

 private:
  using IRVisitor::visit;
  void visit(const ir::Store* op) override {
    IRVisitor::visit(op);
    if (op->name != name_) return;
    const int bytes = op->value.type().bytes();
    least = least == 0 ? bytes : std::min(least, bytes);
    most = std::max(most, bytes);
  }

  const std::string& name_;
};

}  // namespace

ir::Stmt PadSharedMemory::visit(const ir::Allocate* op) {
  const ir::Stmt inner = IRMutator::visit(op);
  if (op->memory_type != Halide::MemoryType::GPUShared || op->extents.size() != 1) return inner;
  ElementSizes sizes(op->name);
  op->body.accept(&sizes);
  if (sizes.least == sizes.most) return inner;
  const int gaps = (arrays_ - 1) * (sizes.most - sizes.least);
  const int padding = (gaps + sizes.most - 1) / sizes.most * sizes.most;
  op = inner.as<ir::Allocate>();
  return ir::Allocate::make(op->name, op->type, op->memory_type, {op->extents[0] + padding},
                            op->condition, op->body, op->new_expr, op->free_function, op->padding);
}

int CountArrays(const Halide::Pipeline& pipeline) {
  int arrays = 0;
  for (const Halide::Func& output : pipeline.outputs()) {
    for (const auto& [name, function] : ir::find_transitive_calls(output.function()))
      arrays += function.outputs();
  }
  return arrays;
}

}  // namespace halyard::lowering
