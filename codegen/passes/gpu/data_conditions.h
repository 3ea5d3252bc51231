// Moves decisions that depend on elements of arrays from a GPU kernel's host stub into its
// launches.
#ifndef HALYARD_CODEGEN_PASSES_GPU_DATA_CONDITIONS_H_
#define HALYARD_CODEGEN_PASSES_GPU_DATA_CONDITIONS_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "Halide.h"

namespace halyard::lowering {

// A lowering pass for GPUs. Halide takes conditions that no thread changes out of a launch, and
// skips a Func that nobody needs: the CPU decides both, if need be by elements of arrays. Ours
// never does, because its launches are recorded once and repeated with other elements. So such a
// condition becomes part of each launch that depends on it, and a Func is computed whether or not
// it is needed. Throws EmitError where the CPU would need elements for anything else, the steps of
// a loop, for example.
class DataConditions : public Halide::Internal::IRMutator {
 private:
  using IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::LetStmt* let) override;
  Halide::Internal::Stmt visit(const Halide::Internal::IfThenElse* branch) override;
  Halide::Internal::Stmt visit(const Halide::Internal::For* loop) override;
  Halide::Expr visit(const Halide::Internal::Variable* variable) override;
  Halide::Expr visit(const Halide::Internal::Load* load) override;

  using Arrays = std::set<std::string>;
  // Returns the arrays whose elements the value of `e` depends on.
  Arrays ArraysOf(const Halide::Expr& e) const;
  Halide::Internal::Stmt Under(const Halide::Expr& condition, const Halide::Internal::Stmt& body);

  // What surrounds a statement and depends on elements, from the outside in: a variable of this
  // name with this value, or, without a name, a condition.
  struct Around {
    std::string name;
    Halide::Expr value;
  };
  std::vector<Around> around_;
  std::map<std::string, Arrays> arrays_;  // by the variables in around_
  Arrays needed_;                         // variables that say whether a Func is needed
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_GPU_DATA_CONDITIONS_H_
