// A Program as its builders see it (hosted C++: lowering/ and client/ only), and the writers of the
// two byte forms that the free-standing runtime reads: a kernel object (kernel_object.h) and a
// Program file (program.h).
#ifndef HALYARD_RUNTIME_PROGRAM_PROGRAM_SPEC_H_
#define HALYARD_RUNTIME_PROGRAM_PROGRAM_SPEC_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "runtime/device_info.h"
#include "runtime/kernel_object.h"

namespace halyard {

struct KernelObjectSpec {
  struct LaunchSpec {
    uint32_t module = 0;
    std::string entry;
    uint32_t grid[3] = {1, 1, 1};
    uint32_t block[3] = {1, 1, 1};
    uint32_t shared_bytes = 0;
    uint32_t library = 0;  // runtime::Launch::library
    std::vector<runtime::LaunchArgument> arguments;
  };
  runtime::DeviceKind kind = runtime::DeviceKind::kX86;
  std::string name;
  uint32_t num_inputs = 0, num_outputs = 0;
  std::vector<runtime::KernelArgument> arguments;
  uint64_t scratch_bytes = 0, scratch_bytes_per_task = 0;
  uint32_t counter_bytes = 0;  // KernelObjectView::counter_bytes
  std::string x86_object;
  std::vector<std::string> modules;
  std::vector<LaunchSpec> launches;
};
std::string WriteKernelObject(const KernelObjectSpec& spec);

enum class MemorySpace : uint8_t { kDevice = 0, kHost = 1 };

// The steps of a program read and write slices of allocations. The allocations of parameters,
// results and constants start at offset 0 of their own buffers. Temporaries of a space lie in that
// space's arena at `offset`, planned so that live ones do not overlap. On x86 (and the reference),
// both spaces are the same memory: kernels read and write host-space slices there, and custom calls
// may use any slice. A result that takes over a donated parameter is in the same memory, and
// copies between the two must be skipped. A kWhile of known trip count has an empty condition
// sequence, and nothing reads its flag.
struct ProgramSpec {
  enum class AllocationKind : uint8_t { kParameter = 0, kResult = 1, kConstant = 2, kTemp = 3 };
  struct Allocation {
    AllocationKind kind = AllocationKind::kTemp;
    MemorySpace space = MemorySpace::kDevice;
    int64_t number = 0;  // parameter leaf, result leaf or constant index
    int64_t offset = 0;  // kTemp: in the arena, a multiple of 256
    int64_t bytes = 0;
    std::string label;  // instruction name and op_name, which memory tables show
  };
  struct Slice {
    int32_t allocation = -1;
    int64_t offset = 0;
    int64_t bytes = 0;
  };
  // A flattened leaf of a parameter or of the result.
  struct Value {
    std::string name;          // "arg0", "out0"
    std::string element_type;  // HLO name, "f32"
    std::vector<int64_t> dims;
    std::vector<int64_t> minor_to_major;  // empty for row-major
    int64_t bytes = 0;
    // Parameters: the result leaf that may take over this buffer, -1 if the program does not donate
    // it, or -2 if it does but no result can take it.
    int64_t donated_to_result = -1;
  };
  struct Constant {
    std::shared_ptr<const void> owner;
    const uint8_t* data = nullptr;
    int64_t bytes = 0;
  };
  // The driver fills in `object` once codegen has answered. Until then, `request` describes the
  // kernel to be compiled.
  struct Kernel {
    std::string name;                          // for profiles: "fusion.3 (add, exp)"
    std::string provenance;                    // op_names and source places, one on each line
    MemorySpace space = MemorySpace::kDevice;  // kHost: an x86 kernel, whatever the program's
                                               // target
    std::string
        // KernelRequest bytes (lowering/kernels/kernel_request.h); not written to the file
        request;
    std::string object;  // KernelObject bytes
    // The cost of one call, for profiles and estimates (lowering/plan/steps/kernel_cost.h):
    // operations on numbers, and the least number of bytes that must be read and written.
    int64_t flops = 0, bytes = 0;
  };
  struct Sequence;
  struct Step {
    enum class Kind : uint8_t {
      kKernel = 0,  // kernel, slices = inputs then outputs
      kCopy = 1,    // slices[0] → slices[1], same size; the spaces may differ
      kWhile = 2,  // sequences {condition, body}; slices[0]: the PRED byte, in host space, that the
                   // condition writes
      kCase = 3,   // one sequence per branch; slices[0]: the s32 index in host space; out of range
                   // runs the last
      kCustomCall = 4,  // target; slices = operands then results, all in host space; `num_inputs`
                        // of them operands; numbers as in call_types.h, or none
      // These communicate (runtime/collectives/grid.h); slices = operands then results, all in host
      // space, or, of an exchange, all in device space. `numbers` says what is exchanged, and
      // `target` the arrays' types, for messages and hosts.
      kProcessId = 5,  // numbers {0: the replica, 1: the partition}; slices[0]: u32
      kExchange = 6,   // numbers {ExchangePattern, number of groups, size of each, members of each}
      kSend = 7,       // numbers {channel, whether to the host}
      kReceive = 8,    // as for kSend
      kInfeed = 9,     // no numbers
      kOutfeed = 10,
      // An exchange in host space of which the steps in between are independent. Slices are the
      // operands, and nothing may write them before the end; numbers as for kExchange.
      kExchangeBegin = 11,
      // Slices are the operands, as at the beginning, and then the results. numbers {n}: it ends
      // the n-th (from 0) kExchangeBegin of its own sequence, which no other step ends.
      kExchangeEnd = 12
    } kind = Kind::kKernel;
    int32_t kernel = -1;
    std::vector<Slice> slices;
    int32_t num_inputs = 0;          // slices[0, num_inputs) are read, the rest written
    std::vector<int32_t> sequences;  // indices into ProgramSpec::sequences
    int64_t trip_count =
        -1;  // kWhile: known at compile time (the condition is then never evaluated), else -1
    std::string target;  // kCustomCall
    std::string config;  // kCustomCall: backend_config
    uint32_t flags = 0;  // kCustomCall: CallFlag of program_format.h
    std::vector<int64_t> numbers;
    std::string label;  // for errors and profiles
  };
  struct Sequence {
    std::vector<Step> steps;
  };

  std::string name;
  int64_t num_replicas = 1, num_partitions = 1;  // the grid of processes that run it
  runtime::DeviceInfo device;                    // the device for which it was compiled
  std::string target;                            // as asked: "x86:v3", "vulkan", "cuda:sm_90"
  std::vector<Value> parameters, results;
  std::vector<Allocation> allocations;
  std::vector<Constant> constants;
  std::vector<Kernel> kernels;
  std::vector<Sequence> sequences;                       // the first is the program
  int64_t device_arena_bytes = 0, host_arena_bytes = 0;  // temps
};

// Returns the bytes of the Program file (program_format.h).
std::string WriteProgram(const ProgramSpec& spec);

// Returns the bytes of the bundle file (bundle_format.h): one program that is compiled for several
// targets, at most bundle_format::kMaxParts, with arguments and results of the same sizes.
// Constants that are equal are there once.
std::string WriteBundle(absl::Span<const ProgramSpec> targets);

}  // namespace halyard

#endif  // HALYARD_RUNTIME_PROGRAM_PROGRAM_SPEC_H_
