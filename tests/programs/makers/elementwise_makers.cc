// Makes random elementwise ops.
#include "frontend/hlo/ir/op_table.h"
#include "tests/programs/makers/program_maker.h"

namespace halyard::testing {
namespace {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

// Returns a row from abs to clamp with this many operands and no attributes that accepts `type` for
// some operand.
Opcode RandomRow(ProgramMaker& m, int operands) {
  for (;;) {
    const int first = static_cast<int>(Opcode::kAbs), last = static_cast<int>(Opcode::kClamp);
    const hlo::OpRow& row = hlo::RowOf(static_cast<Opcode>(first + m.Pick(last - first + 1)));
    if (row.elementwise && row.min_operands == operands && row.max_operands == operands &&
        row.required.empty() && row.opcode != Opcode::kConvert) {
      return row.opcode;
    }
  }
}

Instruction* Unary(ProgramMaker& m) { return m.Add(RandomRow(m, 1), {m.Array()}); }

Instruction* Binary(ProgramMaker& m) {
  Instruction* a = m.Array();
  return m.Add(RandomRow(m, 2), {a, m.Like(a->shape)});
}

Instruction* Arithmetic(ProgramMaker& m) {
  Instruction* a = m.Array();
  return m.Add(m.OneOf<Opcode>({Opcode::kAdd, Opcode::kMultiply, Opcode::kSubtract,
                                Opcode::kMaximum, Opcode::kMinimum}),
               {a, m.Like(a->shape)});
}

Instruction* Compare(ProgramMaker& m) {
  Instruction* a = m.Array();
  Attrs attrs;
  attrs.With(Attr::kDirection, m.OneOf<std::string>({"EQ", "NE", "LT", "LE", "GT", "GE"}));
  if (hlo::IsFloat(a->shape.element_type()) && m.Chance(30))
    attrs.With(Attr::kType, std::string("TOTALORDER"));
  return m.Add(Opcode::kCompare, {a, m.Like(a->shape)}, attrs);
}

Instruction* Select(ProgramMaker& m) {
  Instruction* a = m.Array();
  const bool scalar = m.Chance(20);
  Instruction* pred =
      m.Like(scalar ? Shape::Scalar(ElementType::kPred)
                    : a->shape.WithDefaultLayout().WithElementType(ElementType::kPred));
  return m.Add(Opcode::kSelect, {pred, a, m.Like(a->shape)});
}

Instruction* Clamp(ProgramMaker& m) {
  Instruction* a = m.Array();
  const ElementType type = a->shape.element_type();
  Instruction* low = m.Chance(50) ? m.Scalar(type, 0) : m.Like(a->shape);
  Instruction* high = m.Chance(50) ? m.Scalar(type, 1) : m.Like(a->shape);
  return m.Add(Opcode::kClamp, {low, a, high});
}

Instruction* Convert(ProgramMaker& m) {
  Instruction* a = m.Array();
  return m.AddShaped(Opcode::kConvert, a->shape.WithDefaultLayout().WithElementType(m.Type()), {a});
}

Instruction* BitcastConvert(ProgramMaker& m) {
  Instruction* a = m.Array();
  const ElementType from = a->shape.element_type(), to = m.Type();
  if (hlo::IsComplex(from) || hlo::IsComplex(to) || from == ElementType::kPred ||
      to == ElementType::kPred)
    return nullptr;
  std::vector<int64_t> dims = a->shape.dims();
  const int wide = hlo::BitWidth(from), narrow = hlo::BitWidth(to);
  if (wide > narrow && wide % narrow == 0) {
    dims.push_back(wide / narrow);
  } else if (wide < narrow) {
    if (dims.empty() || dims.back() * wide != narrow) return nullptr;
    dims.pop_back();
  }
  return m.AddShaped(Opcode::kBitcastConvert, Shape::Array(to, dims), {a});
}

Instruction* ReducePrecision(ProgramMaker& m) {
  return m.Add(Opcode::kReducePrecision, {m.ArrayOf(m.FloatType())},
               Attrs()
                   .With(Attr::kExponentBits, int64_t{1 + m.Pick(11)})
                   .With(Attr::kMantissaBits, int64_t{m.Pick(24)}));
}

Instruction* Map(ProgramMaker& m) {
  Instruction* a = m.Array();
  std::vector<int64_t> dims;
  for (int64_t d = 0; d < a->shape.rank(); ++d) dims.push_back(d);
  return m.Add(Opcode::kMap, {a, m.Like(a->shape)}, Attrs().With(Attr::kDimensions, dims),
               {m.Combiner(m.OneOf<Opcode>({Opcode::kAdd, Opcode::kMaximum, Opcode::kMultiply}),
                           a->shape.element_type())});
}

constexpr Maker kMakers[] = {Unary,      Unary,   Binary,  Binary,         Arithmetic,
                             Arithmetic, Compare, Select,  Clamp,          Convert,
                             Convert,    Map,     Convert, BitcastConvert, ReducePrecision};

}  // namespace

absl::Span<const Maker> ElementwiseMakers() { return kMakers; }

}  // namespace halyard::testing
