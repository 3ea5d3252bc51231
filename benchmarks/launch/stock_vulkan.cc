// Times one launch of a 64x64 elementwise kernel through Halide's own Vulkan runtime, for
// comparison with the recorded command buffers of our runtime. Prints one JSON line. The buffers
// stay on the device; a run calls the compiled pipeline and waits for its end.
//
//   halyard_launch_stock_vulkan fixed|dynamic [RUNS]
//
// "fixed": workgroups of 16x8, so the runtime can keep its VkPipeline from launch to launch.
// "dynamic": one workgroup for each row, as long as the row. The size of the workgroup is a
// specialisation constant, for which the runtime makes a new pipeline at every launch.

#include <Halide.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

int main(int argc, char** argv) {
  if (argc < 2 || (std::strcmp(argv[1], "fixed") != 0 && std::strcmp(argv[1], "dynamic") != 0)) {
    std::fprintf(stderr, "usage: %s fixed|dynamic [RUNS]\n", argv[0]);
    return 2;
  }
  const bool fixed = std::strcmp(argv[1], "fixed") == 0;
  const int runs = argc > 2 ? std::atoi(argv[2]) : 200;
  const int extent = 64;
  Halide::Target target = Halide::get_host_target().with_feature(Halide::Target::Vulkan);
  if (!fixed) target = target.with_feature(Halide::Target::VulkanV13);
  Halide::Buffer<float> x(extent, extent), y(extent, extent), result(extent, extent);
  x.for_each_element([&](int i, int j) { x(i, j) = 0.25f * i - 0.5f * j; });
  y.for_each_element([&](int i, int j) { y(i, j) = 1.0f + 0.125f * (i + j); });

  Halide::Var i("i"), j("j"), bi("bi"), bj("bj"), ti("ti"), tj("tj");
  Halide::ImageParam left(Halide::Float(32), 2), right(Halide::Float(32), 2);
  Halide::Func f("f");
  f(i, j) = left(i, j) * right(i, j) + 1.0f;
  if (fixed) {
    f.gpu_tile(i, j, bi, bj, ti, tj, 16, 8);
  } else {
    f.gpu_blocks(j).gpu_threads(i);
  }
  left.set(x);
  right.set(y);
  f.compile_jit(target);

  std::vector<double> microseconds;
  for (int run = 0; run < runs + 3; ++run) {
    auto start = std::chrono::steady_clock::now();
    f.realize(result, target);
    result.device_sync();
    std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    if (run >= 3) microseconds.push_back(time.count());  // the first ones upload and compile
  }
  result.copy_to_host();
  for (int row = 0; row < extent; ++row) {
    for (int column = 0; column < extent; ++column) {
      if (result(column, row) != x(column, row) * y(column, row) + 1.0f) {
        std::fprintf(stderr, "stock_vulkan: wrong result at %d, %d\n", column, row);
        return 1;
      }
    }
  }
  std::sort(microseconds.begin(), microseconds.end());
  std::printf("{\"median_us\": %.2f, \"min_us\": %.2f, \"runs\": %d}\n",
              microseconds[microseconds.size() / 2], microseconds.front(), runs);
  return 0;
}
