// Tests the kernels of attention's gradient by tensor cores, chains and statistics: with the
// intrinsics' CPU equivalents, and as PTX in the fake driver's interpreter. Both are compared with
// the evaluator.
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/schedules/kernel_harness.h"
#include "tests/schedules/on_fake_cuda.h"

namespace halyard::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// This must be set before codegen is started, so that kernels stay text.
const int kNoPtxas = setenv("HALYARD_PTXAS", "", 1);

struct Gradient {
  std::string name, type = "bf16";
  int64_t heads = 2, queries = 48, keys = 96, head = 32, value = 32;
  bool causal = false;
  bool narrow_softmax = false;  // scores and exponentials of the narrow type; not kOfQ and kOfK
  // What the kernel computes: weights · V, gradients of V, Q and K, or statistics.
  enum What { kResult, kOfV, kOfQ, kOfK, kStatistics, kMaxAndSum } what = kOfV;
  double tolerance = 3e-2;
};

// A kernel's text, line by line.
class Text {
 public:
  explicit Text(const Gradient& g) : g_(g), wide_(g.narrow_softmax ? g.type : "f32") {}
  std::string Of();

 private:
  std::string Scores(const std::string& type) const {
    return absl::StrCat(type, "[", g_.heads, ",", g_.queries, ",", g_.keys, "]");
  }
  std::string Rows(const std::string& type = "f32") const {
    return absl::StrCat(type, "[", g_.heads, ",", g_.queries, "]");
  }
  std::string Factor(bool query, bool value) const {
    return absl::StrCat(g_.type, "[", g_.heads, ",", query ? g_.queries : g_.keys, ",",
                        value ? g_.value : g_.head, "]");
  }
  void Add(const std::string& line) { lines_.push_back(line); }
  void AddParameter(const std::string& name, const std::string& shape) {
    Add(absl::StrCat(name, " = ", shape, " parameter(", parameters_++, ")"));
  }
  // A row's value for all keys.
  std::string Row(const std::string& name, const std::string& type = "f32") {
    AddParameter(name, Rows(type));
    Add(absl::StrCat(name, "b = ", Scores(type), " broadcast(", name, "), dimensions={0,1}"));
    return name + "b";
  }
  void AddScores();
  void AddSecond();
  void AddWeights(const std::string& shift);
  void AddFactor();
  void AddProduct(bool of_keys, const std::string& other, bool value);
  void AddStatistics();

  const Gradient& g_;
  const std::string wide_;  // the type of scores and exponentials
  std::vector<std::string> lines_;
  int parameters_ = 0;
};

void Text::AddScores() {
  AddParameter("q", Factor(true, false));
  AddParameter("k", Factor(false, false));
  Add(absl::StrCat("s = ", Scores(wide_),
                   " dot(q, k), lhs_batch_dims={0}, rhs_batch_dims={0}, "
                   "lhs_contracting_dims={2}, rhs_contracting_dims={2}"));
  Add(absl::StrCat("scale = ", wide_, "[] constant(0.1)"));
  Add("zero = f32[] constant(0)");
  Add(absl::StrCat("low = ", wide_, "[] constant(-inf)"));
  Add(absl::StrCat("sb = ", Scores(wide_), " broadcast(scale), dimensions={}"));
  Add(absl::StrCat("zb = ", Scores("f32"), " broadcast(zero), dimensions={}"));
  Add(absl::StrCat("x = ", Scores(wide_), " multiply(s, sb)"));
  if (!g_.causal) return;
  const std::string places = absl::StrCat("[", g_.queries, ",", g_.keys, "]");
  Add(absl::StrCat("i = s32", places, " iota(), iota_dimension=0"));
  Add(absl::StrCat("j = s32", places, " iota(), iota_dimension=1"));
  Add(absl::StrCat("mask = pred", places, " compare(i, j), direction=GE"));
  Add(absl::StrCat("mb = ", Scores("pred"), " broadcast(mask), dimensions={1,2}"));
  Add(absl::StrCat("lb = ", Scores(wide_), " broadcast(low), dimensions={}"));
  Add(absl::StrCat("y = ", Scores(wide_), " select(mb, x, lb)"));
}

// The second product, in an order of its own.
void Text::AddSecond() {
  AddParameter("do", Factor(true, true));
  AddParameter("v", Factor(false, true));
  Add(absl::StrCat("dt = ", g_.type, "[", g_.heads, ",", g_.keys, ",", g_.queries,
                   "] dot(v, do), lhs_batch_dims={0}, rhs_batch_dims={0}, "
                   "lhs_contracting_dims={2}, rhs_contracting_dims={2}"));
  Add(absl::StrCat("dn = ", Scores(g_.type), " transpose(dt), dimensions={0,2,1}"));
  Add(absl::StrCat("dp = ", Scores("f32"), " convert(dn)"));
}

void Text::AddWeights(const std::string& shift) {
  Add(absl::StrCat("d = ", Scores(wide_), " subtract(", g_.causal ? "y" : "x", ", ", shift, ")"));
  Add(absl::StrCat("w = ", Scores(wide_), " exponential(d)"));
  Add(absl::StrCat("e = ", Scores("f32"), " convert(w)"));
}

void Text::AddFactor() {
  const bool second = g_.what == Gradient::kOfQ || g_.what == Gradient::kOfK;
  AddScores();
  if (second) AddSecond();
  AddWeights(Row("shift", wide_));
  const std::string by = Row("by");
  std::string factor = "p";
  if (second) {
    Add(absl::StrCat("a = ", Scores("f32"), " multiply(dp, ", by, ")"));
    Add(absl::StrCat("c = ", Scores("f32"), " add(a, ", Row("less"), ")"));
    Add(absl::StrCat("p = ", Scores("f32"), " multiply(c, e)"));
  } else {
    Add(absl::StrCat("p = ", Scores("f32"), " multiply(e, ", by, ")"));
  }
  if (g_.causal) {
    Add(absl::StrCat("masked = ", Scores("f32"), " select(mb, p, zb)"));
    factor = "masked";
  }
  if (second) {
    Add(absl::StrCat("scaled = ", Scores("f32"), " multiply(", factor, ", sb)"));
    factor = "scaled";
  }
  Add(absl::StrCat("f = ", Scores(g_.type), " convert(", factor, ")"));
}

void Text::AddProduct(bool of_keys, const std::string& other, bool value) {
  Add(absl::StrCat("ROOT o = f32[", g_.heads, ",", of_keys ? g_.keys : g_.queries, ",",
                   value ? g_.value : g_.head, "] dot(f, ", other,
                   "), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={",
                   of_keys ? 1 : 2, "}, rhs_contracting_dims={1}"));
}

void Text::AddStatistics() {
  AddScores();
  Add(absl::StrCat("m = ", Rows(wide_), " reduce(", g_.causal ? "y" : "x",
                   ", low), dimensions={2}, to_apply=max"));
  Add(absl::StrCat("shiftb = ", Scores(wide_), " broadcast(m), dimensions={0,1}"));
  AddWeights("shiftb");
  Add(absl::StrCat("l = ", Rows(), " reduce(e, zero), dimensions={2}, to_apply=sum"));
  if (g_.what == Gradient::kMaxAndSum) {
    Add(absl::StrCat("ROOT t = (", Rows(wide_), ", ", Rows(), ") tuple(m, l)"));
    return;
  }
  AddSecond();
  Add(absl::StrCat("term = ", Scores("f32"), " multiply(e, dp)"));
  Add(absl::StrCat("u = ", Rows(), " reduce(term, zero), dimensions={2}, to_apply=sum"));
  Add(absl::StrCat("ROOT t = (", Rows(wide_), ", ", Rows(), ", ", Rows(), ") tuple(m, l, u)"));
}

std::string Text::Of() {
  switch (g_.what) {
    case Gradient::kResult:
      AddFactor();
      AddParameter("other", Factor(false, true));
      AddProduct(false, "other", true);
      break;
    case Gradient::kOfV:
      AddFactor();
      AddParameter("other", Factor(true, true));
      AddProduct(true, "other", true);
      break;
    case Gradient::kOfQ:
      AddFactor();
      AddProduct(false, "k", false);
      break;
    case Gradient::kOfK:
      AddFactor();
      AddProduct(true, "q", false);
      break;
    case Gradient::kStatistics:
    case Gradient::kMaxAndSum:
      AddStatistics();
      break;
  }
  return absl::StrCat(
      "HloModule k\n"
      "max { a = ",
      wide_, "[] parameter(0) b = ", wide_, "[] parameter(1) ROOT m = ", wide_,
      "[] maximum(a, b) }\n"
      "sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT m = f32[] add(a, b) }\n"
      "ENTRY e {\n  ",
      absl::StrJoin(lines_, "\n  "), "\n}\n");
}

std::vector<Gradient> Cases() {
  const std::vector<std::pair<std::string, Gradient::What>> kinds = {
      {"result", Gradient::kResult},
      {"of_v", Gradient::kOfV},
      {"of_q", Gradient::kOfQ},
      {"of_k", Gradient::kOfK},
      {"statistics", Gradient::kStatistics},
      {"max_and_sum", Gradient::kMaxAndSum}};
  std::vector<Gradient> cases;
  for (const auto& [name, what] : kinds) {
    Gradient plain;
    plain.name = name + "_bf16", plain.what = what;
    cases.push_back(plain);
    Gradient causal = plain;  // several blocks both ways, of which some are left out
    causal.name = name + "_causal_f16", causal.type = "f16", causal.causal = true;
    causal.queries = 203, causal.keys = 190, causal.heads = 1, causal.head = 24, causal.value = 40;
    causal.tolerance = 8e-3;
    cases.push_back(causal);
  }
  for (const char* type : {"f16", "bf16"}) {
    for (const auto& [name, what] : {kinds[1], kinds[4]}) {
      Gradient narrow;
      narrow.name = absl::StrCat(name, "_narrow_", type), narrow.type = type, narrow.what = what;
      narrow.narrow_softmax = true, narrow.queries = 52, narrow.keys = 140;
      // Weights of 8 or 11 bits, whose terms have both signs.
      narrow.tolerance = narrow.type == "f16" ? 3e-2 : 2e-1;
      cases.push_back(narrow);
    }
  }
  Gradient odd = cases[6];
  odd.name = "of_k_odd", odd.type = "f16", odd.queries = 19, odd.keys = 65, odd.head = 33,
  odd.value = 17;
  cases.push_back(odd);
  return cases;
}

std::string NameOf(const ::testing::TestParamInfo<Gradient>& info) { return info.param.name; }

class GradientPtx : public OnFakeCuda, public ::testing::WithParamInterface<Gradient> {
 protected:
  void SetUp() override {
    ASSERT_EQ(kNoPtxas, 0);
    setenv("HALYARD_FAKE_CUDA", "interpret", 1);
    OnFakeCuda::SetUp();
  }

  void Check(const std::string& hlo, double tolerance, const std::string& schedule = "") {
    SCOPED_TRACE(absl::StrCat(schedule, "\n", hlo));
    const auto reply = CompileHlo(hlo, device_->info(), schedule);
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_THAT(reply->schedule, HasSubstr("attention_mma "));
    EXPECT_THAT(reply->object, HasSubstr("mma.sync"));
    EXPECT_EQ(CheckReply(*reply, hlo, *device_, tolerance), "");
  }
};

TEST_P(GradientPtx, AgreesWithTheEvaluator) { Check(Text(GetParam()).Of(), GetParam().tolerance); }

INSTANTIATE_TEST_SUITE_P(All, GradientPtx, ::testing::ValuesIn(Cases()), NameOf);

class GradientKnobs : public GradientPtx {};

TEST_P(GradientKnobs, ChangeNoResultBeyondRounding) {
  for (const char* knobs :
       {"tiles_q=2 warps=1 keys=32 ahead=0", "tiles_q=1 warps=2 keys=64 ahead=1",
        "tiles_q=1 warps=8 keys=96 ahead=0"}) {
    Check(Text(GetParam()).Of(), GetParam().tolerance, absl::StrCat("attention_mma ", knobs));
  }
}

std::vector<Gradient> KnobCases() {
  std::vector<Gradient> cases;
  for (const Gradient& g : Cases())
    if (g.name == "of_k_causal_f16" || g.name == "statistics_causal_f16") cases.push_back(g);
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, GradientKnobs, ::testing::ValuesIn(KnobCases()), NameOf);

class GradientLanes : public ::testing::TestWithParam<Gradient> {};

TEST_P(GradientLanes, AgreesWithTheEvaluator) {
  EXPECT_EQ(CheckKernel(Text(GetParam()).Of(), "x86", GetParam().tolerance, "attention_mma_lanes"),
            "");
}

INSTANTIATE_TEST_SUITE_P(All, GradientLanes, ::testing::ValuesIn(KnobCases()), NameOf);

}  // namespace
}  // namespace halyard::testing
