#include "autotuner/model/features.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "autotuner/model/tensor_estimate.h"
#include "autotuner/rules/terms.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo_text/parser.h"
#include "lowering/kernels/kernel_request.h"
#include "lowering/plan/steps/kernel_cost.h"
#include "runtime/device_class.h"

namespace halyard::autotuner {

using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;
using schedules::Schedule;

namespace {

float Log(double value) { return static_cast<float>(std::log2(1 + std::max(value, 0.0))); }

// Returns the kind under which features count an instruction, or null if they do not count it.
const char* KindOf(const Instruction& inst) {
  if (IsInexact(inst.opcode)) return "costly";
  switch (inst.opcode) {
    case Opcode::kParameter:
    case Opcode::kConstant:
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
      return nullptr;
    case Opcode::kDot:
      return "dot";
    case Opcode::kConvolution:
      return "convolution";
    case Opcode::kReduce:
      return "reduce";
    case Opcode::kReduceWindow:
      return "window";
    case Opcode::kGather:
    case Opcode::kDynamicSlice:
      return "gather";
    case Opcode::kScatter:
    case Opcode::kDynamicUpdateSlice:
      return "scatter";
    case Opcode::kTranspose:
      return "transpose";
    case Opcode::kBroadcast:
      return "broadcast";
    case Opcode::kConvert:
      return "convert";
    case Opcode::kDivide:
      return "divide";
    default:
      return hlo::RowOf(inst.opcode).elementwise ? "cheap" : "move";
  }
}

// Returns the text with each run of digits replaced by one mark.
std::string WithoutNumbers(absl::string_view text) {
  std::string out;
  for (char c : text) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (digit && !out.empty() && out.back() == '#') continue;
    out.push_back(digit ? '#' : c);
  }
  return out;
}

double BytesOf(const Shape& shape) {
  return shape.IsArray() ? static_cast<double>(shape.ByteSize()) : 0;
}

void AddDevice(const runtime::DeviceInfo& device, Features* features) {
  Features& f = *features;
  f["device.units"] = Log(device.compute_units);
  f["device.last_cache"] = Log(device.last_level_cache_bytes);
  if (device.kind == runtime::DeviceKind::kX86) {
    f["device.l1"] = Log(device.l1_bytes);
    f["device.l2"] = Log(device.l2_bytes);
    f["device.avx512"] = (device.x86_features & runtime::kX86Avx512) != 0 ? 1 : 0;
  } else {
    f["device.shared"] = Log(device.max_shared_bytes);
    f["device.subgroup"] = static_cast<float>(device.subgroup_size);
    f["device.capability"] = static_cast<float>(device.cuda_capability);
    f["device.software"] = device.software ? 1 : 0;
  }
}

// What a knob controls, whichever template it belongs to.
enum class Role : uint8_t { kOther, kVector, kTile, kThreads, kGrain, kUnroll };
Role RoleOf(absl::string_view knob) {
  if (knob == "vec" || knob == "lanes" || knob == "width") return Role::kVector;
  if (knob == "threads" || absl::StartsWith(knob, "group_") || absl::StartsWith(knob, "threads_"))
    return Role::kThreads;
  if (knob == "grain" || knob == "block" || absl::StartsWith(knob, "block_") || knob == "rows")
    return Role::kGrain;
  if (absl::StartsWith(knob, "unroll") || knob == "items") return Role::kUnroll;
  if (absl::StartsWith(knob, "tile") || knob == "mt" || knob == "nt") return Role::kTile;
  return Role::kOther;
}

// Returns whether a reduce folds neighbours in memory (rows) or not (columns).
bool FoldsLast(const Instruction& inst) {
  if (inst.opcode != Opcode::kReduce) return false;
  const int64_t last = inst.operand(0)->shape.rank() - 1;
  const auto dims = inst.GetInts(hlo::Attr::kDimensions);
  return std::find(dims.begin(), dims.end(), last) != dims.end();
}

// Returns how much steps of size `step` compute in vain, or twice, at the end of `extent`, as a
// share of `extent` (at most 8).
float Waste(double extent, int64_t step) {
  if (step <= 1 || extent <= 0) return 0;
  const double width = static_cast<double>(step);
  return static_cast<float>(std::min(std::ceil(extent / width) * width / extent - 1, 8.0));
}

// The products of the knobs, by role.
struct Derived {
  double vector = 1, tile = 1, threads = 1, grain = 1, unroll = 1;
};
Derived DerivedOf(const Schedule& schedule) {
  Derived d;
  for (const auto& [name, value] : schedule.knobs()) {
    const double size = static_cast<double>(std::max<int64_t>(value, 1));
    switch (RoleOf(name)) {
      case Role::kVector:
        d.vector *= size;
        break;
      case Role::kTile:
        d.tile *= size;
        break;
      case Role::kThreads:
        d.threads *= size;
        break;
      case Role::kGrain:
        d.grain *= size;
        break;
      case Role::kUnroll:
        d.unroll *= size;
        break;
      case Role::kOther:
        break;
    }
  }
  return d;
}

double CacheOf(const runtime::DeviceInfo& device) {
  if (device.kind == runtime::DeviceKind::kX86)
    return device.l1_bytes != 0 ? device.l1_bytes : 32768;
  return device.max_shared_bytes != 0 ? device.max_shared_bytes : 32768;
}

// Returns the number of elements in a vector register, or of threads that run in lockstep.
double LanesOf(const KernelFacts& kernel) {
  if (kernel.device.kind != runtime::DeviceKind::kX86)
    return kernel.device.subgroup_size != 0 ? kernel.device.subgroup_size : 32;
  return static_cast<double>(runtime::X86VectorBytes(kernel.device.x86_features)) / kernel.width;
}

// Returns how many elements one task (workgroup) of the schedule computes.
double TaskElements(const KernelFacts& kernel, const Derived& d) {
  const double own = kernel.device.kind == runtime::DeviceKind::kX86
                         ? std::max(d.grain, d.tile)
                         : d.threads * d.tile * d.vector * d.unroll;
  return std::clamp(own, 1.0, std::max(kernel.elements, 1.0));
}

}  // namespace

absl::StatusOr<KernelFacts> FactsOf(absl::string_view kernel_key) {
  absl::StatusOr<lowering::KernelRequest> request =
      lowering::KernelRequest::OfKernelKey(kernel_key);
  if (!request.ok()) return request.status();
  absl::StatusOr<std::unique_ptr<hlo::Module>> module =
      hlo_text::ParseModule(request->hlo, "kernel.hlo");
  if (!module.ok()) return module.status();
  const hlo::Computation& entry = *(*module)->entry();
  KernelFacts facts;
  facts.device = request->device;
  facts.family = WithoutNumbers(request->hlo);
  Features& f = facts.features;
  AddDevice(facts.device, &f);

  const lowering::KernelCost cost = lowering::CostOf(entry);
  facts.flops = static_cast<double>(cost.flops);
  facts.bytes = static_cast<double>(cost.bytes());
  f["flops"] = Log(facts.flops);
  f["bytes_read"] = Log(static_cast<double>(cost.bytes_read));
  f["bytes_written"] = Log(static_cast<double>(cost.bytes_written));
  f["intensity"] = Log(facts.flops / std::max(facts.bytes, 1.0));

  const Shape* result = nullptr;
  const std::vector<Shape> results = hlo::FlattenShape(entry.root()->shape);
  for (const Shape& shape : results) {
    if (shape.IsArray() && (result == nullptr || shape.NumElements() > result->NumElements()))
      result = &shape;
  }
  if (result != nullptr) {
    facts.elements = static_cast<double>(result->NumElements());
    facts.width = hlo::StorageBytes(result->element_type());
    if (result->rank() > 0)
      facts.last_extent = static_cast<double>(result->dim(result->rank() - 1));
    facts.rows = facts.elements / std::max(facts.last_extent, 1.0);
    f["rank"] = static_cast<float>(result->rank());
    for (int64_t d = 0; d < std::min<int64_t>(result->rank(), 4); ++d) {
      const int64_t from_last = result->rank() - 1 - d;
      f[absl::StrCat("extent.", d)] = Log(static_cast<double>(result->dim(from_last)));
    }
  }
  f["elements"] = Log(facts.elements);
  f["width"] = static_cast<float>(facts.width);
  double largest = 0;
  for (const Instruction* parameter : entry.parameters())
    largest = std::max(largest, BytesOf(parameter->shape));
  f["largest_input"] = Log(largest);
  f["inputs"] = static_cast<float>(entry.num_parameters());
  for (const auto& inst : entry.instructions()) {
    facts.terms = std::max(facts.terms, TermsOf(*inst));
    if (FoldsLast(*inst)) f["folds_last"] = 1;
    if (const char* kind = KindOf(*inst); kind != nullptr) f[absl::StrCat("ops.", kind)] += 1;
  }
  f["terms"] = Log(facts.terms);
  return facts;
}

Features FeaturesOf(const KernelFacts& kernel, const Schedule& schedule) {
  Features f = kernel.features;
  f[absl::StrCat("template.", schedule.template_name())] = 1;
  const double lanes = LanesOf(kernel);
  for (const auto& [name, value] : schedule.knobs()) {
    const float size = Log(static_cast<double>(value));
    f[absl::StrCat(schedule.template_name(), ".", name)] = size;
    // Templates use the same knob names for the same things, so what is learned from one helps with
    // the others.
    f[absl::StrCat("knob.", name)] = size;
    const Role role = RoleOf(name);
    if (role == Role::kVector || name == "tile_n") {
      f["vectors"] =
          std::log2(static_cast<float>(static_cast<double>(std::max<int64_t>(value, 1)) / lanes));
      f["waste"] = Waste(kernel.last_extent, value);
    }
    if (name == "parts")
      f["parts_per_unit"] =
          std::log2(static_cast<float>(static_cast<double>(std::max<int64_t>(value, 1)) /
                                       std::max<double>(kernel.device.compute_units, 1)));
    if (name == "tile_m" || name == "block_m")
      f[absl::StrCat("waste.", name)] = Waste(kernel.rows, value);
  }
  const Derived d = DerivedOf(schedule);
  const double task = TaskElements(kernel, d);
  const double units = std::max<double>(kernel.device.compute_units, 1);
  f["vector"] = Log(d.vector);
  f["vector_use"] = static_cast<float>(std::min(d.vector * d.tile / LanesOf(kernel), 16.0));
  f["tile"] = Log(d.tile);
  f["tile_in_cache"] = Log(d.tile * kernel.width / CacheOf(kernel.device) * 1024);
  f["threads"] = Log(d.threads);
  f["grain"] = Log(d.grain);
  f["task"] = Log(task);
  f["tasks_per_unit"] = Log(kernel.elements / task / units);
  f["task_work"] = Log(task * (kernel.flops / std::max(kernel.elements, 1.0)));
  f["code"] = Log(d.tile * d.unroll * d.vector / LanesOf(kernel));
  return f;
}

int64_t ResidentGroups(const runtime::DeviceInfo& device,
                       const lowering::KernelResources& resources) {
  constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();
  int64_t groups = kNoLimit;
  auto limit = [&groups](int64_t has, int64_t needs) {
    if (has > 0 && needs > 0) groups = std::min(groups, std::max<int64_t>(1, has / needs));
  };
  const int64_t threads = resources.group_threads;
  limit(device.unit_threads, threads);
  limit(device.unit_shared_bytes, resources.shared_bytes);
  if (threads > 0 && resources.registers > 0) {
    // The hardware hands registers out to warps, 8 for each thread at a time ("warp allocation
    // granularity" of the CUDA occupancy calculator, 256).
    const int64_t warp = std::max<int64_t>(device.subgroup_size, 1);
    limit(device.unit_registers,
          (resources.registers + 7) / 8 * 8 * ((threads + warp - 1) / warp * warp));
  }
  if (groups == kNoLimit) return 0;
  return device.unit_groups > 0 ? std::min<int64_t>(groups, device.unit_groups) : groups;
}

void AddCompiled(const runtime::DeviceInfo& device, const lowering::KernelResources& resources,
                 Features* features) {
  auto add = [features](const char* name, int64_t value) {
    if (value >= 0) (*features)[name] = Log(static_cast<double>(value));
  };
  add("code.bytes", resources.code_bytes);
  add("group.threads", resources.group_threads);
  add("group.shared", resources.shared_bytes);
  add("ptxas.registers", resources.registers);
  add("ptxas.spills", resources.spilled_bytes);
  add("ptxas.stack", resources.stack_bytes);
  const int64_t groups = ResidentGroups(device, resources);
  if (groups == 0) return;
  add("resident.groups", groups);
  if (device.unit_threads > 0) {
    (*features)["resident.threads"] = static_cast<float>(
        static_cast<double>(groups * resources.group_threads) / device.unit_threads);
  }
}

double RooflineEstimate(const KernelFacts& kernel, const Schedule& schedule) {
  if (kernel.device.kind == runtime::DeviceKind::kCuda) {
    if (const std::optional<double> estimate = TensorEstimate(kernel, schedule)) return *estimate;
  }
  const Derived d = DerivedOf(schedule);
  const runtime::DeviceInfo& device = kernel.device;
  const bool x86 = device.kind == runtime::DeviceKind::kX86;
  const double units = std::max<double>(device.compute_units, 1);
  const double task = TaskElements(kernel, d);
  const double tasks = std::max(1.0, kernel.elements / task);
  // In the last round of tasks, some units may have nothing to do.
  const double rounds = std::ceil(tasks / units);
  const double parallel = std::clamp(tasks / (rounds * units), 1e-3, 1.0);
  // The share of a vector's lanes that do useful work, and how far the vectors in flight hide
  // latency, which takes about 8 of them.
  const double lanes = LanesOf(kernel);
  const double wide = std::max(d.vector, x86 ? d.tile : d.threads);
  const double vector = std::min(1.0, wide / lanes);
  const double flight = std::min(1.0, (d.tile * d.vector * d.unroll / lanes) / 8);
  // A tile that does not fit into the registers (about 32 vectors) is spilled to memory.
  const double spill = std::max(1.0, d.tile / lanes / 32);
  const double peak =
      device.f32_flops != 0 ? static_cast<double>(device.f32_flops) : units * lanes * 2 * 3e9;
  const double bandwidth = device.memory_bandwidth != 0
                               ? static_cast<double>(device.memory_bandwidth)
                               : (x86 ? 2e10 : 2e11);
  const double compute = std::max(kernel.flops, kernel.elements) / peak / parallel /
                         std::max(vector, 1e-2) / (0.3 + 0.7 * flight) * spill;
  // Without reuse in tiles, every term of a fold reads its operands from the cache.
  const double reuse = kernel.terms > 1 ? std::max(1.0, std::sqrt(d.tile)) : 1;
  const double traffic =
      (kernel.bytes + kernel.flops * kernel.width / 4 / reuse) / bandwidth / parallel;
  const double starts = tasks / units * (x86 ? 5e-7 : 1e-7);
  return std::log(std::max({compute, traffic, 1e-9}) + starts);
}

}  // namespace halyard::autotuner
