#include "codegen/passes/gpu/staged_reads.h"

#include <algorithm>

#include "lowering/kernels/kernel.h"

namespace halyard::lowering {

using Halide::Expr;
using Halide::Internal::Block;
using Halide::Internal::Call;
using Halide::Internal::Evaluate;
using Halide::Internal::For;
using Halide::Internal::ForType;
using Halide::Internal::IRMutator;
using Halide::Internal::Let;
using Halide::Internal::LetStmt;
using Halide::Internal::Shuffle;
using Halide::Internal::Stmt;

namespace {

// Computes the lanes of an index in which every variable is a constant.
class Lanes : public Halide::Internal::IRVisitor {
 public:
  static std::vector<int64_t> Of(const Expr& e) {
    using Type = Halide::Internal::IRNodeType;
    switch (e.node_type()) {
      case Type::IntImm:
      case Type::Cast:
      case Type::Add:
      case Type::Sub:
      case Type::Mul:
      case Type::Div:
      case Type::Mod:
      case Type::Ramp:
      case Type::Broadcast:
      case Type::Shuffle:
      case Type::Let: {
        Lanes lanes;
        e.accept(&lanes);
        return std::move(lanes.values_);
      }
      default:
        throw EmitError("a sum of a product in stages has no constant number");
    }
  }

 private:
  using IRVisitor::visit;
  template <typename Function>
  void Combine(const Expr& a, const Expr& b, Function&& function) {
    std::vector<int64_t> result = Of(a);
    const std::vector<int64_t> other = Of(b);
    for (size_t i = 0; i < result.size(); ++i) result[i] = function(result[i], other[i]);
    values_ = std::move(result);
  }
  void visit(const Halide::Internal::IntImm* op) override { values_ = {op->value}; }
  void visit(const Halide::Internal::Cast* op) override { values_ = Of(op->value); }
  void visit(const Halide::Internal::Add* op) override {
    Combine(op->a, op->b, [](int64_t a, int64_t b) { return a + b; });
  }
  void visit(const Halide::Internal::Sub* op) override {
    Combine(op->a, op->b, [](int64_t a, int64_t b) { return a - b; });
  }
  void visit(const Halide::Internal::Mul* op) override {
    Combine(op->a, op->b, [](int64_t a, int64_t b) { return a * b; });
  }
  void visit(const Halide::Internal::Div* op) override {
    Combine(op->a, op->b, [](int64_t a, int64_t b) { return Halide::Internal::div_imp(a, b); });
  }
  void visit(const Halide::Internal::Mod* op) override {
    Combine(op->a, op->b, [](int64_t a, int64_t b) { return Halide::Internal::mod_imp(a, b); });
  }
  void visit(const Halide::Internal::Ramp* op) override {
    const std::vector<int64_t> base = Of(op->base), stride = Of(op->stride);
    values_.clear();
    for (int64_t i = 0; i < op->lanes; ++i) {
      for (size_t j = 0; j < base.size(); ++j) values_.push_back(base[j] + i * stride[j]);
    }
  }
  void visit(const Halide::Internal::Broadcast* op) override {
    const std::vector<int64_t> value = Of(op->value);
    values_.clear();
    for (int i = 0; i < op->lanes; ++i) values_.insert(values_.end(), value.begin(), value.end());
  }
  void visit(const Shuffle* op) override {
    std::vector<int64_t> all, chosen;
    for (const Expr& vector : op->vectors) {
      for (int64_t value : Of(vector)) all.push_back(value);
    }
    for (int index : op->indices) chosen.push_back(all.at(static_cast<size_t>(index)));
    values_ = std::move(chosen);
  }
  void visit(const Let* op) override {
    values_ = Of(Halide::Internal::substitute(op->name, op->value, op->body));
  }

  std::vector<int64_t> values_;
};

Expr VectorOf(const std::vector<int64_t>& lanes) {
  std::vector<Expr> all;
  for (int64_t lane : lanes) all.emplace_back(static_cast<int32_t>(lane));
  return all.size() == 1 ? all[0] : Shuffle::make_concat(all);
}

}  // namespace

void StagedReads::SetStride(size_t loop, int64_t stride) {
  Loop& it = loops_[loop];
  if (it.stride != 0 && it.stride != stride)
    throw EmitError("reads of a product's sums step differently in one loop");
  it.stride = stride;
}

Expr StagedReads::visit(const Call* call) {
  if (call->name != kStagedRead || loops_.empty() || Halide::Internal::is_const(call->args[0]))
    return IRMutator::visit(call);
  Expr index = call->args[0];
  for (auto let = lets_.rbegin(); let != lets_.rend(); ++let)
    index = Halide::Internal::substitute(let->first, let->second, index);
  // The index where all loops are at 0, but for one at `value`.
  const auto at = [&](const Loop* one, int64_t value) {
    Expr e = index;
    for (const Loop& loop : loops_)
      e = Halide::Internal::substitute(loop.name,
                                       Expr(static_cast<int32_t>(&loop == one ? value : 0)), e);
    return Lanes::Of(e);
  };
  const std::vector<int64_t> first = at(nullptr, 0);
  std::vector<int64_t> last = first;
  for (size_t i = 0; i < loops_.size(); ++i) {
    const int64_t stride = at(&loops_[i], 1)[0] - first[0];
    const std::vector<int64_t> end = at(&loops_[i], loops_[i].extent - 1);
    for (size_t lane = 0; lane < first.size(); ++lane) {
      if (stride < 0 || end[lane] - first[lane] != stride * (loops_[i].extent - 1))
        throw EmitError("reads of a product's sums do not step through them");
      last[lane] += end[lane] - first[lane];
    }
    if (stride > 0) SetStride(i, stride);
  }
  sums_ = std::max(sums_, *std::max_element(last.begin(), last.end()) + 1);
  // A pure call could be moved behind the shift.
  return Call::make(call->type, kStagedRead, {VectorOf(first), mutate(call->args[1])},
                    Call::Extern);
}

Stmt StagedReads::visit(const LetStmt* let) {
  lets_.emplace_back(let->name, let->value);
  Stmt result = IRMutator::visit(let);
  lets_.pop_back();
  return result;
}

Expr StagedReads::visit(const Let* let) {
  lets_.emplace_back(let->name, let->value);
  Expr result = IRMutator::visit(let);
  lets_.pop_back();
  return result;
}

Stmt StagedReads::visit(const For* loop) {
  const auto extent = Halide::Internal::as_const_int(loop->extent);
  if (loop->for_type != ForType::Serial || !extent || *extent < 2 ||
      !Halide::Internal::is_const_zero(loop->min))
    return IRMutator::visit(loop);
  loops_.push_back({loop->name, *extent});
  Stmt body = mutate(loop->body);
  const Loop done = loops_.back();
  loops_.pop_back();
  if (done.stride > 0) {
    // What is behind the last sum is of no use to anybody.
    const int64_t by = done.stride - done.moved;
    if (by < 0) throw EmitError("loops over a product's sums overlap");
    if (by > 0) {
      const std::vector<Expr> arguments = {static_cast<int32_t>(by), static_cast<int32_t>(sums_)};
      body = Block::make(
          body, Evaluate::make(Call::make(Halide::Int(32), kStagedShift, arguments, Call::Extern)));
    }
    if (!loops_.empty()) loops_.back().moved += done.stride * done.extent;
  }
  return For::make(loop->name, loop->min, loop->extent, loop->for_type, loop->partition_policy,
                   loop->device_api, body);
}

}  // namespace halyard::lowering
