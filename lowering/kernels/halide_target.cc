#include "lowering/kernels/kernel.h"

namespace halyard::lowering {

using Halide::Target;
using runtime::DeviceInfo;
using runtime::DeviceKind;

namespace {

void AddX86Features(uint64_t features, Target* target) {
  const struct {
    uint64_t bit;
    Target::Feature feature;
  } kFeatures[] = {
      {runtime::kX86Sse41, Target::SSE41}, {runtime::kX86Avx, Target::AVX},
      {runtime::kX86Avx2, Target::AVX2},   {runtime::kX86Fma, Target::FMA},
      {runtime::kX86F16c, Target::F16C},
  };
  for (const auto& row : kFeatures) {
    if (features & row.bit) target->set_feature(row.feature);
  }
  if (features & runtime::kX86Avx512) {
    target->set_feature(Target::AVX512);
    target->set_feature(Target::AVX512_Skylake);
  }
}

// The newest of Halide's capabilities that the device has.
void AddCudaCapability(int32_t capability, Target* target) {
  target->set_feature(Target::CUDA);
  if (capability >= 86) {
    target->set_feature(Target::CUDACapability86);
  } else if (capability >= 80) {
    target->set_feature(Target::CUDACapability80);
  } else if (capability >= 75) {
    target->set_feature(Target::CUDACapability75);
  } else if (capability >= 70) {
    target->set_feature(Target::CUDACapability70);
  } else {
    target->set_feature(Target::CUDACapability61);
  }
}

}  // namespace

Target HalideTarget(const DeviceInfo& device) {
  Target target(Target::Linux, Target::X86, 64);
  target.set_feature(Target::NoRuntime);
  target.set_feature(Target::NoAsserts);
  target.set_feature(Target::NoBoundsQuery);
  switch (device.kind) {
    case DeviceKind::kX86:
    case DeviceKind::kReference:
      AddX86Features(device.x86_features, &target);
      break;
    case DeviceKind::kCuda:
      AddX86Features(runtime::kX86Sse41, &target);
      AddCudaCapability(device.cuda_capability, &target);
      break;
    case DeviceKind::kVulkan:
      AddX86Features(runtime::kX86Sse41, &target);
      target.set_feature(Target::Vulkan);
      target.set_feature(Target::VulkanV13);
      if (device.has_i8) target.set_feature(Target::VulkanInt8);
      if (device.has_i16) target.set_feature(Target::VulkanInt16);
      if (device.has_i64) target.set_feature(Target::VulkanInt64);
      if (device.has_f16) target.set_feature(Target::VulkanFloat16);
      if (device.has_f64) target.set_feature(Target::VulkanFloat64);
      break;
  }
  return target;
}

}  // namespace halyard::lowering
