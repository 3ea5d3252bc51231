// Ops that are words for other ops: what the builder's methods and the deprecated StableHLO ops of
// these names become.
#ifndef HALYARD_FRONTEND_HLO_SUGAR_H_
#define HALYARD_FRONTEND_HLO_SUGAR_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "frontend/hlo/module.h"

namespace halyard::hlo {

// Each appends instructions to `computation`, the result last, and returns it; operands are arrays
// of that computation. On an error nothing is appended that the result of others could depend on.

// NumPy's subscripts, a letter per dimension: "ab,bc->ac". A letter twice in one operand is a
// diagonal; what the result lacks is summed. Without "->": the letters that occur once, sorted.
absl::StatusOr<Instruction*> AddEinsum(Computation* computation, Instruction* lhs, Instruction* rhs,
                                       absl::string_view config);
absl::StatusOr<Instruction*> AddUnaryEinsum(Computation* computation, Instruction* operand,
                                            absl::string_view config);

// Slices of `operand` along `dim`, picked by `index`, an array of integers. The first `batch_dims`
// dimensions of both go together; negative values count dimensions from the end. Shape:
// operand[:dim] + index[batch_dims:] + operand[dim + 1:]. Indices out of range are clamped.
absl::StatusOr<Instruction*> AddTorchIndexSelect(Computation* computation, Instruction* operand,
                                                 Instruction* index, int64_t dim,
                                                 int64_t batch_dims);

// Element-wise sum over all replicas: an all-reduce.
absl::StatusOr<Instruction*> AddCrossReplicaSum(Computation* computation, Instruction* operand,
                                                const IntLists& replica_groups);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_SUGAR_H_
