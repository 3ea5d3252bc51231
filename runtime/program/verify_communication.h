// Checks the steps of a Program that communicate, for program_verifier.cc.
#ifndef HALYARD_RUNTIME_PROGRAM_VERIFY_COMMUNICATION_H_
#define HALYARD_RUNTIME_PROGRAM_VERIFY_COMMUNICATION_H_

#include <stdint.h>

#include "runtime/program/program_format.h"
#include "runtime/program/verify_sequences.h"
#include "runtime/status.h"

namespace halyard::runtime {

inline constexpr uint64_t kMaxProcesses = 1024;  // the most processes of a grid

inline bool IsGrid(uint64_t replicas, uint64_t partitions) {
  return replicas >= 1 && partitions >= 1 && replicas <= kMaxProcesses &&
         partitions <= kMaxProcesses / replicas;
}

// Returns what is wrong with the numbers and sizes of the step, or null. Its slices, and
// `num_numbers` numbers, lie within the file. The grid has `num_processes` processes.
const char* WrongCommunication(const program_format::StepRecord& step,
                               const program_format::SliceRecord* slices, const int64_t* numbers,
                               uint32_t num_processes);

// Returns kDataLoss unless each exchange in two steps ends later in the sequence in which it
// begins, once, with the operands with which it began and results that fit them. VerifySequences
// has accepted the sequences, and WrongCommunication each step.
Status VerifyExchangePairs(const SequenceTables& tables, const program_format::SliceRecord* slices,
                           const int64_t* numbers, uint32_t num_processes);

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_PROGRAM_VERIFY_COMMUNICATION_H_
