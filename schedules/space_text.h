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

// A template's name and version (templates.def). What else is known of it is in its rows
// (registry.h).
struct TemplateId {
  const char* name;
  int version;
};
#define TEMPLATE(constant, name, version) inline constexpr TemplateId constant = {name, version};
#define TEMPLATE_ROW(constant)
#include "schedules/templates.def"
inline constexpr TemplateId kTemplateIds[] = {
#define TEMPLATE(constant, name, version) constant,
#define TEMPLATE_ROW(constant)
#include "schedules/templates.def"
};

// Returns the version of the template of this name, or 1 if there is none.
int TemplateVersion(absl::string_view name);

std::string SpaceText(const std::vector<TemplateSpace>& space);
// kInvalidArgument names the line.
absl::StatusOr<std::vector<TemplateSpace>> ParseSpace(absl::string_view text);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_SPACE_TEXT_H_
