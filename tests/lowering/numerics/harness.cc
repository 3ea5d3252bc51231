#include "tests/lowering/numerics/harness.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "tests/lowering/numerics/vulkan_hook.h"
#include "tests/sample.h"

namespace halyard::lowering::testing {

using hlo::ElementType;
using hlo::Opcode;

namespace {

std::vector<Device> FindDevices() {
  using F = Halide::Target::Feature;
  // Without this, Halide's Vulkan runtime loses the tail of buffers.
  setenv("HL_VK_ALLOC_CONFIG", "0:32:0:0:256", 0);
  InstallVulkanHook();
  const Halide::Target host = Halide::get_host_target();
  Halide::Target base(Halide::Target::Linux, Halide::Target::X86, 64, {F::SSE41});
  std::vector<Device> devices = {{"x86:v2", base}};
  if (host.has_feature(F::AVX2)) {
    devices.push_back(
        {"x86:v3",
         base.with_feature(F::AVX).with_feature(F::AVX2).with_feature(F::FMA).with_feature(
             F::F16C)});
  }
  if (host.has_feature(F::AVX512_Skylake)) {
    devices.push_back(
        {"x86:v4", devices.back().target.with_feature(F::AVX512).with_feature(F::AVX512_Skylake)});
  }
  Halide::Target vulkan = devices.back().target;
  for (F feature :
       {F::Vulkan, F::VulkanInt8, F::VulkanInt16, F::VulkanInt64, F::VulkanFloat64, F::VulkanV13}) {
    vulkan.set_feature(feature);
  }
  if (HasVulkanDevice()) devices.push_back({"vulkan", vulkan, true, false});
  return devices;
}

size_t Bytes(const Halide::Type& type) { return type.bytes(); }

}  // namespace

const std::vector<Device>& Devices() {
  static const std::vector<Device>* devices = new std::vector<Device>(FindDevices());
  return *devices;
}

const Device& BestX86() {
  const Device* best = nullptr;
  for (const Device& device : Devices()) {
    if (!device.gpu) best = &device;
  }
  return *best;
}

Op UnaryOp(Opcode opcode, ElementType type) { return {opcode, {type}, type, {}}; }
Op BinaryOp(Opcode opcode, ElementType type) { return {opcode, {type, type}, type, {}}; }
Op ConvertOp(ElementType from, ElementType to) { return {Opcode::kConvert, {from}, to, {}}; }

Build BuildOf(const Op& op) {
  return [op](absl::Span<const Value> operands) {
    hlo::Instruction inst;
    inst.opcode = op.opcode;
    inst.shape = hlo::Shape::Scalar(op.result);
    inst.attrs = op.attrs;
    inst.name = "under_test";
    absl::StatusOr<Value> value = ApplyElementwise(inst, operands);
    EXPECT_TRUE(value.ok()) << value.status();
    return value.ok() ? *value : Zero(op.result);
  };
}

OpenKernel MakeKernel(const std::vector<Build>& builds, const std::vector<ElementType>& operands,
                      bool gpu, const Halide::Target& target) {
  // Elsewhere, f16 is loaded by integer arithmetic: Halide takes what it converts for finite, and
  // no StrictCode says otherwise here. CUDA's kernels are looked at and not run.
  std::optional<TargetScope> around_loads;
  if (target.has_feature(Halide::Target::CUDA)) around_loads.emplace(target);
  Halide::Var i("i"), block("block"), thread("thread");
  OpenKernel kernel;
  std::vector<Value> values;
  for (ElementType type : operands) {
    std::vector<Halide::Expr> parts;
    for (int part = 0; part < (hlo::IsComplex(type) ? 2 : 1); ++part) {
      kernel.inputs.emplace_back(StorageType(type), 1);
      parts.push_back(kernel.inputs.back()(i));
    }
    values.push_back(FromStorage(type, parts[0], parts.size() > 1 ? parts[1] : Halide::Expr()));
  }
  TargetScope scope(target);
  std::vector<Halide::Expr> results;
  int widest = 1;
  for (const Build& build : builds) {
    const Value result = build(values);
    results.push_back(ToStorage(result.type, result.re));
    if (hlo::IsComplex(result.type)) results.push_back(ToStorage(result.type, result.im));
    widest = std::max(widest, result.re.type().bytes());
  }
  kernel.func = Halide::Func("kernel");
  if (results.size() > 1) {
    kernel.func(i) = Halide::Tuple(results);
  } else {
    kernel.func(i) = results[0];
  }
  if (gpu) {
    kernel.func.gpu_tile(i, block, thread, 64, Halide::TailStrategy::GuardWithIf);
  } else {
    for (const Halide::ImageParam& input : kernel.inputs)
      widest = std::max(widest, input.type().bytes());
    kernel.func.vectorize(i, std::max(1, target.natural_vector_size(Halide::UInt(widest * 8))),
                          Halide::TailStrategy::GuardWithIf);
  }
  return kernel;
}

OpenKernel MakeKernel(const Build& build, const std::vector<ElementType>& operands, bool gpu,
                      const Halide::Target& target) {
  return MakeKernel(std::vector<Build>{build}, operands, gpu, target);
}

namespace {

// Returns one plane for each of the kernel's results.
Planes RunTogether(const std::vector<Build>& builds, const std::vector<ElementType>& operands,
                   const Device& device, const Planes& inputs) {
  OpenKernel kernel = MakeKernel(builds, operands, device.gpu, device.target);
  // Halide's Vulkan runtime loses the tail of buffers of odd sizes, so they are padded there.
  const int count = static_cast<int>(inputs[0].size());
  const int padded = device.gpu ? (count + 255) / 256 * 256 : count;
  std::vector<Halide::Buffer<>> buffers;
  for (size_t k = 0; k < kernel.inputs.size(); ++k) {
    buffers.emplace_back(kernel.inputs[k].type(), padded);
    char* data = static_cast<char*>(buffers.back().data());
    const size_t bytes = Bytes(kernel.inputs[k].type());
    std::memset(data, 0, padded * bytes);
    for (int n = 0; n < count; ++n) std::memcpy(data + n * bytes, &inputs[k][n], bytes);
    buffers.back().set_host_dirty();
    kernel.inputs[k].set(buffers.back());
  }
  Halide::Realization realized = kernel.func.realize({padded}, device.target);
  Planes outputs;
  for (size_t k = 0; k < realized.size(); ++k) {
    realized[k].copy_to_host();
    const char* data = static_cast<const char*>(realized[k].data());
    const size_t bytes = Bytes(realized[k].type());
    outputs.emplace_back(count, 0);
    for (int n = 0; n < count; ++n) std::memcpy(&outputs.back()[n], data + n * bytes, bytes);
  }
  return outputs;
}

// Returns the bytes of a result: with those of the operands, they decide how many lanes a kernel
// has.
int ResultBytes(const Build& build, const std::vector<ElementType>& operands,
                const Halide::Target& target) {
  TargetScope scope(target);
  std::vector<Value> values;
  for (ElementType type : operands) values.push_back(Zero(type));
  return build(values).re.type().bytes();
}

}  // namespace

Planes RunBuild(const Build& build, const std::vector<ElementType>& operands, const Device& device,
                const Planes& inputs) {
  return RunTogether({build}, operands, device, inputs);
}

std::vector<Planes> RunBuilds(const std::vector<Build>& builds,
                              const std::vector<ElementType>& operands, const Device& device,
                              const Planes& inputs) {
  std::vector<Planes> outputs(builds.size());
  if (halyard::testing::AllCases()) {
    for (size_t k = 0; k < builds.size(); ++k)
      outputs[k] = RunBuild(builds[k], operands, device, inputs);
    return outputs;
  }
  int operand_bytes = 1;
  for (ElementType type : operands)
    operand_bytes = std::max(operand_bytes, StorageType(type).bytes());
  std::map<int, std::vector<size_t>> groups;  // by the width of the widest value
  for (size_t k = 0; k < builds.size(); ++k)
    groups[std::max(operand_bytes, ResultBytes(builds[k], operands, device.target))].push_back(k);
  // Vulkan devices bind a limited number of arrays to a kernel.
  constexpr size_t kMost = 12;
  for (const auto& [bytes, members] : groups) {
    for (size_t first = 0; first < members.size(); first += kMost) {
      std::vector<Build> together;
      const size_t end = std::min(first + kMost, members.size());
      for (size_t m = first; m < end; ++m) together.push_back(builds[members[m]]);
      Planes planes = RunTogether(together, operands, device, inputs);
      for (size_t m = first; m < end; ++m) outputs[members[m]] = {std::move(planes[m - first])};
    }
  }
  return outputs;
}

Planes RunOp(const Op& op, const Device& device, const Planes& inputs) {
  return RunBuild(BuildOf(op), op.operands, device, inputs);
}

std::vector<Planes> RunOps(const std::vector<Op>& ops, const Device& device, const Planes& inputs) {
  std::vector<Build> builds;
  for (const Op& op : ops) builds.push_back(BuildOf(op));
  return RunBuilds(builds, ops[0].operands, device, inputs);
}

uint64_t Bits32(float x) { return std::bit_cast<uint32_t>(x); }
uint64_t Bits64(double x) { return std::bit_cast<uint64_t>(x); }

std::vector<uint64_t> AllCodes(ElementType type) {
  std::vector<uint64_t> codes;
  for (uint64_t code = 0; code < uint64_t{1} << hlo::BitWidth(type); ++code) {
    codes.push_back(hlo::IsInteger(type) ? StoredInteger(type, code) : code);
  }
  return codes;
}

uint64_t StoredInteger(ElementType type, uint64_t value) {
  const int bits = hlo::BitWidth(type), stored = hlo::StorageBytes(type) * 8;
  if (hlo::IsSigned(type))
    value = static_cast<uint64_t>(static_cast<int64_t>(value << (64 - bits)) >> (64 - bits));
  if (!hlo::IsSigned(type) && bits < 64) value &= (uint64_t{1} << bits) - 1;
  return stored == 64 ? value : value & ((uint64_t{1} << stored) - 1);
}

uint64_t Hash(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace halyard::lowering::testing
