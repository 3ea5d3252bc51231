// Register arrays that a workgroup shares in name only, made private in fact.
#ifndef HALYARD_LOWERING_CODEGEN_PRIVATE_REGISTERS_H_
#define HALYARD_LOWERING_CODEGEN_PRIVATE_REGISTERS_H_

#include "Halide.h"

namespace halyard::lowering {

// A Func that is computed by all threads of a block and stored in MemoryType::Register becomes an
// array as large as the block's region in every thread, indexed by the thread's number: local
// memory, not registers. Where all accesses of an array are at one index, equal for all of them
// (the thread's part), plus constants (what is left of unrolled loops), the first is dropped and
// the constants are numbered: the array has just the elements that the thread uses.
//
// It is right only if no thread reads what another wrote, which Halide 21 doesn't check: schedules
// must use the same loops over threads wherever they compute or read such a Func. Other arrays stay
// as they are. Runs as a custom lowering pass, when loops are unrolled and threads are fused.
class PrivateRegisters : public Halide::Internal::IRMutator {
 private:
  using IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::Allocate* op) override;
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_CODEGEN_PRIVATE_REGISTERS_H_
