#include "codegen/compile_kernel.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <optional>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "codegen/gpu/gpu_object.h"
#include "codegen/measure_resources.h"
#include "codegen/passes/gpu/cut_loops.h"
#include "codegen/passes/gpu/data_conditions.h"
#include "codegen/passes/gpu/fold_comparisons.h"
#include "codegen/passes/gpu/last_group.h"
#include "codegen/passes/gpu/launch_limits.h"
#include "codegen/passes/gpu/pipelined_loops.h"
#include "codegen/passes/gpu/private_registers.h"
#include "codegen/passes/gpu/shared_storage.h"
#include "codegen/passes/gpu/staged/attention_loops.h"
#include "codegen/passes/gpu/staged_loops.h"
#include "codegen/passes/gpu/staged_reads.h"
#include "codegen/passes/gpu/step_ranges.h"
#include "codegen/passes/gpu/wide_loads.h"
#include "codegen/passes/lane_sums.h"
#include "codegen/passes/negative_lanes.h"
#include "codegen/passes/strict_code.h"
#include "codegen/passes/tile_products.h"
#include "codegen/passes/uniform_barriers.h"
#include "codegen/passes/unsigned_division.h"
#include "codegen/passes/vector_pairs.h"
#include "codegen/passes/whole_loops.h"
#include "codegen/schedule_calls.h"
#include "codegen/x86/elf_rewrite.h"
#include "codegen/x86/scratch.h"
#include "frontend/files/system_error.h"
#include "lowering/kernels/contraction/tile_dot.h"
#include "lowering/kernels/emitter.h"
#include "lowering/kernels/fragments.h"
#include "lowering/kernels/library/form.h"
#include "lowering/kernels/marks.h"
#include "runtime/program/program_spec.h"
#include "schedules/registry.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace halyard::lowering {

using Halide::OutputFileType;
using runtime::DeviceKind;

namespace {

constexpr char kFunction[] = "halyard_kernel";
constexpr char kEntry[] =
    "halyard_kernel_argv";  // as Halide names what takes an array of arguments

// A file in memory that Halide can write by name.
class MemoryFile {
 public:
  MemoryFile() : fd_(memfd_create("halyard", MFD_CLOEXEC)) {
    if (fd_ < 0) throw EmitError("memfd_create: " + SystemErrorText(errno));
  }
  ~MemoryFile() { close(fd_); }
  std::string path() const { return absl::StrCat("/proc/self/fd/", fd_); }
  std::string Read() const {
    std::ifstream in(path(), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }

 private:
  int fd_;
};

std::string Emit(Halide::Module& module, OutputFileType type) {
  MemoryFile file;
  module.compile({{type, file.path()}});
  return file.Read();
}

std::vector<runtime::KernelArgument> DescribeArguments(const LoweredKernel& kernel) {
  std::vector<runtime::KernelArgument> arguments;
  auto add = [&arguments](Halide::Type type, const std::vector<int64_t>& extents) {
    runtime::KernelArgument argument;
    if (extents.size() > runtime::kMaxKernelRank) {
      throw EmitError(absl::StrCat("a buffer of rank ", extents.size(), "; kernels take at most ",
                                   runtime::kMaxKernelRank));
    }
    argument.type_code = static_cast<uint8_t>(type.code());
    argument.type_bits = static_cast<uint8_t>(type.bits());
    argument.rank = static_cast<uint8_t>(extents.size());
    int64_t stride = 1;
    for (size_t d = 0; d < extents.size(); ++d) {
      argument.extent[d] = static_cast<int32_t>(extents[d]);
      argument.stride[d] = static_cast<int32_t>(std::min<int64_t>(stride, INT32_MAX));
      stride *= extents[d];
    }
    argument.bytes = static_cast<uint64_t>(stride) * type.bytes();
    arguments.push_back(argument);
  };
  const hlo::Computation& computation = *kernel.module->entry();
  for (const hlo::Instruction* parameter : computation.parameters()) {
    const hlo::Shape& shape = parameter->shape;
    std::vector<int64_t> extents(shape.dims().rbegin(), shape.dims().rend());
    if (hlo::IsComplex(shape.element_type())) extents.insert(extents.begin(), 2);
    add(StorageType(shape.element_type()), extents);
  }
  std::vector<int64_t> extents;
  for (const Axis& axis : kernel.OutputDims()) extents.push_back(axis.extent);
  for (const Halide::Type& type : kernel.output.types()) add(type, extents);
  return arguments;
}

// Returns the algorithm as text: every Func with its definitions.
std::string AlgorithmText(const LoweredKernel& kernel) {
  std::ostringstream out;
  for (const auto& [name, function] :
       Halide::Internal::build_environment({kernel.output.function()})) {
    auto print = [&out, n = name](const std::vector<Halide::Expr>& args,
                                  const std::vector<Halide::Expr>& values) {
      out << n << "(";
      for (size_t i = 0; i < args.size(); ++i) out << (i ? ", " : "") << args[i];
      out << ") = ";
      for (size_t i = 0; i < values.size(); ++i) out << (i ? ", " : "") << values[i];
      out << "\n";
    };
    std::vector<Halide::Expr> args;
    for (const std::string& arg : function.args()) args.push_back(Halide::Var(arg));
    print(args, function.values());
    for (const auto& update : function.updates()) print(update.args(), update.values());
  }
  return out.str();
}

std::string FingerprintName(const KernelRequest& request) {
  const std::string key = request.ObjectKey(gpu::AssemblerOf(request.device.kind));
  const XXH128_hash_t hash = XXH3_128bits(key.data(), key.size());
  return absl::StrCat("hyk_", absl::Hex(hash.high64, absl::kZeroPad16),
                      absl::Hex(hash.low64, absl::kZeroPad16));
}

void AddLibraryCall(const LoweredKernel& kernel, const schedules::Schedule& schedule,
                    KernelObjectSpec* spec) {
  const std::optional<LibraryCall> call = FindLibraryCall(*kernel.module->entry(), kernel.device);
  if (!call.has_value()) throw EmitError("no library computes this kernel");
  KernelObjectSpec::LaunchSpec launch;
  launch.library = call->library;
  launch.entry = call->Entry(schedule.Get("algorithm"));
  launch.arguments = call->arguments;
  spec->launches.push_back(std::move(launch));
  spec->scratch_bytes = call->scratch_bytes;
}

// The passes over Halide's loops that a kernel goes through, in order.
class LoopPasses {
 public:
  LoopPasses(const LoweredKernel& kernel, const runtime::DeviceInfo& device)
      : device_(device),
        packs_words_(kernel.packs_words),
        tiles_(MultipliesTiles(device)),
        cuts_loop_(kernel.cut_loop.has_value()),
        joins_launches_(kernel.last_group.has_value()),
        limits_(device),
        cut_(kernel.cut_loop.value_or(CutLoop())),
        join_(kernel.last_group.value_or(LastGroup())),
        strict_(device.kind == DeviceKind::kX86
                    ? kernel.target.natural_vector_size(Halide::UInt(8)) * 8
                    : 0),
        zeros_(/*all=*/device.kind == DeviceKind::kVulkan),
        integers_(device) {}

  // Halide keeps pointers to the passes.
  void AddTo(Halide::Pipeline& pipeline) {
    const auto add = [&pipeline](Halide::Internal::IRMutator* pass) {
      pipeline.add_custom_lowering_pass(pass, nullptr);
    };
    add(&marks_);
    add(&pairs_);
    if (device_.kind == DeviceKind::kX86) {
      add(&lane_sums_);
      add(&clamp_);
    } else {
      add(&ranges_);
      add(&conditions_);
      add(&fold_);
      if (joins_launches_) add(&join_);
      add(&staged_);
      add(&reads_);
      if (cuts_loop_) add(&cut_);
      add(&attention_);
      add(&pipelined_);
      add(&limits_);
      add(&barriers_);
      add(&registers_);
    }
    if (packs_words_) add(&pack_);
    if (tiles_) add(&tile_products_);
    if (device_.kind == DeviceKind::kCuda) add(&wide_);
    add(&zeros_);
    if (device_.kind != DeviceKind::kVulkan) add(&strict_);
    if (device_.kind == DeviceKind::kVulkan) {
      add(&divisions_);
      add(&integers_);
    }
  }

 private:
  const runtime::DeviceInfo& device_;
  const bool packs_words_, tiles_, cuts_loop_, joins_launches_;
  DropMarks marks_;
  VectorPairs pairs_;
  VectorizeLaneSums lane_sums_;
  ClampNegativeLanes clamp_;
  StepRanges ranges_;
  DataConditions conditions_;
  FoldComparisons fold_;
  StagedLoops staged_;
  StagedReads reads_;
  AttentionLoops attention_;
  CheckLaunchLimits limits_;
  CheckBarriers barriers_;
  CutLoops cut_;
  JoinLastGroup join_;
  PipelinedLoops pipelined_;
  PrivateRegisters registers_;
  PackWords pack_;
  TileProducts tile_products_;
  WideLoads wide_;
  StrictCode strict_;
  ZeroOperands zeros_;
  UnsignedDivision divisions_;
  CheckIntegers integers_;
};

// Makes the object's x86 code.
absl::Status AddX86Code(Halide::Module& module, KernelDump* dump, KernelObjectSpec* spec) {
  const std::string object = Emit(module, OutputFileType::object);
  if (dump != nullptr) {
    dump->llvm = Emit(module, OutputFileType::llvm_assembly);
    dump->assembly = Emit(module, OutputFileType::assembly);
  }
  absl::StatusOr<std::string> rewritten = RewriteSymbols(object, kEntry, spec->name);
  if (!rewritten.ok()) return rewritten.status();
  spec->x86_object = *std::move(rewritten);
  const ScratchNeed need = MeasureScratch(module);
  spec->scratch_bytes = need.caller_bytes;
  spec->scratch_bytes_per_task = need.task_bytes;
  return absl::OkStatus();
}

// Makes the object's launches and their module.
absl::Status AddGpuCode(Halide::Module& module, const LoweredKernel& kernel,
                        const KernelRequest& request, KernelReply* reply,
                        std::vector<gpu::PtxasKernel>* assembled, KernelObjectSpec* spec) {
  gpu::GpuCodeOptions options;
  options.kernels = assembled;
  options.max_registers = kernel.max_registers;
  options.warning = &reply->warning;
  for (const auto& hero : kernel.heroes) options.fuse_multiply_accumulate |= hero->IsContraction();
  if (kernel.last_group.has_value())
    options.counters = static_cast<uint64_t>(kernel.last_group->groups);
  absl::Status status =
      gpu::AddGpuCode(Emit(module, OutputFileType::object), kEntry, request.device,
                      request.dump ? &reply->dump.assembly : nullptr, spec, options);
  if (absl::IsResourceExhausted(status)) throw LimitError(std::string(status.message()));
  return status;
}

// Throws LimitError where the device does not have what the schedule needs.
absl::StatusOr<KernelReply> CompileWith(LoweredKernel& kernel, const schedules::Schedule& schedule,
                                        const KernelRequest& request) {
  schedules::ApplySchedule(kernel, schedule);

  KernelReply reply;
  reply.schedule = schedule.ToString();
  KernelObjectSpec spec;
  spec.kind = request.device.kind;
  spec.name = FingerprintName(request);
  spec.num_inputs = static_cast<uint32_t>(kernel.inputs.size());
  spec.num_outputs = static_cast<uint32_t>(kernel.num_outputs);
  spec.arguments = DescribeArguments(kernel);

  std::vector<Halide::Argument> arguments(kernel.inputs.begin(), kernel.inputs.end());
  if (request.dump) {
    reply.dump.hlo = request.hlo;
    reply.dump.algorithm = AlgorithmText(kernel);
    reply.dump.schedule = ScheduleCalls(kernel);
  }
  if (schedule.template_name() == schedules::kLibrary.name) {
    AddLibraryCall(kernel, schedule, &spec);
    reply.dump.stmt = request.dump ? spec.launches[0].entry : "";
    reply.object = WriteKernelObject(spec);
    return reply;
  }
  if (kernel.last_group.has_value()) {
    arguments.emplace_back(kCounters, Halide::Argument::InputBuffer, Halide::UInt(32), 1,
                           Halide::ArgumentEstimates());
  }
  Halide::Pipeline pipeline(kernel.output);
  AlignSharedStorage(pipeline);
  KeepLoopsWhole(pipeline);
  LoopPasses passes(kernel, request.device);
  passes.AddTo(pipeline);
  Halide::Module module = pipeline.compile_to_module(arguments, kFunction, kernel.target,
                                                     Halide::LinkageType::ExternalPlusArgv);
  if (request.dump) reply.dump.stmt = Emit(module, OutputFileType::stmt);
  std::vector<gpu::PtxasKernel> assembled;
  absl::Status status = request.device.kind == DeviceKind::kX86
                            ? AddX86Code(module, request.dump ? &reply.dump : nullptr, &spec)
                            : AddGpuCode(module, kernel, request, &reply, &assembled, &spec);
  if (!status.ok()) return status;
  reply.resources = MeasureResources(spec, assembled);
  reply.object = WriteKernelObject(spec);
  return reply;
}

// Compiles with the schedule that is asked for, or else with the first default that the device has
// room for.
absl::StatusOr<KernelReply> Compile(const KernelRequest& request) {
  const TargetScope scope(HalideTarget(request.device));
  std::optional<LoweredKernel> kernel(LowerKernel(request));
  CheckTypes(*kernel);
  if (request.describe) {
    KernelReply reply;
    reply.space = schedules::SpaceText(schedules::SpaceOf(*kernel));
    return reply;
  }
  const absl::StatusOr<std::vector<schedules::Schedule>> candidates =
      schedules::CandidateSchedules(*kernel, request.schedule);
  if (!candidates.ok()) return candidates.status();
  std::string why;
  for (const schedules::Schedule& schedule : *candidates) {
    if (!why.empty()) kernel.emplace(LowerKernel(request));  // the one before has changed it
    try {
      return CompileWith(*kernel, schedule, request);
    } catch (const LimitError& error) {
      absl::StrAppend(&why, why.empty() ? "" : "; ", "schedule \"", schedule.ToString(),
                      "\": ", error.what());
    }
  }
  return absl::OutOfRangeError(why);
}

}  // namespace

std::string KernelLabel(absl::string_view request) {
  const size_t root = request.rfind("ROOT ");
  if (root == absl::string_view::npos) return "kernel";
  const size_t begin = root + 5, end = request.find('\n', root);
  return absl::StrCat("kernel `", request.substr(begin, std::min<size_t>(end - begin, 120)), "`");
}

absl::StatusOr<KernelReply> CompileKernel(const KernelRequest& request) {
  auto fail = [&request](const char* what) {
    return absl::InternalError(absl::StrCat(KernelLabel(request.hlo), ": ", what));
  };
  try {
    absl::StatusOr<KernelReply> reply = Compile(request);
    if (!reply.ok())
      return absl::Status(reply.status().code(),
                          absl::StrCat(KernelLabel(request.hlo), ": ", reply.status().message()));
    return reply;
  } catch (const SizeError& error) {
    return absl::UnimplementedError(absl::StrCat(KernelLabel(request.hlo), ": ", error.what()));
  } catch (const EmitError& error) {
    return fail(error.what());
  } catch (const Halide::Error& error) {
    return fail(error.what());
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

}  // namespace halyard::lowering
