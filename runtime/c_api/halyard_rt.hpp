// Halyard's runtime for C++17: owners and views over halyard_rt.h, whose comments say what each
// function does. Header-only, without exceptions and RTTI. Owners free what they hold, move, and do
// not copy. A default-made or moved-from owner holds nothing, and its functions give what the C API
// gives for NULL.
#ifndef HALYARD_RT_HPP_
#define HALYARD_RT_HPP_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "halyard_rt.h"

namespace hy {

// A view of `size` elements that somebody else owns. Arrays and containers with data() and size()
// become views by themselves.
template <typename T>
class Span {
 public:
  constexpr Span() = default;
  constexpr Span(T* data, std::size_t size) : data_(data), size_(size) {}
  template <std::size_t N>
  constexpr Span(T (&array)[N]) : data_(array), size_(N) {}  // NOLINT: implicit
  template <typename C, typename = decltype(static_cast<T*>(std::declval<C&>().data())),
            typename = decltype(static_cast<std::size_t>(std::declval<C&>().size()))>
  constexpr Span(C&& container)  // NOLINT: implicit
      : data_(container.data()), size_(container.size()) {}
  constexpr T* data() const { return data_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size_; }
  constexpr T& operator[](std::size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

template <typename T>
constexpr std::uint64_t BytesOf(Span<T> view) {
  return std::uint64_t{view.size()} * sizeof(T);
}

// The outcome of a call. It is OK if nothing is held.
class [[nodiscard]] Status {
 public:
  Status() = default;
  explicit Status(hy_status status) : status_(status) {}
  Status(int code, const char* message) : status_(hy_status_new(code, message)) {}
  Status(Status&& other) noexcept : status_(other.release()) {}
  Status& operator=(Status&& other) noexcept {
    hy_status taken = other.release();
    hy_status_free(status_);
    status_ = taken;
    return *this;
  }
  ~Status() { hy_status_free(status_); }
  bool ok() const { return status_ == nullptr; }
  int code() const { return hy_status_code(status_); }
  const char* message() const { return hy_status_message(status_); }
  hy_status release() { return std::exchange(status_, nullptr); }

 private:
  hy_status status_ = nullptr;
};

// A value, or the error that is the reason why there is none. `*` needs ok().
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(Status error) : status_(std::move(error)) {}  // NOLINT: implicit
  Result(T value) : value_(std::move(value)) {}        // NOLINT: implicit
  bool ok() const { return status_.ok(); }
  explicit operator bool() const { return ok(); }
  const Status& status() const { return status_; }
  Status take_status() { return std::move(status_); }
  T& operator*() & { return value_; }
  T&& operator*() && { return std::move(value_); }
  T* operator->() { return &value_; }

 private:
  Status status_;
  T value_;
};

// Returns options with everything 0 but their size.
template <typename Options>
Options Init() {
  Options options;
  std::memset(&options, 0, sizeof(options));
  options.struct_size = sizeof(options);
  return options;
}

// Holds a handle of the C API, which `Free` frees.
template <typename Handle, void (*Free)(Handle*)>
class Owner {
 public:
  Owner() = default;
  explicit Owner(Handle* handle) : handle_(handle) {}
  Owner(Owner&& other) noexcept : handle_(other.release()) {}
  Owner& operator=(Owner&& other) noexcept {
    Handle* taken = other.release();
    Free(handle_);
    handle_ = taken;
    return *this;
  }
  ~Owner() { Free(handle_); }
  Handle* get() const { return handle_; }
  explicit operator bool() const { return handle_ != nullptr; }
  Handle* release() { return std::exchange(handle_, nullptr); }

 private:
  Handle* handle_ = nullptr;
};

// Ends runs early, see hy_cancel.
class Cancel {
 public:
  Cancel() = default;
  Cancel(const Cancel&) = delete;
  Cancel& operator=(const Cancel&) = delete;
  void Request() { hy_cancel_request(&cancel_); }
  const hy_cancel* get() const { return &cancel_; }

 private:
  hy_cancel cancel_ = {0};
};

class Device : public Owner<hy_device, hy_device_close> {
 public:
  using Owner::Owner;
  static Result<Device> Open(const hy_device_options& options) {
    hy_device* device = nullptr;
    Status status(hy_device_open_with(&options, &device));
    return status.ok() ? Result<Device>(Device(device)) : Result<Device>(std::move(status));
  }
  static Result<Device> Open(const char* kind, int index = 0, int threads = 0) {
    hy_device_options options = Init<hy_device_options>();
    options.kind = kind;
    options.index = index;
    options.threads = threads;
    return Open(options);
  }
  const char* kind() const { return hy_device_kind(get()); }
  const char* name() const { return hy_device_name(get()); }
  int threads() const { return hy_device_threads(get()); }
  Status Register(const char* name, hy_call_function function, void* user = nullptr) {
    return Status(hy_device_register_call(get(), name, function, user));
  }
};

class Buffer : public Owner<hy_buffer, hy_buffer_free> {
 public:
  using Owner::Owner;
  static Result<Buffer> New(const Device& device, std::uint64_t bytes) {
    hy_buffer* buffer = nullptr;
    return Made(hy_buffer_new(device.get(), bytes, &buffer), &buffer);
  }
  template <typename T>
  static Result<Buffer> From(const Device& device, Span<const T> data) {
    hy_buffer* buffer = nullptr;
    return Made(hy_buffer_from_host(device.get(), data.data(), data.size() * sizeof(T), &buffer),
                &buffer);
  }
  static Result<Buffer> Wrap(const Device& device, const hy_memory& memory) {
    hy_buffer* buffer = nullptr;
    return Made(hy_buffer_wrap(device.get(), &memory, &buffer), &buffer);
  }
  std::uint64_t bytes() const { return hy_buffer_bytes(get()); }
  bool ready() const { return hy_buffer_is_ready(get()) != 0; }
  Status Wait() const { return Status(hy_buffer_wait(get())); }
  template <typename T>
  Status Read(Span<T> data) const {
    return Status(hy_buffer_to_host(get(), data.data(), data.size() * sizeof(T)));
  }
  template <typename T>
  Status Write(Span<const T> data) {
    return Status(hy_buffer_write(get(), data.data(), data.size() * sizeof(T)));
  }

 private:
  static Result<Buffer> Made(hy_status made, hy_buffer** buffer) {
    Status status(made);
    return status.ok() ? Result<Buffer>(Buffer(*buffer)) : Result<Buffer>(std::move(status));
  }
};

// Calls `done`, which takes a Status, once, and destroys it.
template <typename Done>
void CallAndDestroy(void* user, hy_status status) {
  Done* done = static_cast<Done*>(user);
  (*done)(Status(status));
  delete done;
}

// Starts hy_run_async with a callable, such as a lambda, that takes a Status. It is kept on the
// heap until it has been called.
template <typename Done>
Status RunAsync(hy_program* program, const hy_run_options* options, const void* const* arguments,
                void* const* results, Done done) {
  Done* kept = new (std::nothrow) Done(std::move(done));
  if (kept == nullptr) return Status(HY_RESOURCE_EXHAUSTED, "no memory for a callback");
  hy_status status =
      hy_run_async(program, options, arguments, results, &CallAndDestroy<Done>, kept);
  if (status != nullptr) delete kept;
  return Status(status);
}

class Program : public Owner<hy_program, hy_program_free> {
 public:
  using Owner::Owner;
  static Result<Program> Load(const Device& device, const char* path) {
    hy_program* program = nullptr;
    return Made(hy_program_load_file(device.get(), path, &program), &program);
  }
  // `bytes` are copied.
  static Result<Program> Load(const Device& device, Span<const unsigned char> bytes) {
    hy_program* program = nullptr;
    return Made(hy_program_load_memory(device.get(), bytes.data(), bytes.size(), 1, &program),
                &program);
  }
  static Result<Program> Choose(const char* path, const hy_choose_options* options = nullptr) {
    hy_program* program = nullptr;
    return Made(hy_program_choose_file(path, options, &program), &program);
  }
  static Result<Program> Choose(const hy_linked_program& linked,
                                const hy_choose_options* options = nullptr) {
    hy_program* program = nullptr;
    return Made(hy_program_choose_linked(&linked, options, &program), &program);
  }
  const char* name() const { return hy_program_name(get()); }
  const char* target() const { return hy_program_target(get()); }
  const char* choice() const { return hy_program_choice(get()); }
  int num_arguments() const { return hy_program_num_arguments(get()); }
  int num_results() const { return hy_program_num_results(get()); }
  std::uint64_t temporary_bytes() const { return hy_program_temporary_bytes(get()); }
  Status Verify() const { return Status(hy_program_verify(get())); }
  // One pointer for each argument and result, as for hy_run.
  Status Run(Span<const void* const> arguments, Span<void* const> results,
             const hy_run_options* options = nullptr) {
    Status status = CheckCounts(arguments.size(), results.size());
    if (!status.ok()) return status;
    return Status(hy_run_with(get(), options, arguments.data(), results.data()));
  }
  template <typename Done>
  Status RunAsync(Span<const void* const> arguments, Span<void* const> results, Done done,
                  const hy_run_options* options = nullptr) {
    Status status = CheckCounts(arguments.size(), results.size());
    if (!status.ok()) return status;
    return hy::RunAsync(get(), options, arguments.data(), results.data(), std::move(done));
  }

 private:
  static Result<Program> Made(hy_status made, hy_program** program) {
    Status status(made);
    return status.ok() ? Result<Program>(Program(*program)) : Result<Program>(std::move(status));
  }
  Status CheckCounts(std::size_t arguments, std::size_t results) const {
    const bool right = arguments == static_cast<std::size_t>(num_arguments()) &&
                       results == static_cast<std::size_t>(num_results());
    return right ? Status() : Status(HY_INVALID_ARGUMENT, "wrong number of arguments or results");
  }
};

}  // namespace hy

#endif  // HALYARD_RT_HPP_
