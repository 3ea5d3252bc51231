#include <algorithm>

#include "frontend/hlo/ir/op_table.h"
#include "lowering/kernels/contraction/packed_factor.h"
#include "lowering/kernels/kernel_form.h"
#include "lowering/plan/fuse/fusion_group.h"
#include "lowering/plan/repeated_ops.h"
#include "lowering/plan/rewriter.h"
#include "runtime/device_class.h"

namespace halyard::lowering {
namespace {

using hlo::Instruction;
using hlo::Opcode;

// Returns whether the value costs no memory traffic: constants, iotas and what is broadcast from a
// scalar.
bool IsFree(const Instruction& inst) {
  if (inst.shape.IsScalar()) return true;
  switch (inst.opcode) {
    case Opcode::kConstant:
      return inst.shape.ByteSize() <= kMaxInlineConstantBytes;
    case Opcode::kIota:
      return true;
    case Opcode::kBroadcast:
      return inst.operand(0)->shape.NumElements() * 4 <= inst.shape.NumElements();
    default:
      return false;
  }
}

bool MayHaveEpilogue(const Instruction& inst) {
  return inst.opcode == Opcode::kDot || inst.opcode == Opcode::kConvolution ||
         inst.opcode == Opcode::kReduceWindow;
}

// Whether the result of a product or its epilogue is in memory whatever becomes of it, because
// another hero reads it.
bool IsStored(const Instruction& inst, const FusionFacts& facts) {
  if (!MayHaveEpilogue(inst) && !facts.epilogues.contains(&inst)) return false;
  const std::vector<Instruction*>& users = facts.users.at(&inst);
  return std::any_of(users.begin(), users.end(),
                     [](const Instruction* user) { return IsHero(*user); });
}

// An index of so many ops, each counted as often as it is used, takes a tenth of a second to
// compile; the time grows with their number.
constexpr int64_t kMostIndexOps = 1000;

void CollectSequences(hlo::Computation* computation, std::vector<hlo::Computation*>* sequences) {
  sequences->push_back(computation);
  for (const auto& inst : computation->instructions()) {
    if (inst->opcode != Opcode::kWhile && inst->opcode != Opcode::kConditional) continue;
    for (hlo::Computation* callee : inst->called) CollectSequences(callee, sequences);
  }
}

}  // namespace

bool IsIndexOperand(const Instruction& user, size_t operand) {
  switch (user.opcode) {
    case Opcode::kGather:
      return operand == 1;
    case Opcode::kDynamicSlice:
      return operand >= 1;
    case Opcode::kDynamicUpdateSlice:
      return operand >= 2;
    case Opcode::kScatter:
      return operand == user.operands.size() / 2;
    case Opcode::kCountingPass:  // a digit of an element says where that goes
      return true;
    default:
      return false;
  }
}

bool IsCheapToRepeat(const Instruction& inst, const FusionFacts& facts) {
  switch (inst.opcode) {
    case Opcode::kConstant:
    case Opcode::kIota:
    case Opcode::kBroadcast:
      return true;
    case Opcode::kReshape:
      return IsDegenerateReshape(inst) || IsPackedFactor(inst);
    case Opcode::kSlice:
    case Opcode::kReverse:
    case Opcode::kTranspose:
      return !facts.from_hero.contains(inst.operand(0));
    default:
      break;
  }
  if (!hlo::RowOf(inst.opcode).elementwise || IsTranscendental(inst.opcode)) return false;
  if (facts.from_hero.contains(&inst)) return false;
  auto paid = [](const Instruction* operand) { return !IsFree(*operand); };
  return std::count_if(inst.operands.begin(), inst.operands.end(), paid) <= 1;
}

std::vector<hlo::Computation*> SequencesOf(hlo::Module& module) {
  std::vector<hlo::Computation*> sequences;
  CollectSequences(module.entry(), &sequences);
  return sequences;
}

FusionLimits FusionLimitsOf(const runtime::DeviceInfo& device) {
  FusionLimits limits;
  limits.max_buffers = kMaxKernelBuffers;
  if (device.max_storage_buffers != 0) {
    limits.max_buffers =
        static_cast<int>(std::min<uint32_t>(kMaxKernelBuffers, device.max_storage_buffers));
  }
  limits.device = device;
  limits.narrows_before_products =
      device.kind == runtime::DeviceKind::kCuda && device.cuda_capability >= 80;
  // One workgroup of a GPU folds a row of this length without making its device wait.
  limits.max_row_elements = 16384;
  // On a CPU, one kernel saves the arrays between several, whatever the length of a row. With fewer
  // rows than cores, separate kernels divide each row among the cores. The bound limits what a core
  // stores for its row.
  if (!runtime::IsGpu(device)) {
    constexpr int64_t kUsualCores = 16;
    limits.scales_matrices = true;
    limits.max_row_bytes = int64_t{1} << 24;
    limits.min_long_rows = device.compute_units != 0 ? device.compute_units : kUsualCores;
  }
  return limits;
}

FusionFacts CollectFacts(const hlo::Computation& sequence, const FusionLimits& limits) {
  FusionFacts facts;
  facts.users = sequence.Users();
  facts.limits = limits;
  facts.library = FindLibraryKernels(sequence, facts.users, limits.device);
  std::unordered_set<const Instruction*> stored;
  RepeatedOps ops(kMostIndexOps);
  int64_t position = 0;
  for (const auto& owned : sequence.instructions()) {
    const Instruction& inst = *owned;
    facts.position[&inst] = position++;
    // As if kernels held everything but heroes. Operands come first, so their numbers are known.
    ops.Of(inst);
    for (size_t i = 0; i < inst.operands.size(); ++i) {
      if (IsIndexOperand(inst, i) && ops.IsMany(*inst.operand(i)))
        facts.long_indices.insert(inst.operand(i));
    }
    const bool elementwise = hlo::RowOf(inst.opcode).elementwise;
    if (IsHero(inst)) {
      facts.from_hero.insert(&inst);
    } else if (elementwise || inst.opcode == Opcode::kBroadcast || IsDegenerateReshape(inst)) {
      for (const Instruction* operand : inst.operands) {
        if (facts.from_hero.contains(operand) && !stored.contains(operand))
          facts.from_hero.insert(&inst);
        if (!elementwise || facts.users[operand].size() != 1) continue;
        if (facts.library.members.contains(operand)) continue;
        if (MayHaveEpilogue(*operand) || facts.epilogues.contains(operand))
          facts.epilogues.insert(&inst);
      }
    }
    if (IsStored(inst, facts)) stored.insert(&inst);
  }
  return facts;
}

}  // namespace halyard::lowering
