// Which dimensions of a kernel's values belong to one class, and which classes become one
// dimension.
#include <algorithm>
#include <map>

#include "frontend/hlo/ir/op_table.h"
#include "lowering/kernels/kernel_form.h"
#include "lowering/plan/rewriter.h"
#include "lowering/plan/simplify/collapser.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;

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
  // Several reduces of one kernel must stay reduces of the same dimensions, though one may be next
  // to an op that names a dimension of size 1 and another behind a reshape that drops it.
  if (first_reduce_ == nullptr) first_reduce_ = &reduce;
  const Instruction* other = first_reduce_->operand(0);
  if (other->shape.dims() == first->shape.dims() &&
      first_reduce_->GetInts(Attr::kDimensions) == reduced) {
    for (int64_t d = 0; d < first->shape.rank(); ++d) Union(other, d, first, d);
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

// The i-th dimensions that are not 1 on either side are the same.
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
      for (int64_t d : inst.GetInts(Attr::kDimensions)) affected[d] = inst.shape.dim(d) != 1;
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
      if (IsDegenerateReshape(inst)) return RelateDegenerateReshape(inst);
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
      if (extent > kMaxExtent / std::max<int64_t>(classes_[c].extent, 1)) {
        leader = c;
        extent = 1;
      }
      extent *= classes_[c].extent;
      leader_[c] = leader;
    }
  }
}

}  // namespace halyard::lowering
