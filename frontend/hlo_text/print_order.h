// The order in which computations and instructions are printed.
#ifndef HALYARD_FRONTEND_HLO_TEXT_PRINT_ORDER_H_
#define HALYARD_FRONTEND_HLO_TEXT_PRINT_ORDER_H_

#include <vector>

#include "frontend/hlo/ir/module.h"

namespace halyard::hlo_text {

// Returns callees before callers, and the entry last. If canonical, returns only those that the
// entry reaches, in an order that depends on the graph alone and not on how the module lists them.
std::vector<const hlo::Computation*> ComputationOrder(const hlo::Module& module, bool canonical);

// Returns operands before users. If canonical, the order is parameters by number, then what the
// root needs, depth first by operand number, then other side effects and what they need; dead
// instructions are left out. Otherwise, it is the computation's own order.
std::vector<const hlo::Instruction*> InstructionOrder(const hlo::Computation& computation,
                                                      bool canonical);

}  // namespace halyard::hlo_text

#endif  // HALYARD_FRONTEND_HLO_TEXT_PRINT_ORDER_H_
