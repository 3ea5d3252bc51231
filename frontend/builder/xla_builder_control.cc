// Structure and control flow.
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "frontend/builder/operands.h"
#include "frontend/builder/xla_builder.h"

namespace halyard {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Instruction;
using hlo::Opcode;

XlaOp XlaBuilder::Tuple(absl::Span<const XlaOp> elements) {
  return AddOp(Opcode::kTuple, elements);
}

XlaOp XlaBuilder::GetTupleElement(XlaOp tuple, int64_t index) {
  AttrMap attrs;
  attrs.Set(Attr::kIndex, index);
  return AddOp(Opcode::kGetTupleElement, {tuple}, std::move(attrs));
}

XlaOp XlaBuilder::Call(const XlaComputation& computation, absl::Span<const XlaOp> operands) {
  return AddOp(Opcode::kCall, operands, {}, {&computation});
}

XlaOp XlaBuilder::While(const XlaComputation& condition, const XlaComputation& body, XlaOp init) {
  return AddOp(Opcode::kWhile, {init}, {}, {&condition, &body});
}

XlaOp XlaBuilder::Conditional(XlaOp pred, XlaOp true_operand,
                              const XlaComputation& true_computation, XlaOp false_operand,
                              const XlaComputation& false_computation) {
  return AddOp(Opcode::kConditional, {pred, true_operand, false_operand}, {},
               {&true_computation, &false_computation});
}

XlaOp XlaBuilder::Conditional(XlaOp branch_index, absl::Span<const XlaComputation* const> branches,
                              absl::Span<const XlaOp> branch_operands) {
  return AddOp(Opcode::kConditional, Joined({branch_index}, branch_operands), {}, branches);
}

namespace {

// [a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+
bool IsNamespacedOpName(absl::string_view name) {
  if (name.empty() || !absl::ascii_isalpha(name[0])) return false;
  bool in_namespace = true;
  for (size_t i = 0; i < name.size(); ++i) {
    char c = name[i];
    if (c == '.') {
      in_namespace = false;
      if (i + 1 == name.size() || name[i + 1] == '.') return false;
    } else if (!absl::ascii_isalnum(c) && c != '_' && (c != '$' || in_namespace)) {
      return false;
    }
  }
  return !in_namespace;
}

}  // namespace

XlaOp XlaBuilder::CompositeCall(const XlaComputation& computation, absl::Span<const XlaOp> operands,
                                const std::string& name,
                                const std::optional<std::string>& attributes,
                                std::optional<int64_t> version) {
  if (!IsNamespacedOpName(name)) {
    return Error("composite call",
                 absl::StrCat("C1: \"", name, "\" is no op name of a namespace (\"foo.bar\")"));
  }
  AttrMap attrs;
  attrs.Set(Attr::kIsComposite, true);
  attrs.Set(Attr::kFrontendAttributes,
            absl::StrCat("{composite.name=\"", name,
                         "\",composite.attributes=", attributes.value_or("{}"),
                         ",composite.version=\"", version.value_or(0), "\"}"));
  return AddOp(Opcode::kCall, operands, std::move(attrs), {&computation});
}

XlaOp XlaBuilder::CustomCall(const std::string& target, absl::Span<const XlaOp> operands,
                             const Shape& shape, const std::string& backend_config,
                             bool has_side_effect) {
  AttrMap attrs;
  attrs.Set(Attr::kCustomCallTarget, target);
  if (!backend_config.empty()) attrs.Set(Attr::kBackendConfig, backend_config);
  if (has_side_effect) attrs.Set(Attr::kHasSideEffect, true);
  return AddOp(Opcode::kCustomCall, operands, std::move(attrs), {}, shape);
}

void XlaBuilder::Trace(const std::string& tag, XlaOp operand) {
  if (!Usable(Opcode::kCustomCall, {operand})) return;
  const Shape& shape = ShapeOf(operand);
  if (!shape.IsArray()) {
    for (XlaOp leaf : Leaves(operand)) Trace(tag, leaf);
    return;
  }
  // What prints it is told the tag, the element type and the sizes: see client/reports/trace.cc.
  std::string config =
      absl::StrCat("{", absl::BytesToHexString(tag), ",", hlo::HloName(shape.element_type()));
  for (int64_t size : shape.dims()) absl::StrAppend(&config, ",", size);
  absl::StrAppend(&config, "}");
  Instruction* last = last_;
  XlaOp trace = CustomCall("halyard.trace", {operand}, Shape::Tuple({}), config, true);
  if (trace.valid() && last != nullptr) last_ = last;  // no result of it is used
}

XlaOp XlaBuilder::OptimizationBarrier(XlaOp operand) {
  return AddOp(Opcode::kOptimizationBarrier, {operand});
}

XlaOp XlaBuilder::AfterAll(absl::Span<const XlaOp> tokens) {
  return AddOp(Opcode::kAfterAll, tokens);
}

}  // namespace halyard
