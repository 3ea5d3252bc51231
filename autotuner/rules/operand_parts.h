// Says of which parts of its operands an op computes a part of its result.
#ifndef HALYARD_AUTOTUNER_RULES_OPERAND_PARTS_H_
#define HALYARD_AUTOTUNER_RULES_OPERAND_PARTS_H_

#include <list>
#include <optional>
#include <utility>
#include <vector>

#include "frontend/hlo/ir/module.h"

namespace halyard::autotuner {

// The indices of each dimension that are in a part of an array: null stands for all. Of a tuple of
// arrays with the same dimensions, it is the part of each. An empty Part is the whole of any value.
using Part = std::vector<const hlo::Ints*>;

// Returns the part, or an empty one if it is the whole.
Part Canonical(Part part);

// Owns the lists to which parts point.
class IndexLists {
 public:
  const hlo::Ints* Add(hlo::Ints indices) { return &lists_.emplace_back(std::move(indices)); }

 private:
  std::list<hlo::Ints> lists_;
};

struct OperandParts {
  std::vector<Part> operands;
  std::optional<hlo::SliceDims> slice;  // of kSlice: what it takes of the part of its operand
};

// Returns the parts of the operands from which the op, with its attributes as they are (but for
// `slice`), computes `part` of its result, and each element as before. Returns nothing if there are
// none, as for a part of a dimension that the op sorts, or if that is not known of the op.
std::optional<OperandParts> OperandPartsFor(const hlo::Instruction& inst, const Part& part,
                                            IndexLists* lists);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RULES_OPERAND_PARTS_H_
