// reduce, reduce_window, sort, map: regions that are applied to scalars.
#include <algorithm>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/stablehlo/convert/convert.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;
using mlir::Attribute;

bool Converter::CaptureScalars(const Operation& op, Frame& frame, const Shape& shape,
                               ScalarCaptures* captures) {
  for (const Value* value : Captures({&op.regions[0]})) {
    // A value that is not a scalar is refused by the op that uses it.
    if (!value->type->IsTensor() || !value->type->dims.empty()) continue;
    Instruction* scalar = nullptr;
    if (!Operand(op, *value, frame, &scalar)) return false;
    AttrMap attrs;
    attrs.Set(Attr::kDimensions, Ints{});
    captures->values.push_back(value);
    captures->scalars.push_back(scalar);
    captures->broadcasts.push_back(frame.computation->Add(
        Opcode::kBroadcast, scalar->shape.WithDims(shape.dims()), {scalar}, std::move(attrs)));
  }
  return true;
}

bool Converter::ConvertBody(const Operation& op, const std::vector<const Value*>& captures,
                            const BodyForm& form, hlo::Computation** computation) {
  const mlir::Block* block = nullptr;
  if (!OneBlock(op, op.regions[form.region], &block)) return false;
  Frame inner;
  inner.computation = *computation = module_.AddComputation(
      absl::StrCat(absl::string_view(op.name).substr(op.name.find('.') + 1), "_body"));
  size_t part = block->arguments.size() / form.groups;
  if (part * form.groups != block->arguments.size()) {
    return errors_.Fail(
        block->offset,
        absl::StrCat("'", op.name, "': the number of arguments must be a multiple of ",
                     form.groups));
  }
  int64_t number = 0;
  auto add = [&](const Value& value) {
    Shape shape;
    if (!ShapeOf(*value.type, &shape)) return false;
    Instruction* parameter = inner.computation->AddParameter(number++, std::move(shape));
    parameter->provenance = ProvenanceOf(value.offset, value.location);
    inner.values.emplace(&value, parameter);  // of several copies the first
    return true;
  };
  for (int group = 0; group < form.groups; ++group) {
    for (size_t i = 0; i < part; ++i) {
      if (!add(*block->arguments[group * part + i])) return false;
    }
    for (const Value* value : captures) {
      for (int copy = 0; copy < form.copies; ++copy) {
        if (!add(*value)) return false;
      }
    }
  }
  Instructions results;
  if (!ConvertBlock(op, *block, inner, &results)) return false;
  if (form.return_captures) {
    for (const Value* value : captures) results.push_back(inner.values[value]);
  }
  inner.computation->set_root(Pack(op, inner, results));
  return true;
}

bool Converter::EmitWithExtras(const Operation& op, Frame& frame, Opcode opcode,
                               Instructions operands, AttrMap attrs, hlo::Computation* body,
                               const Instructions& extras) {
  if (extras.empty()) {
    return Emit(op, frame, opcode, std::move(operands), std::move(attrs), {body});
  }
  std::vector<Shape> shapes;
  if (!ResultShapes(op, &shapes)) return false;
  if (shapes.empty() || !shapes[0].IsArray()) return Fail(op, "must give tensors");
  for (const Instruction* extra : extras) {
    shapes.push_back(extra->shape.WithDims(shapes[0].dims()));
  }
  Instruction* inst = frame.computation->Add(opcode, Shape::Tuple(std::move(shapes)),
                                             std::move(operands), std::move(attrs), {body});
  for (size_t i = 0; i < op.results.size(); ++i) {
    frame.values[op.results[i].get()] = Element(frame, inst, i);
  }
  return true;
}

// A capture is one more input, full of its value, with that value to start from; its accumulator
// never changes.
bool Converter::EmitFold(const Operation& op, Frame& frame, Opcode opcode, AttrMap attrs) {
  Instructions operands;
  if (!Operands(op, frame, &operands)) return false;
  if (op.regions.size() != 1) return Fail(op, "must have one region");
  if (operands.empty() || operands.size() % 2 != 0) {
    return Fail(op, absl::StrCat(opcode == Opcode::kReduce ? "C3" : "C1",
                                 ": needs as many initial values as inputs, and at least one"));
  }
  if (!operands[0]->shape.IsArray()) return Fail(op, "inputs must be tensors");
  const mlir::Block* block = nullptr;
  if (!OneBlock(op, op.regions[0], &block)) return false;
  if (!block->arguments.empty() && block->arguments[0]->type->IsTensor() &&
      !block->arguments[0]->type->dims.empty()) {
    return CheckArrayFold(op, frame, opcode, attrs, operands);
  }
  ScalarCaptures captures;
  hlo::Computation* body = nullptr;
  if (!CaptureScalars(op, frame, operands[0]->shape, &captures) ||
      !ConvertBody(op, captures.values, {.groups = 2, .return_captures = true}, &body)) {
    return false;
  }
  auto half = operands.begin() + static_cast<int64_t>(operands.size() / 2);
  operands.insert(half, captures.broadcasts.begin(), captures.broadcasts.end());
  operands.insert(operands.end(), captures.scalars.begin(), captures.scalars.end());
  return EmitWithExtras(op, frame, opcode, std::move(operands), std::move(attrs), body,
                        captures.scalars);
}

namespace {

// Each size of `part` is one of `sizes`, in order.
bool IsSubsequence(const Shape& part, const std::vector<hlo::Size>& sizes) {
  int64_t next = 0;
  for (const hlo::Size& size : sizes) {
    if (next < part.rank() && hlo::SizesAgree(size, hlo::SizeOf(part, next))) ++next;
  }
  return next == part.rank();
}

// Returns what is wrong with the dimensions or the window of a fold of `rank` dimensions, or "".
absl::string_view WrongFold(const AttrMap& attrs, int64_t rank) {
  if (const auto* dims = std::get_if<Ints>(attrs.Find(Attr::kDimensions))) {
    for (size_t i = 0; i < dims->size(); ++i) {
      const int64_t d = (*dims)[i];
      if (d < 0 || d >= rank) return "C4: a dimension is out of range";
      if (std::count(dims->begin(), dims->end(), d) > 1) return "C5: a dimension is there twice";
    }
    return "";
  }
  for (const hlo::WindowDim& dim : std::get<hlo::Window>(*attrs.Find(Attr::kWindow)).dims) {
    if (dim.size < 1 || dim.stride < 1 || dim.base_dilation < 1 || dim.window_dilation < 1) {
      return "C5, C7, C9, C11: the window's sizes, strides and dilations must be positive";
    }
  }
  return "";
}

}  // namespace

// The body works on arrays: of sizes that are among those that are not reduced, or the window's.
// The specification takes scalars only, and nothing says what this computes.
bool Converter::CheckArrayFold(const Operation& op, Frame& frame, Opcode opcode,
                               const AttrMap& attrs, const Instructions& operands) {
  for (const Instruction* operand : operands) {
    if (!operand->shape.IsArray()) return Fail(op, "inputs and initial values must be tensors");
  }
  const Shape& first = operands[0]->shape;
  const absl::string_view wrong = WrongFold(attrs, first.rank());
  if (!wrong.empty()) return Fail(op, wrong);
  const bool reduce = opcode == Opcode::kReduce;
  const absl::string_view label = reduce ? "C6" : "C13";
  hlo::Computation* body = nullptr;
  if (!RefuseCaptures(op) || !ConvertBody(op, {}, {.groups = 2}, &body)) return false;
  const int64_t n = static_cast<int64_t>(operands.size() / 2);
  const Shape& root = body->root()->shape;
  std::vector<Shape> results = root.IsTuple() ? root.elements() : std::vector<Shape>{root};
  if (body->num_parameters() != 2 * n || static_cast<int64_t>(results.size()) != n) {
    return Fail(op, absl::StrCat(label, ": the body must take ", 2 * n, " arrays and give ", n));
  }
  std::vector<hlo::Size> inner, outer;
  for (int64_t d = 0; d < first.rank(); ++d) {
    if (reduce) {
      const auto& dims = std::get<Ints>(*attrs.Find(Attr::kDimensions));
      if (hlo::Contains(dims, d)) continue;
      inner.push_back(hlo::SizeOf(first, d));
      outer.push_back(inner.back());
    } else {
      const hlo::WindowDim& window = std::get<hlo::Window>(*attrs.Find(Attr::kWindow)).dims[d];
      inner.push_back({window.size});
      outer.push_back(hlo::NumWindows(hlo::SizeOf(first, d), window));
    }
  }
  std::vector<Shape> wanted;
  for (int64_t i = 0; i < n; ++i) {
    const Shape& input = operands[i]->shape;
    const Shape& part = results[i];
    bool same = part.IsArray() && hlo::DimsAgree(input, first);
    for (const Shape& other : {body->parameters()[i]->shape, body->parameters()[n + i]->shape}) {
      same = same && hlo::ShapesAgree(other, part);
    }
    if (!same || !hlo::DimsAgree(operands[n + i]->shape, part) ||
        !hlo::IsPromotable(input.element_type(), part.element_type()) ||
        !hlo::IsPromotable(operands[n + i]->shape.element_type(), part.element_type())) {
      return Fail(op,
                  absl::StrCat(label, ": the body's arrays, initial values and results differ"));
    }
    if (!IsSubsequence(part, inner)) {
      return Fail(op, absl::StrCat(label, ": the body's ", part.ToString(),
                                   " is no part of what is folded"));
    }
    wanted.push_back(hlo::ArrayOf(part.element_type(), outer));
  }
  std::vector<Shape> shapes;
  if (!ResultShapes(op, &shapes)) return false;
  for (size_t i = 0; i < shapes.size() || i < wanted.size(); ++i) {
    if (i < shapes.size() && i < wanted.size() && hlo::ShapesAgree(shapes[i], wanted[i])) continue;
    return Fail(op, absl::StrCat("the results are not those of ", wanted.size(), " inputs"));
  }
  return EmitStandIn(op, frame, "initial values that are no scalars");
}

bool Converter::ConvertReduce(const Operation& op, Frame& frame) {
  Ints dims;
  if (!OpReader(op, errors_).Ints("dimensions", &dims)) return false;
  AttrMap attrs;
  attrs.Set(Attr::kDimensions, std::move(dims));
  return EmitFold(op, frame, Opcode::kReduce, std::move(attrs));
}

bool Converter::ConvertReduceWindow(const Operation& op, Frame& frame) {
  OpReader reader(op, errors_);
  Ints sizes, strides, base_dilations, window_dilations;
  if (!reader.Ints("window_dimensions", &sizes)) return false;
  int64_t rank = static_cast<int64_t>(sizes.size());
  if (!op.operands.empty() && op.operands[0]->type->IsTensor() &&
      op.operands[0]->type->dims.size() != sizes.size()) {
    return Fail(op, absl::StrCat("C4: window_dimensions has ", rank, " entries, the inputs ",
                                 op.operands[0]->type->dims.size(), " dimensions"));
  }
  std::vector<std::pair<int64_t, int64_t>> padding;
  if (!reader.IntsOr("window_strides", rank, 1, &strides) ||
      !reader.IntsOr("base_dilations", rank, 1, &base_dilations) ||
      !reader.IntsOr("window_dilations", rank, 1, &window_dilations) ||
      !reader.Pairs("C12", "padding", rank, &padding)) {
    return false;
  }
  for (auto [name, constraint, list] : {std::tuple("window_strides", "C6", &strides),
                                        {"base_dilations", "C8", &base_dilations},
                                        {"window_dilations", "C10", &window_dilations}}) {
    if (list->size() == sizes.size()) continue;
    return Fail(op, absl::StrCat(constraint, ": ", name, " needs one entry per dimension, ", rank,
                                 ", has ", list->size()));
  }
  hlo::Window window;
  for (int64_t i = 0; i < rank; ++i) {
    window.dims.push_back({.size = sizes[i],
                           .stride = strides[i],
                           .pad_low = padding[i].first,
                           .pad_high = padding[i].second,
                           .base_dilation = base_dilations[i],
                           .window_dilation = window_dilations[i]});
  }
  AttrMap attrs;
  attrs.Set(Attr::kWindow, std::move(window));
  return EmitFold(op, frame, Opcode::kReduceWindow, std::move(attrs));
}

bool Converter::ConvertSort(const Operation& op, Frame& frame) {
  OpReader reader(op, errors_);
  int64_t dimension = -1;
  bool stable = false;
  Instructions operands;
  if (!reader.IntOr("dimension", -1, &dimension) || !reader.Flag("is_stable", &stable) ||
      !Operands(op, frame, &operands)) {
    return false;
  }
  if (op.regions.size() != 1) return Fail(op, "must have one region");
  if (operands.empty() || !operands[0]->shape.IsArray()) return Fail(op, "C1: needs a tensor");
  int64_t rank = operands[0]->shape.rank();
  if (dimension < -rank || dimension >= rank) {
    return Fail(op,
                absl::StrCat("C4: dimension ", dimension, " is not in [", -rank, ", ", rank, ")"));
  }
  AttrMap attrs;
  attrs.Set(Attr::kDimensions, Ints{dimension < 0 ? dimension + rank : dimension});
  if (stable) attrs.Set(Attr::kIsStable, true);
  ScalarCaptures captures;
  hlo::Computation* body = nullptr;
  if (!CaptureScalars(op, frame, operands[0]->shape, &captures) ||
      !ConvertBody(op, captures.values, {.copies = 2}, &body)) {
    return false;
  }
  operands.insert(operands.end(), captures.broadcasts.begin(), captures.broadcasts.end());
  return EmitWithExtras(op, frame, Opcode::kSort, std::move(operands), std::move(attrs), body,
                        captures.scalars);
}

bool Converter::ConvertMap(const Operation& op, Frame& frame) {
  Ints dims;
  Instructions operands;
  if (!OpReader(op, errors_).Ints("dimensions", &dims) || !Operands(op, frame, &operands)) {
    return false;
  }
  if (op.regions.size() != 1) return Fail(op, "must have one region");
  if (operands.empty() || !operands[0]->shape.IsArray()) return Fail(op, "C2: needs a tensor");
  AttrMap attrs;
  attrs.Set(Attr::kDimensions, std::move(dims));
  ScalarCaptures captures;
  hlo::Computation* body = nullptr;
  if (!CaptureScalars(op, frame, operands[0]->shape, &captures) ||
      !ConvertBody(op, captures.values, {}, &body)) {
    return false;
  }
  operands.insert(operands.end(), captures.broadcasts.begin(), captures.broadcasts.end());
  return Emit(op, frame, Opcode::kMap, std::move(operands), std::move(attrs), {body});
}

}  // namespace halyard::stablehlo
