// Shapes for tests of inference, and the error that one op gives.
#ifndef HALYARD_TESTS_FRONTEND_HLO_INFER_ERRORS_H_
#define HALYARD_TESTS_FRONTEND_HLO_INFER_ERRORS_H_

#include "tests/frontend/hlo/graph_builder.h"

namespace halyard::hlo {

inline Shape A(ElementType type, std::vector<int64_t> dims) {
  return Shape::Array(type, std::move(dims));
}
inline Shape F(std::vector<int64_t> dims) { return A(ElementType::kF32, std::move(dims)); }
inline Shape S(std::vector<int64_t> dims) { return A(ElementType::kS32, std::move(dims)); }
inline Shape P(std::vector<int64_t> dims) { return A(ElementType::kPred, std::move(dims)); }
inline AttrMap Dims(Ints dims) { return Attrs({{Attr::kDimensions, dims}}); }
using MakeCalled = std::vector<Computation*> (*)(Graph&);

// Returns the error message, or "" if there is none.
inline std::string Error(Opcode op, std::vector<Shape> operands, AttrMap attrs = {},
                         Shape given = {}, MakeCalled make_called = nullptr) {
  Graph g;
  std::vector<Computation*> called;
  if (make_called != nullptr) called = make_called(g);
  std::vector<Instruction*> parameters;
  for (const Shape& shape : operands) parameters.push_back(g.Param(shape));
  return std::string(g.Infer(op, parameters, std::move(attrs), called, given).status().message());
}

// Returns the label before the colon.
inline std::string Label(const std::string& error) { return error.substr(0, error.find(':')); }

template <typename... T>
std::string Violated(T... arguments) {
  return Label(Error(arguments...));
}

}  // namespace halyard::hlo

#endif  // HALYARD_TESTS_FRONTEND_HLO_INFER_ERRORS_H_
