#include "codegen/passes/gpu/staged/copies.h"

#include <algorithm>
#include <optional>

#include "lowering/kernels/contraction/staged_product.h"
#include "lowering/kernels/fragments.h"
#include "lowering/kernels/kernel.h"

namespace halyard::lowering {

using Halide::cast;
using Halide::Expr;
using Halide::Int;
using Halide::Internal::Call;
using Halide::Internal::Cast;
using Halide::Internal::Evaluate;
using Halide::Internal::Load;
using Halide::Internal::Reinterpret;
using Halide::Internal::Stmt;
using Halide::Internal::Variable;

void RefuseCopy(const char* why) {
  throw LimitError(std::string("a product in stages copies factors as they are in memory; ") + why);
}

Stmt DoIntrinsic(const char* name, const std::vector<Expr>& arguments) {
  return Evaluate::make(Call::make(Int(32), name, arguments, Call::Extern));
}

Expr ResolveLets(Expr e, const Lets& lets) {
  for (auto let = lets.rbegin(); let != lets.rend(); ++let) {
    if (Halide::Internal::expr_uses_var(e, let->first))
      e = Halide::Internal::substitute(let->first, let->second, e);
  }
  return e;
}

CopySource FindCopySource(const Expr& element, const Lets& lets) {
  if (const auto* variable = element.as<Variable>()) {
    for (auto let = lets.rbegin(); let != lets.rend(); ++let) {
      if (let->first == variable->name)
        return FindCopySource(let->second, Lets(lets.begin(), let.base() - 1));
    }
  }
  if (const auto* load = element.as<Load>()) return {load, Expr()};
  if (const auto* cast = element.as<Cast>()) {
    if (cast->value.type().bits() == cast->type.bits()) return FindCopySource(cast->value, lets);
  }
  if (const auto* bits = element.as<Reinterpret>()) return FindCopySource(bits->value, lets);
  const ZeroUnless guarded = FindZeroUnless(element);
  if (guarded.condition.defined()) {
    CopySource source = FindCopySource(guarded.element, lets);
    source.inside =
        source.inside.defined() ? source.inside && guarded.condition : guarded.condition;
    return source;
  }
  RefuseCopy("one is computed on its way");
}

void CheckCopyAlignment(const Load& load, const Lets& lets) {
  const Halide::Internal::ModulusRemainder at =
      Halide::Internal::modulus_remainder(ResolveLets(load.index, lets));
  const int64_t piece = StagedShape::kPieceBytes / load.type.bytes();
  if (at.modulus % piece != 0 || at.remainder % piece != 0)
    RefuseCopy("pieces of 16 bytes of one do not begin at multiples of that");
}

namespace {

// Leaves out clamps of an index that change nothing where `inside` holds. Elsewhere a copy does not
// read at all: the load of such an index never runs, because cp.async takes its place in the PTX.
class DropClamps : public Halide::Internal::IRMutator {
 public:
  explicit DropClamps(const Expr& inside) : inside_(inside) {}

 private:
  using IRMutator::visit;
  Expr visit(const Halide::Internal::Min* op) override { return Drop(op); }
  Expr visit(const Halide::Internal::Max* op) override { return Drop(op); }

  template <class Op>
  Expr Drop(const Op* op) {
    int64_t low = INT64_MIN, high = INT64_MAX;
    Expr inner = op;
    while (true) {
      const auto* min = inner.as<Halide::Internal::Min>();
      const auto* max = inner.as<Halide::Internal::Max>();
      const auto limit = min != nullptr   ? Halide::Internal::as_const_int(min->b)
                         : max != nullptr ? Halide::Internal::as_const_int(max->b)
                                          : std::nullopt;
      if (!limit) break;
      if (min != nullptr) high = std::min(high, *limit);
      if (max != nullptr) low = std::max(low, *limit);
      inner = min != nullptr ? min->a : max->a;
    }
    return Holds(inner, low, high) ? mutate(inner) : IRMutator::visit(op);
  }

  // Whether `inside_` says that low <= e <= high.
  bool Holds(const Expr& e, int64_t low, int64_t high) const {
    const std::string name = Halide::Internal::unique_name("clamped");
    const Expr condition = Halide::Internal::substitute(e, Variable::make(e.type(), name), inside_);
    if (is_const(e) || !Halide::Internal::expr_uses_var(condition, name)) return false;
    const Halide::Internal::Interval where =
        Halide::Internal::solve_for_outer_interval(condition, name);
    const auto at_end = [](bool known, const Expr& end) {
      return known ? Halide::Internal::as_const_int(Halide::Internal::simplify(end))
                   : std::optional<int64_t>();
    };
    const auto first = at_end(where.has_lower_bound(), where.min);
    const auto last = at_end(where.has_upper_bound(), where.max);
    return (low == INT64_MIN || (first && *first >= low)) &&
           (high == INT64_MAX || (last && *last <= high));
  }

  const Expr inside_;
};

Expr WithoutClamps(const CopySource& source, const Lets& own) {
  const Load* load = source.load;
  if (!source.inside.defined()) return load;
  DropClamps drop(Halide::Internal::simplify(ResolveLets(source.inside, own)));
  const Expr index = drop.mutate(Halide::Internal::simplify(ResolveLets(load->index, own)));
  return Load::make(load->type, load->name, index, load->image, load->param, load->predicate,
                    load->alignment);
}

}  // namespace

Stmt CopyPiece(const CopySource& source, const Lets& own, const Expr& place, int64_t offset,
               const Expr& run) {
  const Halide::Type type = source.load->type;
  const Expr load = WithoutClamps(source, own);
  const Expr value = type.bits() == 32 ? Halide::reinterpret(Int(32), load)
                                       : cast(Int(32), Halide::reinterpret(Int(type.bits()), load));
  const Expr inside = source.inside.defined() ? Halide::select(source.inside, 1, 0) : Expr(1);
  return DoIntrinsic(kStagedCopy, {place, static_cast<int32_t>(offset), value, run, inside});
}

}  // namespace halyard::lowering
