// The passes of a sort, ops of the lowering. Each rearranges arrays x_0 … x_k-1 of one shape along
// their last dimension, line by line.
//
// counting-pass: a stable counting sort. `to_apply` gives from an element's x_0 … x_k-1 its digit,
// s32[]; digits outside of [0, k) count as the nearest within.
//
// sort-pass: passes of a sorting network, one after the other. The last operand is the passes'
// masks, s32[passes]: in a pass, positions i and j = i xor mask, i < j, both within the line, are
// compared, and exchanged if the comparator, a strict order, says that j's comes before i's. With
// `k`, a power of two, masks count modulo k, so that blocks of k positions are apart; without, the
// first mask is the only pass.
#include <algorithm>

#include "frontend/hlo/evaluate/batch_body.h"
#include "frontend/hlo/evaluate/evaluate.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/values/decoded.h"

namespace halyard::hlo {
namespace {

// The shape of a pass over the first `n` operands whose body takes `per_operand` scalars of each.
absl::StatusOr<Shape> InferPass(const Instruction& inst, size_t n, size_t per_operand) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& first = inst.operand(0)->shape;
  const Computation& body = *inst.called[0];
  HLO_REQUIRE(first.rank() >= 1, "C1", "sorts scalars");
  HLO_REQUIRE(body.num_parameters() == static_cast<int64_t>(per_operand * n), "C4",
              "the computation must have ", per_operand * n, " parameters");
  std::vector<Shape> shapes;
  for (size_t i = 0; i < n; ++i) {
    HLO_REQUIRE(inst.operands[i]->shape.dims() == first.dims(), "C5", "inputs differ in shape");
    for (size_t p = per_operand * i; p < per_operand * (i + 1); ++p) {
      const Shape& parameter = body.parameters()[p]->shape;
      HLO_REQUIRE(parameter.IsScalar() &&
                      parameter.element_type() == inst.operands[i]->shape.element_type(),
                  "C4", "parameter ", p, " of the computation is ", parameter.ToString());
    }
    shapes.push_back(inst.operands[i]->shape.WithDefaultLayout());
  }
  return n == 1 ? shapes[0] : Shape::Tuple(std::move(shapes));
}

absl::Status RequireIndex(const Shape& shape, absl::string_view name) {
  HLO_REQUIRE(shape.IsScalar() && shape.element_type() == ElementType::kS32, "C3", "the ", name,
              " must be s32[], is ", shape.ToString());
  return absl::OkStatus();
}

// Says whether the elements at position a come before those at b.
class PairComparator {
 public:
  PairComparator(Evaluator& evaluator, const Computation& body, absl::Span<const Literal> operands)
      : evaluator_(evaluator), body_(body), operands_(operands) {
    for (const Literal& operand : operands) {
      arguments_.insert(arguments_.end(), 2, Literal(operand.shape().WithDims({})));
    }
  }
  absl::StatusOr<bool> operator()(int64_t a, int64_t b) {
    for (size_t k = 0; k < operands_.size(); ++k) {
      arguments_[2 * k].CopyElement(0, operands_[k], a);
      arguments_[2 * k + 1].CopyElement(0, operands_[k], b);
    }
    absl::StatusOr<Literal> before = evaluator_.RunComputation(body_, arguments_);
    if (!before.ok()) return before.status();
    return before->GetInt(0) != 0;
  }

 private:
  Evaluator& evaluator_;
  const Computation& body_;
  absl::Span<const Literal> operands_;
  std::vector<Literal> arguments_;
};

int64_t LengthOf(const Shape& shape) { return shape.dim(shape.rank() - 1); }
int64_t LinesOf(const Shape& shape) {
  int64_t length = LengthOf(shape);
  return length == 0 ? 0 : shape.NumElements() / length;
}

// results[k][i] = operands[k][from[i]]
Literal Permuted(absl::Span<const Literal> operands, const std::vector<int64_t>& from) {
  std::vector<Literal> results(operands.begin(), operands.end());
  for (size_t k = 0; k < results.size(); ++k) {
    for (size_t i = 0; i < from.size(); ++i) {
      results[k].CopyElement(static_cast<int64_t>(i), operands[k], from[i]);
    }
  }
  return results.size() == 1 ? results[0] : Literal::Tuple(std::move(results));
}

}  // namespace

absl::StatusOr<Shape> InferCountingPass(const Instruction& inst) {
  HLO_REQUIRE(inst.GetInt(Attr::kK) > 0, "C2", "needs at least one digit");
  const Shape& digit = inst.called[0]->root()->shape;
  HLO_RETURN_IF_ERROR(RequireIndex(digit, "digit"));
  return InferPass(inst, inst.operands.size(), 1);
}

absl::StatusOr<Literal> EvaluateCountingPass(Evaluator& evaluator, const Instruction& inst,
                                             absl::Span<const Literal> operands) {
  const Shape& shape = operands[0].shape();
  int64_t length = LengthOf(shape), count = shape.NumElements(), buckets = inst.GetInt(Attr::kK);
  std::vector<Literal> flat;
  for (const Literal& operand : operands) {
    flat.push_back(WithShape(operand, operand.shape().WithDims({count})));
  }
  absl::StatusOr<std::vector<Literal>> digits =
      BatchBody(&evaluator, *inst.called[0]).Run(flat, count);
  if (!digits.ok()) return digits.status();
  std::vector<int64_t> from(count);
  std::vector<int64_t> starts(buckets + 1);
  auto digit = [&](int64_t i) {
    return std::clamp<int64_t>((*digits)[0].GetInt(i), 0, buckets - 1);
  };
  for (int64_t line = 0; line < LinesOf(shape); ++line) {
    int64_t begin = line * length, end = begin + length;
    std::fill(starts.begin(), starts.end(), 0);
    for (int64_t i = begin; i < end; ++i) ++starts[digit(i) + 1];
    for (int64_t d = 0; d < buckets; ++d) starts[d + 1] += starts[d];
    for (int64_t i = begin; i < end; ++i) from[begin + starts[digit(i)]++] = i;
  }
  return Permuted(operands, from);
}

absl::StatusOr<Shape> InferSortPass(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  size_t n = inst.operands.size() - 1;
  const Shape& masks = inst.operands[n]->shape;
  int64_t block = inst.GetInt(Attr::kK, 0);
  HLO_REQUIRE(masks.element_type() == ElementType::kS32 && masks.rank() == 1 && masks.dim(0) > 0,
              "C2", "the masks must be s32[passes], are ", masks.ToString());
  HLO_REQUIRE(block >= 0 && (block & (block - 1)) == 0, "C3", "k must be a power of two: ", block);
  return InferPass(inst, n, 2);
}

absl::StatusOr<Literal> EvaluateSortPass(Evaluator& evaluator, const Instruction& inst,
                                         absl::Span<const Literal> operands) {
  size_t n = operands.size() - 1;
  const Literal& masks = operands[n];
  const Shape& shape = operands[0].shape();
  int64_t length = LengthOf(shape), block = inst.GetInt(Attr::kK, 0);
  std::vector<int64_t> from(shape.NumElements());
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<int64_t>(i);
  PairComparator before(evaluator, *inst.called[0], operands.subspan(0, n));
  for (int64_t pass = 0; pass < (block > 0 ? masks.shape().dim(0) : 1); ++pass) {
    int64_t mask = masks.GetInt(pass);
    if (block > 0) mask &= block - 1;
    for (int64_t line = 0; line < LinesOf(shape); ++line) {
      for (int64_t i = 0; i < length; ++i) {
        int64_t j = i ^ mask;
        if (j <= i || j >= length) continue;
        int64_t low = line * length + i, high = line * length + j;
        absl::StatusOr<bool> swap = before(from[high], from[low]);
        if (!swap.ok()) return swap.status();
        if (*swap) std::swap(from[low], from[high]);
      }
    }
  }
  return Permuted(operands.subspan(0, n), from);
}

}  // namespace halyard::hlo
