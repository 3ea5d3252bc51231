// scatter: a step for each element of the updates (StableHLO specification, scatter). Dimensions of
// the input that a whole update covers, and batching dimensions, are independent axes. In the form
// by place, there is a step for each index vector, in which an element of the input takes the
// update that meets it, if any does. If index vectors are sorted numbers, an element finds those
// that meet it by halving.

#include <algorithm>

#include "lowering/kernels/emitter.h"
#include "lowering/kernels/marks.h"

namespace halyard::lowering {

using Halide::Expr;
using hlo::Attr;
using hlo::Instruction;

namespace {

constexpr int64_t kNone = -1;

// Says where each dimension of an element of the updates lies in the input and in the indices.
struct ScatterDims {
  explicit ScatterDims(const Instruction& inst);

  int64_t inputs = 0;  // number of arrays
  int64_t rank = 0;    // of the inputs
  int64_t vector_dim = 0;
  // Per dimension of the updates: the input's dimension it moves along (windows, batches), and the
  // indices' dimension (all but windows); or kNone.
  std::vector<int64_t> to_input, to_indices;
  // Per dimension of the input: whether it is an axis; which component of the index vector adds to
  // it; the updates' dimension that moves along it. Or kNone.
  std::vector<bool> is_axis;
  std::vector<int64_t> component, from_update;
  // The updates' dimensions that are steps, windows last.
  std::vector<int64_t> steps;
  int64_t window_steps = 0;
};

ScatterDims::ScatterDims(const Instruction& inst) {
  inputs = static_cast<int64_t>(inst.operands.size()) / 2;
  const hlo::Shape& input = inst.operand(0)->shape;
  const hlo::Shape& update = inst.operand(inputs + 1)->shape;
  const hlo::Ints& window_dims = inst.GetInts(Attr::kUpdateWindowDims);
  const hlo::Ints& inserted = inst.GetInts(Attr::kInsertedWindowDims);
  const hlo::Ints& batching = inst.GetInts(Attr::kInputBatchingDims);
  const hlo::Ints& indices_batching = inst.GetInts(Attr::kScatterIndicesBatchingDims);
  const hlo::Ints& map = inst.GetInts(Attr::kScatterDimsToOperandDims);
  auto contains = [](const hlo::Ints& list, int64_t d) {
    return std::find(list.begin(), list.end(), d) != list.end();
  };
  rank = input.rank();
  vector_dim = inst.GetInt(Attr::kIndexVectorDim);
  to_input.assign(update.rank(), kNone);
  to_indices.assign(update.rank(), kNone);
  is_axis.assign(rank, false);
  component.assign(rank, kNone);
  from_update.assign(rank, kNone);
  for (size_t k = 0; k < map.size(); ++k) component[map[k]] = static_cast<int64_t>(k);

  std::vector<int64_t> window_to;
  for (int64_t d = 0; d < rank; ++d) {
    if (!contains(inserted, d) && !contains(batching, d)) window_to.push_back(d);
  }
  size_t next_window = 0;
  int64_t next_indices = 0;
  for (int64_t d = 0; d < update.rank(); ++d) {
    if (contains(window_dims, d)) {
      to_input[d] = window_to[next_window++];
    } else {
      if (next_indices == vector_dim) ++next_indices;
      to_indices[d] = next_indices++;
      for (size_t i = 0; i < batching.size(); ++i) {
        if (indices_batching[i] == to_indices[d]) to_input[d] = batching[i];
      }
    }
    if (to_input[d] == kNone) continue;
    from_update[to_input[d]] = d;
    is_axis[to_input[d]] =
        component[to_input[d]] == kNone && update.dim(d) == input.dim(to_input[d]);
  }
  auto is_step = [&](int64_t d) { return to_input[d] == kNone || !is_axis[to_input[d]]; };
  for (bool window : {false, true}) {
    for (int64_t d = 0; d < update.rank(); ++d) {
      if (!is_step(d) || contains(window_dims, d) != window) continue;
      steps.push_back(d);
      if (window) ++window_steps;
    }
  }
}

// Returns the constant, with those that int64 does not hold as its largest, or nothing.
std::optional<int64_t> ConstantStart(const Expr& start) {
  if (const auto* value = start.as<Halide::Internal::IntImm>()) return value->value;
  const auto* value = start.as<Halide::Internal::UIntImm>();
  if (value == nullptr) return std::nullopt;
  return static_cast<int64_t>(std::min<uint64_t>(value->value, INT64_MAX));
}

// `start` as int32, and whether it is one that may lie in an array (`fits`; undefined: certainly).
// Places are compared as int32 only: Mesa's software Vulkan takes a branch for the wrong threads
// where a 64-bit constant is compared with what a 32-bit place was extended to. Constants outside
// of all arrays become the next of `least` and `most`, which are so, too: Halide refuses to fold
// larger ones.
Expr NarrowStart(const Value& start, int64_t least, int64_t most, Expr* fits) {
  const Halide::Type type = start.re.type();
  if (const auto constant = ConstantStart(start.re))
    return OfUnknownBounds(Expr(static_cast<int32_t>(std::clamp(*constant, least, most))));
  const Expr narrow = OfUnknownBounds(Halide::cast<int32_t>(start.re));
  if (type.bits() == 64 && type.is_int()) *fits = Halide::cast<int64_t>(narrow) == start.re;
  if (type.bits() >= 32 && type.is_uint()) *fits = start.re <= Halide::cast(type, INT32_MAX);
  return narrow;
}

// `start` + `offset`, of which `offset` is an int32 in [0, extent); `inside` says whether that is
// in [0, extent), without a sum that could overflow into it.
Expr AddOffset(const Value& start, const Expr& offset, int64_t extent, Expr* inside) {
  Expr fits;
  const Expr from = NarrowStart(start, -extent, extent, &fits);
  *inside = from >= -offset && from < static_cast<int32_t>(extent) - offset;
  if (fits.defined()) *inside = fits && *inside;
  return from + offset;
}

// The distance in [0, window) from `start` to `place`, which is in [0, 2^31); `inside` says whether
// there is one.
Expr OffsetOf(const Value& start, const Expr& place, int64_t window, Expr* inside) {
  Expr fits;
  const Expr from = NarrowStart(start, -window, INT32_MAX, &fits);
  const Expr first = place - static_cast<int32_t>(window - 1);
  *inside = from >= first && from <= place;
  if (fits.defined()) *inside = fits && *inside;
  return place - Halide::clamp(from, first, place);
}

// Returns elements of the updates at `u`, for those of the inputs at `position`.
std::vector<Value> Combine(Emitter& emitter, const Instruction& inst, const ScatterDims& dims,
                           const Indices& position, const LogicalIndex& u,
                           const StateReader& state) {
  std::vector<Value> arguments = state(position);
  for (int64_t k = 0; k < dims.inputs; ++k) {
    arguments.push_back(emitter.At(inst.operand(dims.inputs + 1 + k), u));
  }
  return emitter.Apply(*inst.called[0], arguments);
}

// The extent of the loop over blocks.
Expr BlocksOf(const Expr& block) {
  const auto* variable = block.as<Halide::Internal::Variable>();
  for (const auto& r : variable->reduction_domain.domain()) {
    if (r.var == variable->name) return Halide::cast<uint32_t>(r.extent);
  }
  throw EmitError("the block is not the variable of a loop");
}

SequenceStep StepOf(Emitter& emitter, const Instruction& inst, const ScatterDims& dims,
                    const Indices& at, const Indices& r, const StateReader& state) {
  const Instruction* indices = inst.operand(dims.inputs);
  const LogicalIndex axes = Emitter::ToLogical(at);
  // The element's index in the updates, and in the indices.
  LogicalIndex u(dims.to_input.size()), vector_at(indices->shape.rank());
  for (size_t i = 0; i < dims.steps.size(); ++i) u[dims.steps[i]] = r[dims.steps.size() - 1 - i];
  for (size_t d = 0; d < u.size(); ++d) {
    if (!u[d].defined()) u[d] = axes[dims.to_input[d]];
    if (dims.to_indices[d] != kNone) vector_at[dims.to_indices[d]] = u[d];
  }
  SequenceStep step;
  LogicalIndex position(dims.rank);
  Expr moved = Halide::cast<uint32_t>(0);  // the place along the dimensions that indices choose
  for (int64_t d = 0; d < dims.rank; ++d) {
    position[d] = dims.from_update[d] == kNone ? Expr(0) : u[dims.from_update[d]];
    if (dims.component[d] == kNone) continue;
    if (dims.vector_dim < indices->shape.rank()) {
      vector_at[dims.vector_dim] = static_cast<int32_t>(dims.component[d]);
    }
    Expr inside;
    position[d] = AddOffset(emitter.At(indices, vector_at), position[d],
                            inst.operand(0)->shape.dim(d), &inside);
    step.when = step.when.defined() ? step.when && inside : inside;
    moved = moved * Expr(static_cast<uint32_t>(inst.operand(0)->shape.dim(d))) +
            Halide::cast<uint32_t>(position[d]);
  }
  if (r.size() > dims.steps.size()) {
    const Expr mine = moved % BlocksOf(r.back()) == Halide::cast<uint32_t>(r.back());
    step.when = step.when.defined() ? step.when && mine : mine;
  }
  step.position = Emitter::ToHalide(position);
  step.values = Combine(emitter, inst, dims, step.position, u, state);
  return step;
}

// The step of index vector r at the place `at`.
SequenceStep StepAtPlace(Emitter& emitter, const Instruction& inst, const ScatterDims& dims,
                         const Indices& at, const Indices& r, const StateReader& state) {
  const Instruction* indices = inst.operand(dims.inputs);
  const hlo::Shape& update = inst.operand(dims.inputs + 1)->shape;
  const LogicalIndex place = Emitter::ToLogical(at);
  LogicalIndex u(dims.to_input.size()), vector_at(indices->shape.rank());
  const size_t vectors = dims.steps.size() - dims.window_steps;
  for (size_t i = 0; i < vectors; ++i) u[dims.steps[i]] = r[vectors - 1 - i];
  for (size_t d = 0; d < u.size(); ++d) {
    if (dims.to_input[d] != kNone && dims.is_axis[dims.to_input[d]]) u[d] = place[dims.to_input[d]];
    if (dims.to_indices[d] != kNone) vector_at[dims.to_indices[d]] = u[d];
  }
  SequenceStep step;
  for (int64_t d = 0; d < dims.rank; ++d) {
    if (dims.is_axis[d]) continue;
    const int64_t from = dims.from_update[d];
    const int64_t window = from == kNone ? 1 : update.dim(from);
    Value start{hlo::ElementType::kS32, Expr(0), Expr()};
    if (dims.component[d] != kNone) {
      if (dims.vector_dim < indices->shape.rank()) {
        vector_at[dims.vector_dim] = static_cast<int32_t>(dims.component[d]);
      }
      start = emitter.At(indices, vector_at);
    }
    Expr inside;
    const Expr offset = OffsetOf(start, place[d], window, &inside);
    if (from != kNone) u[from] = offset;
    step.when = step.when.defined() ? step.when && inside : inside;
  }
  step.position = at;
  step.values = Combine(emitter, inst, dims, step.position, u, state);
  return step;
}

// Returns whether the index vectors are in order and choose places along the input's first
// dimension and, if they are several numbers, along dimensions of one element, while all others are
// axes: then the steps of a place are neighbours.
bool HasRanges(const Instruction& inst, const ScatterDims& dims) {
  if (!inst.GetBool(Attr::kIndicesAreSorted) || dims.window_steps != 0 ||
      !inst.GetInts(Attr::kInputBatchingDims).empty())
    return false;
  const auto chosen = static_cast<int64_t>(inst.GetInts(Attr::kScatterDimsToOperandDims).size());
  for (int64_t d = 0; d < dims.rank; ++d) {
    const bool single = d == 0 || inst.operand(0)->shape.dim(d) == 1;
    if (d < chosen ? dims.component[d] != d || dims.from_update[d] != kNone || !single
                   : !dims.is_axis[d])
      return false;
  }
  const hlo::ElementType type = inst.operand(dims.inputs)->shape.element_type();
  return chosen > 0 && !dims.steps.empty() && hlo::IsInteger(type) && hlo::BitWidth(type) >= 32;
}

// The number of index vectors.
int64_t StepsOf(const Instruction& inst, const ScatterDims& dims) {
  int64_t steps = 1;
  for (int64_t d : dims.steps) steps *= inst.operand(dims.inputs + 1)->shape.dim(d);
  return steps;
}

// Returns where step `number` is, fastest first.
Indices StepAt(const Instruction& inst, const ScatterDims& dims, Expr number) {
  Indices r;
  for (size_t i = dims.steps.size(); i-- > 1;) {
    const auto extent =
        static_cast<int32_t>(inst.operand(dims.inputs + 1)->shape.dim(dims.steps[i]));
    r.push_back(number % extent);
    number = number / extent;
  }
  r.push_back(number);
  return r;
}

// Returns whether an index vector is below (place, 0, …), or, with `up_to`, not above it.
Expr IsBefore(Emitter& emitter, const Instruction& inst, const ScatterDims& dims,
              LogicalIndex vector_at, const Expr& place, bool up_to) {
  const Instruction* indices = inst.operand(dims.inputs);
  Expr before;
  for (auto d = static_cast<int64_t>(inst.GetInts(Attr::kScatterDimsToOperandDims).size());
       d-- > 0;) {
    if (dims.vector_dim < indices->shape.rank())
      vector_at[dims.vector_dim] = static_cast<int32_t>(d);
    const Expr index = emitter.At(indices, vector_at).re;
    const Expr at = Halide::cast(index.type(), d == 0 ? place : Expr(0));
    if (before.defined()) {
      before = index < at || (index == at && before);
    } else {
      before = up_to ? index <= at : index < at;
    }
  }
  return before;
}

// Returns the number of index vectors that are below the place, or, with `up_to`, not above it, by
// as many halvings as the number of all of them has bits.
Expr VectorsBefore(Emitter& emitter, const Instruction& inst, const ScatterDims& dims,
                   const Expr& place, bool up_to) {
  const Instruction* indices = inst.operand(dims.inputs);
  const int64_t steps = StepsOf(inst, dims);
  LogicalIndex vector_at(indices->shape.rank());
  int64_t bit = 1;
  while (bit * 2 <= steps) bit *= 2;
  // Each value has a name, or their text would double with each of them.
  std::vector<std::pair<std::string, Expr>> lets;
  Expr number = 0;
  for (; bit > 0; bit /= 2) {
    const Expr next = number + static_cast<int32_t>(bit);
    const Indices at =
        StepAt(inst, dims, Halide::clamp(next - 1, 0, static_cast<int32_t>(steps - 1)));
    for (size_t i = 0; i < at.size(); ++i)
      vector_at[dims.to_indices[dims.steps[i]]] = at[at.size() - 1 - i];
    const Expr further = next <= static_cast<int32_t>(steps) &&
                         IsBefore(emitter, inst, dims, vector_at, place, up_to);
    lets.emplace_back(Halide::Internal::unique_name("before"),
                      Halide::select(further, next, number));
    number = Halide::Internal::Variable::make(Halide::Int(32), lets.back().first);
  }
  while (!lets.empty()) {
    number = Halide::Internal::Let::make(lets.back().first, lets.back().second, number);
    lets.pop_back();
  }
  return number;
}

void AddRanges(Emitter& emitter, const Instruction& inst, const ScatterDims& dims,
               Sequence* sequence) {
  SequencePhase ranges;
  ranges.extents = {StepsOf(inst, dims)};
  ranges.step = [&emitter, &inst, dims](const Indices& at, const Indices& r,
                                        const StateReader& state) {
    SequenceStep step = StepAtPlace(emitter, inst, dims, at, StepAt(inst, dims, r[0]), state);
    step.when =
        Halide::Internal::Call::make(Halide::Bool(), kStepRange,
                                     {r[0], VectorsBefore(emitter, inst, dims, at.back(), false),
                                      VectorsBefore(emitter, inst, dims, at.back(), true)},
                                     Halide::Internal::Call::PureExtern);
    return step;
  };
  sequence->by_place.push_back(std::move(ranges));
}

}  // namespace

void LowerScatter(Emitter& emitter, const Instruction& inst, Sequence* sequence) {
  const ScatterDims dims(inst);
  const hlo::Shape& update = inst.operand(dims.inputs + 1)->shape;
  sequence->is_axis.assign(dims.is_axis.rbegin(), dims.is_axis.rend());
  SequencePhase phase;
  for (size_t i = dims.steps.size(); i-- > 0;) phase.extents.push_back(update.dim(dims.steps[i]));
  // Elements of one window never meet; none do if the program promises so.
  const bool unique = inst.GetBool(Attr::kUniqueIndices);
  phase.independent = unique ? phase.extents.size() : static_cast<size_t>(dims.window_steps);
  phase.step = [&emitter, &inst, dims](const Indices& at, const Indices& r,
                                       const StateReader& state) {
    return StepOf(emitter, inst, dims, at, r, state);
  };
  if (phase.independent < phase.extents.size()) {
    SequencePhase places;
    places.extents.assign(phase.extents.begin() + dims.window_steps, phase.extents.end());
    places.step = [&emitter, &inst, dims](const Indices& at, const Indices& r,
                                          const StateReader& state) {
      return StepAtPlace(emitter, inst, dims, at, r, state);
    };
    sequence->by_place.push_back(std::move(places));
    if (HasRanges(inst, dims)) AddRanges(emitter, inst, dims, sequence);
  }
  sequence->phases.push_back(std::move(phase));
}

}  // namespace halyard::lowering
