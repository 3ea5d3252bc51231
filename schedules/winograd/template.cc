// winograd: convolutions with windows of three elements along each of one or two dimensions and
// stride 1, by Winograd's minimal filtering (template.h). Tiles of 2 or 4 outputs along each
// dimension take 4 or 6 products along it for each input channel, instead of 6 or 12. It is used by
// name only, so the tuner tries it where the program asks for no more than the default precision
// (docs/numerics.md). define.cc says what is computed; the loops are in x86.cc
// and gpu.cc.

#include "schedules/winograd/template.h"

#include <algorithm>
#include <numeric>

#include "runtime/device_class.h"
#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using hlo::Attr;
using hlo::ElementType;
using Convolution = WinogradConvolution;
using Plan = WinogradPlan;

Convolution WinogradConvolutionOf(const Hero& hero) {
  Convolution conv;
  const hlo::ConvDims& dims = hero.instruction->GetConvDims();
  const size_t rank = hero.axes.size(), num_spatial = dims.output_spatial.size();
  auto axis_of = [rank](int64_t dimension) { return rank - 1 - static_cast<size_t>(dimension); };
  conv.feature = axis_of(dims.output_feature);
  conv.batch = axis_of(dims.output_batch);
  for (size_t axis = 0; axis < rank; ++axis) {
    for (size_t s = 0; s < num_spatial; ++s) {
      if (axis_of(dims.output_spatial[s]) != axis) continue;
      conv.spatial.push_back(axis);
      conv.window_r.push_back(num_spatial - s);
      conv.extents.push_back(hero.axes[axis].extent);
    }
  }
  conv.features = hero.axes[conv.feature].extent;
  conv.images = hero.axes[conv.batch].extent;
  conv.channels = hero.reduce_extents[0];
  return conv;
}

int64_t WinogradPlaces(const Convolution& conv, int64_t outputs) {
  const int64_t along = outputs + kWinogradTaps - 1;
  return conv.extents.size() == 1 ? along : along * along;
}
int64_t WinogradTiles(const Convolution& conv, int64_t outputs) {
  int64_t tiles = 1;
  for (int64_t extent : conv.extents) tiles *= (extent + outputs - 1) / outputs;
  return tiles;
}

namespace {

// What is transformed before the tasks, and what a task transforms, take at most so many bytes.
constexpr int64_t kMostShared = int64_t{256} << 20, kMostOwn = int64_t{16} << 20;

int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
int64_t RoundUp(int64_t a, int64_t b) { return CeilDiv(a, b) * b; }

// Cuts a block of at least `wanted` tiles: part of a row of tiles, rows, or images. Tiles of a
// block are consecutive.
void CutBlocks(const Convolution& conv, int64_t wanted, Plan* plan) {
  int64_t inside = 1, last = 0;  // last: the first tile of the last block
  for (int64_t tiles : plan->tiles) {
    const int64_t along = std::clamp<int64_t>(CeilDiv(wanted, inside), 1, tiles);
    plan->block.push_back(along);
    last += inside * ((tiles - 1) / along * along);
    inside *= tiles;
    if (along < tiles) wanted = 1;
  }
  plan->block_images = std::clamp<int64_t>(CeilDiv(wanted, inside), 1, conv.images);
  last += inside * ((conv.images - 1) / plan->block_images * plan->block_images);
  plan->block_m = RoundUp(Product(plan->block) * plan->block_images, plan->tile_m);
  plan->image_tiles = std::max(plan->all_tiles, last + plan->block_m);
}

}  // namespace

Plan WinogradPlanOf(const LoweredKernel& kernel, const Convolution& conv,
                    const Schedule& schedule) {
  Plan plan;
  plan.outputs = schedule.Get("outputs");
  plan.tile_n = schedule.Get("tile_n");
  plan.tile_m = schedule.Get("tile_m");
  plan.step_k = schedule.Get("step_k");
  plan.unroll_k = schedule.Get("unroll_k");
  plan.share = schedule.Get("share");
  plan.lanes_n = std::gcd(plan.tile_n, VectorLanes(kernel));
  plan.lanes_c = std::min(PowerOfTwoAtMost(conv.channels), VectorLanes(kernel));
  for (int64_t extent : conv.extents) plan.tiles.push_back(CeilDiv(extent, plan.outputs));
  plan.places = WinogradPlaces(conv, plan.outputs);
  plan.all_tiles = WinogradTiles(conv, plan.outputs) * conv.images;
  plan.block_n = RoundUp(std::min(schedule.Get("block_n"), conv.features), plan.tile_n);
  plan.padded_features = RoundUp(conv.features, plan.block_n);
  plan.panel = plan.tile_n;
  CutBlocks(conv, schedule.Get("block_m"), &plan);
  return plan;
}

namespace {

std::vector<int64_t> Shares(const Convolution& conv) {
  // Image tiles of two outputs have more places in all; filters have more with four.
  const int64_t image =
      4 * WinogradPlaces(conv, 2) * WinogradTiles(conv, 2) * conv.images * conv.channels;
  const int64_t filter = 4 * WinogradPlaces(conv, 4) * conv.channels * conv.features;
  std::vector<int64_t> shares;
  if (image <= kMostShared && filter <= kMostShared) shares.push_back(kShareBoth);
  if (filter <= kMostShared) shares.push_back(kShareFilter);
  if (image <= kMostShared) shares.push_back(kShareImage);
  return shares;
}

// GPUs hold all of both, and the sums; software ones limit a thread's steps.
bool HasRoom(const LoweredKernel& kernel, const Convolution& conv) {
  const std::vector<int64_t> shares = Shares(conv);
  if (!runtime::IsGpu(kernel.device)) return !shares.empty();
  const int64_t sums =
      4 * WinogradPlaces(conv, 2) * WinogradTiles(conv, 2) * conv.images * conv.features;
  return shares.size() == 3 && sums <= kMostShared &&
         !(LimitsSteps(kernel) && conv.channels > kMaxLaunchSteps);
}

bool Accepts(const LoweredKernel& kernel) {
  if (!kernel.direct_epilogue || kernel.in_place) return false;
  const Hero& hero = *kernel.heroes[0];
  const hlo::Instruction& inst = *hero.instruction;
  if (hero.kind != Hero::Kind::kConvolution || Product(hero.axes) == 0 ||
      Product(hero.reduce_extents) == 0) {
    return false;
  }
  return lowering::HasWinogradForm(inst) && HasRoom(kernel, WinogradConvolutionOf(hero));
}

// Returns how many tiles, or features, a task may transform.
int64_t MostOfTask(const Convolution& conv) {
  return std::max<int64_t>(1, kMostOwn / (4 * WinogradPlaces(conv, 4) * conv.channels));
}

// Blocks of channels: a step (unroll_k) divides them, and they the channels.
std::vector<int64_t> ChannelBlocks(const Convolution& conv) {
  std::vector<int64_t> blocks;
  for (int64_t k : PowersOfTwo(8, 256)) {
    if (conv.channels % k == 0 && k < conv.channels) blocks.push_back(k);
  }
  blocks.push_back(conv.channels);
  return blocks;
}

// Tiles of four outputs; blocks of features, so that each transforms its own filters, where all of
// them outgrow the second cache, else blocks of tiles.
Schedule CpuDefaults(const LoweredKernel& kernel) {
  const Convolution conv = WinogradConvolutionOf(*kernel.heroes[0]);
  const int64_t lanes = VectorLanes(kernel), most = MostOfTask(conv);
  const bool many = kernel.device.x86_features & runtime::kX86Avx512;
  const int64_t tile_n = conv.features >= lanes
                             ? lanes * std::min<int64_t>(2, conv.features / lanes)
                             : PowerOfTwoAtMost(conv.features);
  const std::vector<int64_t> shares = Shares(conv);
  const int64_t filter = 4 * WinogradPlaces(conv, 4) * conv.channels * conv.features;
  const int64_t l2 = std::max<int64_t>(kernel.device.l2_bytes, 512 << 10);
  const int64_t tiles = WinogradTiles(conv, 4) * conv.images;
  const int64_t units = runtime::UnitsOf(kernel.device);
  // With many tiles for every core, large blocks of them pay for a filter out of cache.
  const bool outgrows = filter > l2, many_tiles = tiles >= 128 * units;
  int64_t share = outgrows && !many_tiles ? kShareImage : kShareFilter;
  if (std::find(shares.begin(), shares.end(), share) == shares.end()) share = shares.front();
  const int64_t block_m = std::min({outgrows ? int64_t{64} : int64_t{16}, tiles, most});
  const int64_t block_n = share == kShareImage ? tile_n : std::max<int64_t>(tile_n, 64);
  // A task's own filters, of a block of channels, take half of the second cache, if it makes them
  // once.
  int64_t block_k = conv.channels;
  if (share == kShareImage && block_m == tiles) {
    const std::vector<int64_t> blocks = ChannelBlocks(conv);
    block_k = blocks.front();
    for (int64_t k : blocks) {
      if (4 * WinogradPlaces(conv, 4) * k * block_n <= l2 / 2) block_k = k;
    }
  }
  Schedule schedule(kWinograd.name);
  return schedule.Set("outputs", 4)
      .Set("tile_n", tile_n)
      .Set("tile_m", std::min<int64_t>(many ? 8 : 5, block_m))
      .Set("block_m", block_m)
      .Set("block_n", std::min(block_n, conv.features))
      .Set("step_k", block_k)
      .Set("unroll_k", 1)
      .Set("share", share);
}

std::vector<Knob> CpuSpace(const LoweredKernel& kernel) {
  const Convolution conv = WinogradConvolutionOf(*kernel.heroes[0]);
  const Schedule defaults = CpuDefaults(kernel);
  const int64_t lanes = VectorLanes(kernel), most = MostOfTask(conv);
  std::vector<int64_t> widths = PowersOfTwo(1, lanes), rows, blocks = PowersOfTwo(1, 256),
                       steps = {1};
  for (int64_t v = 2; v <= 4; ++v) widths.push_back(v * lanes);
  for (int64_t r = 1; r <= 14; ++r) rows.push_back(r);
  for (int64_t outputs : {2, 4}) {
    blocks.push_back(CeilDiv(conv.extents[0], outputs));
    if (WinogradTiles(conv, outputs) <= 256) blocks.push_back(WinogradTiles(conv, outputs));
  }
  for (int64_t k : {2, 4}) {
    if (conv.channels % k == 0) steps.push_back(k);
  }
  const int64_t most_m = std::min(most, WinogradTiles(conv, 2) * conv.images);
  return {{"outputs", {2, 4}},
          {"tile_n", Choices(widths, conv.features, defaults.Get("tile_n"))},
          {"tile_m", Choices(rows, most_m, defaults.Get("tile_m"))},
          {"block_m", Choices(blocks, most_m, defaults.Get("block_m"))},
          {"block_n", Choices(PowersOfTwo(lanes, 512), std::min(most, conv.features),
                              defaults.Get("block_n"))},
          {"step_k", ChannelBlocks(conv)},
          {"unroll_k", steps},
          {"share", Shares(conv)}};
}

}  // namespace

const Template kWinogradOnX86 = {.id = kWinograd,
                                 .forms = SetOfForms<lowering::SingleFold>(),
                                 .device = DeviceClass::kX86,
                                 .accepts = Accepts,
                                 .defaults = CpuDefaults,
                                 .space = CpuSpace,
                                 .apply = ApplyWinogradOnCpu,
                                 .by_name_only = true};
const Template kWinogradOnGpu = {.id = kWinograd,
                                 .forms = SetOfForms<lowering::SingleFold>(),
                                 .device = DeviceClass::kGpu,
                                 .accepts = Accepts,
                                 .defaults = GpuWinogradDefaults,
                                 .space = GpuWinogradSpace,
                                 .apply = ApplyWinogradOnGpu,
                                 .by_name_only = true};

}  // namespace halyard::schedules
