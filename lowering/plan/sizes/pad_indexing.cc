// Ops at computed positions. Positions are limited by the size of the run, as they are by the size
// of the array otherwise.
#include <algorithm>

#include "frontend/hlo/infer/infer.h"
#include "lowering/plan/sizes/sized_builder.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

namespace {

// Returns `attr`, a list, of each combination: element i.
SizeFunction ListElement(const SizedBuilder& b, const Instruction& inst, Attr attr, size_t i) {
  const std::vector<hlo::AttrMap>* attrs = b.facts().Attributes(&inst);
  SizeFunction function;
  for (int64_t k = 0; k < b.facts().box().Count(); ++k) {
    const hlo::AttrMap& each = attrs == nullptr ? inst.attrs : (*attrs)[static_cast<size_t>(k)];
    function.push_back(std::get<hlo::Ints>(*each.Find(attr))[i]);
  }
  return function;
}

SizeFunction Difference(SizeFunction a, const SizeFunction& b) {
  for (size_t k = 0; k < a.size(); ++k) a[k] -= b[k];
  return a;
}

// Returns max(0, min(start, limit)), a scalar.
Instruction* Clamped(SizedBuilder& b, const Instruction& inst, Instruction* start,
                     const SizeFunction& limit) {
  GraphBuilder graph = b.For(inst);
  start = b.WideIndex(inst, start);
  const ElementType type = start->shape.element_type();
  Instruction* most = graph.Convert(b.Value(inst, limit), type);
  Instruction* zero = b.rewriter().AddConstant(inst, Literal(Shape::Scalar(type)));
  return graph.Add(Opcode::kMaximum, {graph.Add(Opcode::kMinimum, {start, most}), zero});
}

// The start indices of an op are operands from `first` on. All have one type. Where limits are
// those of the array, the op itself keeps to them, unless `clamp_all`.
std::vector<Instruction*> Starts(SizedBuilder& b, const Instruction& inst, size_t first,
                                 const std::vector<SizeFunction>& limits, bool clamp_all) {
  std::vector<Instruction*> starts;
  for (size_t d = 0; d < limits.size(); ++d) {
    Instruction* start = inst.operands[first + d];
    starts.push_back(clamp_all || !IsConstant(limits[d]) ? Clamped(b, inst, start, limits[d])
                                                         : b.WideIndex(inst, start));
  }
  return starts;
}

// An array of index vectors: its parts along index_vector_dim, each with a limit.
struct IndexVectors {
  Instruction* indices;
  int64_t vector_dim;  // == rank: the indices are scalars

  int64_t count() const {
    return vector_dim == indices->shape.rank() ? 1 : indices->shape.dim(vector_dim);
  }
  // Returns what has the shape of the indices and limits[i] for part i.
  Instruction* Spread(SizedBuilder& b, const Instruction& inst,
                      const std::vector<SizeFunction>& limits) const {
    GraphBuilder graph = b.For(inst);
    const std::vector<int64_t>& dims = indices->shape.dims();
    const ElementType type = indices->shape.element_type();
    if (vector_dim == indices->shape.rank())
      return graph.Convert(graph.Broadcast(b.Value(inst, limits[0]), dims, {}), type);
    std::vector<Instruction*> parts;
    for (const SizeFunction& limit : limits)
      parts.push_back(graph.Reshape(b.Value(inst, limit), {1}));
    Instruction* vector = graph.Convert(graph.Concatenate(parts, 0), type);
    return graph.Broadcast(vector, dims, {vector_dim});
  }
};

bool AllConstant(const std::vector<SizeFunction>& functions) {
  return std::all_of(functions.begin(), functions.end(), IsConstant);
}

}  // namespace

absl::Status PadDynamicSlice(SizedBuilder& b, Instruction* inst) {
  Instruction* array = inst->operands[0];
  const hlo::Ints sizes = inst->GetInts(Attr::kDynamicSliceSizes);
  std::vector<SizeFunction> limits;
  for (size_t d = 0; d < sizes.size(); ++d) {
    limits.push_back(Difference(b.facts().SizesOf(array, static_cast<int64_t>(d)),
                                ListElement(b, *inst, Attr::kDynamicSliceSizes, d)));
  }
  if (AllConstant(limits)) return absl::OkStatus();
  std::vector<Instruction*> operands = Starts(b, *inst, 1, limits, false);
  for (size_t d = 0; d < sizes.size(); ++d) {
    const int64_t last = *std::max_element(limits[d].begin(), limits[d].end());
    array = b.PadHigh(*inst, array, static_cast<int64_t>(d),
                      last + sizes[d] - array->shape.dim(static_cast<int64_t>(d)));
  }
  operands.insert(operands.begin(), array);
  b.rewriter().Replace(inst,
                       b.For(*inst).Add(Opcode::kDynamicSlice, std::move(operands), inst->attrs));
  return absl::OkStatus();
}

absl::Status PadDynamicUpdateSlice(SizedBuilder& b, Instruction* inst) {
  Instruction *array = inst->operands[0], *update = inst->operands[1];
  const int64_t rank = array->shape.rank();
  std::vector<SizeFunction> limits;
  std::vector<int64_t> partial;  // where what lies behind the update would be written, too
  for (int64_t d = 0; d < rank; ++d) {
    const SizeFunction size = b.facts().SizesOf(update, d);
    limits.push_back(Difference(b.facts().SizesOf(array, d), size));
    const bool whole = std::all_of(limits.back().begin(), limits.back().end(),
                                   [](int64_t limit) { return limit == 0; });
    if (!whole && !IsConstant(size)) partial.push_back(d);
  }
  if (AllConstant(limits) && partial.empty()) return absl::OkStatus();
  GraphBuilder graph = b.For(*inst);
  const std::vector<Instruction*> starts = Starts(b, *inst, 2, limits, !partial.empty());
  Instruction* padded = array;
  for (const int64_t d : partial) padded = b.PadHigh(*inst, padded, d, update->shape.dim(d));
  std::vector<Instruction*> operands = {padded, update};
  operands.insert(operands.end(), starts.begin(), starts.end());
  Instruction* written = graph.Add(Opcode::kDynamicUpdateSlice, std::move(operands));
  const std::vector<int64_t>& dims = array->shape.dims();
  Instruction* inside = nullptr;  // before the end of the update
  for (const int64_t d : partial) {
    written = graph.Slice(written, d, 0, dims[d]);
    const ElementType type = starts[d]->shape.element_type();
    Instruction* size = graph.Convert(b.Value(*inst, b.facts().SizesOf(update, d)), type);
    Instruction* end = graph.Broadcast(graph.Add(Opcode::kAdd, {starts[d], size}), dims, {});
    Instruction* before = graph.Compare(graph.Iota(type, dims, d), end, "LT");
    inside = inside == nullptr ? before : graph.Add(Opcode::kAnd, {inside, before});
  }
  if (inside != nullptr) written = graph.Select(inside, written, array);
  b.rewriter().Replace(inst, written);
  return absl::OkStatus();
}

absl::Status PadGather(SizedBuilder& b, Instruction* inst) {
  Instruction* operand = inst->operands[0];
  const hlo::Ints& map = inst->GetInts(Attr::kStartIndexMap);
  const hlo::Ints& sizes = inst->GetInts(Attr::kSliceSizes);
  std::vector<SizeFunction> limits;
  for (const int64_t d : map) {
    limits.push_back(Difference(b.facts().SizesOf(operand, d),
                                ListElement(b, *inst, Attr::kSliceSizes, static_cast<size_t>(d))));
    const int64_t last = *std::max_element(limits.back().begin(), limits.back().end());
    if (last + sizes[d] > operand->shape.dim(d))
      operand = b.PadHigh(*inst, operand, d, last + sizes[d] - operand->shape.dim(d));
  }
  if (AllConstant(limits)) return absl::OkStatus();
  GraphBuilder graph = b.For(*inst);
  IndexVectors vectors{b.WideIndex(*inst, inst->operands[1]), inst->GetInt(Attr::kIndexVectorDim)};
  Instruction* low =
      graph.Add(Opcode::kMinimum, {vectors.indices, vectors.Spread(b, *inst, limits)});
  inst->operands[0] = operand;
  inst->operands[1] = graph.Add(Opcode::kMaximum, {low, b.Splat(*inst, vectors.indices->shape, 0)});
  return absl::OkStatus();
}

}  // namespace halyard::lowering
