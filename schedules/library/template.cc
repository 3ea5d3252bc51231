// library: the whole kernel is one call of a vendor's library (lowering/kernels/library/form.h),
// for CUDA devices that have it. The knob `algorithm` selects one of the library's proposals, the
// best first.

#include "lowering/kernels/library/form.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using lowering::FindLibraryCall;
using lowering::LoweredKernel;

namespace {

bool Accepts(const LoweredKernel& kernel) {
  return FindLibraryCall(*kernel.module->entry(), kernel.device).has_value();
}

bool Prefers(const LoweredKernel& kernel) {
  return FindLibraryCall(*kernel.module->entry(), kernel.device)->by_default;
}

Schedule Defaults(const LoweredKernel&) { return Schedule(kLibrary.name).Set("algorithm", 0); }

std::vector<Knob> Space(const LoweredKernel& kernel) {
  const int64_t algorithms = FindLibraryCall(*kernel.module->entry(), kernel.device)->algorithms;
  Knob algorithm{"algorithm", {}};
  for (int64_t i = 0; i < algorithms; ++i) algorithm.choices.push_back(i);
  return {algorithm};
}

// The plain algorithm serves its text and the kernel's arguments. Nothing is compiled.
void Apply(LoweredKernel& kernel, const Schedule&) {
  for (const auto& hero : kernel.heroes) kernel.DefineHero(*hero);
  kernel.BuildOutput();
}

}  // namespace

const Template kLibraryOnCuda = {.id = kLibrary,
                                 .forms = kPlainForms | SetOfForms<lowering::LibraryOp>(),
                                 .device = DeviceClass::kCuda,
                                 .accepts = Accepts,
                                 .defaults = Defaults,
                                 .space = Space,
                                 .apply = Apply,
                                 .prefers = Prefers};

}  // namespace halyard::schedules
