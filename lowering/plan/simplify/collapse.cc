// Dimensions of all values of a kernel fall into classes: what an op reads and writes at one index
// belongs to one class. Two classes become one dimension if one always comes right after the other,
// in every value that has either. A class of extent 1 disappears. Ops whose attributes name a
// dimension (a window, a padding, an iota) pin it.
#include <algorithm>
#include <map>
#include <numeric>

#include "frontend/hlo/ir/op_table.h"
#include "lowering/plan/rewriter.h"
#include "lowering/plan/steps/kernel_text.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;

const std::vector<int64_t>& DimsOf(const Instruction& inst) {
  return inst.shape.IsTuple() ? inst.shape.elements().front().dims() : inst.shape.dims();
}

class Collapser {
 public:
  explicit Collapser(Computation* kernel) : kernel_(kernel) {}
  Computation* Run();

 private:
  struct Class {
    int64_t extent = 1;
    bool no_merge = false, no_drop = false;
    int next = kUnknown, previous = kUnknown;
  };
  static constexpr int kUnknown = -3, kNone = -2, kSeveral = -1;

  int Find(int c) const {
    while (parent_[c] != c) c = parent_[c];
    return c;
  }
  int At(const Instruction* inst, int64_t dim) const { return Find(ids_.at(inst)[dim]); }
  void Union(const Instruction* a, int64_t i, const Instruction* b, int64_t k) {
    parent_[At(a, i)] = At(b, k);
  }
  void Pin(const Instruction* inst, int64_t dim) { pinned_.push_back(ids_.at(inst)[dim]); }
  void Keep(const Instruction* inst, int64_t dim) { kept_.push_back(ids_.at(inst)[dim]); }
  void PinAll(const Instruction* inst) {
    for (size_t d = 0; d < DimsOf(*inst).size(); ++d) Pin(inst, static_cast<int64_t>(d));
  }

  void Relate(const Instruction& inst);
  void RelateReduce(const Instruction& reduce);
  void RelateDot(const Instruction& dot);
  void RelateDegenerateReshape(const Instruction& reshape);
  void RelateExceptFor(const Instruction& inst, const std::vector<bool>& affected);
  void Classify();
  void MergeClasses();

  // New dimensions of a value: the class that leads each.
  std::vector<int> Leaders(const Instruction* inst) const;
  int64_t NewDim(const Instruction* inst, int64_t dim) const;  // -1: dropped
  std::vector<int64_t> NewDims(const Instruction* inst) const;
  Ints MapDims(const Instruction* inst, const Ints& dims) const;
  Shape NewShape(const Instruction* inst) const;
  Instruction* Rebuild(const Instruction& inst, Computation* to);
  void FixAttributes(const Instruction& inst, hlo::AttrMap* attrs) const;

  Computation* kernel_;
  std::map<const Instruction*, std::vector<int>> ids_;
  std::vector<int> parent_;
  std::vector<int> pinned_, kept_;
  std::map<int, Class> classes_;
  std::map<int, int> leader_;  // class → the first class of its merged dimension; absent: dropped
  std::unordered_map<const Instruction*, Instruction*> copies_;
};

void Collapser::RelateReduce(const Instruction& reduce) {
  const Ints& reduced = reduce.GetInts(Attr::kDimensions);
  size_t n = reduce.operands.size() / 2;
  const Instruction* first = reduce.operand(0);
  bool any = false;
  int64_t kept = 0;
  for (int64_t d = 0; d < first->shape.rank(); ++d) {
    for (size_t i = 1; i < n; ++i) Union(first, d, reduce.operand(i), d);
    if (std::find(reduced.begin(), reduced.end(), d) == reduced.end()) {
      Union(first, d, &reduce, kept++);
    } else {
      any = any || first->shape.dim(d) != 1;
    }
  }
  // At least one dimension must be left to reduce.
  if (!any && !reduced.empty()) Keep(first, reduced.back());
}

void Collapser::RelateDot(const Instruction& dot) {
  const Instruction* sides[2] = {dot.operand(0), dot.operand(1)};
  const Ints* batch[2] = {&dot.GetInts(Attr::kLhsBatchDims), &dot.GetInts(Attr::kRhsBatchDims)};
  const Ints* summed[2] = {&dot.GetInts(Attr::kLhsContractingDims),
                           &dot.GetInts(Attr::kRhsContractingDims)};
  int64_t result = 0;
  for (size_t i = 0; i < batch[0]->size(); ++i) {
    Union(sides[0], (*batch[0])[i], sides[1], (*batch[1])[i]);
    Union(sides[0], (*batch[0])[i], &dot, result++);
  }
  for (size_t i = 0; i < summed[0]->size(); ++i) {
    Union(sides[0], (*summed[0])[i], sides[1], (*summed[1])[i]);
    Keep(sides[0], (*summed[0])[i]);
  }
  for (int side : {0, 1}) {
    for (int64_t d = 0; d < sides[side]->shape.rank(); ++d) {
      auto has = [&](const Ints& list) {
        return std::find(list.begin(), list.end(), d) != list.end();
      };
      if (has(*batch[side]) || has(*summed[side])) continue;
      Keep(sides[side], d);
      Union(sides[side], d, &dot, result++);
    }
  }
}

// The i-th dimension that is not 1 on either side are the same.
void Collapser::RelateDegenerateReshape(const Instruction& reshape) {
  int64_t from = 0;
  const Instruction* operand = reshape.operand(0);
  for (int64_t d = 0; d < reshape.shape.rank(); ++d) {
    if (reshape.shape.dim(d) == 1) continue;
    while (operand->shape.dim(from) == 1) ++from;
    Union(operand, from++, &reshape, d);
  }
}

void Collapser::RelateExceptFor(const Instruction& inst, const std::vector<bool>& affected) {
  for (size_t d = 0; d < affected.size(); ++d) {
    for (const Instruction* operand : inst.operands) {
      if (DimsOf(*operand).size() != affected.size()) continue;  // pad's value
      if (affected[d]) {
        Pin(operand, d);
      } else {
        Union(operand, d, &inst, d);
      }
    }
    if (affected[d]) Pin(&inst, d);
  }
}

bool IsDegenerate(const Instruction& reshape) {
  std::vector<int64_t> from = reshape.operand(0)->shape.dims(), to = reshape.shape.dims();
  std::erase(from, 1);
  std::erase(to, 1);
  return from == to;
}

void Collapser::Relate(const Instruction& inst) {
  std::vector<bool> affected(DimsOf(inst).size());
  switch (inst.opcode) {
    case Opcode::kParameter:
    case Opcode::kConstant:
      return;
    case Opcode::kBroadcast:
      for (int64_t d = 0; d < inst.operand(0)->shape.rank(); ++d) {
        Union(inst.operand(0), d, &inst, inst.GetInts(Attr::kDimensions)[d]);
      }
      return;
    case Opcode::kTranspose:
      for (int64_t d = 0; d < inst.shape.rank(); ++d) {
        Union(inst.operand(0), inst.GetInts(Attr::kDimensions)[d], &inst, d);
      }
      return;
    case Opcode::kReduce:
      return RelateReduce(inst);
    case Opcode::kDot:
      return RelateDot(inst);
    case Opcode::kIota:
      return Pin(&inst, inst.GetInt(Attr::kIotaDimension));
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
      return RelateExceptFor(inst, affected);
    case Opcode::kSlice:
      for (size_t d = 0; d < affected.size(); ++d) {
        affected[d] = inst.shape.dim(d) != inst.operand(0)->shape.dim(d);
        // A reversed or strided slice of the same size cannot be collapsed.
      }
      return RelateExceptFor(inst, affected);
    case Opcode::kReverse:
      for (int64_t d : inst.GetInts(Attr::kDimensions)) affected[d] = true;
      return RelateExceptFor(inst, affected);
    case Opcode::kConcatenate:
      affected[inst.GetInts(Attr::kDimensions)[0]] = true;
      return RelateExceptFor(inst, affected);
    case Opcode::kPad:
      for (size_t d = 0; d < affected.size(); ++d) {
        affected[d] = !(inst.GetPadding()[d] == hlo::PaddingDim{});
      }
      return RelateExceptFor(inst, affected);
    case Opcode::kReshape:
      if (IsDegenerate(inst)) return RelateDegenerateReshape(inst);
      break;
    default:
      if (hlo::RowOf(inst.opcode).elementwise) return RelateExceptFor(inst, affected);
      break;
  }
  PinAll(&inst);
  for (const Instruction* operand : inst.operands) PinAll(operand);
}

void Collapser::Classify() {
  for (const auto& [inst, ids] : ids_) {
    const std::vector<int64_t>& dims = DimsOf(*inst);
    for (size_t d = 0; d < dims.size(); ++d) classes_[Find(ids[d])].extent = dims[d];
  }
  for (int id : pinned_) classes_[Find(id)].no_merge = classes_[Find(id)].no_drop = true;
  for (int id : kept_) classes_[Find(id)].no_drop = true;
  for (const auto& [inst, ids] : ids_) {
    std::vector<int> present;
    for (int id : ids) {
      int c = Find(id);
      // The class occurs twice in one value (a + transpose(a)), so it is left alone.
      if (std::find(present.begin(), present.end(), c) != present.end()) {
        classes_[c].no_merge = classes_[c].no_drop = true;
      }
      present.push_back(c);
    }
  }
}

void Collapser::MergeClasses() {
  auto dropped = [&](int c) { return classes_[c].extent == 1 && !classes_[c].no_drop; };
  auto note = [](int* known, int value) {
    if (*known == kUnknown) *known = value;
    if (*known != value) *known = kSeveral;
  };
  for (const auto& [inst, ids] : ids_) {
    std::vector<int> row;
    for (int id : ids) {
      if (!dropped(Find(id))) row.push_back(Find(id));
    }
    for (size_t i = 0; i < row.size(); ++i) {
      note(&classes_[row[i]].previous, i > 0 ? row[i - 1] : kNone);
      note(&classes_[row[i]].next, i + 1 < row.size() ? row[i + 1] : kNone);
    }
  }
  for (const auto& [c, info] : classes_) {
    if (dropped(c)) continue;
    int leader = c;
    while (!classes_[leader].no_merge && classes_[leader].previous >= 0) {
      int before = classes_[leader].previous;
      if (classes_[before].no_merge || classes_[before].next != leader) break;
      leader = before;
      if (leader == c) break;
    }
    leader_[c] = leader;
  }
  // Kernels index with 32 bits: a merged dimension is cut where it would become longer.
  const std::map<int, int> merged = leader_;
  for (const auto& [first, head] : merged) {
    if (first != head) continue;
    int leader = first;
    int64_t extent = classes_[first].extent;
    for (int c = classes_[first].next; c >= 0 && c != first; c = classes_[c].next) {
      auto found = merged.find(c);
      if (found == merged.end() || found->second != head) break;
      if (extent > INT32_MAX / std::max<int64_t>(classes_[c].extent, 1)) {
        leader = c;
        extent = 1;
      }
      extent *= classes_[c].extent;
      leader_[c] = leader;
    }
  }
}

std::vector<int> Collapser::Leaders(const Instruction* inst) const {
  std::vector<int> leaders;
  for (int id : ids_.at(inst)) {
    auto found = leader_.find(Find(id));
    if (found == leader_.end()) continue;
    if (leaders.empty() || leaders.back() != found->second || found->first == found->second) {
      leaders.push_back(found->second);
    }
  }
  return leaders;
}

int64_t Collapser::NewDim(const Instruction* inst, int64_t dim) const {
  int64_t position = -1;
  const std::vector<int>& ids = ids_.at(inst);
  for (int64_t d = 0; d <= dim; ++d) {
    auto found = leader_.find(Find(ids[d]));
    if (found == leader_.end()) {
      if (d == dim) return -1;
      continue;
    }
    if (found->first == found->second) ++position;
  }
  return position;
}

std::vector<int64_t> Collapser::NewDims(const Instruction* inst) const {
  std::vector<int64_t> dims(Leaders(inst).size(), 1);
  const std::vector<int64_t>& old = DimsOf(*inst);
  for (size_t d = 0; d < old.size(); ++d) {
    if (int64_t to = NewDim(inst, static_cast<int64_t>(d)); to >= 0) dims[to] *= old[d];
  }
  return dims;
}

Ints Collapser::MapDims(const Instruction* inst, const Ints& dims) const {
  Ints mapped;
  for (int64_t d : dims) {
    int64_t to = NewDim(inst, d);
    if (to >= 0 && std::find(mapped.begin(), mapped.end(), to) == mapped.end())
      mapped.push_back(to);
  }
  return mapped;
}

Shape Collapser::NewShape(const Instruction* inst) const {
  std::vector<int64_t> dims = NewDims(inst);
  if (!inst->shape.IsTuple()) return inst->shape.WithDims(dims);
  std::vector<Shape> elements;
  for (const Shape& element : inst->shape.elements()) elements.push_back(element.WithDims(dims));
  return Shape::Tuple(std::move(elements));
}

void Collapser::FixAttributes(const Instruction& inst, hlo::AttrMap* attrs) const {
  switch (inst.opcode) {
    case Opcode::kIota:
      attrs->Set(Attr::kIotaDimension, NewDim(&inst, inst.GetInt(Attr::kIotaDimension)));
      return;
    case Opcode::kReduce:
      attrs->Set(Attr::kDimensions, MapDims(inst.operand(0), inst.GetInts(Attr::kDimensions)));
      return;
    case Opcode::kReverse:
    case Opcode::kConcatenate:
      attrs->Set(Attr::kDimensions, MapDims(&inst, inst.GetInts(Attr::kDimensions)));
      return;
    case Opcode::kDot:
      for (auto [attr, side] : {std::pair{Attr::kLhsBatchDims, 0},
                                {Attr::kRhsBatchDims, 1},
                                {Attr::kLhsContractingDims, 0},
                                {Attr::kRhsContractingDims, 1}}) {
        Ints mapped = MapDims(inst.operand(side), inst.GetInts(attr));
        attrs->Erase(attr);
        if (!mapped.empty()) attrs->Set(attr, mapped);
      }
      return;
    case Opcode::kSlice: {
      hlo::SliceDims slice;
      for (int64_t extent : NewDims(&inst)) slice.push_back({0, extent, 1});
      for (int64_t d = 0; d < inst.shape.rank(); ++d) {
        int64_t to = NewDim(&inst, d);
        if (to >= 0 && inst.shape.dim(d) != inst.operand(0)->shape.dim(d)) {
          slice[to] = inst.GetSlice()[d];
        }
      }
      attrs->Set(Attr::kSlice, slice);
      return;
    }
    case Opcode::kPad: {
      hlo::PaddingConfig padding(NewDims(&inst).size());
      for (int64_t d = 0; d < inst.shape.rank(); ++d) {
        int64_t to = NewDim(&inst, d);
        if (to >= 0 && !(inst.GetPadding()[d] == hlo::PaddingDim{})) {
          padding[to] = inst.GetPadding()[d];
        }
      }
      attrs->Set(Attr::kPadding, padding);
      return;
    }
    default:
      return;
  }
}

bool IsIdentity(const Ints& places) {
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

Instruction* Collapser::Rebuild(const Instruction& inst, Computation* to) {
  Shape shape = NewShape(&inst);
  if (inst.opcode == Opcode::kParameter) return to->AddParameter(inst.parameter_number, shape);
  if (inst.opcode == Opcode::kConstant) {
    auto owner = std::make_shared<hlo::Literal>(inst.literal);
    return to->AddConstant(hlo::Literal::Borrow(shape, owner->bytes().data(), owner));
  }
  std::vector<Instruction*> operands;
  for (const Instruction* operand : inst.operands) operands.push_back(copies_.at(operand));
  hlo::AttrMap attrs = inst.attrs;
  FixAttributes(inst, &attrs);
  if (inst.opcode == Opcode::kBroadcast || inst.opcode == Opcode::kTranspose) {
    // Per new dimension of the smaller side's old ones: where the other side has it now.
    bool broadcast = inst.opcode == Opcode::kBroadcast;
    const Instruction* from = broadcast ? inst.operand(0) : &inst;
    const Instruction* other = broadcast ? &inst : inst.operand(0);
    Ints places(NewDims(from).size(), -1);
    for (int64_t d = 0; d < from->shape.rank(); ++d) {
      int64_t place = NewDim(from, d);
      if (place < 0 || places[place] >= 0) continue;
      places[place] = NewDim(other, inst.GetInts(Attr::kDimensions)[d]);
    }
    if (IsIdentity(places) && operands[0]->shape.dims() == shape.dims()) return operands[0];
    attrs.Set(Attr::kDimensions, places);
  }
  if (inst.opcode == Opcode::kReshape && operands[0]->shape.dims() == shape.dims()) {
    return operands[0];
  }
  return to->Add(inst.opcode, shape, std::move(operands), attrs, inst.called);
}

Computation* Collapser::Run() {
  for (const auto& inst : kernel_->instructions()) {
    std::vector<int>& ids = ids_[inst.get()];
    for (size_t d = 0; d < DimsOf(*inst).size(); ++d) {
      ids.push_back(static_cast<int>(parent_.size()));
      parent_.push_back(ids.back());
    }
  }
  for (const auto& inst : kernel_->instructions()) Relate(*inst);
  Classify();
  MergeClasses();
  Computation* to = kernel_->module()->AddComputation("collapsed");
  for (const auto& inst : kernel_->instructions()) copies_[inst.get()] = Rebuild(*inst, to);
  to->set_root(copies_.at(kernel_->root()));
  return to;
}

}  // namespace

absl::Status CollapseDimensions(hlo::Module& kernel) {
  kernel.set_entry(Collapser(kernel.entry()).Run());
  kernel.RemoveUnreachableComputations();
  // Only parameters may be unused now.
  kernel.entry()->RemoveDead();
  return absl::OkStatus();
}

}  // namespace halyard::lowering
