// Applies one op to known values.
#ifndef HALYARD_TESTS_LOWERING_NUMERICS_KNOWN_VALUES_H_
#define HALYARD_TESTS_LOWERING_NUMERICS_KNOWN_VALUES_H_

#include <gtest/gtest.h>

#include "tests/lowering/numerics/harness.h"

namespace halyard::lowering::testing {

using hlo::ElementType;
using hlo::Opcode;
constexpr float kInf = HUGE_VALF;
const float kNan = std::nanf("");

inline Value Apply(Opcode opcode, std::vector<Value> operands, const char* direction = nullptr) {
  std::vector<ElementType> types;
  for (const Value& v : operands) types.push_back(v.type);
  Op op{opcode, types, direction ? ElementType::kPred : types[0], {}};
  if (direction) op.attrs.Set(hlo::Attr::kDirection, std::string(direction));
  return BuildOf(op)(operands);
}

}  // namespace halyard::lowering::testing

#endif  // HALYARD_TESTS_LOWERING_NUMERICS_KNOWN_VALUES_H_
