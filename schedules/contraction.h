// What the contraction templates share: out[n, m, …] = Σ a[m, k, …] · b[k, n, …], n the fastest
// axis. A convolution is the same product with k = (feature, window) and m an image axis.
#ifndef HALYARD_SCHEDULES_CONTRACTION_H_
#define HALYARD_SCHEDULES_CONTRACTION_H_

#include <cstdint>
#include <vector>

#include "lowering/kernel.h"
#include "schedules/registry.h"

namespace halyard::schedules {

// The vector factor depends on axis 0 (n) alone of the two, the broadcast factor on axis m: the
// first after n that only it depends on. m = -1: none.
struct Roles {
  bool vector_is_rhs = true;  // which factor depends on axis 0
  int m = -1;
};
// False if no factor alone depends on axis 0.
bool FindRoles(const lowering::Hero& hero, Roles* roles);
// Extent of axis m, 1 if there is none.
int64_t ExtentM(const lowering::Hero& hero);

// Axes 0, 1, … that only the vector factor depends on: an image's, where channels are slower.
int VectorAxes(const lowering::Hero& hero);
// The hero with axes 0 … count-1 as one, `merged`, so that the rows of a small image fill vectors.
// Its factors may be read beyond that axis's end.
lowering::Hero MergeAxes(const lowering::Hero& hero, int count, const Halide::Var& merged);
// The place on the merged axis.
Halide::Expr MergedIndex(const lowering::Hero& hero, int count, const lowering::Indices& index);

// One real-valued contraction with an epilogue that reads it at its own index, and with roles.
bool AcceptsContraction(const lowering::LoweredKernel& kernel);

// The hero as a product whose padded input and vector factor may be Funcs of their own.
struct ContractionFuncs {
  Halide::Func accumulator;
  Halide::Func padded;  // undefined: nothing to pad
  Halide::Func packed;  // undefined: the vector factor is read where it lies. (n, r…, the axes it
                        // depends on); of pairs, (which of a pair, n, …)
  Halide::Func wide;    // of pairs, a dot's broadcast factor in 16 bits: (r…, the axes it depends
                        // on)
  std::vector<lowering::Axis> packed_axes;
  std::vector<Halide::RVar> r;  // of pairs, the first is which of a pair
  bool pairs = false;
};

// `pairs`: two terms of k at a time, of which the packed panel has neighbours (see TakesPairs).
ContractionFuncs DefineContraction(lowering::LoweredKernel& kernel, lowering::Hero& hero,
                                   const Roles& roles, bool pack, bool pairs);

// The accumulator's loops: n (vectorized by `lanes`) and m unrolled inside those over k.
void ScheduleAccumulator(ContractionFuncs& product, const lowering::Hero& hero, const Roles& roles,
                         int64_t lanes);

// The sum cut into `parts` pieces: of `accumulator`, whose last argument `part` is, target(axes…,
// part) = accumulator, for the blocks to compute, and the output adds them in order. Builds the
// output.
Halide::Func DefineParts(lowering::LoweredKernel& kernel, lowering::Hero& hero,
                         const Halide::Func& accumulator, int64_t parts);

// Whether terms can be taken in pairs: an even number of them, factors of 16 bits, and sums that do
// not overflow (they are no wrapping ones then). x86 only.
bool TakesPairs(const lowering::LoweredKernel& kernel);

Schedule CpuContractionDefaults(const lowering::LoweredKernel& kernel);
std::vector<Knob> CpuContractionSpace(const lowering::LoweredKernel& kernel);
void ApplyContractionOnCpu(lowering::LoweredKernel& kernel, const Schedule& schedule);

Schedule GpuContractionDefaults(const lowering::LoweredKernel& kernel);
std::vector<Knob> GpuContractionSpace(const lowering::LoweredKernel& kernel);
void ApplyContractionOnGpu(lowering::LoweredKernel& kernel, const Schedule& schedule);
// The form through shared memory, whose knob step_k is not 0. False: not the default here.
bool SharedContractionDefaults(const lowering::LoweredKernel& kernel, Schedule* schedule);
void ApplySharedContraction(lowering::LoweredKernel& kernel, const Schedule& schedule);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_CONTRACTION_H_
