#include <algorithm>

#include "frontend/hlo/ir/op_table.h"
#include "lowering/plan/simplify/rules.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;

bool Contains(const Ints& list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

Ints FreeDims(int64_t rank, const Ints& batch, const Ints& contracting) {
  Ints dims;
  for (int64_t d = 0; d < rank; ++d) {
    if (!Contains(batch, d) && !Contains(contracting, d)) dims.push_back(d);
  }
  return dims;
}

// dot(transpose(x), …) reads x, if x's free dimensions come in the same order.
bool AbsorbTranspose(Attr batch_attr, Attr contracting_attr, int side, Instruction* dot) {
  Instruction* operand = dot->operands[side];
  if (operand->opcode != Opcode::kTranspose) return false;
  const Ints& permutation = operand->GetInts(Attr::kDimensions);
  Ints batch = dot->GetInts(batch_attr), contracting = dot->GetInts(contracting_attr);
  Ints free = FreeDims(operand->shape.rank(), batch, contracting);
  for (Ints* list : {&batch, &contracting, &free}) {
    for (int64_t& d : *list) d = permutation[d];
  }
  if (!std::is_sorted(free.begin(), free.end())) return false;
  dot->operands[side] = operand->operands[0];
  if (!batch.empty()) dot->attrs.Set(batch_attr, batch);
  dot->attrs.Set(contracting_attr, contracting);
  return true;
}

Instruction* SimplifyDot(Rewriter& rewriter, Instruction* dot) {
  bool lhs = AbsorbTranspose(Attr::kLhsBatchDims, Attr::kLhsContractingDims, 0, dot);
  bool rhs = AbsorbTranspose(Attr::kRhsBatchDims, Attr::kRhsContractingDims, 1, dot);
  return lhs || rhs ? rewriter.Add(*dot, Opcode::kDot, dot->shape, dot->operands, dot->attrs)
                    : nullptr;
}

// transpose(dot(a, b)) whose last dimension is one of a's: dot(b, a), transposed less or not at
// all.
Instruction* SwapDot(Rewriter& rewriter, Instruction* transpose) {
  Instruction* dot = transpose->operands[0];
  int64_t batch = static_cast<int64_t>(dot->GetInts(Attr::kLhsBatchDims).size());
  int64_t contracted = static_cast<int64_t>(dot->GetInts(Attr::kLhsContractingDims).size());
  int64_t lhs_free = dot->operands[0]->shape.rank() - batch - contracted;
  int64_t rhs_free = dot->shape.rank() - batch - lhs_free;
  Ints permutation = transpose->GetInts(Attr::kDimensions);
  auto of_lhs = [&](int64_t d) { return d >= batch && d < batch + lhs_free; };
  if (rhs_free == 0 || !of_lhs(permutation.back())) return nullptr;
  for (int64_t& d : permutation) {
    if (d >= batch) d += of_lhs(d) ? rhs_free : -lhs_free;
  }
  std::vector<int64_t> dims(dot->shape.dims());
  std::rotate(dims.begin() + batch, dims.begin() + batch + lhs_free, dims.end());
  hlo::AttrMap attrs = dot->attrs;
  for (auto [left, right] : {std::pair{Attr::kLhsBatchDims, Attr::kRhsBatchDims},
                             std::pair{Attr::kLhsContractingDims, Attr::kRhsContractingDims}}) {
    attrs.Erase(left);
    attrs.Erase(right);
    if (dot->Has(right)) attrs.Set(left, dot->GetInts(right));
    if (dot->Has(left)) attrs.Set(right, dot->GetInts(left));
  }
  if (const hlo::AttrValue* precision = attrs.Find(Attr::kOperandPrecision)) {
    hlo::Words words = std::get<hlo::Words>(*precision);
    std::reverse(words.begin(), words.end());
    attrs.Set(Attr::kOperandPrecision, words);
  }
  Instruction* result = rewriter.Add(*dot, Opcode::kDot, dot->shape.WithDims(dims),
                                     {dot->operands[1], dot->operands[0]}, attrs);
  result->provenance.Unite(transpose->provenance);
  return rewriter.AddTranspose(*transpose, result, permutation);
}

// Returns whether padding by `first` and then by `second` at one end is padding by their sum. It is
// not if the second puts zeros in the place of what the first took away.
bool AddsUp(int64_t first, int64_t second) { return first >= 0 || second <= 0; }

// convolution(pad(x, 0), k) does the padding itself.
Instruction* SimplifyConvolution(Rewriter& rewriter, Instruction* convolution) {
  Instruction* pad = convolution->operands[0];
  if (pad->opcode != Opcode::kPad) return nullptr;
  Instruction* value = SplatOf(pad->operands[1]);
  if (value == nullptr || value->opcode != Opcode::kConstant) return nullptr;
  // Bytes of zero are a number in this type, which has no zero.
  if (value->shape.element_type() == hlo::ElementType::kF8E8M0FNU) return nullptr;
  hlo::Literal zero(value->shape);
  if (!value->literal.BitwiseEqual(zero)) return nullptr;  // -0 is not what a convolution pads with
  const hlo::ConvDims& labels = convolution->GetConvDims();
  hlo::Window window = convolution->GetWindow();
  hlo::PaddingConfig left = pad->GetPadding();
  for (size_t i = 0; i < window.dims.size(); ++i) {
    hlo::PaddingDim& dim = left[labels.input_spatial[i]];
    if (dim.low == 0 && dim.high == 0 && dim.interior == 0) continue;
    hlo::WindowDim& own = window.dims[i];
    if (own.base_dilation != 1 || dim.interior != 0) return nullptr;
    if (!AddsUp(dim.low, own.pad_low) || !AddsUp(dim.high, own.pad_high)) return nullptr;
    own.pad_low += dim.low;
    own.pad_high += dim.high;
    dim = {};
  }
  for (const hlo::PaddingDim& dim : left) {
    if (!(dim == hlo::PaddingDim{})) return nullptr;
  }
  hlo::AttrMap attrs = convolution->attrs;
  attrs.Set(Attr::kWindow, window);
  return rewriter.Add(*convolution, Opcode::kConvolution, convolution->shape,
                      {pad->operands[0], convolution->operands[1]}, attrs);
}

// Returns whether every window holds one element, and each element is in one window.
bool TakesEachElementOnce(const hlo::Window& window) {
  return std::all_of(window.dims.begin(), window.dims.end(),
                     [](const hlo::WindowDim& dim) { return dim == hlo::WindowDim{}; });
}

// A convolution of 1×1 windows, images and results channels last, is a product of matrices, all
// dimensions of the image but the channels being one: weights are then read once for many places
// of an image, not once for a row of it.
Instruction* PointwiseConvolution(Rewriter& rewriter, Instruction* convolution) {
  const hlo::ConvDims& dims = convolution->GetConvDims();
  const int64_t rank = convolution->shape.rank();
  if (dims.input_spatial.empty() || !TakesEachElementOnce(convolution->GetWindow()) ||
      convolution->GetInt(Attr::kFeatureGroupCount, 1) != 1 ||
      convolution->GetInt(Attr::kBatchGroupCount, 1) != 1 || convolution->shape.NumElements() == 0)
    return nullptr;
  // The dot's result has the image's other dimensions in their order, then the features.
  if (dims.output_feature != rank - 1 || dims.input_feature != rank - 1) return nullptr;
  if (dims.input_batch != dims.output_batch || dims.input_spatial != dims.output_spatial)
    return nullptr;
  Instruction* kernel = convolution->operands[1];
  const hlo::Shape& shape = kernel->shape;
  const bool features_first = dims.kernel_output_feature < dims.kernel_input_feature;
  std::vector<int64_t> matrix = {shape.dim(dims.kernel_input_feature),
                                 shape.dim(dims.kernel_output_feature)};
  if (features_first) std::swap(matrix[0], matrix[1]);
  hlo::AttrMap attrs;
  attrs.Set(Attr::kLhsContractingDims, Ints{rank - 1});
  attrs.Set(Attr::kRhsContractingDims, Ints{features_first ? 1 : 0});
  if (const hlo::AttrValue* precision = convolution->attrs.Find(Attr::kOperandPrecision))
    attrs.Set(Attr::kOperandPrecision, *precision);
  return rewriter.Add(*convolution, Opcode::kDot, convolution->shape,
                      {convolution->operands[0], rewriter.AddReshape(*convolution, kernel, matrix)},
                      attrs);
}

// Each result has one element, so the body is applied once.
Instruction* ReduceOfSingles(Rewriter& rewriter, Instruction* reduce) {
  const size_t n = reduce->operands.size() / 2;
  const std::vector<int64_t>& dims =
      n == 1 ? reduce->shape.dims() : reduce->shape.elements()[0].dims();
  std::vector<Instruction*> arguments(reduce->operands.begin() + n, reduce->operands.end());
  for (size_t i = 0; i < n; ++i)
    arguments.push_back(rewriter.AddReshape(*reduce, reduce->operands[i], dims));
  const std::vector<Instruction*> results =
      ApplyToArrays(rewriter, *reduce, *reduce->called[0], arguments, dims);
  if (results.size() != n) return nullptr;
  return n == 1 ? results[0] : rewriter.Add(*reduce, Opcode::kTuple, reduce->shape, results);
}

// Windows of one element each, that lie as the elements do.
Instruction* SimplifyReduceWindow(Rewriter& rewriter, Instruction* windows) {
  if (!TakesEachElementOnce(windows->GetWindow())) return nullptr;
  const hlo::Shape& result =
      windows->shape.IsTuple() ? windows->shape.elements()[0] : windows->shape;
  return result.NumElements() == 0 ? nullptr : ReduceOfSingles(rewriter, windows);
}

Instruction* SimplifyReduce(Rewriter& rewriter, Instruction* reduce) {
  const hlo::Shape& result = reduce->shape.IsTuple() ? reduce->shape.elements()[0] : reduce->shape;
  const bool singles = result.NumElements() == reduce->operands[0]->shape.NumElements();
  return singles && result.NumElements() != 0 ? ReduceOfSingles(rewriter, reduce) : nullptr;
}

}  // namespace

Instruction* SimplifyTransposedDot(Rewriter& rewriter, Instruction* inst,
                                   const std::unordered_map<const Instruction*, int>& users) {
  if (inst->opcode == Opcode::kDot) return SimplifyDot(rewriter, inst);
  if (inst->opcode != Opcode::kTranspose || inst->operands[0]->opcode != Opcode::kDot) {
    return nullptr;
  }
  auto found = users.find(inst->operands[0]);
  const bool only = found != users.end() && found->second == 1;
  return only ? SwapDot(rewriter, inst) : nullptr;
}

Instruction* SimplifyPaddedConvolution(Rewriter& rewriter, Instruction* inst) {
  return inst->opcode == Opcode::kConvolution ? SimplifyConvolution(rewriter, inst) : nullptr;
}

Instruction* SimplifyPointwiseConvolution(Rewriter& rewriter, Instruction* inst) {
  return inst->opcode == Opcode::kConvolution ? PointwiseConvolution(rewriter, inst) : nullptr;
}

Instruction* SimplifySingles(Rewriter& rewriter, Instruction* inst) {
  if (inst->opcode == Opcode::kReduce) return SimplifyReduce(rewriter, inst);
  return inst->opcode == Opcode::kReduceWindow ? SimplifyReduceWindow(rewriter, inst) : nullptr;
}

}  // namespace halyard::lowering
