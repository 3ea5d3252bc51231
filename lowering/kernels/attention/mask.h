// Masks that the places of query and key alone decide: causal ones and windows. Knows no Halide.
#ifndef HALYARD_LOWERING_KERNELS_ATTENTION_MASK_H_
#define HALYARD_LOWERING_KERNELS_ATTENTION_MASK_H_

#include <cstdint>
#include <optional>

#include "lowering/kernels/attention/form.h"

namespace halyard::lowering {

// The keys that query r may see are among r + first … r + last.
struct VisibleKeys {
  int64_t first = INT32_MIN, last = INT32_MAX;
};

// The range of the logits' outermost select, where keys outside of it need not be looked at: their
// weights are 0. So they are if the select gives -inf; and if it gives -1e8 or less, no other
// condition hides keys, and each query sees one. `rows_dim`: the dimension of the scores that
// counts the queries. Nullopt: no such mask. Of a chain: the elements that are not 0 because its
// factor is a select of 0, but for converts, moves and constant factors.
std::optional<VisibleKeys> FindVisibleKeys(const AttentionForm& form, int64_t rows_dim);

// Whether there is one along any dimension of the queries.
bool MaskHidesKeys(const AttentionForm& form);

// Whether the logits of a softmax or of statistics have such a mask, and each query sees a key.
bool EveryQuerySeesKeys(const AttentionForm& form);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_ATTENTION_MASK_H_
