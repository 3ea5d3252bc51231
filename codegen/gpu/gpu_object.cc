#include "codegen/gpu/gpu_object.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "codegen/gpu/launch_recorder.h"
#include "codegen/gpu/ptx/ptx_mma.h"
#include "codegen/gpu/ptx/ptx_pairs.h"
#include "codegen/gpu/ptx/ptx_passes.h"
#include "codegen/gpu/scratch_plan.h"
#include "codegen/gpu/spirv_blob.h"
#include "codegen/gpu/spirv_passes.h"
#include "codegen/gpu/spirv_zeros.h"

namespace halyard::lowering::gpu {
namespace {

using runtime::LaunchArgument;
using LaunchSpec = KernelObjectSpec::LaunchSpec;

// The stub's arguments: those of the kernel, with the counters, if any, behind the inputs.
std::vector<runtime::KernelArgument> StubArguments(const KernelObjectSpec& spec,
                                                   uint64_t counters) {
  std::vector<runtime::KernelArgument> arguments = spec.arguments;
  if (counters == 0) return arguments;
  runtime::KernelArgument argument;
  argument.type_code = 1;  // unsigned
  argument.type_bits = 32;
  argument.rank = 1;
  argument.extent[0] = static_cast<int32_t>(counters);
  argument.stride[0] = 1;
  argument.bytes = counters * sizeof(uint32_t);
  arguments.insert(arguments.begin() + spec.num_inputs, argument);
  return arguments;
}

absl::StatusOr<LaunchArgument> PlaceArgument(const KernelObjectSpec& spec,
                                             const RecordedArgument& recorded,
                                             const RecordedStub& stub, const ScratchPlan& plan,
                                             uint64_t counters) {
  LaunchArgument argument;
  switch (recorded.kind) {
    case RecordedArgument::Kind::kScalar:
      argument.kind = LaunchArgument::Kind::kScalar;
      argument.bytes = recorded.bytes;
      argument.scalar_bits = recorded.scalar;
      return argument;
    case RecordedArgument::Kind::kScratch:
      argument.kind = LaunchArgument::Kind::kScratch;
      argument.index = recorded.index;
      argument.offset = spec.counter_bytes + plan.offsets[recorded.index];
      argument.bytes = stub.scratch[recorded.index].bytes;
      return argument;
    case RecordedArgument::Kind::kArgument:
      break;
  }
  uint32_t index = recorded.index;
  if (counters != 0 && index == spec.num_inputs) {
    argument.kind = LaunchArgument::Kind::kScratch;
    argument.bytes = counters * sizeof(uint32_t);
    return argument;
  }
  if (counters != 0 && index > spec.num_inputs) --index;
  if (index >= spec.arguments.size()) {
    return absl::InternalError(
        absl::StrCat("a launch uses argument ", index, " of ", spec.arguments.size()));
  }
  argument.kind = LaunchArgument::Kind::kBuffer;
  argument.index = index;
  argument.bytes = spec.arguments[index].bytes;
  return argument;
}

absl::Status CheckLimits(const runtime::DeviceInfo& device, const LaunchSpec& launch) {
  uint64_t threads = 1, buffers = 0;
  for (int d = 0; d < 3; ++d) {
    threads *= launch.block[d];
    if (device.max_group[d] != 0 && launch.block[d] > device.max_group[d]) {
      return absl::ResourceExhaustedError(
          absl::StrCat(launch.entry, " has ", launch.block[d], " threads in dimension ", d,
                       "; the device takes at most ", device.max_group[d]));
    }
    if (device.max_grid[d] != 0 && launch.grid[d] > device.max_grid[d]) {
      return absl::ResourceExhaustedError(
          absl::StrCat(launch.entry, " has ", launch.grid[d], " groups in dimension ", d,
                       "; the device takes at most ", device.max_grid[d]));
    }
  }
  if (device.max_threads_per_group != 0 && threads > device.max_threads_per_group) {
    return absl::ResourceExhaustedError(absl::StrCat(launch.entry, " has groups of ", threads,
                                                     " threads; the device takes at most ",
                                                     device.max_threads_per_group));
  }
  if (device.max_shared_bytes != 0 && launch.shared_bytes > device.max_shared_bytes) {
    return absl::ResourceExhaustedError(absl::StrCat(launch.entry, " needs ", launch.shared_bytes,
                                                     " bytes of shared memory; a group has ",
                                                     device.max_shared_bytes));
  }
  for (const LaunchArgument& argument : launch.arguments) {
    if (argument.kind == LaunchArgument::Kind::kScalar) continue;
    ++buffers;
    if (device.max_storage_range_bytes != 0 && argument.bytes > device.max_storage_range_bytes) {
      return absl::ResourceExhaustedError(absl::StrCat(launch.entry, " binds ", argument.bytes,
                                                       " bytes at once; the device allows ",
                                                       device.max_storage_range_bytes));
    }
  }
  if (device.max_storage_buffers != 0 && buffers > device.max_storage_buffers) {
    return absl::ResourceExhaustedError(absl::StrCat(launch.entry, " uses ", buffers,
                                                     " buffers; the device binds at most ",
                                                     device.max_storage_buffers));
  }
  if (launch.arguments.size() > runtime::kMaxLaunchArguments) {
    return absl::ResourceExhaustedError(absl::StrCat(launch.entry, " has ", launch.arguments.size(),
                                                     " arguments; a launch takes at most ",
                                                     runtime::kMaxLaunchArguments));
  }
  return absl::OkStatus();
}

// The runtime packs scalars into the uniform buffer one after the other, each aligned to its size
// (gpu::PackScalars); the module must expect them there.
absl::Status CheckUniforms(const SpirvWords& words, const LaunchSpec& launch) {
  absl::StatusOr<std::vector<uint32_t>> offsets = UniformOffsets(words);
  if (!offsets.ok()) return offsets.status();
  uint64_t position = 0;
  size_t scalars = 0;
  for (const LaunchArgument& argument : launch.arguments) {
    if (argument.kind != LaunchArgument::Kind::kScalar) continue;
    position = (position + argument.bytes - 1) / argument.bytes * argument.bytes;
    if (scalars >= offsets->size() || (*offsets)[scalars] != position) {
      return absl::InternalError(absl::StrCat(launch.entry, " expects scalar ", scalars,
                                              " elsewhere than at byte ", position));
    }
    position += argument.bytes;
    ++scalars;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> PrepareSpirv(const SpirvModule& module, bool fuse,
                                         const runtime::DeviceInfo& device) {
  if (module.num_specialization_constants != 0 || module.has_dynamic_workgroup) {
    return absl::UnimplementedError(
        absl::StrCat(module.entry,
                     " has thread counts or shared memory of a size that is no "
                     "constant; give all extents"));
  }
  absl::StatusOr<SpirvWords> words = HideZeros(module.words);
  if (words.ok()) words = AddNoContraction(*words, fuse);
  if (words.ok()) words = AddFloatControls(*words, device.float_controls, device.keeps_denormals);
  if (words.ok()) words = StripNames(*words);
  if (!words.ok()) return words.status();
  absl::Status valid = ValidateSpirv(*words);
  if (!valid.ok()) return valid;
  return std::string(reinterpret_cast<const char*>(words->data()), words->size() * 4);
}

absl::Status AddSpirvModules(const RecordedStub& stub, const GpuCodeOptions& options,
                             const runtime::DeviceInfo& device, std::string* assembly,
                             KernelObjectSpec* spec) {
  absl::StatusOr<std::vector<SpirvModule>> modules = ParseSpirvBlob(stub.blob);
  if (!modules.ok()) return modules.status();
  std::map<std::string, uint32_t> index;
  for (LaunchSpec& launch : spec->launches) {
    const auto module = std::find_if(modules->begin(), modules->end(),
                                     [&](const SpirvModule& m) { return m.entry == launch.entry; });
    if (module == modules->end()) {
      return absl::InternalError(absl::StrCat("there is no module for ", launch.entry));
    }
    size_t scalars = 0;
    for (const LaunchArgument& a : launch.arguments) {
      scalars += a.kind == LaunchArgument::Kind::kScalar;
    }
    if (module->num_storage_buffers != launch.arguments.size() - scalars ||
        module->num_uniform_buffers != (scalars == 0 ? 0u : 1u)) {
      return absl::InternalError(
          absl::StrCat(launch.entry, " binds other buffers than it is given"));
    }
    absl::Status uniforms = CheckUniforms(module->words, launch);
    if (!uniforms.ok()) return uniforms;
    const auto [it, added] =
        index.try_emplace(launch.entry, static_cast<uint32_t>(spec->modules.size()));
    launch.module = it->second;
    if (!added) continue;
    absl::StatusOr<std::string> bytes =
        PrepareSpirv(*module, options.fuse_multiply_accumulate, device);
    if (!bytes.ok()) return bytes.status();
    spec->modules.push_back(*std::move(bytes));
    if (assembly == nullptr) continue;
    SpirvWords words(spec->modules.back().size() / 4);
    std::memcpy(words.data(), spec->modules.back().data(), words.size() * 4);
    absl::StatusOr<std::string> text = DisassembleSpirv(words);
    if (!text.ok()) return text.status();
    absl::StrAppend(assembly, *text);
  }
  return absl::OkStatus();
}

absl::Status AddPtxModule(const RecordedStub& stub, const GpuCodeOptions& options, int capability,
                          std::string* assembly, KernelObjectSpec* spec) {
  PtxOptions ptx_options;
  ptx_options.fuse_multiply_accumulate = options.fuse_multiply_accumulate;
  ptx_options.max_registers = options.max_registers;
  for (const LaunchSpec& launch : spec->launches) {
    std::array<uint32_t, 3>& group = ptx_options.group[launch.entry];
    for (int d = 0; d < 3; ++d) group[d] = std::max(group[d], launch.block[d]);
  }
  absl::StatusOr<std::string> ptx = RewriteIntrinsics(stub.blob, capability);
  if (ptx.ok()) ptx = PreparePtx(SplitPairs(*ptx), ptx_options);
  if (!ptx.ok()) return ptx.status();
  if (options.ptxas.empty()) {
    if (assembly != nullptr) *assembly = *ptx;
    spec->modules.push_back(*std::move(ptx));
    return absl::OkStatus();
  }
  absl::StatusOr<PtxasResult> assembled = AssembleSparingSpills(options.ptxas, capability, &*ptx);
  if (!assembled.ok() && !IsUnusable(assembled.status())) return assembled.status();
  if (assembly != nullptr) *assembly = *ptx;
  if (!assembled.ok()) {
    if (options.warning != nullptr) *options.warning = std::string(assembled.status().message());
    spec->modules.push_back(*std::move(ptx));
    return absl::OkStatus();
  }
  spec->modules.push_back(std::move(assembled->cubin));
  if (options.kernels != nullptr) *options.kernels = std::move(assembled->kernels);
  return absl::OkStatus();
}

absl::Status AddLaunches(const RecordedStub& stub, const runtime::DeviceInfo& device,
                         uint64_t counters, KernelObjectSpec* spec) {
  constexpr uint64_t kUnit = runtime::kCounterUnit;
  const ScratchPlan plan = PlanScratch(stub.scratch);
  spec->counter_bytes = (counters * sizeof(uint32_t) + kUnit - 1) / kUnit * kUnit;
  spec->scratch_bytes = spec->counter_bytes + plan.bytes;
  for (const RecordedLaunch& recorded : stub.launches) {
    LaunchSpec launch;
    launch.entry = recorded.entry;
    std::copy(recorded.grid, recorded.grid + 3, launch.grid);
    std::copy(recorded.block, recorded.block + 3, launch.block);
    launch.shared_bytes = recorded.shared_bytes;
    for (const RecordedArgument& argument : recorded.arguments) {
      absl::StatusOr<LaunchArgument> placed = PlaceArgument(*spec, argument, stub, plan, counters);
      if (!placed.ok()) return placed.status();
      launch.arguments.push_back(*placed);
    }
    absl::Status limits = CheckLimits(device, launch);
    if (!limits.ok()) return limits;
    spec->launches.push_back(std::move(launch));
  }
  return absl::OkStatus();
}

absl::Status AddCode(absl::string_view host_object, const std::string& entry,
                     const runtime::DeviceInfo& device, std::string* assembly,
                     KernelObjectSpec* spec, const GpuCodeOptions& options) {
  absl::StatusOr<RecordedStub> stub =
      RecordStub(host_object, entry, StubArguments(*spec, options.counters));
  if (!stub.ok()) return stub.status();
  absl::Status added = AddLaunches(*stub, device, options.counters, spec);
  if (!added.ok() || spec->launches.empty()) return added;  // no launches: nothing to compute
  switch (device.kind) {
    case runtime::DeviceKind::kVulkan:
      return AddSpirvModules(*stub, options, device, assembly, spec);
    case runtime::DeviceKind::kCuda:
      return AddPtxModule(*stub, options, device.cuda_capability, assembly, spec);
    default:
      return absl::InvalidArgumentError("launch lists are for GPUs");
  }
}

}  // namespace

absl::Status AddGpuCode(absl::string_view host_object, const std::string& entry,
                        const runtime::DeviceInfo& device, std::string* assembly,
                        KernelObjectSpec* spec, const GpuCodeOptions& options) {
  const absl::Status status = AddCode(host_object, entry, device, assembly, spec, options);
  if (status.ok()) return status;
  return absl::Status(status.code(), absl::StrCat("kernel ", spec->name, ": ", status.message()));
}

}  // namespace halyard::lowering::gpu
