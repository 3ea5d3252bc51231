#include "client/tuning/measured_rates.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/device_class.h"

namespace halyard {
namespace {

constexpr int kCalls = 12;

// The seconds of the fastest call of the program's only kernel, and its cost.
struct Fastest {
  double seconds = 0;
  ProfileKernel kernel;
};

absl::StatusOr<Fastest> TimeKernel(const ClientOptions& base, const std::string& text) {
  ClientOptions options = base;
  options.profile = std::make_shared<Profile>();
  absl::StatusOr<std::unique_ptr<Client>> client = Client::Create(options);
  if (!client.ok()) return client.status();
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ParseProgram(text, "measured_rates.hlo");
  if (!module.ok()) return module.status();
  absl::StatusOr<std::unique_ptr<Executable>> executable = (*client)->Compile(**module);
  if (!executable.ok()) return executable.status();
  std::vector<Buffer> arguments;
  for (const hlo::Shape& shape : (*executable)->parameter_shapes()) {
    absl::StatusOr<Buffer> buffer = (*client)->BufferFromLiteral(hlo::Literal(shape));
    if (!buffer.ok()) return buffer.status();
    arguments.push_back(*buffer);
  }
  for (int call = 0; call < kCalls; ++call) {
    absl::StatusOr<std::vector<Buffer>> results = (*executable)->Run(arguments);
    if (!results.ok()) return results.status();
  }
  Fastest fastest;
  // A product in parts has several kernels, which count together.
  std::vector<int64_t> ns(kCalls, 0);
  for (const ProfileEvent& event : options.profile->events()) {
    if (event.kind == ProfileEvent::Kind::kKernel) ns[event.run] += event.end_ns - event.begin_ns;
  }
  for (const ProfileKernel& kernel : options.profile->kernels()) {
    fastest.kernel.flops += kernel.flops;
    fastest.kernel.bytes += kernel.bytes;
  }
  fastest.seconds =
      static_cast<double>(std::max<int64_t>(1, *std::min_element(ns.begin(), ns.end()))) * 1e-9;
  return fastest;
}

}  // namespace

absl::StatusOr<MeasuredRates> MeasureRates(const ClientOptions& options) {
  absl::StatusOr<Target> target = ParseTarget(options.target, options.device_index);
  if (!target.ok()) return target.status();
  MeasuredRates rates;
  const runtime::DeviceInfo& device = target->device;
  if (device.kind == runtime::DeviceKind::kReference) return rates;
  const bool is_cpu = runtime::RunsOnCpu(device);
  // Four times the size of the last-level cache if that is known, within limits.
  const int64_t bytes = std::clamp<int64_t>(int64_t{4} * device.last_level_cache_bytes,
                                            int64_t{64} << 20, int64_t{256} << 20);
  absl::StatusOr<Fastest> copy = TimeKernel(
      options, absl::StrCat("HloModule copy\nENTRY e {\n  x = f32[", bytes / 4,
                            "] parameter(0)\n  ROOT y = f32[", bytes / 4, "] negate(x)\n}\n"));
  if (!copy.ok()) return copy.status();
  rates.copy_bytes_per_s = 2.0 * static_cast<double>(bytes) / copy->seconds;
  // Takes the better of a square product and a flat one; on CPUs each takes a few milliseconds and
  // fits the caches.
  const int64_t n = is_cpu ? 512 : 4096;
  const int64_t sizes[2][3] = {{n, n, n}, {n / 4, n / 2, n * 3 / 2}};
  for (const auto& [rows, terms, columns] : sizes) {
    const std::string a = absl::StrCat("f32[", rows, ",", terms, "]"),
                      b = absl::StrCat("f32[", terms, ",", columns, "]"),
                      c = absl::StrCat("f32[", rows, ",", columns, "]");
    absl::StatusOr<Fastest> product = TimeKernel(
        options, absl::StrCat("HloModule product\nENTRY e {\n  a = ", a, " parameter(0)\n  b = ", b,
                              " parameter(1)\n  ROOT c = ", c,
                              " dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
                              "operand_precision={highest,highest}\n}\n"));
    if (!product.ok()) return product.status();
    const double flops = 2.0 * static_cast<double>(rows * terms * columns);
    rates.f32_flops_per_s = std::max(rates.f32_flops_per_s, flops / product->seconds);
  }
  return rates;
}

}  // namespace halyard
