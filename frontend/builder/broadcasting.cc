#include "frontend/builder/broadcasting.h"

#include <numeric>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace halyard {
namespace {

std::string Listed(absl::Span<const int64_t> values) {
  return absl::StrCat("[", absl::StrJoin(values, ","), "]");
}

std::vector<int64_t> Identity(size_t rank) {
  std::vector<int64_t> map(rank);
  std::iota(map.begin(), map.end(), 0);
  return map;
}

absl::Status CheckMap(absl::Span<const int64_t> map, size_t low_rank, size_t high_rank) {
  if (map.size() != low_rank) {
    return absl::InvalidArgumentError(
        absl::StrCat("broadcast_dimensions ", Listed(map), " must have ", low_rank, " entries"));
  }
  for (size_t i = 0; i < map.size(); ++i) {
    if (map[i] < 0 || map[i] >= static_cast<int64_t>(high_rank)) {
      return absl::InvalidArgumentError(absl::StrCat("broadcast_dimensions ", Listed(map), ": ",
                                                     map[i], " is not in [0, ", high_rank, ")"));
    }
    if (i > 0 && map[i] <= map[i - 1]) {
      return absl::InvalidArgumentError(
          absl::StrCat("broadcast_dimensions ", Listed(map), " are not strictly increasing"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<BroadcastPlan> PlanBroadcast(absl::Span<const int64_t> lhs_dims,
                                            absl::Span<const int64_t> rhs_dims,
                                            absl::Span<const int64_t> broadcast_dimensions) {
  bool lhs_low = lhs_dims.size() < rhs_dims.size();
  absl::Span<const int64_t> low = lhs_low ? lhs_dims : rhs_dims;
  absl::Span<const int64_t> high = lhs_low ? rhs_dims : lhs_dims;
  bool implied = broadcast_dimensions.empty() && (low.empty() || low.size() == high.size());
  std::vector<int64_t> map =
      implied ? Identity(low.size())
              : std::vector<int64_t>(broadcast_dimensions.begin(), broadcast_dimensions.end());
  if (broadcast_dimensions.empty() && !implied) {
    return absl::InvalidArgumentError(absl::StrCat("ranks differ without broadcast_dimensions: ",
                                                   Listed(lhs_dims), " and ", Listed(rhs_dims)));
  }
  if (absl::Status status = CheckMap(map, low.size(), high.size()); !status.ok()) return status;
  std::vector<int64_t> dims(high.begin(), high.end());
  for (size_t i = 0; i < low.size(); ++i) {
    int64_t& size = dims[map[i]];
    if (low[i] != size && low[i] != 1 && size != 1) {
      return absl::InvalidArgumentError(absl::StrCat("incompatible dimensions ", low[i], " and ",
                                                     size, " of ", Listed(lhs_dims), " and ",
                                                     Listed(rhs_dims)));
    }
    if (size == 1) size = low[i];
  }
  std::vector<int64_t> all = Identity(high.size());
  return BroadcastPlan{std::move(dims), lhs_low ? map : all, lhs_low ? all : map};
}

}  // namespace halyard
