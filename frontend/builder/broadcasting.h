// The broadcasting rules of XLA's binary ops.
//
// A scalar combines with any array. In arrays of one rank, each pair of dimensions is equal, or one
// of the two is 1 and is repeated. Arrays of different ranks need broadcast_dimensions, which must
// be strictly increasing: dimension i of the array of lower rank matches dimension
// broadcast_dimensions[i] of the other (it is equal, or one of the two is 1). Its missing
// dimensions count as 1.
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
