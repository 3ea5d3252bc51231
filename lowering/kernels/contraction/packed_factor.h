// Constant factors of products, laid out in panels as x86's inner loops read them.
//
// A factor [k…, n] is kept as panels[n / width, k…, width]: all of k for `width` neighbouring n lie
// together, in the order in which a sum runs over k (the panels of Goto and van de Geijn, "Anatomy
// of high-performance matrix multiplication", 2008). In the graph it is
//
//   reshape(transpose(panels))  with frontend_attributes kPackedFactor,
//
// and a slice of this, if the last panel is filled up with zeros. This computes the factor itself:
// whoever does not know of panels sees a [k…, n] array.
//
// A factor may also be made of such an array, element by element: narrow numbers that are
// converted, and perhaps scaled, where a product of one row reads them.
//
// A narrow factor whose product is computed in words (schedules/contraction/x86_words.h) is kept as
// panels[n / width, k… / terms, width, terms]: neighbouring terms of the last k are a word.
#ifndef HALYARD_LOWERING_KERNELS_CONTRACTION_PACKED_FACTOR_H_
#define HALYARD_LOWERING_KERNELS_CONTRACTION_PACKED_FACTOR_H_

#include <cstdint>

#include "frontend/hlo/ir/module.h"
#include "runtime/device_class.h"

namespace halyard::lowering {

// Whether the device computes products of narrow factors in words: an x86 CPU with VNNI and
// AVX512-BF16.
inline bool MultipliesWords(const runtime::DeviceInfo& device) {
  return !runtime::IsGpu(device) &&
         (device.x86_features & (runtime::kX86Zen4 | runtime::kX86SapphireRapids)) != 0;
}

inline constexpr char kPackedFactor[] = "{packed_factor=\"true\"}";

// Whether `inst` is this reshape.
inline bool IsPackedFactor(const hlo::Instruction& inst) {
  return inst.opcode == hlo::Opcode::kReshape &&
         inst.GetString(hlo::Attr::kFrontendAttributes) == kPackedFactor;
}

// The operand of an elementwise op that is no broadcast, such as a scale: what the op makes its
// result of, element by element. -1 if there are none or several, or if the op is another.
int64_t OperandMadeFrom(const hlo::Instruction& op);

// The terms in a word of the panels, 1 if they have no words.
int64_t PanelTerms(const hlo::Instruction& factor);

// The panels' width in elements; 0 if the factor of a product is neither packed nor made of a
// packed array by elementwise ops.
int64_t PanelWidth(const hlo::Instruction& factor);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_CONTRACTION_PACKED_FACTOR_H_
