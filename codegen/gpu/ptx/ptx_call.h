// Calls of device intrinsics in Halide's PTX, as LLVM prints them.
#ifndef HALYARD_CODEGEN_GPU_PTX_PTX_CALL_H_
#define HALYARD_CODEGEN_GPU_PTX_PTX_CALL_H_

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard::lowering::gpu {

// A call sequence, from "{ // callseq" to "} // callseq".
struct PtxCall {
  std::string function;
  std::vector<std::string> arguments;  // registers or constants
  std::string result;
  size_t first_line = 0, last_line = 0;
};

// Reads the call that begins at `lines[begin]`. Returns nullopt if it does not call an intrinsic.
absl::StatusOr<std::optional<PtxCall>> ReadPtxCall(const std::vector<absl::string_view>& lines,
                                                   size_t begin);

// The error for text that is not as LLVM prints it. `line` counts from 0.
absl::Status MalformedPtx(size_t line, absl::string_view what);

// Returns the line without its comment and the space around it.
absl::string_view WithoutComment(absl::string_view line);

bool IsRegister(absl::string_view operand);

// Returns the registers that a line names.
std::set<std::string> RegistersOf(absl::string_view line);

}  // namespace halyard::lowering::gpu

#endif  // HALYARD_CODEGEN_GPU_PTX_PTX_CALL_H_
