#include "lowering/plan/sizes/pad_program.h"

#include <algorithm>
#include <unordered_set>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo_text/call_types.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/sizes/sized_builder.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::Computation;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Module;
using hlo::Opcode;
using hlo::Shape;

namespace {

// Leaves the ops for which there are rules. What these passes do does not depend on sizes, except
// for the sizes in what they write.
absl::Status Normalize(Module& module) {
  for (const auto& computation : module.computations()) {
    for (const auto& inst : computation->instructions()) {
      if (hlo_text::IsTypedCall(*inst))
        return SizedBuilder::NoRule(*inst, "there is no rule for typed custom calls");
    }
  }
  using Pass = absl::Status (*)(Module&);
  constexpr Pass kPasses[] = {ExpandQuantized, InlineCalls,          StripLayouts,
                              FlattenTuples,   ExpandDimensionSizes, ExpandBatchNorm};
  for (const Pass pass : kPasses) {
    if (absl::Status s = pass(module); !s.ok()) return s;
  }
  return absl::OkStatus();
}

bool IsLoopOrBranch(Opcode opcode) {
  return opcode == Opcode::kWhile || opcode == Opcode::kConditional;
}

// Replaces uses of `from` by `to`, except in `but`.
void ReplaceUses(Computation* computation, Instruction* from, Instruction* to,
                 const std::unordered_set<const Instruction*>& but) {
  for (const auto& inst : computation->instructions()) {
    if (but.count(inst.get()) != 0) continue;
    std::replace(inst->operands.begin(), inst->operands.end(), from, to);
  }
  if (computation->root() == from) computation->set_root(to);
}

Instruction* Element(Instruction* tuple, int64_t index) {
  if (tuple->opcode == Opcode::kTuple) return tuple->operands[index];
  Instruction* element =
      tuple->parent->Add(Opcode::kGetTupleElement, tuple->shape.elements()[index], {tuple},
                         OneAttr(Attr::kIndex, index));
  element->provenance = tuple->provenance;
  return element;
}

Instruction* TupleOf(Computation* computation, std::vector<Instruction*> parts,
                     const Instruction& source) {
  std::vector<Shape> shapes;
  for (const Instruction* part : parts) shapes.push_back(part->shape);
  Instruction* tuple =
      computation->Add(Opcode::kTuple, Shape::Tuple(std::move(shapes)), std::move(parts));
  tuple->provenance = source.provenance;
  return tuple;
}

// Returns a tuple of the value, or of its elements if it is a tuple, and of `more`.
Instruction* Extended(Computation* computation, Instruction* value,
                      const std::vector<Instruction*>& more) {
  std::vector<Instruction*> parts;
  if (value->shape.IsTuple()) {
    for (size_t i = 0; i < value->shape.elements().size(); ++i)
      parts.push_back(Element(value, static_cast<int64_t>(i)));
  } else {
    parts.push_back(value);
  }
  parts.insert(parts.end(), more.begin(), more.end());
  return TupleOf(computation, std::move(parts), *value);
}

// Gives `inst`, whose value was of the shape `before`, the value of Extended. Its users get what
// they had.
void ExtendValue(Computation* computation, Instruction* inst, const Shape& extended) {
  const Shape before = inst->shape;
  inst->shape = extended;
  std::unordered_set<const Instruction*> own;
  if (!before.IsTuple()) {
    Instruction* first = Element(inst, 0);
    own.insert(first);
    ReplaceUses(computation, inst, first, own);
    return;
  }
  bool whole_is_used = computation->root() == inst;
  for (const auto& user : computation->instructions()) {
    if (user->opcode == Opcode::kGetTupleElement) {
      own.insert(user.get());
    } else {
      whole_is_used |= std::count(user->operands.begin(), user->operands.end(), inst) != 0;
    }
  }
  if (!whole_is_used) return;
  std::vector<Instruction*> parts;
  for (size_t i = 0; i < before.elements().size(); ++i) {
    parts.push_back(Element(inst, static_cast<int64_t>(i)));
    own.insert(parts.back());
  }
  Instruction* whole = TupleOf(computation, std::move(parts), *inst);
  own.insert(whole);
  ReplaceUses(computation, inst, whole, own);
}

class Padder {
 public:
  Padder(Module* module, const SizeFacts& facts) : module_(module), facts_(facts) {}

  absl::Status Run(Computation* computation, std::vector<Instruction*> variables) {
    Rewriter rewriter(computation);
    SizedBuilder builder(module_, &facts_, &rewriter, std::move(variables));
    for (Instruction* inst : rewriter.Snapshot()) {
      absl::Status s = absl::OkStatus();
      if (IsLoopOrBranch(inst->opcode)) {
        s = PadSequence(builder, inst);
      } else {
        s = CheckCallees(*inst);
        if (s.ok()) s = PadInstruction(builder, inst);
      }
      if (!s.ok()) return s;
    }
    return rewriter.Finish();
  }

 private:
  // Computations that are called for each element hold no sizes that vary.
  absl::Status CheckCallees(const Instruction& inst) const {
    for (const Computation* callee : inst.called) {
      if (facts_.Varies(*callee))
        return SizedBuilder::NoRule(inst, "the computation that it calls uses a variable size");
    }
    return absl::OkStatus();
  }

  // Computations of loops and branches take the sizes along.
  absl::Status PadSequence(SizedBuilder& b, Instruction* inst) {
    bool varies = false;
    for (const Computation* callee : inst->called) varies |= facts_.Varies(*callee);
    if (!varies) return absl::OkStatus();
    Computation* computation = b.rewriter().computation();
    const bool loop = inst->opcode == Opcode::kWhile;
    for (size_t i = loop ? 0 : 1; i < inst->operands.size(); ++i)
      inst->operands[i] = Extended(computation, inst->operands[i], b.variables());
    if (loop) ExtendValue(computation, inst, inst->operands[0]->shape);
    for (size_t i = 0; i < inst->called.size(); ++i) {
      Computation* callee = inst->called[i];
      if (!seen_.insert(callee).second) {
        return SizedBuilder::NoRule(*inst, "it shares a computation with another loop or branch");
      }
      Instruction* parameter = callee->parameters()[0];
      const int64_t first =
          parameter->shape.IsTuple() ? static_cast<int64_t>(parameter->shape.elements().size()) : 1;
      ExtendValue(callee, parameter, inst->operands[loop ? 0 : i + 1]->shape);
      std::vector<Instruction*> variables;
      for (size_t v = 0; v < b.variables().size(); ++v)
        variables.push_back(Element(parameter, first + static_cast<int64_t>(v)));
      if (loop && i == 1) callee->set_root(Extended(callee, callee->root(), variables));
      // Instructions that were added lie at the end.
      if (!callee->SortTopologically()) return absl::InternalError("a cycle in a loop's body");
      if (absl::Status s = Run(callee, std::move(variables)); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

  Module* module_;
  const SizeFacts& facts_;
  std::unordered_set<const Computation*> seen_;
};

std::vector<std::vector<SizeFunction>> SizesOf(const SizeFacts& facts,
                                               const std::vector<const Instruction*>& values) {
  std::vector<std::vector<SizeFunction>> sizes;
  for (const Instruction* value : values) {
    const std::vector<Shape> leaves = hlo::FlattenShape(value->shape);
    for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      auto& of_leaf = sizes.emplace_back();
      for (int64_t d = 0; leaves[leaf].IsArray() && d < leaves[leaf].rank(); ++d) {
        const SizeFunction* varying = facts.Size(value, leaf, d);
        of_leaf.push_back(
            varying != nullptr ? *varying : SizeFunction(facts.box().Count(), leaves[leaf].dim(d)));
      }
    }
  }
  return sizes;
}

}  // namespace

absl::StatusOr<PaddedProgram> PadProgram(const SizeBox& box, const MakeStatic& make) {
  const MakeStatic normalized =
      [&](const std::vector<int64_t>& sizes) -> absl::StatusOr<std::unique_ptr<Module>> {
    absl::StatusOr<std::unique_ptr<Module>> made = make(sizes);
    if (!made.ok()) return made;
    if (box.Count() == 1) return made;  // nothing varies
    if (absl::Status s = Normalize(**made); !s.ok()) return s;
    return made;
  };
  absl::StatusOr<std::unique_ptr<Module>> largest = normalized(box.high);
  if (!largest.ok()) return largest.status();
  absl::StatusOr<SizeFacts> facts = SizeFacts::Compare(**largest, box, normalized);
  if (!facts.ok()) return facts.status();

  PaddedProgram program;
  program.module = *std::move(largest);
  Computation* entry = program.module->entry();
  program.arguments = SizesOf(*facts, {entry->parameters().begin(), entry->parameters().end()});
  program.results = SizesOf(*facts, {entry->root()});
  std::vector<Instruction*> variables;
  for (const std::string& name : box.names) {
    variables.push_back(
        entry->AddParameter(entry->num_parameters(), Shape::Scalar(ElementType::kS32), name));
  }
  if (absl::Status s = Padder(program.module.get(), *facts).Run(entry, variables); !s.ok())
    return s;
  program.module->RemoveUnreachableComputations();
  if (absl::Status s = hlo::VerifyModule(*program.module); !s.ok()) {
    return absl::InternalError(absl::StrCat("a program for several sizes is wrong: ", s.message()));
  }
  return program;
}

}  // namespace halyard::lowering
