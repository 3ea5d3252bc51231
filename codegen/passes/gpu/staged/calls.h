// Calls of intrinsics that passes write loops for.
#ifndef HALYARD_CODEGEN_PASSES_GPU_STAGED_CALLS_H_
#define HALYARD_CODEGEN_PASSES_GPU_STAGED_CALLS_H_

#include <string>
#include <utility>
#include <vector>

#include "Halide.h"

namespace halyard::lowering {

using Lets = std::vector<std::pair<std::string, Halide::Expr>>;

// Finds the first call of an intrinsic in a statement or expression.
class FindCall : public Halide::Internal::IRVisitor {
 public:
  explicit FindCall(const char* name) : name_(name) {}
  const Halide::Internal::Call* call = nullptr;
  int loops = 0;  // that are around it
  Lets lets;      // likewise, outermost first

 private:
  using IRVisitor::visit;
  void visit(const Halide::Internal::Call* op) override {
    if (op->name == name_ && call == nullptr) {
      call = op;
      lets = around_;
    }
    IRVisitor::visit(op);
  }
  void visit(const Halide::Internal::LetStmt* op) override { VisitLet(op); }
  void visit(const Halide::Internal::Let* op) override { VisitLet(op); }
  void visit(const Halide::Internal::For* op) override {
    const bool had = call != nullptr;
    IRVisitor::visit(op);
    if (!had && call != nullptr) ++loops;
  }
  template <class Op>
  void VisitLet(const Op* op) {
    op->value.accept(this);
    around_.emplace_back(op->name, op->value);
    op->body.accept(this);
    around_.pop_back();
  }

  const char* name_;
  Lets around_;
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_GPU_STAGED_CALLS_H_
