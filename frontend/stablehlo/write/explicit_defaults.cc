#include "frontend/stablehlo/write/explicit_defaults.h"

#include <algorithm>

#include "frontend/stablehlo/op_reader.h"
#include "frontend/stablehlo/write/nodes.h"

namespace halyard::stablehlo {
namespace {

using mlir::Attribute;
using mlir::AttributeKind;
using mlir::Operation;

// What an attribute that is left out stands for. Lists are as long as the op's window has
// dimensions.
enum class Default {
  kOnes,
  kFalses,
  kZeroPairs,
  kFalse,
  kZero,
  kMinusOne,
  kOne32,
  kZero32,
  kPrecision,
  kEmptyText
};

struct Row {
  absl::string_view op;
  absl::string_view attribute;
  Default value;
};

constexpr Row kAdded[] = {
    {"stablehlo.cholesky", "lower", Default::kFalse},
    {"stablehlo.composite", "version", Default::kZero32},
    {"stablehlo.convolution", "lhs_dilation", Default::kOnes},
    {"stablehlo.convolution", "padding", Default::kZeroPairs},
    {"stablehlo.convolution", "precision_config", Default::kPrecision},
    {"stablehlo.convolution", "rhs_dilation", Default::kOnes},
    {"stablehlo.convolution", "window_reversal", Default::kFalses},
    {"stablehlo.convolution", "window_strides", Default::kOnes},
    {"stablehlo.custom_call", "api_version", Default::kOne32},
    {"stablehlo.custom_call", "has_side_effect", Default::kFalse},
    {"stablehlo.dot", "precision_config", Default::kPrecision},
    {"stablehlo.dot_general", "precision_config", Default::kPrecision},
    {"stablehlo.dynamic_conv", "lhs_dilation", Default::kOnes},
    {"stablehlo.dynamic_conv", "precision_config", Default::kPrecision},
    {"stablehlo.dynamic_conv", "rhs_dilation", Default::kOnes},
    {"stablehlo.dynamic_conv", "window_reversal", Default::kFalses},
    {"stablehlo.dynamic_conv", "window_strides", Default::kOnes},
    {"stablehlo.dynamic_gather", "indices_are_sorted", Default::kFalse},
    {"stablehlo.gather", "indices_are_sorted", Default::kFalse},
    {"stablehlo.infeed", "infeed_config", Default::kEmptyText},
    {"stablehlo.outfeed", "outfeed_config", Default::kEmptyText},
    {"stablehlo.recv", "is_host_transfer", Default::kFalse},
    {"stablehlo.reduce_window", "base_dilations", Default::kOnes},
    {"stablehlo.reduce_window", "padding", Default::kZeroPairs},
    {"stablehlo.reduce_window", "window_dilations", Default::kOnes},
    {"stablehlo.reduce_window", "window_strides", Default::kOnes},
    {"stablehlo.scatter", "indices_are_sorted", Default::kFalse},
    {"stablehlo.scatter", "unique_indices", Default::kFalse},
    {"stablehlo.select_and_scatter", "padding", Default::kZeroPairs},
    {"stablehlo.select_and_scatter", "window_dimensions", Default::kOnes},
    {"stablehlo.select_and_scatter", "window_strides", Default::kOnes},
    {"stablehlo.send", "is_host_transfer", Default::kFalse},
    {"stablehlo.sort", "dimension", Default::kMinusOne},
    {"stablehlo.sort", "is_stable", Default::kFalse},
    {"stablehlo.torch_index_select", "batch_dims", Default::kZero},
};

// Left out when they say nothing, whatever the op.
constexpr absl::string_view kDropped[] = {
    "backend_config",         "called_computations",
    "channel_handle",         "compare_type",
    "composite_attributes",   "known_expanding_dimensions",
    "operand_layouts",        "known_nonexpanding_dimensions",
    "output_operand_aliases", "result_accuracy",
    "result_layouts",         "use_global_device_ids",
};

bool SaysNothing(const mlir::NamedAttribute& entry) {
  if (std::find(std::begin(kDropped), std::end(kDropped), entry.name) == std::end(kDropped)) {
    return false;
  }
  const Attribute& value = *entry.value;
  switch (value.kind) {
    case AttributeKind::kBool:
      return !value.boolean;
    case AttributeKind::kString:
      return value.text.empty();
    case AttributeKind::kArray:
      return value.elements.empty();
    case AttributeKind::kDictionary:
      return value.entries.empty();
    case AttributeKind::kDense:
    case AttributeKind::kDenseArray:
      return value.data->count == 0;
    case AttributeKind::kDialect:
      break;
    default:
      return false;
  }
  if (entry.name == "compare_type") return value.text == "NOTYPE";
  if (entry.name == "result_accuracy") {
    const Attribute* mode = mlir::Find(value.entries, "mode");
    return value.entries.size() == 1 && mode != nullptr && mode->text == "DEFAULT";
  }
  const Attribute* handle = mlir::Find(value.entries, "handle");
  return entry.name == "channel_handle" && (handle == nullptr || handle->integer == 0);
}

// -1: it cannot be told, and the list is left out.
int64_t WindowRank(const Operation& op) {
  const Attribute* dimensions = op.Attr("window_dimensions");
  if (dimensions != nullptr && dimensions->data != nullptr) return dimensions->data->count;
  if (op.operands.empty() || !op.operands[0]->type->IsTensor()) return -1;
  const auto rank = static_cast<int64_t>(op.operands[0]->type->dims.size());
  return op.name == "stablehlo.select_and_scatter" ? rank : rank - 2;
}

const Attribute* Make(Nodes& nodes, const Operation& op, Default value) {
  const int64_t rank = std::max<int64_t>(WindowRank(op), 0);
  switch (value) {
    case Default::kOnes:
      return rank == 0 ? nullptr : nodes.Ints(hlo::Ints(rank, 1));
    case Default::kFalses:
      return rank == 0 ? nullptr : nodes.Bools(std::vector<bool>(rank, false));
    case Default::kZeroPairs:
      return rank == 0 ? nullptr : nodes.Matrix(hlo::IntLists(rank, hlo::Ints(2, 0)));
    case Default::kFalse:
      return nodes.Bool(false);
    case Default::kZero:
      return nodes.Int(0);
    case Default::kMinusOne:
      return nodes.Int(-1);
    case Default::kOne32:
      return nodes.Int(1, 32);
    case Default::kZero32:
      return nodes.Int(0, 32);
    case Default::kPrecision: {
      const Attribute* word = nodes.Enum("precision", "DEFAULT");
      return nodes.Array({word, word});
    }
    case Default::kEmptyText:
      return nodes.String("");
  }
  return nullptr;
}

void Normalize(Operation& op, Nodes& nodes) {
  auto& attributes = op.attributes;
  const bool transfer = op.name == "stablehlo.send" || op.name == "stablehlo.recv";
  attributes.erase(std::remove_if(attributes.begin(), attributes.end(),
                                  [&](const mlir::NamedAttribute& entry) {
                                    return SaysNothing(entry) &&
                                           !(transfer && entry.name == "channel_handle");
                                  }),
                   attributes.end());
  for (const Row& row : kAdded) {
    if (row.op != op.name) continue;
    const Attribute* given = op.Attr(row.attribute);
    // An empty list of precisions is two defaults as well.
    if (given != nullptr && row.value == Default::kPrecision && given->elements.empty()) {
      std::erase_if(attributes, [&](const auto& entry) { return entry.name == row.attribute; });
      given = nullptr;
    }
    if (given != nullptr) continue;
    if (const Attribute* made = Make(nodes, op, row.value)) {
      attributes.push_back({std::string(row.attribute), made, op.offset});
    }
  }
}

}  // namespace

void MakeDefaultsExplicit(mlir::Document& document) {
  Nodes nodes(document);
  std::vector<Operation*> pending;
  for (const auto& op : document.operations) pending.push_back(op.get());
  while (!pending.empty()) {
    Operation* op = pending.back();
    pending.pop_back();
    if (op->name.rfind("stablehlo.", 0) == 0) Normalize(*op, nodes);
    for (mlir::Region& region : op->regions) {
      for (const auto& block : region.blocks) {
        for (const auto& inner : block->operations) pending.push_back(inner.get());
      }
    }
  }
}

}  // namespace halyard::stablehlo
