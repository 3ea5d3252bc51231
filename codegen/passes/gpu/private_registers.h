// Makes register arrays private that a workgroup only seems to share.
#ifndef HALYARD_CODEGEN_PASSES_GPU_PRIVATE_REGISTERS_H_
#define HALYARD_CODEGEN_PASSES_GPU_PRIVATE_REGISTERS_H_

#include "Halide.h"

namespace halyard::lowering {

// A Func that all threads of a block compute and that is stored in MemoryType::Register becomes, in
// every thread, an array as large as the block's region, indexed by the thread's number. This is
// local memory and not registers. This pass looks for arrays all of whose accesses have the same
// index (the thread's part) plus constants (what is left of unrolled loops). It drops the index and
// numbers the constants, so the array has just the elements that the thread uses.
//
// This is right only if no thread reads what another one wrote, which Halide 21 does not check. So
// schedules must use the same loops over threads wherever they compute or read such a Func. Other
// arrays stay as they are. The pass runs as a custom lowering pass, when loops are unrolled and
// threads are fused.
class PrivateRegisters : public Halide::Internal::IRMutator {
 private:
  using IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::Allocate* op) override;
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_GPU_PRIVATE_REGISTERS_H_
