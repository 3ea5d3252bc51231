#include "codegen/passes/strict_code.h"

#include <sstream>
#include <vector>

#include "absl/strings/str_cat.h"
#include "lowering/kernels/kernel.h"

namespace halyard::lowering {

using Halide::Expr;
using namespace Halide::Internal;  // NOLINT: the classes of Halide's IR

namespace {

Expr OfBits(const Select* select) {
  const Halide::Type bits = Halide::UInt(select->type.bits(), select->type.lanes());
  return Halide::reinterpret(
      select->type, Select::make(select->condition, Halide::reinterpret(bits, select->true_value),
                                 Halide::reinterpret(bits, select->false_value)));
}

// Returns lanes [begin, begin + count) of a vector.
Expr Lanes(const Expr& vector, int begin, int count) {
  const auto* load = vector.as<Load>();
  const auto* ramp = load == nullptr ? nullptr : load->index.as<Ramp>();
  if (ramp != nullptr && is_const_one(load->predicate)) {
    return Load::make(load->type.with_lanes(count), load->name,
                      Ramp::make(ramp->base + ramp->stride * begin, ramp->stride, count),
                      load->image, load->param, const_true(count), ModulusRemainder());
  }
  if (const auto* all = vector.as<Broadcast>()) return Broadcast::make(all->value, count);
  return Shuffle::make_slice(vector, begin, 1, count);
}

}  // namespace

Expr StrictCode::visit(const Select* op) {
  Expr result = IRMutator::visit(op);
  const Select* select = result.as<Select>();
  if (select == nullptr || !select->type.is_float()) return result;
  // One condition for all lanes of several registers: a select each, else LLVM makes masks of parts
  // of the vector of conditions.
  const auto* same = select->condition.as<Broadcast>();
  const int lanes = select->type.lanes(), most = vector_bits_ / select->type.bits();
  if (same == nullptr || most == 0 || lanes <= most || lanes % most != 0) return OfBits(select);
  std::vector<Expr> parts;
  for (int begin = 0; begin < lanes; begin += most) {
    const Expr part =
        Select::make(Broadcast::make(same->value, most), Lanes(select->true_value, begin, most),
                     Lanes(select->false_value, begin, most));
    parts.push_back(OfBits(part.as<Select>()));
  }
  return Shuffle::make_concat(parts);
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
