#include "frontend/stablehlo/whole_scatter_windows.h"

#include <algorithm>
#include <vector>

#include "frontend/stablehlo/graph.h"

namespace halyard::stablehlo {
namespace {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

bool Contains(const hlo::Ints& list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// For each dimension of the operand, how far a window reaches along it.
std::vector<int64_t> WindowSizes(const Instruction& scatter, const Shape& input,
                                 const Shape& update) {
  const hlo::Ints& window_dims = scatter.GetInts(Attr::kUpdateWindowDims);
  std::vector<int64_t> sizes;
  size_t next = 0;
  for (int64_t d = 0; d < input.rank(); ++d) {
    const bool dropped = Contains(scatter.GetInts(Attr::kInsertedWindowDims), d) ||
                         Contains(scatter.GetInts(Attr::kInputBatchingDims), d);
    sizes.push_back(dropped ? 1 : update.dim(window_dims[next++]));
  }
  return sizes;
}

// A signed type in which the indices, and the sizes of the operand's dimensions, have room.
ElementType IndexType(ElementType type) {
  if (type == ElementType::kS32 || type == ElementType::kS64) return type;
  return hlo::BitWidth(type) < 32 ? ElementType::kS32 : ElementType::kS64;
}

// The scatter's indices, but with the operand's sizes in place of those of windows that are partly
// outside: these are wholly outside then. Null: every window that begins inside is inside.
Instruction* WholeWindowIndices(const Instruction& scatter, Graph* graph) {
  const size_t inputs = (scatter.operands.size() - 1) / 2;
  const Shape& input = scatter.operands[0]->shape;
  Instruction* const given = scatter.operands[inputs];
  const Shape& update = scatter.operands[inputs + 1]->shape;
  if (input.IsDynamic() || update.IsDynamic() || given->shape.IsDynamic()) return nullptr;
  const hlo::Ints& map = scatter.GetInts(Attr::kScatterDimsToOperandDims);
  const std::vector<int64_t> windows = WindowSizes(scatter, input, update);
  if (std::all_of(map.begin(), map.end(), [&](int64_t d) { return windows[d] == 1; }))
    return nullptr;
  const int64_t vector_dim = scatter.GetInt(Attr::kIndexVectorDim);
  const Term indices = ConvertTo(graph->Of(given), IndexType(given->shape.element_type()));
  std::vector<Term> parts;
  Term inside;
  for (size_t i = 0; i < map.size(); ++i) {
    const int64_t at = static_cast<int64_t>(i);
    const Term part =
        vector_dim < indices.rank() ? Slice(indices, vector_dim, at, at + 1) : indices;
    const Term fits =
        (part >= 0.0) & (part <= static_cast<double>(input.dim(map[i]) - windows[map[i]]));
    inside = i == 0 ? fits : inside & fits;
    parts.push_back(part);
  }
  for (size_t i = 0; i < map.size(); ++i)
    parts[i] = Select(inside, parts[i], static_cast<double>(input.dim(map[i])));
  if (parts.size() == 1) return parts[0].inst;
  hlo::AttrMap attrs;
  attrs.Set(Attr::kDimensions, hlo::Ints{vector_dim});
  return graph->Add(Opcode::kConcatenate, std::move(parts), std::move(attrs)).inst;
}

}  // namespace

absl::Status DropPartialScatterWindows(hlo::Module* module) {
  for (const auto& computation : module->computations()) {
    std::vector<Instruction*> scatters;
    for (const auto& instruction : computation->instructions()) {
      if (instruction->opcode == Opcode::kScatter) scatters.push_back(instruction.get());
    }
    Graph graph(computation.get());
    for (Instruction* scatter : scatters) {
      Instruction* indices = WholeWindowIndices(*scatter, &graph);
      if (!graph.status().ok()) return graph.status();
      if (indices != nullptr) scatter->operands[(scatter->operands.size() - 1) / 2] = indices;
    }
    if (!scatters.empty() && !computation->SortTopologically())
      return absl::InternalError("a scatter's indices depend on it");
  }
  return absl::OkStatus();
}

}  // namespace halyard::stablehlo
