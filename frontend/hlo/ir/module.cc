#include "frontend/hlo/ir/module.h"

#include <unordered_set>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/call_graph.h"

namespace halyard::hlo {
namespace {

// "add.12" → "add".
absl::string_view WithoutNumber(absl::string_view name) {
  size_t dot = name.rfind('.');
  if (dot == absl::string_view::npos || dot == 0 || dot + 1 == name.size()) return name;
  for (char c : name.substr(dot + 1)) {
    if (!absl::ascii_isdigit(c)) return name;
  }
  return name.substr(0, dot);
}

// `name`, or its stem with the next free number if it is taken. `names` maps a name or stem in use
// to the number to try next.
std::string MakeUnique(const std::string& prefix, absl::string_view name,
                       std::unordered_map<std::string, int64_t>* names) {
  if (names->try_emplace(absl::StrCat(prefix, name), 1).second) return std::string(name);
  std::string stem(WithoutNumber(name));
  int64_t number = names->try_emplace(absl::StrCat(prefix, stem), 1).first->second;
  std::string unique;
  do {
    unique = absl::StrCat(stem, ".", number++);
  } while (!names->try_emplace(absl::StrCat(prefix, unique), 1).second);
  (*names)[absl::StrCat(prefix, stem)] = number;
  return unique;
}

using ComputationMap = std::unordered_map<const Computation*, Computation*>;
using InstructionMap = std::unordered_map<const Instruction*, Instruction*>;

// A copy of one computation whose callees are in `done`.
Computation* CloneOne(const Computation& from, Module* module, ComputationMap* done,
                      InstructionMap* map) {
  Computation* to = module->AddComputation(from.name());
  (*done)[&from] = to;
  for (const auto& inst : from.instructions()) {
    std::vector<Instruction*> operands;
    operands.reserve(inst->operands.size());
    for (const Instruction* operand : inst->operands) operands.push_back(map->at(operand));
    Instruction* copy = to->AddClone(*inst, std::move(operands));
    for (Computation*& callee : copy->called) callee = done->at(callee);
    (*map)[inst.get()] = copy;
  }
  if (from.root() != nullptr) to->set_root(map->at(from.root()));
  return to;
}

}  // namespace

Computation* Module::AddComputation(absl::string_view name) {
  // Computations and instructions are named apart: a prefix that no name begins with.
  std::string unique = MakeUnique("()", name.empty() ? "computation" : name, &names_);
  computations_.push_back(std::make_unique<Computation>(this, std::move(unique)));
  return computations_.back().get();
}

std::string Module::UniqueName(absl::string_view base) { return MakeUnique("", base, &names_); }

Computation* Module::FindComputation(absl::string_view name) const {
  for (const auto& computation : computations_) {
    if (computation->name() == name) return computation.get();
  }
  return nullptr;
}

std::vector<Computation*> Module::PostOrder() const {
  std::unordered_set<const Computation*> seen;
  std::vector<Computation*> order;
  if (entry_ != nullptr) seen.insert(entry_);
  for (const auto& computation : computations_) AppendCallOrder(computation.get(), &seen, &order);
  if (entry_ != nullptr) order.push_back(entry_);
  return order;
}

void Module::RemoveUnreachableComputations() {
  if (entry_ == nullptr) return;
  std::unordered_set<const Computation*> seen;
  std::vector<Computation*> order;
  AppendCallOrder(entry_, &seen, &order);
  std::erase_if(computations_, [&](const auto& c) { return !seen.contains(c.get()); });
}

std::unique_ptr<Module> Module::Clone() const {
  auto copy = std::make_unique<Module>(name_);
  ComputationMap computations;
  InstructionMap instructions;
  for (const Computation* computation : PostOrder()) {
    CloneOne(*computation, copy.get(), &computations, &instructions);
  }
  if (entry_ != nullptr) copy->entry_ = computations.at(entry_);
  copy->aliases = aliases;
  copy->donors = donors;
  copy->num_replicas = num_replicas;
  copy->num_partitions = num_partitions;
  return copy;
}

Computation* CloneComputation(const Computation& from, Module* module, InstructionMap* map) {
  ComputationMap computations;
  InstructionMap local;
  if (map == nullptr) map = &local;
  std::unordered_set<const Computation*> seen = {&from};
  std::vector<Computation*> callees;
  for (const auto& inst : from.instructions()) {
    for (Computation* callee : inst->called) AppendCallOrder(callee, &seen, &callees);
  }
  for (const Computation* callee : callees) CloneOne(*callee, module, &computations, map);
  return CloneOne(from, module, &computations, map);
}

}  // namespace halyard::hlo
