// The shape of attention in a graph: softmax(logits(Q·K)) · V, the matrix of scores between two
// products. The pass that forms such kernels, the rules of kernel_form.h and the lowering go by it.
#ifndef HALYARD_LOWERING_ATTENTION_FORM_H_
#define HALYARD_LOWERING_ATTENTION_FORM_H_

#include <optional>
#include <unordered_map>
#include <vector>

#include "frontend/hlo/module.h"
#include "runtime/device_info.h"

namespace halyard::lowering {

// scores = dot(Q, K); logits: what `max` reduces, computed from scores; weights: computed from
// logits and max (exp of their difference), `sum` reduces what is computed from them alone;
// divide = weights / what is computed from sum; product = dot(divide, V), with converts, transposes
// and reshapes that change no order between. All other ops between are elementwise or broadcast
// rows.
struct AttentionForm {
  const hlo::Instruction* scores = nullptr;
  const hlo::Instruction* logits = nullptr;
  const hlo::Instruction* max = nullptr;
  const hlo::Instruction* weights = nullptr;
  const hlo::Instruction* sum = nullptr;
  const hlo::Instruction* divide = nullptr;
  const hlo::Instruction* product = nullptr;
  // weights = exp(logits - shift), but for conversions, shift computed from max alone and the same
  // for all keys; null: they are something else.
  const hlo::Instruction* shift = nullptr;
  int64_t query_operand = 0;    // of scores
  int64_t weights_operand = 0;  // of product

  // Which dimension of `scores` each dimension of a value is; kNone: of size 1; kValueDim: the one
  // that comes from V. Of every value that depends on the scores, up to `product`.
  static constexpr int64_t kNone = -1, kValueDim = -2;
  std::unordered_map<const hlo::Instruction*, std::vector<int64_t>> places;
  int64_t key_dim = 0;         // of scores: summed by product
  std::vector<bool> is_query;  // dimensions of scores that only Q has, those of size 1 apart
  int64_t head_size = 1, value_size = 1;  // summed by scores; along kValueDim
};

// The form whose last product is `product`, if it is one.
std::optional<AttentionForm> FindAttention(const hlo::Instruction& product);

// Places of a value that converts, transposes and reshapes which change no order make of
// `product`; empty if `value` is something else. `chain`, if given, gets those ops, last first.
std::vector<int64_t> EpiloguePlaces(const AttentionForm& form, const hlo::Instruction& value,
                                    std::vector<const hlo::Instruction*>* chain = nullptr);

// The form of a kernel that is attention and nothing else (kernel_form.h, rule 7).
std::optional<AttentionForm> AttentionOfKernel(const hlo::Computation& kernel);

// How a GPU's workgroup does attention: threads_k × threads_q threads, each with `keys` keys of a
// block and `rows` queries.
struct AttentionGroup {
  int64_t threads_k = 16, threads_q = 16;
  int64_t keys = 2, rows = 4;
  bool stage_queries = false;  // they lie in shared memory too
  int64_t block_k() const { return threads_k * keys; }
  int64_t block_q() const { return threads_q * rows; }
  int64_t value_columns(const AttentionForm& form) const {  // of a thread
    return (form.value_size + threads_k - 1) / threads_k;
  }
  int64_t SharedBytes(const AttentionForm& form) const;
  // Iterations of a thread's loops, roughly.
  int64_t Steps(const AttentionForm& form) const;
};

// The largest group that the device has room for; none: attention is not done in one kernel there.
std::optional<AttentionGroup> GroupFor(const AttentionForm& form,
                                       const runtime::DeviceInfo& device);

// Whether the device does it well in one kernel: shared memory, types.
bool AttentionFits(const AttentionForm& form, const runtime::DeviceInfo& device);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_ATTENTION_FORM_H_
