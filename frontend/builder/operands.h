// Lists of operands, for xla_builder_*.cc.
#ifndef HALYARD_FRONTEND_BUILDER_OPERANDS_H_
#define HALYARD_FRONTEND_BUILDER_OPERANDS_H_

#include <vector>

#include "absl/types/span.h"
#include "frontend/builder/xla_builder.h"

namespace halyard {

inline std::vector<XlaOp> Joined(absl::Span<const XlaOp> first, absl::Span<const XlaOp> second) {
  std::vector<XlaOp> all(first.begin(), first.end());
  all.insert(all.end(), second.begin(), second.end());
  return all;
}

}  // namespace halyard

#endif  // HALYARD_FRONTEND_BUILDER_OPERANDS_H_
