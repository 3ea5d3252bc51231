// The frame of XlaBuilder: errors, instructions, building.
#include "frontend/builder/xla_builder.h"

#include <cstdio>
#include <cstdlib>
#include <unordered_set>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/evaluator.h"
#include "frontend/hlo/op_table.h"

namespace halyard {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Instruction;
using hlo::Opcode;

XlaBuilder::XlaBuilder(absl::string_view computation_name) : name_(computation_name) { Reset(); }
XlaBuilder::~XlaBuilder() = default;

void XlaBuilder::Reset() {
  module_ = std::make_unique<hlo::Module>(name_);
  entry_ = module_->AddComputation(name_);
  module_->set_entry(entry_);
  last_ = return_value_ = nullptr;
  imported_.clear();
  kept_.clear();
}

std::unique_ptr<XlaBuilder> XlaBuilder::CreateSubBuilder(absl::string_view computation_name) {
  auto sub = std::make_unique<XlaBuilder>(computation_name);
  sub->parent_ = this;
  sub->die_immediately_ = die_immediately_;
  return sub;
}

XlaOp XlaBuilder::ReportError(const absl::Status& error) {
  if (die_immediately_) {
    std::fprintf(stderr, "%s\n", error.ToString().c_str());
    std::abort();
  }
  if (first_error_.ok()) first_error_ = error;
  return XlaOp(this, nullptr);
}

XlaOp XlaBuilder::Error(absl::string_view op, absl::string_view what) {
  std::string place = metadata_.Place();
  return ReportError(absl::InvalidArgumentError(
      absl::StrCat(place, place.empty() ? "" : ": ", name_, ": ", op, ": ", what)));
}

XlaOp XlaBuilder::Error(Opcode opcode, absl::string_view what) {
  return Error(hlo::RowOf(opcode).hlo_name, what);
}

bool XlaBuilder::Usable(Opcode opcode, absl::Span<const XlaOp> operands) {
  for (const XlaOp& operand : operands) {
    if (operand.builder_ == this && operand.valid()) continue;
    // An invalid op of this builder is the trace of an error that has been noted.
    if (operand.builder_ != this || first_error_.ok()) {
      Error(opcode, operand.builder_ == nullptr ? "an operand was never built"
                                                : "an operand belongs to another builder");
    }
    return false;
  }
  return true;
}

hlo::Computation* XlaBuilder::Import(const XlaComputation& computation) {
  hlo::Computation*& copy = imported_[computation.module_.get()];
  if (copy == nullptr) {
    kept_.push_back(computation);
    copy = hlo::CloneComputation(*computation.module_->entry(), module_.get());
  }
  return copy;
}

XlaOp XlaBuilder::AddOp(Opcode opcode, absl::Span<const XlaOp> operands, AttrMap attrs,
                        absl::Span<const XlaComputation* const> called, Shape given) {
  if (!Usable(opcode, operands)) return XlaOp(this, nullptr);
  Instruction inst{.opcode = opcode, .shape = std::move(given), .attrs = std::move(attrs)};
  for (const XlaOp& operand : operands) inst.operands.push_back(operand.instruction_);
  for (const XlaComputation* computation : called) {
    if (computation->IsNull()) return Error(opcode, "a computation that it calls was not built");
    inst.called.push_back(Import(*computation));
  }
  absl::StatusOr<Shape> shape = hlo::InferShape(inst);
  if (!shape.ok()) return Error(opcode, shape.status().message());
  last_ = entry_->Add(opcode, *std::move(shape), std::move(inst.operands), std::move(inst.attrs),
                      std::move(inst.called));
  last_->provenance = metadata_;
  return XlaOp(this, last_);
}

XlaOp XlaBuilder::Parameter(int64_t number, const Shape& shape, const std::string& name) {
  bool taken =
      number >= 0 && number < entry_->num_parameters() && entry_->parameters()[number] != nullptr;
  if (taken || number < 0 || number > 1 << 20) {
    return Error(Opcode::kParameter, absl::StrCat("number ", number, taken ? " is taken" : ""));
  }
  for (const Shape& leaf : hlo::FlattenShape(shape)) {
    if (leaf.IsArray() && hlo::CheckedByteSize(leaf.element_type(), leaf.dims()) < 0) {
      return Error(Opcode::kParameter, absl::StrCat("impossible shape ", leaf.ToString()));
    }
  }
  last_ = entry_->AddParameter(number, shape, name);
  last_->provenance = metadata_;
  return XlaOp(this, last_);
}

XlaOp XlaBuilder::ConstantLiteral(const Literal& literal) {
  last_ = entry_->AddConstant(literal);
  last_->provenance = metadata_;
  return XlaOp(this, last_);
}

absl::StatusOr<Shape> XlaBuilder::GetShape(XlaOp op) const {
  if (!first_error_.ok()) return first_error_;
  if (op.builder_ != this || !op.valid()) {
    return absl::InvalidArgumentError(absl::StrCat(name_, ": not an op of this builder"));
  }
  return ShapeOf(op);
}

XlaOp XlaBuilder::CheckShape(XlaOp op, const Shape& expected) {
  absl::StatusOr<Shape> shape = GetShape(op);
  if (!shape.ok()) return ReportError(shape.status());
  if (Shape::SameIgnoringLayout(*shape, expected)) return op;
  return Error("check shape",
               absl::StrCat("expected ", expected.ToString(), ", is ", shape->ToString()));
}

absl::Status XlaBuilder::SetReturnValue(XlaOp op) {
  if (!first_error_.ok()) return first_error_;
  if (op.builder_ != this || !op.valid()) {
    Error("return value", "not an op of this builder");
    return first_error_;
  }
  return_value_ = op.instruction_;
  return absl::OkStatus();
}

absl::StatusOr<XlaComputation> XlaBuilder::Build(XlaOp root) {
  if (absl::Status status = SetReturnValue(root); !status.ok()) return status;
  return Build();
}

absl::StatusOr<XlaComputation> XlaBuilder::Build() {
  absl::Status status = first_error_;
  Instruction* root = return_value_ != nullptr ? return_value_ : last_;
  if (status.ok() && root == nullptr) {
    status = absl::FailedPreconditionError(absl::StrCat(name_, ": there is nothing to build"));
  }
  if (status.ok()) {
    entry_->set_root(root);
    for (int64_t i = 0; i < entry_->num_parameters() && status.ok(); ++i) {
      if (entry_->parameters()[i] == nullptr) {
        status = absl::InvalidArgumentError(absl::StrCat(name_, ": parameter ", i, " is missing"));
      }
    }
  }
  if (status.ok()) status = hlo::VerifyModule(*module_);
  if (status.ok()) {
    std::shared_ptr<const hlo::Module> built = std::move(module_);
    Reset();
    return XlaComputation(std::move(built));
  }
  Reset();
  return status;
}

XlaComputation XlaBuilder::BuildAndNoteError() {
  absl::StatusOr<XlaComputation> computation = Build();
  if (computation.ok()) return *std::move(computation);
  (parent_ != nullptr ? parent_ : this)->ReportError(computation.status());
  return XlaComputation();
}

namespace {

// Everything that `root` depends on.
std::unordered_set<const Instruction*> Needed(const Instruction* root) {
  std::unordered_set<const Instruction*> needed = {root};
  std::vector<const Instruction*> work = {root};
  while (!work.empty()) {
    const Instruction* inst = work.back();
    work.pop_back();
    for (const Instruction* operand : inst->operands) {
      if (needed.insert(operand).second) work.push_back(operand);
    }
  }
  return needed;
}

}  // namespace

absl::StatusOr<bool> XlaBuilder::IsConstant(XlaOp op) const {
  if (absl::StatusOr<Shape> shape = GetShape(op); !shape.ok()) return shape.status();
  for (const Instruction* inst : Needed(op.instruction_)) {
    if (inst->opcode == Opcode::kParameter || hlo::HasSideEffect(*inst)) return false;
  }
  return true;
}

absl::StatusOr<Literal> XlaBuilder::ComputeConstant(XlaOp op) const {
  absl::StatusOr<bool> constant = IsConstant(op);
  if (!constant.ok()) return constant.status();
  if (!*constant) {
    return absl::InvalidArgumentError(
        absl::StrCat(name_, ": ", op.instruction_->name, " depends on a parameter"));
  }
  // A computation of just what is needed; the callees are only read.
  hlo::Module scratch(name_);
  hlo::Computation* copy = scratch.AddComputation(name_);
  std::unordered_set<const Instruction*> needed = Needed(op.instruction_);
  std::unordered_map<const Instruction*, Instruction*> map;
  for (const auto& inst : entry_->instructions()) {
    if (!needed.contains(inst.get())) continue;
    std::vector<Instruction*> operands;
    for (const Instruction* operand : inst->operands) operands.push_back(map.at(operand));
    map[inst.get()] = copy->AddClone(*inst, std::move(operands));
  }
  copy->set_root(map.at(op.instruction_));
  hlo::Evaluator evaluator;
  return evaluator.RunComputation(*copy, {});
}

}  // namespace halyard
