// dot_general, dot, convolution.
#include <tuple>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/values/quantized.h"
#include "frontend/stablehlo/convert/convert.h"
#include "frontend/stablehlo/dot_algorithms.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;
using mlir::Attribute;
using mlir::AttributeKind;

namespace {

std::string FieldType(const Attribute& record, absl::string_view name) {
  const Attribute* field = mlir::Find(record.entries, name);
  return field != nullptr && field->type != nullptr ? ToString(*field->type) : "";
}

bool IsF8(absl::string_view type) { return type.substr(0, 2) == "f8"; }

}  // namespace

bool Converter::Precision(const Operation& op, AttrMap* attrs) {
  const Attribute* config = op.Attr("precision_config");
  if (config == nullptr) return true;
  if (!config->Is(AttributeKind::kArray)) {
    return errors_.Fail(config->offset, "precision_config must be a list");
  }
  OpReader reader(op, errors_);
  hlo::Words words;
  bool all_default = true;
  for (const Attribute* precision : config->elements) {
    std::string word;
    if (!reader.WordOf(*precision, "precision_config", "precision", &word)) return false;
    words.push_back(absl::AsciiStrToLower(word));
    all_default = all_default && words.back() == "default";
  }
  if (words.size() == 1) words.push_back("default");  // of the operand that it leaves out
  // A list of defaults has no effect, unless it has the wrong length.
  if (!words.empty() && (!all_default || words.size() != 2)) {
    attrs->Set(Attr::kOperandPrecision, std::move(words));
  }
  return true;
}

bool Converter::DotAlgorithm(const Operation& op, AttrMap* attrs) {
  if (op.Attr("algorithm") == nullptr) return true;
  OpReader reader(op, errors_);
  const Attribute* record = nullptr;
  int64_t operations = 0;
  if (!reader.Struct("algorithm", &record) ||
      !reader.FieldInt(*record, "num_primitive_operations", &operations)) {
    return false;
  }
  int64_t imprecise = 0;
  if (!reader.FieldInt(*record, "allow_imprecise_accumulation", &imprecise)) return false;
  for (auto [field, constraint] : {std::pair("lhs_component_count", "C22"),
                                   {"rhs_component_count", "C23"},
                                   {"num_primitive_operations", "C24"}}) {
    if (mlir::Find(record->entries, field) == nullptr) continue;
    int64_t count = 0;
    if (!reader.FieldInt(*record, field, &count)) return false;
    if (count <= 0) {
      return errors_.FailExactly(
          record->offset, absl::StrCat("'", op.name, "': ", constraint, ": ", field, " is ", count,
                                       ", not positive"));
    }
  }
  std::string lhs = FieldType(*record, "lhs_precision_type");
  std::string rhs = FieldType(*record, "rhs_precision_type");
  std::string accumulator = FieldType(*record, "accumulation_type");
  std::string name;
  if (IsF8(lhs) && IsF8(rhs) && accumulator == "f32" && operations == 1) {
    name = imprecise ? "dot_any_f8_any_f8_f32_fast_accum" : "dot_any_f8_any_f8_f32";
  }
  for (const auto& known : kDotAlgorithms) {
    if (lhs == known.operand && rhs == lhs && accumulator == known.accumulator &&
        operations == known.primitive_operations) {
      name = std::string(known.hlo_name);
    }
  }
  if (name.empty()) {
    return errors_.FailExactly(
        record->offset,
        absl::StrCat("dot algorithm ", lhs, " x ", rhs, " -> ", accumulator, " with ", operations,
                     " primitive operations is not supported"));
  }
  attrs->Set(Attr::kAlgorithm, std::move(name));
  return true;
}

namespace {

// An algorithm says in which type the factors are multiplied, whatever types they have in memory:
// gradients of jax.nn.dot_product_attention are products of f32 and bf16. The narrower of two
// floats is widened, which is exact.
void WidenFactor(hlo::Computation* computation, std::vector<hlo::Instruction*>* operands) {
  if (operands->size() != 2) return;
  hlo::Instruction *&lhs = (*operands)[0], *&rhs = (*operands)[1];
  for (const hlo::Instruction* operand : *operands) {
    if (!operand->shape.IsArray() || operand->shape.IsQuantized()) return;
    const hlo::ElementType type = operand->shape.element_type();
    if (!hlo::IsFloat(type) || hlo::BitWidth(type) < 16) return;
  }
  const int64_t lhs_bits = hlo::BitWidth(lhs->shape.element_type()),
                rhs_bits = hlo::BitWidth(rhs->shape.element_type());
  if (lhs_bits == rhs_bits) return;
  hlo::Instruction*& narrow = lhs_bits < rhs_bits ? lhs : rhs;
  const hlo::ElementType wide = (lhs_bits < rhs_bits ? rhs : lhs)->shape.element_type();
  Graph graph(computation);
  hlo::Instruction* widened = ConvertTo(graph.Of(narrow), wide).inst;
  widened->provenance = narrow->provenance;
  narrow = widened;
}

}  // namespace

bool Converter::ConvertDotGeneral(const Operation& op, Frame& frame) {
  OpReader reader(op, errors_);
  const Attribute* numbers = nullptr;
  if (!reader.Struct("dot_dimension_numbers", &numbers)) return false;
  AttrMap attrs;
  for (auto [name, attr] : {std::pair("lhs_batching_dimensions", Attr::kLhsBatchDims),
                            {"rhs_batching_dimensions", Attr::kRhsBatchDims},
                            {"lhs_contracting_dimensions", Attr::kLhsContractingDims},
                            {"rhs_contracting_dimensions", Attr::kRhsContractingDims}}) {
    Ints dims;
    if (!reader.FieldInts(*numbers, name, &dims)) return false;
    if (!dims.empty()) attrs.Set(attr, std::move(dims));
  }
  Instructions operands;
  if (!Precision(op, &attrs) || !DotAlgorithm(op, &attrs) || !Operands(op, frame, &operands))
    return false;
  if (op.Attr("algorithm") != nullptr) WidenFactor(frame.computation, &operands);
  return Emit(op, frame, Opcode::kDot, std::move(operands), std::move(attrs));
}

// Deprecated: contracts the last dimension of a vector or matrix with the first of another.
bool Converter::ConvertDot(const Operation& op, Frame& frame) {
  Instructions operands;
  if (!Operands(op, frame, &operands)) return false;
  if (operands.size() != 2) return Fail(op, "needs two operands");
  for (const hlo::Instruction* operand : operands) {
    if (!operand->shape.IsArray() || operand->shape.rank() < 1 || operand->shape.rank() > 2) {
      return Fail(op, "operands must be vectors or matrices");
    }
  }
  if (operands[0]->shape.IsQuantized() && operands[1]->shape.IsQuantized()) {
    return DotOfQuantized(op, frame, operands);
  }
  AttrMap attrs;
  attrs.Set(Attr::kLhsContractingDims, Ints{operands[0]->shape.rank() - 1});
  attrs.Set(Attr::kRhsContractingDims, Ints{0});
  return Precision(op, &attrs) &&
         Emit(op, frame, Opcode::kDot, std::move(operands), std::move(attrs));
}

// dot_general restricts quantized types. This op does not: it is the product of the numbers that
// they stand for.
bool Converter::DotOfQuantized(const Operation& op, Frame& frame, const Instructions& operands) {
  Graph graph(frame.computation);
  std::vector<Shape> results;
  if (!ResultShapes(op, &results)) return false;
  std::vector<Term> numbers;
  for (hlo::Instruction* operand : operands) {
    numbers.push_back(
        graph.Add(Opcode::kUniformDequantize, hlo::RealShape(operand->shape), {graph.Of(operand)}));
  }
  if (!graph.status().ok()) return Fail(op, graph.status().message());
  if (results.size() != 1 || !results[0].IsArray()) return Fail(op, "must give one tensor");
  Term product =
      Dot(numbers[0], numbers[1],
          {.lhs_contracting = {numbers[0].rank() - 1}, .rhs_contracting = {0}}, numbers[0].type());
  if (!graph.status().ok()) return Fail(op, graph.status().message());
  if (!hlo::DimsAgree(product.shape(), results[0])) {
    return Fail(op, absl::StrCat("the result is ", product.shape().ToString(), ", not ",
                                 results[0].ToString()));
  }
  if (results[0].IsQuantized()) {
    product = graph.Add(Opcode::kUniformQuantize, results[0], {product});
  }
  return FinishGraph(op, frame, graph, {product});
}

bool Converter::ConvolutionDims(const Operation& op, hlo::ConvDims* dims) {
  OpReader reader(op, errors_);
  const Attribute* numbers = nullptr;
  if (!reader.Struct("dimension_numbers", &numbers)) return false;
  for (auto [name, to] : {std::pair("input_batch_dimension", &dims->input_batch),
                          {"input_feature_dimension", &dims->input_feature},
                          {"kernel_input_feature_dimension", &dims->kernel_input_feature},
                          {"kernel_output_feature_dimension", &dims->kernel_output_feature},
                          {"output_batch_dimension", &dims->output_batch},
                          {"output_feature_dimension", &dims->output_feature}}) {
    if (!reader.FieldInt(*numbers, name, to)) return false;
  }
  return reader.FieldInts(*numbers, "input_spatial_dimensions", &dims->input_spatial) &&
         reader.FieldInts(*numbers, "kernel_spatial_dimensions", &dims->kernel_spatial) &&
         reader.FieldInts(*numbers, "output_spatial_dimensions", &dims->output_spatial);
}

bool Converter::ConvolutionWindow(const Operation& op, const Shape& kernel,
                                  const Ints& kernel_spatial, hlo::Window* window) {
  OpReader reader(op, errors_);
  size_t count = kernel_spatial.size();
  int64_t spatial = static_cast<int64_t>(count);
  if (spatial != kernel.rank() - 2) {
    return Fail(op, absl::StrCat("C17: kernel_spatial_dimensions has ", spatial,
                                 " entries, the kernel ", kernel.rank(), " dimensions"));
  }
  Ints strides, lhs_dilation, rhs_dilation, reversal;
  std::vector<std::pair<int64_t, int64_t>> padding;
  if (!reader.IntsOr("window_strides", spatial, 1, &strides) ||
      !reader.IntsOr("lhs_dilation", spatial, 1, &lhs_dilation) ||
      !reader.IntsOr("rhs_dilation", spatial, 1, &rhs_dilation) ||
      !reader.IntsOr("window_reversal", spatial, 0, &reversal) ||
      !reader.Pairs("C4", "padding", spatial, &padding)) {
    return false;
  }
  for (auto [name, constraint, list] : {std::tuple("window_strides", "C2", &strides),
                                        {"lhs_dilation", "C5", &lhs_dilation},
                                        {"rhs_dilation", "C7", &rhs_dilation},
                                        {"window_reversal", "C9", &reversal}}) {
    if (list->size() == count) continue;
    return Fail(op, absl::StrCat(constraint, ": ", name, " needs one entry per spatial dimension, ",
                                 count, ", has ", list->size()));
  }
  for (size_t i = 0; i < count; ++i) {
    int64_t at = kernel_spatial[i];
    if (at < 0 || at >= kernel.rank()) {
      return Fail(op, absl::StrCat("C18: the kernel has no dimension ", at));
    }
    window->dims.push_back({.size = kernel.dim(at),
                            .stride = strides[i],
                            .pad_low = padding[i].first,
                            .pad_high = padding[i].second,
                            .base_dilation = lhs_dilation[i],
                            .window_dilation = rhs_dilation[i],
                            .reversal = reversal[i] != 0});
  }
  return true;
}

bool Converter::ConvertConvolution(const Operation& op, Frame& frame) {
  hlo::ConvDims dims;
  hlo::Window window;
  Instructions operands;
  if (!ConvolutionDims(op, &dims) || !Operands(op, frame, &operands)) return false;
  const bool dynamic = op.name == "stablehlo.dynamic_conv";
  if (operands.size() != (dynamic ? 3 : 2) || !operands[1]->shape.IsArray()) {
    return Fail(op, dynamic ? "needs two tensors and the padding" : "needs two tensors");
  }
  const Shape& lhs = operands[0]->shape;
  if (!lhs.IsArray() || lhs.rank() != operands[1]->shape.rank()) {
    return Fail(op, absl::StrCat("C1: ranks differ: ", lhs.ToString(), " and ",
                                 operands[1]->shape.ToString()));
  }
  if (!ConvolutionWindow(op, operands[1]->shape, dims.kernel_spatial, &window)) return false;
  AttrMap attrs;
  attrs.Set(Attr::kDimLabels, std::move(dims));
  attrs.Set(Attr::kWindow, std::move(window));
  for (auto [name, attr] : {std::pair("feature_group_count", Attr::kFeatureGroupCount),
                            {"batch_group_count", Attr::kBatchGroupCount}}) {
    int64_t groups = 1;
    if (!OpReader(op, errors_).IntOr(name, 1, &groups)) return false;
    if (groups != 1) attrs.Set(attr, groups);
  }
  return Precision(op, &attrs) &&
         Emit(op, frame, dynamic ? Opcode::kDynamicConvolution : Opcode::kConvolution,
              std::move(operands), std::move(attrs));
}

}  // namespace halyard::stablehlo
