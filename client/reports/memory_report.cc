#include "client/reports/memory_report.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "client/reports/profile.h"
#include "lowering/plan/steps/liveness.h"
#include "runtime/absl_status.h"
#include "runtime/x86/scratch.h"

namespace halyard {
namespace {

using runtime::AllocationKind;
using runtime::StepKind;
using runtime::program_format::AllocationRecord;
using runtime::program_format::StepRecord;

constexpr int64_t kPadding = 256;
constexpr size_t kLargest = 10;

int64_t Padded(int64_t bytes) {
  return std::max(kPadding, (bytes + kPadding - 1) / kPadding * kPadding);
}

// The memory that kernels take in addition to the plan's allocations.
class Scratch {
 public:
  explicit Scratch(const runtime::Program& program) : program_(program) {}

  absl::Status Read() {
    for (uint32_t k = 0; k < program_.num_kernels(); ++k) {
      const runtime::program_format::KernelRecord& record = program_.kernel(k);
      Kernel kernel;
      if (record.object.bytes != 0) {
        runtime::KernelObjectView view;
        absl::Status status =
            ToAbsl(runtime::ParseKernelObject(program_.Bytes(record.object), &view));
        if (!status.ok()) return status;
        kernel.is_x86 = view.kind == runtime::DeviceKind::kX86;
        kernel.counters = view.counter_bytes;
        kernel.bytes = static_cast<int64_t>(view.scratch_bytes - view.counter_bytes);
        kernel.per_task = static_cast<int64_t>(view.scratch_bytes_per_task);
      }
      kernels_.push_back(kernel);
    }
    return absl::OkStatus();
  }

  // On a GPU, this is one block, with as many counters and as much behind them as any kernel needs.
  int64_t Block() const {
    int64_t counters = 0, most = 0;
    for (const Kernel& kernel : kernels_) {
      if (kernel.is_x86) continue;
      counters = std::max(counters, kernel.counters);
      most = std::max(most, kernel.bytes);
    }
    return counters + most == 0 ? 0 : Padded(counters + most);
  }

  // On x86, this is a region for each straight line of steps that is run, and one for each worker.
  int64_t Regions(int threads) {
    int64_t per_task = 0;
    for (const Kernel& kernel : kernels_) per_task = std::max(per_task, kernel.per_task);
    lines_ = 0;
    AddLines(0);
    return lines_ + std::max(0, threads - 1) * Region(per_task);
  }

 private:
  struct Kernel {
    bool is_x86 = false;
    int64_t bytes = 0, per_task = 0, counters = 0;
  };

  static int64_t Region(int64_t bytes) {
    return static_cast<int64_t>(runtime::x86::ScratchRegion::SizeFor(static_cast<uint64_t>(bytes)));
  }

  // Adds the lines of a sequence. They are the executor's segments
  // (runtime/execute/executable_plan.cc), which end where the device changes.
  void AddLines(uint32_t sequence) {
    const runtime::program_format::SequenceRecord& record = program_.sequence(sequence);
    int64_t most = 0;
    bool gpu_line = false;
    const auto end_line = [&] {
      lines_ += Region(most);
      most = 0;
    };
    for (uint64_t i = record.first_step; i < record.first_step + record.num_steps; ++i) {
      const StepRecord& step = program_.step(i);
      const auto kind = static_cast<StepKind>(step.kind);
      if (kind == StepKind::kKernel) {
        const Kernel& kernel = kernels_[static_cast<size_t>(step.kernel)];
        if (!kernel.is_x86) {
          end_line();
          continue;
        }
        most = std::max(most, kernel.bytes + kernel.per_task);
        continue;
      }
      if (kind == StepKind::kCopy) {
        gpu_line = program_.device().kind != runtime::DeviceKind::kX86 && !OnHost(step);
        if (gpu_line) end_line();
        continue;
      }
      end_line();
      const uint32_t* children = program_.children(step);
      const bool counted = kind == StepKind::kWhile && step.trip_count >= 0;
      if (kind == StepKind::kWhile && step.trip_count == 0) continue;
      for (uint32_t c = counted ? 1 : 0; c < step.num_children; ++c) AddLines(children[c]);
    }
    end_line();
  }

  bool OnHost(const StepRecord& step) const {
    const runtime::program_format::SliceRecord* slices = program_.slices(step);
    for (int k = 0; k < 2; ++k) {
      if (program_.allocation(static_cast<uint32_t>(slices[k].allocation)).space !=
          runtime::kHostSpace)
        return false;
    }
    return true;
  }

  const runtime::Program& program_;
  std::vector<Kernel> kernels_;
  int64_t lines_ = 0;
};

// Returns the line about a buffer in the table of the largest buffers.
std::string BufferLine(const BufferReport& buffer) {
  const std::string lifetime =
      buffer.kind == "temporary"
          ? buffer.first == buffer.last
                ? absl::StrCat("step ", buffer.first, " (", buffer.first_step, ")")
                : absl::StrCat("steps ", buffer.first, " (", buffer.first_step, ") to ",
                               buffer.last, " (", buffer.last_step, ")")
          : std::string("the whole run");
  return absl::StrFormat("  %9s  %s %s: %s%s; kept for %s", BytesText(buffer.bytes), buffer.kind,
                         buffer.name, buffer.what,
                         buffer.place.empty() ? "" : absl::StrCat(" at ", buffer.place), lifetime);
}

}  // namespace

int64_t MemoryPlan::device_blocks() const {
  const int64_t temps = device_arena + (is_x86 ? host_arena : 0);
  return arguments + results + temps + (is_x86 ? 0 : constants + scratch);
}

int64_t MemoryPlan::total() const {
  return arguments + results + constants + device_arena + host_arena + scratch;
}

absl::StatusOr<MemoryPlan> PlanMemory(const runtime::Program& program, int threads) {
  MemoryPlan plan;
  const bool is_x86 = program.device().kind == runtime::DeviceKind::kX86;
  for (uint32_t i = 0; i < program.num_parameters(); ++i)
    plan.arguments += Padded(program.parameter(i).bytes);
  for (uint32_t i = 0; i < program.num_results(); ++i)
    plan.results += Padded(program.result(i).bytes);
  for (uint32_t i = 0; i < program.num_parameters(); ++i) {
    if (program.parameter(i).donated_to_result >= 0)
      plan.donated += Padded(program.parameter(i).bytes);
  }
  plan.is_x86 = is_x86;
  for (uint32_t i = 0; i < program.num_allocations(); ++i) {
    const AllocationRecord& allocation = program.allocation(i);
    if (static_cast<AllocationKind>(allocation.kind) != AllocationKind::kConstant) continue;
    plan.constants += Padded(allocation.bytes);
  }
  const auto arena = [](uint64_t bytes) {
    return bytes == 0 ? 0 : Padded(static_cast<int64_t>(bytes));
  };
  plan.device_arena = arena(program.device_arena_bytes());
  plan.host_arena = arena(program.host_arena_bytes());
  Scratch scratch(program);
  if (absl::Status status = scratch.Read(); !status.ok()) return status;
  plan.scratch = is_x86 ? scratch.Regions(threads) : scratch.Block();
  return plan;
}

absl::StatusOr<MemoryPlan> PlanMemory(const ProgramSpec& program, int threads) {
  const std::string bytes = WriteProgram(program);
  runtime::Program* opened = nullptr;
  absl::Status status = ToAbsl(runtime::Program::Copy(
      {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, &opened));
  if (!status.ok()) return status;
  absl::StatusOr<MemoryPlan> plan = PlanMemory(*opened, threads);
  opened->Destroy();
  return plan;
}

std::string BytesText(int64_t bytes) {
  static constexpr const char* kUnits[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  while (value >= 999.5 && unit < 6) {
    value /= 1000;
    ++unit;
  }
  const int digits = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return absl::StrFormat("%.*f %s", digits, value, kUnits[unit]);
}

std::string MemoryLine(const MemoryPlan& plan) {
  std::string parts;
  const auto add = [&parts](const char* what, int64_t bytes) {
    if (bytes == 0) return;
    absl::StrAppend(&parts, parts.empty() ? "" : ", ", what, " ", BytesText(bytes));
  };
  add("arguments", plan.arguments);
  add("results", plan.results);
  if (plan.donated != 0)
    absl::StrAppend(&parts, " (", BytesText(plan.donated), " of it arguments' if donated)");
  add("constants", plan.constants);
  add("temporaries", plan.device_arena);
  add("temporaries on the host", plan.host_arena);
  add("kernels' scratch", plan.scratch);
  return absl::StrCat("memory of a run: ", BytesText(plan.total()),
                      parts.empty() ? "" : absl::StrCat(" (", parts, ")"));
}

BufferReports ReportBuffers(const ProgramSpec& program) {
  BufferReports reports;
  std::vector<std::string> names;
  std::vector<std::string> places(program.allocations.size());
  lowering::VisitLiveness(program, [&](const lowering::StepLiveness& visited) {
    const ProgramSpec::Step& step = program.sequences[visited.sequence].steps[visited.index];
    const size_t at = static_cast<size_t>(visited.first);
    if (names.size() <= at) names.resize(at + 1);
    const bool is_kernel = step.kind == ProgramSpec::Step::Kind::kKernel;
    names[at] = is_kernel ? program.kernels[step.kernel].name : step.label;
    if (!is_kernel) return;
    std::vector<std::string> ops, kernel_places;
    SplitProvenance(program.kernels[step.kernel].provenance, &ops, &kernel_places);
    if (kernel_places.empty()) return;
    // Steps are visited from the last to the first, so the place of the first step that writes a
    // buffer remains.
    for (int32_t a : lowering::WritesOf(step)) places[a] = kernel_places.front();
  });
  reports.num_steps = static_cast<int64_t>(names.size());
  const std::vector<lowering::LiveRange> ranges = lowering::ComputeLiveRanges(program);
  for (size_t i = 0; i < program.allocations.size(); ++i) {
    const ProgramSpec::Allocation& a = program.allocations[i];
    BufferReport report;
    report.allocation = static_cast<int32_t>(i);
    static constexpr const char* kKinds[] = {"argument", "result", "constant", "temporary"};
    static constexpr const char* kNames[] = {"arg", "out", "const", "temp"};
    const auto kind = static_cast<size_t>(a.kind);
    const bool is_temp = a.kind == ProgramSpec::AllocationKind::kTemp;
    report.kind = kKinds[kind];
    report.name = absl::StrCat(kNames[kind], is_temp ? static_cast<int64_t>(i) : a.number);
    report.what = a.label;
    report.place = places[i];
    report.space = a.space;
    report.offset = is_temp ? a.offset : -1;
    report.bytes = a.bytes;
    report.first = 0;
    report.last = std::max<int64_t>(0, reports.num_steps - 1);
    if (is_temp && ranges[i].used()) {
      report.first = std::clamp<int64_t>(ranges[i].first, 0, report.last);
      report.last = std::clamp<int64_t>(ranges[i].last, report.first, report.last);
    }
    if (!names.empty()) {
      report.first_step = names[static_cast<size_t>(report.first)];
      report.last_step = names[static_cast<size_t>(report.last)];
    }
    reports.buffers.push_back(std::move(report));
  }
  return reports;
}

namespace {

// Returns the error of CheckMemory, or OK if the program fits.
absl::Status CheckFits(const ProgramSpec& program, const MemoryPlan& plan) {
  const uint64_t have = program.device.memory_bytes;
  // The check counts neither what callers save if they donate nor, on GPUs, what lies in host
  // memory.
  const bool on_host = program.device.kind != runtime::DeviceKind::kX86;
  const int64_t least = plan.total() - plan.donated - (on_host ? plan.host_arena : 0);
  if (have == 0 || static_cast<uint64_t>(least) <= have) return absl::OkStatus();
  std::vector<BufferReport> buffers = ReportBuffers(program).buffers;
  std::stable_sort(buffers.begin(), buffers.end(),
                   [](const BufferReport& a, const BufferReport& b) { return a.bytes > b.bytes; });
  std::string text = absl::StrCat(program.name, " does not fit ", program.device.name,
                                  ", which has ", BytesText(static_cast<int64_t>(have)), "; ",
                                  MemoryLine(plan), "\nthe largest buffers:");
  for (size_t i = 0; i < std::min(kLargest, buffers.size()); ++i)
    absl::StrAppend(&text, "\n", BufferLine(buffers[i]));
  if (plan.scratch != 0)
    absl::StrAppend(&text, absl::StrFormat("\n  %9s  kernels' scratch", BytesText(plan.scratch)));
  absl::StrAppend(&text,
                  "\nuse a smaller batch or smaller types, or split the program; `halyard show "
                  "--stage=memory --format=html` draws the plan");
  return absl::ResourceExhaustedError(text);
}

}  // namespace

absl::Status CheckMemory(const ProgramSpec& program) {
  MemoryPlan plan;
  for (const ProgramSpec::Allocation& a : program.allocations) {
    switch (a.kind) {
      case ProgramSpec::AllocationKind::kParameter:
        plan.arguments += Padded(a.bytes);
        break;
      case ProgramSpec::AllocationKind::kResult:
        plan.results += Padded(a.bytes);
        break;
      case ProgramSpec::AllocationKind::kConstant:
        plan.constants += Padded(a.bytes);
        break;
      case ProgramSpec::AllocationKind::kTemp:
        break;
    }
  }
  plan.device_arena = program.device_arena_bytes;
  for (const ProgramSpec::Value& value : program.parameters) {
    if (value.donated_to_result >= 0) plan.donated += Padded(value.bytes);
  }
  return CheckFits(program, plan);
}

absl::Status CheckMemoryWithScratch(const ProgramSpec& program, int threads) {
  // In most programs no kernel has scratch. Otherwise, the largest one is what may not fit.
  int64_t most = 0;
  const ProgramSpec::Kernel* hungriest = nullptr;
  for (const ProgramSpec::Kernel& kernel : program.kernels) {
    if (kernel.object.empty()) continue;
    runtime::KernelObjectView view;
    absl::Status status = ToAbsl(runtime::ParseKernelObject(
        {reinterpret_cast<const uint8_t*>(kernel.object.data()), kernel.object.size()}, &view));
    if (!status.ok()) return status;
    const bool in_block = view.kind != runtime::DeviceKind::kX86;
    const int64_t bytes = static_cast<int64_t>(view.scratch_bytes + view.scratch_bytes_per_task);
    if (bytes <= most || in_block != (program.device.kind != runtime::DeviceKind::kX86)) continue;
    most = bytes;
    hungriest = &kernel;
  }
  if (hungriest == nullptr) return absl::OkStatus();
  const uint64_t piece = program.device.max_allocation_bytes;
  if (program.device.kind != runtime::DeviceKind::kX86 && piece != 0 &&
      static_cast<uint64_t>(Padded(most)) > piece) {
    return absl::ResourceExhaustedError(absl::StrCat(
        program.name, " does not fit ", program.device.name, ": kernel ", hungriest->name,
        " needs ", BytesText(most), " of scratch, and the largest allocation has ",
        BytesText(static_cast<int64_t>(piece)),
        "; use a smaller batch or smaller types, or split the program"));
  }
  absl::StatusOr<MemoryPlan> plan = PlanMemory(program, threads);
  if (!plan.ok()) return plan.status();
  return CheckFits(program, *plan);
}

}  // namespace halyard
