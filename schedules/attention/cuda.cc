// attention_mma: softmax(logits(Q·K)) · V by tensor cores in one kernel, in one pass over the keys
// (Dao, "FlashAttention-2: faster attention with better parallelism and work partitioning", 2023).
//
// A warp has 16 · tiles_q queries of one head; their words of Q, their sums of weighted values,
// maxima and sums of weights stay in its registers. For each block of keys the workgroup copies K
// and V to shared memory, as words of the products; each warp multiplies its queries by the keys,
// finds the rows' new maxima (over the four lanes that share a row by shuffles), scales its sums by
// exp(old shift - new shift), makes weights of the scores and multiplies these by the values. The
// accumulators of the first product are in the order that words of A have in the second, so that
// weights go from one to the other in a lane's own registers.
//
// All that is kept from block to block is one Func, `state`, whose elements are the lane's
// registers and whose update definition, unrolled, is the list of steps that a block takes: which
// element a step sets, and to what, depends on its number.
//
// Chains and statistics of a gradient (lowering/kernels/attention/form.h) are the same loops with
// fewer steps: a chain's weights need no maximum, and its sums are never scaled; statistics have no
// product after the weights. Either may have a second product of the scores' shape.
//
// Where there are few queries and many keys, several groups take parts of the keys (`splits`), and
// a second launch puts together what they found.
//
// attention_wgmma (cuda_wgmma.cc) is the same on Hopper, where four warps multiply together, from
// shared memory.
//
// attention_mma_lanes is the same on x86, with lanes as loops and the intrinsics' CPU equivalents:
// slow, for tests of the above. It is never a default.

#include "schedules/attention/cuda.h"

#include <algorithm>
#include <optional>

#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using hlo::ElementType;
using lowering::AttentionForm;
using lowering::AttentionWarps;
using lowering::AttentionWords;
using lowering::LoweredKernel;

namespace {

bool OnDevice(const LoweredKernel& kernel) {
  return kernel.device.kind == runtime::DeviceKind::kCuda;
}

}  // namespace

AttentionMma::AttentionMma(LoweredKernel& kernel, const AttentionParts& parts,
                           const AttentionWords& words, const AttentionWarps& warps)
    : kernel_(kernel),
      parts_(parts),
      form_(*parts.form),
      words_(words),
      warps_(warps),
      on_device_(OnDevice(kernel)),
      capability_(on_device_ ? kernel.device.cuda_capability : 0) {
  if (on_device_ && warps.splits == 1) visible_ = lowering::FindVisibleKeys(form_, parts.rows_dim);
  for (const auto& instruction : kernel.module->entry()->instructions())
    masks_places_ = masks_places_ || instruction->opcode == hlo::Opcode::kIota;
  key_tiles_ = warps.keys / 8;
  if (warps.warpgroups) {
    warpgroup_ = WarpgroupsOf(parts, words, warps);
  } else if (HasProduct()) {
    value_groups_ = words.values / 32;
    chunks_ = warps.keys / words.product->k();
  }
  products_.push_back({.hero = parts.scores,
                       .mma = words.scores,
                       .query_operand = form_.query_operand,
                       .head = words.head,
                       .head_size = form_.head_size,
                       .name = ""});
  if (form_.second != nullptr) {
    products_.push_back({.hero = parts.second,
                         .mma = words.second,
                         .query_operand = form_.second_query_operand,
                         .head = words.second_head,
                         .head_size = form_.second_head_size,
                         .name = "second_"});
  }
  blocks_q_ = (parts.queries + warps.block_q() - 1) / warps.block_q();
  groups_ = blocks_q_;
  // Queries that share their keys come one after the other.
  for (bool query : {true, false}) {
    for (size_t d = 0; d < form_.is_query.size(); ++d) {
      const int64_t place = form_.places.at(form_.scores)[d];
      if (place == AttentionForm::kNone || place == form_.key_dim || place == parts.rows_dim ||
          form_.is_query[d] != query) {
        continue;
      }
      others_.push_back({place, form_.scores->shape.dim(place)});
      groups_ *= others_.back().second;
    }
  }
}

lowering::WarpgroupAttention WarpgroupsOf(const AttentionParts& parts, const AttentionWords& words,
                                          const AttentionWarps& warps) {
  return {.scores = words.scores,
          .product = words.product,
          .warps = warps.warps,
          .keys = warps.keys,
          .head = parts.head_size,
          .values = parts.value_size};
}

std::optional<AttentionWords> AttentionWordsOf(const LoweredKernel& kernel) {
  constexpr int kNewest = 80;  // of the intrinsics' CPU equivalents
  const AttentionParts parts = PartsOf(kernel);
  if (!parts.valid || kernel.in_place || kernel.complex_outputs) return std::nullopt;
  const std::optional<AttentionWords> words =
      lowering::WordsFor(*parts.form, OnDevice(kernel) ? kernel.device.cuda_capability : kNewest);
  bool sums = true;
  for (const lowering::Hero* hero :
       {parts.scores, parts.second, parts.sum, parts.extra, parts.product})
    sums = sums && (hero == nullptr || hero->types[0] == ElementType::kF32);
  return sums ? words : std::nullopt;
}

namespace {

AttentionWarps DefaultWarps(const LoweredKernel& kernel) {
  if (OnDevice(kernel)) return *lowering::WarpsFor(kernel.As<AttentionForm>(), kernel.device);
  return {.tiles_q = 1, .warps = 1, .keys = 32, .ahead = false, .splits = 1};
}

bool Accepts(const LoweredKernel& kernel) {
  return AttentionWordsOf(kernel).has_value() &&
         lowering::WarpsFor(kernel.As<AttentionForm>(), kernel.device).has_value();
}

bool AcceptsLanes(const LoweredKernel& kernel) { return AttentionWordsOf(kernel).has_value(); }

Schedule Defaults(const LoweredKernel& kernel) {
  const AttentionWarps warps = DefaultWarps(kernel);
  return Schedule(OnDevice(kernel) ? kAttentionMma.name : kAttentionMmaLanes.name)
      .Set("tiles_q", warps.tiles_q)
      .Set("warps", warps.warps)
      .Set("keys", warps.keys)
      .Set("ahead", warps.ahead ? 1 : 0)
      .Set("splits", warps.splits);
}

std::vector<Knob> Space(const LoweredKernel& kernel) {
  const AttentionWarps warps = DefaultWarps(kernel);
  const bool splits =
      OnDevice(kernel) && kernel.As<AttentionForm>().kind == AttentionForm::Kind::kSoftmax;
  return {{"tiles_q", Choices({1, 2}, 2, warps.tiles_q)},
          {"warps", Choices({1, 2, 4, 8}, 8, warps.warps)},
          {"keys", Choices({32, 64, 96, 128}, 128, warps.keys)},
          {"ahead", OnDevice(kernel) ? std::vector<int64_t>{0, 1} : std::vector<int64_t>{0}},
          {"splits",
           splits ? Choices({1, 2, 3, 4, 8, 16, 32}, 32, warps.splits) : std::vector<int64_t>{1}}};
}

void Apply(LoweredKernel& kernel, const Schedule& schedule) {
  AttentionWarps warps;
  warps.tiles_q = schedule.Get("tiles_q");
  warps.warps = schedule.Get("warps");
  warps.keys = schedule.Get("keys");
  warps.ahead = schedule.Get("ahead") == 1;
  warps.splits = schedule.Get("splits");
  const AttentionParts parts = PartsOf(kernel);
  AttentionMma(kernel, parts, *AttentionWordsOf(kernel), warps).Build();
}

}  // namespace

const Template kAttentionMmaOnCuda = {.id = kAttentionMma,
                                      .forms = SetOfForms<AttentionForm>(),
                                      .device = DeviceClass::kCuda,
                                      .accepts = Accepts,
                                      .defaults = Defaults,
                                      .space = Space,
                                      .apply = Apply,
                                      .caps_registers = true};
const Template kAttentionMmaLanesOnX86 = {.id = kAttentionMmaLanes,
                                          .forms = SetOfForms<AttentionForm>(),
                                          .device = DeviceClass::kX86,
                                          .accepts = AcceptsLanes,
                                          .defaults = Defaults,
                                          .space = Space,
                                          .apply = Apply,
                                          .for_tests_only = true};

}  // namespace halyard::schedules
