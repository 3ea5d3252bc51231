// Ops that move elements. The valid part of an array is what comes first in each dimension, so what
// moves relative to the end, or behind something of variable size, has to be put in its place.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/ir/op_table.h"
#include "lowering/plan/sizes/sized_builder.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

namespace {

// Returns the attribute for combination k.
template <typename T>
const T& AttributeOf(const SizedBuilder& b, const Instruction& inst, Attr attr, size_t k) {
  const std::vector<hlo::AttrMap>* attrs = b.facts().Attributes(&inst);
  return std::get<T>(*(attrs == nullptr ? inst.attrs : (*attrs)[k]).Find(attr));
}

// Consecutive dimensions of the operand and of the result that hold the same elements.
struct Group {
  int64_t begin[2], end[2];  // of the operand, and of the result
};

// Returns whether the groups have as many elements on both sides, for all sizes.
bool SameCount(const std::vector<SizeFunction>& from, const std::vector<SizeFunction>& to,
               const Group& group) {
  const size_t combinations = !from.empty() ? from[0].size() : to.empty() ? 0 : to[0].size();
  for (size_t k = 0; k < combinations; ++k) {
    int64_t count[2] = {1, 1};
    for (int64_t d = group.begin[0]; d < group.end[0]; ++d) count[0] *= from[d][k];
    for (int64_t d = group.begin[1]; d < group.end[1]; ++d) count[1] *= to[d][k];
    if (count[0] != count[1]) return false;
  }
  return true;
}

// Cuts a reshape into the smallest groups that hold the same elements for all sizes.
std::vector<Group> GroupsOf(const std::vector<SizeFunction>& from,
                            const std::vector<SizeFunction>& to) {
  const int64_t ranks[2] = {static_cast<int64_t>(from.size()), static_cast<int64_t>(to.size())};
  std::vector<Group> groups;
  Group group{};
  while (group.begin[0] < ranks[0] || group.begin[1] < ranks[1]) {
    bool found = false;
    for (int64_t total = 1; total <= ranks[0] + ranks[1] && !found; ++total) {
      for (int64_t i = 0; i <= total && !found; ++i) {
        group.end[0] = group.begin[0] + i;
        group.end[1] = group.begin[1] + total - i;
        found = group.end[0] <= ranks[0] && group.end[1] <= ranks[1] && SameCount(from, to, group);
      }
    }
    if (!found) {
      group.end[0] = ranks[0];
      group.end[1] = ranks[1];
    }
    groups.push_back(group);
    for (int side : {0, 1}) group.begin[side] = group.end[side];
  }
  return groups;
}

// Returns whether the elements within the sizes are the first ones of the group: only the first
// dimension that is not always 1 varies.
bool IsPrefix(const std::vector<SizeFunction>& sizes, int64_t begin, int64_t end) {
  bool first = true;
  for (int64_t d = begin; d < end; ++d) {
    if (!IsConstant(sizes[d])) {
      if (!first) return false;
      first = false;
    } else if (sizes[d][0] != 1) {
      first = false;
    }
  }
  return true;
}

// Returns operand[i] for the elements i, in row-major order of the sizes of the run.
Instruction* ReshapeByIndex(SizedBuilder& b, Instruction* inst,
                            const std::vector<SizeFunction>& from,
                            const std::vector<SizeFunction>& to) {
  GraphBuilder graph = b.For(*inst);
  const std::vector<int64_t>& dims = inst->shape.dims();
  const auto spread = [&](const SizeFunction& size) {
    return graph.Broadcast(b.Value(*inst, size), dims, {});
  };
  // The element's number, then its index in the operand.
  Instruction* number = graph.Broadcast(b.Value(*inst, SizeFunction(from[0].size(), 0)), dims, {});
  for (size_t d = 0; d < to.size(); ++d) {
    number =
        graph.Add(Opcode::kAdd, {graph.Add(Opcode::kMultiply, {number, spread(to[d])}),
                                 graph.Iota(ElementType::kS32, dims, static_cast<int64_t>(d))});
  }
  std::vector<int64_t> column = dims;
  column.push_back(1);
  std::vector<Instruction*> indices(from.size());
  for (size_t d = from.size(); d-- > 0;) {
    SizeFunction size = from[d];
    for (int64_t& each : size) each = std::max<int64_t>(each, 1);
    indices[d] = graph.Reshape(graph.Add(Opcode::kRemainder, {number, spread(size)}), column);
    number = graph.Add(Opcode::kDivide, {number, spread(size)});
  }
  hlo::AttrMap attrs;
  hlo::Ints all;
  for (size_t d = 0; d < from.size(); ++d) all.push_back(static_cast<int64_t>(d));
  attrs.Set(Attr::kOffsetDims, hlo::Ints{});
  attrs.Set(Attr::kCollapsedSliceDims, all);
  attrs.Set(Attr::kStartIndexMap, all);
  attrs.Set(Attr::kIndexVectorDim, inst->shape.rank());
  attrs.Set(Attr::kSliceSizes, hlo::Ints(from.size(), 1));
  return graph.Add(Opcode::kGather,
                   {inst->operands[0], graph.Concatenate(indices, inst->shape.rank())},
                   std::move(attrs));
}

}  // namespace

absl::Status PadReshape(SizedBuilder& b, Instruction* inst) {
  if (!b.facts().HasVaryingShape(inst)) return absl::OkStatus();
  Instruction* operand = inst->operands[0];
  std::vector<SizeFunction> from, to;
  for (int64_t d = 0; d < operand->shape.rank(); ++d) from.push_back(b.facts().SizesOf(operand, d));
  for (int64_t d = 0; d < inst->shape.rank(); ++d) to.push_back(b.facts().SizesOf(inst, d));
  bool simple = true;
  for (const Group& group : GroupsOf(from, to)) {
    simple = simple && IsPrefix(from, group.begin[0], group.end[0]) &&
             IsPrefix(to, group.begin[1], group.end[1]);
  }
  if (simple) return absl::OkStatus();
  if (inst->shape.NumElements() > INT32_MAX || from.empty() || to.empty())
    return SizedBuilder::NoRule(*inst, "it puts elements of a variable size in another order");
  b.rewriter().Replace(inst, ReshapeByIndex(b, inst, from, to));
  return absl::OkStatus();
}

// The valid part comes out last, and is moved to the front.
absl::Status PadReverse(SizedBuilder& b, Instruction* inst) {
  const hlo::Ints& dims = inst->GetInts(Attr::kDimensions);
  const std::vector<SizedBuilder::Limit> limits = b.Varying(inst->operands[0], dims);
  if (limits.empty()) return absl::OkStatus();
  Instruction* moved = b.For(*inst).Reverse(inst->operands[0], dims);
  for (const SizedBuilder::Limit& limit : limits) {
    const int64_t size = inst->shape.dim(limit.dim);
    SizeFunction start = *limit.size;
    for (int64_t& each : start) each = size - each;
    moved = b.SliceFrom(*inst, moved, limit.dim, start, size);
  }
  b.rewriter().Replace(inst, moved);
  return absl::OkStatus();
}

absl::Status PadSlice(SizedBuilder& b, Instruction* inst) {
  if (b.facts().Attributes(inst) == nullptr) return absl::OkStatus();
  const hlo::SliceDims most = inst->GetSlice();
  const size_t combinations = b.facts().Attributes(inst)->size();
  GraphBuilder graph = b.For(*inst);
  hlo::SliceDims rest = most;
  Instruction* array = inst->operands[0];
  for (size_t d = 0; d < most.size(); ++d) {
    SizeFunction start;
    for (size_t k = 0; k < combinations; ++k) {
      const hlo::SliceDim& each = AttributeOf<hlo::SliceDims>(b, *inst, Attr::kSlice, k)[d];
      if (each.stride != most[d].stride)
        return SizedBuilder::NoRule(*inst, "its stride depends on the size");
      start.push_back(each.start);
    }
    if (IsConstant(start)) continue;
    const int64_t count = inst->shape.dim(static_cast<int64_t>(d));
    const int64_t span = count == 0 ? 0 : (count - 1) * most[d].stride + 1;
    array = b.SliceFrom(*inst, array, static_cast<int64_t>(d), start, span);
    rest[d] = {0, span, most[d].stride};
  }
  if (array == inst->operands[0]) return absl::OkStatus();
  b.rewriter().Replace(inst, graph.Add(Opcode::kSlice, {array}, OneAttr(Attr::kSlice, rest)));
  return absl::OkStatus();
}

// Each part is written over what lies behind the one before it.
absl::Status PadConcatenate(SizedBuilder& b, Instruction* inst) {
  const int64_t dim = inst->GetInts(Attr::kDimensions)[0];
  bool moves = false;
  for (size_t i = 0; i + 1 < inst->operands.size(); ++i)
    moves |= b.facts().Size(inst->operands[i], dim) != nullptr;
  if (!moves) return absl::OkStatus();
  GraphBuilder graph = b.For(*inst);
  Instruction* all = graph.PadTo(inst->operands[0], inst->shape.dims());
  SizeFunction start = b.facts().SizesOf(inst->operands[0], dim);
  for (size_t i = 1; i < inst->operands.size(); ++i) {
    Instruction* part = inst->operands[i];
    std::vector<Instruction*> operands = {all, part};
    for (int64_t d = 0; d < inst->shape.rank(); ++d)
      operands.push_back(b.Value(*inst, d == dim ? start : SizeFunction(start.size(), 0)));
    all = graph.Add(Opcode::kDynamicUpdateSlice, std::move(operands));
    const SizeFunction size = b.facts().SizesOf(part, dim);
    for (size_t k = 0; k < start.size(); ++k) start[k] += size[k];
  }
  b.rewriter().Replace(inst, all);
  return absl::OkStatus();
}

// What lies behind the size becomes padding, so it does not matter where padding begins.
absl::Status PadPad(SizedBuilder& b, Instruction* inst) {
  const hlo::PaddingConfig& most = inst->GetPadding();
  Instruction* operand = inst->operands[0];
  std::vector<int64_t> masked;
  for (size_t d = 0; d < most.size(); ++d) {
    const int64_t dim = static_cast<int64_t>(d);
    bool visible = false;
    for (int64_t k = 0; k < b.facts().box().Count(); ++k) {
      const hlo::PaddingDim& each =
          AttributeOf<hlo::PaddingConfig>(b, *inst, Attr::kPadding, static_cast<size_t>(k))[d];
      if (each.low != most[d].low || each.interior != most[d].interior)
        return SizedBuilder::NoRule(*inst, "padding before or between elements depends on a size");
      visible |= each.high > 0;
    }
    if (visible && b.facts().Size(operand, dim) != nullptr) masked.push_back(dim);
  }
  inst->operands[0] = b.Masked(*inst, operand, b.Varying(operand, masked), inst->operands[1]);
  return absl::OkStatus();
}

// Constants follow from sizes that the program asks for.
absl::Status PadConstant(SizedBuilder& b, Instruction* inst) {
  const std::vector<Literal>* values = b.facts().Literals(inst);
  if (values == nullptr) return absl::OkStatus();
  constexpr int64_t kMostBytes = int64_t{64} << 20;
  // Elements within the sizes must be those of the largest constant; else there is a table.
  const Shape& shape = inst->shape;
  const int64_t count = shape.NumElements(), rank = shape.rank();
  const int64_t bytes = hlo::StorageBytes(shape.element_type());
  const std::vector<int64_t> strides = shape.WithDefaultLayout().Strides();
  if (count * bytes > kMostBytes / static_cast<int64_t>(values->size()))
    return SizedBuilder::NoRule(*inst, "a large constant depends on the size");
  bool prefix = true;
  std::vector<Literal> padded;
  for (const Literal& value : *values) {
    Literal whole(shape);
    const std::vector<int64_t> from = value.shape().WithDefaultLayout().Strides();
    for (int64_t i = 0; i < count; ++i) {
      int64_t at = 0;
      bool inside = true;
      for (int64_t d = 0; d < rank; ++d) {
        const int64_t index = i / strides[d] % shape.dim(d);
        inside = inside && index < value.shape().dim(d);
        at += index * from[d];
      }
      if (!inside) continue;
      whole.CopyElement(i, value, at);
      prefix = prefix && memcmp(whole.bytes().data() + i * bytes,
                                inst->literal.bytes().data() + i * bytes, bytes) == 0;
    }
    padded.push_back(std::move(whole));
  }
  if (prefix) return absl::OkStatus();
  Instruction* chosen = nullptr;
  if (shape.IsScalar() &&
      (hlo::IsInteger(shape.element_type()) || shape.element_type() == ElementType::kF32)) {
    // Most are sizes themselves.
    SizeFunction numbers;
    bool whole = true;
    for (const Literal& value : padded) {
      const double number = value.GetAsDouble(0);
      whole = whole && std::abs(number) < (1 << 24) && number == std::floor(number) &&
              !(number == 0 && std::signbit(number));
      numbers.push_back(whole ? static_cast<int64_t>(number) : 0);
    }
    if (whole) chosen = b.For(*inst).Convert(b.Value(*inst, numbers), shape.element_type());
  }
  if (chosen == nullptr) chosen = b.Choose(*inst, padded);
  b.rewriter().Replace(inst, chosen);
  return absl::OkStatus();
}

}  // namespace halyard::lowering
