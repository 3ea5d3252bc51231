// Ops whose shape is an operand.
#include "frontend/stablehlo/convert/convert.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;

bool Converter::ConvertDynamicBroadcastInDim(const Operation& op, Frame& frame) {
  OpReader reader(op, errors_);
  Ints dims;
  AttrMap attrs;
  if (!reader.Ints("broadcast_dimensions", &dims)) return false;
  attrs.Set(Attr::kDimensions, std::move(dims));
  for (auto [name, attr] :
       {std::pair("known_expanding_dimensions", Attr::kKnownExpandingDimensions),
        {"known_nonexpanding_dimensions", Attr::kKnownNonexpandingDimensions}}) {
    Ints hint;
    if (op.Attr(name) == nullptr) continue;
    if (!reader.Ints(name, &hint)) return false;
    attrs.Set(attr, std::move(hint));
  }
  return Plain(op, frame, Opcode::kDynamicBroadcastInDim, std::move(attrs));
}

bool Converter::ConvertDynamicIota(const Operation& op, Frame& frame) {
  int64_t dimension = 0;
  AttrMap attrs;
  if (!OpReader(op, errors_).Int("iota_dimension", &dimension)) return false;
  attrs.Set(Attr::kIotaDimension, dimension);
  return Plain(op, frame, Opcode::kDynamicIota, std::move(attrs));
}

bool Converter::EmitBroadcastTo(const Operation& op, Frame& frame, hlo::Instruction* operand,
                                const Shape& result, Ints dims) {
  hlo::Instruction* sizes = frame.computation->AddConstant(
      hlo::Literal::FromValues<int64_t>(hlo::ElementType::kS64, {result.rank()}, result.dims()));
  AttrMap attrs;
  attrs.Set(Attr::kDimensions, std::move(dims));
  return Emit(op, frame, Opcode::kDynamicBroadcastInDim, {operand, sizes}, std::move(attrs));
}

}  // namespace halyard::stablehlo
