#include "codegen/passes/lane_sums.h"

#include <cstdint>
#include <vector>

namespace halyard::lowering {

using Halide::Expr;
using Halide::Internal::as_const_int;
using Halide::Internal::Call;
using Halide::Internal::Load;
using Halide::Internal::Shuffle;

namespace {

constexpr int kLeastDepth = 2, kMostDepth = 6;  // of the tree: 4 to 64 lanes

bool IsOperation(const Expr& e, Call::IntrinsicOp op) {
  const Call* call = e.as<Call>();
  return call != nullptr && call->is_intrinsic(op);
}

// Appends the leaves of a tree of one operation, from left to right. Returns false if it is not of
// this depth everywhere or has leaves that are not scalar loads.
bool AddLeaves(const Expr& e, Call::IntrinsicOp op, int depth, std::vector<const Load*>* leaves) {
  if (depth > 0) {
    const Call* call = e.as<Call>();
    return IsOperation(e, op) && AddLeaves(call->args[0], op, depth - 1, leaves) &&
           AddLeaves(call->args[1], op, depth - 1, leaves);
  }
  const Load* load = e.as<Load>();
  if (load == nullptr || !load->type.is_scalar() ||
      !Halide::Internal::is_const_one(load->predicate)) {
    return false;
  }
  leaves->push_back(load);
  return true;
}

// Returns `i`, a number of log2(n) bits, with its bits in the opposite order.
size_t Reversed(size_t i, size_t n) {
  size_t result = 0;
  for (size_t bit = 1; bit < n; bit *= 2) result = result * 2 + ((i & bit) != 0 ? 1 : 0);
  return result;
}

// Halving a range again and again visits its elements in bit-reversed order.
bool AreLanes(const std::vector<const Load*>& leaves) {
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i]->name != leaves[0]->name) return false;
    const auto offset =
        as_const_int(Halide::Internal::simplify(leaves[i]->index - leaves[0]->index));
    if (!offset || *offset != static_cast<int64_t>(Reversed(i, leaves.size()))) return false;
  }
  return true;
}

Expr JoinHalves(const Expr& lanes, Call::IntrinsicOp op) {
  const int half = lanes.type().lanes() / 2;
  const std::string name = Halide::Internal::unique_name("lanes");
  const Expr whole = Halide::Internal::Variable::make(lanes.type(), name);
  const Expr low = Shuffle::make_slice(whole, 0, 1, half);
  const Expr high = Shuffle::make_slice(whole, half, 1, half);
  Expr joined = Call::make(low.type(), op, {low, high}, Call::PureIntrinsic);
  if (half > 1) joined = JoinHalves(joined, op);
  return Halide::Internal::Let::make(name, lanes, joined);
}

}  // namespace

Expr VectorizeLaneSums::visit(const Call* call) {
  const bool sum = call->is_intrinsic(Call::strict_add),
             product = call->is_intrinsic(Call::strict_mul);
  if ((!sum && !product) || !call->type.is_scalar()) return IRMutator::visit(call);
  const Call::IntrinsicOp op = sum ? Call::strict_add : Call::strict_mul;
  int depth = 0;
  for (Expr e(call); IsOperation(e, op) && depth <= kMostDepth; e = e.as<Call>()->args[1]) ++depth;
  std::vector<const Load*> leaves;
  if (depth < kLeastDepth || depth > kMostDepth || !AddLeaves(Expr(call), op, depth, &leaves) ||
      !AreLanes(leaves)) {
    return IRMutator::visit(call);
  }
  const Load* first = leaves[0];
  const int lanes = static_cast<int>(leaves.size());
  const Expr vector =
      Load::make(first->type.with_lanes(lanes), first->name,
                 Halide::Internal::Ramp::make(first->index, 1, lanes), first->image, first->param,
                 Halide::Internal::const_true(lanes), Halide::Internal::ModulusRemainder());
  return JoinHalves(vector, op);
}

}  // namespace halyard::lowering
