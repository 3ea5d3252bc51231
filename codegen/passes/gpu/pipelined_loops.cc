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

// Whether anything but one loop uses an array.
class UsesOutside : public IRVisitor {
 public:
  UsesOutside(const For* loop, const std::string& array) : loop_(loop), array_(array) {}
  bool found = false;

 private:
  using IRVisitor::visit;
  void visit(const For* op) override {
    if (op != loop_) IRVisitor::visit(op);
  }
  void visit(const Load* op) override {
    found |= op->name == array_;
    IRVisitor::visit(op);
  }
  void visit(const Store* op) override {
    found |= op->name == array_;
    IRVisitor::visit(op);
  }

  const For* const loop_;
  const std::string& array_;
};

// Moves all uses of some arrays by `slot` times their size in elements.
class InSlot : public IRMutator {
 public:
  InSlot(const std::map<std::string, int32_t>& sizes, const Expr& slot)
      : sizes_(sizes), slot_(slot) {}

 private:
  using IRMutator::visit;
  Expr Moved(const std::string& name, const Expr& index) const {
    const Expr first = slot_ * sizes_.at(name);
    return index + (index.type().is_scalar()
                        ? first
                        : Halide::Internal::Broadcast::make(first, index.type().lanes()));
  }
  ModulusRemainder Alignment(const std::string& name, const ModulusRemainder& before) const {
    return before + ModulusRemainder(sizes_.at(name), 0);
  }
  Expr visit(const Load* op) override {
    if (sizes_.count(op->name) == 0) return IRMutator::visit(op);
    return Load::make(op->type, op->name, simplify(Moved(op->name, mutate(op->index))), op->image,
                      op->param, mutate(op->predicate), Alignment(op->name, op->alignment));
  }
  Stmt visit(const Store* op) override {
    if (sizes_.count(op->name) == 0) return IRMutator::visit(op);
    return Store::make(op->name, mutate(op->value), simplify(Moved(op->name, mutate(op->index))),
                       op->param, mutate(op->predicate), Alignment(op->name, op->alignment));
  }

  const std::map<std::string, int32_t>& sizes_;
  const Expr slot_;
};

// The parts of a loop's body: copies to shared memory with barriers, then what uses them.
struct Step {
  Stmt copy, use;  // without the barriers after them
  Stmt barrier;
  std::set<std::string> copied;  // arrays

  // Returns false if the body does not have this form. `shared` are arrays in shared memory.
  bool Find(const Stmt& body, const std::set<std::string>& shared);
};

bool Step::Find(const Stmt& body, const std::set<std::string>& shared) {
  std::vector<Stmt> parts;
  Flatten(body, &parts);
  if (parts.empty() || !IsBarrier(parts.back())) return false;
  const Effects all = EffectsOf(body);
  // The copies end at the first part that is not a copy.
  std::vector<Stmt> copies;
  size_t used = 0;
  for (size_t i = 0; i + 1 < parts.size() && IsBarrier(parts[i + 1]); i += 2) {
    const Effects effects = EffectsOf(parts[i]);
    const bool is_copy =
        effects.plain && !Meet(effects.loads, all.stores) &&
        std::includes(shared.begin(), shared.end(), effects.stores.begin(), effects.stores.end());
    if (!is_copy) break;
    copies.push_back(parts[i]);
    copied.insert(effects.stores.begin(), effects.stores.end());
    used = i + 2;
  }
  if (copies.empty() || used + 1 >= parts.size()) return false;
  copy = Block::make(copies);
  use =
      Block::make(std::vector<Stmt>(parts.begin() + static_cast<ptrdiff_t>(used), parts.end() - 1));
  barrier = parts.back();
  return true;
}

// Returns the elements of a slot of each array that the step copies, or none if `loop` cannot have
// two of them.
std::map<std::string, int32_t> SlotSizes(const Step& step, const For* loop,
                                         const std::vector<const Allocate*>& shared) {
  std::map<std::string, int32_t> sizes;
  if (!absl::EndsWith(loop->name, schedules::kTwoSlotLoop) ||
      Meet(EffectsOf(step.use).stores, step.copied)) {
    return sizes;
  }
  for (const Allocate* array : shared) {
    if (step.copied.count(array->name) == 0) continue;
    UsesOutside outside(loop, array->name);
    array->body.accept(&outside);
    const int32_t size = array->constant_allocation_size();
    if (outside.found || size <= 0 || array->extents.size() != 1) return {};
    sizes[array->name] = size;
  }
  return sizes;
}

}  // namespace

Stmt PipelinedLoops::visit(const Allocate* op) {
  if (op->memory_type != MemoryType::GPUShared) return IRMutator::visit(op);
  shared_.push_back(op);
  Stmt result = IRMutator::visit(op);
  shared_.pop_back();
  if (doubled_.erase(op->name) == 0) return result;
  const auto* one = result.as<Allocate>();
  return Allocate::make(one->name, one->type, one->memory_type,
                        {Halide::Internal::simplify(one->extents[0] * 2)}, one->condition,
                        one->body, one->new_expr, one->free_function, one->padding);
}

Stmt PipelinedLoops::visit(const For* op) {
  if (op->for_type != ForType::Serial || (!absl::EndsWith(op->name, schedules::kPipelinedLoop) &&
                                          !absl::EndsWith(op->name, schedules::kTwoSlotLoop)))
    return IRMutator::visit(op);
  std::set<std::string> shared;
  for (const Allocate* array : shared_) shared.insert(array->name);
  Step step;
  if (!step.Find(op->body, shared)) return op;
  const std::map<std::string, int32_t> sizes = SlotSizes(step, op, shared_);
  for (const auto& [name, size] : sizes) doubled_.insert(name);
  ThroughRegisters fetch(absl::StrCat(op->name, ".next"), true);
  ThroughRegisters put(absl::StrCat(op->name, ".next"), false);
  const Stmt load = fetch.mutate(step.copy), store = put.mutate(step.copy);
  const Expr number = Halide::Internal::Variable::make(Halide::Int(32), op->name);
  const Expr last = Halide::Internal::simplify(op->min + op->extent - 1);
  const Stmt first = substitute(op->name, op->min, load);
  const Stmt next = substitute(op->name, Halide::min(number + 1, last), load);
  auto loop = [op](const std::vector<Stmt>& body) {
    return For::make(op->name, op->min, op->extent, op->for_type, op->partition_policy,
                     op->device_api, Block::make(body));
  };
  Stmt result;
  if (sizes.empty()) {
    result = Block::make(first, loop({store, step.barrier, next, step.use, step.barrier}));
  } else {
    const auto at = [&](const Expr& slot) -> std::vector<Stmt> {
      return {next, InSlot(sizes, slot).mutate(step.use), InSlot(sizes, 1 - slot).mutate(store),
              step.barrier};
    };
    const Stmt fill = InSlot(sizes, 0).mutate(substitute(op->name, op->min, store));
    const auto steps = Halide::Internal::as_const_int(op->extent);
    Stmt turns;
    if (steps && *steps % 2 == 0) {
      // A turn has two steps, so that places in slots are constants, which take no registers.
      const Stmt even = substitute(op->name, op->min + number * 2, Block::make(at(0)));
      const Stmt odd = substitute(op->name, op->min + number * 2 + 1, Block::make(at(1)));
      turns = For::make(op->name, 0, static_cast<int32_t>(*steps / 2), op->for_type,
                        op->partition_policy, op->device_api, Block::make(even, odd));
    } else {
      turns = loop(at((number - op->min) % 2));
    }
    result = Block::make({first, fill, step.barrier, turns});
  }
  for (const auto& [name, array] : fetch.arrays) {
    result = Allocate::make(name, array.first, MemoryType::Register, {array.second},
                            Halide::Internal::const_true(), result);
  }
  return result;
}

}  // namespace halyard::lowering
