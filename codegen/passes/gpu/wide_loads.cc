#include "codegen/passes/gpu/wide_loads.h"

namespace halyard::lowering {

using Halide::Expr;
using Halide::Internal::Load;
using Halide::Internal::ModulusRemainder;
using Halide::Internal::Ramp;

Expr WideLoads::visit(const Load* load) {
  constexpr int kBits = 128, kWordBits = 32;
  const Halide::Type type = load->type;
  const auto* ramp = load->index.as<Ramp>();
  const int lanes = type.lanes();
  if (!load->param.defined() || type.bits() >= kWordBits || type.bits() < 8 ||
      type.bits() * lanes != kBits || ramp == nullptr || !ramp->base.type().is_scalar() ||
      !Halide::Internal::is_const_one(ramp->stride) ||
      !Halide::Internal::is_const_one(load->predicate) || load->alignment.modulus % lanes != 0 ||
      load->alignment.remainder % lanes != 0)
    return IRMutator::visit(load);
  const int of_word = kWordBits / type.bits(), words = kBits / kWordBits;
  const Expr first = Halide::Internal::simplify(mutate(ramp->base) / of_word);
  const Expr loaded = Load::make(
      Halide::UInt(kWordBits, words), load->name,
      Ramp::make(first, Halide::Internal::make_one(first.type()), words), load->image, load->param,
      Halide::Internal::const_true(words),
      ModulusRemainder(load->alignment.modulus / of_word, load->alignment.remainder / of_word));
  return Halide::Internal::Reinterpret::make(type, loaded);
}

}  // namespace halyard::lowering
