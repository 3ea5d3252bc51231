// The shape of attention in a graph: softmax(logits(Q·K)) · V, with the matrix of scores between
// two products, and the shapes of the kernels that its gradient consists of. The passes that form
// such kernels, the rules of kernel_form.h and the lowering follow them.
#ifndef HALYARD_LOWERING_KERNELS_ATTENTION_FORM_H_
#define HALYARD_LOWERING_KERNELS_ATTENTION_FORM_H_

#include <optional>
#include <unordered_map>
#include <vector>

#include "frontend/hlo/ir/module.h"
#include "runtime/device_info.h"

namespace halyard::lowering {

// scores = dot(Q, K). `logits` are computed from the scores, and `max` reduces them. `weights` are
// computed from logits and max (as exp of their difference), and `sum` reduces what is computed
// from them alone: the weights behind conversions and moves. divide = weights / (a value computed
// from sum, the same for all keys). product = dot(divide, V), with converts, transposes and
// reshapes between that change no order; V does not depend on the scores. All other ops between are
// elementwise or broadcast rows. Two other kinds have parts of this only:
//
// - A chain has no reduction. product = dot(factor, V), where the factor is computed element by
//   element from the scores, from a `second` product of their shape or none, and from arrays. Its
//   queries are the dimensions of the result that V lacks: in the gradient of K, the program's
//   keys.
// - Statistics have no last product. Their results are max, sum and, if there is a second product,
//   `extra`, which are the sums over the keys that a gradient needs of each query.
struct AttentionForm {
  enum class Kind { kSoftmax, kChain, kStatistics };
  Kind kind = Kind::kSoftmax;
  const hlo::Instruction* scores = nullptr;
  const hlo::Instruction* logits = nullptr;
  const hlo::Instruction* max = nullptr;
  const hlo::Instruction* weights = nullptr;
  const hlo::Instruction* sum = nullptr;
  const hlo::Instruction* divide = nullptr;
  const hlo::Instruction* product = nullptr;
  // Set if weights = exp(logits - shift), apart from conversions, where shift is computed from max
  // alone and is the same for all keys. Null if the weights are something else.
  const hlo::Instruction* shift = nullptr;
  // Chains and statistics only; null if there is none.
  const hlo::Instruction* second = nullptr;
  const hlo::Instruction* extra = nullptr;
  std::vector<const hlo::Instruction*> row_ops;  // of statistics: from the shift to the maximum
  int64_t query_operand = 0;                     // of scores
  int64_t second_query_operand = 0;              // of second
  int64_t weights_operand = 0;                   // of product

  // The dimension of `scores` that each dimension of a value corresponds to, or kNone for a
  // dimension of size 1, or kValueDim for the one that comes from V. Holds every value that depends
  // on the scores, up to `product`.
  static constexpr int64_t kNone = -1, kValueDim = -2;
  std::unordered_map<const hlo::Instruction*, std::vector<int64_t>> places;
  int64_t key_dim = 0;         // of scores: product sums over it
  std::vector<bool> is_query;  // dimensions of scores that only Q has, except those of size 1
  int64_t head_size = 1, value_size = 1;  // summed by scores; elements along kValueDim
  int64_t second_head_size = 1;           // summed by second

  // What the last product multiplies by V.
  const hlo::Instruction* factor() const { return product->operand(weights_operand); }
};

// Returns the form whose last product is `product`, if there is one.
std::optional<AttentionForm> FindAttention(const hlo::Instruction& product);

// Returns the chain whose last product is `product`, if there is one.
std::optional<AttentionForm> FindChain(const hlo::Instruction& product);

// Returns the form of a tuple of reduces that are the statistics of one attention.
std::optional<AttentionForm> FindStatistics(const hlo::Instruction& tuple);

// Returns the places of a value that is `product` behind converts, transposes and reshapes that
// change no order. Empty if `value` is something else. If `chain` is given, it receives these ops,
// last first.
std::vector<int64_t> EpiloguePlaces(const AttentionForm& form, const hlo::Instruction& value,
                                    std::vector<const hlo::Instruction*>* chain = nullptr);

// Returns the form of a kernel that is attention, a chain or statistics, and nothing else
// (kernel_form.h, rule 7).
std::optional<AttentionForm> AttentionOfKernel(const hlo::Computation& kernel);

// How a workgroup of a GPU computes attention: it has threads_k × threads_q threads, each with
// `keys` keys of a block and `rows` queries.
struct AttentionGroup {
  int64_t threads_k = 16, threads_q = 16;
  int64_t keys = 2, rows = 4;
  bool stage_queries = false;  // whether queries lie in shared memory, too
  int64_t block_k() const { return threads_k * keys; }
  int64_t block_q() const { return threads_q * rows; }
  int64_t value_columns(const AttentionForm& form) const {  // columns of one thread
    return (form.value_size + threads_k - 1) / threads_k;
  }
  int64_t SharedBytes(const AttentionForm& form) const;
  // Iterations of a thread's loops, approximately.
  int64_t Steps(const AttentionForm& form) const;
};

// Returns the largest group for which the device has room. If there is none, attention is not one
// kernel on the device.
std::optional<AttentionGroup> GroupFor(const AttentionForm& form,
                                       const runtime::DeviceInfo& device);

// Returns whether one kernel does it well on the device, given its shared memory and the types.
bool AttentionFits(const AttentionForm& form, const runtime::DeviceInfo& device);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_ATTENTION_FORM_H_
