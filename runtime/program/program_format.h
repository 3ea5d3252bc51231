// The Program file, which its reader (program.cc) and its writer (program_writer.cc) share. It is
// little-endian. Tables are 8-aligned and read in place. Offsets count from the file's start and
// have 64 bits.
//
//   Header | tables | strings and kernel objects | (zeros to a multiple of 256) | constants, each
//   padded with zeros to 256
//
// No two records share a string, an object, or a part of a table.
//
// Checksums (hash.h) cover every byte of a file. The header's checksum covers everything from the
// end of its field up to `constants_begin`. The record of each constant holds a checksum of its
// bytes and their padding.
#ifndef HALYARD_RUNTIME_PROGRAM_PROGRAM_FORMAT_H_
#define HALYARD_RUNTIME_PROGRAM_PROGRAM_FORMAT_H_

#include <stdint.h>

#include "runtime/device_fields.h"
#include "runtime/version.h"

namespace halyard::runtime::program_format {

inline constexpr uint64_t kMagic = 0x0A4D524750594848;  // "HHYPGRM\n"
inline constexpr uint32_t kVersion = HALYARD_PROGRAM_FORMAT;
inline constexpr uint64_t kConstantAlignment = 256;

// Bytes somewhere in the file. After a string follows a zero that `bytes` does not count.
struct Range {
  uint64_t offset, bytes;
};
struct Table {
  uint64_t offset, count;
};

struct DeviceRecord {
  char name[128];
  uint64_t fields[CountDeviceFields()];  // in the order of device_fields.h
};

// In every format since 4, the first four fields are these.
struct Header {
  uint64_t magic;
  uint64_t checksum;
  uint32_t version, maker;  // maker: kVersionNumber of the Halyard that wrote the file
  uint64_t total_bytes, constants_begin;
  uint64_t device_arena_bytes, host_arena_bytes;
  uint64_t num_replicas, num_partitions;  // the grid of processes that run the program
  Range name, target;
  DeviceRecord device;
  Table parameters, results;  // ValueRecord
  Table allocations, constants, kernels, steps, sequences;
  Table slices;    // SliceRecord, of all steps
  Table children;  // uint32_t, indices of sequences, of all steps
  Table numbers;   // int64_t: dims and layouts of values, numbers of steps
};
inline constexpr uint64_t kChecksumEnd = 16;

struct ValueRecord {
  Range name, element_type;
  uint64_t dims;  // first index in `numbers`: rank dims, then minor_to_major if has_layout
  uint32_t rank, has_layout;
  int64_t bytes, donated_to_result;  // of a parameter: a result's number, or one of the following
};
inline constexpr int64_t kNotDonated = -1, kDonatedToNone = -2;
struct AllocationRecord {
  uint32_t kind, space;
  int64_t number, offset, bytes;
  Range label;
};
struct ConstantRecord {
  Range data;
  uint64_t checksum;
};
struct KernelRecord {
  Range name, provenance, object;
  uint32_t space, reserved;
  uint64_t flops, bytes;  // of one call, see ProgramSpec::Kernel
};
// kTupleResult: the results form a tuple, even if there is only one, so a plain function gets an
// array of pointers. kNotPlain: the api_version in the program excludes a plain function.
enum CallFlag : uint32_t { kTupleResult = 1, kNotPlain = 2 };
struct StepRecord {
  uint32_t kind;
  int32_t kernel;
  uint64_t first_slice, first_child;
  uint32_t num_slices, num_inputs, num_children, flags;  // flags: CallFlag of a custom call, or 0
  int64_t trip_count;
  uint64_t first_number, num_numbers;  // see ProgramSpec::Step
  Range target, config, label;
};
struct SequenceRecord {
  uint64_t first_step, num_steps;
};
struct SliceRecord {
  uint64_t allocation, offset, bytes;
};

static_assert(sizeof(DeviceRecord) == 128 + 8 * CountDeviceFields() &&
              sizeof(Header) == 264 + sizeof(DeviceRecord) && sizeof(ValueRecord) == 64 &&
              sizeof(AllocationRecord) == 48 && sizeof(ConstantRecord) == 24 &&
              sizeof(KernelRecord) == 72 && sizeof(StepRecord) == 112 &&
              sizeof(SequenceRecord) == 16 && sizeof(SliceRecord) == 24);

}  // namespace halyard::runtime::program_format

#endif  // HALYARD_RUNTIME_PROGRAM_PROGRAM_FORMAT_H_
