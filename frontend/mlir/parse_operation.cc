// Operations, regions, blocks and the scopes of SSA names.
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "frontend/mlir/parser.h"

namespace halyard::mlir {
namespace {

// Ops whose regions do not see the names around them.
bool IsIsolated(absl::string_view op_name) {
  return op_name == "func.func" || op_name == "builtin.module";
}

}  // namespace

Parser::ValueGroup* Parser::Lookup(const std::string& name) {
  for (size_t i = scopes_.size(); i-- > 0;) {
    auto found = scopes_[i].values.find(name);
    if (found != scopes_[i].values.end()) return &found->second;
    if (scopes_[i].isolated) break;
  }
  return nullptr;
}

bool Parser::Define(const std::string& name, std::vector<Value*> values, size_t offset) {
  if (const ValueGroup* other = Lookup(name)) {
    return Fail(offset, absl::StrCat("'%", name, "' is already defined at ",
                                     document_.source.Describe(other->offset)));
  }
  scopes_.back().values[name] = {std::move(values), offset};
  return true;
}

bool Parser::ParseOperand(Value** value) {
  if (!Is(Tok::kPercentId)) return FailHere("expected a value '%name'");
  Token name = token_;
  Advance();
  int64_t number = 0;
  bool numbered = Is(Tok::kHashId);
  if (numbered) {
    if (!absl::SimpleAtoi(token_.text, &number)) return FailHere("expected a result number");
    Advance();
  }
  const ValueGroup* group = Lookup(std::string(name.text));
  if (group == nullptr) {
    return Fail(name.offset, absl::StrCat("'%", name.text, "' is not defined before this use"));
  }
  int64_t count = static_cast<int64_t>(group->values.size());
  if (number < 0 || number >= count) {
    return Fail(name.offset,
                absl::StrCat("'%", name.text, "' has ", count, " results, and no #", number));
  }
  *value = group->values[number];
  return true;
}

bool Parser::ParseOperands(std::vector<Value*>* values) {
  do {
    if (!ParseOperand(&values->emplace_back())) return false;
  } while (Try(','));
  return true;
}

bool Parser::ParseResultNames(std::vector<ResultName>* names) {
  if (!Is(Tok::kPercentId)) return true;
  do {
    if (!Is(Tok::kPercentId)) return FailHere("expected a result name '%name'");
    ResultName name{std::string(token_.text), 1, token_.offset};
    Advance();
    if (Try(':') && !ParseInteger(&name.count)) return false;
    if (name.count < 1) return Fail(name.offset, "a result name stands for at least one result");
    names->push_back(std::move(name));
  } while (Try(','));
  return Expect('=');
}

bool Parser::DefineResults(Operation& op, const std::vector<ResultName>& names) {
  int64_t results = static_cast<int64_t>(op.results.size());
  int64_t next = 0;
  for (const ResultName& name : names) {
    if (name.count > results - next) {
      return Fail(name.offset, absl::StrCat("'", op.name, "' has only ", results,
                                            results == 1 ? " result" : " results"));
    }
    std::vector<Value*> group;
    for (int64_t i = 0; i < name.count; ++i) {
      Value* value = op.results[next++].get();
      value->name = name.count == 1 ? name.name : absl::StrCat(name.name, "#", i);
      value->offset = name.offset;
      group.push_back(value);
    }
    if (!Define(name.name, std::move(group), name.offset)) return false;
  }
  if (!names.empty() && next != results) {
    return Fail(op.offset,
                absl::StrCat("'", op.name, "' has ", results, " results but ", next, " are named"));
  }
  return true;
}

bool Parser::ParseOperation(std::vector<std::unique_ptr<Operation>>* operations) {
  Nesting nesting(*this);
  if (!nesting.Ok()) return false;
  std::vector<ResultName> names;
  if (!ParseResultNames(&names)) return false;
  auto op = std::make_unique<Operation>();
  op->offset = token_.offset;
  if (Is(Tok::kString)) {
    if (!ParseGenericOperation(*op)) return false;
  } else if (Is(Tok::kBareId)) {
    if (!ParsePrettyOperation(*op)) return false;
  } else {
    return FailHere("expected an operation");
  }
  if (!ParseOptionalLocation(&op->location) || !DefineResults(*op, names)) return false;
  operations->push_back(std::move(op));
  return true;
}

bool Parser::ParseGenericOperation(Operation& op) {
  if (!ParseString(&op.name)) return false;
  auto full = syntax_.short_names.find(op.name);
  if (full != syntax_.short_names.end() && op.name.find('.') != std::string::npos) {
    op.name = full->second;
  }
  bool operands = ParseList('(', ')', [&] { return ParseOperand(&op.operands.emplace_back()); });
  if (!operands) return false;
  if (Is('[')) return FailHere("branches between blocks are not supported; expected ':'");
  if (Try('<')) {
    if (!ParseAttributeDictionary(&op.attributes) || !Expect('>')) return false;
  }
  if (Is('(')) {
    bool isolated = IsIsolated(op.name);
    bool regions = ParseList(
        '(', ')', [&] { return ParseRegionBody(&op.regions.emplace_back(), nullptr, isolated); });
    if (!regions) return false;
  }
  return ParseOptionalDictionary(&op.attributes) && Expect(':') && ParseOpFunctionType(op);
}

bool Parser::ParseOpFunctionType(Operation& op) {
  size_t offset = token_.offset;
  std::vector<const Type*> inputs;
  std::vector<const Type*> results;
  if (!ParseFunctionType(&inputs, &results)) return false;
  if (!CheckOperandTypes(op, inputs, offset)) return false;
  SetResultTypes(op, results);
  return true;
}

bool Parser::ParsePrettyOperation(Operation& op) {
  op.name = std::string(token_.text);
  auto full = syntax_.short_names.find(op.name);
  if (full != syntax_.short_names.end()) op.name = full->second;
  auto hook = syntax_.ops.find(op.name);
  if (hook == syntax_.ops.end()) {
    return Fail(op.offset, absl::StrCat("unknown operation '", op.name, "'"));
  }
  Advance();
  return hook->second(*this, op);
}

bool Parser::ParseBlockArguments(Block* block) {
  return ParseList('(', ')', [&] {
    if (!Is(Tok::kPercentId)) return FailHere("expected an argument '%name'");
    auto argument = std::make_unique<Value>();
    argument->name = std::string(token_.text);
    argument->offset = token_.offset;
    argument->index = static_cast<int64_t>(block->arguments.size());
    Advance();
    if (!Expect(':') || !ParseType(&argument->type)) return false;
    if (!ParseOptionalLocation(&argument->location)) return false;
    block->arguments.push_back(std::move(argument));
    return true;
  });
}

// The arguments are defined, and operations follow up to the next label or the region's end.
bool Parser::ParseBlock(Block* block) {
  for (const auto& argument : block->arguments) {
    if (!argument->name.empty() && !Define(argument->name, {argument.get()}, argument->offset)) {
      return false;
    }
  }
  while (!Is('}') && !Is(Tok::kCaretId)) {
    if (!ParseOperation(&block->operations)) return false;
  }
  return true;
}

bool Parser::ParseRegionBody(Region* region, std::unique_ptr<Block> entry, bool isolated) {
  Nesting nesting(*this);
  if (!nesting.Ok()) return false;
  region->offset = token_.offset;
  if (!Expect('{')) return false;
  scopes_.emplace_back().isolated = isolated;
  if (entry == nullptr) entry = std::make_unique<Block>();
  entry->offset = region->offset;
  bool empty = Is('}') && entry->arguments.empty();
  if (!empty && (!Is(Tok::kCaretId) || !entry->arguments.empty())) {
    region->blocks.push_back(std::move(entry));
    if (!ParseBlock(region->blocks.back().get())) return false;
  }
  while (Is(Tok::kCaretId)) {
    auto block = std::make_unique<Block>();
    block->label = std::string(token_.text);
    block->offset = token_.offset;
    Advance();
    if (Is('(') && !ParseBlockArguments(block.get())) return false;
    if (!Expect(':')) return false;
    region->blocks.push_back(std::move(block));
    if (!ParseBlock(region->blocks.back().get())) return false;
  }
  scopes_.pop_back();
  return Expect('}');
}

bool Parser::ParseRegion(Region* region) { return ParseRegionBody(region, nullptr, false); }

bool Parser::ParseRegion(Region* region, std::unique_ptr<Block> entry) {
  return ParseRegionBody(region, std::move(entry), false);
}

bool Parser::ParseIsolatedRegion(Region* region, std::unique_ptr<Block> entry) {
  return ParseRegionBody(region, std::move(entry), true);
}

}  // namespace halyard::mlir
