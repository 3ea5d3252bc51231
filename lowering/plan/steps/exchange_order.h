// Where exchanges begin and end among the steps of a sequence, so that processes do something else
// while the others have not come yet.
#ifndef HALYARD_LOWERING_PLAN_STEPS_EXCHANGE_ORDER_H_
#define HALYARD_LOWERING_PLAN_STEPS_EXCHANGE_ORDER_H_

#include <vector>

#include "frontend/hlo/ir/module.h"
#include "runtime/program/program_spec.h"

namespace halyard::lowering {

// Returns whether the op has no steps of its own: its leaves are those of its operands.
bool IsAlias(hlo::Opcode opcode);

// Moves each exchange of `order`, which holds the instructions of one computation, operands first,
// to where its operands are there. Kernels that read its result come right before their first user,
// because the first of them ends the exchange. An exchange whose operands need the result of
// another one, as the second one of a large all-reduce does, comes right before its first user,
// too, with the kernels that only lead to it.
void OrderExchanges(const hlo::Computation& computation,
                    std::vector<const hlo::Instruction*>* order);

// Makes one step of each exchange that ends right after its beginning.
void JoinExchanges(ProgramSpec* spec);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_STEPS_EXCHANGE_ORDER_H_
