#include "frontend/stablehlo/convert/linear_algebra_calls.h"

#include <algorithm>
#include <cmath>

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::ElementType;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;

namespace {

Term Indices(Term like, int64_t dim) { return like.graph->Iota(kIndex, like.shape().dims(), dim); }

Term Zeros(Term like) { return Like(like, 0); }

// Elements at `at` (s64 scalar) of dimension `dim`, which is dropped.
Term At(Term a, int64_t dim, Term at) {
  Ints sizes = a.shape().dims();
  sizes[dim] = 1;
  AttrMap attrs;
  attrs.Set(Attr::kDynamicSliceSizes, sizes);
  std::vector<Term> operands(a.rank() + 1, a.graph->Splat(at.type(), {}, 0));
  operands[0] = a;
  operands[dim + 1] = at;
  Term slice = a.graph->Add(Opcode::kDynamicSlice, std::move(operands), std::move(attrs));
  sizes.erase(sizes.begin() + dim);
  return Reshape(slice, sizes);
}

// A scalar, everywhere in an array like `like`.
Term Everywhere(Term scalar, Term like) { return Broadcast(scalar, like.shape().dims(), {}); }

// [batch] to [batch, n]
Term PerBatch(Term vector, Term like) { return Broadcast(vector, like.shape().dims(), {0}); }

Term SumOver(Term a, int64_t dim) { return Reduce(a, {dim}, Opcode::kAdd, 0); }

Term SquaredModulus(Term a) {
  if (!hlo::IsComplex(a.type())) return a * a;
  Term re = Real(a), im = Imag(a);
  return re * re + im * im;
}

// What LAPACK compares to find a pivot.
Term Size(Term a) { return hlo::IsComplex(a.type()) ? Abs(Real(a)) + Abs(Imag(a)) : Abs(a); }

Term AsComplexIf(Term real, ElementType type) {
  return hlo::IsComplex(type) ? Complex(real, Zeros(real)) : real;
}

}  // namespace

std::vector<Term> CountedLoop(Graph& graph, int64_t count, const std::vector<Term>& state,
                              const LoopBody& body, int64_t while_true) {
  // A body would read elements of arrays without any.
  if (count == 0) return state;
  std::vector<Term> all = {graph.Splat(ElementType::kS64, {}, 0)};
  all.insert(all.end(), state.begin(), state.end());
  std::vector<Shape> shapes;
  for (const Term& part : all) shapes.push_back(part.shape());
  const Shape shape = Shape::Tuple(std::move(shapes));
  hlo::Module* module = graph.computation()->module();

  hlo::Computation* condition = module->AddComputation("loop_condition");
  Graph conditions(condition);
  Term tested = conditions.Of(condition->AddParameter(0, shape));
  Term more = conditions.Element(tested, 0) < conditions.SplatInt(ElementType::kS64, {}, count);
  if (while_true >= 0) more = more & conditions.Element(tested, while_true + 1);
  condition->set_root(more.inst);

  hlo::Computation* steps = module->AddComputation("loop_body");
  Graph inner(steps);
  Term parameter = inner.Of(steps->AddParameter(0, shape));
  std::vector<Term> parts;
  for (size_t i = 0; i < all.size(); ++i) {
    parts.push_back(inner.Element(parameter, static_cast<int64_t>(i)));
  }
  Term step = parts[0];
  parts.erase(parts.begin());
  std::vector<Term> next = body(inner, step, std::move(parts));
  next.insert(next.begin(), step + inner.SplatInt(ElementType::kS64, {}, 1));
  steps->set_root(inner.Tuple(next).inst);

  graph.Absorb(inner.status());
  std::vector<Term> last = graph.While(condition, steps, all);
  last.erase(last.begin());
  return last;
}

Term Along(Term vector, const Ints& dims, int64_t dim) { return Broadcast(vector, dims, {0, dim}); }

Term ConjugateTranspose(Term a) { return Transpose(Conjugate(a), {0, 2, 1}); }

LuFactors Lu(Term a) {
  Graph& graph = *a.graph;
  const int64_t batch = a.dim(0), m = a.dim(1), n = a.dim(2), count = std::min(m, n);
  auto step = [&](Graph& g, Term k, std::vector<Term> state) {
    Term matrix = state[0], pivots = state[1], permutation = state[2], info = state[3];
    const Ints dims = matrix.shape().dims();
    Term column = At(matrix, 2, k), row_k = At(matrix, 1, k);
    Term rows = Indices(column, 1);
    Term at = ConvertTo(k, kIndex), here = Everywhere(at, rows);
    Term is_k = rows == here, below = rows > here;
    // The largest element on or below the diagonal; the first one of equals.
    Term size = Select(rows >= here, Size(column), -1);
    Term largest = Reduce(size, {1}, Opcode::kMaximum, -1);
    Term candidates = Select(size == PerBatch(largest, size), rows, static_cast<double>(m));
    Term found = Reduce(candidates, {1}, Opcode::kMinimum, static_cast<double>(m));
    found = Select(found == static_cast<double>(m), Everywhere(at, found), found);  // NaN
    Term is_p = rows == PerBatch(found, rows);
    auto swap = [&](Term v, Term v_k) {
      Term v_p = SumOver(Select(is_p, v, 0), 1);
      return Select(is_k, PerBatch(v_p, v), Select(is_p, PerBatch(v_k, v), v));
    };
    Term swapped_column = swap(column, At(column, 1, k));
    Term row_p = SumOver(Select(Along(is_p, dims, 1), matrix, 0), 1);
    Term swapped = Select(Along(is_k, dims, 1), Along(row_p, dims, 2),
                          Select(Along(is_p, dims, 1), Along(row_k, dims, 2), matrix));
    Term pivot = At(row_p, 1, k);
    Term divisor = Select(pivot == 0, 1, pivot);
    Term factors = swapped_column / PerBatch(divisor, column);
    Term columns = Indices(matrix, 2);
    Term all_at = Everywhere(at, columns);
    Term rest = swapped - Along(factors, dims, 1) * Along(row_p, dims, 2);
    Term next = Select(columns > all_at, rest, Along(factors, dims, 1));
    next = Select(Along(below, dims, 1) & (columns >= all_at), next, swapped);
    Term positions = Indices(pivots, 1);
    pivots = Select(positions == Everywhere(at, positions), PerBatch(found, pivots), pivots);
    permutation = swap(permutation, At(permutation, 1, k));
    Term singular = (pivot == 0) & (info == 0);
    info = Select(singular, Everywhere(at, info) + 1, info);
    (void)g;
    return std::vector<Term>{next, pivots, permutation, info};
  };
  std::vector<Term> state = {a, graph.Splat(kIndex, {batch, count}, 0),
                             graph.Iota(kIndex, {batch, m}, 1), graph.Splat(kIndex, {batch}, 0)};
  state = CountedLoop(graph, count, state, step);
  return {state[0], state[1], state[2], state[3]};
}

Term PivotsToPermutation(Term pivots, int64_t rows) {
  Graph& graph = *pivots.graph;
  auto step = [](Graph&, Term k, std::vector<Term> state) {
    Term order = state[0];
    Term positions = Indices(order, 1);
    Term is_k = positions == Everywhere(ConvertTo(k, kIndex), positions);
    Term is_p = positions == PerBatch(At(state[1], 1, k), positions);
    Term of_p = SumOver(Select(is_p, order, 0), 1);
    Term next =
        Select(is_k, PerBatch(of_p, order), Select(is_p, PerBatch(At(order, 1, k), order), order));
    return std::vector<Term>{next, state[1]};
  };
  return CountedLoop(graph, pivots.dim(1), {graph.Iota(kIndex, {pivots.dim(0), rows}, 1), pivots},
                     step)[0];
}

QrFactors Qr(Term a) {
  Graph& graph = *a.graph;
  const int64_t batch = a.dim(0), count = std::min(a.dim(1), a.dim(2));
  const ElementType type = a.type();
  auto step = [&](Graph&, Term k, std::vector<Term> state) {
    Term matrix = state[0], taus = state[1];
    const Ints dims = matrix.shape().dims();
    Term column = At(matrix, 2, k);
    Term rows = Indices(column, 1);
    Term here = Everywhere(ConvertTo(k, kIndex), rows);
    Term below = rows > here;
    Term alpha = At(column, 1, k);
    // The norm, scaled so that no square over- or underflows.
    Term sizes = Select(rows >= here, Size(column), 0);
    Term scale = Reduce(sizes, {1}, Opcode::kMaximum, 0);
    scale = Select(scale == 0, 1, scale);
    Term scaled = column / AsComplexIf(PerBatch(scale, sizes), type);
    Term squares = SquaredModulus(scaled);
    Term tail = SumOver(Select(below, squares, 0), 1);
    Term norm = scale * Sqrt(SumOver(Select(rows >= here, squares, 0), 1));
    Term real = hlo::IsComplex(type) ? Real(alpha) : alpha;
    Term beta = Select(real >= 0, -norm, norm);
    // Nothing to reflect: tau is 0.
    Term none = tail == 0;
    if (hlo::IsComplex(type)) none = none & (Imag(alpha) == 0);
    beta = Select(none, real, beta);
    Term nonzero = Select(none, 1, beta);
    Term tau = (beta - real) / nonzero;
    if (hlo::IsComplex(type)) {
      tau = Complex(tau, Select(none, 0, -Imag(alpha) / nonzero));
    }
    Term divisor = Select(none, 1, alpha - AsComplexIf(beta, type));
    Term v = Select(below, column / PerBatch(divisor, column), 0);
    Term reflector = Select(rows == here, 1, v);
    // A - conj(tau) v (v^H A) for the columns that follow.
    Term products = SumOver(Along(Conjugate(reflector), dims, 1) * matrix, 1);
    products = products * PerBatch(Conjugate(tau), products);
    Term columns = Indices(matrix, 2);
    Term all_here = Everywhere(ConvertTo(k, kIndex), columns);
    Term rest = matrix - Along(reflector, dims, 1) * Along(products, dims, 2);
    Term own =
        Select(below, v, Select(rows == here, PerBatch(AsComplexIf(beta, type), column), column));
    Term next = Select(columns == all_here, Along(own, dims, 1), matrix);
    next = Select((columns > all_here) & Along(rows >= here, dims, 1), rest, next);
    Term positions = Indices(taus, 1);
    Term mine = positions == Everywhere(ConvertTo(k, kIndex), positions);
    return std::vector<Term>{next, Select(mine, PerBatch(tau, taus), taus)};
  };
  std::vector<Term> state =
      CountedLoop(graph, count, {a, graph.Splat(type, {batch, count}, 0)}, step);
  return {state[0], state[1]};
}

Term HouseholderProduct(Term packed, Term taus) {
  Graph& graph = *packed.graph;
  const int64_t count = taus.dim(1);
  Term identity = Indices(packed, 1) == Indices(packed, 2);
  Term start = Select(identity, Like(packed, 1), 0);
  auto step = [&](Graph& g, Term k, std::vector<Term> state) {
    Term product = state[0], vectors = state[1];
    const Ints dims = product.shape().dims();
    Term i = g.SplatInt(ElementType::kS64, {}, count - 1) - k;
    Term column = At(vectors, 2, i);
    Term rows = Indices(column, 1);
    Term here = Everywhere(ConvertTo(i, kIndex), rows);
    Term v = Select(rows > here, column, Select(rows == here, Like(column, 1), 0));
    Term products = SumOver(Along(Conjugate(v), dims, 1) * product, 1);
    products = products * PerBatch(At(state[2], 1, i), products);
    product = product - Along(v, dims, 1) * Along(products, dims, 2);
    return std::vector<Term>{product, vectors, state[2]};
  };
  return CountedLoop(graph, count, {start, packed, taus}, step)[0];
}

}  // namespace halyard::stablehlo
