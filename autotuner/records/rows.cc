#include "autotuner/records/rows.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace halyard::autotuner {
namespace {

// Returns " WHERE …" and the values to bind, in order.
std::pair<std::string, std::vector<std::string>> Where(const Filter& filter) {
  std::vector<std::string> terms, values;
  auto equal = [&](const char* column, const std::string& value) {
    if (value.empty()) return;
    terms.push_back(absl::StrCat(column, " = ?"));
    values.push_back(value);
  };
  const bool fingerprint = filter.kernel.size() >= 8 && filter.kernel.size() <= 32 &&
                           filter.kernel.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (fingerprint) {
    terms.push_back("kernels.fingerprint GLOB ?");
    values.push_back(filter.kernel + "*");
  } else {
    equal("kernels.key", filter.kernel);
  }
  equal("device", filter.device);
  equal("version", filter.version);
  if (filter.good_only) terms.push_back("outcome = 'good'");
  return {terms.empty() ? "" : absl::StrCat(" WHERE ", absl::StrJoin(terms, " AND ")), values};
}

}  // namespace

std::string Columns(bool resources) {
  return absl::StrCat(
      "SELECT kernels.key, device, schedule, version, outcome, error, seconds, spread, rounds, "
      "difference, created, machine, checksum, ",
      resources ? "resources" : "''", " FROM records JOIN kernels ON kernels.id = records.kernel");
}

bool ReadRow(const Statement& row, Record* record) {
  record->kernel = row.TextAt(0);
  record->device = row.TextAt(1);
  record->schedule = row.TextAt(2);
  record->version = row.TextAt(3);
  const absl::StatusOr<Outcome> outcome = OutcomeNamed(row.TextAt(4));
  if (outcome.ok()) record->outcome = *outcome;
  record->error = row.TextAt(5);
  record->seconds = row.RealAt(6);
  record->spread = row.RealAt(7);
  record->rounds = row.IntegerAt(8);
  record->difference = row.RealAt(9);
  record->created = row.IntegerAt(10);
  record->machine = row.TextAt(11);
  const absl::StatusOr<lowering::KernelResources> resources =
      lowering::KernelResources::Parse(row.TextAt(13));
  if (resources.ok()) record->resources = *resources;
  return outcome.ok() && resources.ok() &&
         static_cast<int64_t>(ChecksumOf(*record)) == row.IntegerAt(12);
}

absl::Status VisitRows(Statement& select, const std::function<bool(const Record&)>& visit,
                       int64_t* damaged) {
  while (true) {
    absl::StatusOr<bool> row = select.Step();
    if (!row.ok()) return row.status();
    if (!*row) return absl::OkStatus();
    Record record;
    if (!ReadRow(select, &record)) {
      ++*damaged;
    } else if (!visit(record)) {
      return absl::OkStatus();
    }
  }
}

absl::StatusOr<Statement> Select(Connection& connection, absl::string_view columns,
                                 const Filter& filter, absl::string_view rest) {
  const auto [where, values] = Where(filter);
  absl::StatusOr<Statement> statement = connection.Prepare(absl::StrCat(columns, where, " ", rest));
  if (statement.ok()) {
    for (const std::string& value : values) statement->Text(value);
  }
  return statement;
}

}  // namespace halyard::autotuner
