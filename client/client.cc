#include "client/client.h"

#include <chrono>
#include <mutex>

#include "absl/strings/str_cat.h"
#include "client/custom_call.h"
#include "client/profile.h"
#include "client/status.h"
#include "client/store.h"
#include "client/trace.h"
#include "client/dynamic_executable.h"
#include "frontend/hlo/evaluator.h"
#include "frontend/hlo/infer.h"
#include "frontend/hlo/process_grid.h"
#include "frontend/hlo/specialize.h"
#include "plan_source_hash.h"
#include "runtime/executor.h"
#include "runtime/x86/x86.h"

namespace halyard {

absl::StatusOr<std::string> ReadFile(const std::string& path);  // program_file.cc

using hlo::Literal;
using hlo::Shape;
using Clock = std::chrono::steady_clock;

namespace {

// A compile phase that ends with the scope.
class PhaseTimer {
 public:
  PhaseTimer(Profile* profile, std::string name) : profile_(profile), name_(std::move(name)) {}
  ~PhaseTimer() {
    if (profile_ != nullptr) profile_->AddSince(ProfileEvent::Kind::kCompile, name_, begin_);
  }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  Profile* profile_;
  std::string name_;
  int64_t begin_ = Profile::Now();
};

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

// Either memory of the runtime or, for the reference evaluator, a literal.
struct Buffer::Rep {
  Shape shape;
  Literal literal;
  runtime::Buffer* buffer = nullptr;
  std::shared_ptr<Profile> profile;  // null: none is asked for
  ~Rep() {
    if (buffer != nullptr) buffer->Release();
  }
};

const Shape& Buffer::shape() const { return rep_->shape; }
bool Buffer::IsReady() const { return rep_->buffer == nullptr || rep_->buffer->IsReady(); }
absl::Status Buffer::Wait() const {
  return rep_->buffer == nullptr ? absl::OkStatus() : ToAbsl(rep_->buffer->Wait());
}

absl::StatusOr<Literal> Buffer::ToLiteral() const {
  if (rep_->buffer == nullptr) return rep_->literal;
  Literal literal(rep_->shape.WithDefaultLayout());
  const absl::Span<std::byte> bytes = literal.mutable_bytes();
  absl::Status status = Wait();
  if (!status.ok()) return status;
  const int64_t begin = rep_->profile == nullptr ? 0 : Profile::Now();
  status = ToAbsl(rep_->buffer->CopyToHost(bytes.data(), 0, bytes.size()));
  if (!status.ok()) return status;
  if (rep_->profile != nullptr) {
    rep_->profile->AddSince(ProfileEvent::Kind::kDownload, rep_->shape.ToString(), begin,
                            static_cast<int64_t>(bytes.size()));
  }
  if (rep_->shape.HasDefaultLayout()) return literal;
  // The device holds the program's layout; literals are row-major.
  const std::vector<int64_t> strides = rep_->shape.Strides();
  Literal result(literal.shape());
  std::vector<int64_t> index(rep_->shape.rank(), 0);
  for (int64_t i = 0; i < literal.shape().NumElements(); ++i) {
    int64_t from = 0;
    for (size_t d = 0; d < index.size(); ++d) from += index[d] * strides[d];
    result.CopyElement(i, literal, from);
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < rep_->shape.dim(static_cast<int64_t>(d))) break;
      index[d] = 0;
    }
  }
  return result;
}

struct Client::State {
  runtime::Context* context = nullptr;  // null for the reference evaluator
  ~State() {
    if (context != nullptr) context->Release();
  }
};

Client::~Client() = default;

namespace {

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

// Leaves of `shape` taken from `leaves` in order.
Literal Nest(const Shape& shape, absl::Span<const Literal> leaves, size_t* next) {
  if (shape.IsToken()) {
    ++*next;
    return Literal::Token();
  }
  if (shape.IsArray()) return leaves[(*next)++];
  std::vector<Literal> elements;
  for (const Shape& element : shape.elements()) elements.push_back(Nest(element, leaves, next));
  return Literal::Tuple(std::move(elements));
}

void Flatten(const Literal& literal, std::vector<Literal>* leaves) {
  if (!literal.shape().IsTuple()) {
    leaves->push_back(literal);
    return;
  }
  for (const Literal& element : literal.elements()) Flatten(element, leaves);
}

// The evaluator behind the Executable interface: the oracle.
class ReferenceExecutable : public Executable {
 public:
  explicit ReferenceExecutable(const hlo::Module& module, CompileStats stats)
      : module_(module.Clone()), stats_(stats) {
    for (const hlo::Instruction* parameter : module_->entry()->parameters()) {
      for (const Shape& leaf : hlo::FlattenShape(parameter->shape.Storage())) {
        parameters_.push_back(leaf);
      }
    }
    results_ = hlo::FlattenShape(module_->entry()->root()->shape.Storage());
  }
  const std::vector<Shape>& parameter_shapes() const override { return parameters_; }
  const std::vector<Shape>& result_shapes() const override { return results_; }
  int64_t arena_bytes() const override { return 0; }
  const CompileStats& stats() const override { return stats_; }

  absl::StatusOr<std::vector<Buffer>> Run(absl::Span<const Buffer> arguments,
                                          const RunOptions& options) override {
    absl::Status status = CheckArguments(parameters_, arguments);
    if (!status.ok()) return status;
    std::vector<Literal> leaves, nested;
    for (const Buffer& argument : arguments) leaves.push_back(argument.rep()->literal);
    size_t next = 0;
    for (const hlo::Instruction* parameter : module_->entry()->parameters())
      nested.push_back(Nest(parameter->shape, leaves, &next));
    absl::StatusOr<Literal> result = RunProcess(nested, options);
    if (!result.ok()) return result.status();
    std::vector<Literal> flat;
    Flatten(*result, &flat);
    std::vector<Buffer> buffers;
    for (const Literal& leaf : flat) {
      auto rep = std::make_shared<Buffer::Rep>();
      rep->shape = leaf.shape();
      rep->literal = leaf;
      buffers.emplace_back(std::move(rep));
    }
    return buffers;
  }

 private:
  // All processes get the same arguments; the result is that of the one asked for.
  absl::StatusOr<Literal> RunProcess(const std::vector<Literal>& arguments,
                                     const RunOptions& options) {
    const hlo::GridShape grid{module_->num_replicas, module_->num_partitions};
    if (options.replica < 0 || options.replica >= grid.replicas || options.partition < 0 ||
        options.partition >= grid.partitions) {
      return absl::InvalidArgumentError(
          absl::StrCat("RunOptions: there is no process (", options.replica, ", ",
                       options.partition, ") in ", grid.replicas, " x ", grid.partitions));
    }
    if (!hlo::NeedsGrid(*module_)) {
      hlo::Evaluator evaluator;
      evaluator.custom_call = EvaluateCustomCall;
      return evaluator.Run(*module_, arguments);
    }
    absl::StatusOr<std::vector<Literal>> results =
        hlo::RunGrid(*module_, {arguments}, {.custom_call = EvaluateCustomCall});
    if (!results.ok()) return results.status();
    return (*results)[grid.IndexOf({options.replica, options.partition})];
  }

  std::unique_ptr<hlo::Module> module_;
  CompileStats stats_;
  std::vector<Shape> parameters_, results_;
};

Shape ShapeOf(const runtime::Program& program, const runtime::program_format::ValueRecord& value) {
  const runtime::StringSpan type = program.String(value.element_type);
  const std::optional<hlo::ElementType> element =
      hlo::ElementTypeFromHloName(absl::string_view(type.data, type.size));
  const int64_t* dims = program.dims(value);
  const int64_t* layout = program.minor_to_major(value);
  std::vector<int64_t> sizes(dims, dims + value.rank), order;
  if (layout != nullptr) order.assign(layout, layout + value.rank);
  return Shape::ArrayWithLayout(element.value_or(hlo::ElementType::kU8), std::move(sizes),
                                std::move(order));
}

}  // namespace

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
    stats.load_ms += MillisecondsSince(start);
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
  int64_t arena_bytes() const override { return static_cast<int64_t>(executable_->arena_bytes()); }
  const CompileStats& stats() const override { return stats_; }
  MemoryPlan memory_plan() const override {
    absl::StatusOr<MemoryPlan> plan = PlanMemory(
        executable_->program(),
        static_cast<int>(runtime::x86::ThreadCount(executable_->context()->host_device())));
    return plan.ok() ? *plan : MemoryPlan();  // not ok: it could not have been loaded
  }

  absl::StatusOr<std::vector<Buffer>> Run(absl::Span<const Buffer> arguments,
                                          const RunOptions& options) override {
    absl::Status status = CheckArguments(parameters_, arguments);
    if (!status.ok()) return status;
    if (options.replica != 0 || options.partition != 0) {
      return absl::UnimplementedError(
          "RunOptions: multi-device execution is not supported yet; the only process is (0, 0)");
    }
    std::vector<runtime::Buffer*> inputs, outputs(results_.size(), nullptr);
    for (const Buffer& argument : arguments) {
      if (argument.rep()->buffer == nullptr)
        return absl::InvalidArgumentError("an argument's buffer is not of this client's device");
      inputs.push_back(argument.rep()->buffer);
    }
    runtime::RunOptions run;
    run.stream = options.stream;
    run.asynchronous = options.asynchronous;
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

  runtime::Space parameter_space(size_t i) const {
    return executable_->parameter_space(static_cast<uint32_t>(i));
  }

 private:
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
      kernel.on_host = program.device().kind != runtime::DeviceKind::kX86 &&
                       record.space == runtime::kHostSpace;
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
      default:
        event.kind = ProfileEvent::Kind::kCustomCall;
        event.name = absl::StrCat("custom call ", program.String(step.target).data);
        break;
    }
    run.executable->profile_->Add(std::move(event));
  }

  runtime::Executable* executable_ = nullptr;
  std::vector<Shape> parameters_, results_;
  CompileStats stats_;
  std::shared_ptr<Profile> profile_;
  std::vector<int> profile_kernels_;  // of the Program's kernels
};

absl::StatusOr<std::vector<Literal>> Executable::RunLiterals(absl::Span<const Literal> arguments) {
  std::vector<Buffer> buffers;
  for (const Literal& argument : arguments) {
    absl::StatusOr<Buffer> buffer = client_->BufferFromLiteral(argument);
    if (!buffer.ok()) return buffer.status();
    buffers.push_back(*buffer);
  }
  absl::StatusOr<std::vector<Buffer>> results = Run(buffers, {.asynchronous = false});
  if (!results.ok()) return results.status();
  std::vector<Literal> literals;
  for (const Buffer& result : *results) {
    absl::StatusOr<Literal> literal = result.ToLiteral();
    if (!literal.ok()) return literal.status();
    literals.push_back(*std::move(literal));
  }
  return literals;
}

absl::StatusOr<std::unique_ptr<Client>> Client::Create(const ClientOptions& options) {
  absl::StatusOr<Target> target = ParseTarget(options.target, options.device_index);
  if (!target.ok()) return target.status();
  if (!options.use_libraries) target->device.libraries = 0;
  auto client = std::unique_ptr<Client>(new Client);
  client->options_ = options;
  client->target_ = *target;
  client->state_ = std::make_unique<State>();
  if (options.profile != nullptr) options.profile->SetDevice(target->device.name);
  if (target->device.kind == runtime::DeviceKind::kReference) return client;
  std::string cache_folder;
  if (options.use_cache) {
    const absl::StatusOr<Store> store = Store::Open(options.cache_dir);
    if (store.ok()) cache_folder = store->folder();
  }
  absl::StatusOr<runtime::Device*> device =
      OpenDevice(*target, options.threads, options.device_index, cache_folder);
  if (!device.ok()) return device.status();
  runtime::Device* host = nullptr;
  if (target->device.kind != runtime::DeviceKind::kX86) {
    absl::Status status =
        ToAbsl(runtime::x86::OpenDeviceWithThreads(static_cast<uint32_t>(options.threads), &host));
    if (!status.ok()) {
      (*device)->Destroy();
      return status;
    }
  }
  absl::Status status = ToAbsl(runtime::Context::Create(*device, host, &client->state_->context));
  if (status.ok()) status = RegisterTrace(client->state_->context);
  if (!status.ok()) return status;
  return client;
}

runtime::MemoryUse Client::memory_use(runtime::Space space) const {
  return state_->context == nullptr ? runtime::MemoryUse()
                                    : state_->context->device()->memory_use(space);
}

absl::StatusOr<Buffer> Client::BufferFromLiteral(const Literal& literal) {
  if (!literal.shape().IsArray()) return absl::InvalidArgumentError("a buffer holds an array");
  auto rep = std::make_shared<Buffer::Rep>();
  rep->shape = literal.shape().WithDefaultLayout();
  if (state_->context == nullptr) {
    rep->literal = literal;
    return Buffer(std::move(rep));
  }
  const int64_t begin = options_.profile == nullptr ? 0 : Profile::Now();
  absl::Status status = ToAbsl(state_->context->CopyFromHost(
      literal.bytes().data(), literal.bytes().size(), runtime::Space::kDevice, &rep->buffer));
  if (!status.ok()) return status;
  rep->profile = options_.profile;
  if (options_.profile != nullptr) {
    options_.profile->AddSince(ProfileEvent::Kind::kUpload, rep->shape.ToString(), begin,
                               static_cast<int64_t>(literal.bytes().size()));
  }
  return Buffer(std::move(rep));
}

absl::StatusOr<Buffer> Client::BufferInPlace(const Literal& literal) {
  const bool aligned = literal.shape().IsArray() && !literal.bytes().empty() &&
                       reinterpret_cast<uintptr_t>(literal.bytes().data()) %
                               runtime::Context::kHostAlignment == 0;
  if (state_->context == nullptr || !state_->context->is_x86() || !aligned) {
    return BufferFromLiteral(literal);
  }
  auto rep = std::make_shared<Buffer::Rep>();
  rep->shape = literal.shape().WithDefaultLayout();
  // Programs only read what they are not given to keep.
  void* bytes = const_cast<std::byte*>(literal.bytes().data());
  auto keep = std::make_unique<Literal>(literal);
  absl::Status status = ToAbsl(state_->context->WrapHost(
      bytes, literal.bytes().size(), [](void* kept) { delete static_cast<Literal*>(kept); },
      keep.get(), &rep->buffer));
  if (!status.ok()) return status;
  keep.release();
  return Buffer(std::move(rep));
}

absl::StatusOr<std::unique_ptr<Executable>> Client::Load(std::string program,
                                                         const CompileStats& stats) {
  absl::StatusOr<std::unique_ptr<Executable>> executable =
      DeviceExecutable::Create(state_->context, program, stats, options_.profile);
  if (executable.ok()) (*executable)->client_ = this;
  return executable;
}

absl::StatusOr<std::unique_ptr<Executable>> Client::Compile(const hlo::Module& module,
                                                            const CompileOptions& options) {
  if (hlo::NeedsSpecialization(module)) return CompileDynamic(module, options);
  if (state_->context == nullptr) {
    if (absl::Status s = CheckCustomCalls(module, nullptr); !s.ok()) return s;
    std::unique_ptr<Executable> executable =
        std::make_unique<ReferenceExecutable>(module, CompileStats());
    executable->client_ = this;
    return executable;
  }
  ProgramCompiler compiler;
  compiler.client = options_;
  compiler.compile = options;
  absl::StatusOr<ProgramSpec> program = compiler.Compile(module, target_);
  if (!program.ok()) return program.status();
  if (absl::Status s = CheckCustomCalls(module, &*program); !s.ok()) return s;
  return Load(WriteProgram(*program), compiler.stats);
}

absl::StatusOr<std::unique_ptr<Executable>> Client::CompileDynamic(const hlo::Module& module,
                                                                   const CompileOptions& options) {
  CompileOptions for_static = options;
  for_static.argument_shapes.clear();
  if (!options.argument_shapes.empty()) {
    absl::StatusOr<std::unique_ptr<hlo::Module>> made =
        hlo::SpecializeForShapes(module, options.argument_shapes);
    if (!made.ok()) return made.status();
    return Compile(**made, for_static);
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
    // What has one static form is compiled now; errors in it are errors now.
    absl::StatusOr<hlo::Specialization> made = hlo::Specialize(**prepared, arguments);
    if (!made.ok()) return made.status();
    if (made->rest == nullptr && state_->context != nullptr) {
      return Compile(*made->module, for_static);
    }
  }
  absl::StatusOr<std::unique_ptr<Executable>> executable = absl::InternalError("");
  if (state_->context == nullptr) {
    // The evaluator knows every size when it gets there.
    if (absl::Status s = CheckCustomCalls(**prepared, nullptr); !s.ok()) return s;
    executable = std::make_unique<ReferenceExecutable>(**prepared, CompileStats());
  } else {
    executable = MakeDynamicExecutable(
        *std::move(prepared),
        [this, for_static](const hlo::Module& part) { return Compile(part, for_static); });
  }
  if (executable.ok()) (*executable)->client_ = this;
  return executable;
}

absl::StatusOr<std::unique_ptr<Executable>> Client::CompileFile(const std::string& path,
                                                                const CompileOptions& options) {
  auto start = Clock::now();
  const PhaseTimer whole(options_.profile.get(), absl::StrCat("compile ", path));
  absl::StatusOr<std::string> bytes = ReadFile(path);
  if (!bytes.ok()) return bytes.status();
  absl::StatusOr<Store> store = absl::NotFoundError("no cache");
  std::string key;
  const bool cached = options_.use_cache && options.dump_dir.empty() && state_->context != nullptr;
  if (cached) {
    store = Store::Open(options_.cache_dir);
    if (!store.ok()) return store.status();
    // An empty request's key names device, codegen sources and versions.
    lowering::KernelRequest device;
    device.device = target_.device;
    key = absl::StrCat("program\nsources ", HALYARD_PLAN_SOURCE_HASH, "\n", target_.text, "\nfuse ",
                       options.fuse, "\nattention ", options.attention, "\nschedules ", options.schedules, "\n", device.ObjectKey(),
                       "\n", *bytes);
    if (std::optional<std::string> program = store->Read("program", key)) {
      CompileStats stats;
      stats.program_from_cache = true;
      stats.parse_ms = MillisecondsSince(start);
      absl::StatusOr<std::unique_ptr<Executable>> executable = Load(*std::move(program), stats);
      // Damaged: made again. A function that is not there: read again, to say where it is called.
      const absl::StatusCode code = executable.status().code();
      if (code != absl::StatusCode::kDataLoss && code != absl::StatusCode::kNotFound)
        return executable;
    }
  }
  const int64_t parse_begin = Profile::Now();
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ParseProgram(*bytes, path);
  if (!module.ok()) return module.status();
  if (options_.profile != nullptr)
    options_.profile->AddSince(ProfileEvent::Kind::kCompile, "parse", parse_begin);
  const double parse_ms = MillisecondsSince(start);
  if (state_->context == nullptr || hlo::NeedsSpecialization(**module)) {
    return Compile(**module, options);
  }
  ProgramCompiler compiler;
  compiler.client = options_;
  compiler.compile = options;
  compiler.stats.parse_ms = parse_ms;
  absl::StatusOr<ProgramSpec> spec = compiler.Compile(**module, target_);
  if (!spec.ok()) return spec.status();
  if (absl::Status s = CheckCustomCalls(**module, &*spec); !s.ok()) return s;
  std::string program = WriteProgram(*spec);
  if (cached) store->Write("program", key, program);
  return Load(std::move(program), compiler.stats);
}

}  // namespace halyard
