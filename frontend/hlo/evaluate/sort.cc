// sort, always stable, and topk.
#include <algorithm>
#include <numeric>

#include "absl/functional/function_ref.h"
#include "frontend/hlo/evaluate/batch_body.h"
#include "frontend/hlo/evaluate/evaluate.h"
#include "frontend/hlo/ir/sort_order.h"
#include "frontend/hlo/values/decoded.h"

namespace halyard::hlo {
namespace {

// Says whether the element at flat position a comes strictly before the one at b.
using Before = absl::FunctionRef<absl::StatusOr<bool>(int64_t a, int64_t b)>;

// A merge sort. Unlike std::stable_sort, it ends, and stays within bounds, whatever the comparator
// answers.
absl::Status MergeSort(std::vector<int64_t>* items, std::vector<int64_t>* spare, size_t begin,
                       size_t end, Before before) {
  if (end - begin < 2) return absl::OkStatus();
  size_t middle = begin + (end - begin) / 2;
  if (absl::Status s = MergeSort(items, spare, begin, middle, before); !s.ok()) return s;
  if (absl::Status s = MergeSort(items, spare, middle, end, before); !s.ok()) return s;
  size_t left = begin, right = middle;
  for (size_t out = begin; out < end; ++out) {
    bool take_right = left == middle;
    if (left < middle && right < end) {
      absl::StatusOr<bool> answer = before((*items)[right], (*items)[left]);
      if (!answer.ok()) return answer.status();
      take_right = *answer;
    }
    (*spare)[out] = (*items)[take_right ? right++ : left++];
  }
  std::copy(spare->begin() + begin, spare->begin() + end, items->begin() + begin);
  return absl::OkStatus();
}

// Rearranges every line of the operands along the sort dimension.
absl::StatusOr<Literal> SortLines(const Instruction& inst, absl::Span<const Literal> operands,
                                  Before before) {
  int64_t dim = inst.GetInts(Attr::kDimensions)[0];
  const Shape& shape = operands[0].shape();
  int64_t length = shape.dim(dim), stride = shape.WithDefaultLayout().Strides()[dim];
  std::vector<Literal> results(operands.begin(), operands.end());
  std::vector<int64_t> line(length), spare(length);
  int64_t lines = length == 0 ? 0 : shape.NumElements() / length;
  for (int64_t l = 0; l < lines; ++l) {
    int64_t start = l / stride * stride * length + l % stride;
    for (int64_t i = 0; i < length; ++i) line[i] = start + i * stride;
    if (absl::Status s = MergeSort(&line, &spare, 0, length, before); !s.ok()) return s;
    for (size_t k = 0; k < results.size(); ++k) {
      for (int64_t i = 0; i < length; ++i) {
        results[k].CopyElement(start + i * stride, operands[k], line[i]);
      }
    }
  }
  return results.size() == 1 ? results[0] : Literal::Tuple(std::move(results));
}

// Compares by keys of each element; the first keys that differ decide.
absl::StatusOr<std::vector<std::vector<uint64_t>>> KeysOf(Evaluator& evaluator,
                                                          const Computation& comparator,
                                                          absl::Span<const SortKey> keys,
                                                          absl::Span<const Literal> operands) {
  Module scratch("sort");
  std::unordered_map<const Instruction*, Instruction*> copies;
  Computation* body = CloneComputation(comparator, &scratch, &copies);
  std::vector<Instruction*> values;
  std::vector<Shape> shapes;
  for (const SortKey& key : keys) {
    values.push_back(copies.at(key.value));
    shapes.push_back(values.back()->shape);
  }
  body->set_root(body->Add(Opcode::kTuple, Shape::Tuple(std::move(shapes)), std::move(values)));
  body->RemoveDead();
  int64_t count = operands[0].shape().NumElements();
  std::vector<Literal> arguments;
  for (const Literal& operand : operands) {
    arguments.insert(arguments.end(), 2, WithShape(operand, operand.shape().WithDims({count})));
  }
  absl::StatusOr<std::vector<Literal>> results = BatchBody(&evaluator, *body).Run(arguments, count);
  if (!results.ok()) return results.status();
  std::vector<std::vector<uint64_t>> bits;
  for (size_t k = 0; k < keys.size(); ++k) {
    bits.push_back(OrderedBits((*results)[k], keys[k].total_order));
    if (!keys[k].descending) continue;
    for (uint64_t& x : bits.back()) x = ~x;
  }
  return bits;
}

}  // namespace

absl::StatusOr<Literal> EvaluateSort(Evaluator& evaluator, const Instruction& inst,
                                     absl::Span<const Literal> operands) {
  const Computation& body = *inst.called[0];
  if (std::vector<SortKey> keys = SortKeysOf(body); !keys.empty()) {
    absl::StatusOr<std::vector<std::vector<uint64_t>>> bits =
        KeysOf(evaluator, body, keys, operands);
    if (!bits.ok()) return bits.status();
    return SortLines(inst, operands, [&](int64_t a, int64_t b) -> absl::StatusOr<bool> {
      for (const std::vector<uint64_t>& key : *bits) {
        if (key[a] != key[b]) return key[a] < key[b];
      }
      return false;
    });
  }
  BatchBody comparator(&evaluator, body);
  std::vector<Literal> pair(2 * operands.size());
  for (size_t k = 0; k < operands.size(); ++k) {
    pair[2 * k] = pair[2 * k + 1] = Literal(operands[k].shape().WithDims({1}));
  }
  return SortLines(inst, operands, [&](int64_t a, int64_t b) -> absl::StatusOr<bool> {
    for (size_t k = 0; k < operands.size(); ++k) {
      pair[2 * k].CopyElement(0, operands[k], a);
      pair[2 * k + 1].CopyElement(0, operands[k], b);
    }
    absl::StatusOr<std::vector<Literal>> answer = comparator.Run(pair, 1);
    if (!answer.ok()) return answer.status();
    return (*answer)[0].GetInt(0) != 0;
  });
}

absl::StatusOr<Literal> EvaluateTopK(Evaluator&, const Instruction& inst,
                                     absl::Span<const Literal> operands) {
  const Shape& shape = operands[0].shape();
  const TopK topk = *TopKOf(inst);
  int64_t k = topk.k, length = shape.dim(shape.rank() - 1);
  Literal values(inst.shape.elements()[0]), indices(inst.shape.elements()[1]);
  std::vector<uint64_t> keys = OrderedBits(operands[0], true);
  if (topk.largest) {
    for (uint64_t& key : keys) key = ~key;
  }
  int64_t lines = k == 0 ? 0 : shape.NumElements() / length;
  std::vector<int64_t> order(length);
  for (int64_t line = 0; line < lines; ++line) {
    std::iota(order.begin(), order.end(), line * length);
    std::partial_sort(order.begin(), order.begin() + k, order.end(), [&](int64_t a, int64_t b) {
      return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
    });
    for (int64_t i = 0; i < k; ++i) {
      values.CopyElement(line * k + i, operands[0], order[i]);
      indices.SetInt(line * k + i, order[i] - line * length);
    }
  }
  return Literal::Tuple({std::move(values), std::move(indices)});
}

}  // namespace halyard::hlo
