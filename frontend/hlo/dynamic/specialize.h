// Turns a dynamic program into static ones. A module whose sizes are known when it is called, or
// while it runs, becomes static modules, one after the other. Each computes everything that follows
// from what is known before it, and what the next one must know.
#ifndef HALYARD_FRONTEND_HLO_DYNAMIC_SPECIALIZE_H_
#define HALYARD_FRONTEND_HLO_DYNAMIC_SPECIALIZE_H_

#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo {

// Returns whether some shape is dynamic, or an op's shape is an operand.
bool NeedsSpecialization(const Module& module);

// Returns the module in the form that Specialize takes: calls are inlined, and arrays that
// set-dimension-size makes shorter have a bounded type wherever that follows.
absl::StatusOr<std::unique_ptr<Module>> PrepareDynamic(const Module& module);

// What is known of an argument.
struct KnownArgument {
  Shape shape;                   // static
  std::optional<Literal> value;  // the value of an array
};

struct Specialization {
  // Static and verified. Its parameters are the arguments. Without `rest`, its root is the result.
  std::unique_ptr<Module> module;

  // What needs more than was known, or null if nothing does. Its parameters are the elements of
  // `module`'s root, a tuple, and then, if there is a `step`, the result of the step.
  std::unique_ptr<Module> rest;
  std::vector<int64_t> known;  // elements of the root whose values `rest` must know

  // A loop or a branch that is run from outside before `rest`, because sizes follow from its
  // values.
  struct Step {
    Opcode opcode;                                  // kWhile or kConditional
    std::vector<int64_t> operands;                  // elements of `module`'s root
    std::vector<std::unique_ptr<Module>> programs;  // condition and body, or the branches
    Provenance provenance;
  };
  std::optional<Step> step;
};

// Which arrays of few integers are followed, and become constants where they are known.
enum class FoldedArrays {
  kAll,
  kOfStatedSizes,  // those whose sizes the program states: not more for some sizes than for others
};

// `module` comes from PrepareDynamic. Errors have the op's place: a size that disagrees with a type
// or another operand, or a shape assertion that does not hold.
absl::StatusOr<Specialization> Specialize(const Module& module,
                                          absl::Span<const KnownArgument> arguments,
                                          FoldedArrays folded = FoldedArrays::kAll);

// Returns the static module of a program all of whose sizes follow from its arguments' shapes,
// which are given leaf by leaf (if empty, the parameters are static). It is an error if they do not
// follow.
absl::StatusOr<std::unique_ptr<Module>> SpecializeForShapes(
    const Module& module, absl::Span<const Shape> leaves, FoldedArrays folded = FoldedArrays::kAll);

// Returns the shape of each parameter, made of `leaves` in order, which must agree with the
// parameter's own shape.
absl::StatusOr<std::vector<Shape>> ParameterShapes(const Computation& computation,
                                                   absl::Span<const Shape> leaves);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_DYNAMIC_SPECIALIZE_H_
