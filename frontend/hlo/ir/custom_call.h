// Custom calls whose meaning everybody knows.
#ifndef HALYARD_FRONTEND_HLO_IR_CUSTOM_CALL_H_
#define HALYARD_FRONTEND_HLO_IR_CUSTOM_CALL_H_

#include "frontend/hlo/ir/module.h"

namespace halyard::hlo {

// Returns whether it is an annotation for partitioners and the like, which leaves its one operand
// as it is. One of them asks for a layout in memory, which arrays here do not have.
bool IsAnnotation(const Instruction& custom_call);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_IR_CUSTOM_CALL_H_
