// Program-level choices: what the planner otherwise decides by rule, as text that can be measured,
// kept and edited. Each line holds one choice (or choices are separated by semicolons), and `#`
// starts a comment:
//
//   store NAME           a kernel of its own writes the value to memory: a cut. A transpose is
//                        then copied once, instead of being read with strides
//   output NAME          the value is a further result of a kernel that reads it, too
//   repeat NAME          every kernel that reads the value computes it. If there is one such
//   kernel,
//                        the two become one; if there are several, the value is computed again
//                        instead of being read
//   attention NAME on    the attention whose last product is NAME becomes one kernel, however small
//   attention NAME off   it is left to the fusion pass
//
// NAME is the instruction's name in canonical text (hlo_text::PrintOptions::canonical) of the
// module before the passes form_attention and fuse_kernels: `v12`, or in the entry's callees
// `c3.v12`. So it depends on the graph alone, and not on names in the program's file, and holds for
// every program with one ProgramKey. `halyard show --stage=choices` prints the names.
//
// A choice never makes a plan wrong: if a kernel may not hold the value (kernel_form.h), `output`
// and `repeat` become a cut, and attention that has no kernel on the device stays as it is.
#ifndef HALYARD_LOWERING_PLAN_FUSE_CHOICES_H_
#define HALYARD_LOWERING_PLAN_FUSE_CHOICES_H_

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "frontend/hlo/ir/module.h"
#include "runtime/device_info.h"

namespace halyard::lowering {

// Where a value is computed.
enum class Placement : uint8_t { kRule, kStore, kOutput, kRepeat };
absl::string_view PlacementName(Placement placement);

// The choices by name. The rules decide about everything else.
struct PlanChoices {
  std::map<std::string, Placement> values;
  std::map<std::string, bool> attention;
  bool empty() const { return values.empty() && attention.empty(); }
  bool operator==(const PlanChoices&) const = default;
};

// kInvalidArgument names the line that is not a choice, or the name that has two choices.
absl::StatusOr<PlanChoices> ParseChoices(absl::string_view text);
// Returns the choices in the order of their names, with `separator` between: "\n", or "; " for one
// line.
std::string ChoicesText(const PlanChoices& choices, absl::string_view separator = "\n");

// Maps the instructions that the entry reaches to their canonical names.
std::unordered_map<const hlo::Instruction*, std::string> CanonicalNames(const hlo::Module& module);

// Returns the same choices by the instructions' own names in `module`. Returns kInvalidArgument if
// the module has no such name, or if it is not the name of a value or of a product.
absl::StatusOr<PlanChoices> ResolveChoices(const PlanChoices& choices, const hlo::Module& module);

// Raised when choices mean something else than before. Kept choices are then no longer used.
inline constexpr int kChoicesVersion = 1;

// Returns the key to which kept choices belong: the canonical text of the module before
// form_attention, with only the shapes of large constants, and the device's limits. Its length does
// not depend on the program: a hash of the text stands for it, after a line that states how large
// it is.
std::string ProgramKey(const hlo::Module& module, const runtime::DeviceInfo& device);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_FUSE_CHOICES_H_
