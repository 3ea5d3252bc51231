// The client API of XLA's documents: transfer arrays, execute computations of XlaBuilder or
// ComputationBuilder, transfer results back.
//
//   xla::Client* client = xla::ClientLibrary::ClientLibraryOrDie();
//   xla::ComputationBuilder b(client, "axpy");
//   ... auto computation = b.Build().ConsumeValueOrDie();
//   auto x = client->TransferToServer(literal).ConsumeValueOrDie();
//   auto result = client->ExecuteAndTransfer(*computation, {x.get()}).ConsumeValueOrDie();
//
// `xla` contains all names of `halyard`, too: types, XlaBuilder and the free functions of
// xla_ops.h. If the process has another `xla`, define HALYARD_NO_XLA_NAMESPACE and write
// halyard::xla.
//
// The device is not part of a program. ClientOptions::target or $HALYARD_TARGET names it ("auto" by
// default; see client/devices/target.h), and the program is the same for all devices.
#ifndef HALYARD_CLIENT_API_XLA_CLIENT_H_
#define HALYARD_CLIENT_API_XLA_CLIENT_H_

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/api/client.h"
#include "frontend/builder/xla_ops.h"

namespace halyard::xla {

using namespace ::halyard;  // NOLINT: the names that `xla` has

using Status = absl::Status;
class Client;

// absl::StatusOr, with the older names of value(). Taking the value of an error ends the process
// with the error's message.
template <typename T>
class StatusOr : public absl::StatusOr<T> {
 public:
  using absl::StatusOr<T>::StatusOr;
  StatusOr(absl::StatusOr<T> other)  // NOLINT: the same thing
      : absl::StatusOr<T>(std::move(other)) {}
  T ConsumeValueOrDie() { return std::move(*this).value(); }
  T& ValueOrDie() { return this->value(); }
};

// Names one of the client's logical devices. `device_count` is the number of devices that the
// handle stands for, which is always one.
class DeviceHandle {
 public:
  explicit DeviceHandle(int64_t handle = 0) : handle_(handle) {}
  int64_t handle() const { return handle_; }
  int64_t device_count() const { return 1; }

 private:
  int64_t handle_;
};

// A value on a device: an array, or a tuple of values. It may be an argument of any number of
// executions. Destroying it frees the memory. It must not outlive its client.
class GlobalData {
 public:
  // Returns the shape of the value. A layout in it is the one that was asked for; the data on the
  // device is row-major.
  const Shape& shape() const { return shape_; }
  // Returns the device that holds it; an empty tuple is on device 0.
  DeviceHandle device() const { return DeviceHandle(leaves_.empty() ? 0 : leaves_[0].device()); }

 private:
  friend class Client;
  GlobalData(Client* client, Shape shape, std::vector<Buffer> leaves)
      : client_(client), shape_(std::move(shape)), leaves_(std::move(leaves)) {}

  Client* client_;
  Shape shape_;
  std::vector<Buffer> leaves_;  // arrays in order; empty after Unregister
};

// A compiled computation for Client::Execute. Copies share it.
class ExecutionHandle {
 public:
  const Shape& result_shape() const { return result_shape_; }
  const CompileStats& stats() const { return executable_->stats(); }

 private:
  friend class Client;
  std::shared_ptr<Executable> executable_;
  std::vector<Shape> parameter_shapes_;
  Shape result_shape_;
};

// How to execute a computation.
class ExecutionOptions {
 public:
  void add_device_handles(const DeviceHandle& handle) { device_handles_.push_back(handle); }
  const std::vector<DeviceHandle>& device_handles() const { return device_handles_; }

 private:
  std::vector<DeviceHandle> device_handles_;
};

// One or more logical devices (ClientOptions::num_devices). Thread-safe. Errors name the argument
// that is wrong.
class Client {
 public:
  static StatusOr<std::unique_ptr<Client>> Create(const ClientOptions& options);
  // Returns the target, as `--target` of the command names it: "x86", "vulkan", "reference", ….
  const Target& target() const { return client_->target(); }

  int64_t device_count() const { return client_->num_devices(); }
  // Returns the handles of the first `device_count` devices, or kResourceExhausted if there are
  // fewer.
  StatusOr<std::vector<DeviceHandle>> GetDeviceHandles(int64_t device_count);

  // Copies an array, or each array of a tuple, to a device, by default device 0.
  StatusOr<std::unique_ptr<GlobalData>> TransferToServer(const Literal& literal,
                                                         const DeviceHandle* device = nullptr);
  // Like TransferToServer, but on x86 and `reference` it uses the literal's memory itself if the
  // alignment allows.
  StatusOr<std::unique_ptr<GlobalData>> TransferInProcess(const Literal& literal,
                                                          const DeviceHandle* device = nullptr);
  // Returns the value on another device. On the same CPU or GPU, both share the memory.
  StatusOr<std::unique_ptr<GlobalData>> CopyToDevice(const GlobalData& data,
                                                     const DeviceHandle& device);
  // Waits for the value and copies it back. If a shape is given, the result has its layout.
  StatusOr<std::unique_ptr<Literal>> Transfer(const GlobalData& data,
                                              const Shape* shape_with_layout = nullptr);
  // Frees the memory now. The handle is then of no more use.
  Status Unregister(GlobalData* data);
  // Returns the elements of a tuple as separate values. They share the memory.
  StatusOr<std::vector<std::unique_ptr<GlobalData>>> DeconstructTuple(const GlobalData& data);

  // Executes a computation; arguments[i] is parameter i. A computation is compiled when it is first
  // executed, and is not compiled again while any copy of it exists.
  StatusOr<std::unique_ptr<GlobalData>> Execute(const XlaComputation& computation,
                                                absl::Span<GlobalData* const> arguments = {});
  StatusOr<std::unique_ptr<Literal>> ExecuteAndTransfer(
      const XlaComputation& computation, absl::Span<GlobalData* const> arguments = {},
      const Shape* shape_with_layout = nullptr);

  // What one device, or several, execute in ExecuteParallel.
  struct XlaComputationInstance {
    const XlaComputation& computation;
    std::vector<GlobalData*> arguments;
    // The devices: one for each process of the computation (replica-major). None: device 0, or as
    // many devices as there are processes.
    ExecutionOptions execution_options;
  };
  // Executes computations at the same time, each on its devices, and returns their values, in
  // order. They may send each other messages on channels if each has one process. The value of a
  // computation of several processes is that of the first. An error of one of them ends all.
  StatusOr<std::vector<std::unique_ptr<GlobalData>>> ExecuteParallel(
      absl::Span<const XlaComputationInstance> computations);

  // Compiles once, for any number of runs.
  StatusOr<ExecutionHandle> Compile(const XlaComputation& computation,
                                    const CompileOptions& options = {});
  StatusOr<std::unique_ptr<GlobalData>> Execute(const ExecutionHandle& handle,
                                                absl::Span<GlobalData* const> arguments = {});
  // Returns the value of a computation without parameters.
  StatusOr<std::unique_ptr<Literal>> ComputeConstant(const XlaComputation& computation);

 private:
  Client() = default;
  StatusOr<std::unique_ptr<GlobalData>> Transfer(const Literal& literal, bool in_place,
                                                 const DeviceHandle* device);
  StatusOr<std::vector<Buffer>> Arguments(const ExecutionHandle& handle,
                                          absl::Span<GlobalData* const> arguments);
  std::unique_ptr<GlobalData> ValueOf(const ExecutionHandle& handle, std::vector<Buffer> results);
  StatusOr<ExecutionHandle> Compiled(const XlaComputation& computation);

  std::unique_ptr<::halyard::Client> client_;
  struct Entry {
    std::weak_ptr<const hlo::Module> alive;
    ExecutionHandle handle;
  };
  std::mutex mutex_;
  std::unordered_map<const hlo::Module*, Entry> compiled_;
};
using LocalClient = Client;

// The clients of the process: one for each target.
class ClientLibrary {
 public:
  // Returns the client of $HALYARD_TARGET, or of "auto".
  static Client* ClientLibraryOrDie();
  static LocalClient* LocalClientOrDie() { return ClientLibraryOrDie(); }
  // Returns the client for the target and device of these options, and makes it if necessary.
  static StatusOr<Client*> GetOrCreate(const ClientOptions& options);
  // Frees all clients. None of their handles may be left.
  static void DestroyAll();
};

}  // namespace halyard::xla

#ifndef HALYARD_NO_XLA_NAMESPACE
namespace xla = halyard::xla;
#endif

#include "client/api/computation_builder.h"

#endif  // HALYARD_CLIENT_API_XLA_CLIENT_H_
