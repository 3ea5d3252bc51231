// scatter, select-and-scatter.
#include <algorithm>
#include <numeric>

#include "frontend/hlo/evaluate/batch_body.h"
#include "frontend/hlo/evaluate/evaluate.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/values/decoded.h"
#include "frontend/hlo/values/strided.h"

namespace halyard::hlo {
namespace {

// result[targets[i]] = body(result[targets[i]], updates[i]) for each i of `order`, skipped where
// the target is -1. `results` are the inputs before and the results after.
//
// Updates that are the first, the second, … of their targets run together: their order between
// targets makes no difference.
absl::Status Combine(Evaluator& evaluator, const Computation& body,
                     const std::vector<int64_t>& targets, const std::vector<int64_t>& order,
                     const std::vector<Literal>& updates, std::vector<Literal>* results) {
  BatchBody batch(&evaluator, body);
  std::vector<int64_t> seen((*results)[0].shape().NumElements(), 0);
  std::vector<std::vector<int64_t>> rounds;  // positions in `targets`
  for (int64_t i : order) {
    if (targets[i] < 0) continue;
    size_t round = static_cast<size_t>(seen[targets[i]]++);
    if (round == rounds.size()) rounds.emplace_back();
    rounds[round].push_back(i);
  }
  for (const std::vector<int64_t>& round : rounds) {
    int64_t count = static_cast<int64_t>(round.size());
    std::vector<Literal> arguments;
    for (bool update : {false, true}) {
      const std::vector<Literal>& from = update ? updates : *results;
      for (const Literal& values : from) {
        Literal argument(values.shape().WithDims({count}));
        for (int64_t i = 0; i < count; ++i) {
          argument.CopyElement(i, values, update ? round[i] : targets[round[i]]);
        }
        arguments.push_back(std::move(argument));
      }
    }
    absl::StatusOr<std::vector<Literal>> values = batch.Run(arguments, count);
    if (!values.ok()) return values.status();
    for (size_t k = 0; k < results->size(); ++k) {
      for (int64_t i = 0; i < count; ++i) {
        (*results)[k].CopyElement(targets[round[i]], (*values)[k], i);
      }
    }
  }
  return absl::OkStatus();
}

// Row-major position in the inputs of each element of the updates; -1 where it is out of bounds.
std::vector<int64_t> ScatterTargets(const Instruction& inst, const Shape& input,
                                    const Literal& indices, const Shape& update) {
  const Ints& window_dims = inst.GetInts(Attr::kUpdateWindowDims);
  const Ints& map = inst.GetInts(Attr::kScatterDimsToOperandDims);
  const Ints& batching = inst.GetInts(Attr::kInputBatchingDims);
  const Ints& indices_batching = inst.GetInts(Attr::kScatterIndicesBatchingDims);
  int64_t ivd = inst.GetInt(Attr::kIndexVectorDim);
  std::vector<int64_t> indices_strides = indices.shape().WithDefaultLayout().Strides();
  std::vector<int64_t> input_strides = input.WithDefaultLayout().Strides();
  int64_t vector_stride = ivd < indices.shape().rank() ? indices_strides[ivd] : 0;

  // For each dimension of the updates: the dimension of the input along which it moves (windows),
  // or that of the indices (the others).
  std::vector<int64_t> window_to, scatter_to;
  for (int64_t d = 0; d < input.rank(); ++d) {
    bool dropped = Contains(inst.GetInts(Attr::kInsertedWindowDims), d) || Contains(batching, d);
    if (!dropped) window_to.push_back(d);
  }
  for (int64_t d = 0; d < indices.shape().rank(); ++d) {
    if (d != ivd) scatter_to.push_back(d);
  }
  std::vector<int64_t> targets, strides = update.WithDefaultLayout().Strides();
  for (int64_t at = 0; at < update.NumElements(); ++at) {
    std::vector<int64_t> full(input.rank(), 0);
    int64_t index_at = 0;
    size_t next_window = 0, next_scatter = 0;
    for (int64_t d = 0; d < update.rank(); ++d) {
      int64_t u = at / strides[d] % update.dim(d);
      if (Contains(window_dims, d)) {
        full[window_to[next_window++]] += u;
        continue;
      }
      int64_t indices_dim = scatter_to[next_scatter++];
      index_at += u * indices_strides[indices_dim];
      for (size_t i = 0; i < batching.size(); ++i) {
        if (indices_batching[i] == indices_dim) full[batching[i]] += u;
      }
    }
    bool inside = true;
    for (size_t k = 0; k < map.size(); ++k) {
      int64_t from = index_at + static_cast<int64_t>(k) * vector_stride;
      int64_t limit = input.dim(map[k]);
      // Larger indices are out of bounds for every element of the window, and sums with them might
      // overflow.
      bool near = IsUnsigned(indices.shape().element_type())
                      ? indices.GetUint(from) < static_cast<uint64_t>(limit)
                      : indices.GetInt(from) < limit && indices.GetInt(from) > -limit;
      inside = inside && near;
      if (near) full[map[k]] += indices.GetInt(from);
    }
    int64_t target = 0;
    for (int64_t d = 0; d < input.rank(); ++d) {
      inside = inside && full[d] >= 0 && full[d] < input.dim(d);
      target += full[d] * input_strides[d];
    }
    targets.push_back(inside ? target : -1);
  }
  return targets;
}

// Returns positions in the updates, index vector by index vector, with the elements of its window:
// this is the order of XLA, and of the kernels. (StableHLO leaves it open.)
std::vector<int64_t> VectorByVector(const Instruction& inst, const Shape& update) {
  const std::vector<int64_t> strides = update.WithDefaultLayout().Strides();
  std::vector<int64_t> dims, steps, order;
  for (bool window : {false, true}) {
    for (int64_t d = 0; d < update.rank(); ++d) {
      if (Contains(inst.GetInts(Attr::kUpdateWindowDims), d) != window) continue;
      dims.push_back(update.dim(d));
      steps.push_back(strides[d]);
    }
  }
  ForEachStrided(dims, 0, steps, [&](int64_t, int64_t at) { order.push_back(at); });
  return order;
}

// Row-major positions in `operand` of the elements of window `o` (a row-major number), in order;
// none for those in the padding.
std::vector<int64_t> InsideWindow(const Window& window, const Shape& operand,
                                  const std::vector<int64_t>& windows, int64_t o) {
  std::vector<int64_t> strides = operand.WithDefaultLayout().Strides(), positions = {0};
  std::vector<int64_t> at(windows.size());
  for (size_t d = windows.size(); d-- > 0;) {
    at[d] = o % windows[d];
    o /= windows[d];
  }
  for (size_t d = 0; d < windows.size(); ++d) {
    const WindowDim& w = window.dims[d];
    std::vector<int64_t> longer;
    int64_t start = at[d] * w.stride - w.pad_low;
    int64_t first = std::max<int64_t>(start, 0), end = std::min(start + w.size, operand.dim(d));
    for (int64_t position : positions) {
      for (int64_t i = first; i < end; ++i) longer.push_back(position + i * strides[d]);
    }
    positions = std::move(longer);
  }
  return positions;
}

}  // namespace

absl::StatusOr<Literal> EvaluateScatter(Evaluator& evaluator, const Instruction& inst,
                                        absl::Span<const Literal> operands) {
  size_t n = operands.size() / 2;
  std::vector<Shape> shapes = FlattenShape(inst.shape);
  std::vector<Literal> results, updates;
  for (size_t k = 0; k < n; ++k) {
    results.push_back(ConvertLiteral(operands[k], shapes[k].element_type()));
    updates.push_back(ConvertLiteral(operands[n + 1 + k], shapes[k].element_type()));
  }
  std::vector<int64_t> targets =
      ScatterTargets(inst, operands[0].shape(), operands[n], operands[n + 1].shape());
  absl::Status combined = Combine(evaluator, *inst.called[0], targets,
                                  VectorByVector(inst, operands[n + 1].shape()), updates, &results);
  if (!combined.ok()) return combined;
  return n == 1 ? results[0] : Literal::Tuple(std::move(results));
}

absl::StatusOr<Literal> EvaluateSelectAndScatter(Evaluator& evaluator, const Instruction& inst,
                                                 absl::Span<const Literal> operands) {
  const Literal& operand = operands[0];
  const Window& window = inst.GetWindow();
  const std::vector<int64_t>& windows = operands[1].shape().dims();
  int64_t count = operands[1].shape().NumElements();
  std::vector<std::vector<int64_t>> inside;
  size_t longest = 0;
  for (int64_t o = 0; o < count; ++o) {
    inside.push_back(InsideWindow(window, operand.shape(), windows, o));
    longest = std::max(longest, inside.back().size());
  }
  // Selects in all windows at once, element by element: x stays if select(x, y).
  BatchBody select(&evaluator, *inst.called[0]);
  std::vector<int64_t> chosen(count, -1);
  for (size_t step = 0; step < longest; ++step) {
    std::vector<int64_t> open;
    for (int64_t o = 0; o < count; ++o) {
      if (step >= inside[o].size()) continue;
      if (step == 0) {
        chosen[o] = inside[o][0];
      } else {
        open.push_back(o);
      }
    }
    if (open.empty()) continue;
    int64_t n = static_cast<int64_t>(open.size());
    Literal x(operand.shape().WithDims({n})), y(operand.shape().WithDims({n}));
    for (int64_t i = 0; i < n; ++i) {
      x.CopyElement(i, operand, chosen[open[i]]);
      y.CopyElement(i, operand, inside[open[i]][step]);
    }
    std::vector<Literal> arguments = {x, y};
    absl::StatusOr<std::vector<Literal>> keep = select.Run(arguments, n);
    if (!keep.ok()) return keep.status();
    for (int64_t i = 0; i < n; ++i) {
      if ((*keep)[0].GetInt(i) == 0) chosen[open[i]] = inside[open[i]][step];
    }
  }
  ElementType type = inst.shape.element_type();
  std::vector<Literal> results = {Literal::Splat(inst.shape, ConvertLiteral(operands[2], type))};
  std::vector<int64_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  absl::Status combined = Combine(evaluator, *inst.called[1], chosen, order,
                                  {ConvertLiteral(operands[1], type)}, &results);
  if (!combined.ok()) return combined;
  return results[0];
}

}  // namespace halyard::hlo
