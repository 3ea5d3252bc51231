// Tests that barriers which some threads of a workgroup would not meet are found.
#include "codegen/passes/uniform_barriers.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lowering/kernels/kernel.h"

namespace halyard::lowering {
namespace {

using Halide::Expr;
using Halide::Int;
using Halide::MemoryType;
using Halide::Internal::Allocate;
using Halide::Internal::Block;
using Halide::Internal::Call;
using Halide::Internal::Evaluate;
using Halide::Internal::For;
using Halide::Internal::ForType;
using Halide::Internal::IfThenElse;
using Halide::Internal::LetStmt;
using Halide::Internal::Load;
using Halide::Internal::ModulusRemainder;
using Halide::Internal::Stmt;
using Halide::Internal::Variable;

Expr Named(const char* name) { return Variable::make(Int(32), name); }
Expr Block0() { return Named("f.block_id_x"); }
Expr Lane() { return Named(".thread_id_x"); }

Stmt Barrier() {
  return Evaluate::make(Call::make(Int(32), Call::gpu_thread_barrier, {Expr(2)}, Call::Intrinsic));
}

Stmt Loop(const std::string& name, const Expr& extent, ForType type, const Stmt& body) {
  return For::make(name, 0, extent, type, Halide::Partition::Auto, Halide::DeviceAPI::CUDA, body);
}

Expr Element(const char* array, const Expr& index) {
  return Load::make(Int(32), array, index, Halide::Buffer<>(), Halide::Parameter(),
                    Halide::Internal::const_true(), ModulusRemainder());
}

// Returns what the pass says of a kernel with this body, with arrays "shared" and "own", and one
// that an earlier launch has written, "between".
std::string Said(const Stmt& body) {
  const Expr always = Halide::Internal::const_true();
  Stmt kernel = Allocate::make("own", Int(32), MemoryType::Register, {4}, always, body);
  kernel = Loop(".thread_id_x", 32, ForType::GPUThread, kernel);
  kernel = Allocate::make("shared", Int(32), MemoryType::GPUShared, {32}, always, kernel);
  kernel = Loop("f.block_id_x", 8, ForType::GPUBlock, kernel);
  kernel = Allocate::make("between", Int(32), MemoryType::Auto, {8}, always, kernel);
  CheckBarriers pass;
  try {
    pass.mutate(kernel);
  } catch (const EmitError& error) {
    return error.what();
  }
  return "";
}

TEST(CheckBarriers, TakesThoseThatAllThreadsMeet) {
  EXPECT_EQ(Said(Barrier()), "");
  EXPECT_EQ(Said(IfThenElse::make(Block0() < 3, Barrier())), "");
  EXPECT_EQ(Said(Loop("r", Block0() + 1, ForType::Serial, Barrier())), "");
  EXPECT_EQ(Said(IfThenElse::make(Element("shared", Block0()) < 3, Barrier())), "");
  EXPECT_EQ(Said(IfThenElse::make(Element("between", Block0()) < 3, Barrier())), "");
  const Stmt copy = IfThenElse::make(Lane() < 3, Evaluate::make(Element("shared", Lane())));
  EXPECT_EQ(Said(Loop("r", 4, ForType::Serial, Block::make(copy, Barrier()))), "");
}

TEST(CheckBarriers, FindsThoseThatSomeThreadsDoNotMeet) {
  const auto refused = ::testing::HasSubstr("a barrier is inside a condition");
  EXPECT_THAT(Said(IfThenElse::make(Lane() < 3, Barrier())), refused);
  EXPECT_THAT(
      Said(IfThenElse::make(Block0() < 3, Barrier(), IfThenElse::make(Lane() < 3, Barrier()))),
      refused);
  EXPECT_THAT(Said(Loop("r", Lane() + 1, ForType::Serial, Barrier())), refused);
  EXPECT_THAT(Said(LetStmt::make(
                  "t", Lane() / 4,
                  IfThenElse::make(Named("t") < 5, Loop("r", 2, ForType::Serial, Barrier())))),
              refused);
  EXPECT_THAT(Said(IfThenElse::make(Element("shared", Lane()) < 3, Barrier())), refused);
  EXPECT_THAT(Said(IfThenElse::make(Element("between", Lane()) < 3, Barrier())), refused);
  EXPECT_THAT(Said(IfThenElse::make(Element("own", Expr(1)) < 3, Barrier())), refused);
  // A loop that begins elsewhere has as many steps, whose number differs.
  EXPECT_THAT(Said(For::make("r", Lane(), 4, ForType::Serial, Halide::Partition::Auto,
                             Halide::DeviceAPI::CUDA, IfThenElse::make(Named("r") < 4, Barrier()))),
              refused);
}

}  // namespace
}  // namespace halyard::lowering
