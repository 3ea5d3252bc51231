#include "lowering/kernels/fourier/form.h"

#include <algorithm>

#include "runtime/device_class.h"

namespace halyard::lowering {

std::vector<int64_t> FourierRadices(int64_t n, int64_t largest) {
  std::vector<int64_t> best;
  for (int64_t r = largest; r > 1; --r) {
    if (n % r != 0) continue;
    // More than two of the largest radices are always among the fewest.
    std::vector<int64_t> radices = FourierRadices(n / r, largest);
    if (r < n && radices.empty()) continue;
    radices.push_back(r);
    if (best.empty() || radices.size() < best.size()) best = radices;
    if (n > largest * largest * largest && n % (r * r) == 0) break;
  }
  std::sort(best.rbegin(), best.rend());
  return best;
}

int64_t FourierLineBytes(const std::vector<int64_t>& radices, int64_t lines, int64_t bytes) {
  int64_t n = 1, first = 0, second = 0;
  for (const int64_t r : radices) n *= r;
  for (size_t i = 0; i + 1 < radices.size(); ++i) {
    // Rows of an odd number of elements (schedules/fourier/line_gpu.cc).
    const int64_t size = n / radices[i] * (radices[i] | 1);
    second = std::max(second, std::min(first, size));
    first = std::max(first, size);
  }
  // Halide rounds each of real and imaginary parts up.
  constexpr int64_t kRounding = 64;
  return (first + second) * lines * bytes + 4 * kRounding;
}

int64_t FewestLines(int64_t inner) { return std::min<int64_t>(inner, 4); }

namespace {

// One core keeps what is between passes in its second cache. Vectors go along what the first radix
// makes neighbours (schedules/fourier/line_x86.cc).
bool FitsCore(int64_t n, int64_t inner, int64_t bytes) {
  constexpr int64_t kCachedBytes = 256 << 10, kLeastLanes = 4;
  if (inner > 1 || n % (kMaxRadix * kLeastLanes) != 0 || 2 * n * bytes > kCachedBytes) return false;
  const std::vector<int64_t> radices = FourierRadices(n);
  return radices.size() > 1 && radices.front() == kMaxRadix;
}

}  // namespace

bool FitsFourierLine(const runtime::DeviceInfo& device, int64_t n, int64_t inner, int64_t bytes) {
  if (!runtime::IsGpu(device)) return FitsCore(n, inner, bytes);
  // On Mesa's software device columns took up to twice as long as pass by pass (c64[4,32,32,20]).
  if (device.software && inner > 1) return false;
  // A loop of so many butterflies would leave most of the device idle.
  constexpr int64_t kMostSteps = 8;
  const std::vector<int64_t> radices = FourierRadices(n);
  if (radices.size() < 2) return false;
  const int64_t threads = std::min<int64_t>(device.max_threads_per_group, device.max_group[0]);
  if (n / radices.back() * FewestLines(inner) > kMostSteps * threads) return false;
  return FourierLineBytes(radices, FewestLines(inner), bytes) <= device.max_shared_bytes;
}

}  // namespace halyard::lowering
