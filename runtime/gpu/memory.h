// Replacements for what free-standing code needs of a standard library: objects on the C heap, a
// growable array, a lock.
#ifndef HALYARD_RUNTIME_GPU_MEMORY_H_
#define HALYARD_RUNTIME_GPU_MEMORY_H_

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <new>  // placement form only: inline, needs no library
#include <type_traits>

#include "runtime/host.h"
#include "runtime/status.h"

namespace halyard::runtime::gpu {

inline Status OutOfHostMemory(const char* what) {
  return MakeStatus(Code::kResourceExhausted, "out of host memory for %s", what);
}

// Returns null when the heap is exhausted.
template <typename T, typename... Args>
T* NewObject(Args&&... args) {
  void* memory = HeapAllocateZeroed(1, sizeof(T));
  return memory == nullptr ? nullptr : new (memory) T(static_cast<Args&&>(args)...);
}

template <typename T>
void DeleteObject(T* object) {
  if (object == nullptr) return;
  object->~T();
  HeapFree(object);
}

// A growable array of plain data. Growth can fail, which Append and Resize report.
template <typename T>
class Array {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  Array() = default;
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { HeapFree(data_); }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

  [[nodiscard]] bool Append(const T& value) {
    if (!Reserve(size_ + 1)) return false;
    data_[size_++] = value;
    return true;
  }
  // New elements are value-initialised.
  [[nodiscard]] bool Resize(size_t size) {
    if (!Reserve(size)) return false;
    for (size_t i = size_; i < size; ++i) data_[i] = T{};
    size_ = size;
    return true;
  }
  [[nodiscard]] bool Insert(size_t position, const T& value) {
    if (!Reserve(size_ + 1)) return false;
    if (size_ > position) {
      memmove(static_cast<void*>(data_ + position + 1), data_ + position,
              (size_ - position) * sizeof(T));
    }
    data_[position] = value;
    ++size_;
    return true;
  }
  void Remove(size_t position) {
    memmove(static_cast<void*>(data_ + position), data_ + position + 1,
            (size_ - position - 1) * sizeof(T));
    --size_;
  }
  void Clear() { size_ = 0; }

 private:
  bool Reserve(size_t size) {
    if (size <= capacity_) return true;
    size_t capacity = capacity_ < 8 ? 8 : capacity_ * 2;
    if (capacity < size) capacity = size;
    void* data = HeapReallocate(static_cast<void*>(data_), capacity * sizeof(T));
    if (data == nullptr) return false;
    data_ = static_cast<T*>(data);
    capacity_ = capacity;
    return true;
  }

  T* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

class Mutex {
 public:
  Mutex() { pthread_mutex_init(&mutex_, nullptr); }
  ~Mutex() { pthread_mutex_destroy(&mutex_); }
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;
  void Lock() { pthread_mutex_lock(&mutex_); }
  void Unlock() { pthread_mutex_unlock(&mutex_); }

 private:
  pthread_mutex_t mutex_;
};

class MutexLock {
 public:
  explicit MutexLock(Mutex* mutex) : mutex_(mutex) { mutex_->Lock(); }
  ~MutexLock() { mutex_->Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex* mutex_;
};

inline uint64_t AlignUp(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

}  // namespace halyard::runtime::gpu

#endif  // HALYARD_RUNTIME_GPU_MEMORY_H_
