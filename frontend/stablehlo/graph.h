// Appends ops to a computation, infers their shapes, and has operators for arithmetic. Ops that are
// made of other ops are written with it.
#ifndef HALYARD_FRONTEND_STABLEHLO_GRAPH_H_
#define HALYARD_FRONTEND_STABLEHLO_GRAPH_H_

#include <map>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::stablehlo {

class Graph;

// An array in a graph.
struct Term {
  Graph* graph = nullptr;
  hlo::Instruction* inst = nullptr;

  const hlo::Shape& shape() const { return inst->shape; }
  hlo::ElementType type() const { return inst->shape.element_type(); }
  int64_t rank() const { return inst->shape.rank(); }
  int64_t dim(int64_t i) const { return inst->shape.dim(i); }
  bool is_double() const { return type() == hlo::ElementType::kF64; }
};

class Graph {
 public:
  explicit Graph(hlo::Computation* computation) : computation_(computation) {}
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  hlo::Computation* computation() const { return computation_; }
  // The error of the first op whose operands did not fit.
  const absl::Status& status() const { return status_; }
  void Absorb(const absl::Status& status) {
    if (status_.ok()) status_ = status;
  }

  Term Of(hlo::Instruction* inst) { return {this, inst}; }
  Term Add(hlo::Opcode opcode, std::vector<Term> operands, hlo::AttrMap attrs = {},
           std::vector<hlo::Computation*> called = {});
  Term Add(hlo::Opcode opcode, hlo::Shape shape, std::vector<Term> operands,
           hlo::AttrMap attrs = {});
  // Makes arrays of one value.
  Term Splat(hlo::ElementType type, const std::vector<int64_t>& dims, double value);
  Term SplatInt(hlo::ElementType type, const std::vector<int64_t>& dims, int64_t value);
  Term Iota(hlo::ElementType type, std::vector<int64_t> dims, int64_t dim);
  Term Tuple(const std::vector<Term>& parts);
  Term Element(Term tuple, int64_t index);
  // `computation` has one tuple parameter. The results are the tuple's parts.
  std::vector<Term> While(hlo::Computation* condition, hlo::Computation* body,
                          const std::vector<Term>& state);

 private:
  Term Constant(hlo::Literal scalar, const std::vector<int64_t>& dims);

  hlo::Computation* computation_;
  absl::Status status_;
  std::map<std::pair<std::vector<int64_t>, std::pair<hlo::ElementType, uint64_t>>, Term> constants_;
};

Term operator+(Term a, Term b);
Term operator-(Term a, Term b);
Term operator*(Term a, Term b);
Term operator/(Term a, Term b);
Term operator&(Term a, Term b);  // PRED and integers
Term operator|(Term a, Term b);
Term operator^(Term a, Term b);
Term operator-(Term a);
Term operator!(Term a);
// Returns a number with the type and shape of `a`.
Term Like(Term a, double value);
Term operator+(Term a, double b);
Term operator-(Term a, double b);
Term operator*(Term a, double b);
Term operator/(Term a, double b);
Term operator-(double a, Term b);
Term operator/(double a, Term b);

Term Compare(Term a, Term b, const char* direction);
Term operator<(Term a, Term b);
Term operator<=(Term a, Term b);
Term operator>(Term a, Term b);
Term operator>=(Term a, Term b);
Term operator==(Term a, Term b);
Term operator!=(Term a, Term b);
Term operator<(Term a, double b);
Term operator<=(Term a, double b);
Term operator>(Term a, double b);
Term operator>=(Term a, double b);
Term operator==(Term a, double b);
Term operator!=(Term a, double b);
Term Select(Term condition, Term yes, Term no);
Term Select(Term condition, Term yes, double no);
Term Select(Term condition, double yes, Term no);

Term Unary(hlo::Opcode opcode, Term a);
Term Abs(Term a);
Term Exp(Term a);
Term Expm1(Term a);
Term Log(Term a);
Term Log1p(Term a);
Term Sqrt(Term a);
Term Sin(Term a);
Term Cos(Term a);
Term Sign(Term a);  // keeps zeros
Term Real(Term a);
Term Imag(Term a);
Term Conjugate(Term a);  // itself, if it is real
Term Complex(Term re, Term im);
Term Atan2(Term y, Term x);
Term Power(Term a, Term b);
Term Maximum(Term a, Term b);
Term Minimum(Term a, Term b);
Term ConvertTo(Term a, hlo::ElementType type);
Term BitcastTo(Term a, hlo::ElementType type);
// Computes c[0] + c[1] x + ….
Term Polynomial(Term x, absl::Span<const double> c);

// Dimension i of `a` is dimension places[i] of the result.
Term Broadcast(Term a, std::vector<int64_t> dims, std::vector<int64_t> places);
Term Reshape(Term a, std::vector<int64_t> dims);
Term Transpose(Term a, std::vector<int64_t> permutation);
Term Slice(Term a, int64_t dim, int64_t start, int64_t limit);
// Reduces over `dims` with `opcode`, whose identity is `init`.
Term Reduce(Term a, std::vector<int64_t> dims, hlo::Opcode opcode, double init);
struct DotDims {
  std::vector<int64_t> lhs_batch, rhs_batch, lhs_contracting, rhs_contracting;
};
Term Dot(Term a, Term b, const DotDims& dims, hlo::ElementType result, hlo::AttrMap attrs = {});

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_GRAPH_H_
