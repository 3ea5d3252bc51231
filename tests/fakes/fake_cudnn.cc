#include "tests/fakes/fake_cudnn.h"

#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/cuda/libraries/cudnn_abi.h"
#include "tests/fakes/fake_floats.h"
#include "tests/fakes/fake_library.h"

using namespace halyard::runtime::cuda::cudnn_abi;  // NOLINT: the library's names
using halyard::testing::DecodeFloat;
using halyard::testing::EncodeFloat;
using halyard::testing::FakeCudnn;

namespace {

constexpr int kBadParameter = 2000;

struct Object {
  char kind;  // 'h'andle, 't'ensor, 'f'ilter, 'c'onvolution
  CUstream stream = nullptr;
  int32_t type = 0;
  std::vector<int> dims, strides, padding, step, dilation;
  int groups = 1, math = 0;
};

using Library = halyard::testing::FakeLibrary<FakeCudnn, Object, kBadParameter, 3000>;
Library& L() {
  static Library* library = new Library;
  return *library;
}
#define ENTER(name)                                      \
  std::lock_guard<std::recursive_mutex> lock(L().mutex); \
  if (const int entered = L().Enter(#name, 3000)) return entered

int Violation(const std::string& text) { return L().Violation(text); }

Object& Of(void* object) { return *static_cast<Object*>(object); }

double Load(const uint8_t* data, int64_t index, int32_t type) {
  uint32_t bits = 0;
  double wide;
  switch (type) {
    case kF64:
      std::memcpy(&wide, data + index * 8, 8);
      return wide;
    case kF32:
      std::memcpy(&bits, data + index * 4, 4);
      return DecodeFloat(bits, 8, 23);
    default:
      std::memcpy(&bits, data + index * 2, 2);
      return type == kF16 ? DecodeFloat(bits, 5, 10) : DecodeFloat(bits, 8, 7);
  }
}
void Store(double value, uint8_t* data, int64_t index, int32_t type) {
  uint32_t bits = 0;
  switch (type) {
    case kF64:
      std::memcpy(data + index * 8, &value, 8);
      return;
    case kF32:
      bits = EncodeFloat(value, 8, 23);
      std::memcpy(data + index * 4, &bits, 4);
      return;
    default:
      bits = type == kF16 ? EncodeFloat(static_cast<float>(value), 5, 10)
                          : EncodeFloat(static_cast<float>(value), 8, 7);
      std::memcpy(data + index * 2, &bits, 2);
  }
}

// Moves to the next position within `extents`. Returns false after the last one.
bool Next(std::vector<int>* position, const std::vector<int>& extents) {
  for (size_t d = extents.size(); d-- > 0;) {
    if (++(*position)[d] < extents[d]) return true;
    (*position)[d] = 0;
  }
  return false;
}

struct Work {
  Object x, w, y, convolution;
  const uint8_t *x_data, *w_data;
  uint8_t* y_data;

  static int64_t Index(const Object& tensor, const std::vector<int>& at) {
    int64_t index = 0;
    for (size_t d = 0; d < at.size(); ++d) index += int64_t{at[d]} * tensor.strides[d];
    return index;
  }
  void Run() const {
    const int features = w.dims[1], outputs = w.dims[0] / convolution.groups;
    std::vector<int> at(y.dims.size(), 0);
    do {
      double sum = 0;
      std::vector<int> tap(w.dims.size(), 0);
      std::vector<int> extents = w.dims;
      extents[0] = 1;
      do {
        std::vector<int> from = at;
        from[1] = at[1] / outputs * features + tap[1];
        bool inside = true;
        for (size_t d = 2; d < at.size(); ++d) {
          from[d] = at[d] * convolution.step[d - 2] + tap[d] * convolution.dilation[d - 2] -
                    convolution.padding[d - 2];
          inside &= from[d] >= 0 && from[d] < x.dims[d];
        }
        std::vector<int> weight = tap;
        weight[0] = at[1];
        if (inside) {
          sum += Load(x_data, Index(x, from), x.type) * Load(w_data, Index(w, weight), w.type);
        }
      } while (Next(&tap, extents));
      Store(sum, y_data, Index(y, at), y.type);
    } while (Next(&at, y.dims));
  }
};

}  // namespace

extern "C" {

FakeCudnn* HalyardFakeCudnn() { return &L().fake; }

int cudnnCreate(Handle* handle) {
  ENTER(cudnnCreate);
  return L().Make(handle, 'h');
}
int cudnnDestroy(Handle handle) {
  ENTER(cudnnDestroy);
  return L().Destroy(handle, 'h');
}
int cudnnSetStream(Handle handle, CUstream stream) {
  ENTER(cudnnSetStream);
  Of(handle).stream = stream;
  return 0;
}
int cudnnCreateTensorDescriptor(Tensor* tensor) {
  ENTER(cudnnCreateTensorDescriptor);
  return L().Make(tensor, 't');
}
int cudnnSetTensorNdDescriptor(Tensor tensor, int32_t type, int count, const int* dims,
                               const int* strides) {
  ENTER(cudnnSetTensorNdDescriptor);
  if (count < 4 || count > kMaxDimensions) return Violation("a tensor of that many dimensions");
  Of(tensor).type = type;
  Of(tensor).dims.assign(dims, dims + count);
  Of(tensor).strides.assign(strides, strides + count);
  return 0;
}
int cudnnDestroyTensorDescriptor(Tensor tensor) {
  ENTER(cudnnDestroyTensorDescriptor);
  return L().Destroy(tensor, 't');
}
int cudnnCreateFilterDescriptor(Filter* filter) {
  ENTER(cudnnCreateFilterDescriptor);
  return L().Make(filter, 'f');
}
int cudnnSetFilterNdDescriptor(Filter filter, int32_t type, int format, int count,
                               const int* dims) {
  ENTER(cudnnSetFilterNdDescriptor);
  Object& f = Of(filter);
  f.type = type;
  f.dims.assign(dims, dims + count);
  f.strides.assign(count, 1);
  int stride = format == kNhwc ? dims[1] : 1;
  for (int d = count; d-- > 2;) {
    f.strides[d] = stride;
    stride *= dims[d];
  }
  if (format == kNchw) {
    f.strides[1] = stride;
    stride *= dims[1];
  }
  f.strides[0] = stride;
  return 0;
}
int cudnnDestroyFilterDescriptor(Filter filter) {
  ENTER(cudnnDestroyFilterDescriptor);
  return L().Destroy(filter, 'f');
}
int cudnnCreateConvolutionDescriptor(Convolution* convolution) {
  ENTER(cudnnCreateConvolutionDescriptor);
  return L().Make(convolution, 'c');
}
int cudnnSetConvolutionNdDescriptor(Convolution convolution, int count, const int* padding,
                                    const int* step, const int* dilation, int mode, int32_t) {
  ENTER(cudnnSetConvolutionNdDescriptor);
  if (mode != kCrossCorrelation) return Violation("a reversed window");
  Of(convolution).padding.assign(padding, padding + count);
  Of(convolution).step.assign(step, step + count);
  Of(convolution).dilation.assign(dilation, dilation + count);
  return 0;
}
int cudnnSetConvolutionMathType(Convolution convolution, int math) {
  ENTER(cudnnSetConvolutionMathType);
  Of(convolution).math = math;
  return 0;
}
int cudnnSetConvolutionGroupCount(Convolution convolution, int groups) {
  ENTER(cudnnSetConvolutionGroupCount);
  Of(convolution).groups = groups;
  return 0;
}
int cudnnDestroyConvolutionDescriptor(Convolution convolution) {
  ENTER(cudnnDestroyConvolutionDescriptor);
  return L().Destroy(convolution, 'c');
}
int cudnnGetConvolutionForwardWorkspaceSize(Handle, Tensor x, Filter w, Convolution convolution,
                                            Tensor y, int algorithm, size_t* bytes) {
  ENTER(cudnnGetConvolutionForwardWorkspaceSize);
  const Object &in = Of(x), &window = Of(w), &out = Of(y), &c = Of(convolution);
  if (in.dims[1] != window.dims[1] * c.groups || out.dims[1] != window.dims[0] ||
      in.dims[0] != out.dims[0]) {
    return Violation("features that do not fit");
  }
  for (size_t d = 2; d < in.dims.size(); ++d) {
    const int reach = c.dilation[d - 2] * (window.dims[d] - 1) + 1;
    if (out.dims[d] != (in.dims[d] + 2 * c.padding[d - 2] - reach) / c.step[d - 2] + 1) {
      return Violation("extents that do not fit");
    }
  }
  // TF32 is only allowed where the types ask for it.
  if (in.type == kF32 && c.math != kFmaMath) return Violation("f32 by tensor cores");
  *bytes = algorithm == 0 ? 0 : L().fake.workspace_bytes;
  return 0;
}
int cudnnConvolutionForward(Handle handle, const void*, Tensor x, const void* x_data, Filter w,
                            const void* w_data, Convolution convolution, int algorithm,
                            void* workspace, size_t workspace_bytes, const void*, Tensor y,
                            void* y_data) {
  ENTER(cudnnConvolutionForward);
  if (algorithm != 0 && (workspace == nullptr || workspace_bytes < L().fake.workspace_bytes)) {
    return Violation("too little workspace");
  }
  auto work = std::make_shared<Work>(
      Work{Of(x), Of(w), Of(y), Of(convolution), static_cast<const uint8_t*>(x_data),
           static_cast<const uint8_t*>(w_data), static_cast<uint8_t*>(y_data)});
  ++L().fake.convolutions;
  return L().Launch(Of(handle).stream, [work] { work->Run(); });
}

}  // extern "C"
