// Products on GPUs through shared memory. A workgroup of group_n × group_m threads computes a block
// of sums[n, m] = Σ a[m, k] · b[k, n], and each thread has tile_n × tile_m of them in its
// registers. All threads of the group copy step_k terms of both factors at a time to shared memory,
// in vectors of 16 bytes.
//
// The loops are those of Nath, Tomov and Dongarra, "An improved MAGMA GEMM for Fermi graphics
// processing units" (2010). A block computes sums, which live in registers. The loops over threads
// are the same wherever the sums are used, so each thread reads only its own sums
// (codegen/passes/gpu/private_registers.h makes them an array of the thread).
#ifndef HALYARD_SCHEDULES_CONTRACTION_SHARED_BLOCK_H_
#define HALYARD_SCHEDULES_CONTRACTION_SHARED_BLOCK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lowering/kernels/kernel.h"
#include "schedules/schedule.h"

namespace halyard::schedules {

struct SharedBlock {
  int64_t tile_n = 1, tile_m = 1, group_n = 1, group_m = 1, step_k = 1;
  int64_t slots = 1;          // steps in shared memory: 1, or 2 with one barrier a step
  int64_t element_bytes = 4;  // bytes of a factor's element in shared memory: 4 or 8

  int64_t block_n() const { return tile_n * group_n; }
  int64_t block_m() const { return tile_m * group_m; }
  int64_t threads() const { return group_n * group_m; }
  // Returns the number of elements of a 16-byte vector that divides `extent`.
  int64_t VectorOf(int64_t extent) const;
  // Rows of the factor along m are apart by a vector more than a block, so that the threads that
  // copy a column do not all hit one bank.
  int64_t RowElements() const { return block_m() + VectorOf(block_m()); }
  int64_t SharedBytes() const {
    return (block_n() + RowElements()) * step_k * element_bytes * slots;
  }
};

// Reads the knobs tile_n, tile_m, group_n, group_m and step_k. Elements have 4 bytes, and there is
// one slot.
SharedBlock BlockOf(const Schedule& schedule);

// Returns why the device does not take the group or its shared memory, or an empty string if it
// does.
std::string RefusalOf(const SharedBlock& block, const runtime::DeviceInfo& device);

// The loops of a block's stage: vectors and what a thread repeats are innermost, then come threads.
struct BlockVars {
  Halide::Var nv{"nv"}, nq{"nq"}, nth{"nth"}, mi{"mi"}, mth{"mth"};
};
// Halide's Func and Stage have functions of the same names for these.
template <typename Stage>
void SplitBlock(Stage& stage, const SharedBlock& block, const BlockVars& v, const Halide::Var& n,
                const Halide::Var& m, Halide::TailStrategy tail) {
  const int vector = static_cast<int>(block.VectorOf(block.tile_n));
  Halide::Var rest("rest");
  stage.split(n, v.nq, rest, vector * static_cast<int>(block.group_n), tail)
      .split(rest, v.nth, v.nv, vector, tail)
      .split(m, v.mth, v.mi, static_cast<int>(block.tile_m), tail);
}

// Schedules the sums over `r` (fastest first; r[0] in steps of step_k), which a block of `target`
// computes at its loop `at`. Returns the loop over steps, at which the factors' copies are
// computed.
Halide::RVar ScheduleSums(Halide::Func& sums, const SharedBlock& block, const Halide::Var& n,
                          const Halide::Var& m, const std::vector<Halide::RVar>& r,
                          const Halide::Func& target, const Halide::Var& at);

// The copy of a factor. `own` is its axis n or m, of which a block has `extent` elements. k holds
// its terms, which are neighbours in memory if `along_k`.
struct SharedCopy {
  Halide::Func func;
  Halide::Var own, k;
  int64_t extent = 1;
  bool along_k = false;
};
void ScheduleCopy(SharedCopy& copy, const SharedBlock& block, const Halide::Func& sums,
                  const Halide::RVar& at);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_CONTRACTION_SHARED_BLOCK_H_
