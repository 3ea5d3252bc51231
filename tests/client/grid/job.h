// Grids over ranks that share this process, connected by socket pairs.
#ifndef HALYARD_TESTS_CLIENT_GRID_JOB_H_
#define HALYARD_TESTS_CLIENT_GRID_JOB_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "client/processes/grid_ranks.h"
#include "client/processes/host_queue.h"
#include "tests/client/grid/runs.h"
#include "tests/ranks/socket_pairs.h"

namespace halyard::testing {

inline std::unique_ptr<Executable> Compiled(const std::string& text) {
  auto module = ParseProgram(text, "p.hlo");
  EXPECT_TRUE(module.ok()) << module.status();
  auto executable = ClientFor("x86")->Compile(**module);
  EXPECT_TRUE(executable.ok()) << executable.status();
  return *std::move(executable);
}

// Each rank shares at most this much memory. No test may take much of the machine's.
inline ranks::SharedMemoryOptions Shared(int ranks, uint64_t bytes = 8 << 20) {
  ranks::SharedMemoryOptions options;
  options.most_bytes = bytes;
  options.ranks_here = ranks;
  return options;
}

class Job {
 public:
  explicit Job(int size) : Job(size, Shared(size)) {}
  Job(int size, const ranks::SharedMemoryOptions& shared) {
    std::vector<std::vector<int>> sockets = SocketPairs(size);
    for (int rank = 0; rank < size; ++rank) {
      ranks_.push_back(std::make_unique<GridRanks>(rank, sockets[static_cast<size_t>(rank)],
                                                   /*timeout_seconds=*/60, shared));
    }
  }
  GridRanks& rank(size_t i) { return *ranks_[i]; }
  void Leave(size_t i) { ranks_[i] = nullptr; }

  // Returns each rank's RunGrid result. `hosts` is by rank. Ranks without a program take no part.
  std::vector<absl::StatusOr<Grids>> Run(const std::vector<Executable*>& programs,
                                         const Grids& arguments,
                                         const std::vector<std::vector<ProcessHost*>>& hosts = {}) {
    std::vector<absl::StatusOr<Grids>> results(ranks_.size());
    std::vector<std::thread> threads;
    for (size_t i = 0; i < ranks_.size(); ++i) {
      if (programs[i] == nullptr) continue;
      threads.emplace_back([&, i] {
        results[i] = programs[i]->RunGridLiterals(
            arguments, {hosts.empty() ? std::vector<ProcessHost*>() : hosts[i], ranks_[i].get()});
      });
    }
    for (std::thread& thread : threads) thread.join();
    return results;
  }
  // Returns the results of all processes, from the ranks that have run them, or the first error.
  std::string Run(Executable& program, const Grids& arguments,
                  const std::vector<std::vector<ProcessHost*>>& hosts = {}) {
    const std::vector<absl::StatusOr<Grids>> results =
        Run(std::vector<Executable*>(ranks_.size(), &program), arguments, hosts);
    Grids all(static_cast<size_t>(program.grid().size()));
    for (size_t i = 0; i < ranks_.size(); ++i) {
      if (!results[i].ok()) return Text(results[i]);
      const auto [first, end] = ranks_[i]->Processes(static_cast<uint32_t>(all.size()));
      for (uint32_t p = first; p < end; ++p) all[p] = (*results[i])[p];
    }
    return Text(absl::StatusOr<Grids>(all));
  }

 private:
  std::vector<std::unique_ptr<GridRanks>> ranks_;
};

// A program that adds the numbers of all processes, without its first line and kAdd.
inline constexpr char kSum[] = R"(
ENTRY e {
  x = s32[] parameter(0)
  ROOT y = s32[] all-reduce(x), replica_groups={}, to_apply=add
})";
}  // namespace halyard::testing

#endif  // HALYARD_TESTS_CLIENT_GRID_JOB_H_
