// The messages between a tuner and the process that runs its candidates. They go over one socket,
// as frames (codegen/service/frame.h) of parts.
//
//   data       cases (inputs, expected outputs, rules), aliases, samples   → ok
//   reference  KernelObject                                                → result
//   best       KernelObject                                                → result
//   try        options, KernelObject                                       → result
//
// The worker needs only the runtime: no Halide, no LLVM.
#ifndef HALYARD_AUTOTUNER_MEASURE_WORKER_H_
#define HALYARD_AUTOTUNER_MEASURE_WORKER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "autotuner/measure/trial_runner.h"

namespace halyard::autotuner {

// Joins several byte strings into one, and splits them again. SplitParts returns kDataLoss if the
// bytes do not come from JoinParts.
std::string JoinParts(const std::vector<std::string>& parts);
absl::StatusOr<std::vector<std::string>> SplitParts(absl::string_view bytes);

std::string EncodeOptions(const TrialOptions& options);
absl::StatusOr<TrialOptions> DecodeOptions(absl::string_view text);
std::string EncodeData(const TrialData& data);
// Returns kDataLoss if the bytes do not come from EncodeData.
absl::StatusOr<TrialData> DecodeData(absl::string_view bytes);
std::string EncodeReference(absl::string_view object);
std::string EncodeBest(absl::string_view object);
std::string EncodeTry(absl::string_view object, const TrialOptions& options);
std::string EncodeResult(const TrialResult& result);
absl::StatusOr<TrialResult> DecodeResult(absl::string_view bytes);

// Handles one message. Returns the answer to send back.
absl::StatusOr<std::string> AnswerMessage(TrialRunner& runner, absl::string_view message);

// Reads messages from `socket` and answers them until it is closed. Returns an exit status.
int ServeTrials(runtime::Device* device, int socket);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MEASURE_WORKER_H_
