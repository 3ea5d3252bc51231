// Rebuilds a kernel with the dimensions that collapse_classes.cc leaves.
#include <algorithm>

#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/values/decoded.h"
#include "lowering/plan/rewriter.h"
#include "lowering/plan/simplify/collapser.h"
#include "lowering/plan/steps/kernel_text.h"

namespace halyard::lowering {
using hlo::Attr;
using hlo::Computation;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;

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
    case Opcode::kConcatenate:
      attrs->Set(Attr::kDimensions, MapDims(&inst, inst.GetInts(Attr::kDimensions)));
      return;
    case Opcode::kReverse: {
      // A dimension of one element may have become part of one that is not reversed.
      Ints reversed = inst.GetInts(Attr::kDimensions);
      std::erase_if(reversed, [&](int64_t d) { return inst.shape.dim(d) == 1; });
      attrs->Set(Attr::kDimensions, MapDims(&inst, reversed));
      return;
    }
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

static bool IsIdentity(const Ints& places) {
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

Instruction* Collapser::Rebuild(const Instruction& inst, Computation* to) {
  Shape shape = NewShape(&inst);
  if (inst.opcode == Opcode::kParameter) return to->AddParameter(inst.parameter_number, shape);
  if (inst.opcode == Opcode::kConstant) return to->AddConstant(hlo::WithShape(inst.literal, shape));
  std::vector<Instruction*> operands;
  for (const Instruction* operand : inst.operands) operands.push_back(copies_.at(operand));
  hlo::AttrMap attrs = inst.attrs;
  FixAttributes(inst, &attrs);
  if (inst.opcode == Opcode::kBroadcast || inst.opcode == Opcode::kTranspose) {
    // For each new dimension of the smaller side: which dimension it is on the other side now.
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
  if (inst.opcode == Opcode::kReverse && attrs.Find(Attr::kDimensions) != nullptr &&
      std::get<Ints>(*attrs.Find(Attr::kDimensions)).empty()) {
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

absl::Status CollapseDimensions(hlo::Module& kernel) {
  kernel.set_entry(Collapser(kernel.entry()).Run());
  kernel.RemoveUnreachableComputations();
  // Only parameters may be unused now.
  kernel.entry()->RemoveDead();
  return absl::OkStatus();
}

}  // namespace halyard::lowering
