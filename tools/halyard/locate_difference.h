// Which instruction makes a program's results differ from the reference's.
#ifndef HALYARD_TOOLS_HALYARD_LOCATE_DIFFERENCE_H_
#define HALYARD_TOOLS_HALYARD_LOCATE_DIFFERENCE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/api/client.h"
#include "tools/halyard/arrays.h"

namespace halyard::tools {

// A sentence that names the first instruction of the entry (calls inlined) whose value is not what
// the evaluator makes of the same operands, with its place. To find it, every instruction is
// compiled as a kernel of its own and its value brought back; so an error is blamed on who makes
// it, not on who shows or amplifies it. If each agrees by itself, the fused program is cut short at
// what flattened result `wrong_result` depends on, to find an instruction that differs while its
// operands agree.
absl::StatusOr<std::string> LocateDifference(Client& client, const hlo::Module& module,
                                             const std::vector<hlo::Literal>& arguments,
                                             int64_t wrong_result, const Tolerance& tolerance);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_LOCATE_DIFFERENCE_H_
