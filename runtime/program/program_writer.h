// What the writers of Program files and of bundles share.
#ifndef HALYARD_RUNTIME_PROGRAM_PROGRAM_WRITER_H_
#define HALYARD_RUNTIME_PROGRAM_PROGRAM_WRITER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/program/program_format.h"
#include "runtime/program/program_spec.h"

namespace halyard {

// Appends a constant and zeros up to a multiple of 256. In the record, offset 0 is that of `block`.
runtime::program_format::ConstantRecord AppendConstant(const ProgramSpec::Constant& constant,
                                                       std::string* block);

// Returns a Program file without its constants, which lie at these places of a block of
// `block_bytes`. In `places`, offset 0 is that of the block.
std::string WriteProgramHead(const ProgramSpec& spec,
                             std::vector<runtime::program_format::ConstantRecord> places,
                             uint64_t block_bytes);

// Returns the bytes of a bundle with the bytes of a catalogue, or with none.
std::string WriteBundleWith(absl::Span<const ProgramSpec> parts, const std::string& catalogue);

}  // namespace halyard

#endif  // HALYARD_RUNTIME_PROGRAM_PROGRAM_WRITER_H_
