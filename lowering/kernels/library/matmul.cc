#include "lowering/kernels/library/matmul.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "lowering/kernels/contraction/operand_precision.h"
#include "runtime/cuda/libraries/cublaslt_abi.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;
namespace cublaslt = runtime::cuda::cublaslt_abi;

// Products of fewer multiply-adds do not fill a GPU: which code they run hardly matters.
constexpr int64_t kLargeProduct = int64_t{1} << 24, kLargeWideProduct = int64_t{1} << 28;
// The most terms whose sum of s8 products fits s32.
constexpr int64_t kMaxIntegerTerms = (int64_t{1} << 17) - 1;

// A product, with what is fused into it.
struct Product {
  const Instruction* dot = nullptr;
  const Instruction* lhs = nullptr;  // parameters
  const Instruction* rhs = nullptr;
  const Instruction* bias = nullptr;  // a parameter, or null
  ElementType result = ElementType::kF32;
  bool relu = false;
};

bool IsScalarZero(const Instruction* value) {
  while (value->opcode == Opcode::kBroadcast || value->opcode == Opcode::kConvert) {
    value = value->operand(0);
  }
  if (value->opcode != Opcode::kConstant || !value->shape.IsScalar()) return false;
  if (value->shape.element_type() == ElementType::kF8E8M0FNU) return false;  // has no zero
  const absl::Span<const std::byte> bytes = value->literal.bytes();
  return std::all_of(bytes.begin(), bytes.end(),
                     [](std::byte byte) { return byte == std::byte{0}; });
}

// Returns the parameter behind `value`, which may be widened on the way, because that is exact.
const Instruction* ParameterOf(const Instruction* value) {
  if (value->opcode == Opcode::kConvert && hlo::BitWidth(value->operand(0)->shape.element_type()) <
                                               hlo::BitWidth(value->shape.element_type())) {
    value = value->operand(0);
  }
  return value->opcode == Opcode::kParameter ? value : nullptr;
}

// Returns bias[n], which is broadcast along the last dimension of the sum.
const Instruction* BiasOf(const Instruction* value, ElementType result) {
  if (value->opcode != Opcode::kBroadcast || value->operand(0)->shape.rank() != 1) return nullptr;
  const hlo::Ints& dimensions = value->GetInts(Attr::kDimensions);
  if (dimensions.size() != 1 || dimensions[0] != value->shape.rank() - 1) return nullptr;
  const Instruction* bias = ParameterOf(value->operand(0));
  return bias != nullptr && bias->shape.element_type() == result ? bias : nullptr;
}

// Matches convert(maximum(dot + bias, 0)), in which every part except the dot is optional. Such a
// kernel rounds only once, at the end.
std::optional<Product> MatchProduct(const Instruction* root) {
  Product product;
  if (!root->shape.IsArray()) return std::nullopt;
  product.result = root->shape.element_type();
  const Instruction* at = root;
  const auto take_relu = [&] {
    if (at->opcode != Opcode::kMaximum || product.relu) return;
    for (int i : {0, 1}) {
      if (!IsScalarZero(at->operand(i))) continue;
      product.relu = true;
      at = at->operand(1 - i);
      return;
    }
  };
  take_relu();
  // Rounding may come before or after the rectifier.
  if (at->opcode == Opcode::kConvert && at->operand(0)->shape.element_type() == ElementType::kF32 &&
      hlo::IsFloat(product.result) && hlo::BitWidth(product.result) == 16) {
    at = at->operand(0);
    take_relu();
  }
  if (at->opcode == Opcode::kAdd && at->shape.element_type() == ElementType::kF32) {
    for (int i : {0, 1}) {
      product.bias = BiasOf(at->operand(i), product.result);
      if (product.bias == nullptr) continue;
      at = at->operand(1 - i);
      break;
    }
  }
  if (at->opcode != Opcode::kDot) return std::nullopt;
  product.dot = at;
  product.lhs = ParameterOf(at->operand(0));
  product.rhs = ParameterOf(at->operand(1));
  if (product.lhs == nullptr || product.rhs == nullptr) return std::nullopt;
  return product;
}

// Returns the cudaDataType, or -1 if there is none.
int32_t DataTypeOf(ElementType type) {
  switch (type) {
    case ElementType::kF32:
      return cublaslt::kF32;
    case ElementType::kF64:
      return cublaslt::kF64;
    case ElementType::kF16:
      return cublaslt::kF16;
    case ElementType::kBF16:
      return cublaslt::kBf16;
    case ElementType::kS8:
      return cublaslt::kS8;
    case ElementType::kS32:
      return cublaslt::kS32;
    case ElementType::kF8E4M3FN:
      return cublaslt::kF8E4M3;
    case ElementType::kF8E5M2:
      return cublaslt::kF8E5M2;
    default:
      return -1;
  }
}

bool IsF8(ElementType type) {
  return type == ElementType::kF8E4M3FN || type == ElementType::kF8E5M2;
}

struct Extents {
  int64_t m = 1, n = 1, k = 1, batch = 1;
  bool k_last_in_lhs = true, k_last_in_rhs = false;
};

// Matches [batch,] m, k times [batch,] k, n; either factor may have its last two dimensions
// exchanged.
std::optional<Extents> MatchExtents(const Instruction& dot) {
  const hlo::Ints& lhs_batch = dot.GetInts(Attr::kLhsBatchDims);
  const hlo::Ints& rhs_batch = dot.GetInts(Attr::kRhsBatchDims);
  const hlo::Ints& lhs_k = dot.GetInts(Attr::kLhsContractingDims);
  const hlo::Ints& rhs_k = dot.GetInts(Attr::kRhsContractingDims);
  const hlo::Shape &lhs = dot.operand(0)->shape, &rhs = dot.operand(1)->shape;
  const int64_t batch = static_cast<int64_t>(lhs_batch.size());
  if (batch > 1 || lhs_k.size() != 1 || rhs_k.size() != 1 || lhs.rank() != batch + 2 ||
      rhs.rank() != batch + 2 || (batch == 1 && (lhs_batch[0] != 0 || rhs_batch[0] != 0))) {
    return std::nullopt;
  }
  Extents e;
  if (batch == 1) e.batch = lhs.dim(0);
  e.k = lhs.dim(lhs_k[0]);
  e.k_last_in_lhs = lhs_k[0] == batch + 1;
  e.k_last_in_rhs = rhs_k[0] == batch + 1;
  e.m = lhs.dim(e.k_last_in_lhs ? batch : batch + 1);
  e.n = rhs.dim(e.k_last_in_rhs ? batch : batch + 1);
  return e;
}

// Returns the compute type for the library, or 0 if it cannot compute the product as the program
// says.
int32_t ComputeTypeOf(const Product& product, const Extents& extents, int32_t capability) {
  const ElementType a = product.lhs->shape.element_type(), b = product.rhs->shape.element_type();
  const ElementType sum = product.dot->shape.element_type();
  const std::string& algorithm = product.dot->GetString(Attr::kAlgorithm);
  if (a == ElementType::kS8 && b == ElementType::kS8) {
    // The library only computes integers if both factors are stored along k, in pieces of 16 bytes.
    const bool fits = extents.k_last_in_lhs && extents.k_last_in_rhs && extents.m % 16 == 0 &&
                      extents.n % 16 == 0 && extents.k % 16 == 0 && extents.k <= kMaxIntegerTerms;
    return fits && product.result == ElementType::kS32 && sum == ElementType::kS32 &&
                   capability >= 75
               ? cublaslt::kCompute32I
               : 0;
  }
  const bool narrow_result =
      product.result == ElementType::kF16 || product.result == ElementType::kBF16;
  // Sums are f32 and rounded once.
  const bool rounds_once =
      sum == ElementType::kF32 || (sum == product.result && product.bias == nullptr);
  if (IsF8(a) && IsF8(b)) {
    const bool fits = extents.k_last_in_lhs && extents.k_last_in_rhs && extents.m % 16 == 0 &&
                      extents.n % 16 == 0 && extents.k % 16 == 0;
    const bool known = algorithm.empty() || absl::StartsWith(algorithm, "dot_any_f8_any_f8_f32");
    return fits && known && rounds_once && product.bias == nullptr && !product.relu &&
                   (a == ElementType::kF8E4M3FN || b == ElementType::kF8E4M3FN) &&
                   (narrow_result || product.result == ElementType::kF32) && capability >= 89
               ? cublaslt::kCompute32F
               : 0;
  }
  if (a != b || !rounds_once) return 0;
  switch (a) {
    case ElementType::kF16:
    case ElementType::kBF16: {
      const bool known = algorithm.empty() || algorithm == "dot_f16_f16_f32" ||
                         algorithm == "dot_bf16_bf16_f32" || algorithm == "dot_f32_f32_f32";
      const bool there = a == ElementType::kF16 ? capability >= 70 : capability >= 80;
      return known && there && (product.result == a || product.result == ElementType::kF32)
                 ? cublaslt::kCompute32F
                 : 0;
    }
    case ElementType::kF32:
      if (product.result != ElementType::kF32) return 0;
      if (algorithm == "dot_tf32_tf32_f32") {
        return capability >= 80 ? cublaslt::kCompute32FFastTf32 : 0;
      }
      return algorithm.empty() || algorithm == "dot_f32_f32_f32" ? cublaslt::kCompute32F : 0;
    case ElementType::kF64:
      return product.result == ElementType::kF64 && sum == ElementType::kF64 && !product.relu &&
                     product.bias == nullptr && algorithm.empty()
                 ? cublaslt::kCompute64F
                 : 0;
    default:
      return 0;
  }
}
}  // namespace

// The library counts column by column, so that it multiplies our transposes: d' = rhs' · lhs'.
std::optional<LibraryCall> MatmulCall(const hlo::Computation& kernel,
                                      const runtime::DeviceInfo& device) {
  const std::optional<Product> product = MatchProduct(kernel.root());
  if (!product.has_value()) return std::nullopt;
  const std::optional<Extents> e = MatchExtents(*product->dot);
  if (!e.has_value() || std::min({e->m, e->n, e->k, e->batch}) == 0) return std::nullopt;
  const int32_t compute = ComputeTypeOf(*product, *e, device.cuda_capability);
  if (compute == 0) return std::nullopt;
  const ElementType left = product->lhs->shape.element_type();
  const bool fast = absl::EndsWith(product->dot->GetString(Attr::kAlgorithm), "_fast_accum");
  // What cuBLAS's documentation recommends.
  const int64_t workspace = device.cuda_capability >= 90 ? int64_t{32} << 20 : int64_t{4} << 20;
  LibraryCall call;
  call.library = runtime::kCublasLt;
  call.routine = absl::StrCat(
      "matmul a=", DataTypeOf(product->rhs->shape.element_type()), " b=", DataTypeOf(left),
      " d=", DataTypeOf(product->result), " compute=", compute, " m=", e->n, " n=", e->m,
      " k=", e->k, " batch=", e->batch, " ta=", e->k_last_in_rhs ? 1 : 0,
      " tb=", e->k_last_in_lhs ? 0 : 1, " lda=", e->k_last_in_rhs ? e->k : e->n,
      " ldb=", e->k_last_in_lhs ? e->k : e->m, " ldd=", e->n);
  absl::StrAppend(&call.routine, " sa=", e->k * e->n, " sb=", e->m * e->k, " sd=", e->m * e->n,
                  " bias=", product->bias != nullptr ? 1 : 0, " relu=", product->relu ? 1 : 0,
                  " fast=", fast ? 1 : 0, " workspace=", workspace);
  call.scratch_bytes = static_cast<uint64_t>(workspace);
  call.algorithms = 8;
  call.arguments = {BufferArgument(kernel, product->rhs->parameter_number),
                    BufferArgument(kernel, product->lhs->parameter_number),
                    BufferArgument(kernel, kernel.num_parameters())};
  runtime::LaunchArgument scratch;
  scratch.kind = runtime::LaunchArgument::Kind::kScratch;
  scratch.bytes = call.scratch_bytes;
  call.arguments.push_back(scratch);
  if (product->bias != nullptr) {
    call.arguments.push_back(BufferArgument(kernel, product->bias->parameter_number));
  }
  // The sums of f8 products have fewer bits than f32 between promotions, so they are not used if
  // the program asks for precision.
  const bool narrow = hlo::BitWidth(left) <= 16 && !(IsF8(left) && AsksForPrecision(*product->dot));
  // Of f32, an H100 took 0.36 of the time of our own with TF32, and 0.80 to 0.94 without.
  const bool wide =
      left == ElementType::kF32 && device.cuda_capability >= 90 && device.cuda_capability < 120;
  const int64_t least = narrow ? kLargeProduct : kLargeWideProduct;
  // Of one row or column and a matrix along k, an H100 took 0.73 of cuBLASLt's time in ours (bf16).
  const bool vector =
      narrow && ((e->m == 1 && e->k_last_in_rhs) || (e->n == 1 && e->k_last_in_lhs));
  call.by_default =
      (narrow || wide) && !vector && !product->relu && e->m * e->n >= least / e->k / e->batch;
  return call;
}

}  // namespace halyard::lowering
