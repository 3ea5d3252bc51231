#include "autotuner/search/tune_program.h"

#include <algorithm>
#include <utility>

namespace halyard::autotuner {

namespace {

// The assumed time of a batch that has not been timed yet: eight trials at ten a second.
constexpr double kUsualBatchSeconds = 1;

}  // namespace

ProgramTuner::ProgramTuner(std::vector<KernelTask> tasks, Database* database, History* history,
                           const ProgramTuneOptions& options)
    : options_(options) {
  for (KernelTask& task : tasks) {
    kernels_.push_back(
        std::make_unique<KernelTuner>(std::move(task), database, history, options.kernel));
  }
}

int64_t ProgramTuner::done() const {
  return std::count_if(kernels_.begin(), kernels_.end(), [](const auto& k) { return k->done(); });
}

int64_t ProgramTuner::measured() const {
  int64_t sum = 0;
  for (const auto& kernel : kernels_) sum += kernel->measured();
  return sum;
}

double ProgramTuner::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

double ProgramTuner::default_seconds() const {
  double sum = 0;
  for (const auto& kernel : kernels_) sum += kernel->task().uses * kernel->default_seconds();
  return sum;
}

double ProgramTuner::best_seconds() const {
  double sum = 0;
  for (const auto& kernel : kernels_) sum += kernel->task().uses * kernel->best_seconds();
  return sum;
}

bool ProgramTuner::TimeIsUp() const { return options_.seconds > 0 && seconds() > options_.seconds; }

// Returns the kernel that gets the next batch, or null if there are no more trials. why_done_ then
// says why.
KernelTuner* ProgramTuner::Next() {
  KernelTuner* next = nullptr;
  double most = -1;
  const double worth = options_.min_gain * best_seconds();
  bool left = false;
  for (const auto& kernel : kernels_) {
    if (kernel->done()) continue;
    if (kernel->default_seconds() == 0) return kernel.get();  // all defaults first
    left = true;
    const double gain = kernel->task().uses * kernel->ExpectedGain();
    if (gain < worth) continue;
    const double batch = kernel->BatchSeconds() > 0 ? kernel->BatchSeconds() : kUsualBatchSeconds;
    if (gain / batch > most) {
      most = gain / batch;
      next = kernel.get();
    }
  }
  if (next == nullptr) {
    why_done_ =
        left ? "no kernel is expected to gain enough for the program" : "every kernel is done";
  }
  return next;
}

absl::Status ProgramTuner::Run(Trials& trials, TuneObserver* observer) {
  start_ = std::chrono::steady_clock::now();
  const auto stopped = [this] { return options_.stopped && options_.stopped(); };
  bool confirming = false;
  const TrialSink sink = [&](const TrialReport& report) {
    if (observer != nullptr) observer->OnTrial(*this, report);
    return !stopped() && (confirming || !TimeIsUp());
  };
  for (const auto& kernel : kernels_) {
    if (absl::Status s = kernel->Resume(); !s.ok()) return s;
    if (options_.settled.count(kernel->task().key) != 0) kernel->Settle();
  }
  while (!stopped() && !TimeIsUp()) {
    KernelTuner* kernel = Next();
    if (kernel == nullptr) break;
    if (observer != nullptr) observer->OnKernel(*this, *kernel, false);
    if (absl::Status s = kernel->Step(trials, sink); !s.ok()) return s;
  }
  if (why_done_.empty()) why_done_ = stopped() ? "stopped" : "the time is used up";
  confirming = true;
  for (const auto& kernel : kernels_) {
    if (stopped()) break;
    if (kernel->confirmed()) continue;
    if (observer != nullptr) observer->OnKernel(*this, *kernel, true);
    if (absl::Status s = kernel->Confirm(trials, sink); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace halyard::autotuner
