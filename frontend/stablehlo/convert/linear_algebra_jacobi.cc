// Jacobi's methods. Every round rotates disjoint pairs of columns; n - 1 rounds (n even) pair each
// two columns once, as in a tournament: in round r column i meets (r - i) mod (n - 1), and the one
// for which that is itself meets column n - 1.
#include <algorithm>
#include <cfloat>
#include <cmath>

#include "frontend/hlo/ir/sugar.h"
#include "frontend/stablehlo/convert/linear_algebra_calls.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::ElementType;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;

namespace {

constexpr int64_t kMaxSweeps = 24;  // of quadratic convergence: a few suffice

int64_t Rounds(int64_t n) { return std::max<int64_t>(1, n + n % 2 - 1); }

// s32[n]: whom each column meets; itself when n is odd and nobody is left.
Term Partners(Graph& graph, Term step, int64_t n) {
  const int64_t players = n + n % 2, rounds = Rounds(n);
  Term self = graph.Iota(kIndex, {n}, 0);
  Term modulus = Like(self, static_cast<double>(rounds));
  Term round = graph.Add(Opcode::kRemainder, {step, graph.SplatInt(ElementType::kS64, {}, rounds)});
  Term r = Broadcast(ConvertTo(round, kIndex), {n}, {});
  // Not negative before the remainder is taken.
  Term other = graph.Add(Opcode::kRemainder, {r + modulus - self, modulus});
  Term last = Like(self, static_cast<double>(players - 1));
  Term met = Select(other == self, last, other);
  // Column players - 1 meets i where 2i = r: r / 2 mod rounds, rounds being odd.
  Term half = graph.Add(Opcode::kRemainder, {r * static_cast<double>(players / 2), modulus});
  met = Select(self == last, half, met);
  return Select(met >= static_cast<double>(n), self, met);
}

Term Gathered(Term a, Term index, int64_t dim) {
  absl::StatusOr<hlo::Instruction*> gathered =
      hlo::AddTorchIndexSelect(a.graph->computation(), a.inst, index.inst, dim, 0);
  a.graph->Absorb(gathered.status());
  return gathered.ok() ? a.graph->Of(*gathered) : a;
}

Term Diagonal(Term a) {
  Term mine =
      a.graph->Iota(kIndex, a.shape().dims(), 1) == a.graph->Iota(kIndex, a.shape().dims(), 2);
  return Reduce(Select(mine, a, 0), {1}, Opcode::kAdd, 0);
}

Term RealPart(Term a) { return hlo::IsComplex(a.type()) ? Real(a) : a; }

Term AsType(Term real, ElementType type) {
  return hlo::IsComplex(type) ? Complex(real, Like(real, 0)) : real;
}

// What multiplies a column and its partner's to make the column anew.
struct Rotation {
  Term own, other;
};

// The rotation that makes [[a_pp, a_pq], [conj a_pq, a_qq]] diagonal, for every column i:
// own[batch, n] = a_ii (real), partner = a_jj, cross = a_ij, where j is i's partner.
Rotation Rotate(Term own, Term partner, Term cross, Term partners) {
  Graph& graph = *own.graph;
  const ElementType type = cross.type();
  const Ints& dims = own.shape().dims();
  Term self = graph.Iota(kIndex, {dims[1]}, 0);
  Term first = Broadcast(self < partners, dims, {1}),
       alone = Broadcast(self == partners, dims, {1});
  // a_pq in both, the very same number. Otherwise, this would not be a rotation.
  cross = Select(first, cross, Gathered(cross, partners, 1));
  Term size = Abs(cross);
  // Matrices are scaled to a largest element of 1. Smaller ones have no direction.
  Term idle = alone | (size < (own.is_double() ? 0x1p-900 : 0x1p-100));
  Term difference = Select(first, partner - own, own - partner);  // a_qq - a_pp
  Term tau = difference / (Select(idle, 1, size) * 2);
  Term sign = Select(tau < 0, Like(tau, -1), Like(tau, 1));
  Term big = Abs(tau) > (own.is_double() ? 0x1p500 : 0x1p60);  // no square of it overflows
  Term bounded = Select(big, 1, tau);
  Term tangent = sign / Select(big, Abs(tau) * 2, Abs(bounded) + Sqrt(bounded * bounded + 1));
  tangent = Select(idle, 0, tangent);
  Term cosine = 1 / Sqrt(tangent * tangent + 1);
  Term sine = tangent * cosine;
  // [[c, s], [-s conj e, c conj e]], where a_pq = |a_pq| e
  Term phase = Conjugate(cross / AsType(Select(idle, 1, size), type));
  phase = Select(idle, 1, phase);
  Term c = AsType(cosine, type), s = AsType(sine, type);
  Rotation result{Select(first, c, c * phase), Select(first, -(s * phase), s)};
  result.own = Select(alone, 1, result.own);
  result.other = Select(alone, 0, result.other);
  return result;
}

Term RotateColumns(Term a, Term partners, const Rotation& rotation) {
  const Ints dims = a.shape().dims();
  return a * Along(rotation.own, dims, 2) +
         Gathered(a, partners, 2) * Along(rotation.other, dims, 2);
}

Term RotateRows(Term a, Term partners, const Rotation& rotation) {
  const Ints dims = a.shape().dims();
  return a * Along(Conjugate(rotation.own), dims, 1) +
         Gathered(a, partners, 1) * Along(Conjugate(rotation.other), dims, 1);
}

Term Identity(Graph& graph, ElementType type, const Ints& dims) {
  Term mine = graph.Iota(kIndex, dims, 1) == graph.Iota(kIndex, dims, 2);
  return Select(mine, graph.Splat(type, dims, 1), 0);
}

Term AnyTrue(Term flags) {
  Ints all;
  for (int64_t i = 0; i < flags.rank(); ++i) all.push_back(i);
  return Reduce(flags, all, Opcode::kOr, 0);
}

double Epsilon(Term real) { return real.is_double() ? DBL_EPSILON : FLT_EPSILON; }

// The largest element of each matrix, by which it is divided; 1 if one cannot divide by that.
Term Scale(Term a) {
  Term largest = Reduce(Abs(a), {1, 2}, Opcode::kMaximum, 0);
  Term usable = (largest > 0) & (largest < HUGE_VAL);
  return Select(usable, largest, 1);
}

Term DividedBy(Term a, Term scale) {
  return a / AsType(Broadcast(scale, a.shape().dims(), {0}), a.type());
}

// Columns of `a` in the order of `keys` [batch, n].
Term SortColumns(Term a, Term keys, const char* direction) {
  Graph& graph = *a.graph;
  hlo::Computation* order = graph.computation()->module()->AddComputation("order");
  Graph inner(order);
  const Shape key = Shape::Scalar(keys.type()), value = Shape::Scalar(a.type());
  Term x = inner.Of(order->AddParameter(0, key)), y = inner.Of(order->AddParameter(1, key));
  order->AddParameter(2, value);
  order->AddParameter(3, value);
  order->set_root(Compare(x, y, direction).inst);
  AttrMap attrs;
  attrs.Set(Attr::kDimensions, Ints{2});
  attrs.Set(Attr::kIsStable, true);
  Term sorted =
      graph.Add(Opcode::kSort, {Along(keys, a.shape().dims(), 2), a}, std::move(attrs), {order});
  return graph.Element(sorted, 1);
}

}  // namespace

EighFactors Eigh(Term a, bool lower) {
  Graph& graph = *a.graph;
  const int64_t n = a.dim(1);
  const ElementType type = a.type();
  if (n == 0) return {a, Reshape(RealPart(a), {a.dim(0), 0})};
  // Only one triangle is read; the diagonal is real.
  Term rows = graph.Iota(kIndex, a.shape().dims(), 1),
       columns = graph.Iota(kIndex, a.shape().dims(), 2);
  Term kept = lower ? rows > columns : rows < columns;
  Term triangle = Select(kept, a, 0);
  a = triangle + ConjugateTranspose(triangle) +
      Select(rows == columns, AsType(RealPart(a), type), 0);
  Term scale = Scale(a);
  a = DividedBy(a, scale);
  auto step = [&](Graph& g, Term at, std::vector<Term> state) {
    Term matrix = state[0], vectors = state[1];
    Term partners = Partners(g, at, n);
    Term own = Diagonal(RealPart(matrix));
    Term cross = Diagonal(Gathered(matrix, partners, 2));
    Rotation rotation = Rotate(own, Gathered(own, partners, 1), cross, partners);
    Term next = RotateRows(RotateColumns(matrix, partners, rotation), partners, rotation);
    // Done when what is off the diagonal is lost beside the whole.
    Term off = g.Iota(kIndex, matrix.shape().dims(), 1) != g.Iota(kIndex, matrix.shape().dims(), 2);
    Term size = Abs(next);
    Term largest = Reduce(size, {1, 2}, Opcode::kMaximum, 0);
    Term largest_off = Reduce(Select(off, size, 0), {1, 2}, Opcode::kMaximum, 0);
    Term more = AnyTrue(largest_off > largest * (Epsilon(largest) / 8));
    return std::vector<Term>{next, RotateColumns(vectors, partners, rotation), more};
  };
  std::vector<Term> state = {a, Identity(graph, type, a.shape().dims()),
                             graph.SplatInt(ElementType::kPred, {}, n > 1)};
  state = CountedLoop(graph, kMaxSweeps * Rounds(n), state, step, 2);
  Term values = Diagonal(RealPart(state[0]));
  Term sorted = SortColumns(Broadcast(values, {values.dim(0), 1, n}, {0, 2}), values, "LT");
  sorted = Reshape(sorted, values.shape().dims());
  return {SortColumns(state[1], values, "LT"),
          sorted * Broadcast(scale, sorted.shape().dims(), {0})};
}

// Rotations from the right until all columns are orthogonal: a v = u diag(values). u comes from a
// QR factorisation of that, which also holds for columns of zeros.
SvdFactors Svd(Term a, bool full) {
  Graph& graph = *a.graph;
  if (a.dim(1) < a.dim(2)) {
    SvdFactors other = Svd(ConjugateTranspose(a), full);
    return {other.v, other.values, other.u};
  }
  const int64_t batch = a.dim(0), m = a.dim(1), n = a.dim(2);
  const ElementType type = a.type();
  Term scale = Scale(a);
  a = DividedBy(a, scale);
  auto norms = [](Term x) {
    Term size = Abs(x);
    return Reduce(size * size, {1}, Opcode::kAdd, 0);
  };
  auto step = [&](Graph& g, Term at, std::vector<Term> state) {
    Term matrix = state[0];
    Term partners = Partners(g, at, n);
    Term own = norms(matrix);
    Term other = Gathered(own, partners, 1);
    Term cross = Reduce(Conjugate(matrix) * Gathered(matrix, partners, 2), {1}, Opcode::kAdd, 0);
    Term self = Broadcast(g.Iota(kIndex, {n}, 0) == partners, own.shape().dims(), {1});
    Term off = Select(self, 0, Abs(cross)) > Sqrt(own) * Sqrt(other) * (2 * Epsilon(own));
    Rotation rotation = Rotate(own, other, cross, partners);
    // A whole sweep without a rotation ends the loop.
    Term quiet = Select(AnyTrue(off), 0, state[2] + 1);
    Term more = quiet < static_cast<double>(Rounds(n));
    return std::vector<Term>{RotateColumns(matrix, partners, rotation),
                             RotateColumns(state[1], partners, rotation), quiet, more};
  };
  std::vector<Term> state = {a, Identity(graph, type, {batch, n, n}), graph.Splat(kIndex, {}, 0),
                             graph.SplatInt(ElementType::kPred, {}, n > 1)};
  state = CountedLoop(graph, kMaxSweeps * Rounds(n), state, step, 3);
  Term values = Sqrt(norms(state[0]));
  Term matrix = SortColumns(state[0], values, "GT");
  Term v = SortColumns(state[1], values, "GT");
  Term sorted = SortColumns(Broadcast(values, {batch, 1, n}, {0, 2}), values, "GT");
  QrFactors qr = Qr(matrix);
  // Signs of R's diagonal go into u.
  Term upper = n == m ? qr.packed : Slice(qr.packed, 1, 0, n);
  Term diagonal = Diagonal(upper);
  Term negative = RealPart(diagonal) < 0;
  Term packed = qr.packed;
  if (full && n < m) {
    Term rest = graph.Splat(type, {batch, m, m - n}, 0);
    AttrMap attrs;
    attrs.Set(Attr::kDimensions, Ints{2});
    packed = graph.Add(Opcode::kConcatenate, {packed, rest}, std::move(attrs));
  }
  Term u = HouseholderProduct(packed, qr.taus);
  Term signs = Select(negative, graph.Splat(type, {batch, n}, -1), 1);
  if (packed.dim(2) > n) {
    AttrMap attrs;
    attrs.Set(Attr::kDimensions, Ints{1});
    signs = graph.Add(Opcode::kConcatenate,
                      {signs, graph.Splat(type, {batch, packed.dim(2) - n}, 1)}, std::move(attrs));
  }
  u = u * Along(signs, u.shape().dims(), 2);
  sorted = Reshape(sorted, {batch, n});
  return {u, sorted * Broadcast(scale, sorted.shape().dims(), {0}), v};
}

}  // namespace halyard::stablehlo
