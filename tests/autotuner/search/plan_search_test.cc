// Tests the search over plans with made-up times: it finds what an exhaustive search finds, where
// greedy decisions do not, and measures few kernels for that.
#include "autotuner/search/plan_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "autotuner/measure/kernel_task.h"
#include "lowering/plan/fuse/choices.h"
#include "lowering/plan/fuse/decisions.h"
#include "tests/lowering/plan/plan_checks.h"
#include "tests/lowering/plan/random_graph.h"

namespace halyard::autotuner {
namespace {

using lowering::Parse;
using lowering::PlanOptions;
using lowering::X86Options;

using Model = std::function<double(const std::string& hlo)>;

class MadeUpTimes : public KernelTimes {
 public:
  explicit MadeUpTimes(Model model) : model_(std::move(model)) {}
  std::optional<double> Known(const lowering::KernelRequest& request) override {
    auto found = known.find(request.hlo);
    if (found == known.end()) return std::nullopt;
    return found->second;
  }
  absl::StatusOr<std::vector<absl::StatusOr<double>>> Measure(
      absl::Span<const lowering::KernelRequest> requests) override {
    std::vector<absl::StatusOr<double>> results;
    for (const lowering::KernelRequest& request : requests) {
      EXPECT_TRUE(measured.insert(request.hlo).second) << "measured twice:\n" << request.hlo;
      const double seconds = model_(request.hlo);
      if (seconds < 0) {
        results.push_back(absl::InternalError("a kernel that does not work"));
      } else {
        results.push_back(seconds);
      }
    }
    return results;
  }
  std::map<std::string, double> known;
  std::set<std::string> measured;

 private:
  Model model_;
};

constexpr double kLaunch = 1e-6;

// Returns a pseudo-random time from 1 to 9 µs that depends on the kernel's text.
double Hashed(const std::string& hlo) {
  uint64_t hash = 1469598103934665603u;
  for (char c : hlo) hash = (hash ^ static_cast<uint8_t>(c)) * 1099511628211u;
  return 1e-6 * (1 + static_cast<double>((hash >> 20) % 8000) / 1000);
}

double CostOfSequence(const ProgramSpec& spec, size_t sequence, const Model& model) {
  double sum = 0;
  for (const ProgramSpec::Step& step : spec.sequences[sequence].steps) {
    if (step.kind == ProgramSpec::Step::Kind::kKernel) {
      const double seconds =
          model(lowering::KernelRequest::Parse(spec.kernels[step.kernel].request)->hlo);
      sum += kLaunch + (seconds < 0 ? std::numeric_limits<double>::infinity() : seconds);
    }
    double times = 1;
    if (step.kind == ProgramSpec::Step::Kind::kWhile) {
      times = step.trip_count >= 0 ? static_cast<double>(step.trip_count) : kUnknownTrips;
    }
    for (int32_t inner : step.sequences) sum += times * CostOfSequence(spec, inner, model);
  }
  return sum;
}

double CostOfPlan(const hlo::Module& module, const std::string& choices, const Model& model) {
  PlanOptions options = X86Options();
  options.choices = choices;
  absl::StatusOr<ProgramSpec> spec = lowering::PlanProgram(module, options);
  EXPECT_TRUE(spec.ok()) << spec.status();
  return spec.ok() ? CostOfSequence(*spec, 0, model) : 0;
}

std::vector<std::string> Decided(const hlo::Module& module) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> prepared =
      lowering::PrepareModule(module, X86Options());
  EXPECT_TRUE(prepared.ok());
  std::vector<std::string> names;
  for (const auto& [inst, name] : lowering::CanonicalNames(**prepared)) {
    if (lowering::IsWorthDeciding(*inst)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Returns the lowest cost over all combinations of choices, each planned as a whole.
double Exhaustive(const hlo::Module& module, const Model& model) {
  const std::vector<std::string> names = Decided(module);
  double best = std::numeric_limits<double>::infinity();
  for (int64_t code = 0; code < int64_t{1} << (2 * names.size()); ++code) {
    std::string choices;
    for (size_t i = 0; i < names.size(); ++i) {
      const auto placement = static_cast<lowering::Placement>((code >> (2 * i)) & 3);
      if (placement == lowering::Placement::kRule) continue;
      absl::StrAppend(&choices, lowering::PlacementName(placement), " ", names[i], "\n");
    }
    best = std::min(best, CostOfPlan(module, choices, model));
  }
  return best;
}

PlanSearchOptions Unlimited() {
  PlanSearchOptions options;
  options.most_measured = 100000;
  options.most_rounds = 100000;
  options.launch_seconds = kLaunch;
  options.min_gain = 0;
  options.optimism = 0;
  return options;
}

constexpr char kChain[] = R"(HloModule m
ENTRY e {
  x = f32[64] parameter(0)
  a = f32[64] exponential(x)
  b = f32[64] tanh(a)
  c = f32[64] negate(b)
  d = f32[64] log(c)
  ROOT f = f32[64] sqrt(d)
})";

constexpr char kDiamond[] = R"(HloModule m
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
ENTRY e {
  x = f32[32,16] parameter(0)
  a = f32[32,16] exponential(x)
  b = f32[32,16] tanh(a)
  zero = f32[] constant(0)
  rows = f32[32] reduce(a, zero), dimensions={1}, to_apply=sum
  columns = f32[16] reduce(b, zero), dimensions={0}, to_apply=sum
  r = f32[32] log(rows)
  ROOT t = (f32[32], f32[16], f32[32,16]) tuple(r, columns, b)
})";

void ExpectAsGoodAsExhaustive(const hlo::Module& module, const Model& model) {
  MadeUpTimes times(model);
  absl::StatusOr<PlanSearchResult> found = SearchPlan(module, X86Options(), &times, Unlimited());
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_NEAR(found->default_seconds, CostOfPlan(module, "", model), 1e-12);
  // The promised cost is the cost of the plan.
  EXPECT_NEAR(found->seconds, CostOfPlan(module, found->choices, model), 1e-12) << found->choices;
  EXPECT_NEAR(found->seconds, Exhaustive(module, model), 1e-12) << found->choices;
  EXPECT_TRUE(found->complete);
}

TEST(PlanSearch, FindsTheBestOfAChain) {
  std::unique_ptr<hlo::Module> module = Parse(kChain);
  for (int salt = 0; salt < 5; ++salt) {
    ExpectAsGoodAsExhaustive(
        *module, [&](const std::string& hlo) { return Hashed(absl::StrCat(salt, hlo)); });
  }
}

TEST(PlanSearch, FindsTheBestOfADiamond) {
  std::unique_ptr<hlo::Module> module = Parse(kDiamond);
  for (int salt = 0; salt < 3; ++salt) {
    ExpectAsGoodAsExhaustive(
        *module, [&](const std::string& hlo) { return Hashed(absl::StrCat(salt, hlo)); });
  }
}

TEST(PlanSearch, FindsTheBestOfRandomPrograms) {
  int checked = 0;
  for (uint32_t seed = 0; seed < 200 && checked < 5; ++seed) {
    std::unique_ptr<hlo::Module> module = lowering::RandomGraph(seed);
    const size_t decisions = Decided(*module).size();
    if (decisions < 2 || decisions > 4) continue;
    ++checked;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    ExpectAsGoodAsExhaustive(
        *module, [&](const std::string& hlo) { return Hashed(absl::StrCat(seed, hlo)); });
  }
  EXPECT_EQ(checked, 5);
}

// Kernels of one or two of the ops are slow, all five together are fast, and four are not. So no
// single change of the plan with five cuts is better than that plan.
TEST(PlanSearch, FindsWhatSingleStepsDoNot) {
  std::unique_ptr<hlo::Module> module = Parse(kChain);
  const Model model = [](const std::string& hlo) {
    int ops = 0;
    for (const char* op : {"exponential(", "tanh(", "negate(", "log(", "sqrt("}) {
      ops += absl::StrContains(hlo, op);
    }
    static constexpr double kMicroseconds[] = {0, 4, 10, 3, 9, 20};
    return kMicroseconds[ops] * 1e-6;
  };
  const std::vector<std::string> names = Decided(*module);
  // The greedy way: from the default, takes the change that helps most, until no change helps.
  PlanOptions options = X86Options();
  std::map<std::string, std::string> chosen;
  auto text = [&] {
    std::string lines;
    for (const auto& [name, verb] : chosen) absl::StrAppend(&lines, verb, " ", name, "\n");
    return lines;
  };
  double greedy = CostOfPlan(*module, "", model);
  for (bool better = true; better;) {
    better = false;
    std::map<std::string, std::string> best = chosen;
    for (const std::string& name : names) {
      for (const char* verb : {"store", "repeat", "output"}) {
        const std::map<std::string, std::string> before = chosen;
        chosen[name] = verb;
        if (const double cost = CostOfPlan(*module, text(), model); cost < greedy - 1e-12) {
          greedy = cost;
          best = chosen;
          better = true;
        }
        chosen = before;
      }
    }
    chosen = best;
  }
  MadeUpTimes times(model);
  absl::StatusOr<PlanSearchResult> found = SearchPlan(*module, options, &times, Unlimited());
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_NEAR(found->seconds, Exhaustive(*module, model), 1e-12);
  EXPECT_LE(found->seconds, greedy);
}

TEST(PlanSearch, KernelsThatDoNotWorkAreLeftOut) {
  std::unique_ptr<hlo::Module> module = Parse(kDiamond);
  ExpectAsGoodAsExhaustive(*module, [](const std::string& hlo) {
    return Hashed(hlo) < 4e-6 ? Hashed(hlo) : Hashed(hlo) < 5e-6 ? -1 : Hashed(hlo);
  });
}

std::string LongChain(int length) {
  std::string text = "HloModule m\nENTRY e {\n  v0 = f32[4096] parameter(0)\n";
  static const char* const kOps[] = {"exponential", "tanh", "negate", "log", "sqrt", "abs"};
  for (int i = 1; i <= length; ++i) {
    absl::StrAppend(&text, i == length ? "  ROOT v" : "  v", i, " = f32[4096] ", kOps[i * i % 6],
                    "(v", i - 1, ")\n");
  }
  return text + "}\n";
}

// A kernel costs a launch and a pass over memory, and one op makes others slow.
double BadCompany(const std::string& hlo) {
  const double ops = static_cast<double>(std::count(hlo.begin(), hlo.end(), '='));
  const bool bad = absl::StrContains(hlo, "tanh(") && absl::StrContains(hlo, "log(");
  return 1e-6 * (2 + 0.1 * ops + (bad ? 40 : 0));
}

TEST(PlanSearch, MeasuresFewKernelsOfALongChain) {
  std::unique_ptr<hlo::Module> module = Parse(LongChain(14));
  MadeUpTimes all(BadCompany), few(BadCompany);
  absl::StatusOr<PlanSearchResult> exact = SearchPlan(*module, X86Options(), &all, Unlimited());
  ASSERT_TRUE(exact.ok()) << exact.status();
  PlanSearchOptions bounded = Unlimited();
  bounded.optimism = 1;
  PlanOptions device = X86Options();
  device.device.memory_bandwidth = 16'384'000'000;  // 2 µs for a pass
  absl::StatusOr<PlanSearchResult> found = SearchPlan(*module, device, &few, bounded);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_LT(found->seconds, 0.5 * found->default_seconds);
  EXPECT_NEAR(found->seconds, exact->seconds, 1e-12) << found->choices;
  // There are 105 in all.
  EXPECT_LE(found->measured, exact->measured);
  EXPECT_LT(found->measured, 70);
  std::cout << found->measured << " and " << exact->measured << " kernels measured\n";
}

TEST(PlanSearch, KnownTimesAreNotMeasuredAgain) {
  std::unique_ptr<hlo::Module> module = Parse(kDiamond);
  MadeUpTimes first(Hashed);
  absl::StatusOr<PlanSearchResult> found = SearchPlan(*module, X86Options(), &first, Unlimited());
  ASSERT_TRUE(found.ok());
  EXPECT_GT(found->measured, 0);
  MadeUpTimes second(Hashed);
  for (const std::string& hlo : first.measured) second.known[hlo] = Hashed(hlo);
  absl::StatusOr<PlanSearchResult> again = SearchPlan(*module, X86Options(), &second, Unlimited());
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->measured, 0);
  EXPECT_EQ(again->choices, found->choices);
}

TEST(PlanSearch, StopsWithTheDefault) {
  std::unique_ptr<hlo::Module> module = Parse(kDiamond);
  MadeUpTimes times(Hashed);
  PlanSearchOptions options = Unlimited();
  options.stopped = [] { return true; };
  absl::StatusOr<PlanSearchResult> found = SearchPlan(*module, X86Options(), &times, options);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->choices, "");
  EXPECT_EQ(found->measured, 0);
  EXPECT_FALSE(found->complete);
}

// A wide graph has many branches that could be cut anywhere. The search ends soon, and the result
// is not worse than the default.
TEST(PlanSearch, TheBeamBoundsWideGraphs) {
  std::string text = "HloModule m\nENTRY e {\n  x = f32[4096] parameter(0)\n";
  std::string last = "x";
  for (int branch = 0; branch < 12; ++branch) {
    absl::StrAppend(&text, "  a", branch, " = f32[4096] exponential(", last, ")\n  b", branch,
                    " = f32[4096] tanh(a", branch, ")\n  c", branch, " = f32[4096] log(x)\n  ",
                    branch == 11 ? "ROOT " : "", "d", branch, " = f32[4096] add(b", branch, ", c",
                    branch, ")\n");
    last = absl::StrCat("d", branch);
  }
  text += "}\n";
  std::unique_ptr<hlo::Module> module = Parse(text);
  MadeUpTimes times(Hashed);
  PlanSearchOptions options = Unlimited();
  options.most_measured = 60;
  options.optimism = 4;
  absl::StatusOr<PlanSearchResult> found = SearchPlan(*module, X86Options(), &times, options);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_LE(found->seconds, found->default_seconds);
  EXPECT_NEAR(found->seconds, CostOfPlan(*module, found->choices, Hashed), 1e-12);
}

}  // namespace
}  // namespace halyard::autotuner
