// Pretty forms of module, func.func, func.call and return.
#include "absl/strings/str_cat.h"
#include "frontend/mlir/parser.h"

namespace halyard::mlir {
namespace {

Attribute* StringAttribute(Parser& parser, std::string text, size_t offset) {
  Attribute* attribute = parser.document().NewAttribute(AttributeKind::kString, offset);
  attribute->text = std::move(text);
  return attribute;
}

// `@name` as the attribute sym_name.
bool ParseSymbolName(Parser& parser, Operation& op) {
  size_t offset = parser.token().offset;
  const Attribute* symbol = nullptr;
  if (!parser.ParseSymbol(&symbol)) return false;
  return parser.Add(&op.attributes, "sym_name", StringAttribute(parser, symbol->text, offset),
                    offset);
}

// `attributes {…}` or nothing.
bool ParseKeywordDictionary(Parser& parser, Operation& op) {
  return !parser.TryKeyword("attributes") || parser.ParseAttributeDictionary(&op.attributes);
}

// module [@name] [attributes {…}] {…}
bool ParseModule(Parser& parser, Operation& op) {
  if (parser.Is(Tok::kAtId) && !ParseSymbolName(parser, op)) return false;
  return ParseKeywordDictionary(parser, op) &&
         parser.ParseIsolatedRegion(&op.regions.emplace_back());
}

struct Signature {
  std::unique_ptr<Block> entry = std::make_unique<Block>();
  std::vector<const Type*> inputs;
  std::vector<const Type*> results;
  std::vector<const Attribute*> input_attributes;
  std::vector<const Attribute*> result_attributes;
  bool named = false;  // arguments have names: there is a body
};

bool ParseTypeWithAttributes(Parser& parser, std::vector<const Type*>* types,
                             std::vector<const Attribute*>* attributes) {
  if (!parser.ParseType(&types->emplace_back())) return false;
  Attribute* dictionary =
      parser.document().NewAttribute(AttributeKind::kDictionary, parser.token().offset);
  attributes->push_back(dictionary);
  return parser.ParseOptionalDictionary(&dictionary->entries);
}

bool ParseArgument(Parser& parser, Signature& signature) {
  auto argument = std::make_unique<Value>();
  argument->offset = parser.token().offset;
  argument->index = static_cast<int64_t>(signature.inputs.size());
  bool named = parser.Is(Tok::kPercentId);
  if (!signature.inputs.empty() && named != signature.named) {
    return parser.FailHere("either all arguments have names or none");
  }
  signature.named = named;
  if (named) {
    argument->name = std::string(parser.token().text);
    parser.Advance();
    if (!parser.Expect(':')) return false;
  }
  if (!ParseTypeWithAttributes(parser, &signature.inputs, &signature.input_attributes))
    return false;
  if (!parser.ParseOptionalLocation(&argument->location)) return false;
  argument->type = signature.inputs.back();
  if (named) signature.entry->arguments.push_back(std::move(argument));
  return true;
}

bool ParseResults(Parser& parser, Signature& signature) {
  if (!parser.Try(Tok::kArrow)) return true;
  if (!parser.Is('(')) {
    // The grammar of the StableHLO document lists results without brackets. A '{' after them is the
    // body's.
    do {
      if (!parser.ParseType(&signature.results.emplace_back())) return false;
    } while (parser.Try(','));
    return true;
  }
  return parser.ParseList('(', ')', [&] {
    return ParseTypeWithAttributes(parser, &signature.results, &signature.result_attributes);
  });
}

bool AddDictionaries(Parser& parser, Operation& op, absl::string_view name,
                     std::vector<const Attribute*> dictionaries) {
  bool any = false;
  for (const Attribute* dictionary : dictionaries) any = any || !dictionary->entries.empty();
  if (!any) return true;
  return parser.Add(&op.attributes, name, parser.MakeArray(std::move(dictionaries), op.offset),
                    op.offset);
}

// func.func [private] @name(%a: t {…} loc(…), …) [-> (t {…}, …)] [attributes {…}] [{…}]
bool ParseFunction(Parser& parser, Operation& op) {
  for (absl::string_view visibility : {"private", "public", "nested"}) {
    size_t offset = parser.token().offset;
    if (!parser.TryKeyword(visibility)) continue;
    parser.Add(&op.attributes, "sym_visibility",
               StringAttribute(parser, std::string(visibility), offset), offset);
  }
  if (!ParseSymbolName(parser, op)) return false;
  Signature signature;
  bool arguments = parser.ParseList('(', ')', [&] { return ParseArgument(parser, signature); });
  if (!arguments || !ParseResults(parser, signature)) return false;
  Type* function = parser.document().NewType(TypeKind::kFunction, op.offset);
  function->elements = std::move(signature.inputs);
  function->results = std::move(signature.results);
  Attribute* type = parser.document().NewAttribute(AttributeKind::kType, op.offset);
  type->type = function;
  if (!parser.Add(&op.attributes, "function_type", type, op.offset) ||
      !AddDictionaries(parser, op, "arg_attrs", std::move(signature.input_attributes)) ||
      !AddDictionaries(parser, op, "res_attrs", std::move(signature.result_attributes)) ||
      !ParseKeywordDictionary(parser, op)) {
    return false;
  }
  Region& region = op.regions.emplace_back();
  if (!parser.Is('{')) return true;  // a declaration
  if (!signature.named && !function->elements.empty()) {
    return parser.FailHere("arguments of a function with a body need names");
  }
  return parser.ParseIsolatedRegion(&region, std::move(signature.entry));
}

// func.call @f(%a, …) {…} : (t, …) -> (t, …)
bool ParseCall(Parser& parser, Operation& op) {
  size_t offset = parser.token().offset;
  const Attribute* callee = nullptr;
  if (!parser.ParseSymbol(&callee) || !parser.Add(&op.attributes, "callee", callee, offset)) {
    return false;
  }
  bool operands =
      parser.ParseList('(', ')', [&] { return parser.ParseOperand(&op.operands.emplace_back()); });
  if (!operands || !parser.ParseOptionalDictionary(&op.attributes)) return false;
  return parser.Expect(':') && parser.ParseOpFunctionType(op);
}

}  // namespace

bool ParseReturn(Parser& parser, Operation& op) {
  // func.return has its attributes before the operands, stablehlo.return after them.
  if (!parser.ParseOptionalDictionary(&op.attributes)) return false;
  if (parser.Is(Tok::kPercentId) && !parser.ParseOperands(&op.operands)) return false;
  if (!parser.ParseOptionalDictionary(&op.attributes)) return false;
  if (op.operands.empty()) return true;
  if (!parser.Expect(':')) return false;
  size_t offset = parser.token().offset;
  std::vector<const Type*> types;
  return parser.ParseTypeList(&types) && parser.CheckOperandTypes(op, types, offset);
}

void AddBuiltinOps(Syntax& syntax) {
  syntax.ops["builtin.module"] = ParseModule;
  syntax.ops["func.func"] = ParseFunction;
  syntax.ops["func.call"] = ParseCall;
  syntax.ops["func.return"] = ParseReturn;
  syntax.short_names["module"] = "builtin.module";
  syntax.short_names["func"] = "func.func";
  syntax.short_names["call"] = "func.call";
  syntax.short_names["return"] = "func.return";
}

}  // namespace halyard::mlir
