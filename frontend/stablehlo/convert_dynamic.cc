// Ops whose shape is an operand, and types whose sizes have bounds.
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "frontend/stablehlo/convert.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;
using mlir::Attribute;

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

// `#stablehlo.bounds<3, ?>`: an entry per dimension; a static dimension has none.
bool Converter::ReadBounds(const mlir::Type& type, Shape* shape) {
  const Attribute& encoding = *type.encoding;
  auto fail = [&](absl::string_view what) {
    return errors_.Fail(encoding.offset, absl::StrCat(what, ": ", ToString(type)));
  };
  if (!encoding.Is(mlir::AttributeKind::kDialect) || encoding.name != "stablehlo.bounds") {
    return fail("encodings of tensor types other than #stablehlo.bounds are not supported");
  }
  std::vector<absl::string_view> entries;
  if (!absl::StripAsciiWhitespace(encoding.text).empty()) {
    entries = absl::StrSplit(encoding.text, ',');
  }
  if (static_cast<int64_t>(entries.size()) != shape->rank()) {
    return fail(
        absl::StrCat("there are ", entries.size(), " bounds for ", shape->rank(), " dimensions"));
  }
  std::vector<int64_t> dims = shape->dims();
  std::vector<bool> bounded(dims.size(), false);
  for (size_t i = 0; i < entries.size(); ++i) {
    const absl::string_view entry = absl::StripAsciiWhitespace(entries[i]);
    if (entry == "?") continue;
    int64_t bound = 0;
    if (!absl::SimpleAtoi(entry, &bound) || bound < 0) return fail("a bound is no size");
    if (dims[i] != mlir::kDynamic) return fail("a dimension of known size has a bound");
    dims[i] = bound;
    bounded[i] = true;
  }
  *shape = shape->WithDims(std::move(dims)).WithBoundedDims(std::move(bounded));
  return true;
}

}  // namespace halyard::stablehlo
