// contraction on x86: what the choice of its knobs (x86_choice.cc) and their
// application (x86.cc) share.
#ifndef HALYARD_SCHEDULES_CONTRACTION_X86_H_
#define HALYARD_SCHEDULES_CONTRACTION_X86_H_

#include <cstdint>

#include "schedules/contraction/template.h"

namespace halyard::schedules {

inline constexpr int64_t kCacheLine = 64;  // bytes

// Values of the knob `pack`.
enum Pack : int64_t { kInPlace = 0, kPanels = 1, kMergedPanels = 2 };

// Elements of the sums' type in a vector.
int64_t LanesOf(const lowering::LoweredKernel& kernel);

// The operand that is read in vectors, and the one that is broadcast. The hero must have roles.
const hlo::Instruction& VectorFactor(const lowering::Hero& hero);
const hlo::Instruction& BroadcastFactor(const lowering::Hero& hero);
// Elements of the vector factor from one output of a row to the next, if it lies as its shape says.
int64_t VectorStride(const lowering::Hero& hero);
int64_t VectorStrideBytes(const lowering::Hero& hero);
// Elements of the broadcast factor, as a Func holds it: a whole padded image, or its terms.
int64_t BroadcastElements(const lowering::Hero& hero, const Roles& roles);
// How many rows that begin so many bytes apart keep a line each in the first cache, which has 64
// sets and at least 8 ways on most CPUs: rows a multiple of 4 KiB apart fall into one set.
int64_t RowsInFirstCache(int64_t bytes);
// The width of the panels that the vector factor comes in
// (lowering/kernels/contraction/packed_factor.h); 0 if a task would have to pack it.
int64_t OwnPanels(const lowering::Hero& hero);

// Whether the vector factor's floats have fewer bits in memory than are multiplied.
bool ConvertsVector(const lowering::Hero& hero);
// Whether the broadcast factor's have, and so many tiles read it that it is converted before all of
// them. Not of words and pairs, which have forms of their own.
bool WidensBroadcast(const lowering::LoweredKernel& kernel, const lowering::Hero& hero);

// Whether a row of an image has too few elements for whole vectors, but the next rows continue it.
bool CanMerge(const lowering::Hero& hero);
// Returns the hero as its product is computed: with merged axes for merged panels.
lowering::Hero ProductOf(const lowering::Hero& hero, int64_t pack);

// The first axis besides m that only the broadcast factor depends on, such as an image's rows; -1
// if there is none.
int RowsAxis(const lowering::Hero& hero, const Roles& roles);
// The extent of this axis, 1 if there is none.
int64_t RowsOf(const lowering::Hero& hero);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_CONTRACTION_X86_H_
