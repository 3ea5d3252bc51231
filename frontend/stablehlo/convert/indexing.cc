// gather, scatter, select_and_scatter.
#include <tuple>

#include "absl/strings/str_cat.h"
#include "frontend/stablehlo/convert/convert.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;
using mlir::Attribute;

namespace {

struct DimensionList {
  const char* name;
  Attr attr;
  bool optional = false;
};

// The lists of dimensions of a structure such as `#stablehlo.gather<…>`, and its index_vector_dim.
bool ReadDimensionNumbers(OpReader& reader, absl::string_view name,
                          std::initializer_list<DimensionList> lists, AttrMap* attrs) {
  const Attribute* numbers = nullptr;
  if (!reader.Struct(name, &numbers)) return false;
  for (const DimensionList& list : lists) {
    Ints dims;
    if (!reader.FieldInts(*numbers, list.name, &dims)) return false;
    if (!list.optional || !dims.empty()) attrs->Set(list.attr, std::move(dims));
  }
  int64_t index_vector_dim = 0;
  if (!reader.FieldInt(*numbers, "index_vector_dim", &index_vector_dim)) return false;
  attrs->Set(Attr::kIndexVectorDim, index_vector_dim);
  return true;
}

bool ReadFlag(OpReader& reader, absl::string_view name, Attr attr, AttrMap* attrs) {
  bool value = false;
  if (!reader.Flag(name, &value)) return false;
  if (value) attrs->Set(attr, true);
  return true;
}

}  // namespace

bool Converter::ConvertGather(const Operation& op, Frame& frame) {
  OpReader reader(op, errors_);
  AttrMap attrs;
  Ints sizes;
  if (!ReadDimensionNumbers(
          reader, "dimension_numbers",
          {{"offset_dims", Attr::kOffsetDims},
           {"collapsed_slice_dims", Attr::kCollapsedSliceDims},
           {"start_index_map", Attr::kStartIndexMap},
           {"operand_batching_dims", Attr::kOperandBatchingDims, true},
           {"start_indices_batching_dims", Attr::kStartIndicesBatchingDims, true}},
          &attrs) ||
      !ReadFlag(reader, "indices_are_sorted", Attr::kIndicesAreSorted, &attrs)) {
    return false;
  }
  if (op.name == "stablehlo.dynamic_gather") {
    return Plain(op, frame, Opcode::kDynamicGather, std::move(attrs));
  }
  if (!reader.Ints("slice_sizes", &sizes)) return false;
  attrs.Set(Attr::kSliceSizes, std::move(sizes));
  return Plain(op, frame, Opcode::kGather, std::move(attrs));
}

bool Converter::ConvertScatter(const Operation& op, Frame& frame) {
  OpReader reader(op, errors_);
  AttrMap attrs;
  if (!ReadDimensionNumbers(
          reader, "scatter_dimension_numbers",
          {{"update_window_dims", Attr::kUpdateWindowDims},
           {"inserted_window_dims", Attr::kInsertedWindowDims},
           {"scatter_dims_to_operand_dims", Attr::kScatterDimsToOperandDims},
           {"input_batching_dims", Attr::kInputBatchingDims, true},
           {"scatter_indices_batching_dims", Attr::kScatterIndicesBatchingDims, true}},
          &attrs) ||
      !ReadFlag(reader, "indices_are_sorted", Attr::kIndicesAreSorted, &attrs) ||
      !ReadFlag(reader, "unique_indices", Attr::kUniqueIndices, &attrs)) {
    return false;
  }
  if (op.regions.size() != 1) return Fail(op, "must have one region");
  Instructions operands;
  hlo::Computation* body = nullptr;
  ScalarCaptures captures;
  if (!Operands(op, frame, &operands)) return false;
  const size_t inputs = operands.size() / 2;  // then the indices, and as many updates
  if (operands.size() < 3 || operands.size() % 2 == 0 || !operands[0]->shape.IsArray() ||
      !operands.back()->shape.IsArray()) {
    return ConvertBody(op, {}, {}, &body) &&
           Emit(op, frame, Opcode::kScatter, std::move(operands), std::move(attrs), {body});
  }
  if (!CaptureScalars(op, frame, operands[0]->shape, &captures) ||
      !ConvertBody(op, captures.values, {.groups = 2, .return_captures = true}, &body)) {
    return false;
  }
  // A capture is one more input full of its value, and is updated by that value.
  const Shape updates = operands.back()->shape;
  for (Instruction* scalar : captures.scalars) {
    AttrMap dims;
    dims.Set(Attr::kDimensions, Ints{});
    operands.push_back(frame.computation->Add(
        Opcode::kBroadcast, Shape::Array(scalar->shape.element_type(), updates.dims()), {scalar},
        std::move(dims)));
  }
  operands.insert(operands.begin() + static_cast<int64_t>(inputs), captures.broadcasts.begin(),
                  captures.broadcasts.end());
  return EmitWithExtras(op, frame, Opcode::kScatter, std::move(operands), std::move(attrs), body,
                        captures.scalars);
}

bool Converter::ConvertSelectAndScatter(const Operation& op, Frame& frame) {
  OpReader reader(op, errors_);
  Instructions operands;
  if (!Operands(op, frame, &operands)) return false;
  if (operands.empty() || !operands[0]->shape.IsArray()) return Fail(op, "I1: needs a tensor");
  const int64_t rank = operands[0]->shape.rank();
  Ints sizes, strides;
  std::vector<std::pair<int64_t, int64_t>> padding;
  if (!reader.IntsOr("window_dimensions", 0, 1, &sizes) ||
      !reader.IntsOr("window_strides", rank, 1, &strides) ||
      !reader.Pairs("C8", "padding", rank, &padding)) {
    return false;
  }
  for (auto [name, constraint, list] :
       {std::tuple("window_dimensions", "C4", &sizes), {"window_strides", "C6", &strides}}) {
    if (static_cast<int64_t>(list->size()) == rank) continue;
    return Fail(op, absl::StrCat(constraint, ": ", name, " needs one entry per dimension, ", rank,
                                 ", has ", list->size()));
  }
  if (op.regions.size() != 2) return Fail(op, "must have two regions");
  if (!RefuseCaptures(op)) return false;
  hlo::Window window;
  for (int64_t i = 0; i < rank; ++i) {
    window.dims.push_back({.size = sizes[i],
                           .stride = strides[i],
                           .pad_low = padding[i].first,
                           .pad_high = padding[i].second});
  }
  AttrMap attrs;
  attrs.Set(Attr::kWindow, std::move(window));
  hlo::Computation *select = nullptr, *scatter = nullptr;
  return ConvertBody(op, {}, {}, &select) && ConvertBody(op, {}, {.region = 1}, &scatter) &&
         Emit(op, frame, Opcode::kSelectAndScatter, std::move(operands), std::move(attrs),
              {select, scatter});
}

}  // namespace halyard::stablehlo
