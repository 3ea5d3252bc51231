// Device intrinsics: instructions of a GPU that Halide 21 cannot express. An algorithm names them
// as pure extern calls, which Halide's CUDA backend prints as calls of undefined functions.
// RewriteIntrinsics (codegen/gpu/ptx/ptx_mma.h) turns these into instructions. Everywhere else,
// their CPU equivalents replace them (lowering/kernels/fragments.h), so that code that uses them is
// tested without a GPU. There is one row for each intrinsic. This file does not use Halide.
#ifndef HALYARD_LOWERING_KERNELS_DEVICE_INTRINSICS_H_
#define HALYARD_LOWERING_KERNELS_DEVICE_INTRINSICS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "frontend/hlo/values/element_type.h"
#include "lowering/numerics/intrinsic_names.h"

namespace halyard::lowering {

// D = A·B + C by one warp, with A of 16 × k, B of k × 8, and C and D of 16 × 8 (PTX ISA, "Warp
// level matrix multiply-accumulate"). Lane 4g + q (g < 8, q < 4) holds words of 32 bits, each with
// `elements` neighbours along k:
//   A: word w·2 + h: row g + 8h, k = (4w + q)·elements …
//   B: word w:       column g,   k = (4w + q)·elements …
//   C: value 2h + e: row g + 8h, column 2q + e
// with w < words, h < 2, e < 2. So k = 4·words·elements. An algorithm calls NAME_0 … NAME_3 for the
// four values of D, all with the same arguments: the four values of C, the words of A, and those of
// B.
struct MmaIntrinsic {
  const char* name;
  const char* ptx;
  hlo::ElementType lhs, rhs;     // of the factors; f32: rounded to tf32 (kRoundToTf32)
  hlo::ElementType accumulator;  // kF32 or kS32 (wraps)
  int elements;                  // of one word
  int words;                     // of B, per lane
  int min_capability;            // 80 for sm_80

  int k() const { return 4 * words * elements; }
  int lhs_words() const { return 2 * words; }
  int num_arguments() const { return 4 + 3 * words; }
};

// An instruction with one result, from registers and small constants.
struct ScalarIntrinsic {
  const char* name;
  // The instruction. $0 is the result; $1, $2 … are the call's arguments.
  const char* ptx;
  int num_arguments;
  int num_constants;  // number of the last arguments, which must be constants
  int min_capability;
  bool convergent;  // whether all lanes of the warp must take part
};

absl::Span<const MmaIntrinsic> MmaIntrinsics();
absl::Span<const ScalarIntrinsic> ScalarIntrinsics();

// Returns the widest intrinsic for the factors' types that a device of `capability` has, or null.
const MmaIntrinsic* FindMma(hlo::ElementType lhs, hlo::ElementType rhs, int capability);

// Returns the row whose calls `function` names, and which of its four values it is, or null.
const MmaIntrinsic* MmaOfFunction(absl::string_view function, int* value);
const ScalarIntrinsic* ScalarOfFunction(absl::string_view function);

// f32 → the word of the nearest tf32 value, ties away from zero.
inline constexpr char kRoundToTf32[] = "halyard_intrinsic_round_to_tf32";
// (value, constant c): the value of lane (this lane xor c).
inline constexpr char kShuffleXor[] = "halyard_intrinsic_shuffle_xor";
// (value, constant c): the value of lane (this lane + c). The last c lanes get their own value.
inline constexpr char kShuffleDown[] = "halyard_intrinsic_shuffle_down";
// f32: 2^x with a relative error below 2^-22, zero below 2^-126. NaN and infinities are treated
// correctly.
inline constexpr char kExp2[] = "halyard_intrinsic_exp2";
// f32: the larger value. NaN if either is NaN; -0 < +0.
inline constexpr char kMaximum[] = "halyard_intrinsic_maximum";
// Rounds two f32 to nearest even and packs them into a word, the first in the low bits.
inline constexpr char kRoundToF16[] = "halyard_intrinsic_round_to_f16";
using numerics::kRoundToBf16;
// (element of an array of u32, constant n): adds 1 to the element in memory, or sets it to 0 if it
// was n, and returns what it was. What the group wrote before is seen by those who call this later,
// and what others wrote before they called this is seen by the group: if n + 1 groups call this,
// each by one thread between two barriers, the last one gets n, sees what all have written, and
// leaves the counter as it was. Not pure. The load itself is not done.
inline constexpr char kArrive[] = "halyard_intrinsic_arrive";
inline constexpr int kArriveCapability = 70;
// Packs elements of 16 or 8 bits into a word, the first in the low bits. No device has this
// intrinsic; it is removed before code is made (lowering/kernels/fragments.h, PackWords).
inline constexpr char kPackWord[] = "halyard_intrinsic_pack_word";

// The prefix of every intrinsic's name.
inline constexpr char kIntrinsicPrefix[] = "halyard_intrinsic_";

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_DEVICE_INTRINSICS_H_
