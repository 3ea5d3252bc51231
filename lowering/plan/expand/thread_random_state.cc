// rng has a hidden state: how many of them have run before. This pass turns it into a value, u64[],
// which is an operand of every rng, and an argument and a result of every call, loop and branch
// that contains one. The order is the one in which the evaluator evaluates, so that both draw the
// same numbers.
#include <unordered_map>
#include <unordered_set>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/op_table.h"
#include "lowering/plan/graph_builder.h"
#include "lowering/plan/passes.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

class Threader {
 public:
  explicit Threader(hlo::Module& module) : module_(module) {}

  absl::Status Run() {
    for (Computation* computation : module_.PostOrder()) {
      if (absl::Status s = Find(*computation); !s.ok()) return s;
    }
    for (Computation* computation : module_.PostOrder()) {
      if (!random_.contains(computation)) continue;
      if (absl::Status s = Thread(computation); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

 private:
  // How a computation receives the state and returns it: either as a last argument and an
  // additional result, or together with its one argument (loops, branches). Conditions only receive
  // it.
  enum class Role { kEntry, kCallee, kState, kCondition };

  const Shape state_ = Shape::Scalar(ElementType::kU64);
  static bool IsThreaded(Opcode opcode) {
    return opcode == Opcode::kCall || opcode == Opcode::kFusion || opcode == Opcode::kWhile ||
           opcode == Opcode::kConditional;
  }

  bool IsRandom(const Instruction& inst) const {
    if (inst.opcode == Opcode::kRng) return true;
    for (const Computation* callee : inst.called) {
      if (random_.contains(callee)) return true;
    }
    return false;
  }

  absl::Status Find(Computation& computation) {
    for (const auto& inst : computation.instructions()) {
      if (!IsRandom(*inst)) continue;
      random_.insert(&computation);
      if (inst->opcode == Opcode::kRng) continue;
      if (!IsThreaded(inst->opcode)) {
        return LocatedError(absl::StatusCode::kUnimplemented, *inst,
                            "rng is not supported in its computation");
      }
      for (size_t i = 0; i < inst->called.size(); ++i) {
        if (absl::Status s = SetRole(*inst, i); !s.ok()) return s;
      }
    }
    return absl::OkStatus();
  }

  absl::Status SetRole(const Instruction& caller, size_t i) {
    Role role = Role::kCallee;
    if (caller.opcode == Opcode::kConditional) role = Role::kState;
    if (caller.opcode == Opcode::kWhile) role = i == 0 ? Role::kCondition : Role::kState;
    Computation* callee = caller.called[i];
    random_.insert(callee);  // branches without one pass the state on
    if (role == Role::kCondition) {
      if (absl::Status s = Count(*callee, &draws_[callee]); !s.ok()) return s;
    }
    if (auto [it, added] = roles_.emplace(callee, role); !added && it->second != role) {
      return LocatedError(
          absl::StatusCode::kUnimplemented, caller,
          absl::StrCat(callee->name(), ", which has an rng, is called in two ways"));
    }
    if (caller.opcode == Opcode::kWhile && i == 1) {
      const int64_t draws = draws_.at(caller.called[0]);
      if (auto [it, added] = body_offsets_.emplace(callee, draws); !added && it->second != draws) {
        return LocatedError(absl::StatusCode::kUnimplemented, caller,
                            absl::StrCat(callee->name(), " is the body of two different loops"));
      }
    }
    return absl::OkStatus();
  }

  // A condition returns no state, so the numbers that it draws must be counted here.
  absl::Status Count(const Computation& computation, int64_t* count) {
    *count = 0;
    for (const auto& inst : computation.instructions()) {
      if (!IsRandom(*inst)) continue;
      int64_t draws = 1;
      if (inst->opcode == Opcode::kWhile || inst->opcode == Opcode::kConditional) {
        return LocatedError(absl::StatusCode::kUnimplemented, *inst,
                            "rng is not supported in a loop or branch of a loop's condition");
      }
      if (inst->opcode != Opcode::kRng) {
        if (absl::Status s = Count(*inst->called[0], &draws); !s.ok()) return s;
      }
      *count += draws;
    }
    return absl::OkStatus();
  }

  Instruction* Constant(Rewriter& rewriter, const Instruction& source, int64_t value) {
    return GraphBuilder(&rewriter, &source)
        .Splat(ElementType::kU64, static_cast<double>(value), {});
  }
  Instruction* Advance(Rewriter& rewriter, const Instruction& source, Instruction* state,
                       int64_t draws) {
    if (draws == 0) return state;
    return rewriter.Add(source, Opcode::kAdd, state_, {state, Constant(rewriter, source, draws)});
  }
  Instruction* Pair(Rewriter& rewriter, const Instruction& source, Instruction* value,
                    Instruction* state) {
    return rewriter.Add(source, Opcode::kTuple, Shape::Tuple({value->shape, state_}),
                        {value, state});
  }

  // Returns the state as `computation` receives it.
  Instruction* Begin(Rewriter& rewriter, Computation* computation, Role role) {
    const Instruction& source = *computation->root();
    switch (role) {
      case Role::kEntry:
        return Constant(rewriter, source, 0);
      case Role::kCallee:
        return computation->AddParameter(computation->num_parameters(), state_);
      default:
        break;
    }
    Instruction* parameter = computation->parameters()[0];
    const Shape value = parameter->shape;
    parameter->shape = Shape::Tuple({value, state_});
    Instruction* first = rewriter.AddGetTupleElement(source, parameter, 0);
    computation->ReplaceAllUses(parameter, first);
    first->operands[0] = parameter;
    return rewriter.AddGetTupleElement(source, parameter, 1);
  }

  // Adds the state to the operands and results of `inst`; `state` becomes the state after it.
  void ThreadCall(Rewriter& rewriter, Instruction* inst, Instruction** state) {
    std::vector<Instruction*> operands = inst->operands;
    if (inst->opcode == Opcode::kWhile) {
      operands = {Pair(rewriter, *inst, operands[0], *state)};
    } else if (inst->opcode == Opcode::kConditional) {
      for (size_t i = 1; i < operands.size(); ++i) {
        operands[i] = Pair(rewriter, *inst, operands[i], *state);
      }
    } else {
      operands.push_back(*state);
    }
    Instruction* threaded = rewriter.Add(*inst, inst->opcode, Shape::Tuple({inst->shape, state_}),
                                         std::move(operands), inst->attrs, inst->called);
    rewriter.Replace(inst, rewriter.AddGetTupleElement(*inst, threaded, 0));
    *state = rewriter.AddGetTupleElement(*inst, threaded, 1);
    if (inst->opcode == Opcode::kWhile) {
      *state = Advance(rewriter, *inst, *state, draws_.at(inst->called[0]));
    }
    Rewriter::Discard(inst);
  }

  absl::Status Thread(Computation* computation) {
    Rewriter rewriter(computation);
    const std::vector<Instruction*> list = rewriter.Snapshot();
    auto found = roles_.find(computation);
    const Role role = found == roles_.end() ? Role::kEntry : found->second;
    Instruction* state = Begin(rewriter, computation, role);
    // The numbers that a loop's condition draws come before those of its body.
    if (auto before = body_offsets_.find(computation); before != body_offsets_.end()) {
      state = Advance(rewriter, *computation->root(), state, before->second);
    }
    for (Instruction* inst : list) {
      rewriter.ResolveOperands(inst);
      if (inst->opcode == Opcode::kRng && inst->operands.size() == 2) {
        inst->operands.push_back(state);
        state = Advance(rewriter, *inst, state, 1);
      } else if (inst->opcode != Opcode::kRng && IsRandom(*inst)) {
        ThreadCall(rewriter, inst, &state);
      }
    }
    Instruction* root = rewriter.Resolve(computation->root());
    if (role == Role::kCallee || role == Role::kState) {
      root = Pair(rewriter, *root, root, state);
    }
    computation->set_root(root);
    return rewriter.Finish();
  }

  hlo::Module& module_;
  std::unordered_set<const Computation*> random_;
  std::unordered_map<const Computation*, Role> roles_;
  std::unordered_map<const Computation*, int64_t> draws_;         // of conditions
  std::unordered_map<const Computation*, int64_t> body_offsets_;  // of loops with such conditions
};

}  // namespace

absl::Status ThreadRandomState(hlo::Module& module) { return Threader(module).Run(); }

}  // namespace halyard::lowering
