#include "lowering/kernels/kernel_resources.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace halyard::lowering {

namespace {

using Field = std::pair<const char*, int64_t KernelResources::*>;
constexpr std::array<Field, 6> kFields = {{{"registers", &KernelResources::registers},
                                           {"spills", &KernelResources::spilled_bytes},
                                           {"stack", &KernelResources::stack_bytes},
                                           {"shared", &KernelResources::shared_bytes},
                                           {"threads", &KernelResources::group_threads},
                                           {"code", &KernelResources::code_bytes}}};

}  // namespace

std::string KernelResources::ToText() const {
  std::string text;
  for (const auto& [name, field] : kFields) {
    if (this->*field == kUnknown) continue;
    absl::StrAppend(&text, text.empty() ? "" : " ", name, "=", this->*field);
  }
  return text;
}

absl::StatusOr<KernelResources> KernelResources::Parse(absl::string_view text) {
  KernelResources resources;
  for (absl::string_view word : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    const std::pair<absl::string_view, absl::string_view> sides =
        absl::StrSplit(word, absl::MaxSplits('=', 1));
    const auto field = std::find_if(kFields.begin(), kFields.end(),
                                    [&](const Field& f) { return sides.first == f.first; });
    int64_t value = 0;
    if (field == kFields.end() || !absl::SimpleAtoi(sides.second, &value) || value < 0 ||
        resources.*(field->second) != kUnknown) {
      return absl::InvalidArgumentError(absl::StrCat("a kernel's resources: \"", word, "\""));
    }
    resources.*(field->second) = value;
  }
  return resources;
}

}  // namespace halyard::lowering
