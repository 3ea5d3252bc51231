// A pass over lowered x86 code that computes products of tiles by AMX.
#ifndef HALYARD_CODEGEN_PASSES_TILE_PRODUCTS_H_
#define HALYARD_CODEGEN_PASSES_TILE_PRODUCTS_H_

#include <string>
#include <utility>
#include <vector>

#include "Halide.h"

namespace halyard::lowering {

// Turns the loops that lowering/kernels/contraction/tile_dot.h describes into Halide's tile
// intrinsics (tile_load, tile_matmul). The sums of a product are in tiles while the Func that holds
// them is produced: they start from tile_zero, and tile_store writes them at the end.
//
// Halide 21 finds tile products by itself in a Func of MemoryType::AMXTile, but this takes a single
// tile of sums, factors that are int8 or bfloat16 buffers, and no epilogue other than a copy.
//
// Throws LimitError where the loops are not as described: where a factor's words do not lie side by
// side, or rows are not equally far apart.
class TileProducts : public Halide::Internal::IRMutator {
 public:
  using IRMutator::mutate;

 private:
  using Lets = std::vector<std::pair<std::string, Halide::Expr>>;
  // A tile of sums: where it goes in memory, and the tile that holds it until then.
  struct Sums {
    std::string tile;
    Halide::Type type;  // of an element
    int rows = 0;
    Halide::Expr base, stride;  // of `func`, in elements
  };

  using IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::ProducerConsumer* op) override;
  Halide::Internal::Stmt visit(const Halide::Internal::For* loop) override;
  Halide::Internal::Stmt visit(const Halide::Internal::LetStmt* let) override;

  Halide::Internal::Stmt Multiply(const Halide::Internal::For* row_loop);
  const Sums& SumsAt(Sums sums);

  std::string func_;  // that is being produced; empty outside
  Lets lets_;
  std::vector<std::string> loops_;  // in the production of func_
  std::vector<Sums> sums_;
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_TILE_PRODUCTS_H_
