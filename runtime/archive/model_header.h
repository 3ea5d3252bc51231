// The header of an ahead-of-time model, NAME.h.
#ifndef HALYARD_RUNTIME_ARCHIVE_MODEL_HEADER_H_
#define HALYARD_RUNTIME_ARCHIVE_MODEL_HEADER_H_

#include <string>

#include "absl/types/span.h"
#include "runtime/archive/c_names.h"
#include "runtime/program/program_spec.h"

namespace halyard {

// Returns the C type of an array of an HLO element type; complex elements are pairs.
const char* CType(const std::string& element_type);

// Returns the text of the header. `name` has passed CheckModelName. `programs` are one program for
// one or more targets. Values are named after `names`. With `weights_file`, a second function takes
// the path of that file.
std::string ModelHeader(const std::string& name, absl::Span<const ProgramSpec> programs,
                        const ValueNames& names, bool weights_file);

}  // namespace halyard

#endif  // HALYARD_RUNTIME_ARCHIVE_MODEL_HEADER_H_
