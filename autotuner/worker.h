// Between a tuner and the process that runs its candidates: over one socket, frames
// (lowering/codegen/frame.h) of parts.
//
//   data      cases (inputs, expected outputs, rules), aliases   → ok
//   best      KernelObject                                       → result
//   try       options, KernelObject                              → result
//
// The worker needs the runtime alone: no Halide, no LLVM.
#ifndef HALYARD_AUTOTUNER_WORKER_H_
#define HALYARD_AUTOTUNER_WORKER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "autotuner/trial_runner.h"

namespace halyard::autotuner {

// Several byte strings as one, and back. kDataLoss: not made by JoinParts.
std::string JoinParts(const std::vector<std::string>& parts);
absl::StatusOr<std::vector<std::string>> SplitParts(absl::string_view bytes);

std::string EncodeOptions(const TrialOptions& options);
absl::StatusOr<TrialOptions> DecodeOptions(absl::string_view text);
std::string EncodeData(const TrialData& data);
// kDataLoss: not what EncodeData gave.
absl::StatusOr<TrialData> DecodeData(absl::string_view bytes);
std::string EncodeBest(absl::string_view object);
std::string EncodeTry(absl::string_view object, const TrialOptions& options);
std::string EncodeResult(const TrialResult& result);
absl::StatusOr<TrialResult> DecodeResult(absl::string_view bytes);

// Answers one message: what to send back.
absl::StatusOr<std::string> AnswerMessage(TrialRunner& runner, absl::string_view message);

// Reads messages from `socket` and answers them until it is closed. Returns an exit status.
int ServeTrials(runtime::Device* device, int socket);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_WORKER_H_
