// halyard db: looks at the tuning database, and moves records in and out of it.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "autotuner/records/database.h"
#include "autotuner/records/kept_choices.h"
#include "autotuner/records/record_text.h"
#include "autotuner/records/version.h"
#include "frontend/files/read_file.h"
#include "tools/command_line.h"
#include "tools/halyard/command.h"
#include "tools/halyard/global_options.h"
#include "tools/halyard/report.h"
#include "tools/output_file.h"

namespace halyard::tools {
namespace {

using autotuner::Database;
using autotuner::Filter;
using autotuner::KernelFingerprint;
using autotuner::Outcome;
using autotuner::Record;

struct DbOptions {
  std::string path;  // --db
  std::string file;  // export, import, merge
  Filter filter;
  int64_t keep = 1;
  std::vector<std::string> versions;
  bool stale = false;
};

std::string PathOf(const DbOptions& options) {
  return options.path.empty() ? Database::DefaultPath() : options.path;
}

// Returns this Halyard's version of what a version such as "contraction 2 halide 20.0.0" names.
std::string CurrentVersion(const std::string& version) {
  const std::string name = version.substr(0, version.find(' '));
  return name == "choices" ? autotuner::ChoicesVersion() : autotuner::VersionOf(name);
}

// Returns whether compiles and tuners ignore the record, because another version made it.
bool IsStale(const Record& record) { return record.version != CurrentVersion(record.version); }

void TellDamaged(int64_t damaged) {
  if (damaged == 0) return;
  fflush(stdout);
  fprintf(stderr, "halyard: warning: %lld damaged records left out; see `halyard db verify`\n",
          static_cast<long long>(damaged));
}

// Call this if nothing was found for filter.device. Returns an error if no record at all is for
// that device.
absl::Status CheckDevice(const Database& database, const Filter& filter) {
  if (filter.device.empty()) return absl::OkStatus();
  absl::StatusOr<std::vector<std::string>> devices = database.Devices();
  if (!devices.ok()) return devices.status();
  if (std::find(devices->begin(), devices->end(), filter.device) != devices->end())
    return absl::OkStatus();
  return absl::NotFoundError(absl::StrCat(
      "--on: no records of device ", filter.device, " in ", database.path(),
      devices->empty() ? std::string("; it has none of any")
                       : absl::StrCat("; it has those of ", absl::StrJoin(*devices, ", "))));
}

std::string Microseconds(double seconds) { return absl::StrFormat("%.4g", seconds * 1e6); }

std::string DateOf(int64_t created) {
  const time_t time = static_cast<time_t>(created);
  tm parts;
  char text[32];
  if (gmtime_r(&time, &parts) == nullptr ||
      strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &parts) == 0) {
    return "-";
  }
  return text;
}

// Describes the kernel's root instruction in a line: what the kernel computes.
std::string RootOf(const std::string& kernel) {
  const size_t root = kernel.rfind("ROOT ");
  if (root == std::string::npos) return kernel.substr(0, 60);
  const size_t end = kernel.find('\n', root);
  std::string line = kernel.substr(root + 5, end == std::string::npos ? end : end - root - 5);
  if (line.size() > 60) line = line.substr(0, 57) + "...";
  return line;
}

// Prints a row per kernel and device.
int List(const DbOptions& options) {
  absl::StatusOr<Database> database = Database::Open(PathOf(options), Database::Mode::kReadOnly);
  if (!database.ok()) return Fail(database.status());
  struct Row {
    int64_t records = 0, failed = 0, stale = 0, newest = 0;
    double best = 0;
    std::string schedule, root;
  };
  std::map<std::pair<std::string, std::string>, Row> rows;
  auto add = [&rows](const Record& record) {
    Row& row = rows[{record.device, KernelFingerprint(record.kernel)}];
    ++row.records;
    row.newest = std::max(row.newest, record.created);
    row.root = RootOf(record.kernel);
    const bool stale = IsStale(record);
    if (stale) ++row.stale;
    if (record.outcome != Outcome::kGood) {
      ++row.failed;
    } else if (stale) {
      return true;
    } else if (row.schedule.empty() || record.seconds < row.best) {
      row.best = record.seconds;
      row.schedule = record.schedule;
    }
    return true;
  };
  int64_t damaged = 0;
  absl::Status status = database->ForEach(options.filter, add, &damaged);
  if (status.ok() && rows.empty()) status = CheckDevice(*database, options.filter);
  if (!status.ok()) return Fail(status);
  std::vector<std::vector<std::string>> table = {{"kernel", "records", "failed", "stale", "best µs",
                                                  "newest", "device", "best schedule", "computes"}};
  for (const auto& [key, row] : rows) {
    table.push_back({key.second.substr(0, 12), absl::StrCat(row.records), absl::StrCat(row.failed),
                     absl::StrCat(row.stale), row.schedule.empty() ? "-" : Microseconds(row.best),
                     DateOf(row.newest), key.first, row.schedule.empty() ? "-" : row.schedule,
                     row.root});
  }
  fputs(Columns(table).c_str(), stdout);
  TellDamaged(damaged);
  return kFine;
}

// Prints every record of a kernel, fastest first.
int Show(const DbOptions& options) {
  absl::StatusOr<Database> database = Database::Open(PathOf(options), Database::Mode::kReadOnly);
  if (!database.ok()) return Fail(database.status());
  std::map<std::string, std::vector<Record>> kernels;
  int64_t damaged = 0;
  absl::Status status = database->ForEach(
      options.filter,
      [&kernels](const Record& record) {
        kernels[record.kernel].push_back(record);
        return true;
      },
      &damaged);
  if (!status.ok()) return Fail(status);
  TellDamaged(damaged);
  if (kernels.empty())
    return Fail(absl::NotFoundError(
        absl::StrCat("no records of kernel ", options.filter.kernel, " in ", database->path())));
  for (auto& [kernel, records] : kernels) {
    printf("kernel %s\n%s\n\n", KernelFingerprint(kernel).c_str(), kernel.c_str());
    std::stable_sort(records.begin(), records.end(), [](const Record& a, const Record& b) {
      const bool good_a = a.outcome == Outcome::kGood, good_b = b.outcome == Outcome::kGood;
      return good_a != good_b ? good_a : a.seconds < b.seconds;
    });
    std::vector<std::vector<std::string>> table = {{"µs", "±", "rounds", "outcome", "schedule",
                                                    "version", "device", "measured", "resources",
                                                    "error"}};
    for (const Record& r : records) {
      const bool good = r.outcome == Outcome::kGood;
      table.push_back({good ? Microseconds(r.seconds) : "-", good ? Microseconds(r.spread) : "-",
                       absl::StrCat(r.rounds), std::string(OutcomeName(r.outcome)), r.schedule,
                       absl::StrCat(r.version, IsStale(r) ? " (stale)" : ""), r.device,
                       DateOf(r.created), r.resources.known() ? r.resources.ToText() : "-",
                       r.error.substr(0, r.error.find('\n'))});
    }
    fputs(Columns(table).c_str(), stdout);
  }
  return kFine;
}

int Best(const DbOptions& options) {
  absl::StatusOr<Database> database = Database::Open(PathOf(options), Database::Mode::kReadOnly);
  if (!database.ok()) return Fail(database.status());
  std::string best, stale;
  absl::Status status = database->ForEachBest(options.filter, [&](const Record& record) {
    if (!IsStale(record)) {
      best = record.schedule;
      return false;
    }
    stale = record.version;
    return true;
  });
  if (!status.ok()) return Fail(status);
  if (best.empty()) {
    return Fail(absl::NotFoundError(
        absl::StrCat("no good record of kernel ", options.filter.kernel, " in ", database->path(),
                     stale.empty() ? ""
                                   : absl::StrCat(" that counts; version \"", stale, "\" is \"",
                                                  CurrentVersion(stale), "\" now"))));
  }
  printf("%s\n", best.c_str());
  return kFine;
}

int Export(const DbOptions& options) {
  absl::StatusOr<Database> database = Database::Open(PathOf(options), Database::Mode::kReadOnly);
  if (!database.ok()) return Fail(database.status());
  std::string lines;
  autotuner::RecordTextWriter writer;
  int64_t damaged = 0;
  absl::Status status = database->ForEach(
      options.filter,
      [&](const Record& record) {
        writer.Append(record, &lines);
        return true;
      },
      &damaged);
  if (status.ok() && lines.empty()) status = CheckDevice(*database, options.filter);
  if (!status.ok()) return Fail(status);
  if (options.file == "-") {
    fwrite(lines.data(), 1, lines.size(), stdout);
  } else if (absl::Status s = WriteFile(options.file, lines); !s.ok()) {
    return Fail(s);
  }
  TellDamaged(damaged);
  return damaged == 0 ? kFine : kWrong;
}

// Imports all lines, or none if one of them is wrong.
int Import(const DbOptions& options) {
  const bool standard = options.file == "-";
  const absl::StatusOr<std::string> bytes =
      standard ? ReadToEnd(STDIN_FILENO, "standard input", kRecordLimits)
               : ReadWholeFile(options.file, kRecordLimits);
  if (!bytes.ok()) return Fail(bytes.status());
  const absl::StatusOr<std::vector<Record>> records =
      autotuner::ReadRecordText(*bytes, standard ? "<stdin>" : options.file);
  if (!records.ok()) return Fail(records.status());
  absl::StatusOr<Database> database = Database::Open(PathOf(options), Database::Mode::kReadWrite);
  if (!database.ok()) return Fail(database.status());
  absl::StatusOr<int64_t> put = database->PutUnlessOlder(*records);
  if (!put.ok()) return Fail(put.status());
  printf("%lld records imported into %s", static_cast<long long>(*put), database->path().c_str());
  const int64_t older = static_cast<int64_t>(records->size()) - *put;
  if (older > 0) {
    printf("; %lld are older than those that it has, and left out", static_cast<long long>(older));
  }
  printf("\n");
  return kFine;
}

int Merge(const DbOptions& options) {
  absl::StatusOr<Database> other = Database::Open(options.file, Database::Mode::kReadOnly);
  if (!other.ok()) return Fail(other.status());
  absl::StatusOr<Database> database = Database::Open(PathOf(options), Database::Mode::kReadWrite);
  if (!database.ok()) return Fail(database.status());
  int64_t damaged = 0;
  absl::StatusOr<int64_t> changed = database->Merge(*other, &damaged);
  if (!changed.ok()) return Fail(changed.status());
  printf("%lld records of %s are new or newer; %s has them now\n", static_cast<long long>(*changed),
         options.file.c_str(), database->path().c_str());
  if (damaged > 0) {
    fflush(stdout);
    fprintf(stderr,
            "halyard: warning: %lld damaged records left out; see `halyard db verify --db=%s`\n",
            static_cast<long long>(damaged), options.file.c_str());
  }
  return kFine;
}

// Returns the versions whose records stay; an empty list stands for all.
absl::StatusOr<std::vector<std::string>> VersionsToKeep(const Database& database,
                                                        const DbOptions& options) {
  absl::StatusOr<std::vector<std::string>> there = database.Versions();
  if (!there.ok()) return there.status();
  std::vector<std::string> keep = options.versions;
  for (const std::string& version : keep) {
    if (std::find(there->begin(), there->end(), version) == there->end()) {
      return absl::NotFoundError(absl::StrCat("--version-is: no record is of version \"", version,
                                              "\"; there are those of ",
                                              absl::StrJoin(*there, ", ")));
    }
  }
  if (options.stale) {
    keep.push_back(autotuner::ChoicesVersion());  // so that the list is not empty
    for (const std::string& version : *there) keep.push_back(CurrentVersion(version));
  }
  return keep;
}

int Prune(const DbOptions& options) {
  // Opened for writing, a database of a mistyped name would be made.
  const absl::Status there = Database::Open(PathOf(options), Database::Mode::kReadOnly).status();
  if (!there.ok()) return Fail(there);
  absl::StatusOr<Database> database = Database::Open(PathOf(options), Database::Mode::kReadWrite);
  if (!database.ok()) return Fail(database.status());
  absl::StatusOr<std::vector<std::string>> versions = VersionsToKeep(*database, options);
  if (!versions.ok()) return Fail(versions.status());
  absl::StatusOr<int64_t> gone = database->Prune(options.keep, *versions);
  if (!gone.ok()) return Fail(gone.status());
  printf("%lld records removed\n", static_cast<long long>(*gone));
  return kFine;
}

int Verify(const DbOptions& options) {
  absl::StatusOr<Database> database = Database::Open(PathOf(options), Database::Mode::kReadOnly);
  if (!database.ok()) return Fail(database.status());
  absl::StatusOr<std::vector<std::string>> wrong = database->Verify();
  if (!wrong.ok()) return Fail(wrong.status());
  for (const std::string& line : *wrong) PrintError(absl::DataLossError(line));
  if (!wrong->empty()) return kWrong;
  absl::StatusOr<int64_t> count = database->Count({});
  if (!count.ok()) return Fail(count.status());
  printf("%s: %lld records, none damaged\n", database->path().c_str(),
         static_cast<long long>(*count));
  return kFine;
}

}  // namespace

void AddDb(CLI::App& app, const GlobalOptions& global, Action* action) {
  auto options = std::make_shared<DbOptions>();
  CLI::App* db = app.add_subcommand("db", "The tuning database: list, show, export, import, merge");
  db->require_subcommand(1);
  auto add = [&](const char* name, const char* what, int (*run)(const DbOptions&)) {
    CLI::App* command = db->add_subcommand(name, what);
    command->callback([options, &global, action, run] {
      *action = [options, &global, run] {
        options->path = global.client.tuning_database;
        return run(*options);
      };
    });
    return command;
  };
  auto add_filter = [&](CLI::App* command, bool kernel_wanted) {
    CLI::Option* kernel =
        command->add_option("KERNEL", options->filter.kernel,
                            "The kernel's fingerprint, or its first 8 digits or more");
    if (kernel_wanted) kernel->required();
    command->add_option("--on", options->filter.device, "Records of this device only, by its name");
  };
  add_filter(add("list", "A row per kernel and device", List), false);
  add_filter(add("show", "Every record of a kernel, fastest first", Show), true);
  add_filter(add("best", "The fastest good schedule of a kernel", Best), true);
  CLI::App* command =
      add("export", "Records as lines of JSON, in an order that can be compared", Export);
  command->add_option("-o", options->file, "File to write; -: standard output")->default_str("-");
  options->file = "-";
  command->add_option("--on", options->filter.device, "Records of this device only, by its name");
  add("import", "Add records that `export` has written, but for those older than what there is",
      Import)
      ->add_option("FILE", options->file, "Lines of JSON; -: standard input")
      ->required();
  add("merge", "Add another database's records that are new or newer", Merge)
      ->add_option("FILE", options->file, "The other database")
      ->required();
  command = add("prune",
                "Remove failed and slow records; the first that was measured stays (that of the "
                "default schedule: the others' times are on its scale)",
                Prune);
  command
      ->add_option("--keep", options->keep,
                   "How many of the fastest records of each kernel, device and version stay")
      ->check(AboveZero())
      ->capture_default_str();
  CLI::Option* versions = command->add_option(
      "--version-is", options->versions,
      "Also remove records of versions other than these (as `show` prints them)");
  command
      ->add_flag("--stale", options->stale,
                 "Also remove records of versions that are not this Halyard's")
      ->excludes(versions);
  add("verify", "Check the file and every record's checksum", Verify);
}

}  // namespace halyard::tools
