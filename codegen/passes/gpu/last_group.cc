#include "codegen/passes/gpu/last_group.h"

#include <algorithm>
#include <functional>
#include <map>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "lowering/kernels/device_intrinsics.h"

namespace halyard::lowering {
namespace {

using Halide::Expr;
using Halide::Internal::Allocate;
using Halide::Internal::Block;
using Halide::Internal::Call;
using Halide::Internal::Evaluate;
using Halide::Internal::For;
using Halide::Internal::ForType;
using Halide::Internal::Free;
using Halide::Internal::IfThenElse;
using Halide::Internal::LetStmt;
using Halide::Internal::Load;
using Halide::Internal::ModulusRemainder;
using Halide::Internal::Stmt;
using Halide::Internal::Store;
using Halide::Internal::Variable;

const Halide::Type kWord = Halide::UInt(32);

[[noreturn]] void Fail(const std::string& what) {
  throw LimitError(absl::StrCat("launches cannot be joined: ", what, "; finish=0 leaves two"));
}

int64_t ConstantExtent(const For* loop) {
  const auto extent = Halide::Internal::as_const_int(loop->extent);
  if (!extent || !Halide::Internal::is_const_zero(loop->min))
    Fail(absl::StrCat(loop->name, " has no constant extent"));
  return *extent;
}

// ".thread_id_x" of "total.s0.lane.thread_id_x".
std::string DimensionOf(const std::string& loop) { return loop.substr(loop.rfind('.')); }

// What is inside the loop over groups of one launch.
class GroupParts : public Halide::Internal::IRVisitor {
 public:
  explicit GroupParts(const Stmt& body) { body.accept(this); }
  std::map<std::string, const For*> threads;  // by dimension
  std::vector<const Allocate*> shared;

  int64_t SharedBytes() const {
    int64_t bytes = 0;
    for (const Allocate* allocate : shared)
      bytes += int64_t{allocate->constant_allocation_size()} * allocate->type.bytes();
    return bytes;
  }

 private:
  using IRVisitor::visit;
  void visit(const For* loop) override {
    if (loop->for_type == ForType::GPUBlock) Fail("a grid has two dimensions");
    if (loop->for_type == ForType::GPUThread) threads[DimensionOf(loop->name)] = loop;
    IRVisitor::visit(loop);
  }
  void visit(const Allocate* allocate) override {
    if (allocate->memory_type == Halide::MemoryType::GPUShared) shared.push_back(allocate);
    IRVisitor::visit(allocate);
  }
};

// The body of the second launch, as a part of the first: its loops over threads are the first's,
// and its shared array lies where the first's lies.
class Inline : public Halide::Internal::IRMutator {
 public:
  Inline(const GroupParts& first, const GroupParts& second) : first_(first) {
    if (!second.shared.empty()) {
      from_ = second.shared[0]->name;
      to_ = first.shared[0]->name;
    }
  }

 private:
  using IRMutator::visit;
  Stmt visit(const For* loop) override {
    if (loop->for_type != ForType::GPUThread) return IRMutator::visit(loop);
    const For* outer = first_.threads.at(DimensionOf(loop->name));
    return LetStmt::make(loop->name, Variable::make(Halide::Int(32), outer->name),
                         mutate(loop->body));
  }
  Stmt visit(const Allocate* allocate) override {
    return allocate->name == from_ ? mutate(allocate->body) : IRMutator::visit(allocate);
  }
  Stmt visit(const Free* free) override { return free->name == from_ ? Evaluate::make(0) : free; }
  Expr visit(const Load* load) override {
    const Expr index = mutate(load->index), predicate = mutate(load->predicate);
    return Load::make(load->type, load->name == from_ ? to_ : load->name, index, load->image,
                      load->param, predicate, load->alignment);
  }
  Stmt visit(const Store* store) override {
    const Expr value = mutate(store->value), index = mutate(store->index);
    return Store::make(store->name == from_ ? to_ : store->name, value, index, store->param,
                       mutate(store->predicate), store->alignment);
  }

  const GroupParts& first_;
  std::string from_, to_;
};

// The body of the first launch with `after` behind what its threads do, and shared memory of at
// least `bytes` bytes.
class Extend : public Halide::Internal::IRMutator {
 public:
  Extend(int64_t bytes, Stmt after) : bytes_(bytes), after_(std::move(after)) {}

 private:
  using IRMutator::visit;
  Stmt visit(const For* loop) override {
    if (loop->for_type != ForType::GPUThread) return IRMutator::visit(loop);
    innermost_ = true;
    Stmt body = mutate(loop->body);
    if (innermost_) body = Block::make(body, after_);
    innermost_ = false;
    return For::make(loop->name, loop->min, loop->extent, loop->for_type, loop->partition_policy,
                     loop->device_api, body);
  }
  Stmt visit(const Allocate* allocate) override {
    if (allocate->memory_type != Halide::MemoryType::GPUShared) return IRMutator::visit(allocate);
    const int64_t size = allocate->type.bytes();
    return Allocate::make(allocate->name, allocate->type, allocate->memory_type,
                          {static_cast<int32_t>((bytes_ + size - 1) / size)}, allocate->condition,
                          mutate(allocate->body));
  }

  const int64_t bytes_;
  const Stmt after_;
  bool innermost_ = false;  // no loop over threads was found inside the one that was entered last
};

Stmt Barrier() {
  constexpr int kDeviceAndShared = 3;
  return Evaluate::make(
      Call::make(Halide::Int(32), Call::gpu_thread_barrier, {kDeviceAndShared}, Call::Intrinsic));
}

// Element `index` of an array of u32, outside of the shared arrays' alignment rules.
Expr Word(const std::string& array, const Expr& index) {
  return Load::make(kWord, array, index, Halide::Buffer<>(), Halide::Parameter(),
                    Halide::Internal::const_true(), ModulusRemainder());
}

std::string ThreadsText(const GroupParts& parts) {
  std::string text;
  for (const auto& [dimension, loop] : parts.threads)
    absl::StrAppend(&text, " ", dimension, " ", ConstantExtent(loop));
  return text;
}

void CheckThreads(const GroupParts& first, const GroupParts& second) {
  bool same = first.threads.size() == second.threads.size() && !first.threads.empty();
  for (const auto& [dimension, loop] : second.threads) {
    const auto its = first.threads.find(dimension);
    same =
        same && its != first.threads.end() && ConstantExtent(its->second) == ConstantExtent(loop);
  }
  if (!same) {
    Fail(absl::StrCat("their groups have other threads:", ThreadsText(first), " and",
                      ThreadsText(second)));
  }
  if (first.shared.size() != 1 || second.shared.size() > 1)
    Fail("their groups have other shared arrays than one each");
}

}  // namespace

Stmt JoinLastGroup::mutate(const Stmt& stmt) {
  ++depth_;
  Stmt result = IRMutator::mutate(stmt);
  if (--depth_ == 0 && !joined_)
    Fail(absl::StrCat("there are no loops of ", launches_.first, " and ", launches_.second));
  return result;
}

Stmt JoinLastGroup::visit(const LetStmt* let) {
  lets_.emplace_back(let->name, let->value);
  Stmt result = IRMutator::visit(let);
  lets_.pop_back();
  return result;
}

Stmt JoinLastGroup::visit(const For* loop) {
  if (loop->for_type != ForType::GPUBlock) return IRMutator::visit(loop);
  if (absl::StartsWith(loop->name, absl::StrCat(launches_.first, "."))) {
    if (first_.defined()) Fail(absl::StrCat(launches_.first, " has two launches"));
    first_ = loop;
    first_lets_ = lets_;
    return Evaluate::make(0);
  }
  if (absl::StartsWith(loop->name, absl::StrCat(launches_.second, "."))) {
    if (joined_ || !first_.defined()) Fail(absl::StrCat(launches_.second, " has two launches"));
    joined_ = true;
    return Join(loop);
  }
  return loop;
}

Stmt JoinLastGroup::Join(const For* second) {
  const For* first = first_.as<For>();
  const GroupParts its(first->body), others(second->body);
  CheckThreads(its, others);
  if (ConstantExtent(second) != launches_.groups ||
      ConstantExtent(first) != launches_.groups * launches_.parts)
    Fail(absl::StrCat(first->name, " and ", second->name, " have other extents"));

  // The flag lies behind what the second launch's groups store, which may come before all threads
  // have read it.
  const int64_t flag = (std::max(its.SharedBytes(), others.SharedBytes()) + 3) / 4;
  const std::string& shared = its.shared[0]->name;
  const Expr group = Halide::Internal::simplify(Variable::make(Halide::Int(32), first->name) %
                                                static_cast<int32_t>(launches_.groups));
  const Expr last = Halide::Internal::make_const(kWord, launches_.parts - 1);
  Expr leads = Halide::Internal::const_true();
  for (const auto& [dimension, loop] : its.threads)
    leads = leads && Variable::make(Halide::Int(32), loop->name) == 0;
  const Expr place = static_cast<int32_t>(flag);
  const Stmt count =
      Store::make(shared, Call::make(kWord, kArrive, {Word(kCounters, group), last}, Call::Extern),
                  place, Halide::Parameter(), Halide::Internal::const_true(), ModulusRemainder());
  const Stmt finish = LetStmt::make(second->name, group, Inline(its, others).mutate(second->body));
  const Stmt after = Block::make({Barrier(), IfThenElse::make(leads, count), Barrier(),
                                  IfThenElse::make(Word(shared, place) == last, finish)});
  Stmt launch =
      For::make(first->name, first->min, first->extent, first->for_type, first->partition_policy,
                first->device_api, Extend(flag * 4 + 4, after).mutate(first->body));
  const auto around = [&](const std::string& name) {
    return std::any_of(lets_.begin(), lets_.end(),
                       [&](const auto& let) { return let.first == name; });
  };
  for (auto let = first_lets_.rbegin(); let != first_lets_.rend(); ++let) {
    if (!around(let->first) && Halide::Internal::stmt_uses_var(launch, let->first))
      launch = LetStmt::make(let->first, let->second, launch);
  }
  return launch;
}

}  // namespace halyard::lowering
