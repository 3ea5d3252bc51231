// Names of values, as MLIR's printer gives them: all of a region first, then those of the regions
// in it, whose numbers go on from there.
#include <memory>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "frontend/mlir/print.h"

namespace halyard::mlir {

struct ValueNames::Scope {
  const Scope* parent = nullptr;
  absl::flat_hash_set<std::string> names;

  bool Has(const std::string& name) const {
    for (const Scope* scope = this; scope != nullptr; scope = scope->parent) {
      if (scope->names.contains(name)) return true;
    }
    return false;
  }
};

ValueNames::ValueNames(const Document& document, const PrintSyntax& syntax, bool generic)
    : syntax_(syntax), generic_(generic) {
  struct Pending {
    const Operation* owner;
    const Region* region;
    Ids ids;
    Scope* parent;
  };
  std::vector<std::unique_ptr<Scope>> scopes;
  std::vector<Pending> pending;
  auto open = [&](Scope* parent) {
    scopes.push_back(std::make_unique<Scope>());
    scopes.back()->parent = parent;
    return scopes.back().get();
  };
  Scope* top = open(nullptr);
  for (const auto& op : document.operations) NameOp(*op, top);
  for (const auto& op : document.operations) {
    for (const Region& region : op->regions) pending.push_back({op.get(), &region, ids_, top});
  }
  while (!pending.empty()) {
    Pending next = pending.back();
    pending.pop_back();
    if (!generic_) ids_ = next.ids;  // in the generic form no number is used twice
    Scope* scope = open(next.parent);
    NameRegion(next.owner, *next.region, scope);
    for (const auto& block : next.region->blocks) {
      for (const auto& op : block->operations) {
        for (const Region& inner : op->regions) pending.push_back({op.get(), &inner, ids_, scope});
      }
    }
  }
}

void ValueNames::NameRegion(const Operation* owner, const Region& region, Scope* scope) {
  int64_t label = 0;
  for (const auto& block : region.blocks) {
    const bool entry = label == 0;
    labels_[block.get()] = label++;
    for (size_t i = 0; i < block->arguments.size(); ++i) {
      std::string wanted;
      if (entry && !generic_ && syntax_.argument_name != nullptr) {
        wanted = syntax_.argument_name(*owner, static_cast<int64_t>(i));
      }
      if (entry && wanted.empty()) wanted = absl::StrCat("arg", ids_.argument++);
      SetName(block->arguments[i].get(), wanted, scope);
    }
    for (const auto& op : block->operations) NameOp(*op, scope);
  }
}

void ValueNames::NameOp(const Operation& op, Scope* scope) {
  const size_t count = op.results.size();
  size_t begin = 0;
  while (begin < count) {
    auto wanted = [&](size_t i) {
      if (generic_ || syntax_.result_name == nullptr) return std::string();
      return syntax_.result_name(op, static_cast<int64_t>(i));
    };
    SetName(op.results[begin].get(), wanted(begin), scope);
    size_t end = begin + 1;
    while (end < count && wanted(end).empty()) ++end;
    const std::string text = names_[op.results[begin].get()].text;
    for (size_t i = begin; i < end; ++i) {
      names_[op.results[i].get()] = {text, static_cast<int64_t>(i - begin),
                                     static_cast<int64_t>(end - begin)};
    }
    begin = end;
  }
}

void ValueNames::SetName(const Value* value, absl::string_view wanted, Scope* scope) {
  std::string name(wanted);
  if (name.empty()) {
    name = absl::StrCat(ids_.value++);
  } else {
    while (scope->Has(name)) name = absl::StrCat(wanted, "_", ids_.conflict++);
    scope->names.insert(name);
  }
  names_[value] = {std::move(name), 0, 1};
}

const ValueNames::Name* ValueNames::Of(const Value* value) const {
  auto found = names_.find(value);
  return found == names_.end() ? nullptr : &found->second;
}

int64_t ValueNames::LabelOf(const Block* block) const {
  auto found = labels_.find(block);
  return found == labels_.end() ? 0 : found->second;
}

}  // namespace halyard::mlir
