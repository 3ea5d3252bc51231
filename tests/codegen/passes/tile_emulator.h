// Runs kernels of AMX tiles on any x86-64 CPU: a pass turns Halide's tile intrinsics into calls of
// functions that do the same with ordinary memory, and Halide's JIT compiles the rest for this CPU.
#ifndef HALYARD_TESTS_CODEGEN_PASSES_TILE_EMULATOR_H_
#define HALYARD_TESTS_CODEGEN_PASSES_TILE_EMULATOR_H_

#include <map>
#include <set>
#include <string>

#include "Halide.h"

namespace halyard::testing {

// Use it after TileProducts.
class EmulateTiles : public Halide::Internal::IRMutator {
 public:
  using IRMutator::mutate;
  // The products of tiles in the code that the pass has seen.
  int products() const { return products_; }

 private:
  using IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::Allocate* op) override;
  Halide::Internal::Stmt visit(const Halide::Internal::Store* op) override;
  Halide::Internal::Stmt visit(const Halide::Internal::Evaluate* op) override;

  std::set<std::string> tiles_;
  int products_ = 0;
};

// The functions, for Pipeline::set_jit_externs.
std::map<std::string, Halide::JITExtern> EmulatedTiles();

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_CODEGEN_PASSES_TILE_EMULATOR_H_
