#include "tests/pjrt/plugin.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace halyard::testing {

const PJRT_Api& Api() {
  static const PJRT_Api* const api = [] {
    void* library = dlopen(HALYARD_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      std::abort();
    }
    return reinterpret_cast<const PJRT_Api* (*)()>(dlsym(library, "GetPjrtApi"))();
  }();
  return *api;
}

absl::Status Take(PJRT_Error* error) {
  if (error == nullptr) return absl::OkStatus();
  auto code = PJRT_NEW(PJRT_Error_GetCode_Args);
  code.error = error;
  if (Api().PJRT_Error_GetCode(&code) != nullptr) std::abort();
  auto message = PJRT_NEW(PJRT_Error_Message_Args);
  message.error = error;
  Api().PJRT_Error_Message(&message);
  absl::Status status(static_cast<absl::StatusCode>(code.code),
                      absl::string_view(message.message, message.message_size));
  auto destroy = PJRT_NEW(PJRT_Error_Destroy_Args);
  destroy.error = error;
  Api().PJRT_Error_Destroy(&destroy);
  return status;
}

namespace {

// Checks calls that must not fail.
void Must(PJRT_Error* error) {
  absl::Status status = Take(error);
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  std::abort();
}

}  // namespace

Event::~Event() {
  if (event_ == nullptr) return;
  auto args = PJRT_NEW(PJRT_Event_Destroy_Args);
  args.event = event_;
  Must(Api().PJRT_Event_Destroy(&args));
}

bool Event::IsReady() const {
  auto args = PJRT_NEW(PJRT_Event_IsReady_Args);
  args.event = event_;
  Must(Api().PJRT_Event_IsReady(&args));
  return args.is_ready;
}

absl::Status Event::Await() const {
  auto args = PJRT_NEW(PJRT_Event_Await_Args);
  args.event = event_;
  return Take(Api().PJRT_Event_Await(&args));
}

Array::~Array() {
  if (buffer_ == nullptr) return;
  auto args = PJRT_NEW(PJRT_Buffer_Destroy_Args);
  args.buffer = buffer_;
  Must(Api().PJRT_Buffer_Destroy(&args));
}

bool Array::IsDeleted() const {
  auto args = PJRT_NEW(PJRT_Buffer_IsDeleted_Args);
  args.buffer = buffer_;
  Must(Api().PJRT_Buffer_IsDeleted(&args));
  return args.is_deleted;
}

Event Array::Ready() const {
  auto args = PJRT_NEW(PJRT_Buffer_ReadyEvent_Args);
  args.buffer = buffer_;
  Must(Api().PJRT_Buffer_ReadyEvent(&args));
  return Event(args.event);
}

std::vector<int64_t> Array::Dims() const {
  auto args = PJRT_NEW(PJRT_Buffer_Dimensions_Args);
  args.buffer = buffer_;
  Must(Api().PJRT_Buffer_Dimensions(&args));
  return std::vector<int64_t>(args.dims, args.dims + args.num_dims);
}

PJRT_Buffer_Type Array::Type() const {
  auto args = PJRT_NEW(PJRT_Buffer_ElementType_Args);
  args.buffer = buffer_;
  Must(Api().PJRT_Buffer_ElementType(&args));
  return args.type;
}

absl::Status Array::ToHost(void* data, size_t bytes, PJRT_Buffer_MemoryLayout* layout) const {
  auto args = PJRT_NEW(PJRT_Buffer_ToHostBuffer_Args);
  args.src = buffer_;
  args.host_layout = layout;
  // A vector without elements has no address, but a null `dst` would ask for the size.
  args.dst = bytes == 0 ? &args : data;
  args.dst_size = bytes;
  if (absl::Status s = Take(Api().PJRT_Buffer_ToHostBuffer(&args)); !s.ok()) return s;
  return Event(args.event).Await();
}

Loaded::~Loaded() {
  if (executable_ == nullptr) return;
  auto args = PJRT_NEW(PJRT_LoadedExecutable_Destroy_Args);
  args.executable = executable_;
  Must(Api().PJRT_LoadedExecutable_Destroy(&args));
}

namespace {

// The other handle of the program.
class Executable {
 public:
  explicit Executable(PJRT_LoadedExecutable* loaded) {
    auto args = PJRT_NEW(PJRT_LoadedExecutable_GetExecutable_Args);
    args.loaded_executable = loaded;
    Must(Api().PJRT_LoadedExecutable_GetExecutable(&args));
    executable_ = args.executable;
  }
  ~Executable() {
    auto args = PJRT_NEW(PJRT_Executable_Destroy_Args);
    args.executable = executable_;
    Must(Api().PJRT_Executable_Destroy(&args));
  }
  PJRT_Executable* get() const { return executable_; }

 private:
  PJRT_Executable* executable_;
};

}  // namespace

absl::StatusOr<Executed> Loaded::Execute(const std::vector<const Array*>& arguments,
                                         const std::vector<int64_t>& keep) const {
  auto count = PJRT_NEW(PJRT_Executable_NumOutputs_Args);
  {
    const Executable executable(executable_);
    count.executable = executable.get();
    Must(Api().PJRT_Executable_NumOutputs(&count));
  }
  std::vector<PJRT_Buffer*> in, out(count.num_outputs, nullptr);
  for (const Array* argument : arguments) in.push_back(argument->get());
  PJRT_Buffer* const* in_list = in.data();
  PJRT_Buffer** out_list = out.data();
  PJRT_Event* done = nullptr;
  auto options = PJRT_NEW(PJRT_ExecuteOptions);
  options.non_donatable_input_indices = keep.data();
  options.num_non_donatable_input_indices = keep.size();
  auto args = PJRT_NEW(PJRT_LoadedExecutable_Execute_Args);
  args.executable = executable_;
  args.options = &options;
  args.argument_lists = &in_list;
  args.num_devices = 1;
  args.num_args = in.size();
  args.output_lists = &out_list;
  args.device_complete_events = &done;
  if (absl::Status s = Take(Api().PJRT_LoadedExecutable_Execute(&args)); !s.ok()) return s;
  Executed executed;
  for (PJRT_Buffer* buffer : out) executed.results.emplace_back(buffer);
  executed.done.emplace_back(done);
  return executed;
}

absl::StatusOr<std::string> Loaded::Serialize() const {
  const Executable executable(executable_);
  auto args = PJRT_NEW(PJRT_Executable_Serialize_Args);
  args.executable = executable.get();
  if (absl::Status s = Take(Api().PJRT_Executable_Serialize(&args)); !s.ok()) return s;
  std::string bytes(args.serialized_bytes, args.serialized_bytes_size);
  args.serialized_executable_deleter(args.serialized_executable);
  return bytes;
}

std::string Loaded::Text() const {
  const Executable executable(executable_);
  auto program = PJRT_NEW(PJRT_Program);
  auto args = PJRT_NEW(PJRT_Executable_OptimizedProgram_Args);
  args.executable = executable.get();
  args.program = &program;
  Must(Api().PJRT_Executable_OptimizedProgram(&args));
  std::string text(program.code_size, '\0');
  program.code = text.data();
  Must(Api().PJRT_Executable_OptimizedProgram(&args));
  return text;
}

absl::StatusOr<std::unique_ptr<Platform>> Platform::Create(
    const std::vector<PJRT_NamedValue>& options) {
  auto args = PJRT_NEW(PJRT_Client_Create_Args);
  args.create_options = options.data();
  args.num_options = options.size();
  if (absl::Status s = Take(Api().PJRT_Client_Create(&args)); !s.ok()) return s;
  return std::unique_ptr<Platform>(new Platform(args.client));
}

Platform::~Platform() {
  auto args = PJRT_NEW(PJRT_Client_Destroy_Args);
  args.client = client_;
  Must(Api().PJRT_Client_Destroy(&args));
}

PJRT_Memory* Platform::memory() const {
  auto args = PJRT_NEW(PJRT_Client_AddressableMemories_Args);
  args.client = client_;
  Must(Api().PJRT_Client_AddressableMemories(&args));
  return args.addressable_memories[0];
}

absl::StatusOr<Loaded> Platform::Compile(const std::string& text, const std::string& options,
                                         const std::string& format) const {
  std::string code = text;
  auto program = PJRT_NEW(PJRT_Program);
  program.code = code.data();
  program.code_size = code.size();
  program.format = format.data();
  program.format_size = format.size();
  auto args = PJRT_NEW(PJRT_Client_Compile_Args);
  args.client = client_;
  args.program = &program;
  args.compile_options = options.data();
  args.compile_options_size = options.size();
  if (absl::Status s = Take(Api().PJRT_Client_Compile(&args)); !s.ok()) return s;
  return Loaded(args.executable);
}

absl::StatusOr<Loaded> Platform::Deserialize(const std::string& bytes) const {
  auto args = PJRT_NEW(PJRT_Executable_DeserializeAndLoad_Args);
  args.client = client_;
  args.serialized_executable = bytes.data();
  args.serialized_executable_size = bytes.size();
  if (absl::Status s = Take(Api().PJRT_Executable_DeserializeAndLoad(&args)); !s.ok()) return s;
  return Loaded(args.loaded_executable);
}

absl::StatusOr<Array> Platform::FromHost(const HostArray& array, std::vector<Event>* done) const {
  auto args = PJRT_NEW(PJRT_Client_BufferFromHostBuffer_Args);
  args.client = client_;
  args.data = array.data;
  std::memcpy(&args.type, &array.type, sizeof args.type);
  args.dims = array.dims.data();
  args.num_dims = array.dims.size();
  args.byte_strides = array.byte_strides.data();
  args.num_byte_strides = array.byte_strides.size();
  args.host_buffer_semantics = array.semantics;
  args.memory = memory();
  if (absl::Status s = Take(Api().PJRT_Client_BufferFromHostBuffer(&args)); !s.ok()) return s;
  Event event(args.done_with_host_buffer);
  if (done != nullptr) done->push_back(std::move(event));
  return Array(args.buffer);
}

int64_t Platform::BytesInUse() const {
  auto devices = PJRT_NEW(PJRT_Client_Devices_Args);
  devices.client = client_;
  Must(Api().PJRT_Client_Devices(&devices));
  auto args = PJRT_NEW(PJRT_Device_MemoryStats_Args);
  args.device = devices.devices[0];
  Must(Api().PJRT_Device_MemoryStats(&args));
  return args.bytes_in_use;
}

PJRT_NamedValue StringOption(const char* name, const char* value) {
  auto option = PJRT_NEW(PJRT_NamedValue);
  option.name = name;
  option.name_size = std::strlen(name);
  option.type = PJRT_NamedValue_kString;
  option.string_value = value;
  option.value_size = std::strlen(value);
  return option;
}

PJRT_NamedValue IntOption(const char* name, int64_t value) {
  auto option = PJRT_NEW(PJRT_NamedValue);
  option.name = name;
  option.name_size = std::strlen(name);
  option.type = PJRT_NamedValue_kInt64;
  option.int64_value = value;
  option.value_size = 1;
  return option;
}

}  // namespace halyard::testing
