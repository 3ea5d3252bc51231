#include "tools/halyard/run/run_grid.h"

#include <cstdio>
#include <map>
#include <memory>

#include "absl/strings/str_cat.h"
#include "client/arrays/npz.h"
#include "client/processes/host_queue.h"
#include "tools/halyard/arrays.h"
#include "tools/halyard/run/run_ranks.h"

namespace halyard::tools {
namespace {

using hlo::Literal;
using Item = std::vector<Literal>;

absl::StatusOr<std::vector<Item>> ReadItems(const std::string& path) {
  std::vector<Item> items;
  if (path.empty()) return items;
  absl::StatusOr<std::map<std::string, Literal>> arrays = ReadNpz(path);
  if (!arrays.ok()) return arrays.status();
  size_t used = 0;
  while (true) {
    const std::string name = absl::StrCat("in", items.size());
    Item item;
    if (auto whole = arrays->find(name); whole != arrays->end()) item.push_back(whole->second);
    while (item.size() != 1 || !arrays->contains(name)) {
      auto part = arrays->find(absl::StrCat(name, ".", item.size()));
      if (part == arrays->end()) break;
      item.push_back(part->second);
    }
    if (item.empty()) break;
    used += item.size();
    items.push_back(std::move(item));
  }
  if (used == arrays->size()) return items;
  return absl::InvalidArgumentError(absl::StrCat(
      path, ": has ", arrays->size(), " arrays, of which ", used,
      " are items of an infeed: in0, in1, ..., or in0.0, in0.1, ... for an item of several"));
}

absl::Status WriteItems(const std::string& path, const GridResults& results) {
  if (path.empty()) return absl::OkStatus();
  std::vector<std::pair<std::string, Literal>> arrays;
  for (size_t p = 0; p < results.outfeeds.size(); ++p) {
    for (size_t i = 0; i < results.outfeeds[p].size(); ++i) {
      for (size_t j = 0; j < results.outfeeds[p][i].size(); ++j) {
        arrays.emplace_back(absl::StrCat("process", p, ".out", i, ".", j),
                            results.outfeeds[p][i][j]);
      }
    }
  }
  return WriteNpz(path, arrays);
}

}  // namespace

std::vector<Literal> GridResults::Flattened() const {
  std::vector<Literal> all;
  for (const std::vector<Literal>& own : results) all.insert(all.end(), own.begin(), own.end());
  return all;
}

absl::StatusOr<GridResults> RunGridOnce(Executable& executable,
                                        absl::Span<const std::vector<Literal>> arguments,
                                        const FeedFiles& feeds, GridRanks* ranks) {
  absl::StatusOr<std::vector<Item>> items = ReadItems(feeds.infeed);
  if (!items.ok()) return items.status();
  GridResults results;
  results.grid = executable.grid();
  std::vector<std::unique_ptr<ProcessHost>> hosts;
  GridRunOptions options;
  options.ranks = ranks;
  for (int64_t p = 0; p < results.grid.size(); ++p) {
    hosts.push_back(std::make_unique<ProcessHost>());
    for (const Item& item : *items) {
      if (absl::Status s = hosts.back()->infeed.Push(item); !s.ok()) return s;
    }
    hosts.back()->infeed.Close();
    options.hosts.push_back(hosts.back().get());
  }
  absl::StatusOr<std::vector<std::vector<Literal>>> all =
      executable.RunGridLiterals(arguments, options);
  if (!all.ok()) return all.status();
  results.results = *std::move(all);
  for (const auto& host : hosts) results.outfeeds.push_back(host->outfeed.TakeAll());
  if (ranks != nullptr) {
    if (absl::Status s = GatherResults(ranks, &results); !s.ok()) return s;
    if (ranks->rank() != 0) return results;
  }
  if (absl::Status s = WriteItems(feeds.outfeed, results); !s.ok()) return s;
  return results;
}

void PrintGrid(const GridResults& results) {
  for (size_t p = 0; p < results.results.size(); ++p) {
    const int64_t partitions = results.grid.partitions, process = static_cast<int64_t>(p);
    printf("process (%lld, %lld)\n", static_cast<long long>(process / partitions),
           static_cast<long long>(process % partitions));
    for (size_t i = 0; i < results.results[p].size(); ++i)
      puts(Summary(absl::StrCat("out", i), results.results[p][i]).c_str());
    for (const Item& item : results.outfeeds[p]) {
      for (size_t j = 0; j < item.size(); ++j)
        puts(Summary(absl::StrCat("outfeed", j), item[j]).c_str());
    }
  }
}

}  // namespace halyard::tools
