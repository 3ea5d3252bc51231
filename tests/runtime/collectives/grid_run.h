// Runs a body for each process of a Grid, in threads.
#ifndef HALYARD_TESTS_RUNTIME_COLLECTIVES_GRID_RUN_H_
#define HALYARD_TESTS_RUNTIME_COLLECTIVES_GRID_RUN_H_

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/collectives/grid.h"

namespace halyard::runtime {

using Numbers = std::vector<int64_t>;

inline HostArray ArrayOf(Numbers& numbers) {
  return {numbers.data(), numbers.size() * sizeof(numbers[0])};
}

// Runs `body` for all processes of a grid, each in its own thread.
class GridRun {
 public:
  using Body = std::function<Status(Grid* grid, uint32_t process)>;
  GridRun(uint32_t replicas, uint32_t partitions, const Body& body, const GridHost& host = {}) {
    Grid* grid = nullptr;
    Status made = Grid::Create(replicas, partitions, 8, host, {}, &grid);
    EXPECT_TRUE(made.ok()) << made.message();
    std::vector<std::thread> threads;
    for (uint32_t i = 0; i < grid->size(); ++i) {
      threads.emplace_back([&, i] {
        Status status = body(grid, i);
        grid->End(i, status);
      });
    }
    for (std::thread& thread : threads) thread.join();
    Status error = grid->TakeError();
    code = error.code();
    message = error.message();
    grid->Destroy();
  }
  Code code = Code::kOk;
  std::string message;
};

inline void SleepABit(std::mt19937& random) {
  const uint32_t dice = random() % 8;
  if (dice == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 50));
  if (dice == 1) std::this_thread::yield();
}

inline ExchangeStep StepOf(uint64_t step, ExchangePattern pattern, const Numbers& groups,
                           uint32_t num_groups) {
  return {step, "exchange x (p.hlo:1:1)", pattern, groups.data(), num_groups, 1};
}

}  // namespace halyard::runtime

#endif  // HALYARD_TESTS_RUNTIME_COLLECTIVES_GRID_RUN_H_
