// Ops that are made of other ops: the builder's methods and the deprecated StableHLO ops of these
// names become them.
#ifndef HALYARD_FRONTEND_HLO_IR_SUGAR_H_
#define HALYARD_FRONTEND_HLO_IR_SUGAR_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo {

// Each function appends instructions to `computation`, the result last, and returns the result. The
// operands are arrays of that computation. On an error, nothing is appended on which the result of
// others could depend.

// Takes NumPy's subscripts, with one letter for each dimension: "ab,bc->ac". A letter that occurs
// twice in one operand takes a diagonal, and dimensions that the result lacks are summed. Without
// "->", the result has the letters that occur once, sorted.
absl::StatusOr<Instruction*> AddEinsum(Computation* computation, Instruction* lhs, Instruction* rhs,
                                       absl::string_view config);
absl::StatusOr<Instruction*> AddUnaryEinsum(Computation* computation, Instruction* operand,
                                            absl::string_view config);

// Takes slices of `operand` along `dim`, selected by `index`, an array of integers. The first
// `batch_dims` dimensions of both go together. Negative values count dimensions from the end. The
// shape is operand[:dim] + index[batch_dims:] + operand[dim + 1:]. Indices out of range are
// clamped.
absl::StatusOr<Instruction*> AddTorchIndexSelect(Computation* computation, Instruction* operand,
                                                 Instruction* index, int64_t dim,
                                                 int64_t batch_dims);

// Sums elementwise over all replicas: an all-reduce.
absl::StatusOr<Instruction*> AddCrossReplicaSum(Computation* computation, Instruction* operand,
                                                const IntLists& replica_groups);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_IR_SUGAR_H_
