#include "codegen/passes/gpu/staged_loops.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "codegen/passes/gpu/staged/copies.h"
#include "lowering/kernels/kernel.h"

namespace halyard::lowering {

using Halide::cast;
using Halide::Expr;
using Halide::Int;
using Halide::Internal::Allocate;
using Halide::Internal::Block;
using Halide::Internal::Call;
using Halide::Internal::Evaluate;
using Halide::Internal::For;
using Halide::Internal::ForType;
using Halide::Internal::Free;
using Halide::Internal::IRVisitor;
using Halide::Internal::LetStmt;
using Halide::Internal::Stmt;
using Halide::Internal::Store;
using Halide::Internal::Variable;

namespace {

// Arguments of kStagedProduct: the step comes first, the copies' elements last.
constexpr size_t kCopies = 1, kPlaces = 3, kShape = 5, kElements = kShape + StagedShape::kNumbers;

Expr I(int64_t value) { return Expr(static_cast<int32_t>(value)); }

std::vector<Expr> With(std::vector<Expr> arguments, const StagedShape& shape) {
  for (int64_t number : shape.Numbers()) arguments.push_back(I(number));
  return arguments;
}

class Writer {
 public:
  Writer(const For* loop, const Lets& around) : loop_(loop) {
    Stmt body = loop->body;
    lets_ = around;
    while (const auto* let = body.as<LetStmt>()) {
      own_.emplace_back(let->name, let->value);
      lets_.emplace_back(let->name, let->value);
      body = let->body;
    }
    FindCall find(kStagedProduct);
    body.accept(&find);
    store_ = body.as<Store>();
    call_ = find.call;
    const auto extent = Halide::Internal::as_const_int(loop->extent);
    if (store_ == nullptr || !extent || !is_const_zero(loop->min))
      RefuseCopy("the loop over a sum's steps is another than it was made");
    steps_ = *extent;
    ReadShape();
  }

  Stmt Write() {
    std::vector<Stmt> all = {DoIntrinsic(kStagedBegin, With({}, s_))};
    for (int64_t ahead = 0; ahead < s_.steps_ahead(); ++ahead) {
      if (ahead < steps_) all.push_back(CopyStep(I(ahead), I(ahead * s_.slot_bytes()), I(1)));
      all.push_back(DoIntrinsic(kStagedCommit, {}));
    }
    // A turn of the loop is a step for each slot, so that places in slots are constants, and
    // neighbouring steps share the arithmetic of their copies.
    const int64_t in_turn = Unrolled() ? s_.stages : 1, turns = steps_ / in_turn;
    if (turns > 0) {
      std::vector<Stmt> turn;
      for (int64_t i = 0; i < in_turn; ++i) turn.push_back(StepOfTurn(in_turn, i, turns));
      all.push_back(For::make(step_, 0, I(turns), ForType::Serial, Halide::Partition::Never,
                              Halide::DeviceAPI::None, Block::make(turn)));
    }
    for (int64_t step = turns * in_turn; step < steps_; ++step) all.push_back(LastStep(step));
    const Expr end = Call::make(Int(32), kStagedEnd, With({}, s_), Call::Extern);
    all.push_back(Store::make(store_->name, end, store_->index, store_->param, store_->predicate,
                              store_->alignment));
    const std::string shared = Halide::Internal::unique_name("staged");
    all.push_back(Free::make(shared));
    return Allocate::make(shared, Halide::UInt(8), Halide::MemoryType::GPUShared,
                          {I(s_.shared_bytes())}, Halide::Internal::const_true(), Block::make(all));
  }

 private:
  void ReadShape() {
    std::vector<int64_t> numbers;
    for (size_t i = kShape; i < kElements && i < call_->args.size(); ++i)
      numbers.push_back(Halide::Internal::as_const_int(call_->args[i]).value_or(-1));
    if (!StagedShape::FromNumbers(numbers, &s_) ||
        call_->args.size() !=
            kElements + static_cast<size_t>((s_.pieces(0) + s_.pieces(1)) / s_.threads()))
      throw EmitError("a product in stages has another shape than its copies");
  }

  // Whether the code of several steps fits a multiprocessor's first caches of instructions.
  bool Unrolled() const {
    constexpr int64_t kMostProducts = 256;
    if (s_.wgmma) return true;
    const int64_t products = s_.products() * s_.mt * s_.nt * s_.stages;
    return products <= kMostProducts && s_.mma->elements != 1 && !s_.Is8BitFloat();
  }

  Expr Slot(const Expr& step) const {
    return Halide::Internal::simplify(
        cast<int32_t>(cast<uint32_t>(step) % Expr(static_cast<uint32_t>(s_.stages))) *
        static_cast<int32_t>(s_.slot_bytes()));
  }

  // The loop's body with other statements, each of which may use what it lets.
  Stmt Within(Stmt stmt, const Expr& step) const {
    for (auto let = own_.rbegin(); let != own_.rend(); ++let) {
      if (Halide::Internal::stmt_uses_var(stmt, let->first))
        stmt = LetStmt::make(let->first, let->second, stmt);
    }
    return Halide::Internal::simplify(Halide::Internal::substitute(loop_->name, step, stmt));
  }

  Stmt CopyStep(const Expr& step, const Expr& slot, const Expr& run) const {
    std::vector<Stmt> copies;
    size_t element = kElements;
    for (int factor : {0, 1}) {
      const int64_t count = s_.pieces(factor) / s_.threads();
      const int64_t rows_apart = s_.across_k[factor] ? s_.step_k() : s_.rows(factor);
      for (int64_t i = 0; i < count; ++i, ++element) {
        const CopySource source = FindCopySource(call_->args[element], lets_);
        CheckCopyAlignment(*source.load, lets_);
        // Copy i goes to rows i·(rows / count) on.
        const int64_t line = i * (rows_apart / count);
        const int64_t offset = s_.first_byte(factor) + line * s_.pitch(factor);
        Expr place = call_->args[kCopies + factor];
        // The lines of the first copy are below any other's, which are multiples of their number.
        if (const int64_t swizzle = s_.Swizzle(factor, line); swizzle != 0)
          place = place ^ I(swizzle);
        copies.push_back(CopyPiece(source, own_, place + slot, offset, run));
      }
    }
    return Within(Block::make(copies), step);
  }

  // Step `i` of a turn of `in_turn` steps.
  Stmt StepOfTurn(int64_t in_turn, int64_t i, int64_t turns) const {
    const Expr turn = Variable::make(Int(32), step_);
    const auto step = [&](int64_t later) {
      return in_turn == 1 ? turn + I(later) : turn * I(in_turn) + I(i + later);
    };
    const auto slot = [&](int64_t later) {
      return in_turn == 1 ? Slot(step(later)) : I((i + later) % s_.stages * s_.slot_bytes());
    };
    const int64_t ahead = s_.steps_ahead();
    std::vector<Stmt> all = {Wait()};
    // In turns from `run` on, the step ahead would lie past the last one.
    const int64_t run = std::min(turns, (steps_ - ahead - i + in_turn - 1) / in_turn);
    if (steps_ > ahead + i && run > 0) {
      all.push_back(CopyStep(step(ahead), slot(ahead),
                             run == turns ? I(1) : Halide::select(turn < I(run), I(1), I(0))));
    }
    all.push_back(DoIntrinsic(kStagedCommit, {}));
    all.push_back(Products(step(0), slot(0)));
    return Block::make(all);
  }

  // A step behind the turns.
  Stmt LastStep(int64_t step) const {
    const auto slot = [&](int64_t of) { return I(of % s_.stages * s_.slot_bytes()); };
    const int64_t later = step + s_.steps_ahead();
    std::vector<Stmt> all = {Wait()};
    if (later < steps_) all.push_back(CopyStep(I(later), slot(later), I(1)));
    all.push_back(DoIntrinsic(kStagedCommit, {}));
    all.push_back(Products(I(step), slot(step)));
    return Block::make(all);
  }

  // Until the copies of the next step have arrived.
  Stmt Wait() const {
    return DoIntrinsic(kStagedWait, {I(s_.steps_ahead() - 1), I(s_.wgmma ? 1 : 0)});
  }

  Stmt Products(const Expr& step, const Expr& slot) const {
    return Within(DoIntrinsic(kStagedCompute,
                              With({call_->args[kPlaces], call_->args[kPlaces + 1], slot}, s_)),
                  step);
  }

  StagedShape s_;
  const For* loop_;
  // The loop's own variable stands for each of several steps in turn.
  const std::string step_ = Halide::Internal::unique_name("step");
  Lets own_, lets_;  // of the loop's body; those and the ones around
  const Store* store_ = nullptr;
  const Call* call_ = nullptr;
  int64_t steps_ = 0;
};

}  // namespace

Stmt StagedLoops::visit(const LetStmt* let) {
  lets_.emplace_back(let->name, let->value);
  Stmt result = IRMutator::visit(let);
  lets_.pop_back();
  return result;
}

Stmt StagedLoops::visit(const For* loop) {
  if (loop->for_type != ForType::Serial) return IRMutator::visit(loop);
  FindCall find(kStagedProduct);
  loop->body.accept(&find);
  if (find.call == nullptr || find.loops > 0) return IRMutator::visit(loop);
  if (found_) RefuseCopy("the loop over a sum's steps is in pieces");
  found_ = true;
  return Writer(loop, lets_).Write();
}

}  // namespace halyard::lowering
