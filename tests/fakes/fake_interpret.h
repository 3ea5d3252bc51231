// Connects the fake driver with the PTX interpreter.
#ifndef HALYARD_TESTS_FAKES_FAKE_INTERPRET_H_
#define HALYARD_TESTS_FAKES_FAKE_INTERPRET_H_

#include <cuda.h>

#include <vector>

#include "tests/fakes/fake_driver.h"
#include "tests/fakes/ptx/memory.h"

namespace halyard::testing::fake_driver {

// Decodes a module's text. `log` (may be null), of `log_bytes`, receives the error message.
CUresult Decode(CUmod_st* module, char* log, size_t log_bytes);
// Runs a kernel now. If `footprint` is not null, it receives what the kernel accessed.
void Interpret(const FakeLaunch& launch, ptx::Footprint* footprint);
// Records a violation and breaks the context if two nodes access the same memory, at least one of
// them writes it, and no edge orders them. `accessed` states what each node accessed. The nodes ran
// in this order.
void CheckOrder(const std::vector<CUgraphNode_st>& nodes,
                const std::vector<ptx::Footprint>& accessed);

}  // namespace halyard::testing::fake_driver

#endif  // HALYARD_TESTS_FAKES_FAKE_INTERPRET_H_
