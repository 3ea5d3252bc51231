// sort-pass, an op of the lowering: one pass of a sorting network. Operands x_0 … x_k-1 of one
// shape, sorted along the last dimension; table s32[passes, 3]; index s32[]. Row `index` of the
// table is (p, r, d): positions i and i + d with (i & p) == r are compared, and exchanged if the
// comparator, a strict order, says that the second comes before the first. Rows are those of merge
// exchange (Knuth, The Art of Computer Programming 3, algorithm 5.2.2M), whose pairs are disjoint
// in each pass.
#include "frontend/hlo/evaluate.h"
#include "frontend/hlo/infer.h"

namespace halyard::hlo {

absl::StatusOr<Shape> InferSortPass(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  size_t n = inst.operands.size() - 2;
  const Shape& first = inst.operand(0)->shape;
  const Shape& table = inst.operands[n]->shape;
  const Shape& index = inst.operands[n + 1]->shape;
  HLO_REQUIRE(first.rank() >= 1, "C1", "sorts scalars");
  HLO_REQUIRE(table.element_type() == ElementType::kS32 && table.rank() == 2 && table.dim(1) == 3,
              "C2", "the table must be s32[passes,3], is ", table.ToString());
  HLO_REQUIRE(table.dim(0) > 0, "C2", "the table is empty");
  HLO_REQUIRE(index.IsScalar() && index.element_type() == ElementType::kS32, "C3",
              "the index must be s32[], is ", index.ToString());
  HLO_REQUIRE(inst.called[0]->num_parameters() == static_cast<int64_t>(2 * n), "C4",
              "the comparator must have ", 2 * n, " parameters");
  std::vector<Shape> shapes;
  for (size_t i = 0; i < n; ++i) {
    HLO_REQUIRE(inst.operands[i]->shape.dims() == first.dims(), "C5", "inputs differ in shape");
    for (size_t p : {2 * i, 2 * i + 1}) {
      const Shape& parameter = inst.called[0]->parameters()[p]->shape;
      HLO_REQUIRE(parameter.IsScalar() &&
                      parameter.element_type() == inst.operands[i]->shape.element_type(),
                  "C4", "parameter ", p, " of the comparator is ", parameter.ToString());
    }
    shapes.push_back(inst.operands[i]->shape.WithDefaultLayout());
  }
  return n == 1 ? shapes[0] : Shape::Tuple(std::move(shapes));
}

absl::StatusOr<Literal> EvaluateSortPass(Evaluator& evaluator, const Instruction& inst,
                                         absl::Span<const Literal> operands) {
  size_t n = operands.size() - 2;
  const Literal& table = operands[n];
  int64_t passes = table.shape().dim(0);
  int64_t pass = std::min(std::max<int64_t>(operands[n + 1].GetInt(0), 0), passes - 1);
  int64_t p = table.GetInt(3 * pass), r = table.GetInt(3 * pass + 1),
          d = table.GetInt(3 * pass + 2);
  const Shape& shape = operands[0].shape();
  int64_t length = shape.dim(shape.rank() - 1);
  int64_t rows = length == 0 ? 0 : shape.NumElements() / length;
  std::vector<Literal> results(operands.begin(), operands.begin() + n);
  std::vector<Literal> arguments;
  for (size_t k = 0; k < n; ++k) {
    Shape scalar = Shape::Scalar(operands[k].shape().element_type());
    arguments.insert(arguments.end(), 2, Literal(scalar));
  }
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; d > 0 && i + d < length; ++i) {
      if ((i & p) != r) continue;
      int64_t low = row * length + i, high = low + d;
      for (size_t k = 0; k < n; ++k) {
        arguments[2 * k].CopyElement(0, operands[k], high);
        arguments[2 * k + 1].CopyElement(0, operands[k], low);
      }
      absl::StatusOr<Literal> before = evaluator.RunComputation(*inst.called[0], arguments);
      if (!before.ok()) return before.status();
      if (before->GetInt(0) == 0) continue;
      for (size_t k = 0; k < n; ++k) {
        results[k].CopyElement(low, operands[k], high);
        results[k].CopyElement(high, operands[k], low);
      }
    }
  }
  return n == 1 ? results[0] : Literal::Tuple(std::move(results));
}

}  // namespace halyard::hlo
