#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/op_table.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;

bool SameComputation(const Computation& a, const Computation& b);

// Returns whether they are equal except for names, provenance and operands.
bool SameInstruction(const Instruction& a, const Instruction& b) {
  if (a.opcode != b.opcode || !(a.shape == b.shape) || !(a.attrs == b.attrs)) return false;
  if (a.parameter_number != b.parameter_number || a.called.size() != b.called.size()) return false;
  if (a.opcode == Opcode::kConstant && !a.literal.BitwiseEqual(b.literal)) return false;
  for (size_t i = 0; i < a.called.size(); ++i) {
    if (!SameComputation(*a.called[i], *b.called[i])) return false;
  }
  return true;
}

bool SameComputation(const Computation& a, const Computation& b) {
  if (&a == &b) return true;
  if (a.instructions().size() != b.instructions().size()) return false;
  std::unordered_map<const Instruction*, const Instruction*> pairs;
  for (size_t i = 0; i < a.instructions().size(); ++i) {
    const Instruction& x = *a.instructions()[i];
    const Instruction& y = *b.instructions()[i];
    if (!SameInstruction(x, y) || x.operands.size() != y.operands.size()) return false;
    for (size_t k = 0; k < x.operands.size(); ++k) {
      if (pairs[x.operands[k]] != y.operands[k]) return false;
    }
    pairs[&x] = &y;
  }
  return pairs[a.root()] == b.root();
}

// The computations that ops apply to scalars: those of reduce, sort, ….
void MergeComputations(hlo::Module& module) {
  std::multimap<size_t, Computation*> kept;  // by number of instructions
  std::unordered_map<Computation*, Computation*> same;
  for (Computation* computation : module.PostOrder()) {
    for (const auto& inst : computation->instructions()) {
      if (inst->opcode == Opcode::kWhile || inst->opcode == Opcode::kConditional ||
          inst->opcode == Opcode::kFusion) {
        continue;
      }
      for (Computation*& callee : inst->called) {
        auto [found, inserted] = same.try_emplace(callee, callee);
        if (inserted) {
          auto [begin, end] = kept.equal_range(callee->instructions().size());
          for (auto it = begin; it != end && found->second == callee; ++it) {
            if (SameComputation(*it->second, *callee)) found->second = it->second;
          }
          if (found->second == callee) kept.emplace(callee->instructions().size(), callee);
        }
        callee = found->second;
      }
    }
  }
}

// An instruction that stands for many equal ones, such as the mask of every layer, names the places
// of the first of them. With all, each kernel that repeats it would carry as many places as the
// program has layers.
constexpr size_t kMaxMergedPlaces = 16;

bool MayMerge(const Instruction& inst) {
  switch (inst.opcode) {
    case Opcode::kParameter:
    case Opcode::kWhile:
    case Opcode::kConditional:
    case Opcode::kCustomCall:
    case Opcode::kFusion:
    case Opcode::kAfterAll:
    case Opcode::kOptimizationBarrier:
      return false;
    default:
      return !hlo::HasSideEffect(inst);
  }
}

std::string KeyOf(const Instruction& inst) {
  std::string key = absl::StrCat(static_cast<int>(inst.opcode), inst.shape.ToString());
  for (const Instruction* operand : inst.operands) {
    absl::StrAppend(&key, ",", absl::Hex(reinterpret_cast<uintptr_t>(operand)));
  }
  if (inst.opcode == Opcode::kConstant && inst.shape.IsArray()) {
    absl::string_view bytes(reinterpret_cast<const char*>(inst.literal.bytes().data()),
                            std::min<size_t>(inst.literal.bytes().size(), 64));
    absl::StrAppend(&key, ":", bytes);
  }
  return key;
}

absl::Status MergeInstructions(Computation* computation, bool* changed) {
  Rewriter rewriter(computation);
  std::unordered_map<std::string, std::vector<Instruction*>> seen;
  for (Instruction* inst : rewriter.Snapshot()) {
    rewriter.ResolveOperands(inst);
    if (!MayMerge(*inst)) continue;
    std::vector<Instruction*>& candidates = seen[KeyOf(*inst)];
    Instruction* same = nullptr;
    for (Instruction* candidate : candidates) {
      if (candidate->operands == inst->operands && SameInstruction(*candidate, *inst)) {
        same = candidate;
      }
    }
    if (same == nullptr) {
      candidates.push_back(inst);
      continue;
    }
    if (same->provenance.locations.size() < kMaxMergedPlaces) {
      same->provenance.Unite(inst->provenance);
    }
    rewriter.Replace(inst, same);
  }
  if (!rewriter.changed()) return absl::OkStatus();
  *changed = true;
  return rewriter.Finish();
}

}  // namespace

absl::Status MergeEqual(hlo::Module& module, bool* changed) {
  MergeComputations(module);
  for (const auto& computation : module.computations()) {
    if (absl::Status s = MergeInstructions(computation.get(), changed); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
