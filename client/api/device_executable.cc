#include "client/api/device_executable.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>

#include "absl/strings/str_cat.h"
#include "client/api/buffer_rep.h"
#include "client/api/custom_call.h"
#include "client/processes/grid_run.h"
#include "client/reports/memory_report.h"
#include "client/reports/program_facts.h"
#include "client/reports/run_profile.h"
#include "runtime/absl_status.h"
#include "runtime/execute/executor.h"
#include "runtime/x86/x86.h"

namespace halyard {

using hlo::Shape;
using Clock = std::chrono::steady_clock;

namespace {

// A Program on each Context that runs it. Those after the first use the bytes of the first.
class DeviceExecutable : public Executable {
 public:
  static absl::StatusOr<std::unique_ptr<Executable>> Create(
      const std::vector<Place>& places, const std::vector<int>& devices, const std::string& bytes,
      CompileStats stats, const std::shared_ptr<Profile>& profile) {
    const auto start = Clock::now();
    const int64_t begin = Profile::Now();
    runtime::Program* program = nullptr;
    absl::Status status = ToAbsl(runtime::Program::Copy(
        {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, &program));
    if (!status.ok()) return status;
    auto result = std::unique_ptr<DeviceExecutable>(new DeviceExecutable(places));
    result->parameters_ = ParameterShapes(*program);
    result->results_ = ResultShapes(*program);
    absl::StatusOr<std::vector<int>> assigned =
        AssignDevices(devices, {program->num_replicas(), program->num_partitions()},
                      static_cast<int>(places.size()));
    if (!assigned.ok()) {
      program->Destroy();
      return assigned.status();
    }
    result->devices_ = *std::move(assigned);
    result->CountStreams();
    absl::StatusOr<runtime::Executable*> loaded =
        Load(program, places[static_cast<size_t>(result->devices_[0])].context);
    if (!loaded.ok()) return loaded.status();
    result->first_ = *loaded;
    for (int device : result->devices_) {
      loaded = result->On(device);
      if (!loaded.ok()) return loaded.status();
    }
    stats.load_ms += std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    result->stats_ = stats;
    if (profile != nullptr) {
      profile->AddSince(ProfileEvent::Kind::kCompile, "load", begin);
      result->profile_ = std::make_unique<RunProfile>(profile, result->program());
    }
    return result;
  }
  ~DeviceExecutable() override {
    // The first one has the Program's bytes.
    for (runtime::Executable* other : others_) other->Release();
    if (first_ != nullptr) first_->Release();
  }
  const std::vector<Shape>& parameter_shapes() const override { return parameters_; }
  const std::vector<Shape>& result_shapes() const override { return results_; }
  std::string name() const override { return program().name().data; }
  int64_t arena_bytes() const override { return static_cast<int64_t>(first_->arena_bytes()); }
  const CompileStats& stats() const override { return stats_; }
  std::vector<int> device_assignment() const override { return devices_; }
  std::vector<int64_t> donated_to_results() const override {
    std::vector<int64_t> results;
    for (uint32_t i = 0; i < program().num_parameters(); ++i)
      results.push_back(program().parameter(i).donated_to_result);
    return results;
  }
  Cost cost() const override { return CostOf(program()); }
  std::vector<NamedCall> custom_calls() const override { return CallsOf(program()); }
  absl::StatusOr<std::string> Serialize() const override {
    const runtime::ByteSpan bytes = program().bytes();
    return std::string(reinterpret_cast<const char*>(bytes.data), bytes.size);
  }
  MemoryPlan memory_plan() const override {
    absl::StatusOr<MemoryPlan> plan = PlanMemory(
        program(), static_cast<int>(runtime::x86::ThreadCount(first_->context()->host_device())));
    return plan.ok() ? *plan : MemoryPlan();  // always ok, because the program was loaded
  }

  absl::StatusOr<std::vector<Buffer>> Run(absl::Span<const Buffer> arguments,
                                          const RunOptions& options) override {
    if (absl::Status s = CheckArguments(parameters_, arguments); !s.ok()) return s;
    if (absl::Status s = CheckProcess(grid(), options); !s.ok()) return s;
    const int64_t process = options.replica * grid().partitions + options.partition;
    if (communicates()) {
      if (options.device >= 0) {
        return absl::InvalidArgumentError(
            "RunOptions::device: the processes of this program have devices of their own");
      }
      absl::StatusOr<std::vector<std::vector<Buffer>>> all =
          RunGrid({{arguments.begin(), arguments.end()}}, {});
      if (!all.ok()) return all.status();
      return (*all)[static_cast<size_t>(process)];
    }
    runtime::RunOptions run;
    run.stream = options.stream;
    run.asynchronous = options.asynchronous;
    const int device =
        options.device >= 0 ? options.device : devices_[static_cast<size_t>(process)];
    return RunOne(arguments, device, options.donate, run);
  }

  Grid grid() const override { return {program().num_replicas(), program().num_partitions()}; }
  bool communicates() const override { return program().communicates(); }

  absl::StatusOr<std::vector<std::vector<Buffer>>> RunGrid(
      absl::Span<const std::vector<Buffer>> arguments, const GridRunOptions& options) override {
    const uint32_t size = static_cast<uint32_t>(grid().size());
    if (absl::Status s = CheckGridRun(arguments.size(), options); !s.ok()) return s;
    const auto [first, end] = options.ranks != nullptr ? options.ranks->Processes(size)
                                                       : std::pair<uint32_t, uint32_t>(0, size);
    const auto of = [&](uint32_t process) -> const std::vector<Buffer>& {
      return arguments[arguments.size() == 1 ? 0 : process];
    };
    for (uint32_t process = first; process < end; ++process) {
      if (absl::Status s = CheckArguments(parameters_, of(process)); !s.ok()) return s;
    }
    if (options.asynchronous && profile_ == nullptr) return QueueGrid(of, options);
    std::vector<std::vector<Buffer>> results(size);
    std::vector<runtime::GridPlace> places;
    for (uint32_t process = 0; process < size; ++process)
      places.push_back(places_[device_of(process)].grid_place(streams_[process]));
    const auto run_one = [&](runtime::Grid* grid, uint32_t process) {
      runtime::RunOptions run;
      run.stream = streams_[process];
      run.grid = grid;
      run.process = process;
      absl::StatusOr<std::vector<Buffer>> own =
          RunOne(of(process), devices_[process], DonatedBy(options, process), run);
      if (!own.ok()) return own.status();
      for (const Buffer& buffer : *own) {
        if (absl::Status ready = buffer.Wait(); !ready.ok()) return ready;
      }
      results[process] = *std::move(own);
      return absl::OkStatus();
    };
    absl::Status status = RunProcesses(program(), options.hosts, options.ranks, places, run_one);
    if (!status.ok()) return status;
    return results;
  }

 protected:
  absl::StatusOr<std::vector<Buffer>> RunMember(absl::Span<const Buffer> arguments, int device,
                                                runtime::Grid* grid, uint32_t process) override {
    if (absl::Status s = CheckArguments(parameters_, arguments); !s.ok()) return s;
    runtime::RunOptions run;
    const Place& place = places_[static_cast<size_t>(device)];
    run.stream = (grid->place(process).stream - place.first_stream) / place.step;
    run.grid = grid;
    run.process = process;
    return RunOne(arguments, device, {}, run);
  }

 private:
  explicit DeviceExecutable(const std::vector<Place>& places) : places_(places) {}

  const runtime::Program& program() const { return first_->program(); }
  size_t device_of(uint32_t process) const { return static_cast<size_t>(devices_[process]); }

  // Processes that share a device have streams of their own.
  void CountStreams() {
    std::vector<uint32_t> used(places_.size(), 0);
    for (int device : devices_) streams_.push_back(used[static_cast<size_t>(device)]++);
  }

  // Takes over `program`.
  static absl::StatusOr<runtime::Executable*> Load(runtime::Program* program,
                                                   runtime::Context* context) {
    absl::Status status = RegisterCallsOf(*program, context);
    if (!status.ok()) {
      program->Destroy();
      return status;
    }
    runtime::Executable* made = nullptr;
    status = ToAbsl(runtime::Executable::Create(context, program, {}, &made));
    if (!status.ok()) return status;
    return made;
  }

  // Returns the executable on a device, whose kernels and constants may have to be loaded first.
  absl::StatusOr<runtime::Executable*> On(int device) {
    if (device < 0 || device >= static_cast<int>(places_.size())) {
      return absl::InvalidArgumentError(
          absl::StrCat("there is no device ", device, "; the client has ", places_.size()));
    }
    runtime::Context* context = places_[static_cast<size_t>(device)].context;
    if (first_->context() == context) return first_;
    const std::lock_guard<std::mutex> lock(mutex_);
    for (runtime::Executable* other : others_) {
      if (other->context() == context) return other;
    }
    runtime::Program* program = nullptr;
    absl::Status status = ToAbsl(runtime::Program::FromMemory(first_->program().bytes(), &program,
                                                              runtime::Check::kAllButConstants));
    if (!status.ok()) return status;
    absl::StatusOr<runtime::Executable*> made = Load(program, context);
    if (made.ok()) others_.push_back(*made);
    return made;
  }

  // Returns the runtime's buffers of the arguments, on the device. `copies` keeps those that had to
  // be copied there.
  absl::StatusOr<std::vector<runtime::Buffer*>> Inputs(absl::Span<const Buffer> arguments,
                                                       int device, std::vector<Buffer>* copies) {
    const Place& place = places_[static_cast<size_t>(device)];
    std::vector<runtime::Buffer*> inputs;
    for (size_t i = 0; i < arguments.size(); ++i) {
      runtime::Buffer* buffer = arguments[i].rep()->buffer;
      const bool known =
          buffer != nullptr && std::any_of(places_.begin(), places_.end(), [&](const Place& other) {
            return other.context == buffer->context();
          });
      if (!known)
        return absl::InvalidArgumentError(
            absl::StrCat("argument arg", i, " is not on a device of this client"));
      if (buffer->context() != place.context) {
        absl::StatusOr<Buffer> copy = CopyToPlace(arguments[i], place, device);
        if (!copy.ok()) return copy.status();
        buffer = copy->rep()->buffer;
        copies->push_back(*std::move(copy));
      }
      inputs.push_back(buffer);
    }
    return inputs;
  }

  static const std::vector<bool>& DonatedBy(const GridRunOptions& options, uint32_t process) {
    static const std::vector<bool>* none = new std::vector<bool>;
    return options.donate.empty() ? *none : options.donate[process];
  }

  absl::Status CheckGridRun(size_t num_arguments, const GridRunOptions& options) const {
    const size_t size = static_cast<size_t>(grid().size());
    const auto error = [&](auto... what) {
      return absl::InvalidArgumentError(absl::StrCat("RunGrid: ", what...));
    };
    if (num_arguments != 1 && num_arguments != size)
      return error("arguments for ", num_arguments, " processes, there are ", size);
    if (!options.hosts.empty() && options.hosts.size() != size)
      return error(options.hosts.size(), " hosts for ", size, " processes");
    if (!options.donate.empty() && (options.donate.size() != size || num_arguments != size))
      return error("`donate` and the arguments need a list for each of the ", size, " processes");
    if (!options.asynchronous) return absl::OkStatus();
    if (options.ranks != nullptr) return error("runs over several ranks are not asynchronous");
    if (std::any_of(streams_.begin(), streams_.end(), [](uint32_t k) { return k != 0; })) {
      return error("an asynchronous run of ", size, " processes needs ", size,
                   " devices, one for each");
    }
    return absl::OkStatus();
  }

  static absl::StatusOr<std::unique_ptr<bool[]>> DonateArray(const std::vector<bool>& donate,
                                                             size_t num_inputs) {
    if (donate.empty()) return std::unique_ptr<bool[]>();
    if (donate.size() != num_inputs) {
      return absl::InvalidArgumentError("RunOptions::donate has another size than the parameters");
    }
    std::unique_ptr<bool[]> array(new bool[num_inputs]);
    std::copy(donate.begin(), donate.end(), array.get());
    return array;
  }

  std::vector<Buffer> BuffersOf(absl::Span<runtime::Buffer* const> outputs, int device) const {
    std::vector<Buffer> buffers;
    for (size_t i = 0; i < outputs.size(); ++i) {
      auto rep = std::make_shared<Buffer::Rep>();
      rep->shape = results_[i];
      rep->buffer = outputs[i];
      rep->device = device;
      if (profile_ != nullptr) rep->profile = profile_->profile();
      buffers.emplace_back(std::move(rep));
    }
    return buffers;
  }

  // Runs one process. `run.stream` counts the streams of the device.
  absl::StatusOr<std::vector<Buffer>> RunOne(absl::Span<const Buffer> arguments, int device,
                                             const std::vector<bool>& donate,
                                             runtime::RunOptions run) {
    absl::StatusOr<runtime::Executable*> executable = On(device);
    if (!executable.ok()) return executable.status();
    std::vector<Buffer> copies;
    absl::StatusOr<std::vector<runtime::Buffer*>> inputs = Inputs(arguments, device, &copies);
    if (!inputs.ok()) return inputs.status();
    absl::StatusOr<std::unique_ptr<bool[]>> donated = DonateArray(donate, inputs->size());
    if (!donated.ok()) return donated.status();
    run.donate = donated->get();
    run.stream = places_[static_cast<size_t>(device)].stream(run.stream);
    RunProfile::Run profiled;
    if (profile_ != nullptr) profile_->Begin(&profiled, &run);
    std::vector<runtime::Buffer*> outputs(results_.size(), nullptr);
    absl::Status status =
        ToAbsl((*executable)
                   ->Run(run, inputs->data(), static_cast<uint32_t>(inputs->size()), outputs.data(),
                         static_cast<uint32_t>(outputs.size())));
    if (!status.ok()) return status;
    if (profile_ != nullptr) profile_->End(profiled);
    return BuffersOf(outputs, device);
  }

  // One process of a queued grid.
  struct Queued {
    std::vector<Buffer> copies;
    std::vector<runtime::Buffer*> inputs, outputs;
    std::unique_ptr<bool[]> donate;
  };

  template <typename Of>
  absl::StatusOr<std::vector<std::vector<Buffer>>> QueueGrid(const Of& arguments_of,
                                                             const GridRunOptions& options) {
    const uint32_t size = static_cast<uint32_t>(grid().size());
    std::vector<Queued> queued(size);
    std::vector<runtime::GridMember> members;
    for (uint32_t process = 0; process < size; ++process) {
      Queued& own = queued[process];
      const int device = devices_[process];
      absl::StatusOr<runtime::Executable*> executable = On(device);
      if (!executable.ok()) return executable.status();
      absl::StatusOr<std::vector<runtime::Buffer*>> inputs =
          Inputs(arguments_of(process), device, &own.copies);
      if (!inputs.ok()) return inputs.status();
      absl::StatusOr<std::unique_ptr<bool[]>> donate =
          DonateArray(DonatedBy(options, process), inputs->size());
      if (!donate.ok()) return donate.status();
      own.inputs = *std::move(inputs);
      own.donate = *std::move(donate);
      own.outputs.resize(results_.size(), nullptr);
      members.push_back({*executable, places_[device_of(process)].stream(0), own.inputs.data(),
                         own.donate.get(), own.outputs.data()});
    }
    absl::Status status = QueueProcesses(program(), options.hosts, members);
    if (!status.ok()) return status;
    std::vector<std::vector<Buffer>> results;
    for (uint32_t process = 0; process < size; ++process)
      results.push_back(BuffersOf(queued[process].outputs, devices_[process]));
    return results;
  }

  const std::vector<Place> places_;  // all logical devices of the client
  std::vector<int> devices_;         // of each process
  std::vector<uint32_t> streams_;    // of each process, which of its device's streams it uses
  runtime::Executable* first_ = nullptr;
  std::mutex mutex_;
  std::vector<runtime::Executable*> others_;  // on further Contexts; guarded by the mutex
  std::vector<Shape> parameters_, results_;
  CompileStats stats_;
  std::unique_ptr<RunProfile> profile_;  // null if no profile was asked for
};

}  // namespace

absl::StatusOr<std::unique_ptr<Executable>> LoadDeviceExecutable(
    const std::vector<Place>& places, const std::vector<int>& devices, const std::string& bytes,
    CompileStats stats, const std::shared_ptr<Profile>& profile) {
  return DeviceExecutable::Create(places, devices, bytes, stats, profile);
}

}  // namespace halyard
