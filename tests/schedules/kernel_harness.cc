#include "tests/schedules/kernel_harness.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <random>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "autotuner/rules/made_up_inputs.h"
#include "autotuner/rules/output_rule.h"
#include "autotuner/rules/rounding_rules.h"
#include "autotuner/rules/special_values.h"
#include "codegen/service/kernel_compiler.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo_text/parser.h"
#include "runtime/absl_status.h"
#include "runtime/cuda/cuda.h"
#include "runtime/vulkan/vulkan.h"
#include "runtime/x86/x86.h"

namespace halyard::testing {

using hlo::Literal;
using runtime::Device;
using runtime::DeviceInfo;

namespace {

// The number of bytes before and after each array. Slices have this alignment on every device.
constexpr size_t kGuard = 256;
constexpr char kGuardByte = '\xa5';

constexpr uint64_t kV2 = runtime::kX86Sse41;
constexpr uint64_t kV3 =
    kV2 | runtime::kX86Avx | runtime::kX86Avx2 | runtime::kX86Fma | runtime::kX86F16c;
constexpr uint64_t kV4 = kV3 | runtime::kX86Avx512;

// Opens a backend's first device, or returns null if it has none.
Device* OpenFirst(runtime::Status (*count)(uint32_t*),
                  runtime::Status (*open)(uint32_t, Device**)) {
  Device* device = nullptr;
  uint32_t devices = 0;
  if (!count(&devices).ok() || devices == 0) return nullptr;
  return open(0, &device).ok() ? device : nullptr;
}
Device* OpenX86() { return OpenFirst(runtime::x86::CountDevices, runtime::x86::OpenDevice); }
Device* OpenVulkan() {
  return OpenFirst(runtime::vulkan::CountDevices, [](uint32_t index, Device** device) {
    return runtime::vulkan::OpenDevice(index, {}, device);
  });
}
Device* OpenCuda() {
  return OpenFirst(runtime::cuda::CountDevices, [](uint32_t index, Device** device) {
    return runtime::cuda::OpenDevice(index, {}, device);
  });
}

std::vector<hlo::Shape> OutputShapes(const hlo::Module& module) {
  return hlo::FlattenShape(module.entry()->root()->shape);
}

}  // namespace

Device* DeviceNamed(const std::string& name) {
  static Device* x86 = OpenX86();
  static Device* vulkan = OpenVulkan();
  if (name == "vulkan") return vulkan;
  if (name == "cuda") {
    static Device* cuda = OpenCuda();
    return cuda;
  }
  const uint64_t needed = InfoNamed(name).x86_features;
  return x86 != nullptr && (x86->info().x86_features & needed) == needed ? x86 : nullptr;
}

DeviceInfo InfoNamed(const std::string& name) {
  if (name == "vulkan" || name == "cuda") return DeviceNamed(name)->info();
  static Device* x86 = OpenX86();
  DeviceInfo info = x86->info();
  if (name == "x86:v2") info.x86_features = kV2;
  if (name == "x86:v3") info.x86_features = kV3;
  if (name == "x86:v4") info.x86_features = kV4;
  return info;
}

namespace {

// Sorts the index vectors of one number each that the program says are sorted.
void KeepPromises(const hlo::Module& module, std::vector<Literal>* inputs) {
  for (const auto& inst : module.entry()->instructions()) {
    if (inst->opcode != hlo::Opcode::kScatter || !inst->GetBool(hlo::Attr::kIndicesAreSorted))
      continue;
    const hlo::Instruction* indices = inst->operand(inst->operands.size() / 2);
    if (indices->opcode != hlo::Opcode::kParameter) continue;
    Literal& literal = (*inputs)[static_cast<size_t>(indices->parameter_number)];
    std::vector<int64_t> values;
    for (int64_t i = 0; i < literal.shape().NumElements(); ++i) values.push_back(literal.GetInt(i));
    std::sort(values.begin(), values.end());
    for (size_t i = 0; i < values.size(); ++i) literal.SetInt(static_cast<int64_t>(i), values[i]);
  }
}

}  // namespace

std::vector<Literal> RandomInputs(const hlo::Module& module, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Literal> inputs;
  for (const hlo::Instruction* parameter : module.entry()->parameters()) {
    Literal literal(parameter->shape);
    const hlo::ElementType type = parameter->shape.element_type();
    for (int64_t i = 0; i < parameter->shape.NumElements(); ++i) {
      const double value = static_cast<double>(random() % 4001) / 1000.0 - 2.0;
      if (hlo::IsFloat(type)) {
        literal.SetFloat(i, value);
      } else if (hlo::IsComplex(type)) {
        literal.SetComplex(i, {value, static_cast<double>(random() % 2001) / 1000.0 - 1.0});
      } else {
        literal.SetInt(i, static_cast<int64_t>(random() % 23) - (hlo::IsSigned(type) ? 11 : 0));
      }
    }
    inputs.push_back(literal);
  }
  KeepPromises(module, &inputs);
  return inputs;
}

absl::StatusOr<lowering::KernelReply> CompileHlo(const std::string& hlo, const DeviceInfo& device,
                                                 const std::string& schedule,
                                                 std::vector<std::pair<int32_t, int32_t>> aliases,
                                                 bool dump) {
  static auto* compiler =
      lowering::KernelCompiler::Create({absl::StrCat(HALYARD_BIN_DIR, "/halyard-codegen"), 2, 60})
          .release();
  lowering::KernelRequest request;
  request.hlo = hlo;
  request.device = device;
  request.schedule = schedule;
  request.aliases = std::move(aliases);
  request.dump = dump;
  return compiler->Compile({request})[0];
}

absl::StatusOr<std::vector<Literal>> RunKernel(const lowering::KernelReply& kernel, Device& device,
                                               const hlo::Module& module,
                                               const std::vector<Literal>& inputs,
                                               std::vector<std::pair<int32_t, int32_t>> aliases) {
  runtime::KernelObjectView view;
  absl::Status status = ToAbsl(runtime::ParseKernelObject(
      {reinterpret_cast<const uint8_t*>(kernel.object.data()), kernel.object.size()}, &view));
  if (!status.ok()) return status;
  runtime::Kernel* loaded = nullptr;
  status = ToAbsl(device.LoadKernel(view, &loaded));
  if (!status.ok()) return status;

  std::vector<runtime::Block> blocks;
  std::vector<runtime::SliceRef> slices;
  runtime::Event event;
  runtime::Recording* recording = nullptr;
  const absl::Cleanup release = [&] {
    if (recording != nullptr) device.FreeRecording(recording);
    for (runtime::Block& block : blocks) device.Free(&block);
    device.FreeKernel(loaded);
  };
  // Allocates memory between guard bytes, which the kernel must not change. The memory itself is
  // filled with 0xff, so floats that the kernel does not write are NaN.
  auto allocate = [&](int64_t bytes) {
    blocks.emplace_back();
    const std::string guard(kGuard, kGuardByte);
    const std::string guarded = guard + std::string(static_cast<size_t>(bytes), '\xff') + guard;
    status = ToAbsl(device.Allocate(guarded.size(), runtime::Space::kDevice, &blocks.back()));
    if (status.ok())
      status = ToAbsl(device.Upload(guarded.data(), blocks.back(), 0, guarded.size(), 0, &event));
    if (status.ok()) status = ToAbsl(device.Wait(event));
    slices.push_back(
        {static_cast<uint32_t>(blocks.size() - 1), kGuard, static_cast<uint64_t>(bytes)});
  };
  blocks.reserve(64);
  for (const Literal& input : inputs) {
    allocate(input.shape().ByteSize());
    if (!status.ok()) return status;
    status = ToAbsl(device.Upload(input.bytes().data(), blocks.back(), kGuard, input.bytes().size(),
                                  0, &event));
    if (!status.ok()) return status;
    status = ToAbsl(device.Wait(event));
    if (!status.ok()) return status;
  }
  const std::vector<hlo::Shape> outputs = OutputShapes(module);
  for (size_t o = 0; o < outputs.size(); ++o) {
    int32_t over = -1;
    for (const auto& [output, input] : aliases) {
      if (output == static_cast<int32_t>(o)) over = input;
    }
    if (over >= 0) {
      slices.push_back(slices[over]);
    } else {
      allocate(outputs[o].ByteSize());
    }
    if (!status.ok()) return status;
  }
  runtime::SegmentStep step;
  step.kernel = loaded;
  step.slices = slices.data();
  step.num_slices = static_cast<uint32_t>(slices.size());
  step.num_inputs = static_cast<uint32_t>(inputs.size());
  step.label = "kernel under test";
  const uint32_t scratch = static_cast<uint32_t>(blocks.size());
  if (view.kind != runtime::DeviceKind::kX86 && view.scratch_bytes > 0) {
    blocks.emplace_back();
    status = ToAbsl(device.Allocate(view.scratch_bytes, runtime::Space::kDevice, &blocks.back()));
    if (status.ok() && view.counter_bytes > 0) {
      const std::string zeros(view.counter_bytes, '\0');
      status = ToAbsl(device.Upload(zeros.data(), blocks.back(), 0, zeros.size(), 0, &event));
      if (status.ok()) status = ToAbsl(device.Wait(event));
    }
    if (!status.ok()) return status;
    step.scratch = {scratch, 0, view.scratch_bytes};
  }
  std::vector<runtime::Binding> bindings;
  for (const runtime::Block& block : blocks) bindings.push_back({&block, 0});
  const runtime::Segment segment = {&step, 1, 1};
  status = ToAbsl(
      device.Record(segment, bindings.data(), static_cast<uint32_t>(bindings.size()), &recording));
  if (!status.ok()) return status;
  status = ToAbsl(
      device.Submit(recording, bindings.data(), static_cast<uint32_t>(bindings.size()), 0, &event));
  if (!status.ok()) return status;
  status = ToAbsl(device.Wait(event));
  if (!status.ok()) return status;

  std::vector<Literal> results;
  for (size_t o = 0; o < outputs.size(); ++o) {
    Literal result(outputs[o]);
    const absl::Span<std::byte> bytes = result.mutable_bytes();
    const runtime::SliceRef& slice = slices[inputs.size() + o];
    std::string guarded(bytes.size() + 2 * kGuard, '\0');
    status = ToAbsl(
        device.Download(blocks[slice.allocation], 0, guarded.size(), guarded.data(), 0, &event));
    if (!status.ok()) return status;
    status = ToAbsl(device.Wait(event));
    if (!status.ok()) return status;
    const std::string guard(kGuard, kGuardByte);
    if (guarded.substr(0, kGuard) != guard || guarded.substr(kGuard + bytes.size()) != guard)
      return absl::InternalError(absl::StrCat("memory beside output ", o, " was written"));
    memcpy(bytes.data(), guarded.data() + kGuard, bytes.size());
    results.push_back(result);
  }
  return results;
}

namespace {

std::vector<Literal> Leaves(const Literal& value) {
  return value.shape().IsTuple() ? value.elements() : std::vector<Literal>{value};
}

// Returns the evaluator's results. The last ones are kept, because most tests run one program with
// several schedules or on several devices, and the evaluator can take longer than all of these.
absl::StatusOr<Literal> Evaluate(const std::string& hlo, const hlo::Module& module,
                                 const std::vector<Literal>& inputs, bool multiply_padding) {
  struct Entry {
    std::string hlo;
    bool multiply_padding;
    std::vector<Literal> inputs;
    Literal want;
  };
  constexpr size_t kKept = 12;
  static auto* kept = new std::deque<Entry>;
  for (const Entry& entry : *kept) {
    if (entry.hlo == hlo && entry.multiply_padding == multiply_padding &&
        std::equal(inputs.begin(), inputs.end(), entry.inputs.begin(), entry.inputs.end(),
                   [](const Literal& a, const Literal& b) { return a.BitwiseEqual(b); })) {
      return entry.want;
    }
  }
  hlo::Evaluator evaluator;
  evaluator.multiply_padding = multiply_padding;
  auto want = evaluator.Run(module, inputs);
  if (!want.ok()) return want;
  kept->push_front({hlo, multiply_padding, inputs, *want});
  if (kept->size() > kKept) kept->pop_back();
  return want;
}

// With the inputs and rules by which the tuner judges candidates
// (autotuner/rules/rounding_rules.h):
// whole numbers, whose sums are exact, so that no tolerance hides a lost term, and special values.
// `plain`: what the kernel gives of ordinary ones.
std::string CheckAsTheTunerDoes(const lowering::KernelReply& reply, const std::string& hlo,
                                const hlo::Module& module, Device& device,
                                autotuner::InputKind kind, const std::vector<Literal>& plain,
                                const std::vector<std::pair<int32_t, int32_t>>& aliases) {
  const autotuner::Specials specials = autotuner::SpecialsFor(module, device.info());
  const std::vector<Literal> inputs = autotuner::MadeUpInputs(module, kind, specials);
  const auto want = Evaluate(hlo, module, inputs, /*multiply_padding=*/false);
  if (!want.ok()) return absl::StrCat("evaluator: ", want.status().message());
  const auto got = RunKernel(reply, device, module, inputs, aliases);
  if (!got.ok()) return absl::StrCat("run: ", got.status().message());
  std::vector<autotuner::OutputRule> rules = autotuner::RulesOf(module, kind, specials);
  const std::vector<Literal> wants = Leaves(*want);
  auto bytes = [](const Literal& literal) {
    return absl::string_view(reinterpret_cast<const char*>(literal.bytes().data()),
                             literal.bytes().size());
  };
  for (size_t o = 0; o < wants.size(); ++o) {
    // A large number among special values does not excuse others.
    const bool special = kind == autotuner::InputKind::kSpecial;
    rules[o].scale = autotuner::LargestOf(bytes(special ? plain[o] : wants[o]), rules[o].type);
    double difference = 0;
    const std::string wrong =
        autotuner::CompareOutput(bytes((*got)[o]), bytes(wants[o]), rules[o], &difference);
    if (!wrong.empty()) return absl::StrCat("output ", o, ": ", wrong);
  }
  return "";
}

}  // namespace

std::string CheckReply(const lowering::KernelReply& reply, const std::string& hlo, Device& device,
                       double tolerance, std::vector<std::pair<int32_t, int32_t>> aliases) {
  auto module = hlo_text::ParseModule(hlo, "kernel.hlo");
  if (!module.ok()) return std::string(module.status().message());
  const std::vector<Literal> inputs = RandomInputs(**module, 7);
  const auto want = Evaluate(hlo, **module, inputs, hlo::Evaluator().multiply_padding);
  if (!want.ok()) return absl::StrCat("evaluator: ", want.status().message());
  auto got = RunKernel(reply, device, **module, inputs, aliases);
  if (!got.ok()) return absl::StrCat("run: ", got.status().message(), " [", reply.schedule, "]");
  const std::vector<Literal> wants = Leaves(*want);
  for (size_t o = 0; o < wants.size(); ++o) {
    const auto difference = hlo::Compare((*got)[o], wants[o], tolerance, tolerance);
    if (!difference.ok()) return std::string(difference.status().message());
    if (!difference->within) {
      return absl::StrCat("output ", o, ": ", difference->count, " elements differ; at ",
                          difference->index, " got ", difference->got, ", want ", difference->want,
                          " [", reply.schedule, "]");
    }
  }
  int64_t elements = 0;
  for (const Literal& input : inputs) elements += input.shape().NumElements();
  // The evaluator takes too long for more elements, and the values are the same at all sizes.
  if (elements > 1 << 16) return "";
  // The libraries of tests are fakes, which sum in wider types than the real ones, so extremes
  // differ.
  if (absl::StartsWith(reply.schedule, "library")) return "";
  for (const auto& [name, kind] : {std::pair{"whole numbers", autotuner::InputKind::kWhole},
                                   {"special values", autotuner::InputKind::kSpecial}}) {
    const std::string wrong =
        CheckAsTheTunerDoes(reply, hlo, **module, device, kind, wants, aliases);
    if (!wrong.empty()) return absl::StrCat(name, ": ", wrong, " [", reply.schedule, "]");
  }
  return "";
}

std::string CheckKernel(const std::string& hlo, const std::string& device_name, double tolerance,
                        const std::string& schedule,
                        std::vector<std::pair<int32_t, int32_t>> aliases) {
  const auto reply = CompileHlo(hlo, InfoNamed(device_name), schedule, aliases);
  if (!reply.ok()) return absl::StrCat("compile: ", reply.status().message());
  return CheckReply(*reply, hlo, *DeviceNamed(device_name), tolerance, aliases);
}

}  // namespace halyard::testing
