#include "tests/lowering/plan/random_graph.h"

#include <algorithm>
#include <random>

#include "frontend/hlo/ir/op_table.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Computation;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

AttrMap One(Attr attr, hlo::AttrValue value) {
  AttrMap attrs;
  attrs.Set(attr, std::move(value));
  return attrs;
}

class GraphMaker {
 public:
  explicit GraphMaker(uint32_t seed) : random_(seed), module_(new hlo::Module("random")) {}

  std::unique_ptr<hlo::Module> Make() {
    sum_ = Reducer(Opcode::kAdd);
    max_ = Reducer(Opcode::kMaximum);
    Computation* entry = module_->AddComputation("main");
    module_->set_entry(entry);
    std::vector<Instruction*> values;
    for (int64_t i = 0; i < 3; ++i) values.push_back(entry->AddParameter(i, RandomShape()));
    Grow(entry, &values, 8 + Pick(25), /*depth=*/0);
    std::vector<Instruction*> results;
    for (int i = 0; i < 1 + Pick(3); ++i) results.push_back(values[values.size() - 1 - Pick(4)]);
    Finish(entry, results);
    return std::move(module_);
  }

 private:
  int Pick(int n) { return static_cast<int>(random_() % n); }

  Computation* Reducer(Opcode opcode) {
    Computation* c = module_->AddComputation("reducer");
    Shape scalar = Shape::Scalar(ElementType::kF32);
    Instruction* a = c->AddParameter(0, scalar);
    Instruction* b = c->AddParameter(1, scalar);
    c->set_root(c->Add(opcode, scalar, {a, b}));
    return c;
  }

  Shape RandomShape() {
    static const std::vector<std::vector<int64_t>> kDims = {{4},       {3, 4}, {4, 3},    {2, 3, 4},
                                                            {1, 3, 4}, {4, 4}, {2, 1, 4}, {12}};
    return Shape::Array(ElementType::kF32, kDims[Pick(static_cast<int>(kDims.size()))]);
  }

  void Finish(Computation* c, const std::vector<Instruction*>& results) {
    std::vector<Shape> shapes;
    for (const Instruction* result : results) shapes.push_back(result->shape);
    c->set_root(c->Add(Opcode::kTuple, Shape::Tuple(shapes), results));
  }

  Instruction* Scalar(Computation* c, double value) {
    return c->AddConstant(Literal::FromValues<double>(ElementType::kF32, {}, {value}));
  }
  Instruction* Index(Computation* c, int64_t value) {
    return c->AddConstant(Literal::FromValues<int64_t>(ElementType::kS32, {}, {value}));
  }

  // Returns a value of the shape: an old one, or one made from a scalar.
  Instruction* Like(Computation* c, const std::vector<Instruction*>& values, const Shape& shape) {
    std::vector<Instruction*> fitting;
    for (Instruction* value : values) {
      if (value->shape == shape) fitting.push_back(value);
    }
    if (!fitting.empty() && Pick(5) > 0) return fitting[Pick(static_cast<int>(fitting.size()))];
    return c->Add(Opcode::kBroadcast, shape, {Scalar(c, Pick(5) - 1.5)},
                  One(Attr::kDimensions, hlo::Ints{}));
  }

  void Grow(Computation* c, std::vector<Instruction*>* values, int count, int depth) {
    for (int i = 0; i < count; ++i) {
      Instruction* x = (*values)[Pick(static_cast<int>(values->size()))];
      Instruction* made = Step(c, x, *values, depth);
      if (made != nullptr && made->shape.NumElements() <= 256) values->push_back(made);
    }
  }

  Instruction* Step(Computation* c, Instruction* x, const std::vector<Instruction*>& values,
                    int depth) {
    const Shape& shape = x->shape;
    int64_t rank = shape.rank();
    switch (Pick(depth < 2 ? 19 : 17)) {
      case 0:
      case 1: {
        static const Opcode kUnary[] = {Opcode::kNegate, Opcode::kTanh,     Opcode::kAbs,
                                        Opcode::kSin,    Opcode::kLogistic, Opcode::kFloor};
        return c->Add(kUnary[Pick(6)], shape, {x});
      }
      case 2:
      case 3:
      case 4: {
        static const Opcode kBinary[] = {Opcode::kAdd, Opcode::kMultiply, Opcode::kSubtract,
                                         Opcode::kMaximum};
        return c->Add(kBinary[Pick(4)], shape, {x, Like(c, values, shape)});
      }
      case 5: {
        Instruction* test =
            c->Add(Opcode::kCompare, shape.WithElementType(ElementType::kPred),
                   {x, Like(c, values, shape)}, One(Attr::kDirection, std::string("LT")));
        return c->Add(Opcode::kSelect, shape, {test, x, Like(c, values, shape)});
      }
      case 6:
      case 7: {  // reduces, and often broadcasts back to the rows
        if (rank == 0) return nullptr;
        int64_t dim = Pick(2) ? rank - 1 : Pick(static_cast<int>(rank));
        std::vector<int64_t> dims = shape.dims();
        dims.erase(dims.begin() + dim);
        Instruction* sum = c->Add(Opcode::kReduce, shape.WithDims(dims), {x, Scalar(c, 0)},
                                  One(Attr::kDimensions, hlo::Ints{dim}), {Pick(2) ? sum_ : max_});
        if (Pick(3) == 0) return sum;
        hlo::Ints kept;
        for (int64_t d = 0; d < rank; ++d) {
          if (d != dim) kept.push_back(d);
        }
        Instruction* back = c->Add(Opcode::kBroadcast, shape, {sum}, One(Attr::kDimensions, kept));
        return c->Add(Opcode::kSubtract, shape, {x, back});
      }
      case 8: {
        hlo::Ints permutation;
        std::vector<int64_t> dims;
        for (int64_t d = 0; d < rank; ++d) permutation.push_back(d);
        std::shuffle(permutation.begin(), permutation.end(), random_);
        for (int64_t p : permutation) dims.push_back(shape.dim(p));
        return c->Add(Opcode::kTranspose, shape.WithDims(dims), {x},
                      One(Attr::kDimensions, permutation));
      }
      case 9: {
        Shape to = RandomShape();
        if (to.NumElements() != shape.NumElements()) return nullptr;
        return c->Add(Opcode::kReshape, to, {x});
      }
      case 10: {
        if (rank == 0) return nullptr;
        hlo::SliceDims slice;
        std::vector<int64_t> dims;
        for (int64_t d = 0; d < rank; ++d) {
          int64_t begin = Pick(2) ? 0 : Pick(static_cast<int>(shape.dim(d)));
          slice.push_back({begin, shape.dim(d), 1});
          dims.push_back(shape.dim(d) - begin);
        }
        return c->Add(Opcode::kSlice, shape.WithDims(dims), {x}, One(Attr::kSlice, slice));
      }
      case 11: {
        if (rank == 0) return nullptr;
        int64_t dim = Pick(static_cast<int>(rank));
        std::vector<int64_t> dims = shape.dims();
        dims[dim] *= 2;
        return c->Add(Opcode::kConcatenate, shape.WithDims(dims), {x, Like(c, values, shape)},
                      One(Attr::kDimensions, hlo::Ints{dim}));
      }
      case 12: {
        if (rank == 0) return nullptr;
        hlo::PaddingConfig padding;
        std::vector<int64_t> dims;
        for (int64_t d = 0; d < rank; ++d) {
          padding.push_back({Pick(2), Pick(2), shape.dim(d) > 1 ? Pick(2) : 0});
          dims.push_back(shape.dim(d) + padding[d].low + padding[d].high +
                         padding[d].interior * (shape.dim(d) - 1));
        }
        return c->Add(Opcode::kPad, shape.WithDims(dims), {x, Scalar(c, 1)},
                      One(Attr::kPadding, padding));
      }
      case 13: {
        if (rank == 0) return nullptr;
        AttrMap attrs = One(Attr::kLhsContractingDims, hlo::Ints{rank - 1});
        attrs.Set(Attr::kRhsContractingDims, hlo::Ints{rank - 1});
        Instruction* y = Like(c, values, shape);
        Instruction* dot = c->Add(Opcode::kDot, shape, {x, y}, attrs);
        dot->shape = *hlo::InferShape(*dot);
        return dot;
      }
      case 14: {
        if (rank == 0) return nullptr;
        std::vector<int64_t> dims(rank, 1);
        dims[rank - 1] = shape.dim(rank - 1);
        std::vector<Instruction*> operands = {x, Like(c, values, shape.WithDims(dims))};
        for (int64_t d = 0; d < rank; ++d) operands.push_back(Index(c, Pick(4)));
        return c->Add(Opcode::kDynamicUpdateSlice, shape, operands);
      }
      case 15:
        return c->Add(Opcode::kOptimizationBarrier, shape, {x});
      case 16: {  // often of a dimension of one element, too
        hlo::Ints reversed;
        for (int64_t d = 0; d < rank; ++d) {
          if (shape.dim(d) == 1 || Pick(2)) reversed.push_back(d);
        }
        return c->Add(Opcode::kReverse, shape, {x}, One(Attr::kDimensions, reversed));
      }
      case 17:
        return Loop(c, x, values, depth);
      default:
        return Branch(c, x, values, depth);
    }
  }

  // Adds a loop with the state (counter, x, y, z) that runs a few times. The number may be known
  // when compiling.
  Instruction* Loop(Computation* c, Instruction* x, const std::vector<Instruction*>& values,
                    int depth) {
    Instruction* y = values[Pick(static_cast<int>(values.size()))];
    std::vector<Instruction*> init = {Index(c, 0), x, y, Like(c, values, x->shape)};
    std::vector<Shape> shapes;
    for (const Instruction* value : init) shapes.push_back(value->shape);
    Shape state = Shape::Tuple(shapes);
    auto element = [&](Computation* in, Instruction* tuple, int64_t i) {
      return in->Add(Opcode::kGetTupleElement, shapes[i], {tuple}, One(Attr::kIndex, i));
    };
    Computation* body = module_->AddComputation("body");
    Instruction* p = body->AddParameter(0, state);
    std::vector<Instruction*> inside;
    for (int64_t i = 1; i < 4; ++i) inside.push_back(element(body, p, i));
    std::vector<Instruction*> all = inside;
    Grow(body, &all, 3 + Pick(6), depth + 1);
    Instruction* step = body->Add(Opcode::kAdd, shapes[0], {element(body, p, 0), Index(body, 1)});
    std::vector<Instruction*> next = {step};
    for (int64_t i = 1; i < 4; ++i) next.push_back(Like(body, all, shapes[i]));
    body->set_root(body->Add(Opcode::kTuple, state, next));
    Computation* cond = module_->AddComputation("cond");
    p = cond->AddParameter(0, state);
    Instruction* counter = element(cond, p, 0);
    if (Pick(2)) counter = cond->Add(Opcode::kAbs, shapes[0], {counter});
    cond->set_root(cond->Add(Opcode::kCompare, Shape::Scalar(ElementType::kPred),
                             {counter, Index(cond, Pick(4))},
                             One(Attr::kDirection, std::string("LT"))));
    Instruction* start = c->Add(Opcode::kTuple, state, init);
    Instruction* loop = c->Add(Opcode::kWhile, state, {start}, {}, {cond, body});
    return element(c, loop, 1 + Pick(3));
  }

  Instruction* Branch(Computation* c, Instruction* x, const std::vector<Instruction*>& values,
                      int depth) {
    std::vector<Computation*> branches;
    std::vector<Instruction*> operands = {nullptr};
    for (int i = 0; i < 2; ++i) {
      Computation* branch = module_->AddComputation("branch");
      Instruction* argument = i ? x : values[Pick(static_cast<int>(values.size()))];
      std::vector<Instruction*> inside = {branch->AddParameter(0, argument->shape)};
      Grow(branch, &inside, 2 + Pick(4), depth + 1);
      branch->set_root(Like(branch, inside, x->shape));
      branches.push_back(branch);
      operands.push_back(argument);
    }
    Instruction* flat = c->Add(Opcode::kReshape, x->shape.WithDims({x->shape.NumElements()}), {x});
    Instruction* first = c->Add(Opcode::kSlice, x->shape.WithDims({1}), {flat},
                                One(Attr::kSlice, hlo::SliceDims{{0, 1, 1}}));
    Instruction* scalar = c->Add(Opcode::kReshape, x->shape.WithDims({}), {first});
    operands[0] = c->Add(Opcode::kCompare, Shape::Scalar(ElementType::kPred),
                         {scalar, Scalar(c, 0)}, One(Attr::kDirection, std::string("GT")));
    return c->Add(Opcode::kConditional, x->shape, operands, {}, branches);
  }

  std::mt19937 random_;
  std::unique_ptr<hlo::Module> module_;
  Computation* sum_ = nullptr;
  Computation* max_ = nullptr;
};

}  // namespace

std::unique_ptr<hlo::Module> RandomGraph(uint32_t seed) { return GraphMaker(seed).Make(); }

}  // namespace halyard::lowering
