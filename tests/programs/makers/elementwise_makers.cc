// Makes random elementwise ops, and programs of what they make of indices.
#include <algorithm>

#include "frontend/hlo/ir/op_table.h"
#include "tests/programs/makers/program_maker.h"
#include "tests/programs/makers/random_program.h"

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

// Halide takes arithmetic of indices to never overflow, and knows their bounds.
class IndicesMaker {
 public:
  explicit IndicesMaker(uint32_t seed) : m_(seed, kMostElements) {}

  std::unique_ptr<hlo::Module> Make() {
    Instruction* value = nullptr;
    while (value == nullptr) value = Indices();
    for (int steps = m_.Pick(3); steps > 0; --steps) Advance(&value, Moved(value));
    for (int steps = 1 + m_.Pick(3); steps > 0; --steps) Advance(&value, BesideAnEnd(value));
    if (m_.Chance(65)) Advance(&value, Folded(value));
    if (m_.Chance(30)) Advance(&value, BesideAnEnd(value));
    return m_.FinishWith(value);
  }

 private:
  static constexpr int64_t kMostElements = 250000;

  static void Advance(Instruction** value, Instruction* next) {
    if (next != nullptr) *value = next;
  }

  Instruction* Indices() {
    const ElementType type = m_.OneOf<ElementType>(
        {ElementType::kS32, ElementType::kS32, ElementType::kS32, ElementType::kS64,
         ElementType::kU32, ElementType::kU64, ElementType::kS16, ElementType::kU16,
         ElementType::kS8, ElementType::kU8, ElementType::kF32});
    std::vector<int64_t> dims(1 + m_.Pick(3));
    for (int64_t& d : dims) d = 1 + m_.Pick(9);
    const int along = m_.Pick(static_cast<int>(dims.size()));
    if (m_.Chance(25)) {
      dims[along] = m_.OneOf<int64_t>({300, 1005, 5003, 50000, 65600, 200000});
    } else if (m_.Chance(40)) {
      dims[along] = 10 + m_.Pick(90);
    }
    return m_.AddShaped(Opcode::kIota, Shape::Array(type, dims), {},
                        Attrs().With(Attr::kIotaDimension, int64_t{along}));
  }

  // A number at an end of an integer type, or beside one.
  Instruction* End(ElementType type) {
    hlo::Literal end(Shape::Scalar(type));
    end.SetInt(0, EndOf(type, m_.Pick(4)));
    return m_.entry()->AddConstant(end);
  }

  // A number at an end of the type, near 0, or among the indices.
  Instruction* Number(const Shape& shape) {
    const ElementType type = shape.element_type();
    Instruction* scalar = nullptr;
    if (m_.Chance(25)) {
      scalar = m_.Parameter(Shape::Scalar(type));
    } else if (!hlo::IsInteger(type) || m_.Chance(40)) {
      int64_t most = 1;
      for (int64_t extent : shape.dims()) most = std::max(most, extent);
      scalar = m_.Scalar(type, m_.Chance(50) ? m_.Pick(3) : m_.Pick(static_cast<int>(most) + 2));
    } else {
      scalar = End(type);
    }
    return m_.AddShaped(Opcode::kBroadcast, shape, {scalar},
                        Attrs().With(Attr::kDimensions, std::vector<int64_t>{}));
  }

  Instruction* Moved(Instruction* a) {
    const Shape& shape = a->shape;
    switch (m_.Pick(7)) {
      case 0: {
        hlo::SliceDims slice;
        for (int64_t extent : shape.dims()) {
          const int64_t start = m_.Pick(static_cast<int>(std::clamp<int64_t>(extent, 1, 6)));
          slice.push_back({start, extent, 1 + m_.Pick(2)});
        }
        return m_.Add(Opcode::kSlice, {a}, Attrs().With(Attr::kSlice, slice));
      }
      case 1:
        return m_.Add(Opcode::kReverse, {a},
                      Attrs().With(Attr::kDimensions,
                                   std::vector<int64_t>{m_.Pick(static_cast<int>(shape.rank()))}));
      case 2: {
        hlo::PaddingConfig padding(shape.rank());
        for (hlo::PaddingDim& dim : padding) {
          dim.low = m_.Pick(5) - 2;
          dim.high = m_.Pick(5) - 2;
          dim.interior = m_.Chance(15) ? 1 : 0;
        }
        const ElementType type = shape.element_type();
        Instruction* value = hlo::IsInteger(type) ? End(type) : m_.Scalar(type, 0);
        return m_.Add(Opcode::kPad, {a, value}, Attrs().With(Attr::kPadding, padding));
      }
      case 3:
        return m_.AddShaped(
            Opcode::kConvert,
            shape.WithElementType(m_.OneOf<ElementType>(
                {ElementType::kS32, ElementType::kS64, ElementType::kU32, ElementType::kS8,
                 ElementType::kU16, ElementType::kF32, ElementType::kU64})),
            {a});
      default:
        return m_.Add(m_.OneOf<Opcode>({Opcode::kAdd, Opcode::kSubtract, Opcode::kMultiply}),
                      {m_.Chance(20) ? Number(shape) : a, Number(shape)});
    }
  }

  Instruction* BesideAnEnd(Instruction* a) {
    const Shape& shape = a->shape;
    if (shape.element_type() == ElementType::kPred) return nullptr;
    const auto compare = [&] {
      return m_.Add(Opcode::kCompare, {a, Number(shape)},
                    Attrs().With(Attr::kDirection,
                                 m_.OneOf<std::string>({"EQ", "NE", "LT", "LE", "GT", "GE"})));
    };
    switch (m_.Pick(6)) {
      case 0:
        return compare();
      case 1: {
        Instruction* chosen = compare();
        return m_.Add(Opcode::kSelect, {chosen, m_.Chance(50) ? a : Number(shape), Number(shape)});
      }
      case 2:
        return m_.Add(Opcode::kClamp, {Number(shape), a, Number(shape)});
      case 3:
        return m_.Add(m_.OneOf<Opcode>({Opcode::kDivide, Opcode::kRemainder}), {a, Number(shape)});
      case 4:
        return m_.Add(m_.OneOf<Opcode>({Opcode::kAdd, Opcode::kSubtract, Opcode::kMultiply}),
                      {a, Number(shape)});
      default:
        return m_.Add(m_.OneOf<Opcode>({Opcode::kMaximum, Opcode::kMinimum}), {a, Number(shape)});
    }
  }

  // Folds one dimension or all of them, or what is before each place.
  Instruction* Folded(Instruction* a) {
    const Shape& shape = a->shape;
    Instruction* init = nullptr;
    hlo::Computation* body = m_.Fold(shape.element_type(), &init);
    if (hlo::IsInteger(shape.element_type()) && m_.Chance(50)) {
      init = End(shape.element_type());
    }
    const int dimension = m_.Pick(static_cast<int>(shape.rank()));
    // A window's work is the square of its length.
    if (shape.dim(dimension) > 0 && shape.dim(dimension) <= 300 && m_.Chance(30)) {
      hlo::Window window;
      window.dims.resize(shape.rank());
      window.dims[dimension].size = shape.dim(dimension);
      window.dims[dimension].pad_low = shape.dim(dimension) - 1;
      return m_.Add(Opcode::kReduceWindow, {a, init}, Attrs().With(Attr::kWindow, window), {body});
    }
    std::vector<int64_t> dims = {dimension};
    if (m_.Chance(30)) {
      dims.clear();
      for (int64_t d = 0; d < shape.rank(); ++d) dims.push_back(d);
    }
    return m_.Add(Opcode::kReduce, {a, init}, Attrs().With(Attr::kDimensions, dims), {body});
  }

  ProgramMaker m_;
};

}  // namespace

absl::Span<const Maker> ElementwiseMakers() { return kMakers; }

std::unique_ptr<hlo::Module> RandomIndicesProgram(uint32_t seed) {
  return IndicesMaker(seed).Make();
}

}  // namespace halyard::testing
