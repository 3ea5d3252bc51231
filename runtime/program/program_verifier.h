// Checks a Program file before anything else reads it: its tables always, its constants on request.
#ifndef HALYARD_RUNTIME_PROGRAM_PROGRAM_VERIFIER_H_
#define HALYARD_RUNTIME_PROGRAM_PROGRAM_VERIFIER_H_

#include "runtime/device_info.h"
#include "runtime/kernel_object.h"
#include "runtime/status.h"

namespace halyard::runtime {

class Program;

// Returns kDataLoss with what is wrong and where. Otherwise, every offset, index, count and string
// that program.h hands out is within bounds; every slice lies within its allocation, every
// temporary in its arena, and every value and constant in an allocation of its size; nothing writes
// a parameter or constant; and sequences nest without cycles. `bytes.data` is 8-aligned.
// The constants' bytes are not read.
Status VerifyProgram(ByteSpan bytes, DeviceInfo* device);
// The same for a Program file without its constants, which lie among others in a block of
// `constant_bytes` (Program::FromParts).
Status VerifyProgramHead(ByteSpan head, uint64_t constant_bytes, DeviceInfo* device);

// Reads all constants. Returns kDataLoss if the checksum of one differs.
Status VerifyConstants(const Program& program);

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_PROGRAM_PROGRAM_VERIFIER_H_
