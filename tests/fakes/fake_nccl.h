// Lets a test control the fake NCCL (fake_nccl.cc), a shared library that exports the names of the
// real one. It really moves bytes between the memories of the fake driver's devices, when the work
// of their streams runs. All ranks of a communicator are in this process.
//
// It records wrong use as a violation: groups of calls that do not match, memory of other devices,
// freed communicators, calls outside of a group that would wait for each other, calls while others
// are in progress, streams that are used before a communicator says that the work is on them. Every
// rank of a communicator must take part in every group of calls.
#ifndef HALYARD_TESTS_FAKES_FAKE_NCCL_H_
#define HALYARD_TESTS_FAKES_FAKE_NCCL_H_

#include <map>
#include <string>
#include <vector>

namespace halyard::testing {

struct FakeNccl {
  int version = 22703;
  // The `fail_skip`-th next call of this function fails with this ncclResult_t.
  std::string fail_function;
  int fail_skip = 0;
  int fail_code = 3;
  // What every communicator says from now on if it is asked for asynchronous errors.
  int async_error = 0;
  // The work of groups of calls never ends, unless its communicator is aborted.
  bool hangs = false;

  // These record what happened.
  std::map<std::string, int> calls;
  std::vector<std::string> violations;
  int live = 0;             // communicators
  int made = 0;             // communicators that all ranks have joined, counted once for each rank
  uint64_t sent_bytes = 0;  // by sends, all-gathers and broadcasts
};

}  // namespace halyard::testing

// The caller must be alone, or hold no more than a copy of what it reads.
extern "C" halyard::testing::FakeNccl* HalyardFakeNccl();

#endif  // HALYARD_TESTS_FAKES_FAKE_NCCL_H_
