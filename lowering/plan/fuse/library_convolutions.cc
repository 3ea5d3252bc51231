// Convolutions whose library wants their weights in another order.
#include <utility>
#include <vector>

#include "frontend/hlo/values/strided.h"
#include "lowering/plan/fuse/library_kernels.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Opcode;
using Ints = std::vector<int64_t>;

// The order of the weights' dimensions that cuDNN takes beside the images' order, and which of the
// present dimensions each of them is. Empty: the images have an order that it does not take, or the
// weights have theirs already.
struct Order {
  hlo::ConvDims dims;
  Ints permutation;
};

Order OrderFor(const hlo::ConvDims& now) {
  Order order;
  order.dims = now;
  const int64_t spatial = static_cast<int64_t>(now.kernel_spatial.size());
  const bool features_last = now.input_feature == spatial + 1;
  order.permutation = {now.kernel_output_feature};
  if (!features_last) order.permutation.push_back(now.kernel_input_feature);
  order.permutation.insert(order.permutation.end(), now.kernel_spatial.begin(),
                           now.kernel_spatial.end());
  if (features_last) order.permutation.push_back(now.kernel_input_feature);
  order.dims.kernel_output_feature = 0;
  order.dims.kernel_input_feature = features_last ? spatial + 1 : 1;
  for (int64_t i = 0; i < spatial; ++i)
    order.dims.kernel_spatial[static_cast<size_t>(i)] = i + (features_last ? 1 : 2);
  return order;
}

}  // namespace

absl::Status ArrangeConvolutions(hlo::Module& module, const runtime::DeviceInfo& device) {
  if (device.kind != runtime::DeviceKind::kCuda || (device.libraries & runtime::kCudnn) == 0)
    return absl::OkStatus();
  for (const auto& computation : module.computations()) {
    Rewriter rewriter(computation.get());
    for (Instruction* inst : rewriter.Snapshot()) {
      if (inst->opcode != Opcode::kConvolution || IsOnHost(*inst)) continue;
      const Order order = OrderFor(inst->GetConvDims());
      if (order.dims == inst->GetConvDims()) continue;
      const Instruction& weights = *inst->operands[1];
      Ints dims;
      for (int64_t d : order.permutation) dims.push_back(weights.shape.dim(d));
      hlo::AttrMap attrs = inst->attrs;
      attrs.Set(Attr::kDimLabels, order.dims);
      // The convolution as it would be, on its own.
      hlo::Module alone("alone");
      hlo::Computation* entry = alone.AddComputation("alone");
      Instruction* would =
          entry->AddClone(*inst, {entry->AddParameter(0, inst->operand(0)->shape),
                                  entry->AddParameter(1, weights.shape.WithDims(dims))});
      would->attrs = attrs;
      if (!IsLeftToLibrary(*would, device)) continue;
      Instruction* arranged =
          weights.opcode == Opcode::kConstant
              ? rewriter.AddConstant(weights,
                                     hlo::TransposeLiteral(weights.literal, order.permutation))
              : rewriter.AddTranspose(weights, inst->operands[1], order.permutation);
      rewriter.Replace(inst, rewriter.Add(*inst, Opcode::kConvolution, inst->shape,
                                          {inst->operands[0], arranged}, attrs));
    }
    if (!rewriter.changed()) continue;
    if (absl::Status s = rewriter.Finish(); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
