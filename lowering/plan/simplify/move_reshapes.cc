// Moves reshapes that split or merge dimensions towards the results, through elementwise ops and
// reductions, so that they do not stand between ops that could be one kernel: op(reshape(x), y)
// becomes reshape(op(x, y')). Where a program goes to another form and back (a group norm: groups
// of channels and channels), the two reshapes meet and vanish.
//
// A value in both forms would be two arrays. So all ops that meet in values of a form move
// together or not at all: a region is what such values connect, and one elementwise op or reduction
// in it that cannot do without the reshape keeps it as it is. Of a region that stays, the ops that
// only follow one another still move to the op that makes the reshape's operand, and become part of
// its kernel.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "frontend/hlo/ir/op_table.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"
#include "lowering/plan/simplify/rules.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using Dims = std::vector<int64_t>;

// Each round moves reshapes on from the reductions that the one before has reached.
constexpr int kMaxMoves = 8;
// Where elements of a broadcast array have to be repeated (the mean of each group, for each of the
// group's channels), the array that results is at least so many times smaller than the op's result.
constexpr int64_t kMinSpread = 64;

// Neighbouring dimensions of a reshape's operand and result with the same elements.
struct Group {
  size_t from_begin, from_end, to_begin, to_end;
};

// Cuts a reshape of at least one element into its smallest groups.
std::vector<Group> GroupsOf(const Dims& from, const Dims& to) {
  std::vector<Group> groups;
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    Group group{i, i, j, j};
    int64_t left = 1, right = 1;
    do {
      if (i < from.size() && (left <= right || j == to.size())) {
        left *= from[i++];
      } else {
        right *= to[j++];
      }
    } while (left != right);
    group.from_end = i;
    group.to_end = j;
    groups.push_back(group);
  }
  return groups;
}

bool Has(const Ints& dimensions, size_t d) {
  return std::find(dimensions.begin(), dimensions.end(), static_cast<int64_t>(d)) !=
         dimensions.end();
}

// Memory that no op of this computation writes: a reshape of it costs nothing.
bool IsParameter(const Instruction& inst) {
  const Instruction* from = inst.opcode == Opcode::kGetTupleElement ? inst.operand(0) : &inst;
  return from->opcode == Opcode::kParameter;
}

Instruction* Reshaped(Rewriter& rewriter, const Instruction& source, Instruction* operand,
                      const Dims& dims) {
  while (operand->opcode == Opcode::kReshape) operand = operand->operands[0];
  return operand->shape.dims() == dims ? operand : rewriter.AddReshape(source, operand, dims);
}

// A broadcast array in another form.
class Spread {
 public:
  Spread(const Instruction& broadcast, const Dims& form) : form_(form) {
    const Dims& dims = broadcast.shape.dims();
    const Ints& places = broadcast.GetInts(Attr::kDimensions);
    int64_t elements = 1;
    for (const Group& group : GroupsOf(form, dims)) {
      bool touched = false;
      for (size_t d = group.to_begin; d < group.to_end; ++d) touched |= Has(places, d);
      if (!touched) continue;
      for (size_t d = group.to_begin; d < group.to_end; ++d) {
        if (Has(places, d)) places_.push_back(static_cast<int64_t>(repeated_.size()));
        repeated_.push_back(dims[d]);
        elements *= dims[d];
      }
      for (size_t d = group.from_begin; d < group.from_end; ++d) {
        dimensions_.push_back(static_cast<int64_t>(d));
        small_.push_back(form[d]);
      }
    }
    repeats_ = elements != broadcast.operand(0)->shape.NumElements();
    possible_ = std::is_sorted(places.begin(), places.end()) &&
                (!repeats_ || elements * kMinSpread <= broadcast.shape.NumElements());
  }

  bool possible() const { return possible_; }

  Instruction* Build(Rewriter& rewriter, const Instruction& source, Instruction* operand) const {
    if (repeats_) operand = rewriter.AddBroadcast(source, operand, repeated_, places_);
    return rewriter.AddBroadcast(source, Reshaped(rewriter, source, operand, small_), form_,
                                 dimensions_);
  }

 private:
  const Dims& form_;
  Dims repeated_;    // of whole groups, in the form of the result
  Ints places_;      // of the operand's dimensions in it
  Dims small_;       // the same elements in the other form
  Ints dimensions_;  // where it has them
  bool repeats_ = false, possible_ = false;
};

// Returns the dimensions in `form` that a reduction of its reshape reduces, or nothing if it
// reduces a part of a group.
std::optional<Ints> ReducedIn(const Instruction& reduce, const Dims& form) {
  if (reduce.operands.size() != 2) return std::nullopt;
  const Ints& reduced = reduce.GetInts(Attr::kDimensions);
  const Dims& dims = reduce.operand(0)->shape.dims();
  Ints result;
  for (const Group& group : GroupsOf(form, dims)) {
    bool all = true, none = true;
    for (size_t d = group.to_begin; d < group.to_end; ++d) {
      if (dims[d] == 1) continue;
      (Has(reduced, d) ? none : all) = false;
    }
    if (!all && !none) return std::nullopt;
    if (none) continue;
    for (size_t d = group.from_begin; d < group.from_end; ++d)
      result.push_back(static_cast<int64_t>(d));
  }
  return result;
}

class Mover {
 public:
  explicit Mover(Computation* computation) : rewriter_(computation) {}

  absl::Status Run(bool* changed) {
    const std::vector<Instruction*> all = rewriter_.Snapshot();
    for (Instruction* inst : all) {
      if (std::optional<Form> form = FormOf(*inst); form.has_value()) forms_.emplace(inst, *form);
    }
    if (forms_.empty()) return absl::OkStatus();
    users_ = rewriter_.computation()->Users();
    std::unordered_set<const Instruction*> seen;
    std::vector<Instruction*> kept;
    for (Instruction* inst : all) {
      if (!forms_.contains(inst) || seen.contains(inst)) continue;
      const std::vector<Instruction*> region = RegionOf(inst, &seen);
      if (Moves(region)) {
        whole_.insert(region.begin(), region.end());
      } else {
        kept.insert(kept.end(), region.begin(), region.end());
      }
    }
    MoveChains(kept);
    for (Instruction* inst : all) Move(inst);
    if (!rewriter_.changed()) return absl::OkStatus();
    *changed = true;
    return rewriter_.Finish();
  }

 private:
  // The dimensions before a reshape, and whether all such reshapes are of parameters.
  struct Form {
    const Dims* dims;
    bool of_parameters;
  };

  const Form* FormAt(const Instruction* inst) const {
    auto found = forms_.find(inst);
    return found == forms_.end() ? nullptr : &found->second;
  }

  // Returns the form that `inst` has before the reshapes of its operands, if it is a reshape or an
  // op that may come before them. Operands come first.
  std::optional<Form> FormOf(const Instruction& inst) const {
    if (inst.opcode == Opcode::kReshape) {
      const Instruction& from = *inst.operand(0);
      if (inst.shape.NumElements() == 0 || IsGenerated(from) || IsDegenerateReshape(inst))
        return std::nullopt;
      return Form{&from.shape.dims(), IsParameter(from)};
    }
    if (!IsElementwise(inst)) return std::nullopt;
    std::optional<Form> form;
    for (const Instruction* operand : inst.operands) {
      if (operand->shape.dims() != inst.shape.dims()) return std::nullopt;
      const Form* other = FormAt(operand);
      if (other == nullptr) continue;
      if (form.has_value() && *form->dims != *other->dims) return std::nullopt;
      form = Form{other->dims, other->of_parameters && (!form.has_value() || form->of_parameters)};
    }
    if (!form.has_value()) return std::nullopt;
    for (Instruction* operand : inst.operands) {
      if (FormAt(operand) != nullptr || SplatOf(operand) != nullptr) continue;
      if (operand->opcode == Opcode::kConstant) continue;
      // Between parameters of two forms, the program's choice is as good as another.
      if (IsParameter(*operand) && !form->of_parameters) continue;
      if (operand->opcode != Opcode::kBroadcast || !Spread(*operand, *form->dims).possible())
        return std::nullopt;
    }
    return form;
  }

  // What SinkThroughElementwise sees to.
  static bool IsGenerated(const Instruction& inst) {
    return inst.opcode == Opcode::kBroadcast || inst.opcode == Opcode::kIota ||
           inst.opcode == Opcode::kConstant;
  }

  // Returns what the values of a form connect with `inst`.
  std::vector<Instruction*> RegionOf(Instruction* inst,
                                     std::unordered_set<const Instruction*>* seen) const {
    std::vector<Instruction*> region;
    auto add = [&](Instruction* member) {
      if (forms_.contains(member) && seen->insert(member).second) region.push_back(member);
    };
    add(inst);
    for (size_t i = 0; i < region.size(); ++i) {
      Instruction* member = region[i];
      if (member->opcode != Opcode::kReshape)
        std::for_each(member->operands.begin(), member->operands.end(), add);
      // (A reshape of a member begins a region of its own.)
      for (Instruction* user : users_.at(member)) {
        if (user->opcode != Opcode::kReshape) add(user);
      }
    }
    return region;
  }

  // Whether the region may move, and something is gained.
  bool Moves(const std::vector<Instruction*>& region) const {
    bool gains = false;
    for (const Instruction* member : region) {
      gains = gains || (member->opcode == Opcode::kReshape && EndsHere(*member->operand(0)));
      for (const Instruction* user : users_.at(member)) {
        const bool reduces = user->opcode == Opcode::kReduce;
        if (reduces && !ReducedIn(*user, *forms_.at(member).dims).has_value()) return false;
        if (IsElementwise(*user) && !forms_.contains(user)) return false;
        // Other ops read elements at other places, which they can do of an op's result, too.
        gains = gains || reduces || user->opcode == Opcode::kReshape;
      }
    }
    return gains;
  }

  // Whether an op makes `inst` for one reader, whose work it can then do.
  bool EndsHere(const Instruction& inst) const {
    return !IsParameter(inst) && users_.at(&inst).size() == 1;
  }

  // Of regions that stay, leaves forms to ops that only follow one another.
  void MoveChains(const std::vector<Instruction*>& kept) {
    std::vector<std::pair<Instruction*, Form>> reshapes;
    for (Instruction* inst : kept) {
      if (inst->opcode == Opcode::kReshape && EndsHere(*inst->operand(0)))
        reshapes.push_back({inst, forms_.at(inst)});
    }
    for (const Instruction* inst : kept) forms_.erase(inst);
    for (const auto& [reshape, form] : reshapes) MoveChain(reshape, form);
  }

  // The last value of a chain is stored, so it ends where elements are smallest.
  void MoveChain(Instruction* reshape, const Form& form) {
    forms_.emplace(reshape, form);
    std::vector<const Instruction*> wider;
    const Instruction* narrowest = reshape;
    for (const Instruction* next = reshape; users_.at(next).size() == 1;) {
      next = users_.at(next)[0];
      const std::optional<Form> moved =
          next->opcode == Opcode::kReshape ? std::nullopt : FormOf(*next);
      if (!moved.has_value()) break;
      wider.push_back(next);
      forms_.emplace(next, *moved);
      if (hlo::StorageBytes(next->shape.element_type()) <=
          hlo::StorageBytes(narrowest->shape.element_type())) {
        narrowest = next;
        wider.clear();
      }
    }
    for (const Instruction* inst : wider) forms_.erase(inst);
  }

  void Move(Instruction* inst) {
    const Form* form = FormAt(inst);
    if (form == nullptr) {
      if (inst->opcode == Opcode::kReduce) MoveReduction(inst);
    } else if (inst->opcode == Opcode::kReshape) {
      moved_[inst] = rewriter_.Resolve(inst->operands[0]);
    } else {
      std::vector<Instruction*> operands;
      for (Instruction* operand : inst->operands)
        operands.push_back(InForm(*inst, operand, *form->dims));
      moved_[inst] = rewriter_.Add(*inst, inst->opcode, inst->shape.WithDims(*form->dims),
                                   std::move(operands), inst->attrs, inst->called);
      rewriter_.Replace(inst, rewriter_.AddReshape(*inst, moved_[inst], inst->shape.dims()));
    }
  }

  Instruction* InForm(const Instruction& inst, Instruction* operand, const Dims& form) {
    if (auto found = moved_.find(operand); found != moved_.end()) return found->second;
    if (Instruction* scalar = SplatOf(operand); scalar != nullptr)
      return rewriter_.AddBroadcast(inst, rewriter_.Resolve(scalar), form, {});
    if (operand->opcode != Opcode::kBroadcast)
      return Reshaped(rewriter_, inst, rewriter_.Resolve(operand), form);
    return Spread(*operand, form).Build(rewriter_, inst, rewriter_.Resolve(operand->operands[0]));
  }

  void MoveReduction(Instruction* inst) {
    auto operand = moved_.find(inst->operands[0]);
    if (operand == moved_.end() || !whole_.contains(inst->operands[0])) return;
    const Dims& form = operand->second->shape.dims();
    const Ints reduced = *ReducedIn(*inst, form);
    Dims kept;
    for (size_t d = 0; d < form.size(); ++d) {
      if (!Has(reduced, d)) kept.push_back(form[d]);
    }
    Instruction* reduction = rewriter_.Add(*inst, Opcode::kReduce, inst->shape.WithDims(kept),
                                           {operand->second, rewriter_.Resolve(inst->operands[1])},
                                           OneAttr(Attr::kDimensions, reduced), inst->called);
    rewriter_.Replace(inst, Reshaped(rewriter_, *inst, reduction, inst->shape.dims()));
  }

  Rewriter rewriter_;
  std::unordered_map<const Instruction*, std::vector<Instruction*>> users_;
  std::unordered_map<const Instruction*, Form> forms_;
  std::unordered_set<const Instruction*> whole_;                // members of regions that move
  std::unordered_map<const Instruction*, Instruction*> moved_;  // what each is before its reshape
};

}  // namespace

absl::Status MoveReshapes(hlo::Module& module, bool* changed) {
  for (Computation* computation : module.PostOrder()) {
    bool moved = true;
    for (int round = 0; moved && round < kMaxMoves; ++round) {
      moved = false;
      if (absl::Status s = Mover(computation).Run(&moved); !s.ok()) return s;
      *changed = *changed || moved;
    }
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
