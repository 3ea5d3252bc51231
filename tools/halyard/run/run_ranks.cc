#include "tools/halyard/run/run_ranks.h"

#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ranks/mpi_job.h"
#include "tools/halyard/command.h"
#include "tools/halyard/report.h"

namespace halyard::tools {
namespace {

using hlo::Literal;
using hlo::Shape;

void PutNumber(uint64_t number, std::string* out) {
  out->append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void PutBytes(const Literal& literal, std::string* out) {
  out->append(reinterpret_cast<const char*>(literal.bytes().data()), literal.bytes().size());
}

// Appends what one process has returned: the bytes of its results, whose shapes all ranks know, and
// the items of its outfeed with their shapes.
void PutProcess(const GridResults& results, size_t process, std::string* out) {
  for (const Literal& literal : results.results[process]) {
    if (literal.shape().IsArray()) PutBytes(literal, out);
  }
  PutNumber(results.outfeeds[process].size(), out);
  for (const std::vector<Literal>& item : results.outfeeds[process]) {
    PutNumber(item.size(), out);
    for (const Literal& literal : item) {
      PutNumber(static_cast<uint64_t>(literal.shape().element_type()), out);
      PutNumber(literal.shape().dims().size(), out);
      for (const int64_t dim : literal.shape().dims()) PutNumber(static_cast<uint64_t>(dim), out);
      PutBytes(literal, out);
    }
  }
}

// Reads what PutProcess has written. `good` becomes false if the bytes are something else.
class Reader {
 public:
  explicit Reader(absl::string_view bytes) : bytes_(bytes) {}
  bool good() const { return good_; }
  bool done() const { return good_ && bytes_.empty(); }

  uint64_t Number() {
    uint64_t number = 0;
    Copy(&number, sizeof(number));
    return number;
  }
  void Fill(Literal* literal) {
    Copy(literal->mutable_bytes().data(), literal->mutable_bytes().size());
  }
  Literal Array() {
    const uint64_t type = Number(), rank = Number();
    std::vector<int64_t> dims;
    for (uint64_t i = 0; good_ && i < rank; ++i) dims.push_back(static_cast<int64_t>(Number()));
    if (!good_) return Literal();
    Literal literal(Shape::Array(static_cast<hlo::ElementType>(type), std::move(dims)));
    Fill(&literal);
    return literal;
  }

 private:
  void Copy(void* to, size_t size) {
    good_ = good_ && size <= bytes_.size();
    if (!good_ || size == 0) return;
    memcpy(to, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }
  absl::string_view bytes_;
  bool good_ = true;
};

// Reads the results of `process`, a process of another rank. `own` are the results of a process of
// this rank, which have the same shapes.
void TakeProcess(Reader* reader, const std::vector<Literal>& own, size_t process,
                 GridResults* results) {
  results->results[process] = own;
  for (Literal& literal : results->results[process]) {
    if (literal.shape().IsArray()) reader->Fill(&literal);
  }
  const uint64_t items = reader->Number();
  for (uint64_t i = 0; reader->good() && i < items; ++i) {
    std::vector<Literal>& item = results->outfeeds[process].emplace_back();
    const uint64_t arrays = reader->Number();
    for (uint64_t j = 0; reader->good() && j < arrays; ++j) item.push_back(reader->Array());
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<GridRanks>> JoinGridRanks(double timeout_seconds) {
  if (ranks::LaunchedProcesses() == 1) return std::unique_ptr<GridRanks>();
  absl::StatusOr<std::unique_ptr<GridRanks>> ranks = GridRanks::Join(timeout_seconds);
  if (!ranks.ok()) return ranks.status();
  (*ranks)->OnFailure([](const absl::Status& status) {
    PrintError(status);
    fflush(stderr);
    _exit(kWrong);
  });
  // Rank 0 waits here until every rank has met all others.
  if (absl::StatusOr<std::vector<std::string>> all = (*ranks)->Gather(""); !all.ok())
    return all.status();
  if ((*ranks)->rank() == 0) fprintf(stderr, "halyard: %d ranks have met\n", (*ranks)->size());
  return ranks;
}

absl::Status GatherResults(GridRanks* ranks, GridResults* results) {
  const uint32_t processes = static_cast<uint32_t>(results->grid.size());
  const auto [first, end] = ranks->Processes(processes);
  std::string bytes;
  for (uint32_t process = first; ranks->rank() != 0 && process < end; ++process)
    PutProcess(*results, process, &bytes);
  absl::StatusOr<std::vector<std::string>> all = ranks->Gather(bytes);
  if (!all.ok()) return all.status();
  for (size_t rank = 1; rank < all->size(); ++rank) {
    Reader reader((*all)[rank]);
    const auto [from, to] = ranks->ProcessesOf(static_cast<int>(rank), processes);
    for (uint32_t process = from; process < to; ++process)
      TakeProcess(&reader, results->results[first], process, results);
    if (!reader.done())
      return absl::InternalError(absl::StrCat("rank ", rank, " sends results that cannot be read"));
  }
  return absl::OkStatus();
}

}  // namespace halyard::tools
