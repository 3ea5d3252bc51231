// Comparators that order by keys. A sort may then work faster than by calling the comparator.
#ifndef HALYARD_FRONTEND_HLO_IR_SORT_ORDER_H_
#define HALYARD_FRONTEND_HLO_IR_SORT_ORDER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/hlo/ir/module.h"

namespace halyard::hlo {

// One key: elements with a smaller value come first, or those with a larger one.
struct SortKey {
  // In the comparator: a scalar of a real type, made elementwise from parameters 0, 2, 4 … only.
  const Instruction* value = nullptr;
  bool descending = false;
  // If true, floats are in totalOrder's order. Otherwise, they are ordered as numbers: -0 and +0
  // are equal, and NaNs, which no comparison orders, are all equal and greater than any number.
  bool total_order = false;
};

// Returns the keys by which `comparator` (of a sort, with parameters a0, b0, a1, b1, …) orders; the
// first key decides before the second. It recognises compare(f(a…), f(b…)) by LT, GT, LE or GE with
// the same f on both sides, where LE and GE order as LT and GT do. For several keys, it recognises
// the forms
//   less0 or (equal0 and less1),   select(equal0, less1, less0).
// Empty for any other comparator.
std::vector<SortKey> SortKeysOf(const Computation& comparator);

// Returns whether the bits of a float type, as a sign and a magnitude, are in totalOrder's order,
// which tells NaNs apart: signalling ones are nearer to infinity than quiet ones. No conversion may
// come before such an order, since conversions make NaNs quiet. Other types have one NaN at most of
// each sign.
bool BitsAreOrdered(ElementType float_type);

// Returns for each element of an array of a real type an unsigned number in the order of an
// ascending SortKey. topk orders floats in totalOrder's order.
std::vector<uint64_t> OrderedBits(const Literal& values, bool total_order);

struct TopK {
  int64_t k = 0;
  bool largest = true;
};
// Returns what `inst` takes of its operand's lines, if it is a topk (which takes the largest unless
// it says otherwise) or XLA's custom call "TopK": (values, s32 positions), with a comparator that
// says which come first.
std::optional<TopK> TopKOf(const Instruction& inst);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_IR_SORT_ORDER_H_
