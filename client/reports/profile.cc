#include "client/reports/profile.h"

#include <algorithm>
#include <ctime>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"

namespace halyard {
namespace {

using Kind = ProfileEvent::Kind;

// Returns whether the line is a place, which ends like `…:12:7`.
bool IsPlace(absl::string_view line) {
  int colons = 0;
  size_t digits = 0;
  for (size_t i = line.size(); i-- > 0;) {
    if (absl::ascii_isdigit(static_cast<unsigned char>(line[i]))) {
      ++digits;
      continue;
    }
    if (line[i] != ':' || digits == 0) return false;
    if (++colons == 2) return i > 0;
    digits = 0;
  }
  return false;
}

bool IsStep(Kind kind) {
  return kind == Kind::kKernel || kind == Kind::kCopy || kind == Kind::kCustomCall ||
         kind == Kind::kCommunication;
}

}  // namespace

int64_t Profile::Now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
}

void Profile::Add(ProfileEvent event) {
  const std::lock_guard<std::mutex> lock(mutex_);
  events_.push_back(std::move(event));
}

void Profile::AddSince(Kind kind, absl::string_view name, int64_t begin_ns, int64_t bytes) {
  ProfileEvent event;
  event.kind = kind;
  event.name = std::string(name);
  event.begin_ns = begin_ns;
  event.end_ns = Now();
  event.bytes = bytes;
  Add(std::move(event));
}

int Profile::AddKernel(ProfileKernel kernel) {
  const std::lock_guard<std::mutex> lock(mutex_);
  kernels_.push_back(std::move(kernel));
  return static_cast<int>(kernels_.size()) - 1;
}

int Profile::StartRun() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return runs_++;
}

void Profile::SetDevice(std::string name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  device_ = std::move(name);
}

std::vector<ProfileEvent> Profile::events() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return events_;
}

std::vector<ProfileKernel> Profile::kernels() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return kernels_;
}

std::string Profile::device() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return device_;
}

int Profile::runs() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return runs_;
}

void SplitProvenance(absl::string_view text, std::vector<std::string>* ops,
                     std::vector<std::string>* places) {
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty()))
    (IsPlace(line) ? places : ops)->emplace_back(line);
}

ProfileTable Tabulate(const Profile& profile, const MeasuredRates& rates) {
  const std::vector<ProfileKernel> kernels = profile.kernels();
  const std::vector<ProfileEvent> events = profile.events();
  ProfileTable table;
  table.runs = profile.runs();
  // The fastest run of each program. A dynamic executable consists of several programs.
  std::map<std::string, const ProfileEvent*> fastest;
  for (const ProfileEvent& event : events) {
    if (event.kind != Kind::kRun) continue;
    const ProfileEvent*& best = fastest[event.name];
    if (best == nullptr || event.end_ns - event.begin_ns < best->end_ns - best->begin_ns)
      best = &event;
  }
  std::set<int> shown;
  for (const auto& [name, event] : fastest) {
    shown.insert(event->run);
    table.run_ms += static_cast<double>(event->end_ns - event->begin_ns) * 1e-6;
  }
  std::map<std::pair<int, std::string>, ProfileRow> rows;
  for (const ProfileEvent& event : events) {
    if (!IsStep(event.kind) || !shown.contains(event.run)) continue;
    const bool is_kernel = event.kind == Kind::kKernel;
    ProfileRow& row = rows[{event.kernel, is_kernel ? "" : event.name}];
    row.name = is_kernel ? kernels[event.kernel].name : event.name;
    row.kernel = event.kernel;
    ++row.calls;
    const double ms = static_cast<double>(event.end_ns - event.begin_ns) * 1e-6;
    row.ms += ms;
    table.steps_ms += ms;
    // These are sums at first. They become rates once the whole time is known. A copy reads and
    // writes.
    if (event.kind == Kind::kCommunication) {
      row.waited_ms += static_cast<double>(event.waited_ns) * 1e-6;
      row.megabytes += static_cast<double>(event.bytes) * 1e-6;
      continue;
    }
    row.gb_per_s += static_cast<double>(is_kernel ? kernels[event.kernel].bytes : 2 * event.bytes);
    row.gflop_per_s += is_kernel ? static_cast<double>(kernels[event.kernel].flops) : 0;
  }
  for (auto& [key, row] : rows) {
    const bool on_host = row.kernel >= 0 && kernels[row.kernel].on_host;
    const double scale = row.ms > 0 ? 1e-6 / row.ms : 0;
    row.gb_per_s *= scale;
    row.gflop_per_s *= scale;
    row.share = table.steps_ms > 0 ? row.ms / table.steps_ms : 0;
    if (!on_host && rates.copy_bytes_per_s > 0)
      row.of_copy = row.gb_per_s * 1e9 / rates.copy_bytes_per_s;
    if (!on_host && rates.f32_flops_per_s > 0)
      row.of_peak = row.gflop_per_s * 1e9 / rates.f32_flops_per_s;
    table.rows.push_back(row);
  }
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [](const ProfileRow& a, const ProfileRow& b) { return a.ms > b.ms; });
  return table;
}

}  // namespace halyard
