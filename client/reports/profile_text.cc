// Writes a profile as a trace, as a table and as JSON.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/reports/profile.h"
#include "nlohmann/json.hpp"

namespace halyard {
namespace {

using nlohmann::ordered_json;
using Kind = ProfileEvent::Kind;

// The tracks, in the order in which viewers show them.
enum Track { kCompileTrack = 1, kRunTrack, kCopyTrack, kDeviceTrack, kHostTrack, kCodegenTrack };

int TrackOf(const ProfileEvent& event, const std::vector<ProfileKernel>& kernels) {
  switch (event.kind) {
    case Kind::kCompile:
      return kCompileTrack;
    case Kind::kCodegen:
      return kCodegenTrack + event.lane;
    case Kind::kUpload:
    case Kind::kDownload:
      return kCopyTrack;
    case Kind::kRun:
      return kRunTrack;
    case Kind::kKernel:
      return kernels[event.kernel].on_host ? kHostTrack : kDeviceTrack;
    case Kind::kCopy:
      return kDeviceTrack;
    case Kind::kCustomCall:
    case Kind::kCommunication:
      return kHostTrack;
  }
  return kCompileTrack;
}

std::string TrackName(int track, const std::string& device) {
  switch (track) {
    case kCompileTrack:
      return "compile";
    case kRunTrack:
      return "runs";
    case kCopyTrack:
      return "uploads and downloads";
    case kDeviceTrack:
      return absl::StrCat("device: ", device);
    case kHostTrack:
      return "host steps";
    default:
      return absl::StrCat("codegen ", track - kCodegenTrack + 1);
  }
}

const char* Category(Kind kind) {
  switch (kind) {
    case Kind::kCompile:
      return "compile";
    case Kind::kCodegen:
      return "codegen";
    case Kind::kUpload:
      return "upload";
    case Kind::kDownload:
      return "download";
    case Kind::kRun:
      return "run";
    case Kind::kKernel:
      return "kernel";
    case Kind::kCopy:
      return "copy";
    case Kind::kCustomCall:
      return "custom call";
    case Kind::kCommunication:
      return "communication";
  }
  return "";
}

std::string Printable(const std::string& text) {
  std::string out = text;
  for (char& c : out) {
    if (absl::ascii_iscntrl(static_cast<unsigned char>(c))) c = '?';
  }
  return out;
}

// Writes three significant digits and no exponent: "0.0123", "1.23", "456".
std::string Short(double value) {
  if (value <= 0) return "-";
  const int digits = std::max(0, std::min(6, 2 - static_cast<int>(std::floor(std::log10(value)))));
  return absl::StrFormat("%.*f", digits, value);
}

std::string Percent(double fraction) {
  if (fraction <= 0) return "-";
  return fraction < 0.0995 ? absl::StrFormat("%.1f%%", fraction * 100)
                           : absl::StrFormat("%.0f%%", fraction * 100);
}

// Returns at most `most` characters of the text, with "..." in place of a part that is left out.
std::string Cut(const std::string& text, size_t most) {
  return text.size() <= most ? text : absl::StrCat(text.substr(0, most - 3), "...");
}

// Returns the items with only the last `components` of each path. A long list loses its end.
std::string ShortList(const std::vector<std::string>& items, int components, size_t most) {
  std::string text;
  size_t shown = 0;
  for (const std::string& item : items) {
    size_t begin = item.size();
    for (int c = 0; c < components && begin != std::string::npos && begin > 0; ++c)
      begin = item.rfind('/', begin - 1);
    const std::string tail =
        begin == std::string::npos || begin == 0 ? item : item.substr(begin + 1);
    const std::string part = absl::StrCat(text.empty() ? "" : ", ", tail);
    if (shown > 0 && text.size() + part.size() > most) break;
    text += part;
    ++shown;
  }
  if (shown < items.size()) absl::StrAppend(&text, ", +", items.size() - shown);
  return Printable(text);
}

std::string Aligned(const std::vector<std::vector<std::string>>& rows,
                    const std::vector<bool>& right) {
  std::vector<size_t> widths(right.size());
  for (const std::vector<std::string>& row : rows) {
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (size_t c = 0; c < row.size(); ++c) {
      const std::string padding(widths[c] - row[c].size(), ' ');
      absl::StrAppend(&line, c > 0 ? "  " : "", right[c] ? padding : "", row[c],
                      right[c] ? "" : padding);
    }
    absl::StrAppend(&text, absl::StripTrailingAsciiWhitespace(line), "\n");
  }
  return text;
}

ordered_json KernelJson(const ProfileKernel& kernel) {
  return {{"program", kernel.program}, {"kernel", kernel.name}, {"ops", kernel.ops},
          {"places", kernel.places},   {"flops", kernel.flops}, {"bytes", kernel.bytes}};
}

std::string Dump(const ordered_json& json) {
  // Names come from program files and need not be UTF-8.
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string TraceJson(const Profile& profile) {
  const std::vector<ProfileKernel> kernels = profile.kernels();
  std::vector<ProfileEvent> events = profile.events();
  // An event that contains others comes before them.
  std::stable_sort(events.begin(), events.end(), [](const ProfileEvent& a, const ProfileEvent& b) {
    return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.end_ns > b.end_ns;
  });
  const int64_t origin = events.empty() ? 0 : events[0].begin_ns;
  ordered_json list = ordered_json::array();
  list.push_back(
      {{"ph", "M"}, {"pid", 1}, {"name", "process_name"}, {"args", {{"name", "halyard"}}}});
  std::set<int> tracks;
  for (const ProfileEvent& event : events) tracks.insert(TrackOf(event, kernels));
  for (int track : tracks) {
    list.push_back({{"ph", "M"},
                    {"pid", 1},
                    {"tid", track},
                    {"name", "thread_name"},
                    {"args", {{"name", TrackName(track, profile.device())}}}});
    list.push_back({{"ph", "M"},
                    {"pid", 1},
                    {"tid", track},
                    {"name", "thread_sort_index"},
                    {"args", {{"sort_index", track}}}});
  }
  for (const ProfileEvent& event : events) {
    const int64_t ns = event.end_ns - event.begin_ns;
    ordered_json entry = {{"ph", "X"},
                          {"pid", 1},
                          {"tid", TrackOf(event, kernels)},
                          {"cat", Category(event.kind)},
                          {"name", event.name},
                          {"ts", static_cast<double>(event.begin_ns - origin) * 1e-3},
                          {"dur", static_cast<double>(ns) * 1e-3}};
    ordered_json args = ordered_json::object();
    if (event.kernel >= 0) args = KernelJson(kernels[event.kernel]);
    if (event.kind == Kind::kUpload || event.kind == Kind::kDownload || event.kind == Kind::kCopy ||
        event.kind == Kind::kCommunication)
      args["bytes"] = event.bytes;
    if (event.kind == Kind::kCommunication)
      args["waited ms"] = static_cast<double>(event.waited_ns) * 1e-6;
    if (args.contains("bytes") && ns > 0)
      args["GB/s"] = args["bytes"].get<double>() / static_cast<double>(ns);
    if (args.contains("flops") && ns > 0)
      args["GFLOP/s"] = args["flops"].get<double>() / static_cast<double>(ns);
    if (event.run >= 0) args["run"] = event.run;
    if (!args.empty()) entry["args"] = std::move(args);
    list.push_back(std::move(entry));
  }
  return Dump({{"displayTimeUnit", "ns"}, {"traceEvents", std::move(list)}});
}

std::string TableText(const Profile& profile, const ProfileTable& table,
                      const MeasuredRates& rates) {
  const std::vector<ProfileKernel> kernels = profile.kernels();
  const bool communicates = std::any_of(table.rows.begin(), table.rows.end(),
                                        [](const ProfileRow& row) { return row.megabytes > 0; });
  std::vector<std::vector<std::string>> cells = {
      {"kernel", "calls", "ms", "share", "GB/s", "of copy", "GFLOP/s", "of peak", "ops", "from"}};
  for (const ProfileRow& row : table.rows) {
    std::vector<std::string> line = {
        Printable(Cut(row.name, 44)), absl::StrCat(row.calls), Short(row.ms),
        Percent(row.share),           Short(row.gb_per_s),     Percent(row.of_copy),
        Short(row.gflop_per_s),       Percent(row.of_peak)};
    if (row.kernel >= 0) {
      const ProfileKernel& kernel = kernels[row.kernel];
      line.push_back(kernel.on_host ? absl::StrCat("(host) ", ShortList(kernel.ops, 2, 30))
                                    : ShortList(kernel.ops, 2, 36));
      line.push_back(ShortList(kernel.places, 1, 40));
    }
    if (communicates) {
      line.insert(line.begin() + 3, {Short(row.waited_ms), Short(row.megabytes)});
    }
    cells.push_back(std::move(line));
  }
  std::vector<bool> right = {false, true, true, true, true, true, true, true, false, false};
  if (communicates) {
    cells[0].insert(cells[0].begin() + 3, {"waiting", "MB"});
    right.insert(right.begin() + 3, {true, true});
  }
  // Many programs do not name their ops. The table then has no column for them.
  const size_t ops = communicates ? 10 : 8;
  if (std::all_of(cells.begin() + 1, cells.end(),
                  [ops](const auto& row) { return row.size() <= ops || row[ops].empty(); })) {
    for (std::vector<std::string>& row : cells) {
      if (row.size() > ops) row.erase(row.begin() + ops);
    }
    right.erase(right.begin() + ops);
  }
  std::string text = Aligned(cells, right);
  absl::StrAppendFormat(&text, "\n%s: %s ms in steps, %s ms for a run with its profiling",
                        profile.device(), Short(table.steps_ms), Short(table.run_ms));
  absl::StrAppend(&text, table.runs > 1 ? absl::StrCat(" (the fastest of ", table.runs, ")") : "",
                  "\n");
  if (rates.copy_bytes_per_s > 0) {
    absl::StrAppendFormat(
        &text, "measured: a copy kernel moves %s GB/s; an f32 product does %s GFLOP/s\n",
        Short(rates.copy_bytes_per_s * 1e-9), Short(rates.f32_flops_per_s * 1e-9));
  }
  return text;
}

std::string TableJson(const Profile& profile, const ProfileTable& table,
                      const MeasuredRates& rates) {
  const std::vector<ProfileKernel> kernels = profile.kernels();
  ordered_json rows = ordered_json::array();
  for (const ProfileRow& row : table.rows) {
    ordered_json entry = {{"name", row.name},
                          {"calls", row.calls},
                          {"ms", row.ms},
                          {"waited_ms", row.waited_ms},
                          {"communicated_mb", row.megabytes},
                          {"share", row.share},
                          {"gb_per_s", row.gb_per_s},
                          {"of_copy", row.of_copy},
                          {"gflop_per_s", row.gflop_per_s},
                          {"of_peak", row.of_peak}};
    if (row.kernel >= 0) {
      entry.update(KernelJson(kernels[row.kernel]));
      entry["on_host"] = kernels[row.kernel].on_host;
    }
    rows.push_back(std::move(entry));
  }
  return Dump({{"device", profile.device()},
               {"runs", table.runs},
               {"steps_ms", table.steps_ms},
               {"run_ms", table.run_ms},
               {"copy_gb_per_s", rates.copy_bytes_per_s * 1e-9},
               {"f32_gflop_per_s", rates.f32_flops_per_s * 1e-9},
               {"rows", std::move(rows)}});
}

}  // namespace halyard
