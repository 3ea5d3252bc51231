// Builds small graphs for tests.
#ifndef HALYARD_TESTS_FRONTEND_HLO_GRAPH_BUILDER_H_
#define HALYARD_TESTS_FRONTEND_HLO_GRAPH_BUILDER_H_

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/ir/op_table.h"

namespace halyard::hlo {

inline AttrMap Attrs(std::initializer_list<std::pair<Attr, AttrValue>> entries) {
  AttrMap map;
  for (const auto& [attr, value] : entries) map.Set(attr, value);
  return map;
}

inline Literal Array(ElementType type, std::vector<int64_t> dims, std::vector<double> values) {
  return Literal::FromValues<double>(type, std::move(dims), values);
}
inline Literal F32(std::vector<int64_t> dims, std::vector<double> values) {
  return Array(ElementType::kF32, std::move(dims), std::move(values));
}
inline Literal F64(std::vector<int64_t> dims, std::vector<double> values) {
  return Array(ElementType::kF64, std::move(dims), std::move(values));
}
inline Literal S32(std::vector<int64_t> dims, std::vector<double> values) {
  return Array(ElementType::kS32, std::move(dims), std::move(values));
}
inline Literal S64(std::vector<int64_t> dims, std::vector<int64_t> values) {
  return Literal::FromValues<int64_t>(ElementType::kS64, std::move(dims), values);
}
inline Literal Pred(std::vector<int64_t> dims, std::vector<double> values) {
  return Array(ElementType::kPred, std::move(dims), std::move(values));
}
inline Literal Complex(ElementType type, std::vector<std::complex<double>> values) {
  Literal literal(Shape::Array(type, {static_cast<int64_t>(values.size())}));
  for (size_t i = 0; i < values.size(); ++i) literal.SetComplex(i, values[i]);
  return literal;
}
// Returns an array of first, first + 1, … in row-major order.
inline Literal Counting(ElementType type, std::vector<int64_t> dims, double first) {
  Literal literal(Shape::Array(type, std::move(dims)));
  for (int64_t i = 0; i < literal.shape().NumElements(); ++i) {
    IsFloat(type) ? literal.SetFloat(i, first + i) : literal.SetInt(i, first + i);
  }
  return literal;
}

// A module under construction. New instructions go to the current computation.
class Graph {
 public:
  Graph() : module("test"), current(module.AddComputation("main")) { module.set_entry(current); }

  Instruction* Param(Shape shape) {
    return current->AddParameter(current->num_parameters(), std::move(shape));
  }
  Instruction* Const(Literal value) { return current->AddConstant(std::move(value)); }

  // Infers the shape. `given` is the stated shape that some ops need.
  absl::StatusOr<Shape> Infer(Opcode opcode, std::vector<Instruction*> operands, AttrMap attrs = {},
                              std::vector<Computation*> called = {}, Shape given = {}) {
    Instruction inst{.opcode = opcode,
                     .shape = std::move(given),
                     .operands = std::move(operands),
                     .attrs = std::move(attrs),
                     .called = std::move(called)};
    return InferShape(inst);
  }
  Instruction* Op(Opcode opcode, std::vector<Instruction*> operands, AttrMap attrs = {},
                  std::vector<Computation*> called = {}, Shape given = {}) {
    absl::StatusOr<Shape> shape = Infer(opcode, operands, attrs, called, given);
    EXPECT_TRUE(shape.ok()) << shape.status();
    Instruction* inst =
        current->Add(opcode, shape.ok() ? *shape : Shape(), operands, attrs, called);
    current->set_root(inst);
    return inst;
  }
  Instruction* Element(Instruction* tuple, int64_t index) {
    return Op(Opcode::kGetTupleElement, {tuple}, Attrs({{Attr::kIndex, index}}));
  }

  // Adds a computation that build() fills. Its last op is the result.
  template <typename Build>
  Computation* Body(const std::string& name, Build build) {
    Computation* outer = current;
    Computation* body = current = module.AddComputation(name);
    build();
    current = outer;
    return body;
  }
  // Adds the computation (x, y) -> op(x, y) on scalars.
  Computation* Body2(Opcode opcode, ElementType type, AttrMap attrs = {}) {
    return Body(std::string(RowOf(opcode).hlo_name) + "_body", [&] {
      Instruction* x = Param(Shape::Scalar(type));
      Instruction* y = Param(Shape::Scalar(type));
      Op(opcode, {x, y}, attrs);
    });
  }

  absl::StatusOr<Literal> Run(std::vector<Literal> arguments) {
    absl::Status status = VerifyModule(module);
    if (!status.ok()) return status;
    Evaluator evaluator;
    evaluator.max_loop_iterations = 10000;
    return evaluator.Run(module, arguments);
  }

  Module module;
  Computation* current;
};

// Verifies and runs one op on the arguments. `make_called` adds the computations that it calls.
inline Literal Eval(Opcode opcode, std::vector<Literal> arguments, AttrMap attrs = {},
                    Shape given = {}, std::vector<Computation*> (*make_called)(Graph&) = nullptr) {
  Graph graph;
  std::vector<Computation*> called;
  if (make_called != nullptr) called = make_called(graph);
  std::vector<Instruction*> parameters;
  for (const Literal& argument : arguments) parameters.push_back(graph.Param(argument.shape()));
  graph.Op(opcode, parameters, std::move(attrs), called, std::move(given));
  absl::StatusOr<Literal> result = graph.Run(arguments);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? *result : Literal();
}

inline std::string Text(Opcode opcode, std::vector<Literal> arguments, AttrMap attrs = {},
                        Shape given = {},
                        std::vector<Computation*> (*make_called)(Graph&) = nullptr) {
  return Eval(opcode, std::move(arguments), std::move(attrs), std::move(given), make_called)
      .ToString();
}

}  // namespace halyard::hlo

#endif  // HALYARD_TESTS_FRONTEND_HLO_GRAPH_BUILDER_H_
