#include "lowering/kernels/marks.h"

#include <vector>

namespace halyard::lowering {

using Halide::Internal::Call;

namespace {
constexpr char kMark[] = "hy_mark";

Halide::Expr AnyStrictOperation() {
  const Halide::Expr zero(0.0F);
  return Call::make(zero.type(), Call::strict_add, {zero, zero}, Call::PureIntrinsic);
}

// Collects the loads of Funcs in an expression.
class Loads : public Halide::Internal::IRGraphVisitor {
 public:
  std::vector<Halide::Expr> found;

 private:
  using IRGraphVisitor::visit;
  void visit(const Call* call) override {
    IRGraphVisitor::visit(call);
    if (call->call_type == Call::Halide) found.emplace_back(call);
  }
};

// Returns whether bounds inference knows the bounds of an expression as well as the simplifier
// does. It does for variables and constants, for what chooses among them, and for arithmetic of
// int32.
class KnownBounds : public Halide::Internal::IRGraphVisitor {
 public:
  bool known = true;

 private:
  using IRGraphVisitor::visit;
  void visit(const Call*) override { known = false; }
  void visit(const Halide::Internal::Reinterpret*) override { known = false; }
  void visit(const Halide::Internal::Add* op) override { Arithmetic(op); }
  void visit(const Halide::Internal::Sub* op) override { Arithmetic(op); }
  void visit(const Halide::Internal::Mul* op) override { Arithmetic(op); }
  void visit(const Halide::Internal::Div*) override { known = false; }
  void visit(const Halide::Internal::Mod*) override { known = false; }

  template <typename Op>
  void Arithmetic(const Op* op) {
    known &= op->type == Halide::Int(32);
    IRGraphVisitor::visit(op);
  }
};

}  // namespace

Halide::Expr Stored(const Halide::Expr& value, bool several) {
  if (Halide::Internal::is_const(value)) return value;
  std::vector<Halide::Expr> arguments = {value, AnyStrictOperation()};
  if (several) {
    Loads loads;
    value.accept(&loads);
    arguments.insert(arguments.end(), loads.found.begin(), loads.found.end());
  }
  return Call::make(value.type(), kMark, arguments, Call::PureExtern);
}

Halide::Expr OfUnknownBounds(const Halide::Expr& index) {
  // A constant stays one, because the host would compute a condition that consists of marks alone.
  const Halide::Expr simple = Halide::Internal::simplify(index);
  KnownBounds bounds;
  simple.accept(&bounds);
  if (bounds.known) return simple;
  return Call::make(simple.type(), kMark, {simple}, Call::PureExtern);
}

Halide::Expr DropMarks::visit(const Call* call) {
  if (call->name == kMark) return mutate(call->args[0]);
  return IRMutator::visit(call);
}

}  // namespace halyard::lowering
