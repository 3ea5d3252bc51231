#include "autotuner/bundle/bundle_writer.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <utility>

#include "absl/strings/str_cat.h"
#include "autotuner/measure/oracle.h"
#include "autotuner/measure/trial_rules.h"
#include "autotuner/search/choose.h"
#include "autotuner/search/choose_compiled.h"
#include "runtime/absl_status.h"
#include "runtime/kernel_object.h"

namespace halyard::autotuner {

using lowering::KernelReply;
using lowering::KernelRequest;
using schedules::Schedule;

namespace {

class Planner {
 public:
  Planner(lowering::KernelCompiler& compiler, History& history, const PlanOptions& options,
          BundleWriter* writer, int64_t all)
      : compiler_(compiler), history_(history), options_(options), writer_(*writer), all_(all) {}

  absl::StatusOr<BundleKernel> Plan(const KernelTask& task) {
    BundleKernel kernel;
    kernel.name = task.name;
    kernel.uses = task.uses;
    kernel.request = task.request;
    kernel.request.schedule.clear();
    absl::StatusOr<TrialData> data = MakeTrialData(task.request, options_.oracle_folder);
    if (!data.ok()) return InKernel(task, data.status());
    absl::StatusOr<BundleSection> section = writer_.AddData(*data);
    if (!section.ok()) return section.status();
    kernel.data = *section;
    absl::StatusOr<std::vector<Schedule>> chosen = Choose(task);
    if (!chosen.ok()) return InKernel(task, chosen.status());
    if (absl::Status s = Compile(task, *chosen, &kernel); !s.ok()) return InKernel(task, s);
    ++summary.kernels;
    done_ = summary.kernels * options_.trials;
    return kernel;
  }

  PlanSummary summary;

 private:
  static absl::Status InKernel(const KernelTask& task, const absl::Status& status) {
    return absl::Status(status.code(), absl::StrCat("kernel ", task.name, ": ", status.message()));
  }

  // Chooses twice as many candidates as are wanted, because some may not compile.
  absl::StatusOr<std::vector<Schedule>> Choose(const KernelTask& task) {
    absl::StatusOr<Ranker> ranker = history_.RankerOf(task.key);
    if (!ranker.ok()) return ranker.status();
    return ChooseCandidates(task.space, history_.Nearest(task, options_.warm_starts), *ranker,
                            2 * options_.trials, options_.seed);
  }

  absl::Status Compile(const KernelTask& task, const std::vector<Schedule>& chosen,
                       BundleKernel* kernel) {
    compiled_.clear();
    if (absl::Status s = CompileBatch(*kernel, {""}); !s.ok()) return s;
    const std::string default_line = compiled_.front().candidate.schedule;
    std::vector<std::string> lines;
    for (const Schedule& schedule : chosen) {
      std::string line = schedule.ToString();
      if (line != default_line) lines.push_back(std::move(line));
    }
    size_t next = 0;
    while (next < lines.size()) {
      const int64_t good = options_.trials - Good();
      if (good <= 0) break;
      const size_t count = std::min(lines.size() - next, static_cast<size_t>(good));
      const auto begin = lines.begin() + static_cast<int64_t>(next);
      absl::Status status = CompileBatch(*kernel, {begin, begin + static_cast<int64_t>(count)});
      if (!status.ok()) return status;
      next += count;
    }
    return AddCompiled(kernel);
  }

  // A candidate and its object's bytes.
  struct Compiled {
    BundleCandidate candidate;
    std::string object;
  };

  absl::Status CompileBatch(const BundleKernel& kernel, const std::vector<std::string>& lines) {
    if (options_.stopped && options_.stopped()) return absl::CancelledError("stopped");
    std::vector<KernelRequest> requests(lines.size(), kernel.request);
    for (size_t i = 0; i < lines.size(); ++i) requests[i].schedule = lines[i];
    std::vector<absl::StatusOr<KernelReply>> replies = compiler_.Compile(requests, [this](size_t) {
      // More than options_.trials are compiled where some do not fit.
      done_ = std::min(done_ + 1, (summary.kernels + 1) * options_.trials);
      if (options_.progress) options_.progress(done_, all_);
    });
    for (size_t i = 0; i < lines.size(); ++i) {
      const bool is_default = lines[i].empty();
      if (is_default && !replies[i].ok()) return replies[i].status();
      Compiled compiled;
      BundleCandidate& candidate = compiled.candidate;
      candidate.schedule = is_default ? replies[i]->schedule : lines[i];
      candidate.version = VersionOfLine(candidate.schedule);
      if (replies[i].ok()) {
        candidate.resources = replies[i]->resources;
        compiled.object = std::move(replies[i]->object);
      } else {
        candidate.outcome = OutcomeOfCompile(replies[i].status());
        if (candidate.outcome == Outcome::kUnfit) continue;  // nothing to measure or to remember
        candidate.error = std::string(replies[i].status().message());
      }
      compiled_.push_back(std::move(compiled));
    }
    return absl::OkStatus();
  }

  // Returns which of compiled_ are left out of the bundle. The default never is.
  std::vector<bool> LeftOut() const {
    std::vector<CompiledCandidate> candidates;
    for (const Compiled& compiled : compiled_) {
      CompiledCandidate& candidate = candidates.emplace_back();
      const absl::StatusOr<Schedule> schedule = Schedule::Parse(compiled.candidate.schedule);
      if (schedule.ok()) candidate.schedule = *schedule;
      candidate.failed = compiled.candidate.outcome != Outcome::kGood;
      candidate.resources = compiled.candidate.resources;
    }
    std::vector<bool> out = SpillNeedlessly(candidates);
    out.front() = false;
    return out;
  }

  // Returns how many of compiled_ have an object that will be in the bundle.
  int64_t Good() const {
    const std::vector<bool> out = LeftOut();
    int64_t good = 0;
    for (size_t i = 0; i < compiled_.size(); ++i)
      good += compiled_[i].candidate.outcome == Outcome::kGood && !out[i] ? 1 : 0;
    return good;
  }

  absl::Status AddCompiled(BundleKernel* kernel) {
    const std::vector<bool> out = LeftOut();
    for (size_t i = 0; i < compiled_.size(); ++i) {
      if (out[i]) {
        ++summary.spilled;
        continue;
      }
      BundleCandidate candidate = std::move(compiled_[i].candidate);
      ++summary.candidates;
      if (candidate.outcome != Outcome::kGood) {
        ++summary.failed;
      } else {
        absl::StatusOr<BundleSection> section = writer_.AddObject(compiled_[i].object);
        if (!section.ok()) return section.status();
        candidate.object = *section;
        if (absl::Status s = CountModules(compiled_[i].object); !s.ok()) return s;
      }
      kernel->candidates.push_back(std::move(candidate));
    }
    return absl::OkStatus();
  }

  absl::Status CountModules(const std::string& object) {
    runtime::KernelObjectView view;
    absl::Status status = ToAbsl(runtime::ParseKernelObject(
        {reinterpret_cast<const uint8_t*>(object.data()), object.size()}, &view));
    if (!status.ok() || view.kind != runtime::DeviceKind::kCuda) return status;
    for (uint32_t m = 0; m < view.num_modules; ++m) {
      const runtime::ByteSpan module = view.module(m);
      const bool assembled = module.size >= SELFMAG && memcmp(module.data, ELFMAG, SELFMAG) == 0;
      ++(assembled ? summary.cubins : summary.ptx);
    }
    return absl::OkStatus();
  }

  lowering::KernelCompiler& compiler_;
  History& history_;
  const PlanOptions& options_;
  BundleWriter& writer_;
  const int64_t all_;
  int64_t done_ = 0;                // compiled, counting options_.trials for a finished kernel
  std::vector<Compiled> compiled_;  // of this kernel, the default first
};

}  // namespace

absl::StatusOr<PlanSummary> WritePlan(const std::vector<KernelTask>& tasks, BundleIndex index,
                                      lowering::KernelCompiler& compiler, History& history,
                                      const PlanOptions& options, const std::string& path) {
  if (tasks.empty()) return absl::InvalidArgumentError("there is no kernel to measure");
  absl::StatusOr<BundleWriter> writer = BundleWriter::Create(path);
  if (!writer.ok()) return writer.status();
  Planner planner(compiler, history, options, &*writer,
                  static_cast<int64_t>(tasks.size()) * options.trials);
  index.created = time(nullptr);
  index.kernels.clear();
  for (const KernelTask& task : tasks) {
    absl::StatusOr<BundleKernel> kernel = planner.Plan(task);
    if (!kernel.ok()) return kernel.status();
    index.kernels.push_back(*std::move(kernel));
  }
  if (absl::Status s = writer->Finish(index); !s.ok()) return s;
  planner.summary.bytes = writer->bytes();
  return planner.summary;
}

}  // namespace halyard::autotuner
