#include "frontend/hlo/dynamic/specialize.h"

#include <algorithm>
#include <functional>
#include <unordered_set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/dynamic/cut_program.h"
#include "frontend/hlo/dynamic/result_sizes.h"
#include "frontend/hlo/dynamic/shape_operands.h"
#include "frontend/hlo/dynamic/static_form.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/ir/call_graph.h"
#include "frontend/hlo/ir/located_error.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/processes/communication.h"

namespace halyard::hlo {
namespace {

// Values are only followed if they are few integers: sizes, and what sizes come from.
constexpr int64_t kMaxKnownElements = 4096;
constexpr int kMaxDepth = 200;         // of loops and branches
constexpr int64_t kMaxMade = 1 << 22;  // instructions

absl::Status At(const Instruction& inst, const absl::Status& status) {
  return LocatedError(status.code(), inst, status.message());
}

absl::Status RequireSized(const Instruction& inst, const Shape& actual) {
  if (!IsUnsized(inst.shape, actual)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("the size of ", inst.name,
                                                 ", a scalar broadcast to ", inst.shape.ToString(),
                                                 ", is not known"));
}

bool CanBeKnown(const Shape& shape) {
  return shape.IsArray() && !shape.IsDynamic() && !shape.IsQuantized() &&
         (IsInteger(shape.element_type()) || shape.element_type() == ElementType::kPred) &&
         ByteSizeFits(shape) && shape.NumElements() <= kMaxKnownElements;
}

// Returns whether the op has no effect and depends on its operands alone.
bool IsPure(const Instruction& inst) {
  switch (inst.opcode) {
    case Opcode::kParameter:
    case Opcode::kRng:
    case Opcode::kCustomCall:
    case Opcode::kWhile:
    case Opcode::kConditional:
    case Opcode::kCall:
    case Opcode::kFusion:
      return false;
    default:
      return !IsCommunication(inst.opcode) && !HasSideEffect(inst);
  }
}

// Copies computations of the program, for given arguments, into the static module.
class Specializer {
 public:
  Specializer(Module* module, FoldedArrays folded) : module_(module), folded_(folded) {}

  // Copies all of `from`. Returns null if that needs more than is known.
  absl::StatusOr<Computation*> Whole(const Computation& from, const std::vector<Shape>& shapes,
                                     const std::vector<KnownValue>& values, KnownValue* root) {
    if (depth_ >= kMaxDepth) {
      return absl::ResourceExhaustedError(
          absl::StrCat("loops and branches nest deeper than ", kMaxDepth));
    }
    ++depth_;
    absl::StatusOr<Computation*> into = WholeAtDepth(from, shapes, values, root);
    --depth_;
    return into;
  }

  absl::Status Walk(const Computation& from, const std::vector<Shape>& shapes,
                    const std::vector<KnownValue>& values, Computation* into,
                    std::unordered_map<const Instruction*, Specialized>* made) {
    for (const auto& inst : from.instructions()) {
      // A computation that several loops call is walked for each of them.
      if (++count_ > kMaxMade) {
        return absl::ResourceExhaustedError(absl::StrCat(
            "more than ", kMaxMade, " instructions in all copies of the computations"));
      }
      Specialized& to = (*made)[inst.get()];
      if (inst->opcode == Opcode::kParameter) {
        const int64_t number = inst->parameter_number;
        to.inst = into->AddParameter(number, shapes[number], inst->name);
        to.inst->attrs = inst->attrs;
        to.inst->provenance = inst->provenance;
        to.value = values[number];
        continue;
      }
      std::vector<Specialized*> operands;
      bool ready = true;
      for (const Instruction* operand : inst->operands) {
        operands.push_back(&made->at(operand));
        ready = ready && operands.back()->inst != nullptr;
      }
      if (!ready) continue;
      if (absl::Status s = Make(*inst, operands, into, &to); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<Computation*> WholeAtDepth(const Computation& from,
                                            const std::vector<Shape>& shapes,
                                            const std::vector<KnownValue>& values,
                                            KnownValue* root) {
    Computation* into = module_->AddComputation(from.name());
    std::unordered_map<const Instruction*, Specialized> made;
    absl::Status status = Walk(from, shapes, values, into, &made);
    if (!status.ok()) return status;
    for (const auto& inst : from.instructions()) {
      if (made[inst.get()].inst == nullptr) return nullptr;
    }
    into->set_root(made[from.root()].inst);
    status = RequireSized(*from.root(), into->root()->shape);
    if (!status.ok()) return At(*from.root(), status);
    if (root != nullptr) *root = made[from.root()].value;
    return into;
  }

  absl::Status Make(const Instruction& inst, const std::vector<Specialized*>& operands,
                    Computation* into, Specialized* to) {
    if (inst.opcode == Opcode::kConditional) {
      for (size_t i = 0; i < operands.size(); ++i) {
        if (absl::Status s = RequireSized(*inst.operands[i], operands[i]->inst->shape); !s.ok()) {
          return At(inst, s);
        }
      }
    }
    switch (inst.opcode) {
      case Opcode::kWhile:
        return MakeWhile(inst, *operands[0], into, to);
      case Opcode::kConditional:
        return MakeConditional(inst, operands, into, to);
      default:
        break;
    }
    std::vector<Instruction*> insts;
    std::vector<const Literal*> values;
    for (const Specialized* operand : operands) {
      insts.push_back(operand->inst);
      values.push_back(operand->value.array ? &*operand->value.array : nullptr);
    }
    if (IsShapeAssertion(inst)) return MakeAssertion(inst, values, into, to);
    auto callee = [this](Computation* computation) { return Callee(computation); };
    absl::StatusOr<StaticForm> form = AddStaticForm(inst, insts, values, into, callee);
    if (!form.ok()) return At(inst, form.status());
    to->inst = form->result;
    to->unknown = form->unknown;
    if (to->inst != nullptr) Know(inst, operands, into, to);
    return absl::OkStatus();
  }

  absl::Status MakeAssertion(const Instruction& inst, const std::vector<const Literal*>& values,
                             Computation* into, Specialized* to) {
    std::vector<Literal> all;
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i] == nullptr) {
        to->unknown = static_cast<int64_t>(i);
        return absl::OkStatus();
      }
      all.push_back(*values[i]);
    }
    if (absl::Status s = CheckShapeAssertion(inst, all); !s.ok()) return At(inst, s);
    to->inst = into->Add(Opcode::kTuple, Shape::Tuple({}), {});
    return absl::OkStatus();
  }

  // Finds out the value from those of the operands. If it is known, it becomes a constant.
  void Know(const Instruction& inst, const std::vector<Specialized*>& operands, Computation* into,
            Specialized* to) {
    const bool one = operands.size() == 1;
    const bool stated = !inst.shape.IsDynamic() || to->inst->shape.IsScalar();
    if (folded_ == FoldedArrays::kOfStatedSizes && !stated) return;
    if (inst.opcode == Opcode::kTuple || (inst.opcode == Opcode::kOptimizationBarrier && !one)) {
      for (const Specialized* operand : operands) to->value.elements.push_back(operand->value);
      return;
    }
    if (inst.opcode == Opcode::kGetTupleElement) {
      const size_t index = inst.GetInt(Attr::kIndex);
      const std::vector<KnownValue>& elements = operands[0]->value.elements;
      if (index < elements.size()) to->value = elements[index];
      if (to->value.array) SetConstant(inst, into, to);
      return;
    }
    if (inst.opcode == Opcode::kOptimizationBarrier || inst.opcode == Opcode::kCopy) {
      to->value = operands[0]->value;
      return;
    }
    if (to->inst->opcode == Opcode::kConstant) {
      if (CanBeKnown(to->inst->shape)) to->value.array = to->inst->literal;
      return;
    }
    // This looks at the operands of the static form, which may have fewer operands, or others.
    if (!CanBeKnown(to->inst->shape) || !IsPure(*to->inst)) return;
    std::vector<Literal> values;
    for (const Instruction* operand : to->inst->operands) {
      const Literal* value = nullptr;
      for (const Specialized* known : operands) {
        if (known->inst == operand && known->value.array) value = &*known->value.array;
      }
      if (value == nullptr && operand->opcode == Opcode::kConstant && CanBeKnown(operand->shape)) {
        value = &operand->literal;
      }
      if (value == nullptr) return;
      values.push_back(*value);
    }
    Evaluator evaluator;
    absl::StatusOr<Literal> value = RowOf(to->inst->opcode).evaluate(evaluator, *to->inst, values);
    if (!value.ok() || !CanBeKnown(value->shape())) return;
    to->value.array = *std::move(value);
    SetConstant(inst, into, to);
  }

  void SetConstant(const Instruction& inst, Computation* into, Specialized* to) {
    to->inst = into->AddConstant(*to->value.array);
    to->inst->provenance = inst.provenance;
  }

  Computation* Callee(Computation* computation) {
    Computation*& copy = callees_[computation];
    if (copy == nullptr) copy = CloneComputation(*computation, module_);
    return copy;
  }

  // Elements of the state that the body returns unchanged keep their values.
  static KnownValue Invariants(const Computation& body, const KnownValue& state) {
    KnownValue kept;
    const Instruction& root = *body.root();
    if (root.opcode != Opcode::kTuple) return kept;
    kept.elements.resize(root.operands.size());
    for (size_t i = 0; i < root.operands.size() && i < state.elements.size(); ++i) {
      const Instruction& element = *root.operands[i];
      if (element.opcode == Opcode::kGetTupleElement &&
          element.GetInt(Attr::kIndex) == static_cast<int64_t>(i) &&
          element.operand(0) == body.parameters()[0]) {
        kept.elements[i] = state.elements[i];
      }
    }
    return kept;
  }

  absl::Status MakeWhile(const Instruction& inst, const Specialized& state, Computation* into,
                         Specialized* to) {
    const Shape& shape = state.inst->shape;
    const KnownValue kept = Invariants(*inst.called[1], state.value);
    // An error in code that may never run is not reported yet: the loop is then run from outside.
    absl::StatusOr<Computation*> condition = Whole(*inst.called[0], {shape}, {kept}, nullptr);
    absl::StatusOr<Computation*> body = absl::UnknownError("");
    if (condition.ok() && *condition != nullptr) {
      body = Whole(*inst.called[1], {shape}, {kept}, nullptr);
    }
    if (!body.ok() || *body == nullptr ||
        !Shape::SameIgnoringLayout((*body)->root()->shape, shape)) {
      to->step = true;
      return absl::OkStatus();
    }
    to->inst = into->Add(Opcode::kWhile, shape.WithDefaultLayout(), {state.inst}, inst.attrs,
                         {*condition, *body});
    to->inst->provenance = inst.provenance;
    to->value = kept;
    return StatedShape(inst, *to);
  }

  absl::Status MakeConditional(const Instruction& inst, const std::vector<Specialized*>& operands,
                               Computation* into, Specialized* to) {
    std::vector<size_t> branches;
    if (const auto& index = operands[0]->value.array) {
      branches = {BranchTaken(inst, *index)};
    } else {
      for (size_t i = 0; i < inst.called.size(); ++i) branches.push_back(i);
    }
    std::vector<Instruction*> insts = {operands[0]->inst};
    std::vector<Computation*> called;
    KnownValue value;
    for (size_t i : branches) {
      const Specialized& operand = *operands[i + 1];
      absl::StatusOr<Computation*> branch =
          Whole(*inst.called[i], {operand.inst->shape}, {operand.value}, &value);
      if (!branch.ok() || *branch == nullptr ||
          (!called.empty() &&
           !Shape::SameIgnoringLayout((*branch)->root()->shape, called[0]->root()->shape))) {
        to->step = true;
        return absl::OkStatus();
      }
      called.push_back(*branch);
      insts.push_back(operand.inst);
    }
    const Shape shape = called[0]->root()->shape.WithDefaultLayout();
    if (branches.size() == 1) {
      to->inst = into->Add(Opcode::kCall, shape, {insts[1]}, {}, {called[0]});
      to->value = std::move(value);
    } else {
      to->inst =
          into->Add(Opcode::kConditional, shape, std::move(insts), inst.attrs, std::move(called));
    }
    to->inst->provenance = inst.provenance;
    return StatedShape(inst, *to);
  }

  static size_t BranchTaken(const Instruction& inst, const Literal& index) {
    const int64_t value = index.GetInt(0), branches = static_cast<int64_t>(inst.called.size());
    if (index.shape().element_type() == ElementType::kPred) return value != 0 ? 0 : 1;
    return value < 0 || value >= branches ? branches - 1 : value;
  }

  static absl::Status StatedShape(const Instruction& inst, const Specialized& made) {
    absl::Status status = CheckStatedShape(inst, made.inst->shape);
    return status.ok() ? status : At(inst, status);
  }

  Module* module_;
  const FoldedArrays folded_;
  std::unordered_map<const Computation*, Computation*> callees_;
  int depth_ = 0;
  int64_t count_ = 0;
};

// Keeps the aliases of leaves that have the same shape in this run.
void KeepAliases(const Module& from, Module* to) {
  to->donors = from.donors;
  const std::vector<Shape> results = FlattenShape(to->entry()->root()->shape);
  for (const InputOutputAlias& alias : from.aliases) {
    const std::vector<Shape> leaves =
        FlattenShape(to->entry()->parameters()[alias.parameter_number]->shape);
    if (alias.result_leaf < static_cast<int64_t>(results.size()) &&
        Shape::SameIgnoringLayout(leaves[alias.parameter_leaf], results[alias.result_leaf])) {
      to->aliases.push_back(alias);
    }
  }
}

absl::Status Finish(Module* module) {
  module->RemoveUnreachableComputations();
  for (const auto& computation : module->computations()) computation->RemoveDead();
  module->RemoveUnreachableComputations();
  return VerifyModule(*module);
}

}  // namespace

absl::StatusOr<Specialization> Specialize(const Module& module,
                                          absl::Span<const KnownArgument> arguments,
                                          FoldedArrays folded) {
  const Computation& from = *module.entry();
  if (arguments.size() != from.parameters().size()) {
    return absl::InvalidArgumentError(absl::StrCat("the program takes ", from.num_parameters(),
                                                   " arguments; ", arguments.size(),
                                                   " were given"));
  }
  std::vector<Shape> shapes;
  std::vector<KnownValue> values;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Instruction& parameter = *from.parameters()[i];
    Shape shape = arguments[i].shape;
    if (!ShapesAgree(parameter.shape, shape)) {
      return At(parameter, absl::InvalidArgumentError(
                               absl::StrCat("argument ", i, " is ", shape.ToString(),
                                            "; the program takes ", parameter.shape.ToString())));
    }
    shapes.push_back(std::move(shape));
    KnownValue value;
    if (shapes[i].IsArray()) value.array = arguments[i].value;
    values.push_back(std::move(value));
  }
  Specialization result;
  result.module = std::make_unique<Module>(module.name());
  result.module->num_replicas = module.num_replicas;
  result.module->num_partitions = module.num_partitions;
  Computation* into = result.module->AddComputation(from.name());
  result.module->set_entry(into);
  std::unordered_map<const Instruction*, Specialized> made;
  Specializer specializer(result.module.get(), folded);
  if (absl::Status s = specializer.Walk(from, shapes, values, into, &made); !s.ok()) return s;
  Cutter cutter(from, into, made);
  const std::unordered_set<const Instruction*> left = cutter.Left();
  if (left.empty()) {
    into->set_root(made.at(from.root()).inst);
    absl::Status sized = RequireSized(*from.root(), into->root()->shape);
    if (!sized.ok()) return At(*from.root(), sized);
    KeepAliases(module, result.module.get());
  } else {
    cutter.Cut(left, &result);
  }
  if (absl::Status s = Finish(result.module.get()); !s.ok()) return s;
  return result;
}

}  // namespace halyard::hlo
