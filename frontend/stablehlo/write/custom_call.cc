// custom-call and what HLO says about one in texts of its own.
#include <numeric>

#include "absl/strings/str_cat.h"
#include "frontend/hlo_text/cursor.h"
#include "frontend/hlo_text/read_shape.h"
#include "frontend/stablehlo/write/module.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::Instruction;
using hlo::Ints;
using hlo::Shape;
using mlir::Attribute;
using mlir::Operation;

namespace {

Ints LayoutOf(const Shape& array) {
  if (!array.HasDefaultLayout()) return array.minor_to_major();
  Ints layout(array.rank());
  std::iota(layout.rbegin(), layout.rend(), 0);
  return layout;
}

bool ReadIndex(hlo_text::Cursor& cursor, Ints* index) {
  if (!cursor.Expect('{')) return false;
  if (cursor.TryChar('}')) return true;
  do {
    if (!cursor.Int(&index->emplace_back())) return false;
  } while (cursor.TryChar(','));
  return cursor.Expect('}');
}

struct Aliasing {
  Ints result;
  int64_t operand = 0;
  Ints part;  // of the operand
};

// `{{0}: (1, {}), {1}: (0, {2})}`
bool ReadAliasing(const std::string& text, std::vector<Aliasing>* aliases) {
  hlo_text::Cursor cursor(text, "");
  if (!cursor.Expect('{')) return false;
  if (cursor.TryChar('}')) return cursor.AtEnd();
  do {
    Aliasing& alias = aliases->emplace_back();
    if (!ReadIndex(cursor, &alias.result) || !cursor.Expect(':') || !cursor.Expect('(') ||
        !cursor.Int(&alias.operand)) {
      return false;
    }
    if (cursor.TryChar(',') && !ReadIndex(cursor, &alias.part)) return false;
    if (!cursor.Expect(')')) return false;
  } while (cursor.TryChar(','));
  return cursor.Expect('}') && cursor.AtEnd();
}

// `{f32[2,3]{0,1}, f32[]}`
bool ReadShapes(const std::string& text, std::vector<Shape>* shapes) {
  hlo_text::Cursor cursor(text, "");
  if (!cursor.Expect('{')) return false;
  if (cursor.TryChar('}')) return cursor.AtEnd();
  do {
    if (!hlo_text::ReadShape(cursor, &shapes->emplace_back())) return false;
  } while (cursor.TryChar(','));
  return cursor.Expect('}') && cursor.AtEnd();
}

int64_t ApiVersionOf(const std::string& word) {
  if (word == "API_VERSION_STATUS_RETURNING") return 2;
  if (word == "API_VERSION_STATUS_RETURNING_UNIFIED") return 3;
  return word == "API_VERSION_TYPED_FFI" ? 4 : 1;
}

}  // namespace

bool Writer::SetCallLayouts(const Instruction& inst, Operation* op) {
  if (inst.Has(Attr::kOutputToOperandAliasing)) {
    std::vector<Aliasing> aliases;
    if (!ReadAliasing(inst.GetString(Attr::kOutputToOperandAliasing), &aliases)) {
      return Fail(inst, "output_to_operand_aliasing cannot be read");
    }
    std::vector<const Attribute*> list;
    for (const Aliasing& alias : aliases) {
      list.push_back(nodes_.Struct("output_operand_alias",
                                   {{"output_tuple_indices", nodes_.Ints(alias.result)},
                                    {"operand_index", nodes_.Int(alias.operand)},
                                    {"operand_tuple_indices", nodes_.Ints(alias.part)}}));
    }
    if (!list.empty()) Set(op, "output_operand_aliases", nodes_.Array(std::move(list)));
  }
  if (!inst.Has(Attr::kOperandLayoutConstraints)) return true;
  std::vector<Shape> operands;
  if (!ReadShapes(inst.GetString(Attr::kOperandLayoutConstraints), &operands)) {
    return Fail(inst, "operand_layout_constraints cannot be read");
  }
  std::vector<Shape> results = {inst.shape};
  if (inst.shape.IsTuple()) results = inst.shape.elements();
  for (const auto* shapes : {&operands, &results}) {
    std::vector<const Attribute*> list;
    for (const Shape& shape : *shapes) {
      if (shape.IsTuple()) return Fail(inst, "layouts of tuples cannot be said in StableHLO");
      list.push_back(nodes_.Indices(shape.IsArray() ? LayoutOf(shape) : Ints()));
    }
    Set(op, shapes == &operands ? "operand_layouts" : "result_layouts",
        nodes_.Array(std::move(list)));
  }
  return true;
}

bool Writer::WriteCustomCall(const Instruction& inst, Frame& frame) {
  Values operands;
  if (!Singles(inst, frame, &operands)) return false;
  // Several results stand for a tuple; one of no or one element is a result by itself.
  const bool spread = inst.shape.IsTuple() && inst.shape.elements().size() != 1;
  Operation* op = Op(frame, "stablehlo.custom_call", std::move(operands),
                     spread ? ResultTypes(inst.shape) : Types{nodes_.TypeOf(inst.shape)});
  frame.values[&inst] = spread ? ResultTree(inst.shape, *op) : Tree{.value = op->results[0].get()};
  Set(op, "call_target_name", nodes_.String(inst.GetString(Attr::kCustomCallTarget)));
  const int64_t api_version = ApiVersionOf(inst.GetString(Attr::kApiVersion));
  Set(op, "api_version", nodes_.Int(api_version, 32));
  Set(op, "has_side_effect", nodes_.Bool(inst.GetBool(Attr::kHasSideEffect)));
  if (inst.Has(Attr::kBackendConfig)) {
    const std::string& text = inst.GetString(Attr::kBackendConfig);
    const Attribute* config = nullptr;
    const bool typed = api_version == 4 && ParseText(text, &config) &&
                       config->Is(mlir::AttributeKind::kDictionary);
    Set(op, "backend_config", typed ? config : nodes_.String(text));
  }
  if (!inst.called.empty()) {
    std::vector<const Attribute*> called;
    for (const hlo::Computation* computation : inst.called) {
      called.push_back(nodes_.Symbol(FunctionName(computation)));
    }
    Set(op, "called_computations", nodes_.Array(std::move(called)));
  }
  return SetCallLayouts(inst, op);
}

}  // namespace halyard::stablehlo
