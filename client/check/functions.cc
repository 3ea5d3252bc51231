// Finds the functions of a test program, what they refer to, and which of them are run.
#include <functional>

#include "client/check/rewrite.h"

namespace halyard::check {
namespace {

using mlir::Attribute;
using mlir::AttributeKind;
using mlir::Block;
using mlir::Operation;
using mlir::Region;
using mlir::Type;
using mlir::TypeKind;

std::string StringAttribute(const Operation& op, absl::string_view name) {
  const Attribute* attribute = op.Attr(name);
  return attribute == nullptr || !attribute->Is(AttributeKind::kString) ? "" : attribute->text;
}

void AddSymbols(const Attribute& attribute, std::unordered_set<std::string>* names) {
  if (attribute.Is(AttributeKind::kSymbol)) names->insert(attribute.text);
  for (const Attribute* element : attribute.elements) {
    if (element != nullptr) AddSymbols(*element, names);
  }
  for (const mlir::NamedAttribute& entry : attribute.entries) {
    if (entry.value != nullptr) AddSymbols(*entry.value, names);
  }
}

// Returns the functions that an interpreter.run_parallel of the body runs.
void AddProcesses(const Operation& function, std::unordered_set<std::string>* names) {
  for (const Region& region : function.regions) {
    for (const auto& block : region.blocks) {
      for (const auto& op : block->operations) {
        if (op->name == kParallelTarget) names->merge(OwnSymbols(*op));
      }
    }
  }
}

}  // namespace

std::unordered_set<std::string> OwnSymbols(const Operation& op) {
  std::unordered_set<std::string> names;
  for (const mlir::NamedAttribute& attribute : op.attributes) {
    if (attribute.value != nullptr) AddSymbols(*attribute.value, &names);
  }
  return names;
}

const Type* Function::type() const {
  const Attribute* attribute = op->Attr("function_type");
  const Type* type = attribute == nullptr ? nullptr : attribute->type;
  return type != nullptr && type->kind == TypeKind::kFunction ? type : nullptr;
}

const Block* Function::body() const {
  return op->regions.size() == 1 && op->regions[0].blocks.size() == 1
             ? op->regions[0].blocks[0].get()
             : nullptr;
}

void AddSymbols(const Operation& op, std::unordered_set<std::string>* names) {
  names->merge(OwnSymbols(op));
  for (const Region& region : op.regions) {
    for (const auto& block : region.blocks) {
      for (const auto& inner : block->operations) AddSymbols(*inner, names);
    }
  }
}

std::vector<std::unique_ptr<Function>> FindFunctions(mlir::Document& document) {
  std::vector<std::unique_ptr<Function>> functions;
  std::function<void(Operations&)> find = [&](Operations& operations) {
    for (const auto& op : operations) {
      if (op->name == "func.func") {
        auto& function = functions.emplace_back(std::make_unique<Function>());
        function->op = op.get();
        function->home = &operations;
        function->name = StringAttribute(*op, "sym_name");
        const Type* type = function->type();
        function->takes_arguments = type != nullptr && !type->elements.empty();
      } else if (op->name == "builtin.module" && &operations == &document.operations) {
        for (Region& region : op->regions) {
          for (const auto& block : region.blocks) find(block->operations);
        }
      }
    }
  };
  find(document.operations);
  std::unordered_set<std::string> called, processes;
  for (const auto& function : functions) {
    AddSymbols(*function->op, &called);
    AddProcesses(*function->op, &processes);
  }
  for (const auto& function : functions) {
    const bool helper = (StringAttribute(*function->op, "sym_visibility") == "private" &&
                         called.contains(function->name)) ||
                        processes.contains(function->name);
    function->runs = function->body() != nullptr && function->type() != nullptr &&
                     (function->name == "main" || (!function->takes_arguments && !helper));
  }
  return functions;
}

}  // namespace halyard::check
