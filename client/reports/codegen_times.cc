#include "client/reports/codegen_times.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace halyard {

CodegenTimes::CodegenTimes(Profile* profile, std::vector<std::string> names)
    : profile_(profile), names_(std::move(names)), running_(names_.size()) {
  const size_t jobs = static_cast<size_t>(std::max<long>(1, sysconf(_SC_NPROCESSORS_ONLN)));
  while (next_ < names_.size() && next_ < jobs) Start(static_cast<int>(next_));
}

void CodegenTimes::Done(size_t index) {
  if (profile_ == nullptr) return;
  ProfileEvent event;
  event.kind = ProfileEvent::Kind::kCodegen;
  event.name = names_[index];
  event.begin_ns = running_[index].begin_ns;
  event.end_ns = Profile::Now();
  event.lane = running_[index].lane;
  profile_->Add(event);
  if (next_ < names_.size()) Start(event.lane);
}

void CodegenTimes::Start(int lane) { running_[next_++] = {Profile::Now(), lane}; }

}  // namespace halyard
