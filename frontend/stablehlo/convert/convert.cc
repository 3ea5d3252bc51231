// Blocks, operations, values.
#include "frontend/stablehlo/convert/convert.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/values/quantized.h"

namespace halyard::stablehlo {

using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;
using mlir::Type;
using mlir::TypeKind;

namespace {

bool HasUnrankedType(const mlir::Operation& op) {
  auto unranked = [](const auto& value) { return value->type->kind == TypeKind::kUnranked; };
  return std::any_of(op.operands.begin(), op.operands.end(), unranked) ||
         std::any_of(op.results.begin(), op.results.end(), unranked);
}

bool IsTerminator(absl::string_view op_name) {
  return op_name == "func.return" || op_name == "stablehlo.return" || op_name == "sdy.return";
}

}  // namespace

bool Converter::Fail(const Operation& op, absl::string_view message) {
  return errors_.Fail(op.offset, absl::StrCat("'", op.name, "': ", message));
}

void Converter::CannotRun(size_t offset, absl::string_view message) {
  absl::Status status = absl::UnimplementedError(errors_.source().ErrorAt(offset, message));
  if (!open_functions_.empty()) {
    cannot_run_.emplace(open_functions_.back(), std::move(status));
  } else if (runnable_.ok()) {
    runnable_ = std::move(status);
  }
}

bool Converter::OneBlock(const Operation& owner, const Region& region, const mlir::Block** block) {
  if (region.blocks.size() != 1) {
    return errors_.Fail(region.offset,
                        absl::StrCat("'", owner.name, "': a region must have one block, has ",
                                     region.blocks.size()));
  }
  *block = region.blocks[0].get();
  return true;
}

bool Converter::ConvertBlock(const Operation& owner, const mlir::Block& block, Frame& frame,
                             Instructions* results) {
  for (size_t i = 0; i < block.operations.size(); ++i) {
    const Operation& op = *block.operations[i];
    if (!IsTerminator(op.name)) {
      if (!ConvertOperation(op, frame)) return false;
      continue;
    }
    if (i + 1 < block.operations.size()) return Fail(op, "must be the last operation of its block");
    return Operands(op, frame, results);
  }
  return errors_.Fail(block.offset,
                      absl::StrCat("'", owner.name, "': the block does not end with a return"));
}

bool Converter::OpcodeOf(const Operation& op, Opcode* opcode) {
  absl::string_view name = op.name;
  std::optional<Opcode> found;
  if (absl::ConsumePrefix(&name, "stablehlo.")) found = hlo::OpcodeFromStableHloName(name);
  if (!found.has_value()) return Fail(op, "this operation is not supported");
  *opcode = *found;
  return true;
}

bool Converter::ConvertOperation(const Operation& op, Frame& frame) {
  const Errors::Owner owner(errors_, op.offset);
  if (!CheckTypes(op)) return false;
  if (absl::StartsWith(op.name, "chlo.") && HasUnrankedType(op)) {
    return EmitStandIn(op, frame, "tensors without a rank");
  }
  if (op.Attr("result_accuracy") != nullptr && !CheckAccuracy(op)) return false;
  size_t before = frame.computation->instructions().size();
  auto handler = Handlers().find(op.name);
  if (handler != Handlers().end()) {
    if (!(this->*handler->second)(op, frame)) return false;
  } else {
    // Ops that return their operands.
    Opcode opcode;
    if (!OpcodeOf(op, &opcode)) return false;
    const hlo::OpRow& row = hlo::RowOf(opcode);
    if (!row.required.empty() || !row.called.empty()) {
      return Fail(op, "this operation is not supported");
    }
    if (!Plain(op, frame, opcode)) return false;
  }
  const auto& instructions = frame.computation->instructions();
  if (before == instructions.size()) return true;
  hlo::Provenance provenance = ProvenanceOf(op.offset, op.location);
  for (size_t i = before; i < instructions.size(); ++i) {
    if (instructions[i]->provenance.locations.empty()) instructions[i]->provenance = provenance;
  }
  size_t last = instructions.size() - 1;
  while (last > before && instructions[last]->opcode == Opcode::kGetTupleElement) --last;
  KeepMetadata(op, instructions[last].get());
  return true;
}

bool Converter::Operand(const Operation& op, const Value& value, Frame& frame, Instruction** inst) {
  auto found = frame.values.find(&value);
  if (found == frame.values.end() && value.owner != nullptr &&
      value.owner->name == "stablehlo.constant") {
    // Every computation that uses a constant from outside gets its own copy. The copies share the
    // bytes.
    if (!ConvertOperation(*value.owner, frame)) return false;
    found = frame.values.find(&value);
  }
  if (found == frame.values.end()) {
    return Fail(op, absl::StrCat("'%", value.name,
                                 "' cannot be used here: it is defined outside, "
                                 "and is no scalar"));
  }
  *inst = found->second;
  return true;
}

bool Converter::Operands(const Operation& op, Frame& frame, Instructions* insts) {
  insts->resize(op.operands.size());
  for (size_t i = 0; i < op.operands.size(); ++i) {
    if (!Operand(op, *op.operands[i], frame, &(*insts)[i])) return false;
  }
  return true;
}

Instruction* Converter::Element(Frame& frame, Instruction* tuple, int64_t index) {
  hlo::AttrMap attrs;
  attrs.Set(hlo::Attr::kIndex, index);
  return frame.computation->Add(Opcode::kGetTupleElement, tuple->shape.elements()[index], {tuple},
                                std::move(attrs));
}

Instruction* Converter::Pack(const Operation& op, Frame& frame, const Instructions& values) {
  if (values.size() == 1) return values[0];
  std::vector<Shape> shapes;
  for (const Instruction* value : values) shapes.push_back(value->shape);
  Instruction* tuple =
      frame.computation->Add(Opcode::kTuple, Shape::Tuple(std::move(shapes)), values);
  tuple->provenance = ProvenanceOf(op.offset, op.location);
  return tuple;
}

bool Converter::Emit(const Operation& op, Frame& frame, Opcode opcode, Instructions operands,
                     hlo::AttrMap attrs, std::vector<hlo::Computation*> called, bool any) {
  std::vector<Shape> shapes;
  if (!ResultShapes(op, &shapes, any)) return false;
  bool tuple = shapes.size() != 1;
  Shape shape = tuple ? Shape::Tuple(std::move(shapes)) : std::move(shapes[0]);
  Instruction* inst = frame.computation->Add(opcode, std::move(shape), std::move(operands),
                                             std::move(attrs), std::move(called));
  for (size_t i = 0; i < op.results.size(); ++i) {
    frame.values[op.results[i].get()] = tuple ? Element(frame, inst, i) : inst;
  }
  return true;
}

bool Converter::EmitStandIn(const Operation& op, Frame& frame, absl::string_view why) {
  CannotRun(op.offset, absl::StrCat("'", op.name, "': cannot be run with ", why));
  Instructions operands;
  hlo::AttrMap attrs;
  attrs.Set(hlo::Attr::kCustomCallTarget, op.name);
  return Operands(op, frame, &operands) &&
         Emit(op, frame, Opcode::kCustomCall, std::move(operands), std::move(attrs));
}

bool Converter::Plain(const Operation& op, Frame& frame, Opcode opcode, hlo::AttrMap attrs) {
  Instructions operands;
  return Operands(op, frame, &operands) &&
         Emit(op, frame, opcode, std::move(operands), std::move(attrs));
}

}  // namespace halyard::stablehlo
