// CHLO's elementwise ops, constant_like and top_k.
#include "frontend/stablehlo/convert/convert.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/stablehlo/chlo/expand.h"
#include "frontend/stablehlo/syntax/keyword_ops.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

namespace {

// A function of floats, of complex numbers, or both.
struct UnaryFunction {
  absl::string_view name;
  Term (*of_float)(Term);
  Term (*of_complex)(Term);
};

Term Itself(Term x) { return x; }
Term Erf(Term x) { return Unary(Opcode::kErf, x); }
Term Tan(Term x) { return Unary(Opcode::kTan, x); }
Term Square(Term x) { return x * x; }

constexpr UnaryFunction kUnary[] = {
#define CHLO_UNARY(name, of_float, of_complex) {"chlo." name, of_float, of_complex},
#define CHLO_BINARY(name)
#define CHLO_BROADCASTING(name)
#include "frontend/stablehlo/chlo/ops.def"
    {"stablehlo.exp2", Exp2, ComplexExp2},
    {"stablehlo.log2", Log2, ComplexLog2},
};

const UnaryFunction* FindUnary(absl::string_view name) {
  auto found = std::find_if(std::begin(kUnary), std::end(kUnary),
                            [&](const UnaryFunction& f) { return f.name == name; });
  return found == std::end(kUnary) ? nullptr : found;
}

bool IsElementwise(absl::string_view name) {
  return absl::ConsumePrefix(&name, "chlo.") &&
         std::find(std::begin(kChloElementwise), std::end(kChloElementwise), name) !=
             std::end(kChloElementwise);
}

// Floats narrower than f32 are computed in f32 and rounded once.
Term Widened(Term x) {
  const bool wide = hlo::IsComplex(x.type()) || hlo::BitWidth(x.type()) >= 32;
  return wide ? x : ConvertTo(x, ElementType::kF32);
}

Term IsInfinite(absl::string_view name, Term x) {
  Term wide = Widened(x);  // formats without infinities have no such constant
  if (name == "chlo.is_inf") return Abs(wide) == HUGE_VAL;
  return wide == (name == "chlo.is_neg_inf" ? -HUGE_VAL : HUGE_VAL);
}

}  // namespace

void Converter::AddChloHandlers(absl::flat_hash_map<absl::string_view, Handler>& handlers) {
  for (const UnaryFunction& function : kUnary) {
    handlers[function.name] = &Converter::ConvertChloUnary;
  }
  static const auto* names = [] {
    auto* made = new std::vector<std::pair<std::string, Handler>>();
    for (absl::string_view name : kChloElementwise) {
      std::string op = absl::StrCat("chlo.", name);
      if (FindUnary(op) == nullptr)
        made->emplace_back(std::move(op), &Converter::ConvertChloBinary);
    }
    for (absl::string_view name : kChloBroadcasting) {
      made->emplace_back(absl::StrCat("chlo.broadcast_", name), &Converter::ConvertChloBroadcast);
    }
    return made;
  }();
  for (const auto& [name, handler] : *names) handlers[name] = handler;
  handlers["chlo.constant"] = &Converter::ConvertConstant;
  handlers["chlo.constant_like"] = &Converter::ConvertConstantLike;
  handlers["chlo.ragged_dot"] = &Converter::ConvertRaggedDot;
  handlers["chlo.scan"] = &Converter::ConvertScan;
  handlers["chlo.top_k"] = &Converter::ConvertTopK;
}

bool Converter::ChloOperands(const Operation& op, Frame& frame, size_t count,
                             Instructions* operands) {
  return ChloOperands(op, frame, op.name, count, operands);
}

bool Converter::ChloOperands(const Operation& op, Frame& frame, absl::string_view name,
                             size_t count, Instructions* operands) {
  if (!Operands(op, frame, operands)) return false;
  if (operands->size() != count) return Fail(op, absl::StrCat("needs ", count, " operand(s)"));
  // An op that works element by element has constants of the sizes of its operands, whatever these
  // turn out to be.
  const bool any_size = FindUnary(name) != nullptr || IsElementwise(name) ||
                        name == "chlo.constant_like" || name == "chlo.top_k";
  for (const Instruction* operand : *operands) {
    const Shape& shape = operand->shape;
    if (!shape.IsArray()) return Fail(op, "operands must be tensors");
    if (shape.IsQuantized()) {
      return Fail(op, absl::StrCat("does not take quantized types: ", shape.ToString()));
    }
    if (shape.IsDynamic() && !any_size) {
      return Fail(op, absl::StrCat("operands must have static shapes, one is ", shape.ToString()));
    }
  }
  return true;
}

bool Converter::HasDynamicOperand(const Operation& op, Frame& frame) {
  for (const Value* operand : op.operands) {
    Instruction* inst = nullptr;
    if (Operand(op, *operand, frame, &inst) && inst->shape.IsDynamic()) return true;
  }
  return false;
}

bool Converter::FinishGraph(const Operation& op, Frame& frame, const Graph& graph,
                            const std::vector<Term>& values) {
  if (!graph.status().ok()) return Fail(op, graph.status().message());
  std::vector<Shape> shapes;
  if (!ResultShapes(op, &shapes)) return false;
  if (shapes.size() != values.size()) {
    return Fail(op, absl::StrCat("must have ", values.size(), " result(s)"));
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (!hlo::ShapesAgree(shapes[i], values[i].shape())) {
      return Fail(op, absl::StrCat("result ", i, " is ", values[i].shape().ToString(),
                                   ", its type says ", shapes[i].ToString()));
    }
    frame.values[op.results[i].get()] = values[i].inst;
  }
  return true;
}

bool Converter::ConvertChloUnary(const Operation& op, Frame& frame) {
  return ConvertChloFunction(op, frame, op.name);
}

bool Converter::IsChloFunction(absl::string_view name) { return FindUnary(name) != nullptr; }

bool Converter::ConvertChloFunction(const Operation& op, Frame& frame, absl::string_view name) {
  Instructions operands;
  if (!ChloOperands(op, frame, name, 1, &operands)) return false;
  Graph graph(frame.computation);
  Term x = graph.Of(operands[0]);
  const bool is_float = hlo::IsFloat(x.type()), is_complex = hlo::IsComplex(x.type());
  if (absl::StartsWith(name, "chlo.is_")) {
    if (!is_float) return Fail(op, absl::StrCat("needs floats, is given ", x.shape().ToString()));
    return FinishGraph(op, frame, graph, {IsInfinite(name, x)});
  }
  const UnaryFunction& function = *FindUnary(name);
  Term (*apply)(Term) = is_complex ? function.of_complex : is_float ? function.of_float : nullptr;
  if (apply == nullptr) {
    absl::string_view takes = function.of_float == nullptr     ? "complex numbers"
                              : function.of_complex == nullptr ? "floats"
                                                               : "floats or complex numbers";
    return Fail(op, absl::StrCat("needs ", takes, ", is given ", x.shape().ToString()));
  }
  return FinishGraph(op, frame, graph, {ConvertTo(apply(Widened(x)), x.type())});
}

bool Converter::ConvertChloBinary(const Operation& op, Frame& frame) {
  Instructions operands;
  if (!ChloOperands(op, frame, 2, &operands)) return false;
  Graph graph(frame.computation);
  std::vector<Term> arrays = {graph.Of(operands[0]), graph.Of(operands[1])};
  if (!Shape::SameIgnoringLayout(arrays[0].shape(), arrays[1].shape())) {
    return Fail(op, absl::StrCat("operands must have one type, are ", arrays[0].shape().ToString(),
                                 " and ", arrays[1].shape().ToString()));
  }
  return ApplyChloBinary(op, frame, graph, op.name, arrays);
}

bool Converter::ApplyChloBinary(const Operation& op, Frame& frame, const Graph& graph,
                                absl::string_view name, const std::vector<Term>& arrays) {
  Term x = arrays[0], y = arrays[1];
  const ElementType type = x.type();
  if (name == "chlo.mulhi") {
    if (!hlo::IsInteger(type)) {
      return Fail(op, absl::StrCat("needs integers, is given ", x.shape().ToString()));
    }
    return FinishGraph(op, frame, graph, {MulHigh(x, y)});
  }
  if (!hlo::IsFloat(type)) {
    return Fail(op, absl::StrCat("needs floats, is given ", x.shape().ToString()));
  }
  if (name == "chlo.next_after") {
    if (hlo::BitWidth(type) < 8 || type == ElementType::kF8E8M0FNU) {
      return Fail(op, absl::StrCat("is not defined on ", hlo::MlirName(type)));
    }
    return FinishGraph(op, frame, graph, {NextAfter(x, y)});
  }
  x = Widened(x);
  y = Widened(y);
  Term value = name == "chlo.zeta" ? Zeta(x, y) : Polygamma(x, y);
  return FinishGraph(op, frame, graph, {ConvertTo(value, type)});
}

// Makes an array of one value, which may be a number of any class or a complex pair.
bool Converter::ConvertConstantLike(const Operation& op, Frame& frame) {
  Instructions operands;
  if (!ChloOperands(op, frame, 1, &operands)) return false;
  const mlir::Attribute* value = op.Attr("value");
  if (value == nullptr || value->type == nullptr) return Fail(op, "attribute 'value' is missing");
  std::optional<ElementType> type = mlir::ScalarType(*value->type);
  if (value->data != nullptr && value->type->IsTensor() && value->type->dims.empty()) {
    type = value->data->element_type;
  }
  if (!type.has_value()) return Fail(op, "the value must be a number");
  hlo::Literal literal(Shape::Scalar(*type));
  if (value->data != nullptr && value->data->count == 1) {
    literal = hlo::Literal::Borrow(Shape::Scalar(*type), value->data->bytes.data(), value->data);
  } else if (value->Is(mlir::AttributeKind::kFloat) && hlo::IsFloat(*type)) {
    literal.SetBits(0, value->bits);
  } else if (value->Is(mlir::AttributeKind::kInteger) && hlo::IsInteger(*type)) {
    literal.SetInt(0, value->integer);
  } else if (value->Is(mlir::AttributeKind::kBool) && *type == ElementType::kPred) {
    literal.SetInt(0, value->boolean);
  } else {
    return Fail(op, absl::StrCat("the value must be a number, is ", ToString(*value)));
  }
  Graph graph(frame.computation);
  Term scalar = graph.Of(frame.computation->AddConstant(std::move(literal)));
  const Shape& like = operands[0]->shape;
  if (!like.IsDynamic()) return FinishGraph(op, frame, graph, {Broadcast(scalar, like.dims(), {})});
  std::vector<Term> sizes;
  for (int64_t d = 0; d < like.rank(); ++d) {
    AttrMap attrs;
    attrs.Set(Attr::kDimensions, hlo::Ints{d});
    Term size = graph.Add(Opcode::kGetDimensionSize, {graph.Of(operands[0])}, std::move(attrs));
    sizes.push_back(graph.Add(Opcode::kReshape, Shape::Array(ElementType::kS32, {1}), {size}, {}));
  }
  AttrMap along, none;
  along.Set(Attr::kDimensions, hlo::Ints{0});
  none.Set(Attr::kDimensions, hlo::Ints{});
  Term all = graph.Add(Opcode::kConcatenate, std::move(sizes), std::move(along));
  return FinishGraph(op, frame, graph,
                     {graph.Add(Opcode::kDynamicBroadcastInDim, like.WithElementType(scalar.type()),
                                {scalar, all}, std::move(none))});
}

bool Converter::ConvertTopK(const Operation& op, Frame& frame) {
  int64_t k = 0;
  return OpReader(op, errors_).Int("k", &k) && EmitTopK(op, frame, k, /*largest=*/true);
}

bool Converter::EmitTopK(const Operation& op, Frame& frame, int64_t k, bool largest) {
  Instructions operands;
  if (!ChloOperands(op, frame, "chlo.top_k", 1, &operands)) return false;
  const Shape& shape = operands[0]->shape;
  if (shape.rank() < 1) return Fail(op, "needs a tensor of at least one dimension");
  if (hlo::IsComplex(shape.element_type())) {
    return Fail(op, absl::StrCat("complex numbers have no order: ", shape.ToString()));
  }
  const int64_t last = shape.rank() - 1;
  if (k < 0 || !hlo::SizeFits({k}, hlo::SizeOf(shape, last))) {
    return Fail(op, absl::StrCat("k = ", k, " is not in [0, ", shape.dim(last), "]"));
  }
  AttrMap attrs;
  attrs.Set(Attr::kK, k);
  attrs.Set(Attr::kLargest, largest);
  Graph graph(frame.computation);
  Term top = graph.Add(Opcode::kTopK, {graph.Of(operands[0])}, std::move(attrs));
  if (!graph.status().ok()) return Fail(op, graph.status().message());
  return FinishGraph(op, frame, graph, {graph.Element(top, 0), graph.Element(top, 1)});
}

}  // namespace halyard::stablehlo
