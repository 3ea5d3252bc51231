// Scatters into arrays of variable size. An update of a run may land behind the sizes of the run,
// where elements have any value. Nothing else than the run's updates may reach an element within
// the sizes.
#include <algorithm>

#include "frontend/hlo/infer/infer.h"
#include "lowering/plan/sizes/sized_builder.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::AttrMap;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;

namespace {

using Limits = std::vector<SizedBuilder::Limit>;

// A dimension of the windows.
struct ScatterWindow {
  int64_t operand_dim, update_dim;
};

std::vector<ScatterWindow> WindowsOf(const Instruction& scatter) {
  const Ints& window_dims = scatter.GetInts(Attr::kUpdateWindowDims);
  std::vector<ScatterWindow> windows;
  for (int64_t d = 0; d < scatter.operands[0]->shape.rank(); ++d) {
    if (hlo::Contains(scatter.GetInts(Attr::kInsertedWindowDims), d) ||
        hlo::Contains(scatter.GetInts(Attr::kInputBatchingDims), d))
      continue;
    windows.push_back({d, window_dims[windows.size()]});
  }
  return windows;
}

// Makes updates of single elements of windows, along some of their dimensions: these become
// dimensions of the indices, and those of windows that stay come last. An element still gets its
// updates in the order of the index vectors, because it gets at most one from each.
class SingleElements {
 public:
  SingleElements(SizedBuilder& b, Instruction* scatter, std::vector<ScatterWindow> single)
      : b_(b),
        graph_(b.For(*scatter)),
        scatter_(*scatter),
        single_(std::move(single)),
        inputs_(scatter->operands.size() / 2),
        vector_dim_(scatter->GetInt(Attr::kIndexVectorDim)) {
    const std::vector<int64_t>& dims = scatter_.operands[inputs_]->shape.dims();
    for (int64_t d = 0; d < static_cast<int64_t>(dims.size()); ++d) {
      if (d != vector_dim_) rows_.push_back(dims[d]);
    }
  }

  // Replaces operands and attributes. `limits`, of the indices, become those of the new indices.
  void Make(Limits* limits) {
    for (SizedBuilder::Limit& limit : *limits) limit.dim = RowOf(limit.dim);
    for (size_t i = 0; i < single_.size(); ++i) {
      const SizeFunction* size =
          b_.facts().Size(scatter_.operands[inputs_ + 1], single_[i].update_dim);
      limits->push_back({static_cast<int64_t>(rows_.size() + i), size});
    }
    AttrMap attrs = scatter_.attrs;
    MakeIndices(&attrs);
    MakeUpdates(&attrs);
    scatter_.attrs = std::move(attrs);
  }

 private:
  // Returns which of the dimensions of the indices that hold no components this one is.
  int64_t RowOf(int64_t dim) const { return dim > vector_dim_ ? dim - 1 : dim; }

  void MakeIndices(AttrMap* attrs) {
    Instruction* indices = b_.WideIndex(scatter_, scatter_.operands[inputs_]);
    const ElementType type = indices->shape.element_type();
    std::vector<int64_t> dims = rows_, places;
    for (size_t d = 0; d < rows_.size(); ++d) places.push_back(static_cast<int64_t>(d));
    Ints map = scatter_.GetInts(Attr::kScatterDimsToOperandDims);
    const size_t given = map.size();
    for (const ScatterWindow& window : single_) {
      dims.push_back(scatter_.operands[inputs_ + 1]->shape.dim(window.update_dim));
      if (!hlo::Contains(map, window.operand_dim)) map.push_back(window.operand_dim);
    }
    std::vector<int64_t> column = dims;
    column.push_back(1);
    std::vector<Instruction*> parts;
    for (size_t k = 0; k < map.size(); ++k) {
      Instruction* part = nullptr;
      if (k < given) {
        const int64_t at = static_cast<int64_t>(k);
        part = indices;
        if (vector_dim_ < indices->shape.rank())
          part = graph_.Reshape(graph_.Slice(indices, vector_dim_, at, at + 1), rows_);
        part = graph_.Broadcast(part, dims, places);
      }
      for (size_t i = 0; i < single_.size(); ++i) {
        if (single_[i].operand_dim != map[k]) continue;
        Instruction* offset = graph_.Iota(type, dims, static_cast<int64_t>(rows_.size() + i));
        part = part == nullptr ? offset : graph_.Add(Opcode::kAdd, {part, offset});
      }
      parts.push_back(graph_.Reshape(part, column));
    }
    const int64_t last = static_cast<int64_t>(dims.size());
    scatter_.operands[inputs_] = graph_.Concatenate(std::move(parts), last);
    Ints batching = scatter_.GetInts(Attr::kScatterIndicesBatchingDims);
    for (int64_t& d : batching) d = RowOf(d);
    attrs->Set(Attr::kScatterIndicesBatchingDims, std::move(batching));
    attrs->Set(Attr::kScatterDimsToOperandDims, std::move(map));
    attrs->Set(Attr::kIndexVectorDim, last);
  }

  void MakeUpdates(AttrMap* attrs) {
    const Ints& window_dims = scatter_.GetInts(Attr::kUpdateWindowDims);
    const int64_t rank = scatter_.operands[inputs_ + 1]->shape.rank();
    Ints inserted = scatter_.GetInts(Attr::kInsertedWindowDims), stay, singles, order;
    for (const ScatterWindow& window : single_) {
      singles.push_back(window.update_dim);
      inserted.push_back(window.operand_dim);
    }
    std::sort(inserted.begin(), inserted.end());
    for (int64_t d = 0; d < rank; ++d) {
      if (!hlo::Contains(window_dims, d)) order.push_back(d);
    }
    order.insert(order.end(), singles.begin(), singles.end());
    for (const int64_t d : window_dims) {
      if (hlo::Contains(singles, d)) continue;
      stay.push_back(static_cast<int64_t>(order.size()));
      order.push_back(d);
    }
    for (size_t i = inputs_ + 1; i < scatter_.operands.size(); ++i)
      scatter_.operands[i] = graph_.Transpose(scatter_.operands[i], order);
    attrs->Set(Attr::kUpdateWindowDims, std::move(stay));
    attrs->Set(Attr::kInsertedWindowDims, std::move(inserted));
  }

  SizedBuilder& b_;
  GraphBuilder graph_;
  Instruction& scatter_;
  const std::vector<ScatterWindow> single_;
  const size_t inputs_;
  const int64_t vector_dim_;
  std::vector<int64_t> rows_;  // the sizes of the indices' dimensions that hold no components
};

}  // namespace

// Gives the index vectors behind the run's sizes a place from which no window reaches the array.
// Where windows have a variable size, their elements behind it lie behind the array's, too, if the
// windows cover a dimension that is not indexed; else they get index vectors of their own.
absl::Status PadScatter(SizedBuilder& b, Instruction* inst) {
  const size_t n = inst->operands.size() / 2;
  const Instruction *operand = inst->operands[0], *indices = inst->operands[n];
  const Instruction* update = inst->operands[n + 1];
  const Ints given = inst->GetInts(Attr::kScatterDimsToOperandDims);
  std::vector<ScatterWindow> single;
  int64_t reach = 1;
  for (const ScatterWindow& window : WindowsOf(*inst)) {
    const SizeFunction* size = b.facts().Size(update, window.update_dim);
    const bool indexed = hlo::Contains(given, window.operand_dim);
    if (size != nullptr && (indexed || *size != b.facts().SizesOf(operand, window.operand_dim))) {
      single.push_back(window);
    } else if (indexed) {
      reach = std::max(reach, update->shape.dim(window.update_dim));
    }
  }
  std::vector<int64_t> rows;
  for (int64_t d = 0; d < indices->shape.rank(); ++d) {
    if (d != inst->GetInt(Attr::kIndexVectorDim)) rows.push_back(d);
  }
  Limits limits = b.Varying(indices, rows);
  if (single.empty() && limits.empty()) return absl::OkStatus();
  if (single.empty() && given.empty())
    return SizedBuilder::NoRule(*inst, "it has updates without an index, of a variable number");
  if (!single.empty()) {
    SingleElements(b, inst, std::move(single)).Make(&limits);
  } else {
    inst->operands[n] = b.WideIndex(*inst, inst->operands[n]);
  }
  Instruction* all = inst->operands[n];
  inst->operands[n] = b.For(*inst).Select(b.Mask(*inst, all->shape.dims(), limits), all,
                                          b.Splat(*inst, all->shape, -reach));
  inst->attrs.Erase(Attr::kIndicesAreSorted);
  return absl::OkStatus();
}

}  // namespace halyard::lowering
