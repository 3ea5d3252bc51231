#include "client/pjrt/program.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "client/pjrt/array_type.h"
#include "client/pjrt/compile_options.pb.h"
#include "client/pjrt/python_callback.h"
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
// are followed by the hash of the rest in 16 digits, the size of the compile options in bytes in 16
// digits, the options, and the program. This is not a proto message, because such a message cannot
// be larger than 2 GiB.
constexpr absl::string_view kMagic = "halyard executable 3\n";
constexpr size_t kDigits = 16;

std::string Digits(uint64_t value) { return absl::StrCat(absl::Hex(value, absl::kZeroPad16)); }

std::string HashText(absl::string_view bytes) {
  return Digits(runtime::Hash64(bytes.data(), bytes.size()));
}

// Returns the device assignment. There is one device: replica 0 of partition 0 runs on device 0.
absl::StatusOr<std::string> ReadCompileOptions(absl::string_view bytes) {
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
  if (build.num_replicas() > 1 || build.num_partitions() > 1) {
    return absl::UnimplementedError(absl::StrCat(
        "a program for ", std::max<int64_t>(1, build.num_replicas()), " x ",
        std::max<int64_t>(1, build.num_partitions()), " devices: only one device is supported"));
  }
  DeviceAssignmentProto assignment = build.device_assignment();
  if (!build.has_device_assignment()) {
    assignment.set_replica_count(1);
    assignment.set_computation_count(1);
    assignment.add_computation_devices()->add_replica_device_ids(0);
  }
  if (assignment.computation_devices_size() != 1 ||
      assignment.computation_devices(0).replica_device_ids_size() != 1 ||
      assignment.computation_devices(0).replica_device_ids(0) != 0) {
    return absl::InvalidArgumentError("the device assignment names other devices than device 0");
  }
  return assignment.SerializeAsString();
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
        "module @compiled {\n  func.func public @main(", absl::StrJoin(declared, ", "), ") -> (",
        types, ") {\n    ", results.empty() ? "" : absl::StrCat("%0", count, " = "),
        "\"stablehlo.custom_call\"(", absl::StrJoin(operands, ", "),
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
  absl::StatusOr<std::string> assignment = ReadCompileOptions(options);
  if (!assignment.ok()) return assignment.status();
  auto program = std::make_shared<Program>();
  program->client = client;
  program->compile_options = std::string(options);
  program->device_assignment = *std::move(assignment);
  absl::StatusOr<std::unique_ptr<Executable>> executable =
      client->client->CompileProgram(code, "jax", {.whole_scatter_windows = true});
  if (!executable.ok()) return executable.status();
  program->executable = *std::move(executable);
  program->fingerprint = absl::StrCat(HashText(code), " ", client->topology.platform_version);
  if (absl::Status status = Finish(program.get()); !status.ok()) return status;
  return program;
}

absl::StatusOr<std::string> SerializeProgram(const Program& program) {
  absl::StatusOr<std::string> bytes = program.executable->Serialize();
  if (!bytes.ok()) return bytes.status();
  const std::string& options = program.compile_options;
  std::string all = absl::StrCat(kMagic, Digits(0), Digits(options.size()), options, *bytes);
  const size_t start = kMagic.size() + kDigits;
  all.replace(kMagic.size(), kDigits, HashText(absl::string_view(all).substr(start)));
  return all;
}

absl::StatusOr<std::shared_ptr<Program>> DeserializeProgram(
    const std::shared_ptr<PJRT_Client>& client, absl::string_view bytes,
    absl::string_view options) {
  uint64_t size = 0;
  if (!absl::ConsumePrefix(&bytes, kMagic) || bytes.size() < 2 * kDigits ||
      HashText(bytes.substr(kDigits)) != bytes.substr(0, kDigits) ||
      !absl::SimpleHexAtoi(bytes.substr(kDigits, kDigits), &size) ||
      size > bytes.size() - 2 * kDigits) {
    return absl::DataLossError("the serialized executable is damaged, or of another version");
  }
  const absl::string_view stored_options = bytes.substr(2 * kDigits, size);
  auto program = std::make_shared<Program>();
  program->client = client;
  program->compile_options = std::string(options.empty() ? stored_options : options);
  absl::StatusOr<std::string> assignment = ReadCompileOptions(program->compile_options);
  if (!assignment.ok()) return assignment.status();
  program->device_assignment = *std::move(assignment);
  program->fingerprint = absl::StrCat(HashText(bytes), " ", client->topology.platform_version);
  absl::StatusOr<std::unique_ptr<Executable>> executable =
      client->client->Deserialize(std::string(bytes.substr(2 * kDigits + size)));
  if (!executable.ok()) return executable.status();
  program->executable = *std::move(executable);
  if (absl::Status status = Finish(program.get()); !status.ok()) return status;
  return program;
}

}  // namespace halyard::pjrt
