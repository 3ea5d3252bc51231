#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "frontend/hlo/values/strided.h"
#include "lowering/kernels/contraction/packed_factor.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"
#include "runtime/device_class.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Ints;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

// The first cache holds less, however it lies.
constexpr int64_t kSmallFactorBytes = 1024;

// The right factor of a product as [k…, n]: which of its dimensions each of them is.
struct Roles {
  Ints terms;  // slowest first, in the order of the sum
  int64_t features = 0;
};

std::optional<Roles> RolesOfDot(const Instruction& dot) {
  const Shape& rhs = dot.operand(1)->shape;
  Roles roles{dot.GetInts(Attr::kRhsContractingDims), -1};
  if (!dot.GetInts(Attr::kRhsBatchDims).empty() || roles.terms.empty() ||
      rhs.rank() != static_cast<int64_t>(roles.terms.size()) + 1) {
    return std::nullopt;
  }
  roles.features = rhs.rank() * (rhs.rank() - 1) / 2 -
                   std::accumulate(roles.terms.begin(), roles.terms.end(), int64_t{0});
  return roles;
}

std::optional<Roles> RolesOfConvolution(const Instruction& convolution) {
  const hlo::ConvDims& dims = convolution.GetConvDims();
  if (convolution.GetInt(Attr::kFeatureGroupCount, 1) != 1 ||
      convolution.GetInt(Attr::kBatchGroupCount, 1) != 1 ||
      dims.output_feature != convolution.shape.rank() - 1) {
    return std::nullopt;
  }
  Roles roles{dims.kernel_spatial, dims.kernel_output_feature};
  roles.terms.push_back(dims.kernel_input_feature);
  return roles;
}

std::optional<Roles> RolesOf(const Instruction& inst) {
  if (inst.opcode == Opcode::kDot) return RolesOfDot(inst);
  if (inst.opcode == Opcode::kConvolution) return RolesOfConvolution(inst);
  return std::nullopt;
}

// Two or three vectors of the sums' type where they divide the features, else one; 0: no panels.
// Two by 14 places or three by 8 are the register tiles of most products (BestCpuTile).
int64_t WidthFor(const Instruction& product, const Shape& factor, int64_t features,
                 const runtime::DeviceInfo& device) {
  const hlo::ElementType type = factor.element_type();
  if (!hlo::IsFloat(type) || hlo::BitWidth(type) < 16 || factor.ByteSize() < kSmallFactorBytes) {
    return 0;
  }
  const int64_t sum_bytes = std::max<int64_t>(4, hlo::StorageBytes(product.shape.element_type()));
  const int64_t lanes = runtime::X86VectorBytes(device.x86_features) / sum_bytes;
  for (int64_t width : {2 * lanes, 3 * lanes, lanes}) {
    if (features % width == 0) return width;
  }
  // Zeros fill the last panel up, unless these are more than an eighth.
  const int64_t width = 2 * lanes, whole = (features + width - 1) / width * width;
  return (whole - features) * 8 <= features ? width : 0;
}

// The factor's elements as panels [n / width, k…, width], the last filled up with zeros.
Literal Packed(const Literal& factor, const Roles& roles, int64_t width) {
  const Shape& shape = factor.shape();
  const std::vector<int64_t> of_factor = shape.WithDefaultLayout().Strides();
  const int64_t bytes = hlo::StorageBytes(shape.element_type());
  const int64_t features = shape.dim(roles.features), step = of_factor[roles.features];
  std::vector<int64_t> dims = {(features + width - 1) / width}, strides = {width * step};
  int64_t terms = 1;
  for (int64_t d : roles.terms) {
    dims.push_back(shape.dim(d));
    strides.push_back(of_factor[d]);
    terms *= shape.dim(d);
  }
  std::vector<int64_t> of_panels = dims;
  of_panels.push_back(width);
  Literal panels(shape.WithDims(of_panels));
  const std::byte* from = factor.bytes().data();
  std::byte* to = panels.mutable_bytes().data();
  hlo::ForEachStrided(dims, 0, strides, [&](int64_t row, int64_t first) {
    const int64_t used = std::min(width, features - row / terms * width);
    std::byte* const place = to + row * width * bytes;
    if (step == 1) {
      std::memcpy(place, from + first * bytes, used * bytes);
    } else {
      for (int64_t n = 0; n < used; ++n)
        std::memcpy(place + n * bytes, from + (first + n * step) * bytes, bytes);
    }
  });
  return panels;
}

// The product of the packed factor, whose terms now come in the order of its panels.
void PackRight(Rewriter& rewriter, Instruction* product, const Roles& roles, int64_t width) {
  const Instruction& factor = *product->operands[1];
  const int64_t rank = factor.shape.rank();
  Instruction* panels = rewriter.AddConstant(factor, Packed(factor.literal, roles, width));
  Ints order(rank - 1);
  std::iota(order.begin(), order.end(), 1);
  order.insert(order.end(), {0, rank});
  Instruction* rows = rewriter.AddTranspose(factor, panels, order);
  std::vector<int64_t> dims(rows->shape.dims().begin(), rows->shape.dims().end() - 1);
  dims.back() *= width;
  const int64_t features = factor.shape.dim(roles.features);
  Instruction* whole = rewriter.Add(factor, Opcode::kReshape, factor.shape.WithDims(dims), {rows},
                                    OneAttr(Attr::kFrontendAttributes, std::string(kPackedFactor)));
  if (dims.back() != features) {
    hlo::SliceDims kept;
    for (int64_t d : dims) kept.push_back({0, d, 1});
    dims.back() = kept.back().limit = features;
    whole = rewriter.Add(factor, Opcode::kSlice, factor.shape.WithDims(dims), {whole},
                         OneAttr(Attr::kSlice, kept));
  }
  hlo::AttrMap attrs = product->attrs;
  Ints terms(rank - 1);
  std::iota(terms.begin(), terms.end(), 0);
  if (product->opcode == Opcode::kDot) {
    attrs.Set(Attr::kRhsContractingDims, terms);
  } else {
    hlo::ConvDims labels = product->GetConvDims();
    labels.kernel_input_feature = rank - 2;
    labels.kernel_output_feature = rank - 1;
    terms.pop_back();
    labels.kernel_spatial = terms;
    attrs.Set(Attr::kDimLabels, labels);
  }
  rewriter.Replace(product, rewriter.Add(*product, product->opcode, product->shape,
                                         {product->operands[0], whole}, attrs));
}

absl::Status PackIn(hlo::Computation* computation, const runtime::DeviceInfo& device) {
  Rewriter rewriter(computation);
  std::unordered_map<const Instruction*, int> users;
  for (const auto& inst : computation->instructions()) {
    for (const Instruction* operand : inst->operands) ++users[operand];
  }
  for (Instruction* inst : rewriter.Snapshot()) {
    const std::optional<Roles> roles = RolesOf(*inst);
    if (!roles.has_value()) continue;
    const Instruction& factor = *inst->operands[1];
    // Others would need it as it is, too.
    if (factor.opcode != Opcode::kConstant || users[&factor] != 1) continue;
    const int64_t width = WidthFor(*inst, factor.shape, factor.shape.dim(roles->features), device);
    if (width > 0) PackRight(rewriter, inst, *roles, width);
  }
  return rewriter.changed() ? rewriter.Finish() : absl::OkStatus();
}

}  // namespace

absl::Status PackFactors(hlo::Module& module, const runtime::DeviceInfo& device) {
  for (const auto& computation : module.computations()) {
    if (absl::Status s = PackIn(computation.get(), device); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
