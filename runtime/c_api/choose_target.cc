#include "runtime/c_api/choose_target.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/c_api/custom_calls.h"
#include "runtime/c_api/linked_backends.h"
#include "runtime/c_api/sized/program_group.h"
#include "runtime/device_class.h"
#include "runtime/host.h"
#include "runtime/x86/cpu.h"
#include "runtime/x86/x86.h"

namespace halyard::runtime {
namespace {

constexpr uint32_t kMaxTargets = bundle_format::kMaxTargets;

// A text that grows. If memory ends, the rest is missing.
class Text {
 public:
  Text() = default;
  ~Text() { HeapFree(text_); }
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;

  __attribute__((format(printf, 2, 3))) void Append(const char* format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(nullptr, 0, format, arguments);
    va_end(arguments);
    char* grown =
        length < 0
            ? nullptr
            : static_cast<char*>(HeapReallocate(text_, size_ + static_cast<size_t>(length) + 1));
    if (grown != nullptr) {
      text_ = grown;
      vsnprintf(text_ + size_, static_cast<size_t>(length) + 1, format, again);
      size_ += static_cast<size_t>(length);
    }
    va_end(again);
  }
  const char* get() const { return text_ == nullptr ? "" : text_; }
  char* Release() {
    char* text = text_;
    text_ = nullptr;
    size_ = 0;
    return text;
  }

 private:
  char* text_ = nullptr;
  size_t size_ = 0;
};

// Returns the features that the choice may use: those of this CPU, up to the level $HALYARD_CPU.
Status CpuFeatures(uint64_t* features, const char** limit) {
  constexpr uint64_t kV2 = kX86Sse41;
  constexpr uint64_t kV3 = kV2 | kX86Avx | kX86Avx2 | kX86Fma | kX86F16c;
  const struct {
    const char* name;
    uint64_t features;
  } levels[] = {{"v1", 0}, {"v2", kV2}, {"v3", kV3}, {"v4", kV3 | kX86Avx512}, {"host", ~0ull}};
  *features = x86::DetectFeatures();
  *limit = getenv("HALYARD_CPU");
  if (*limit == nullptr || (*limit)[0] == 0) {
    *limit = nullptr;
    return Status();
  }
  for (const auto& level : levels) {
    if (strcmp(level.name, *limit) != 0) continue;
    *features &= level.features;
    return Status();
  }
  return MakeStatus(Code::kInvalidArgument, "HALYARD_CPU=%s: v1, v2, v3, v4 or host", *limit);
}

// Returns whether a CUDA part holds machine code of a GPU. The others hold PTX.
bool HasMachineCode(const Program& program) {
  for (uint32_t i = 0; i < program.num_kernels(); ++i) {
    KernelObjectView view;
    if (!ParseKernelObject(program.Bytes(program.kernel(i).object), &view).ok()) continue;
    for (uint32_t k = 0; k < view.num_modules; ++k) {
      const ByteSpan module = view.module(k);
      if (module.size >= 4 && memcmp(module.data, "\177ELF", 4) == 0) return true;
    }
  }
  return false;
}

// Returns whether `a` is preferred to `b`, which comes later in the bundle, or no earlier.
bool IsBetter(const Program& a, const Program& b) {
  const DeviceInfo &x = a.device(), &y = b.device();
  const auto rank = [](DeviceKind kind) {
    return kind == DeviceKind::kCuda ? 0 : kind == DeviceKind::kVulkan ? 1 : 2;
  };
  if (rank(x.kind) != rank(y.kind)) return rank(x.kind) < rank(y.kind);
  if (x.cuda_capability != y.cuda_capability) return x.cuda_capability > y.cuda_capability;
  return __builtin_popcountll(x.x86_features) > __builtin_popcountll(y.x86_features);
}

class Chooser {
 public:
  Chooser(Bundle* bundle, const ChooseOptions& options, const ExecutableOptions& load)
      : bundle_(*bundle), options_(options), load_(load) {}
  ~Chooser() {
    if (context_ != nullptr) context_->Release();
  }
  Status Choose(Executable** executable);

 private:
  // `named`: the caller or the environment asked for it, not only the order of preference.
  // An application's own device counts as named.
  struct Candidate {
    uint32_t part;
    bool named;
  };

  const char* target(uint32_t part) const { return bundle_.part(part)->target().data; }
  Status FindCandidates();
  Status AddNamed(const char* list, const char* origin);
  void Add(uint32_t part, bool named) {
    if ((added_ >> part & 1) != 0) return;
    added_ |= uint64_t{1} << part;
    candidates_[num_candidates_++] = {part, named};
  }
  // Adds the parts that `name` of this length names, the best first. Returns whether there are any.
  bool AddMatching(const char* name, size_t length, bool named);
  Status CheckDevice(const Program& program, bool named) const;
  bool IsOfApplication(DeviceKind kind) const {
    return options_.shared != nullptr ||
           (kind == DeviceKind::kVulkan && options_.device.has_vulkan) ||
           (kind == DeviceKind::kCuda && options_.device.has_cuda);
  }
  Status FindContext(const Program& program);
  Status OpenDevice(const Candidate& candidate);
  // Makes the target ready on the device that is open.
  Status MakeReady(uint32_t part, Executable** executable);

  Bundle& bundle_;
  const ChooseOptions& options_;
  const ExecutableOptions& load_;
  uint64_t features_ = 0;
  const char* cpu_limit_ = nullptr;
  Candidate candidates_[kMaxTargets];
  uint32_t num_candidates_ = 0;
  uint64_t added_ = 0;          // a bit for each part
  Context* context_ = nullptr;  // of the last device
};

bool Chooser::AddMatching(const char* name, size_t length, bool named) {
  uint64_t matching = 0;
  for (uint32_t i = 0; i < bundle_.size(); ++i) {
    const char* text = target(i);
    const char* kind = KindName(bundle_.part(i)->device().kind);
    if (name == nullptr || (strlen(text) == length && memcmp(text, name, length) == 0) ||
        (strlen(kind) == length && memcmp(kind, name, length) == 0))
      matching |= uint64_t{1} << i;
  }
  const bool found = matching != 0;
  while (matching != 0) {
    uint32_t best = static_cast<uint32_t>(__builtin_ctzll(matching));
    for (uint32_t i = best + 1; i < bundle_.size(); ++i) {
      if ((matching >> i & 1) != 0 && IsBetter(*bundle_.part(i), *bundle_.part(best))) best = i;
    }
    matching &= ~(uint64_t{1} << best);
    Add(best, named);
  }
  return found;
}

Status Chooser::AddNamed(const char* list, const char* origin) {
  for (const char* at = list; *at != 0;) {
    const size_t length = strcspn(at, ",");
    bool is_kind = false;
    for (const DeviceKind kind : {DeviceKind::kX86, DeviceKind::kCuda, DeviceKind::kVulkan}) {
      const size_t end = strlen(KindName(kind));
      is_kind |= length >= end && strncmp(at, KindName(kind), end) == 0 &&
                 (length == end || at[end] == ':');
    }
    if (!is_kind)
      return MakeStatus(Code::kInvalidArgument, "%s%s: '%.*s' is no target", origin, list,
                        static_cast<int>(length), at);
    AddMatching(at, length, true);
    at += length + (at[length] == ',');
  }
  if (num_candidates_ != 0) return Status();
  Text known;
  for (uint32_t i = 0; i < bundle_.size(); ++i) known.Append("%s%s", i == 0 ? "" : ", ", target(i));
  return MakeStatus(Code::kInvalidArgument, "%s%s: %s is compiled for %s", origin, list,
                    bundle_.part(0)->name().data, known.get());
}

Status Chooser::FindCandidates() {
  const char* environment = getenv("HALYARD_TARGET");
  if (options_.targets != nullptr && options_.targets[0] != 0)
    return AddNamed(options_.targets, "targets: ");
  if (environment != nullptr && environment[0] != 0)
    return AddNamed(environment, "HALYARD_TARGET=");
  AddMatching(nullptr, 0, false);
  return Status();
}

// Returns an error if the part cannot run here, as far as can be told without opening a device.
Status Chooser::CheckDevice(const Program& program, bool named) const {
  const DeviceInfo& wanted = program.device();
  if (options_.shared != nullptr && options_.shared->device()->info().kind != wanted.kind) {
    return MakeStatus(Code::kUnavailable, "the application's device is %s",
                      options_.shared->device()->info().name);
  }
  if (wanted.kind == DeviceKind::kX86) {
    const uint64_t missing = wanted.x86_features & ~features_;
    if (missing == 0) return Status();
    const char* feature = x86::FeatureName(missing & ~(missing - 1));
    if (feature == nullptr) feature = "a feature of later CPUs";
    if ((missing & ~x86::DetectFeatures()) == 0)
      return MakeStatus(Code::kUnavailable, "HALYARD_CPU=%s leaves out %s", cpu_limit_, feature);
    return MakeStatus(Code::kUnavailable, "this CPU lacks %s", feature);
  }
  DeviceInfo have;
  if (options_.shared != nullptr) {
    have = options_.shared->device()->info();
  } else {
    HY_RETURN_IF_ERROR(
        DescribeLinkedBackend(wanted.kind, options_.device.index, options_.device.backend, &have));
  }
  if (have.software && !named && !IsOfApplication(wanted.kind)) {
    return MakeStatus(Code::kUnavailable,
                      "%s runs on the CPU; it is used only if HALYARD_TARGET names it", have.name);
  }
  if (wanted.kind != DeviceKind::kCuda) return Status();
  const bool exact = HasMachineCode(program);
  if (wanted.cuda_capability > have.cuda_capability ||
      (exact && wanted.cuda_capability / 10 != have.cuda_capability / 10)) {
    return MakeStatus(Code::kUnavailable, "%s is sm_%d%s", have.name, have.cuda_capability,
                      exact ? ", and the kernels are machine code" : "");
  }
  return Status();
}

// Opens the device of the part, unless it is the one that is open.
Status Chooser::FindContext(const Program& program) {
  const DeviceKind kind = program.device().kind;
  if (context_ != nullptr && context_->device()->info().kind == kind) return Status();
  if (context_ != nullptr) context_->Release();
  context_ = nullptr;
  if (options_.shared != nullptr) {
    options_.shared->AddRef();
    context_ = options_.shared;
    return Status();
  }
  DeviceOptions device = options_.device;
  if (kind == DeviceKind::kX86) device.index = 0;
  return OpenContext(kind, device, &context_);
}

// Makes this machine's device ready for the part. Whatever is in the way, another target may do.
Status Chooser::OpenDevice(const Candidate& candidate) {
  HY_RETURN_IF_ERROR(CheckDevice(*bundle_.part(candidate.part), candidate.named));
  return FindContext(*bundle_.part(candidate.part));
}

Status Chooser::MakeReady(uint32_t part, Executable** executable) {
  if (bundle_.catalogue() != nullptr)
    return ProgramGroup::Create(context_, &bundle_, part, load_, executable);
  return Executable::Create(context_, bundle_.Take(part), load_, executable);
}

// Returns whether an error of a part whose device is open says that the program is wrong, not that
// this device does not suit it.
bool IsFinal(Code code) {
  return code == Code::kDataLoss || code == Code::kNotFound || code == Code::kInvalidArgument;
}

Status Chooser::Choose(Executable** executable) {
  HY_RETURN_IF_ERROR(CpuFeatures(&features_, &cpu_limit_));
  HY_RETURN_IF_ERROR(FindCandidates());
  char name[80];
  snprintf(name, sizeof(name), "%s", bundle_.part(0)->name().data);
  Text text;
  const char* chosen = nullptr;
  for (uint32_t i = 0; i < num_candidates_; ++i) {
    const Candidate& candidate = candidates_[i];
    if (chosen != nullptr) {
      text.Append("%s: %s comes first\n", target(candidate.part), chosen);
      continue;
    }
    Text label;  // the part may be gone when it is needed
    label.Append("%s", target(candidate.part));
    Status status = OpenDevice(candidate);
    const bool opened = status.ok();
    if (opened) status = RegisterCalls(context_, options_.calls, options_.num_calls);
    if (status.ok()) {
      status = MakeReady(candidate.part, executable);
    }
    if (status.ok()) {
      Log(LogLevel::kInfo, "%s: chosen %s, on %s", name, label.get(),
          context_->device()->info().name);
      chosen = (*executable)->program().target().data;
      text.Append("%s: chosen, on %s\n", chosen, context_->device()->info().name);
      continue;
    }
    if (opened && IsFinal(status.code())) return status;
    Log(LogLevel::kInfo, "%s: not %s: %s", name, label.get(), status.message());
    text.Append("%s: %s\n", label.get(), status.message());
  }
  if (chosen == nullptr)
    return MakeStatus(Code::kUnavailable, "%s: none of its targets can run here:\n%s", name,
                      text.get());
  for (uint32_t i = 0; i < bundle_.size(); ++i) {
    if ((added_ >> i & 1) == 0) text.Append("%s: not asked for\n", target(i));
  }
  (*executable)->set_choice(text.Release());
  return Status();
}

}  // namespace

Status ChooseTarget(Bundle* bundle, const ChooseOptions& options, const ExecutableOptions& load,
                    Executable** executable) {
  Executable* made = nullptr;
  HY_RETURN_IF_ERROR(Chooser(bundle, options, load).Choose(&made));
  if (made->group() != nullptr) {
    made->group()->Keep(bundle);
  } else {
    bundle->GiveMapping(const_cast<Program*>(&made->program()));
  }
  *executable = made;
  return Status();
}

}  // namespace halyard::runtime
