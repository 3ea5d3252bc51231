#include <map>

#include "frontend/hlo/processes/communication.h"
#include "frontend/hlo_text/attribute_text.h"

namespace halyard::hlo_text {
namespace {

// One digit of a device's place along an axis: place / divisor % size.
struct Digit {
  size_t axis;
  int64_t divisor, size;
};

bool DigitsOf(const DeviceMesh& mesh, absl::Span<const MeshAxisRef> refs,
              std::vector<Digit>* digits) {
  for (const MeshAxisRef& ref : refs) {
    if (ref.axis < 0 || ref.axis >= static_cast<int64_t>(mesh.sizes.size())) return false;
    const int64_t size = mesh.sizes[ref.axis];
    const int64_t part = ref.size == 0 ? size : ref.size;
    if (ref.pre_size < 1 || part < 1 || ref.pre_size > size || part > size / ref.pre_size ||
        size % (ref.pre_size * part) != 0) {
      return false;
    }
    const Digit digit{static_cast<size_t>(ref.axis), size / (ref.pre_size * part), part};
    // No two may overlap.
    for (const Digit& other : *digits) {
      if (other.axis != digit.axis) continue;
      const Digit& high = other.divisor > digit.divisor ? other : digit;
      const Digit& low = other.divisor > digit.divisor ? digit : other;
      if (low.divisor * low.size > high.divisor || high.divisor % (low.divisor * low.size) != 0)
        return false;
    }
    digits->push_back(digit);
  }
  return true;
}

}  // namespace

bool ExpandMeshGroups(const DeviceMesh& mesh, absl::Span<const MeshAxisRef> refs,
                      hlo::IntLists* groups) {
  int64_t devices = 1;
  for (int64_t size : mesh.sizes) {
    if (size < 1 || size > hlo::kMaxDevices / devices) return false;
    devices *= size;
  }
  std::vector<Digit> digits;
  if (mesh.sizes.empty() || !DigitsOf(mesh, refs, &digits)) return false;
  hlo::Ints ids = mesh.device_ids;
  if (!mesh.iota_dims.empty()) {
    hlo::IntLists one;
    if (!ids.empty() || !ExpandIotaGroups(1, devices, mesh.iota_dims, mesh.iota_order, &one))
      return false;
    ids = one[0];
  }
  if (!ids.empty() && static_cast<int64_t>(ids.size()) != devices) return false;
  int64_t members = 1;
  for (const Digit& digit : digits) members *= digit.size;
  // A group is what differs in these digits only; its first device has zeros there.
  std::map<int64_t, hlo::Ints> found;
  const size_t rank = mesh.sizes.size();
  hlo::Ints place(rank, 0);
  for (int64_t at = 0; at < devices; ++at) {
    int64_t member = 0;
    hlo::Ints first = place;
    for (const Digit& digit : digits) {
      const int64_t value = place[digit.axis] / digit.divisor % digit.size;
      member = member * digit.size + value;
      first[digit.axis] -= value * digit.divisor;
    }
    int64_t key = 0;
    for (size_t d = 0; d < rank; ++d) key = key * mesh.sizes[d] + first[d];
    hlo::Ints& group = found.try_emplace(key, members).first->second;
    group[member] = ids.empty() ? at : ids[at];
    for (size_t d = rank; d-- > 0;) {
      if (++place[d] < mesh.sizes[d]) break;
      place[d] = 0;
    }
  }
  groups->clear();
  for (auto& [key, group] : found) groups->push_back(std::move(group));
  return true;
}

}  // namespace halyard::hlo_text
