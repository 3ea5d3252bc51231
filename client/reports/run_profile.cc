#include "client/reports/run_profile.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace halyard {

RunProfile::RunProfile(std::shared_ptr<Profile> profile, const runtime::Program& program)
    : profile_(std::move(profile)), program_(program) {
  for (uint32_t i = 0; i < program.num_kernels(); ++i) kernels_.push_back(AddKernel(i));
}

int RunProfile::AddKernel(uint32_t index) {
  const runtime::program_format::KernelRecord& record = program_.kernel(index);
  ProfileKernel kernel;
  kernel.program = program_.name().data;
  kernel.name = program_.String(record.name).data;
  SplitProvenance(program_.String(record.provenance).data, &kernel.ops, &kernel.places);
  kernel.flops = static_cast<int64_t>(record.flops);
  kernel.bytes = static_cast<int64_t>(record.bytes);
  kernel.on_host =
      program_.device().kind != runtime::DeviceKind::kX86 && record.space == runtime::kHostSpace;
  return profile_->AddKernel(std::move(kernel));
}

void RunProfile::Begin(Run* run, runtime::RunOptions* options) const {
  *run = {this, profile_->StartRun(), Profile::Now()};
  options->profile = AddStep;
  options->profile_user = run;
}

void RunProfile::End(const Run& run) const {
  ProfileEvent event;
  event.kind = ProfileEvent::Kind::kRun;
  event.name = program_.name().data;
  event.begin_ns = run.begin_ns;
  event.end_ns = Profile::Now();
  event.run = run.run;
  profile_->Add(std::move(event));
}

void RunProfile::AddStep(void* user, const runtime::StepTime& time) {
  const Run& run = *static_cast<Run*>(user);
  const runtime::Program& program = run.owner->program_;
  const runtime::program_format::StepRecord& step = program.step(time.step);
  ProfileEvent event;
  event.run = run.run;
  event.begin_ns = static_cast<int64_t>(time.begin_ns);
  event.end_ns = static_cast<int64_t>(time.end_ns);
  const auto kind = static_cast<runtime::StepKind>(step.kind);
  switch (kind) {
    case runtime::StepKind::kKernel:
      event.kind = ProfileEvent::Kind::kKernel;
      event.kernel = run.owner->kernels_[static_cast<size_t>(step.kernel)];
      event.name = program.String(program.kernel(static_cast<uint32_t>(step.kernel)).name).data;
      break;
    case runtime::StepKind::kCopy:
      event.kind = ProfileEvent::Kind::kCopy;
      event.name = time.label;  // "copy of NAME"
      event.bytes = static_cast<int64_t>(program.slices(step)[0].bytes);
      break;
    case runtime::StepKind::kCustomCall:
      event.kind = ProfileEvent::Kind::kCustomCall;
      event.name = absl::StrCat("custom call ", program.String(step.target).data);
      break;
    default:
      event.kind = ProfileEvent::Kind::kCommunication;
      event.name = time.label;
      event.waited_ns = static_cast<int64_t>(time.waited_ns);
      // The begin of an exchange counts what it gives.
      for (uint32_t k = kind == runtime::StepKind::kExchangeEnd ? step.num_inputs : 0;
           k < step.num_slices; ++k)
        event.bytes += static_cast<int64_t>(program.slices(step)[k].bytes);
      break;
  }
  run.owner->profile_->Add(std::move(event));
}

}  // namespace halyard
