// The broadcasting rules of XLA's binary ops.
//
// A scalar goes with any array. Arrays of one rank: each pair of dimensions is equal or has a 1,
// which is repeated. Arrays of different ranks need broadcast_dimensions, strictly increasing:
// dimension i of the one of lower rank matches dimension broadcast_dimensions[i] of the other (the
// same, or one of them 1); its missing dimensions count as 1.
#ifndef HALYARD_FRONTEND_BUILDER_BROADCASTING_H_
#define HALYARD_FRONTEND_BUILDER_BROADCASTING_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace halyard {

struct BroadcastPlan {
  std::vector<int64_t> dims;              // of the result
  std::vector<int64_t> lhs_map, rhs_map;  // operand dimension → result dimension
};

absl::StatusOr<BroadcastPlan> PlanBroadcast(absl::Span<const int64_t> lhs_dims,
                                            absl::Span<const int64_t> rhs_dims,
                                            absl::Span<const int64_t> broadcast_dimensions);

}  // namespace halyard

#endif  // HALYARD_FRONTEND_BUILDER_BROADCASTING_H_
