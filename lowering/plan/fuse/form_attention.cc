// Makes one kernel of attention before the fusion pass cuts the rest: what is between its two
// products, with the masks and biases that are cheap to compute again, and what reorders the
// result. docs/passes.md, Attention.
#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_set>

#include "frontend/hlo/ir/op_table.h"
#include "lowering/kernels/attention/form.h"
#include "lowering/kernels/attention/moves.h"
#include "lowering/kernels/kernel_form.h"
#include "lowering/plan/fuse/attention_kernel.h"
#include "lowering/plan/fuse/fusion_group.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;

// From this size on, writing the scores costs more than the other work of the kernel: scores that
// the first cache holds cost nothing.
constexpr int64_t kLeastScoreBytes = 256 << 10;
// A software device runs a workgroup's threads one after the other, and its memory is in the CPU's
// caches. There, one kernel is worthwhile only for the memory that it saves.
constexpr int64_t kLeastSoftwareBytes = 256 << 20;
constexpr int64_t kLeastQueries = 16, kLeastKeys = 64;
constexpr int64_t kMostHeadSize = 256;
constexpr int kMostRepeatedOps = 24;

bool IsWorthIt(const AttentionForm& form, const runtime::DeviceInfo& device) {
  const hlo::Shape& scores = form.scores->shape;
  int64_t queries = 1;
  for (int64_t d = 0; d < scores.rank(); ++d) {
    if (form.is_query[d]) queries *= scores.dim(d);
  }
  return queries >= kLeastQueries && scores.dim(form.key_dim) >= kLeastKeys &&
         scores.ByteSize() >= (device.software ? kLeastSoftwareBytes : kLeastScoreBytes) &&
         form.head_size <= kMostHeadSize && form.value_size <= kMostHeadSize;
}

using PositionMap = std::unordered_map<const Instruction*, size_t>;

class Former {
 public:
  Former(const AttentionForm& form, const UserMap& users, size_t max_buffers)
      : form_(form), users_(users), max_buffers_(max_buffers) {}

  // Collects the members, operands first, and what they read. Returns false if they cannot be one
  // kernel.
  bool Collect();
  // `position` is that of each instruction of the sequence. Changes nothing but for a computation
  // without callers if that is no kernel.
  void Outline(Rewriter& rewriter, const PositionMap& position) const;

 private:
  bool IsDependent(const Instruction* inst) const { return form_.places.contains(inst); }
  bool MayRepeat(const Instruction& inst, bool all_sizes) const;
  bool Collect(bool all_sizes);
  void Add(Instruction* inst, bool all_sizes);

  const AttentionForm& form_;
  const UserMap& users_;
  size_t max_buffers_;
  std::vector<Instruction*> members_, inputs_;
  std::unordered_set<const Instruction*> seen_;
  int repeated_ = 0;
};

// reshape(slice(x)) that splits the last dimension, of which the slice has some of the new groups →
// slice(reshape(x)), because attention reads parts of arrays where they lie, but no reshapes.
// Returns null if the value is something else.
Instruction* SliceOfReshape(Rewriter& rewriter, const Instruction& reshape) {
  if (reshape.opcode != Opcode::kReshape || reshape.operand(0)->opcode != Opcode::kSlice)
    return nullptr;
  const Instruction& slice = *reshape.operand(0);
  const hlo::Shape &whole = slice.operand(0)->shape, &part = slice.shape;
  const int64_t last = part.rank() - 1;
  if (reshape.shape.rank() <= part.rank()) return nullptr;
  for (int64_t d = 0; d < last; ++d) {
    if (reshape.shape.dim(d) != part.dim(d)) return nullptr;
  }
  int64_t size = 1;  // of a group
  for (int64_t d = last + 1; d < reshape.shape.rank(); ++d) size *= reshape.shape.dim(d);
  hlo::SliceDims dims = slice.GetSlice();
  if (size == 0 || dims[last].stride != 1 || dims[last].start % size != 0 ||
      whole.dim(last) % size != 0)
    return nullptr;
  std::vector<int64_t> split = whole.dims();
  split[last] /= size;
  dims[last].start /= size;
  dims[last].limit = dims[last].start + reshape.shape.dim(last);
  for (int64_t d = last + 1; d < reshape.shape.rank(); ++d) {
    split.push_back(reshape.shape.dim(d));
    dims.push_back({0, split.back(), 1});
  }
  Instruction* all = rewriter.AddReshape(slice, slice.operands[0], split);
  return rewriter.Add(slice, Opcode::kSlice, reshape.shape, {all}, OneAttr(Attr::kSlice, dims));
}

// Returns whether the kernel may compute the value, which does not depend on the scores, again for
// each use.
bool Former::MayRepeat(const Instruction& inst, bool all_sizes) const {
  if (!inst.shape.IsArray()) return false;
  if (inst.opcode == Opcode::kConstant) return inst.shape.ByteSize() <= kMaxInlineConstantBytes;
  if (!all_sizes && inst.shape.NumElements() < form_.scores->shape.NumElements()) return false;
  switch (inst.opcode) {
    case Opcode::kIota:
    case Opcode::kBroadcast:
    case Opcode::kTranspose:
      return true;
    case Opcode::kReshape:
      return IsMove(inst);
    case Opcode::kDivide:
    case Opcode::kRemainder:
    case Opcode::kSqrt:
    case Opcode::kRsqrt:
      return inst.shape.IsScalar();
    default:
      return hlo::RowOf(inst.opcode).elementwise && !IsTranscendental(inst.opcode) &&
             !HasComplex(inst.shape);
  }
}

void Former::Add(Instruction* inst, bool all_sizes) {
  if (!seen_.insert(inst).second) return;
  const bool dependent = IsDependent(inst);
  if (!dependent) {
    const bool repeat = repeated_ < kMostRepeatedOps && MayRepeat(*inst, all_sizes);
    if (!repeat) {
      inputs_.push_back(inst);
      return;
    }
    if (inst->opcode != Opcode::kConstant) ++repeated_;
  }
  for (size_t i = 0; i < inst->operands.size(); ++i) {
    Instruction* operand = inst->operands[i];
    // The factors of products lie in memory, with at most conversions, transposes and slices
    // between.
    const bool factor = inst->opcode == Opcode::kDot && !IsDependent(operand);
    while (factor && seen_.insert(operand).second) {
      if (!IsLightFactorOp(*operand)) {
        inputs_.push_back(operand);
        break;
      }
      members_.push_back(operand);
      operand = operand->operands[0];
    }
    if (!factor) Add(operand, all_sizes);
  }
  members_.push_back(inst);
}

bool Former::Collect(bool all_sizes) {
  members_.clear();
  inputs_.clear();
  seen_.clear();
  repeated_ = 0;
  Add(const_cast<Instruction*>(form_.product), all_sizes);
  return members_.size() + inputs_.size() + 8 <= kMaxKernelInstructions &&
         inputs_.size() + 1 <= max_buffers_;
}

bool Former::Collect() {
  for (const auto& [inst, places] : form_.places) {
    if (inst == form_.product) continue;
    if (inst == inst->parent->root()) return false;
    for (const Instruction* user : users_.at(inst)) {
      if (!IsDependent(user)) return false;
    }
  }
  return Collect(true) || Collect(false);
}

void Former::Outline(Rewriter& rewriter, const PositionMap& position) const {
  Instruction* last = LastMoveAfter(const_cast<Instruction*>(form_.product), users_);
  std::vector<Instruction*> members = members_;
  // This follows the order of the instructions, because factors' ops are listed backwards.
  std::sort(members.begin(), members.end(), [&](const Instruction* a, const Instruction* b) {
    return position.at(a) < position.at(b);
  });
  for (Instruction* at = members_.back(); at != last;) {
    at = users_.at(at)[0];
    members.push_back(at);
  }
  Computation* kernel = last->parent->module()->AddComputation("attention." + last->name);
  std::unordered_map<const Instruction*, Instruction*> copies;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    copies[inputs_[i]] = kernel->AddParameter(static_cast<int64_t>(i), inputs_[i]->shape);
  }
  hlo::Provenance provenance;
  for (const Instruction* member : members) {
    std::vector<Instruction*> operands;
    for (const Instruction* operand : member->operands) operands.push_back(copies.at(operand));
    copies[member] = kernel->AddClone(*member, std::move(operands));
    copies[member]->attrs.Erase(Attr::kFrontendAttributes);
    provenance.Unite(member->provenance);
  }
  kernel->set_root(copies.at(last));
  // A factor may lie behind more ops than a kernel reads through.
  if (!VerifyKernelForm(*kernel).ok()) return;
  Instruction* fusion = rewriter.Add(*last, Opcode::kFusion, last->shape, inputs_,
                                     OneAttr(Attr::kKind, std::string("kLoop")), {kernel});
  fusion->provenance = provenance;
  rewriter.Replace(last, fusion);
}

// Returns the attention that ends in `inst` and becomes a kernel, if the choices and the rules say
// so.
std::optional<AttentionForm> WantedAttention(const Instruction& inst,
                                             const runtime::DeviceInfo& device,
                                             const PlanChoices& choices) {
  if (inst.opcode != Opcode::kDot || IsOnHost(inst)) return std::nullopt;
  std::optional<AttentionForm> form = FindAttention(inst);
  if (!form.has_value() || !AttentionFits(*form, device)) return std::nullopt;
  auto choice = choices.attention.find(inst.name);
  const bool wanted = choice == choices.attention.end() ? IsWorthIt(*form, device) : choice->second;
  return wanted ? form : std::nullopt;
}

// Makes slices of the reshapes between the factors of attention and an array of which they are
// parts.
absl::Status ExposeSlices(Computation* sequence, const runtime::DeviceInfo& device,
                          const PlanChoices& choices) {
  Rewriter rewriter(sequence);
  for (Instruction* inst : rewriter.Snapshot()) {
    const std::optional<AttentionForm> form = WantedAttention(*inst, device, choices);
    if (!form.has_value()) continue;
    for (const Instruction* dot : {form->scores, form->product}) {
      for (Instruction* factor : dot->operands) {
        if (form->places.contains(factor)) continue;
        while (factor->opcode == Opcode::kConvert || IsMove(*factor)) factor = factor->operands[0];
        if (Instruction* slice = SliceOfReshape(rewriter, *factor); slice != nullptr)
          rewriter.Replace(factor, slice);
      }
    }
  }
  return rewriter.changed() ? rewriter.Finish() : absl::OkStatus();
}

absl::Status FormIn(Computation* sequence, const runtime::DeviceInfo& device, size_t max_buffers,
                    const PlanChoices& choices) {
  if (absl::Status s = ExposeSlices(sequence, device, choices); !s.ok()) return s;
  Rewriter rewriter(sequence);
  const UserMap users = sequence->Users();
  const std::vector<Instruction*> instructions = rewriter.Snapshot();
  PositionMap position;
  for (const Instruction* inst : instructions) position.emplace(inst, position.size());
  for (Instruction* inst : instructions) {
    const std::optional<AttentionForm> form = WantedAttention(*inst, device, choices);
    if (!form.has_value()) continue;
    Former former(*form, users, max_buffers);
    if (!former.Collect()) continue;
    former.Outline(rewriter, position);
  }
  return rewriter.changed() ? rewriter.Finish() : absl::OkStatus();
}

}  // namespace

std::vector<std::pair<Instruction*, bool>> FindAttentions(hlo::Module& module,
                                                          const runtime::DeviceInfo& device) {
  const auto max_buffers = static_cast<size_t>(FusionLimitsOf(device).max_buffers);
  std::vector<std::pair<Instruction*, bool>> found;
  for (Computation* sequence : SequencesOf(module)) {
    const UserMap users = sequence->Users();
    for (const auto& inst : sequence->instructions()) {
      if (inst->opcode != Opcode::kDot || IsOnHost(*inst)) continue;
      const std::optional<AttentionForm> form = FindAttention(*inst);
      if (!form.has_value() || !AttentionFits(*form, device)) continue;
      if (!Former(*form, users, max_buffers).Collect()) continue;
      found.push_back({inst.get(), IsWorthIt(*form, device)});
    }
  }
  return found;
}

absl::Status FormAttention(hlo::Module& module, const runtime::DeviceInfo& device,
                           const PlanChoices& choices) {
  const auto max_buffers = static_cast<size_t>(FusionLimitsOf(device).max_buffers);
  for (Computation* sequence : SequencesOf(module)) {
    if (absl::Status s = FormIn(sequence, device, max_buffers, choices); !s.ok()) return s;
  }
  module.RemoveUnreachableComputations();
  return absl::OkStatus();
}

}  // namespace halyard::lowering
