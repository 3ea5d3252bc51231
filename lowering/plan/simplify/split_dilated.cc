// Convolutions whose operand has holes: transposed ones, and gradients of strided ones. With holes
// of d - 1 elements, only every d-th term of a sum is not zero, and which ones these are repeats
// after d results. So each of d phases of the result is a convolution of its own, of a part of the
// kernel and an operand without holes, and the phases are interleaved (polyphase decomposition:
// Vaidyanathan, Multirate Systems and Filter Banks, 1993, section 4.3).
#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "frontend/hlo/values/strided.h"
#include "lowering/plan/graph_builder.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/steps/kernel_cost.h"
#include "runtime/device_class.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::ConvDims;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Window;
using hlo::WindowDim;
using Dims = std::vector<int64_t>;

// Every period-th result along a dimension, as a convolution of their own. `taps` says which of the
// kernel's elements it has.
struct Phase {
  int64_t results = 0;
  WindowDim window;
  hlo::SliceDim taps;
};

// Results whose index differs by this much have the same terms.
int64_t PeriodOf(const WindowDim& dim) {
  return dim.base_dilation / std::gcd(dim.base_dilation, dim.stride);
}

// Returns the phase of so many results from result `start` on, or nothing if it has no terms.
// `extent`: elements of the operand.
std::optional<Phase> PhaseOf(const WindowDim& dim, int64_t start, int64_t results, int64_t extent) {
  const int64_t holes = dim.base_dilation;
  const int64_t step = holes / std::gcd(holes, dim.window_dilation);
  int64_t first = 0;
  const auto position = [&] {  // of the first result's term `first`, among elements and holes
    return start * dim.stride + first * dim.window_dilation - dim.pad_low;
  };
  while (first < std::min(step, dim.size) && position() % holes != 0) ++first;
  if (first == std::min(step, dim.size)) return std::nullopt;

  Phase phase;
  phase.results = results;
  WindowDim& window = phase.window;
  window.size = (dim.size - first + step - 1) / step;
  window.stride = PeriodOf(dim) * dim.stride / holes;
  window.window_dilation = step * dim.window_dilation / holes;
  window.reversal = dim.reversal;
  window.pad_low = -position() / holes;
  window.pad_high = (results - 1) * window.stride + (window.size - 1) * window.window_dilation + 1 -
                    extent - window.pad_low;
  const int64_t last = first + (window.size - 1) * step;
  const int64_t tap = dim.reversal ? dim.size - 1 - last : first;
  phase.taps = {tap, tap + last - first + 1, step};
  return phase;
}

// The integers in which elements of a real type are interleaved; none for floats of 6 bits.
std::optional<ElementType> BitsOf(ElementType type) {
  if (hlo::IsInteger(type)) return type;
  switch (hlo::BitWidth(type)) {
    case 4:
      return ElementType::kU4;
    case 8:
      return ElementType::kU8;
    case 16:
      return ElementType::kU16;
    case 32:
      return ElementType::kU32;
    case 64:
      return ElementType::kU64;
    default:
      return std::nullopt;
  }
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
    const ElementType type = inst_.shape.element_type();
    if (!hlo::IsComplex(type) && !BitsOf(type).has_value()) return nullptr;
    if (elements == 0 || terms < std::max<int64_t>(1, limits.terms) ||
        elements < limits.products / terms) {
      return nullptr;
    }
    dims_ = inst_.shape.dims();
    int64_t convolutions = 1;
    for (size_t i = 0; i < window_.dims.size(); ++i) {
      if (window_.dims[i].base_dilation == 1) continue;
      const auto phases = PhasesAlong(i);
      const int64_t count =
          std::count_if(phases.begin(), phases.end(),
                        [](const std::optional<Phase>& phase) { return phase.has_value(); });
      if (convolutions * count > limits.phases) continue;
      convolutions *= std::max<int64_t>(1, count);
      split_.push_back(i);
    }
    return split_.empty() ? nullptr : PhasesFrom(0, window_, {});
  }

 private:
  // The phases along spatial dimension i, those without terms too.
  std::vector<std::optional<Phase>> PhasesAlong(size_t i) const {
    const WindowDim& dim = window_.dims[i];
    const int64_t results = inst_.shape.dim(labels_.output_spatial[i]), period = PeriodOf(dim);
    std::vector<std::optional<Phase>> phases;
    for (int64_t first = 0; first < std::min(period, results); ++first) {
      phases.push_back(PhaseOf(dim, first, (results - first + period - 1) / period,
                               inst_.operand(0)->shape.dim(labels_.input_spatial[i])));
    }
    return phases;
  }

  // The convolution with the dimensions split_ from `next` on in phases, and `taps` of the kernel
  // along those before.
  Instruction* PhasesFrom(size_t next, const Window& window, std::vector<hlo::SliceDim> taps) {
    if (next == split_.size()) return Convolution(window, taps);
    const size_t i = split_[next];
    const int64_t d = labels_.output_spatial[i], results = dims_[d];
    std::vector<Instruction*> phases;
    for (const std::optional<Phase>& phase : PhasesAlong(i)) {
      phases.push_back(nullptr);
      if (!phase.has_value()) continue;
      dims_[d] = phase->results;
      Window of_phase = window;
      of_phase.dims[i] = phase->window;
      std::vector<hlo::SliceDim> of_kernel = taps;
      of_kernel.push_back(phase->taps);
      phases.back() = PhasesFrom(next + 1, of_phase, std::move(of_kernel));
    }
    dims_[d] = results;
    const int64_t period = PeriodOf(window_.dims[i]);
    if (period == 1 && phases[0] != nullptr) return phases[0];
    return Interleaved(phases, d, period);
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

  // The array of dims_ that has the phases' elements in turns along dimension `d`, and zeros in the
  // place of phases without terms. It is written as ops that only move an index and join bits, so
  // that what reads the convolution can follow in the same kernel.
  Instruction* Interleaved(const std::vector<Instruction*>& phases, int64_t d, int64_t period) {
    const ElementType type = inst_.shape.element_type();
    if (hlo::IsComplex(type)) {
      auto part = [&](Instruction* (GraphBuilder::*of)(Instruction*)) {
        std::vector<Instruction*> parts;
        for (Instruction* phase : phases)
          parts.push_back(phase == nullptr ? nullptr : (b_.*of)(phase));
        return InterleavedReals(parts, d, period, hlo::PartType(type));
      };
      return b_.Complex(part(&GraphBuilder::Real), part(&GraphBuilder::Imag));
    }
    return InterleavedReals(phases, d, period, type);
  }

  Instruction* InterleavedReals(const std::vector<Instruction*>& phases, int64_t d, int64_t period,
                                ElementType type) {
    const ElementType bits = *BitsOf(type);
    Instruction* zero = b_.Splat(bits, 0, {});
    Instruction* whole = nullptr;
    for (int64_t first = 0; first < static_cast<int64_t>(phases.size()); ++first) {
      if (phases[first] == nullptr) continue;
      hlo::PaddingConfig padding(dims_.size());
      const int64_t last = first + (phases[first]->shape.dim(d) - 1) * period;
      padding[d] = {first, dims_[d] - 1 - last, period - 1};
      Instruction* phase =
          b_.Add(Opcode::kPad, {As(bits, phases[first]), zero}, OneAttr(Attr::kPadding, padding));
      whole = whole == nullptr ? phase : b_.Add(Opcode::kOr, {whole, phase});
    }
    return whole == nullptr ? b_.Splat(type, 0, dims_) : As(type, whole);
  }

  Instruction* As(ElementType type, Instruction* x) {
    if (x->shape.element_type() == type) return x;
    return rewriter_.Add(inst_, Opcode::kBitcastConvert, hlo::Shape::Array(type, x->shape.dims()),
                         {x});
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

DilatedLimits DilatedLimitsOn(const runtime::DeviceInfo& device) {
  // A GPU multiplies so fast that launches take longer than holes, unless there are many.
  DilatedLimits limits;
  if (!runtime::RunsOnCpu(device)) limits.products = int64_t{1} << 29;
  return limits;
}

absl::Status SplitDilated(hlo::Module& module, const DilatedLimits& limits, bool* changed) {
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
