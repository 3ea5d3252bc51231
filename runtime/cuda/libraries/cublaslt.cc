#include "runtime/cuda/libraries/cublaslt.h"

#include <string.h>

#include "runtime/cuda/memory.h"

namespace halyard::runtime::cuda {

using namespace cublaslt_abi;  // NOLINT: the library's names

namespace {

constexpr int kMaxAlgorithms = 16;

const char* NameOf(int status) {
  switch (status) {
    case 1:
      return "not initialized";
    case 3:
      return "allocation failed";
    case 7:
      return "invalid value";
    case 8:
      return "architecture mismatch";
    case 11:
      return "mapping error";
    case 13:
      return "execution failed";
    case 14:
      return "internal error";
    case 15:
      return "not supported";
    case 16:
      return "license error";
    default:
      return "unknown error";
  }
}

struct MatmulConfig {
  int64_t a, b, d, compute, m, n, k, batch, ta, tb, lda, ldb, ldd, sa, sb, sd, bias, relu, fast,
      algorithm, workspace;
};

Status ParseConfig(const char* entry, MatmulConfig* config) {
  const struct {
    const char* name;
    int64_t* value;
  } kFields[] = {
      {"a", &config->a},
      {"b", &config->b},
      {"d", &config->d},
      {"compute", &config->compute},
      {"m", &config->m},
      {"n", &config->n},
      {"k", &config->k},
      {"batch", &config->batch},
      {"ta", &config->ta},
      {"tb", &config->tb},
      {"lda", &config->lda},
      {"ldb", &config->ldb},
      {"ldd", &config->ldd},
      {"sa", &config->sa},
      {"sb", &config->sb},
      {"sd", &config->sd},
      {"bias", &config->bias},
      {"relu", &config->relu},
      {"fast", &config->fast},
      {"algorithm", &config->algorithm},
      {"workspace", &config->workspace},
  };
  if (strncmp(entry, "matmul ", 7) != 0) {
    return MakeStatus(Code::kInvalidArgument, "cuBLASLt: there is no routine \"%s\"", entry);
  }
  for (const auto& field : kFields) {
    if (FindNumber(entry, field.name, field.value) && *field.value >= 0) continue;
    return MakeStatus(Code::kInvalidArgument, "cuBLASLt: \"%s\" does not say %s", entry,
                      field.name);
  }
  if (config->algorithm >= kMaxAlgorithms || config->batch > INT32_MAX) {
    return MakeStatus(Code::kInvalidArgument, "cuBLASLt: \"%s\" is out of range", entry);
  }
  return Status();
}

class MatmulRoutine final : public LibraryRoutine {
 public:
  explicit MatmulRoutine(const CublasLt* library) : lt_(library) {}
  ~MatmulRoutine() {
    if (desc_ != nullptr) lt_->cublasLtMatmulDescDestroy(desc_);
    for (MatrixLayout layout : layouts_) {
      if (layout != nullptr) lt_->cublasLtMatrixLayoutDestroy(layout);
    }
  }
  MatmulRoutine(const MatmulRoutine&) = delete;
  MatmulRoutine& operator=(const MatmulRoutine&) = delete;

  Status Init(const char* entry, uint32_t num_arguments);
  Status Enqueue(CUstream stream, const uint64_t* arguments) override;
  void Destroy() override { gpu::DeleteObject(this); }

 private:
  Status Describe();
  Status AddLayout(int index, int64_t type, int64_t rows, int64_t columns, int64_t stride,
                   int64_t batch_stride);
  Status ChooseAlgorithm(const char* entry);
  template <typename T>
  Status SetAttribute(int attribute, const T& value) {
    return lt_->Check(lt_->cublasLtMatmulDescSetAttribute(desc_, attribute, &value, sizeof(value)),
                      "cublasLtMatmulDescSetAttribute");
  }

  const CublasLt* lt_;
  MatmulConfig config_ = {};
  gpu::Mutex mutex_;  // guards desc_, which holds the bias's address, in Enqueue
  MatmulDesc desc_ = nullptr;
  MatrixLayout layouts_[3] = {};  // a, b, d
  Algorithm algorithm_ = {};
};

Status MatmulRoutine::AddLayout(int index, int64_t type, int64_t rows, int64_t columns,
                                int64_t stride, int64_t batch_stride) {
  MatrixLayout& layout = layouts_[index];
  HY_RETURN_IF_ERROR(
      lt_->Check(lt_->cublasLtMatrixLayoutCreate(&layout, static_cast<int32_t>(type),
                                                 static_cast<uint64_t>(rows),
                                                 static_cast<uint64_t>(columns), stride),
                 "cublasLtMatrixLayoutCreate"));
  if (config_.batch == 1) return Status();
  const int32_t batch = static_cast<int32_t>(config_.batch);
  HY_RETURN_IF_ERROR(lt_->Check(
      lt_->cublasLtMatrixLayoutSetAttribute(layout, kLayoutBatchCount, &batch, sizeof(batch)),
      "cublasLtMatrixLayoutSetAttribute"));
  return lt_->Check(lt_->cublasLtMatrixLayoutSetAttribute(layout, kLayoutBatchStride, &batch_stride,
                                                          sizeof(batch_stride)),
                    "cublasLtMatrixLayoutSetAttribute");
}

Status MatmulRoutine::Describe() {
  const MatmulConfig& c = config_;
  const int32_t scale = c.compute == kCompute32I ? kS32 : c.compute == kCompute64F ? kF64 : kF32;
  HY_RETURN_IF_ERROR(
      lt_->Check(lt_->cublasLtMatmulDescCreate(&desc_, static_cast<int32_t>(c.compute), scale),
                 "cublasLtMatmulDescCreate"));
  HY_RETURN_IF_ERROR(SetAttribute(kDescTransA, static_cast<int32_t>(c.ta)));
  HY_RETURN_IF_ERROR(SetAttribute(kDescTransB, static_cast<int32_t>(c.tb)));
  if (c.bias != 0 || c.relu != 0) {
    const int32_t epilogue = (c.bias != 0 ? kEpilogueBias : 0) | (c.relu != 0 ? kEpilogueRelu : 0);
    HY_RETURN_IF_ERROR(SetAttribute(kDescEpilogue, epilogue));
  }
  if (c.fast != 0) HY_RETURN_IF_ERROR(SetAttribute(kDescFastAccumulation, int8_t{1}));
  HY_RETURN_IF_ERROR(AddLayout(0, c.a, c.ta != 0 ? c.k : c.m, c.ta != 0 ? c.m : c.k, c.lda, c.sa));
  HY_RETURN_IF_ERROR(AddLayout(1, c.b, c.tb != 0 ? c.n : c.k, c.tb != 0 ? c.k : c.n, c.ldb, c.sb));
  return AddLayout(2, c.d, c.m, c.n, c.ldd, c.sd);
}

// Only allows algorithms that add partial sums in the type in which they are computed, and in a
// fixed order.
Status MatmulRoutine::ChooseAlgorithm(const char* entry) {
  Preference preference = nullptr;
  HY_RETURN_IF_ERROR(lt_->Check(lt_->cublasLtMatmulPreferenceCreate(&preference),
                                "cublasLtMatmulPreferenceCreate"));
  const uint64_t workspace = static_cast<uint64_t>(config_.workspace);
  const uint32_t reductions = kReduceInComputeType;
  Status status =
      lt_->Check(lt_->cublasLtMatmulPreferenceSetAttribute(preference, kPreferenceWorkspaceBytes,
                                                           &workspace, sizeof(workspace)),
                 "cublasLtMatmulPreferenceSetAttribute");
  if (status.ok()) {
    status = lt_->Check(lt_->cublasLtMatmulPreferenceSetAttribute(
                            preference, kPreferenceReductionMask, &reductions, sizeof(reductions)),
                        "cublasLtMatmulPreferenceSetAttribute");
  }
  // Without these, the library counts on 256 bytes, which memory of the application may not have.
  const uint32_t alignment = static_cast<uint32_t>(kWrapAlignment);
  for (int i = kPreferenceAlignmentA; status.ok() && i <= kPreferenceAlignmentD; ++i) {
    status = lt_->Check(
        lt_->cublasLtMatmulPreferenceSetAttribute(preference, i, &alignment, sizeof(alignment)),
        "cublasLtMatmulPreferenceSetAttribute");
  }
  HeuristicResult results[kMaxAlgorithms];
  int found = 0;
  if (status.ok()) {
    const int result = lt_->cublasLtMatmulAlgoGetHeuristic(
        lt_->handle, desc_, layouts_[0], layouts_[1], layouts_[2], layouts_[2], preference,
        static_cast<int>(config_.algorithm) + 1, results, &found);
    // The library says "not supported" if it has no algorithm.
    if (result != 15) status = lt_->Check(result, "cublasLtMatmulAlgoGetHeuristic");
  }
  lt_->cublasLtMatmulPreferenceDestroy(preference);
  HY_RETURN_IF_ERROR(static_cast<Status&&>(status));
  if (found <= config_.algorithm || results[config_.algorithm].state != 0) {
    return MakeStatus(Code::kFailedPrecondition,
                      "cuBLASLt proposes %d algorithms for \"%s\": use a lower algorithm, another "
                      "schedule, or compile with --no-libraries",
                      found, entry);
  }
  algorithm_ = results[config_.algorithm].algorithm;
  return Status();
}

Status MatmulRoutine::Init(const char* entry, uint32_t num_arguments) {
  HY_RETURN_IF_ERROR(ParseConfig(entry, &config_));
  const uint32_t wanted = 3 + (config_.workspace != 0) + (config_.bias != 0);
  if (num_arguments != wanted) {
    return MakeStatus(Code::kInvalidArgument, "cuBLASLt: \"%s\" takes %u arguments, not %u", entry,
                      wanted, num_arguments);
  }
  HY_RETURN_IF_ERROR(Describe());
  return ChooseAlgorithm(entry);
}

Status MatmulRoutine::Enqueue(CUstream stream, const uint64_t* arguments) {
  const auto pointer = [arguments](int i) { return reinterpret_cast<void*>(arguments[i]); };
  const float one = 1, zero = 0;
  const double one_f64 = 1, zero_f64 = 0;
  const int32_t one_s32 = 1, zero_s32 = 0;
  const void *alpha = &one, *beta = &zero;
  if (config_.compute == kCompute64F) {
    alpha = &one_f64;
    beta = &zero_f64;
  } else if (config_.compute == kCompute32I) {
    alpha = &one_s32;
    beta = &zero_s32;
  }
  void* workspace = config_.workspace == 0 ? nullptr : pointer(3);
  gpu::MutexLock lock(&mutex_);
  if (config_.bias != 0) {
    const void* bias = pointer(config_.workspace == 0 ? 3 : 4);
    HY_RETURN_IF_ERROR(SetAttribute(kDescBiasPointer, bias));
  }
  return lt_->Check(
      lt_->cublasLtMatmul(lt_->handle, desc_, alpha, pointer(0), layouts_[0], pointer(1),
                          layouts_[1], beta, pointer(2), layouts_[2], pointer(2), layouts_[2],
                          &algorithm_, workspace, static_cast<size_t>(config_.workspace), stream),
      "cublasLtMatmul");
}

}  // namespace

Status CublasLt::Open(const char* path) {
  HY_RETURN_IF_ERROR(file_.Open(path));
#define X(name, parameters) HY_RETURN_IF_ERROR(file_.Find(path, #name, &name));
  HY_CUBLASLT_FUNCTIONS(X)
#undef X
  return Check(cublasLtCreate(&handle), "cublasLtCreate");
}

CublasLt::~CublasLt() {
  if (handle != nullptr) cublasLtDestroy(handle);
}

Status CublasLt::Check(int result, const char* call) const {
  if (result == 0) return Status();
  return MakeStatus(result == 3 ? Code::kResourceExhausted : Code::kFailedPrecondition,
                    "cuBLASLt: %s: %s (%d): update the library or the driver, or compile with "
                    "--no-libraries",
                    call, NameOf(result), result);
}

Status MakeMatmul(const CublasLt* library, const char* entry, uint32_t num_arguments,
                  LibraryRoutine** routine) {
  return MakeRoutine<MatmulRoutine>(library, entry, num_arguments, routine);
}

}  // namespace halyard::runtime::cuda
