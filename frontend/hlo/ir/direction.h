// Directions of comparisons.
#ifndef HALYARD_FRONTEND_HLO_IR_DIRECTION_H_
#define HALYARD_FRONTEND_HLO_IR_DIRECTION_H_

#include <string>

namespace halyard::hlo {

// The direction that compares the operands in the other order with the same result.
inline std::string Mirrored(const std::string& direction) {
  if (direction == "LT") return "GT";
  if (direction == "LE") return "GE";
  if (direction == "GT") return "LT";
  if (direction == "GE") return "LE";
  return direction;
}

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_IR_DIRECTION_H_
