#include <utility>

#include "frontend/hlo/processes/communication.h"
#include "frontend/hlo_text/attribute_text.h"

namespace halyard::hlo_text {
namespace {

bool IsPermutation(const hlo::Ints& order, size_t rank) {
  std::vector<bool> seen(rank, false);
  for (int64_t dim : order) {
    if (dim < 0 || dim >= static_cast<int64_t>(rank) || seen[dim]) return false;
    seen[dim] = true;
  }
  return order.size() == rank;
}

}  // namespace

bool ExpandIotaGroups(int64_t count, int64_t size, const hlo::Ints& dims, const hlo::Ints& order,
                      hlo::IntLists* groups) {
  if (count < 1 || size < 1 || count > hlo::kMaxDevices || size > hlo::kMaxDevices / count)
    return false;
  if (!order.empty() && !IsPermutation(order, dims.size())) return false;
  int64_t devices = 1;
  for (int64_t dim : dims) {
    if (dim < 1 || dim > hlo::kMaxDevices / devices) return false;
    devices *= dim;
  }
  if (devices != count * size) return false;
  // The sizes of the transposed array, and how far one step moves in the array before the
  // transpose.
  const size_t rank = dims.size();
  hlo::Ints strides(rank), sizes(rank), steps(rank), index(rank, 0);
  int64_t stride = 1;
  for (size_t d = rank; d-- > 0; stride *= dims[d]) strides[d] = stride;
  for (size_t d = 0; d < rank; ++d) {
    const int64_t from = order.empty() ? static_cast<int64_t>(d) : order[d];
    sizes[d] = dims[from];
    steps[d] = strides[from];
  }
  groups->assign(count, {});
  for (int64_t at = 0; at < devices; ++at) {
    int64_t device = 0;
    for (size_t d = 0; d < rank; ++d) device += index[d] * steps[d];
    (*groups)[at / size].push_back(device);
    for (size_t d = rank; d-- > 0;) {
      if (++index[d] < sizes[d]) break;
      index[d] = 0;
    }
  }
  return true;
}

}  // namespace halyard::hlo_text
