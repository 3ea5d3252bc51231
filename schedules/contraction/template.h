// What the contraction templates share: out[n, m, …] = Σ a[m, k, …] · b[k, n, …], where n is the
// fastest axis. A convolution is the same product with k = (feature, window) and m an image axis.
#ifndef HALYARD_SCHEDULES_CONTRACTION_TEMPLATE_H_
#define HALYARD_SCHEDULES_CONTRACTION_TEMPLATE_H_

#include <cstdint>
#include <vector>

#include "lowering/kernels/kernel.h"
#include "schedules/registry.h"

namespace halyard::schedules {

// Of axes n and m, the vector factor depends on axis 0 (n) alone, and the broadcast factor on axis
// m alone. m is the first axis after n on which only the broadcast factor depends, or -1 if there
// is none.
struct Roles {
  bool vector_is_rhs = true;  // which factor depends on axis 0
  int m = -1;
};
// Returns false if no factor alone depends on axis 0.
bool FindRoles(const lowering::Hero& hero, Roles* roles);
// Returns the extent of axis m, or 1 if there is no such axis.
int64_t ExtentM(const lowering::Hero& hero);

// Returns the number of axes 0, 1, … on which only the vector factor depends: those of an image, if
// channels are slower.
int VectorAxes(const lowering::Hero& hero);
// Returns the hero with axes 0 … count-1 as one axis, `merged`, so that the rows of a small image
// fill vectors. Its factors may be read beyond the end of that axis.
lowering::Hero MergeAxes(const lowering::Hero& hero, int count, const Halide::Var& merged);
// Returns the place on the merged axis.
Halide::Expr MergedIndex(const lowering::Hero& hero, int count, const lowering::Indices& index);

// Accepts one real-valued contraction with roles, whose epilogue reads it at its own index.
bool AcceptsContraction(const lowering::LoweredKernel& kernel);

// The hero as a product. Its padded input and its vector factor may be Funcs of their own.
struct ContractionFuncs {
  Halide::Func accumulator;
  Halide::Func piece;   // of a sum in pieces (schedules/pieces.h)
  Halide::Func padded;  // a convolution's input with its padding, where that is stored
  std::vector<int64_t> padded_extents;
  Halide::Func packed;  // undefined: the vector factor is read where it lies. (n, r…, the axes it
                        // depends on); of pairs, (which of a pair, n, …)
  Halide::Func wide;  // a dot's broadcast factor in the type that is multiplied: (r…, the axes it
                      // depends on)
  std::vector<int64_t> wide_extents;
  Halide::Func sums;  // of words, the sums of the vector factor's elements: (n, batch…)
  std::vector<Halide::RVar> sums_r;
  std::vector<lowering::Axis> packed_axes;
  std::vector<Halide::RVar> r;  // of a piece, if there are any; for pairs, the first says which
  std::vector<Halide::RVar> pieces;
  bool pairs = false;
};

// The form in which a Func holds a factor: as it is stored, or, if it is widened, as it is
// multiplied. Convolutions pad with zeros, which f8E8M0FNU does not have: its factors are always
// held as f32.
Halide::Expr StoreFactor(const lowering::Value& factor, bool widens = false);
lowering::Value LoadFactor(hlo::ElementType type, const Halide::Expr& stored, bool widens = false);

// The axes that one factor depends on, for a Func that holds the factor or what is made of it.
struct FactorAxes {
  std::vector<lowering::Axis> axes;  // with Vars of their own
  lowering::Indices vars;            // of `axes`
  lowering::Indices args;            // the hero's Vars for them: where the product reads the Func
  lowering::Indices at;              // what the factor is computed at: `vars`, and 0 elsewhere
};
// The factor is operand `side`. The Var of the hero's axis a is called prefix + a.
FactorAxes FactorAxesOf(const lowering::Hero& hero, int side, const char* prefix);

// How many results each element of factor `side` is a part of, at one step of the sum.
int64_t UsesOf(const lowering::Hero& hero, int side);

// Returns whether the left factor of a convolution is the broadcast one: it is an image, which is
// stored once for all windows that contain an element.
bool BroadcastsImage(const lowering::Hero& hero, const Roles& roles);

// A position in a convolution's padded input, as the arguments of a Func and as what its value is
// computed at.
struct PaddedPosition {
  std::vector<Halide::Var> vars;
  lowering::Indices inner;
};
PaddedPosition PositionInPadded(const lowering::Hero& hero);
// The input's extents with its padding, in Halide's order.
std::vector<int64_t> PaddedExtents(const lowering::Hero& hero);

// How the factors of a product are held.
struct FactorForms {
  bool pack = false;  // the vector factor in panels
  // Two terms of k are taken at a time, and the packed panel has them as neighbours (see
  // TakesPairs).
  bool pairs = false;
  // In Funcs of the type that is multiplied: what is packed, an image, and a broadcast factor that
  // is no image.
  bool widen_packed = false, widen_image = false, widen_broadcast = false;
  // Long sums of floats in pieces.
  bool pieces = false;
};
ContractionFuncs DefineContraction(lowering::LoweredKernel& kernel, lowering::Hero& hero,
                                   const Roles& roles, const FactorForms& forms);

// Schedules the accumulator's loops: n (vectorized by `lanes`) and m are unrolled inside those over
// k.
void ScheduleAccumulator(ContractionFuncs& product, const lowering::Hero& hero, const Roles& roles,
                         int64_t lanes);

// Cuts the sum into `parts` pieces. `accumulator` has `part` as its last argument. The returned
// Func is target(axes…, part) = accumulator, which blocks compute, and the output adds the pieces
// in order. Builds the output.
Halide::Func DefineParts(lowering::LoweredKernel& kernel, lowering::Hero& hero,
                         const Halide::Func& accumulator, int64_t parts);

// Builds the output from `target` (axes…, part), the pieces of the sum, which it adds in order.
void ReadParts(lowering::LoweredKernel& kernel, lowering::Hero& hero, const Halide::Func& target,
               int64_t parts);

// Returns whether terms can be taken in pairs: there is an even number of them, factors have 16
// bits, and sums do not overflow (so they need not wrap). x86 only.
bool TakesPairs(const lowering::LoweredKernel& kernel);

Schedule CpuContractionDefaults(const lowering::LoweredKernel& kernel);
std::vector<Knob> CpuContractionSpace(const lowering::LoweredKernel& kernel);
void ApplyContractionOnCpu(lowering::LoweredKernel& kernel, const Schedule& schedule);

Schedule GpuContractionDefaults(const lowering::LoweredKernel& kernel);
std::vector<Knob> GpuContractionSpace(const lowering::LoweredKernel& kernel);
void ApplyContractionOnGpu(lowering::LoweredKernel& kernel, const Schedule& schedule);
// Sets the default with shared memory, whose knob step_k is not 0. Returns false if this is not the
// default here.
bool SharedContractionDefaults(const lowering::LoweredKernel& kernel, Schedule* schedule);
void ApplySharedContraction(lowering::LoweredKernel& kernel, const Schedule& schedule);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_CONTRACTION_TEMPLATE_H_
