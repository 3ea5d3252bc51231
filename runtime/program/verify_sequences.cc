#include "runtime/program/verify_sequences.h"

#include "runtime/byte_reader.h"
#include "runtime/host.h"

namespace halyard::runtime {
namespace {

using program_format::SequenceRecord;
using program_format::StepRecord;

constexpr uint8_t kMaxDepth = 128;  // of nested control steps

// States of a sequence. The others are 1 + its height: how deep the sequences below it nest.
constexpr uint8_t kNew = 0, kOpen = 255;

Status Bad(const char* what, uint64_t index) {
  return MakeStatus(Code::kDataLoss, "program file: %s (%llu)", what,
                    static_cast<unsigned long long>(index));
}

// Visits depth-first. `depth` limits the recursion. The heights find what is deep although each of
// its parts has been visited from less deep.
Status Visit(const SequenceTables& tables, uint32_t sequence, uint8_t depth, uint8_t* states) {
  uint8_t& state = states[sequence];
  if (depth > kMaxDepth || state == kOpen)
    return Bad("sequences nest in a circle or too deep", sequence);
  if (state != kNew) return Status();
  state = kOpen;
  uint8_t height = 0;
  const SequenceRecord& record = tables.sequences[sequence];
  for (uint64_t i = 0; i < record.num_steps; ++i) {
    const StepRecord& step = tables.steps[record.first_step + i];
    for (uint64_t k = 0; k < step.num_children; ++k) {
      const uint32_t child = tables.children[step.first_child + k];
      HY_RETURN_IF_ERROR(Visit(tables, child, static_cast<uint8_t>(depth + 1), states));
      if (states[child] > height) height = states[child];
    }
  }
  if (height > kMaxDepth) return Bad("sequences nest in a circle or too deep", sequence);
  state = static_cast<uint8_t>(height + 1);
  return Status();
}

Status MarkSteps(const SequenceTables& tables, uint8_t* marks) {
  for (uint64_t i = 0; i < tables.num_sequences; ++i) {
    const SequenceRecord& record = tables.sequences[i];
    if (!InRange(record.first_step, record.num_steps, tables.num_steps))
      return Bad("sequence's steps", i);
    for (uint64_t k = 0; k < record.num_steps; ++k) {
      if (marks[record.first_step + k]++ != 0) return Bad("sequences share steps", i);
    }
  }
  return Status();
}

}  // namespace

Status VerifySequences(const SequenceTables& tables) {
  // A state for each sequence, and a mark for each step that is in one.
  uint8_t* states =
      static_cast<uint8_t*>(HeapAllocateZeroed(tables.num_sequences + tables.num_steps, 1));
  if (states == nullptr)
    return MakeStatus(Code::kResourceExhausted, "no memory to check a program file");
  Status status = MarkSteps(tables, states + tables.num_sequences);
  for (uint64_t i = 0; i < tables.num_sequences && status.ok(); ++i)
    status = Visit(tables, static_cast<uint32_t>(i), 0, states);
  HeapFree(states);
  return status;
}

}  // namespace halyard::runtime
