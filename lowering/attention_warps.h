// How a CUDA workgroup does attention with tensor cores (schedules/attention_mma.cc): which sizes
// its warps take, and whether the device has room for them. Known to the pass that forms attention
// and to the template.
#ifndef HALYARD_LOWERING_ATTENTION_WARPS_H_
#define HALYARD_LOWERING_ATTENTION_WARPS_H_

#include <cstdint>
#include <optional>

#include "lowering/attention_form.h"
#include "lowering/device_intrinsics.h"
#include "runtime/device_info.h"

namespace halyard::lowering {

// Each warp has 16 · tiles_q queries, whose sums of weighted values stay in its registers; all of a
// workgroup share blocks of `keys` keys and values in shared memory.
struct AttentionWarps {
  int64_t tiles_q = 1;
  int64_t warps = 4;
  int64_t keys = 32;   // a multiple of 32
  bool ahead = false;  // the next block's copies are under way while one is worked on

  int64_t block_q() const { return 16 * tiles_q * warps; }
};

// Sizes of the products' factors in a lane's and a workgroup's words of 32 bits.
struct AttentionWords {
  const MmaIntrinsic *scores = nullptr, *product = nullptr;
  int64_t head = 0;    // words of a query or key, with padding up to a multiple of 16
  int64_t values = 0;  // elements of a value's row, with padding up to a multiple of 32

  // A lane's, roughly; 0 for what ptxas keeps elsewhere is not known beforehand.
  int64_t Registers(const AttentionWarps& warps) const;
  int64_t SharedBytes(const AttentionWarps& warps) const;
  // Rows of shared memory, such that the lanes that read it together hit different banks: of keys
  // (head words), of values (one row for product->elements keys).
  int64_t key_stride() const { return head % 32 == 0 ? head + 16 : head; }
  int64_t value_stride() const { return values + 8; }
};

// None: the types have no product of warps on a device of `capability`, or the form is none whose
// sums can be scaled when a later block of keys holds a larger score (AttentionForm::shift).
std::optional<AttentionWords> WordsFor(const AttentionForm& form, int capability);

bool Fits(const AttentionWords& words, const AttentionWarps& warps,
          const runtime::DeviceInfo& device);

// The default; none: the device has no room, or heads are too large.
std::optional<AttentionWarps> WarpsFor(const AttentionForm& form,
                                       const runtime::DeviceInfo& device);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_ATTENTION_WARPS_H_
