// The parts of a kernel's algorithm that its family's code and the templates ask for.
#include "lowering/kernels/kernel.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "lowering/kernels/emitter.h"
#include "lowering/kernels/marks.h"

namespace halyard::lowering {

using hlo::ElementType;

LoweredKernel::LoweredKernel() = default;
LoweredKernel::~LoweredKernel() = default;
LoweredKernel::LoweredKernel(LoweredKernel&&) noexcept = default;

std::vector<Axis> LoweredKernel::OutputDims() const {
  std::vector<Axis> dims = axes;
  if (static_cast<int>(dims.size()) < output.dimensions())
    dims.insert(dims.begin(), {output.args()[0], 2});
  return dims;
}

void LoweredKernel::SetOutputBounds() {
  bool first = true;
  const std::vector<Axis> dims = OutputDims();
  for (Halide::OutputImageParam& buffer : output.output_buffers()) {
    int64_t stride = 1;
    int dim = 0;
    for (const Axis& axis : dims) {
      // The outputs of a Tuple share the first one's bounds.
      if (first) buffer.dim(dim).set_bounds(0, static_cast<int32_t>(axis.extent));
      buffer.dim(dim++).set_stride(static_cast<int32_t>(std::min<int64_t>(stride, INT32_MAX)));
      stride *= axis.extent;
    }
    first = false;
  }
}

std::vector<Halide::Expr> LoweredKernel::ToStorageExprs(const std::vector<Value>& values) const {
  std::vector<Halide::Expr> exprs;
  const bool several = values.size() > 1 || (values.size() == 1 && hlo::IsComplex(values[0].type));
  for (const Value& value : values) {
    const bool exact = !several && !hlo::IsFloat(value.type);
    const Halide::Expr re = ToStorage(value);
    exprs.push_back(exact ? re : Stored(re, several));
    if (hlo::IsComplex(value.type))
      exprs.push_back(Stored(ToStorage(value.type, value.im), several));
  }
  return exprs;
}

std::vector<Value> LoweredKernel::FromStorageExprs(const std::vector<ElementType>& types,
                                                   const std::vector<Halide::Expr>& exprs) const {
  std::vector<Value> values;
  size_t position = 0;
  for (ElementType type : types) {
    Halide::Expr re = exprs.at(position++);
    values.push_back(hlo::IsComplex(type) ? FromStorage(type, re, exprs.at(position++))
                                          : FromStorage(type, re));
  }
  return values;
}

Halide::RDom LoweredKernel::domain_of(const Hero& hero) const {
  std::vector<Halide::Range> ranges;
  for (int64_t extent : hero.reduce_extents) {
    if (extent > kMaxExtent)
      throw SizeError(
          absl::StrCat(hero.instruction->name, ": reduces ", extent, " elements of one dimension"));
    ranges.emplace_back(0, static_cast<int32_t>(extent));
  }
  if (ranges.empty()) ranges.emplace_back(0, 1);
  return Halide::RDom(ranges, "r");
}

std::vector<Value> LoweredKernel::OverDomain(const Indices& r, const std::vector<Value>& before,
                                             std::vector<Value> after) {
  Halide::Expr inside;
  for (const Halide::Expr& e : r) {
    const auto* variable = e.as<Halide::Internal::Variable>();
    if (variable == nullptr) continue;
    bool used = false;
    for (const Value& value : after) {
      used |= Halide::Internal::expr_uses_var(value.re, variable->name);
      used |= value.im.defined() && Halide::Internal::expr_uses_var(value.im, variable->name);
    }
    if (!used) inside = inside.defined() ? inside && e >= 0 : e >= 0;
  }
  if (!inside.defined()) return after;
  for (size_t i = 0; i < after.size(); ++i) after[i] = SelectValue(inside, after[i], before[i]);
  return after;
}

Indices VarsOf(const std::vector<Axis>& axes) {
  Indices vars;
  for (const Axis& axis : axes) vars.push_back(axis.var);
  return vars;
}

std::vector<Halide::Expr> CallElements(const Halide::Func& func, const Indices& args) {
  Halide::FuncRef ref = func(args);
  if (func.outputs() == 1) return {Halide::Expr(ref)};
  std::vector<Halide::Expr> elements;
  for (int i = 0; i < func.outputs(); ++i) elements.push_back(ref[i]);
  return elements;
}

void LoweredKernel::DefineHero(Hero& hero) {
  hero.result = Halide::Func("hero_" + std::to_string(&hero - heroes[0].get()));
  const Indices vars = VarsOf(hero.axes);
  hero.result(vars) = Halide::Tuple(ToStorageExprs(hero.init()));
  Halide::RDom domain = domain_of(hero);
  Indices r;
  for (size_t i = 0; i < hero.reduce_extents.size(); ++i) r.push_back(domain[static_cast<int>(i)]);
  const std::vector<Value> acc = FromStorageExprs(hero.types, CallElements(hero.result, vars));
  hero.result(vars) =
      Halide::Tuple(ToStorageExprs(OverDomain(r, acc, hero.combine(acc, hero.term(vars, r)))));
  hero.read = [func = hero.result](const Indices& axes) { return CallElements(func, axes); };
}

void LoweredKernel::BuildRow(const std::function<void(Hero&)>& define,
                             const std::function<void(RowValue&)>& row_value) {
  const hlo::Computation& kernel = *module->entry();
  for (const auto& owned : kernel.instructions()) {
    for (auto& hero : heroes) {
      if (hero->instruction == owned.get()) define(*hero);
    }
    for (RowValue& value : row_values) {
      if (value.instruction != owned.get()) continue;
      const Indices vars = VarsOf(value.axes);
      value.func = Halide::Func("row_" + std::to_string(&value - row_values.data()));
      value.func(vars) =
          Halide::Tuple(ToStorageExprs({emitter->At(value.instruction, Emitter::ToLogical(vars))}));
      row_value(value);
      emitter->BindStored(value.instruction, value.func);
    }
  }
}

}  // namespace halyard::lowering
