#include "runtime/cuda/libraries/cufft.h"

#include <string.h>

namespace halyard::runtime::cuda {

using namespace cufft_abi;  // NOLINT: the library's names

namespace {

constexpr Plan kNoPlan = -1;

const char* CufftStatusName(int status) {
  switch (status) {
    case 1:
      return "invalid plan";
    case 2:
      return "allocation failed";
    case 4:
      return "invalid value";
    case 5:
      return "internal error";
    case 6:
      return "execution failed";
    case 7:
      return "setup failed";
    case 8:
      return "invalid size";
    case 11:
      return "invalid device";
    case 13:
      return "no workspace";
    case 16:
      return "not supported";
    case 17:
      return "missing dependency";
    default:
      return "unknown error";
  }
}

struct TransformConfig {
  int64_t type, inverse, rank, batch, workspace;
  int64_t n[kMaxRank];

  bool IsReal() const { return type == kR2C || type == kD2Z; }
  bool IsWide() const { return type == kZ2Z || type == kD2Z; }
  int64_t Points() const {
    int64_t points = 1;
    for (int64_t i = 0; i < rank; ++i) points *= n[i];
    return points;
  }
  // Returns the bytes that one transform of the batch reads.
  uint64_t InputBytes() const {
    return static_cast<uint64_t>(Points()) * (IsWide() ? 8 : 4) * (IsReal() ? 1 : 2);
  }
  // Returns the size of two parts of numbers, real ones or those of a complex one.
  uint64_t PairBytes() const { return IsWide() ? 16 : 8; }
  uint64_t OutputBytes() const {
    const int64_t last = n[rank - 1];
    const int64_t points = IsReal() ? Points() / last * (last / 2 + 1) : Points();
    return static_cast<uint64_t>(points) * PairBytes();
  }
};

Status ParseConfig(const char* entry, TransformConfig* config) {
  if (strncmp(entry, "fft ", 4) != 0) {
    return MakeStatus(Code::kInvalidArgument, "cuFFT: there is no routine \"%s\"", entry);
  }
  HY_RETURN_IF_ERROR(FindNumberFrom("cuFFT", entry, "type", 0, &config->type));
  HY_RETURN_IF_ERROR(FindNumberFrom("cuFFT", entry, "inverse", 0, &config->inverse));
  HY_RETURN_IF_ERROR(FindNumberFrom("cuFFT", entry, "rank", 1, &config->rank));
  HY_RETURN_IF_ERROR(FindNumberFrom("cuFFT", entry, "batch", 1, &config->batch));
  const bool known = config->IsReal() || config->type == kC2C || config->type == kZ2Z;
  if (!known || config->rank > kMaxRank || (config->IsReal() && config->inverse != 0) ||
      !FindNumber(entry, "workspace", &config->workspace) || config->workspace < 0) {
    return MakeStatus(Code::kInvalidArgument, "cuFFT: \"%s\" is out of range", entry);
  }
  int64_t points = config->batch;
  for (int64_t i = 0; i < config->rank; ++i) {
    const char key[3] = {'n', static_cast<char>('0' + i), 0};
    HY_RETURN_IF_ERROR(FindNumberFrom("cuFFT", entry, key, 1, &config->n[i]));
    if (__builtin_mul_overflow(points, config->n[i], &points) || points > INT64_MAX / 64) {
      return MakeStatus(Code::kInvalidArgument, "cuFFT: \"%s\" is out of range", entry);
    }
  }
  return Status();
}

class TransformRoutine final : public LibraryRoutine {
 public:
  explicit TransformRoutine(const Cufft* library) : fft_(library) {}
  ~TransformRoutine() { DropPlan(); }
  TransformRoutine(const TransformRoutine&) = delete;
  TransformRoutine& operator=(const TransformRoutine&) = delete;

  Status Init(const char* entry, uint32_t num_arguments);
  Status Enqueue(CUstream stream, const uint64_t* arguments) override;
  void Destroy() override { gpu::DeleteObject(this); }

 private:
  // Makes a plan for `part` transforms of the batch, and sets `*bytes` to the workspace that it
  // needs, which the caller provides.
  Status MakePlan(int64_t part, size_t* bytes);
  void DropPlan();
  // Whether the input may be read from transform `index` on: cuFFT takes real numbers in pairs.
  bool MayBegin(int64_t index) const {
    return static_cast<uint64_t>(index) * config_.InputBytes() % config_.PairBytes() == 0;
  }
  Status Execute(void* in, void* out);

  const Cufft* fft_;
  TransformConfig config_ = {};
  int64_t part_ = 0;  // number of transforms that the plan does at once
  cufft_abi::Plan plan_ = kNoPlan;
};

void TransformRoutine::DropPlan() {
  if (plan_ != kNoPlan) fft_->cufftDestroy(plan_);
  plan_ = kNoPlan;
}

Status TransformRoutine::MakePlan(int64_t part, size_t* bytes) {
  DropPlan();
  HY_RETURN_IF_ERROR(fft_->Check(fft_->cufftCreate(&plan_), "cufftCreate"));
  HY_RETURN_IF_ERROR(fft_->Check(fft_->cufftSetAutoAllocation(plan_, 0), "cufftSetAutoAllocation"));
  long long n[kMaxRank];
  for (int64_t i = 0; i < config_.rank; ++i) n[i] = config_.n[i];
  part_ = part;
  // Arrays are dense, so there is no embedding.
  return fft_->Check(
      fft_->cufftMakePlanMany64(plan_, static_cast<int>(config_.rank), n, nullptr, 1, 0, nullptr, 1,
                                0, static_cast<int32_t>(config_.type), part, bytes),
      "cufftMakePlanMany64");
}

Status TransformRoutine::Init(const char* entry, uint32_t num_arguments) {
  HY_RETURN_IF_ERROR(ParseConfig(entry, &config_));
  const uint32_t wanted = 2 + (config_.workspace != 0);
  if (num_arguments != wanted) {
    return MakeStatus(Code::kInvalidArgument, "cuFFT: \"%s\" takes %u arguments, not %u", entry,
                      wanted, num_arguments);
  }
  size_t bytes = 0;
  HY_RETURN_IF_ERROR(MakePlan(config_.batch, &bytes));
  while (bytes > static_cast<uint64_t>(config_.workspace) && part_ > 1) {
    int64_t divisor = 2;
    while (divisor <= part_ && (part_ % divisor != 0 || !MayBegin(part_ / divisor))) ++divisor;
    if (divisor > part_) break;
    HY_RETURN_IF_ERROR(MakePlan(part_ / divisor, &bytes));
  }
  if (bytes > static_cast<uint64_t>(config_.workspace)) {
    return MakeStatus(Code::kFailedPrecondition,
                      "cuFFT wants %zu bytes of workspace for \"%s\": compile with --no-libraries",
                      bytes, entry);
  }
  return Status();
}

Status TransformRoutine::Execute(void* in, void* out) {
  const int direction = config_.inverse != 0 ? kInverse : kForward;
  switch (config_.type) {
    case kC2C:
      return fft_->Check(fft_->cufftExecC2C(plan_, in, out, direction), "cufftExecC2C");
    case kZ2Z:
      return fft_->Check(fft_->cufftExecZ2Z(plan_, in, out, direction), "cufftExecZ2Z");
    case kR2C:
      return fft_->Check(fft_->cufftExecR2C(plan_, in, out), "cufftExecR2C");
    default:
      return fft_->Check(fft_->cufftExecD2Z(plan_, in, out), "cufftExecD2Z");
  }
}

Status TransformRoutine::Enqueue(CUstream stream, const uint64_t* arguments) {
  HY_RETURN_IF_ERROR(fft_->Check(fft_->cufftSetStream(plan_, stream), "cufftSetStream"));
  if (config_.workspace != 0) {
    HY_RETURN_IF_ERROR(fft_->Check(
        fft_->cufftSetWorkArea(plan_, reinterpret_cast<void*>(arguments[2])), "cufftSetWorkArea"));
  }
  for (int64_t begin = 0; begin < config_.batch; begin += part_) {
    const uint64_t first = static_cast<uint64_t>(begin);
    HY_RETURN_IF_ERROR(
        Execute(reinterpret_cast<void*>(arguments[0] + first * config_.InputBytes()),
                reinterpret_cast<void*>(arguments[1] + first * config_.OutputBytes())));
  }
  return Status();
}

}  // namespace

Status Cufft::Open(const char* path) {
  HY_RETURN_IF_ERROR(file_.Open(path));
#define X(name, parameters) HY_RETURN_IF_ERROR(file_.Find(path, #name, &name));
  HY_CUFFT_FUNCTIONS(X)
#undef X
  return Status();
}

Status Cufft::Check(int result, const char* call) const {
  if (result == 0) return Status();
  return MakeStatus(result == 2 ? Code::kResourceExhausted : Code::kFailedPrecondition,
                    "cuFFT: %s: %s (%d): update the library or the driver, or compile with "
                    "--no-libraries",
                    call, CufftStatusName(result), result);
}

Status MakeTransform(const Cufft* library, const char* entry, uint32_t num_arguments,
                     LibraryRoutine** routine) {
  return MakeRoutine<TransformRoutine>(library, entry, num_arguments, routine);
}

}  // namespace halyard::runtime::cuda
