#include "runtime/cuda/libraries/cudnn.h"

#include <string.h>

namespace halyard::runtime::cuda {

using namespace cudnn_abi;  // NOLINT: the library's names

namespace {

constexpr int kMaxSpace = kMaxDimensions - 2;

struct ConvolutionConfig {
  int64_t type, format, rank, n, c, k, groups, algorithm, workspace;
  int64_t x[kMaxSpace], w[kMaxSpace], y[kMaxSpace], p[kMaxSpace], s[kMaxSpace], d[kMaxSpace];
};

Status ParseConfig(const char* entry, ConvolutionConfig* config) {
  if (strncmp(entry, "convolution ", 12) != 0) {
    return MakeStatus(Code::kInvalidArgument, "cuDNN: there is no routine \"%s\"", entry);
  }
  const struct {
    const char* name;
    int64_t least;
    int64_t* value;
  } kFields[] = {{"type", 0, &config->type},
                 {"format", 0, &config->format},
                 {"rank", 2, &config->rank},
                 {"n", 1, &config->n},
                 {"c", 1, &config->c},
                 {"k", 1, &config->k},
                 {"groups", 1, &config->groups},
                 {"algorithm", 0, &config->algorithm},
                 {"workspace", 0, &config->workspace}};
  for (const auto& field : kFields) {
    HY_RETURN_IF_ERROR(FindNumberFrom("cuDNN", entry, field.name, field.least, field.value));
  }
  if (config->rank > kMaxSpace || config->format > kNhwc || config->c % config->groups != 0) {
    return MakeStatus(Code::kInvalidArgument, "cuDNN: \"%s\" is out of range", entry);
  }
  const struct {
    char name;
    int64_t least;
    int64_t* values;
  } kSpace[] = {{'x', 1, config->x}, {'w', 1, config->w}, {'y', 1, config->y},
                {'p', 0, config->p}, {'s', 1, config->s}, {'d', 1, config->d}};
  for (const auto& field : kSpace) {
    for (int64_t i = 0; i < config->rank; ++i) {
      const char key[3] = {field.name, static_cast<char>('0' + i), 0};
      HY_RETURN_IF_ERROR(FindNumberFrom("cuDNN", entry, key, field.least, &field.values[i]));
    }
  }
  return Status();
}

class ConvolutionRoutine final : public LibraryRoutine {
 public:
  explicit ConvolutionRoutine(const Cudnn* library) : dnn_(library) {}
  ~ConvolutionRoutine() {
    if (x_ != nullptr) dnn_->cudnnDestroyTensorDescriptor(x_);
    if (y_ != nullptr) dnn_->cudnnDestroyTensorDescriptor(y_);
    if (w_ != nullptr) dnn_->cudnnDestroyFilterDescriptor(w_);
    if (convolution_ != nullptr) dnn_->cudnnDestroyConvolutionDescriptor(convolution_);
  }
  ConvolutionRoutine(const ConvolutionRoutine&) = delete;
  ConvolutionRoutine& operator=(const ConvolutionRoutine&) = delete;

  Status Init(const char* entry, uint32_t num_arguments);
  Status Enqueue(CUstream stream, const uint64_t* arguments) override;
  void Destroy() override { gpu::DeleteObject(this); }

 private:
  Status MakeTensor(int64_t features, const int64_t* space, Tensor* tensor);
  Status MakeFilter();
  Status Describe();

  const Cudnn* dnn_;
  ConvolutionConfig config_ = {};
  Tensor x_ = nullptr, y_ = nullptr;
  Filter w_ = nullptr;
  Convolution convolution_ = nullptr;
};

// The library lists dimensions in the order batch, features, space, whatever their order in memory.
Status ConvolutionRoutine::MakeTensor(int64_t features, const int64_t* space, Tensor* tensor) {
  HY_RETURN_IF_ERROR(
      dnn_->Check(dnn_->cudnnCreateTensorDescriptor(tensor), "cudnnCreateTensorDescriptor"));
  int dims[kMaxDimensions], strides[kMaxDimensions];
  dims[0] = static_cast<int>(config_.n);
  dims[1] = static_cast<int>(features);
  int64_t stride = 1;
  if (config_.format == kNhwc) {
    strides[1] = 1;
    stride = features;
  }
  for (int64_t i = config_.rank; i-- > 0;) {
    dims[i + 2] = static_cast<int>(space[i]);
    strides[i + 2] = static_cast<int>(stride);
    stride *= space[i];
  }
  if (config_.format == kNchw) {
    strides[1] = static_cast<int>(stride);
    stride *= features;
  }
  if (stride > INT32_MAX) {
    return MakeStatus(Code::kInvalidArgument,
                      "cuDNN takes arrays of less than 2^31 elements for each of the batch");
  }
  strides[0] = static_cast<int>(stride);
  return dnn_->Check(
      dnn_->cudnnSetTensorNdDescriptor(*tensor, static_cast<int32_t>(config_.type),
                                       static_cast<int>(config_.rank) + 2, dims, strides),
      "cudnnSetTensorNdDescriptor");
}

Status ConvolutionRoutine::MakeFilter() {
  HY_RETURN_IF_ERROR(
      dnn_->Check(dnn_->cudnnCreateFilterDescriptor(&w_), "cudnnCreateFilterDescriptor"));
  int dims[kMaxDimensions];
  dims[0] = static_cast<int>(config_.k);
  dims[1] = static_cast<int>(config_.c / config_.groups);
  for (int64_t i = 0; i < config_.rank; ++i) dims[i + 2] = static_cast<int>(config_.w[i]);
  return dnn_->Check(dnn_->cudnnSetFilterNdDescriptor(w_, static_cast<int32_t>(config_.type),
                                                      static_cast<int>(config_.format),
                                                      static_cast<int>(config_.rank) + 2, dims),
                     "cudnnSetFilterNdDescriptor");
}

Status ConvolutionRoutine::Describe() {
  HY_RETURN_IF_ERROR(MakeTensor(config_.c, config_.x, &x_));
  HY_RETURN_IF_ERROR(MakeTensor(config_.k, config_.y, &y_));
  HY_RETURN_IF_ERROR(MakeFilter());
  HY_RETURN_IF_ERROR(dnn_->Check(dnn_->cudnnCreateConvolutionDescriptor(&convolution_),
                                 "cudnnCreateConvolutionDescriptor"));
  int padding[kMaxSpace], stride[kMaxSpace], dilation[kMaxSpace];
  for (int64_t i = 0; i < config_.rank; ++i) {
    padding[i] = static_cast<int>(config_.p[i]);
    stride[i] = static_cast<int>(config_.s[i]);
    dilation[i] = static_cast<int>(config_.d[i]);
  }
  // Sums are f32, except for f64.
  HY_RETURN_IF_ERROR(dnn_->Check(
      dnn_->cudnnSetConvolutionNdDescriptor(convolution_, static_cast<int>(config_.rank), padding,
                                            stride, dilation, kCrossCorrelation,
                                            config_.type == kF64 ? kF64 : kF32),
      "cudnnSetConvolutionNdDescriptor"));
  HY_RETURN_IF_ERROR(dnn_->Check(
      dnn_->cudnnSetConvolutionGroupCount(convolution_, static_cast<int>(config_.groups)),
      "cudnnSetConvolutionGroupCount"));
  const bool narrow = config_.type == kF16 || config_.type == kBf16;
  return dnn_->Check(
      dnn_->cudnnSetConvolutionMathType(convolution_, narrow ? kTensorMath : kFmaMath),
      "cudnnSetConvolutionMathType");
}

Status ConvolutionRoutine::Init(const char* entry, uint32_t num_arguments) {
  HY_RETURN_IF_ERROR(ParseConfig(entry, &config_));
  const uint32_t wanted = 3 + (config_.workspace != 0);
  if (num_arguments != wanted) {
    return MakeStatus(Code::kInvalidArgument, "cuDNN: \"%s\" takes %u arguments, not %u", entry,
                      wanted, num_arguments);
  }
  HY_RETURN_IF_ERROR(Describe());
  size_t bytes = 0;
  HY_RETURN_IF_ERROR(dnn_->Check(
      dnn_->cudnnGetConvolutionForwardWorkspaceSize(dnn_->handle, x_, w_, convolution_, y_,
                                                    static_cast<int>(config_.algorithm), &bytes),
      "cudnnGetConvolutionForwardWorkspaceSize"));
  if (bytes > static_cast<uint64_t>(config_.workspace)) {
    return MakeStatus(Code::kFailedPrecondition,
                      "cuDNN wants %zu bytes of workspace for \"%s\": use another algorithm or "
                      "schedule, or compile with --no-libraries",
                      bytes, entry);
  }
  return Status();
}

Status ConvolutionRoutine::Enqueue(CUstream stream, const uint64_t* arguments) {
  const auto pointer = [arguments](int i) { return reinterpret_cast<void*>(arguments[i]); };
  const float one = 1, zero = 0;
  const double one_f64 = 1, zero_f64 = 0;
  const bool wide = config_.type == kF64;
  const void* alpha = wide ? static_cast<const void*>(&one_f64) : &one;
  const void* beta = wide ? static_cast<const void*>(&zero_f64) : &zero;
  HY_RETURN_IF_ERROR(dnn_->Check(dnn_->cudnnSetStream(dnn_->handle, stream), "cudnnSetStream"));
  return dnn_->Check(
      dnn_->cudnnConvolutionForward(dnn_->handle, alpha, x_, pointer(0), w_, pointer(1),
                                    convolution_, static_cast<int>(config_.algorithm),
                                    config_.workspace == 0 ? nullptr : pointer(3),
                                    static_cast<size_t>(config_.workspace), beta, y_, pointer(2)),
      "cudnnConvolutionForward");
}

}  // namespace

Status Cudnn::Open(const char* path) {
  HY_RETURN_IF_ERROR(file_.Open(path));
#define X(name, parameters) HY_RETURN_IF_ERROR(file_.Find(path, #name, &name));
  HY_CUDNN_FUNCTIONS(X)
#undef X
  return Check(cudnnCreate(&handle), "cudnnCreate");
}

Cudnn::~Cudnn() {
  if (handle != nullptr) cudnnDestroy(handle);
}

Status Cudnn::Check(int result, const char* call) const {
  if (result == 0) return Status();
  return MakeStatus(Code::kFailedPrecondition,
                    "cuDNN: %s: status %d: update the library or the driver, use another "
                    "schedule, or compile with --no-libraries",
                    call, result);
}

Status MakeConvolution(const Cudnn* library, const char* entry, uint32_t num_arguments,
                       LibraryRoutine** routine) {
  return MakeRoutine<ConvolutionRoutine>(library, entry, num_arguments, routine);
}

}  // namespace halyard::runtime::cuda
