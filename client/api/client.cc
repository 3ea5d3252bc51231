#include "client/api/client.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "client/api/buffer_rep.h"
#include "client/api/client_state.h"
#include "client/api/custom_call.h"
#include "client/api/device_executable.h"
#include "client/api/dynamic_executable.h"
#include "client/api/program_compiler.h"
#include "client/api/reference_executable.h"
#include "client/cache/store.h"
#include "client/processes/grid_ranks.h"
#include "client/reports/profile.h"
#include "client/reports/trace.h"
#include "frontend/hlo/dynamic/specialize.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/processes/process_grid.h"
#include "runtime/absl_status.h"
#include "runtime/execute/executor.h"
#include "runtime/x86/x86.h"

namespace halyard {

using hlo::Literal;
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

const Shape& Buffer::shape() const { return rep_->shape; }
bool Buffer::IsReady() const { return rep_->buffer == nullptr || rep_->buffer->IsReady(); }
absl::Status Buffer::Wait() const {
  return rep_->buffer == nullptr ? absl::OkStatus() : ToAbsl(rep_->buffer->Wait());
}

absl::StatusOr<Literal> Buffer::ToLiteral() const {
  if (rep_->buffer == nullptr) return rep_->literal;
  if (rep_->shape.IsToken()) {
    if (absl::Status status = Wait(); !status.ok()) return status;
    return Literal::Token();
  }
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
  // The device holds values in the program's layout; literals are row-major.
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

Client::~Client() = default;

std::vector<int64_t> Executable::donated_to_results() const {
  return std::vector<int64_t>(parameter_shapes().size(), -1);
}

absl::StatusOr<std::string> Executable::Serialize() const {
  return absl::UnimplementedError(
      "this program is compiled when it runs: there is nothing to serialize yet");
}

namespace {

absl::StatusOr<std::vector<Buffer>> Uploaded(Client& client, absl::Span<const Literal> literals) {
  std::vector<Buffer> buffers;
  for (const Literal& literal : literals) {
    absl::StatusOr<Buffer> buffer = client.BufferFromLiteral(literal);
    if (!buffer.ok()) return buffer.status();
    buffers.push_back(*std::move(buffer));
  }
  return buffers;
}

absl::StatusOr<std::vector<Literal>> Downloaded(absl::Span<const Buffer> buffers) {
  std::vector<Literal> literals;
  for (const Buffer& buffer : buffers) {
    absl::StatusOr<Literal> literal = buffer.ToLiteral();
    if (!literal.ok()) return literal.status();
    literals.push_back(*std::move(literal));
  }
  return literals;
}

}  // namespace

absl::StatusOr<std::vector<std::vector<Buffer>>> Executable::RunGrid(
    absl::Span<const std::vector<Buffer>>, const GridRunOptions&) {
  return absl::UnimplementedError(
      "a program whose sizes are known only when it runs cannot run as several processes");
}

absl::StatusOr<std::vector<Literal>> Executable::RunLiterals(absl::Span<const Literal> arguments) {
  absl::StatusOr<std::vector<Buffer>> buffers = Uploaded(*client_, arguments);
  if (!buffers.ok()) return buffers.status();
  absl::StatusOr<std::vector<Buffer>> results = Run(*buffers, {.asynchronous = false});
  if (!results.ok()) return results.status();
  return Downloaded(*results);
}

absl::StatusOr<std::vector<std::vector<Literal>>> Executable::RunGridLiterals(
    absl::Span<const std::vector<Literal>> arguments, const GridRunOptions& options) {
  std::vector<std::vector<Buffer>> uploaded;
  const auto is_here = [&](size_t process) {
    if (options.ranks == nullptr || arguments.size() == 1) return true;
    const auto [first, end] = options.ranks->Processes(static_cast<uint32_t>(grid().size()));
    return first <= process && process < end;
  };
  for (const std::vector<Literal>& own : arguments) {
    if (!is_here(uploaded.size())) {
      uploaded.emplace_back();
      continue;
    }
    absl::StatusOr<std::vector<Buffer>> buffers = Uploaded(*client_, own);
    if (!buffers.ok()) return buffers.status();
    uploaded.push_back(*std::move(buffers));
  }
  absl::StatusOr<std::vector<std::vector<Buffer>>> results = RunGrid(uploaded, options);
  if (!results.ok()) return results.status();
  std::vector<std::vector<Literal>> all;
  for (const std::vector<Buffer>& own : *results) {
    absl::StatusOr<std::vector<Literal>> literals = Downloaded(own);
    if (!literals.ok()) return literals.status();
    all.push_back(*std::move(literals));
  }
  return all;
}

namespace {

absl::StatusOr<Target> Limited(absl::StatusOr<Target> target, const ClientOptions& options) {
  if (!target.ok()) return target;
  if (!options.use_libraries) target->device.libraries = 0;
  UseThreads(options.threads, &*target);
  return target;
}

}  // namespace

absl::StatusOr<Target> TargetFor(const ClientOptions& options) {
  return Limited(ParseTarget(options.target, options.device_index), options);
}

absl::StatusOr<std::unique_ptr<Client>> Client::Create(const ClientOptions& options) {
  absl::StatusOr<Target> target = TargetFor(options);
  if (!target.ok()) return target.status();
  auto client = std::unique_ptr<Client>(new Client);
  client->options_ = options;
  client->state_ = std::make_unique<State>();
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
  absl::StatusOr<runtime::Device*> device =
      OpenDevice(*target, options.threads, options.device_index, cache_folder);
  while (!device.ok() && options.target == "auto") {
    // A GPU that is present may fail, or be in use.
    target = Limited(AutoTarget(options.device_index, &*target), options);
    if (!target.ok()) return device.status();
    device = OpenDevice(*target, options.threads, options.device_index, cache_folder);
  }
  if (!device.ok()) return device.status();
  if (options.profile != nullptr) options.profile->SetDevice(target->device.name);
  client->target_ = *target;
  // The device that is present may have less memory than the one described.
  const runtime::DeviceInfo& here = (*device)->info();
  const auto lesser = [](uint64_t a, uint64_t b) {
    return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b);
  };
  runtime::DeviceInfo& planned = client->target_.device;
  planned.memory_bytes = lesser(planned.memory_bytes, here.memory_bytes);
  planned.max_allocation_bytes = lesser(planned.max_allocation_bytes, here.max_allocation_bytes);
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
  if (options.guard_results) client->state_->context->GuardBuffers();
  return client;
}

runtime::MemoryUse Client::memory_use(runtime::Space space) const {
  return state_->context == nullptr ? runtime::MemoryUse()
                                    : state_->context->device()->memory_use(space);
}

absl::StatusOr<Buffer> Client::BufferFromLiteral(const Literal& literal) {
  if (literal.shape().IsTuple())
    return absl::InvalidArgumentError("a buffer holds an array or a token");
  auto rep = std::make_shared<Buffer::Rep>();
  rep->shape = literal.shape().WithDefaultLayout();
  if (state_->context == nullptr) {
    rep->literal = literal;
    return Buffer(std::move(rep));
  }
  const int64_t begin = options_.profile == nullptr ? 0 : Profile::Now();
  const absl::Span<const std::byte> bytes =
      literal.shape().IsToken() ? absl::Span<const std::byte>() : literal.bytes();
  absl::Status status = ToAbsl(state_->context->CopyFromHost(
      bytes.data(), bytes.size(), runtime::Space::kDevice, &rep->buffer));
  if (!status.ok()) return status;
  rep->profile = options_.profile;
  if (options_.profile != nullptr) {
    options_.profile->AddSince(ProfileEvent::Kind::kUpload, rep->shape.ToString(), begin,
                               static_cast<int64_t>(bytes.size()));
  }
  return Buffer(std::move(rep));
}

absl::StatusOr<Buffer> Client::BufferInPlace(const Literal& literal) {
  const bool aligned =
      literal.shape().IsArray() && !literal.bytes().empty() &&
      reinterpret_cast<uintptr_t>(literal.bytes().data()) % runtime::Context::kHostAlignment == 0;
  if (state_->context == nullptr || !state_->context->is_x86() || !aligned) {
    return BufferFromLiteral(literal);
  }
  auto rep = std::make_shared<Buffer::Rep>();
  rep->shape = literal.shape().WithDefaultLayout();
  // Programs only read arguments that are not donated.
  void* bytes = const_cast<std::byte*>(literal.bytes().data());
  auto keep = std::make_unique<Literal>(literal);
  absl::Status status = ToAbsl(state_->context->WrapHost(
      bytes, literal.bytes().size(), [](void* kept) { delete static_cast<Literal*>(kept); },
      keep.get(), &rep->buffer));
  if (!status.ok()) return status;
  keep.release();
  return Buffer(std::move(rep));
}

void Client::OnReady(const Buffer& buffer, std::function<void(absl::Status)> callback) {
  if (buffer.IsReady()) {
    callback(buffer.Wait());
    return;
  }
  struct Notice : runtime::RunNotice {
    Notice(const Buffer& b, std::function<void(absl::Status)> c)
        : RunNotice{&Call}, buffer(b), callback(std::move(c)) {}
    static void Call(RunNotice* self) {
      const std::unique_ptr<Notice> own(static_cast<Notice*>(self));
      own->callback(own->buffer.Wait());
    }
    Buffer buffer;
    std::function<void(absl::Status)> callback;
  };
  // The queue's thread is awake anyway. Waking another one would cost the caller as much as a small
  // run.
  auto notice = std::make_unique<Notice>(buffer, std::move(callback));
  if (buffer.rep()->buffer->NotifyWhenReady(notice.get())) {
    notice.release();
    return;
  }
  state_->ready.Push(
      [own = std::shared_ptr<Notice>(std::move(notice))] { own->callback(own->buffer.Wait()); });
}

void Client::WaitUntilIdle() {
  if (state_->context != nullptr) state_->context->queue().WaitUntilIdle();
  state_->ready.WaitUntilIdle();
}

void Client::RunLater(std::function<void()> work) { state_->ready.Push(std::move(work)); }

absl::StatusOr<std::unique_ptr<Executable>> Client::Load(std::string program,
                                                         const CompileStats& stats) {
  absl::StatusOr<std::unique_ptr<Executable>> executable =
      LoadDeviceExecutable(state_->context, program, stats, options_.profile);
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
  if (state_->context == nullptr) {
    if (absl::Status s = CheckCustomCalls(module, nullptr); !s.ok()) return s;
    std::unique_ptr<Executable> executable = MakeReferenceExecutable(module);
    executable->client_ = this;
    return executable;
  }
  ProgramCompiler compiler;
  compiler.client = options_;
  compiler.compile = options;
  compiler.runs_here = true;
  absl::StatusOr<ProgramSpec> program = compiler.Compile(module, target_);
  if (!program.ok()) return program.status();
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
    if (made->rest == nullptr && state_->context != nullptr) {
      return Compile(*made->module, for_static);
    }
  }
  absl::StatusOr<std::unique_ptr<Executable>> executable = absl::InternalError("");
  if (state_->context == nullptr) {
    // The evaluator knows every size by the time it needs it.
    if (absl::Status s = CheckCustomCalls(**prepared, nullptr); !s.ok()) return s;
    executable = MakeReferenceExecutable(**prepared);
  } else {
    executable = MakeDynamicExecutable(
        *std::move(prepared),
        [this, for_static](const hlo::Module& part) { return Compile(part, for_static); });
  }
  if (executable.ok()) (*executable)->client_ = this;
  return executable;
}

}  // namespace halyard
