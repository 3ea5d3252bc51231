#include "autotuner/search/search.h"

#include <cmath>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace halyard::autotuner {
namespace {

using schedules::Knob;
using schedules::Schedule;
using schedules::TemplateSpace;
using ::testing::HasSubstr;

std::vector<TemplateSpace> Example() {
  std::vector<int64_t> sizes;
  for (int64_t s = 1; s <= 1024; s *= 2) sizes.push_back(s);
  TemplateSpace tiled;
  tiled.name = "tiled";
  tiled.knobs = {{"m", sizes}, {"n", sizes}, {"k", sizes}, {"order", {0, 1, 2, 3, 4, 5}}};
  tiled.defaults = Schedule("tiled").Set("m", 8).Set("n", 8).Set("k", 8).Set("order", 0);
  TemplateSpace plain;
  plain.name = "plain";
  plain.version = 3;
  plain.knobs = {{"vec", {1, 4, 8}}};
  plain.defaults = Schedule("plain").Set("vec", 4);
  return {tiled, plain};
}

// Returns a time with one valley, at m=64 n=256 k=32 order=4.
double TimeOf(const Schedule& s) {
  if (s.template_name() == "plain") return 40;
  auto off = [&s](const char* knob, double best) {
    return std::abs(std::log2(static_cast<double>(s.Get(knob))) - std::log2(best));
  };
  return 1 + off("m", 64) + off("n", 256) + 0.5 * off("k", 32) + (s.Get("order") == 4 ? 0 : 2);
}

TEST(Space, TextAndBack) {
  const std::string text = SpaceText(Example());
  const auto back = schedules::ParseSpace(text);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(SpaceText(*back), text);
  EXPECT_EQ((*back)[1].version, 3);
  for (const char* bad :
       {"knob a 1", "template x", "template x y", "template x 1\nknob a", "what"}) {
    EXPECT_THAT(std::string(schedules::ParseSpace(bad).status().message()),
                HasSubstr("space of a kernel"))
        << bad;
  }
}

TEST(Search, DefaultsComeFirstAndNothingTwice) {
  Search search(Example(), {},
                {Schedule("tiled").Set("m", 60).Set("n", 5000), Schedule("unknown")});
  EXPECT_EQ(search.size(), 11 * 11 * 11 * 6 + 3);
  const std::vector<Schedule> first = search.Propose(3);
  EXPECT_EQ(first[0].ToString(), "tiled m=8 n=8 k=8 order=0");
  EXPECT_EQ(first[1].ToString(), "plain vec=4");
  EXPECT_EQ(first[2].ToString(), "tiled m=64 n=1024 k=8 order=0") << "the nearest in the space";
  std::set<std::string> seen;
  for (int round = 0; round < 20; ++round) {
    for (const Schedule& schedule : search.Propose(20)) {
      EXPECT_TRUE(seen.insert(schedule.ToString()).second);
      search.Report(schedule, TimeOf(schedule));
    }
  }
}

// A template with few schedules does not get half of the random draws.
TEST(Search, LargeTemplatesAreDrawnMoreOften) {
  std::vector<TemplateSpace> space(2);
  space[0].name = "few";
  space[1].name = "many";
  for (TemplateSpace& one : space) one.defaults = Schedule(one.name);
  std::vector<int64_t> values;
  for (int64_t v = 0; v < 64; ++v) values.push_back(v);
  for (const char* knob : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    for (TemplateSpace& one : space) {
      if (one.name == "few" && !one.knobs.empty()) continue;
      one.knobs.push_back({knob, values});
      one.defaults.Set(knob, 0);
    }
  }
  SearchOptions options;
  options.explore = 1;
  Search search(space, options);
  int64_t few = 0;
  for (const Schedule& schedule : search.Propose(60)) few += schedule.template_name() == "few";
  EXPECT_LE(few, 16);
  EXPECT_GE(few, 2);
}

TEST(Search, ASmallSpaceIsUsedUp) {
  Search search({Example()[1]}, {});
  EXPECT_EQ(search.Propose(2).size(), 2u);
  EXPECT_EQ(search.Propose(5).size(), 1u);
  EXPECT_TRUE(search.Propose(5).empty());
}

double BestAfter(int64_t trials, uint64_t seed, const Ranker& ranker, double explore = 0.2) {
  SearchOptions options;
  options.seed = seed;
  options.explore = explore;
  Search search(Example(), options);
  double best = 1e9;
  while (search.proposed() < trials) {
    for (const Schedule& schedule : search.Propose(8, ranker)) {
      best = std::min(best, TimeOf(schedule));
      search.Report(schedule, TimeOf(schedule));
    }
  }
  return best;
}

TEST(Search, FindsTheValleySoonerThanChance) {
  double found = 0, chance = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    found += BestAfter(200, seed, nullptr) / 10;
    chance += BestAfter(200, seed, nullptr, /*explore=*/1) / 10;
  }
  EXPECT_LT(found, 1.1) << "of 8,000 schedules, the best one";
  EXPECT_LT(found, chance);
}

TEST(Search, ARankerThatKnowsFindsItAtOnce) {
  const Ranker oracle = [](absl::Span<const Schedule> schedules) {
    std::vector<double> scores;
    for (const Schedule& schedule : schedules) scores.push_back(TimeOf(schedule));
    return scores;
  };
  EXPECT_LT(BestAfter(60, 1, oracle), BestAfter(60, 1, nullptr));
}

TEST(Search, TheSameSeedProposesTheSame) {
  Search a(Example(), {}), b(Example(), {});
  for (int round = 0; round < 5; ++round) {
    const auto first = a.Propose(10), second = b.Propose(10);
    ASSERT_EQ(first.size(), second.size());
    for (size_t i = 0; i < first.size(); ++i) {
      EXPECT_EQ(first[i].ToString(), second[i].ToString());
      a.Report(first[i], TimeOf(first[i]));
      b.Report(second[i], TimeOf(second[i]));
    }
  }
}

TEST(Search, FailedOnesHaveNoOffspring) {
  Search search(Example(), {});
  for (const Schedule& schedule : search.Propose(50)) search.Report(schedule, -1);
  EXPECT_EQ(search.Propose(10).size(), 10u);
}

}  // namespace
}  // namespace halyard::autotuner
