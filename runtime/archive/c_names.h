// Names in the headers of ahead-of-time models. Programs name their values as their authors like:
// "params['dense']['kernel']", "int", "x" twice. C wants identifiers.
#ifndef HALYARD_RUNTIME_ARCHIVE_C_NAMES_H_
#define HALYARD_RUNTIME_ARCHIVE_C_NAMES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace halyard {

// What a program calls its arguments and results; "" where it says nothing.
struct ValueNames {
  std::vector<std::string> arguments, results;
};

// Returns kInvalidArgument with the reason if a model's functions cannot be named after `name`: it
// is no C identifier, or NAME_create and its like would be functions of Halyard's runtime or of the
// C library.
absl::Status CheckModelName(const std::string& name);

// Returns C identifiers for so many arguments and results of the model `model`. None is a keyword
// of C or C++, a common macro, or a name that the header uses, and no two differ only in case. A
// name that leaves nothing becomes "argN" or "outN", and the second of two that are equal gets a
// number.
ValueNames CIdentifiers(const std::string& model, const ValueNames& names, size_t num_arguments,
                        size_t num_results);

}  // namespace halyard

#endif  // HALYARD_RUNTIME_ARCHIVE_C_NAMES_H_
