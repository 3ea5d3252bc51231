#include "autotuner/trial_runner.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "runtime/absl_status.h"
#include "runtime/kernel_object.h"

namespace halyard::autotuner {

using runtime::Block;
using runtime::Device;
using runtime::Event;

namespace {

double HalfToDouble(uint16_t bits) {
  const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return mantissa != 0 ? std::nan("") : sign * INFINITY;
  return sign *
         (exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25));
}

double ElementAt(absl::string_view bytes, ElementKind kind, size_t i) {
  switch (kind) {
    case ElementKind::kF16: {
      uint16_t bits;
      memcpy(&bits, bytes.data() + 2 * i, 2);
      return HalfToDouble(bits);
    }
    case ElementKind::kBF16: {
      uint16_t bits;
      memcpy(&bits, bytes.data() + 2 * i, 2);
      const uint32_t wide = static_cast<uint32_t>(bits) << 16;
      float value;
      memcpy(&value, &wide, 4);
      return value;
    }
    case ElementKind::kF32: {
      float value;
      memcpy(&value, bytes.data() + 4 * i, 4);
      return value;
    }
    default: {
      double value;
      memcpy(&value, bytes.data() + 8 * i, 8);
      return value;
    }
  }
}

size_t WidthOf(ElementKind kind) {
  return kind == ElementKind::kF64 ? 8 : kind == ElementKind::kF32 ? 4 : 2;
}

std::string CompareFloats(absl::string_view got, absl::string_view want, const OutputRule& rule,
                          double* difference) {
  const size_t count = want.size() / WidthOf(rule.kind);
  double scale = 0;
  for (size_t i = 0; i < count; ++i) {
    const double value = std::abs(ElementAt(want, rule.kind, i));
    if (std::isfinite(value)) scale = std::max(scale, value);
  }
  if (scale == 0) scale = 1;
  for (size_t i = 0; i < count; ++i) {
    const double g = ElementAt(got, rule.kind, i), w = ElementAt(want, rule.kind, i);
    if (std::isnan(g) && std::isnan(w)) continue;
    if (g == w) continue;
    const double error = std::abs(g - w) / scale;
    if (error <= rule.tolerance) {
      *difference = std::max(*difference, error);
      continue;
    }
    *difference = error;
    return absl::StrCat("element ", i, " is ", g, ", not ", w);
  }
  return "";
}

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

TrialResult Failed(Outcome outcome, absl::string_view error) {
  TrialResult result;
  result.outcome = outcome;
  result.error = std::string(error);
  result.verdict = Verdict::kSlower;
  return result;
}

// Of a load (`otherwise`: kCompileError) or a run (kCrash) that the runtime could not do.
TrialResult Failed(const absl::Status& status, Outcome otherwise) {
  return Failed(
      status.code() == absl::StatusCode::kResourceExhausted ? Outcome::kOutOfMemory : otherwise,
      status.message());
}

}  // namespace

std::string CompareOutput(absl::string_view got, absl::string_view want, const OutputRule& rule,
                          double* difference) {
  if (got.size() != want.size()) return absl::StrCat(got.size(), " bytes, not ", want.size());
  if (rule.kind != ElementKind::kExact) return CompareFloats(got, want, rule, difference);
  auto [g, w] = std::mismatch(got.begin(), got.end(), want.begin());
  if (g == got.end()) return "";
  const auto place = g - got.begin();
  const int64_t differ =
      std::inner_product(got.begin(), got.end(), want.begin(), int64_t{0}, std::plus<>(),
                         [](char a, char b) { return a != b ? 1 : 0; });
  *difference = 1;
  // A byte that differs is an element at most.
  if (differ <= rule.may_differ) return "";
  return absl::StrCat("byte ", place, " is ", static_cast<int>(static_cast<uint8_t>(*g)), ", not ",
                      static_cast<int>(static_cast<uint8_t>(*w)), "; ", differ, " bytes differ");
}

// A kernel made ready to run on the data's buffers.
struct TrialRunner::Loaded {
  explicit Loaded(Device* device) : device(device) {}
  ~Loaded() {
    if (recording != nullptr) device->FreeRecording(recording);
    if (kernel != nullptr) device->FreeKernel(kernel);
    if (scratch.bytes != 0) device->Free(&scratch);
  }
  Device* const device;
  std::string object;
  runtime::Kernel* kernel = nullptr;
  runtime::Recording* recording = nullptr;
  Block scratch;
  std::vector<runtime::Binding> bindings;
};

TrialRunner::TrialRunner(Device* device) : device_(device) {}

TrialRunner::~TrialRunner() {
  best_.reset();
  for (Block& block : inputs_) device_->Free(&block);
  for (Block& block : outputs_) device_->Free(&block);
}

absl::Status TrialRunner::SetData(TrialData data) {
  best_.reset();
  for (Block& block : inputs_) device_->Free(&block);
  for (Block& block : outputs_) device_->Free(&block);
  inputs_.clear();
  outputs_.clear();
  if (data.rules.size() != data.expected.size())
    return absl::InvalidArgumentError("as many rules as outputs are wanted");
  data_ = std::move(data);
  auto allocate = [this](const std::vector<std::string>& arrays, std::vector<Block>* blocks) {
    for (const std::string& bytes : arrays) {
      Block block;
      absl::Status status = ToAbsl(
          device_->Allocate(std::max<size_t>(bytes.size(), 1), runtime::Space::kDevice, &block));
      if (!status.ok()) return status;
      blocks->push_back(block);
    }
    return absl::OkStatus();
  };
  if (absl::Status s = allocate(data_.inputs, &inputs_); !s.ok()) return s;
  return allocate(data_.expected, &outputs_);
}

// Inputs, and into outputs what is wrong everywhere: elements that a candidate does not write must
// not be those that one before it has left.
absl::Status TrialRunner::Upload() {
  auto upload = [this](const std::string& bytes, const Block& block) {
    Event event;
    absl::Status status = ToAbsl(device_->Upload(bytes.data(), block, 0, bytes.size(), 0, &event));
    return status.ok() ? ToAbsl(device_->Wait(event)) : status;
  };
  for (size_t i = 0; i < inputs_.size(); ++i) {
    if (absl::Status s = upload(data_.inputs[i], inputs_[i]); !s.ok()) return s;
  }
  for (size_t o = 0; o < outputs_.size(); ++o) {
    std::string wrong = data_.expected[o];
    for (char& byte : wrong) byte = static_cast<char>(~byte);
    if (absl::Status s = upload(wrong, outputs_[o]); !s.ok()) return s;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<TrialRunner::Loaded>> TrialRunner::Load(absl::string_view object) {
  auto loaded = std::make_unique<Loaded>(device_);
  loaded->object = std::string(object);
  runtime::KernelObjectView view;
  absl::Status status = ToAbsl(runtime::ParseKernelObject(
      {reinterpret_cast<const uint8_t*>(loaded->object.data()), loaded->object.size()}, &view));
  if (!status.ok()) return status;
  if (view.num_inputs != inputs_.size() || view.num_outputs != outputs_.size())
    return absl::InvalidArgumentError("the kernel takes other arguments than the data");
  for (uint32_t i = 0; i < view.num_inputs + view.num_outputs; ++i) {
    const size_t bytes =
        i < view.num_inputs ? data_.inputs[i].size() : data_.expected[i - view.num_inputs].size();
    if (view.argument(i).bytes > bytes)
      return absl::InvalidArgumentError("the kernel takes larger arguments than the data");
  }
  status = ToAbsl(device_->LoadKernel(view, &loaded->kernel));
  if (!status.ok()) return status;

  std::vector<runtime::SliceRef> slices;
  auto add = [&](const Block& block, size_t bytes) {
    slices.push_back({static_cast<uint32_t>(loaded->bindings.size()), 0, bytes});
    loaded->bindings.push_back({&block, 0});
  };
  for (size_t i = 0; i < inputs_.size(); ++i) add(inputs_[i], data_.inputs[i].size());
  for (size_t o = 0; o < outputs_.size(); ++o) {
    const auto alias = std::find_if(data_.aliases.begin(), data_.aliases.end(),
                                    [o](const auto& a) { return a.first == static_cast<int>(o); });
    if (alias != data_.aliases.end()) {
      slices.push_back(slices[static_cast<size_t>(alias->second)]);
    } else {
      add(outputs_[o], data_.expected[o].size());
    }
  }
  runtime::SegmentStep step;
  step.kernel = loaded->kernel;
  step.slices = slices.data();
  step.num_slices = static_cast<uint32_t>(slices.size());
  step.num_inputs = static_cast<uint32_t>(inputs_.size());
  step.label = "candidate";
  if (view.kind != runtime::DeviceKind::kX86 && view.scratch_bytes > 0) {
    status =
        ToAbsl(device_->Allocate(view.scratch_bytes, runtime::Space::kDevice, &loaded->scratch));
    if (!status.ok()) return status;
    step.scratch = {static_cast<uint32_t>(loaded->bindings.size()), 0, view.scratch_bytes};
    loaded->bindings.push_back({&loaded->scratch, 0});
  }
  const runtime::Segment segment = {&step, 1, 1};
  status =
      ToAbsl(device_->Record(segment, loaded->bindings.data(),
                             static_cast<uint32_t>(loaded->bindings.size()), &loaded->recording));
  if (!status.ok()) return status;
  return loaded;
}

absl::Status TrialRunner::Run(Loaded& kernel) {
  Event event;
  absl::Status status =
      ToAbsl(device_->Submit(kernel.recording, kernel.bindings.data(),
                             static_cast<uint32_t>(kernel.bindings.size()), 0, &event));
  return status.ok() ? ToAbsl(device_->Wait(event)) : status;
}

absl::Status TrialRunner::Check(Loaded& kernel, TrialResult* result) {
  if (absl::Status s = Upload(); !s.ok()) return s;
  if (absl::Status s = Run(kernel); !s.ok()) return s;
  std::string got;
  for (size_t o = 0; o < outputs_.size(); ++o) {
    const Block* block = &outputs_[o];
    for (const auto& [output, input] : data_.aliases) {
      if (output == static_cast<int>(o)) block = &inputs_[static_cast<size_t>(input)];
    }
    got.resize(data_.expected[o].size());
    Event event;
    absl::Status status = ToAbsl(device_->Download(*block, 0, got.size(), got.data(), 0, &event));
    if (status.ok()) status = ToAbsl(device_->Wait(event));
    if (!status.ok()) return status;
    const std::string wrong =
        CompareOutput(got, data_.expected[o], data_.rules[o], &result->difference);
    if (wrong.empty()) continue;
    result->outcome = Outcome::kWrongResult;
    result->verdict = Verdict::kSlower;
    result->error = absl::StrCat("output ", o, ": ", wrong);
    return absl::OkStatus();
  }
  return absl::OkStatus();
}

absl::StatusOr<double> TrialRunner::TimeOnce(Loaded& kernel) {
  runtime::StepSpan span;
  absl::Status status =
      ToAbsl(device_->SubmitTimed(kernel.recording, kernel.bindings.data(),
                                  static_cast<uint32_t>(kernel.bindings.size()), 0, &span));
  if (!status.ok()) return status;
  return std::max<double>(1, static_cast<double>(span.end_ns - span.begin_ns)) * 1e-9;
}

// Writes more than the last cache holds.
absl::Status TrialRunner::EvictCaches() {
  if (device_->info().kind != runtime::DeviceKind::kX86) return absl::OkStatus();
  const size_t bytes = std::max<size_t>(device_->info().last_level_cache_bytes, 1 << 20) * 2;
  evict_.resize(bytes);
  for (size_t i = 0; i < bytes; i += 64) ++evict_[i];
  return absl::OkStatus();
}

absl::StatusOr<double> TrialRunner::TimeRound(Loaded& kernel, int64_t runs,
                                              const TrialOptions& options) {
  double sum = 0;
  for (int64_t i = 0; i < runs; ++i) {
    if (options.cold_caches) {
      if (absl::Status s = EvictCaches(); !s.ok()) return s;
    }
    absl::StatusOr<double> seconds = TimeOnce(kernel);
    if (!seconds.ok()) return seconds.status();
    sum += *seconds;
  }
  return sum / static_cast<double>(runs);
}

absl::Status TrialRunner::TimeRounds(Loaded& candidate, const TrialOptions& options,
                                     TrialResult* result) {
  const Stopwatch watch;
  absl::StatusOr<double> first = TimeOnce(candidate);
  if (!first.ok()) return first.status();
  const int64_t runs =
      std::clamp<int64_t>(static_cast<int64_t>(options.round_seconds / *first), 1, 1000);
  Loaded& best = best_ != nullptr ? *best_ : candidate;
  PairedRounds rounds(options.paired);
  const int64_t alone = 7;  // rounds without a best to beat
  while (best_ != nullptr ? rounds.verdict() == Verdict::kUndecided : rounds.rounds() < alone) {
    // The order changes from round to round: neither always meets the other's caches.
    double times[2];
    for (int turn = 0; turn < 2; ++turn) {
      const int which = (turn + static_cast<int>(rounds.rounds())) % 2;
      if (best_ == nullptr && which == 1) continue;
      absl::StatusOr<double> seconds = TimeRound(which == 0 ? candidate : best, runs, options);
      if (!seconds.ok()) return seconds.status();
      times[which] = *seconds;
    }
    rounds.Add(times[0], best_ != nullptr ? times[1] : times[0]);
    if (watch.seconds() > options.most_seconds) break;
  }
  result->seconds = rounds.candidate();
  result->spread = rounds.spread();
  result->rounds = rounds.rounds();
  result->best_seconds = best_ != nullptr ? rounds.best() : 0;
  result->ratio = best_ != nullptr ? rounds.careful_ratio() : 0;
  result->verdict = best_ == nullptr                          ? Verdict::kFaster
                    : rounds.verdict() == Verdict::kUndecided ? Verdict::kEqual
                                                              : rounds.verdict();
  return absl::OkStatus();
}

TrialResult TrialRunner::Try(absl::string_view object, const TrialOptions& options) {
  absl::StatusOr<std::unique_ptr<Loaded>> candidate = Load(object);
  if (!candidate.ok()) return Failed(candidate.status(), Outcome::kCompileError);
  TrialResult result;
  if (absl::Status s = Check(**candidate, &result); !s.ok()) return Failed(s, Outcome::kCrash);
  if (result.outcome != Outcome::kGood) return result;
  if (absl::Status s = TimeRounds(**candidate, options, &result); !s.ok())
    return Failed(s, Outcome::kCrash);
  if (result.verdict == Verdict::kFaster) best_ = *std::move(candidate);
  return result;
}

TrialResult TrialRunner::SetBest(absl::string_view object) {
  absl::StatusOr<std::unique_ptr<Loaded>> candidate = Load(object);
  if (!candidate.ok()) return Failed(candidate.status(), Outcome::kCompileError);
  TrialResult result;
  if (absl::Status s = Check(**candidate, &result); !s.ok()) return Failed(s, Outcome::kCrash);
  if (result.outcome == Outcome::kGood) best_ = *std::move(candidate);
  return result;
}

}  // namespace halyard::autotuner
