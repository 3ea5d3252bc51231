// reduce, reduce-window, map.
#include <algorithm>
#include <complex>
#include <functional>
#include <optional>
#include <type_traits>

#include "absl/functional/function_ref.h"
#include "frontend/hlo/evaluate/batch_body.h"
#include "frontend/hlo/evaluate/elementwise.h"
#include "frontend/hlo/evaluate/evaluate.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/values/strided.h"

namespace halyard::hlo {
namespace {

// Folds `steps` values into each of `outputs` results, from the initial value on the left.
// source(output, step) is the row-major position of the value in the inputs, or -1 for the initial
// value again. If `running`, the value after each step is a result, at the place of the step's
// input.
struct FoldProblem {
  int64_t outputs;
  int64_t steps;
  absl::FunctionRef<int64_t(int64_t output, int64_t step)> source;
  bool running = false;
};

// Folds in the type `Wide`, which the function takes.
template <typename Wide, typename T, typename Function>
std::vector<T> FoldValues(const FoldProblem& fold, const std::vector<T>& input, T init,
                          Function function) {
  std::vector<T> results(fold.running ? fold.outputs * fold.steps : fold.outputs);
  for (int64_t o = 0; o < fold.outputs; ++o) {
    Wide value(init);
    for (int64_t s = 0; s < fold.steps; ++s) {
      int64_t at = fold.source(o, s);
      value = function(value, Wide(at < 0 ? init : input[at]));
      if (fold.running) results[at] = T(value);
    }
    if (!fold.running) results[o] = T(value);
  }
  return results;
}

// Folds with a body that is one op, in the arithmetic of its class, so that float products
// accumulate in f64, and sums in more: the errors of thousands of equal terms of f64 do not cancel.
template <typename F>
Literal FoldWith(const FoldProblem& fold, const Shape& shape, const Literal& input,
                 const Literal& init) {
  ElementType type = shape.element_type();
  if constexpr (std::is_same_v<F, scalar::Add>) {
    constexpr std::plus<> kSum;
    if (IsFloat(type)) {
      return EncodeFloats(
          shape, FoldValues<long double>(fold, DecodeFloats(input), init.GetFloat(0), kSum));
    }
    if (IsComplex(type)) {
      return EncodeComplexes(shape, FoldValues<std::complex<long double>>(
                                        fold, DecodeComplexes(input), init.GetComplex(0), kSum));
    }
  } else if constexpr (requires { F::Float(0.0, 0.0); }) {
    if (IsFloat(type)) {
      return EncodeFloats(
          shape, FoldValues<double>(fold, DecodeFloats(input), init.GetFloat(0), F::Float));
    }
    if (IsComplex(type)) {
      return EncodeComplexes(shape, FoldValues<Complex128>(fold, DecodeComplexes(input),
                                                           init.GetComplex(0), F::Complex));
    }
  }
  if (type == ElementType::kPred) {
    auto function = [](uint64_t a, uint64_t b) { return uint64_t{F::Bool(a != 0, b != 0)}; };
    return EncodeInts(shape,
                      FoldValues<uint64_t>(fold, DecodeInts(input), init.GetUint(0), function));
  }
  IntType int_type{BitWidth(type), IsSigned(type)};
  // Sums and products are wrapped only at the end, which is exact; the other ops never leave the
  // type.
  auto function = [int_type](uint64_t a, uint64_t b) { return F::Int(a, b, int_type); };
  return EncodeInts(shape,
                    FoldValues<uint64_t>(fold, DecodeInts(input), init.GetUint(0), function));
}

using FoldFunction = Literal (*)(const FoldProblem&, const Shape&, const Literal&, const Literal&);

// Returns the fold for a body that is one associative op on its two parameters, or null.
FoldFunction OneOpFold(const Computation& body) {
  const Instruction& root = *body.root();
  if (body.num_parameters() != 2 || root.operands.size() != 2) return nullptr;
  if (root.shape.IsQuantized()) return nullptr;
  for (const Instruction* parameter : body.parameters()) {
    if (!std::count(root.operands.begin(), root.operands.end(), parameter)) return nullptr;
  }
  switch (root.opcode) {
    case Opcode::kAdd:
      return FoldWith<scalar::Add>;
    case Opcode::kMultiply:
      return FoldWith<scalar::Multiply>;
    case Opcode::kMaximum:
      return FoldWith<scalar::Maximum>;
    case Opcode::kMinimum:
      return FoldWith<scalar::Minimum>;
    case Opcode::kAnd:
      return FoldWith<scalar::And>;
    case Opcode::kOr:
      return FoldWith<scalar::Or>;
    case Opcode::kXor:
      return FoldWith<scalar::Xor>;
    default:
      return nullptr;
  }
}

// Folds with any body, step by step, for all outputs at once.
absl::StatusOr<std::vector<Literal>> FoldBatched(Evaluator& evaluator, const Computation& body,
                                                 const FoldProblem& fold,
                                                 const std::vector<Literal>& inputs,
                                                 const std::vector<Literal>& inits) {
  BatchBody batch(&evaluator, body);
  size_t n = inputs.size();
  std::vector<Literal> values;
  for (const Literal& init : inits) {
    values.push_back(Literal::Splat(init.shape().WithDims({fold.outputs}), init));
  }
  for (int64_t s = 0; s < fold.steps; ++s) {
    std::vector<Literal> arguments(values.begin(), values.end());
    for (size_t k = 0; k < n; ++k) {
      Literal next(inits[k].shape().WithDims({fold.outputs}));
      for (int64_t o = 0; o < fold.outputs; ++o) {
        int64_t at = fold.source(o, s);
        next.CopyElement(o, at < 0 ? inits[k] : inputs[k], std::max<int64_t>(at, 0));
      }
      arguments.push_back(std::move(next));
    }
    absl::StatusOr<std::vector<Literal>> results = batch.Run(arguments, fold.outputs);
    if (!results.ok()) return results.status();
    values = *std::move(results);
  }
  return values;
}

// The operands of reduce and reduce-window: inputs, then initial values.
absl::StatusOr<Literal> Fold(Evaluator& evaluator, const Instruction& inst,
                             absl::Span<const Literal> operands, const FoldProblem& fold) {
  const Computation& body = *inst.called[0];
  size_t n = operands.size() / 2;
  std::vector<Shape> shapes = FlattenShape(inst.shape);
  std::vector<Literal> inputs, inits;
  for (size_t k = 0; k < n; ++k) {
    inputs.push_back(ConvertLiteral(operands[k], shapes[k].element_type()));
    inits.push_back(ConvertLiteral(operands[n + k], shapes[k].element_type()));
  }
  if (FoldFunction one_op = n == 1 ? OneOpFold(body) : nullptr; one_op != nullptr) {
    return one_op(fold, shapes[0], inputs[0], inits[0]);
  }
  absl::StatusOr<std::vector<Literal>> values = FoldBatched(evaluator, body, fold, inputs, inits);
  if (!values.ok()) return values.status();
  for (size_t k = 0; k < n; ++k) (*values)[k] = WithShape((*values)[k], shapes[k]);
  return n == 1 ? (*values)[0] : Literal::Tuple(*std::move(values));
}

// Row-major offsets of all indices of the dimensions `dims` of an array of `shape`.
std::vector<int64_t> Offsets(const Shape& shape, const Ints& dims) {
  std::vector<int64_t> all = shape.WithDefaultLayout().Strides(), sizes, strides;
  for (int64_t d : dims) {
    sizes.push_back(shape.dim(d));
    strides.push_back(all[d]);
  }
  std::vector<int64_t> offsets;
  ForEachStrided(sizes, 0, strides, [&](int64_t, int64_t offset) { offsets.push_back(offset); });
  return offsets;
}

}  // namespace

absl::StatusOr<Literal> EvaluateReduce(Evaluator& evaluator, const Instruction& inst,
                                       absl::Span<const Literal> operands) {
  const Shape& operand = operands[0].shape();
  Ints kept, reduced;  // both ascending, so that elements come in their order
  for (int64_t d = 0; d < operand.rank(); ++d) {
    (Contains(inst.GetInts(Attr::kDimensions), d) ? reduced : kept).push_back(d);
  }
  std::vector<int64_t> bases = Offsets(operand, kept), offsets = Offsets(operand, reduced);
  auto source = [&](int64_t output, int64_t step) { return bases[output] + offsets[step]; };
  return Fold(evaluator, inst, operands,
              {static_cast<int64_t>(bases.size()), static_cast<int64_t>(offsets.size()), source});
}

namespace {

constexpr int64_t kMostEntries = int64_t{1} << 29;

// All indices of `dims`, one after the other.
std::vector<int64_t> AllIndices(const std::vector<int64_t>& dims) {
  std::vector<int64_t> indices;
  int64_t rank = static_cast<int64_t>(dims.size());
  std::vector<int64_t> strides = Shape::Array(ElementType::kPred, dims).Strides();
  ForEachStrided(dims, 0, strides, [&](int64_t position, int64_t) {
    for (int64_t d = 0; d < rank; ++d) indices.push_back(position / strides[d] % dims[d]);
  });
  return indices;
}

// offset[d][o × size + w]: what element w of window o adds to the position in the input along d; -1
// in the padding.
std::vector<std::vector<int64_t>> WindowOffsets(const Window& window, const Shape& operand,
                                                const std::vector<int64_t>& out_dims) {
  std::vector<int64_t> strides = operand.WithDefaultLayout().Strides();
  std::vector<std::vector<int64_t>> offsets(strides.size());
  for (size_t d = 0; d < strides.size(); ++d) {
    const WindowDim& w = window.dims[d];
    for (int64_t o = 0; o < out_dims[d]; ++o) {
      for (int64_t i = 0; i < w.size; ++i) {
        int64_t dilated = o * w.stride + i * w.window_dilation - w.pad_low;
        bool inside = dilated >= 0 && dilated % w.base_dilation == 0 &&
                      dilated / w.base_dilation < operand.dim(d);
        offsets[d].push_back(inside ? dilated / w.base_dilation * strides[d] : -1);
      }
    }
  }
  return offsets;
}

// Returns the dimension along which each window is all elements up to its own place (a cumulative
// sum, for one), behind padding; -1 for other windows.
int64_t PrefixDimension(const Window& window, const Shape& operand,
                        const std::vector<int64_t>& out_dims) {
  int64_t found = -1;
  for (int64_t d = 0; d < operand.rank(); ++d) {
    const WindowDim& w = window.dims[d];
    if (w.stride != 1 || w.base_dilation != 1 || w.window_dilation != 1 ||
        w.pad_low != w.size - 1 || out_dims[d] != operand.dim(d)) {
      return -1;
    }
    if (w.size == 1) continue;
    if (found >= 0 || w.size < operand.dim(d)) return -1;
    found = d;
  }
  return found;
}

// Folds each element once instead of once in every window that it is in. Returns nothing where
// the padding is no neutral element of the fold, or the body is more than one op.
std::optional<Literal> RunningFold(const Instruction& inst, absl::Span<const Literal> operands,
                                   int64_t dimension) {
  FoldFunction fold = operands.size() == 2 ? OneOpFold(*inst.called[0]) : nullptr;
  if (fold == nullptr) return std::nullopt;
  const Shape shape = FlattenShape(inst.shape)[0];
  const Literal input = ConvertLiteral(operands[0], shape.element_type());
  const Literal init = ConvertLiteral(operands[1], shape.element_type());
  auto padding = [](int64_t, int64_t) { return int64_t{-1}; };
  if (!fold({1, 1, padding}, init.shape(), input, init).BitwiseEqual(init)) return std::nullopt;
  Ints others;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    if (d != dimension) others.push_back(d);
  }
  const Shape& operand = operands[0].shape();
  std::vector<int64_t> bases = Offsets(operand, others), offsets = Offsets(operand, {dimension});
  auto source = [&](int64_t output, int64_t step) { return bases[output] + offsets[step]; };
  return fold({static_cast<int64_t>(bases.size()), static_cast<int64_t>(offsets.size()), source,
               /*running=*/true},
              shape, input, init);
}

}  // namespace

absl::StatusOr<Literal> EvaluateReduceWindow(Evaluator& evaluator, const Instruction& inst,
                                             absl::Span<const Literal> operands) {
  const Window& window = inst.GetWindow();
  std::vector<int64_t> out_dims = FlattenShape(inst.shape)[0].dims();
  std::vector<int64_t> sizes;
  for (const WindowDim& w : window.dims) sizes.push_back(w.size);
  int64_t rank = static_cast<int64_t>(sizes.size());
  if (int64_t d = PrefixDimension(window, operands[0].shape(), out_dims); d >= 0) {
    if (std::optional<Literal> result = RunningFold(inst, operands, d)) return *std::move(result);
  }
  // The tables below: of all places of windows along a dimension, and of a window's elements.
  int64_t largest = rank;
  for (int64_t size : sizes) {
    if (__builtin_mul_overflow(largest, size, &largest)) largest = INT64_MAX;
  }
  for (int64_t d = 0; d < rank; ++d) {
    int64_t places;
    if (__builtin_mul_overflow(out_dims[d], sizes[d], &places)) places = INT64_MAX;
    largest = std::max(largest, places);
  }
  if (largest > kMostEntries) {
    return absl::ResourceExhaustedError(
        "windows of so many elements are more than the evaluator takes");
  }
  std::vector<std::vector<int64_t>> offsets = WindowOffsets(window, operands[0].shape(), out_dims);
  std::vector<int64_t> outputs = AllIndices(out_dims), steps = AllIndices(sizes);
  auto source = [&](int64_t output, int64_t step) {
    int64_t position = 0;
    for (int64_t d = 0; d < rank; ++d) {
      int64_t offset = offsets[d][outputs[output * rank + d] * sizes[d] + steps[step * rank + d]];
      if (offset < 0) return int64_t{-1};
      position += offset;
    }
    return position;
  };
  auto count = [](const std::vector<int64_t>& dims) {
    return Shape::Array(ElementType::kPred, dims).NumElements();
  };
  return Fold(evaluator, inst, operands, {count(out_dims), count(sizes), source});
}

absl::StatusOr<Literal> EvaluateMap(Evaluator& evaluator, const Instruction& inst,
                                    absl::Span<const Literal> operands) {
  int64_t count = inst.shape.NumElements();
  std::vector<Literal> arguments;
  for (const Literal& operand : operands) {
    arguments.push_back(WithShape(operand, operand.shape().WithDims({count})));
  }
  BatchBody body(&evaluator, *inst.called[0]);
  absl::StatusOr<std::vector<Literal>> results = body.Run(arguments, count);
  if (!results.ok()) return results.status();
  return WithShape((*results)[0], inst.shape);
}

}  // namespace halyard::hlo
