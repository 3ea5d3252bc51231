// The constants of a Program in a file of their own (`halyard compile --weights=file`): this
// header, and then the bytes that a Program file has from `constants_begin` on. It is
// little-endian.
#ifndef HALYARD_RUNTIME_PROGRAM_WEIGHTS_FILE_H_
#define HALYARD_RUNTIME_PROGRAM_WEIGHTS_FILE_H_

#include <stddef.h>
#include <stdint.h>

#include "runtime/hash.h"
#include "runtime/program/program_format.h"
#include "runtime/status.h"

namespace halyard::runtime::program_format {

inline constexpr uint64_t kWeightsMagic = 0x0A54484757594848;  // "HHYWGHT\n"

inline constexpr uint64_t kWeightsBegin = 4096;  // where the constants begin: after one page
inline constexpr uint64_t kLargestWeights = uint64_t{1} << 46;

// Padded with zeros to kWeightsBegin.
struct WeightsHeader {
  uint64_t magic;
  uint32_t version, maker;  // as in Header
  uint64_t bytes;           // of the constants, with their padding
  uint64_t identity;        // WeightsIdentity of the program's constants
};

// Returns a number that depends on the sizes, order and contents of the constants, so that a file
// of other weights has another number.
inline uint64_t WeightsIdentity(const ConstantRecord* constants, uint64_t count) {
  uint64_t identity = count;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t parts[3] = {identity, constants[i].data.bytes, constants[i].checksum};
    identity = Hash64(parts, sizeof(parts));
  }
  return identity;
}

}  // namespace halyard::runtime::program_format

namespace halyard::runtime {

// Maps a weights file, whose constants then lie kWeightsBegin bytes after `*mapping`. Returns
// kNotFound if the file cannot be opened, kDataLoss if it is damaged, and kFailedPrecondition if it
// has another format, or other constants than `bytes` and `identity` say.
Status MapWeights(const char* path, uint64_t bytes, uint64_t identity, void** mapping,
                  size_t* size);

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_PROGRAM_WEIGHTS_FILE_H_
