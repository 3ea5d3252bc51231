// counting-pass: a stable counting sort of each line (semantics:
// frontend/hlo/evaluate/sort_pass.cc).

#include "absl/strings/str_cat.h"
#include "lowering/kernels/emitter.h"
#include "lowering/kernels/marks.h"

namespace halyard::lowering {

using Halide::Expr;
using hlo::Instruction;

void LowerCountingPass(Emitter& emitter, const Instruction& inst, Sequence* sequence) {
  const hlo::Shape& shape = inst.operand(0)->shape;
  if (shape.rank() != 2) throw EmitError(absl::StrCat(inst.name, ": sorts lines of a matrix only"));
  sequence->start = Sequence::Start::kUnset;
  auto counting = std::make_unique<CountingPass>();
  counting->length = shape.dim(1);
  counting->lines = shape.dim(0);
  counting->digits = inst.GetInt(hlo::Attr::kK);
  auto values = [&emitter, &inst](const Indices& at) {
    std::vector<Value> elements;
    for (const Instruction* operand : inst.operands) {
      elements.push_back(emitter.At(operand, Emitter::ToLogical(at)));
    }
    return elements;
  };
  counting->digit = [&emitter, &inst, values, last = counting->digits - 1](const Indices& at) {
    return ClampInt(OfUnknownBounds(emitter.Apply(*inst.called[0], values(at))[0].re), 0, last);
  };
  counting->elements = [values](const Indices& at) {
    std::vector<Expr> exprs;
    for (const Value& value : values(at)) exprs.push_back(ToStorage(value));
    return exprs;
  };
  sequence->counting = std::move(counting);
}

}  // namespace halyard::lowering
