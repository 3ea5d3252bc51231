#include "lowering/kernels/attention/warpgroups.h"

namespace halyard::lowering {
namespace {

bool Is16Bit(const MmaIntrinsic& mma) {
  return mma.elements == 2 && mma.words == 2 && mma.lhs == mma.rhs;
}

}  // namespace

std::vector<int64_t> WarpgroupAttention::Numbers() const {
  const MmaIntrinsic* first = MmaIntrinsics().data();
  return {scores - first, product - first, warps, keys, head, values};
}

bool WarpgroupAttention::FromNumbers(absl::Span<const int64_t> numbers,
                                     WarpgroupAttention* attention) {
  const absl::Span<const MmaIntrinsic> rows = MmaIntrinsics();
  if (numbers.size() != kNumbers) return false;
  for (size_t i : {0, 1}) {
    if (numbers[i] < 0 || numbers[i] >= static_cast<int64_t>(rows.size())) return false;
  }
  *attention = {&rows[static_cast<size_t>(numbers[0])],
                &rows[static_cast<size_t>(numbers[1])],
                numbers[2],
                numbers[3],
                numbers[4],
                numbers[5]};
  const auto is_width = [](int64_t width) {
    return width > 0 && width <= 256 && width % kLineElements == 0;
  };
  return Is16Bit(*attention->scores) && Is16Bit(*attention->product) &&
         (attention->warps == 4 || attention->warps == 8) && is_width(attention->head) &&
         is_width(attention->values) && (attention->keys == 64 || attention->keys == 128);
}

}  // namespace halyard::lowering
