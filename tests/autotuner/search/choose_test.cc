#include "autotuner/search/choose.h"

#include <algorithm>
#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace halyard::autotuner {
namespace {

using schedules::Schedule;
using schedules::TemplateSpace;

TemplateSpace SpaceOf(const std::string& name, int knobs) {
  TemplateSpace space;
  space.name = name;
  space.defaults = Schedule(name);
  for (int k = 0; k < knobs; ++k) {
    const std::string knob(1, static_cast<char>('a' + k));
    space.knobs.push_back({knob, {1, 2, 4, 8, 16}});
    space.defaults.Set(knob, 4);
  }
  return space;
}

std::set<std::string> Lines(const std::vector<Schedule>& schedules) {
  std::set<std::string> lines;
  for (const Schedule& schedule : schedules) lines.insert(schedule.ToString());
  return lines;
}

// Returns the sums of all knobs. A smaller sum is better.
std::vector<double> BySum(absl::Span<const Schedule> schedules) {
  std::vector<double> scores;
  for (const Schedule& schedule : schedules) {
    double sum = 0;
    for (const auto& [knob, value] : schedule.knobs()) sum += static_cast<double>(value);
    scores.push_back(sum);
  }
  return scores;
}

TEST(ChooseTest, DefaultsAndKnownOnesComeFirst) {
  Schedule known("first");
  for (const char* knob : {"a", "b", "c", "d", "e", "f"}) known.Set(knob, 16);
  const auto chosen =
      ChooseCandidates({SpaceOf("first", 6), SpaceOf("second", 2)}, {known}, BySum, 20, 1);
  ASSERT_EQ(chosen.size(), 20u);
  EXPECT_EQ(chosen[0].ToString(), "first a=4 b=4 c=4 d=4 e=4 f=4");
  EXPECT_EQ(chosen[1].ToString(), "second a=4 b=4");
  EXPECT_EQ(chosen[2].ToString(), known.ToString());
  EXPECT_EQ(Lines(chosen).size(), 20u);
}

TEST(ChooseTest, TheRankedOnesDifferFromOneAnother) {
  const auto chosen = ChooseCandidates({SpaceOf("t", 6)}, {}, BySum, 20, 1);
  ASSERT_EQ(chosen.size(), 20u);
  // All ones is the best by rank. Each of the next 6 differs from it in one knob.
  const std::string best = "t a=1 b=1 c=1 d=1 e=1 f=1";
  int near = 0, has_small_sum = 0;
  for (const Schedule& schedule : chosen) {
    int differing = 0;
    for (const auto& [knob, value] : schedule.knobs()) differing += value != 1;
    near += differing == 1;
    has_small_sum += BySum({schedule})[0] <= 20;
  }
  EXPECT_LE(near, 1);
  EXPECT_GE(has_small_sum, 8);  // and they are still good
}

TEST(ChooseTest, SmallSpacesAreTakenWhole) {
  EXPECT_EQ(Lines(ChooseCandidates({SpaceOf("t", 2)}, {}, BySum, 100, 1)).size(), 25u);
  EXPECT_EQ(ChooseCandidates({SpaceOf("t", 0)}, {}, nullptr, 10, 1).size(), 1u);
  EXPECT_TRUE(ChooseCandidates({}, {}, BySum, 10, 1).empty());
}

TEST(ChooseTest, ASeedGivesTheSame) {
  const std::vector<TemplateSpace> space = {SpaceOf("s", 8), SpaceOf("t", 5)};
  const auto once = ChooseCandidates(space, {}, BySum, 40, 7);
  EXPECT_EQ(Lines(once), Lines(ChooseCandidates(space, {}, BySum, 40, 7)));
  EXPECT_NE(Lines(once), Lines(ChooseCandidates(space, {}, BySum, 40, 8)));
  EXPECT_EQ(once.size(), 40u);
}

}  // namespace
}  // namespace halyard::autotuner
