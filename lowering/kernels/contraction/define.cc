// dot and convolution: sums of products over contracted dimensions.

#include "lowering/kernels/reduction/define.h"

#include <algorithm>

#include "lowering/kernels/emitter.h"

namespace halyard::lowering {

using Halide::Expr;
using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;

namespace {

void SetMultiplyAccumulate(const Instruction& inst, Hero* hero) {
  const ElementType type = AccumulatorType(inst.shape.element_type());
  hero->types = {type};
  hero->init = [type] { return std::vector<Value>{Zero(type)}; };
  hero->combine = [type](const std::vector<Value>& acc, const std::vector<Value>& factors) {
    return std::vector<Value>{
        MultiplyAccumulate(acc[0], ConvertTo(factors[0], type), ConvertTo(factors[1], type))};
  };
  hero->merge = [](const std::vector<Value>& a, const std::vector<Value>& b) {
    return std::vector<Value>{SumAdd(a[0], b[0])};
  };
  hero->identity = {Zero(type)};
}

// Says where each dimension of a dot's operand gets its index from.
struct DimSource {
  bool contracted;
  int64_t position;  // contracted: which contraction; else the result's logical dimension
};

std::vector<DimSource> DotSources(const Instruction& operand, const hlo::Ints& batch,
                                  const hlo::Ints& contracting, int64_t first_free) {
  std::vector<DimSource> sources;
  for (int64_t d = 0; d < operand.shape.rank(); ++d) {
    if (auto b = std::find(batch.begin(), batch.end(), d); b != batch.end()) {
      sources.push_back({false, b - batch.begin()});
    } else if (auto c = std::find(contracting.begin(), contracting.end(), d);
               c != contracting.end()) {
      sources.push_back({true, c - contracting.begin()});
    } else {
      sources.push_back({false, first_free++});
    }
  }
  return sources;
}

std::vector<bool> AxesOf(const std::vector<DimSource>& sources, int64_t rank) {
  std::vector<bool> axes(rank, false);
  for (const DimSource& source : sources) {
    if (!source.contracted) axes[rank - 1 - source.position] = true;  // Halide order
  }
  return axes;
}

// Returns the distance in elements between neighbours along each of the axes of the result (Halide
// order) in a dense operand.
std::vector<int64_t> StridesOf(const Instruction& operand, const std::vector<DimSource>& sources,
                               int64_t rank) {
  const std::vector<int64_t> operand_strides = operand.shape.WithDefaultLayout().Strides();
  std::vector<int64_t> strides(rank, 0);
  for (size_t d = 0; d < sources.size(); ++d) {
    if (!sources[d].contracted) strides[rank - 1 - sources[d].position] = operand_strides[d];
  }
  return strides;
}

// The numbers of a convolution.
struct Convolution {
  explicit Convolution(const Instruction& inst);

  const hlo::ConvDims& dims;
  int64_t rank, feature_groups, batch_groups, group_features, out_features, out_batch;
  std::vector<hlo::WindowDim> spatial;
  // The padded input: the input's own dimensions, spatial ones dilated and padded (negative padding
  // crops).
  std::vector<int64_t> padded;
  bool needs_padding = false;
};

Convolution::Convolution(const Instruction& inst)
    : dims(inst.GetConvDims()),
      rank(inst.shape.rank()),
      feature_groups(inst.GetInt(Attr::kFeatureGroupCount, 1)),
      batch_groups(inst.GetInt(Attr::kBatchGroupCount, 1)),
      group_features(inst.operand(1)->shape.dim(dims.kernel_input_feature)),
      out_features(inst.shape.dim(dims.output_feature)),
      out_batch(inst.shape.dim(dims.output_batch)),
      spatial(dims.input_spatial.size()),
      padded(rank) {
  const hlo::Shape& input = inst.operand(0)->shape;
  const hlo::Window& window = inst.GetWindow();
  for (int64_t d = 0; d < rank; ++d) padded[d] = input.dim(d);
  for (size_t s = 0; s < spatial.size(); ++s) {
    if (!window.dims.empty()) spatial[s] = window.dims[s];
    const int64_t extent = input.dim(dims.input_spatial[s]);
    const int64_t dilated = extent == 0 ? 0 : (extent - 1) * spatial[s].base_dilation + 1;
    padded[dims.input_spatial[s]] =
        std::max<int64_t>(0, dilated + spatial[s].pad_low + spatial[s].pad_high);
    needs_padding |=
        spatial[s].pad_low > 0 || spatial[s].pad_high > 0 || spatial[s].base_dilation > 1;
  }
}

// Which axes of the result move in each factor, and how far.
void SetConvolutionAxes(const Convolution& conv, const Instruction& inst, Hero* hero) {
  const hlo::ConvDims& dims = conv.dims;
  const int64_t rank = conv.rank;
  hero->lhs_axes.assign(rank, true);
  hero->lhs_axes[rank - 1 - dims.output_feature] = conv.feature_groups > 1 || conv.batch_groups > 1;
  hero->rhs_axes.assign(rank, false);
  hero->rhs_axes[rank - 1 - dims.output_feature] = true;
  const std::vector<int64_t> in_strides = inst.operand(0)->shape.WithDefaultLayout().Strides();
  hero->lhs_strides.assign(rank, 0);
  hero->rhs_strides.assign(rank, 0);
  hero->rhs_strides[rank - 1 - dims.output_feature] =
      inst.operand(1)->shape.WithDefaultLayout().Strides()[dims.kernel_output_feature];
  hero->lhs_strides[rank - 1 - dims.output_batch] = in_strides[dims.input_batch];
  for (size_t s = 0; s < conv.spatial.size(); ++s) {
    hero->lhs_strides[rank - 1 - dims.output_spatial[s]] =
        in_strides[dims.input_spatial[s]] * conv.spatial[s].stride;
  }
}

// Returns where in the padded input a step of the reduction reads.
Indices ReadPosition(const Convolution& conv, const Indices& axes, const Indices& r) {
  const hlo::ConvDims& dims = conv.dims;
  const LogicalIndex out = Emitter::ToLogical(axes);
  LogicalIndex index(conv.rank);
  const Expr feature = out[dims.output_feature];
  Expr in_feature = r[0], in_batch = out[dims.output_batch];
  if (conv.feature_groups > 1) {
    const int32_t per_group = static_cast<int32_t>(conv.out_features / conv.feature_groups);
    in_feature = in_feature + (feature / per_group) * static_cast<int32_t>(conv.group_features);
  }
  if (conv.batch_groups > 1) {
    const int32_t per_group = static_cast<int32_t>(conv.out_features / conv.batch_groups);
    in_batch = in_batch + (feature / per_group) * static_cast<int32_t>(conv.out_batch);
  }
  index[dims.input_batch] = in_batch;
  index[dims.input_feature] = in_feature;
  for (size_t s = 0; s < conv.spatial.size(); ++s) {
    const hlo::WindowDim& window = conv.spatial[s];
    const Expr k = r[conv.spatial.size() - s];
    Expr p = out[dims.output_spatial[s]];
    if (window.stride != 1) p = p * static_cast<int32_t>(window.stride);
    if (window.size != 1)
      p = p + (window.window_dilation == 1 ? k : k * static_cast<int32_t>(window.window_dilation));
    index[dims.input_spatial[s]] = p;
  }
  return Emitter::ToHalide(index);
}

Value PaddedValue(const Convolution& conv, Emitter& emitter, const Instruction& lhs,
                  const Indices& position) {
  LogicalIndex index = Emitter::ToLogical(position);
  Expr inside;
  for (size_t s = 0; s < conv.spatial.size(); ++s) {
    hlo::WindowDim unit = conv.spatial[s];
    unit.size = 1;
    unit.stride = 1;
    const int64_t d = conv.dims.input_spatial[s];
    const WindowPosition at = WindowIndex(unit, lhs.shape.dim(d), index[d], 0);
    if (at.inside.defined()) inside = inside.defined() ? inside && at.inside : at.inside;
    index[d] = at.index;
  }
  const Value value = emitter.At(&lhs, index);
  if (!inside.defined()) return value;
  // f8E8M0FNU has no zero, but a factor may be one (schedules/contraction/template.h, StoreFactor).
  Value zero{value.type, Halide::Internal::make_zero(ComputeType(value.type)), {}};
  if (hlo::IsComplex(value.type)) zero.im = zero.re;
  Value selected = SelectValue(inside, value, zero);
  // In every type that has a zero, no bit of zero is set.
  if (value.stored.defined() && value.stored_type != ElementType::kF8E8M0FNU) {
    selected.stored =
        Halide::select(inside, value.stored, Halide::Internal::make_zero(value.stored.type()));
    selected.stored_type = value.stored_type;
  }
  return selected;
}

}  // namespace

void LowerDot(Emitter& emitter, const Instruction& inst, Hero* hero) {
  hero->kind = Hero::Kind::kContraction;
  SetMultiplyAccumulate(inst, hero);
  const Instruction &lhs = *inst.operand(0), &rhs = *inst.operand(1);
  const hlo::Ints& lhs_contracting = inst.GetInts(Attr::kLhsContractingDims);
  const hlo::Ints& lhs_batch = inst.GetInts(Attr::kLhsBatchDims);
  const int64_t num_batch = static_cast<int64_t>(lhs_batch.size());
  const int64_t num_contracted = static_cast<int64_t>(lhs_contracting.size());
  const int64_t lhs_free = lhs.shape.rank() - num_batch - num_contracted;
  const hlo::Ints& rhs_contracting = inst.GetInts(Attr::kRhsContractingDims);
  for (int64_t i = num_contracted; i-- > 0;)
    hero->reduce_extents.push_back(lhs.shape.dim(lhs_contracting[i]));
  hero->inner_reduced = num_contracted > 0 && lhs_contracting.back() == lhs.shape.rank() - 1 &&
                        rhs_contracting.back() == rhs.shape.rank() - 1;

  const auto lhs_sources = DotSources(lhs, lhs_batch, lhs_contracting, num_batch);
  const auto rhs_sources =
      DotSources(rhs, inst.GetInts(Attr::kRhsBatchDims), rhs_contracting, num_batch + lhs_free);
  hero->lhs_axes = AxesOf(lhs_sources, inst.shape.rank());
  hero->rhs_axes = AxesOf(rhs_sources, inst.shape.rank());
  hero->lhs_strides = StridesOf(lhs, lhs_sources, inst.shape.rank());
  hero->rhs_strides = StridesOf(rhs, rhs_sources, inst.shape.rank());
  hero->term = [&emitter, &inst, lhs_sources, rhs_sources, num_contracted](const Indices& axes,
                                                                           const Indices& r) {
    const LogicalIndex out = Emitter::ToLogical(axes);
    auto index_of = [&](const std::vector<DimSource>& sources) {
      LogicalIndex index;
      for (const DimSource& source : sources) {
        index.push_back(source.contracted ? r[num_contracted - 1 - source.position]
                                          : out[source.position]);
      }
      return index;
    };
    return std::vector<Value>{emitter.At(inst.operand(0), index_of(lhs_sources)),
                              emitter.At(inst.operand(1), index_of(rhs_sources))};
  };
}

// StableHLO specification, convolution. The reduction domain: input features of the group, then the
// kernel's spatial dimensions from the last to the first.
void LowerConvolution(Emitter& emitter, const Instruction& inst, Hero* hero) {
  hero->kind = Hero::Kind::kConvolution;
  SetMultiplyAccumulate(inst, hero);
  const Convolution conv(inst);
  const Instruction &lhs = *inst.operand(0), &rhs = *inst.operand(1);
  hero->reduce_extents.push_back(conv.group_features);
  for (size_t s = conv.spatial.size(); s-- > 0;)
    hero->reduce_extents.push_back(rhs.shape.dim(conv.dims.kernel_spatial[s]));
  SetConvolutionAxes(conv, inst, hero);
  if (conv.needs_padding) hero->padded_extents.assign(conv.padded.rbegin(), conv.padded.rend());
  hero->padded_read = [conv](const Indices& axes, const Indices& r) {
    return ReadPosition(conv, axes, r);
  };
  hero->padded_value = [conv, &emitter, &lhs](const Indices& position) {
    return PaddedValue(conv, emitter, lhs, position);
  };
  hero->term = [conv, &emitter, &rhs, padded_read = hero->padded_read,
                padded_value = hero->padded_value](const Indices& axes, const Indices& r) {
    const LogicalIndex out = Emitter::ToLogical(axes);
    LogicalIndex kernel_index(conv.rank);
    kernel_index[conv.dims.kernel_input_feature] = r[0];
    kernel_index[conv.dims.kernel_output_feature] = out[conv.dims.output_feature];
    for (size_t s = 0; s < conv.spatial.size(); ++s) {
      const Expr k = r[conv.spatial.size() - s];
      const int32_t extent = static_cast<int32_t>(rhs.shape.dim(conv.dims.kernel_spatial[s]));
      kernel_index[conv.dims.kernel_spatial[s]] = conv.spatial[s].reversal ? extent - 1 - k : k;
    }
    return std::vector<Value>{padded_value(padded_read(axes, r)), emitter.At(&rhs, kernel_index)};
  };
}

}  // namespace halyard::lowering
