#include "frontend/hlo/evaluate/evaluator.h"

#include <algorithm>
#include <new>
#include <stdexcept>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/dynamic/result_sizes.h"
#include "frontend/hlo/dynamic/shape_operands.h"
#include "frontend/hlo/dynamic/static_form.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/processes/communication.h"
#include "frontend/hlo/values/quantized.h"

namespace halyard::hlo {
namespace {

constexpr int kMaxDepth = 200;  // calls within calls

absl::Status CheckArguments(const Computation& computation, absl::Span<const Literal> arguments) {
  if (computation.parameters().size() != arguments.size()) {
    return absl::InvalidArgumentError(absl::StrCat(computation.name(), " takes ",
                                                   computation.num_parameters(),
                                                   " arguments, is given ", arguments.size()));
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Shape& want = computation.parameters()[i]->shape;
    if (!ShapesAgree(want.Storage(), arguments[i].shape())) {
      return absl::InvalidArgumentError(absl::StrCat("argument ", i, " of ", computation.name(),
                                                     " must be ", want.ToString(), ", is ",
                                                     arguments[i].shape().ToString()));
    }
  }
  return absl::OkStatus();
}

absl::Status At(const Instruction& inst, const absl::Status& status) {
  std::string place = inst.provenance.Place();
  return absl::Status(status.code(),
                      absl::StrCat(place, place.empty() ? "" : ": ", RowOf(inst.opcode).hlo_name,
                                   " ", inst.name, ": ", status.message()));
}

}  // namespace

// Instructions by position, so that running a small body many times costs no hashing.
struct Evaluator::Plan {
  struct Step {
    const Instruction* inst;
    std::vector<int> operands;
    std::vector<int> last_uses;  // operands that no later step reads
  };
  std::vector<Step> steps;
  int root = 0;
  bool dynamic = false;  // some size is known only while it runs
};

Evaluator::Evaluator() = default;
Evaluator::~Evaluator() = default;

const Evaluator::Plan& Evaluator::PlanOf(const Computation& computation) {
  std::unique_ptr<Plan>& plan = plans_[&computation];
  if (plan != nullptr) return *plan;
  plan = std::make_unique<Plan>();
  std::unordered_map<const Instruction*, int> positions;
  std::vector<int> last_reader(computation.instructions().size(), -1);
  std::vector<const Instruction*> order;
  for (const auto& inst : computation.instructions()) order.push_back(inst.get());
  ReceiveLate(&order);
  for (const Instruction* inst : order) {
    int position = static_cast<int>(plan->steps.size());
    positions[inst] = position;
    Plan::Step& step = plan->steps.emplace_back();
    step.inst = inst;
    plan->dynamic = plan->dynamic || inst->shape.IsDynamic() || NextShapeOperand(*inst) >= 0;
    for (const Instruction* operand : inst->operands) {
      step.operands.push_back(positions.at(operand));
      last_reader[step.operands.back()] = position;
    }
  }
  plan->root = positions.at(computation.root());
  last_reader[plan->root] = -1;
  for (int i = 0; i < static_cast<int>(last_reader.size()); ++i) {
    if (last_reader[i] >= 0) plan->steps[last_reader[i]].last_uses.push_back(i);
  }
  return *plan;
}

absl::StatusOr<Literal> Evaluator::Run(const Module& module, absl::Span<const Literal> arguments) {
  observed_ = module.entry();
  absl::StatusOr<Literal> result = RunComputation(*module.entry(), arguments);
  observed_ = nullptr;
  return result;
}

absl::StatusOr<Literal> Evaluator::RunComputation(const Computation& computation,
                                                  absl::Span<const Literal> arguments) {
  if (absl::Status status = CheckArguments(computation, arguments); !status.ok()) return status;
  if (depth_ >= kMaxDepth) {
    return absl::ResourceExhaustedError(
        absl::StrCat(computation.name(), ": calls nest deeper than ", kMaxDepth));
  }
  // Between runs the module may have changed, or another may live at the same address.
  if (depth_ == 0) plans_.clear();
  if (depth_ == 0) random_calls_ = 0;
  if (depth_ == 0) return RunOutermost(computation, arguments);
  return RunPlan(computation, arguments);
}

absl::StatusOr<Literal> Evaluator::RunOutermost(const Computation& computation,
                                                absl::Span<const Literal> arguments) {
  // A program may ask for any amount of memory.
  absl::StatusOr<Literal> result =
      absl::ResourceExhaustedError(absl::StrCat(computation.name(), ": out of memory"));
  try {
    result = RunPlan(computation, arguments);
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  depth_ = 0;
  return result;
}

absl::StatusOr<Literal> Evaluator::RunPlan(const Computation& computation,
                                           absl::Span<const Literal> arguments) {
  const Plan& plan = PlanOf(computation);
  bool observe = observer && &computation == observed_ && depth_ == 0;
  ++depth_;
  absl::StatusOr<Literal> result = absl::InternalError("no instructions");
  std::vector<Literal> values(plan.steps.size());
  std::vector<Literal> operands;
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    const Plan::Step& step = plan.steps[i];
    const Instruction& inst = *step.inst;
    operands.clear();
    if (inst.opcode == Opcode::kParameter) operands.push_back(arguments[inst.parameter_number]);
    for (int operand : step.operands) operands.push_back(values[operand]);
    const bool unsized =
        plan.dynamic && !inst.operands.empty() &&
        std::any_of(step.operands.begin(), step.operands.end(), [&](int operand) {
          return IsUnsized(plan.steps[operand].inst->shape, values[operand].shape());
        });
    if (plan.dynamic && (unsized || HasOtherStaticForm(inst, operands))) {
      result = RowOf(Opcode::kDynamicReshape).evaluate(*this, inst, operands);
    } else {
      result = EvaluateInstruction(*this, inst, operands);
    }
    if (plan.dynamic && result.ok()) {
      absl::Status fits = CheckStatedShape(inst, result->shape());
      if (!fits.ok()) result = fits;
    }
    if (!result.ok()) {
      // An error in a called computation has its own place already.
      if (inst.called.empty()) result = At(inst, result.status());
      break;
    }
    if (observe) observer(inst, *result);
    values[i] = *std::move(result);
    for (int dead : step.last_uses) values[dead] = Literal();
  }
  --depth_;
  if (!result.ok()) return result;
  if (IsUnsized(computation.root()->shape, values[plan.root].shape())) {
    return At(*computation.root(), absl::InvalidArgumentError(
                                       "its size, a scalar's broadcast to any size, is not known"));
  }
  return values[plan.root];
}

}  // namespace halyard::hlo
