// Adds ops to a computation while a pass expands another op. Shapes are inferred, and the
// provenance is that of the expanded op.
#ifndef HALYARD_LOWERING_PLAN_GRAPH_BUILDER_H_
#define HALYARD_LOWERING_PLAN_GRAPH_BUILDER_H_

#include <complex>
#include <functional>
#include <vector>

#include "lowering/plan/rewriter.h"

namespace halyard::lowering {

class GraphBuilder {
 public:
  // Both arguments must outlive this object.
  GraphBuilder(Rewriter* rewriter, const hlo::Instruction* source)
      : rewriter_(rewriter), source_(source) {}

  const hlo::Instruction& source() const { return *source_; }

  // Adds an op whose result shape follows from its operands and attributes.
  hlo::Instruction* Add(hlo::Opcode opcode, std::vector<hlo::Instruction*> operands,
                        hlo::AttrMap attrs = {});
  hlo::Instruction* Reshape(hlo::Instruction* x, std::vector<int64_t> dims);
  hlo::Instruction* Transpose(hlo::Instruction* x, const std::vector<int64_t>& permutation);
  // Dimension i of x is dimension places[i] of the result.
  hlo::Instruction* Broadcast(hlo::Instruction* x, std::vector<int64_t> dims,
                              std::vector<int64_t> places);
  hlo::Instruction* Convert(hlo::Instruction* x, hlo::ElementType type);
  // Takes every stride-th of the elements [start, limit) of one dimension.
  hlo::Instruction* Slice(hlo::Instruction* x, int64_t dim, int64_t start, int64_t limit,
                          int64_t stride = 1);
  hlo::Instruction* Concatenate(std::vector<hlo::Instruction*> parts, int64_t dim);
  hlo::Instruction* Reverse(hlo::Instruction* x, std::vector<int64_t> dims);
  // Adds zeros after the last elements, up to `dims`.
  hlo::Instruction* PadTo(hlo::Instruction* x, const std::vector<int64_t>& dims);
  hlo::Instruction* Iota(hlo::ElementType type, std::vector<int64_t> dims, int64_t dim);
  hlo::Instruction* Compare(hlo::Instruction* x, hlo::Instruction* y, const char* direction);
  hlo::Instruction* Select(hlo::Instruction* condition, hlo::Instruction* on_true,
                           hlo::Instruction* on_false);
  hlo::Instruction* Real(hlo::Instruction* x) { return Add(hlo::Opcode::kReal, {x}); }
  hlo::Instruction* Imag(hlo::Instruction* x) { return Add(hlo::Opcode::kImag, {x}); }
  hlo::Instruction* Complex(hlo::Instruction* re, hlo::Instruction* im) {
    return Add(hlo::Opcode::kComplex, {re, im});
  }
  // Returns x itself if it is real.
  hlo::Instruction* Conjugate(hlo::Instruction* x);
  // Adds an array of equal elements.
  hlo::Instruction* Splat(hlo::ElementType type, double value, std::vector<int64_t> dims);
  // Adds a complex vector.
  hlo::Instruction* Table(hlo::ElementType type, int64_t size,
                          const std::function<std::complex<double>(int64_t)>& value);

 private:
  Rewriter* rewriter_;
  const hlo::Instruction* source_;
};

// Returns the scalar x for which op(x, y) is y for each y of the type, bit by bit (for floats, -0
// where the op is a sum). Empty if there is none that holds for every y.
std::vector<hlo::Literal> NeutralElement(hlo::Opcode opcode, hlo::ElementType type);

// Returns the op if the computation of two scalars is that op on both, else kTuple.
hlo::Opcode OneOpOf(const hlo::Computation& computation);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_GRAPH_BUILDER_H_
