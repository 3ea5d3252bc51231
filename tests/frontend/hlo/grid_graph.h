// Graphs that several processes run together.
#ifndef HALYARD_TESTS_FRONTEND_HLO_GRID_GRAPH_H_
#define HALYARD_TESTS_FRONTEND_HLO_GRID_GRAPH_H_

#include "frontend/hlo/processes/communication.h"
#include "frontend/hlo/processes/process_grid.h"
#include "tests/frontend/hlo/graph_builder.h"

namespace halyard::hlo {

using Literals = std::vector<Literal>;

// A graph that replicas × partitions run.
class GridGraph : public Graph {
 public:
  GridGraph(int64_t replicas, int64_t partitions) {
    module.num_replicas = replicas;
    module.num_partitions = partitions;
  }

  absl::StatusOr<Literals> RunAll(const std::vector<Literals>& arguments,
                                  std::vector<ProcessHost>* hosts = nullptr) {
    if (absl::Status status = VerifyModule(module); !status.ok()) return status;
    return RunGrid(module, arguments, {.hosts = hosts, .max_loop_iterations = 1000});
  }
  // Returns the texts of the results, or the error.
  std::vector<std::string> Texts(const std::vector<Literals>& arguments,
                                 std::vector<ProcessHost>* hosts = nullptr) {
    absl::StatusOr<Literals> results = RunAll(arguments, hosts);
    if (!results.ok()) return {std::string(results.status().message())};
    std::vector<std::string> texts;
    for (const Literal& result : *results) texts.push_back(result.ToString());
    return texts;
  }
};

}  // namespace halyard::hlo

#endif  // HALYARD_TESTS_FRONTEND_HLO_GRID_GRAPH_H_
