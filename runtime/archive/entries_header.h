// The header of an ahead-of-time model with several entries, or with sizes that runs choose.
#ifndef HALYARD_RUNTIME_ARCHIVE_ENTRIES_HEADER_H_
#define HALYARD_RUNTIME_ARCHIVE_ENTRIES_HEADER_H_

#include <string>

#include "absl/types/span.h"
#include "runtime/archive/c_names.h"
#include "runtime/program/bundle/catalogue_spec.h"
#include "runtime/program/program_spec.h"

namespace halyard {

// Returns the text of the header. `name` has passed CheckModelName, `parts` are in the order of
// WriteBundle, and names[i] are those of entry i. Functions of an entry are named NAME_ENTRY_run
// and so on, or NAME_run if there is only one.
std::string EntriesHeader(const std::string& name, absl::Span<const ProgramSpec> parts,
                          const CatalogueSpec& catalogue, absl::Span<const ValueNames> names,
                          bool weights_file);

}  // namespace halyard

#endif  // HALYARD_RUNTIME_ARCHIVE_ENTRIES_HEADER_H_
