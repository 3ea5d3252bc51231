// The frame of XlaBuilder: errors, instructions, building.
#include "frontend/builder/xla_builder.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <unordered_set>

#include "absl/memory/memory.h"
#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/constant_value.h"
#include "frontend/hlo/ir/op_table.h"

namespace halyard {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Instruction;
using hlo::Opcode;

namespace {

[[noreturn]] void Die(absl::string_view message) {
  std::fprintf(stderr, "%.*s\n", static_cast<int>(message.size()), message.data());
  std::abort();
}

}  // namespace

XlaBuilder::XlaBuilder(absl::string_view computation_name)
    : XlaBuilder(computation_name, nullptr) {}

XlaBuilder::XlaBuilder(absl::string_view computation_name, XlaBuilder* parent)
    : name_(computation_name), parent_(parent) {
  if (parent != nullptr) {
    die_immediately_ = parent->die_immediately_;
    num_replicas_ = parent->num_replicas_;
    num_partitions_ = parent->num_partitions_;
  }
  Reset();
}

XlaBuilder::~XlaBuilder() = default;

void XlaBuilder::Reset() {
  ++generation_;
  module_ = std::make_unique<hlo::Module>(name_);
  module_->num_replicas = num_replicas_;
  module_->num_partitions = num_partitions_;
  entry_ = module_->AddComputation(name_);
  module_->set_entry(entry_);
  last_ = return_value_ = nullptr;
  imported_.clear();
  kept_.clear();
}

std::unique_ptr<XlaBuilder> XlaBuilder::CreateSubBuilder(absl::string_view computation_name) {
  return absl::WrapUnique(new XlaBuilder(computation_name, this));
}

void XlaBuilder::SetProcessGrid(int64_t num_replicas, int64_t num_partitions) {
  if (num_replicas < 1 || num_partitions < 1) {
    Error("process grid", absl::StrCat(num_replicas, " x ", num_partitions, " is empty"));
    return;
  }
  module_->num_replicas = num_replicas_ = num_replicas;
  module_->num_partitions = num_partitions_ = num_partitions;
}

XlaBuilder* XlaBuilder::BuilderOf(absl::Span<const XlaOp> operands) {
  for (const XlaOp& operand : operands) {
    if (operand.builder_ != nullptr) return operand.builder_;
  }
  // Nothing can be noted where nobody builds: its ops are as invalid as the operands.
  static thread_local XlaBuilder orphan("");
  orphan.orphan_ = true;
  return &orphan;
}

XlaBuilder* XlaBuilder::BuilderOf(std::initializer_list<XlaOp> operands) {
  return BuilderOf(absl::Span<const XlaOp>(operands.begin(), operands.size()));
}

XlaOp XlaBuilder::ReportError(const absl::Status& error) {
  if (orphan_) return XlaOp();
  if (die_immediately_) Die(error.ToString());
  if (first_error_.ok()) first_error_ = error;
  return Invalid();
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
    if (Owns(operand)) continue;
    // An invalid op of this builder is the trace of an error that has been noted.
    if (operand.builder_ != this) {
      Error(opcode, operand.builder_ == nullptr ? "an operand was never built"
                                                : "an operand belongs to another builder");
    } else if (operand.valid() || first_error_.ok()) {
      Error(opcode, "an operand is of a computation that was built already");
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
  if (!Usable(opcode, operands)) return Invalid();
  Instruction inst{.opcode = opcode, .shape = std::move(given), .attrs = std::move(attrs)};
  inst.parent = entry_;
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
  return OpOf(last_);
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
  return OpOf(last_);
}

XlaOp XlaBuilder::ConstantLiteral(const Literal& literal) {
  last_ = entry_->AddConstant(literal);
  last_->provenance = metadata_;
  return OpOf(last_);
}

XlaOp XlaBuilder::Adopt(size_t before, const absl::StatusOr<Instruction*>& result,
                        absl::string_view op) {
  if (!result.ok()) return Error(op, result.status().message());
  const auto& instructions = entry_->instructions();
  for (size_t i = before; i < instructions.size(); ++i) instructions[i]->provenance = metadata_;
  last_ = *result;
  return OpOf(last_);
}

absl::StatusOr<Shape> XlaBuilder::GetShape(XlaOp op) const {
  if (!first_error_.ok()) return first_error_;
  if (!Owns(op)) {
    return absl::InvalidArgumentError(absl::StrCat(name_, ": not an op of this builder"));
  }
  return ShapeOf(op);
}

XlaOp XlaBuilder::CheckShape(XlaOp op, const Shape& expected) const {
  absl::StatusOr<Shape> shape = GetShape(op);
  if (!shape.ok()) Die(shape.status().ToString());
  if (!Shape::SameIgnoringLayout(*shape, expected)) {
    Die(absl::StrCat(name_, ": ", op.instruction_->name, ": expected ", expected.ToString(),
                     ", is ", shape->ToString()));
  }
  return op;
}

void XlaBuilder::CheckSameShape(XlaOp lhs, XlaOp rhs) const {
  absl::StatusOr<Shape> shape = GetShape(rhs);
  if (!shape.ok()) Die(shape.status().ToString());
  CheckShape(lhs, *shape);
}

absl::Status XlaBuilder::SetReturnValue(XlaOp op) {
  if (!first_error_.ok()) return first_error_;
  if (!Owns(op)) {
    Error("return value", "not an op of this builder");
    return first_error_;
  }
  return_value_ = op.instruction_;
  returned_size_ = entry_->instructions().size();
  return absl::OkStatus();
}

void XlaBuilder::DropUnreturned() {
  const auto& instructions = entry_->instructions();
  if (return_value_ == nullptr || returned_size_ == instructions.size()) return;
  hlo::Computation* kept = module_->AddComputation(name_);
  std::unordered_map<const Instruction*, Instruction*> map;
  for (size_t i = 0; i < instructions.size(); ++i) {
    const Instruction& inst = *instructions[i];
    if (i >= returned_size_ && inst.opcode != Opcode::kParameter) continue;
    std::vector<Instruction*> operands;
    for (const Instruction* operand : inst.operands) operands.push_back(map.at(operand));
    map[&inst] = kept->AddClone(inst, std::move(operands));
  }
  return_value_ = map.at(return_value_);
  kept->set_root(return_value_);
  entry_ = kept;
  module_->set_entry(kept);
  module_->RemoveUnreachableComputations();
  kept->set_name(name_);
}

absl::Status XlaBuilder::CheckInfeedOrder() const {
  std::unordered_set<const hlo::Computation*> feeding;
  auto feeds = [&](const Instruction& inst) {
    return inst.opcode == Opcode::kInfeed ||
           std::any_of(inst.called.begin(), inst.called.end(),
                       [&](const hlo::Computation* callee) { return feeding.contains(callee); });
  };
  for (const hlo::Computation* computation : module_->PostOrder()) {
    const auto& all = computation->instructions();
    if (std::any_of(all.begin(), all.end(), [&](const auto& inst) { return feeds(*inst); })) {
      feeding.insert(computation);
    }
  }
  // How many infeeds, in the order of the list, an instruction comes after.
  std::unordered_map<const Instruction*, int64_t> after;
  int64_t infeeds = 0;
  for (const auto& inst : entry_->instructions()) {
    int64_t before = 0;
    for (const Instruction* operand : inst->operands) before = std::max(before, after[operand]);
    if (feeds(*inst)) {
      if (before != infeeds) {
        return absl::InvalidArgumentError(
            absl::StrCat(name_, ": infeed: ", inst->name,
                         " does not depend on the infeed before it: infeeds must be totally "
                         "ordered, by data or by tokens (InfeedWithToken)"));
      }
      before = ++infeeds;
    }
    after[inst.get()] = before;
  }
  return absl::OkStatus();
}

absl::StatusOr<XlaComputation> XlaBuilder::Build(XlaOp root) {
  if (absl::Status status = SetReturnValue(root); !status.ok()) return status;
  return Build();
}

absl::StatusOr<XlaComputation> XlaBuilder::Build() {
  absl::Status status = first_error_;
  if (status.ok()) DropUnreturned();
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
  if (status.ok()) status = CheckInfeedOrder();
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

absl::StatusOr<bool> XlaBuilder::IsConstant(XlaOp op) const {
  if (absl::StatusOr<Shape> shape = GetShape(op); !shape.ok()) return shape.status();
  return hlo::IsConstantExpression(*op.instruction_);
}

absl::StatusOr<Literal> XlaBuilder::ComputeConstant(XlaOp op, const Layout* output_layout) const {
  absl::StatusOr<Shape> shape = GetShape(op);
  if (!shape.ok()) return shape.status();
  auto error = [&](absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat(name_, ": compute constant: ", what));
  };
  if (output_layout != nullptr) {
    if (!shape->IsArray()) return error("no array can have the layout asked for");
    std::vector<int64_t> order = output_layout->minor_to_major;
    std::sort(order.begin(), order.end());
    bool permutation = static_cast<int64_t>(order.size()) == shape->rank();
    for (size_t i = 0; i < order.size(); ++i) {
      permutation = permutation && order[i] == static_cast<int64_t>(i);
    }
    if (!permutation) return error("the layout asked for is no permutation of the rank");
  }
  absl::StatusOr<Literal> value = hlo::ConstantValue(*op.instruction_);
  if (!value.ok()) return error(value.status().message());
  if (output_layout == nullptr) return value;
  absl::Span<const std::byte> bytes = value->bytes();
  return Literal::FromBytes(
      Shape::ArrayWithLayout(shape->element_type(), shape->dims(), output_layout->minor_to_major),
      std::vector<std::byte>(bytes.begin(), bytes.end()));
}

}  // namespace halyard
