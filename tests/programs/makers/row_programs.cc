// Makes programs that fold rows of several dimensions, spread the results over the rows again and
// go on, as softmax and norms do. Some ops tell only some of the dimensions apart, so that the
// compiler collapses others, in one place of a kernel but not in the next.
#include <algorithm>

#include "tests/programs/makers/program_maker.h"
#include "tests/programs/makers/random_program.h"

namespace halyard::testing {
namespace {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;

struct RowDims {
  Ints all;     // extents
  Ints folded;  // dimensions of a row, most often the last ones
  Ints kept;
};

RowDims RandomDims(ProgramMaker& m) {
  RowDims dims;
  const int rank = 1 + m.Pick(5), folded = 1 + m.Pick(rank);
  int64_t elements = 1;
  for (int d = 0; d < rank; ++d) {
    int64_t extent = m.OneOf<int64_t>({1, 2, 3, 4, 5, 7, 8, 16, 17, 32, 33, 90});
    if (elements * extent > 15000) extent = 1;
    elements *= extent;
    dims.all.push_back(extent);
  }
  const bool last = m.Chance(85);
  for (int64_t d = 0; d < rank; ++d) {
    const bool fold = last ? d >= rank - folded : m.Chance(50);
    (fold ? dims.folded : dims.kept).push_back(d);
  }
  return dims;
}

Instruction* Spread(ProgramMaker& m, Instruction* value, const RowDims& dims, const Ints& places) {
  return m.AddShaped(Opcode::kBroadcast, value->shape.WithDims(dims.all), {value},
                     Attrs().With(Attr::kDimensions, places));
}

// A parameter along some of the dimensions, spread over the others.
Instruction* SpreadParameter(ProgramMaker& m, ElementType type, const RowDims& dims) {
  Ints places, extents;
  for (int64_t d = 0; d < static_cast<int64_t>(dims.all.size()); ++d) {
    if (m.Chance(50)) continue;
    places.push_back(d);
    extents.push_back(dims.all[d]);
  }
  return Spread(m, m.Parameter(Shape::Array(type, extents)), dims, places);
}

Instruction* Folded(ProgramMaker& m, Instruction* value, const RowDims& dims) {
  Instruction* init = nullptr;
  hlo::Computation* fold = m.Fold(value->shape.element_type(), &init);
  return m.Add(Opcode::kReduce, {value, init}, Attrs().With(Attr::kDimensions, dims.folded),
               {fold});
}

Instruction* Combined(ProgramMaker& m, Instruction* a, Instruction* b) {
  const Opcode opcode = m.OneOf<Opcode>(
      {Opcode::kAdd, Opcode::kSubtract, Opcode::kMultiply, Opcode::kMaximum, Opcode::kMinimum});
  return m.Add(opcode, {a, b});
}

// The same elements in fewer or other dimensions.
Instruction* Reshaped(ProgramMaker& m, Instruction* value) {
  Ints extents = value->shape.dims();
  if (extents.size() > 1 && m.Chance(60)) {
    const auto at = extents.begin() + m.Pick(static_cast<int>(extents.size()) - 1);
    at[0] *= at[1];
    extents.erase(at + 1);
  } else {
    for (size_t d = 0; d < extents.size(); ++d) {
      if (extents[d] < 4 || extents[d] % 2 != 0) continue;
      extents[d] /= 2;
      extents.insert(extents.begin() + static_cast<int64_t>(d), 2);
      break;
    }
  }
  return m.AddShaped(Opcode::kReshape, value->shape.WithDims(extents), {value});
}

}  // namespace

std::unique_ptr<hlo::Module> RandomRowsProgram(uint32_t seed) {
  ProgramMaker maker(seed);
  const auto type = maker.OneOf<ElementType>(
      {ElementType::kF32, ElementType::kF32, ElementType::kF32, ElementType::kF64,
       ElementType::kBF16, ElementType::kF16, ElementType::kS8, ElementType::kS32, ElementType::kU8,
       ElementType::kC64});
  const bool complex = hlo::IsComplex(type);
  const RowDims dims = RandomDims(maker);
  Instruction* value = maker.Parameter(Shape::Array(type, dims.all));
  const auto replace = [&](Instruction* next) {
    if (next != nullptr) value = next;
  };
  for (int steps = 2 + maker.Pick(6); steps > 0; --steps) {
    switch (maker.Pick(5)) {
      case 0:
        replace(Combined(maker, value, SpreadParameter(maker, type, dims)));
        break;
      case 1:
        replace(
            maker.Add(complex || !hlo::IsFloat(type) ? Opcode::kNegate : Opcode::kTanh, {value}));
        break;
      case 2:
        replace(Combined(maker, value, value));
        break;
      default:
        if (Instruction* total = Folded(maker, value, dims); total != nullptr) {
          Instruction* spread = Spread(maker, total, dims, dims.kept);
          // Or of the row, only the fold is left.
          replace(maker.Chance(70) ? Combined(maker, value, spread) : spread);
        }
    }
  }
  if (maker.Chance(30)) replace(Folded(maker, value, dims));
  if (maker.Chance(30)) replace(Reshaped(maker, value));
  if (value->opcode == Opcode::kParameter) replace(maker.Add(Opcode::kNegate, {value}));
  return maker.FinishWith(value);
}

}  // namespace halyard::testing
