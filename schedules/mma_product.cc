#include "schedules/mma_product.h"

#include <algorithm>
#include <numeric>

#include "lowering/kernels/fragments.h"
#include "schedules/loops.h"

namespace halyard::schedules {

using Halide::Expr;
using Halide::Func;
using Halide::Var;
using hlo::ElementType;
using lowering::Hero;
using lowering::Indices;
using lowering::LoweredKernel;
using lowering::Value;

namespace {

// f16 holds every value of the narrower float types, and bf16 holds those whose exponents f16
// lacks.
ElementType ProductType(const Value& factor) {
  const ElementType type = lowering::NarrowestType(factor);
  if (type == ElementType::kF8E8M0FNU) return ElementType::kBF16;
  return hlo::IsFloat(type) && hlo::BitWidth(type) <= 8 ? ElementType::kF16 : type;
}

// Returns the first load in an expression (of an input, which is a Func until Halide lowers it).
class FirstLoad : public Halide::Internal::IRGraphVisitor {
 public:
  const Halide::Internal::Call* load = nullptr;

 private:
  using IRGraphVisitor::visit;
  void visit(const Halide::Internal::Call* call) override {
    if (load == nullptr && (call->call_type == Halide::Internal::Call::Image ||
                            call->call_type == Halide::Internal::Call::Halide))
      load = call;
    if (load == nullptr) IRGraphVisitor::visit(call);
  }
};

void FindContiguous(const Hero& hero, MmaFactor* factor) {
  Indices axes, r;
  std::vector<Var> axis_vars, r_vars;
  for (size_t a = 0; a < hero.axes.size(); ++a)
    axes.push_back(axis_vars.emplace_back("a" + std::to_string(a)));
  for (size_t i = 0; i < hero.reduce_extents.size(); ++i)
    r.push_back(r_vars.emplace_back("k" + std::to_string(i)));
  const Value value = hero.term(axes, r)[factor->operand];
  const Expr loaded = value.stored.defined() ? value.stored : value.re;
  factor->contiguous_k = !r_vars.empty() && IsContiguous(loaded, r_vars[0]);
  factor->contiguous_rows =
      !factor->axes.empty() && IsContiguous(loaded, axis_vars[factor->axes[0]]);
  factor->copied_k = factor->contiguous_k && IsCopy(loaded, r_vars[0]);
  factor->copied_rows = factor->contiguous_rows && IsCopy(loaded, axis_vars[factor->axes[0]]);
}

}  // namespace

std::vector<Value> FactorsOf(const Hero& hero) {
  return hero.term(lowering::VarsOf(hero.axes), Indices(hero.reduce_extents.size(), Var("k")));
}

bool IsContiguous(const Expr& value, const Var& var) {
  FirstLoad finder;
  value.accept(&finder);
  if (finder.load == nullptr || finder.load->args.empty()) return false;
  const std::vector<Expr>& args = finder.load->args;
  const Expr next = Halide::Internal::substitute(var.name(), Expr(var) + 1, args[0]);
  if (!Halide::Internal::is_const_one(Halide::Internal::simplify(next - args[0]))) return false;
  return std::none_of(args.begin() + 1, args.end(), [&](const Expr& arg) {
    return Halide::Internal::expr_uses_var(arg, var.name());
  });
}

bool IsCopy(const Expr& stored, const Var& var) {
  using Halide::Internal::Call;
  if (const auto* bits = stored.as<Halide::Internal::Reinterpret>())
    return IsCopy(bits->value, var);
  if (const Call* call = stored.as<Call>();
      call != nullptr && (call->call_type == Call::Image || call->call_type == Call::Halide)) {
    return true;
  }
  const lowering::ZeroUnless guarded = lowering::FindZeroUnless(stored);
  return guarded.condition.defined() &&
         !Halide::Internal::expr_uses_var(guarded.condition, var.name()) &&
         IsCopy(guarded.element, var);
}

int64_t LoadedBytes(const Expr& value) {
  FirstLoad finder;
  value.accept(&finder);
  return finder.load == nullptr ? 0 : finder.load->type.bytes();
}

ElementType AlgorithmType(const hlo::Instruction& inst) {
  const std::string algorithm =
      inst.Has(hlo::Attr::kAlgorithm) ? inst.GetString(hlo::Attr::kAlgorithm) : "";
  if (algorithm == "dot_tf32_tf32_f32") return ElementType::kF32;
  if (algorithm == "dot_bf16_bf16_f32") return ElementType::kBF16;
  if (algorithm == "dot_f16_f16_f32") return ElementType::kF16;
  return ElementType::kF64;
}

bool FindMmaProduct(const LoweredKernel& kernel, const Hero& hero, int capability,
                    MmaProduct* product) {
  if (!hero.IsContraction() || hero.types.size() != 1 || hero.reduce_extents.empty()) return false;
  *product = MmaProduct();
  product->lhs.operand = 0;
  product->rhs.operand = 1;
  for (size_t a = 0; a < hero.axes.size(); ++a) {
    const bool left = hero.lhs_axes[a], right = hero.rhs_axes[a];
    const int64_t extent = hero.axes[a].extent;
    if (left && right) {
      product->batch.push_back(static_cast<int>(a));
      product->batch_extents.push_back(extent);
      product->batches *= extent;
    } else {
      MmaFactor& factor = left ? product->lhs : product->rhs;
      factor.axes.push_back(static_cast<int>(a));
      factor.extents.push_back(extent);
      factor.rows *= extent;
    }
  }
  product->k_extents = hero.reduce_extents;
  product->k = Product(hero.reduce_extents);
  if (product->lhs.axes.empty() || product->rhs.axes.empty() || product->k < 1) return false;
  // Places are counted in 32 bits.
  if (product->k > INT32_MAX / 2 || product->lhs.rows > INT32_MAX / 2 ||
      product->rhs.rows > INT32_MAX / 2)
    return false;
  const std::vector<Value> factors = FactorsOf(hero);
  ElementType lhs = ProductType(factors[0]), rhs = ProductType(factors[1]);
  if (lhs == ElementType::kF32 && rhs == ElementType::kF32)
    lhs = rhs = AlgorithmType(*hero.instruction);
  product->mma = lowering::FindMma(lhs, rhs, capability);
  if (product->mma == nullptr) return false;
  const ElementType sum = hero.types[0];
  const bool fits =
      product->mma->accumulator == ElementType::kF32
          ? sum == ElementType::kF32
          : hlo::IsInteger(sum) && hlo::BitWidth(sum) <= 32 && hlo::BitWidth(sum) >= 8;
  if (!fits) return false;
  FindContiguous(hero, &product->lhs);
  FindContiguous(hero, &product->rhs);
  return true;
}

Indices SplitIndex(const Expr& base, const Expr& offset, int64_t unit,
                   const std::vector<int64_t>& extents) {
  Indices index;
  Expr rest = base;
  for (size_t d = 0; d < extents.size(); ++d) {
    const int32_t extent = static_cast<int32_t>(extents[d]);
    Expr place = d + 1 == extents.size() ? rest : rest % extent;
    if (d == 0 && unit > 1) place = place + offset;
    index.push_back(place);
    if (d + 1 < extents.size()) rest = rest / extent;
  }
  return index;
}

FragmentShape ShapeOfFragment(const MmaProduct& product, const MmaFactor& factor, int64_t rows,
                              int64_t words) {
  FragmentShape shape;
  shape.rows = rows;
  shape.words = words;
  const int64_t elements = product.mma->elements;
  shape.element_unit = std::gcd(words * elements, product.k_extents[0]);
  if (factor.contiguous_k || !factor.contiguous_rows) {
    shape.along_k = true;
    if (factor.contiguous_k) shape.vector = std::max<int64_t>(1, shape.element_unit / elements);
  } else {
    shape.along_k = false;
    // Reads words whose elements come from several rows of memory, in vectors at least as long as a
    // word.
    shape.vector = std::gcd(rows, factor.extents[0]);
    if (shape.vector % elements != 0) shape.vector = 1;
  }
  return shape;
}

Indices FragmentIndex(const FragmentShape& shape, const Expr& row, const Expr& word) {
  const int32_t vector = static_cast<int32_t>(shape.vector);
  const Expr along = shape.along_k ? word : row, across = shape.along_k ? row : word;
  if (vector == 1) return {Expr(0), along, across};
  return {along % vector, along / vector, across};
}

Func DefineFragment(LoweredKernel& kernel, const Hero& hero, const MmaProduct& product,
                    const MmaFactor& factor, const FragmentShape& shape, const FragmentPlace& place,
                    const Expr& first_row, const Expr& batch, bool on_device, const char* name) {
  const lowering::MmaIntrinsic& mma = *product.mma;
  const ElementType type = factor.operand == 0 ? mma.lhs : mma.rhs;
  const Var v("v"), o("o"), i("i");
  const int32_t vector = static_cast<int32_t>(shape.vector);
  const Expr along = o * vector;
  // Rows past the last one read that one again, and their results are not stored.
  const int64_t row_unit = shape.along_k ? 1 : shape.vector;
  Expr row = first_row + (shape.along_k ? Expr(i) : along);
  row = Halide::min(row, static_cast<int32_t>(factor.rows - row_unit));
  const Indices row_index =
      SplitIndex(row, shape.along_k ? Expr(0) : Expr(v), row_unit, factor.extents);
  Indices axes(hero.axes.size(), Expr(0));
  for (size_t a = 0; a < factor.axes.size(); ++a) axes[factor.axes[a]] = row_index[a];
  const Indices batch_index = SplitIndex(batch, 0, 1, product.batch_extents);
  for (size_t a = 0; a < product.batch.size(); ++a) axes[product.batch[a]] = batch_index[a];

  // Elements of k past the last are zeros, in both factors.
  const int64_t per_lane = shape.words * mma.elements, unit = shape.element_unit;
  const Expr lane_k = (place.step * 4 + place.q) * static_cast<int32_t>(per_lane);
  const bool ragged = product.k % (4 * per_lane) != 0;
  std::vector<Expr> elements;
  Expr inside;  // of all elements of the word
  for (int64_t p = 0; p < mma.elements; ++p) {
    // Element `offset + p` of a piece of `unit`, the piece's first at `piece`.
    Expr piece, offset;
    const Expr word = shape.along_k ? along : Expr(i);
    if (unit >= mma.elements) {
      const int32_t words_of_unit = static_cast<int32_t>(unit / mma.elements);
      const Expr first = word / words_of_unit;
      piece = lane_k + first * static_cast<int32_t>(unit);
      offset = (word - first * words_of_unit + (shape.along_k ? Expr(v) : Expr(0))) * mma.elements +
               static_cast<int32_t>(p);
    } else {
      const Expr element = word * mma.elements + static_cast<int32_t>(p);
      piece = lane_k + (element / static_cast<int32_t>(unit)) * static_cast<int32_t>(unit);
      offset = element % static_cast<int32_t>(unit);
    }
    const Expr here = piece < static_cast<int32_t>(product.k);
    if (ragged) piece = Halide::min(piece, static_cast<int32_t>(product.k - unit));
    const Value value =
        hero.term(axes, SplitIndex(piece, offset, unit, product.k_extents))[factor.operand];
    Expr bits =
        mma.elements > 1 ? lowering::BitsAs(value, type) : lowering::Tf32Word(value.re, on_device);
    if (ragged && unit < mma.elements)
      bits = Halide::select(here, bits, Halide::Internal::make_zero(bits.type()));
    if (ragged && unit >= mma.elements) inside = here;
    elements.push_back(bits);
  }
  Expr packed = lowering::PackWord(elements);
  if (inside.defined())
    packed = Halide::select(inside, packed, Halide::Internal::make_zero(packed.type()));
  Func fragment(name);
  fragment(v, o, i, place.q, place.g, place.warp, place.block, place.step) = packed;
  fragment.bound(v, 0, vector)
      .bound(o, 0, static_cast<int32_t>((shape.along_k ? shape.words : shape.rows) / vector))
      .bound(i, 0, static_cast<int32_t>(shape.along_k ? shape.rows : shape.words));
  kernel.packs_words = true;
  return fragment;
}

void DefineOutputAt(lowering::LoweredKernel& kernel, const Indices& index) {
  std::vector<Expr> elements = kernel.OutputsAt(index), undefined;
  for (Expr& e : elements) {
    e = Halide::Internal::common_subexpression_elimination(e);
    undefined.push_back(Halide::undef(e.type()));
  }
  kernel.output = Func("out");
  kernel.output(lowering::VarsOf(kernel.axes)) = Halide::Tuple(undefined);
  kernel.output(index) = Halide::Tuple(elements);
  kernel.SetOutputBounds();
}

}  // namespace halyard::schedules
