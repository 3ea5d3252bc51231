// Ops that only a vendor's library computes. In the text of the algorithm, they appear as calls of
// an op on its operands.

#include "frontend/hlo/ir/op_table.h"
#include "lowering/kernels/emitter.h"

namespace halyard::lowering {

using Halide::Expr;
using hlo::Instruction;

std::vector<Value> LowerLibraryOp(Emitter& emitter, const Instruction& inst,
                                  const LogicalIndex& index) {
  std::vector<Expr> arguments(index.begin(), index.end());
  for (const Instruction* operand : inst.operands) {
    const Value first = emitter.At(operand, LogicalIndex(operand->shape.rank(), Expr(0)));
    arguments.push_back(first.re);
  }
  std::vector<Value> leaves;
  for (const hlo::Shape& leaf : hlo::FlattenShape(inst.shape)) {
    const hlo::ElementType type = leaf.element_type();
    const auto part = [&](const char* name) {
      std::vector<Expr> call = arguments;
      call.push_back(static_cast<int32_t>(leaves.size()));
      return Halide::Internal::Call::make(StorageType(type),
                                          std::string(hlo::RowOf(inst.opcode).hlo_name) + name,
                                          call, Halide::Internal::Call::PureExtern);
    };
    leaves.push_back(hlo::IsComplex(type) ? FromStorage(type, part(".re"), part(".im"))
                                          : FromStorage(type, part("")));
  }
  return leaves;
}

}  // namespace halyard::lowering
