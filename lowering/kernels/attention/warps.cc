#include "lowering/kernels/attention/warps.h"

#include <algorithm>
#include <string>
#include <utility>

#include "lowering/kernels/attention/mask.h"
#include "lowering/kernels/kernel_form.h"

namespace halyard::lowering {

using hlo::ElementType;

namespace {

constexpr int64_t kWarp = 32;
constexpr int64_t kLargestHead = 128;  // of queries and keys, and of values
// Registers for addresses, maxima, sums and masks.
constexpr int64_t kOtherRegisters = 52;
// The registers that a default leaves for masks and biases.
constexpr int64_t kSpareRegisters = 32;

constexpr int64_t kMostSplits = 32;  // all of which the second pass reads

int64_t RoundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

// The type of a factor that is only widened before the product.
ElementType NarrowType(const hlo::Instruction* factor) {
  const ElementType type = factor->shape.element_type();
  while (factor->opcode == hlo::Opcode::kReshape || factor->opcode == hlo::Opcode::kTranspose)
    factor = factor->operand(0);
  if (factor->opcode != hlo::Opcode::kConvert) return type;
  const ElementType from = factor->operand(0)->shape.element_type();
  return from == ElementType::kF16 || from == ElementType::kBF16 ? from : type;
}

// Returns the type in which the factors of a product are multiplied: narrower than f32 only if the
// algorithm of the program says so, or if both factors have no more bits.
const MmaIntrinsic* MmaOf(const hlo::Instruction& dot, int capability) {
  ElementType type = dot.operand(0)->shape.element_type();
  if (dot.operand(1)->shape.element_type() != type) return nullptr;
  if (type == ElementType::kF32) {
    const std::string algorithm =
        dot.Has(hlo::Attr::kAlgorithm) ? dot.GetString(hlo::Attr::kAlgorithm) : "";
    const ElementType narrow = NarrowType(dot.operand(0));
    if (algorithm == "dot_bf16_bf16_f32") {
      type = ElementType::kBF16;
    } else if (algorithm == "dot_f16_f16_f32") {
      type = ElementType::kF16;
    } else if (narrow != type && NarrowType(dot.operand(1)) == narrow) {
      type = narrow;
    } else if (algorithm != "dot_tf32_tf32_f32") {
      return nullptr;
    }
  } else if (type != ElementType::kF16 && type != ElementType::kBF16) {
    return nullptr;
  }
  return FindMma(type, type, capability);
}

int64_t HeadWords(int64_t size, const MmaIntrinsic& mma) {
  return RoundUp((size + mma.elements - 1) / mma.elements, 16);
}

}  // namespace

int64_t AttentionWords::Registers(const AttentionWarps& warps) const {
  const int64_t sums = warps.tiles_q * values / 2;
  const int64_t queries = warps.tiles_q * (head + second_head) / 2;
  const int64_t block = warps.tiles_q * warps.keys / 2;  // of scores
  const int64_t weights = product == nullptr ? block : block / product->elements;
  const int64_t copied = warps.keys * (head + second_head) +
                         (product == nullptr ? 0 : warps.keys / product->elements * values);
  const int64_t copies = warps.ahead ? copied / (warps.warps * kWarp) : 0;
  // Scores are no longer needed once their weights are computed.
  return sums + queries + (second == nullptr ? 1 : 2) * block + weights / 2 + copies +
         kOtherRegisters;
}

int64_t AttentionWords::SharedBytes(const AttentionWarps& warps) const {
  int64_t words = warps.keys * KeyStride(head);
  if (second != nullptr) words += warps.keys * KeyStride(second_head);
  if (product != nullptr) words += warps.keys / product->elements * value_stride();
  return 4 * words;
}

namespace {

// Returns whether the values that a softmax kernel or statistics keep are f32 or narrower, and sums
// begin at zero.
bool SoftmaxFits(const AttentionForm& form) {
  if (form.shift == nullptr || !IsZero(*form.sum->operand(1))) return false;
  for (const hlo::Instruction* value : {form.logits, form.max, form.weights, form.shift}) {
    if (hlo::BitWidth(value->shape.element_type()) > 32) return false;
  }
  return form.sum->shape.element_type() == ElementType::kF32;
}

}  // namespace

std::optional<AttentionWords> WordsFor(const AttentionForm& form, int capability) {
  if (form.head_size > kLargestHead || form.second_head_size > kLargestHead ||
      form.value_size > kLargestHead) {
    return std::nullopt;
  }
  if (form.kind != AttentionForm::Kind::kChain && !SoftmaxFits(form)) return std::nullopt;
  AttentionWords words;
  words.scores = MmaOf(*form.scores, capability);
  if (words.scores == nullptr) return std::nullopt;
  words.head = HeadWords(form.head_size, *words.scores);
  if (form.second != nullptr) {
    words.second = MmaOf(*form.second, capability);
    if (words.second == nullptr) return std::nullopt;
    words.second_head = HeadWords(form.second_head_size, *words.second);
  }
  if (form.product != nullptr) {
    words.product = MmaOf(*form.product, capability);
    if (words.product == nullptr) return std::nullopt;
    words.values = RoundUp(form.value_size, 32);
  }
  return words;
}

bool Fits(const AttentionWords& words, const AttentionWarps& warps,
          const runtime::DeviceInfo& device) {
  if (device.kind != runtime::DeviceKind::kCuda) return true;
  const int64_t limit = device.max_thread_registers == 0 ? 255 : device.max_thread_registers;
  const int64_t registers = words.Registers(warps), threads = warps.warps * kWarp;
  if (registers > limit || words.SharedBytes(warps) > device.max_shared_bytes) return false;
  if (device.max_group_registers != 0 && registers * threads > device.max_group_registers) {
    return false;
  }
  if (device.max_threads_per_group != 0 && threads > device.max_threads_per_group) return false;
  return device.max_group[2] == 0 || warps.warps <= device.max_group[2];
}

namespace {

// Splits the keys if few queries leave units idle and there are many keys. A mask that cuts the
// keys is not split.
int64_t Splits(const AttentionForm& form, int64_t groups, int64_t blocks, int64_t units) {
  if (form.kind != AttentionForm::Kind::kSoftmax || MaskHidesKeys(form)) return 1;
  const int64_t splits = std::min({4 * units / groups, blocks / 4, kMostSplits});
  return groups >= units || splits < 2 ? 1 : splits;
}

}  // namespace

std::optional<AttentionWarps> WarpsFor(const AttentionForm& form,
                                       const runtime::DeviceInfo& device) {
  const std::optional<AttentionWords> words = WordsFor(form, device.cuda_capability);
  if (!words.has_value()) return std::nullopt;
  int64_t queries = 1, others = 1;
  for (int64_t d = 0; d < form.scores->shape.rank(); ++d) {
    const int64_t extent = form.scores->shape.dim(d);
    if (form.is_query[d]) queries = std::max(queries, extent);
    if (d != form.key_dim) others *= extent;
  }
  others /= queries;
  const int64_t units = runtime::UnitsOf(device);
  const int64_t limit = device.max_thread_registers == 0 ? 255 : device.max_thread_registers;
  const int64_t all_keys = form.scores->shape.dim(form.key_dim);
  // More queries of a warp read less of shared memory for each product, as long as there is work
  // for all units; longer blocks of keys have fewer barriers. Eight warps share the copies of such
  // a block where four have no registers for them: 156 µs, not 180, for 16 × 2048 × 128 on an H100.
  // Where a mask cuts the keys, their group would visit more of those that are hidden.
  const bool eight = device.cuda_capability >= 90 && !MaskHidesKeys(form);
  std::optional<AttentionWarps> best;
  for (int64_t tiles_q : {2, 1}) {
    for (bool ahead : {true, false}) {
      for (const auto& [keys, count] : {std::pair<int64_t, int64_t>{64, 4}, {64, 8}, {32, 4}}) {
        if (count == 8 && (!eight || !ahead)) continue;
        AttentionWarps warps;
        warps.tiles_q = tiles_q;
        warps.keys = keys;
        warps.warps = count;
        warps.ahead = ahead;
        while (warps.warps > 1 && warps.block_q() / 2 >= queries) warps.warps /= 2;
        if (words->Registers(warps) + kSpareRegisters > limit || !Fits(*words, warps, device)) {
          continue;
        }
        const int64_t groups = (queries + warps.block_q() - 1) / warps.block_q() * others;
        if (groups * count >= 8 * units) return warps;
        // The last that fits has the most groups.
        if (best.has_value() && tiles_q >= best->tiles_q) continue;
        best = warps;
        best->splits = Splits(form, groups, all_keys / warps.keys, units);
      }
    }
  }
  return best;
}

}  // namespace halyard::lowering
