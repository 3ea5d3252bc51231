// Custom calls that mean something to everybody.
#ifndef HALYARD_FRONTEND_HLO_CUSTOM_CALL_H_
#define HALYARD_FRONTEND_HLO_CUSTOM_CALL_H_

#include "frontend/hlo/module.h"

namespace halyard::hlo {

// A custom call that is an annotation of partitioners and the like, and leaves its one operand as
// it is.
bool IsAnnotation(const Instruction& custom_call);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_CUSTOM_CALL_H_
