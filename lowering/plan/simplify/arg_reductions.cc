// Reductions of values beside their positions, which find where the greatest or least value of a
// row is (argmax, argmin): the extreme of the row, and the least position that has it. These are
// two reductions whose order does not matter, so they are done in vectors and by groups of threads.
// A reduction whose body chooses among pairs must keep their order.
//
// Bodies are written in many ways. One that only compares and selects depends on nothing but how
// the two values and the two positions are ordered, and these are few cases: all are evaluated.
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "frontend/hlo/evaluate/evaluator.h"
#include "lowering/plan/graph_builder.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

// What an instruction of a body is made of.
enum class Side { kNone, kValue, kPosition, kChoice };

// Whether the results depend on nothing but the order of the values and that of the positions: the
// body compares and selects, and no value meets a position.
bool OnlyCompares(const Computation& body) {
  std::unordered_map<const Instruction*, Side> sides;
  for (const auto& inst : body.instructions()) {
    std::vector<Side> from;
    for (const Instruction* operand : inst->operands) from.push_back(sides.at(operand));
    const bool alike = std::all_of(from.begin(), from.end(), [&](Side s) { return s == from[0]; });
    const bool chosen = !from.empty() && from[0] == Side::kChoice;
    Side side = Side::kNone;
    switch (inst->opcode) {
      case Opcode::kParameter:
        side = inst->parameter_number % 2 == 0 ? Side::kValue : Side::kPosition;
        break;
      case Opcode::kCompare:
        if (alike && !chosen) side = Side::kChoice;
        break;
      case Opcode::kMaximum:
      case Opcode::kMinimum:
        if (alike && !chosen) side = from[0];
        break;
      case Opcode::kSelect:
        if (chosen && from[1] == from[2]) side = from[1];
        break;
      case Opcode::kAnd:
      case Opcode::kOr:
      case Opcode::kXor:
      case Opcode::kNot:
        if (alike && chosen) side = Side::kChoice;
        break;
      case Opcode::kTuple:
        return inst.get() == body.root() && from[0] == Side::kValue && from[1] == Side::kPosition;
      default:
        break;
    }
    if (side == Side::kNone) return false;
    sides[inst.get()] = side;
  }
  return false;
}

// Values in each order to each other, equal ones that differ in their bits, and NaN.
std::vector<double> Samples(ElementType type) {
  if (!hlo::IsFloat(type)) return {0, 1, 2};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return {-1, -0.0, 0.0, 1, nan, -nan};
}

// Whether the first pair, whose position is less, gives way to the second one.
bool Yields(double first, double second, bool greatest) {
  if (std::isnan(first)) return false;
  return std::isnan(second) || (greatest ? second > first : second < first);
}

// Whether the body keeps the first extreme and its position: `greatest` or least, and NaN before
// everything.
bool KeepsFirst(const Computation& body, bool greatest) {
  const ElementType value = body.parameters()[0]->shape.element_type(),
                    position = body.parameters()[1]->shape.element_type();
  hlo::Evaluator evaluator;
  for (const double a : Samples(value)) {
    for (const double b : Samples(value)) {
      // The initial value and the first element have the same position.
      for (const int64_t second : {1, 2}) {
        const auto result =
            evaluator.RunComputation(body, {Literal::FromValues<double>(value, {}, {a}),
                                            Literal::FromValues<int64_t>(position, {}, {1}),
                                            Literal::FromValues<double>(value, {}, {b}),
                                            Literal::FromValues<int64_t>(position, {}, {second})});
        if (!result.ok()) return false;
        const bool yields = Yields(a, b, greatest);
        if (result->elements()[1].GetInt(0) != (yields ? second : 1)) return false;
        // Of equal values, either.
        const double kept = result->elements()[0].GetAsDouble(0), want = yields ? b : a;
        if (std::isnan(want) ? !std::isnan(kept) : kept != want) return false;
      }
    }
  }
  return true;
}

// Whether each element is its place along dimension d.
bool CountsAlong(const Instruction& inst, int64_t d) {
  if (inst.opcode == Opcode::kIota) return inst.GetInt(Attr::kIotaDimension) == d;
  if (inst.opcode != Opcode::kBroadcast) return false;
  const hlo::Ints& places = inst.GetInts(Attr::kDimensions);
  const auto place = std::find(places.begin(), places.end(), d);
  return place != places.end() &&
         inst.operand(0)->shape.dim(place - places.begin()) == inst.shape.dim(d) &&
         CountsAlong(*inst.operand(0), place - places.begin());
}

bool FoldsPairs(const Instruction& inst) {
  return inst.opcode == Opcode::kReduce && inst.operands.size() == 4;
}

enum class Extreme { kNone, kGreatest, kLeast };

// Returns which extreme of a row the reduction of pairs finds.
Extreme ExtremeOf(const Instruction& reduce) {
  const hlo::Ints& reduced = reduce.GetInts(Attr::kDimensions);
  const Shape& values = reduce.operand(0)->shape;
  const ElementType type = values.element_type(),
                    position = reduce.operand(1)->shape.element_type();
  const bool ordered = hlo::IsFloat(type) || hlo::IsInteger(type);
  if (reduced.size() != 1 || !ordered || !hlo::IsInteger(position)) return Extreme::kNone;
  // A body may have wider types, or ones of another order.
  for (int64_t i = 0; i < 4; ++i) {
    const ElementType of_body = reduce.called[0]->parameters()[i]->shape.element_type();
    if (of_body != (i % 2 == 0 ? type : position)) return Extreme::kNone;
  }
  const int64_t length = values.dim(reduced[0]);
  const Instruction &start = *reduce.operand(3), &initial = *reduce.operand(2);
  // Positions of fewer bits might wrap.
  const bool counts = length > 0 && hlo::BitWidth(position) >= 32 && length < INT32_MAX &&
                      CountsAlong(*reduce.operand(1), reduced[0]);
  if (!counts || start.opcode != Opcode::kConstant || start.literal.GetInt(0) != 0 ||
      initial.opcode != Opcode::kConstant)
    return Extreme::kNone;
  if (!OnlyCompares(*reduce.called[0])) return Extreme::kNone;
  for (const bool greatest : {true, false}) {
    const std::vector<Literal> neutral =
        NeutralElement(greatest ? Opcode::kMaximum : Opcode::kMinimum, type);
    if (!neutral.empty() && initial.literal.BitwiseEqual(neutral[0]) &&
        KeepsFirst(*reduce.called[0], greatest)) {
      return greatest ? Extreme::kGreatest : Extreme::kLeast;
    }
  }
  return Extreme::kNone;
}

class Splitter {
 public:
  Splitter(Rewriter& rewriter, const Instruction& reduce)
      : rewriter_(rewriter), graph_(&rewriter, &reduce), reduce_(reduce) {}

  Instruction* Extremes(Extreme extreme) {
    return Reduced(reduce_.operands[0],
                   extreme == Extreme::kGreatest ? Opcode::kMaximum : Opcode::kMinimum);
  }
  // The first positions of the extremes.
  Instruction* Positions(Instruction* extremes) {
    Instruction* values = reduce_.operands[0];
    const std::vector<int64_t>& dims = values->shape.dims();
    const int64_t reduced = reduce_.GetInts(Attr::kDimensions)[0];
    std::vector<int64_t> places;
    for (int64_t d = 0; d < values->shape.rank(); ++d) {
      if (d != reduced) places.push_back(d);
    }
    Instruction* hit = graph_.Compare(values, graph_.Broadcast(extremes, dims, places), "EQ");
    // The extreme of a row with NaN is NaN, which equals nothing.
    if (hlo::IsFloat(values->shape.element_type()))
      hit = graph_.Add(Opcode::kOr, {hit, graph_.Compare(values, values, "NE")});
    Instruction* none = graph_.Splat(ElementType::kS32, static_cast<double>(dims[reduced]), dims);
    Instruction* first = Reduced(
        graph_.Select(hit, graph_.Iota(ElementType::kS32, dims, reduced), none), Opcode::kMinimum);
    return graph_.Convert(first, reduce_.operand(1)->shape.element_type());
  }

 private:
  Instruction* Reduced(Instruction* values, Opcode opcode) {
    const ElementType type = values->shape.element_type();
    Computation* body =
        AddFold(*rewriter_.computation()->module(), reduce_.name + ".body", opcode, type);
    Instruction* start = rewriter_.AddConstant(reduce_, NeutralElement(opcode, type)[0]);
    return rewriter_.Add(reduce_, Opcode::kReduce,
                         reduce_.shape.elements()[0].WithElementType(type), {values, start},
                         OneAttr(Attr::kDimensions, reduce_.GetInts(Attr::kDimensions)), {body});
  }

  Rewriter& rewriter_;
  GraphBuilder graph_;
  const Instruction& reduce_;
};

absl::Status SplitIn(Computation* computation, bool* changed) {
  const auto& all = computation->instructions();
  if (std::none_of(all.begin(), all.end(), [](const auto& inst) { return FoldsPairs(*inst); }))
    return absl::OkStatus();
  Rewriter rewriter(computation);
  const auto users = computation->Users();
  for (Instruction* inst : rewriter.Snapshot()) {
    rewriter.ResolveOperands(inst);
    if (!FoldsPairs(*inst)) continue;
    Instruction* results[2] = {nullptr, nullptr};
    bool apart = inst != computation->root();
    for (Instruction* user : users.at(inst)) {
      apart = apart && user->opcode == Opcode::kGetTupleElement;
      if (!apart) break;
      Instruction*& result = results[user->GetInt(Attr::kIndex)];
      apart = result == nullptr;
      result = user;
    }
    // Which one of -0 and +0 is the extreme depends on the body and on the order.
    const bool is_float = hlo::IsFloat(inst->operand(0)->shape.element_type());
    if (!apart || results[1] == nullptr || (is_float && results[0] != nullptr)) continue;
    const Extreme extreme = ExtremeOf(*inst);
    if (extreme == Extreme::kNone) continue;
    Splitter splitter(rewriter, *inst);
    Instruction* extremes = splitter.Extremes(extreme);
    rewriter.Replace(results[1], splitter.Positions(extremes));
    if (results[0] != nullptr) rewriter.Replace(results[0], extremes);
    *changed = true;
  }
  return rewriter.changed() ? rewriter.Finish() : absl::OkStatus();
}

}  // namespace

absl::Status SplitArgReductions(hlo::Module& module, bool* changed) {
  *changed = false;
  for (Computation* computation : module.PostOrder()) {
    if (absl::Status s = SplitIn(computation, changed); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
