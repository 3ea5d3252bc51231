#include "autotuner/search/kernel_book.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "frontend/hlo/values/shape.h"
#include "lowering/kernels/kernel_form.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/steps/kernel_text.h"
#include "runtime/device_class.h"

namespace halyard::autotuner {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Returns the pairs {output, input} that must share memory: a sequence updates its operand in
// place.
std::vector<std::pair<int32_t, int32_t>> InPlaceOf(const hlo::Computation& kernel) {
  std::vector<std::pair<int32_t, int32_t>> pairs;
  const hlo::Instruction& root = *kernel.root();
  if (!lowering::IsSequence(root.opcode)) return pairs;
  for (size_t i = 0; i < root.operands.size(); ++i) {
    if (lowering::SequenceOperandOf(root, i) != lowering::SequenceOperand::kInPlace) continue;
    pairs.push_back(
        {static_cast<int32_t>(i),
         static_cast<int32_t>(root.operand(static_cast<int64_t>(i))->parameter_number)});
  }
  return pairs;
}

bool WritesNothing(const hlo::Computation& kernel) {
  int64_t bytes = 0;
  for (const hlo::Shape& leaf : hlo::FlattenShape(kernel.root()->shape)) bytes += leaf.ByteSize();
  return bytes == 0;
}

}  // namespace

absl::Status KernelBook::AddPlanned(const ProgramSpec& program) {
  for (const ProgramSpec::Kernel& kernel : program.kernels) {
    if (kernel.space == MemorySpace::kHost && program.device.kind != runtime::DeviceKind::kX86) {
      continue;
    }
    absl::StatusOr<lowering::KernelRequest> request =
        lowering::KernelRequest::Parse(kernel.request);
    if (!request.ok()) return request.status();
    std::string text = request->hlo;
    planned_.try_emplace(std::move(text), *std::move(request));
  }
  return absl::OkStatus();
}

int KernelBook::Find(const lowering::FusionGroup& group, const lowering::FusionFacts& facts) {
  hlo::Module scratch("kernel");
  absl::StatusOr<lowering::KernelComputation> made = lowering::MakeKernel(group, facts, &scratch);
  if (!made.ok()) return kNone;
  return FindOutlined(*made->computation, lowering::IsOnHost(*group.root()));
}

int KernelBook::FindOutlined(const hlo::Computation& kernel, bool on_host) {
  const bool gpu = runtime::IsGpu(plan_.device);
  if ((on_host && gpu) || WritesNothing(kernel)) return kNothing;
  absl::StatusOr<std::string> text = lowering::KernelText(kernel);
  if (!text.ok()) return kNone;
  auto [found, added] = by_text_.try_emplace(*text, static_cast<int>(entries_.size()));
  if (!added) return found->second;
  Entry entry;
  auto planned = planned_.find(*text);
  if (planned != planned_.end()) {
    entry.request = planned->second;
  } else {
    entry.request.hlo = *text;
    entry.request.device = plan_.device;
    entry.request.aliases = InPlaceOf(kernel);
  }
  entry.cost = lowering::CostOf(kernel);
  if (std::optional<double> seconds = times_.Known(entry.request)) Learn(&entry, *seconds);
  entries_.push_back(std::move(entry));
  return found->second;
}

void KernelBook::Learn(Entry* entry, double seconds) {
  entry->known = true;
  entry->seconds = seconds;
  if (!std::isfinite(seconds) || seconds <= 0) return;
  bytes_per_second_ =
      std::max(bytes_per_second_, static_cast<double>(entry->cost.bytes()) / seconds);
}

double KernelBook::CostOf(int kernel, bool measured_only) const {
  if (kernel == kNothing) return 0;
  if (kernel == kNone) return kInfinite;
  const Entry& entry = entries_[kernel];
  if (entry.known) return entry.seconds + launch_seconds_;
  if (measured_only) return kInfinite;
  double least = 0;
  const double bytes_per_second = std::max(options_.optimism * bytes_per_second_,
                                           static_cast<double>(plan_.device.memory_bandwidth));
  // The flops per second of other kernels say little about this one, because its operations or
  // theirs may be functions, or copies.
  const double flops_per_second = static_cast<double>(plan_.device.f32_flops);
  if (options_.optimism > 0 && bytes_per_second > 0) {
    least = static_cast<double>(entry.cost.bytes()) / bytes_per_second;
  }
  if (options_.optimism > 0 && flops_per_second > 0) {
    least = std::max(least, static_cast<double>(entry.cost.flops) / flops_per_second);
  }
  return least + launch_seconds_;
}

bool KernelBook::may_measure() const {
  return measured_ < options_.most_measured && !(options_.stopped && options_.stopped());
}

absl::StatusOr<bool> KernelBook::Measure(absl::Span<const int> kernels) {
  // Measures a few at a time. They may be compiled together, and the search may be stopped between
  // them.
  constexpr size_t kBatch = 4;
  std::vector<int> wanted;
  for (int kernel : kernels) {
    const bool listed = std::find(wanted.begin(), wanted.end(), kernel) != wanted.end();
    if (!IsKnown(kernel) && !listed) wanted.push_back(kernel);
  }
  for (size_t begin = 0; begin < wanted.size();) {
    if (!may_measure()) return false;
    const size_t room = static_cast<size_t>(options_.most_measured - measured_);
    const size_t count = std::min({kBatch, wanted.size() - begin, room});
    std::vector<lowering::KernelRequest> requests;
    for (size_t i = begin; i < begin + count; ++i) {
      requests.push_back(entries_[wanted[i]].request);
    }
    absl::StatusOr<std::vector<absl::StatusOr<double>>> seconds = times_.Measure(requests);
    if (!seconds.ok()) return seconds.status();
    for (size_t i = 0; i < count; ++i) {
      const absl::StatusOr<double>& one = (*seconds)[i];
      Learn(&entries_[wanted[begin + i]], one.ok() ? *one : kInfinite);
      ++measured_;
    }
    begin += count;
  }
  return true;
}

}  // namespace halyard::autotuner
