#include "client/api/client.h"

#include "absl/strings/str_cat.h"
#include "client/api/buffer_rep.h"
#include "client/api/client_state.h"
#include "client/api/custom_call.h"
#include "client/api/device_executable.h"
#include "client/api/dynamic_executable.h"
#include "client/api/program_compiler.h"
#include "client/api/reference_executable.h"
#include "client/cache/store.h"
#include "client/processes/grid_run.h"
#include "client/reports/profile.h"
#include "frontend/hlo/dynamic/specialize.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/processes/process_grid.h"

namespace halyard {

using hlo::Shape;

absl::Status CheckArguments(const std::vector<Shape>& wanted, absl::Span<const Buffer> given) {
  if (wanted.size() != given.size()) {
    return absl::InvalidArgumentError(absl::StrCat("the program takes ", wanted.size(), " arrays; ",
                                                   given.size(), " were given"));
  }
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!hlo::ShapesAgree(wanted[i], given[i].shape())) {
      return absl::InvalidArgumentError(absl::StrCat("argument arg", i, " is ",
                                                     given[i].shape().ToString(),
                                                     "; the program takes ", wanted[i].ToString()));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckProcess(const Executable::Grid& grid, const RunOptions& options) {
  if (options.replica >= 0 && options.replica < grid.replicas && options.partition >= 0 &&
      options.partition < grid.partitions) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat("RunOptions: there is no process (",
                                                 options.replica, ", ", options.partition, ") in ",
                                                 grid.replicas, " x ", grid.partitions));
}

Client::~Client() = default;

std::vector<int64_t> Executable::donated_to_results() const {
  return std::vector<int64_t>(parameter_shapes().size(), -1);
}

absl::StatusOr<std::string> Executable::Serialize() const {
  return absl::UnimplementedError(
      "this program is compiled when it runs: there is nothing to serialize yet");
}

absl::StatusOr<std::vector<std::vector<Buffer>>> Executable::RunGrid(
    absl::Span<const std::vector<Buffer>>, const GridRunOptions&) {
  return absl::UnimplementedError(
      "a program whose sizes are known only when it runs cannot run as several processes");
}

absl::StatusOr<std::vector<Buffer>> Executable::RunMember(absl::Span<const Buffer>, int,
                                                          runtime::Grid*, uint32_t) {
  return absl::UnimplementedError(
      absl::StrCat(name(), " cannot run together with other programs on this target"));
}

absl::StatusOr<std::vector<std::vector<Buffer>>> Client::RunTogether(
    absl::Span<const Member> members) {
  if (members.empty()) return std::vector<std::vector<Buffer>>();
  std::vector<runtime::GridPlace> places;
  std::vector<uint32_t> used(static_cast<size_t>(state_->num_devices), 0);
  for (const Member& member : members) {
    if (absl::Status s = state_->CheckDevice(member.device); !s.ok()) return s;
    if (member.executable->grid().size() != 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("RunTogether: ", member.executable->name(), " has several processes"));
    }
    const size_t device = static_cast<size_t>(member.device);
    places.push_back(state_->is_reference() ? runtime::GridPlace()
                                            : state_->places[device].grid_place(used[device]));
    ++used[device];
  }
  std::vector<std::vector<Buffer>> results(members.size());
  absl::Status status =
      halyard::RunTogether(places, [&](runtime::Grid* grid, uint32_t process) -> absl::Status {
        const Member& member = members[process];
        absl::StatusOr<std::vector<Buffer>> own =
            member.executable->RunMember(member.arguments, member.device, grid, process);
        if (!own.ok()) return own.status();
        for (const Buffer& buffer : *own) {
          if (absl::Status ready = buffer.Wait(); !ready.ok()) return ready;
        }
        results[process] = *std::move(own);
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  return results;
}

namespace {

absl::StatusOr<Target> Limited(absl::StatusOr<Target> target, const ClientOptions& options) {
  if (!target.ok()) return target;
  if (!options.use_libraries) target->device.libraries = 0;
  UseThreads(options.threads, &*target);
  return target;
}

}  // namespace

absl::StatusOr<Target> NextTarget(const Target& unusable, const ClientOptions& options) {
  return Limited(AutoTarget(options.device_index, &unusable), options);
}

absl::StatusOr<Target> TargetFor(const ClientOptions& options) {
  return Limited(ParseTarget(options.target, options.device_index), options);
}

absl::StatusOr<std::unique_ptr<Client>> Client::Create(const ClientOptions& options) {
  absl::StatusOr<Target> target = TargetFor(options);
  if (!target.ok()) return target.status();
  auto client = std::unique_ptr<Client>(new Client);
  client->options_ = options;
  client->state_ = std::make_unique<State>();
  absl::StatusOr<int> num_devices = NumDevicesFor(options);
  if (!num_devices.ok()) return num_devices.status();
  client->state_->num_devices = *num_devices;
  if (target->device.kind == runtime::DeviceKind::kReference) {
    if (options.profile != nullptr) options.profile->SetDevice(target->device.name);
    client->target_ = *target;
    return client;
  }
  std::string cache_folder;
  if (options.use_cache) {
    const absl::StatusOr<Store> store = Store::Open(options.cache_dir);
    if (store.ok()) cache_folder = store->folder();
  }
  State& state = *client->state_;
  absl::Status status = OpenPlaces(options, cache_folder, state.num_devices, &*target,
                                   &state.contexts, &state.places);
  if (!status.ok()) return status;
  if (options.profile != nullptr) options.profile->SetDevice(target->device.name);
  client->target_ = *target;
  return client;
}

int Client::num_devices() const { return state_->num_devices; }

absl::Status Client::State::CheckDevice(int device) const {
  if (device >= 0 && device < num_devices) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("there is no device ", device, "; the client has ", num_devices));
}

runtime::MemoryUse Client::memory_use(runtime::Space space, int device) const {
  if (state_->is_reference() || !state_->CheckDevice(device).ok()) return runtime::MemoryUse();
  return state_->places[static_cast<size_t>(device)].context->device()->memory_use(space);
}

void Client::WaitUntilIdle() {
  state_->WaitForQueues();
  state_->ready.WaitUntilIdle();
}

void Client::RunLater(std::function<void()> work) { state_->ready.Push(std::move(work)); }

absl::StatusOr<std::unique_ptr<Executable>> Client::Load(std::string program,
                                                         const std::vector<int>& devices,
                                                         const CompileStats& stats) {
  absl::StatusOr<std::unique_ptr<Executable>> executable =
      LoadDeviceExecutable(state_->places, devices, program, stats, options_.profile);
  if (executable.ok()) (*executable)->client_ = this;
  return executable;
}

absl::StatusOr<std::unique_ptr<Executable>> Client::Compile(const hlo::Module& module,
                                                            const CompileOptions& options) {
  if (options.num_replicas > 0 || options.num_partitions > 0) {
    const std::unique_ptr<hlo::Module> clone = module.Clone();
    CompileOptions rest = options;
    rest.num_replicas = rest.num_partitions = 0;
    if (absl::Status s = SetGrid(options, clone.get()); !s.ok()) return s;
    return Compile(*clone, rest);
  }
  if (hlo::NeedsSpecialization(module)) return CompileDynamic(module, options);
  if (!options.argument_shapes.empty()) {
    const auto agreed = hlo::ParameterShapes(*module.entry(), options.argument_shapes);
    if (!agreed.ok()) return agreed.status();
  }
  if (state_->is_reference()) {
    if (absl::Status s = CheckCustomCalls(module, nullptr); !s.ok()) return s;
    absl::StatusOr<std::vector<int>> devices =
        AssignDevices(options.device_assignment, {module.num_replicas, module.num_partitions},
                      state_->num_devices);
    if (!devices.ok()) return devices.status();
    std::unique_ptr<Executable> executable =
        MakeReferenceExecutable(module, *std::move(devices), state_->num_devices);
    executable->client_ = this;
    return executable;
  }
  ProgramCompiler compiler;
  compiler.client = options_;
  compiler.compile = options;
  compiler.runs_here = true;
  absl::StatusOr<ProgramSpec> program = compiler.Compile(module, target_);
  if (!program.ok()) return program.status();
  return Load(WriteProgram(*program), options.device_assignment, compiler.stats);
}

absl::StatusOr<std::unique_ptr<Executable>> Client::CompileDynamic(const hlo::Module& module,
                                                                   const CompileOptions& options) {
  CompileOptions for_static = options;
  for_static.argument_shapes.clear();
  if (!options.argument_shapes.empty()) {
    absl::StatusOr<std::unique_ptr<hlo::Module>> made =
        hlo::SpecializeForShapes(module, options.argument_shapes);
    if (!made.ok()) return made.status();
    return Compile(**made, options);  // with the shapes, which messages name
  }
  absl::StatusOr<std::unique_ptr<hlo::Module>> prepared = hlo::PrepareDynamic(module);
  if (!prepared.ok()) return prepared.status();
  bool dynamic_arguments = false;
  std::vector<hlo::KnownArgument> arguments;
  for (const hlo::Instruction* parameter : (*prepared)->entry()->parameters()) {
    dynamic_arguments = dynamic_arguments || parameter->shape.IsDynamic();
    arguments.push_back({parameter->shape, std::nullopt});
  }
  if (!dynamic_arguments) {
    // A program with one static form is compiled now, so its errors are reported now.
    absl::StatusOr<hlo::Specialization> made = hlo::Specialize(**prepared, arguments);
    if (!made.ok()) return made.status();
    if (made->rest == nullptr && !state_->is_reference()) {
      return Compile(*made->module, for_static);
    }
  }
  // What is compiled from here on is compiled by calls of the executable, which may outlive
  // whatever the function refers to.
  for_static.progress = nullptr;
  absl::StatusOr<std::vector<int>> devices = AssignDevices(
      options.device_assignment, {module.num_replicas, module.num_partitions}, state_->num_devices);
  if (!devices.ok()) return devices.status();
  absl::StatusOr<std::unique_ptr<Executable>> executable = absl::InternalError("");
  if (state_->is_reference()) {
    // The evaluator knows every size by the time it needs it.
    if (absl::Status s = CheckCustomCalls(**prepared, nullptr); !s.ok()) return s;
    executable = MakeReferenceExecutable(**prepared, *std::move(devices), state_->num_devices);
  } else {
    executable = MakeDynamicExecutable(
        *std::move(prepared),
        [this, for_static](const hlo::Module& part) { return Compile(part, for_static); },
        kMaxStaticPrograms, devices->front());
  }
  if (executable.ok()) (*executable)->client_ = this;
  return executable;
}

}  // namespace halyard
