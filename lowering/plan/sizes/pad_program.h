// One static program for a range of sizes. It is the program for the largest sizes of the range,
// whose arrays hold smaller ones in their first elements:
//
//   element i of an array is valid if it is within the sizes of the run in each dimension
//
// Every op gets the same valid elements as in the program for the sizes of the run. What lies
// behind them may be anything, NaN too. Where it would matter, it is masked by what makes no
// difference: in folds, products, windows and sorts, and where something moves relative to an
// array's end. Programs take the sizes of the run as further arguments.
//
// What varies is not derived from symbols. The program is made static for each combination of
// sizes, and these modules are compared (size_facts.h). So a rule sees what the sizes are in fact,
// and a program that is another one for some sizes is found.
#ifndef HALYARD_LOWERING_PLAN_SIZES_PAD_PROGRAM_H_
#define HALYARD_LOWERING_PLAN_SIZES_PAD_PROGRAM_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "frontend/hlo/ir/module.h"
#include "lowering/plan/sizes/size_facts.h"

namespace halyard::lowering {

struct PaddedProgram {
  // Its parameters are those of the program, for the largest sizes, then the sizes of the run: an
  // s32 scalar for each variable.
  std::unique_ptr<hlo::Module> module;
  // By leaf and dimension, for each combination of the box.
  std::vector<std::vector<SizeFunction>> arguments, results;
};

// `make` makes the verified static module for each combination of `box`. Errors have the place of
// the instruction: those of `make`; kUnimplemented for an op that has no rule, and for a program
// that depends on its sizes in another way than by sizes.
absl::StatusOr<PaddedProgram> PadProgram(const SizeBox& box, const MakeStatic& make);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_SIZES_PAD_PROGRAM_H_
