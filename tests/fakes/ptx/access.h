// Checked accesses to memory.
#ifndef HALYARD_TESTS_FAKES_PTX_ACCESS_H_
#define HALYARD_TESTS_FAKES_PTX_ACCESS_H_

#include "tests/fakes/ptx/parser.h"
#include "tests/fakes/ptx/warp.h"

namespace halyard::testing::ptx {

struct Access {
  enum class Kind : uint8_t { kRead, kWrite, kAtomic };
  Kind kind = Kind::kRead;
  bool non_coherent = false;
  uint32_t bytes = 0;  // a power of two: those of the whole vector, which must be aligned to it
  uint64_t address = 0;
  const uint8_t* fresh = nullptr;  // for writes: the bytes to write
};

// Returns the tag of the thread that makes this access.
Tag TagOf(const Warp& warp, int lane);
// Returns the address that a lane of an instruction uses: register a plus the offset.
uint64_t AddressOf(Warp& warp, const Instruction& i, int lane);
// Returns the host address of the access. Throws Fault if the access is illegal.
uint8_t* Place(Warp& warp, const Instruction& i, Access access, int lane);

// Reads the instruction's state space. If it names none, the space is generic.
void TakeSpace(Decoder& d, Instruction* out);

}  // namespace halyard::testing::ptx

#endif  // HALYARD_TESTS_FAKES_PTX_ACCESS_H_
