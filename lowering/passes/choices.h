// Program-level choices: what the planner otherwise decides by rule, as text that can be measured,
// kept and edited. One choice a line (or between semicolons); `#` starts a comment:
//
//   store NAME           the value is written to memory by a kernel of its own: a cut. Of a
//                        transpose: copied once, instead of read with strides
//   output NAME          the value is a further result of a kernel that reads it too
//   repeat NAME          every kernel that reads the value computes it: with one such kernel, they
//                        are one; with several, it is computed again instead of read
//   attention NAME on    the attention whose last product NAME is becomes one kernel, however small
//   attention NAME off   it is left to the fusion pass
//
// NAME is the instruction's name in canonical text (hlo_text::PrintOptions::canonical) of the
// module as it stands before the passes form_attention and fuse_kernels: `v12`, in the entry's
// callees `c3.v12`. So it depends on the graph alone, not on names in the program's file, and holds
// for every program of one ProgramKey. `halyard show --stage=choices` prints the names.
//
// A choice never makes a plan wrong: a kernel that may not hold the value (kernel_form.h) makes
// `output` and `repeat` a cut, and attention that has no kernel on the device stays as it is.
#ifndef HALYARD_LOWERING_PASSES_CHOICES_H_
#define HALYARD_LOWERING_PASSES_CHOICES_H_

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "frontend/hlo/module.h"
#include "runtime/device_info.h"

namespace halyard::lowering {

// Where a value is computed.
enum class Placement : uint8_t { kRule, kStore, kOutput, kRepeat };
absl::string_view PlacementName(Placement placement);

// By name; what is not there is left to the rule.
struct PlanChoices {
  std::map<std::string, Placement> values;
  std::map<std::string, bool> attention;
  bool empty() const { return values.empty() && attention.empty(); }
  bool operator==(const PlanChoices&) const = default;
};

// kInvalidArgument names the line that is not a choice, or the name that has two.
absl::StatusOr<PlanChoices> ParseChoices(absl::string_view text);
// Names in order; `separator` between choices: "\n", or "; " for one line.
std::string ChoicesText(const PlanChoices& choices, absl::string_view separator = "\n");

// Instruction → canonical name, for those that the entry reaches.
std::unordered_map<const hlo::Instruction*, std::string> CanonicalNames(const hlo::Module& module);

// The same choices by the instructions' own names in `module`. kInvalidArgument: the module has no
// such name, or it is not one of a value or of a product.
absl::StatusOr<PlanChoices> ResolveChoices(const PlanChoices& choices, const hlo::Module& module);

// Raised when choices mean something else than before: kept ones are then not used any more.
inline constexpr int kChoicesVersion = 1;

// What kept choices belong to: the canonical text of the module before form_attention, large
// constants by their shape only, and the device's limits. As long as the program; a hash of the
// text stands for it, after a line that says how large it is.
std::string ProgramKey(const hlo::Module& module, const runtime::DeviceInfo& device);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PASSES_CHOICES_H_
