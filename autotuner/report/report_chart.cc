#include "autotuner/report/report_chart.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace halyard::autotuner {

namespace {

constexpr double kLeft = 66, kRight = 14, kTop = 12, kBottom = 40;  // margins, in pixels

// Returns the length in bytes of the UTF-8 sequence with which the text begins, or 0 if it begins
// with something else.
size_t SequenceLength(absl::string_view text) {
  const auto byte = [&text](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  const size_t length = first < 0x80   ? 1
                        : first < 0xc2 ? 0
                        : first < 0xe0 ? 2
                        : first < 0xf0 ? 3
                        : first < 0xf5 ? 4
                                       : 0;
  if (length == 0 || length > text.size()) return 0;
  uint32_t code = length == 1 ? first : first & (0xffu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return overlong || surrogate || code > 0x10ffff || code == 0xfffe || code == 0xffff ? 0 : length;
}

// Returns the smallest of 1, 2 and 5 times the powers of ten that is at least `step`, or less by at
// most 0.1 %.
double NiceStep(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (double factor : {1.0, 2.0, 5.0}) {
    if (power * factor >= step * 0.999) return power * factor;
  }
  return power * 10;
}

std::vector<double> Ticks(const ChartAxis& axis, double pixels) {
  std::vector<double> ticks;
  if (!axis.log || axis.high < axis.low * 12) {
    const double wanted = (axis.high - axis.low) / std::max(2.0, pixels / 60);
    const double step = NiceStep(axis.whole ? std::max(wanted, 1.0) : wanted);
    for (double at = std::ceil(axis.low / step - 1e-6); at * step <= axis.high * (1 + 1e-9); ++at)
      ticks.push_back(at * step + 0.0);  // no -0
    return ticks;
  }
  const double decades = std::log10(axis.high / axis.low);
  const double each = pixels / decades;
  for (double power = std::floor(std::log10(axis.low)); power <= std::log10(axis.high); ++power) {
    for (double factor : {1.0, 2.0, 5.0}) {
      if (factor != 1 && each < 130) continue;
      const double at = factor * std::pow(10, power);
      if (at >= axis.low * (1 - 1e-9) && at <= axis.high * (1 + 1e-9)) ticks.push_back(at);
    }
  }
  return ticks;
}

class Drawing {
 public:
  explicit Drawing(const Plot& plot) : plot_(plot) {}

  std::string Draw() {
    absl::StrAppendFormat(&out_, "<svg class=\"plot\" viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n",
                          plot_.width, plot_.height);
    absl::StrAppend(&out_, "<title>", EscapeMarkup(plot_.name), "</title>\n");
    Grid();
    for (const ChartLayer& layer : plot_.layers) Layer(layer);
    absl::StrAppend(&out_, "</svg>\n");
    return out_;
  }

 private:
  static double Fraction(const ChartAxis& axis, double value) {
    value = std::clamp(value, axis.low, axis.high);
    return axis.log ? std::log(value / axis.low) / std::log(axis.high / axis.low)
                    : (value - axis.low) / (axis.high - axis.low);
  }
  double X(double value) const {
    return kLeft + Fraction(plot_.x, value) * (plot_.width - kLeft - kRight);
  }
  double Y(double value) const {
    return plot_.height - kBottom - Fraction(plot_.y, value) * (plot_.height - kTop - kBottom);
  }

  void Grid() {
    const double right = plot_.width - kRight, bottom = plot_.height - kBottom;
    for (double at : Ticks(plot_.x, right - kLeft)) {
      absl::StrAppendFormat(&out_,
                            "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/><text class=\"tick\" "
                            "x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
                            X(at), kTop, bottom, X(at), bottom + 14,
                            EscapeMarkup(plot_.x.label(at)));
    }
    for (double at : Ticks(plot_.y, (bottom - kTop) * 1.5)) {
      absl::StrAppendFormat(&out_,
                            "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/><text class=\"tick\" "
                            "x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                            kLeft, Y(at), right, kLeft - 5, Y(at) + 3.5,
                            EscapeMarkup(plot_.y.label(at)));
    }
    absl::StrAppendFormat(&out_,
                          "<path class=\"frame\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n<text "
                          "class=\"axis\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
                          kLeft, kTop, bottom, right, (kLeft + right) / 2, plot_.height - 8,
                          EscapeMarkup(plot_.x.title));
    absl::StrAppendFormat(&out_,
                          "<text class=\"axis\" transform=\"translate(12 %.1f) rotate(-90)\" "
                          "text-anchor=\"middle\">%s</text>\n",
                          (kTop + bottom) / 2, EscapeMarkup(plot_.y.title));
  }

  void Line(const ChartLayer& layer) {
    if (layer.points.empty()) return;
    absl::StrAppend(&out_, "<path class=\"line ", layer.css, "\" d=\"");
    bool first = true;
    for (const ChartPoint& point : layer.points) {
      if (!first && layer.kind == ChartLayer::Kind::kSteps)
        absl::StrAppendFormat(&out_, "H%.1f", X(point.x));
      absl::StrAppendFormat(&out_, "%s%.1f %.1f", first ? "M" : "L", X(point.x), Y(point.y));
      first = false;
    }
    absl::StrAppend(&out_, "\"/>\n");
  }

  void Label(const ChartPoint& point, const std::string& css) {
    const double x = X(point.x);
    const bool at_left = x > plot_.width * 0.7;
    absl::StrAppendFormat(&out_,
                          "<text class=\"label %s\" x=\"%.1f\" y=\"%.1f\" "
                          "text-anchor=\"%s\">%s</text>\n",
                          css, at_left ? x - 6 : x + 6, Y(point.y) - 5, at_left ? "end" : "start",
                          EscapeMarkup(point.tooltip));
  }

  void Layer(const ChartLayer& layer) {
    using Kind = ChartLayer::Kind;
    if (layer.kind == Kind::kLine || layer.kind == Kind::kSteps) return Line(layer);
    for (const ChartPoint& point : layer.points) {
      if (layer.kind == Kind::kLabels) {
        Label(point, layer.css);
        continue;
      }
      const std::string title =
          point.tooltip.empty() ? ""
                                : absl::StrCat("<title>", EscapeMarkup(point.tooltip), "</title>");
      const double x = X(point.x), y = Y(point.y);
      if (layer.kind == Kind::kCrosses) {
        absl::StrAppendFormat(&out_,
                              "<path class=\"cross %s\" d=\"M%.1f %.1fl5 5m-5 0l5 -5\">%s</path>\n",
                              layer.css, x - 2.5, y - 2.5, title);
      } else {
        absl::StrAppendFormat(
            &out_, "<circle class=\"%s %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\">%s</circle>\n",
            layer.kind == Kind::kRings ? "ring" : "dot", layer.css, x, y,
            layer.kind == Kind::kRings ? "4"
            : layer.css == "trial"     ? "2.2"
                                       : "4",
            title);
      }
    }
  }

  const Plot& plot_;
  std::string out_;
};

}  // namespace

std::string EscapeMarkup(absl::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t length = SequenceLength(text);
    const char c = text.front();
    if (length > 1) {
      absl::StrAppend(&out, text.substr(0, length));
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (length == 0 || c == 0x7f || (static_cast<uint8_t>(c) < 0x20 && c != '\n')) {
      out += '?';
    } else {
      out += c;
    }
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return out;
}

std::string SiText(double value) {
  if (value == 0) return "0 ";
  static constexpr struct {
    double unit;
    const char* prefix;
  } kUnits[] = {{1e12, "T"}, {1e9, "G"},  {1e6, "M"},  {1e3, "k"},
                {1, ""},     {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}};
  for (const auto& [unit, prefix] : kUnits) {
    if (std::abs(value) < unit * 0.9995 && unit != 1e-9) continue;
    const double number = value / unit;
    const int digits = std::abs(number) >= 99.95 ? 0 : std::abs(number) >= 9.995 ? 1 : 2;
    std::string text = absl::StrFormat("%.*f", digits, number);
    if (digits > 0) {
      while (text.back() == '0') text.pop_back();
      if (text.back() == '.') text.pop_back();
    }
    return absl::StrCat(text, " ", prefix);
  }
  return "";
}

std::string SecondsText(double seconds) {
  if (!(seconds > 0) || !std::isfinite(seconds)) return "-";
  return seconds < 1000 ? absl::StrCat(SiText(seconds), "s") : absl::StrFormat("%.0f s", seconds);
}

std::string RatioText(double ratio) {
  if (!(ratio > 0) || !std::isfinite(ratio)) return "-";
  return absl::StrFormat(ratio < 100 ? "%.2f×" : "%.0f×", ratio);
}

std::string PlotSvg(const Plot& plot) { return Drawing(plot).Draw(); }

std::string BarsSvg(const std::string& name, const std::vector<BarRow>& rows) {
  constexpr double kWidth = 940, kLabels = 250, kBar = 11, kRow = 32, kText = 150;
  double longest = 0;
  size_t label_room = static_cast<size_t>(kLabels / 7);
  for (const BarRow& row : rows) longest = std::max({longest, row.before, row.after});
  if (longest <= 0) return "";
  std::string out;
  const double height = static_cast<double>(rows.size()) * kRow + 6;
  absl::StrAppendFormat(&out, "<svg class=\"bars\" viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n",
                        kWidth, height);
  absl::StrAppend(&out, "<title>", EscapeMarkup(name), "</title>\n");
  double y = 4;
  for (const BarRow& row : rows) {
    // Names are cut to what fits; the tooltip has the whole name.
    std::string label = row.label;
    if (label.size() > label_room) label = absl::StrCat(label.substr(0, label_room - 2), "…");
    absl::StrAppendFormat(&out,
                          "<text class=\"axis\" x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">%s"
                          "<title>%s</title></text>\n",
                          kLabels - 8, y + kBar + 4, EscapeMarkup(label), EscapeMarkup(row.label));
    const struct {
      double value;
      const std::string& text;
      const char* css;
    } bars[] = {{row.before, row.before_text, "default"}, {row.after, row.after_text, "best"}};
    double top = y;
    for (const auto& bar : bars) {
      if (bar.value > 0) {
        const double width = std::max(1.0, bar.value / longest * (kWidth - kLabels - kText));
        absl::StrAppendFormat(
            &out,
            "<rect class=\"bar %s\" x=\"%.0f\" y=\"%.1f\" width=\"%.1f\" height=\"%.0f\"/>"
            "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
            bar.css, kLabels, top, width, kBar, kLabels + width + 5, top + kBar - 1.5,
            EscapeMarkup(bar.text));
      }
      top += kBar + 1;
    }
    y += kRow;
  }
  absl::StrAppend(&out, "</svg>\n");
  return out;
}

}  // namespace halyard::autotuner
