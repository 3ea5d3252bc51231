// Compiled programs behind PJRT_LoadedExecutable and PJRT_Executable.
#ifndef HALYARD_CLIENT_PJRT_PROGRAM_H_
#define HALYARD_CLIENT_PJRT_PROGRAM_H_

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/pjrt/platform.h"

namespace halyard::pjrt {

// Immutable, except for what is made when it is first asked for.
struct Program {
  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();

  std::shared_ptr<PJRT_Client> client;
  std::unique_ptr<Executable> executable;
  std::string name;
  std::string compile_options;    // as the caller passed them
  std::string device_assignment;  // a DeviceAssignmentProto
  int64_t num_replicas = 1, num_partitions = 1;
  std::vector<PJRT_Device*> devices;  // of each process, replica-major
  bool portable = false;              // whether it has one process, which may run on any device
  std::vector<bool> donated;          // by parameter, whether a run takes it over
  std::vector<uint64_t> python_functions;  // held while this object lives
  std::string fingerprint;
  // How arguments and results are spread, as attributes of an MLIR module; "" if there is one
  // partition.
  std::string sharding_attributes;
  // In the form in which entries return them.
  std::vector<PJRT_Buffer_Type> output_types;
  std::vector<int64_t> output_dims;
  std::vector<size_t> output_ranks;
  std::vector<const char*> output_kinds;
  std::vector<size_t> output_kind_sizes;
  PJRT_NamedValue cost[2];  // "flops", "bytes accessed"

  // Returns the MLIR text of a module with the program's signature.
  const std::string& SignatureText() const;

 private:
  mutable std::once_flag once_;
  mutable std::string signature_text_;
};

// Reads the options and compiles the program. Returns InvalidArgument if the options ask for
// devices that the client does not have, if an option is unknown, or if the program is wrong; the
// latter with its place.
absl::StatusOr<std::shared_ptr<Program>> CompileProgram(const std::shared_ptr<PJRT_Client>& client,
                                                        absl::string_view code,
                                                        absl::string_view format,
                                                        absl::string_view options);

absl::StatusOr<std::string> SerializeProgram(const Program& program);
// If `options` is not empty, it replaces the options with which the program was compiled.
absl::StatusOr<std::shared_ptr<Program>> DeserializeProgram(
    const std::shared_ptr<PJRT_Client>& client, absl::string_view bytes, absl::string_view options);

}  // namespace halyard::pjrt

struct PJRT_Executable {
  std::shared_ptr<halyard::pjrt::Program> program;
};

struct PJRT_LoadedExecutable {
  std::shared_ptr<halyard::pjrt::Program> program;
  std::atomic<bool> deleted{false};
};

#endif  // HALYARD_CLIENT_PJRT_PROGRAM_H_
