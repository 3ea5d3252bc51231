// How a CUDA workgroup computes attention with tensor cores (schedules/attention/cuda.cc): the
// sizes that its warps take, and whether the device has room for them. The pass that forms
// attention and the template both use this.
#ifndef HALYARD_LOWERING_KERNELS_ATTENTION_WARPS_H_
#define HALYARD_LOWERING_KERNELS_ATTENTION_WARPS_H_

#include <cstdint>
#include <optional>

#include "lowering/kernels/attention/form.h"
#include "lowering/kernels/device_intrinsics.h"
#include "runtime/device_info.h"

namespace halyard::lowering {

// Each warp has 16 · tiles_q queries and keeps their sums of weighted values in its registers. All
// warps of a workgroup share blocks of `keys` keys and values in shared memory.
struct AttentionWarps {
  int64_t tiles_q = 1;
  int64_t warps = 4;
  int64_t keys = 32;   // a multiple of 32
  bool ahead = false;  // whether the next block is copied while the warps work on one
  // Workgroups that share the keys of the same queries; what they find is put together afterwards.
  int64_t splits = 1;
  // Four warps multiply together (warpgroups.h).
  bool warpgroups = false;

  int64_t block_q() const { return 16 * tiles_q * warps; }
};

// Sizes of the products' factors in 32-bit words of a lane and of a workgroup.
struct AttentionWords {
  const MmaIntrinsic *scores = nullptr, *product = nullptr;  // product: null of statistics
  const MmaIntrinsic* second = nullptr;                      // null if there is none
  int64_t head = 0;  // words of a query or key, padded to a multiple of 16
  int64_t second_head = 0;
  int64_t values = 0;  // elements of a value's row, padded to a multiple of 32

  // The registers of a lane, approximately. What ptxas keeps elsewhere is not known beforehand, and
  // counts as 0.
  int64_t Registers(const AttentionWarps& warps) const;
  int64_t SharedBytes(const AttentionWarps& warps) const;
  // The distances between rows of shared memory, such that the lanes that read together hit
  // different banks: for keys (head words), and for values (one row for product->elements keys).
  static int64_t KeyStride(int64_t head) { return head % 32 == 0 ? head + 16 : head; }
  int64_t value_stride() const { return values + 8; }
};

// Returns nothing if a device of `capability` has no warp-wide product for the types, or if the
// sums of the form cannot be scaled when a later block of keys holds a larger score
// (AttentionForm::shift).
std::optional<AttentionWords> WordsFor(const AttentionForm& form, int capability);

bool Fits(const AttentionWords& words, const AttentionWarps& warps,
          const runtime::DeviceInfo& device);

// Returns the default, or nothing if the device has no room or heads are too large.
std::optional<AttentionWarps> WarpsFor(const AttentionForm& form,
                                       const runtime::DeviceInfo& device);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_ATTENTION_WARPS_H_
