#include "lowering/kernels/library/form.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "lowering/kernels/library/matmul.h"
#include "runtime/cuda/libraries/cudnn_abi.h"
#include "runtime/cuda/libraries/cufft_abi.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;
namespace cudnn = runtime::cuda::cudnn_abi;
namespace cufft = runtime::cuda::cufft_abi;

// Returns 0 for batch, feature, space; 1 for batch, space, feature; and -1 for anything else, or if
// not all arrays agree.
int FormatOf(const hlo::ConvDims& dims) {
  const int64_t rank = static_cast<int64_t>(dims.input_spatial.size());
  for (const int format : {cudnn::kNchw, cudnn::kNhwc}) {
    const int64_t feature = format == cudnn::kNchw ? 1 : rank + 1;
    const int64_t space = format == cudnn::kNchw ? 2 : 1;
    bool fits = dims.input_batch == 0 && dims.output_batch == 0 &&
                dims.kernel_output_feature == 0 && dims.input_feature == feature &&
                dims.output_feature == feature && dims.kernel_input_feature == feature;
    for (int64_t i = 0; i < rank; ++i) {
      fits = fits && dims.input_spatial[i] == space + i && dims.kernel_spatial[i] == space + i &&
             dims.output_spatial[i] == space + i;
    }
    if (fits) return format;
  }
  return -1;
}

int32_t ConvolutionTypeOf(ElementType type, int32_t capability) {
  switch (type) {
    case ElementType::kF32:
      return cudnn::kF32;
    case ElementType::kF64:
      return cudnn::kF64;
    case ElementType::kF16:
      return cudnn::kF16;
    case ElementType::kBF16:
      return capability >= 80 ? cudnn::kBf16 : -1;
    default:
      return -1;
  }
}

// Convolutions for which an H100's cuDNN needed less time than our kernels: images without groups
// or holes, of f32, or of narrow types with features last and in whole vectors, where ours do not
// use wgmma. (With it they took 0.75 to 0.91 of cuDNN's time.) Others may be slow, or not be
// supported for all that their descriptions say, which only the run would show.
bool IsFasterByLibrary(const Instruction& convolution, int format, int capability) {
  const ElementType type = convolution.shape.element_type();
  const hlo::ConvDims& dims = convolution.GetConvDims();
  const hlo::Shape &x = convolution.operand(0)->shape, &w = convolution.operand(1)->shape;
  const int64_t inputs = x.dim(dims.input_feature), features = w.dim(dims.kernel_output_feature);
  if (dims.input_spatial.size() != 2 || convolution.GetInt(Attr::kFeatureGroupCount, 1) != 1)
    return false;
  for (const hlo::WindowDim& d : convolution.GetWindow().dims) {
    if (d.window_dilation != 1) return false;
  }
  const double multiply_adds =
      static_cast<double>(convolution.shape.NumElements()) *
      static_cast<double>(w.NumElements() / std::max<int64_t>(1, features));
  if (type == ElementType::kF32) return multiply_adds >= 2e7;
  if ((type != ElementType::kF16 && type != ElementType::kBF16) || capability == 90) return false;
  return format == cudnn::kNhwc && inputs % 8 == 0 && features % 8 == 0 && multiply_adds >= 1e9;
}

// Returns the call for a convolution of two parameters, all of one type, with the same padding on
// both sides.
std::optional<LibraryCall> ConvolutionCall(const hlo::Computation& kernel,
                                           const runtime::DeviceInfo& device) {
  const Instruction* root = kernel.root();
  if (root->opcode != Opcode::kConvolution || root->operand(0)->opcode != Opcode::kParameter ||
      root->operand(1)->opcode != Opcode::kParameter) {
    return std::nullopt;
  }
  const hlo::Shape &x = root->operand(0)->shape, &w = root->operand(1)->shape, &y = root->shape;
  const int32_t type = ConvolutionTypeOf(x.element_type(), device.cuda_capability);
  const hlo::ConvDims& dims = root->GetConvDims();
  const int64_t rank = static_cast<int64_t>(dims.input_spatial.size());
  const int format = FormatOf(dims);
  if (type < 0 || format < 0 || rank < 2 || rank > cudnn::kMaxDimensions - 2 ||
      w.element_type() != x.element_type() || y.element_type() != x.element_type() ||
      root->GetInt(Attr::kBatchGroupCount, 1) != 1) {
    return std::nullopt;
  }
  LibraryCall call;
  call.library = runtime::kCudnn;
  call.algorithms = 2;  // others change more than the order of the sum
  call.by_default = IsFasterByLibrary(*root, format, device.cuda_capability);
  call.routine =
      absl::StrCat("convolution type=", type, " format=", format, " rank=", rank, " n=", x.dim(0),
                   " c=", x.dim(dims.input_feature), " k=", y.dim(dims.output_feature),
                   " groups=", root->GetInt(Attr::kFeatureGroupCount, 1));
  const hlo::Window& window = root->GetWindow();
  for (int64_t i = 0; i < rank; ++i) {
    const hlo::WindowDim& d = window.dims[i];
    if (d.pad_low != d.pad_high || d.pad_low < 0 || d.base_dilation != 1 || d.reversal ||
        y.dim(dims.output_spatial[i]) == 0) {
      return std::nullopt;
    }
    absl::StrAppend(&call.routine, " x", i, "=", x.dim(dims.input_spatial[i]), " w", i, "=",
                    w.dim(dims.kernel_spatial[i]), " y", i, "=", y.dim(dims.output_spatial[i]),
                    " p", i, "=", d.pad_low, " s", i, "=", d.stride, " d", i, "=",
                    d.window_dilation);
  }
  call.arguments = {BufferArgument(kernel, root->operand(0)->parameter_number),
                    BufferArgument(kernel, root->operand(1)->parameter_number),
                    BufferArgument(kernel, kernel.num_parameters())};
  // Leaves room for all three arrays in another order, and for offsets.
  runtime::LaunchArgument scratch;
  scratch.kind = runtime::LaunchArgument::Kind::kScratch;
  for (const runtime::LaunchArgument& argument : call.arguments) scratch.bytes += argument.bytes;
  scratch.bytes = (scratch.bytes + (8 << 20) + 255) / 256 * 256;
  if (scratch.bytes > INT32_MAX) return std::nullopt;
  absl::StrAppend(&call.routine, " workspace=", scratch.bytes);
  call.scratch_bytes = scratch.bytes;
  call.arguments.push_back(scratch);
  return call;
}

// Returns the call for unscaled-fft(x[batch, n0, …]), which a pass makes if the device has cuFFT.
std::optional<LibraryCall> TransformCall(const hlo::Computation& kernel) {
  const Instruction* root = kernel.root();
  if (root->opcode != Opcode::kUnscaledFft || root->operand(0)->opcode != Opcode::kParameter) {
    return std::nullopt;
  }
  const hlo::Shape& x = root->operand(0)->shape;
  const std::string& type = root->GetString(Attr::kFftType);
  const hlo::Ints& lengths = root->GetInts(Attr::kFftLength);
  const ElementType part =
      hlo::IsComplex(x.element_type()) ? hlo::PartType(x.element_type()) : x.element_type();
  const bool wide = part == ElementType::kF64, real = type == "RFFT";
  if (type == "IRFFT" || x.rank() != static_cast<int64_t>(lengths.size()) + 1) return std::nullopt;
  LibraryCall call;
  call.library = runtime::kCufft;
  call.by_default = true;
  call.routine = absl::StrCat(
      "fft type=", real ? (wide ? cufft::kD2Z : cufft::kR2C) : (wide ? cufft::kZ2Z : cufft::kC2C),
      " inverse=", type == "IFFT" ? 1 : 0, " rank=", lengths.size(), " batch=", x.dim(0));
  for (size_t i = 0; i < lengths.size(); ++i) {
    absl::StrAppend(&call.routine, " n", i, "=", lengths[i]);
  }
  // Plans need room for the array once; without a batch, they need it twice. The rest is for
  // rounding up.
  const uint64_t array = static_cast<uint64_t>(x.NumElements()) * (wide ? 16 : 8);
  call.scratch_bytes = (x.dim(0) == 1 ? 2 : 1) * array + (uint64_t{1} << 20);
  call.scratch_bytes = (call.scratch_bytes + 255) / 256 * 256;
  absl::StrAppend(&call.routine, " workspace=", call.scratch_bytes);
  call.arguments = {BufferArgument(kernel, 0), BufferArgument(kernel, kernel.num_parameters())};
  runtime::LaunchArgument scratch;
  scratch.kind = runtime::LaunchArgument::Kind::kScratch;
  scratch.bytes = call.scratch_bytes;
  call.arguments.push_back(scratch);
  return call;
}

}  // namespace

runtime::LaunchArgument BufferArgument(const hlo::Computation& kernel, int64_t index) {
  runtime::LaunchArgument argument;
  argument.index = static_cast<uint32_t>(index);
  const hlo::Shape& shape =
      index < kernel.num_parameters() ? kernel.parameters()[index]->shape : kernel.root()->shape;
  int64_t bytes = hlo::StorageBytes(shape.element_type());
  for (int64_t extent : shape.dims()) bytes *= extent;
  argument.bytes = static_cast<uint64_t>(bytes);
  return argument;
}

std::string LibraryCall::Entry(int64_t algorithm) const {
  // cuDNN's algorithm 1 finds its indices beforehand; 0 was ten times slower on an H100.
  if (library == runtime::kCudnn) algorithm = algorithms - 1 - algorithm;
  return absl::StrCat(routine, " algorithm=", algorithm);
}

std::optional<LibraryCall> FindLibraryCall(const hlo::Computation& kernel,
                                           const runtime::DeviceInfo& device) {
  if (device.kind != runtime::DeviceKind::kCuda) return std::nullopt;
  std::optional<LibraryCall> call;
  if ((device.libraries & runtime::kCublasLt) != 0) call = MatmulCall(kernel, device);
  if (!call.has_value() && (device.libraries & runtime::kCudnn) != 0) {
    call = ConvolutionCall(kernel, device);
  }
  if (!call.has_value() && (device.libraries & runtime::kCufft) != 0) call = TransformCall(kernel);
  return call;
}

}  // namespace halyard::lowering
