#include "client/api/device_executable.h"

#include <algorithm>
#include <chrono>

#include "absl/strings/str_cat.h"
#include "client/api/buffer_rep.h"
#include "client/api/custom_call.h"
#include "client/processes/grid_run.h"
#include "client/reports/memory_report.h"
#include "client/reports/profile.h"
#include "runtime/absl_status.h"
#include "runtime/execute/executor.h"
#include "runtime/x86/x86.h"

namespace halyard {

using hlo::Shape;
using Clock = std::chrono::steady_clock;

namespace {

Shape ShapeOf(const runtime::Program& program, const runtime::program_format::ValueRecord& value) {
  const runtime::StringSpan type = program.String(value.element_type);
  if (absl::string_view(type.data, type.size) == "token") return Shape::Token();
  const std::optional<hlo::ElementType> element =
      hlo::ElementTypeFromHloName(absl::string_view(type.data, type.size));
  const int64_t* dims = program.dims(value);
  const int64_t* layout = program.minor_to_major(value);
  std::vector<int64_t> sizes(dims, dims + value.rank), order;
  if (layout != nullptr) order.assign(layout, layout + value.rank);
  return Shape::ArrayWithLayout(element.value_or(hlo::ElementType::kU8), std::move(sizes),
                                std::move(order));
}

Executable::Cost CostOf(const runtime::Program& program, uint32_t sequence) {
  Executable::Cost cost;
  const runtime::program_format::SequenceRecord& steps = program.sequence(sequence);
  for (uint64_t i = steps.first_step; i < steps.first_step + steps.num_steps; ++i) {
    const runtime::program_format::StepRecord& step = program.step(i);
    Executable::Cost one;
    switch (static_cast<runtime::StepKind>(step.kind)) {
      case runtime::StepKind::kKernel: {
        const auto& kernel = program.kernel(static_cast<uint32_t>(step.kernel));
        one = {static_cast<double>(kernel.flops), static_cast<double>(kernel.bytes)};
        break;
      }
      case runtime::StepKind::kCopy:
        one.bytes = 2.0 * static_cast<double>(program.slices(step)[0].bytes);
        break;
      case runtime::StepKind::kWhile:  // the body is the second child
        one = CostOf(program, program.children(step)[1]);
        one.flops *= static_cast<double>(std::max<int64_t>(1, step.trip_count));
        one.bytes *= static_cast<double>(std::max<int64_t>(1, step.trip_count));
        break;
      case runtime::StepKind::kCase:
        for (uint32_t k = 0; k < step.num_children; ++k) {
          const Executable::Cost branch = CostOf(program, program.children(step)[k]);
          one = {std::max(one.flops, branch.flops), std::max(one.bytes, branch.bytes)};
        }
        break;
      default:  // custom calls and communication
        break;
    }
    cost.flops += one.flops;
    cost.bytes += one.bytes;
  }
  return cost;
}

class DeviceExecutable : public Executable {
 public:
  static absl::StatusOr<std::unique_ptr<Executable>> Create(
      runtime::Context* context, const std::string& bytes, CompileStats stats,
      const std::shared_ptr<Profile>& profile) {
    const auto start = Clock::now();
    const int64_t begin = Profile::Now();
    runtime::Program* program = nullptr;
    absl::Status status = ToAbsl(runtime::Program::Copy(
        {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, &program));
    if (!status.ok()) return status;
    auto result = std::unique_ptr<DeviceExecutable>(new DeviceExecutable);
    for (uint32_t i = 0; i < program->num_parameters(); ++i)
      result->parameters_.push_back(ShapeOf(*program, program->parameter(i)));
    for (uint32_t i = 0; i < program->num_results(); ++i)
      result->results_.push_back(ShapeOf(*program, program->result(i)));
    status = RegisterCallsOf(*program, context);
    if (!status.ok()) {
      program->Destroy();
      return status;
    }
    status = ToAbsl(runtime::Executable::Create(context, program, {}, &result->executable_));
    if (!status.ok()) return status;
    stats.load_ms += std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    result->stats_ = stats;
    if (profile != nullptr) {
      profile->AddSince(ProfileEvent::Kind::kCompile, "load", begin);
      result->profile_ = profile;
      result->AddKernels(*program);
    }
    return result;
  }
  ~DeviceExecutable() override {
    if (executable_ != nullptr) executable_->Release();
  }
  const std::vector<Shape>& parameter_shapes() const override { return parameters_; }
  const std::vector<Shape>& result_shapes() const override { return results_; }
  std::string name() const override { return executable_->program().name().data; }
  int64_t arena_bytes() const override { return static_cast<int64_t>(executable_->arena_bytes()); }
  const CompileStats& stats() const override { return stats_; }
  std::vector<int64_t> donated_to_results() const override {
    const runtime::Program& program = executable_->program();
    std::vector<int64_t> results;
    for (uint32_t i = 0; i < program.num_parameters(); ++i)
      results.push_back(program.parameter(i).donated_to_result);
    return results;
  }
  Cost cost() const override { return CostOf(executable_->program(), 0); }
  std::vector<NamedCall> custom_calls() const override {
    const runtime::Program& program = executable_->program();
    std::vector<NamedCall> calls;
    for (uint32_t i = 0; i < program.num_steps(); ++i) {
      const runtime::program_format::StepRecord& step = program.step(i);
      if (static_cast<runtime::StepKind>(step.kind) != runtime::StepKind::kCustomCall) continue;
      const runtime::StringSpan target = program.String(step.target);
      const runtime::ByteSpan config = program.Bytes(step.config);
      calls.push_back({std::string(target.data, target.size),
                       std::string(reinterpret_cast<const char*>(config.data), config.size)});
    }
    return calls;
  }
  absl::StatusOr<std::string> Serialize() const override {
    const runtime::ByteSpan bytes = executable_->program().bytes();
    return std::string(reinterpret_cast<const char*>(bytes.data), bytes.size);
  }
  MemoryPlan memory_plan() const override {
    absl::StatusOr<MemoryPlan> plan = PlanMemory(
        executable_->program(),
        static_cast<int>(runtime::x86::ThreadCount(executable_->context()->host_device())));
    return plan.ok() ? *plan : MemoryPlan();  // always ok, because the program was loaded
  }

  absl::StatusOr<std::vector<Buffer>> Run(absl::Span<const Buffer> arguments,
                                          const RunOptions& options) override {
    if (absl::Status s = CheckArguments(parameters_, arguments); !s.ok()) return s;
    if (absl::Status s = CheckProcess(grid(), options); !s.ok()) return s;
    if (communicates()) {
      absl::StatusOr<std::vector<std::vector<Buffer>>> all =
          RunGrid({{arguments.begin(), arguments.end()}}, {});
      if (!all.ok()) return all.status();
      return (*all)[options.replica * grid().partitions + options.partition];
    }
    return RunOne(arguments, options, nullptr, 0);
  }

  Grid grid() const override {
    const runtime::Program& program = executable_->program();
    return {program.num_replicas(), program.num_partitions()};
  }
  bool communicates() const override { return executable_->program().communicates(); }

  absl::StatusOr<std::vector<std::vector<Buffer>>> RunGrid(
      absl::Span<const std::vector<Buffer>> arguments, const GridRunOptions& options) override {
    const size_t size = static_cast<size_t>(grid().size());
    if (arguments.size() != 1 && arguments.size() != size) {
      return absl::InvalidArgumentError(absl::StrCat("RunGrid: arguments for ", arguments.size(),
                                                     " processes, there are ", size));
    }
    if (!options.hosts.empty() && options.hosts.size() != size) {
      return absl::InvalidArgumentError(
          absl::StrCat("RunGrid: ", options.hosts.size(), " hosts for ", size, " processes"));
    }
    const auto [first, end] = options.ranks != nullptr
                                  ? options.ranks->Processes(static_cast<uint32_t>(size))
                                  : std::pair<uint32_t, uint32_t>(0, static_cast<uint32_t>(size));
    for (uint32_t process = first; process < end; ++process) {
      const std::vector<Buffer>& own = arguments[arguments.size() == 1 ? 0 : process];
      if (absl::Status status = CheckArguments(parameters_, own); !status.ok()) return status;
    }
    std::vector<std::vector<Buffer>> results(size);
    absl::Status status = RunProcesses(executable_->program(), options.hosts, options.ranks,
                                       [&](runtime::Grid* grid, uint32_t process) {
                                         RunOptions run;
                                         run.asynchronous = false;
                                         run.stream = process;
                                         absl::StatusOr<std::vector<Buffer>> own =
                                             RunOne(arguments[arguments.size() == 1 ? 0 : process],
                                                    run, grid, process);
                                         if (!own.ok()) return own.status();
                                         for (const Buffer& buffer : *own) {
                                           if (absl::Status ready = buffer.Wait(); !ready.ok())
                                             return ready;
                                         }
                                         results[process] = *std::move(own);
                                         return absl::OkStatus();
                                       });
    if (!status.ok()) return status;
    return results;
  }

  runtime::Space parameter_space(size_t i) const {
    return executable_->parameter_space(static_cast<uint32_t>(i));
  }

 private:
  // Runs one process. `grid` is null unless it is one of several.
  absl::StatusOr<std::vector<Buffer>> RunOne(absl::Span<const Buffer> arguments,
                                             const RunOptions& options, runtime::Grid* grid,
                                             uint32_t process) {
    absl::Status status;
    std::vector<runtime::Buffer*> inputs, outputs(results_.size(), nullptr);
    for (const Buffer& argument : arguments) {
      if (argument.rep()->buffer == nullptr)
        return absl::InvalidArgumentError("an argument's buffer is not of this client's device");
      inputs.push_back(argument.rep()->buffer);
    }
    runtime::RunOptions run;
    run.stream = options.stream;
    run.asynchronous = options.asynchronous;
    run.grid = grid;
    run.process = process;
    std::unique_ptr<bool[]> donate;
    if (!options.donate.empty()) {
      if (options.donate.size() != inputs.size())
        return absl::InvalidArgumentError(
            "RunOptions::donate has another size than the parameters");
      donate.reset(new bool[inputs.size()]);
      std::copy(options.donate.begin(), options.donate.end(), donate.get());
      run.donate = donate.get();
    }
    ProfiledRun profiled;
    if (profile_ != nullptr) {
      profiled = {this, profile_->StartRun(), Profile::Now()};
      run.profile = AddStep;
      run.profile_user = &profiled;
    }
    status = ToAbsl(executable_->Run(run, inputs.data(), static_cast<uint32_t>(inputs.size()),
                                     outputs.data(), static_cast<uint32_t>(outputs.size())));
    if (!status.ok()) return status;
    if (profile_ != nullptr) {
      ProfileEvent event;
      event.kind = ProfileEvent::Kind::kRun;
      event.name = executable_->program().name().data;
      event.begin_ns = profiled.begin_ns;
      event.end_ns = Profile::Now();
      event.run = profiled.run;
      profile_->Add(std::move(event));
    }
    std::vector<Buffer> buffers;
    for (size_t i = 0; i < outputs.size(); ++i) {
      auto rep = std::make_shared<Buffer::Rep>();
      rep->shape = results_[i];
      rep->buffer = outputs[i];
      rep->profile = profile_;
      buffers.emplace_back(std::move(rep));
    }
    return buffers;
  }

  struct ProfiledRun {
    DeviceExecutable* executable = nullptr;
    int run = 0;
    int64_t begin_ns = 0;
  };

  DeviceExecutable() = default;

  void AddKernels(const runtime::Program& program) {
    for (uint32_t i = 0; i < program.num_kernels(); ++i) {
      const runtime::program_format::KernelRecord& record = program.kernel(i);
      ProfileKernel kernel;
      kernel.program = program.name().data;
      kernel.name = program.String(record.name).data;
      SplitProvenance(program.String(record.provenance).data, &kernel.ops, &kernel.places);
      kernel.flops = static_cast<int64_t>(record.flops);
      kernel.bytes = static_cast<int64_t>(record.bytes);
      kernel.on_host =
          program.device().kind != runtime::DeviceKind::kX86 && record.space == runtime::kHostSpace;
      profile_kernels_.push_back(profile_->AddKernel(std::move(kernel)));
    }
  }

  static void AddStep(void* user, const runtime::StepTime& time) {
    const ProfiledRun& run = *static_cast<ProfiledRun*>(user);
    const runtime::Program& program = run.executable->executable_->program();
    const runtime::program_format::StepRecord& step = program.step(time.step);
    ProfileEvent event;
    event.run = run.run;
    event.begin_ns = static_cast<int64_t>(time.begin_ns);
    event.end_ns = static_cast<int64_t>(time.end_ns);
    switch (static_cast<runtime::StepKind>(step.kind)) {
      case runtime::StepKind::kKernel:
        event.kind = ProfileEvent::Kind::kKernel;
        event.kernel = run.executable->profile_kernels_[static_cast<size_t>(step.kernel)];
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
      default:  // waiting for other processes is part of the time
        event.kind = ProfileEvent::Kind::kCustomCall;
        event.name = time.label;
        for (uint32_t k = 0; k < step.num_slices; ++k)
          event.bytes += static_cast<int64_t>(program.slices(step)[k].bytes);
        break;
    }
    run.executable->profile_->Add(std::move(event));
  }

  runtime::Executable* executable_ = nullptr;
  std::vector<Shape> parameters_, results_;
  CompileStats stats_;
  std::shared_ptr<Profile> profile_;
  std::vector<int> profile_kernels_;  // for each of the Program's kernels, its number
};

}  // namespace

absl::StatusOr<std::unique_ptr<Executable>> LoadDeviceExecutable(
    runtime::Context* context, const std::string& bytes, CompileStats stats,
    const std::shared_ptr<Profile>& profile) {
  return DeviceExecutable::Create(context, bytes, stats, profile);
}

}  // namespace halyard
