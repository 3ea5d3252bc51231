// contraction on x86: sums of products of narrow factors by instructions that multiply and add the
// two or four terms of a 32-bit word (AVX512-VNNI, AVX512-BF16, AMX).
#ifndef HALYARD_SCHEDULES_CONTRACTION_X86_WORDS_H_
#define HALYARD_SCHEDULES_CONTRACTION_X86_WORDS_H_

#include <optional>

#include "schedules/contraction/template.h"

namespace halyard::schedules {

// How a sum of products is made of such an instruction.
struct DotInstruction {
  const char* name = nullptr;          // the function of Halide's that is it, without its lanes
  int terms = 0;                       // of k, in a word
  hlo::ElementType vector, broadcast;  // the elements of both factors' words
  bool vector_first = false;  // the instruction takes the vector factor first, as the unsigned one
  bool offset = false;  // the broadcast factor is signed, and 128 is added to make it unsigned
  int64_t step = 1;     // the sum has a multiple of so many words; the last ones are filled up
  bool tiles = false;   // AMX, see x86_tiles.h
};

// Lanes of the narrowest of these instructions.
inline constexpr int64_t kLeastWordLanes = 4;

// Returns nothing if the device has no such instruction or the kernel's factors do not fit one.
// `tiles`: of AMX instead, with step 1.
std::optional<DotInstruction> DotInstructionOf(const lowering::LoweredKernel& kernel,
                                               bool tiles = false);

// The words of the sum along r[0], those that only fill it up included.
int64_t WordsOf(const lowering::Hero& hero, const DotInstruction& dot);
// Whether all of these words are whole words of the factors.
bool HasWholeWords(const lowering::Hero& hero, const DotInstruction& dot);

// Whether the vector factor comes in panels of such words.
bool HasWordPanels(const lowering::Hero& hero, const DotInstruction& dot);

// As DefineContraction, with both factors stored as words, but for a vector factor that comes as
// such and is not to be packed. The accumulator's loops are those over the words. That of AMX is
// not initialized.
ContractionFuncs DefineWords(lowering::LoweredKernel& kernel, lowering::Hero& hero,
                             const Roles& roles, const DotInstruction& dot, bool pack);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_CONTRACTION_X86_WORDS_H_
