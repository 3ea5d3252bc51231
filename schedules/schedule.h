// A Schedule is a template's name and its knobs, as one line of text: `contraction tile_n=48
// tile_m=8 block_m=128`. It can be printed, edited, parsed, kept in the tuning database, and
// replayed.
#ifndef HALYARD_SCHEDULES_SCHEDULE_H_
#define HALYARD_SCHEDULES_SCHEDULE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard::schedules {

class Schedule {
 public:
  Schedule() = default;
  explicit Schedule(std::string template_name) : template_name_(std::move(template_name)) {}
  static absl::StatusOr<Schedule> Parse(absl::string_view line);
  std::string ToString() const;

  const std::string& template_name() const { return template_name_; }
  const std::vector<std::pair<std::string, int64_t>>& knobs() const { return knobs_; }
  bool Has(absl::string_view knob) const;
  // The knob must exist, because templates are applied only after the line was checked.
  int64_t Get(absl::string_view knob) const;
  Schedule& Set(absl::string_view knob, int64_t value);

 private:
  std::string template_name_;
  std::vector<std::pair<std::string, int64_t>> knobs_;
};

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_SCHEDULE_H_
