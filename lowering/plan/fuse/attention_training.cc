#include "lowering/plan/fuse/attention_training.h"

#include <algorithm>
#include <unordered_set>

#include "frontend/hlo/ir/op_table.h"
#include "lowering/kernels/attention/moves.h"
#include "lowering/kernels/kernel_form.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Opcode;

constexpr size_t kMostMembers = 256;

class GroupFinder {
 public:
  GroupFinder(Instruction* max, const UserMap& users) : users_(users) { group_.max = max; }
  std::optional<AttentionTraining> Find();

 private:
  bool IsBetween(const Instruction& inst) const {
    return inst.shape.IsArray() && inst.shape.NumElements() == size_ &&
           (hlo::RowOf(inst.opcode).elementwise || IsMove(inst));
  }
  // Collects the products of the scores' size that `inst` is computed from.
  void AddProducts(Instruction* inst);
  bool AddUsers(Instruction* inst);
  // Returns whether `inst` is computed from `source` element by element.
  bool ComesFrom(const Instruction& inst, const Instruction& source) const;
  bool SetSums();
  // Takes the term of the extra sum apart.
  bool SetFactors(Instruction* term);

  const UserMap& users_;
  int64_t size_ = 0;
  AttentionTraining group_;
  std::vector<Instruction*> work_, folds_;
  std::unordered_set<const Instruction*> above_, below_, products_;
  std::vector<const Instruction*> scores_;
};

void GroupFinder::AddProducts(Instruction* inst) {
  if (!inst->shape.IsArray() || inst->shape.NumElements() != size_ ||
      above_.size() > kMostMembers || !above_.insert(inst).second) {
    return;
  }
  if (inst->opcode == Opcode::kDot) {
    scores_.push_back(inst);
    work_.push_back(inst);
  } else if (IsBetween(*inst)) {
    for (Instruction* operand : inst->operands) AddProducts(operand);
  }
}

bool GroupFinder::AddUsers(Instruction* inst) {
  if (inst == inst->parent->root() || below_.size() > kMostMembers) return false;
  for (Instruction* user : users_.at(inst)) {
    if (user->opcode == Opcode::kReduce && user->operands[0] == inst) {
      if (std::find(folds_.begin(), folds_.end(), user) == folds_.end()) folds_.push_back(user);
    } else if (user->opcode == Opcode::kDot) {
      if (products_.insert(user).second) group_.products.push_back(user);
    } else if (IsBetween(*user)) {
      if (below_.insert(user).second) work_.push_back(user);
      AddProducts(user);
    } else {
      return false;
    }
  }
  return true;
}

bool GroupFinder::ComesFrom(const Instruction& inst, const Instruction& source) const {
  return Reaches(
      inst, [&](const Instruction& at) { return &at == &source; },
      [&](const Instruction& at) {
        return IsBetween(at) ? at.operands : std::vector<Instruction*>();
      });
}

bool GroupFinder::SetSums() {
  for (Instruction* fold : folds_) {
    if (fold == group_.max) continue;
    if (!IsFoldBy(*fold, Opcode::kAdd) || !IsZero(*fold->operand(1))) return false;
    Instruction* term = BehindConverts(fold->operands[0]);
    Instruction** slot = term->opcode == Opcode::kExp ? &group_.sum : &group_.extra;
    if (*slot != nullptr) return false;
    *slot = fold;
    if (term->opcode == Opcode::kExp) group_.exponential = term;
  }
  if (group_.sum == nullptr || (group_.extra != nullptr) != (scores_.size() == 2)) return false;
  if (group_.extra == nullptr) return true;
  return group_.extra->GetInts(Attr::kDimensions) == group_.sum->GetInts(Attr::kDimensions) &&
         group_.extra->shape.dims() == group_.sum->shape.dims() &&
         SetFactors(group_.extra->operands[0]) && group_.cotangent != nullptr;
}

bool GroupFinder::SetFactors(Instruction* term) {
  bool has_exponential = false;
  std::vector<Instruction*> work = {term};
  auto is_row = [&](const Instruction* inst) {
    if (inst->opcode != Opcode::kBroadcast || below_.contains(inst)) return false;
    const hlo::Ints& to = inst->GetInts(Attr::kDimensions);
    const hlo::Ints& summed = group_.extra->GetInts(Attr::kDimensions);
    return std::none_of(to.begin(), to.end(), [&](int64_t d) {
      return std::find(summed.begin(), summed.end(), d) != summed.end();
    });
  };
  while (!work.empty()) {
    Instruction* inst = BehindConverts(work.back());
    work.pop_back();
    if (inst == group_.exponential) {
      if (has_exponential) return false;
      has_exponential = true;
    } else if (inst->opcode == Opcode::kMultiply) {
      work.insert(work.end(), inst->operands.begin(), inst->operands.end());
    } else if (inst->opcode == Opcode::kDivide && is_row(inst->operand(1))) {
      group_.factors.push_back({inst->operands[1], true});
      work.push_back(inst->operands[0]);
    } else if (is_row(inst)) {
      group_.factors.push_back({inst, false});
    } else {
      // What is left must come from the second product.
      if (group_.cotangent != nullptr) return false;
      group_.cotangent = inst;
    }
  }
  // The term must be a multiple of the exponential: the cotangent does not depend on the scores.
  return has_exponential && group_.cotangent != nullptr &&
         group_.cotangent->shape.dims() == group_.exponential->shape.dims() &&
         !ComesFrom(*group_.cotangent, *scores_[0]);
}

std::optional<AttentionTraining> GroupFinder::Find() {
  Instruction* max = group_.max;
  if (!IsFoldBy(*max, Opcode::kMaximum)) return std::nullopt;
  size_ = max->operand(0)->shape.NumElements();
  AddProducts(max->operands[0]);
  if (scores_.size() != 1) return std::nullopt;
  while (!work_.empty()) {
    Instruction* inst = work_.back();
    work_.pop_back();
    if (!AddUsers(inst)) return std::nullopt;
  }
  if (scores_.size() > 2 || !SetSums()) return std::nullopt;
  if (group_.products.size() < 2 && group_.extra == nullptr) return std::nullopt;
  return group_;
}

}  // namespace

std::optional<AttentionTraining> FindAttentionTraining(Instruction* max, const UserMap& users) {
  return GroupFinder(max, users).Find();
}

}  // namespace halyard::lowering
