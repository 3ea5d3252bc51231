// Convolutions whose operand has holes: transposed ones, and gradients of strided ones. With holes
// of d - 1 elements, only every d-th term of a sum is not zero, and which ones these are repeats
// after d results. So each of d results has a convolution of its own, of a part of the kernel and
// an operand without holes, and the results lie one after the other (polyphase decomposition, as of
// sample rate conversion: Vaidyanathan, Multirate Systems and Filter Banks, 1993, section 4.3).
#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "frontend/hlo/values/strided.h"
#include "lowering/plan/graph_builder.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/steps/kernel_cost.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::ConvDims;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Window;
using hlo::WindowDim;
using Dims = std::vector<int64_t>;

// The results of which the first is `result`, and then every period-th, as a convolution of their
// own along this dimension. `taps` says which of the kernel's elements it has.
struct Phase {
  WindowDim window;
  hlo::SliceDim taps;
};

// Results whose index differs by this much have the same terms.
int64_t PeriodOf(const WindowDim& dim) {
  return dim.base_dilation / std::gcd(dim.base_dilation, dim.stride);
}

// `count`: results of the phase. `extent`: elements of the operand. Nothing: the phase has no term.
std::optional<Phase> PhaseOf(const WindowDim& dim, int64_t result, int64_t count, int64_t extent) {
  const int64_t holes = dim.base_dilation;
  const int64_t step = holes / std::gcd(holes, dim.window_dilation);
  int64_t first = 0;
  const auto position = [&] {  // of the first result's term `first`, among elements and holes
    return result * dim.stride + first * dim.window_dilation - dim.pad_low;
  };
  while (first < std::min(step, dim.size) && position() % holes != 0) ++first;
  if (first == std::min(step, dim.size)) return std::nullopt;

  Phase phase;
  WindowDim& window = phase.window;
  window.size = (dim.size - first + step - 1) / step;
  window.stride = PeriodOf(dim) * dim.stride / holes;
  window.window_dilation = step * dim.window_dilation / holes;
  window.reversal = dim.reversal;
  window.pad_low = -position() / holes;
  window.pad_high = (count - 1) * window.stride + (window.size - 1) * window.window_dilation + 1 -
                    extent - window.pad_low;
  const int64_t last = first + (window.size - 1) * step;
  const int64_t start = dim.reversal ? dim.size - 1 - last : first;
  phase.taps = {start, start + last - first + 1, step};
  return phase;
}

class Splitter {
 public:
  Splitter(Rewriter& rewriter, Instruction* convolution)
      : rewriter_(rewriter),
        inst_(*convolution),
        b_(&rewriter, convolution),
        labels_(convolution->GetConvDims()),
        window_(convolution->GetWindow()) {}

  // Returns null if the convolution has no holes, or too little to do.
  Instruction* Build(const DilatedLimits& limits) {
    const int64_t elements = inst_.shape.NumElements(), terms = TermsOfProduct(inst_);
    if (elements == 0 || terms < std::max<int64_t>(1, limits.terms) ||
        elements < limits.products / terms) {
      return nullptr;
    }
    int64_t phases = 1;
    for (size_t i = 0; i < window_.dims.size(); ++i) {
      const WindowDim& dim = window_.dims[i];
      if (dim.base_dilation == 1 || phases * PeriodOf(dim) > limits.phases) continue;
      phases *= PeriodOf(dim);
      split_.push_back(i);
    }
    if (split_.empty()) return nullptr;
    dims_ = inst_.shape.dims();
    return PhasesFrom(0, window_, {});
  }

 private:
  // The convolution with the dimensions split_ from `next` on in phases, and `taps` of the kernel
  // along those before.
  Instruction* PhasesFrom(size_t next, const Window& window, std::vector<hlo::SliceDim> taps) {
    if (next == split_.size()) return Convolution(window, taps);
    const size_t i = split_[next];
    const WindowDim& dim = window_.dims[i];
    const int64_t d = labels_.output_spatial[i], extent = dims_[d], period = PeriodOf(dim);
    std::vector<Instruction*> parts;
    for (int64_t first = 0; first < std::min(period, extent); ++first) {
      dims_[d] = (extent - first + period - 1) / period;
      const std::optional<Phase> phase =
          PhaseOf(dim, first, dims_[d], inst_.operand(0)->shape.dim(labels_.input_spatial[i]));
      if (!phase.has_value()) {
        parts.push_back(b_.Splat(inst_.shape.element_type(), 0, dims_));
        continue;
      }
      Window of_phase = window;
      of_phase.dims[i] = phase->window;
      std::vector<hlo::SliceDim> of_kernel = taps;
      of_kernel.push_back(phase->taps);
      parts.push_back(PhasesFrom(next + 1, of_phase, std::move(of_kernel)));
    }
    dims_[d] = extent;
    return InTurns(parts, d, period);
  }

  Instruction* Convolution(const Window& window, const std::vector<hlo::SliceDim>& taps) {
    const Instruction& kernel = *inst_.operand(1);
    hlo::SliceDims slice;
    for (int64_t extent : kernel.shape.dims()) slice.push_back({0, extent, 1});
    for (size_t i = 0; i < taps.size(); ++i) slice[labels_.kernel_spatial[split_[i]]] = taps[i];
    hlo::AttrMap attrs = inst_.attrs;
    attrs.Set(Attr::kWindow, window);
    return rewriter_.Add(inst_, Opcode::kConvolution, inst_.shape.WithDims(dims_),
                         {inst_.operands[0], Sliced(slice)}, attrs);
  }

  // Constants are cut when the program is compiled, however large they are.
  Instruction* Sliced(const hlo::SliceDims& slice) {
    Instruction* kernel = inst_.operands[1];
    Dims dims;
    for (const hlo::SliceDim& s : slice)
      dims.push_back((s.limit - s.start + s.stride - 1) / s.stride);
    const hlo::Shape shape = kernel->shape.WithDims(dims);
    if (kernel->opcode != Opcode::kConstant)
      return rewriter_.Add(inst_, Opcode::kSlice, shape, {kernel}, OneAttr(Attr::kSlice, slice));
    Dims strides = kernel->shape.Strides();
    int64_t start = 0;
    for (size_t d = 0; d < slice.size(); ++d) {
      start += slice[d].start * strides[d];
      strides[d] *= slice[d].stride;
    }
    return rewriter_.AddConstant(*kernel, hlo::StridedRead(kernel->literal, shape, start, strides));
  }

  // The array of dims_ whose elements along dimension `d` are those of the parts in turns. It is
  // written as ops that only move an index, so that what reads the convolution can follow in the
  // same kernel.
  Instruction* InTurns(const std::vector<Instruction*>& parts, int64_t d, int64_t period) {
    if (period == 1) return parts[0];
    Instruction* zero = b_.Splat(inst_.shape.element_type(), 0, {});
    Instruction* turn = b_.Add(
        Opcode::kRemainder, {b_.Iota(hlo::ElementType::kU32, dims_, d),
                             b_.Splat(hlo::ElementType::kU32, static_cast<double>(period), dims_)});
    Instruction* whole = nullptr;
    for (int64_t i = 0; i < static_cast<int64_t>(parts.size()); ++i) {
      hlo::PaddingConfig padding(dims_.size());
      const int64_t last = i + (parts[i]->shape.dim(d) - 1) * period;
      padding[d] = {i, dims_[d] - 1 - last, period - 1};
      Instruction* part = b_.Add(Opcode::kPad, {parts[i], zero}, OneAttr(Attr::kPadding, padding));
      Instruction* number = b_.Splat(hlo::ElementType::kU32, static_cast<double>(i), dims_);
      whole = i == 0 ? part : b_.Select(b_.Compare(turn, number, "EQ"), part, whole);
    }
    return whole;
  }

  Rewriter& rewriter_;
  const Instruction& inst_;
  GraphBuilder b_;
  const ConvDims& labels_;
  const Window& window_;
  std::vector<size_t> split_;  // spatial dimensions
  Dims dims_;                  // of the result, or of its phase
};

}  // namespace

absl::Status SplitDilated(hlo::Module& module, bool* changed, const DilatedLimits& limits) {
  return RewriteEach(module, [&](Rewriter& rewriter, Instruction* inst) {
    if (inst->opcode != Opcode::kConvolution) return absl::OkStatus();
    Instruction* split = Splitter(rewriter, inst).Build(limits);
    if (split != nullptr) {
      rewriter.Replace(inst, split);
      *changed = true;
    }
    return absl::OkStatus();
  });
}

}  // namespace halyard::lowering
