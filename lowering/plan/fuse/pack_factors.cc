#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "frontend/hlo/values/decoded.h"
#include "frontend/hlo/values/strided.h"
#include "lowering/kernels/contraction/operand_precision.h"
#include "lowering/kernels/contraction/packed_factor.h"
#include "lowering/plan/fuse/fusion_group.h"
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

// The first cache holds smaller factors, whatever their layout.
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

// How a factor is laid out.
struct Layout {
  int64_t width = 0;  // of a panel; 0: no panels
  int64_t terms = 1;  // in a word
};

// The terms of a word of the factor, if the device computes such products in words: those that
// schedules/contraction/x86_words.cc takes. Memory bounds the products of few places, of bf16 also
// with a conversion of each element, which loses no denormals.
int64_t WordTerms(const Instruction& product, const Roles& roles,
                  const runtime::DeviceInfo& device) {
  using enum hlo::ElementType;
  constexpr int64_t kLeastPlaces = 4;
  if (!MultipliesWords(device)) return 1;
  const Shape& factor = product.operand(1)->shape;
  const hlo::ElementType type = factor.element_type(), sum = product.shape.element_type(),
                         other = product.operand(0)->shape.element_type();
  const bool bytes = type == kS8 && other == kS8 && sum == kS32;
  const bool halves = type == kS16 && other == kS16 && sum == kS32;
  const bool bf16 = type == kBF16 && other == kBF16 && (sum == kBF16 || sum == kF32) &&
                    !AsksForPrecision(product);
  const int64_t terms = bytes ? 4 : halves || bf16 ? 2 : 1;
  const int64_t places = product.shape.NumElements() / factor.dim(roles.features);
  const bool pays = !bf16 || places >= kLeastPlaces;
  return factor.dim(roles.terms.back()) % terms == 0 && pays ? terms : 1;
}

// The first of `widths` that divides the features. Otherwise zeros fill the last panel up, unless
// these are more than an eighth; 0: no panels.
int64_t WidthFor(int64_t features, std::initializer_list<int64_t> widths) {
  for (int64_t width : widths) {
    if (features % width == 0) return width;
  }
  const int64_t width = *widths.begin(), whole = (features + width - 1) / width * width;
  return (whole - features) * 8 > features ? 0 : width;
}

// Lanes of a vector of the product's sums.
int64_t LanesFor(const Instruction& product, const runtime::DeviceInfo& device) {
  const int64_t bytes = hlo::StorageBytes(product.shape.element_type());
  return runtime::X86VectorBytes(device.x86_features) / std::max<int64_t>(4, bytes);
}

// Two or three vectors of the sums' type where they divide the features, else one. Two by 14 places
// or three by 8 are the register tiles of most products (BestCpuTile).
Layout LayoutFor(const Instruction& product, const Roles& roles,
                 const runtime::DeviceInfo& device) {
  const Shape& factor = product.operand(1)->shape;
  const hlo::ElementType type = factor.element_type();
  const int64_t features = factor.dim(roles.features), terms = WordTerms(product, roles, device);
  const bool wide = hlo::IsFloat(type) && hlo::BitWidth(type) >= 16;
  if ((!wide && terms == 1) || factor.ByteSize() < kSmallFactorBytes) return {};
  const int64_t lanes = LanesFor(product, device);
  return {WidthFor(features, {2 * lanes, 3 * lanes, lanes}), terms};
}

// The factor's elements as panels [n / width, k…, width], or [n / width, k… / terms, width, terms],
// the last filled up with zeros.
Literal Packed(const Literal& factor, const Roles& roles, const Layout& layout) {
  const Shape& shape = factor.shape();
  const auto [width, terms] = layout;
  const std::vector<int64_t> of_factor = shape.WithDefaultLayout().Strides();
  const int64_t bytes = hlo::StorageBytes(shape.element_type());
  const int64_t features = shape.dim(roles.features), step = of_factor[roles.features];
  const int64_t next = of_factor[roles.terms.back()];  // from one term of a word to the next
  std::vector<int64_t> dims = {(features + width - 1) / width}, strides = {width * step};
  int64_t rows = 1;
  for (int64_t d : roles.terms) {
    const int64_t of_word = d == roles.terms.back() ? terms : 1;
    dims.push_back(shape.dim(d) / of_word);
    strides.push_back(of_factor[d] * of_word);
    rows *= dims.back();
  }
  std::vector<int64_t> of_panels = dims;
  of_panels.push_back(width);
  if (terms > 1) of_panels.push_back(terms);
  Literal panels(shape.WithDims(of_panels));
  const std::byte* from = factor.bytes().data();
  std::byte* to = panels.mutable_bytes().data();
  hlo::ForEachStrided(dims, 0, strides, [&](int64_t row, int64_t first) {
    const int64_t used = std::min(width, features - row / rows * width);
    std::byte* const place = to + row * width * terms * bytes;
    if (step == 1 && terms == 1) {
      std::memcpy(place, from + first * bytes, used * bytes);
      return;
    }
    for (int64_t n = 0; n < used; ++n) {
      for (int64_t k = 0; k < terms; ++k) {
        std::memcpy(place + (n * terms + k) * bytes, from + (first + n * step + k * next) * bytes,
                    bytes);
      }
    }
  });
  return panels;
}

// Adds the factor in panels, as [k…, n] with the terms in the order of its panels.
Instruction* AddPacked(Rewriter& rewriter, const Instruction& factor, const Literal& elements,
                       const Roles& roles, const Layout& layout) {
  const int64_t rank = factor.shape.rank();
  Instruction* panels = rewriter.AddConstant(factor, Packed(elements, roles, layout));
  Ints order(rank - 1);
  std::iota(order.begin(), order.end(), 1);
  if (layout.terms > 1) order.push_back(rank + 1);
  order.insert(order.end(), {0, rank});
  Instruction* rows = rewriter.AddTranspose(factor, panels, order);
  std::vector<int64_t> dims(rows->shape.dims().begin(), rows->shape.dims().begin() + rank - 1);
  dims[rank - 2] *= layout.terms;
  dims.push_back(panels->shape.dim(0) * layout.width);
  const int64_t features = factor.shape.dim(roles.features);
  Instruction* whole = rewriter.Add(factor, Opcode::kReshape, factor.shape.WithDims(dims), {rows},
                                    OneAttr(Attr::kFrontendAttributes, std::string(kPackedFactor)));
  if (dims.back() == features) return whole;
  hlo::SliceDims kept;
  for (int64_t d : dims) kept.push_back({0, d, 1});
  dims.back() = kept.back().limit = features;
  return rewriter.Add(factor, Opcode::kSlice, factor.shape.WithDims(dims), {whole},
                      OneAttr(Attr::kSlice, kept));
}

// The product of the packed factor.
void PackRight(Rewriter& rewriter, Instruction* product, const Roles& roles, const Layout& layout) {
  const Instruction& factor = *product->operands[1];
  const int64_t rank = factor.shape.rank();
  Instruction* whole = AddPacked(rewriter, factor, factor.literal, roles, layout);
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

using UserCounts = std::unordered_map<const Instruction*, int>;

// The elements of a constant, or of a reshape of one.
std::optional<Literal> ElementsOf(const Instruction& inst) {
  if (inst.opcode == Opcode::kConstant) return inst.literal;
  if (inst.opcode != Opcode::kReshape || inst.operand(0)->opcode != Opcode::kConstant)
    return std::nullopt;
  return hlo::WithShape(inst.operand(0)->literal, inst.shape);
}

// Packs the narrow constants of which a product of one row makes its matrix, element by element
// (MakesWeights), if they lie as [k…, n]. A row of a panel then fills a line of the first cache,
// and the rows follow one another, as no other order of so few bytes does.
void PackMade(Rewriter& rewriter, Instruction* product, const Roles& roles,
              const runtime::DeviceInfo& device, const UserCounts& users) {
  const Instruction& factor = *product->operands[1];
  const int64_t rank = factor.shape.rank(), features = factor.shape.dim(roles.features);
  if (product->opcode != Opcode::kDot || product->shape.NumElements() != features ||
      roles.features != rank - 1 || !std::is_sorted(roles.terms.begin(), roles.terms.end()) ||
      !MakesWeights(factor) || factor.shape.NumElements() < kSmallFactorBytes) {
    return;
  }
  std::vector<Instruction*> ops;  // from the factor on
  Instruction* made = product->operands[1];
  for (int64_t from; (from = OperandMadeFrom(*made)) >= 0; made = made->operands[from]) {
    // A bitcast between widths has other dimensions.
    if (users.at(made) != 1 || made->operand(from)->shape.dims() != factor.shape.dims()) return;
    ops.push_back(made);
  }
  const std::optional<Literal> elements = ElementsOf(*made);
  if (!elements.has_value() || users.at(made) != 1) return;
  const int64_t lanes = LanesFor(*product, device);
  const Layout layout{WidthFor(features, {4 * lanes, 3 * lanes, 2 * lanes, lanes}), 1};
  if (layout.width == 0) return;
  Instruction* packed = AddPacked(rewriter, *made, *elements, roles, layout);
  for (auto op = ops.rbegin(); op != ops.rend(); ++op) {
    std::vector<Instruction*> operands = (*op)->operands;
    std::replace(operands.begin(), operands.end(), made, packed);
    made = *op;
    packed = rewriter.Add(**op, (*op)->opcode, (*op)->shape, std::move(operands), (*op)->attrs,
                          (*op)->called);
  }
  rewriter.Replace(product, rewriter.Add(*product, Opcode::kDot, product->shape,
                                         {product->operands[0], packed}, product->attrs));
}

absl::Status PackIn(hlo::Computation* computation, const runtime::DeviceInfo& device) {
  Rewriter rewriter(computation);
  UserCounts users;
  for (const auto& inst : computation->instructions()) {
    for (const Instruction* operand : inst->operands) ++users[operand];
  }
  for (Instruction* inst : rewriter.Snapshot()) {
    const std::optional<Roles> roles = RolesOf(*inst);
    if (!roles.has_value()) continue;
    const Instruction& factor = *inst->operands[1];
    if (factor.opcode != Opcode::kConstant) {
      PackMade(rewriter, inst, *roles, device, users);
      continue;
    }
    // Other users would need the factor as it is, too.
    if (users[&factor] != 1) continue;
    const Layout layout = LayoutFor(*inst, *roles, device);
    if (layout.width > 0) PackRight(rewriter, inst, *roles, layout);
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
