// Names in the headers of ahead-of-time models. The authors of programs name values freely:
// "params['dense']['kernel']", "int", or "x" twice. C needs identifiers.
#ifndef HALYARD_RUNTIME_ARCHIVE_C_NAMES_H_
#define HALYARD_RUNTIME_ARCHIVE_C_NAMES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace halyard {

// The names that a program gives its arguments and results, or "" where it gives none.
struct ValueNames {
  std::vector<std::string> arguments, results;
};

// Returns kInvalidArgument with the reason if a model's functions cannot be named after `name`: it
// is not a C identifier, or NAME_create and the like would be functions of Halyard's runtime or of
// the C library.
absl::Status CheckModelName(const std::string& name);

// Returns whether the name is a keyword of C or C++.
bool IsKeyword(const std::string& name);

// Returns C identifiers for this many arguments and results of the model `model`. None of them is a
// keyword of C or C++, a common macro, or a name that the header uses, and no two differ only in
// case. A name of which nothing remains becomes "argN" or "outN", and the second of two equal names
// gets a number.
ValueNames CIdentifiers(const std::string& model, const ValueNames& names, size_t num_arguments,
                        size_t num_results);

}  // namespace halyard

#endif  // HALYARD_RUNTIME_ARCHIVE_C_NAMES_H_
