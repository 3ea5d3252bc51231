// Which processes communicate. A program runs as a grid of num_replicas × num_partitions processes,
// and the processes of a group meet in each collective op (StableHLO specification, "Parallel
// execution").
#ifndef HALYARD_FRONTEND_HLO_PROCESSES_COMMUNICATION_H_
#define HALYARD_FRONTEND_HLO_PROCESSES_COMMUNICATION_H_

#include <compare>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo {

struct ProcessId {
  int64_t replica = 0, partition = 0;
  auto operator<=>(const ProcessId&) const = default;
  std::string ToString() const;  // "(0, 1)"
};
using ProcessGroup = std::vector<ProcessId>;  // in the order in which members count

// Returns a · b, at most the largest int64_t, of numbers that are not negative: a module may state
// any grid, and only what runs it calls CheckGrid.
inline int64_t SaturatingProduct(int64_t a, int64_t b) {
  int64_t product = 0;
  const bool overflows = __builtin_mul_overflow(a, b, &product);
  return overflows ? std::numeric_limits<int64_t>::max() : product;
}

struct GridShape {
  int64_t replicas = 1, partitions = 1;
  int64_t size() const { return SaturatingProduct(replicas, partitions); }
  // Replica-major.
  ProcessId At(int64_t index) const { return {index / partitions, index % partitions}; }
  int64_t IndexOf(ProcessId id) const { return id.replica * partitions + id.partition; }
};

inline constexpr int64_t kMaxProcesses = 1024;   // of a grid
inline constexpr int64_t kMaxDevices = 1 << 20;  // that a text may name
// Returns kInvalidArgument unless the grid has 1 to kMaxProcesses processes.
absl::Status CheckGrid(const GridShape& grid);

enum class GroupStrategy : uint8_t {
  kCrossReplica,              // ids are replicas, once for each partition
  kCrossPartition,            // ids are partitions, once for each replica
  kCrossReplicaAndPartition,  // ids are replicas: all partitions (outer) of all of them (inner)
  kFlattenedIds               // ids are replica * num_partitions + partition
};
// Returns the strategy that channel_id and use_global_device_ids choose for this kind of
// collective, or for the pairs of a send or recv (transfer_pairs.h).
GroupStrategy StrategyOf(const Instruction& collective);

// Returns whether the op meets other processes or the host: those from all-gather to recv-done.
bool IsCommunication(Opcode opcode);
// Returns whether it is one of the six ops that exchange arrays within groups.
bool IsCollective(Opcode opcode);

// What an `exchange` op does, by its attribute `kind`; its replica_groups hold processes by number,
// replica-major. The bytes that move are those of runtime::ExchangePattern.
enum class ExchangeKind : uint8_t {
  kGather,    // "gather": [d…] -> [members of the largest group, d…]; smaller ones leave zeros
  kAllToAll,  // "all-to-all": [members, d…] -> the same: block j is what member j has for this one
  kPermute,   // "permute": groups are pairs, the first's operand is the second's result
  kBroadcast,  // "broadcast": the operand of the group's first; zeros for processes in no group
};
// Returns kInvalidArgument for an unknown word.
absl::StatusOr<ExchangeKind> ExchangeKindOf(const Instruction& exchange);

// Returns how many processes share a group, if the attributes alone state it; 0 if the grid
// decides; -1 if groups have different sizes.
int64_t GroupSizeSaid(const Instruction& collective);

// Checks those constraints of a communication op that depend on the size of the grid. Errors have
// the constraints' labels.
absl::Status CheckCommunication(const Instruction& inst, const GridShape& grid);

// Returns the groups of a collective that CheckCommunication accepts (for collective-permute, send
// and recv, source and target of each pair). Without replica_groups, there is one group of all
// processes, in order.
std::vector<ProcessGroup> GroupsOf(const Instruction& collective, const GridShape& grid);

// Moves what waits for another process's send (recv-done) behind everything that does not need it,
// so that no send is behind a wait to which it may be the answer: only tokens order transfers.
// `order` holds instructions of one computation, operands first.
void ReceiveLate(std::vector<const Instruction*>* order);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_PROCESSES_COMMUNICATION_H_
