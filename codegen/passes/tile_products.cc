#include "codegen/passes/tile_products.h"

#include <cstdint>
#include <optional>
#include <sstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "lowering/kernels/contraction/tile_dot.h"
#include "lowering/kernels/kernel.h"

namespace halyard::lowering {

using Halide::Expr;
using namespace Halide::Internal;  // NOLINT: the classes of Halide's IR

namespace {

constexpr int kTileElements = 256;  // of 32 bits
constexpr int kWordBytes = 4;

[[noreturn]] void Refuse(const char* why) {
  throw LimitError(absl::StrCat("AMX tiles: ", why, "; words=1 multiplies without tiles"));
}

bool IsLoop(const std::string& loop, const char* name) {
  return absl::StrContains(loop, absl::StrCat(".", name));
}

// What the loops of one product over tiles say.
struct Nest {
  std::string row, word;  // loop variables
  int rows = 0, words = 0;
  const Store* store = nullptr;
  const TileDot* dot = nullptr;
  Expr sum, left, right;  // the arguments of the dot
};

// Elements of 32 bits that lie side by side in memory, in rows.
struct WordRows {
  std::string buffer;
  Expr base, stride;  // in elements; where all loops of the product are at 0, and between rows
};

Expr Substituted(Expr e, const std::vector<std::pair<std::string, Expr>>& lets) {
  for (auto let = lets.rbegin(); let != lets.rend(); ++let)
    e = substitute(let->first, let->second, e);
  return e;
}

// Returns the loop's extent, a constant.
int Extent(const For* loop) {
  const auto extent = as_const_int(loop->extent);
  if (loop->for_type != ForType::Serial || !extent || *extent > kTileRows ||
      !is_const_zero(loop->min))
    Refuse("a loop over a tile has no constant extent");
  return static_cast<int>(*extent);
}

const TileDot* FindDot(const std::string& name) {
  for (const TileDot& dot : kTileDots) {
    if (name == dot.name) return &dot;
  }
  return nullptr;
}

template <typename Lets>
Stmt WithoutLets(Stmt stmt, Lets* lets) {
  while (const auto* let = stmt.as<LetStmt>()) {
    lets->emplace_back(let->name, let->value);
    stmt = let->body;
  }
  return stmt;
}

// `lets` gets those inside the loops.
template <typename Lets>
Nest ReadNest(const For* row_loop, Lets* lets) {
  Nest nest;
  nest.row = row_loop->name;
  nest.rows = Extent(row_loop);
  Stmt stmt = WithoutLets(row_loop->body, lets);
  const auto* word_loop = stmt.as<For>();
  if (word_loop == nullptr || !IsLoop(word_loop->name, kTileWord))
    Refuse("a loop over rows has no loop over words in it");
  nest.word = word_loop->name;
  nest.words = Extent(word_loop);
  stmt = WithoutLets(word_loop->body, lets);
  nest.store = stmt.as<Store>();
  if (nest.store == nullptr || !is_const_one(nest.store->predicate))
    Refuse("a loop over words does more than to store sums");
  Expr value = nest.store->value;
  while (const auto* let = value.as<Let>()) value = substitute(let->name, let->value, let->body);
  const auto* call = value.as<Call>();
  if (call != nullptr) nest.dot = FindDot(call->name);
  if (nest.dot == nullptr) Refuse("what is stored is not a product of words");
  nest.sum = call->args[0];
  nest.left = call->args[1];
  nest.right = call->args[2];
  return nest;
}

// Returns how far apart elements are for neighbouring steps of the loop, which must be the same for
// all of them.
Expr StrideOf(const Expr& index, const std::string& loop, const Nest& nest) {
  const Expr var = Variable::make(Halide::Int(32), loop);
  const Expr stride = simplify(substitute(loop, var + 1, index) - index);
  if (expr_uses_var(stride, nest.row) || expr_uses_var(stride, nest.word))
    Refuse("rows of a factor are not equally far apart");
  return stride;
}

Expr AtStart(const Expr& index, const Nest& nest) {
  return simplify(substitute(nest.word, 0, substitute(nest.row, 0, index)));
}

// Returns the rows of 16 lanes that lie side by side from `index` on.
template <typename Lets>
WordRows LaneRows(const std::string& buffer, const Expr& index, const std::string& rows,
                  const std::string& none, const Nest& nest, const Lets& lets) {
  const Expr whole = simplify(Substituted(index, lets));
  const auto* ramp = whole.as<Ramp>();
  if (ramp == nullptr || ramp->lanes != kTileLanes || !is_const_one(ramp->stride))
    Refuse("columns do not lie side by side");
  if (!is_const_zero(StrideOf(ramp->base, none, nest)))
    Refuse("a factor depends on a loop that it must not depend on");
  return {buffer, AtStart(ramp->base, nest), StrideOf(ramp->base, rows, nest)};
}

const Load* PlainLoad(const Expr& e) {
  const auto* load = e.as<Load>();
  if (load == nullptr || !is_const_one(load->predicate) || load->type.bits() != 32)
    Refuse("a factor is not an array of words");
  return load;
}

// The left factor's words, each broadcast to all lanes.
template <typename Lets>
WordRows LeftRows(const Nest& nest, const Lets& lets) {
  const Expr left = Substituted(nest.left, lets);
  const auto* same = left.as<Broadcast>();
  if (same == nullptr) Refuse("the left factor depends on the column");
  const Load* load = PlainLoad(same->value);
  const Expr index = simplify(load->index);
  if (!is_const_one(StrideOf(index, nest.word, nest))) Refuse("words do not lie side by side");
  return {load->name, AtStart(index, nest), StrideOf(index, nest.row, nest)};
}

Expr I16(int value) { return make_const(Halide::Int(16), value); }

// The bytes of `count` elements of 32 bits.
Expr Bytes(const Expr& count) {
  return simplify(Halide::cast(Halide::Int(64), count) * make_const(Halide::Int(64), kWordBytes));
}

Expr LoadTile(const WordRows& rows, int count, int words, const TileDot& dot, bool is_signed) {
  const Halide::Type type = dot.bf16    ? Halide::BFloat(16, 2 * kTileElements)
                            : is_signed ? Halide::Int(8, 4 * kTileElements)
                                        : Halide::UInt(8, 4 * kTileElements);
  return Call::make(
      type, "tile_load",
      {I16(count), I16(words * kWordBytes), Variable::make(Halide::Handle(), rows.buffer),
       Bytes(rows.base), Bytes(rows.stride)},
      Call::Intrinsic);
}

Expr WholeTile() { return Ramp::make(0, 1, kTileElements); }

Expr ReadTile(const std::string& name, const Halide::Type& element) {
  return Load::make(element.with_lanes(kTileElements), name, WholeTile(), {}, {},
                    const_true(kTileElements), {});
}

Stmt WriteTile(const std::string& name, const Expr& value) {
  return Store::make(name, value, WholeTile(), {}, const_true(kTileElements), {});
}

}  // namespace

const TileProducts::Sums& TileProducts::SumsAt(Sums sums) {
  for (const Sums& known : sums_) {
    if (equal(known.base, sums.base) && equal(known.stride, sums.stride) && known.rows == sums.rows)
      return known;
  }
  for (const std::string& loop : loops_) {
    if (expr_uses_var(sums.base, loop) || expr_uses_var(sums.stride, loop))
      Refuse("the place of sums depends on a loop over terms");
  }
  if (static_cast<int64_t>(sums_.size()) == kMostSumTiles) Refuse("too many tiles of sums");
  sums.tile = unique_name(absl::StrCat(func_, ".tile"));
  sums_.push_back(std::move(sums));
  return sums_.back();
}

Stmt TileProducts::Multiply(const For* row_loop) {
  Lets lets = lets_;
  const Nest nest = ReadNest(row_loop, &lets);
  if (nest.store->name != func_) Refuse("sums are not those of the Func that is produced");
  const Load* sum = PlainLoad(nest.sum);
  if (sum->name != func_ || !equal(sum->index, nest.store->index))
    Refuse("what is stored is not added to what was there");
  const WordRows to = LaneRows(func_, nest.store->index, nest.row, nest.word, nest, lets);
  const Load* vector = PlainLoad(nest.right);
  const WordRows right = LaneRows(vector->name, vector->index, nest.word, nest.row, nest, lets);
  const WordRows left = LeftRows(nest, lets);
  const Sums& sums =
      SumsAt({"", nest.store->value.type().element_of(), nest.rows, to.base, to.stride});
  const TileDot& dot = *nest.dot;
  const Expr product = Call::make(
      sums.type.with_lanes(kTileElements), "tile_matmul",
      {I16(nest.rows), I16(kTileLanes * kWordBytes), I16(nest.words * kWordBytes),
       ReadTile(sums.tile, sums.type), LoadTile(left, nest.rows, nest.words, dot, dot.left_signed),
       LoadTile(right, nest.words, kTileLanes, dot, dot.right_signed)},
      Call::Intrinsic);
  return WriteTile(sums.tile, product);
}

Stmt TileProducts::visit(const ProducerConsumer* op) {
  if (!op->is_producer) return IRMutator::visit(op);
  const std::string outside = std::exchange(func_, op->name);
  const Lets lets = std::exchange(lets_, {});
  const std::vector<std::string> loops = std::exchange(loops_, {});
  const std::vector<Sums> others = std::exchange(sums_, {});
  Stmt body = mutate(op->body);
  if (!sums_.empty()) {
    const Expr columns = I16(kTileLanes * kWordBytes);
    for (const Sums& sums : sums_) {
      const Halide::Type type = sums.type.with_lanes(kTileElements);
      const Expr zero = Call::make(type, "tile_zero", {I16(sums.rows), columns}, Call::Intrinsic);
      const Expr store =
          Call::make(Halide::Int(32), "tile_store",
                     {I16(sums.rows), columns, Variable::make(Halide::Handle(), func_),
                      Bytes(sums.base), Bytes(sums.stride), ReadTile(sums.tile, sums.type)},
                     Call::Intrinsic);
      body = Block::make({WriteTile(sums.tile, zero), body, Evaluate::make(store)});
    }
    for (const Sums& sums : sums_) {
      body = Allocate::make(sums.tile, sums.type, Halide::MemoryType::AMXTile, {kTileElements},
                            const_true(), body);
    }
  }
  func_ = outside;
  lets_ = lets;
  loops_ = loops;
  sums_ = others;
  return ProducerConsumer::make(op->name, op->is_producer, body);
}

Stmt TileProducts::visit(const For* loop) {
  if (IsLoop(loop->name, kTileRow)) return Multiply(loop);
  loops_.push_back(loop->name);
  Stmt result = IRMutator::visit(loop);
  loops_.pop_back();
  return result;
}

Stmt TileProducts::visit(const LetStmt* let) {
  // Values are not put into one another before a product needs them: they would double.
  lets_.emplace_back(let->name, let->value);
  Stmt result = IRMutator::visit(let);
  lets_.pop_back();
  return result;
}

}  // namespace halyard::lowering
