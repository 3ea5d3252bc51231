#include "lowering/kernels/attention/form.h"

#include <algorithm>

#include "lowering/kernels/attention/moves.h"
#include "lowering/kernels/attention/warps.h"
#include "lowering/kernels/kernel_form.h"
#include "runtime/device_class.h"

namespace halyard::lowering {

using hlo::Instruction;
using hlo::Opcode;

std::vector<int64_t> EpiloguePlaces(const AttentionForm& form, const Instruction& value,
                                    std::vector<const Instruction*>* chain) {
  if (form.kind == AttentionForm::Kind::kStatistics) return form.places.at(form.max);
  if (&value == form.product) return form.places.at(&value);
  if (value.opcode != Opcode::kConvert && !IsMove(value)) return {};
  std::vector<int64_t> from;
  if (chain != nullptr) chain->push_back(&value);
  from = EpiloguePlaces(form, *value.operand(0), chain);
  if (from.empty() || value.opcode == Opcode::kConvert) return from;
  return MovedPlaces(value, from);
}

std::optional<AttentionForm> AttentionOfKernel(const hlo::Computation& kernel) {
  const Instruction* root = kernel.root();
  while (root->opcode == Opcode::kConvert || IsMove(*root)) root = root->operand(0);
  std::vector<const Instruction*> heroes;
  size_t dots = 0;
  for (const auto& inst : kernel.instructions()) {
    if (FormOf(inst->opcode) != OpForm::kFunc) continue;
    heroes.push_back(inst.get());
    dots += inst->opcode == Opcode::kDot ? 1 : 0;
  }
  std::optional<AttentionForm> form;
  if (root->opcode == Opcode::kTuple) {
    form = FindStatistics(*root);
  } else if (dots < 2 || heroes.back() != root) {
    return std::nullopt;
  } else {
    form = dots == heroes.size() ? FindChain(*root) : FindAttention(*root);
  }
  if (!form.has_value()) return std::nullopt;
  size_t found = 0;
  for (const Instruction* hero :
       {form->scores, form->second, form->max, form->sum, form->extra, form->product}) {
    if (hero == nullptr) continue;
    if (std::find(heroes.begin(), heroes.end(), hero) == heroes.end()) return std::nullopt;
    ++found;
  }
  return found == heroes.size() ? form : std::nullopt;
}

int64_t AttentionGroup::SharedBytes(const AttentionForm& form) const {
  const int64_t tile =
      std::max(block_k() * (form.head_size + 1), block_k() * threads_k * value_columns(form));
  const int64_t queries = stage_queries ? block_q() * (form.head_size + 1) : 0;
  const int64_t sums = block_q() * threads_k * (value_columns(form) + 1);
  const int64_t maxima = block_q() * (threads_k + 1);
  // Weights are stored twice, because they may be rounded before they are multiplied.
  return 4 * (2 * tile + queries + sums + maxima + 2 * block_q() * block_k());
}

int64_t AttentionGroup::Steps(const AttentionForm& form) const {
  const int64_t blocks = (form.scores->shape.dim(form.key_dim) + block_k() - 1) / block_k();
  const int64_t loads =
      block_k() * (2 * form.head_size + form.value_size) / (threads_k * threads_q) + 8;
  return blocks * (2 * form.head_size / 4 + block_k() + loads);
}

std::optional<AttentionGroup> GroupFor(const AttentionForm& form,
                                       const runtime::DeviceInfo& device) {
  for (const Instruction* value : {form.scores, form.sum, form.product, form.max}) {
    if (hlo::BitWidth(value->shape.element_type()) > 32) return std::nullopt;
  }
  // Mesa's software device ends loops after 65,535 iterations.
  constexpr int64_t kMostSteps = 49152;
  int64_t queries = 1;
  for (int64_t d = 0; d < form.scores->shape.rank(); ++d) {
    if (form.is_query[d]) queries = std::max(queries, form.scores->shape.dim(d));
  }
  // Leaves a quarter to what cannot be counted here.
  const int64_t shared = static_cast<int64_t>(device.max_shared_bytes) / 4 * 3;
  for (int64_t threads_q : {16, 8, 4, 2}) {
    for (int64_t keys : {2, 1}) {
      for (int64_t rows : {4, 2, 1}) {
        AttentionGroup group;
        group.threads_q = threads_q;
        group.keys = keys;
        group.rows = rows;
        const int64_t threads = group.threads_k * group.threads_q;
        if (threads > device.max_threads_per_group || threads > device.max_group[0]) continue;
        if (group.block_q() > queries || group.SharedBytes(form) > shared) continue;
        if (device.software && group.Steps(form) > kMostSteps) continue;
        group.stage_queries = true;
        group.stage_queries = group.SharedBytes(form) <= shared;
        return group;
      }
    }
  }
  return std::nullopt;
}

bool AttentionFits(const AttentionForm& form, const runtime::DeviceInfo& device) {
  constexpr int64_t kLeastColumns = 4;  // of V, in tiles of x86's vectors
  if (!runtime::IsGpu(device)) return form.value_size >= kLeastColumns;
  // Where tensor cores cannot do both products in one kernel, they do them one after the other
  // faster than multiply-adds do them together.
  constexpr int32_t kTensorCores = 70;
  if (WarpsFor(form, device).has_value()) return true;
  const hlo::ElementType factor = form.scores->operand(0)->shape.element_type();
  if (device.cuda_capability >= kTensorCores && hlo::BitWidth(factor) < 32) return false;
  return GroupFor(form, device).has_value();
}

}  // namespace halyard::lowering
