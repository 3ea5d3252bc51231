// Records the runs of one compiled program, and their steps, in a Profile.
#ifndef HALYARD_CLIENT_REPORTS_RUN_PROFILE_H_
#define HALYARD_CLIENT_REPORTS_RUN_PROFILE_H_

#include <memory>
#include <vector>

#include "client/reports/profile.h"
#include "runtime/execute/executor.h"
#include "runtime/program/program.h"

namespace halyard {

// Thread-safe. `program` must outlive it.
class RunProfile {
 public:
  RunProfile(std::shared_ptr<Profile> profile, const runtime::Program& program);
  const std::shared_ptr<Profile>& profile() const { return profile_; }

  // One run, which lasts from here until End. Begin sets the fields of `options` that record steps.
  struct Run {
    const RunProfile* owner = nullptr;
    int run = 0;
    int64_t begin_ns = 0;
  };
  void Begin(Run* run, runtime::RunOptions* options) const;
  void End(const Run& run) const;

 private:
  static void AddStep(void* user, const runtime::StepTime& time);
  int AddKernel(uint32_t index);

  const std::shared_ptr<Profile> profile_;
  const runtime::Program& program_;
  std::vector<int> kernels_;  // for each of the Program's kernels, its number in the profile
};

}  // namespace halyard

#endif  // HALYARD_CLIENT_REPORTS_RUN_PROFILE_H_
