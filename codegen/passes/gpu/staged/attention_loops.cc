#include "codegen/passes/gpu/staged/attention_loops.h"

#include "lowering/kernels/attention/warpgroups.h"
#include "lowering/kernels/contraction/staged_product.h"
#include "lowering/kernels/kernel.h"

namespace halyard::lowering {

using Halide::Expr;
using Halide::Int;
using Halide::Internal::Allocate;
using Halide::Internal::Block;
using Halide::Internal::Call;
using Halide::Internal::For;
using Halide::Internal::ForType;
using Halide::Internal::Free;
using Halide::Internal::IRMutator;
using Halide::Internal::LetStmt;
using Halide::Internal::Stmt;
using Halide::Internal::Store;
using Halide::Internal::Variable;

namespace {

// Arguments of kAttentionBlock: the block comes first, the copies' elements last.
constexpr size_t kPlaceAt = 1, kQueryPlaceAt = 2, kNumbersAt = 3,
                 kElementsAt = kNumbersAt + WarpgroupAttention::kNumbers;

// Of kAttentionValues: words of weights, behind two factors.
constexpr size_t kWeightsAt = 2 + WarpgroupAttention::kNumbers;

Expr Number(int64_t value) { return Expr(static_cast<int32_t>(value)); }

bool Calls(const Expr& e, const char* name) {
  FindCall find(name);
  e.accept(&find);
  return find.call != nullptr;
}

// Whether a word is what the statements before have stored, so that it can be read later, too.
bool IsKept(Expr word) {
  while (const auto* bits = word.as<Halide::Internal::Reinterpret>()) word = bits->value;
  const auto* load = word.as<Halide::Internal::Load>();
  return load != nullptr && !load->image.defined() && !load->param.defined();
}

class AttentionWriter : public IRMutator {
 public:
  AttentionWriter(const For* loop, const FindCall& block, const Lets& around)
      : loop_(loop), call_(block.call), own_(block.lets), lets_(around) {
    lets_.insert(lets_.end(), own_.begin(), own_.end());
    std::vector<int64_t> numbers;
    for (size_t i = kNumbersAt; i < kElementsAt && i < call_->args.size(); ++i)
      numbers.push_back(Halide::Internal::as_const_int(call_->args[i]).value_or(-1));
    FindCall values(kAttentionValues);
    loop->body.accept(&values);
    if (!WarpgroupAttention::FromNumbers(numbers, &a_) || values.call == nullptr ||
        call_->args.size() !=
            kElementsAt + static_cast<size_t>(a_.copies(a_.kQueries) + a_.copies(a_.kKeys) +
                                              a_.copies(a_.kValues)))
      throw EmitError("attention by warpgroups has another shape than its copies");
    // Where they are used, the weights are those that the loop's last turn has left.
    for (size_t i = kWeightsAt; i < values.call->args.size(); ++i) {
      weights_.push_back(ResolveLets(values.call->args[i], values.lets));
      if (!IsKept(weights_.back()))
        throw LimitError("weights of attention by warpgroups are not kept for the next block");
    }
  }

  Stmt Write() {
    const Stmt body = mutate(loop_->body);
    return Block::make({
        DoIntrinsic(kAttentionBegin, Numbers()),
        CopyTile(WarpgroupAttention::kQueries, loop_->min, 1),
        CopyTile(WarpgroupAttention::kKeys, loop_->min, 1),
        ZeroValues(),
        DoIntrinsic(kStagedCommit, {}),
        For::make(loop_->name, loop_->min, loop_->extent, loop_->for_type, Halide::Partition::Never,
                  loop_->device_api, body),
        Wait(),
        Weights(),
        BeginSums(loop_->min + loop_->extent),
    });
  }
  int64_t shared_bytes() const { return a_.shared_bytes(); }

 private:
  using IRMutator::visit;

  std::vector<Expr> Numbers(std::vector<Expr> before = {}) const {
    for (int64_t number : a_.Numbers()) before.push_back(Number(number));
    return before;
  }
  Expr Step() const { return Variable::make(Int(32), loop_->name); }
  // Where the slot of a block begins, behind the tile's first.
  Expr Slot(WarpgroupAttention::Tile tile, const Expr& step) const {
    if (tile == WarpgroupAttention::kQueries) return 0;
    return Halide::cast<int32_t>(Halide::cast<uint32_t>(step - loop_->min) %
                                 Expr(static_cast<uint32_t>(WarpgroupAttention::kSlots))) *
           Number(a_.bytes(tile));
  }
  // Waits for copies, and for all threads.
  static Stmt Wait() { return DoIntrinsic(kStagedWait, {0, 1}); }

  size_t FirstElement(WarpgroupAttention::Tile tile) const {
    size_t element = kElementsAt;
    for (int before = 0; before < tile; ++before)
      element += static_cast<size_t>(a_.copies(static_cast<WarpgroupAttention::Tile>(before)));
    return element;
  }
  // A tile of the block `step`, into its slot, if `run`, an expression of the loop's variable,
  // holds there.
  Stmt CopyTile(WarpgroupAttention::Tile tile, const Expr& step, const Expr& run) const {
    std::vector<Stmt> copies;
    for (int64_t i = 0; i < a_.copies(tile); ++i) {
      const CopySource source =
          FindCopySource(call_->args[FirstElement(tile) + static_cast<size_t>(i)], lets_);
      CheckCopyAlignment(*source.load, lets_);
      copies.push_back(CopyPiece(source, own_, call_->args[kPlaceAt] + Slot(tile, Step()),
                                 Offset(tile, i), run));
    }
    return Within(Block::make(copies), step);
  }
  int64_t Offset(WarpgroupAttention::Tile tile, int64_t copy) const {
    return a_.first_byte(tile) + copy * a_.lines_at_once() * a_.kLine;
  }
  // Zeros for the values of the block before the first.
  Stmt ZeroValues() const {
    std::vector<Stmt> copies;
    for (int64_t i = 0; i < a_.copies(WarpgroupAttention::kValues); ++i) {
      CopySource source = FindCopySource(
          call_->args[FirstElement(WarpgroupAttention::kValues) + static_cast<size_t>(i)], lets_);
      source.inside = Halide::Internal::const_false();
      copies.push_back(CopyPiece(
          source, own_, call_->args[kPlaceAt] + Number(a_.bytes(WarpgroupAttention::kValues)),
          Offset(WarpgroupAttention::kValues, i), 1));
    }
    return Within(Block::make(copies), loop_->min);
  }
  // A statement outside of the loop's lets, for the block `step`.
  Stmt Within(Stmt stmt, const Expr& step) const {
    for (auto let = own_.rbegin(); let != own_.rend(); ++let) {
      if (Halide::Internal::stmt_uses_var(stmt, let->first))
        stmt = LetStmt::make(let->first, let->second, stmt);
    }
    return Halide::Internal::simplify(Halide::Internal::substitute(loop_->name, step, stmt));
  }

  // Before any product of the turn is begun: ptxas makes products wait for each other if registers
  // that one takes are written behind another.
  Stmt Weights() const {
    std::vector<Expr> arguments = Numbers();
    arguments.insert(arguments.end(), weights_.begin(), weights_.end());
    return DoIntrinsic(kAttentionWeights, arguments);
  }
  // Begins the sums of the block before `step`.
  Stmt BeginSums(const Expr& step) const {
    return DoIntrinsic(kAttentionBeginSums, Numbers({Slot(WarpgroupAttention::kValues, step + 1)}));
  }
  Stmt BeginBlock() const {
    const Expr is_block = Halide::select(Step() < loop_->min + loop_->extent, 1, 0);
    return Block::make(
        {Wait(), CopyTile(WarpgroupAttention::kKeys, Step() + 1, is_block),
         CopyTile(WarpgroupAttention::kValues, Step(), 1), DoIntrinsic(kStagedCommit, {}),
         Weights(),
         DoIntrinsic(kAttentionBeginScores, Numbers({ResolveLets(call_->args[kQueryPlaceAt], own_),
                                                     Slot(WarpgroupAttention::kKeys, Step())})),
         BeginSums(Step())});
  }

  Stmt visit(const Store* op) override {
    const Stmt store = IRMutator::visit(op);
    return Calls(op->value, kAttentionBlock) ? Block::make(BeginBlock(), store) : store;
  }
  Stmt visit(const LetStmt* op) override {
    const Stmt let = IRMutator::visit(op);
    return Calls(op->value, kAttentionBlock) ? Block::make(BeginBlock(), let) : let;
  }
  Expr visit(const Call* op) override {
    if (op->name == kAttentionBlock)
      return Call::make(op->type, kAttentionWait, Numbers(), Call::Extern);
    if (op->name == kAttentionValues) {
      return Call::make(op->type, kAttentionScale,
                        Numbers({mutate(op->args[0]), mutate(op->args[1])}), Call::Extern);
    }
    return IRMutator::visit(op);
  }

  WarpgroupAttention a_;
  const For* loop_;
  const Call* call_;
  Lets own_, lets_;  // of the loop's body around the call; those and the ones around the loop
  std::vector<Expr> weights_;
};

}  // namespace

Stmt AttentionLoops::visit(const LetStmt* let) {
  lets_.emplace_back(let->name, let->value);
  Stmt result = IRMutator::visit(let);
  lets_.pop_back();
  return result;
}

Stmt AttentionLoops::visit(const For* loop) {
  if (loop->for_type != ForType::Serial) return IRMutator::visit(loop);
  FindCall find(kAttentionBlock);
  loop->body.accept(&find);
  if (find.call == nullptr || find.loops > 0) return IRMutator::visit(loop);
  AttentionWriter writer(loop, find, lets_);
  const Stmt body = mutate(writer.Write());
  const std::string shared = Halide::Internal::unique_name("attention");
  return Allocate::make(shared, Halide::UInt(8), Halide::MemoryType::GPUShared,
                        {Number(writer.shared_bytes())}, Halide::Internal::const_true(),
                        Block::make(body, Free::make(shared)));
}

// Pure calls could change places.
Expr AttentionLoops::visit(const Call* call) {
  for (const char* name : {kAttentionScore, kAttentionEnd, kAttentionSum}) {
    if (call->name != name) continue;
    std::vector<Expr> arguments;
    for (const Expr& argument : call->args) arguments.push_back(mutate(argument));
    return Call::make(call->type, name, arguments, Call::Extern);
  }
  return IRMutator::visit(call);
}

}  // namespace halyard::lowering
