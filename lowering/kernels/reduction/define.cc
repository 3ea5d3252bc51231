// reduce: a fold over the reduced dimensions with any body, one or several operands.

#include "lowering/kernels/reduction/define.h"

#include <algorithm>

#include "lowering/kernels/emitter.h"
#include "lowering/kernels/kernel_form.h"
#include "lowering/kernels/reduction/order_body.h"
#include "lowering/numerics/arithmetic.h"

namespace halyard::lowering {

using hlo::Instruction;
using hlo::Opcode;

hlo::ElementType AccumulatorType(hlo::ElementType type) {
  return hlo::IsFloat(type) && hlo::BitWidth(type) < 32 ? hlo::ElementType::kF32 : type;
}

void SetFold(Emitter& emitter, const Instruction& inst, int64_t num_inputs, Hero* hero) {
  const hlo::Computation* body = inst.called[0];
  const std::optional<Opcode> op = num_inputs == 1 ? SingleCommutativeOp(*body) : std::nullopt;
  Value (*relaxed)(const Value& a, const Value& b) = nullptr;
  if (op == Opcode::kAdd) relaxed = SumAdd;
  if (op == Opcode::kMultiply) relaxed = SumMul;
  std::vector<hlo::ElementType> types;
  for (int64_t i = 0; i < num_inputs; ++i) {
    types.push_back(body->parameters()[i]->shape.element_type());
    hero->types.push_back(relaxed != nullptr ? AccumulatorType(types[i]) : types[i]);
  }
  hero->init = [&emitter, &inst, num_inputs, types, accumulators = hero->types] {
    std::vector<Value> values;
    for (int64_t i = 0; i < num_inputs; ++i) {
      const Value init = ConvertTo(emitter.At(inst.operand(num_inputs + i), {}), types[i]);
      values.push_back(ConvertTo(init, accumulators[i]));
    }
    return values;
  };
  if (op.has_value()) {
    absl::StatusOr<Value> identity = IdentityOf(*op, hero->types[0]);
    if (identity.ok()) hero->identity = {*identity};
  }
  hero->associative = !hero->identity.empty() || IsAssociativeOrder(*body);
  if (relaxed != nullptr) {
    // A wide term is one of the body's type first.
    hero->combine = [relaxed, type = types[0], accumulator = hero->types[0]](
                        const std::vector<Value>& acc, const std::vector<Value>& term) {
      const Value value = ConvertTo(ConvertTo(term[0], type), accumulator);
      return std::vector<Value>{relaxed(acc[0], value)};
    };
    hero->merge = [relaxed](const std::vector<Value>& a, const std::vector<Value>& b) {
      return std::vector<Value>{relaxed(a[0], b[0])};
    };
    return;
  }
  hero->combine = [&emitter, body](const std::vector<Value>& acc, const std::vector<Value>& term) {
    std::vector<Value> arguments = acc;
    arguments.insert(arguments.end(), term.begin(), term.end());
    return emitter.Apply(*body, arguments);
  };
  hero->merge = hero->combine;
}

void LowerReduce(Emitter& emitter, const Instruction& inst, Hero* hero) {
  hero->kind = Hero::Kind::kReduction;
  const int64_t num_inputs = static_cast<int64_t>(inst.operands.size()) / 2;
  const hlo::Shape& input = inst.operand(0)->shape;
  hlo::Ints reduced = inst.GetInts(hlo::Attr::kDimensions);
  std::sort(reduced.begin(), reduced.end());
  for (size_t i = reduced.size(); i-- > 0;) hero->reduce_extents.push_back(input.dim(reduced[i]));
  // A reduce over no dimension folds one term into its initial value.
  if (reduced.empty()) hero->reduce_extents.push_back(1);
  hero->inner_reduced = !reduced.empty() && reduced.back() == input.rank() - 1;
  SetFold(emitter, inst, num_inputs, hero);
  hero->term = [&emitter, &inst, reduced, num_inputs, rank = input.rank()](const Indices& axes,
                                                                           const Indices& r) {
    const LogicalIndex kept = Emitter::ToLogical(axes);
    LogicalIndex index;
    size_t next_kept = 0, next_reduced = 0;
    for (int64_t d = 0; d < rank; ++d) {
      if (next_reduced < reduced.size() && reduced[next_reduced] == d) {
        index.push_back(r[reduced.size() - 1 - next_reduced]);
        ++next_reduced;
      } else {
        index.push_back(kept[next_kept++]);
      }
    }
    std::vector<Value> values;
    for (int64_t i = 0; i < num_inputs; ++i) values.push_back(emitter.At(inst.operand(i), index));
    return values;
  };
}

void FoldKeys(Hero* hero) {
  if (hero->kind != Hero::Kind::kReduction || hero->types.size() != 1 || hero->identity.empty())
    return;
  const hlo::ElementType type = hero->types[0];
  const std::optional<Opcode> op = SingleCommutativeOp(*hero->instruction->called[0]);
  if ((op != Opcode::kMaximum && op != Opcode::kMinimum) || !hlo::IsFloat(type)) return;
  const bool wide = ComputeType(type).bits() == 64;
  if (wide ? !numerics::Traits().rounds_wide : !numerics::Traits().maxima) return;
  const bool greatest = op == Opcode::kMaximum;
  const hlo::ElementType key_type = wide ? hlo::ElementType::kS64 : hlo::ElementType::kS32;
  auto key = [=](const Value& value) {
    return Value{key_type, numerics::ExtremeKey({ConvertTo(value, type).re}, greatest), {}};
  };
  hero->types = {key_type};
  hero->init = [key, init = hero->init] { return std::vector<Value>{key(init()[0])}; };
  hero->identity = {key(hero->identity[0])};
  hero->merge = [greatest](const std::vector<Value>& a, const std::vector<Value>& b) {
    const Halide::Expr extreme =
        greatest ? Halide::max(a[0].re, b[0].re) : Halide::min(a[0].re, b[0].re);
    return std::vector<Value>{{a[0].type, extreme, {}}};
  };
  hero->combine = [key, merge = hero->merge](const std::vector<Value>& acc,
                                             const std::vector<Value>& term) {
    return merge(acc, {key(term[0])});
  };
  hero->finish = [type, greatest](const Value& accumulator) {
    return Value{type, numerics::OfExtremeKey(accumulator.re, greatest).e, {}};
  };
}

}  // namespace halyard::lowering
