// Says what a program file or a bundle holds, for `halyard-rt info`.
#ifndef HALYARD_TOOLS_PROGRAM_INFO_H_
#define HALYARD_TOOLS_PROGRAM_INFO_H_

#include <string>

#include "absl/status/statusor.h"

namespace halyard::tools {

// Returns lines: the program's arguments and results (of a bundle with a catalogue, each entry's,
// with the sizes that runs choose), then what each target has. Opens no device.
absl::StatusOr<std::string> DescribeProgramFile(const std::string& file);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_PROGRAM_INFO_H_
