// The bundle file, which its reader (bundle.cc) and its writer (bundle_writer.cc) share: one
// program compiled for several targets, or several of them. It is little-endian.
//
//   Header | parts | constants' table | catalogue | (zeros to a multiple of 256) | the parts, one
//   after the other | all constants, each padded with zeros to 256
//
// Without a catalogue (catalogue_format.h), each part is a target.
//
// A part is a Program file (program_format.h) without its constants. Its constants lie in the
// bundle's, where equal ones of several parts are one: offset `constants_begin` of the part stands
// for `constants_begin` of the bundle. The header's checksum covers everything from the end of its
// field up to the first part; each part has a checksum of its own, and so has each constant.
#ifndef HALYARD_RUNTIME_PROGRAM_BUNDLE_BUNDLE_FORMAT_H_
#define HALYARD_RUNTIME_PROGRAM_BUNDLE_BUNDLE_FORMAT_H_

#include <stdint.h>

#include "runtime/program/program_format.h"

namespace halyard::runtime::bundle_format {

inline constexpr uint64_t kMagic = 0x0A32444E42594848;  // "HHYBND2\n"
inline constexpr uint32_t kMaxTargets = 64, kMaxParts = 1 << 14;

struct Header {
  uint64_t magic;
  uint64_t checksum;
  uint32_t version, maker;  // as in program_format.h
  uint64_t total_bytes, constants_begin;
  program_format::Table parts;      // PartRecord
  program_format::Table constants;  // program_format::ConstantRecord
  program_format::Range catalogue;
};
inline constexpr uint64_t kChecksumEnd = 16;

struct PartRecord {
  uint64_t offset, bytes;
};

static_assert(sizeof(Header) == 88 && sizeof(PartRecord) == 16);

}  // namespace halyard::runtime::bundle_format

#endif  // HALYARD_RUNTIME_PROGRAM_BUNDLE_BUNDLE_FORMAT_H_
