// Selects rows of the tuning database, and reads them as records.
#ifndef HALYARD_AUTOTUNER_RECORDS_ROWS_H_
#define HALYARD_AUTOTUNER_RECORDS_ROWS_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "autotuner/records/database.h"
#include "autotuner/records/record.h"
#include "autotuner/records/sqlite.h"

namespace halyard::autotuner {

// Returns "SELECT … FROM …" for whole records. If `resources` is false, "" takes the place of that
// column, which files of versions 1 and 2 do not have.
std::string Columns(bool resources);

// Prepares `columns` ("SELECT … FROM …") for the records that the filter selects, followed by
// `rest`.
absl::StatusOr<Statement> Select(Connection& connection, absl::string_view columns,
                                 const Filter& filter, absl::string_view rest);

// Reads a row of Columns. Returns false if its outcome is unknown or its checksum is wrong.
bool ReadRow(const Statement& row, Record* record);

// Calls `visit` for each record of `select` until it returns false, and counts damaged ones.
absl::Status VisitRows(Statement& select, const std::function<bool(const Record&)>& visit,
                       int64_t* damaged);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RECORDS_ROWS_H_
