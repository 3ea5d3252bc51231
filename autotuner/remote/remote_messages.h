// The messages between a tuner and the processes elsewhere that compile and measure for it. They
// are frames (codegen/service/frame.h) of parts (worker.h).
//
//   to the tuner, at first       hello   who it is (Hello)
//   to the tuner, now and then   alive
//   from the tuner               work    task, best, options, schedules (Work)
//   back, as each is finished    trial   place in `schedules` (kAlone for the best itself), Trial
//   back, at last                done    or instead a frame with an error's code and message
//   from the tuner               stop    begin no more of the schedules; done still follows
//   from the tuner, at last      end
//
// A work message and the trial, done and stop messages for it share an id. All other messages have
// id 0.
#ifndef HALYARD_AUTOTUNER_REMOTE_REMOTE_MESSAGES_H_
#define HALYARD_AUTOTUNER_REMOTE_REMOTE_MESSAGES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "autotuner/measure/kernel_task.h"
#include "autotuner/measure/trials.h"

namespace halyard::autotuner {

struct Hello {
  std::string version;  // RemoteVersion()
  std::string host;
  int64_t width = 1;  // Trials::width
};
// Returns the version of all that must be the same on both sides for a schedule to mean the same:
// lowering, templates, Halide.
std::string RemoteVersion();

struct Work {
  std::string name;                 // of the task
  lowering::KernelRequest request;  // of the task
  std::string best;                 // the schedules are timed beside it; "" for the default
  bool alone = false;               // measure `best` again, even if it was begun before
  TrialOptions options;
  std::vector<std::string> schedules;
};

inline constexpr int64_t kAlone = -1;
struct RemoteTrial {
  int64_t place = kAlone;
  Trial trial;  // without Record::kernel and device, which are the task's
};

// The first part of each message, which gives its kind.
inline constexpr char kHello[] = "hello", kAlive[] = "alive", kWork[] = "work", kTrial[] = "trial",
                      kDone[] = "done", kStop[] = "stop", kEnd[] = "end";

std::string EncodeHello(const Hello& hello);
std::string EncodeWork(const Work& work);
std::string EncodeTrial(const RemoteTrial& trial);
// Decodes parts that SplitParts returns. Returns kDataLoss if they do not come from the
// matching Encode function.
absl::StatusOr<Hello> DecodeHello(const std::vector<std::string>& parts);
absl::StatusOr<Work> DecodeWork(const std::vector<std::string>& parts);
absl::StatusOr<RemoteTrial> DecodeTrial(const std::vector<std::string>& parts);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_REMOTE_REMOTE_MESSAGES_H_
