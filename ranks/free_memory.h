// How much memory the ranks of a machine may share without others running short of it.
#ifndef HALYARD_RANKS_FREE_MEMORY_H_
#define HALYARD_RANKS_FREE_MEMORY_H_

#include <cstdint>
#include <string>

namespace halyard::ranks {

// Returns how many bytes this process can take before the system, or one of the control groups that
// the process is in, has none left. Memory that only caches files counts as free. Returns 0 if
// /proc does not say. Tests give another `root` folder.
uint64_t FreeMemory(const std::string& root = "");

struct MemoryLimits {
  uint64_t free_memory = 0;               // in bytes, as FreeMemory returns it
  uint64_t address_space = ~uint64_t{0};  // the limits that setrlimit has set, in bytes
  uint64_t file_size = ~uint64_t{0};
};
// Returns this process's limits.
MemoryLimits OwnMemoryLimits();

// Returns the most bytes that each of `ranks` ranks on this machine should share. Together they
// take at most an eighth of the free memory. Each maps the memory of all, which takes at most an
// eighth of its address space.
uint64_t ShareOfMemory(const MemoryLimits& limits, int ranks);

}  // namespace halyard::ranks

#endif  // HALYARD_RANKS_FREE_MEMORY_H_
