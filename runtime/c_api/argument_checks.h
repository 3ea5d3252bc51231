// What the C API refuses before it uses an application's pointers and values.
#ifndef HALYARD_RUNTIME_C_API_ARGUMENT_CHECKS_H_
#define HALYARD_RUNTIME_C_API_ARGUMENT_CHECKS_H_

#include <stdint.h>

#include "runtime/program/program.h"
#include "runtime/status.h"

namespace halyard::runtime {

// Returns kInvalidArgument if an array is missing, or if a result's memory is part of another
// result's or of an argument's: arguments[i] and results[i] have the sizes that the program states.
// Arguments may share memory.
Status CheckMemory(const Program& program, const void* const* arguments, void* const* results);

// Returns kInvalidArgument if an element of argument `index`, at `data` in the CPU's memory, holds
// what its type does not have: a pred other than 0 and 1, or a number that a type of less than 8
// bits cannot hold. Kernels are compiled for values of the type.
Status CheckElements(const Program& program, uint32_t index, const void* data);

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_C_API_ARGUMENT_CHECKS_H_
