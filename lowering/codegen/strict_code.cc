#include "lowering/codegen/strict_code.h"

#include <sstream>

#include "absl/strings/str_cat.h"
#include "lowering/kernel.h"

namespace halyard::lowering {

using Halide::Expr;
using namespace Halide::Internal;  // NOLINT: the classes of Halide's IR

Expr StrictCode::visit(const Select* op) {
  Expr result = IRMutator::visit(op);
  const Select* select = result.as<Select>();
  if (select == nullptr || !select->type.is_float()) return result;
  const Halide::Type bits = Halide::UInt(select->type.bits(), select->type.lanes());
  return Halide::reinterpret(
      select->type, Select::make(select->condition, Halide::reinterpret(bits, select->true_value),
                                 Halide::reinterpret(bits, select->false_value)));
}

template <typename Op>
Expr StrictCode::RefuseFloat(const Op* op, const Halide::Type& type, const char* what) {
  if (!type.is_float()) return IRMutator::visit(op);
  std::ostringstream text;
  text << Expr(op);
  throw EmitError(absl::StrCat("a relaxed float ", what,
                               " in a kernel: ", absl::string_view(text.str()).substr(0, 200)));
}

Expr StrictCode::visit(const Add* op) { return RefuseFloat(op, op->type, "sum"); }
Expr StrictCode::visit(const Sub* op) { return RefuseFloat(op, op->type, "difference"); }
Expr StrictCode::visit(const Mul* op) { return RefuseFloat(op, op->type, "product"); }
Expr StrictCode::visit(const Div* op) { return RefuseFloat(op, op->type, "quotient"); }
Expr StrictCode::visit(const Mod* op) { return RefuseFloat(op, op->type, "remainder"); }
Expr StrictCode::visit(const Min* op) { return RefuseFloat(op, op->type, "minimum"); }
Expr StrictCode::visit(const Max* op) { return RefuseFloat(op, op->type, "maximum"); }
Expr StrictCode::visit(const EQ* op) { return RefuseFloat(op, op->a.type(), "comparison"); }
Expr StrictCode::visit(const NE* op) { return RefuseFloat(op, op->a.type(), "comparison"); }
Expr StrictCode::visit(const LT* op) { return RefuseFloat(op, op->a.type(), "comparison"); }
Expr StrictCode::visit(const LE* op) { return RefuseFloat(op, op->a.type(), "comparison"); }
Expr StrictCode::visit(const GT* op) { return RefuseFloat(op, op->a.type(), "comparison"); }
Expr StrictCode::visit(const GE* op) { return RefuseFloat(op, op->a.type(), "comparison"); }
Expr StrictCode::visit(const VectorReduce* op) {
  return RefuseFloat(op, op->type, "horizontal reduction");
}

}  // namespace halyard::lowering
