// The part of the verifier that checks the sequences of a Program.
#ifndef HALYARD_RUNTIME_PROGRAM_VERIFY_SEQUENCES_H_
#define HALYARD_RUNTIME_PROGRAM_VERIFY_SEQUENCES_H_

#include <stdint.h>

#include "runtime/program/program_format.h"
#include "runtime/status.h"

namespace halyard::runtime {

// Tables of a Program. The children of each step are known to be sequences.
struct SequenceTables {
  const program_format::SequenceRecord* sequences;
  uint64_t num_sequences;
  const program_format::StepRecord* steps;
  uint64_t num_steps;
  const uint32_t* children;
};

// Returns kDataLoss unless a step is in one sequence at most, and sequences nest without a circle
// and at most 128 deep, because runs call themselves for each level.
Status VerifySequences(const SequenceTables& tables);

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_PROGRAM_VERIFY_SEQUENCES_H_
