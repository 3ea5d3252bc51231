// The source_target_pairs of send and recv between processes: who sends, and to whom. Ids are those
// of a collective-permute. Without pairs, those send and receive that execute the op, which is one
// process at each end of a channel.
#ifndef HALYARD_FRONTEND_HLO_PROCESSES_TRANSFER_PAIRS_H_
#define HALYARD_FRONTEND_HLO_PROCESSES_TRANSFER_PAIRS_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "frontend/hlo/processes/communication.h"

namespace halyard::hlo {

// HLO has no attribute for the pairs. This is the name of the frontend attribute in which XLA keeps
// them, as `{{0,1},{1,2}}`.
inline constexpr absl::string_view kTransferPairs = "_xla_send_recv_source_target_pairs";
std::string TransferPairsText(const IntLists& pairs);
// Returns false if the text is not of that form.
bool ReadTransferPairs(absl::string_view text, IntLists* pairs);

// Returns the pairs of a send or recv, or nothing if it has none or is for the host.
// InvalidArgument if they cannot be read.
absl::StatusOr<std::optional<IntLists>> TransferPairsOf(const Instruction& transfer);

// For a send or recv that CheckCommunication accepts: returns the process that receives what `self`
// sends, or `self` if another process sends to it. Returns nothing if no pair has `self`.
std::optional<ProcessId> ReceiverOf(const Instruction& transfer, const GridShape& grid,
                                    ProcessId self);
// Returns whether `self` sends or receives when it executes the op.
bool TakesPart(const Instruction& transfer, const GridShape& grid, ProcessId self);

// Makes each send and recv with pairs a conditional: every pair has a channel of its own, on which
// one process sends and one receives, and others do nothing or have zeros. For what runs programs
// without looking at pairs.
absl::Status ExpandTransferPairs(Module* module);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_PROCESSES_TRANSFER_PAIRS_H_
