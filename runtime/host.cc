#include "runtime/host.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace halyard::runtime {
namespace {

constexpr Host kNoHost{};
__thread const Host* current_host = nullptr;

// Lies before each piece of memory. `offset` is the distance to the memory that the allocator gave.
struct HeapHeader {
  void* user;
  uint64_t bytes;  // that the allocator gave
  uint32_t offset, alignment;
  void (*free)(void* user, void* memory, size_t bytes, size_t alignment);  // null: C library
};
constexpr size_t kHeader = sizeof(HeapHeader);
static_assert(kHeader == 32);
constexpr size_t kAlignment = 16;

HeapHeader* HeaderOf(void* memory) {
  return reinterpret_cast<HeapHeader*>(static_cast<uint8_t*>(memory) - kHeader);
}

}  // namespace

HostScope::HostScope(const Host* host) : outer_(current_host) { current_host = host; }
HostScope::~HostScope() { current_host = outer_; }

const Host& CurrentHost() { return current_host == nullptr ? kNoHost : *current_host; }

void Log(LogLevel level, const char* format, ...) {
  const Host& host = CurrentHost();
  if (host.log == nullptr) return;
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof(line), format, arguments);
  va_end(arguments);
  host.log(host.user, static_cast<int>(level), line);
}

void* HeapAllocateAligned(size_t alignment, size_t bytes) {
  if (alignment < kAlignment) alignment = kAlignment;
  const size_t offset = alignment < kHeader ? kHeader : alignment;
  if (bytes > SIZE_MAX / 2 - 2 * offset) return nullptr;
  size_t whole = offset + bytes;
  const Allocator& allocator = CurrentHost().allocator;
  void* given = nullptr;
  if (allocator.is_given()) {
    given = allocator.allocate(allocator.user, whole, alignment);
  } else if (alignment == kAlignment) {
    given = malloc(whole);
  } else {
    whole = (whole + alignment - 1) / alignment * alignment;
    given = aligned_alloc(alignment, whole);
  }
  if (given == nullptr) return nullptr;
  void* memory = static_cast<uint8_t*>(given) + offset;
  *HeaderOf(memory) = {allocator.user, whole, static_cast<uint32_t>(offset),
                       static_cast<uint32_t>(alignment), allocator.free};
  return memory;
}

void* HeapAllocate(size_t bytes) { return HeapAllocateAligned(kAlignment, bytes); }

void* HeapAllocateZeroed(size_t count, size_t bytes) {
  if (bytes != 0 && count > SIZE_MAX / bytes) return nullptr;
  void* memory = HeapAllocate(count * bytes);
  if (memory != nullptr) memset(memory, 0, count * bytes);
  return memory;
}

void* HeapReallocate(void* memory, size_t bytes) {
  void* moved = HeapAllocate(bytes);
  if (moved == nullptr || memory == nullptr) return moved;
  const HeapHeader* header = HeaderOf(memory);
  const size_t old = header->bytes - header->offset;
  memcpy(moved, memory, old < bytes ? old : bytes);
  HeapFree(memory);
  return moved;
}

void HeapFree(void* memory) {
  if (memory == nullptr) return;
  const HeapHeader header = *HeaderOf(memory);
  void* given = static_cast<uint8_t*>(memory) - header.offset;
  if (header.free == nullptr) {
    free(given);
  } else {
    header.free(header.user, given, header.bytes, header.alignment);
  }
}

}  // namespace halyard::runtime
