// Keys of sorts as unsigned integers in the order of the keys, made with HLO ops.
#ifndef HALYARD_LOWERING_PLAN_EXPAND_SORT_KEYS_H_
#define HALYARD_LOWERING_PLAN_EXPAND_SORT_KEYS_H_

#include <vector>

#include "frontend/hlo/ir/sort_order.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {

// U32 or U64 numbers below 2^bits.
struct OrderedKey {
  hlo::Instruction* value = nullptr;
  int64_t bits = 0;
};

// Returns the key of each element of `value`, an array of a real type, which takes the place of
// key.value.
OrderedKey AddOrderedKey(Rewriter& rewriter, const hlo::Instruction& source,
                         hlo::Instruction* value, const hlo::SortKey& key);

// Copies the instructions from which `value`, of a sort's comparator, is computed to where
// `operands` are. Each of the sort's operands (scalars or arrays, all of the same dimensions)
// stands for the first of its two parameters.
hlo::Instruction* AddKeyValue(Rewriter& rewriter, const hlo::Instruction& source,
                              const hlo::Instruction* value,
                              const std::vector<hlo::Instruction*>& operands);

// Returns the operands of the sort from which `value` is computed.
std::vector<int64_t> OperandsOf(const hlo::Instruction* value);

// A constant of the type, broadcast to these dimensions.
hlo::Instruction* AddSplat(Rewriter& rewriter, const hlo::Instruction& source,
                           hlo::ElementType type, double value, const std::vector<int64_t>& dims);
hlo::Instruction* AddSplatBits(Rewriter& rewriter, const hlo::Instruction& source,
                               hlo::ElementType type, uint64_t value,
                               const std::vector<int64_t>& dims);
hlo::Instruction* AddCompare(Rewriter& rewriter, const hlo::Instruction& source,
                             const std::string& direction, hlo::Instruction* a,
                             hlo::Instruction* b);
hlo::Instruction* AddBinary(Rewriter& rewriter, const hlo::Instruction& source, hlo::Opcode opcode,
                            hlo::Instruction* a, hlo::Instruction* b);
hlo::Instruction* AddConvert(Rewriter& rewriter, const hlo::Instruction& source,
                             hlo::Instruction* value, hlo::ElementType type);
// results[l, i] = operand[l, index[l, i]], for matrices with the same number of rows. index is S32.
hlo::Instruction* AddTakeAlong(Rewriter& rewriter, const hlo::Instruction& source,
                               hlo::Instruction* operand, hlo::Instruction* index);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_EXPAND_SORT_KEYS_H_
