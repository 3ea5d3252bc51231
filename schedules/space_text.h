// The schedules that a kernel can have, as data: what a search enumerates, samples and mutates
// without Halide. As text, for the way from codegen to the tuner:
//
//   template contraction 2
//   default contraction tile_n=48 tile_m=8 block_m=128 pack=1
//   knob tile_n 1 2 4 8 16 32 48 64
//   …
#ifndef HALYARD_SCHEDULES_SPACE_TEXT_H_
#define HALYARD_SCHEDULES_SPACE_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "schedules/schedule.h"

namespace halyard::schedules {

// A knob and the values that a search may try, the default among them.
struct Knob {
  std::string name;
  std::vector<int64_t> choices;
};

// One template's schedules of one kernel: any choice of each knob. Some may not fit the device, and
// are refused when they are compiled.
struct TemplateSpace {
  std::string name;
  int version = 1;
  std::vector<Knob> knobs;
  Schedule defaults;
};

// Of what a template's lines mean; schedules/space_text.cc has the table. Raised when a line means
// something else than before: what was measured of it no longer counts.
int TemplateVersion(absl::string_view name);

std::string SpaceText(const std::vector<TemplateSpace>& space);
// kInvalidArgument names the line.
absl::StatusOr<std::vector<TemplateSpace>> ParseSpace(absl::string_view text);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_SPACE_TEXT_H_
