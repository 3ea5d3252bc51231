// The checks of the C API before it uses an application's pointers and values.
#ifndef HALYARD_RUNTIME_C_API_ARGUMENT_CHECKS_H_
#define HALYARD_RUNTIME_C_API_ARGUMENT_CHECKS_H_

#include <stddef.h>
#include <stdint.h>

#include "runtime/execute/context.h"
#include "runtime/program/program.h"
#include "runtime/status.h"

namespace halyard::runtime {

// Returns whether x86 can use an array at this address in place.
inline bool AtHostAlignment(const void* data) {
  return data != nullptr && reinterpret_cast<uintptr_t>(data) % Context::kHostAlignment == 0;
}

inline bool ArraysOverlap(const void* a, uint64_t a_bytes, const void* b, uint64_t b_bytes) {
  const auto first = reinterpret_cast<uintptr_t>(a), second = reinterpret_cast<uintptr_t>(b);
  if (a_bytes == 0 || b_bytes == 0) return false;
  return first < second ? second - first < a_bytes : first - second < b_bytes;
}

// The arrays that a run takes, arguments first. The functions get `of`.
struct RunArrays {
  const void* of;
  uint32_t num_arguments, num_results;
  uint64_t (*bytes)(const void* of, uint32_t index);
  const char* (*name)(const void* of, uint32_t index);
};

// Returns kInvalidArgument if an array is missing, or if the memory of a result overlaps that of
// another result or of an argument. arguments[i] and results[i] must have the sizes that `arrays`
// states. Arguments may share memory.
Status CheckMemory(const RunArrays& arrays, const void* const* arguments, void* const* results);
// With the sizes that the program states.
Status CheckMemory(const Program& program, const void* const* arguments, void* const* results);

// Returns kInvalidArgument if an element of argument `index`, at `data` in the CPU's memory, holds
// a value that its type does not have: a pred other than 0 and 1, or a number that does not fit a
// type of less than 8 bits. Kernels rely on values of the type.
Status CheckElements(const Program& program, uint32_t index, const void* data);
// As above, of an array of `bytes` bytes, which a run may have instead of what the program states.
Status CheckElements(const Program& program, uint32_t index, const void* data, uint64_t bytes);

// Returns the index of the first of `bytes` elements that is not a value of this type, which takes
// a byte, or -1. Sets `*value` to the element.
int64_t FindWrongElement(const char* type, const void* data, int64_t bytes, int* value);

// Copies an application's options, a struct `name` that begins with its own size, to the `size`
// bytes at `options`. Fields that the application's version of the struct lacks become 0, and all
// if `given` is null. Returns kInvalidArgument if it has other fields that are not 0, or an
// impossible size.
Status ReadOptions(const void* given, const char* name, void* options, size_t size);

// Copies `options`, whose struct ReadOptions has accepted, to the application's struct, as far as
// that reaches. Its size stays.
template <typename Options>
void WriteOptions(const Options& options, Options* given) {
  const size_t size = given->struct_size < sizeof(options) ? given->struct_size : sizeof(options);
  Options copy = options;
  copy.struct_size = given->struct_size;
  __builtin_memcpy(static_cast<void*>(given), &copy, size);
}

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_C_API_ARGUMENT_CHECKS_H_
