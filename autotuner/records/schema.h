// The tables of a tuning database, and how files of older versions get them.
#ifndef HALYARD_AUTOTUNER_RECORDS_SCHEMA_H_
#define HALYARD_AUTOTUNER_RECORDS_SCHEMA_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "autotuner/records/sqlite.h"

namespace halyard::autotuner {

// Returns the number that is the first value of the first row, or 0 if there are no rows.
absl::StatusOr<int64_t> ReadNumber(Connection& connection, absl::string_view sql);

// Checks that the file at `path` is a tuning database that this Halyard reads. With `writes`, also
// makes the tables of a new file, and converts a file of an older version.
absl::Status PrepareSchema(Connection& connection, const std::string& path, bool writes);

// Returns whether the table of records has the column `resources` in files of this version.
bool HasResources(int64_t schema);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RECORDS_SCHEMA_H_
