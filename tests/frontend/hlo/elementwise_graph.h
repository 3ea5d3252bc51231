// Evaluates one elementwise op.
#ifndef HALYARD_TESTS_FRONTEND_HLO_ELEMENTWISE_GRAPH_H_
#define HALYARD_TESTS_FRONTEND_HLO_ELEMENTWISE_GRAPH_H_

#include <limits>

#include "tests/frontend/hlo/graph_builder.h"

namespace halyard::hlo {

const double kInf = std::numeric_limits<double>::infinity();

inline Literal FromBits(ElementType type, std::vector<uint64_t> bits) {
  Literal literal(Shape::Array(type, {static_cast<int64_t>(bits.size())}));
  for (size_t i = 0; i < bits.size(); ++i) literal.SetBits(i, bits[i]);
  return literal;
}

}  // namespace halyard::hlo

#endif  // HALYARD_TESTS_FRONTEND_HLO_ELEMENTWISE_GRAPH_H_
