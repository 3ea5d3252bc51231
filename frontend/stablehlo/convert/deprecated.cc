// Ops that StableHLO is about to drop, and that other ops can express.
#include "absl/strings/str_cat.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/ir/sugar.h"
#include "frontend/stablehlo/convert/convert.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;

// Sets the only result to `value`, which has the stated type.
bool Converter::SetResult(const Operation& op, Frame& frame,
                          const absl::StatusOr<Instruction*>& value) {
  if (!value.ok()) return Fail(op, value.status().message());
  std::vector<Shape> shapes;
  if (!ResultShapes(op, &shapes)) return false;
  if (shapes.size() != 1 || !Shape::SameIgnoringLayout(shapes[0], (*value)->shape)) {
    return Fail(op, absl::StrCat("the result is ", (*value)->shape.ToString(),
                                 ", which is not what its type says"));
  }
  frame.values[op.results[0].get()] = *value;
  return true;
}

bool Converter::ConvertEinsum(const Operation& op, Frame& frame) {
  std::string config;
  Instructions operands;
  if (!OpReader(op, errors_).String("einsum_config", &config) || !Operands(op, frame, &operands)) {
    return false;
  }
  const size_t wanted = op.name == "stablehlo.einsum" ? 2 : 1;
  if (operands.size() != wanted) return Fail(op, absl::StrCat("needs ", wanted, " operand(s)"));
  // If the sum has a wider type, the products are computed in that type.
  std::vector<Shape> results;
  if (!ResultShapes(op, &results)) return false;
  if (results.size() == 1 && results[0].IsArray()) {
    for (Instruction*& operand : operands) {
      const Shape& shape = operand->shape;
      if (!shape.IsArray() || shape.element_type() == results[0].element_type() ||
          !hlo::IsPromotable(shape.element_type(), results[0].element_type())) {
        continue;
      }
      operand = frame.computation->Add(Opcode::kConvert,
                                       shape.WithElementType(results[0].element_type()), {operand});
    }
  }
  if (wanted == 1) {
    return SetResult(op, frame, hlo::AddUnaryEinsum(frame.computation, operands[0], config));
  }
  return SetResult(op, frame, hlo::AddEinsum(frame.computation, operands[0], operands[1], config));
}

bool Converter::ConvertTorchIndexSelect(const Operation& op, Frame& frame) {
  int64_t dim = 0, batch_dims = 0;
  Instructions operands;
  OpReader reader(op, errors_);
  if (!reader.Int("dim", &dim) || !reader.IntOr("batch_dims", 0, &batch_dims) ||
      !Operands(op, frame, &operands)) {
    return false;
  }
  if (operands.size() != 2) return Fail(op, "needs an operand and an index");
  return SetResult(
      op, frame,
      hlo::AddTorchIndexSelect(frame.computation, operands[0], operands[1], dim, batch_dims));
}

bool Converter::ConvertCrossReplicaSum(const Operation& op, Frame& frame) {
  // N×M ids; groups that are shorter than others end in -1.
  hlo::IntLists groups;
  if (const mlir::Attribute* text = op.Attr("replica_groups"); text != nullptr) {
    Ints ids;
    if (text->data == nullptr || !DenseInts(*text->data, &ids) || text->type == nullptr ||
        text->type->dims.size() != 2) {
      return Fail(op, "replica_groups must be a matrix of integers");
    }
    const int64_t members = text->type->dims[1];
    for (int64_t i = 0; i < static_cast<int64_t>(ids.size()); ++i) {
      if (i % members == 0) groups.emplace_back();
      if (ids[i] >= 0) groups.back().push_back(ids[i]);
    }
  }
  Instructions operands;
  if (!Operands(op, frame, &operands)) return false;
  if (operands.size() != 1) return Fail(op, "needs one operand");
  return SetResult(op, frame, hlo::AddCrossReplicaSum(frame.computation, operands[0], groups));
}

}  // namespace halyard::stablehlo
