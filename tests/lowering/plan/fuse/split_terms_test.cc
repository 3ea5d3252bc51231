// Tests products whose matrix is computed in blocks of terms: they compute the same, in one kernel.
#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <limits>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/ir/op_table.h"
#include "lowering/plan/passes.h"
#include "tests/lowering/plan/plan_checks.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;

// Every fourth float becomes a special value.
void MakeSpecial(Literal* value) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double specials[] = {std::nan(""), kInfinity, -kInfinity, -0.0, 1e-42, 3e38};
  if (!hlo::IsFloat(value->shape().element_type())) return;
  for (int64_t i = 1; i < value->shape().NumElements(); i += 4)
    value->SetFloat(i, specials[i / 4 % std::size(specials)]);
}

// Returns over how many dimensions the product sums. Checks that the result has the same bits.
size_t TermsAfterSplitting(const std::string& body) {
  const std::string text = absl::StrCat("HloModule m\nENTRY e { ", body, " }");
  const std::unique_ptr<hlo::Module> before = Parse(text), after = Parse(text);
  EXPECT_TRUE(SplitTerms(*after).ok());
  EXPECT_TRUE(hlo::VerifyModule(*after).ok()) << hlo::VerifyModule(*after);
  for (bool special : {false, true}) {
    std::vector<Literal> arguments;
    for (const Instruction* parameter : before->entry()->parameters()) {
      arguments.push_back(ExactNumbers(parameter->shape));
      if (special) MakeSpecial(&arguments.back());
    }
    hlo::Evaluator evaluator;
    const auto want = evaluator.Run(*before, arguments);
    const auto got = evaluator.Run(*after, arguments);
    EXPECT_TRUE(want.ok() && got.ok()) << want.status() << got.status();
    EXPECT_TRUE(got->BitwiseEqual(*want)) << body;
  }
  size_t terms = 0;
  for (const auto& inst : after->entry()->instructions()) {
    if (inst->opcode == Opcode::kDot) terms = inst->GetInts(Attr::kLhsContractingDims).size();
  }
  return terms;
}

constexpr char kScaled[] = R"(
  w = s4[12,10] parameter(0) s = f32[3,10] parameter(1)
  c = f32[12,10] convert(w) r = f32[3,4,10] reshape(c)
  b = f32[3,4,10] broadcast(s), dimensions={0,2} m = f32[3,4,10] multiply(r, b)
  q = f32[12,10] reshape(m) )";

TEST(SplitTerms, MatricesOfBlocks) {
  EXPECT_EQ(TermsAfterSplitting(absl::StrCat(kScaled, R"( x = f32[1,12] parameter(2)
    ROOT d = f32[1,10] dot(x, q), lhs_contracting_dims={1}, rhs_contracting_dims={0})")),
            2);
  EXPECT_EQ(TermsAfterSplitting(absl::StrCat(kScaled, R"( x = f32[12] parameter(2)
    ROOT d = f32[10] dot(q, x), lhs_contracting_dims={0}, rhs_contracting_dims={0})")),
            2);
  // Terms beside one another in memory, behind a dimension of batches on one side and before it on
  // the other.
  EXPECT_EQ(TermsAfterSplitting(R"(
    w = s8[2,5,3,4] parameter(0) s = f32[2,5,3] parameter(1) x = f32[12,2] parameter(2)
    c = f32[2,5,3,4] convert(w) b = f32[2,5,3,4] broadcast(s), dimensions={0,1,2}
    m = f32[2,5,3,4] multiply(c, b) q = f32[2,5,12] reshape(m)
    ROOT d = f32[2,5] dot(q, x), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={1},
        rhs_contracting_dims={0})"),
            2);
}

TEST(SplitTerms, OthersStay) {
  // Two rows read the matrix twice.
  EXPECT_EQ(TermsAfterSplitting(absl::StrCat(kScaled, R"( x = f32[2,12] parameter(2)
    ROOT d = f32[2,10] dot(x, q), lhs_contracting_dims={1}, rhs_contracting_dims={0})")),
            1);
  // The reshape splits what is not summed, too, or only that.
  EXPECT_EQ(TermsAfterSplitting(R"(
    w = s8[3,8,5] parameter(0) x = f32[1,12] parameter(1) s = f32[3] parameter(2)
    v = f32[3,8,5] convert(w) b = f32[3,8,5] broadcast(s), dimensions={0} m = f32[3,8,5] multiply(v, b)
    q = f32[12,10] reshape(m)
    ROOT d = f32[1,10] dot(x, q), lhs_contracting_dims={1}, rhs_contracting_dims={0})"),
            1);
  EXPECT_EQ(TermsAfterSplitting(R"(
    w = s8[12,2,5] parameter(0) x = f32[1,12] parameter(1) s = f32[2] parameter(2)
    v = f32[12,2,5] convert(w) b = f32[12,2,5] broadcast(s), dimensions={1} m = f32[12,2,5] multiply(v, b)
    q = f32[12,10] reshape(m)
    ROOT d = f32[1,10] dot(x, q), lhs_contracting_dims={1}, rhs_contracting_dims={0})"),
            1);
  // Others read the weights as well.
  EXPECT_EQ(TermsAfterSplitting(absl::StrCat(kScaled, R"( x = f32[1,12] parameter(2)
    d = f32[1,10] dot(x, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}
    ROOT t = (f32[1,10], f32[12,10]) tuple(d, q))")),
            1);
  // No weights: these are arrays of their own, or costly.
  EXPECT_EQ(TermsAfterSplitting(R"(
    w = f32[3,4,10] parameter(0) x = f32[1,12] parameter(1) m = f32[3,4,10] exponential(w)
    q = f32[12,10] reshape(m)
    ROOT d = f32[1,10] dot(x, q), lhs_contracting_dims={1}, rhs_contracting_dims={0})"),
            1);
  // An array's reshape costs nothing as it is.
  EXPECT_EQ(TermsAfterSplitting(R"(
    w = f32[3,4,10] parameter(0) x = f32[1,12] parameter(1) q = f32[12,10] reshape(w)
    ROOT d = f32[1,10] dot(x, q), lhs_contracting_dims={1}, rhs_contracting_dims={0})"),
            1);
}

TEST(SplitTerms, WeightsAreMadeWhereTheyAreRead) {
  const std::unique_ptr<hlo::Module> module =
      Parse(absl::StrCat("HloModule m\nENTRY e { ", kScaled, R"( x = f32[1,12] parameter(2)
    ROOT d = f32[1,10] dot(x, q), lhs_contracting_dims={1}, rhs_contracting_dims={0} })"));
  PlanOptions options = X86Options();
  EXPECT_EQ(PlanOf(*module, options).kernels.size(), 1U);
  options.without.Add(Rewrite::kSplitTerms);
  EXPECT_EQ(PlanOf(*module, options).kernels.size(), 3U);
  ExpectPlanComputesTheSame(*module);
}

}  // namespace
}  // namespace halyard::lowering
