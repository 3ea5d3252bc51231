#include "tests/programs/moved.h"

#include <algorithm>
#include <numeric>

namespace halyard::testing {
namespace {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;

constexpr int64_t kMostElements = 5000;

// Says where a shape comes from: the op, its operand's dimensions, and the attribute that makes the
// wanted dimensions of them.
struct Step {
  Opcode opcode;
  Ints from;
  hlo::AttrMap attrs;
};

Step Padded(ProgramMaker& m, const Ints& to) {
  Step step{Opcode::kPad, {}, {}};
  hlo::PaddingConfig padding;
  for (int64_t extent : to) {
    hlo::PaddingDim dim;
    int64_t from = extent;
    if (m.Chance(60)) {
      dim.interior = m.Chance(30) ? 1 + m.Pick(2) : 0;
      dim.low = m.Pick(6) - 3;
      const int most = static_cast<int>(extent / (dim.interior + 1)) + 3;
      from = m.Chance(3) ? 0 : 1 + m.Pick(most);
      const int64_t spread = from == 0 ? 0 : (from - 1) * (dim.interior + 1) + 1;
      dim.high = extent - spread - dim.low;
    }
    padding.push_back(dim);
    step.from.push_back(from);
  }
  step.attrs = Attrs().With(Attr::kPadding, padding);
  return step;
}

Step Sliced(ProgramMaker& m, const Ints& to) {
  Step step{Opcode::kSlice, {}, {}};
  hlo::SliceDims slice;
  for (int64_t extent : to) {
    hlo::SliceDim dim{0, extent, 1};
    if (m.Chance(60)) {
      dim.start = m.Pick(3);
      dim.stride = 1 + m.Pick(3);
      dim.limit = dim.start + (extent - 1) * dim.stride + 1 + m.Pick(static_cast<int>(dim.stride));
    }
    slice.push_back(dim);
    step.from.push_back(dim.limit + m.Pick(2));
  }
  step.attrs = Attrs().With(Attr::kSlice, slice);
  return step;
}

Step Reversed(ProgramMaker& m, const Ints& to) {
  Ints dims;
  for (size_t d = 0; d < to.size(); ++d) {
    if (m.Chance(60)) dims.push_back(static_cast<int64_t>(d));
  }
  return {Opcode::kReverse, to, Attrs().With(Attr::kDimensions, dims)};
}

Step Transposed(ProgramMaker& m, const Ints& to) {
  Ints order(to.size()), from(to.size());
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = order.size(); i-- > 1;)
    std::swap(order[i], order[m.Pick(static_cast<int>(i) + 1)]);
  for (size_t i = 0; i < order.size(); ++i) from[order[i]] = to[i];
  return {Opcode::kTranspose, from, Attrs().With(Attr::kDimensions, order)};
}

// Joins neighbouring dimensions, or puts some between others.
Step Reshaped(ProgramMaker& m, const Ints& to) {
  Ints from;
  for (int64_t extent : to) {
    if (!from.empty() && m.Chance(30)) {
      from.back() *= extent;
    } else {
      from.push_back(extent);
    }
    if (m.Chance(20)) from.push_back(1);
    for (int64_t factor : {2, 3}) {
      if (from.back() % factor != 0 || from.back() == factor || !m.Chance(20)) continue;
      from.back() /= factor;
      from.push_back(factor);
    }
  }
  return {Opcode::kReshape, from, {}};
}

Step Broadcasted(ProgramMaker& m, const Ints& to) {
  Ints from, dims;
  for (size_t d = 0; d < to.size(); ++d) {
    if (m.Chance(40)) continue;
    from.push_back(to[d]);
    dims.push_back(static_cast<int64_t>(d));
  }
  if (dims.size() > 1 && m.Chance(20)) {
    std::swap(from[0], from[1]);
    std::swap(dims[0], dims[1]);
  }
  return {Opcode::kBroadcast, from, Attrs().With(Attr::kDimensions, dims)};
}

// Returns a scalar index, which may be beyond both ends.
Instruction* ConstantIndex(ProgramMaker& m, ElementType type, int64_t room) {
  const int64_t value = m.Pick(static_cast<int>(room) + 3) - 1;
  return m.Scalar(type,
                  static_cast<double>(hlo::IsUnsigned(type) ? std::max<int64_t>(value, 0) : value));
}

// Returns null if an op does not take what was drawn for it.
Instruction* Build(ProgramMaker& m, const Shape& shape, int depth);

Instruction* Windowed(ProgramMaker& m, const Shape& shape, int depth) {
  const ElementType type = m.OneOf<ElementType>({ElementType::kS32, ElementType::kU8});
  Ints from;
  std::vector<Instruction*> operands = {nullptr};
  for (int64_t extent : shape.dims()) {
    const int64_t room = m.Chance(50) ? 0 : m.Pick(3);
    from.push_back(extent + room);
    operands.push_back(ConstantIndex(m, type, room));
  }
  operands[0] = Build(m, shape.WithDims(from), depth - 1);
  if (operands[0] == nullptr) return nullptr;
  return m.Add(Opcode::kDynamicSlice, operands,
               Attrs().With(Attr::kDynamicSliceSizes, shape.dims()));
}

Instruction* Joined(ProgramMaker& m, const Shape& shape, int depth) {
  const int64_t dim = m.Pick(static_cast<int>(shape.rank()));
  int64_t left = shape.dim(dim);
  std::vector<Instruction*> parts;
  while (left > 0 || m.Chance(10)) {
    Ints dims = shape.dims();
    dims[dim] = m.Pick(static_cast<int>(left) + 1);
    left -= dims[dim];
    // Sometimes repeats the last piece.
    const bool again = !parts.empty() && parts.back()->shape.dim(dim) == dims[dim] && m.Chance(40);
    parts.push_back(again ? parts.back() : Build(m, shape.WithDims(dims), depth - 1));
    if (parts.back() == nullptr) return nullptr;
  }
  return m.Add(Opcode::kConcatenate, parts, Attrs().With(Attr::kDimensions, Ints{dim}));
}

// Returns the value of a pad: mostly that of convolutions, sums and maxima.
Instruction* PadValue(ProgramMaker& m, ElementType type) {
  if (m.Chance(20)) return m.Like(Shape::Scalar(type));
  return m.Scalar(type, m.Chance(70) ? 0 : 1);
}

Instruction* Build(ProgramMaker& m, const Shape& given, int depth) {
  const Shape shape = given.WithDefaultLayout();
  if (depth == 0 || shape.rank() == 0 || shape.NumElements() == 0) return m.Like(shape);
  const int kind = m.Pick(10);
  if (kind == 0) return Windowed(m, shape, depth);
  if (kind == 1) return Joined(m, shape, depth);
  using MakeStep = Step (*)(ProgramMaker&, const Ints&);
  constexpr MakeStep kSteps[] = {Padded,   Padded,     Padded,   Sliced,
                                 Reversed, Transposed, Reshaped, Broadcasted};
  const Step step = kSteps[kind - 2](m, shape.dims());
  if (Shape::Array(shape.element_type(), step.from).NumElements() > kMostElements) {
    return m.Like(shape);
  }
  std::vector<Instruction*> operands = {Build(m, shape.WithDims(step.from), depth - 1)};
  if (operands[0] == nullptr) return nullptr;
  if (step.opcode == Opcode::kPad) operands.push_back(PadValue(m, shape.element_type()));
  return m.AddShaped(step.opcode, shape, operands, step.attrs);
}

}  // namespace

Instruction* Moved(ProgramMaker& m, const Shape& shape) {
  if (shape.rank() == 0 || shape.NumElements() == 0) return nullptr;
  return Build(m, shape, 1 + m.Pick(3));
}

}  // namespace halyard::testing
