// A Sequence as a Halide algorithm: a pure definition for the start, and an update definition for
// each phase.

#include "lowering/kernels/sequence/define.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "lowering/kernels/emitter.h"
#include "lowering/kernels/marks.h"

namespace halyard::lowering {

using Halide::Expr;

namespace {

std::vector<Halide::Range> RangesOf(const SequencePhase& phase, const std::string& name) {
  std::vector<Halide::Range> ranges;
  for (int64_t extent : phase.extents) {
    if (extent > kMaxExtent) {
      throw SizeError(absl::StrCat(name, ": ", extent, " steps along one dimension"));
    }
    ranges.emplace_back(0, static_cast<int32_t>(extent));
  }
  if (ranges.empty()) ranges.emplace_back(0, 1);
  return ranges;
}

// Returns whether `index` certainly lies in [0, extent): it is the axis itself, a step variable or
// a constant.
bool IsInside(const Expr& index, int64_t extent, const Axis& axis, bool is_axis,
              const SequencePhase& phase) {
  if (const auto constant = Halide::Internal::as_const_int(index)) {
    return *constant >= 0 && *constant < extent;
  }
  const auto* variable = index.as<Halide::Internal::Variable>();
  if (variable == nullptr) return false;
  if (is_axis && variable->name == axis.var.name()) return true;
  for (size_t i = 0; i < phase.extents.size(); ++i) {
    if (phase.extents[i] <= extent && variable->name == phase.domain[i].name()) return true;
  }
  return false;
}

const std::string& NameOf(const Expr& variable) {
  return variable.as<Halide::Internal::Variable>()->name;
}

// Every step variable must be named somewhere, or Halide would not loop over it; and in the values
// or the position, not in the condition alone.
void NameEveryLoop(const Indices& loops, const Indices& position, const StateReader& state,
                   SequenceStep* step) {
  std::vector<Expr> all = position;
  for (const Value& value : step->values) {
    all.push_back(value.re);
    if (value.im.defined()) all.push_back(value.im);
  }
  auto is_named = [&all](const Expr& loop) {
    return std::any_of(all.begin(), all.end(), [&loop](const Expr& e) {
      return Halide::Internal::expr_uses_var(e, NameOf(loop));
    });
  };
  if (step->when.defined() && std::any_of(loops.begin(), loops.end(), is_named))
    all.push_back(step->when);
  for (const Expr& loop : loops) {
    if (is_named(loop)) continue;
    step->values =
        LoweredKernel::OverDomain({loop}, state(step->position), std::move(step->values));
  }
}

// Halide would move a condition that is the same for all steps and places out of the loops. On a
// GPU, that is host code, which cannot read what the condition reads. Loops of one iteration do not
// count.
bool Varies(const Expr& when, const Indices& loops, const SequencePhase& phase,
            const std::vector<Axis>& axes) {
  for (size_t i = 0; i < loops.size() && i < phase.extents.size(); ++i) {
    if (phase.extents[i] > 1 && Halide::Internal::expr_uses_var(when, NameOf(loops[i])))
      return true;
  }
  return std::any_of(axes.begin(), axes.end(), [&when](const Axis& axis) {
    return axis.extent > 1 && Halide::Internal::expr_uses_var(when, axis.var.name());
  });
}

// Reads complex values of a Func whose first dimension is the number of the part.
std::vector<Value> ReadParts(const Halide::Func& func, const std::vector<hlo::ElementType>& types,
                             Indices index) {
  index.insert(index.begin(), Expr(0));
  const std::vector<Expr> re = CallElements(func, index);
  index[0] = 1;
  const std::vector<Expr> im = CallElements(func, index);
  std::vector<Value> values;
  for (size_t k = 0; k < re.size(); ++k) values.push_back(FromStorage(types[k], re[k], im[k]));
  return values;
}

// Returns the real parts where `part` is 0, and the imaginary parts elsewhere.
std::vector<Expr> PartsByNumber(const Expr& part, const std::vector<Value>& values) {
  std::vector<Expr> exprs;
  for (const Value& value : values) {
    exprs.push_back(Stored(
        Halide::select(part == 0, ToStorage(value.type, value.re), ToStorage(value.type, value.im)),
        values.size() > 1));
  }
  return exprs;
}

}  // namespace

void LoweredKernel::DefinePhase(SequencePhase& phase) {
  const Sequence& sequence = As<Sequence>();
  const std::string& name = sequence.instruction->name;
  const size_t first = has_parts ? 1 : 0;
  std::vector<Halide::Range> ranges = RangesOf(phase, name);
  if (has_parts) ranges.insert(ranges.begin(), {0, 2});
  Halide::RDom domain(ranges, "step");
  Indices at, r, loops;
  for (size_t d = first; d < axes.size(); ++d) at.push_back(axes[d].var);
  phase.domain.clear();
  for (size_t i = first; i < ranges.size(); ++i) {
    loops.push_back(domain[static_cast<int>(i)]);
    if (i - first < phase.extents.size()) phase.domain.push_back(domain[static_cast<int>(i)]);
  }
  r.assign(loops.begin(), loops.begin() + phase.extents.size());
  // If a loop has one step, its number is known, and so may be what is read there: an element of a
  // constant.
  for (size_t i = 0; i < r.size(); ++i) {
    if (phase.extents[i] == 1) r[i] = 0;
  }
  if (has_parts) parts.push_back(domain[0]);

  auto inside = [&](Indices position) {
    for (size_t d = 0; d < position.size(); ++d) {
      const Axis& axis = axes[d + first];
      if (!IsInside(position[d], axis.extent, axis, sequence.is_axis[d], phase)) {
        position[d] = ClampInt(position[d], 0, axis.extent - 1);
      }
    }
    return position;
  };
  const StateReader state = [&](const Indices& position) {
    Indices index = inside(position);
    return has_parts ? ReadParts(output, sequence.types, std::move(index))
                     : FromStorageExprs(sequence.types, CallElements(output, index));
  };

  SequenceStep step = phase.step(at, r, state);
  Indices position = inside(step.position);
  NameEveryLoop(loops, position, state, &step);
  phase.conditional = step.when.defined();
  if (step.when.defined() && Varies(step.when, loops, phase, axes)) {
    domain.where(step.when);
  } else if (step.when.defined()) {
    const std::vector<Value> before = state(step.position);
    for (size_t k = 0; k < before.size(); ++k) {
      step.values[k] = SelectValue(step.when, step.values[k], before[k]);
    }
  }

  std::vector<Expr> exprs;
  if (has_parts) {
    position.insert(position.begin(), Expr(domain[0]));
    exprs = PartsByNumber(domain[0], step.values);
  } else {
    exprs = ToStorageExprs(step.values);
  }
  for (Expr& e : exprs) e = Halide::Internal::common_subexpression_elimination(e);
  output(position) = Halide::Tuple(exprs);
}

void Sequence::ChooseByPlace(bool ranges) {
  phases.clear();
  phases.push_back(std::move(by_place[ranges ? 1 : 0]));
  by_place.clear();
  is_axis.assign(is_axis.size(), true);
}

void LoweredKernel::BuildSequence() {
  Sequence& sequence = As<Sequence>();
  has_parts = hlo::IsComplex(sequence.types[0]);
  for (hlo::ElementType type : sequence.types) {
    if (hlo::IsComplex(type) != has_parts) {
      throw EmitError("a kernel's outputs are all complex or all real");
    }
  }
  std::vector<Expr> start;
  if (sequence.start == Sequence::Start::kValue) {
    const std::vector<Value> values = sequence.init(VarsOf(axes));
    const Halide::Var part("part");
    for (const Value& value : values) {
      Expr e = ToStorage(value);
      start.push_back(has_parts ? Halide::select(part == 0, e, ToStorage(value.type, value.im))
                                : e);
    }
  } else {
    for (hlo::ElementType type : sequence.types) start.push_back(Halide::undef(StorageType(type)));
  }
  if (has_parts) axes.insert(axes.begin(), {Halide::Var("part"), 2});
  output = Halide::Func("out");
  output(VarsOf(axes)) = Halide::Tuple(start);
  for (SequencePhase& phase : sequence.phases) DefinePhase(phase);
  SetOutputBounds();
}

}  // namespace halyard::lowering
