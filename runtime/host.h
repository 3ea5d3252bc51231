// What an application provides to a device, besides threads: memory, and somebody to tell things
// to. Each function of the C API says on its thread for which device it works (HostScope). What is
// allocated then comes from that device's allocator, statuses included.
#ifndef HALYARD_RUNTIME_HOST_H_
#define HALYARD_RUNTIME_HOST_H_

#include <stddef.h>
#include <stdint.h>

namespace halyard::runtime {

// As hy_allocator (c_api/halyard_rt.h). Without functions, it is the C library's.
struct Allocator {
  void* user = nullptr;
  void* (*allocate)(void* user, size_t bytes, size_t alignment) = nullptr;
  void (*free)(void* user, void* memory, size_t bytes, size_t alignment) = nullptr;

  bool is_given() const { return allocate != nullptr; }
};

enum class LogLevel : int { kError = 1, kWarning = 2, kInfo = 3 };

struct Host {
  Allocator allocator;
  void* user = nullptr;  // of the functions below, which may be null
  void (*log)(void* user, int level, const char* line) = nullptr;
  void (*error)(void* user, int code, const char* message) = nullptr;
};

// Makes a host that of the thread while this exists, and then restores the one before.
class HostScope {
 public:
  explicit HostScope(const Host* host);
  ~HostScope();
  HostScope(const HostScope&) = delete;
  HostScope& operator=(const HostScope&) = delete;

 private:
  const Host* outer_;
};
// Returns the thread's host, which is never null. Outside of all scopes, it provides nothing.
const Host& CurrentHost();

// Tells the thread's host a line, at most 1,023 bytes of it.
void Log(LogLevel level, const char* format, ...) __attribute__((format(printf, 2, 3)));

// The heap: memory of the thread's host. HeapFree gives memory back to where it came from, on any
// thread and even after the device is gone. The first three functions return null if there is no
// memory; `bytes` may be 0. Memory lies at multiples of 16 bytes, or of `alignment`, a power of
// two.
void* HeapAllocate(size_t bytes);
void* HeapAllocateZeroed(size_t count, size_t bytes);
void* HeapAllocateAligned(size_t alignment, size_t bytes);
void* HeapReallocate(void* memory, size_t bytes);
void HeapFree(void* memory);  // may be null

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_HOST_H_
