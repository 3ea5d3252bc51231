// The byte form of a kernel object, which its reader and its writer share. All integers are
// little-endian. Nothing is aligned except `x86_object` and the modules, which start at multiples
// of 16 bytes from the object's start, so that SPIR-V words can be read in place if the object
// itself is aligned.
//
// The header is followed by three tables of fixed-size entries (arguments, modules, launches) and
// then the data to which they point. Offsets count from the object's start. A zero byte follows
// each string; the string's size does not include it.
#ifndef HALYARD_RUNTIME_KERNEL_OBJECT_FORMAT_H_
#define HALYARD_RUNTIME_KERNEL_OBJECT_FORMAT_H_

#include <stdint.h>

#include "runtime/kernel_object.h"

namespace halyard::runtime::kernel_object_format {

inline constexpr uint32_t kMagic = 0x424F5948;  // "HYOB"

struct Range {
  uint64_t offset;
  uint64_t bytes;
};

struct Header {
  uint32_t magic;
  uint32_t version;
  uint64_t total_bytes;
  uint64_t checksum;  // Hash64 of all bytes after this field's end
  uint32_t kind;
  uint32_t num_inputs;
  uint32_t num_outputs;
  uint32_t num_modules;
  uint32_t num_launches;
  uint32_t counter_bytes;  // 0 in objects of versions that had none
  uint64_t scratch_bytes;
  uint64_t scratch_bytes_per_task;
  Range name;
  Range x86_object;
  uint64_t arguments;  // offsets of the tables
  uint64_t modules;
  uint64_t launches;
};
inline constexpr uint64_t kChecksumEnd = 24;

struct Argument {
  uint8_t type_code, type_bits, rank, reserved[5];
  uint64_t bytes;
  int32_t extent[kMaxKernelRank];
  int32_t stride[kMaxKernelRank];
};

struct LaunchRecord {
  uint32_t module;
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t shared_bytes;
  uint32_t num_arguments;
  uint32_t library;
  Range entry;
  uint64_t arguments;  // offset of LaunchArgumentRecord[num_arguments]
};

struct LaunchArgumentRecord {
  uint32_t kind;
  uint32_t index;
  uint64_t offset;
  uint64_t bytes;
  uint64_t scalar_bits;
};

static_assert(sizeof(Header) == 120 && sizeof(Argument) == 144 && sizeof(LaunchRecord) == 64 &&
              sizeof(LaunchArgumentRecord) == 32);

}  // namespace halyard::runtime::kernel_object_format

#endif  // HALYARD_RUNTIME_KERNEL_OBJECT_FORMAT_H_
