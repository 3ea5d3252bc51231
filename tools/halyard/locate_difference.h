// Finds the instruction that makes a program's results differ from the reference's.
#ifndef HALYARD_TOOLS_HALYARD_LOCATE_DIFFERENCE_H_
#define HALYARD_TOOLS_HALYARD_LOCATE_DIFFERENCE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/api/client.h"
#include "tools/halyard/arrays.h"

namespace halyard::tools {

// Returns a sentence that names, with its place, the first instruction of the entry (calls inlined)
// whose value differs from what the evaluator computes from the same operands. To find it, every
// instruction is compiled as a separate kernel and its value is copied back. So the instruction
// that causes an error is named, and not one that shows or amplifies it. If every instruction
// agrees, the fused program is ended early at the values on which flattened result `wrong_result`
// depends, to find an instruction that differs although its operands agree.
absl::StatusOr<std::string> LocateDifference(Client& client, const hlo::Module& module,
                                             const std::vector<hlo::Literal>& arguments,
                                             int64_t wrong_result, const Tolerance& tolerance);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_LOCATE_DIFFERENCE_H_
