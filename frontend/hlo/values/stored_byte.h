// Bytes of types narrower than a byte, as other programs have them.
#ifndef HALYARD_FRONTEND_HLO_VALUES_STORED_BYTE_H_
#define HALYARD_FRONTEND_HLO_VALUES_STORED_BYTE_H_

#include <cstdint>

#include "frontend/hlo/values/element_type.h"

namespace halyard::hlo {

// Returns the byte that is stored (StorageBytes) for the value in the low bits of `byte`: NumPy's
// int4 leaves the sign out of the other bits. For PRED, any bit makes it 1. `type` has less than 8
// bits.
inline uint8_t StoredByte(ElementType type, uint8_t byte) {
  if (type == ElementType::kPred) return byte != 0;
  const int bits = BitWidth(type), mask = (1 << bits) - 1, sign = 1 << (bits - 1);
  const int low = byte & mask;
  return static_cast<uint8_t>(IsSigned(type) && (low & sign) != 0 ? low | ~mask : low);
}

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_VALUES_STORED_BYTE_H_
