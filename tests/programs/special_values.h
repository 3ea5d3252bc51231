// NaN, infinities, zeros of both signs, denormals and the ends of the range in place of a program's
// own numbers.
#ifndef HALYARD_TESTS_PROGRAMS_SPECIAL_VALUES_H_
#define HALYARD_TESTS_PROGRAMS_SPECIAL_VALUES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/hlo/ir/module.h"

namespace halyard::testing {

struct SpecialOptions {
  bool denormals = true;  // of f32 and parts of c64: a device may flush them
  uint32_t seed = 1;
};

// A program's arguments with special values in them.
struct SpecialArguments {
  std::string what;  // "a third of all", "argument 1"
  std::vector<hlo::Literal> arguments;
};

// Returns some ways to put special values into `arguments`, or none if no argument has floats. If
// the order in which `module` adds and multiplies is free, the largest numbers are chosen so that
// no order overflows.
std::vector<SpecialArguments> WithSpecialValues(const hlo::Module& module,
                                                const std::vector<hlo::Literal>& arguments,
                                                const SpecialOptions& options);

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_PROGRAMS_SPECIAL_VALUES_H_
