#include "client/reports/compile_times.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace halyard {
namespace {

using Kind = ProfileEvent::Kind;

struct Phase {
  std::string name;
  int depth = 0;
  int64_t ns = 0;
  int runs = 0;
};

std::vector<ProfileEvent> EventsOf(const Profile& profile, Kind kind) {
  std::vector<ProfileEvent> events;
  for (const ProfileEvent& event : profile.events()) {
    if (event.kind == kind) events.push_back(event);
  }
  return events;
}

// Phases end before those that hold them, so they are recorded before them.
std::vector<Phase> PhasesOf(std::vector<ProfileEvent> events) {
  std::stable_sort(events.begin(), events.end(), [](const ProfileEvent& a, const ProfileEvent& b) {
    if (a.begin_ns != b.begin_ns) return a.begin_ns < b.begin_ns;
    return a.end_ns > b.end_ns;
  });
  std::vector<Phase> phases;
  std::vector<int64_t> open;  // the ends of the phases that hold the next one
  for (const ProfileEvent& event : events) {
    while (!open.empty() && open.back() < event.end_ns) open.pop_back();
    const int depth = static_cast<int>(open.size());
    open.push_back(event.end_ns);
    auto found = std::find_if(phases.begin(), phases.end(), [&](const Phase& phase) {
      return phase.name == event.name && phase.depth == depth;
    });
    if (found == phases.end()) {
      phases.push_back({event.name, depth});
      found = phases.end() - 1;
    }
    found->ns += event.end_ns - event.begin_ns;
    ++found->runs;
  }
  return phases;
}

std::string Milliseconds(int64_t ns) {
  return absl::StrFormat("%9.2f", static_cast<double>(ns) * 1e-6);
}

}  // namespace

std::string CompileTimesText(const Profile& profile, int max_kernels) {
  std::string text = "       ms  phase\n";
  for (const Phase& phase : PhasesOf(EventsOf(profile, Kind::kCompile))) {
    absl::StrAppend(&text, Milliseconds(phase.ns), "  ", std::string(2 * phase.depth, ' '),
                    phase.name);
    if (phase.runs > 1) absl::StrAppend(&text, " (", phase.runs, " times)");
    absl::StrAppend(&text, "\n");
  }
  std::vector<ProfileEvent> kernels = EventsOf(profile, Kind::kCodegen);
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const ProfileEvent& a, const ProfileEvent& b) {
                     return a.end_ns - a.begin_ns > b.end_ns - b.begin_ns;
                   });
  const size_t shown = std::min(kernels.size(), static_cast<size_t>(std::max(0, max_kernels)));
  absl::StrAppend(&text, "       ms  kernel (", kernels.size(), " compiled",
                  shown < kernels.size() ? absl::StrCat(", the longest ", shown) : "", ")\n");
  for (size_t i = 0; i < shown; ++i) {
    absl::StrAppend(&text, Milliseconds(kernels[i].end_ns - kernels[i].begin_ns), "  ",
                    kernels[i].name, "\n");
  }
  return text;
}

}  // namespace halyard
