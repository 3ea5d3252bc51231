#include "client/api/xla_client.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "absl/memory/memory.h"
#include "absl/strings/str_cat.h"

namespace halyard::xla {
namespace {

bool HasArrays(const Shape& shape) { return !shape.IsToken(); }

std::vector<Shape> Arrays(const Shape& shape) {
  std::vector<Shape> arrays;
  for (Shape& leaf : hlo::FlattenShape(shape)) {
    if (HasArrays(leaf)) arrays.push_back(std::move(leaf));
  }
  return arrays;
}

void Flatten(const Literal& literal, std::vector<const Literal*>* arrays) {
  if (literal.shape().IsArray()) arrays->push_back(&literal);
  for (const Literal& element : literal.elements()) Flatten(element, arrays);
}

// Makes a literal of `shape` from its arrays, in order.
Literal Nest(const Shape& shape, std::vector<Literal>* arrays, size_t* next) {
  if (shape.IsToken()) return Literal::Token();
  if (shape.IsArray()) return std::move((*arrays)[(*next)++]);
  std::vector<Literal> elements;
  for (const Shape& element : shape.elements()) elements.push_back(Nest(element, arrays, next));
  return Literal::Tuple(std::move(elements));
}

// Returns the same values with a shape that has this layout.
Literal WithShape(const Literal& array, const Shape& shape) {
  if (array.shape() == shape) return array;
  absl::Span<const std::byte> bytes = array.bytes();
  return Literal::FromBytes(shape, std::vector<std::byte>(bytes.begin(), bytes.end()));
}

}  // namespace

StatusOr<std::unique_ptr<Client>> Client::Create(const ClientOptions& options) {
  absl::StatusOr<std::unique_ptr<::halyard::Client>> inner = ::halyard::Client::Create(options);
  if (!inner.ok()) return inner.status();
  auto client = absl::WrapUnique(new Client());
  client->client_ = *std::move(inner);
  return client;
}

StatusOr<std::unique_ptr<GlobalData>> Client::Transfer(const Literal& literal, bool in_place,
                                                       const DeviceHandle* device) {
  const int number = device == nullptr ? 0 : static_cast<int>(device->handle());
  std::vector<const Literal*> arrays;
  Flatten(literal, &arrays);
  std::vector<Buffer> leaves;
  for (const Literal* array : arrays) {
    absl::StatusOr<Buffer> buffer = in_place ? client_->BufferInPlace(*array, number)
                                             : client_->BufferFromLiteral(*array, number);
    if (!buffer.ok()) return buffer.status();
    leaves.push_back(*std::move(buffer));
  }
  return absl::WrapUnique(new GlobalData(this, literal.shape(), std::move(leaves)));
}

StatusOr<std::vector<DeviceHandle>> Client::GetDeviceHandles(int64_t device_count) {
  if (device_count < 0 || device_count > client_->num_devices()) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "asked for ", device_count, " devices; the client has ", client_->num_devices()));
  }
  std::vector<DeviceHandle> handles;
  for (int64_t i = 0; i < device_count; ++i) handles.emplace_back(i);
  return handles;
}

StatusOr<std::unique_ptr<GlobalData>> Client::TransferToServer(const Literal& literal,
                                                               const DeviceHandle* device) {
  return Transfer(literal, false, device);
}

StatusOr<std::unique_ptr<GlobalData>> Client::TransferInProcess(const Literal& literal,
                                                                const DeviceHandle* device) {
  return Transfer(literal, true, device);
}

StatusOr<std::unique_ptr<GlobalData>> Client::CopyToDevice(const GlobalData& data,
                                                           const DeviceHandle& device) {
  if (data.client_ != this) {
    return absl::InvalidArgumentError("copy: no value of this client, or no longer registered");
  }
  std::vector<Buffer> leaves;
  for (const Buffer& leaf : data.leaves_) {
    absl::StatusOr<Buffer> copy = client_->CopyToDevice(leaf, static_cast<int>(device.handle()));
    if (!copy.ok()) return copy.status();
    leaves.push_back(*std::move(copy));
  }
  return absl::WrapUnique(new GlobalData(this, data.shape_, std::move(leaves)));
}

StatusOr<std::unique_ptr<Literal>> Client::Transfer(const GlobalData& data,
                                                    const Shape* shape_with_layout) {
  if (data.client_ != this) {
    return absl::InvalidArgumentError("transfer: no value of this client, or no longer registered");
  }
  Shape shape = data.shape_;
  if (shape_with_layout != nullptr) {
    if (!Shape::SameIgnoringLayout(shape, *shape_with_layout)) {
      return absl::InvalidArgumentError(absl::StrCat("transfer: the value is ", shape.ToString(),
                                                     ", not ", shape_with_layout->ToString()));
    }
    shape = *shape_with_layout;
  }
  std::vector<Shape> shapes = Arrays(shape);
  std::vector<Literal> arrays;
  for (size_t i = 0; i < shapes.size(); ++i) {
    absl::StatusOr<Literal> array = data.leaves_[i].ToLiteral();
    if (!array.ok()) return array.status();
    arrays.push_back(WithShape(*array, shapes[i]));
  }
  size_t next = 0;
  return std::make_unique<Literal>(Nest(shape, &arrays, &next));
}

Status Client::Unregister(GlobalData* data) {
  if (data->client_ != this) return absl::InvalidArgumentError("a value of another client");
  data->leaves_.clear();
  data->shape_ = Shape::Token();
  data->client_ = nullptr;
  return absl::OkStatus();
}

StatusOr<std::vector<std::unique_ptr<GlobalData>>> Client::DeconstructTuple(
    const GlobalData& data) {
  if (data.client_ != this || !data.shape_.IsTuple()) {
    return absl::InvalidArgumentError(absl::StrCat(data.shape_.ToString(), " is no tuple"));
  }
  std::vector<std::unique_ptr<GlobalData>> elements;
  size_t next = 0;
  for (const Shape& shape : data.shape_.elements()) {
    auto begin = data.leaves_.begin() + static_cast<std::ptrdiff_t>(next);
    next += Arrays(shape).size();
    auto end = data.leaves_.begin() + static_cast<std::ptrdiff_t>(next);
    elements.push_back(absl::WrapUnique(new GlobalData(this, shape, {begin, end})));
  }
  return elements;
}

StatusOr<ExecutionHandle> Client::Compile(const XlaComputation& computation,
                                          const CompileOptions& options) {
  if (computation.IsNull()) {
    return absl::InvalidArgumentError("execute: the computation was not built");
  }
  absl::StatusOr<std::unique_ptr<Executable>> executable =
      client_->Compile(computation.module(), options);
  if (!executable.ok()) return executable.status();
  ExecutionHandle handle;
  handle.executable_ = *std::move(executable);
  const hlo::Computation& entry = *computation.module().entry();
  for (const hlo::Instruction* parameter : entry.parameters()) {
    handle.parameter_shapes_.push_back(parameter->shape);
  }
  handle.result_shape_ = entry.root()->shape;
  return handle;
}

StatusOr<ExecutionHandle> Client::Compiled(const XlaComputation& computation) {
  const hlo::Module* key = computation.IsNull() ? nullptr : &computation.module();
  {
    std::lock_guard<std::mutex> lock(mutex_);
    auto found = compiled_.find(key);
    if (found != compiled_.end() && !found->second.alive.expired()) return found->second.handle;
  }
  StatusOr<ExecutionHandle> handle = Compile(computation);
  if (!handle.ok()) return handle;
  std::lock_guard<std::mutex> lock(mutex_);
  std::erase_if(compiled_, [](const auto& entry) { return entry.second.alive.expired(); });
  compiled_[key] = Entry{computation.shared_module(), *handle};
  return handle;
}

StatusOr<std::vector<Buffer>> Client::Arguments(const ExecutionHandle& handle,
                                                absl::Span<GlobalData* const> arguments) {
  const std::vector<Shape>& wanted = handle.parameter_shapes_;
  if (handle.executable_ == nullptr) {
    return absl::InvalidArgumentError("execute: the computation was not compiled");
  }
  if (arguments.size() != wanted.size()) {
    return absl::InvalidArgumentError(absl::StrCat("execute: the computation takes ", wanted.size(),
                                                   " arguments; ", arguments.size(),
                                                   " were given"));
  }
  std::vector<Buffer> leaves;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const GlobalData* argument = arguments[i];
    if (argument == nullptr || argument->client_ != this) {
      return absl::InvalidArgumentError(
          absl::StrCat("execute: argument ", i, " is no value of this client"));
    }
    if (!Shape::SameIgnoringLayout(argument->shape_, wanted[i])) {
      return absl::InvalidArgumentError(
          absl::StrCat("execute: argument ", i, " is ", argument->shape_.ToString(),
                       "; the computation takes ", wanted[i].ToString()));
    }
    leaves.insert(leaves.end(), argument->leaves_.begin(), argument->leaves_.end());
  }
  return leaves;
}

std::unique_ptr<GlobalData> Client::ValueOf(const ExecutionHandle& handle,
                                            std::vector<Buffer> results) {
  std::vector<Buffer> arrays;
  for (Buffer& result : results) {
    if (HasArrays(result.shape())) arrays.push_back(std::move(result));
  }
  return absl::WrapUnique(new GlobalData(this, handle.result_shape_, std::move(arrays)));
}

StatusOr<std::unique_ptr<GlobalData>> Client::Execute(const ExecutionHandle& handle,
                                                      absl::Span<GlobalData* const> arguments) {
  StatusOr<std::vector<Buffer>> leaves = Arguments(handle, arguments);
  if (!leaves.ok()) return leaves.status();
  // This call waits for the transfer, so that errors are reported here.
  absl::StatusOr<std::vector<Buffer>> results =
      handle.executable_->Run(*leaves, {.asynchronous = false});
  if (!results.ok()) return results.status();
  return ValueOf(handle, *std::move(results));
}

StatusOr<std::vector<std::unique_ptr<GlobalData>>> Client::ExecuteParallel(
    absl::Span<const XlaComputationInstance> computations) {
  std::vector<ExecutionHandle> handles;
  std::vector<std::vector<Buffer>> arguments;
  std::vector<::halyard::Client::Member> members;
  bool all_single = true;
  for (const XlaComputationInstance& instance : computations) {
    const std::vector<DeviceHandle>& devices = instance.execution_options.device_handles();
    CompileOptions options;
    for (const DeviceHandle& device : devices)
      options.device_assignment.push_back(static_cast<int>(device.handle()));
    // One process may run on any device.
    StatusOr<ExecutionHandle> handle = devices.size() < 2 ? Compiled(instance.computation)
                                                          : Compile(instance.computation, options);
    if (!handle.ok()) return handle.status();
    StatusOr<std::vector<Buffer>> leaves = Arguments(*handle, instance.arguments);
    if (!leaves.ok()) return leaves.status();
    Executable* executable = handle->executable_.get();
    all_single = all_single && executable->grid().size() == 1;
    if (!devices.empty() && static_cast<int64_t>(devices.size()) != executable->grid().size()) {
      return absl::InvalidArgumentError(absl::StrCat("execute: ", devices.size(),
                                                     " device handles for a computation of ",
                                                     executable->grid().size(), " processes"));
    }
    members.push_back(
        {executable, *leaves, devices.empty() ? 0 : static_cast<int>(devices[0].handle())});
    arguments.push_back(*std::move(leaves));
    handles.push_back(*std::move(handle));
  }
  std::vector<std::vector<Buffer>> results;
  if (all_single && client_->target().device.kind != runtime::DeviceKind::kReference) {
    absl::StatusOr<std::vector<std::vector<Buffer>>> together = client_->RunTogether(members);
    if (!together.ok()) return together.status();
    results = *std::move(together);
  } else {
    // Grids are queued, so that those on different devices overlap.
    for (size_t i = 0; i < members.size(); ++i) {
      if (members[i].executable->grid().size() == 1) {
        absl::StatusOr<std::vector<Buffer>> one =
            members[i].executable->Run(arguments[i], {.device = members[i].device});
        if (!one.ok()) return one.status();
        results.push_back(*std::move(one));
        continue;
      }
      const std::vector<int> devices = members[i].executable->device_assignment();
      const std::set<int> different(devices.begin(), devices.end());
      absl::StatusOr<std::vector<std::vector<Buffer>>> grid = members[i].executable->RunGrid(
          {arguments[i]}, {.asynchronous = different.size() == devices.size()});
      if (!grid.ok()) return grid.status();
      results.push_back(std::move((*grid)[0]));
    }
  }
  std::vector<std::unique_ptr<GlobalData>> values;
  for (size_t i = 0; i < results.size(); ++i) {
    for (const Buffer& buffer : results[i]) {
      if (absl::Status status = buffer.Wait(); !status.ok()) return status;
    }
    values.push_back(ValueOf(handles[i], std::move(results[i])));
  }
  return values;
}

StatusOr<std::unique_ptr<GlobalData>> Client::Execute(const XlaComputation& computation,
                                                      absl::Span<GlobalData* const> arguments) {
  StatusOr<ExecutionHandle> handle = Compiled(computation);
  if (!handle.ok()) return handle.status();
  return Execute(*handle, arguments);
}

StatusOr<std::unique_ptr<Literal>> Client::ExecuteAndTransfer(
    const XlaComputation& computation, absl::Span<GlobalData* const> arguments,
    const Shape* shape_with_layout) {
  StatusOr<std::unique_ptr<GlobalData>> result = Execute(computation, arguments);
  if (!result.ok()) return result.status();
  return Transfer(**result, shape_with_layout);
}

StatusOr<std::unique_ptr<Literal>> Client::ComputeConstant(const XlaComputation& computation) {
  return ExecuteAndTransfer(computation);
}

namespace {

struct Library {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<Client>> clients;
};
Library& TheLibrary() {
  static auto* library = new Library();  // clients outlive static destructors
  return *library;
}

}  // namespace

StatusOr<Client*> ClientLibrary::GetOrCreate(const ClientOptions& options) {
  Library& library = TheLibrary();
  std::lock_guard<std::mutex> lock(library.mutex);
  std::unique_ptr<Client>& client = library.clients[absl::StrCat(
      options.target, "\n", options.device_index, "\n", options.num_devices)];
  if (client == nullptr) {
    StatusOr<std::unique_ptr<Client>> made = Client::Create(options);
    if (!made.ok()) return made.status();
    client = *std::move(made);
  }
  return client.get();
}

Client* ClientLibrary::ClientLibraryOrDie() {
  ClientOptions options;
  if (const char* target = std::getenv("HALYARD_TARGET"); target != nullptr && *target != '\0') {
    options.target = target;
  }
  StatusOr<Client*> client = GetOrCreate(options);
  if (!client.ok()) {
    std::fprintf(stderr, "%s\n", client.status().ToString().c_str());
    std::abort();
  }
  return *client;
}

void ClientLibrary::DestroyAll() {
  Library& library = TheLibrary();
  std::lock_guard<std::mutex> lock(library.mutex);
  library.clients.clear();
}

StatusOr<std::unique_ptr<Shape>> ComputationBuilder::GetShape(XlaOp op) const {
  absl::StatusOr<Shape> shape = XlaBuilder::GetShape(op);
  if (!shape.ok()) return shape.status();
  return std::make_unique<Shape>(*std::move(shape));
}

StatusOr<std::unique_ptr<GlobalData>> ComputationBuilder::ComputeConstant(
    XlaOp op, const Layout* output_layout) {
  absl::StatusOr<Literal> value = XlaBuilder::ComputeConstant(op, output_layout);
  if (!value.ok()) return value.status();
  return client_->TransferToServer(*value);
}

std::unique_ptr<ComputationBuilder> ComputationBuilder::CreateSubBuilder(
    const std::string& computation_name) {
  return absl::WrapUnique(new ComputationBuilder(client_, computation_name, this));
}

StatusOr<std::unique_ptr<Computation>> ComputationBuilder::Build() {
  absl::StatusOr<XlaComputation> computation = XlaBuilder::Build();
  if (!computation.ok()) return computation.status();
  return std::make_unique<Computation>(*std::move(computation));
}

std::unique_ptr<Computation> ComputationBuilder::BuildAndNoteError() {
  return std::make_unique<Computation>(XlaBuilder::BuildAndNoteError());
}

}  // namespace halyard::xla
