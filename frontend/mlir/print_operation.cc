// Operations, blocks and files as text.
#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "frontend/mlir/print.h"

namespace halyard::mlir {
namespace {

// The dialect whose ops are written without its name inside of `op`.
absl::string_view DefaultDialect(const Operation& op) {
  if (op.name == "func.func") return "func";
  return op.name == "builtin.module" ? "builtin" : "";
}

void CollectResources(const Attribute& attribute, std::vector<const Attribute*>* resources) {
  if (attribute.Is(AttributeKind::kDenseResource)) resources->push_back(&attribute);
  for (const Attribute* element : attribute.elements) CollectResources(*element, resources);
  for (const NamedAttribute& entry : attribute.entries) CollectResources(*entry.value, resources);
}

}  // namespace

Printer::Printer(const Document& document, const PrintSyntax& syntax, const PrintOptions& options)
    : document_(document),
      syntax_(syntax),
      options_(options),
      names_(document, syntax, options.generic) {}

std::string Printer::PrintDocument() {
  const bool wrap =
      document_.operations.size() != 1 || document_.operations[0]->name != "builtin.module";
  default_dialects_.push_back("builtin");
  if (wrap) {
    Text(options_.generic ? "\"builtin.module\"() ({" : "module {");
    NewLine();
    indent_ += 2;
  }
  for (const auto& op : document_.operations) {
    Indent();
    PrintOperation(*op);
    NewLine();
  }
  if (wrap) {
    indent_ -= 2;
    Text(options_.generic ? "}) : () -> ()" : "}");
    TrailingLocation(nullptr);
    NewLine();
  }
  PrintResources();
  return std::move(out_);
}

// {-# dialect_resources: { builtin: { name: "0x…" } } #-}
void Printer::PrintResources() {
  std::vector<std::string> seen;
  for (const Attribute* resource : resources_) {
    if (std::find(seen.begin(), seen.end(), resource->text) != seen.end()) continue;
    Text(seen.empty() ? "\n{-#\n  dialect_resources: {\n    builtin: {\n" : ",\n");
    seen.push_back(resource->text);
    // Four bytes of alignment come first.
    const DenseData& data = *resource->data;
    std::string bytes(4, '\0');
    bytes[0] = static_cast<char>(hlo::StorageBytes(data.element_type));
    bytes.append(reinterpret_cast<const char*>(data.bytes.data()), data.bytes.size());
    std::string key;
    AppendSymbol(resource->text, &key);
    absl::StrAppend(&out_, "      ", key.substr(1), ": \"0x",
                    absl::AsciiStrToUpper(absl::BytesToHexString(bytes)), "\"");
  }
  if (!seen.empty()) Text("\n    }\n  }\n#-}\n");
}

void Printer::Number(int64_t value) { absl::StrAppend(&out_, value); }

void Printer::NewLine() { out_.push_back('\n'); }

void Printer::Indent() { out_.append(indent_, ' '); }

void Printer::OperandName(const Value* value) {
  const ValueNames::Name* name = names_.Of(value);
  if (name == nullptr) return Text("%<<UNKNOWN>>");
  absl::StrAppend(&out_, "%", name->text);
  if (name->count > 1) absl::StrAppend(&out_, "#", name->index);
}

void Printer::OperandNames(absl::Span<Value* const> values) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) Text(", ");
    OperandName(values[i]);
  }
}

void Printer::TypeOf(const Type& type) { AppendType(type, &syntax_, &out_); }

void Printer::FunctionType(const Operation& op) {
  Text("(");
  TypesOf(op.operands);
  Text(") -> ");
  const bool bare = op.results.size() == 1 && op.results[0]->type->kind != TypeKind::kFunction;
  if (!bare) Text("(");
  TypesOf(op.results);
  if (!bare) Text(")");
}

void Printer::AttributeOf(const Attribute& attribute, bool elide_type) {
  AppendAttribute(attribute, &syntax_, elide_type, &out_);
}

void Printer::Dictionary(const Operation& op, absl::Span<const absl::string_view> elided,
                         absl::string_view keyword) {
  std::vector<NamedAttribute> entries;
  for (const NamedAttribute& entry : op.attributes) {
    if (std::find(elided.begin(), elided.end(), entry.name) == elided.end()) {
      entries.push_back(entry);
    }
  }
  if (entries.empty()) return;
  if (!keyword.empty()) absl::StrAppend(&out_, " ", keyword);
  Dictionary(entries);
}

void Printer::Dictionary(const std::vector<NamedAttribute>& entries) {
  if (entries.empty()) return;
  Text(" {");
  AppendEntries(entries, &syntax_, &out_);
  Text("}");
}

void Printer::ArgumentOf(const Value& argument) {
  OperandName(&argument);
  Text(": ");
  TypeOf(*argument.type);
  TrailingLocation(argument.location);
}

void Printer::TrailingLocation(const Location* location) {
  if (!options_.locations) return;
  Text(" ");
  if (location == nullptr) return Text("loc(unknown)");
  AppendLocation(*location, &out_);
}

void Printer::RegionOf(const Operation& owner, const Region& region, bool arguments) {
  Text("{");
  NewLine();
  default_dialects_.push_back(options_.generic ? "" : DefaultDialect(owner));
  for (const auto& block : region.blocks) {
    const bool entry = block == region.blocks.front();
    const bool empty = block->operations.empty();
    // The reader does not see an empty block of a module as a block.
    const bool header = !entry ||
                        (empty && !(owner.name == "builtin.module" && block->arguments.empty())) ||
                        (arguments && !block->arguments.empty());
    PrintBlock(*block, header);
  }
  default_dialects_.pop_back();
  Indent();
  Text("}");
}

void Printer::PrintBlock(const Block& block, bool header) {
  if (header) {
    Indent();
    absl::StrAppend(&out_, "^bb", names_.LabelOf(&block));
    if (!block.arguments.empty()) {
      Text("(");
      for (size_t i = 0; i < block.arguments.size(); ++i) {
        if (i > 0) Text(", ");
        ArgumentOf(*block.arguments[i]);
      }
      Text(")");
    }
    Text(":");
    NewLine();
  }
  indent_ += 2;
  for (const auto& op : block.operations) {
    Indent();
    PrintOperation(*op);
    NewLine();
  }
  indent_ -= 2;
}

// `%0:2 = `, `%a, %b = `
void Printer::PrintResults(const Operation& op) {
  const char* comma = "";
  for (const auto& result : op.results) {
    const ValueNames::Name* name = names_.Of(result.get());
    if (name->index > 0) continue;
    absl::StrAppend(&out_, std::exchange(comma, ", "), "%", name->text);
    if (name->count > 1) absl::StrAppend(&out_, ":", name->count);
  }
  if (!op.results.empty()) Text(" = ");
}

void Printer::PrintOperation(const Operation& op) {
  for (const NamedAttribute& entry : op.attributes) CollectResources(*entry.value, &resources_);
  PrintResults(op);
  auto hook = options_.generic ? syntax_.ops.end() : syntax_.ops.find(op.name);
  bool pretty = false;
  if (hook != syntax_.ops.end()) {
    const size_t before = out_.size();
    const absl::string_view dialect = default_dialects_.back();
    absl::string_view name = op.name;
    if (!dialect.empty() && name.size() > dialect.size() && name[dialect.size()] == '.' &&
        name.substr(0, dialect.size()) == dialect) {
      name.remove_prefix(dialect.size() + 1);
    }
    Text(name);
    pretty = hook->second(*this, op);
    if (!pretty) out_.resize(before);
  }
  if (!pretty) PrintGeneric(op);
  TrailingLocation(op.location);
}

void Printer::PrintGeneric(const Operation& op) {
  AppendQuoted(op.name, &out_);
  Text("(");
  OperandNames(op.operands);
  Text(")");
  std::vector<NamedAttribute> properties, others;
  for (const NamedAttribute& entry : op.attributes) {
    const bool property = syntax_.is_property != nullptr && syntax_.is_property(op, entry.name);
    (property ? properties : others).push_back(entry);
  }
  if (!properties.empty()) {
    Text(" <{");
    AppendEntries(properties, &syntax_, &out_);
    Text("}>");
  }
  if (!op.regions.empty()) {
    Text(" (");
    for (size_t i = 0; i < op.regions.size(); ++i) {
      if (i > 0) Text(", ");
      RegionOf(op, op.regions[i], true);
    }
    Text(")");
  }
  Dictionary(others);
  Text(" : ");
  FunctionType(op);
}

std::string PrintMlir(const Document& document, const PrintSyntax& syntax,
                      const PrintOptions& options) {
  return Printer(document, syntax, options).PrintDocument();
}

}  // namespace halyard::mlir
