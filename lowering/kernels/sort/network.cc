// sort-pass: passes of a sorting network along the last dimension (semantics:
// frontend/hlo/evaluate/sort_pass.cc). Each element of a pass finds its partner and takes whichever
// of the two belongs here.

#include "lowering/kernels/emitter.h"
#include "lowering/kernels/sort/define.h"

namespace halyard::lowering {

using Halide::Expr;
using hlo::Instruction;

namespace {

// Chooses between the values at `position` and at its partner.
std::vector<Value> Choose(Emitter& emitter, const Instruction& inst, const Expr& position,
                          const Expr& partner, const std::vector<Value>& own,
                          const std::vector<Value>& other) {
  const int32_t length = static_cast<int32_t>(inst.operand(0)->shape.dims().back());
  const Expr is_low = position < partner;
  std::vector<Value> arguments;
  for (size_t k = 0; k < own.size(); ++k) {
    arguments.push_back(SelectValue(is_low, other[k], own[k]));
    arguments.push_back(SelectValue(is_low, own[k], other[k]));
  }
  // A mask of 0 makes a position its own partner, which comes not before itself.
  const Expr inside = partner >= 0 && partner < length;
  const Expr swap = emitter.Apply(*inst.called[0], arguments)[0].re && inside;
  std::vector<Value> values;
  for (size_t k = 0; k < own.size(); ++k) values.push_back(SelectValue(swap, other[k], own[k]));
  return values;
}

Expr MaskOf(Emitter& emitter, const Instruction& inst, int64_t pass) {
  return Halide::cast<int32_t>(
      emitter.At(inst.operands.back(), {Expr(static_cast<int32_t>(pass))}).re);
}

}  // namespace

std::vector<Value> LowerSortPass(Emitter& emitter, const Instruction& inst,
                                 const LogicalIndex& index) {
  const int32_t length = static_cast<int32_t>(inst.operand(0)->shape.dims().back());
  const Expr position = index.back(), partner = position ^ MaskOf(emitter, inst, 0);
  LogicalIndex there = index;
  there.back() = ClampInt(partner, 0, length - 1);
  std::vector<Value> own, other;
  for (size_t k = 0; k + 1 < inst.operands.size(); ++k) {
    own.push_back(emitter.At(inst.operand(k), index));
    other.push_back(emitter.At(inst.operand(k), there));
  }
  return Choose(emitter, inst, position, partner, own, other);
}

void LowerExchange(Emitter& emitter, const Instruction& inst, Exchange* exchange) {
  const size_t arrays = inst.operands.size() - 1;
  const hlo::Shape& shape = inst.operand(0)->shape;
  const int32_t length = static_cast<int32_t>(shape.dims().back());
  const bool one_line = shape.rank() == 1;
  exchange->instruction = &inst;
  exchange->block = inst.GetInt(hlo::Attr::kK, 0);
  exchange->passes = inst.operands.back()->shape.dim(0);
  std::vector<hlo::ElementType> types;
  for (size_t k = 0; k < arrays; ++k) {
    types.push_back(inst.operand(k)->shape.element_type());
    exchange->bytes += hlo::StorageBytes(types.back());
  }
  const auto store = [](const std::vector<Value>& values) {
    Exchange::Elements elements;
    for (const Value& value : values) elements.push_back(ToStorage(value));
    return elements;
  };
  exchange->load = [=, &emitter, &inst](const Expr& line, const Expr& position) {
    LogicalIndex index;
    if (!one_line) index.push_back(line);
    index.push_back(ClampInt(position, 0, length - 1));
    std::vector<Value> values;
    for (size_t k = 0; k < arrays; ++k) values.push_back(emitter.At(inst.operand(k), index));
    return store(values);
  };
  exchange->exchange = [=, &emitter, &inst](int64_t pass, const Expr& i, const Expr& first,
                                            const auto& before) {
    const int32_t last = static_cast<int32_t>(exchange->block) - 1;
    const Expr there =
        Halide::unsafe_promise_clamped((i ^ MaskOf(emitter, inst, pass)) & last, 0, last);
    const auto values = [&](const Expr& at) {
      const Exchange::Elements elements = before(at);
      std::vector<Value> result;
      for (size_t k = 0; k < arrays; ++k) result.push_back(FromStorage(types[k], elements[k]));
      return result;
    };
    return store(Choose(emitter, inst, first + i, first + there, values(i), values(there)));
  };
}

}  // namespace halyard::lowering
