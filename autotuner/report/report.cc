#include "autotuner/report/report.h"

#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "autotuner/report/report_chart.h"
#include "autotuner/report/report_plots.h"

namespace halyard::autotuner {

namespace {

// A kernel may have tens of places, because an op that a program shares (a constant, relu) has the
// places of all its uses.
std::string FirstPlaces(const std::string& places) {
  constexpr size_t kMost = 4;
  const std::vector<std::string> words = absl::StrSplit(places, ' ', absl::SkipEmpty());
  if (words.size() <= kMost) return places;
  return absl::StrCat(absl::StrJoin(words.begin(), words.begin() + kMost, " "), " and ",
                      words.size() - kMost, " more");
}

using Kernel = TuningReport::Kernel;
using Trial = TuningReport::Trial;

constexpr char kStyle[] = R"css(
:root{color-scheme:light dark;--back:#fff;--text:#1c2024;--dim:#5c6570;--line:#d9dee3;--panel:#f5f7f9;
--default:#9aa4af;--best:#1668c7;--failed:#c0392b;--roof:#8a5a00}
@media(prefers-color-scheme:dark){:root{--back:#15181c;--text:#e4e7ea;--dim:#9aa4af;--line:#343a41;
--panel:#1d2126;--default:#7d8792;--best:#5aa5f5;--failed:#ef7568;--roof:#d9a441}}
body{font:15px/1.45 system-ui,sans-serif;background:var(--back);color:var(--text);max-width:980px;
margin:24px auto;padding:0 16px}
h1{font-size:24px;margin-bottom:4px}h2{font-size:19px;margin:32px 0 8px;border-bottom:1px solid
var(--line);padding-bottom:3px}h3{font-size:15px;margin:20px 0 4px}
p.about,p.note{color:var(--dim);margin:3px 0}
.tiles{display:flex;flex-wrap:wrap;gap:10px;margin:16px 0}
.tile{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:8px 14px}
.tile b{display:block;font-size:21px}.tile span{color:var(--dim);font-size:13px}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:13.5px}
th,td{text-align:left;padding:3px 9px;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600}td.number,th.number{text-align:right;white-space:nowrap}
td.knob{text-align:center;border:1px solid var(--line)}td.chosen{outline:2px solid var(--best);
outline-offset:-2px;font-weight:700}small{color:inherit;opacity:.75}
pre{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:8px 12px;
overflow-x:auto;font-size:12.5px;line-height:1.4}code{font-size:12.5px;overflow-wrap:anywhere}
svg{font-family:inherit;max-width:100%;height:auto;vertical-align:top}svg.plot{width:460px}
svg.bars,.roofline svg.plot{width:940px}.grid{stroke:var(--line);fill:none}
.frame{stroke:var(--dim);fill:none}.tick{font-size:10.5px;fill:var(--dim)}
.axis,.label{font-size:11.5px;fill:var(--text)}.line{fill:none;stroke-width:2}
.line.default{stroke:var(--default);stroke-dasharray:6 4}.line.best{stroke:var(--best)}
.line.roof{stroke:var(--roof)}.line.gained{stroke:var(--best);stroke-width:1;opacity:.6}
.dot.best,.bar.best{fill:var(--best)}.dot.trial{fill:var(--text);opacity:.38}
.bar.default{fill:var(--default)}.ring{fill:var(--back);stroke:var(--default);stroke-width:2}
.cross{stroke:var(--failed);stroke-width:1.5;fill:none}
.key{color:var(--dim);font-size:13px}.key i{display:inline-block;width:13px;height:10px;
margin:0 4px 0 12px;border-radius:2px}i.default{background:var(--default)}i.best{background:
var(--best)}i.failed{background:var(--failed)}i.roof{background:var(--roof)}
@media print{body{max-width:none}}
)css";

double BestOf(const Kernel& kernel) {
  return kernel.best_seconds > 0 ? kernel.best_seconds : kernel.default_seconds;
}

int64_t FailuresOf(const Kernel& kernel) {
  return std::count_if(kernel.trials.begin(), kernel.trials.end(),
                       [](const Trial& trial) { return trial.outcome != Outcome::kGood; });
}

// Returns the text for the number of launches. Whole numbers have no decimal point.
std::string UsesText(double uses) { return absl::StrFormat("%.4g", uses); }

std::string Tile(const std::string& value, const std::string& what) {
  return absl::StrCat("<div class=\"tile\"><b>", EscapeMarkup(value), "</b><span>",
                      EscapeMarkup(what), "</span></div>\n");
}

class Page {
 public:
  explicit Page(const TuningReport& report) : report_(report), kernels_(report.kernels) {
    std::stable_sort(kernels_.begin(), kernels_.end(), [](const Kernel& a, const Kernel& b) {
      return a.default_seconds * a.uses > b.default_seconds * b.uses;
    });
  }

  std::string Write() {
    const std::string title = EscapeMarkup(absl::StrCat("Tuning of ", report_.program));
    absl::StrAppend(&out_,
                    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n<meta "
                    "name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>",
                    title, "</title>\n<style>", kStyle, "</style></head>\n<body>\n<h1>", title,
                    "</h1>\n");
    About();
    Tiles();
    Summary();
    BeforeAfter();
    Roofline();
    PerKernel();
    Errors();
    absl::StrAppend(&out_, "</body></html>\n");
    return std::move(out_);
  }

 private:
  void About() {
    const std::pair<const char*, const std::string&> facts[] = {{"target", report_.target},
                                                                {"device", report_.device},
                                                                {"machine", report_.machine},
                                                                {"versions", report_.versions},
                                                                {"date", report_.date}};
    for (const auto& [name, value] : facts) {
      if (!value.empty())
        absl::StrAppend(&out_, "<p class=\"about\">", name, ": ", EscapeMarkup(value), "</p>\n");
    }
  }

  void Tiles() {
    int64_t trials = 0, failed = 0, made = 0;
    double before = 0, after = 0;
    for (const Kernel& kernel : kernels_) {
      trials += static_cast<int64_t>(kernel.trials.size());
      failed += FailuresOf(kernel);
      made += std::count_if(kernel.trials.begin(), kernel.trials.end(),
                            [](const Trial& trial) { return trial.at >= 0; });
      before += kernel.uses * kernel.default_seconds;
      after += kernel.uses * BestOf(kernel);
    }
    out_ += "<div class=\"tiles\">\n";
    if (report_.default_seconds > 0 && report_.best_seconds > 0) {
      out_ += Tile(RatioText(report_.default_seconds / report_.best_seconds),
                   absl::StrCat("program: ", SecondsText(report_.default_seconds), " by default, ",
                                SecondsText(report_.best_seconds), " tuned"));
    }
    if (after > 0) {
      out_ += Tile(
          RatioText(before / after),
          absl::StrCat("sum of the kernels: ", SecondsText(before), " → ", SecondsText(after)));
    }
    out_ += Tile(absl::StrCat(kernels_.size()), "kernels");
    out_ += Tile(absl::StrCat(trials), absl::StrCat("trials, ", failed, " failed"));
    if (report_.tuning_seconds > 0) {
      out_ += Tile(absl::StrFormat("%.0f s", report_.tuning_seconds),
                   absl::StrFormat("tuning, %.3g trials/s",
                                   static_cast<double>(made) / report_.tuning_seconds));
    }
    out_ += "</div>\n";
  }

  void Summary() {
    out_ +=
        "<h2>Kernels</h2>\n<div class=\"wide\"><table class=\"summary\">\n<tr><th>kernel</th>"
        "<th>computes</th><th class=\"number\">uses</th><th class=\"number\">default</th>"
        "<th class=\"number\">best</th><th class=\"number\">gain</th>"
        "<th class=\"number\">trials</th><th class=\"number\">failed</th></tr>\n";
    for (const Kernel& kernel : kernels_) {
      absl::StrAppend(
          &out_, "<tr><th>", EscapeMarkup(kernel.name), "</th><td>", EscapeMarkup(kernel.ops),
          kernel.places.empty() ? "" : "<br/><small>", EscapeMarkup(FirstPlaces(kernel.places)),
          kernel.places.empty() ? "" : "</small>", "</td><td class=\"number\">",
          UsesText(kernel.uses), "</td><td class=\"number\">", SecondsText(kernel.default_seconds),
          "</td><td class=\"number\">", SecondsText(BestOf(kernel)), "</td><td class=\"number\">",
          RatioText(kernel.default_seconds / BestOf(kernel)), "</td>");
      absl::StrAppend(&out_, "<td class=\"number\">", kernel.trials.size(),
                      "</td><td class=\"number\">", FailuresOf(kernel), "</td></tr>\n");
    }
    out_ +=
        "</table></div>\n<p class=\"note\">Times are of one launch; uses are launches in one "
        "run of the program.</p>\n";
  }

  void BeforeAfter() {
    std::vector<BarRow> rows;
    if (report_.default_seconds > 0) {
      rows.push_back({"whole program, measured", report_.default_seconds, report_.best_seconds,
                      SecondsText(report_.default_seconds),
                      absl::StrCat(SecondsText(report_.best_seconds), "  ",
                                   RatioText(report_.default_seconds / report_.best_seconds))});
    }
    for (const auto& other : report_.others)
      rows.push_back({other.name, other.seconds, 0, SecondsText(other.seconds), ""});
    constexpr size_t kMost = 40;
    for (size_t i = 0; i < std::min(kMost, kernels_.size()); ++i) {
      const Kernel& kernel = kernels_[i];
      const double before = kernel.uses * kernel.default_seconds;
      const double after = kernel.uses * BestOf(kernel);
      if (before <= 0) continue;
      rows.push_back({kernel.name, before, after, SecondsText(before),
                      absl::StrCat(SecondsText(after), "  ", RatioText(before / after))});
    }
    const std::string bars = BarsSvg("time in a run of the program, before and after", rows);
    if (bars.empty()) return;
    absl::StrAppend(&out_,
                    "<h2>Before and after</h2>\n<p class=\"key\">Time in one run of the program: "
                    "<i class=\"default\"></i>by default schedules<i class=\"best\"></i>by the "
                    "best found</p>\n",
                    bars);
    if (kernels_.size() > kMost) {
      absl::StrAppend(&out_, "<p class=\"note\">The ", kMost, " kernels that take longest, of ",
                      kernels_.size(), ".</p>\n");
    }
  }

  void Roofline() {
    const std::string plot = RooflinePlot(report_);
    if (plot.empty()) return;
    absl::StrAppend(
        &out_, "<h2>Roofline</h2>\n<p class=\"key\"><i class=\"roof\"></i>",
        report_.rates_are_measured ? "measured" : "described", ": ",
        EscapeMarkup(SiText(report_.copy_bytes_per_s)), "B/s of copying, ",
        EscapeMarkup(SiText(report_.flops_per_s)),
        "FLOP/s of f32<i class=\"default\"></i>by default<i class=\"best\"></i>tuned</p>\n"
        "<div class=\"roofline\">",
        plot,
        "</div>\n<p class=\"note\">Bytes are those of a kernel's arguments and results, each once: "
        "one whose data is in a cache may be above the slope, and one of narrower numbers above "
        "the flat. Kernels that only move data are not in the picture.</p>\n");
  }

  void PerKernel() {
    out_ +=
        "<h2>Kernel by kernel</h2>\n<p class=\"key\">Plots: <i class=\"best\"></i>best so far"
        "<i class=\"default\"></i>default<i class=\"failed\"></i>failed; dots are trials, those "
        "that are much slower than the default at the upper edge</p>\n";
    for (const Kernel& kernel : kernels_) {
      absl::StrAppend(&out_, "<h3>", EscapeMarkup(kernel.name), "</h3>\n");
      if (kernel.trials.empty() || BestOf(kernel) <= 0) {
        absl::StrAppend(
            &out_, "<p class=\"note\">Not tuned: ",
            EscapeMarkup(kernel.why_done.empty() ? "no trial was made" : kernel.why_done),
            "</p>\n");
        continue;
      }
      absl::StrAppend(
          &out_, "<p class=\"note\">", SecondsText(kernel.default_seconds), " → ",
          SecondsText(BestOf(kernel)), " (", RatioText(kernel.default_seconds / BestOf(kernel)),
          ") in ", kernel.trials.size(), " trials",
          kernel.why_done.empty() ? "" : "; ended because ", EscapeMarkup(kernel.why_done),
          "</p>\n<div>", ConvergencePlots(kernel), "</div>\n");
      Schedules(kernel);
      const std::string knobs = KnobTable(kernel);
      if (!knobs.empty()) {
        absl::StrAppend(&out_,
                        "<details><summary>Influence of the knobs</summary><div "
                        "class=\"wide\">",
                        knobs, "</div></details>\n");
      }
      if (!kernel.hlo.empty()) {
        absl::StrAppend(&out_, "<details><summary>HLO</summary><pre>", EscapeMarkup(kernel.hlo),
                        "</pre></details>\n");
      }
    }
  }

  // Returns text for the resources that the schedule's kernel uses, as far as they are known.
  static std::string Takes(const lowering::KernelResources& resources) {
    std::vector<std::string> parts;
    auto add = [&parts](int64_t value, const char* unit) {
      if (value >= 0) parts.push_back(absl::StrCat(value, unit));
    };
    add(resources.registers, " registers of a thread");
    add(resources.spilled_bytes, " bytes of spills");
    add(resources.group_threads, " threads of a group");
    add(resources.shared_bytes, " bytes of shared memory");
    add(resources.code_bytes, " bytes of code");
    return parts.empty() ? "" : absl::StrCat(" (", absl::StrJoin(parts, ", "), ")");
  }

  void Schedules(const Kernel& kernel) {
    const bool changed = kernel.best_schedule != kernel.default_schedule;
    absl::StrAppend(&out_, "<p>", changed ? "Best" : "Best, and the default", ": <code>",
                    EscapeMarkup(kernel.best_schedule), "</code>", Takes(kernel.best_resources));
    if (changed) {
      absl::StrAppend(&out_, "<br/>Default: <code>", EscapeMarkup(kernel.default_schedule),
                      "</code>", Takes(kernel.default_resources));
    }
    out_ += "</p>\n";
    if (kernel.halide_calls.empty()) return;
    absl::StrAppend(&out_, "<details><summary>The best schedule as Halide calls</summary><pre>",
                    EscapeMarkup(kernel.halide_calls), "</pre></details>\n");
  }

  void Errors() {
    struct Kind {
      int64_t count = 0;
      std::set<std::string> kernels;
      const Trial* example = nullptr;
      std::string where;
    };
    std::map<Outcome, Kind> kinds;
    for (const Kernel& kernel : kernels_) {
      for (const Trial& trial : kernel.trials) {
        if (trial.outcome == Outcome::kGood) continue;
        Kind& kind = kinds[trial.outcome];
        ++kind.count;
        kind.kernels.insert(kernel.name);
        if (kind.example != nullptr) continue;
        kind.example = &trial;
        kind.where = kernel.name;
      }
    }
    out_ += "<h2>Errors</h2>\n";
    if (kinds.empty()) {
      out_ += "<p class=\"note\">Every trial compiled, ran and was right.</p>\n";
      return;
    }
    out_ +=
        "<div class=\"wide\"><table class=\"errors\">\n<tr><th>kind</th><th class=\"number\">"
        "trials</th><th class=\"number\">kernels</th><th>one of them</th></tr>\n";
    for (const auto& [outcome, kind] : kinds) {
      absl::StrAppend(&out_, "<tr><th>", EscapeMarkup(OutcomeName(outcome)),
                      "</th><td class=\"number\">", kind.count, "</td><td class=\"number\">",
                      kind.kernels.size(), "</td><td>");
      absl::StrAppend(&out_, EscapeMarkup(kind.where), ", <code>",
                      EscapeMarkup(kind.example->schedule), "</code><br/>",
                      EscapeMarkup(kind.example->error.substr(0, 600)), "</td></tr>\n");
    }
    out_ += "</table></div>\n";
  }

  const TuningReport& report_;
  std::vector<Kernel> kernels_;
  std::string out_;
};

}  // namespace

std::string ReportHtml(const TuningReport& report) { return Page(report).Write(); }

}  // namespace halyard::autotuner
