#include "runtime/program/verify_communication.h"

#include <string.h>

#include "runtime/collectives/grid.h"
#include "runtime/host.h"
#include "runtime/program/program.h"

namespace halyard::runtime {
namespace {

using program_format::SliceRecord;
using program_format::StepRecord;

// Returns what is wrong unless a result has room for the data of all members of a group of `size`.
const char* WrongSizes(ExchangePattern pattern, const StepRecord& step, const SliceRecord* slices,
                       uint64_t size) {
  const uint32_t num_arrays = step.num_inputs;
  for (uint32_t k = 0; k < num_arrays; ++k) {
    const uint64_t operand = slices[k].bytes, result = slices[num_arrays + k].bytes;
    const bool gather = pattern == ExchangePattern::kGather;
    const bool fits = !gather        ? operand == result
                      : operand == 0 ? result == 0
                                     : result % operand == 0 && result / operand >= size;
    if (!fits) return "exchange of other sizes";
    if (pattern == ExchangePattern::kAllToAll && operand % size != 0)
      return "exchange of unequal blocks";
  }
  return nullptr;
}

const char* WrongExchange(const StepRecord& step, const SliceRecord* slices, const int64_t* numbers,
                          uint32_t num_processes) {
  if (step.num_numbers < 2 || numbers[0] < 0 || numbers[0] >= kNumExchangePatterns ||
      step.num_slices % 2 != 0 || step.num_inputs != step.num_slices / 2) {
    return "malformed exchange";
  }
  const auto pattern = static_cast<ExchangePattern>(numbers[0]);
  const bool permute = pattern == ExchangePattern::kPermute;
  const uint64_t left = step.num_numbers - 2;
  if (numbers[1] < 0 || static_cast<uint64_t>(numbers[1]) > left) return "exchange's groups";
  const uint64_t num_groups = static_cast<uint64_t>(numbers[1]);
  const int64_t* sizes = numbers + 2;
  const int64_t* members = sizes + num_groups;
  uint64_t next = 0;
  // A process may be in one group only. In pairs, it may be a source once and a target once.
  uint8_t seen[kMaxProcesses] = {};
  for (uint64_t g = 0; g < num_groups; ++g) {
    if (sizes[g] < 1 || (permute && sizes[g] != 2) ||
        static_cast<uint64_t>(sizes[g]) > left - num_groups - next) {
      return "exchange's groups";
    }
    if (const char* wrong = WrongSizes(pattern, step, slices, static_cast<uint64_t>(sizes[g])))
      return wrong;
    for (int64_t i = 0; i < sizes[g]; ++i) {
      const int64_t member = members[next++];
      const uint8_t mark = permute && i == 1 ? 2 : 1;
      if (member < 0 || member >= num_processes || (seen[member] & mark) != 0)
        return "exchange's members";
      seen[member] |= mark;
    }
  }
  if (next != left - num_groups) return "exchange's members";
  return num_groups == 0 ? WrongSizes(ExchangePattern::kPermute, step, slices, 1) : nullptr;
}

}  // namespace

const char* WrongCommunication(const StepRecord& step, const SliceRecord* slices,
                               const int64_t* numbers, uint32_t num_processes) {
  switch (static_cast<StepKind>(step.kind)) {
    case StepKind::kProcessId:
      if (step.num_numbers != 1 || numbers[0] < 0 || numbers[0] > 1 || step.num_inputs != 0 ||
          step.num_slices != 1 || slices[0].bytes != sizeof(uint32_t)) {
        return "malformed process id";
      }
      return nullptr;
    case StepKind::kExchange:
      return WrongExchange(step, slices, numbers, num_processes);
    case StepKind::kExchangeBegin:  // VerifyExchangePairs checks the rest
      return step.num_inputs == step.num_slices ? nullptr : "malformed begin of an exchange";
    case StepKind::kExchangeEnd:
      return step.num_numbers == 1 && step.num_slices == 2 * uint64_t{step.num_inputs}
                 ? nullptr
                 : "malformed end of an exchange";
    case StepKind::kSend:
    case StepKind::kReceive:
      if (step.num_numbers != 2 || numbers[1] < 0 || numbers[1] > 1) return "malformed transfer";
      break;
    default:
      if (step.num_numbers != 0) return "malformed transfer";
      break;
  }
  const auto kind = static_cast<StepKind>(step.kind);
  const bool reads = kind == StepKind::kSend || kind == StepKind::kOutfeed;
  return step.num_inputs == (reads ? step.num_slices : 0) ? nullptr : "malformed transfer";
}

namespace {

Status BadPair(const char* what, uint64_t step) {
  return MakeStatus(Code::kDataLoss, "program file: %s (%llu)", what,
                    static_cast<unsigned long long>(step));
}

// `begins` has room for the steps of the sequence.
Status VerifyPairsIn(const SequenceTables& tables, const program_format::SequenceRecord& sequence,
                     const SliceRecord* slices, const int64_t* numbers, uint32_t num_processes,
                     uint64_t* begins) {
  constexpr uint64_t kEnded = UINT64_MAX;
  uint64_t num_begins = 0, num_ended = 0;
  for (uint64_t i = sequence.first_step; i < sequence.first_step + sequence.num_steps; ++i) {
    const StepRecord& step = tables.steps[i];
    const auto kind = static_cast<StepKind>(step.kind);
    if (kind == StepKind::kExchangeBegin) begins[num_begins++] = i;
    if (kind != StepKind::kExchangeEnd) continue;
    const int64_t number = numbers[step.first_number];
    if (number < 0 || static_cast<uint64_t>(number) >= num_begins || begins[number] == kEnded)
      return BadPair("end of an exchange that has not begun", i);
    const StepRecord& begin = tables.steps[begins[number]];
    begins[number] = kEnded;
    ++num_ended;
    const SliceRecord* own = slices + step.first_slice;
    if (begin.num_inputs != step.num_inputs ||
        memcmp(slices + begin.first_slice, own, step.num_inputs * sizeof(SliceRecord)) != 0) {
      return BadPair("exchange that ends with other operands", i);
    }
    StepRecord whole = step;
    whole.num_numbers = begin.num_numbers;
    if (const char* wrong =
            WrongExchange(whole, own, numbers + begin.first_number, num_processes)) {
      return BadPair(wrong, i);
    }
  }
  return num_ended == num_begins ? Status()
                                 : BadPair("exchange that does not end", sequence.first_step);
}

}  // namespace

Status VerifyExchangePairs(const SequenceTables& tables, const SliceRecord* slices,
                           const int64_t* numbers, uint32_t num_processes) {
  auto* begins = static_cast<uint64_t*>(HeapAllocateZeroed(tables.num_steps + 1, sizeof(uint64_t)));
  if (begins == nullptr)
    return MakeStatus(Code::kResourceExhausted, "no memory to check a program file");
  Status status;
  for (uint64_t i = 0; i < tables.num_sequences && status.ok(); ++i) {
    status = VerifyPairsIn(tables, tables.sequences[i], slices, numbers, num_processes, begins);
  }
  HeapFree(begins);
  return status;
}

}  // namespace halyard::runtime
