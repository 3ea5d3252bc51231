// contraction: matrix products and convolutions. This file has what x86 and GPUs share. The loops
// are in x86.cc and gpu.cc.

#include "schedules/contraction/template.h"

#include <algorithm>
#include <cmath>

#include "lowering/kernels/contraction/sums_fit.h"
#include "runtime/device_class.h"
#include "schedules/loops.h"
#include "schedules/pieces.h"
#include "schedules/reduction/template.h"

namespace halyard::schedules {

using Halide::Expr;
using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;
using lowering::Axis;
using lowering::Hero;
using lowering::Indices;
using lowering::LoweredKernel;
using lowering::Value;

bool FindRoles(const Hero& hero, Roles* roles) {
  if (hero.axes.empty() || hero.lhs_axes.empty() || hero.lhs_axes[0] == hero.rhs_axes[0])
    return false;
  roles->vector_is_rhs = hero.rhs_axes[0];
  const std::vector<bool>& vector_axes = roles->vector_is_rhs ? hero.rhs_axes : hero.lhs_axes;
  const std::vector<bool>& broadcast_axes = roles->vector_is_rhs ? hero.lhs_axes : hero.rhs_axes;
  for (size_t a = 1; a < hero.axes.size() && roles->m < 0; ++a) {
    if (hero.axes[a].extent > 1 && broadcast_axes[a] && !vector_axes[a])
      roles->m = static_cast<int>(a);
  }
  return true;
}

int64_t ExtentM(const Hero& hero) {
  Roles roles;
  FindRoles(hero, &roles);
  return roles.m < 0 ? 1 : hero.axes[roles.m].extent;
}

int VectorAxes(const Hero& hero) {
  Roles roles;
  if (!FindRoles(hero, &roles)) return 0;
  const std::vector<bool>& vector_axes = roles.vector_is_rhs ? hero.rhs_axes : hero.lhs_axes;
  const std::vector<bool>& broadcast_axes = roles.vector_is_rhs ? hero.lhs_axes : hero.rhs_axes;
  int count = 0;
  while (count < static_cast<int>(hero.axes.size()) && vector_axes[count] && !broadcast_axes[count])
    ++count;
  return count;
}

Hero MergeAxes(const Hero& hero, int count, const Var& merged) {
  std::vector<int32_t> extents;
  int64_t total = 1;
  for (int a = 0; a < count; ++a) {
    extents.push_back(static_cast<int32_t>(hero.axes[a].extent));
    total *= hero.axes[a].extent;
  }
  auto apart = [extents, total](const Indices& axes) {
    Expr rest = Halide::clamp(axes[0], 0, static_cast<int32_t>(total - 1));
    Indices all;
    for (size_t a = 0; a < extents.size(); ++a) {
      const bool last = a + 1 == extents.size();
      all.push_back(last ? rest : rest % extents[a]);
      rest = rest / extents[a];
    }
    all.insert(all.end(), axes.begin() + 1, axes.end());
    return all;
  };
  Hero result = hero;
  auto drop = [count](auto& of_axes) {
    of_axes.erase(of_axes.begin() + 1, of_axes.begin() + count);
  };
  drop(result.axes);
  drop(result.lhs_axes);
  drop(result.rhs_axes);
  drop(result.lhs_strides);
  drop(result.rhs_strides);
  result.axes[0] = {merged, total};
  result.term = [term = hero.term, apart](const Indices& axes, const Indices& r) {
    return term(apart(axes), r);
  };
  if (!hero.padded_extents.empty()) {
    result.padded_read = [read = hero.padded_read, apart](const Indices& axes, const Indices& r) {
      return read(apart(axes), r);
    };
  }
  return result;
}

Expr MergedIndex(const Hero& hero, int count, const Indices& index) {
  Expr merged = index[0];
  int64_t stride = 1;
  for (int a = 1; a < count; ++a) {
    stride *= hero.axes[a - 1].extent;
    merged = merged + index[a] * static_cast<int32_t>(stride);
  }
  return merged;
}

bool AcceptsContraction(const LoweredKernel& kernel) {
  if (!kernel.direct_epilogue || kernel.in_place) return false;
  const Hero& hero = *kernel.heroes[0];
  if (!hero.IsContraction()) return false;
  if (LimitsSteps(kernel) && Product(hero.reduce_extents) > kMaxLaunchSteps) return false;
  Roles roles;
  return hero.types.size() == 1 && !hlo::IsComplex(hero.types[0]) && FindRoles(hero, &roles) &&
         hero.axes[0].extent > 1 && Product(hero.axes) > 0 && Product(hero.reduce_extents) > 0;
}

namespace {

// Returns the largest |value| of an integer, as far as its type and constants tell.
double Magnitude(const hlo::Instruction& inst, int depth = 8) {
  const hlo::ElementType type = inst.shape.element_type();
  const double of_type = std::ldexp(1.0, hlo::BitWidth(type) - (hlo::IsSigned(type) ? 1 : 0));
  if (depth == 0) return of_type;
  auto operand = [&](int64_t i) { return Magnitude(*inst.operand(i), depth - 1); };
  switch (inst.opcode) {
    case hlo::Opcode::kConstant: {
      double largest = 0;
      for (int64_t i = 0; i < inst.shape.NumElements(); ++i) {
        largest = std::max(largest, std::abs(inst.literal.GetAsDouble(i)));
      }
      return largest;
    }
    case hlo::Opcode::kConvert:
      return hlo::IsInteger(inst.operand(0)->shape.element_type()) ? std::min(of_type, operand(0))
                                                                   : of_type;
    case hlo::Opcode::kBroadcast:
    case hlo::Opcode::kReshape:
    case hlo::Opcode::kTranspose:
      return operand(0);
    case hlo::Opcode::kSubtract:
    case hlo::Opcode::kAdd:
      return std::min(of_type, operand(0) + operand(1));
    default:
      return of_type;
  }
}

}  // namespace

bool TakesPairs(const LoweredKernel& kernel) {
  const Hero& hero = *kernel.heroes[0];
  Roles roles;
  if (runtime::IsGpu(kernel.device) || hero.types[0] != hlo::ElementType::kS32 ||
      !FindRoles(hero, &roles) || roles.m < 0 || hero.reduce_extents.empty() ||
      hero.reduce_extents[0] % 2 != 0) {
    return false;
  }
  const bool promised =
      hero.instruction->GetString(hlo::Attr::kFrontendAttributes) == lowering::kSumsFit;
  double largest = promised ? 0 : static_cast<double>(Product(hero.reduce_extents));
  for (int64_t i : {0, 1}) {
    const hlo::Instruction& factor = *hero.instruction->operand(i);
    const hlo::ElementType type = factor.shape.element_type();
    const int bits = hlo::BitWidth(type) + (hlo::IsUnsigned(type) ? 1 : 0);
    if (!hlo::IsInteger(type) || bits > 16) return false;
    largest *= Magnitude(factor);
  }
  return largest < 0x1p31;
}

FactorAxes FactorAxesOf(const Hero& hero, int side, const char* prefix) {
  const std::vector<bool>& depends = side == 1 ? hero.rhs_axes : hero.lhs_axes;
  FactorAxes factor;
  for (size_t a = 0; a < hero.axes.size(); ++a) {
    const Var v(prefix + std::to_string(a));
    factor.at.push_back(depends[a] ? Expr(v) : Expr(0));
    if (!depends[a]) continue;
    factor.axes.push_back({v, hero.axes[a].extent});
    factor.vars.push_back(v);
    factor.args.push_back(hero.axes[a].var);
  }
  return factor;
}

int64_t UsesOf(const Hero& hero, int side) {
  const std::vector<bool>& depends = side == 1 ? hero.rhs_axes : hero.lhs_axes;
  int64_t uses = 1;
  for (size_t a = 0; a < hero.axes.size(); ++a) uses *= depends[a] ? 1 : hero.axes[a].extent;
  return uses;
}

bool BroadcastsImage(const Hero& hero, const Roles& roles) {
  return hero.kind == Hero::Kind::kConvolution && roles.vector_is_rhs;
}

namespace {

// Values of up to 16 bits are held in 16.
Value Widened(const Value& value) { return lowering::ConvertTo(value, hlo::ElementType::kS16); }

// The domain of pairs: which of a pair, the pairs of the first dimension, the other dimensions.
void DefinePairs(const Hero& hero, ContractionFuncs* product, Indices* r) {
  std::vector<Halide::Range> ranges = {{0, 2}};
  for (size_t i = 0; i < hero.reduce_extents.size(); ++i) {
    ranges.emplace_back(0, static_cast<int32_t>(hero.reduce_extents[i] / (i == 0 ? 2 : 1)));
  }
  Halide::RDom domain(ranges, "r");
  for (int i = 0; i < static_cast<int>(ranges.size()); ++i) product->r.push_back(domain[i]);
  r->push_back(Expr(domain[1]) * 2 + Expr(domain[0]));
  for (int i = 2; i < static_cast<int>(ranges.size()); ++i) r->push_back(domain[i]);
}

// Widens the broadcast factor once, if it is no image; otherwise each tile would do it again.
void DefineWide(Hero& hero, const Roles& roles, const Indices& r, bool pairs,
                ContractionFuncs* product, std::vector<Value>* factors) {
  const int side = roles.vector_is_rhs ? 0 : 1;
  const FactorAxes factor = FactorAxesOf(hero, side, "wk");
  product->wide = Func("wide");
  Indices vars, args = r;
  for (size_t i = 0; i < r.size(); ++i) vars.push_back(Var("w" + std::to_string(i)));
  const Indices term_r = vars;
  product->wide_extents = hero.reduce_extents;
  for (const Axis& axis : factor.axes) product->wide_extents.push_back(axis.extent);
  vars.insert(vars.end(), factor.vars.begin(), factor.vars.end());
  args.insert(args.end(), factor.args.begin(), factor.args.end());
  const Value value = hero.term(factor.at, term_r)[side];
  const Value wide = pairs ? Widened(value) : value;
  product->wide(vars) = StoreFactor(wide, true);
  (*factors)[side] = LoadFactor(wide.type, product->wide(args), true);
}

// The sum, in the hero's own arithmetic.
void DefineSum(LoweredKernel& kernel, Hero& hero, const FoldDomain& domain,
               const std::vector<Value>& factors, ContractionFuncs* product) {
  const PiecedFold sum = DefineOverDomain(
      kernel, hero, domain, "acc",
      [&](const std::vector<Value>& before) { return hero.combine(before, factors); });
  product->accumulator = sum.total;
  product->piece = sum.piece;
  product->pieces = domain.pieces;
}

}  // namespace

Expr StoreFactor(const Value& factor, bool widens) {
  if (widens || factor.type == hlo::ElementType::kF8E8M0FNU) return factor.re;
  return lowering::ToStorage(factor);
}

Value LoadFactor(hlo::ElementType type, const Expr& stored, bool widens) {
  if (widens || type == hlo::ElementType::kF8E8M0FNU) return {type, stored, {}};
  return lowering::FromStorage(type, stored);
}

std::vector<int64_t> PaddedExtents(const Hero& hero) {
  if (!hero.padded_extents.empty()) return hero.padded_extents;
  const auto dims = hero.instruction->operand(0)->shape.dims();
  return {dims.rbegin(), dims.rend()};
}

PaddedPosition PositionInPadded(const Hero& hero) {
  PaddedPosition position;
  for (int64_t i = 0; i < hero.instruction->operand(0)->shape.rank(); ++i) {
    position.vars.emplace_back("p" + std::to_string(i));
    // Vectors over a row of the image need no test inside it (ScheduleCopy of x86.cc).
    position.inner.push_back(i == 1 ? Halide::likely_if_innermost(position.vars[i])
                                    : Expr(position.vars[i]));
  }
  return position;
}

ContractionFuncs DefineContraction(LoweredKernel& kernel, Hero& hero, const Roles& roles,
                                   const FactorForms& forms) {
  const auto [pack, pairs, widen_packed, widen_image, widen_broadcast, pieces] = forms;
  ContractionFuncs product;
  product.pairs = pairs;
  Indices axes;
  for (const Axis& axis : hero.axes) axes.push_back(axis.var);
  Indices r;
  FoldDomain domain;
  if (pairs) {
    DefinePairs(hero, &product, &r);
  } else {
    domain = DomainOf(kernel, hero, pieces);
    product.r = domain.terms;
    r = domain.at;
  }
  std::vector<Value> factors = hero.term(axes, r);
  if (!hero.padded_extents.empty() || widen_image) {
    product.padded = Func("padded");
    product.padded_extents = PaddedExtents(hero);
    const PaddedPosition position = PositionInPadded(hero);
    Value value = hero.padded_value(position.inner);
    if (pairs) value = Widened(value);
    product.padded(position.vars) = StoreFactor(value, widen_image);
    factors[0] = LoadFactor(value.type, product.padded(hero.padded_read(axes, r)), widen_image);
  }
  if ((pairs && hero.kind == Hero::Kind::kContraction) || widen_broadcast) {
    DefineWide(hero, roles, r, pairs, &product, &factors);
  }
  if (pack || pairs) {
    // packed(n, k…, batch…) holds the vector factor with n fastest.
    const int side = roles.vector_is_rhs ? 1 : 0;
    const FactorAxes factor = FactorAxesOf(hero, side, "pk");
    product.packed = Func("packed");
    product.packed_axes = factor.axes;
    Indices vars = factor.vars, args = factor.args, term_r;
    for (size_t i = 0; i < r.size(); ++i) {
      Var k("k" + std::to_string(i));
      term_r.push_back(k);
    }
    vars.insert(vars.begin() + 1, term_r.begin(), term_r.end());
    if (pairs) {
      Var which("which");
      vars.insert(vars.begin(), which);
      args.insert(args.begin() + 1, product.r.begin() + 1, product.r.end());
      args.insert(args.begin(), product.r[0]);
      term_r[0] = term_r[0] * 2 + which;
    } else {
      args.insert(args.begin() + 1, r.begin(), r.end());
    }
    Value value = hero.term(factor.at, term_r)[side];
    if (pairs) value = Widened(value);
    product.packed(vars) = StoreFactor(value, widen_packed);
    factors[side] = LoadFactor(value.type, product.packed(args), widen_packed);
  }
  if (pairs) {
    const Halide::Type sum = Halide::Int(32);
    product.accumulator = Func("acc");
    product.accumulator(axes) = Halide::Tuple(kernel.ToStorageExprs(hero.init()));
    product.accumulator(axes) +=
        Halide::cast(sum, Widened(factors[0]).re) * Halide::cast(sum, Widened(factors[1]).re);
  } else {
    DefineSum(kernel, hero, domain, factors, &product);
  }
  hero.result = product.accumulator;
  hero.read = [acc = product.accumulator](const Indices& index) {
    return std::vector<Expr>{Expr(acc(index))};
  };
  return product;
}

void ReadParts(LoweredKernel& kernel, Hero& hero, const Func& target, int64_t parts) {
  hero.read = [&kernel, &hero, parts, target](const Indices& index) {
    std::vector<Value> sum;
    for (int32_t p = 0; p < parts; ++p) {
      Indices at = index;
      at.push_back(p);
      const std::vector<Value> part = kernel.FromStorageExprs(hero.types, {Expr(target(at))});
      sum = p == 0 ? part : hero.merge(sum, part);
    }
    return kernel.ToStorageExprs(sum);
  };
  kernel.BuildOutput();
}

Func DefineParts(LoweredKernel& kernel, Hero& hero, const Func& accumulator, int64_t parts) {
  Func target("parts");
  const std::vector<Var> vars = accumulator.args();
  target(vars) = accumulator(vars);
  ReadParts(kernel, hero, target, parts);
  return target;
}

void ScheduleAccumulator(ContractionFuncs& product, const Hero& hero, const Roles& roles,
                         int64_t lanes) {
  const Var n = hero.axes[0].var;
  auto schedule = [&](Func& sum, const std::vector<RVar>& r) {
    std::vector<VarOrRVar> order = {n};
    if (product.pairs) order.insert(order.begin(), VarOrRVar(r[0]));
    if (roles.m >= 0) order.push_back(hero.axes[roles.m].var);
    order.insert(order.end(), r.begin() + (product.pairs ? 1 : 0), r.end());
    Halide::Stage update = sum.update();
    update.reorder(order);
    if (product.pairs) update.atomic().vectorize(r[0]);
    if (lanes > 1) {
      sum.vectorize(n, static_cast<int>(lanes), TailStrategy::RoundUp);
      update.vectorize(n, static_cast<int>(lanes), TailStrategy::RoundUp);
    }
    sum.unroll(n);
    update.unroll(n);
    if (roles.m < 0) return;
    sum.unroll(hero.axes[roles.m].var);
    update.unroll(hero.axes[roles.m].var);
  };
  if (!product.piece.defined()) return schedule(product.accumulator, product.r);
  schedule(product.accumulator, product.pieces);
  product.piece.compute_at(product.accumulator, product.pieces[0]);
  schedule(product.piece, product.r);
}

static bool PrefersOnCpu(const LoweredKernel& kernel) { return !PrefersDotAsRows(kernel); }

const Template kContractionOnX86 = {.id = kContraction,
                                    .forms = SetOfForms<lowering::SingleFold>(),
                                    .device = DeviceClass::kX86,
                                    .accepts = AcceptsContraction,
                                    .defaults = CpuContractionDefaults,
                                    .space = CpuContractionSpace,
                                    .apply = ApplyContractionOnCpu,
                                    .prefers = PrefersOnCpu};
const Template kContractionOnGpu = {.id = kContraction,
                                    .forms = SetOfForms<lowering::SingleFold>(),
                                    .device = DeviceClass::kGpu,
                                    .accepts = AcceptsContraction,
                                    .defaults = GpuContractionDefaults,
                                    .space = GpuContractionSpace,
                                    .apply = ApplyContractionOnGpu,
                                    .caps_registers = true};

}  // namespace halyard::schedules
