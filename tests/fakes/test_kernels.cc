#include "tests/fakes/test_kernels.h"

#include <Halide.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "codegen/gpu/gpu_object.h"

namespace halyard::testing {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::RVar;
using Halide::strict_float;
using Halide::TailStrategy;
using Halide::Target;
using Halide::Var;
using runtime::DeviceInfo;
using runtime::DeviceKind;

bool IsGpu(const DeviceInfo& device) { return device.kind != DeviceKind::kX86; }

Target TargetOf(const DeviceInfo& device) {
  Target target("x86-64-linux-sse41-no_runtime-no_asserts-no_bounds_query");
  if (device.kind == DeviceKind::kCuda) {
    target.set_feature(Target::CUDA);
    target.set_feature(device.cuda_capability >= 86 ? Target::CUDACapability86
                                                    : Target::CUDACapability80);
  } else if (device.kind == DeviceKind::kVulkan) {
    target.set_feature(Target::Vulkan);
    target.set_feature(Target::VulkanV13);
    target.set_feature(Target::VulkanInt8);
    target.set_feature(Target::VulkanInt16);
    target.set_feature(Target::VulkanInt64);
    if (device.has_f16) target.set_feature(Target::VulkanFloat16);
    if (device.has_f64) target.set_feature(Target::VulkanFloat64);
  }
  return target;
}

struct Input {
  Input(const char* name, Halide::Type type, std::vector<int> sizes)
      : param(type, static_cast<int>(sizes.size()), name), extents(std::move(sizes)) {
    int stride = 1;
    for (size_t d = 0; d < extents.size(); ++d) {
      param.dim(static_cast<int>(d)).set_bounds(0, extents[d]).set_stride(stride);
      stride *= extents[d];
    }
  }
  template <typename... Indices>
  Expr operator()(Indices... indices) const {
    return param(indices...);
  }
  ImageParam param;
  std::vector<int> extents;
};

runtime::KernelArgument Describe(const Halide::Type& type, const std::vector<int>& extents) {
  runtime::KernelArgument argument;
  argument.type_code = static_cast<uint8_t>(type.code());
  argument.type_bits = static_cast<uint8_t>(type.bits());
  argument.rank = static_cast<uint8_t>(extents.size());
  int stride = 1;
  for (size_t d = 0; d < extents.size(); ++d) {
    argument.extent[d] = extents[d];
    argument.stride[d] = stride;
    stride *= extents[d];
  }
  argument.bytes = static_cast<uint64_t>(stride) * static_cast<uint64_t>(type.bytes());
  return argument;
}

std::string CompileObject(Func out, const std::vector<Halide::Argument>& arguments,
                          const Target& target) {
  char path[] = "/tmp/halyard-test-XXXXXX";
  const int file = mkstemp(path);
  if (file < 0) return "";
  close(file);
  Halide::Module module = Halide::Pipeline(out).compile_to_module(
      arguments, "kern", target, Halide::LinkageType::ExternalPlusArgv);
  module.compile({{Halide::OutputFileType::object, path}});
  std::ifstream stream(path, std::ios::binary);
  std::string object((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  unlink(path);
  return object;
}

absl::StatusOr<KernelObjectSpec> Compile(Func out, const std::vector<int>& out_extents,
                                         const std::vector<Input>& inputs, const DeviceInfo& device,
                                         const TestKernelOptions& options) {
  KernelObjectSpec spec;
  spec.kind = device.kind;
  spec.name = "kern_argv";
  spec.num_inputs = static_cast<uint32_t>(inputs.size());
  spec.num_outputs = 1;
  std::vector<Halide::Argument> arguments;
  for (const Input& input : inputs) {
    spec.arguments.push_back(Describe(input.param.type(), input.extents));
    arguments.push_back(input.param);
  }
  spec.arguments.push_back(Describe(out.types()[0], out_extents));
  int stride = 1;
  for (size_t d = 0; d < out_extents.size(); ++d) {
    const int dim = static_cast<int>(d);
    out.output_buffer().dim(dim).set_bounds(0, out_extents[d]).set_stride(stride);
    out.bound(out.args()[d], 0, out_extents[d]);
    stride *= out_extents[d];
  }
  const std::string object = CompileObject(out, arguments, TargetOf(device));
  if (!IsGpu(device)) {
    spec.x86_object = object;
    return spec;
  }
  lowering::gpu::GpuCodeOptions code;
  code.fuse_multiply_accumulate = options.fuse_multiply_accumulate;
  code.ptxas = options.ptxas;
  const absl::Status added =
      lowering::gpu::AddGpuCode(object, "kern_argv", device, options.assembly, &spec, code);
  if (!added.ok()) return added;
  return spec;
}

// Schedules the Func in one-dimensional groups of 64. The last group is guarded.
void Schedule1D(Func f, Var x, const DeviceInfo& device) {
  if (!IsGpu(device)) return;
  f.gpu_tile(x, Var("xo"), Var("xi"), 64, TailStrategy::GuardWithIf);
}

}  // namespace

absl::StatusOr<KernelObjectSpec> ScaleAdd(int n, const DeviceInfo& device,
                                          const TestKernelOptions& options) {
  const Input a("a", Halide::Float(32), {n}), b("b", Halide::Float(32), {n});
  Var x("x");
  Func out("out");
  out(x) = strict_float(strict_float(a(x) * 2.5f) + b(x));
  Schedule1D(out, x, device);
  return Compile(out, {n}, {a, b}, device, options);
}

absl::StatusOr<KernelObjectSpec> Increment(int n, const DeviceInfo& device,
                                           const TestKernelOptions& options) {
  const Input a("a", Halide::Float(32), {n});
  Var x("x");
  Func out("out");
  out(x) = strict_float(a(x) + 1.0f);
  Schedule1D(out, x, device);
  return Compile(out, {n}, {a}, device, options);
}

absl::StatusOr<KernelObjectSpec> InvertBytes(int n, const DeviceInfo& device,
                                             const TestKernelOptions& options) {
  const Input a("a", Halide::UInt(8), {n});
  Var x("x");
  Func out("out");
  out(x) = Halide::cast<uint8_t>(255 - a(x));
  Schedule1D(out, x, device);
  return Compile(out, {n}, {a}, device, options);
}

absl::StatusOr<KernelObjectSpec> Stages(int n, const DeviceInfo& device,
                                        const TestKernelOptions& options) {
  const Input a("a", Halide::Float(32), {n});
  Var x("x");
  Func t("t"), u("u"), out("out");
  t(x) = strict_float(a(x) * a(x));
  u(x) = strict_float(t(x) + t(n - 1 - x));
  out(x) = strict_float(u(x) - strict_float(t(x) * 2.0f));
  t.compute_root();
  u.compute_root();
  for (Func f : {t, u, out}) Schedule1D(f, x, device);
  return Compile(out, {n}, {a}, device, options);
}

absl::StatusOr<KernelObjectSpec> RowSums(int n, int rows, const DeviceInfo& device,
                                         const TestKernelOptions& options) {
  const Input a("a", Halide::Float(32), {n, rows});
  Var y("y"), u("u");
  RDom k(0, n, "k");
  Func sum("sum"), out("out");
  sum(y) += a(k, y);
  out(y) = sum(y);
  if (IsGpu(device)) {
    RVar ko("ko"), ki("ki");
    Func part = sum.update().split(k, ko, ki, 32).rfactor(ki, u);
    out.gpu_blocks(y);
    sum.compute_at(out, y).store_in(Halide::MemoryType::GPUShared);
    part.compute_at(out, y).store_in(Halide::MemoryType::GPUShared);
    part.gpu_threads(u).update().gpu_threads(u);
  }
  return Compile(out, {rows}, {a}, device, options);
}

absl::StatusOr<KernelObjectSpec> Transpose3(int nx, int ny, int nz, const DeviceInfo& device,
                                            const TestKernelOptions& options) {
  const Input a("a", Halide::Float(32), {nx, ny, nz});
  Var x("x"), y("y"), z("z");
  Func out("out");
  out(z, y, x) = strict_float(a(x, y, z) + 100.0f);
  if (IsGpu(device)) {
    out.gpu_tile(z, y, x, Var("zo"), Var("yo"), Var("xo"), Var("zi"), Var("yi"), Var("xi"), 4, 4, 4,
                 TailStrategy::GuardWithIf);
  }
  return Compile(out, {nz, ny, nx}, {a}, device, options);
}

absl::StatusOr<KernelObjectSpec> ScalarRows(int n, int rows, const DeviceInfo& device,
                                            const TestKernelOptions& options) {
  const Input a("a", Halide::Float(32), {n, rows});
  Var x("x"), y("y");
  Func out("out");
  out(x, y) = strict_float(a(x, y) + Halide::cast<float>(y));
  Schedule1D(out, x, device);
  return Compile(out, {n, rows}, {a}, device, options);
}

absl::StatusOr<KernelObjectSpec> StrictArithmetic(int n, const DeviceInfo& device,
                                                  const TestKernelOptions& options) {
  const Input a("a", Halide::Float(32), {n}), b("b", Halide::Float(32), {n});
  Var x("x");
  Func out("out");
  const Expr rounded = strict_float(strict_float(a(x) + 1e8f) - 1e8f);
  const Expr twice = strict_float(strict_float(a(x) * b(x)) + a(x));
  out(x) = strict_float(rounded + twice);
  Schedule1D(out, x, device);
  return Compile(out, {n}, {a, b}, device, options);
}

absl::StatusOr<KernelObjectSpec> MatMul(int m, int n, int k, const DeviceInfo& device,
                                        const TestKernelOptions& options) {
  const Input a("a", Halide::Float(32), {k, m}), b("b", Halide::Float(32), {n, k});
  Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi"), xt("xt"), yt("yt");
  RDom r(0, k, "r");
  Func product("product"), out("out");
  product(x, y) += a(r, y) * b(x, r);
  out(x, y) = strict_float(strict_float(product(x, y) * 0.5f) + 3.0f);
  if (IsGpu(device)) {
    out.tile(x, y, xo, yo, xt, yt, 32, 16)
        .tile(xt, yt, xi, yi, 4, 2)
        .gpu_blocks(xo, yo)
        .gpu_threads(xt, yt)
        .unroll(xi)
        .unroll(yi);
    product.compute_at(out, xt).store_in(Halide::MemoryType::Register).unroll(x).unroll(y);
    product.update().reorder(x, y, r).unroll(x).unroll(y);
  }
  return Compile(out, {n, m}, {a, b}, device, options);
}

absl::StatusOr<KernelObjectSpec> Arithmetic(int code, int bits, int n, const DeviceInfo& device,
                                            const TestKernelOptions& options) {
  const Input a("a", Halide::Type(static_cast<halide_type_code_t>(code), bits, 1), {n});
  Var x("x");
  Func out("out");
  const Expr square = a(x) * a(x);
  out(x) = code == halide_type_float ? strict_float(strict_float(square) + a(x)) : square + a(x);
  Schedule1D(out, x, device);
  return Compile(out, {n}, {a}, device, options);
}

absl::StatusOr<KernelObjectSpec> Special(int operation, int n, const DeviceInfo& device,
                                         const TestKernelOptions& options) {
  const Input input("a", Halide::Float(32), {n});
  Var x("x");
  Func out("out");
  const Expr a = input(x);
  const Expr operations[kSpecialOperations] = {
      a - a,     a + 0.0f,        a * 1.0f,
      a / a,     0.0f - a,        Halide::select(strict_float(a == a), 1.0f, 2.0f),
      a + a - a, a / 3.1f,        Halide::select(strict_float(a > 0.0f), a, a * 2.0f),
      a * 0.0f,  0.0f + a * 2.0f, 0.0f / a,
      1.0f / a,
  };
  out(x) = strict_float(operations[operation]);
  Schedule1D(out, x, device);
  return Compile(out, {n}, {input}, device, options);
}

float SpecialOperation(int operation, float value) {
  const volatile float a = value;
  const volatile float twice = a + a;
  const volatile float operations[kSpecialOperations] = {
      a - a,     a + 0.0f,     a * 1.0f,
      a / a,     0.0f - a,     a == a ? 1.0f : 2.0f,
      twice - a, a / 3.1f,     a > 0.0f ? a : a * 2.0f,
      a * 0.0f,  0.0f + twice, 0.0f / a,
      1.0f / a,
  };
  return operations[operation];
}

absl::StatusOr<KernelObjectSpec> HostStage(int n, const DeviceInfo& device,
                                           const TestKernelOptions& options) {
  const Input a("a", Halide::Float(32), {n});
  Var x("x");
  Func t("t"), out("out");
  t(x) = a(x) * 3.0f;
  out(x) = t(x) + t(n - 1 - x);
  t.compute_root();
  Schedule1D(out, x, device);
  return Compile(out, {n}, {a}, device, options);
}

DeviceInfo CudaDescription(int32_t capability) {
  DeviceInfo info;
  info.kind = DeviceKind::kCuda;
  std::snprintf(info.name, sizeof(info.name), "a description of sm_%d", capability);
  info.memory_bytes = info.max_allocation_bytes = uint64_t{16} << 30;
  info.cuda_capability = capability;
  info.max_threads_per_group = 1024;
  info.max_group[0] = info.max_group[1] = 1024;
  info.max_group[2] = 64;
  info.max_grid[0] = 0x7fffffff;
  info.max_grid[1] = info.max_grid[2] = 65535;
  info.max_shared_bytes = 99 << 10;
  info.subgroup_size = 32;
  info.has_f64 = info.has_f16 = info.has_i64 = info.has_i16 = info.has_i8 = true;
  return info;
}

}  // namespace halyard::testing
