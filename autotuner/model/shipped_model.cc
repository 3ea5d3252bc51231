#include "autotuner/model/shipped_model.h"

#include "absl/strings/string_view.h"

// The build defines HALYARD_X86_MODEL as the name of the model's file.
asm(".pushsection .rodata, \"a\", @progbits\n"
    ".balign 16\n"
    ".local halyard_x86_model_begin\n"
    ".local halyard_x86_model_end\n"
    "halyard_x86_model_begin:\n"
    ".incbin \"" HALYARD_X86_MODEL
    "\"\n"
    "halyard_x86_model_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
extern const char halyard_x86_model_begin[] __attribute__((visibility("hidden")));
extern const char halyard_x86_model_end[] __attribute__((visibility("hidden")));
}

namespace halyard::autotuner {

absl::StatusOr<CostModel> ShippedModel(runtime::DeviceKind kind) {
  if (kind != runtime::DeviceKind::kX86)
    return absl::NotFoundError("no cost model is shipped for this kind of device");
  return CostModel::Load({halyard_x86_model_begin,
                          static_cast<size_t>(halyard_x86_model_end - halyard_x86_model_begin)});
}

}  // namespace halyard::autotuner
