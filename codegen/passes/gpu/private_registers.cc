#include "codegen/passes/gpu/private_registers.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace halyard::lowering {

using Halide::Expr;
using Halide::MemoryType;
using Halide::Internal::Allocate;
using Halide::Internal::For;
using Halide::Internal::IRDeepCompare;
using Halide::Internal::IRMutator;
using Halide::Internal::Let;
using Halide::Internal::LetStmt;
using Halide::Internal::Load;
using Halide::Internal::ModulusRemainder;
using Halide::Internal::Ramp;
using Halide::Internal::Stmt;
using Halide::Internal::Store;

namespace {

// Walks the accesses of one array twice: Find collects the constants of their indices, and with
// these numbered, mutate replaces the indices.
class Accesses : public IRMutator {
 public:
  explicit Accesses(const std::string& name) : name_(name) {}

  // Returns false if the array has to stay as it is.
  bool Find(const Stmt& body) {
    mutate(body);
    if (!plain_ || offsets_.empty()) return false;
    for (const std::string& loop : loops_) {
      if (expr_uses_var(common_, loop)) return false;  // another part in each step
    }
    int32_t number = 0;
    for (int64_t offset : offsets_) numbers_[offset] = number++;
    for (const auto& [offset, lanes] : vectors_) {
      // A vector's elements must stay neighbours.
      for (int i = 0; i < lanes; ++i) plain_ &= numbers_.at(offset + i) == numbers_.at(offset) + i;
    }
    renumber_ = true;
    return plain_;
  }
  int32_t size() const { return static_cast<int32_t>(offsets_.size()); }

 private:
  using IRMutator::visit;

  // The constant that an index is after the part common to all; its first use decides that part.
  std::optional<int64_t> OffsetOf(Expr index) {
    for (auto let = lets_.rbegin(); let != lets_.rend(); ++let) {
      if (expr_uses_var(index, let->first)) index = substitute(let->first, let->second, index);
    }
    if (!common_.defined()) common_ = index;
    const auto [known, added] = known_.try_emplace(index);
    if (added) {
      const Expr difference = Halide::Internal::simplify(index - common_);
      if (const auto constant = Halide::Internal::as_const_int(difference))
        known->second = *constant;
    }
    return known->second;
  }

  Expr Index(const Expr& index) {
    const auto* ramp = index.as<Ramp>();
    const int lanes = ramp == nullptr ? 1 : ramp->lanes;
    const bool dense = ramp == nullptr
                           ? index.type().is_scalar()
                           : is_const_one(ramp->stride) && ramp->base.type().is_scalar();
    const std::optional<int64_t> offset =
        dense ? OffsetOf(ramp == nullptr ? index : ramp->base) : std::nullopt;
    if (!offset) {
      plain_ = false;
      return index;
    }
    if (!renumber_) {
      for (int i = 0; i < lanes; ++i) offsets_.insert(*offset + i);
      if (lanes > 1) vectors_.emplace(*offset, lanes);
      return index;
    }
    const Expr first = numbers_.at(*offset);
    return lanes == 1 ? first : Ramp::make(first, 1, lanes);
  }

  Expr visit(const Load* op) override {
    if (op->name != name_) return IRMutator::visit(op);
    return Load::make(op->type, op->name, Index(op->index), op->image, op->param,
                      mutate(op->predicate), ModulusRemainder());
  }
  Stmt visit(const Store* op) override {
    if (op->name != name_) return IRMutator::visit(op);
    return Store::make(op->name, mutate(op->value), Index(op->index), op->param,
                       mutate(op->predicate), ModulusRemainder());
  }
  Stmt visit(const LetStmt* op) override {
    const Expr value = mutate(op->value);
    lets_.emplace_back(op->name, op->value);
    const Stmt body = mutate(op->body);
    lets_.pop_back();
    return LetStmt::make(op->name, value, body);
  }
  Expr visit(const Let* op) override {
    const Expr value = mutate(op->value);
    lets_.emplace_back(op->name, op->value);
    const Expr body = mutate(op->body);
    lets_.pop_back();
    return Let::make(op->name, value, body);
  }
  Stmt visit(const For* op) override {
    // A thread's number does not change.
    if (op->for_type != Halide::Internal::ForType::GPUThread) loops_.insert(op->name);
    return IRMutator::visit(op);
  }

  const std::string name_;
  Expr common_;
  std::map<Expr, std::optional<int64_t>, IRDeepCompare> known_;
  std::vector<std::pair<std::string, Expr>> lets_;
  std::set<std::string> loops_;
  std::set<int64_t> offsets_;
  std::set<std::pair<int64_t, int>> vectors_;
  std::map<int64_t, int32_t> numbers_;
  bool plain_ = true, renumber_ = false;
};

}  // namespace

Stmt PrivateRegisters::visit(const Allocate* op) {
  if (op->memory_type != MemoryType::Register) return IRMutator::visit(op);
  const Stmt body = mutate(op->body);
  Accesses accesses(op->name);
  if (!accesses.Find(body)) {
    return Allocate::make(op->name, op->type, op->memory_type, op->extents, op->condition, body,
                          op->new_expr, op->free_function, op->padding);
  }
  return Allocate::make(op->name, op->type, op->memory_type, {accesses.size()}, op->condition,
                        accesses.mutate(body), op->new_expr, op->free_function, op->padding);
}

}  // namespace halyard::lowering
