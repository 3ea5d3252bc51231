// Reports windows and padding whose positions kernels cannot count as located errors, like
// dimensions that are too long.
#include <algorithm>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Opcode;

// Returns the largest number that occurs while an index along one dimension is computed. The
// verifier has bounded the terms (hlo::kMostWindow), so nothing overflows here.
int64_t LargestNumber(const hlo::WindowDim& w, int64_t extent, int64_t outputs) {
  const int64_t start = std::max<int64_t>(outputs - 1, 0) * w.stride;
  const int64_t reach = (w.size - 1) * w.window_dilation;
  const int64_t base = std::max<int64_t>(extent - 1, 0) * w.base_dilation;
  return std::max({w.size, w.stride, w.window_dilation, w.base_dilation, std::abs(w.pad_low),
                   std::abs(w.pad_high), start, reach, base, start + reach - w.pad_low});
}

int64_t LargestNumber(const hlo::PaddingDim& p, int64_t extent, int64_t outputs) {
  const int64_t step = p.interior + 1;
  return std::max({step, std::abs(p.low), std::abs(p.high), std::max<int64_t>(extent - 1, 0) * step,
                   outputs - 1 - p.low});
}

absl::Status Require(const Instruction& inst, int64_t dim, int64_t number) {
  if (number <= INT32_MAX) return absl::OkStatus();
  return LocatedError(
      absl::StatusCode::kUnimplemented, inst,
      absl::StrCat("the ", inst.opcode == Opcode::kPad ? "padding" : "window", " of dimension ",
                   dim, " has positions or numbers of ", number, ": kernels index with 32 bits"));
}

absl::Status CheckWindow(const Instruction& inst) {
  const hlo::Shape& operand = inst.operand(0)->shape;
  // The windows of select-and-scatter are those of its source.
  const hlo::Shape result = inst.opcode == Opcode::kSelectAndScatter
                                ? inst.operand(1)->shape
                                : hlo::FlattenShape(inst.shape)[0];
  const std::vector<hlo::WindowDim>& window = inst.GetWindow().dims;
  for (size_t i = 0; i < window.size(); ++i) {
    int64_t from = static_cast<int64_t>(i), to = from;
    int64_t padded = 0;
    if (inst.opcode == Opcode::kConvolution) {
      from = inst.GetConvDims().input_spatial[i];
      to = inst.GetConvDims().output_spatial[i];
      // Its padded input may be an array.
      padded = (operand.dim(from) - 1) * window[i].base_dilation + 1 + window[i].pad_low +
               window[i].pad_high;
    }
    const int64_t number = LargestNumber(window[i], operand.dim(from), result.dim(to));
    if (absl::Status s = Require(inst, from, std::max(number, padded)); !s.ok()) return s;
  }
  return absl::OkStatus();
}

absl::Status CheckPadding(const Instruction& inst) {
  const hlo::PaddingConfig& padding = inst.GetPadding();
  for (size_t i = 0; i < padding.size(); ++i) {
    const int64_t d = static_cast<int64_t>(i);
    const int64_t number =
        LargestNumber(padding[i], inst.operand(0)->shape.dim(d), inst.shape.dim(d));
    if (absl::Status s = Require(inst, d, number); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckWindows(const hlo::Module& module) {
  for (const auto& computation : module.computations()) {
    for (const auto& inst : computation->instructions()) {
      absl::Status status;
      if (inst->Has(Attr::kWindow)) status = CheckWindow(*inst);
      if (inst->opcode == Opcode::kPad) status = CheckPadding(*inst);
      if (!status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
