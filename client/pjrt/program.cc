#include "client/pjrt/program.h"

#include <algorithm>
#include <climits>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "client/pjrt/array_type.h"
#include "client/pjrt/compile_options.pb.h"
#include "client/pjrt/python_callback.h"
#include "frontend/stablehlo/stablehlo.h"
#include "runtime/hash.h"

namespace halyard::pjrt {
namespace {

using hlo::Shape;

// Returns the numbers of the Python functions that the program calls.
std::vector<uint64_t> PythonFunctions(const Executable& executable) {
  std::vector<uint64_t> numbers;
  for (const Executable::NamedCall& call : executable.custom_calls()) {
    uint64_t number = 0;
    if (call.target == kPythonCallTarget && absl::SimpleAtoi(call.config, &number))
      numbers.push_back(number);
  }
  return numbers;
}

// The first bytes of a serialized executable; every change of the format changes the number. They
// are followed by the hash of the rest, the sizes of the compile options and of the sharding
// attributes in bytes, in 16 digits each, the options, the attributes, and the program. This is not
// a proto message, because such a message cannot be larger than 2 GiB.
constexpr absl::string_view kMagic = "halyard executable 4\n";
constexpr size_t kDigits = 16;

std::string Digits(uint64_t value) { return absl::StrCat(absl::Hex(value, absl::kZeroPad16)); }

std::string HashText(absl::string_view bytes) {
  return Digits(runtime::Hash64(bytes.data(), bytes.size()));
}

// What the compile options say of devices.
struct Placement {
  int64_t replicas = 1, partitions = 1;
  std::vector<int> devices;  // of each process, replica-major
  std::string assignment;    // a DeviceAssignmentProto
  bool portable = false;
};

absl::Status ReadAssignment(const DeviceAssignmentProto& proto, int num_devices,
                            Placement* placement) {
  if (proto.computation_devices_size() != placement->partitions) {
    return absl::InvalidArgumentError(
        absl::StrCat("the device assignment has ", proto.computation_devices_size(),
                     " partitions; the program has ", placement->partitions));
  }
  placement->devices.resize(static_cast<size_t>(placement->replicas * placement->partitions));
  std::vector<bool> used(static_cast<size_t>(num_devices));
  for (int64_t p = 0; p < placement->partitions; ++p) {
    const auto& ids = proto.computation_devices(static_cast<int>(p)).replica_device_ids();
    if (ids.size() != placement->replicas) {
      return absl::InvalidArgumentError(absl::StrCat("the device assignment has ", ids.size(),
                                                     " replicas; the program has ",
                                                     placement->replicas));
    }
    for (int64_t r = 0; r < placement->replicas; ++r) {
      const int64_t id = ids[static_cast<int>(r)];
      if (id < 0 || id >= num_devices || used[static_cast<size_t>(id)]) {
        return absl::InvalidArgumentError(
            absl::StrCat("the device assignment names device ", id,
                         id < 0 || id >= num_devices ? absl::StrCat("; there are ", num_devices)
                                                     : std::string(" twice")));
      }
      used[static_cast<size_t>(id)] = true;
      placement->devices[static_cast<size_t>(r * placement->partitions + p)] = static_cast<int>(id);
    }
  }
  return absl::OkStatus();
}

// Without an assignment, process i runs on device i.
absl::StatusOr<Placement> ReadCompileOptions(absl::string_view bytes, int num_devices) {
  if (bytes.size() > INT_MAX)
    return absl::InvalidArgumentError("the compile options have 2 GiB or more");
  CompileOptionsProto options;
  if (!options.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return absl::InvalidArgumentError("the compile options are not a CompileOptionsProto");
  if (options.parameter_is_tupled_arguments())
    return absl::UnimplementedError("arguments in one tuple are not supported");
  for (const auto& [name, value] : options.env_option_overrides()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "unknown compiler option `", name, "`: Halyard has no options for single programs"));
  }
  const ExecutableBuildOptionsProto& build = options.executable_build_options();
  Placement placement;
  placement.replicas = std::max<int64_t>(1, build.num_replicas());
  placement.partitions = std::max<int64_t>(1, build.num_partitions());
  if (placement.replicas > num_devices || placement.partitions > num_devices ||
      placement.replicas * placement.partitions > num_devices) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a program for ", placement.replicas, " x ", placement.partitions,
        " devices: the client has ", num_devices, " (HALYARD_NUM_DEVICES, option num_devices)"));
  }
  DeviceAssignmentProto assignment = build.device_assignment();
  if (!build.has_device_assignment()) {
    placement.portable = placement.replicas * placement.partitions == 1;
    assignment.set_replica_count(static_cast<int32_t>(placement.replicas));
    assignment.set_computation_count(static_cast<int32_t>(placement.partitions));
    for (int64_t p = 0; p < placement.partitions; ++p) {
      auto* ids = assignment.add_computation_devices();
      for (int64_t r = 0; r < placement.replicas; ++r)
        ids->add_replica_device_ids(r * placement.partitions + p);
    }
  }
  placement.portable |=
      options.compile_portable_executable() && placement.replicas * placement.partitions == 1;
  absl::Status status = ReadAssignment(assignment, num_devices, &placement);
  if (!status.ok()) return status;
  placement.assignment = assignment.SerializeAsString();
  return placement;
}

// Callers of the C API learn from these how to spread what has no sharding of its own.
std::string ShardingAttributes(const stablehlo::EntryShardings& shardings, int64_t num_partitions) {
  const std::vector<std::string>& results = shardings.results;
  const auto quoted = [](std::string* out, const std::string& text) {
    absl::StrAppend(out, "\"", text, "\"");
  };
  std::string attributes = absl::StrCat("mhlo.num_partitions = ", num_partitions,
                                        " : i32, mhlo.spmd_parameters_shardings = [",
                                        absl::StrJoin(shardings.parameters, ", ", quoted), "]");
  if (results.empty()) return attributes;
  absl::StrAppend(
      &attributes, ", mhlo.spmd_output_sharding = \"",
      results.size() == 1 ? results[0] : absl::StrCat("{", absl::StrJoin(results, ", "), "}"),
      "\"");
  return attributes;
}

void SetPlacement(Placement placement, Program* program) {
  program->num_replicas = placement.replicas;
  program->num_partitions = placement.partitions;
  program->portable = placement.portable;
  program->device_assignment = std::move(placement.assignment);
  for (int device : placement.devices)
    program->devices.push_back(program->client->devices[static_cast<size_t>(device)]);
}

PJRT_NamedValue FloatValue(absl::string_view name, double number) {
  PJRT_NamedValue value = {};
  value.struct_size = PJRT_NamedValue_STRUCT_SIZE;
  value.name = name.data();
  value.name_size = name.size();
  value.type = PJRT_NamedValue_kFloat;
  value.float_value = static_cast<float>(number);
  value.value_size = 1;
  return value;
}

// Sets the fields that follow from the executable.
absl::Status Finish(Program* program) {
  const Executable::Grid grid = program->executable->grid();
  if (grid.replicas != program->num_replicas || grid.partitions != program->num_partitions) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the program is for ", grid.replicas, " x ", grid.partitions, " devices, the options for ",
        program->num_replicas, " x ", program->num_partitions));
  }
  const Executable::Cost cost = program->executable->cost();
  program->cost[0] = FloatValue("flops", cost.flops);
  program->cost[1] = FloatValue("bytes accessed", cost.bytes);
  program->python_functions = PythonFunctions(*program->executable);
  for (uint64_t number : program->python_functions) HoldPythonFunction(number, +1);
  program->name = program->executable->name();
  for (int64_t result : program->executable->donated_to_results())
    program->donated.push_back(result != -1);
  for (const Shape& shape : program->executable->parameter_shapes()) {
    if (shape.IsArray() && (!shape.HasDefaultLayout() || shape.IsDynamic()))
      return absl::UnimplementedError(absl::StrCat("an argument of type ", shape.ToString(true)));
  }
  for (const Shape& shape : program->executable->result_shapes()) {
    if (shape.IsArray() && (!shape.HasDefaultLayout() || shape.IsDynamic()))
      return absl::UnimplementedError(absl::StrCat("a result of type ", shape.ToString(true)));
    absl::StatusOr<PJRT_Buffer_Type> type = TypeOf(shape);
    if (!type.ok()) return type.status();
    program->output_types.push_back(*type);
    program->output_ranks.push_back(shape.IsToken() ? 0 : static_cast<size_t>(shape.rank()));
    if (shape.IsArray()) {
      program->output_dims.insert(program->output_dims.end(), shape.dims().begin(),
                                  shape.dims().end());
    }
    program->output_kinds.push_back(kMemoryKind.data());
    program->output_kind_sizes.push_back(kMemoryKind.size());
  }
  return absl::OkStatus();
}

std::string MlirType(const Shape& shape) {
  if (shape.IsToken()) return "!stablehlo.token";
  std::string type = "tensor<";
  for (int64_t size : shape.dims()) absl::StrAppend(&type, size, "x");
  return absl::StrCat(type, hlo::MlirName(shape.element_type()), ">");
}

std::string MlirTypes(const std::vector<Shape>& shapes) {
  return absl::StrJoin(shapes, ", ", [](std::string* out, const Shape& shape) {
    absl::StrAppend(out, MlirType(shape));
  });
}

}  // namespace

Program::~Program() {
  executable = nullptr;  // waits for runs
  for (uint64_t number : python_functions) HoldPythonFunction(number, -1);
}

// The body is a single call, because callers only want the types of arguments and results.
const std::string& Program::SignatureText() const {
  std::call_once(once_, [this] {
    const std::vector<Shape>& parameters = executable->parameter_shapes();
    const std::vector<Shape>& results = executable->result_shapes();
    std::vector<std::string> declared, operands, values;
    for (size_t i = 0; i < parameters.size(); ++i) {
      declared.push_back(absl::StrCat("%arg", i, ": ", MlirType(parameters[i])));
      operands.push_back(absl::StrCat("%arg", i));
    }
    for (size_t i = 0; i < results.size(); ++i)
      values.push_back(results.size() == 1 ? "%0" : absl::StrCat("%0#", i));
    const std::string types = MlirTypes(results);
    const std::string count = results.size() == 1 ? "" : absl::StrCat(":", results.size());
    signature_text_ = absl::StrCat(
        "module @compiled ",
        sharding_attributes.empty() ? "" : absl::StrCat("attributes {", sharding_attributes, "} "),
        "{\n  func.func public @main(", absl::StrJoin(declared, ", "), ") -> (", types, ") {\n    ",
        results.empty() ? "" : absl::StrCat("%0", count, " = "), "\"stablehlo.custom_call\"(",
        absl::StrJoin(operands, ", "),
        ") {call_target_name = \"halyard.program\", has_side_effect = true} : (",
        MlirTypes(parameters), ") -> (", types, ")\n    func.return ", absl::StrJoin(values, ", "),
        results.empty() ? "" : " : ", types, "\n  }\n}\n");
  });
  return signature_text_;
}

absl::StatusOr<std::shared_ptr<Program>> CompileProgram(const std::shared_ptr<PJRT_Client>& client,
                                                        absl::string_view code,
                                                        absl::string_view format,
                                                        absl::string_view options) {
  if (format != "mlir") {
    return absl::UnimplementedError(
        absl::StrCat("programs of the format `", format, "`: only `mlir` is read"));
  }
  absl::StatusOr<Placement> placement = ReadCompileOptions(options, client->num_devices());
  if (!placement.ok()) return placement.status();
  auto program = std::make_shared<Program>();
  program->client = client;
  program->compile_options = std::string(options);
  CompileOptions compile;
  compile.whole_scatter_windows = true;
  compile.num_replicas = placement->replicas;
  compile.num_partitions = placement->partitions;
  compile.device_assignment = placement->devices;
  SetPlacement(*std::move(placement), program.get());
  absl::StatusOr<std::unique_ptr<Executable>> executable =
      client->client->CompileProgram(code, "jax", compile);
  if (!executable.ok()) return executable.status();
  program->executable = *std::move(executable);
  program->fingerprint = absl::StrCat(HashText(code), " ", client->topology.platform_version);
  if (program->num_partitions > 1) {
    absl::StatusOr<stablehlo::EntryShardings> shardings =
        stablehlo::ReadEntryShardings(code, "jax");
    if (!shardings.ok()) return shardings.status();
    program->sharding_attributes = ShardingAttributes(*shardings, program->num_partitions);
  }
  if (absl::Status status = Finish(program.get()); !status.ok()) return status;
  return program;
}

absl::StatusOr<std::string> SerializeProgram(const Program& program) {
  absl::StatusOr<std::string> bytes = program.executable->Serialize();
  if (!bytes.ok()) return bytes.status();
  const std::string& options = program.compile_options;
  const std::string& sharding = program.sharding_attributes;
  std::string all = absl::StrCat(kMagic, Digits(0), Digits(options.size()), Digits(sharding.size()),
                                 options, sharding, *bytes);
  const size_t start = kMagic.size() + kDigits;
  all.replace(kMagic.size(), kDigits, HashText(absl::string_view(all).substr(start)));
  return all;
}

absl::StatusOr<std::shared_ptr<Program>> DeserializeProgram(
    const std::shared_ptr<PJRT_Client>& client, absl::string_view bytes,
    absl::string_view options) {
  uint64_t size = 0, sharding_size = 0;
  if (!absl::ConsumePrefix(&bytes, kMagic) || bytes.size() < 3 * kDigits ||
      HashText(bytes.substr(kDigits)) != bytes.substr(0, kDigits) ||
      !absl::SimpleHexAtoi(bytes.substr(kDigits, kDigits), &size) ||
      !absl::SimpleHexAtoi(bytes.substr(2 * kDigits, kDigits), &sharding_size) ||
      size > bytes.size() - 3 * kDigits || sharding_size > bytes.size() - 3 * kDigits - size) {
    return absl::DataLossError("the serialized executable is damaged, or of another version");
  }
  const absl::string_view stored_options = bytes.substr(3 * kDigits, size);
  auto program = std::make_shared<Program>();
  program->client = client;
  program->compile_options = std::string(options.empty() ? stored_options : options);
  absl::StatusOr<Placement> placement =
      ReadCompileOptions(program->compile_options, client->num_devices());
  if (!placement.ok()) return placement.status();
  const std::vector<int> devices = placement->devices;
  program->sharding_attributes = std::string(bytes.substr(3 * kDigits + size, sharding_size));
  SetPlacement(*std::move(placement), program.get());
  program->fingerprint = absl::StrCat(HashText(bytes), " ", client->topology.platform_version);
  absl::StatusOr<std::unique_ptr<Executable>> executable = client->client->Deserialize(
      std::string(bytes.substr(3 * kDigits + size + sharding_size)), devices);
  if (!executable.ok()) return executable.status();
  program->executable = *std::move(executable);
  if (absl::Status status = Finish(program.get()); !status.ok()) return status;
  return program;
}

}  // namespace halyard::pjrt
