// Static modules of programs whose sizes follow from the shapes of their arguments.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/hlo/dynamic/shape_operands.h"
#include "frontend/hlo/dynamic/specialize.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/ir/located_error.h"

namespace halyard::hlo {
namespace {

// Shapes that the computation's arguments may have, as --arg-shapes takes them.
std::string ExampleShapes(const Computation& computation) {
  constexpr int64_t kAnySize = 8;
  std::vector<std::string> shapes;
  for (const Instruction* parameter : computation.parameters()) {
    for (const Shape& leaf : FlattenShape(parameter->shape)) {
      if (!leaf.IsArray()) continue;
      std::vector<int64_t> dims = leaf.dims();
      std::replace(dims.begin(), dims.end(), Shape::kUnbounded, kAnySize);
      shapes.push_back(leaf.WithDims(std::move(dims)).ToString());
    }
  }
  return absl::StrJoin(shapes, ";");
}

absl::StatusOr<Shape> Nested(const Shape& like, absl::Span<const Shape> leaves, size_t* next) {
  if (!like.IsTuple()) {
    if (*next >= leaves.size()) return absl::InvalidArgumentError("too few shapes of arguments");
    return leaves[(*next)++];
  }
  std::vector<Shape> elements;
  for (const Shape& element : like.elements()) {
    absl::StatusOr<Shape> nested = Nested(element, leaves, next);
    if (!nested.ok()) return nested;
    elements.push_back(*std::move(nested));
  }
  return Shape::Tuple(std::move(elements));
}

}  // namespace

bool NeedsSpecialization(const Module& module) {
  for (const auto& computation : module.computations()) {
    for (const auto& inst : computation->instructions()) {
      if (inst->shape.IsDynamic() || NextShapeOperand(*inst) >= 0) return true;
    }
  }
  return false;
}

absl::StatusOr<std::unique_ptr<Module>> SpecializeForShapes(const Module& module,
                                                            absl::Span<const Shape> leaves,
                                                            FoldedArrays folded) {
  absl::StatusOr<std::unique_ptr<Module>> inlined = PrepareDynamic(module);
  if (!inlined.ok()) return inlined.status();
  const std::unique_ptr<Module>& prepared = *inlined;
  std::vector<KnownArgument> arguments;
  if (leaves.empty()) {
    for (const Instruction* parameter : prepared->entry()->parameters()) {
      arguments.push_back({parameter->shape, std::nullopt});
      if (!parameter->shape.IsDynamic()) continue;
      return LocatedError(absl::StatusCode::kInvalidArgument, *parameter,
                          absl::StrCat("the sizes of ", parameter->shape.ToString(),
                                       " are known when the program is called: give the "
                                       "shapes of all arguments, as in --arg-shapes=\"",
                                       ExampleShapes(*prepared->entry()), "\""));
    }
  } else {
    auto shapes = ParameterShapes(*prepared->entry(), leaves);
    if (!shapes.ok()) return shapes.status();
    for (Shape& shape : *shapes) arguments.push_back({std::move(shape), std::nullopt});
  }
  absl::StatusOr<Specialization> made = Specialize(*prepared, arguments, folded);
  if (!made.ok()) return made.status();
  if (made->rest == nullptr) return std::move(made->module);
  const Instruction* first = nullptr;
  for (const auto& inst : made->rest->entry()->instructions()) {
    if (inst->opcode != Opcode::kParameter && inst->opcode != Opcode::kConstant) {
      first = inst.get();
      break;
    }
  }
  if (first == nullptr) first = made->rest->entry()->root();
  return LocatedError(absl::StatusCode::kUnimplemented, *first,
                      "sizes follow from the arguments' values here: the program has no one "
                      "static form");
}

absl::StatusOr<std::vector<Shape>> ParameterShapes(const Computation& computation,
                                                   absl::Span<const Shape> leaves) {
  std::vector<Shape> shapes;
  size_t next = 0;
  for (const Instruction* parameter : computation.parameters()) {
    absl::StatusOr<Shape> shape = Nested(parameter->shape, leaves, &next);
    if (!shape.ok()) return shape.status();
    if (!ShapesAgree(parameter->shape, *shape) || shape->IsDynamic()) {
      return absl::InvalidArgumentError(absl::StrCat("argument ", shapes.size(), " is ",
                                                     shape->ToString(), "; the program takes ",
                                                     parameter->shape.ToString()));
    }
    shapes.push_back(*std::move(shape));
  }
  if (next != leaves.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the program takes ", next, " arrays; ", leaves.size(), " were given"));
  }
  return shapes;
}

}  // namespace halyard::hlo
