// Random HLO graphs for differential tests: elementwise ops, reductions, data movement, products,
// loops and branches on small f32 arrays.
#ifndef HALYARD_TESTS_LOWERING_PLAN_RANDOM_GRAPH_H_
#define HALYARD_TESTS_LOWERING_PLAN_RANDOM_GRAPH_H_

#include <cstdint>
#include <memory>

#include "frontend/hlo/ir/module.h"

namespace halyard::lowering {

// The same seed gives the same module, with three array parameters and a tuple of one to three
// arrays as its result.
std::unique_ptr<hlo::Module> RandomGraph(uint32_t seed);

}  // namespace halyard::lowering

#endif  // HALYARD_TESTS_LOWERING_PLAN_RANDOM_GRAPH_H_
