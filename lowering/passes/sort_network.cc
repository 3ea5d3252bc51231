#include "lowering/passes/sort_network.h"

#include "lowering/passes/sort_keys.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::Computation;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

namespace {

// Rows (p, r, d) of sort-pass: see frontend/hlo/sort_pass.cc.
Literal NetworkTable(int64_t n) {
  std::vector<int64_t> rows;
  int64_t top = 1;
  while (2 * top < n) top *= 2;
  for (int64_t p = top; p > 0; p /= 2) {
    int64_t q = top, r = 0, d = p;
    while (true) {
      rows.insert(rows.end(), {p, r, d});
      if (q == p) break;
      d = q - p;
      q /= 2;
      r = p;
    }
  }
  int64_t passes = static_cast<int64_t>(rows.size()) / 3;
  return Literal::FromValues<int64_t>(ElementType::kS32, {passes, 3}, rows);
}

}  // namespace

// State: (index, table, arrays…).
std::vector<Instruction*> AddSortingNetwork(hlo::Module& module, Rewriter& rewriter,
                                            const Instruction& sort,
                                            std::vector<Instruction*> arrays,
                                            Computation* comparator) {
  Shape s32 = Shape::Scalar(ElementType::kS32);
  Literal table = NetworkTable(arrays[0]->shape.dim(1));
  int64_t passes = table.shape().dim(0);
  std::vector<Instruction*> init = {AddSplatBits(rewriter, sort, ElementType::kS32, 0, {}),
                                    rewriter.AddConstant(sort, std::move(table))};
  init.insert(init.end(), arrays.begin(), arrays.end());
  std::vector<Shape> shapes;
  for (const Instruction* value : init) shapes.push_back(value->shape);
  Shape state = Shape::Tuple(shapes);

  Computation* condition = module.AddComputation(sort.name + ".condition");
  Rewriter test(condition);
  Instruction* state_in = condition->AddParameter(0, state);
  condition->set_root(AddCompare(test, sort, "LT", test.AddGetTupleElement(sort, state_in, 0),
                                 AddSplatBits(test, sort, ElementType::kS32, passes, {})));

  Computation* body = module.AddComputation(sort.name + ".body");
  Rewriter step(body);
  state_in = body->AddParameter(0, state);
  auto element = [&](size_t i) {
    return step.AddGetTupleElement(sort, state_in, static_cast<int64_t>(i));
  };
  Instruction *index = element(0), *rows = element(1);
  std::vector<Instruction*> operands;
  for (size_t i = 2; i < shapes.size(); ++i) operands.push_back(element(i));
  operands.insert(operands.end(), {rows, index});
  Instruction* pass =
      step.Add(sort, Opcode::kSortPass, Shape::Tuple({shapes.begin() + 2, shapes.end()}), operands,
               {}, {comparator});
  Instruction* one = AddSplatBits(step, sort, ElementType::kS32, 1, {});
  std::vector<Instruction*> next = {AddBinary(step, sort, Opcode::kAdd, index, one), rows};
  for (size_t i = 0; i < arrays.size(); ++i) {
    next.push_back(step.AddGetTupleElement(sort, pass, static_cast<int64_t>(i)));
  }
  body->set_root(step.Add(sort, Opcode::kTuple, state, next));

  Instruction* start = rewriter.Add(sort, Opcode::kTuple, state, init);
  Instruction* loop = rewriter.Add(sort, Opcode::kWhile, state, {start},
                                   OneAttr(Attr::kKnownTripCount, passes), {condition, body});
  for (size_t i = 0; i < arrays.size(); ++i) {
    arrays[i] = rewriter.AddGetTupleElement(sort, loop, static_cast<int64_t>(i) + 2);
  }
  return arrays;
}

}  // namespace halyard::lowering
