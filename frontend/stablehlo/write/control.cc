// while, conditional, calls and composites.
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "frontend/hlo/processes/transfer_pairs.h"
#include "frontend/hlo_text/cursor.h"
#include "frontend/mlir/parser.h"
#include "frontend/stablehlo/syntax/syntax.h"
#include "frontend/stablehlo/write/module.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::Instruction;
using hlo::Shape;
using mlir::Attribute;
using mlir::Operation;

// The state is the leaves of the tuple.
bool Writer::WriteWhile(const Instruction& inst, Frame& frame) {
  Operation* op = Leafwise(inst, frame);
  return op != nullptr && WriteRegion(*inst.called[0], op) && WriteRegion(*inst.called[1], op);
}

// Branches have no arguments: they use the operands.
bool Writer::WriteConditional(const Instruction& inst, Frame& frame) {
  const Tree* index = Find(*inst.operands[0], frame);
  if (index == nullptr) return false;
  const bool two = inst.operands[0]->shape.element_type() == hlo::ElementType::kPred;
  Operation* op =
      Op(frame, two ? "stablehlo.if" : "stablehlo.case", {index->value}, LeafTypes(inst.shape));
  for (size_t i = 0; i < inst.called.size(); ++i) {
    const Tree* operand = Find(*inst.operands[i + 1], frame);
    if (operand == nullptr) return false;
    // A tuple's elements are taken inside, where they are wanted.
    if (!WriteRegion(*inst.called[i], op, {*operand}, nullptr)) return false;
  }
  Values results;
  for (const auto& result : op->results) results.push_back(result.get());
  size_t next = 0;
  frame.values[&inst] = TreeOf(inst.shape, results, &next);
  return true;
}

bool Writer::WriteCall(const Instruction& inst, Frame& frame) {
  if (inst.GetBool(Attr::kIsComposite)) return WriteComposite(inst, frame);
  Values operands;
  if (!Singles(inst, frame, &operands)) return false;
  Operation* op = Op(frame, "func.call", std::move(operands), ResultTypes(inst.shape));
  Set(op, "callee", nodes_.Symbol(FunctionName(inst.called[0])));
  frame.values[&inst] = ResultTree(inst.shape, *op);
  return true;
}

// An attribute in MLIR's syntax. False if it is not, without an error.
bool Writer::ParseText(absl::string_view text, const Attribute** attribute) {
  auto part = std::make_unique<mlir::Document>(text, "");
  mlir::Parser parser(*part, StableHloSyntax());
  if (!parser.ParseAttribute(attribute) || !parser.Finish()) return false;
  document_.parts.push_back(std::move(part));
  return true;
}

// `{a="x",b={…}}`: names and texts, braces included. False if it is not that.
bool Writer::ReadFrontendAttributes(const Instruction& inst,
                                    std::vector<std::pair<std::string, std::string>>* attributes) {
  hlo_text::Cursor cursor(inst.GetString(Attr::kFrontendAttributes), "");
  if (!cursor.Expect('{')) return Fail(inst, "frontend_attributes cannot be read");
  while (!cursor.TryChar('}')) {
    auto& [name, value] = attributes->emplace_back();
    absl::string_view braces;
    const bool read = cursor.Name(&name, "a name") && cursor.Expect('=') &&
                      (cursor.Peek() == '"' ? cursor.String(&value) : cursor.Braces(&braces));
    if (!read) return Fail(inst, "frontend_attributes cannot be read");
    if (!braces.empty()) value = std::string(braces);
    cursor.TryChar(',');
  }
  return true;
}

// Beside those of a composite, which are its own attributes, and the pairs of a send or recv, for
// which StableHLO has one.
bool Writer::SetFrontendAttributes(const Instruction& inst, Operation* op) {
  if (!inst.Has(Attr::kFrontendAttributes) || inst.GetBool(Attr::kIsComposite)) return true;
  std::vector<std::pair<std::string, std::string>> attributes;
  if (!ReadFrontendAttributes(inst, &attributes)) return false;
  const bool transfer = inst.opcode == hlo::Opcode::kSend || inst.opcode == hlo::Opcode::kRecv;
  Fields fields;
  for (const auto& [name, value] : attributes) {
    hlo::IntLists pairs;
    // Without a pair, the attribute would count as absent.
    if (transfer && name == hlo::kTransferPairs && hlo::ReadTransferPairs(value, &pairs) &&
        !pairs.empty()) {
      Set(op, "source_target_pairs", nodes_.Matrix(pairs, 2));
      continue;
    }
    fields.emplace_back(name, nodes_.String(value));
  }
  if (!fields.empty()) Set(op, "mhlo.frontend_attributes", nodes_.Dictionary(fields));
  return true;
}

// `{composite.name="my.op",composite.attributes={…},composite.version="1"}`
bool Writer::WriteComposite(const Instruction& inst, Frame& frame) {
  std::string name, attributes;
  int64_t version = 0;
  std::vector<std::pair<std::string, std::string>> given;
  if (!ReadFrontendAttributes(inst, &given)) return false;
  for (const auto& [key, value] : given) {
    if (key == "composite.name") name = value;
    if (key == "composite.attributes") attributes = value;
    if (key == "composite.version" && !absl::SimpleAtoi(value, &version)) {
      return Fail(inst, "composite.version is not a number");
    }
  }
  const Attribute* fields = nullptr;
  if (!attributes.empty() &&
      (!ParseText(attributes, &fields) || !fields->Is(mlir::AttributeKind::kDictionary))) {
    return Fail(inst, "composite.attributes are no dictionary in MLIR's syntax");
  }
  Values operands;
  if (!Singles(inst, frame, &operands)) return false;
  Operation* op = Op(frame, "stablehlo.composite", std::move(operands), ResultTypes(inst.shape));
  Set(op, "name", nodes_.String(name));
  if (fields != nullptr && !fields->entries.empty()) Set(op, "composite_attributes", fields);
  Set(op, "decomposition", nodes_.Symbol(FunctionName(inst.called[0])));
  if (version != 0) Set(op, "version", nodes_.Int(version, 32));
  frame.values[&inst] = ResultTree(inst.shape, *op);
  return true;
}

}  // namespace halyard::stablehlo
