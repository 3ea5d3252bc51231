// sort: always stable.
#include <numeric>

#include "absl/functional/function_ref.h"
#include "frontend/hlo/batch_body.h"
#include "frontend/hlo/decoded.h"
#include "frontend/hlo/evaluate.h"

namespace halyard::hlo {
namespace {

// Whether the element at flat position a belongs strictly before the one at b.
using Before = absl::FunctionRef<absl::StatusOr<bool>(int64_t a, int64_t b)>;

// Merge sort: unlike std::stable_sort it ends, within bounds, whatever the comparator answers.
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

// The operand that a comparator of the form compare(a_k, b_k), LT or GT, looks at; -1 for any other
// comparator.
int64_t PlainKey(const Computation& body) {
  const Instruction& root = *body.root();
  if (root.opcode != Opcode::kCompare || root.GetString(Attr::kType) == "TOTALORDER") return -1;
  const std::string& direction = root.GetString(Attr::kDirection);
  for (int64_t k = 0; 2 * k < body.num_parameters(); ++k) {
    bool in_order = root.operand(0) == body.parameters()[2 * k] &&
                    root.operand(1) == body.parameters()[2 * k + 1];
    if (in_order && (direction == "LT" || direction == "GT")) return k;
  }
  return -1;
}

}  // namespace

absl::StatusOr<Literal> EvaluateSort(Evaluator& evaluator, const Instruction& inst,
                                     absl::Span<const Literal> operands) {
  const Computation& body = *inst.called[0];
  int64_t key = PlainKey(body);
  ElementType type = operands[std::max<int64_t>(key, 0)].shape().element_type();
  if (key >= 0 && !IsComplex(type)) {
    bool less = body.root()->GetString(Attr::kDirection) == "LT";
    auto sort_by = [&](const auto& keys) {
      return SortLines(inst, operands, [&](int64_t a, int64_t b) -> absl::StatusOr<bool> {
        return less ? keys[a] < keys[b] : keys[a] > keys[b];
      });
    };
    if (IsFloat(type)) return sort_by(DecodeFloats(operands[key]));
    std::vector<uint64_t> ints = DecodeInts(operands[key]);
    if (!IsSigned(type)) return sort_by(ints);
    return sort_by(std::vector<int64_t>(ints.begin(), ints.end()));
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

}  // namespace halyard::hlo
