// Errors that name the instruction and its place in the program.
#ifndef HALYARD_FRONTEND_HLO_IR_LOCATED_ERROR_H_
#define HALYARD_FRONTEND_HLO_IR_LOCATED_ERROR_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo {

// "OP NAME (PLACE)", without the place if it is not known.
std::string Named(const Instruction& inst);

// Returns an error "PLACE: error: OP NAME: WHAT", without the place if it is not known.
absl::Status LocatedError(absl::StatusCode code, const Instruction& inst, absl::string_view what);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_IR_LOCATED_ERROR_H_
