#include <algorithm>

#include "frontend/hlo_text/call_types.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;
using hlo_text::MajorToMinor;

std::vector<int64_t> PhysicalDims(const Shape& shape) {
  std::vector<int64_t> dims;
  for (int64_t d : MajorToMinor(shape)) dims.push_back(shape.dim(d));
  return dims;
}

// bitcast keeps the bytes in memory: to physical order, reshape, and back to logical order.
Instruction* ExpandBitcast(Rewriter& rewriter, const Instruction& bitcast,
                           const Shape& from_shape) {
  Instruction* value =
      rewriter.AddTranspose(bitcast, bitcast.operands[0], MajorToMinor(from_shape));
  const Shape& to = bitcast.shape;
  if (to.element_type() != from_shape.element_type()) {
    int64_t ratio = hlo::BitWidth(to.element_type()) / hlo::BitWidth(from_shape.element_type());
    std::vector<int64_t> dims = PhysicalDims(from_shape);
    if (ratio != 1) dims = PhysicalDims(to);
    value = rewriter.Add(bitcast, Opcode::kBitcastConvert, Shape::Array(to.element_type(), dims),
                         {value});
  }
  value = rewriter.AddReshape(bitcast, value, PhysicalDims(to));
  std::vector<int64_t> order = MajorToMinor(to), back(order.size());
  for (size_t i = 0; i < order.size(); ++i) back[order[i]] = static_cast<int64_t>(i);
  return rewriter.AddTranspose(bitcast, value, back);
}

bool SameWidth(const Shape& a, const Shape& b) {
  return hlo::BitWidth(a.element_type()) == hlo::BitWidth(b.element_type());
}

}  // namespace

absl::Status StripLayouts(hlo::Module& module) {
  for (const auto& computation : module.computations()) {
    Rewriter rewriter(computation.get());
    // Shapes with their layouts, before any is stripped.
    std::unordered_map<const Instruction*, Shape> shapes;
    std::vector<Instruction*> list = rewriter.Snapshot();
    for (Instruction* inst : list) shapes[inst] = inst->shape;
    for (Instruction* inst : list) {
      const Instruction* operand = inst->operands.empty() ? nullptr : inst->operands[0];
      Shape operand_shape = operand != nullptr ? shapes[operand] : Shape();
      rewriter.ResolveOperands(inst);
      if (inst->opcode == Opcode::kBitcast) {
        if (!SameWidth(inst->shape, operand_shape)) {
          return LocatedError(absl::StatusCode::kUnimplemented, *inst,
                              "a bitcast between element types of different widths");
        }
        rewriter.Replace(inst, ExpandBitcast(rewriter, *inst, operand_shape));
      } else if (inst->opcode == Opcode::kCopy) {
        rewriter.Replace(inst, inst->operands[0]);
      } else {
        inst->shape = inst->shape.WithDefaultLayout();
        if (inst->opcode == Opcode::kConstant && inst->literal.shape().IsArray() &&
            !inst->literal.shape().HasDefaultLayout()) {
          auto owner = std::make_shared<hlo::Literal>(inst->literal);
          inst->literal = hlo::Literal::Borrow(inst->shape, owner->bytes().data(), owner);
        }
      }
    }
    if (absl::Status s = rewriter.Finish(); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
