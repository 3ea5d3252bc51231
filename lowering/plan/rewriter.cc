#include "lowering/plan/rewriter.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/op_table.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::Instruction;
using hlo::Opcode;

std::vector<Instruction*> Rewriter::Snapshot() const {
  std::vector<Instruction*> list;
  list.reserve(computation_->instructions().size());
  for (const auto& inst : computation_->instructions()) list.push_back(inst.get());
  return list;
}

Instruction* Rewriter::Add(const Instruction& source, Opcode opcode, hlo::Shape shape,
                           std::vector<Instruction*> operands, hlo::AttrMap attrs,
                           std::vector<hlo::Computation*> called) {
  Instruction* inst = computation_->Add(opcode, std::move(shape), std::move(operands),
                                        std::move(attrs), std::move(called));
  inst->provenance = source.provenance;
  return inst;
}

Instruction* Rewriter::AddConstant(const Instruction& source, hlo::Literal value) {
  Instruction* inst = computation_->AddConstant(std::move(value));
  inst->provenance = source.provenance;
  return inst;
}

Instruction* Rewriter::AddReshape(const Instruction& source, Instruction* operand,
                                  std::vector<int64_t> dims) {
  if (operand->shape.dims() == dims) return operand;
  return Add(source, Opcode::kReshape, operand->shape.WithDims(std::move(dims)), {operand});
}

Instruction* Rewriter::AddTranspose(const Instruction& source, Instruction* operand,
                                    const std::vector<int64_t>& permutation) {
  std::vector<int64_t> dims;
  bool identity = true;
  for (size_t i = 0; i < permutation.size(); ++i) {
    dims.push_back(operand->shape.dim(permutation[i]));
    identity = identity && permutation[i] == static_cast<int64_t>(i);
  }
  if (identity) return operand;
  return Add(source, Opcode::kTranspose, operand->shape.WithDims(std::move(dims)), {operand},
             OneAttr(Attr::kDimensions, permutation));
}

Instruction* Rewriter::AddZeros(const Instruction& source) {
  Instruction* zero =
      AddConstant(source, hlo::Literal(hlo::Shape::Scalar(source.shape.element_type())));
  return source.shape.IsScalar() ? zero : AddBroadcast(source, zero, source.shape.dims(), {});
}

Instruction* Rewriter::AddBroadcast(const Instruction& source, Instruction* operand,
                                    std::vector<int64_t> dims, std::vector<int64_t> dimensions) {
  return Add(source, Opcode::kBroadcast, operand->shape.WithDims(std::move(dims)), {operand},
             OneAttr(Attr::kDimensions, std::move(dimensions)));
}

Instruction* Rewriter::AddGetTupleElement(const Instruction& source, Instruction* operand,
                                          int64_t index) {
  return Add(source, Opcode::kGetTupleElement, operand->shape.elements()[index], {operand},
             OneAttr(Attr::kIndex, index));
}

void Rewriter::Replace(Instruction* from, Instruction* to) {
  if (from == to) return;
  replaced_[from] = to;
  changed_ = true;
}

Instruction* Rewriter::Resolve(Instruction* inst) const {
  for (auto found = replaced_.find(inst); found != replaced_.end(); found = replaced_.find(inst)) {
    inst = found->second;
  }
  return inst;
}

void Rewriter::ResolveOperands(Instruction* inst) const {
  for (Instruction*& operand : inst->operands) operand = Resolve(operand);
}

void Rewriter::Discard(Instruction* inst) {
  inst->opcode = Opcode::kTuple;
  inst->operands.clear();
  inst->called.clear();
  inst->attrs = {};
  inst->shape = hlo::Shape();
}

absl::Status Rewriter::Finish() {
  for (const auto& inst : computation_->instructions()) ResolveOperands(inst.get());
  computation_->set_root(Resolve(computation_->root()));
  computation_->RemoveDead();
  if (!computation_->SortTopologically()) {
    return absl::InternalError(
        absl::StrCat("rewriting made a cycle in computation ", computation_->name()));
  }
  replaced_.clear();
  return absl::OkStatus();
}

absl::Status RewriteEach(hlo::Module& module,
                         absl::FunctionRef<absl::Status(Rewriter&, Instruction*)> rewrite) {
  std::vector<hlo::Computation*> present;  // `rewrite` may add computations
  for (const auto& computation : module.computations()) present.push_back(computation.get());
  for (hlo::Computation* computation : present) {
    Rewriter rewriter(computation);
    for (Instruction* inst : rewriter.Snapshot()) {
      rewriter.ResolveOperands(inst);
      if (absl::Status s = rewrite(rewriter, inst); !s.ok()) return s;
    }
    if (!rewriter.changed()) continue;
    if (absl::Status s = rewriter.Finish(); !s.ok()) return s;
  }
  return absl::OkStatus();
}

Instruction* InlineInto(const hlo::Computation& callee, absl::Span<Instruction* const> arguments,
                        hlo::Computation* into, const Instruction* source) {
  std::unordered_map<const Instruction*, Instruction*> map;
  for (const auto& inst : callee.instructions()) {
    if (inst->opcode == Opcode::kParameter) {
      map[inst.get()] = arguments[inst->parameter_number];
      continue;
    }
    std::vector<Instruction*> operands;
    operands.reserve(inst->operands.size());
    for (const Instruction* operand : inst->operands) operands.push_back(map.at(operand));
    Instruction* copy = into->AddClone(*inst, std::move(operands));
    if (source != nullptr) copy->provenance.Unite(source->provenance);
    map[inst.get()] = copy;
  }
  return map.at(callee.root());
}

// Returns whether `inst`, a scalar made of scalars, can be done to each element of arrays.
static bool AppliesToArrays(const Instruction& inst) {
  if (inst.opcode != Opcode::kBitcastConvert) return hlo::RowOf(inst.opcode).elementwise;
  const hlo::ElementType from = inst.operand(0)->shape.element_type();
  const hlo::ElementType to = inst.shape.element_type();
  return hlo::BitWidth(from) == hlo::BitWidth(to) && hlo::IsComplex(from) == hlo::IsComplex(to);
}

// Returns whether a scalar that `opcode` makes of a scalar is that scalar.
static bool KeepsScalars(Opcode opcode) {
  return opcode == Opcode::kReshape || opcode == Opcode::kBroadcast || opcode == Opcode::kTranspose;
}

std::vector<Instruction*> ApplyToArrays(Rewriter& rewriter, const Instruction& source,
                                        const hlo::Computation& callee,
                                        absl::Span<Instruction* const> arguments,
                                        const std::vector<int64_t>& dims) {
  auto spread = [&](Instruction* value) {
    return value->shape.IsScalar() && !dims.empty() ? rewriter.AddBroadcast(source, value, dims, {})
                                                    : value;
  };
  std::unordered_map<const Instruction*, Instruction*> copies;
  for (const auto& inst : callee.instructions()) {
    if (inst->opcode == Opcode::kParameter) {
      Instruction* argument = spread(arguments[inst->parameter_number]);
      if (argument->shape.element_type() != inst->shape.element_type()) {
        argument = rewriter.Add(source, Opcode::kConvert, inst->shape.WithDims(dims), {argument});
      }
      copies[inst.get()] = argument;
      continue;
    }
    if (inst->opcode == Opcode::kConstant && inst->shape.IsScalar()) {
      copies[inst.get()] = spread(rewriter.AddConstant(source, inst->literal));
      continue;
    }
    if (inst->opcode == Opcode::kTuple && inst.get() == callee.root()) continue;
    if (!inst->shape.IsScalar() || inst->operands.empty()) return {};
    for (const Instruction* operand : inst->operands) {
      if (!operand->shape.IsScalar()) return {};
    }
    if (KeepsScalars(inst->opcode)) {
      copies[inst.get()] = copies.at(inst->operand(0));
      continue;
    }
    if (!AppliesToArrays(*inst)) return {};
    std::vector<Instruction*> operands;
    for (const Instruction* operand : inst->operands) operands.push_back(copies.at(operand));
    copies[inst.get()] = rewriter.Add(source, inst->opcode, inst->shape.WithDims(dims),
                                      std::move(operands), inst->attrs);
  }
  const Instruction* root = callee.root();
  if (root->opcode != Opcode::kTuple) return {copies.at(root)};
  std::vector<Instruction*> results;
  for (const Instruction* result : root->operands) results.push_back(copies.at(result));
  return results;
}

hlo::Computation* AddFold(hlo::Module& module, const std::string& name, Opcode opcode,
                          hlo::ElementType type) {
  hlo::Computation* body = module.AddComputation(name);
  const hlo::Shape scalar = hlo::Shape::Scalar(type);
  Instruction *a = body->AddParameter(0, scalar), *b = body->AddParameter(1, scalar);
  body->set_root(body->Add(opcode, scalar, {a, b}));
  return body;
}

hlo::AttrMap OneAttr(Attr attr, hlo::AttrValue value) {
  hlo::AttrMap map;
  map.Set(attr, std::move(value));
  return map;
}

std::vector<int64_t> WithoutOnes(const std::vector<int64_t>& dims) {
  std::vector<int64_t> kept;
  std::copy_if(dims.begin(), dims.end(), std::back_inserter(kept),
               [](int64_t d) { return d != 1; });
  return kept;
}

bool IsDegenerateReshape(const hlo::Instruction& inst) {
  return inst.opcode == hlo::Opcode::kReshape &&
         WithoutOnes(inst.shape.dims()) == WithoutOnes(inst.operand(0)->shape.dims());
}

}  // namespace halyard::lowering
