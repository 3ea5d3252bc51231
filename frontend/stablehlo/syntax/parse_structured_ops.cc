// Pretty forms with a grammar of their own: constant, tuples, calls, convolution, reduce, while.
#include <algorithm>
#include <cstring>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "frontend/stablehlo/syntax/syntax.h"

namespace halyard::stablehlo {
namespace {

using mlir::Attribute;
using mlir::AttributeKind;
using mlir::Block;
using mlir::Operation;
using mlir::Parser;
using mlir::Tok;
using mlir::Type;
using mlir::TypeKind;
using mlir::Value;

bool ParseColonFunctionType(Parser& parser, Operation& op) {
  return parser.ParseOptionalDictionary(&op.attributes) && parser.Expect(':') &&
         parser.ParseOpFunctionType(op);
}

// constant dense<…> : T, or constant() <{value = …}> : () -> T where the types differ (quantized).
bool ParseConstant(Parser& parser, Operation& op) {
  if (parser.Is('(')) {
    if (!ParseBracketedOperands(parser, op)) return false;
    if (parser.Try('<')) {
      if (!parser.ParseAttributeDictionary(&op.attributes) || !parser.Expect('>')) return false;
    }
    return ParseColonFunctionType(parser, op);
  }
  return ParseConstantValue(parser, op);
}

// tuple %a, %b : tuple<T, U>
bool ParseTuple(Parser& parser, Operation& op) {
  if (parser.Is(Tok::kPercentId) && !parser.ParseOperands(&op.operands)) return false;
  if (!parser.ParseOptionalDictionary(&op.attributes) || !parser.Expect(':')) return false;
  size_t offset = parser.token().offset;
  const Type* type = nullptr;
  if (!parser.ParseType(&type)) return false;
  if (type->kind != TypeKind::kTuple) return parser.Fail(offset, "expected a tuple type");
  parser.SetResultTypes(op, {type});
  return parser.CheckOperandTypes(op, type->elements, offset);
}

// get_tuple_element %t[0] : (tuple<…>) -> T
bool ParseGetTupleElement(Parser& parser, Operation& op) {
  int64_t index = 0;
  if (!parser.ParseOperand(&op.operands.emplace_back()) || !parser.Expect('[')) return false;
  size_t offset = parser.token().offset;
  if (!parser.ParseInteger(&index) || !parser.Expect(']')) return false;
  return parser.Add(&op.attributes, "index", MakeInt32(parser, index, offset), offset) &&
         ParseColonFunctionType(parser, op);
}

// optimization_barrier %a, %b : T, U
bool ParseBarrier(Parser& parser, Operation& op) {
  if (parser.Is(Tok::kPercentId) && !parser.ParseOperands(&op.operands)) return false;
  if (!parser.ParseOptionalDictionary(&op.attributes)) return false;
  if (op.operands.empty() && !parser.Is(':')) return true;
  if (!parser.Expect(':')) return false;
  if (parser.Is('(')) return parser.ParseOpFunctionType(op);
  size_t offset = parser.token().offset;
  std::vector<const Type*> types;
  if (!parser.ParseTypeList(&types)) return false;
  parser.SetResultTypes(op, types);
  return parser.CheckOperandTypes(op, types, offset);
}

// custom_call @target(%a) {…} : (T) -> U
bool ParseCustomCall(Parser& parser, Operation& op) {
  size_t offset = parser.token().offset;
  const Attribute* target = nullptr;
  return parser.ParseSymbol(&target) &&
         parser.Add(&op.attributes, "call_target_name", MakeString(parser, target->text, offset),
                    offset) &&
         ParseBracketedOperands(parser, op) && ParseColonFunctionType(parser, op);
}

// composite "ns.op" %a, %b {decomposition = @f} : (T) -> U
bool ParseComposite(Parser& parser, Operation& op) {
  size_t offset = parser.token().offset;
  std::string name;
  if (!parser.ParseString(&name) ||
      !parser.Add(&op.attributes, "name", MakeString(parser, name, offset), offset)) {
    return false;
  }
  if (parser.Is(Tok::kPercentId) && !parser.ParseOperands(&op.operands)) return false;
  return ParseColonFunctionType(parser, op);
}

// `[[0, 1], …]` as dense<…> : tensor<Nx2xi64>.
bool ParsePadding(Parser& parser, const Attribute** padding) {
  size_t offset = parser.token().offset;
  std::vector<int64_t> values;
  bool read = parser.ParseList('[', ']', [&] {
    return parser.Expect('[') && parser.ParseInteger(&values.emplace_back()) &&
           parser.Expect(',') && parser.ParseInteger(&values.emplace_back()) && parser.Expect(']');
  });
  if (!read) return false;
  Attribute* dense = const_cast<Attribute*>(parser.MakeInt64Array(values, offset));
  Type* type = parser.document().NewType(TypeKind::kTensor, offset);
  type->dims = {static_cast<int64_t>(values.size() / 2), 2};
  type->elements = {dense->type};
  dense->kind = AttributeKind::kDense;
  dense->type = type;
  *padding = dense;
  return true;
}

// `[true, false]` or `[1, 0]` as array<i1: …>.
bool ParseBools(Parser& parser, const Attribute** bools) {
  size_t offset = parser.token().offset;
  Attribute* array = parser.document().NewAttribute(AttributeKind::kDenseArray, offset);
  Type* type = parser.document().NewType(TypeKind::kInteger, offset);
  type->name = "i1";
  type->width = 1;
  array->type = type;
  array->data = std::make_shared<mlir::DenseData>();
  array->data->element_type = hlo::ElementType::kPred;
  *bools = array;
  return parser.ParseList('[', ']', [&] {
    int64_t value = parser.IsKeyword("true");
    if (!parser.TryKeyword("true") && !parser.TryKeyword("false")) {
      if (!parser.ParseInteger(&value)) return false;
    }
    array->data->bytes.push_back(static_cast<std::byte>(value != 0));
    ++array->data->count;
    return true;
  });
}

// `{stride = […], pad = […], lhs_dilate = […], rhs_dilate = […], reverse = […]}`
bool ParseWindow(Parser& parser, Operation& op) {
  return parser.ParseList('{', '}', [&] {
    size_t offset = parser.token().offset;
    std::string key;
    const Attribute* value = nullptr;
    if (!parser.ParseName(&key) || !parser.Expect('=')) return false;
    absl::string_view name;
    bool read = false;
    if (key == "pad") {
      name = "padding";
      read = ParsePadding(parser, &value);
    } else if (key == "reverse") {
      name = "window_reversal";
      read = ParseBools(parser, &value);
    } else if (key == "stride" || key == "lhs_dilate" || key == "rhs_dilate") {
      name = key == "stride"       ? "window_strides"
             : key == "lhs_dilate" ? "lhs_dilation"
                                   : "rhs_dilation";
      read = parser.ParseInt64Array(&value);
    } else {
      return parser.Fail(offset, absl::StrCat("a window has no '", key, "'"));
    }
    return read && parser.Add(&op.attributes, name, value, offset);
  });
}

// convolution(%a, %b) dim_numbers = […]x[…]->[…], window = {…} {…} : (T, T) -> U
bool ParseConvolution(Parser& parser, Operation& op) {
  if (!ParseBracketedOperands(parser, op) || !parser.ExpectKeyword("dim_numbers") ||
      !parser.Expect('=')) {
    return false;
  }
  size_t offset = parser.token().offset;
  Attribute* dims = parser.document().NewAttribute(AttributeKind::kDialect, offset);
  dims->name = "stablehlo.conv";
  if (!ParseConvolutionDims(parser, *dims) ||
      !parser.Add(&op.attributes, "dimension_numbers", dims, offset)) {
    return false;
  }
  if (parser.Try(',')) {
    if (!parser.ExpectKeyword("window") || !parser.Expect('=') || !ParseWindow(parser, op)) {
      return false;
    }
  }
  return ParseColonFunctionType(parser, op);
}

const Type* ScalarTensor(Parser& parser, const Type* type) {
  Type* scalar = parser.document().NewType(TypeKind::kTensor, type->offset);
  scalar->elements = {type->IsTensor() ? type->elements[0] : type};
  return scalar;
}

std::unique_ptr<Value> Argument(const Type* type, std::string name, size_t offset, int64_t index) {
  auto value = std::make_unique<Value>();
  value->type = type;
  value->name = std::move(name);
  value->offset = offset;
  value->index = index;
  return value;
}

// The region of `applies stablehlo.add`: that op on two scalars, and a return.
bool BuildAppliedRegion(Parser& parser, Operation& op, std::string body_name, size_t offset) {
  if (op.operands.size() != 2) {
    return parser.Fail(offset, "'applies' needs one input and one initial value");
  }
  const Type* scalar = ScalarTensor(parser, op.operands[0]->type);
  auto block = std::make_unique<Block>();
  block->offset = offset;
  auto body = std::make_unique<Operation>();
  body->name = std::move(body_name);
  body->offset = offset;
  for (int64_t i = 0; i < 2; ++i) {
    block->arguments.push_back(Argument(scalar, i ? "rhs" : "lhs", offset, i));
    body->operands.push_back(block->arguments.back().get());
  }
  parser.SetResultTypes(*body, {scalar});
  auto result = std::make_unique<Operation>();
  result->name = "stablehlo.return";
  result->offset = offset;
  result->operands = {body->results[0].get()};
  block->operations.push_back(std::move(body));
  block->operations.push_back(std::move(result));
  mlir::Region& region = op.regions.emplace_back();
  region.offset = offset;
  region.blocks.push_back(std::move(block));
  return true;
}

// `reducer(%acc: T, %value: T) (%acc: U, %value: U) {…}`: the block takes all accumulators, then
// all values.
bool ParseReducer(Parser& parser, Operation& op) {
  auto block = std::make_unique<Block>();
  std::vector<std::unique_ptr<Value>> values;
  while (parser.Is('(')) {
    size_t offset = parser.token().offset;
    Block pair;
    if (!parser.ParseBlockArguments(&pair)) return false;
    if (pair.arguments.size() != 2)
      return parser.Fail(offset, "expected an accumulator and a value");
    block->arguments.push_back(std::move(pair.arguments[0]));
    values.push_back(std::move(pair.arguments[1]));
  }
  for (auto& value : values) block->arguments.push_back(std::move(value));
  for (size_t i = 0; i < block->arguments.size(); ++i) block->arguments[i]->index = i;
  return parser.ParseRegion(&op.regions.emplace_back(), std::move(block));
}

// reduce(%x init: %c), (%y init: %d) [applies stablehlo.add] across dimensions = [1] {…} : (T, T)
// -> U [reducer…]
bool ParseReduce(Parser& parser, Operation& op) {
  std::vector<Value*> inits;
  do {
    if (!parser.Expect('(') || !parser.ParseOperand(&op.operands.emplace_back()) ||
        !parser.ExpectKeyword("init") || !parser.Expect(':') ||
        !parser.ParseOperand(&inits.emplace_back()) || !parser.Expect(')')) {
      return false;
    }
  } while (parser.Try(','));
  op.operands.insert(op.operands.end(), inits.begin(), inits.end());
  std::string body_name;
  size_t body_offset = parser.token().offset;
  if (parser.TryKeyword("applies")) {
    body_offset = parser.token().offset;
    bool named =
        parser.Is(Tok::kString) ? parser.ParseString(&body_name) : parser.ParseName(&body_name);
    if (!named) return false;
    if (absl::StartsWith(body_name, "mhlo.")) body_name.replace(0, sizeof("mhlo") - 1, "stablehlo");
    constexpr absl::string_view kCommutative[] = {
        "stablehlo.add", "stablehlo.and",      "stablehlo.maximum", "stablehlo.minimum",
        "stablehlo.or",  "stablehlo.multiply", "stablehlo.xor"};
    if (std::find(std::begin(kCommutative), std::end(kCommutative), body_name) ==
        std::end(kCommutative)) {
      return parser.Fail(body_offset, absl::StrCat("'", body_name,
                                                   "' cannot be applied: it is not a "
                                                   "commutative operation of two tensors"));
    }
  }
  if (!parser.ExpectKeyword("across") || !parser.ExpectKeyword("dimensions") ||
      !parser.Expect('=')) {
    return false;
  }
  size_t offset = parser.token().offset;
  const Attribute* dimensions = nullptr;
  if (!parser.ParseInt64Array(&dimensions) ||
      !parser.Add(&op.attributes, "dimensions", dimensions, offset) ||
      !ParseColonFunctionType(parser, op)) {
    return false;
  }
  if (!body_name.empty()) return BuildAppliedRegion(parser, op, std::move(body_name), body_offset);
  return parser.ExpectKeyword("reducer") && ParseReducer(parser, op);
}

// while(%i = %c0, %n = %c1) : T, U [attributes {…}] cond {…} do {…}
bool ParseWhile(Parser& parser, Operation& op) {
  struct Carried {
    std::string name;
    size_t offset;
  };
  std::vector<Carried> carried;
  bool read = parser.ParseList('(', ')', [&] {
    if (!parser.Is(Tok::kPercentId)) return parser.FailHere("expected '%name = %value'");
    carried.push_back({std::string(parser.token().text), parser.token().offset});
    parser.Advance();
    return parser.Expect('=') && parser.ParseOperand(&op.operands.emplace_back());
  });
  if (!read) return false;
  std::vector<const Type*> types;
  if (!carried.empty()) {
    if (!parser.Expect(':')) return false;
    size_t offset = parser.token().offset;
    if (!parser.ParseTypeList(&types) || !parser.CheckOperandTypes(op, types, offset)) return false;
  }
  if (parser.TryKeyword("attributes") && !parser.ParseAttributeDictionary(&op.attributes))
    return false;
  auto block = [&] {
    auto made = std::make_unique<Block>();
    for (size_t i = 0; i < carried.size(); ++i) {
      made->arguments.push_back(Argument(types[i], carried[i].name, carried[i].offset, i));
    }
    return made;
  };
  op.regions.resize(2);
  if (!parser.ExpectKeyword("cond") || !parser.ParseRegion(&op.regions[0], block()) ||
      !parser.ExpectKeyword("do") || !parser.ParseRegion(&op.regions[1], block())) {
    return false;
  }
  parser.SetResultTypes(op, types);
  return true;
}

}  // namespace

bool ParseBracketedOperands(Parser& parser, Operation& op) {
  return parser.ParseList('(', ')',
                          [&] { return parser.ParseOperand(&op.operands.emplace_back()); });
}

const Attribute* MakeString(Parser& parser, absl::string_view text, size_t offset) {
  Attribute* string = parser.document().NewAttribute(AttributeKind::kString, offset);
  string->text = std::string(text);
  return string;
}

bool ParseConstantValue(Parser& parser, Operation& op) {
  if (!parser.ParseOptionalDictionary(&op.attributes)) return false;
  const size_t offset = parser.token().offset;
  const Attribute* value = nullptr;
  if (!parser.ParseAttribute(&value) || !parser.Add(&op.attributes, "value", value, offset)) {
    return false;
  }
  if (value->type == nullptr) return parser.Fail(offset, "a constant's value needs a type");
  parser.SetResultTypes(op, {value->type});
  return true;
}

void AddStructuredOps(mlir::Syntax& syntax) {
  syntax.ops["stablehlo.constant"] = ParseConstant;
  syntax.ops["stablehlo.convolution"] = ParseConvolution;
  syntax.ops["stablehlo.custom_call"] = ParseCustomCall;
  syntax.ops["stablehlo.composite"] = ParseComposite;
  syntax.ops["stablehlo.get_tuple_element"] = ParseGetTupleElement;
  syntax.ops["stablehlo.optimization_barrier"] = ParseBarrier;
  syntax.ops["stablehlo.reduce"] = ParseReduce;
  syntax.ops["stablehlo.return"] = mlir::ParseReturn;
  syntax.ops["stablehlo.tuple"] = ParseTuple;
  syntax.ops["stablehlo.while"] = ParseWhile;
}

}  // namespace halyard::stablehlo
