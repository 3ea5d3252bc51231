#include "codegen/passes/gpu/pipelined_loops.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "schedules/pipelined_loop.h"

namespace halyard::lowering {

using Halide::Expr;
using Halide::MemoryType;
using Halide::Internal::Allocate;
using Halide::Internal::Block;
using Halide::Internal::Call;
using Halide::Internal::Evaluate;
using Halide::Internal::For;
using Halide::Internal::ForType;
using Halide::Internal::IRMutator;
using Halide::Internal::IRVisitor;
using Halide::Internal::Load;
using Halide::Internal::ModulusRemainder;
using Halide::Internal::Ramp;
using Halide::Internal::Stmt;
using Halide::Internal::Store;

namespace {

void Flatten(const Stmt& stmt, std::vector<Stmt>* list) {
  if (const auto* block = stmt.as<Block>()) {
    Flatten(block->first, list);
    Flatten(block->rest, list);
  } else {
    list->push_back(stmt);
  }
}

bool IsBarrier(const Stmt& stmt) {
  const auto* evaluate = stmt.as<Evaluate>();
  const Call* call = evaluate == nullptr ? nullptr : evaluate->value.as<Call>();
  return call != nullptr && call->is_intrinsic(Call::gpu_thread_barrier);
}

// What a statement loads and stores, and whether it contains more than stores under lets and ifs.
class Effects : public IRVisitor {
 public:
  std::set<std::string> loads, stores;
  bool plain = true;

 private:
  using IRVisitor::visit;
  void visit(const Load* op) override {
    loads.insert(op->name);
    IRVisitor::visit(op);
  }
  void visit(const Store* op) override {
    stores.insert(op->name);
    IRVisitor::visit(op);
  }
  void visit(const For*) override { plain = false; }
  void visit(const Allocate*) override { plain = false; }
  void visit(const Halide::Internal::Atomic*) override { plain = false; }
  void visit(const Evaluate*) override { plain = false; }
};

Effects EffectsOf(const Stmt& stmt) {
  Effects effects;
  stmt.accept(&effects);
  return effects;
}

bool Meet(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](const std::string& name) { return b.count(name) > 0; });
}

// Copies through registers: each store gets places in one array per type.
class ThroughRegisters : public IRMutator {
 public:
  ThroughRegisters(const std::string& prefix, bool fetch) : prefix_(prefix), fetch_(fetch) {}
  std::map<std::string, std::pair<Halide::Type, int>> arrays;  // type and elements, by name

 private:
  using IRMutator::visit;
  Stmt visit(const Store* op) override {
    const Halide::Type type = op->value.type();
    const std::string name =
        absl::StrCat(prefix_, "_", static_cast<int>(type.code()), "_", type.bits());
    auto& [element, used] = arrays.try_emplace(name, type.element_of(), 0).first->second;
    const Expr first = used;
    used += type.lanes();
    const Expr index = type.is_scalar() ? first : Ramp::make(first, 1, type.lanes());
    const Expr always = Halide::Internal::const_true(type.lanes());
    if (fetch_) {
      return Store::make(name, op->value, index, Halide::Parameter(), always, ModulusRemainder());
    }
    const Expr value = Load::make(type, name, index, Halide::Buffer<>(), Halide::Parameter(),
                                  always, ModulusRemainder());
    return Store::make(op->name, value, op->index, op->param, op->predicate, op->alignment);
  }

  const std::string prefix_;
  const bool fetch_;
};

}  // namespace

Stmt PipelinedLoops::visit(const Allocate* op) {
  if (op->memory_type != MemoryType::GPUShared) return IRMutator::visit(op);
  shared_.push_back(op->name);
  Stmt result = IRMutator::visit(op);
  shared_.pop_back();
  return result;
}

Stmt PipelinedLoops::visit(const For* op) {
  if (op->for_type != ForType::Serial || !absl::EndsWith(op->name, schedules::kPipelinedLoop))
    return IRMutator::visit(op);
  std::vector<Stmt> steps;
  Flatten(op->body, &steps);
  if (steps.empty() || !IsBarrier(steps.back())) return op;
  const std::set<std::string> shared(shared_.begin(), shared_.end());
  const Effects all = EffectsOf(op->body);
  // The copies end at the first step that is not a copy.
  std::vector<Stmt> copies;
  size_t used = 0;
  for (size_t i = 0; i + 1 < steps.size() && IsBarrier(steps[i + 1]); i += 2) {
    const Effects effects = EffectsOf(steps[i]);
    const bool is_copy =
        effects.plain && !Meet(effects.loads, all.stores) &&
        std::includes(shared.begin(), shared.end(), effects.stores.begin(), effects.stores.end());
    if (!is_copy) break;
    copies.push_back(steps[i]);
    used = i + 2;
  }
  if (copies.empty() || used >= steps.size()) return op;
  const Stmt copy = Block::make(copies);
  ThroughRegisters fetch(absl::StrCat(op->name, ".next"), true);
  ThroughRegisters put(absl::StrCat(op->name, ".next"), false);
  const Stmt load = fetch.mutate(copy), store = put.mutate(copy);
  const Expr step = Halide::Internal::Variable::make(Halide::Int(32), op->name);
  const Expr last = Halide::Internal::simplify(op->min + op->extent - 1);
  std::vector<Stmt> body = {store, steps[used - 1],
                            substitute(op->name, Halide::min(step + 1, last), load)};
  body.insert(body.end(), steps.begin() + static_cast<ptrdiff_t>(used), steps.end());
  Stmt result = Block::make(substitute(op->name, op->min, load),
                            For::make(op->name, op->min, op->extent, op->for_type,
                                      op->partition_policy, op->device_api, Block::make(body)));
  for (const auto& [name, array] : fetch.arrays) {
    result = Allocate::make(name, array.first, MemoryType::Register, {array.second},
                            Halide::Internal::const_true(), result);
  }
  return result;
}

}  // namespace halyard::lowering
