// attention: softmax(logits(Q·K)) · V in one kernel (lowering/kernels/attention/form.h). This file
// has what its schedules share and the rows of the registry; x86.cc and gpu.cc have the schedules.

#include "schedules/attention/template.h"

#include <algorithm>

#include "lowering/kernels/emitter.h"
#include "lowering/numerics/arithmetic.h"
#include "schedules/attention/gpu.h"
#include "schedules/attention/x86.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using Halide::Expr;
using Halide::Func;
using Halide::Var;
using lowering::AttentionForm;
using lowering::Emitter;
using lowering::Hero;
using lowering::Indices;
using lowering::LogicalIndex;
using lowering::LoweredKernel;
using lowering::Value;

int PlacedFunc::Find(int64_t place) const {
  for (size_t a = 0; a < places.size(); ++a) {
    if (places[a] == place) return static_cast<int>(a);
  }
  return -1;
}

PlacedFunc PlacedLike(const AttentionForm& form, const hlo::Instruction& instruction,
                      const std::string& prefix) {
  PlacedFunc placed;
  const std::vector<int64_t>& places = form.places.at(&instruction);
  for (size_t d = places.size(); d-- > 0;) {
    placed.axes.push_back(
        {Var(prefix + std::to_string(placed.axes.size())), instruction.shape.dim(d)});
    placed.places.push_back(places[d]);
  }
  return placed;
}

PlacedFunc ValueFunc(LoweredKernel& kernel, const hlo::Instruction& instruction,
                     const std::string& name) {
  PlacedFunc placed = PlacedLike(kernel.As<AttentionForm>(), instruction, name);
  const Indices vars = lowering::VarsOf(placed.axes);
  placed.func = Func(name);
  placed.func(vars) =
      kernel.ToStorageExprs({kernel.emitter->At(&instruction, Emitter::ToLogical(vars))})[0];
  return placed;
}

AttentionParts PartsOf(const LoweredKernel& kernel) {
  AttentionParts parts;
  const AttentionForm& form = kernel.As<AttentionForm>();
  parts.form = &form;
  for (const auto& hero : kernel.heroes) {
    for (auto [instruction, slot] : {std::pair{form.scores, &parts.scores},
                                     {form.max, &parts.max},
                                     {form.sum, &parts.sum},
                                     {form.second, &parts.second},
                                     {form.extra, &parts.extra},
                                     {form.product, &parts.product}}) {
      if (hero->instruction == instruction) *slot = hero.get();
    }
  }
  const hlo::Shape& scores = form.scores->shape;
  int64_t longest = 0;
  for (int64_t d = 0; d < scores.rank(); ++d) {
    if (!form.is_query[d] || scores.dim(d) <= longest) continue;
    longest = scores.dim(d);
    parts.rows_dim = d;
  }
  parts.queries = longest;
  parts.keys = scores.dim(form.key_dim);
  parts.head_size = form.head_size;
  parts.value_size = form.value_size;
  parts.output.axes = kernel.axes;
  std::vector<int64_t> places = EpiloguePlaces(form, *kernel.module->entry()->root());
  parts.output.places.assign(places.rbegin(), places.rend());
  const bool is_chain = form.kind == AttentionForm::Kind::kChain;
  const bool is_statistics = form.kind == AttentionForm::Kind::kStatistics;
  parts.valid = longest > 0 && scores.NumElements() > 0 && parts.head_size > 0 &&
                form.second_head_size > 0 && parts.output.Find(parts.rows_dim) >= 0 &&
                (is_statistics || parts.output.Find(AttentionForm::kValueDim) >= 0) &&
                (is_chain || parts.max->types.size() == 1);
  return parts;
}

void LeaveOutDivision(LoweredKernel& kernel, const Func& weights) {
  kernel.emitter->BindStored(kernel.As<AttentionForm>().weights, weights);
  kernel.emitter->BindStored(kernel.As<AttentionForm>().divide, weights);
}

bool WeightsAreFactors(const LoweredKernel& kernel) {
  const AttentionForm& form = kernel.As<AttentionForm>();
  const hlo::ElementType type = form.product->operand(form.weights_operand)->shape.element_type();
  return form.weights->shape.element_type() == type && hlo::BitWidth(type) >= 32;
}

Value Normalized(LoweredKernel& kernel, const Value& total, const Indices& axes) {
  const AttentionForm& form = kernel.As<AttentionForm>();
  const std::vector<int64_t>& product = form.places.at(form.product);
  const LogicalIndex at = Emitter::ToLogical(axes);
  LogicalIndex index;
  for (int64_t place : form.places.at(form.divide)) {
    const auto found = std::find(product.begin(), product.end(), place);
    const bool known = place >= 0 && found != product.end();
    index.push_back(known ? at[found - product.begin()] : Expr(0));
  }
  const Value divisor =
      lowering::ConvertTo(kernel.emitter->At(form.divide->operand(1), index), total.type);
  return {total.type,
          lowering::numerics::Divide(lowering::numerics::Fp{total.re},
                                     lowering::numerics::Fp{divisor.re})
              .e,
          {}};
}

Indices PlacedArguments(const PlacedFunc& func,
                        const std::function<Expr(int64_t place)>& index_of) {
  Indices args;
  for (int64_t place : func.places) {
    args.push_back(place == AttentionForm::kNone ? Expr(0) : index_of(place));
  }
  return args;
}

Value FactorValue(const Hero& hero, int64_t operand, const PlacedFunc& like,
                  const std::function<Expr(int64_t place)>& index_of, const Expr& r) {
  const Value factor = hero.term(PlacedArguments(like, index_of), {r})[operand];
  return lowering::ConvertTo(factor, hero.types[0]);
}

namespace {

bool IsSoftmax(const LoweredKernel& kernel) {
  return kernel.As<AttentionForm>().kind == AttentionForm::Kind::kSoftmax;
}

bool AcceptsOnCpu(const LoweredKernel& kernel) {
  const AttentionParts parts = PartsOf(kernel);
  return parts.valid && IsSoftmax(kernel) && !kernel.in_place && parts.keys >= 4 &&
         parts.value_size >= 4;
}

bool AcceptsOnGpu(const LoweredKernel& kernel) {
  const AttentionParts parts = PartsOf(kernel);
  return parts.valid && IsSoftmax(kernel) && !kernel.in_place &&
         lowering::GroupFor(*parts.form, kernel.device).has_value();
}

}  // namespace

const Template kAttentionOnX86 = {.id = kAttention,
                                  .forms = SetOfForms<AttentionForm>(),
                                  .device = DeviceClass::kX86,
                                  .accepts = AcceptsOnCpu,
                                  .defaults = X86AttentionDefaults,
                                  .space = X86AttentionSpace,
                                  .apply = ApplyAttentionOnX86};
const Template kAttentionOnGpu = {.id = kAttention,
                                  .forms = SetOfForms<AttentionForm>(),
                                  .device = DeviceClass::kGpu,
                                  .accepts = AcceptsOnGpu,
                                  .defaults = GpuAttentionDefaults,
                                  .space = GpuAttentionSpace,
                                  .apply = ApplyAttentionOnGpu,
                                  .caps_registers = true};

}  // namespace halyard::schedules
