// libhalyard.so as JAX uses it: loads it and drives it only through the C API.
#ifndef HALYARD_TESTS_PJRT_PLUGIN_H_
#define HALYARD_TESTS_PJRT_PLUGIN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/pjrt/c/pjrt_c_api.h"

namespace halyard::testing {

// Loads the library on the first call.
const PJRT_Api& Api();
// Takes ownership of the error.
absl::Status Take(PJRT_Error* error);

// Returns an argument struct that contains its size and otherwise zeros.
template <typename Args>
Args New(size_t size) {
  Args args = {};
  args.struct_size = size;
  return args;
}
#define PJRT_NEW(name) ::halyard::testing::New<name>(name##_STRUCT_SIZE)

class Event {
 public:
  explicit Event(PJRT_Event* event) : event_(event) {}
  Event(Event&& other) : event_(other.event_) { other.event_ = nullptr; }
  ~Event();
  bool IsReady() const;
  absl::Status Await() const;
  PJRT_Event* get() const { return event_; }

 private:
  PJRT_Event* event_;
};

class Array {
 public:
  explicit Array(PJRT_Buffer* buffer) : buffer_(buffer) {}
  Array(Array&& other) : buffer_(other.buffer_) { other.buffer_ = nullptr; }
  ~Array();
  PJRT_Buffer* get() const { return buffer_; }
  bool IsDeleted() const;
  Event Ready() const;
  std::vector<int64_t> Dims() const;
  PJRT_Buffer_Type Type() const;
  // Copies to the host in row-major order, and waits.
  absl::Status ToHost(void* data, size_t bytes, PJRT_Buffer_MemoryLayout* layout = nullptr) const;
  template <typename T>
  absl::StatusOr<std::vector<T>> Values() const {
    size_t count = 1;
    for (int64_t size : Dims()) count *= static_cast<size_t>(size);
    std::vector<T> values(count);
    if (absl::Status s = ToHost(values.data(), count * sizeof(T)); !s.ok()) return s;
    return values;
  }

 private:
  PJRT_Buffer* buffer_;
};

struct Executed {
  std::vector<Array> results;
  std::vector<Event> done;  // exactly one
};

class Loaded {
 public:
  explicit Loaded(PJRT_LoadedExecutable* executable) : executable_(executable) {}
  Loaded(Loaded&& other) : executable_(other.executable_) { other.executable_ = nullptr; }
  ~Loaded();
  PJRT_LoadedExecutable* get() const { return executable_; }
  absl::StatusOr<Executed> Execute(const std::vector<const Array*>& arguments,
                                   const std::vector<int64_t>& keep = {}) const;
  absl::StatusOr<std::string> Serialize() const;
  // Returns the text that PJRT_Executable_OptimizedProgram gives.
  std::string Text() const;

 private:
  PJRT_LoadedExecutable* executable_;
};

// The layout of an array in host memory.
struct HostArray {
  const void* data;
  std::underlying_type_t<PJRT_Buffer_Type> type;  // any number
  std::vector<int64_t> dims;
  std::vector<int64_t> byte_strides;  // row-major if empty
  PJRT_HostBufferSemantics semantics = PJRT_HostBufferSemantics_kImmutableZeroCopy;
};

class Platform {
 public:
  // Creates the platform of $HALYARD_TARGET, with these further options.
  static absl::StatusOr<std::unique_ptr<Platform>> Create(
      const std::vector<PJRT_NamedValue>& options = {});
  ~Platform();
  PJRT_Client* get() const { return client_; }
  PJRT_Memory* memory() const;
  absl::StatusOr<Loaded> Compile(const std::string& text, const std::string& options = "",
                                 const std::string& format = "mlir") const;
  absl::StatusOr<Loaded> Deserialize(const std::string& bytes) const;
  // `done`, if not null, receives the event that the host memory is no longer needed.
  absl::StatusOr<Array> FromHost(const HostArray& array, std::vector<Event>* done = nullptr) const;
  int64_t BytesInUse() const;

 private:
  explicit Platform(PJRT_Client* client) : client_(client) {}
  PJRT_Client* client_;
};

PJRT_NamedValue StringOption(const char* name, const char* value);
PJRT_NamedValue IntOption(const char* name, int64_t value);

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_PJRT_PLUGIN_H_
