// CHLO's ops that stretch their operands to one shape first.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/values/quantized.h"
#include "frontend/stablehlo/convert/convert.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Ints;
using hlo::Opcode;

namespace {

// Dimension i of `a` goes to places[i] of `dims`; those of size 1 are stretched.
Term Stretch(Term a, const Ints& dims, const Ints& places) {
  if (a.shape().dims() == dims) return a;
  Ints kept, kept_places;
  for (int64_t i = 0; i < a.rank(); ++i) {
    if (a.dim(i) != dims[places[i]]) continue;
    kept.push_back(a.dim(i));
    kept_places.push_back(places[i]);
  }
  if (static_cast<int64_t>(kept.size()) != a.rank()) a = Reshape(a, kept);
  return Broadcast(a, dims, kept_places);
}

}  // namespace

// Without `places`, dimensions are matched from the last one on, as in NumPy. With `places`,
// dimension i of the array of lower rank is dimension places[i] of the others.
bool Converter::BroadcastArrays(const Operation& op, const Ints* places,
                                std::vector<Term>* arrays) {
  int64_t rank = 0;
  for (const Term& array : *arrays) rank = std::max(rank, array.rank());
  std::vector<Ints> maps;
  for (const Term& array : *arrays) {
    Ints& map = maps.emplace_back();
    for (int64_t i = 0; i < array.rank(); ++i) map.push_back(rank - array.rank() + i);
  }
  if (places != nullptr) {
    const size_t low = (*arrays)[0].rank() < (*arrays)[1].rank() ? 0 : 1;
    const std::string listed = absl::StrCat("[", absl::StrJoin(*places, ", "), "]");
    if (static_cast<int64_t>(places->size()) != (*arrays)[low].rank()) {
      return Fail(op, absl::StrCat("broadcast_dimensions ", listed, " must have ",
                                   (*arrays)[low].rank(), " entries"));
    }
    for (size_t i = 0; i < places->size(); ++i) {
      const bool in_order = i == 0 || (*places)[i - 1] < (*places)[i];
      if (!in_order || (*places)[i] < 0 || (*places)[i] >= rank) {
        return Fail(op, absl::StrCat("broadcast_dimensions ", listed, " must increase, within [0, ",
                                     rank, ")"));
      }
    }
    maps[low] = *places;
  }
  Ints dims(rank, 1);
  for (size_t a = 0; a < arrays->size(); ++a) {
    for (int64_t i = 0; i < (*arrays)[a].rank(); ++i) {
      int64_t& dim = dims[maps[a][i]];
      const int64_t own = (*arrays)[a].dim(i);
      if (dim != 1 && own != 1 && dim != own) {
        return Fail(op, absl::StrCat("dimensions of ", dim, " and ", own, " do not go together"));
      }
      if (dim == 1) dim = own;
    }
  }
  for (const Term& array : *arrays) {
    if (hlo::CheckedByteSize(array.type(), dims) < 0) {
      return Fail(op, "the size of the result does not fit in 64 bits");
    }
  }
  for (size_t a = 0; a < arrays->size(); ++a) {
    (*arrays)[a] = Stretch((*arrays)[a], dims, maps[a]);
  }
  return true;
}

// Quantized operands and results, which must be stored and expressed in the same types.
bool Converter::CheckQuantizedBroadcast(const Operation& op) {
  std::vector<const mlir::Type*> types;
  for (const Value* operand : op.operands) types.push_back(operand->type);
  for (const auto& result : op.results) types.push_back(result->type);
  const mlir::Type* first = nullptr;
  for (const mlir::Type* type : types) {
    const bool quantized =
        type->IsTensor() && type->elements[0]->kind == mlir::TypeKind::kQuantized;
    const mlir::Type* element = quantized ? type->elements[0] : nullptr;
    if (first == nullptr && element != nullptr) first = element;
    if (element == nullptr || !mlir::SameType(*element->elements[0], *first->elements[0]) ||
        !mlir::SameType(*element->elements[1], *first->elements[1])) {
      return Fail(op, absl::StrCat("operands and results must be quantized alike, one is ",
                                   ToString(*type)));
    }
  }
  return true;
}

// Applies the op to the numbers that the operands stand for, and quantizes the result.
bool Converter::ConvertQuantizedBroadcast(const Operation& op, Frame& frame, Opcode opcode) {
  Instructions operands;
  std::vector<hlo::Shape> results;
  if (!CheckQuantizedBroadcast(op) || !Operands(op, frame, &operands) ||
      !ResultShapes(op, &results)) {
    return false;
  }
  Graph graph(frame.computation);
  std::vector<Term> arrays;
  for (hlo::Instruction* operand : operands) {
    if (operand->shape.IsDynamic()) return Fail(op, "operands must have static shapes");
    arrays.push_back(
        graph.Add(Opcode::kUniformDequantize, hlo::RealShape(operand->shape), {graph.Of(operand)}));
  }
  Ints places;
  const bool given = op.Attr("broadcast_dimensions") != nullptr;
  if (given && !OpReader(op, errors_).Ints("broadcast_dimensions", &places)) return false;
  if (arrays.size() != 2 || results.size() != 1) return Fail(op, "needs two operands, gives one");
  if (!BroadcastArrays(op, given ? &places : nullptr, &arrays)) return false;
  Term value = graph.Add(opcode, arrays);
  if (!graph.status().ok()) return Fail(op, graph.status().message());
  if (value.shape().dims() != results[0].dims()) {
    return Fail(op, absl::StrCat("the result has the dimensions of ", value.shape().ToString(),
                                 ", its type says ", results[0].ToString()));
  }
  return FinishGraph(op, frame, graph, {graph.Add(Opcode::kUniformQuantize, results[0], {value})});
}

// Sizes that are not known yet may go together, so that only the element types are checked.
bool Converter::CheckDynamicBroadcast(const Operation& op, Frame& frame, absl::string_view name) {
  Instructions operands;
  std::vector<hlo::Shape> results;
  if (!Operands(op, frame, &operands) || !ResultShapes(op, &results)) return false;
  const size_t first = name == "select" ? 1 : 0;
  if (operands.size() != first + 2 || results.size() != 1 || !results[0].IsArray()) {
    return Fail(op, absl::StrCat("needs ", first + 2, " operands and gives one tensor"));
  }
  for (const hlo::Instruction* operand : operands) {
    if (!operand->shape.IsArray()) return Fail(op, "operands must be tensors");
  }
  const hlo::ElementType type = operands[first]->shape.element_type();
  const bool kept = name != "compare" && name != "complex";
  if (operands[first + 1]->shape.element_type() != type ||
      (kept && results[0].element_type() != type)) {
    return Fail(op, "operands and result must have one element type");
  }
  return EmitStandIn(op, frame, "sizes that are not known");
}

bool Converter::ConvertChloBroadcast(const Operation& op, Frame& frame) {
  absl::string_view name = op.name;
  absl::ConsumePrefix(&name, "chlo.broadcast_");
  if (name == "add" || name == "maximum" || name == "minimum") {
    for (const Value* operand : op.operands) {
      if (!operand->type->IsTensor() ||
          operand->type->elements[0]->kind != mlir::TypeKind::kQuantized) {
        continue;
      }
      return ConvertQuantizedBroadcast(op, frame, *hlo::OpcodeFromStableHloName(name));
    }
  }
  if (HasDynamicOperand(op, frame)) return CheckDynamicBroadcast(op, frame, name);
  Instructions operands;
  if (!ChloOperands(op, frame, name == "select" ? 3 : 2, &operands)) return false;
  Graph graph(frame.computation);
  std::vector<Term> arrays;
  for (hlo::Instruction* operand : operands) arrays.push_back(graph.Of(operand));
  Ints places;
  const bool given = op.Attr("broadcast_dimensions") != nullptr && name != "select";
  if (given && !OpReader(op, errors_).Ints("broadcast_dimensions", &places)) return false;
  if (!BroadcastArrays(op, given ? &places : nullptr, &arrays)) return false;
  if (name == "next_after" || name == "polygamma" || name == "zeta") {
    if (arrays[0].type() != arrays[1].type()) {
      return Fail(op, "operands must have one element type");
    }
    return ApplyChloBinary(op, frame, graph, absl::StrCat("chlo.", name), arrays);
  }
  AttrMap attrs;
  if (name == "compare") {
    OpReader reader(op, errors_);
    std::string direction, type;
    if (!reader.Word("comparison_direction", "comparison_direction", &direction) ||
        !reader.WordOr("compare_type", "comparison_type", "", &type)) {
      return false;
    }
    attrs.Set(Attr::kDirection, direction);
    if (!type.empty() && type != "NOTYPE") attrs.Set(Attr::kType, type);
  }
  std::optional<Opcode> opcode = hlo::OpcodeFromStableHloName(name);
  if (!opcode.has_value()) return Fail(op, "this operation is not supported");
  return FinishGraph(op, frame, graph, {graph.Add(*opcode, arrays, std::move(attrs))});
}

}  // namespace halyard::stablehlo
