// What a custom call of the form that tells types and shapes is called with.
#ifndef HALYARD_RUNTIME_EXECUTE_TYPED_CALL_H_
#define HALYARD_RUNTIME_EXECUTE_TYPED_CALL_H_

#include <stdint.h>

#include "runtime/execute/context.h"
#include "runtime/program/program.h"

namespace halyard::runtime {

// As hy_value (c_api/halyard_rt.h).
struct CallValue {
  const char* name;          // ""
  const char* element_type;  // "" if the program does not tell
  int rank;                  // -1 if the program does not tell
  const int64_t* dims;
  const int64_t* minor_to_major;  // null
  uint64_t bytes;
};

struct TypedCall {
  const CustomCall* function;
  const char* name;
  ByteSpan config;
  uint32_t num_operands, num_results;
  const CallValue* operands;
  const CallValue* results;
  const void* const* in;
  void* const* out;
};

// Describes each slice of a custom call.
void DescribeCall(const Program& program, const program_format::StepRecord& step,
                  CallValue* values);

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_EXECUTE_TYPED_CALL_H_
