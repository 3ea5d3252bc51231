// VerifyModule.
#include <unordered_set>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/ir/call_graph.h"
#include "frontend/hlo/ir/located_error.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/processes/communication.h"

namespace halyard::hlo {
namespace {

absl::Status At(const Instruction& inst, absl::string_view what) {
  return LocatedError(absl::StatusCode::kInvalidArgument, inst, what);
}

absl::Status In(const Computation& computation, absl::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat("error: computation ", computation.name(), ": ", what));
}

absl::Status VerifyAttributes(const Instruction& inst) {
  // Any op may have these three attributes; its row names the rest.
  const OpRow& row = RowOf(inst.opcode);
  for (const auto& [attr, value] : inst.attrs.entries()) {
    bool known = attr == Attr::kSharding || attr == Attr::kFrontendAttributes ||
                 attr == Attr::kBackendConfig;
    for (Attr a : row.required) known = known || a == attr;
    for (Attr a : row.optional) known = known || a == attr;
    if (!known) return At(inst, absl::StrCat("the op has no attribute ", AttrName(attr)));
  }
  return absl::OkStatus();
}

absl::Status VerifyInstruction(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(VerifyAttributes(inst));
  for (const Shape& leaf : FlattenShape(inst.shape)) {
    if (leaf.IsArray() && !ByteSizeFits(leaf)) {
      return At(inst, absl::StrCat("the size of ", leaf.ToString(),
                                   " is negative or does not fit 64 bits"));
    }
    if (!leaf.IsArray() || leaf.HasDefaultLayout()) continue;
    absl::Status layout =
        static_cast<int64_t>(leaf.minor_to_major().size()) != leaf.rank()
            ? absl::InvalidArgumentError("layout: wrong number of dimensions")
            : RequireDims("layout", "layout", "minor_to_major", leaf.minor_to_major(), leaf.rank());
    if (!layout.ok()) return At(inst, layout.message());
  }
  absl::StatusOr<Shape> shape = InferShape(inst);
  if (!shape.ok()) return At(inst, shape.status().message());
  if (!ShapesAgree(*shape, inst.shape)) {
    return At(inst, absl::StrCat(ResultConstraint(inst, *shape), ": the result must be ",
                                 shape->ToString(), ", is ", inst.shape.ToString()));
  }
  return absl::OkStatus();
}

absl::Status VerifyParameters(const Computation& computation) {
  std::unordered_set<const Instruction*> own;
  int64_t count = 0;
  for (const auto& inst : computation.instructions()) {
    if (inst->opcode != Opcode::kParameter) continue;
    ++count;
    int64_t number = inst->parameter_number;
    if (number < 0 || number >= computation.num_parameters() ||
        computation.parameters()[number] != inst.get()) {
      return At(*inst, absl::StrCat("parameter number ", number, " is taken or out of range"));
    }
  }
  if (count != computation.num_parameters()) {
    return In(computation, absl::StrCat("parameters are not numbered from 0 to ",
                                        computation.num_parameters() - 1));
  }
  return absl::OkStatus();
}

absl::Status VerifyStructure(const Computation& computation,
                             const std::unordered_set<const Computation*>& computations,
                             std::unordered_set<std::string>* names) {
  std::unordered_set<const Instruction*> earlier;
  for (const auto& inst : computation.instructions()) {
    if (inst->parent != &computation) return At(*inst, "its parent is another computation");
    if (!names->insert(inst->name).second) return At(*inst, "the name is used twice");
    for (const Instruction* operand : inst->operands) {
      if (!earlier.contains(operand)) {
        return At(*inst, absl::StrCat("operand ", operand == nullptr ? "(none)" : operand->name,
                                      " is not defined before it in the same computation"));
      }
    }
    for (const Computation* callee : inst->called) {
      if (!computations.contains(callee)) return At(*inst, "calls what is not in the module");
    }
    earlier.insert(inst.get());
  }
  if (!earlier.contains(computation.root())) return In(computation, "has no root of its own");
  return VerifyParameters(computation);
}

absl::Status VerifyAliases(const Module& module) {
  auto leaf = [](const std::vector<Shape>& leaves, int64_t i) -> const Shape* {
    return i >= 0 && i < static_cast<int64_t>(leaves.size()) ? &leaves[i] : nullptr;
  };
  std::vector<Shape> results = FlattenShape(module.entry()->root()->shape);
  auto parameter = [&](int64_t number) {
    return number >= 0 && number < module.entry()->num_parameters();
  };
  for (const InputOutputAlias& alias : module.aliases) {
    const Shape* result = leaf(results, alias.result_leaf);
    if (result == nullptr || !parameter(alias.parameter_number)) {
      return absl::InvalidArgumentError("error: input_output_alias names no result or parameter");
    }
    std::vector<Shape> leaves =
        FlattenShape(module.entry()->parameters()[alias.parameter_number]->shape);
    const Shape* input = leaf(leaves, alias.parameter_leaf);
    if (input == nullptr || !Shape::SameIgnoringLayout(*input, *result)) {
      return absl::InvalidArgumentError(absl::StrCat("error: input_output_alias of result ",
                                                     alias.result_leaf,
                                                     " with a parameter of another shape"));
    }
  }
  for (int64_t donor : module.donors) {
    if (!parameter(donor)) {
      return absl::InvalidArgumentError(absl::StrCat("error: no parameter ", donor, " to donate"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status VerifyModule(const Module& module) {
  if (module.entry() == nullptr) return absl::InvalidArgumentError("error: no entry computation");
  std::unordered_set<const Computation*> computations;
  for (const auto& computation : module.computations()) computations.insert(computation.get());
  if (!computations.contains(module.entry())) {
    return absl::InvalidArgumentError("error: the entry is not a computation of the module");
  }
  std::unordered_set<std::string> names;
  for (const auto& computation : module.computations()) {
    HLO_RETURN_IF_ERROR(VerifyStructure(*computation, computations, &names));
  }
  std::unordered_set<const Computation*> done;
  std::vector<Computation*> order;
  for (const auto& computation : module.computations()) {
    if (!AppendCallOrder(computation.get(), &done, &order)) {
      return In(*computation, "calls itself, or what it calls does");
    }
  }
  // Callees first: inference reads the shapes of their parameters and roots.
  const GridShape grid{module.num_replicas, module.num_partitions};
  for (const Computation* computation : order) {
    for (const auto& inst : computation->instructions()) {
      HLO_RETURN_IF_ERROR(VerifyInstruction(*inst));
      // A module that states no grid has 1 x 1. What runs it checks again.
      if ((grid.replicas == 1 && grid.partitions == 1) || !IsCommunication(inst->opcode)) continue;
      absl::Status fits = CheckCommunication(*inst, grid);
      if (!fits.ok()) return At(*inst, fits.message());
    }
  }
  return VerifyAliases(module);
}

}  // namespace halyard::hlo
