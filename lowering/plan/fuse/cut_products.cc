// Products of very many terms, on devices whose threads cannot take so many steps: a batch of
// products of some of the terms each, whose results are added. That also gives each of the few
// outputs that such products have several threads, and sums in pieces round less.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "lowering/plan/fuse/fusion_group.h"
#include "lowering/plan/graph_builder.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"
#include "runtime/device_class.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;

// A piece is as long as those of x86 (schedules/pieces.cc), and the results of all pieces may take
// so much memory.
constexpr int64_t kPieceTerms = 4096, kMostElements = int64_t{1} << 24;

// The dimension that is cut, as a place among the contracted ones, and how.
struct Cut {
  size_t place = 0;
  int64_t pieces = 1, length = 1;
};

Cut CutOf(const Instruction& dot) {
  const hlo::Shape& lhs = dot.operand(0)->shape;
  const Ints& contracted = dot.GetInts(Attr::kLhsContractingDims);
  Cut cut;
  int64_t terms = 1;
  for (size_t i = 0; i < contracted.size(); ++i) {
    terms *= lhs.dim(contracted[i]);
    if (lhs.dim(contracted[i]) > lhs.dim(contracted[cut.place])) cut.place = i;
  }
  if (terms <= runtime::kMaxLaunchSteps) return cut;
  const int64_t extent = lhs.dim(contracted[cut.place]);
  const int64_t most = std::max<int64_t>(1, kPieceTerms / (terms / extent));
  cut.pieces = (extent + most - 1) / most;
  // Pieces of equal length, if there need not be many more of them.
  for (int64_t pieces = cut.pieces; pieces <= 4 * cut.pieces; ++pieces) {
    if (extent % pieces == 0) {
      cut.pieces = pieces;
      break;
    }
  }
  cut.length = (extent + cut.pieces - 1) / cut.pieces;
  return cut;
}

// Returns whether a binding holds the factor, which becomes an array of its own if it is padded or
// not one already.
bool Fits(const Instruction& factor, int64_t dim, const Cut& cut,
          const runtime::DeviceInfo& device) {
  std::vector<int64_t> dims = factor.shape.dims();
  dims[dim] = cut.pieces * cut.length;
  const hlo::Shape padded = hlo::Shape::Array(factor.shape.element_type(), std::move(dims));
  const uint64_t most = device.max_storage_range_bytes;
  return most == 0 || static_cast<uint64_t>(padded.ByteSize()) <= most;
}

// Makes two dimensions of one: which piece, and the place in it. What is missing of the last piece
// is zero.
Instruction* InPieces(GraphBuilder& build, Instruction* factor, int64_t dim, const Cut& cut) {
  std::vector<int64_t> dims = factor->shape.dims();
  dims[dim] = cut.pieces * cut.length;
  if (dims != factor->shape.dims()) factor = build.PadTo(factor, dims);
  dims[dim] = cut.pieces;
  dims.insert(dims.begin() + dim + 1, cut.length);
  return build.Reshape(factor, std::move(dims));
}

// Renames the dimensions of a factor, of which `cut` became two, of which the first is a batch.
void Rename(const Instruction& dot, Attr batch, Attr contracted, int64_t cut, hlo::AttrMap* attrs) {
  for (const Attr attr : {batch, contracted}) {
    Ints dims = dot.GetInts(attr);
    for (int64_t& d : dims) d += d >= cut ? 1 : 0;
    if (attr == batch) dims.insert(dims.begin(), cut);
    attrs->Set(attr, std::move(dims));
  }
}

// The type of the pieces' results: sums of narrow floats are rounded once, when they are complete.
// Empty if products of the dot's types are not cut.
std::optional<ElementType> SumType(const Instruction& dot) {
  const ElementType type = dot.shape.element_type();
  // It has no zero.
  if (dot.operand(0)->shape.element_type() == ElementType::kF8E8M0FNU ||
      dot.operand(1)->shape.element_type() == ElementType::kF8E8M0FNU)
    return std::nullopt;
  if (hlo::IsFloat(type)) return hlo::BitWidth(type) < 32 ? ElementType::kF32 : type;
  if (hlo::IsInteger(type) && hlo::BitWidth(type) >= 8) return type;
  return std::nullopt;
}

void CutProduct(const runtime::DeviceInfo& device, Rewriter& rewriter, Instruction* dot) {
  if (dot->opcode != Opcode::kDot || dot->shape.NumElements() <= 1) return;
  const std::optional<ElementType> sum = SumType(*dot);
  if (!sum.has_value()) return;
  const Cut cut = CutOf(*dot);
  if (cut.pieces == 1 || dot->shape.NumElements() > kMostElements / cut.pieces) return;
  const int64_t lhs = dot->GetInts(Attr::kLhsContractingDims)[cut.place],
                rhs = dot->GetInts(Attr::kRhsContractingDims)[cut.place];
  if (!Fits(*dot->operand(0), lhs, cut, device) || !Fits(*dot->operand(1), rhs, cut, device))
    return;
  GraphBuilder build(&rewriter, dot);
  hlo::AttrMap attrs = dot->attrs;
  Rename(*dot, Attr::kLhsBatchDims, Attr::kLhsContractingDims, lhs, &attrs);
  Rename(*dot, Attr::kRhsBatchDims, Attr::kRhsContractingDims, rhs, &attrs);
  std::vector<int64_t> dims = dot->shape.dims();
  dims.insert(dims.begin(), cut.pieces);
  Instruction* pieces = rewriter.Add(
      *dot, Opcode::kDot, hlo::Shape::Array(*sum, std::move(dims)),
      {InPieces(build, dot->operands[0], lhs, cut), InPieces(build, dot->operands[1], rhs, cut)},
      std::move(attrs));
  hlo::Computation* add =
      AddFold(*rewriter.computation()->module(), dot->name + ".add", Opcode::kAdd, *sum);
  Instruction* total =
      rewriter.Add(*dot, Opcode::kReduce, hlo::Shape::Array(*sum, dot->shape.dims()),
                   {pieces, build.Splat(*sum, 0, {})}, OneAttr(Attr::kDimensions, Ints{0}), {add});
  rewriter.Replace(dot, build.Convert(total, dot->shape.element_type()));
}

}  // namespace

absl::Status CutProducts(hlo::Module& module, const runtime::DeviceInfo& device) {
  if (!runtime::LimitsSteps(device)) return absl::OkStatus();
  for (hlo::Computation* sequence : SequencesOf(module)) {
    Rewriter rewriter(sequence);
    for (Instruction* inst : rewriter.Snapshot()) {
      rewriter.ResolveOperands(inst);
      CutProduct(device, rewriter, inst);
    }
    if (!rewriter.changed()) continue;
    if (absl::Status s = rewriter.Finish(); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
