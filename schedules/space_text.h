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

// A template's name, and the version of what its lines mean, which is raised when a line means
// something else than before: what was measured of it no longer counts. What else is known of a
// template is in its rows (registry.h).
struct TemplateId {
  const char* name;
  int version;
};
inline constexpr TemplateId kSequence = {"sequence", 1};
inline constexpr TemplateId kLibrary = {"library", 1};  // kernels that are made without Halide
inline constexpr TemplateId kCounting = {"counting", 1};
inline constexpr TemplateId kTransform = {"transform", 1};
inline constexpr TemplateId kFourierLine = {"fourier_line", 1};
inline constexpr TemplateId kSortExchange = {"exchange", 1};
inline constexpr TemplateId kAttention = {"attention", 1};
inline constexpr TemplateId kAttentionMma = {"attention_mma", 1};
inline constexpr TemplateId kAttentionMmaLanes = {"attention_mma_lanes", 1};
inline constexpr TemplateId kElementwise = {"elementwise", 2};
inline constexpr TemplateId kRow = {"row", 1};
inline constexpr TemplateId kContraction = {"contraction", 1};
inline constexpr TemplateId kContractionMma = {"contraction_mma", 1};
inline constexpr TemplateId kContractionMmaLanes = {"contraction_mma_lanes", 1};
inline constexpr TemplateId kReduction = {"reduction", 1};
inline constexpr TemplateId kScan = {"scan", 1};
inline constexpr TemplateId kWindow = {"window", 2};
inline constexpr TemplateId kWinograd = {"winograd", 1};
inline constexpr TemplateId kPlain = {"plain", 1};
inline constexpr TemplateId kAdams = {"adams2019", 1};
inline constexpr TemplateId kLi = {"li2018", 1};
inline constexpr TemplateId kMullapudi = {"mullapudi2016", 1};
inline constexpr TemplateId kAnderson = {"anderson2021", 1};
inline constexpr TemplateId kTemplateIds[] = {kSequence,
                                              kLibrary,
                                              kCounting,
                                              kTransform,
                                              kFourierLine,
                                              kSortExchange,
                                              kAttention,
                                              kAttentionMma,
                                              kAttentionMmaLanes,
                                              kElementwise,
                                              kRow,
                                              kContraction,
                                              kContractionMma,
                                              kContractionMmaLanes,
                                              kReduction,
                                              kScan,
                                              kWindow,
                                              kWinograd,
                                              kPlain,
                                              kAdams,
                                              kLi,
                                              kMullapudi,
                                              kAnderson};

// Of the template of this name; 1 if there is none.
int TemplateVersion(absl::string_view name);

std::string SpaceText(const std::vector<TemplateSpace>& space);
// kInvalidArgument names the line.
absl::StatusOr<std::vector<TemplateSpace>> ParseSpace(absl::string_view text);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_SPACE_TEXT_H_
