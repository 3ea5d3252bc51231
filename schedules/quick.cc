#include "schedules/quick.h"

#include <algorithm>
#include <variant>

#include "absl/strings/match.h"
#include "runtime/device_class.h"
#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

namespace {

// Of one value of nearly all types.
constexpr int64_t kValueBytes = 8;

bool IsWithinLimits(const LoweredKernel& kernel) {
  int64_t values = 0;
  for (const auto& hero : kernel.heroes) {
    if (Product(hero->reduce_extents) > kMaxQuickTerms) return false;
    values += Product(hero->axes);
  }
  for (const lowering::RowValue& value : kernel.row_values) values += Product(value.axes);
  return values <= kMaxQuickBytes / kValueBytes;
}

}  // namespace

std::optional<Schedule> QuickSchedule(const LoweredKernel& kernel) {
  if ((kPlainForms >> kernel.form->index() & 1) == 0 || !IsWithinLimits(kernel))
    return std::nullopt;
  // `plain` would fold all that is before each element.
  if (kScanOnX86.Takes(kernel) || kScanOnGpu.Takes(kernel)) return std::nullopt;
  if (runtime::IsGpu(kernel.device)) {
    const bool product = std::holds_alternative<lowering::SingleFold>(*kernel.form) &&
                         kernel.heroes[0]->IsContraction();
    if (!product || kLibraryOnCuda.IsDefaultFor(kernel)) return std::nullopt;
    return kPlainOnGpu.defaults(kernel);
  }
  return Schedule(kPlain.name).Set("vec", 1);
}

std::optional<Schedule> SmallSchedule(const LoweredKernel& kernel, const std::vector<Knob>& knobs,
                                      const Schedule& defaults) {
  const bool has_partial_sums = std::holds_alternative<lowering::SingleFold>(*kernel.form) ||
                                std::holds_alternative<lowering::Rows>(*kernel.form);
  if (runtime::IsGpu(kernel.device) || has_partial_sums) return std::nullopt;
  Schedule small = defaults;
  for (const Knob& knob : knobs) {
    if (knob.name == "vec" || absl::StartsWith(knob.name, "tile"))
      small.Set(knob.name, *std::min_element(knob.choices.begin(), knob.choices.end()));
  }
  return small;
}

}  // namespace halyard::schedules
