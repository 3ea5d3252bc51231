#include "autotuner/remote/remote_messages.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "autotuner/measure/trial_rules.h"
#include "autotuner/measure/worker.h"

namespace halyard::autotuner {

namespace {

absl::Status Malformed(absl::string_view what) {
  return absl::DataLossError(absl::StrCat("remote message: ", what));
}

}  // namespace

std::string RemoteVersion() { return lowering::KernelRequest().ObjectKey(/*assembler=*/""); }

std::string EncodeHello(const Hello& hello) {
  return JoinParts({kHello, hello.version, hello.host, absl::StrCat(hello.width)});
}

absl::StatusOr<Hello> DecodeHello(const std::vector<std::string>& parts) {
  Hello hello;
  if (parts.size() != 4 || parts[0] != kHello || !absl::SimpleAtoi(parts[3], &hello.width) ||
      hello.width < 1) {
    return Malformed("hello");
  }
  hello.version = parts[1];
  hello.host = parts[2];
  return hello;
}

std::string EncodeWork(const Work& work) {
  std::vector<std::string> parts = {kWork,
                                    work.name,
                                    work.request.Serialize(),
                                    work.best,
                                    work.alone ? "1" : "0",
                                    EncodeOptions(work.options)};
  parts.insert(parts.end(), work.schedules.begin(), work.schedules.end());
  return JoinParts(parts);
}

absl::StatusOr<Work> DecodeWork(const std::vector<std::string>& parts) {
  if (parts.size() < 6 || parts[0] != kWork) return Malformed("work");
  absl::StatusOr<lowering::KernelRequest> request = lowering::KernelRequest::Parse(parts[2]);
  if (!request.ok()) return request.status();
  absl::StatusOr<TrialOptions> options = DecodeOptions(parts[5]);
  if (!options.ok()) return options.status();
  Work work;
  work.name = parts[1];
  work.request = *std::move(request);
  work.best = parts[3];
  work.alone = parts[4] == "1";
  work.options = *options;
  work.schedules.assign(parts.begin() + 6, parts.end());
  return work;
}

std::string EncodeTrial(const RemoteTrial& remote) {
  const Trial& trial = remote.trial;
  const Record& r = trial.record;
  TrialResult result;
  result.outcome = r.outcome;
  result.error = r.error;
  result.verdict = trial.verdict;
  result.seconds = r.seconds;
  result.spread = r.spread;
  result.best_seconds = trial.against_seconds;
  result.rounds = r.rounds;
  result.difference = r.difference;
  return JoinParts({kTrial, absl::StrCat(remote.place), absl::StrCat(r.created),
                    EncodeResult(result), r.schedule, r.version, r.machine, trial.against,
                    r.resources.ToText()});
}

absl::StatusOr<RemoteTrial> DecodeTrial(const std::vector<std::string>& parts) {
  RemoteTrial remote;
  Trial& trial = remote.trial;
  Record& r = trial.record;
  if (parts.size() != 9 || parts[0] != kTrial || !absl::SimpleAtoi(parts[1], &remote.place) ||
      !absl::SimpleAtoi(parts[2], &r.created)) {
    return Malformed("trial");
  }
  absl::StatusOr<TrialResult> result = DecodeResult(parts[3]);
  if (!result.ok()) return result.status();
  absl::StatusOr<lowering::KernelResources> resources = lowering::KernelResources::Parse(parts[8]);
  if (!resources.ok()) return resources.status();
  Fill(*result, *resources, &r);
  r.schedule = parts[4];
  r.version = parts[5];
  r.machine = parts[6];
  trial.verdict = result->verdict;
  trial.against = parts[7];
  trial.against_seconds = result->best_seconds;
  return remote;
}

}  // namespace halyard::autotuner
