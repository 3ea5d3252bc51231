// Makes programs of loops that the compiler may unroll: with constant and other bounds, over arrays
// beside the size from which it does so, with bodies of elementwise ops and of others.
#include <algorithm>

#include "frontend/hlo/ir/direction.h"
#include "tests/programs/makers/program_maker.h"
#include "tests/programs/makers/random_program.h"

namespace halyard::testing {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;

// A loop's body or condition, with the values of its state.
class LoopPart {
 public:
  LoopPart(ProgramMaker* maker, const char* name, const Shape& state)
      : maker_(*maker),
        computation_(maker->module().AddComputation(name)),
        state_(computation_->AddParameter(0, state)) {}

  Computation* computation() { return computation_; }

  Instruction* Part(int64_t index) { return AddPart(computation_, state_, index); }
  Instruction* Number(ElementType type, double value) {
    return AddNumber(computation_, type, value);
  }
  Instruction* Everywhere(Instruction* scalar, const Shape& shape) {
    if (shape.rank() == 0) return scalar;
    return computation_->Add(Opcode::kBroadcast,
                             shape.WithElementType(scalar->shape.element_type()), {scalar},
                             Attrs().With(Attr::kDimensions, Ints{}));
  }

  // Returns a value made of some of `values`, which have one shape, and of the counter.
  Instruction* Op(const std::vector<Instruction*>& values, Instruction* counter) {
    Instruction* a = maker_.OneOf(values);
    Instruction* b = maker_.OneOf(values);
    const Shape shape = a->shape;
    const ElementType type = shape.element_type();
    const Shape flags = shape.WithElementType(ElementType::kPred);
    switch (maker_.Pick(9)) {
      case 0:  // of the counter
        return computation_->Add(
            Opcode::kAdd, shape,
            {a, Everywhere(computation_->Add(Opcode::kConvert, Shape::Scalar(type), {counter}),
                           shape)});
      case 1: {
        Instruction* less = computation_->Add(
            Opcode::kCompare, flags, {a, b},
            Attrs().With(Attr::kDirection, maker_.OneOf<std::string>({"LT", "EQ", "NE", "GE"})));
        return computation_->Add(Opcode::kSelect, shape, {less, b, a});
      }
      case 2: {  // other elements: whole iterations come first
        Ints all(shape.rank());
        for (int64_t d = 0; d < shape.rank(); ++d) all[d] = d;
        return computation_->Add(Opcode::kReverse, shape, {a},
                                 Attrs().With(Attr::kDimensions, all));
      }
      case 3:
        return computation_->Add(
            Opcode::kMultiply, shape,
            {a, Everywhere(Number(type, hlo::IsFloat(type) ? -0.5 : 3), shape)});
      default:
        return computation_->Add(
            maker_.OneOf<Opcode>({Opcode::kAdd, Opcode::kSubtract, Opcode::kMaximum,
                                  Opcode::kMinimum,
                                  hlo::IsFloat(type) ? Opcode::kMaximum : Opcode::kXor}),
            shape, {a, b});
    }
  }

 private:
  ProgramMaker& maker_;
  Computation* computation_;
  Instruction* state_;
};

// Returns the loop's condition. The counter is the state's part `counter`; the bound is `limit` or,
// if `bound` is not negative, that part of the state.
Computation* Condition(ProgramMaker* m, const Shape& state, int64_t counter, int64_t bound,
                       int64_t limit, const std::string& direction) {
  LoopPart part(m, "condition", state);
  const ElementType type = state.elements()[counter].element_type();
  Instruction* last = bound >= 0 ? part.Part(bound) : part.Number(type, static_cast<double>(limit));
  Computation* condition = part.computation();
  std::vector<Instruction*> sides = {part.Part(counter), last};
  const bool mirrored = m->Chance(20);  // n > i
  if (mirrored) std::swap(sides[0], sides[1]);
  condition->set_root(condition->Add(
      Opcode::kCompare, Shape::Scalar(ElementType::kPred), sides,
      Attrs().With(Attr::kDirection, mirrored ? hlo::Mirrored(direction) : direction)));
  return condition;
}

// Adds a loop over the arrays `initial`, which have one shape, and returns an array of its result.
Instruction* Loop(ProgramMaker* m, const std::vector<Instruction*>& initial) {
  const ElementType counting =
      m->OneOf<ElementType>({ElementType::kS32, ElementType::kS32, ElementType::kU32,
                             ElementType::kS64, ElementType::kS8});
  const int64_t step = 1 + m->Pick(2), start = m->Pick(3), trips = m->Pick(11);
  const bool down = hlo::IsSigned(counting) && m->Chance(25);
  const int64_t first = down ? start + step * trips : start;
  const int64_t limit = down ? start : start + step * trips;
  // The counter may stand anywhere in the state; behind the arrays there may be a bound.
  std::vector<Instruction*> parts = initial;
  const auto counter = static_cast<int64_t>(m->Pick(static_cast<int>(parts.size()) + 1));
  parts.insert(parts.begin() + counter, m->Scalar(counting, static_cast<double>(first)));
  int64_t bound = -1;
  if (m->Chance(20)) {
    bound = static_cast<int64_t>(parts.size());
    parts.push_back(m->Chance(50) ? m->Parameter(Shape::Scalar(counting))
                                  : m->Scalar(counting, static_cast<double>(limit)));
    // A parameter may hold anything: it is clamped, so that the loop ends soon.
    Instruction* low = m->Scalar(counting, 0);
    Instruction* high = m->Scalar(counting, 12);
    parts.back() = m->Add(Opcode::kClamp, {low, parts.back(), high});
  }
  std::vector<Shape> shapes;
  for (const Instruction* part : parts) shapes.push_back(part->shape.WithDefaultLayout());
  const Shape state = Shape::Tuple(shapes);
  const std::string direction = down ? "GT" : m->Chance(30) && bound < 0 && step == 1 ? "NE" : "LT";
  Computation* condition = Condition(m, state, counter, bound, limit, direction);

  LoopPart body(m, "loop", state);
  std::vector<Instruction*> values, next;
  for (int64_t i = 0; i < static_cast<int64_t>(parts.size()); ++i) {
    next.push_back(body.Part(i));
    if (i != counter && i != bound) values.push_back(next.back());
  }
  Instruction* count = next[counter];
  for (int ops = 1 + m->Pick(5); ops > 0; --ops) values.push_back(body.Op(values, count));
  for (int64_t i = 0; i < static_cast<int64_t>(parts.size()); ++i) {
    if (i == counter) {
      next[i] = body.computation()->Add(down ? Opcode::kSubtract : Opcode::kAdd, count->shape,
                                        {count, body.Number(counting, static_cast<double>(step))});
    } else if (i != bound) {  // the last value, or another, so that arrays are swapped and dropped
      next[i] = m->Chance(50) ? values.back() : m->OneOf(values);
    }
  }
  body.computation()->set_root(body.computation()->Add(Opcode::kTuple, state, next));
  Instruction* begin = m->entry()->Add(Opcode::kTuple, state, parts);
  Instruction* loop = m->Add(Opcode::kWhile, {begin}, {}, {condition, body.computation()});
  std::vector<Instruction*> results;
  for (int64_t i = 0; loop != nullptr && i < static_cast<int64_t>(parts.size()); ++i) {
    Instruction* result = m->Add(Opcode::kGetTupleElement, {loop}, Attrs().With(Attr::kIndex, i));
    if (i != counter && i != bound) results.push_back(result);
  }
  return results.empty() ? nullptr : m->OneOf(results);
}

}  // namespace

std::unique_ptr<hlo::Module> RandomLoopsProgram(uint32_t seed) {
  ProgramMaker m(seed, /*most_elements=*/40000);
  const ElementType type = m.OneOf<ElementType>(
      {ElementType::kF32, ElementType::kF32, ElementType::kF64, ElementType::kBF16,
       ElementType::kS32, ElementType::kU32, ElementType::kS8, ElementType::kU64});
  const Shape shape = Shape::Array(
      type, m.OneOf<Ints>({{1 << 14}, {128, 128}, {3, 5500}, {(1 << 14) - 1}, {17}, {}}));
  std::vector<Instruction*> arrays;
  for (int i = 1 + m.Pick(3); i > 0; --i) arrays.push_back(m.Parameter(shape));
  for (int loops = 1 + m.Pick(2); loops > 0; --loops) {
    Instruction* result = Loop(&m, arrays);
    if (result != nullptr) arrays.push_back(result);
    if (m.Chance(50)) arrays.erase(arrays.begin());
    if (arrays.empty()) break;
  }
  if (!arrays.empty() && m.Chance(40)) {  // a reader, whose result depends on no order
    Computation* fold = m.Combiner(m.Chance(50) ? Opcode::kAdd : Opcode::kMaximum, type);
    Ints dims;
    if (shape.rank() > 0) dims.push_back(shape.rank() - 1);
    m.Add(Opcode::kReduce, {arrays.back(), m.Scalar(type, 0)},
          Attrs().With(Attr::kDimensions, dims), {fold});
  }
  return m.Finish();
}

}  // namespace halyard::testing
