// sort → a loop of known length over the passes of a sorting network (merge exchange: Knuth, The
// Art of Computer Programming 3, 5.2.2M, which takes any number of elements). An iota carried along
// decides ties, so every sort is stable.
#include <algorithm>

#include "lowering/passes/passes.h"
#include "lowering/passes/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

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

// (a, b, …, ia, ib) → a comes before b, or neither comes before the other and ia < ib.
Computation* StableComparator(hlo::Module& module, const Computation& comparator) {
  Computation* stable = module.AddComputation(comparator.name() + ".stable");
  std::vector<Instruction*> forward, backward;
  for (const Instruction* parameter : comparator.parameters()) {
    forward.push_back(stable->AddParameter(parameter->parameter_number, parameter->shape));
  }
  for (size_t i = 0; i < forward.size(); i += 2) {
    backward.insert(backward.end(), {forward[i + 1], forward[i]});
  }
  Shape index = Shape::Scalar(ElementType::kS32), pred = Shape::Scalar(ElementType::kPred);
  int64_t n = static_cast<int64_t>(forward.size());
  Instruction* first = stable->AddParameter(n, index);
  Instruction* second = stable->AddParameter(n + 1, index);
  Instruction* before = InlineInto(comparator, forward, stable);
  Instruction* after = InlineInto(comparator, backward, stable);
  Instruction* earlier = stable->Add(Opcode::kCompare, pred, {first, second},
                                     OneAttr(Attr::kDirection, std::string("LT")));
  Instruction* not_after = stable->Add(Opcode::kNot, pred, {after});
  Instruction* tie = stable->Add(Opcode::kAnd, pred, {not_after, earlier});
  stable->set_root(stable->Add(Opcode::kOr, pred, {before, tie}));
  stable->RemoveDead();
  return stable;
}

struct LoopParts {
  Computation* condition;
  Computation* body;
};

// State: (index, table, arrays…). `arrays` are the operands' shapes and the iota's.
LoopParts BuildLoop(hlo::Module& module, const Instruction& sort, const Shape& state,
                    Computation* comparator, int64_t passes) {
  Shape s32 = Shape::Scalar(ElementType::kS32);
  auto constant = [&](Computation* c, int64_t value) {
    return c->AddConstant(Literal::FromValues<int64_t>(ElementType::kS32, {}, {value}));
  };
  auto element = [&](Computation* c, Instruction* tuple, int64_t i) {
    Instruction* gte = c->Add(Opcode::kGetTupleElement, tuple->shape.elements()[i], {tuple},
                              OneAttr(Attr::kIndex, i));
    gte->provenance = sort.provenance;
    return gte;
  };
  LoopParts parts;
  parts.condition = module.AddComputation(sort.name + ".condition");
  Instruction* state_in = parts.condition->AddParameter(0, state);
  parts.condition->set_root(parts.condition->Add(
      Opcode::kCompare, Shape::Scalar(ElementType::kPred),
      {element(parts.condition, state_in, 0), constant(parts.condition, passes)},
      OneAttr(Attr::kDirection, std::string("LT"))));

  Computation* body = parts.body = module.AddComputation(sort.name + ".body");
  state_in = body->AddParameter(0, state);
  Instruction* index = element(body, state_in, 0);
  Instruction* table = element(body, state_in, 1);
  int64_t n = static_cast<int64_t>(state.elements().size()) - 2;
  std::vector<Instruction*> operands;
  std::vector<Shape> shapes;
  for (int64_t i = 0; i < n; ++i) {
    operands.push_back(element(body, state_in, i + 2));
    shapes.push_back(operands.back()->shape);
  }
  operands.insert(operands.end(), {table, index});
  Instruction* pass =
      body->Add(Opcode::kSortPass, Shape::Tuple(shapes), operands, {}, {comparator});
  pass->provenance = sort.provenance;
  std::vector<Instruction*> next = {body->Add(Opcode::kAdd, s32, {index, constant(body, 1)}),
                                    table};
  for (int64_t i = 0; i < n; ++i) next.push_back(element(body, pass, i));
  body->set_root(body->Add(Opcode::kTuple, state, next));
  return parts;
}

Instruction* ExpandOne(hlo::Module& module, Rewriter& rewriter, Instruction* sort) {
  const Shape& shape = sort->operands[0]->shape;
  int64_t dim = sort->GetInts(Attr::kDimensions)[0];
  int64_t n = shape.dim(dim);
  bool several = sort->operands.size() > 1;
  if (n <= 1 || shape.NumElements() == 0) {
    return several ? rewriter.Add(*sort, Opcode::kTuple, sort->shape, sort->operands)
                   : sort->operands[0];
  }
  std::vector<int64_t> to_last;
  for (int64_t i = 0; i < shape.rank(); ++i) {
    if (i != dim) to_last.push_back(i);
  }
  to_last.push_back(dim);
  std::vector<int64_t> back(to_last.size());
  for (size_t i = 0; i < to_last.size(); ++i) back[to_last[i]] = static_cast<int64_t>(i);
  int64_t rows = shape.NumElements() / n;

  Literal table = NetworkTable(n);
  int64_t passes = table.shape().dim(0);
  std::vector<Instruction*> init = {
      rewriter.AddConstant(*sort, Literal::FromValues<int64_t>(ElementType::kS32, {}, {0})),
      rewriter.AddConstant(*sort, std::move(table))};
  std::vector<int64_t> moved_dims;
  for (Instruction* operand : sort->operands) {
    Instruction* moved = rewriter.AddTranspose(*sort, operand, to_last);
    moved_dims = moved->shape.dims();
    init.push_back(rewriter.AddReshape(*sort, moved, {rows, n}));
  }
  init.push_back(rewriter.Add(*sort, Opcode::kIota, Shape::Array(ElementType::kS32, {rows, n}), {},
                              OneAttr(Attr::kIotaDimension, int64_t{1})));
  std::vector<Shape> shapes;
  for (const Instruction* value : init) shapes.push_back(value->shape);
  Shape state = Shape::Tuple(shapes);
  LoopParts loop =
      BuildLoop(module, *sort, state, StableComparator(module, *sort->called[0]), passes);
  Instruction* start = rewriter.Add(*sort, Opcode::kTuple, state, init);
  Instruction* result =
      rewriter.Add(*sort, Opcode::kWhile, state, {start}, OneAttr(Attr::kKnownTripCount, passes),
                   {loop.condition, loop.body});
  std::vector<Instruction*> results;
  for (size_t i = 0; i < sort->operands.size(); ++i) {
    Instruction* sorted = rewriter.AddGetTupleElement(*sort, result, static_cast<int64_t>(i) + 2);
    Instruction* moved = rewriter.AddReshape(*sort, sorted, moved_dims);
    results.push_back(rewriter.AddTranspose(*sort, moved, back));
  }
  return several ? rewriter.Add(*sort, Opcode::kTuple, sort->shape, results) : results[0];
}

}  // namespace

absl::Status ExpandSort(hlo::Module& module) {
  std::vector<Computation*> all;
  for (const auto& computation : module.computations()) all.push_back(computation.get());
  for (Computation* computation : all) {
    Rewriter rewriter(computation);
    for (Instruction* inst : rewriter.Snapshot()) {
      rewriter.ResolveOperands(inst);
      if (inst->opcode == Opcode::kSort) rewriter.Replace(inst, ExpandOne(module, rewriter, inst));
    }
    if (!rewriter.changed()) continue;
    if (absl::Status s = rewriter.Finish(); !s.ok()) return s;
  }
  module.RemoveUnreachableComputations();
  return FlattenTuples(module);
}

}  // namespace halyard::lowering
