// Draws the pictures of a tuning report, as SVG elements inside its page. Colours are CSS classes
// of the page.
#ifndef HALYARD_AUTOTUNER_REPORT_REPORT_CHART_H_
#define HALYARD_AUTOTUNER_REPORT_REPORT_CHART_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace halyard::autotuner {

// Returns text for HTML and SVG: markup is escaped, and control characters and bytes that are not
// UTF-8 become '?'.
std::string EscapeMarkup(absl::string_view text);

// Returns a text such as "1.23 µs", or "-" for 0.
std::string SecondsText(double seconds);
// Returns three digits and an SI prefix, "1.23 G", to go before "FLOP/s" and the like.
std::string SiText(double value);
// Returns a text such as "1.84×".
std::string RatioText(double ratio);

struct ChartAxis {
  std::string title;
  bool log = false;
  double low = 0, high = 1;  // low < high; above 0 if log
  std::function<std::string(double)> label = SiText;
  bool whole = false;  // marks only whole numbers
};

struct ChartPoint {
  double x = 0, y = 0;
  std::string tooltip;  // not escaped yet
};

// One layer of a plot. The first layers are drawn below the others. `css` is the class of its
// colour.
struct ChartLayer {
  enum class Kind { kLine, kSteps, kDots, kRings, kCrosses, kLabels };
  Kind kind = Kind::kLine;
  std::string css;
  std::vector<ChartPoint> points;  // kLabels: the tooltip is the text
};

// Points beyond the axes are drawn at the edge.
struct Plot {
  double width = 460, height = 240;
  std::string name;  // what it shows, for readers who cannot see it
  ChartAxis x, y;
  std::vector<ChartLayer> layers;
};
std::string PlotSvg(const Plot& plot);

// A row with a pair of horizontal bars, which begin at 0.
struct BarRow {
  std::string label;
  double before = 0, after = 0;  // 0 for no bar
  std::string before_text, after_text;
};
std::string BarsSvg(const std::string& name, const std::vector<BarRow>& rows);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_REPORT_REPORT_CHART_H_
