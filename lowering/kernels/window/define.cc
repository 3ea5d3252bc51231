// reduce-window: a fold over a window of the padded input; padding and dilation holes hold the init
// value.

#include "lowering/kernels/reduction/define.h"

#include "lowering/kernels/emitter.h"

namespace halyard::lowering {

using hlo::Instruction;

void LowerReduceWindow(Emitter& emitter, const Instruction& inst, Hero* hero) {
  hero->kind = Hero::Kind::kWindow;
  const int64_t num_inputs = static_cast<int64_t>(inst.operands.size()) / 2;
  const hlo::Window& window = inst.GetWindow();
  const hlo::Shape& input = inst.operand(0)->shape;
  for (size_t d = window.dims.size(); d-- > 0;) hero->reduce_extents.push_back(window.dims[d].size);
  SetFold(emitter, inst, num_inputs, hero);
  hero->term = [&emitter, &inst, &window, &input, num_inputs](const Indices& axes,
                                                              const Indices& r) {
    const LogicalIndex out = Emitter::ToLogical(axes), k = Emitter::ToLogical(r);
    LogicalIndex index;
    Halide::Expr inside;
    for (size_t d = 0; d < window.dims.size(); ++d) {
      WindowPosition position = WindowIndex(window.dims[d], input.dim(d), out[d], k[d]);
      index.push_back(position.index);
      if (position.inside.defined())
        inside = inside.defined() ? inside && position.inside : position.inside;
    }
    std::vector<Value> values;
    for (int64_t i = 0; i < num_inputs; ++i) {
      Value value = emitter.At(inst.operand(i), index);
      if (inside.defined())
        value = SelectValue(inside, value, emitter.At(inst.operand(num_inputs + i), {}));
      values.push_back(value);
    }
    return values;
  };
}

}  // namespace halyard::lowering
