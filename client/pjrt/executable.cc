// Compiles programs, and answers questions about compiled programs.
#include "absl/strings/str_cat.h"
#include "client/pjrt/dispose.h"
#include "client/pjrt/program.h"

namespace halyard::pjrt {
namespace {

// Gives the caller bytes and the function that deletes them.
template <typename Handle>
void HandOut(std::string bytes, const char** data, size_t* size, Handle** handle,
             void (**deleter)(Handle*)) {
  auto* held = new std::string(std::move(bytes));
  *data = held->data();
  *size = held->size();
  *handle = reinterpret_cast<Handle*>(held);
  *deleter = [](Handle* handle) { delete reinterpret_cast<std::string*>(handle); };
}

absl::Status Compile(PJRT_Client_Compile_Args& args) {
  HALYARD_PJRT_NEED(args.client);
  HALYARD_PJRT_NEED(args.program);
  absl::Status status =
      CheckStructSize("PJRT_Program", args.program->struct_size, PJRT_Program_STRUCT_SIZE);
  if (!status.ok()) return status;
  HALYARD_PJRT_NEED(args.program->code);
  HALYARD_PJRT_NEED_LIST(args.program->format, args.program->format_size);
  HALYARD_PJRT_NEED_LIST(args.compile_options, args.compile_options_size);
  absl::StatusOr<std::shared_ptr<Program>> program =
      CompileProgram(args.client->self, {args.program->code, args.program->code_size},
                     {args.program->format, args.program->format_size},
                     {args.compile_options, args.compile_options_size});
  if (!program.ok()) return program.status();
  args.executable = new PJRT_LoadedExecutable{*std::move(program)};
  return absl::OkStatus();
}

absl::Status Deserialize(PJRT_Executable_DeserializeAndLoad_Args& args) {
  HALYARD_PJRT_NEED(args.client);
  HALYARD_PJRT_NEED_LIST(args.serialized_executable, args.serialized_executable_size);
  absl::string_view options;
  if (HALYARD_PJRT_HAS(PJRT_Executable_DeserializeAndLoad_Args, args,
                       overridden_serialized_compile_options_size)) {
    HALYARD_PJRT_NEED_LIST(args.overridden_serialized_compile_options,
                           args.overridden_serialized_compile_options_size);
    options = {args.overridden_serialized_compile_options,
               args.overridden_serialized_compile_options_size};
  }
  absl::StatusOr<std::shared_ptr<Program>> program = DeserializeProgram(
      args.client->self, {args.serialized_executable, args.serialized_executable_size}, options);
  if (!program.ok()) return program.status();
  args.loaded_executable = new PJRT_LoadedExecutable{*std::move(program)};
  return absl::OkStatus();
}

absl::Status Serialize(PJRT_Executable_Serialize_Args& args) {
  HALYARD_PJRT_NEED(args.executable);
  absl::StatusOr<std::string> bytes = SerializeProgram(*args.executable->program);
  if (!bytes.ok()) return bytes.status();
  HandOut(*std::move(bytes), &args.serialized_bytes, &args.serialized_bytes_size,
          &args.serialized_executable, &args.serialized_executable_deleter);
  return absl::OkStatus();
}

absl::Status CompileOptions(PJRT_Executable_GetCompileOptions_Args& args) {
  HALYARD_PJRT_NEED(args.executable);
  HandOut(args.executable->program->compile_options, &args.serialized_bytes,
          &args.serialized_bytes_size, &args.serialized_compile_options,
          &args.serialized_compile_options_deleter);
  return absl::OkStatus();
}

absl::Status DeviceAssignment(PJRT_LoadedExecutable_GetDeviceAssignment_Args& args) {
  HALYARD_PJRT_NEED(args.executable);
  HandOut(args.executable->program->device_assignment, &args.serialized_bytes,
          &args.serialized_bytes_size, &args.serialized_device_assignment,
          &args.serialized_device_assignment_deleter);
  return absl::OkStatus();
}

absl::Status Destroy(PJRT_Executable_Destroy_Args& args) {
  if (args.executable != nullptr) Dispose(std::move(args.executable->program));
  delete args.executable;
  return absl::OkStatus();
}

absl::Status DestroyLoaded(PJRT_LoadedExecutable_Destroy_Args& args) {
  if (args.executable != nullptr) Dispose(std::move(args.executable->program));
  delete args.executable;
  return absl::OkStatus();
}

absl::Status GetExecutable(PJRT_LoadedExecutable_GetExecutable_Args& args) {
  HALYARD_PJRT_NEED(args.loaded_executable);
  args.executable = new PJRT_Executable{args.loaded_executable->program};
  return absl::OkStatus();
}

absl::Status AddressableDevices(PJRT_LoadedExecutable_AddressableDevices_Args& args) {
  HALYARD_PJRT_NEED(args.executable);
  args.addressable_devices = args.executable->program->devices.data();
  args.num_addressable_devices = args.executable->program->devices.size();
  return absl::OkStatus();
}

absl::Status Delete(PJRT_LoadedExecutable_Delete_Args& args) {
  HALYARD_PJRT_NEED(args.executable);
  args.executable->deleted = true;
  return absl::OkStatus();
}

absl::Status IsDeleted(PJRT_LoadedExecutable_IsDeleted_Args& args) {
  HALYARD_PJRT_NEED(args.executable);
  args.is_deleted = args.executable->deleted;
  return absl::OkStatus();
}

absl::Status Name(PJRT_Executable_Name_Args& args) {
  HALYARD_PJRT_NEED(args.executable);
  args.executable_name = args.executable->program->name.data();
  args.executable_name_size = args.executable->program->name.size();
  return absl::OkStatus();
}

absl::Status NumReplicas(PJRT_Executable_NumReplicas_Args& args) {
  HALYARD_PJRT_NEED(args.executable);
  args.num_replicas = static_cast<size_t>(args.executable->program->num_replicas);
  return absl::OkStatus();
}

absl::Status NumPartitions(PJRT_Executable_NumPartitions_Args& args) {
  HALYARD_PJRT_NEED(args.executable);
  args.num_partitions = static_cast<size_t>(args.executable->program->num_partitions);
  return absl::OkStatus();
}

absl::Status NumOutputs(PJRT_Executable_NumOutputs_Args& args) {
  HALYARD_PJRT_NEED(args.executable);
  args.num_outputs = args.executable->program->output_types.size();
  return absl::OkStatus();
}

absl::Status OutputTypes(PJRT_Executable_OutputElementTypes_Args& args) {
  HALYARD_PJRT_NEED(args.executable);
  args.output_types = args.executable->program->output_types.data();
  args.num_output_types = args.executable->program->output_types.size();
  return absl::OkStatus();
}

absl::Status OutputDimensions(PJRT_Executable_OutputDimensions_Args& args) {
  HALYARD_PJRT_NEED(args.executable);
  const Program& program = *args.executable->program;
  args.num_outputs = program.output_ranks.size();
  args.dims = program.output_dims.data();
  args.dim_sizes = program.output_ranks.data();
  return absl::OkStatus();
}

absl::Status OutputKinds(PJRT_Executable_OutputMemoryKinds_Args& args) {
  HALYARD_PJRT_NEED(args.executable);
  const Program& program = *args.executable->program;
  args.num_outputs = program.output_kinds.size();
  args.memory_kinds = program.output_kinds.data();
  args.memory_kind_sizes = program.output_kind_sizes.data();
  return absl::OkStatus();
}

// Callers use this twice: for the size, then with room for the text.
absl::Status OptimizedProgram(PJRT_Executable_OptimizedProgram_Args& args) {
  HALYARD_PJRT_NEED(args.executable);
  HALYARD_PJRT_NEED(args.program);
  absl::Status status =
      CheckStructSize("PJRT_Program", args.program->struct_size, PJRT_Program_STRUCT_SIZE);
  if (!status.ok()) return status;
  static constexpr absl::string_view kFormat = "mlir";
  const std::string& text = args.executable->program->SignatureText();
  args.program->format = kFormat.data();
  args.program->format_size = kFormat.size();
  if (args.program->code == nullptr) {
    args.program->code_size = text.size();
    return absl::OkStatus();
  }
  if (args.program->code_size < text.size())
    return absl::InvalidArgumentError("there is no room for the program's text");
  text.copy(args.program->code, text.size());
  args.program->code_size = text.size();
  return absl::OkStatus();
}

absl::Status Fingerprint(PJRT_Executable_Fingerprint_Args& args) {
  HALYARD_PJRT_NEED(args.executable);
  args.executable_fingerprint = args.executable->program->fingerprint.data();
  args.executable_fingerprint_size = args.executable->program->fingerprint.size();
  return absl::OkStatus();
}

absl::Status LoadedFingerprint(PJRT_LoadedExecutable_Fingerprint_Args& args) {
  HALYARD_PJRT_NEED(args.executable);
  args.executable_fingerprint = args.executable->program->fingerprint.data();
  args.executable_fingerprint_size = args.executable->program->fingerprint.size();
  return absl::OkStatus();
}

absl::Status CostAnalysis(PJRT_Executable_GetCostAnalysis_Args& args) {
  HALYARD_PJRT_NEED(args.executable);
  args.properties = args.executable->program->cost;
  args.num_properties = std::size(args.executable->program->cost);
  return absl::OkStatus();
}

int64_t Bytes(const std::vector<hlo::Shape>& shapes) {
  int64_t bytes = 0;
  for (const hlo::Shape& shape : shapes) bytes += shape.ByteSize();
  return bytes;
}

absl::Status MemoryStats(PJRT_Executable_GetCompiledMemoryStats_Args& args) {
  HALYARD_PJRT_NEED(args.executable);
  const Executable& executable = *args.executable->program->executable;
  const size_t given = args.struct_size;
  PJRT_Executable_GetCompiledMemoryStats_Args stats = {};
  stats.struct_size = given;
  stats.extension_start = args.extension_start;
  stats.executable = args.executable;
  stats.argument_size_in_bytes = Bytes(executable.parameter_shapes());
  stats.output_size_in_bytes = Bytes(executable.result_shapes());
  const std::vector<int64_t> donated = executable.donated_to_results();
  for (size_t i = 0; i < donated.size(); ++i) {
    if (donated[i] >= 0) stats.alias_size_in_bytes += executable.parameter_shapes()[i].ByteSize();
  }
  stats.temp_size_in_bytes = executable.arena_bytes();
  stats.total_size_in_bytes = stats.peak_memory_in_bytes =
      stats.argument_size_in_bytes + stats.output_size_in_bytes - stats.alias_size_in_bytes +
      stats.temp_size_in_bytes;
  args = stats;
  return absl::OkStatus();
}

// -1 is XLA's word for an executable that does not say. An error would end a process of JAX.
absl::Status SizeOfGeneratedCode(PJRT_Executable_SizeOfGeneratedCodeInBytes_Args& args) {
  HALYARD_PJRT_NEED(args.executable);
  args.size_in_bytes = -1;
  return absl::OkStatus();
}

}  // namespace

void AddExecutableEntries(PJRT_Api* api) {
  HALYARD_PJRT_SERVE(api, PJRT_Client_Compile, Compile);
  HALYARD_PJRT_SERVE_UP_TO(api, PJRT_Executable_DeserializeAndLoad, loaded_executable, Deserialize);
  HALYARD_PJRT_SERVE(api, PJRT_Executable_Serialize, Serialize);
  HALYARD_PJRT_SERVE(api, PJRT_Executable_GetCompileOptions, CompileOptions);
  HALYARD_PJRT_SERVE(api, PJRT_LoadedExecutable_GetDeviceAssignment, DeviceAssignment);
  HALYARD_PJRT_SERVE(api, PJRT_Executable_Destroy, Destroy);
  HALYARD_PJRT_SERVE(api, PJRT_LoadedExecutable_Destroy, DestroyLoaded);
  HALYARD_PJRT_SERVE(api, PJRT_LoadedExecutable_GetExecutable, GetExecutable);
  HALYARD_PJRT_SERVE(api, PJRT_LoadedExecutable_AddressableDevices, AddressableDevices);
  HALYARD_PJRT_SERVE(api, PJRT_LoadedExecutable_Delete, Delete);
  HALYARD_PJRT_SERVE(api, PJRT_LoadedExecutable_IsDeleted, IsDeleted);
  HALYARD_PJRT_SERVE(api, PJRT_Executable_Name, Name);
  HALYARD_PJRT_SERVE(api, PJRT_Executable_NumReplicas, NumReplicas);
  HALYARD_PJRT_SERVE(api, PJRT_Executable_NumPartitions, NumPartitions);
  HALYARD_PJRT_SERVE(api, PJRT_Executable_NumOutputs, NumOutputs);
  HALYARD_PJRT_SERVE(api, PJRT_Executable_OutputElementTypes, OutputTypes);
  HALYARD_PJRT_SERVE(api, PJRT_Executable_OutputDimensions, OutputDimensions);
  HALYARD_PJRT_SERVE(api, PJRT_Executable_OutputMemoryKinds, OutputKinds);
  HALYARD_PJRT_SERVE(api, PJRT_Executable_OptimizedProgram, OptimizedProgram);
  HALYARD_PJRT_SERVE(api, PJRT_Executable_Fingerprint, Fingerprint);
  HALYARD_PJRT_SERVE(api, PJRT_LoadedExecutable_Fingerprint, LoadedFingerprint);
  HALYARD_PJRT_SERVE(api, PJRT_Executable_GetCostAnalysis, CostAnalysis);
  HALYARD_PJRT_SERVE(api, PJRT_Executable_GetCompiledMemoryStats, MemoryStats);
  HALYARD_PJRT_SERVE(api, PJRT_Executable_SizeOfGeneratedCodeInBytes, SizeOfGeneratedCode);
}

}  // namespace halyard::pjrt
