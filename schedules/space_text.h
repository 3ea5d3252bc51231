// The schedules that a kernel can have, as data that a search enumerates, samples and mutates
// without Halide. They travel from codegen to the tuner as text:
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

// A knob and the values that a search may try, including the default.
struct Knob {
  std::string name;
  std::vector<int64_t> choices;
};

// The schedules of one template for one kernel: any choice for each knob. Some may not fit the
// device, and are refused when they are compiled.
struct TemplateSpace {
  std::string name;
  int version = 1;
  std::vector<Knob> knobs;
  Schedule defaults;
};

// The version of what a template's lines mean (schedules/space_text.cc has the table). It is raised
// when a line means something else than before, so that earlier measurements of it no longer count.
int TemplateVersion(absl::string_view name);

std::string SpaceText(const std::vector<TemplateSpace>& space);
// kInvalidArgument names the line.
absl::StatusOr<std::vector<TemplateSpace>> ParseSpace(absl::string_view text);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_SPACE_TEXT_H_
