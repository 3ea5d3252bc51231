// Draws the memory plan.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "client/reports/memory_report.h"

namespace halyard {
namespace {

constexpr double kWidth = 1200, kLeft = 90, kRight = 20;
constexpr double kArenaHeight = 480, kBlocksHeight = 220;
constexpr double kCharacter = 6.2, kLine = 13;  // width and height of the text of labels, in pixels

std::string Escaped(const std::string& text) {
  std::string clean = text;
  for (char& c : clean) {
    if (absl::ascii_iscntrl(static_cast<unsigned char>(c)) && c != '\n') c = '?';
  }
  return absl::StrReplaceAll(clean,
                             {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

// Returns 1, 2 or 5 times a power of ten that is at least `step`, and at least 1.
double NiceStep(double step) {
  const double power = std::pow(10, std::floor(std::log10(std::max(step, 1.0))));
  for (double factor : {1.0, 2.0, 5.0}) {
    if (power * factor >= step) return power * factor;
  }
  return power * 10;
}

// The hues are a golden angle apart, so that neighbours differ.
std::string Colour(size_t number, const char* kind) {
  const double hue = std::fmod(static_cast<double>(number) * 137.508, 360);
  const bool is_temp = std::string(kind) == "temporary";
  return absl::StrFormat("hsl(%.0f,%d%%,%d%%)", hue, is_temp ? 55 : 25, is_temp ? 74 : 82);
}

class Picture {
 public:
  explicit Picture(const ProgramSpec& program)
      : program_(program), reports_(ReportBuffers(program)) {}

  std::string Draw() {
    const double steps = static_cast<double>(std::max<int64_t>(1, reports_.num_steps));
    scale_x_ = (kWidth - kLeft - kRight) / steps;
    y_ = 22;
    Text(kLeft, y_, 15, "start",
         absl::StrCat(program_.name, " for ", program_.target, " (", program_.device.name, ")"));
    y_ += 10;
    Arena(MemorySpace::kDevice, "temporaries", program_.device_arena_bytes);
    Arena(MemorySpace::kHost, "temporaries on the host", program_.host_arena_bytes);
    Blocks();
    return absl::StrFormat(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
               "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\">\n"
               "<style>rect.b{stroke:#555;stroke-width:.5}rect.b:hover{stroke:#000;"
               "stroke-width:2}text{pointer-events:none}</style>\n"
               "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
               kWidth, y_ + 10, kWidth, y_ + 10) +
           body_ + "</svg>\n";
  }

 private:
  void Text(double x, double y, int size, const char* anchor, const std::string& text,
            const char* colour = "#222") {
    absl::StrAppendFormat(
        &body_,
        "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" text-anchor=\"%s\" fill=\"%s\">%s</text>\n",
        x, y, size, anchor, colour, Escaped(text));
  }

  void Buffer(const BufferReport& buffer, double x, double top, double width, double height) {
    std::string tooltip = absl::StrCat(buffer.name, ": ", BytesText(buffer.bytes), " (",
                                       buffer.bytes, " bytes)\n", buffer.what);
    if (!buffer.place.empty()) absl::StrAppend(&tooltip, "\n", buffer.place);
    if (buffer.offset >= 0) {
      absl::StrAppend(&tooltip, "\nat ", buffer.offset, ", from step ", buffer.first, " (",
                      buffer.first_step, ") to step ", buffer.last, " (", buffer.last_step, ")");
    } else {
      absl::StrAppend(&tooltip, "\n", buffer.kind, ", a block of its own, for the whole run");
    }
    absl::StrAppendFormat(&body_,
                          "<rect class=\"b\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                          "fill=\"%s\"><title>%s</title></rect>\n",
                          x, top, width, std::max(height, 1.0),
                          Colour(static_cast<size_t>(buffer.allocation), buffer.kind.c_str()),
                          Escaped(tooltip));
    Label(buffer, x, top, width, height);
  }

  // Writes as much of the name, the size and the description as fits.
  void Label(const BufferReport& buffer, double x, double top, double width, double height) {
    const auto fits = [&](const std::string& text) {
      return static_cast<double>(text.size()) * kCharacter + 6 <= width;
    };
    if (height < kLine || !fits(buffer.name)) {
      // In a tall and narrow block, the text is upright.
      if (width < kLine || static_cast<double>(buffer.name.size()) * kCharacter + 6 > height)
        return;
      absl::StrAppendFormat(&body_,
                            "<text transform=\"translate(%.1f %.1f) rotate(-90)\" font-size=\"11\" "
                            "text-anchor=\"middle\" fill=\"#222\">%s</text>\n",
                            x + width / 2 + 4, top + height / 2, Escaped(buffer.name));
      return;
    }
    const std::string what = buffer.what == buffer.name ? "" : buffer.what;
    std::vector<std::string> lines = {buffer.name};
    const std::string size = BytesText(buffer.bytes);
    if (height >= 3 * kLine && fits(size)) lines.push_back(size);
    if (lines.size() == 1 && fits(absl::StrCat(buffer.name, "  ", size)))
      lines[0] = absl::StrCat(buffer.name, "  ", size);
    const std::string with_what = absl::StrCat(lines[0], "  ", what);
    if (lines.size() == 1) {
      if (fits(with_what)) lines[0] = with_what;
    } else if (!what.empty() && fits(what)) {
      lines.push_back(what);
    }
    double y = top + height / 2 - static_cast<double>(lines.size() - 1) * kLine / 2 + 4;
    for (const std::string& line : lines) {
      Text(x + width / 2, y, 11, "middle", line);
      y += kLine;
    }
  }

  void AddressTicks(double top, double height, int64_t bytes) {
    const double step = NiceStep(static_cast<double>(bytes) / 6);
    for (double at = 0; at <= static_cast<double>(bytes) * 1.0001; at += step) {
      const double y = top + height - height * at / static_cast<double>(bytes);
      absl::StrAppendFormat(&body_,
                            "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" "
                            "stroke=\"#ddd\"/>\n",
                            kLeft - 4, kWidth - kRight, y, y);
      Text(kLeft - 8, y + 4, 11, "end", BytesText(static_cast<int64_t>(at)), "#555");
    }
  }

  void StepTicks(double y) {
    const double step = NiceStep(40 / scale_x_);
    for (double at = 0; at < static_cast<double>(reports_.num_steps); at += step)
      Text(kLeft + (at + 0.5) * scale_x_, y, 11, "middle", absl::StrFormat("%.0f", at), "#555");
    Text(8, y, 11, "start", "step", "#555");
  }

  void Arena(MemorySpace space, const char* title, int64_t bytes) {
    if (bytes == 0) return;
    y_ += 24;
    Text(kLeft, y_, 13, "start", absl::StrCat(title, ": ", BytesText(bytes)));
    y_ += 10;
    const double height = space == MemorySpace::kDevice ? kArenaHeight : kArenaHeight / 4;
    AddressTicks(y_, height, bytes);
    for (const BufferReport& buffer : reports_.buffers) {
      if (buffer.offset < 0 || buffer.space != space) continue;
      const double each = height / static_cast<double>(bytes);
      const double end = static_cast<double>(buffer.offset + buffer.bytes);
      const int64_t steps = buffer.last - buffer.first + 1;
      Buffer(buffer, kLeft + static_cast<double>(buffer.first) * scale_x_, y_ + height - end * each,
             std::max(1.0, static_cast<double>(steps) * scale_x_),
             static_cast<double>(buffer.bytes) * each);
    }
    absl::StrAppendFormat(&body_,
                          "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                          "fill=\"none\" stroke=\"#222\"/>\n",
                          kLeft, y_, kWidth - kLeft - kRight, height);
    y_ += height + 16;
    StepTicks(y_);
    y_ += 6;
  }

  // Arguments, results and constants have no time and no address. They are drawn as areas that are
  // as square as possible.
  void Blocks() {
    std::vector<const BufferReport*> blocks;
    int64_t bytes = 0;
    for (const BufferReport& buffer : reports_.buffers) {
      if (buffer.offset >= 0) continue;
      blocks.push_back(&buffer);
      bytes += buffer.bytes;
    }
    if (blocks.empty() || bytes == 0) return;
    std::stable_sort(
        blocks.begin(), blocks.end(),
        [](const BufferReport* a, const BufferReport* b) { return a->bytes > b->bytes; });
    y_ += 24;
    Text(kLeft, y_, 13, "start",
         absl::StrCat("arguments, results and constants, for the whole run: ", BytesText(bytes),
                      " (areas are sizes)"));
    y_ += 10;
    Area area{kLeft, y_, kWidth - kLeft - kRight, kBlocksHeight};
    const double scale = area.width * area.height / static_cast<double>(bytes);
    for (size_t first = 0; first < blocks.size();) first = Row(blocks, first, scale, &area);
    y_ += kBlocksHeight + 10;
  }

  struct Area {
    double x, y, width, height;
  };

  // Cuts a row of blocks off the area's shorter side, as long as that makes them squarer (Bruls,
  // Huizing, van Wijk: Squarified Treemaps). Returns the first block that remains.
  size_t Row(const std::vector<const BufferReport*>& blocks, size_t first, double scale,
             Area* area) {
    const bool upright = area->width > area->height;  // the row is a column at the left
    const double side = std::max(1.0, std::min(area->width, area->height));
    const auto size = [&](size_t i) { return static_cast<double>(blocks[i]->bytes) * scale; };
    const auto worst = [&](double sum, size_t end) {
      const double thick = sum / side, longest = size(first) / std::max(thick, 1e-9),
                   shortest = size(end - 1) / std::max(thick, 1e-9);
      return std::max(longest / std::max(thick, 1e-9), thick / std::max(shortest, 1e-9));
    };
    size_t end = first + 1;
    double sum = size(first);
    while (end < blocks.size() && worst(sum + size(end), end + 1) <= worst(sum, end))
      sum += size(end++);
    const double thick = sum / side;
    double at = upright ? area->y : area->x;
    for (size_t i = first; i < end; ++i) {
      const double along = thick > 0 ? size(i) / thick : 0;
      if (upright) {
        Buffer(*blocks[i], area->x, at, std::max(1.0, thick), along);
      } else {
        Buffer(*blocks[i], at, area->y, std::max(1.0, along), thick);
      }
      at += along;
    }
    if (upright) {
      area->x += thick;
      area->width -= thick;
    } else {
      area->y += thick;
      area->height -= thick;
    }
    return end;
  }

  const ProgramSpec& program_;
  const BufferReports reports_;
  double scale_x_ = 1, y_ = 0;
  std::string body_;
};

}  // namespace

std::string MemorySvg(const ProgramSpec& program) { return Picture(program).Draw(); }

}  // namespace halyard
