#include "autotuner/report/report_plots.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "autotuner/report/report_chart.h"

namespace halyard::autotuner {

namespace {

using Kernel = TuningReport::Kernel;
using Trial = TuningReport::Trial;

std::string CountText(double value) { return absl::StrFormat("%.0f", value); }

std::string TrialText(size_t number, const Trial& trial) {
  const bool good = trial.outcome == Outcome::kGood;
  return absl::StrCat("trial ", number + 1, ": ",
                      good ? SecondsText(trial.seconds) : std::string(OutcomeName(trial.outcome)),
                      trial.at < 0 ? " (of an earlier run)" : "", "\n", trial.schedule);
}

// Returns an axis of times that ends at the slowest trial, or soon after four times the default's
// time. Slower trials are drawn at its edge.
ChartAxis TimeAxis(const Kernel& kernel) {
  double low = 0, high = 0;
  for (const Trial& trial : kernel.trials) {
    if (trial.outcome != Outcome::kGood || trial.seconds <= 0) continue;
    low = low == 0 ? trial.seconds : std::min(low, trial.seconds);
    high = std::max(high, trial.seconds);
  }
  ChartAxis axis;
  axis.title = "time of a launch";
  axis.label = SecondsText;
  axis.low = low * 0.9;
  const double limit = 4 * std::max(kernel.default_seconds, low);
  axis.high = std::max({std::min(high, limit), low, kernel.default_seconds}) * 1.1;
  axis.log = true;
  return axis;
}

// Plots the trials along the values that `place` gives them. Trials with a value below 0 are left
// out.
template <typename Place>
Plot Convergence(const Kernel& kernel, const ChartAxis& seconds, ChartAxis along,
                 const Place& place) {
  Plot plot;
  plot.name = absl::StrCat("trials of ", kernel.name, " against ", along.title);
  plot.x = std::move(along);
  plot.y = seconds;
  ChartLayer dots{ChartLayer::Kind::kDots, "trial", {}};
  ChartLayer failed{ChartLayer::Kind::kCrosses, "failed", {}};
  ChartLayer best{ChartLayer::Kind::kSteps, "best", {}};
  double fastest = 0;
  for (size_t i = 0; i < kernel.trials.size(); ++i) {
    const Trial& trial = kernel.trials[i];
    const bool good = trial.outcome == Outcome::kGood && trial.seconds > 0;
    if (good) fastest = fastest == 0 ? trial.seconds : std::min(fastest, trial.seconds);
    const double x = place(i, trial);
    if (x < 0) continue;
    if (fastest > 0) best.points.push_back({x, fastest, ""});
    (good ? dots : failed)
        .points.push_back({x, good ? trial.seconds : seconds.high, TrialText(i, trial)});
  }
  if (!best.points.empty()) best.points.push_back({plot.x.high, fastest, ""});
  if (kernel.default_seconds > 0) {
    plot.layers.push_back(
        {ChartLayer::Kind::kLine,
         "default",
         {{plot.x.low, kernel.default_seconds, ""}, {plot.x.high, kernel.default_seconds, ""}}});
  }
  for (ChartLayer* layer : {&dots, &failed, &best}) plot.layers.push_back(std::move(*layer));
  return plot;
}

// The roofline: the rate that copies allow, up to the rate of arithmetic.
struct Roof {
  double copy, flops;
  double At(double intensity) const { return std::min(copy * intensity, flops); }
};

struct Intensity {
  const Kernel* kernel;
  double intensity, before, after;  // FLOP/byte, FLOP/s
};

std::vector<Intensity> IntensitiesOf(const TuningReport& report) {
  std::vector<Intensity> all;
  for (const Kernel& kernel : report.kernels) {
    if (kernel.flops <= 0 || kernel.bytes <= 0 || kernel.default_seconds <= 0) continue;
    const double after = kernel.best_seconds > 0 ? kernel.best_seconds : kernel.default_seconds;
    all.push_back({&kernel, kernel.flops / kernel.bytes, kernel.flops / kernel.default_seconds,
                   kernel.flops / after});
  }
  return all;
}

std::string InfluenceCell(absl::string_view value, double ratio, bool is_best) {
  // The colour grows from nothing at the fastest to its full strength at four times that time.
  const double heat = std::clamp(std::log(ratio) / std::log(4.0), 0.0, 1.0);
  return absl::StrFormat(
      "<td class=\"knob%s\" "
      "style=\"background:rgba(214,69,45,%.2f)\">%s<br/><small>%s</small></td>",
      is_best ? " chosen" : "", heat * 0.75, EscapeMarkup(value), RatioText(ratio));
}

// Splits a schedule line. Returns the template, such as "contraction", and adds the knobs:
// {{"tile_n", "48"}, …}.
using Knobs = std::vector<std::pair<std::string, std::string>>;
std::string SplitLine(const std::string& line, Knobs* knobs) {
  std::string name;
  for (absl::string_view word : absl::StrSplit(line, ' ', absl::SkipEmpty())) {
    const size_t equals = word.find('=');
    if (equals == absl::string_view::npos) {
      if (name.empty()) name = std::string(word);
    } else {
      knobs->emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }
  }
  return name;
}

using ByValue = std::map<std::string, double>;  // seconds of the fastest trial with each value

double SpreadOf(const ByValue& values) {
  double low = 0, high = 0;
  for (const auto& [value, seconds] : values) {
    low = low == 0 ? seconds : std::min(low, seconds);
    high = std::max(high, seconds);
  }
  return low > 0 ? high / low : 1;
}

std::string InfluenceRow(const std::string& knob, const ByValue& values, double fastest,
                         const std::string& chosen) {
  std::vector<std::pair<std::string, double>> sorted(values.begin(), values.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    int64_t x = 0, y = 0;
    return absl::SimpleAtoi(a.first, &x) && absl::SimpleAtoi(b.first, &y) ? x < y : false;
  });
  std::string row = absl::StrCat("<tr><th>", EscapeMarkup(knob), "</th><td class=\"number\">",
                                 RatioText(SpreadOf(values)), "</td>");
  for (const auto& [value, seconds] : sorted)
    row += InfluenceCell(value, seconds / fastest, value == chosen);
  return row + "</tr>\n";
}

}  // namespace

std::string ConvergencePlots(const Kernel& kernel) {
  const ChartAxis seconds = TimeAxis(kernel);
  if (seconds.low <= 0) return "";
  ChartAxis number;
  number.title = "trial";
  number.high = std::max(1.0, static_cast<double>(kernel.trials.size()));
  number.label = CountText;
  number.whole = true;
  std::string html = PlotSvg(Convergence(
      kernel, seconds, number, [](size_t i, const Trial&) { return static_cast<double>(i + 1); }));
  ChartAxis clock;
  clock.title = "since the run began";
  clock.label = SecondsText;
  clock.high = 0;
  bool any = false;
  for (const Trial& trial : kernel.trials) {
    if (trial.at < 0) continue;
    clock.low = any ? std::min(clock.low, trial.at) : trial.at;
    clock.high = std::max(clock.high, trial.at);
    any = true;
  }
  if (!any || clock.high <= clock.low) return html;
  clock.label = [](double at) { return absl::StrFormat("%.4g s", at); };
  return html + PlotSvg(Convergence(kernel, seconds, clock,
                                    [](size_t, const Trial& trial) { return trial.at; }));
}

std::string RooflinePlot(const TuningReport& report) {
  const std::vector<Intensity> kernels = IntensitiesOf(report);
  const Roof roof = {report.copy_bytes_per_s, report.flops_per_s};
  if (kernels.empty() || roof.copy <= 0 || roof.flops <= 0) return "";
  const double corner = roof.flops / roof.copy;
  double low_x = corner / 4, high_x = corner * 4, low_y = roof.At(low_x), high_y = roof.flops;
  for (const Intensity& k : kernels) {
    low_x = std::min(low_x, k.intensity);
    high_x = std::max(high_x, k.intensity);
    low_y = std::min({low_y, k.before, k.after});
    high_y = std::max({high_y, k.before, k.after});
  }
  Plot plot;
  plot.width = 940;
  plot.height = 420;
  plot.name = "roofline: operations for each byte against operations for each second";
  plot.x = {"FLOP for each byte", true, low_x / 1.6, high_x * 1.6,
            [](double at) { return absl::StrFormat("%.4g", at); }};
  plot.y = {"FLOP/s", true, low_y / 1.6, high_y * 2, SiText};
  plot.layers.push_back({ChartLayer::Kind::kLine,
                         "roof",
                         {{plot.x.low, roof.At(plot.x.low), ""},
                          {corner, roof.flops, ""},
                          {plot.x.high, roof.flops, ""}}});
  ChartLayer before{ChartLayer::Kind::kRings, "default", {}};
  ChartLayer after{ChartLayer::Kind::kDots, "best", {}};
  ChartLayer names{ChartLayer::Kind::kLabels, "name", {}};
  for (const Intensity& k : kernels) {
    plot.layers.push_back({ChartLayer::Kind::kLine,
                           "gained",
                           {{k.intensity, k.before, ""}, {k.intensity, k.after, ""}}});
    const std::string text = absl::StrFormat(
        "%s: %.3g FLOP/byte\n%sFLOP/s by default, %sFLOP/s tuned, %.0f %% of the roof",
        k.kernel->name, k.intensity, SiText(k.before), SiText(k.after),
        100 * k.after / roof.At(k.intensity));
    before.points.push_back({k.intensity, k.before, text});
    after.points.push_back({k.intensity, k.after, text});
    if (names.points.size() < 24) names.points.push_back({k.intensity, k.after, k.kernel->name});
  }
  for (ChartLayer* layer : {&before, &after, &names}) plot.layers.push_back(std::move(*layer));
  return PlotSvg(plot);
}

std::string KnobTable(const Kernel& kernel) {
  Knobs best_knobs;
  const std::string best_template = SplitLine(kernel.best_schedule, &best_knobs);
  ByValue templates;
  std::map<std::string, ByValue> by_knob;
  double fastest = 0;
  auto note = [](ByValue* values, const std::string& value, double seconds) {
    const auto [at, added] = values->emplace(value, seconds);
    if (!added) at->second = std::min(at->second, seconds);
  };
  for (const Trial& trial : kernel.trials) {
    if (trial.outcome != Outcome::kGood || trial.seconds <= 0) continue;
    Knobs knobs;
    const std::string name = SplitLine(trial.schedule, &knobs);
    fastest = fastest == 0 ? trial.seconds : std::min(fastest, trial.seconds);
    note(&templates, name, trial.seconds);
    if (name != best_template) continue;
    for (const auto& [knob, value] : knobs) note(&by_knob[knob], value, trial.seconds);
  }
  std::vector<std::string> order;
  for (const auto& [knob, values] : by_knob) {
    if (values.size() > 1) order.push_back(knob);
  }
  if (fastest <= 0 || (order.empty() && templates.size() < 2)) return "";
  std::stable_sort(order.begin(), order.end(), [&](const std::string& a, const std::string& b) {
    return SpreadOf(by_knob[a]) > SpreadOf(by_knob[b]);
  });
  std::string html =
      "<table class=\"knobs\">\n<tr><th>knob</th><th>spread</th>"
      "<th class=\"values\" colspan=\"99\">values: the fastest trial of each beside "
      "the fastest of all</th></tr>\n";
  if (templates.size() > 1) html += InfluenceRow("template", templates, fastest, best_template);
  for (const std::string& knob : order) {
    const auto chosen = std::find_if(best_knobs.begin(), best_knobs.end(),
                                     [&knob](const auto& k) { return k.first == knob; });
    html += InfluenceRow(knob, by_knob[knob], fastest,
                         chosen == best_knobs.end() ? "" : chosen->second);
  }
  return html + "</table>\n";
}

}  // namespace halyard::autotuner
