// From a dynamic program to static ones. A module whose sizes are known when it is called, or while
// it runs, becomes static modules, one after the other: each computes all that follows from what is
// known before it, and what the next one has to know.
#ifndef HALYARD_FRONTEND_HLO_SPECIALIZE_H_
#define HALYARD_FRONTEND_HLO_SPECIALIZE_H_

#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/module.h"

namespace halyard::hlo {

// Some shape is dynamic, or an op's is an operand.
bool NeedsSpecialization(const Module& module);

// The module as Specialize takes it: calls are inlined, and what set-dimension-size makes shorter
// has a bounded type wherever that follows.
absl::StatusOr<std::unique_ptr<Module>> PrepareDynamic(const Module& module);

// What is known of an argument.
struct KnownArgument {
  Shape shape;                   // static
  std::optional<Literal> value;  // of an array
};

struct Specialization {
  // Static, verified. Its parameters are the arguments; without `rest`, its root is the result.
  std::unique_ptr<Module> module;

  // What needs more than was known; null: nothing does. Its parameters are the elements of
  // `module`'s root, a tuple, and then, if there is a `step`, that one's result.
  std::unique_ptr<Module> rest;
  std::vector<int64_t> known;  // elements of the root whose values `rest` must be told

  // A loop or a branch that is run from outside before `rest`, as sizes follow from its values.
  struct Step {
    Opcode opcode;                                  // kWhile or kConditional
    std::vector<int64_t> operands;                  // elements of `module`'s root
    std::vector<std::unique_ptr<Module>> programs;  // condition and body, or the branches
    Provenance provenance;
  };
  std::optional<Step> step;
};

// `module` is PrepareDynamic's. Errors have the op's place: a size that is not what a type or
// another operand says, a shape assertion that does not hold.
absl::StatusOr<Specialization> Specialize(const Module& module,
                                          absl::Span<const KnownArgument> arguments);

// The static module of a program all of whose sizes follow from its arguments' shapes, which are
// given leaf by leaf (empty: the parameters are static). An error if they do not.
absl::StatusOr<std::unique_ptr<Module>> SpecializeForShapes(const Module& module,
                                                            absl::Span<const Shape> leaves);

// The shape of each parameter, made of `leaves` in order, which must agree with what it says.
absl::StatusOr<std::vector<Shape>> ParameterShapes(const Computation& computation,
                                                   absl::Span<const Shape> leaves);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_SPECIALIZE_H_
