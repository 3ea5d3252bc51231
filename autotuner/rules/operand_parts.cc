#include "autotuner/rules/operand_parts.h"

#include <algorithm>

#include "frontend/hlo/ir/op_table.h"

namespace halyard::autotuner {

using hlo::Attr;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;

namespace {

using Parts = std::optional<OperandParts>;

size_t RankOf(const Instruction& inst) { return static_cast<size_t>(inst.shape.rank()); }

bool Has(const Ints& list, size_t value) {
  return std::find(list.begin(), list.end(), static_cast<int64_t>(value)) != list.end();
}

bool SamplesAnyOf(const Part& part, const Ints& dims) {
  for (size_t d = 0; d < part.size(); ++d) {
    if (part[d] != nullptr && Has(dims, d)) return true;
  }
  return false;
}

// Gives the part to operands of the result's rank; the others are scalars.
Parts Elementwise(const Instruction& inst, const Part& part) {
  OperandParts parts;
  for (const Instruction* operand : inst.operands)
    parts.operands.push_back(RankOf(*operand) == part.size() ? part : Part());
  return parts;
}

// Gives the part to each of the first `count` operands, and all of the others to the op.
Parts ForFirst(const Instruction& inst, size_t count, const Part& part) {
  OperandParts parts;
  parts.operands.assign(inst.operands.size(), Part());
  std::fill_n(parts.operands.begin(), count, part);
  return parts;
}

Parts OfBroadcast(const Instruction& inst, const Part& part) {
  Part from;
  for (int64_t dim : inst.GetInts(Attr::kDimensions))
    from.push_back(part[static_cast<size_t>(dim)]);
  return OperandParts{{std::move(from)}, {}};
}

Parts OfTranspose(const Instruction& inst, const Part& part) {
  const Ints& order = inst.GetInts(Attr::kDimensions);
  Part from(part.size());
  for (size_t d = 0; d < part.size(); ++d) from[static_cast<size_t>(order[d])] = part[d];
  return OperandParts{{std::move(from)}, {}};
}

// Dimensions that a reshape keeps, but for those of size 1 around them, can be sampled.
Parts OfReshape(const Instruction& inst, const Part& part) {
  const std::vector<int64_t>& from = inst.operand(0)->shape.dims();
  const std::vector<int64_t>& to = inst.shape.dims();
  Part operand(from.size());
  size_t i = 0, o = 0;
  int64_t before_i = 1, before_o = 1;  // elements of the dimensions before
  while (o < to.size()) {
    if (part[o] == nullptr) {
      before_o *= to[o++];
      continue;
    }
    while (i < from.size() && (before_i < before_o || from[i] == 1)) before_i *= from[i++];
    if (i == from.size() || before_i != before_o || from[i] != to[o]) return std::nullopt;
    operand[i] = part[o];
    before_i *= from[i++];
    before_o *= to[o++];
  }
  return OperandParts{{std::move(operand)}, {}};
}

Parts OfDot(const Instruction& inst, const Part& part) {
  OperandParts parts;
  size_t next = 0;
  const Attr batch[] = {Attr::kLhsBatchDims, Attr::kRhsBatchDims};
  const Attr contracting[] = {Attr::kLhsContractingDims, Attr::kRhsContractingDims};
  const size_t batches = inst.GetInts(batch[0]).size();
  next = batches;
  for (int side = 0; side < 2; ++side) {
    const Ints& batch_dims = inst.GetInts(batch[side]);
    Part from(RankOf(*inst.operand(side)));
    for (size_t b = 0; b < batches; ++b) from[static_cast<size_t>(batch_dims[b])] = part[b];
    for (size_t d = 0; d < from.size(); ++d) {
      if (!Has(batch_dims, d) && !Has(inst.GetInts(contracting[side]), d)) from[d] = part[next++];
    }
    parts.operands.push_back(std::move(from));
  }
  return parts;
}

// Images and features of the result can be sampled where no groups tie them to others.
Parts OfConvolution(const Instruction& inst, const Part& part) {
  const hlo::ConvDims& dims = inst.GetConvDims();
  if (SamplesAnyOf(part, dims.output_spatial)) return std::nullopt;
  if (inst.GetInt(Attr::kFeatureGroupCount, 1) != 1 || inst.GetInt(Attr::kBatchGroupCount, 1) != 1)
    return std::nullopt;
  Part image(part.size()), kernel(part.size());
  image[static_cast<size_t>(dims.input_batch)] = part[static_cast<size_t>(dims.output_batch)];
  kernel[static_cast<size_t>(dims.kernel_output_feature)] =
      part[static_cast<size_t>(dims.output_feature)];
  return OperandParts{{std::move(image), std::move(kernel)}, {}};
}

Parts OfReduce(const Instruction& inst, const Part& part) {
  const Ints& reduced = inst.GetInts(Attr::kDimensions);
  Part from;
  for (size_t d = 0, next = 0; d < RankOf(*inst.operand(0)); ++d)
    from.push_back(Has(reduced, d) ? nullptr : part[next++]);
  return ForFirst(inst, inst.operands.size() / 2, from);
}

Parts OfReduceWindow(const Instruction& inst, const Part& part) {
  const hlo::Window& window = inst.GetWindow();
  for (size_t d = 0; d < part.size(); ++d) {
    hlo::WindowDim dim = window.dims[d];
    dim.reversal = false;
    if (part[d] != nullptr && !(dim == hlo::WindowDim())) return std::nullopt;
  }
  return ForFirst(inst, inst.operands.size() / 2, part);
}

Parts OfSlice(const Instruction& inst, const Part& part, IndexLists* lists) {
  hlo::SliceDims slice = inst.GetSlice();
  Part from(part.size());
  for (size_t d = 0; d < part.size(); ++d) {
    if (part[d] == nullptr) continue;
    Ints indices;
    for (int64_t i : *part[d]) indices.push_back(slice[d].start + i * slice[d].stride);
    slice[d] = {0, static_cast<int64_t>(indices.size()), 1};
    from[d] = lists->Add(std::move(indices));
  }
  return OperandParts{{std::move(from)}, std::move(slice)};
}

Parts OfPad(const Instruction& inst, const Part& part) {
  const hlo::PaddingConfig& padding = inst.GetPadding();
  for (size_t d = 0; d < part.size(); ++d) {
    if (part[d] != nullptr && !(padding[d] == hlo::PaddingDim())) return std::nullopt;
  }
  return ForFirst(inst, 1, part);
}

}  // namespace

Part Canonical(Part part) {
  const bool whole =
      std::all_of(part.begin(), part.end(), [](const Ints* list) { return list == nullptr; });
  return whole ? Part() : std::move(part);
}

namespace {

Parts PartsFor(const Instruction& inst, const Part& part, IndexLists* lists) {
  switch (inst.opcode) {
    case Opcode::kBroadcast:
      return OfBroadcast(inst, part);
    case Opcode::kTranspose:
      return OfTranspose(inst, part);
    case Opcode::kReshape:
      return OfReshape(inst, part);
    case Opcode::kDot:
      return OfDot(inst, part);
    case Opcode::kConvolution:
      return OfConvolution(inst, part);
    case Opcode::kReduce:
      return OfReduce(inst, part);
    case Opcode::kReduceWindow:
      return OfReduceWindow(inst, part);
    case Opcode::kSlice:
      return OfSlice(inst, part, lists);
    case Opcode::kPad:
      return OfPad(inst, part);
    case Opcode::kConcatenate:
    case Opcode::kReverse:
    case Opcode::kSort:
      if (SamplesAnyOf(part, inst.GetInts(Attr::kDimensions))) return std::nullopt;
      return ForFirst(inst, inst.operands.size(), part);
    case Opcode::kGetTupleElement: {
      const Opcode from = inst.operand(0)->opcode;
      if (from != Opcode::kReduce && from != Opcode::kReduceWindow && from != Opcode::kSort)
        return std::nullopt;
      return ForFirst(inst, 1, part);
    }
    default:
      return hlo::RowOf(inst.opcode).elementwise ? Elementwise(inst, part) : std::nullopt;
  }
}

}  // namespace

std::optional<OperandParts> OperandPartsFor(const Instruction& inst, const Part& part,
                                            IndexLists* lists) {
  if (part.empty()) {
    OperandParts whole;
    whole.operands.resize(inst.operands.size());
    return whole;
  }
  Parts parts = PartsFor(inst, part, lists);
  if (!parts.has_value()) return parts;
  for (Part& operand : parts->operands) operand = Canonical(std::move(operand));
  return parts;
}

}  // namespace halyard::autotuner
