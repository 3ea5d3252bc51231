// Other ways to compute what a program computes: planned without fusion, with cuts everywhere or
// anywhere, or without one of the rewrites; or another program that is the same function of other
// arguments. Results are compared with the program's own, within rounding, whatever they should be,
// without an oracle.
#ifndef HALYARD_TESTS_PROGRAMS_VARIANTS_H_
#define HALYARD_TESTS_PROGRAMS_VARIANTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lowering/plan/compile_plan.h"
#include "tests/programs/minimize.h"

namespace halyard::testing {

// How a program is planned: fields of CompileOptions.
struct PlanSettings {
  bool fuse = true;
  bool attention = true;
  bool quick = false;
  std::string without, choices;
};

// "unfused", "cuts", "choices", "no attention", "quick", "without REWRITE" for each rewrite that
// the device has; "constants as arguments", "arguments as constants", "arguments permuted".
std::vector<std::string> VariantNames();

// The program of a variant, and how it is planned. Choices are listed for `device`. The same seed
// gives the same variant of the same program.
struct Variant {
  Program program;
  PlanSettings settings;
};
absl::StatusOr<Variant> MakeVariant(const std::string& name, const Program& program,
                                    const lowering::PlanOptions& device, uint32_t seed);

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_PROGRAMS_VARIANTS_H_
