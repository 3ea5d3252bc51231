// Tests the page that a tuning run leaves: it is well-formed, has the right numbers, and takes
// nothing that a program says for markup.
#include "autotuner/report/report.h"

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "autotuner/report/report_chart.h"
#include "autotuner/report/report_plots.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace halyard::autotuner {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Returns "" if every element is closed in order and no `<`, `>` or `&` stands for itself, except
// in the style.
std::string WrongWith(absl::string_view page) {
  std::vector<std::string> open;
  for (size_t i = 0; i < page.size(); ++i) {
    if (page[i] == '&') {
      const absl::string_view rest = page.substr(i);
      bool known = false;
      for (const char* name : {"&amp;", "&lt;", "&gt;", "&quot;"})
        known |= absl::StartsWith(rest, name);
      if (!known) return absl::StrCat("a bare & at ", i);
    }
    if (page[i] == '>') return absl::StrCat("a bare > at ", i);
    if (page[i] != '<') continue;
    const size_t end = page.find('>', i);
    if (end == absl::string_view::npos) return "a tag without an end";
    const absl::string_view tag = page.substr(i + 1, end - i - 1);
    if (absl::StrContains(tag, "<")) return absl::StrCat("< in the tag ", tag);
    const std::string name(tag.substr(0, tag.find_first_of(" \n/", 1)));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return absl::StrCat("<", tag, "> closes ");
      open.pop_back();
    } else if (tag[0] != '!' && tag.back() != '/') {
      open.push_back(name);
      if (name == "style") {
        i = page.find("</style>", end) - 1;
        continue;
      }
    }
    i = end;
  }
  return open.empty() ? "" : absl::StrCat("<", open.back(), "> is not closed");
}

TuningReport::Kernel Gemm() {
  TuningReport::Kernel kernel;
  kernel.name = "dot.5";
  kernel.ops = "dot add maximum";
  kernel.places = "model.mlir:12:3, layer.py:40";
  kernel.uses = 12;
  kernel.flops = 2e9;
  kernel.bytes = 12e6;
  kernel.default_schedule = "contraction tile_n=16 tile_m=4 block_m=64";
  kernel.best_schedule = "contraction tile_n=48 tile_m=8 block_m=128";
  kernel.default_seconds = 40e-3;
  kernel.best_seconds = 25e-3;
  kernel.best_resources.registers = 64;
  kernel.best_resources.spilled_bytes = 0;
  kernel.best_resources.code_bytes = 5120;
  kernel.halide_calls = "out\n    .split(axis0, axis0o, axis0i, 48)\n    .vectorize(axis0i);\n";
  kernel.why_done = "64 trials have gained too little";
  double at = 0.4;
  int number = 0;
  for (int tile_n : {16, 32, 48}) {
    for (int tile_m : {4, 6, 8, 12}) {
      for (int block : {64, 128}) {
        TuningReport::Trial trial;
        trial.at = at += 0.35;
        trial.schedule =
            absl::StrCat("contraction tile_n=", tile_n, " tile_m=", tile_m, " block_m=", block);
        trial.seconds = 25e-3 * (1 + 0.2 * (48 - tile_n) / 16.0 + 0.1 * std::abs(tile_m - 8)) +
                        (block == 64 ? 0.4e-3 : 0);
        if (++number % 9 == 8) {
          trial.outcome = number == 8 ? Outcome::kCrash : Outcome::kWrongResult;
          trial.error = number == 8 ? "ended by signal 11" : "output 0: element 7 is 1 < 2 & <b>";
          trial.seconds = 0;
        }
        kernel.trials.push_back(trial);
      }
    }
  }
  kernel.trials.push_back({9, "plain lanes=8 <i>", Outcome::kGood, "", 90e-3});
  return kernel;
}

TuningReport Example() {
  TuningReport report;
  report.program = "examples/<model>.mlir";
  report.target = "x86";
  report.device = "A CPU & more";
  report.machine = "host \"h\"";
  report.date = "2026-01-02 03:04 UTC";
  report.versions = "Halyard 0.1, Halide 21.0.0";
  report.tuning_seconds = 20;
  report.default_seconds = 0.6;
  report.best_seconds = 0.4;
  report.others = {{"XLA:CPU", 0.5}};
  report.copy_bytes_per_s = 10e9;
  report.flops_per_s = 100e9;
  report.rates_are_measured = true;
  report.kernels.push_back(Gemm());
  TuningReport::Kernel small;
  small.name = "fusion.1";
  small.ops = "transpose";
  small.uses = 2;
  small.bytes = 8e6;
  small.default_seconds = small.best_seconds = 2e-3;
  small.default_schedule = small.best_schedule = "elementwise lanes=8";
  small.trials = {{-1, "elementwise lanes=8", Outcome::kGood, "", 2e-3},
                  {3, "elementwise lanes=16", Outcome::kGood, "", 2.2e-3}};
  report.kernels.push_back(small);
  TuningReport::Kernel norm = small;
  norm.name = "reduce.9";
  norm.ops = "reduce subtract multiply";
  norm.flops = 5e6;
  norm.default_seconds = 3e-3;
  norm.best_seconds = 1e-3;
  norm.trials[1].seconds = 1e-3;
  report.kernels.push_back(norm);
  TuningReport::Kernel failed;
  failed.name = "sort.2";
  failed.why_done = "its default schedule fails: timeout";
  report.kernels.push_back(failed);
  return report;
}

TEST(ReportTest, IsWellFormedAndCompleteWithoutNetworkOrScript) {
  const std::string page = ReportHtml(Example());
  EXPECT_EQ(WrongWith(page), "");
  for (const char* absent : {"http:", "https:", "<script", "src=", "nan", "inf\""})
    EXPECT_THAT(page, Not(HasSubstr(absent)));
  for (const char* heading :
       {"Kernels", "Before and after", "Roofline", "Kernel by kernel", "Errors"})
    EXPECT_THAT(page, HasSubstr(absl::StrCat("<h2>", heading, "</h2>")));
  std::ofstream(absl::StrCat(testing::TempDir(), "/report.html")) << page;
}

TEST(ReportTest, SaysWhatWasMeasured) {
  const std::string page = ReportHtml(Example());
  // The program; the sum of its kernels is 12 x 40 + 2 x 2 + 2 x 3 ms before, and 12 x 25 + 2 x 2 +
  // 2 x 1 after.
  EXPECT_THAT(page, HasSubstr("<b>1.50×</b><span>program: 600 ms by default, 400 ms tuned"));
  EXPECT_THAT(page, HasSubstr("<b>1.60×</b><span>sum of the kernels: 490 ms → 306 ms"));
  EXPECT_THAT(page, HasSubstr("<b>29</b><span>trials, 2 failed"));
  EXPECT_THAT(page, HasSubstr("20 s</b><span>tuning, 1.35 trials/s"));  // two are from earlier runs
  EXPECT_THAT(page, HasSubstr("<td class=\"number\">40 ms</td><td class=\"number\">25 ms</td>"
                              "<td class=\"number\">1.60×</td><td class=\"number\">25</td>"
                              "<td class=\"number\">2</td>"));
  EXPECT_THAT(page, HasSubstr("XLA:CPU"));
  EXPECT_THAT(page, HasSubstr("ended because 64 trials have gained too little"));
  EXPECT_THAT(page, HasSubstr("Not tuned: its default schedule fails: timeout"));
  EXPECT_THAT(page, HasSubstr(".vectorize(axis0i);"));
  EXPECT_THAT(page, HasSubstr("block_m=128</code> (64 registers of a thread, 0 bytes of spills, "
                              "5120 bytes of code)<br/>Default"));
}

TEST(ReportTest, NothingThatAProgramSaysIsMarkup) {
  const std::string page = ReportHtml(Example());
  EXPECT_THAT(page, HasSubstr("Tuning of examples/&lt;model&gt;.mlir"));
  EXPECT_THAT(page, HasSubstr("A CPU &amp; more"));
  EXPECT_THAT(page, HasSubstr("element 7 is 1 &lt; 2 &amp; &lt;b&gt;"));
  EXPECT_THAT(page, Not(HasSubstr("<i>")));
  EXPECT_EQ(EscapeMarkup("a\x01\"\xff\xc0\x80 é\xed\xa0\x80"), "a?&quot;??? é???");
  TuningReport hostile = Example();
  for (TuningReport::Kernel& kernel : hostile.kernels) {
    kernel.name = kernel.ops = kernel.places = kernel.hlo = kernel.best_schedule =
        "<script>\xfe</script>&\"'";
    for (TuningReport::Trial& trial : kernel.trials) trial.schedule = "<t> <a=<b> c=\"&";
  }
  const std::string hostile_page = ReportHtml(hostile);
  EXPECT_EQ(WrongWith(hostile_page), "");
  EXPECT_THAT(hostile_page, Not(HasSubstr("<script")));
}

TEST(ReportTest, ErrorsAreCountedByKind) {
  const std::string page = ReportHtml(Example());
  EXPECT_THAT(page, HasSubstr("<tr><th>crash</th><td class=\"number\">1</td>"));
  EXPECT_THAT(page, HasSubstr("ended by signal 11"));
  TuningReport fine = Example();
  fine.kernels.erase(fine.kernels.begin());
  EXPECT_THAT(ReportHtml(fine), HasSubstr("Every trial compiled, ran and was right."));
}

TEST(ReportTest, KnobsAreOrderedByWhatTheyChange) {
  const std::string table = KnobTable(Gemm());
  EXPECT_EQ(WrongWith(table), "");
  // tile_n=16 takes at least 1.4 times as long, and block_m hardly matters.
  const size_t tile_n = table.find("<th>tile_n</th>"), tile_m = table.find("<th>tile_m</th>"),
               block = table.find("<th>block_m</th>"), kinds = table.find("<th>template</th>");
  ASSERT_NE(block, std::string::npos);
  EXPECT_LT(kinds, tile_n);
  EXPECT_LT(tile_n, block);
  EXPECT_LT(tile_m, block);
  EXPECT_THAT(table, HasSubstr(">16<br/><small>1.40×</small>"));
  EXPECT_THAT(table, HasSubstr("knob chosen"));
  // A knob with one value says nothing.
  TuningReport::Kernel one = Gemm();
  one.trials.resize(1);
  EXPECT_EQ(KnobTable(one), "");
}

TEST(ReportTest, RooflineNeedsARoof) {
  TuningReport report = Example();
  const std::string plot = RooflinePlot(report);
  EXPECT_THAT(plot, HasSubstr("dot.5: 167 FLOP/byte"));
  EXPECT_THAT(plot, HasSubstr("50 GFLOP/s by default, 80 GFLOP/s tuned, 80 % of the roof"));
  EXPECT_THAT(plot, Not(HasSubstr("fusion.1")));  // it computes nothing
  report.flops_per_s = 0;
  EXPECT_EQ(RooflinePlot(report), "");
}

TEST(ReportTest, EmptyAndFailedRunsHavePages) {
  EXPECT_EQ(WrongWith(ReportHtml({})), "");
  TuningReport report;
  report.kernels.resize(1);
  report.kernels[0].trials = {{1, "plain", Outcome::kTimeout, "stopped", 0}};
  EXPECT_EQ(WrongWith(ReportHtml(report)), "");
  EXPECT_EQ(ConvergencePlots(report.kernels[0]), "");
}

TEST(ReportTest, NumbersAreReadable) {
  EXPECT_EQ(SecondsText(1.234e-6), "1.23 µs");
  EXPECT_EQ(SecondsText(0.0999996), "100 ms");
  EXPECT_EQ(SecondsText(2), "2 s");
  EXPECT_EQ(SecondsText(0), "-");
  EXPECT_EQ(SiText(4.8e12), "4.8 T");
  EXPECT_EQ(RatioText(1.5), "1.50×");
}

}  // namespace
}  // namespace halyard::autotuner
