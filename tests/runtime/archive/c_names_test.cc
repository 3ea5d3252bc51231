#include "runtime/archive/c_names.h"

#include <gtest/gtest.h>

namespace halyard {
namespace {

using Texts = std::vector<std::string>;

Texts Arguments(const Texts& given) {
  return CIdentifiers("m", {given, {}}, given.size(), 0).arguments;
}
Texts Results(const Texts& given) {
  return CIdentifiers("m", {{}, given}, 0, given.size()).results;
}

TEST(CNames, TakesWhatProgramsSay) {
  EXPECT_EQ(Arguments({"images", "params['dense']['kernel']", "state.mu", "x.1", "p", "X"}),
            Texts({"images", "params_dense_kernel", "state_mu", "x_1", "p", "X"}));
  EXPECT_EQ(Results({"result", "result[0]", "result['logits']", "result.loss", "result[1]['a']"}),
            Texts({"result", "result_0", "logits", "loss", "result_1_a"}));
}

TEST(CNames, NumbersWhatHasNoName) {
  EXPECT_EQ(Arguments({"", "arg1", "Arg_2.3", "parameter.4", "***", "0"}),
            Texts({"arg0", "arg1", "arg2", "arg3", "arg4", "arg5"}));
  EXPECT_EQ(CIdentifiers("m", {}, 2, 2).arguments, Texts({"arg0", "arg1"}));
  EXPECT_EQ(CIdentifiers("m", {}, 2, 2).results, Texts({"out0", "out1"}));
  EXPECT_EQ(Results({"", "[0]", "[1].x"}), Texts({"out0", "out1", "out_1_x"}));
}

TEST(CNames, GivesEachNameOnce) {
  EXPECT_EQ(Arguments({"x", "x", "x_2", "X", "int", "int"}),
            Texts({"x", "x_2", "x_2_2", "X_3", "int_", "int_2"}));
  const ValueNames names = CIdentifiers("m", {{"x"}, {"x"}}, 1, 1);
  EXPECT_EQ(names.arguments, Texts({"x"}));
  EXPECT_EQ(names.results, Texts({"x_2"}));
}

TEST(CNames, LeavesOthersNamesAlone) {
  EXPECT_EQ(
      Arguments({"class", "NULL", "I", "model", "results", "int32_t", "errno", "hy_run"}),
      Texts({"class_", "NULL_", "I_", "model_", "results_", "int32_t_", "errno_", "the_hy_run_"}));
  EXPECT_EQ(Arguments({"m_model", "_x", "__x__", "\xC3\xA4", "*/ int y; /*", "3d"}),
            Texts({"the_m_model_", "x", "x_2", "arg3", "int_y", "arg_3d"}));
  EXPECT_LE(Arguments({std::string(100000, 'a')})[0].size(), 100u);
}

TEST(CNames, RefusesNamesOfModels) {
  for (const char* name : {"digits", "int", "class", "hybrid", "Hymn", "_x", "timers"})
    EXPECT_TRUE(CheckModelName(name).ok()) << name;
  for (const char* name : {"", "1x", "a-b", "a b", "hy", "HY", "hy_x", "hyk_1", "halyard",
                           "pthread", "timer", "\xC3\xA4"}) {
    EXPECT_EQ(CheckModelName(name).code(), absl::StatusCode::kInvalidArgument) << name;
  }
}

}  // namespace
}  // namespace halyard
