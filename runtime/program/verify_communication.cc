#include "runtime/program/verify_communication.h"

#include "runtime/collectives/grid.h"
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

}  // namespace halyard::runtime
