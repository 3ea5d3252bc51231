// Blocks, operations, values, types.
#include "frontend/stablehlo/convert.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "frontend/hlo/op_table.h"
#include "frontend/hlo/quantized.h"

namespace halyard::stablehlo {

using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;
using mlir::Type;
using mlir::TypeKind;

namespace {

bool IsTerminator(absl::string_view op_name) {
  return op_name == "func.return" || op_name == "stablehlo.return" || op_name == "sdy.return";
}

// What a quantized element type says, with the defaults of what it leaves out.
std::shared_ptr<const hlo::Quantization> QuantizationOf(const Type& element) {
  auto quantization = std::make_shared<hlo::Quantization>();
  std::optional<hlo::ElementType> storage = mlir::ScalarType(*element.elements[0]);
  std::optional<hlo::ElementType> expressed = mlir::ScalarType(*element.elements[1]);
  // tf32 is no type of a value: not a float type, so that the check refuses it.
  quantization->expressed = expressed.value_or(hlo::ElementType::kPred);
  const mlir::QuantParams& quant = *element.quant;
  bool integer = storage.has_value() && hlo::IsInteger(*storage);
  quantization->storage_min = quant.storage_min.value_or(integer ? hlo::MinValue(*storage) : 0);
  quantization->storage_max = quant.storage_max.value_or(integer ? hlo::MaxValue(*storage) : 0);
  quantization->dimension = quant.dimension;
  quantization->scales = quant.scales;
  quantization->zero_points = quant.zero_points;
  if (expressed.has_value()) hlo::RoundScales(quantization.get());
  return quantization;
}

}  // namespace

bool Converter::Fail(const Operation& op, absl::string_view message) {
  return errors_.Fail(op.offset, absl::StrCat("'", op.name, "': ", message));
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
  if (op.Attr("result_accuracy") != nullptr && !CheckAccuracy(op)) return false;
  size_t before = frame.computation->instructions().size();
  auto handler = Handlers().find(op.name);
  if (handler != Handlers().end()) {
    if (!(this->*handler->second)(op, frame)) return false;
  } else {
    // Ops that are nothing but their operands.
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

bool Converter::ShapeOf(const Type& type, Shape* shape) {
  auto fail = [&](absl::string_view message) { return errors_.Fail(type.offset, message); };
  if (type.kind == TypeKind::kTuple) {
    std::vector<Shape> elements(type.elements.size());
    for (size_t i = 0; i < elements.size(); ++i) {
      if (!ShapeOf(*type.elements[i], &elements[i])) return false;
    }
    *shape = Shape::Tuple(std::move(elements));
    return true;
  }
  if (type.kind == TypeKind::kOpaque && absl::EndsWith(type.name, "token")) {
    *shape = Shape::Token();
    return true;
  }
  if (!type.IsTensor()) {
    return fail(
        absl::StrCat(ToString(type), " is no type of a value: expected a tensor, tuple or token"));
  }
  const Type& element = *type.elements[0];
  std::optional<hlo::ElementType> scalar = mlir::ScalarType(element);
  if (!scalar.has_value()) {
    return fail(absl::StrCat("unsupported element type: ", ToString(type)));
  }
  *shape = Shape::Array(*scalar, type.dims);  // mlir::kDynamic is Shape::kUnbounded
  if (type.encoding != nullptr && !ReadBounds(type, shape)) return false;
  if (!hlo::ByteSizeFits(*shape)) {
    return fail(absl::StrCat("the size of ", ToString(type), " does not fit in 64 bits"));
  }
  if (element.kind == TypeKind::kQuantized) {
    *shape = shape->WithQuantization(QuantizationOf(element));
    absl::Status valid = hlo::CheckQuantizedShape(*shape);
    if (!valid.ok()) return fail(absl::StrCat(valid.message(), ": ", ToString(type)));
  }
  return true;
}

bool Converter::ResultShapes(const Operation& op, std::vector<Shape>* shapes) {
  shapes->resize(op.results.size());
  for (size_t i = 0; i < op.results.size(); ++i) {
    if (!ShapeOf(*op.results[i]->type, &(*shapes)[i])) return false;
  }
  return true;
}

bool Converter::Operand(const Operation& op, const Value& value, Frame& frame, Instruction** inst) {
  auto found = frame.values.find(&value);
  if (found == frame.values.end() && value.owner != nullptr &&
      value.owner->name == "stablehlo.constant") {
    // A constant of outside: every computation that uses it gets its own; the bytes are shared.
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
                     hlo::AttrMap attrs, std::vector<hlo::Computation*> called) {
  std::vector<Shape> shapes;
  if (!ResultShapes(op, &shapes)) return false;
  bool tuple = shapes.size() != 1;
  Shape shape = tuple ? Shape::Tuple(std::move(shapes)) : std::move(shapes[0]);
  Instruction* inst = frame.computation->Add(opcode, std::move(shape), std::move(operands),
                                             std::move(attrs), std::move(called));
  for (size_t i = 0; i < op.results.size(); ++i) {
    frame.values[op.results[i].get()] = tuple ? Element(frame, inst, i) : inst;
  }
  return true;
}

bool Converter::Plain(const Operation& op, Frame& frame, Opcode opcode, hlo::AttrMap attrs) {
  Instructions operands;
  return Operands(op, frame, &operands) &&
         Emit(op, frame, opcode, std::move(operands), std::move(attrs));
}

}  // namespace halyard::stablehlo
