// The arithmetic of Winograd's minimal filtering, one dimension at a time. It computes m
// neighbouring outputs of a window of three elements from m + 2 inputs, by m + 2 products instead
// of 3·m:
//
//   outputs = Aᵀ [(G · window) ⊙ (Bᵀ · inputs)]
//
// F(2, 3) and F(4, 3) are from A. Lavin, S. Gray, "Fast Algorithms for Convolutional Neural
// Networks" (arXiv:1509.09308), section 4. Two dimensions are done one after the other.
#ifndef HALYARD_SCHEDULES_WINOGRAD_TEMPLATE_H_
#define HALYARD_SCHEDULES_WINOGRAD_TEMPLATE_H_

#include <cstdint>
#include <vector>

#include "lowering/kernels/kernel.h"
#include "lowering/kernels/winograd/form.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using lowering::kWinogradTaps;

// The transforms are for `outputs` = 2 or 4, in f32. TransformInput is Bᵀ, from outputs + 2 inputs
// to as many values.
std::vector<Halide::Expr> TransformInput(int outputs, const std::vector<Halide::Expr>& input);
// G: from three taps to outputs + 2 values.
std::vector<Halide::Expr> TransformWindow(int outputs, const std::vector<Halide::Expr>& taps);
// Aᵀ: from outputs + 2 sums to the outputs.
std::vector<Halide::Expr> TransformSums(int outputs, const std::vector<Halide::Expr>& sums);

// A convolution whose result is (feature, spatial…, batch), in any order.
struct WinogradConvolution {
  size_t feature = 0, batch = 0;  // axes of the hero
  std::vector<size_t> spatial;    // fastest first
  std::vector<size_t> window_r;   // axis of the reduction domain for each of `spatial`
  int64_t features = 1, channels = 1, images = 1;
  std::vector<int64_t> extents;  // of `spatial`
};
WinogradConvolution WinogradConvolutionOf(const lowering::Hero& hero);

// The number of places of products in a tile, and of tiles in an image.
int64_t WinogradPlaces(const WinogradConvolution& convolution, int64_t outputs);
int64_t WinogradTiles(const WinogradConvolution& convolution, int64_t outputs);

// What is transformed for all tasks, before they run (knob `share`).
enum WinogradShare : int64_t {
  kShareBoth = 0,    // tasks are blocks
  kShareFilter = 1,  // a task is a block of tiles: it transforms them, then goes over the features
  kShareImage = 2,   // a task is a block of features: it transforms their filters
};

// Sizes that follow from a schedule line.
struct WinogradPlan {
  int64_t outputs = 2;               // outputs of a tile along each dimension
  int64_t tile_n = 1, tile_m = 1;    // register tile
  int64_t panel = 1;                 // features that lie side by side in the transformed filter
  int64_t lanes_n = 1, lanes_c = 1;  // of vectors along features and channels
  std::vector<int64_t> tiles;        // of an image, along each dimension
  int64_t all_tiles = 1;             // of all images
  std::vector<int64_t> block;        // tiles of a block along each dimension
  int64_t block_images = 1;
  int64_t block_m = 1, block_n = 1;  // tiles and features of a block: whole register tiles
  int64_t image_tiles = 1;           // all_tiles, and what the last block has past the end
  int64_t padded_features = 1;       // of all blocks
  int64_t places = 1;                // of products in a tile: (outputs + 2)^dimensions
  int64_t step_k = 1;                // channels that are summed before the next ones are
  int64_t unroll_k = 1;              // channels a step
  int64_t share = kShareBoth;
};
WinogradPlan WinogradPlanOf(const lowering::LoweredKernel& kernel,
                            const WinogradConvolution& convolution, const Schedule& schedule);

// The kernel's Funcs, not yet scheduled, and its output.
struct WinogradFuncs {
  std::vector<Halide::Var> along;  // places of products and of outputs in a tile, fastest first
  // Channel, tile, feature in its panel, panel, feature.
  Halide::Var c{"c"}, t{"t"}, ni{"ni"}, no{"no"}, f{"f"};
  // The channels of a block, and the blocks if there are several; then `sums` adds them up.
  Halide::RVar r, blocks;
  // Each is made from the one before. The first is a copy of what is read.
  std::vector<Halide::Func> image;    // (c, t, along…)
  std::vector<Halide::Func> filter;   // (ni, c, no, along…)
  Halide::Func acc;                   // (ni, no, t, along…), and the block of channels
  Halide::Func sums;                  // (ni, no, t, along…)
  std::vector<Halide::Func> outputs;  // (f, t, along…)
};
WinogradFuncs DefineWinograd(lowering::LoweredKernel& kernel,
                             const WinogradConvolution& convolution, const WinogradPlan& plan);
// Computes every element of a step where it is used, in registers as far as they go.
void UnrollWinograd(Halide::Func& func, const std::vector<Halide::Var>& along);

Schedule GpuWinogradDefaults(const lowering::LoweredKernel& kernel);
std::vector<Knob> GpuWinogradSpace(const lowering::LoweredKernel& kernel);
void ApplyWinogradOnGpu(lowering::LoweredKernel& kernel, const Schedule& schedule);
void ApplyWinogradOnCpu(lowering::LoweredKernel& kernel, const Schedule& schedule);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_WINOGRAD_TEMPLATE_H_
