// Makes random ops that move data.
#include <algorithm>

#include "tests/programs/makers/program_maker.h"

namespace halyard::testing {
namespace {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;

Instruction* Broadcast(ProgramMaker& m) {
  Instruction* a = m.Array();
  Ints dims = m.Dims(3), kept;
  // Each dimension of the operand becomes one of the result, in order.
  for (int64_t d = 0; d < a->shape.rank(); ++d) {
    const int64_t at = (kept.empty() ? 0 : kept.back() + 1) + m.Pick(2);
    while (static_cast<int64_t>(dims.size()) <= at) dims.push_back(1 + m.Pick(3));
    dims[at] = a->shape.dim(d);
    kept.push_back(at);
  }
  return m.AddShaped(Opcode::kBroadcast, Shape::Array(a->shape.element_type(), dims), {a},
                     Attrs().With(Attr::kDimensions, kept));
}

Instruction* Reshape(ProgramMaker& m) {
  Instruction* a = m.Array();
  Ints dims;
  int64_t left = a->shape.NumElements();
  while (left > 1 && dims.size() < 4) {
    Ints divisors;
    for (int64_t d = 1; d <= left; ++d) {
      if (left % d == 0) divisors.push_back(d);
    }
    dims.push_back(m.OneOf(divisors));
    left /= dims.back();
  }
  if (left != 1 || m.Chance(20)) dims.push_back(left);
  return m.AddShaped(Opcode::kReshape, Shape::Array(a->shape.element_type(), dims), {a});
}

Instruction* Transpose(ProgramMaker& m) {
  Instruction* a = m.Array();
  return m.Add(Opcode::kTranspose, {a},
               Attrs().With(Attr::kDimensions, m.Permutation(a->shape.rank())));
}

Instruction* Reverse(ProgramMaker& m) {
  Instruction* a = m.Array();
  Ints dims;
  // Compilers join dimensions of one element with others. So this reverses them more often, and
  // adds one to an array without any.
  const std::vector<int64_t>& old = a->shape.dims();
  if (!old.empty() && m.Chance(25) && std::find(old.begin(), old.end(), 1) == old.end()) {
    Ints with_one = old;
    with_one.insert(with_one.begin() + m.Pick(static_cast<int>(old.size()) + 1), 1);
    a = m.AddShaped(Opcode::kReshape, Shape::Array(a->shape.element_type(), with_one), {a});
  }
  for (int64_t d = 0; d < a->shape.rank(); ++d) {
    if (m.Chance(a->shape.dim(d) == 1 ? 80 : 50)) dims.push_back(d);
  }
  return m.Add(Opcode::kReverse, {a}, Attrs().With(Attr::kDimensions, dims));
}

Instruction* Slice(ProgramMaker& m) {
  Instruction* a = m.Array();
  hlo::SliceDims slice;
  for (int64_t extent : a->shape.dims()) {
    const int64_t start = m.Pick(static_cast<int>(extent) + 1);
    const int64_t limit = start + m.Pick(static_cast<int>(extent - start) + 1);
    slice.push_back(m.Chance(30) ? hlo::SliceDim{0, extent, 1}
                                 : hlo::SliceDim{start, limit, 1 + m.Pick(3)});
  }
  return m.Add(Opcode::kSlice, {a}, Attrs().With(Attr::kSlice, slice));
}

Instruction* Concatenate(ProgramMaker& m) {
  Instruction* a = m.Array();
  if (a->shape.rank() == 0) return nullptr;
  const int64_t dimension = m.Pick(static_cast<int>(a->shape.rank()));
  std::vector<Instruction*> operands = {a};
  for (int i = m.Pick(3); i > 0; --i) {
    Ints dims = a->shape.dims();
    dims[dimension] = m.Extent();
    operands.push_back(m.Like(Shape::Array(a->shape.element_type(), dims)));
  }
  return m.Add(Opcode::kConcatenate, operands, Attrs().With(Attr::kDimensions, Ints{dimension}));
}

Instruction* Pad(ProgramMaker& m) {
  Instruction* a = m.Array();
  hlo::PaddingConfig padding;
  for (int64_t d = 0; d < a->shape.rank(); ++d)
    padding.push_back({m.Pick(5) - 2, m.Pick(5) - 2, m.Chance(30) ? m.Pick(3) : 0});
  return m.Add(Opcode::kPad, {a, m.Scalar(a->shape.element_type(), m.Pick(2))},
               Attrs().With(Attr::kPadding, padding));
}

Instruction* Iota(ProgramMaker& m) {
  const Shape shape = Shape::Array(m.Type(), m.Dims());
  if (shape.rank() == 0) return nullptr;
  return m.AddShaped(
      Opcode::kIota, shape, {},
      Attrs().With(Attr::kIotaDimension, int64_t{m.Pick(static_cast<int>(shape.rank()))}));
}

// Returns a scalar index that may be a little beyond both ends.
Instruction* Index(ProgramMaker& m, ElementType type, int64_t extent) {
  if (m.Chance(30)) return m.Like(Shape::Scalar(type));
  const double value = m.Pick(static_cast<int>(extent) + 4) - 2;
  return m.Scalar(type, hlo::IsUnsigned(type) ? std::max(value, 0.0) : value);
}

ElementType IndexType(ProgramMaker& m) {
  return m.OneOf<ElementType>({ElementType::kS32, ElementType::kS64, ElementType::kU32,
                               ElementType::kS8, ElementType::kU8, ElementType::kU64});
}

Instruction* DynamicSlice(ProgramMaker& m) {
  Instruction* a = m.Array();
  std::vector<Instruction*> operands = {a};
  Ints sizes;
  const ElementType type = IndexType(m);
  for (int64_t extent : a->shape.dims()) {
    sizes.push_back(m.Pick(static_cast<int>(extent) + 1));
    operands.push_back(Index(m, type, extent));
  }
  return m.Add(Opcode::kDynamicSlice, operands, Attrs().With(Attr::kDynamicSliceSizes, sizes));
}

Instruction* DynamicUpdateSlice(ProgramMaker& m) {
  Instruction* a = m.Array();
  Ints sizes;
  for (int64_t extent : a->shape.dims()) sizes.push_back(m.Pick(static_cast<int>(extent) + 1));
  std::vector<Instruction*> operands = {a, m.Like(Shape::Array(a->shape.element_type(), sizes))};
  const ElementType type = IndexType(m);
  for (int64_t extent : a->shape.dims()) operands.push_back(Index(m, type, extent));
  return m.Add(Opcode::kDynamicUpdateSlice, operands);
}

// The dimension numbers of a gather from an array, or a scatter into it, and the indices.
struct Indexing {
  Ints indexed, window, collapsed, sizes, batch;  // batch: extents of the indices
  int64_t vector_dim = 0;
  Instruction* indices = nullptr;
};
Indexing RandomIndexing(ProgramMaker& m, const Shape& shape) {
  Indexing result;
  const int64_t k = 1 + m.Pick(static_cast<int>(std::min<int64_t>(shape.rank(), 2)));
  const Ints order = m.Permutation(shape.rank());
  result.indexed.assign(order.begin(), order.begin() + k);
  int64_t extent = 1;  // that an index chooses from
  for (int64_t d = 0; d < shape.rank(); ++d) {
    const bool chosen =
        std::find(result.indexed.begin(), result.indexed.end(), d) != result.indexed.end();
    const bool collapse = chosen && shape.dim(d) > 0 && m.Chance(60);
    if (collapse) result.collapsed.push_back(d);
    if (chosen) extent = std::max(extent, shape.dim(d));
    result.sizes.push_back(collapse       ? 1
                           : m.Chance(60) ? shape.dim(d)
                                          : m.Pick(static_cast<int>(shape.dim(d)) + 1));
  }
  for (int i = 1 + m.Pick(2); i > 0; --i) result.batch.push_back(1 + m.Pick(5));
  Ints dims = result.batch;
  result.vector_dim = m.Pick(static_cast<int>(dims.size()) + 1);
  if (k == 1 && m.Chance(20)) {  // none
    result.vector_dim = static_cast<int64_t>(dims.size());
  } else {
    dims.insert(dims.begin() + result.vector_dim, k);
  }
  result.indices = m.Indices(IndexType(m), dims, extent);
  // Windows may be any of the result's dimensions.
  const int64_t windows = shape.rank() - static_cast<int64_t>(result.collapsed.size());
  const Ints places = m.Permutation(windows + static_cast<int64_t>(result.batch.size()));
  result.window.assign(places.begin(), places.begin() + windows);
  std::sort(result.window.begin(), result.window.end());
  return result;
}

Instruction* Gather(ProgramMaker& m) {
  Instruction* a = m.Array();
  if (a->shape.rank() == 0) return nullptr;
  const Indexing indexing = RandomIndexing(m, a->shape);
  return m.Add(Opcode::kGather, {a, indexing.indices},
               Attrs()
                   .With(Attr::kOffsetDims, indexing.window)
                   .With(Attr::kCollapsedSliceDims, indexing.collapsed)
                   .With(Attr::kStartIndexMap, indexing.indexed)
                   .With(Attr::kIndexVectorDim, indexing.vector_dim)
                   .With(Attr::kSliceSizes, indexing.sizes));
}

// Uses bodies whose result does not depend on the order, because the order of updates is free.
Instruction* Scatter(ProgramMaker& m) {
  Instruction* a = m.Array();
  if (a->shape.rank() == 0) return nullptr;
  const Indexing indexing = RandomIndexing(m, a->shape);
  Ints windows;
  for (int64_t d = 0; d < a->shape.rank(); ++d) {
    if (std::find(indexing.collapsed.begin(), indexing.collapsed.end(), d) ==
        indexing.collapsed.end())
      windows.push_back(indexing.sizes[d]);
  }
  Ints update_dims = indexing.batch;
  for (size_t i = 0; i < windows.size(); ++i)
    update_dims.insert(update_dims.begin() + indexing.window[i], windows[i]);
  const ElementType type = a->shape.element_type();
  return m.Add(
      Opcode::kScatter, {a, indexing.indices, m.Like(Shape::Array(type, update_dims))},
      Attrs()
          .With(Attr::kUpdateWindowDims, indexing.window)
          .With(Attr::kInsertedWindowDims, indexing.collapsed)
          .With(Attr::kScatterDimsToOperandDims, indexing.indexed)
          .With(Attr::kIndexVectorDim, indexing.vector_dim),
      {m.Combiner(m.OneOf<Opcode>({Opcode::kAdd, Opcode::kMaximum, Opcode::kMinimum}), type)});
}

// Gives another layout to an array of the program.
Instruction* Copy(ProgramMaker& m) {
  Instruction* a = m.Array();
  return m.AddShaped(Opcode::kCopy, a->shape.WithDefaultLayout(), {a});
}

constexpr Maker kMakers[] = {
    Broadcast,          Reshape, Transpose, Reverse,   Slice,  Slice,
    Concatenate,        Pad,     Iota,      Broadcast, Gather, DynamicSlice,
    DynamicUpdateSlice, Scatter, Copy};

}  // namespace

absl::Span<const Maker> MovementMakers() { return kMakers; }

}  // namespace halyard::testing
