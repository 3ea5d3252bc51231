#include "lowering/plan/fuse/library_kernels.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "lowering/kernels/library/form.h"
#include "lowering/plan/steps/kernel_cost.h"
#include "lowering/plan/steps/kernel_text.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;

using Members = std::unordered_set<const Instruction*>;

// Of which products it pays to write a result and to read it once more, instead of fusing what
// follows: those of so many terms, whose multiply-adds save more than a launch of 2.5 µs, too.
struct Threshold {
  double terms, multiply_adds;
};
// A result of 16 bits takes 4 bytes / 4.8 TB/s of an H200. The library computes at 78 % of
// 989 TFLOPS (measured by others), mma.sync at 61 % (docs/gpu_kernels.md): K terms save
// K · 7.2e-16 s for each element, so K from 1155 on pays. Of convolutions, an H100 took 0.50 to
// 0.64 of the time from 2304 terms on, and 0.78 at 1152.
constexpr Threshold kNarrow = {1536, 3.5e9};
// Kernels of our own by wgmma compute at 71 %. A product of 4096 terms with SiLU and a residual
// took 0.46 ms in one of those, and 0.47 in two launches, on an H100.
constexpr Threshold kWarpgroups = {8192, 3.5e9};
// Without tensor cores, an H100's library takes 0.12 to 0.75 of the time of our convolutions, and
// so saves 2e-14 s for each term, while the pass takes 2.4e-12 s for each element.
constexpr Threshold kWideConvolution = {128, 1e8};
constexpr size_t kLongestEpilogue = 3;

bool IsWideConvolution(const Instruction& product) {
  return product.opcode == Opcode::kConvolution &&
         product.shape.element_type() == ElementType::kF32;
}

bool IsByWarpgroups(const Instruction& product, const runtime::DeviceInfo& device) {
  if (device.cuda_capability != 90 || product.operands.size() != 2) return false;
  for (const Instruction* operand : product.operands) {
    while (operand->opcode == Opcode::kConvert) operand = operand->operand(0);
    const ElementType type = operand->shape.element_type();
    if (type != ElementType::kF16 && type != ElementType::kBF16) return false;
  }
  return true;
}

// Tensor cores of these have instructions that only the library uses (tcgen05, wgmma of 8-bit
// floats). On others, kernels of our own come as near to the peak.
bool LibraryIsFaster(const Instruction& product, const runtime::DeviceInfo& device) {
  if (device.kind != runtime::DeviceKind::kCuda || device.libraries == 0) return false;
  const bool wide = IsWideConvolution(product);
  if (!wide && (device.cuda_capability < 90 || device.cuda_capability >= 120)) return false;
  const Threshold& least = wide                              ? kWideConvolution
                           : IsByWarpgroups(product, device) ? kWarpgroups
                                                             : kNarrow;
  return static_cast<double>(TermsOfProduct(product)) >= least.terms &&
         MultiplyAdds(product) >= least.multiply_adds;
}

// Returns whether the library takes a kernel of these members by default.
bool IsTaken(const Instruction* result, const Members& members, const runtime::DeviceInfo& device) {
  hlo::Module module("kernel");
  Computation* kernel = module.AddComputation("kernel");
  std::unordered_map<const Instruction*, Instruction*> copies;
  int64_t parameters = 0;
  const std::function<Instruction*(const Instruction*)> copy = [&](const Instruction* inst) {
    if (auto found = copies.find(inst); found != copies.end()) return found->second;
    Instruction* made = nullptr;
    if (members.contains(inst)) {
      std::vector<Instruction*> operands;
      for (const Instruction* operand : inst->operands) operands.push_back(copy(operand));
      made = kernel->AddClone(*inst, std::move(operands));
    } else {
      made = kernel->AddParameter(parameters++, inst->shape);
    }
    copies[inst] = made;
    return made;
  };
  kernel->set_root(copy(result));
  module.set_entry(kernel);
  if (!CollapseDimensions(module).ok()) return false;
  const std::optional<LibraryCall> call = FindLibraryCall(*module.entry(), device);
  return call.has_value() && call->by_default;
}

// Adds what an operand is made of, if that is a conversion or a broadcast.
void AddOperand(const Instruction* operand, Members* members) {
  for (; operand->opcode == Opcode::kConvert || operand->opcode == Opcode::kBroadcast;
       operand = operand->operand(0))
    members->insert(operand);
}

bool Widens(const Instruction& convert) {
  return convert.opcode == Opcode::kConvert &&
         hlo::BitWidth(convert.operand(0)->shape.element_type()) <
             hlo::BitWidth(convert.shape.element_type());
}

}  // namespace

double MultiplyAdds(const Instruction& product) {
  return static_cast<double>(product.shape.NumElements()) *
         static_cast<double>(TermsOfProduct(product));
}

bool IsLeftToLibrary(const Instruction& product, const runtime::DeviceInfo& device) {
  return LibraryIsFaster(product, device) && IsTaken(&product, {&product}, device);
}

LibraryKernels FindLibraryKernels(
    const Computation& sequence,
    const std::unordered_map<const Instruction*, std::vector<Instruction*>>& users,
    const runtime::DeviceInfo& device) {
  LibraryKernels kernels;
  for (const auto& owned : sequence.instructions()) {
    const Instruction* product = owned.get();
    const bool convolution = product->opcode == Opcode::kConvolution;
    if ((!convolution && product->opcode != Opcode::kDot) || !LibraryIsFaster(*product, device))
      continue;
    Members members = {product}, taken;
    for (const Instruction* operand : product->operands) {
      if (Widens(*operand)) members.insert(operand);
    }
    const Instruction *at = product, *result = nullptr;
    for (size_t i = 0;; ++i) {
      if (IsTaken(at, members, device)) {
        result = at;
        taken = members;
      }
      const std::vector<Instruction*>& next = users.at(at);
      if (convolution || i == kLongestEpilogue || next.size() != 1 || at == sequence.root()) break;
      const Opcode opcode = next[0]->opcode;
      if (opcode != Opcode::kAdd && opcode != Opcode::kConvert) break;
      for (const Instruction* operand : next[0]->operands) {
        if (operand != at) AddOperand(operand, &members);
      }
      at = next[0];
      members.insert(at);
    }
    if (result == nullptr) continue;
    kernels.results.insert(result);
    kernels.members.insert(taken.begin(), taken.end());
  }
  return kernels;
}

}  // namespace halyard::lowering
