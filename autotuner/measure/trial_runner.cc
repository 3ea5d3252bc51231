#include "autotuner/measure/trial_runner.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "runtime/absl_status.h"
#include "runtime/kernel_object.h"

namespace halyard::autotuner {

using runtime::Block;
using runtime::Device;
using runtime::Event;

namespace {

// The number of bytes before and after each array that a kernel must leave unchanged. Slices have
// at least this alignment on every device.
constexpr size_t kGuard = 256;
constexpr char kGuardByte = '\xa5';

constexpr size_t kAllCases = SIZE_MAX;

// Returns whether the guards around the downloaded array are intact.
bool GuardsAreWhole(absl::string_view bytes) {
  const absl::string_view before = bytes.substr(0, kGuard);
  const absl::string_view after = bytes.substr(bytes.size() - kGuard);
  return before.find_first_not_of(kGuardByte) == absl::string_view::npos &&
         after.find_first_not_of(kGuardByte) == absl::string_view::npos;
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

// Returns the result of a candidate that the runtime could not load (`otherwise` is kCompileError)
// or run (kCrash).
TrialResult Failed(const absl::Status& status, Outcome otherwise) {
  return Failed(
      status.code() == absl::StatusCode::kResourceExhausted ? Outcome::kOutOfMemory : otherwise,
      status.message());
}

}  // namespace

// A kernel that is ready to run on the data's buffers.
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

TrialRunner::TrialRunner(Device* device) : device_(device), images_(device) {}

TrialRunner::~TrialRunner() {
  best_.reset();
  for (Block& block : inputs_) device_->Free(&block);
  for (Block& block : outputs_) device_->Free(&block);
}

absl::Status TrialRunner::SetData(TrialData values) {
  best_.reset();
  images_.Free();
  for (Block& block : inputs_) device_->Free(&block);
  for (Block& block : outputs_) device_->Free(&block);
  inputs_.clear();
  outputs_.clear();
  if (absl::Status s = expected_.Set(std::move(values)); !s.ok()) return s;
  auto allocate = [this](size_t bytes, std::vector<Block>* blocks) {
    Block block;
    absl::Status status =
        ToAbsl(device_->Allocate(bytes + 2 * kGuard, runtime::Space::kDevice, &block));
    if (status.ok()) blocks->push_back(block);
    return status;
  };
  for (const std::string& input : data().cases[0].inputs) {
    if (absl::Status s = allocate(input.size(), &inputs_); !s.ok()) return s;
  }
  for (size_t o = 0; o < data().cases[0].expected.size(); ++o) {
    if (absl::Status s = allocate(data().OutputBytes(o), &outputs_); !s.ok()) return s;
  }
  std::vector<const Block*> arrays;
  for (const Block& block : inputs_) arrays.push_back(&block);
  for (const Block& block : outputs_) arrays.push_back(&block);
  images_.Allocate(arrays, data().cases.size());
  return absl::OkStatus();
}

// Writes the bytes to the block, and the guards around them.
absl::Status TrialRunner::UploadAll(absl::string_view bytes, const Block& block) {
  static const std::string& guard = *new std::string(kGuard, kGuardByte);
  Event event;
  uint64_t offset = 0;
  for (absl::string_view piece : {absl::string_view(guard), bytes, absl::string_view(guard)}) {
    absl::Status status = absl::OkStatus();
    if (!piece.empty())
      status = ToAbsl(device_->Upload(piece.data(), block, offset, piece.size(), 0, &event));
    if (status.ok()) status = ToAbsl(device_->Wait(event));
    if (!status.ok()) return status;
    offset += piece.size();
  }
  return absl::OkStatus();
}

// Returns the block's bytes, which stay until the next call. Large outputs are downloaded many
// times, so the memory is kept.
absl::StatusOr<absl::string_view> TrialRunner::DownloadAll(const Block& block) {
  if (download_.size() < block.bytes) download_.resize(block.bytes);
  Event event;
  absl::Status status =
      ToAbsl(device_->Download(block, 0, block.bytes, download_.data(), 0, &event));
  if (status.ok()) status = ToAbsl(device_->Wait(event));
  if (!status.ok()) return status;
  return absl::string_view(download_.data(), block.bytes);
}

// Uploads the inputs, and fills the outputs with wrong values, so that an element that a candidate
// does not write does not keep the right value that an earlier candidate left.
absl::Status TrialRunner::Upload(size_t one) {
  const bool filled = images_.kept() && images_.filled(one);
  for (size_t i = 0; i < inputs_.size() && !filled; ++i) {
    const Block& to = images_.kept() ? images_.block(one, i) : inputs_[i];
    if (absl::Status s = UploadAll(data().cases[one].inputs[i], to); !s.ok()) return s;
  }
  for (size_t o = 0; o < outputs_.size() && !filled; ++o) {
    const Block& to = images_.kept() ? images_.block(one, inputs_.size() + o) : outputs_[o];
    if (absl::Status s = UploadAll(expected_.WrongOutput(one, o), to); !s.ok()) return s;
  }
  if (!images_.kept()) return absl::OkStatus();
  images_.SetFilled(one);
  return images_.Restore(one);
}

absl::StatusOr<std::unique_ptr<TrialRunner::Loaded>> TrialRunner::Load(absl::string_view object) {
  if (data().cases.empty()) return absl::FailedPreconditionError("there is no data");
  const TrialCase& sizes = data().cases[0];
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
        i < view.num_inputs ? sizes.inputs[i].size() : data().OutputBytes(i - view.num_inputs);
    if (view.argument(i).bytes > bytes)
      return absl::InvalidArgumentError("the kernel takes larger arguments than the data");
  }
  status = ToAbsl(device_->LoadKernel(view, &loaded->kernel));
  if (!status.ok()) return status;

  std::vector<runtime::SliceRef> slices;
  auto add = [&](const Block& block, size_t bytes) {
    slices.push_back({static_cast<uint32_t>(loaded->bindings.size()), kGuard, bytes});
    loaded->bindings.push_back({&block, 0});
  };
  for (size_t i = 0; i < inputs_.size(); ++i) add(inputs_[i], sizes.inputs[i].size());
  for (size_t o = 0; o < outputs_.size(); ++o) {
    const auto alias = std::find_if(data().aliases.begin(), data().aliases.end(),
                                    [o](const auto& a) { return a.first == static_cast<int>(o); });
    if (alias != data().aliases.end()) {
      slices.push_back(slices[static_cast<size_t>(alias->second)]);
    } else {
      add(outputs_[o], data().OutputBytes(o));
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
    if (status.ok() && view.counter_bytes > 0) {
      const std::string zeros(view.counter_bytes, '\0');
      Event event;
      status = ToAbsl(device_->Upload(zeros.data(), loaded->scratch, 0, zeros.size(), 0, &event));
      if (status.ok()) status = ToAbsl(device_->Wait(event));
    }
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

// Returns what is wrong with the outputs that a run has left on the device, or "". Puts them into
// `outputs`, unless that is null.
absl::StatusOr<std::string> TrialRunner::WhatIsWrong(size_t one, double* difference,
                                                     std::vector<std::string>* outputs) {
  for (size_t o = 0; o < outputs_.size(); ++o) {
    const Block* block = &outputs_[o];
    for (const auto& [output, input] : data().aliases) {
      if (output == static_cast<int>(o)) block = &inputs_[static_cast<size_t>(input)];
    }
    const absl::StatusOr<absl::string_view> got = DownloadAll(*block);
    if (!got.ok()) return got.status();
    if (!GuardsAreWhole(*got)) return absl::StrCat("output ", o, ": memory beside it was written");
    const absl::string_view inside = got->substr(kGuard, data().OutputBytes(o));
    const std::string wrong = expected_.Compare(one, o, inside, difference);
    if (!wrong.empty()) return absl::StrCat("output ", o, ": ", wrong);
    if (outputs != nullptr) outputs->emplace_back(inside);
  }
  return std::string();
}

absl::Status TrialRunner::Check(Loaded& kernel, size_t cases, TrialResult* result,
                                ExpectedOutputs::Outputs* outputs) {
  for (size_t c = 0; c < std::min(cases, data().cases.size()); ++c) {
    if (absl::Status s = Upload(c); !s.ok()) return s;
    if (absl::Status s = Run(kernel); !s.ok()) return s;
    if (outputs != nullptr) outputs->emplace_back();
    absl::StatusOr<std::string> wrong =
        WhatIsWrong(c, &result->difference, outputs != nullptr ? &outputs->back() : nullptr);
    if (!wrong.ok()) return wrong.status();
    if (wrong->empty()) continue;
    images_.Forget();  // it may have written there, too
    const std::string& name = data().cases[c].name;
    result->outcome = Outcome::kWrongResult;
    result->verdict = Verdict::kSlower;
    result->error = absl::StrCat(*wrong, name.empty() ? "" : " (", name, name.empty() ? "" : ")");
    return absl::OkStatus();
  }
  return absl::OkStatus();
}

// Checks a candidate that was not run before. If a reference is wanted and there is none, it
// becomes the reference.
absl::Status TrialRunner::CheckFirst(Loaded& kernel, TrialResult* result) {
  if (!expected_.wants_reference()) return Check(kernel, kAllCases, result);
  ExpectedOutputs::Outputs outputs;
  absl::Status status = Check(kernel, kAllCases, result, &outputs);
  if (!status.ok() || result->outcome != Outcome::kGood) return status;
  expected_.SetReference(std::move(outputs));
  images_.Forget();  // other values of outputs are wrong now
  return status;
}

// Runs and checks the kernel once more after it was timed, in the same memory, because its results
// may depend on what earlier runs left there. For a slower kernel the first case is enough.
absl::Status TrialRunner::CheckAgain(Loaded& kernel, TrialResult* result) {
  TrialResult again;
  const size_t cases = result->verdict == Verdict::kSlower ? 1 : kAllCases;
  if (absl::Status s = Check(kernel, cases, &again); !s.ok()) return s;
  result->difference = std::max(result->difference, again.difference);
  if (again.outcome == Outcome::kGood) return absl::OkStatus();
  *result = Failed(again.outcome, absl::StrCat(again.error, ", in a later run"));
  result->difference = again.difference;
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

// Writes to more memory than the last-level cache holds. Does nothing on GPUs.
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
    // The order changes from round to round, so that neither always finds the other's data in the
    // caches.
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
  const bool first = expected_.wants_reference();
  TrialResult result;
  if (absl::Status s = CheckFirst(**candidate, &result); !s.ok()) return Failed(s, Outcome::kCrash);
  if (result.outcome != Outcome::kGood) return result;
  // Only plain values are timed: special ones may be slower or faster.
  if (absl::Status s = Upload(0); !s.ok()) return Failed(s, Outcome::kCrash);
  if (absl::Status s = TimeRounds(**candidate, options, &result); !s.ok())
    return Failed(s, Outcome::kCrash);
  if (absl::Status s = CheckAgain(**candidate, &result); !s.ok()) return Failed(s, Outcome::kCrash);
  if (first && result.outcome != Outcome::kGood) ForgetReference();
  if (result.verdict == Verdict::kFaster) best_ = *std::move(candidate);
  return result;
}

void TrialRunner::ForgetReference() {
  expected_.DropReference();
  images_.Forget();
}

TrialResult TrialRunner::SetReference(absl::string_view object) {
  absl::StatusOr<std::unique_ptr<Loaded>> candidate = Load(object);
  if (!candidate.ok()) return Failed(candidate.status(), Outcome::kCompileError);
  ForgetReference();
  TrialResult result;
  absl::Status status = CheckFirst(**candidate, &result);
  if (status.ok() && result.outcome == Outcome::kGood) status = CheckAgain(**candidate, &result);
  if (!status.ok()) result = Failed(status, Outcome::kCrash);
  if (result.outcome != Outcome::kGood) ForgetReference();
  return result;
}

TrialResult TrialRunner::SetBest(absl::string_view object) {
  absl::StatusOr<std::unique_ptr<Loaded>> candidate = Load(object);
  if (!candidate.ok()) return Failed(candidate.status(), Outcome::kCompileError);
  TrialResult result;
  if (absl::Status s = CheckFirst(**candidate, &result); !s.ok()) return Failed(s, Outcome::kCrash);
  if (result.outcome == Outcome::kGood) best_ = *std::move(candidate);
  return result;
}

}  // namespace halyard::autotuner
