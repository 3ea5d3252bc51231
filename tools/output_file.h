// Writes the files that options name.
#ifndef HALYARD_TOOLS_OUTPUT_FILE_H_
#define HALYARD_TOOLS_OUTPUT_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace halyard::tools {

// Replaces a file as a whole or, on an error, not at all. Links stay, and the file keeps its owner
// and its mode. Devices, pipes and whatever is in a folder in which no other file may be made are
// written in place.
absl::Status WriteFile(const std::string& path, absl::string_view bytes);
// Returns whether WriteFile could write there, as far as that can be known. Leaves and changes
// nothing.
absl::Status CheckWritable(const std::string& path);
// The same for WriteNpz, which always puts another file into the place of the old one.
absl::Status CheckArrayFile(const std::string& path);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_OUTPUT_FILE_H_
