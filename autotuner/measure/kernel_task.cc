#include "autotuner/measure/kernel_task.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"

namespace halyard::autotuner {

using lowering::KernelReply;
using lowering::KernelRequest;

namespace {

// Adds to `uses` how often `times` runs of the sequence launch each kernel.
void CountUses(const ProgramSpec& program, int32_t sequence, double times,
               std::vector<double>* uses) {
  for (const ProgramSpec::Step& step : program.sequences[static_cast<size_t>(sequence)].steps) {
    using Kind = ProgramSpec::Step::Kind;
    if (step.kind == Kind::kKernel) (*uses)[static_cast<size_t>(step.kernel)] += times;
    double inside = times;
    if (step.kind == Kind::kWhile)
      inside *= step.trip_count >= 0 ? static_cast<double>(step.trip_count) : kUnknownTrips;
    for (int32_t called : step.sequences) CountUses(program, called, inside, uses);
  }
}

}  // namespace

absl::StatusOr<std::vector<KernelTask>> TasksOf(const ProgramSpec& program,
                                                lowering::KernelCompiler& compiler) {
  std::vector<double> uses(program.kernels.size(), 0);
  if (!program.sequences.empty()) CountUses(program, 0, 1, &uses);
  std::vector<KernelTask> tasks;
  std::map<std::string, size_t> by_key;
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    const ProgramSpec::Kernel& kernel = program.kernels[k];
    if (kernel.space == MemorySpace::kHost) continue;
    absl::StatusOr<KernelRequest> request = KernelRequest::Parse(kernel.request);
    if (!request.ok()) return request.status();
    std::string key = request->KernelKey();
    const auto [at, added] = by_key.emplace(key, tasks.size());
    if (!added) {
      tasks[at->second].uses += uses[k];
      continue;
    }
    KernelTask task;
    task.name = kernel.name;
    task.request = *std::move(request);
    task.request.schedule.clear();
    task.key = std::move(key);
    task.device = task.request.device.name;
    task.uses = uses[k];
    task.provenance = kernel.provenance;
    task.flops = kernel.flops;
    task.bytes = kernel.bytes;
    tasks.push_back(std::move(task));
  }
  std::vector<KernelRequest> requests;
  for (const KernelTask& task : tasks) {
    requests.push_back(task.request);
    requests.back().describe = true;
  }
  std::vector<absl::StatusOr<KernelReply>> replies = compiler.Compile(requests);
  for (size_t t = 0; t < tasks.size(); ++t) {
    if (!replies[t].ok()) {
      return absl::Status(replies[t].status().code(), absl::StrCat("kernel ", tasks[t].name, ": ",
                                                                   replies[t].status().message()));
    }
    absl::StatusOr<std::vector<schedules::TemplateSpace>> space =
        schedules::ParseSpace(replies[t]->space);
    if (!space.ok()) return space.status();
    tasks[t].space = *std::move(space);
  }
  return tasks;
}

}  // namespace halyard::autotuner
