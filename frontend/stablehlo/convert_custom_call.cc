// custom_call: its attributes, layouts and aliases.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/stablehlo/convert.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Opcode;
using hlo::Shape;
using mlir::Attribute;
using mlir::AttributeKind;

// operand_layouts become operand_layout_constraints, result_layouts those of `results`.
bool Converter::ConvertCallLayouts(const Operation& op, AttrMap* attrs,
                                   std::vector<Shape>* results) {
  std::vector<std::string> shapes;
  for (absl::string_view name : {"operand_layouts", "result_layouts"}) {
    const Attribute* layouts = op.Attr(name);
    if (layouts == nullptr) continue;
    const bool operands = name == "operand_layouts";
    const size_t count = operands ? op.operands.size() : op.results.size();
    if (!layouts->Is(AttributeKind::kArray) || layouts->elements.size() != count) {
      return errors_.Fail(layouts->offset, absl::StrCat("'", op.name, "': ", name, " must have ",
                                                        count, " layouts"));
    }
    for (size_t i = 0; i < count; ++i) {
      Shape shape;
      const mlir::Value& value = operands ? *op.operands[i] : *op.results[i];
      if (!ShapeOf(*value.type, &shape)) return false;
      hlo::Ints layout;
      const Attribute& given = *layouts->elements[i];
      const int64_t rank = shape.IsArray() ? shape.rank() : 0;
      bool valid = given.data != nullptr && DenseInts(*given.data, &layout) &&
                   static_cast<int64_t>(layout.size()) == rank;
      std::vector<bool> seen(rank, false);
      for (int64_t d : layout) {
        valid = valid && d >= 0 && d < rank && !seen[d];
        if (valid) seen[d] = true;
      }
      if (!valid) {
        return errors_.Fail(given.offset,
                            absl::StrCat("'", op.name, "': no layout of ", ToString(*value.type)));
      }
      if (shape.IsArray() && !shape.IsDynamic() && !shape.IsQuantized()) {
        shape = Shape::ArrayWithLayout(shape.element_type(), shape.dims(), layout);
      }
      if (operands) {
        shapes.push_back(shape.ToString(rank > 0));
      } else {
        results->push_back(std::move(shape));
      }
    }
  }
  if (op.Attr("operand_layouts") != nullptr) {
    attrs->Set(Attr::kOperandLayoutConstraints,
               absl::StrCat("{", absl::StrJoin(shapes, ", "), "}"));
  }
  return true;
}

// `{{0}: (1, {})}`
bool Converter::ConvertCallAliases(const Operation& op, AttrMap* attrs) {
  const Attribute* aliases = op.Attr("output_operand_aliases");
  if (aliases == nullptr) return true;
  if (!aliases->Is(AttributeKind::kArray)) {
    return errors_.Fail(aliases->offset, "output_operand_aliases must be a list");
  }
  OpReader reader(op, errors_);
  std::vector<std::string> texts;
  for (const Attribute* alias : aliases->elements) {
    hlo::Ints result, part;
    int64_t operand = 0;
    if (!reader.FieldInts(*alias, "output_tuple_indices", &result) ||
        !reader.FieldInt(*alias, "operand_index", &operand) ||
        !reader.FieldInts(*alias, "operand_tuple_indices", &part)) {
      return false;
    }
    if (operand < 0 || operand >= static_cast<int64_t>(op.operands.size())) {
      return errors_.Fail(alias->offset, absl::StrCat("there is no operand ", operand));
    }
    texts.push_back(absl::StrCat("{", absl::StrJoin(result, ","), "}: (", operand, ", {",
                                 absl::StrJoin(part, ","), "})"));
  }
  if (!texts.empty()) {
    attrs->Set(Attr::kOutputToOperandAliasing, absl::StrCat("{", absl::StrJoin(texts, ", "), "}"));
  }
  return true;
}

// What the call is and how it is made: all but its operands and layouts.
bool Converter::ConvertCallAttributes(const Operation& op, const std::string& target,
                                      AttrMap* attrs) {
  OpReader reader(op, errors_);
  int64_t api_version = 1;
  bool side_effect = false;
  if (!reader.IntOr("api_version", 1, &api_version) ||
      !reader.Flag("has_side_effect", &side_effect)) {
    return false;
  }
  attrs->Set(Attr::kCustomCallTarget, target);
  if (side_effect) attrs->Set(Attr::kHasSideEffect, true);
  switch (api_version) {
    case 0:
    case 1:
      break;
    case 2:
      attrs->Set(Attr::kApiVersion, std::string("API_VERSION_STATUS_RETURNING"));
      break;
    case 3:
      attrs->Set(Attr::kApiVersion, std::string("API_VERSION_STATUS_RETURNING_UNIFIED"));
      break;
    case 4:
      attrs->Set(Attr::kApiVersion, std::string("API_VERSION_TYPED_FFI"));
      break;
    default:
      return Fail(op, absl::StrCat("there is no api_version ", api_version));
  }
  for (absl::string_view name : {"backend_config", "mhlo.backend_config"}) {
    const Attribute* config = op.Attr(name);
    if (config == nullptr) continue;
    std::string text = config->Is(AttributeKind::kString) ? config->text : ToString(*config);
    if (!text.empty()) attrs->Set(Attr::kBackendConfig, std::move(text));
  }
  // What a check of sizes says (hlo::IsShapeAssertion).
  const Attribute* message = target == "shape_assertion" ? op.Attr("error_message") : nullptr;
  if (message != nullptr && message->Is(AttributeKind::kString)) {
    attrs->Set(Attr::kBackendConfig, message->text);
  }
  const Attribute* sharding = op.Attr("mhlo.sharding");
  if (sharding != nullptr && sharding->Is(AttributeKind::kString)) {
    attrs->Set(Attr::kSharding, sharding->text);
  }
  return ConvertCallAliases(op, attrs);
}

bool Converter::ConvertCustomCall(const Operation& op, Frame& frame) {
  std::string target;
  if (!OpReader(op, errors_).Word("call_target_name", &target)) return false;
  // How a value is spread over devices; on one device, the value itself.
  if (target == "Sharding") return ConvertIdentity(op, frame);
  bool known = false;
  if (!ConvertKnownCall(op, frame, target, &known)) return false;
  if (known) return true;
  AttrMap attrs;
  if (!ConvertCallAttributes(op, target, &attrs)) return false;
  std::vector<hlo::Computation*> called;
  if (const Attribute* list = op.Attr("called_computations")) {
    for (const Attribute* symbol : list->elements) {
      const Operation* function = FindFunction(symbol->text);
      if (!symbol->Is(AttributeKind::kSymbol) || function == nullptr) {
        return errors_.Fail(symbol->offset, "called_computations must name functions");
      }
      if (!ConvertFunction(op, *function, &called.emplace_back())) return false;
    }
  }
  Instructions operands;
  std::vector<Shape> results;
  const size_t before = frame.computation->instructions().size();
  if (!ConvertCallLayouts(op, &attrs, &results) || !Operands(op, frame, &operands) ||
      !Emit(op, frame, Opcode::kCustomCall, std::move(operands), std::move(attrs),
            std::move(called))) {
    return false;
  }
  if (!results.empty()) {  // the call comes before its elements
    Shape& shape = frame.computation->instructions()[before]->shape;
    shape = results.size() == 1 ? std::move(results[0]) : Shape::Tuple(std::move(results));
  }
  return true;
}

}  // namespace halyard::stablehlo
