#include <algorithm>
#include <numeric>

#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/values/decoded.h"
#include "lowering/plan/simplify/rules.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Ints;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

// Returns the positions of the dimensions that are not 1.
std::vector<int64_t> PlacesWithoutOnes(const std::vector<int64_t>& dims) {
  std::vector<int64_t> places;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != 1) places.push_back(static_cast<int64_t>(i));
  }
  return places;
}

// A reshape that adds or drops dimensions of one element, of a transpose, as a transpose of a
// reshape: what reads a transposed array then sees that it is one. A dimension of one element comes
// before the one that it precedes in the result.
Instruction* TransposeOfReshape(Rewriter& rewriter, const Instruction& reshape,
                                const Instruction& transpose) {
  const std::vector<int64_t>& dims = reshape.shape.dims();
  const Ints& permutation = transpose.GetInts(Attr::kDimensions);
  const std::vector<int64_t> from = PlacesWithoutOnes(transpose.shape.dims());
  const std::vector<int64_t> to = PlacesWithoutOnes(dims);
  // The dimensions of the result in the order of the transpose's operand.
  std::vector<size_t> order(to.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return permutation[from[a]] < permutation[from[b]]; });
  std::vector<int64_t> untransposed;
  Ints places(dims.size());
  const auto append = [&](int64_t first, int64_t last) {
    for (int64_t d = first; d < last; ++d) {
      places[d] = static_cast<int64_t>(untransposed.size());
      untransposed.push_back(dims[d]);
    }
  };
  for (size_t i : order) append(i == 0 ? 0 : to[i - 1] + 1, to[i] + 1);
  append(to.empty() ? 0 : to.back() + 1, static_cast<int64_t>(dims.size()));
  return rewriter.AddTranspose(
      reshape, rewriter.AddReshape(reshape, transpose.operands[0], untransposed), places);
}

Instruction* SimplifyReshape(Rewriter& rewriter, Instruction* inst) {
  Instruction* operand = inst->operands[0];
  const std::vector<int64_t>& dims = inst->shape.dims();
  if (operand->shape.dims() == dims) return operand;
  if (operand->opcode == Opcode::kReshape) {
    return rewriter.AddReshape(*inst, operand->operands[0], dims);
  }
  if (operand->opcode == Opcode::kConstant)
    return rewriter.AddConstant(*inst, hlo::WithShape(operand->literal, inst->shape));
  if (operand->opcode == Opcode::kBroadcast) {
    Instruction* source = operand->operands[0];
    if (source->shape.IsScalar()) return rewriter.AddBroadcast(*inst, source, dims, {});
    if (!IsDegenerateReshape(*inst)) return nullptr;
    // Dimensions that are not 1 keep their order: those of the source go where the result has them.
    std::vector<int64_t> from = PlacesWithoutOnes(operand->shape.dims());
    std::vector<int64_t> to = PlacesWithoutOnes(dims);
    Ints dimensions;
    for (int64_t i : PlacesWithoutOnes(source->shape.dims())) {
      int64_t place = operand->GetInts(Attr::kDimensions)[i];
      dimensions.push_back(to[std::find(from.begin(), from.end(), place) - from.begin()]);
    }
    Instruction* small = rewriter.AddReshape(*inst, source, WithoutOnes(source->shape.dims()));
    return rewriter.AddBroadcast(*inst, small, dims, dimensions);
  }
  if (operand->opcode == Opcode::kTranspose && IsDegenerateReshape(*inst))
    return TransposeOfReshape(rewriter, *inst, *operand);
  return nullptr;
}

Instruction* SimplifyTranspose(Rewriter& rewriter, Instruction* inst) {
  Instruction* operand = inst->operands[0];
  const Ints& permutation = inst->GetInts(Attr::kDimensions);
  if (std::is_sorted(permutation.begin(), permutation.end())) return operand;
  if (operand->opcode == Opcode::kTranspose) {
    Ints composed;
    for (int64_t p : permutation) composed.push_back(operand->GetInts(Attr::kDimensions)[p]);
    return rewriter.AddTranspose(*inst, operand->operands[0], composed);
  }
  if (Instruction* scalar = SplatOf(operand); scalar != nullptr) {
    return rewriter.AddBroadcast(*inst, scalar, inst->shape.dims(), {});
  }
  Ints moved;
  for (int64_t p : permutation) {
    if (operand->shape.dim(p) != 1) moved.push_back(p);
  }
  if (std::is_sorted(moved.begin(), moved.end())) {
    return rewriter.AddReshape(*inst, operand, inst->shape.dims());
  }
  return nullptr;
}

// Counted places, as programs bring them (JAX's arange), are an iota: no bytes to read, and masks
// of places are seen as such (lowering/kernels/attention/mask.h).
constexpr int64_t kFewestCounted = 16;

bool CountsByOne(const Instruction& constant) {
  const hlo::ElementType type = constant.shape.element_type();
  if (constant.shape.rank() != 1 || constant.shape.dim(0) < kFewestCounted ||
      !hlo::IsInteger(type) || hlo::BitWidth(type) < 32)
    return false;
  const auto at = [&](int64_t i) { return static_cast<uint64_t>(constant.literal.GetInt(i)); };
  for (int64_t i = 1; i < constant.shape.dim(0); ++i) {
    if (at(i) != at(0) + static_cast<uint64_t>(i)) return false;
  }
  return true;
}

Instruction* CountedPlaces(Rewriter& rewriter, Instruction* broadcast) {
  const Instruction& constant = *broadcast->operands[0];
  const hlo::Shape& shape = broadcast->shape;
  Instruction* places =
      rewriter.Add(*broadcast, Opcode::kIota, shape, {},
                   OneAttr(Attr::kIotaDimension, broadcast->GetInts(Attr::kDimensions)[0]));
  const int64_t first = constant.literal.GetInt(0);
  if (first == 0) return places;
  hlo::Literal start(hlo::Shape::Scalar(shape.element_type()));
  start.SetInt(0, first);
  Instruction* scalar = rewriter.AddConstant(*broadcast, std::move(start));
  return rewriter.Add(*broadcast, Opcode::kAdd, shape,
                      {places, rewriter.AddBroadcast(*broadcast, scalar, shape.dims(), {})});
}

Instruction* SimplifyBroadcast(Rewriter& rewriter, Instruction* inst) {
  Instruction* operand = inst->operands[0];
  if (operand->opcode == Opcode::kConstant && operand->shape.IsArray() && CountsByOne(*operand) &&
      inst->shape.rank() > 1)
    return CountedPlaces(rewriter, inst);
  const Ints& dimensions = inst->GetInts(Attr::kDimensions);
  if (operand->shape.dims() == inst->shape.dims() &&
      std::is_sorted(dimensions.begin(), dimensions.end())) {
    return operand;
  }
  Ints mapped;
  if (operand->opcode == Opcode::kBroadcast) {
    for (int64_t d : operand->GetInts(Attr::kDimensions)) mapped.push_back(dimensions[d]);
    return rewriter.AddBroadcast(*inst, operand->operands[0], inst->shape.dims(), mapped);
  }
  if (operand->opcode == Opcode::kIota) {
    int64_t dim = dimensions[operand->GetInt(Attr::kIotaDimension)];
    return rewriter.Add(*inst, Opcode::kIota, inst->shape, {}, OneAttr(Attr::kIotaDimension, dim));
  }
  // Dimensions of size 1 need no place in the operand.
  std::vector<int64_t> places = PlacesWithoutOnes(operand->shape.dims());
  if (places.size() == operand->shape.dims().size()) return nullptr;
  for (int64_t i : places) mapped.push_back(dimensions[i]);
  return rewriter.AddBroadcast(
      *inst, rewriter.AddReshape(*inst, operand, WithoutOnes(operand->shape.dims())),
      inst->shape.dims(), mapped);
}

Instruction* SimplifySlice(Rewriter& rewriter, Instruction* inst) {
  Instruction* operand = inst->operands[0];
  if (operand->shape.dims() == inst->shape.dims()) return operand;
  if (Instruction* scalar = SplatOf(operand); scalar != nullptr) {
    return rewriter.AddBroadcast(*inst, scalar, inst->shape.dims(), {});
  }
  return nullptr;
}

Instruction* SimplifyPad(Instruction* inst) {
  Instruction* operand = inst->operands[0];
  bool nothing = true;
  for (const hlo::PaddingDim& dim : inst->GetPadding()) {
    nothing = nothing && dim.low == 0 && dim.high == 0 && dim.interior == 0;
  }
  return nothing ? operand : nullptr;
}

// Of the whole array, or at constant indices.
Instruction* SimplifyDynamicSlice(Rewriter& rewriter, Instruction* inst) {
  Instruction* operand = inst->operands[0];
  if (operand->shape.dims() == inst->shape.dims()) return operand;
  if (static_cast<int64_t>(inst->operands.size()) != operand->shape.rank() + 1) return nullptr;
  hlo::SliceDims slice;
  for (int64_t d = 0; d < operand->shape.rank(); ++d) {
    Instruction* start = inst->operands[d + 1];
    if (start->opcode != Opcode::kConstant) return nullptr;
    int64_t largest = operand->shape.dim(d) - inst->shape.dim(d);
    uint64_t unsigned_start = start->literal.GetUint(0);
    int64_t begin = hlo::IsUnsigned(start->shape.element_type())
                        ? static_cast<int64_t>(std::min<uint64_t>(unsigned_start, largest))
                        : std::clamp<int64_t>(start->literal.GetInt(0), 0, largest);
    slice.push_back({begin, begin + inst->shape.dim(d), 1});
  }
  return rewriter.Add(*inst, Opcode::kSlice, inst->shape, {operand}, OneAttr(Attr::kSlice, slice));
}

// Dimensions of one element need no reversing.
Instruction* SimplifyReverse(Rewriter& rewriter, Instruction* inst) {
  Ints reversed = inst->GetInts(Attr::kDimensions);
  const size_t before = reversed.size();
  std::erase_if(reversed, [&](int64_t d) { return inst->shape.dim(d) == 1; });
  if (reversed.empty()) return inst->operands[0];
  if (reversed.size() == before) return nullptr;
  return rewriter.Add(*inst, Opcode::kReverse, inst->shape, {inst->operands[0]},
                      OneAttr(Attr::kDimensions, reversed));
}

// What an operand is made from, when an op over all of it may be done there: a reshape's operand,
// or a broadcast's.
struct Source {
  Opcode opcode;
  std::vector<int64_t> dims;
  Ints dimensions;
  bool operator==(const Source&) const = default;
};

Instruction* SourceOperand(Rewriter& rewriter, const Instruction& inst, Instruction* operand,
                           const Source& source) {
  if (Instruction* scalar = SplatOf(operand); scalar != nullptr) {
    if (source.dims.empty()) return scalar;
    return rewriter.AddBroadcast(inst, scalar, source.dims, {});
  }
  if (operand->opcode == Opcode::kConstant) {
    return rewriter.AddReshape(inst, operand, source.dims);
  }
  return operand->operands[0];
}

// Whether any op may be done before this reshape, whatever else reads it: the elements stay as they
// are, or are made by an op in their place. (move_reshapes.cc sees to others.)
bool MayPass(const Instruction& inst) {
  if (inst.opcode != Opcode::kReshape) return false;
  const Opcode from = inst.operand(0)->opcode;
  return from == Opcode::kBroadcast || from == Opcode::kIota || IsDegenerateReshape(inst);
}

}  // namespace

bool IsElementwise(const Instruction& inst) {
  return inst.shape.IsArray() && !inst.shape.IsScalar() && !inst.operands.empty() &&
         (hlo::RowOf(inst.opcode).elementwise || inst.opcode == Opcode::kBitcastConvert);
}

Instruction* SimplifyDataMovement(Rewriter& rewriter, Instruction* inst) {
  switch (inst->opcode) {
    case Opcode::kReshape:
      return SimplifyReshape(rewriter, inst);
    case Opcode::kTranspose:
      return SimplifyTranspose(rewriter, inst);
    case Opcode::kBroadcast:
      return SimplifyBroadcast(rewriter, inst);
    case Opcode::kSlice:
      return SimplifySlice(rewriter, inst);
    case Opcode::kConcatenate:
      return inst->operands.size() == 1 ? inst->operands[0] : nullptr;
    case Opcode::kPad:
      return SimplifyPad(inst);
    case Opcode::kDynamicSlice:
      return SimplifyDynamicSlice(rewriter, inst);
    case Opcode::kDynamicUpdateSlice:
      return inst->operands[1]->shape.dims() == inst->shape.dims() ? inst->operands[1] : nullptr;
    case Opcode::kReverse:
      return SimplifyReverse(rewriter, inst);
    case Opcode::kIota:
      if (inst->shape.dim(inst->GetInt(Attr::kIotaDimension)) != 1) return nullptr;
      return rewriter.AddBroadcast(
          *inst, rewriter.AddConstant(*inst, Literal(Shape::Scalar(inst->shape.element_type()))),
          inst->shape.dims(), {});
    default:
      return nullptr;
  }
}

Instruction* SinkThroughElementwise(Rewriter& rewriter, Instruction* inst) {
  if (!IsElementwise(*inst)) return nullptr;
  std::vector<Source> sources;
  bool has_constant = false;
  for (Instruction* operand : inst->operands) {
    if (operand->shape.dims() != inst->shape.dims()) return nullptr;
    if (SplatOf(operand) != nullptr) continue;
    if (operand->opcode == Opcode::kConstant) {
      has_constant = true;
      continue;
    }
    if (operand->opcode != Opcode::kBroadcast && !MayPass(*operand)) return nullptr;
    sources.push_back(
        {operand->opcode, operand->operands[0]->shape.dims(), operand->GetInts(Attr::kDimensions)});
  }
  Source source{Opcode::kBroadcast, {}, {}};
  if (!sources.empty()) source = sources[0];
  for (const Source& other : sources) {
    if (!(other == source)) return nullptr;
  }
  if (has_constant && source.opcode != Opcode::kReshape) return nullptr;
  std::vector<Instruction*> operands;
  for (Instruction* operand : inst->operands) {
    operands.push_back(SourceOperand(rewriter, *inst, operand, source));
  }
  Instruction* small = rewriter.Add(*inst, inst->opcode, inst->shape.WithDims(source.dims),
                                    std::move(operands), inst->attrs, inst->called);
  if (source.opcode == Opcode::kReshape) {
    return rewriter.AddReshape(*inst, small, inst->shape.dims());
  }
  return rewriter.AddBroadcast(*inst, small, inst->shape.dims(), source.dimensions);
}

}  // namespace halyard::lowering
