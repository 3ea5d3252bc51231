// Runs that may be cancelled give a GPU little work at a time.

#include "runtime/execute/instance.h"
#include "runtime/host.h"

namespace halyard::runtime {
namespace {

// A piece takes one to two times as long, or a kernel does, which nothing can end. A GPU has two
// pieces before it, so that it need not wait for the next one.
constexpr uint64_t kPieceNs = 500000;
constexpr uint64_t kMostRounds = 1 << 16;

// Returns the number of rounds of the next pieces if one of `rounds` took `ns`. It stays as it is
// while that is about right, because another number has to be recorded.
uint32_t NextRounds(uint64_t rounds, uint64_t ns) {
  constexpr uint64_t kMostChange = 8;  // for one piece, which something else may have held up
  if (ns > 2 * kPieceNs) {
    rounds = ns > kMostChange * kPieceNs ? rounds / kMostChange : rounds * kPieceNs / ns;
  } else if (ns < kPieceNs) {
    rounds *= ns < kPieceNs / kMostChange ? kMostChange : (kPieceNs + ns - 1) / ns;
  }
  return static_cast<uint32_t>(rounds < 1 ? 1 : rounds > kMostRounds ? kMostRounds : rounds);
}

}  // namespace

bool Instance::RunsInPieces() const {
  return options_->cancel != nullptr && options_->profile == nullptr &&
         !executable_->context_->is_x86();
}

Status Instance::WaitFor(Event event) {
  Device* device = executable_->context_->device();
  return exchange_.uses_links() ? exchange_.Wait(device, options_->grid, event)
                                : device->Wait(event);
}

Status Instance::RecordPiece(const Node& node, uint32_t rounds, Recording** recording) {
  Pieces& pieces = pieces_[node.segment];
  // The pieces of the usual number of rounds, and the rest of the last run.
  const int kind = rounds == pieces.rounds ? 0 : 1;
  Device* device = executable_->context_->device();
  if (pieces.loop[kind] != nullptr && pieces.rounds_of_loop[kind] != rounds) {
    HY_RETURN_IF_ERROR(Sync());  // it may run
    device->FreeRecording(pieces.loop[kind]);
    pieces.loop[kind] = nullptr;
  }
  if (pieces.loop[kind] == nullptr) {
    const Segment segment{executable_->segment_steps_ + node.first_step,
                          static_cast<uint32_t>(node.num_steps), rounds};
    HY_RETURN_IF_ERROR(device->Record(segment, bindings_, num_bindings_, &pieces.loop[kind]));
    pieces.rounds_of_loop[kind] = rounds;
  }
  *recording = pieces.loop[kind];
  return Status();
}

Status Instance::RecordPart(const Node& node, uint32_t part, uint32_t num_parts,
                            Recording** recording) {
  if (*recording != nullptr) return Status();
  const uint64_t first = node.num_steps * part / num_parts,
                 end = node.num_steps * (part + 1) / num_parts;
  const Segment segment{executable_->segment_steps_ + node.first_step + first,
                        static_cast<uint32_t>(end - first), 1};
  return executable_->context_->device()->Record(segment, bindings_, num_bindings_, recording);
}

Status Instance::SubmitPiece(Recording* recording) {
  Event done;
  HY_RETURN_IF_ERROR(executable_->context_->device()->Submit(recording, bindings_, num_bindings_,
                                                             options_->stream, &done));
  last_ = done;
  synced_ = done.id == 0;
  return Status();
}

Status Instance::RunInPieces(const Node& node) {
  if (node.repeat > 1) return RunLoopInPieces(node);
  Event before;
  return node.num_steps > 1 ? RunRoundInParts(node, &before) : RunSegment(node);
}

// A piece is submitted while the one before it runs. The time from the end of one to that of the
// next says how many rounds suit.
Status Instance::RunLoopInPieces(const Node& node) {
  Pieces& pieces = pieces_[node.segment];
  if (pieces.rounds == 0) pieces.rounds = 1;
  HY_RETURN_IF_ERROR(Sync());  // what was submitted before is not the loop's time
  Event before;
  uint32_t rounds_before = 0;
  uint64_t since = MonotonicNanoseconds();
  for (uint64_t left = uint64_t{node.repeat} * node.times; left != 0;) {
    HY_RETURN_IF_ERROR(CheckCancelled());
    if (pieces.round_is_long) {
      HY_RETURN_IF_ERROR(RunRoundInParts(node, &before));
      pieces.round_is_long = pieces.num_parts > 1;  // otherwise something else held it up
      rounds_before = 0;
      --left;
      continue;
    }
    const uint32_t rounds = left < pieces.rounds ? static_cast<uint32_t>(left) : pieces.rounds;
    Recording* recording = nullptr;
    HY_RETURN_IF_ERROR(RecordPiece(node, rounds, &recording));
    HY_RETURN_IF_ERROR(SubmitPiece(recording));
    left -= rounds;
    if (last_.id == 0) pieces.rounds = kMostRounds;  // there was nothing to do
    if (before.id != 0) {
      HY_RETURN_IF_ERROR(WaitFor(before));
      const uint64_t now = MonotonicNanoseconds();
      pieces.round_is_long = rounds_before == 1 && node.num_steps > 1 && now - since > 2 * kPieceNs;
      if (rounds_before == pieces.rounds) pieces.rounds = NextRounds(pieces.rounds, now - since);
      since = now;
    }
    before = last_;
    rounds_before = rounds;
  }
  return Status();
}

// The first time, all of it is one part, whose time says how many parts suit. Waits for `before` as
// soon as something more is submitted, and sets it to the last part.
Status Instance::RunRoundInParts(const Node& node, Event* before) {
  Pieces& pieces = pieces_[node.segment];
  const bool measures = pieces.num_parts == 0;
  const uint32_t num_parts = measures ? 1 : pieces.num_parts;
  if (measures) HY_RETURN_IF_ERROR(Sync());
  if (pieces.parts == nullptr) {
    pieces.parts = static_cast<Recording**>(HeapAllocateZeroed(num_parts, sizeof(Recording*)));
    if (pieces.parts == nullptr)
      return MakeStatus(Code::kResourceExhausted, "no memory for a run's tables");
  }
  uint64_t since = 0;
  for (uint32_t i = 0; i < num_parts; ++i) {
    HY_RETURN_IF_ERROR(CheckCancelled());
    HY_RETURN_IF_ERROR(RecordPart(node, i, num_parts, &pieces.parts[i]));
    if (measures) since = MonotonicNanoseconds();
    HY_RETURN_IF_ERROR(SubmitPiece(pieces.parts[i]));
    if (before->id != 0) HY_RETURN_IF_ERROR(WaitFor(*before));
    *before = last_;
  }
  if (!measures) return Status();
  HY_RETURN_IF_ERROR(Sync());
  const uint64_t suit = (MonotonicNanoseconds() - since) / kPieceNs + 1;
  const uint32_t parts = static_cast<uint32_t>(suit < node.num_steps ? suit : node.num_steps);
  if (parts > 1) {
    executable_->context_->device()->FreeRecording(pieces.parts[0]);
    HeapFree(pieces.parts);
    pieces.parts = nullptr;  // an array of another size is made next time
  }
  pieces.num_parts = parts;
  return Status();
}

void Instance::FreePieces() {
  Device* device = executable_->context_->device();
  for (uint32_t i = 0; pieces_ != nullptr && i < executable_->num_segments_; ++i) {
    for (Recording* recording : pieces_[i].loop) {
      if (recording != nullptr) device->FreeRecording(recording);
    }
    for (uint32_t k = 0; pieces_[i].parts != nullptr && (k == 0 || k < pieces_[i].num_parts); ++k) {
      if (pieces_[i].parts[k] != nullptr) device->FreeRecording(pieces_[i].parts[k]);
    }
    HeapFree(pieces_[i].parts);
  }
  HeapFree(pieces_);
}

}  // namespace halyard::runtime
